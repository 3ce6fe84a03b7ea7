"""Running games. Nothing here knows of Discord's library.

In reading order:

- ``options``      how a table is played
- ``model``        what a table is
- ``once``         what follows from a table alone, found out once for every version of it
- ``preferences``  what a person has chosen for themselves
- ``guild_settings`` what was chosen for a server, and who is banned from its tables
- ``possible``     what a table can be: anything else in the store is damage
- ``fresh``        what is drawn at random: ids, seeds, waits
- ``lookalikes``   which names people take for the same
- ``characters``   what computer players are called, and how quickly they make up their minds
- ``names``        what everybody at a table is called: nobody like somebody else
- ``contest``      between whom a game counts for the ratings
- ``recording``    what the record of a game says
- ``lobby``        who sits down, the options
- ``memories``     what computer players keep in mind, and people who may ask for hints
- ``dealing``      the cut, the start, the deal: nobody chooses it
- ``passing``      passes that the table makes for people who want that
- ``hints``        what the coach says to somebody who plays against computers alone
- ``play``         clicks, the beat, the call window
- ``leaving``      leaving and coming back, games that end before their time
- ``erasing``      a table without a person who is erased
- ``timers``       what a table waits for
- ``ticking``      what happens when it is due: computer players, the turn limit
- ``alarms``       one alarm per table
- ``outages``      time that counts against nobody
- ``uptime``       when this process was alive
- ``scene``        what presenters get: the public facts of a table and the view of one seat
- ``course``       a game that is over, played anew, and who may look at it
- ``judging``      decisions in it that the coach has judged, with what their players saw
- ``reviewing``    one moment of such a game, as presenters get it
- ``coached``      what the coach says of it
- ``past``         what has happened in a round or trick, as everybody may read it again
- ``limits``       what one person or one server may take up
- ``shards``       which tables this process serves: those of its shards
- ``storage``      what tables need of a store
- ``taking``       taking over, after a start, the tables of the store
- ``live``         the live tables in memory, with the right times
- ``service``      the tables of this process: load, lock, change, commit, notify
"""
