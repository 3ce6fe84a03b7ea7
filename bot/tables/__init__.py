"""Running games. Nothing here knows of Discord's library.

In reading order:

- ``errors``      why a table refuses something; what tables need of a store
- ``options``     how a table is played
- ``model``       what a table is; what a table can be: anything else in the store is damage; what follows from a
  table alone, found out once for every version of it; what is drawn at random: ids, seeds, waits
- ``preferences`` what a person has chosen for themselves; what was chosen for a server, and who is banned from its
  tables
- ``names``       what everybody at a table is called: nobody like somebody else; what computer players are called,
  and how quickly they make up their minds; which names people take for the same
- ``contest``     between whom a game counts for the ratings
- ``record``      what the record of a game says
- ``lobby``       who sits down, the options
- ``computers``   what computer players keep in mind, and people who may ask for hints; what the coach says to
  somebody who plays against computers alone
- ``start``       the cut, the start, the deal: nobody chooses it
- ``passing``     passes that the table makes for people who want that
- ``play``        clicks, the beat, the call window
- ``leaving``     leaving and coming back, games that end before their time; a table without a person who is erased
- ``timers``      what a table waits for
- ``ticking``     what happens when it is due: computer players, the turn limit
- ``live``        the live tables in memory, with the right times; one alarm per table; taking over, after a start,
  the tables of the store
- ``outages``     time that counts against nobody; when this process was alive
- ``scene``       what presenters get: the public facts of a table and the view of one seat
- ``history``     what has happened in a round or trick, as everybody may read it again
- ``service``     the tables of this process: load, lock, change, commit, notify; what one person or one server may
  take up
- ``shards``      which tables this process serves: those of its shards
"""
