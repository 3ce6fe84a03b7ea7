"""Running games. Nothing here knows of Discord's library.

In reading order:

- ``errors``      why a table refuses a request; what tables need of a store
- ``options``     the options of a table, chosen by its host
- ``model``       the table: its fields, checks of its values, a cache by table, and what is drawn at random
- ``preferences`` the preferences of a person; the settings and bans of a server
- ``names``       the names at a table, all different; the names and tempos of computer players; look-alike names
- ``contest``     who is compared in a rated game
- ``record``      the record of a game, and the ids of its people there
- ``lobby``       a table in the lobby: joining, leaving, options, rematches
- ``computers``   the memories of computer players, and the coach's hints for a person who plays against them alone
- ``start``       cutting the deck, starting and dealing: nobody chooses the deal
- ``passing``     passes that the table makes for people who want that
- ``play``        clicks in a running game: moves, calls, the beat, the call window
- ``leaving``     leaving and coming back, games that end before their time, erasing a person
- ``timers``      the timers of a table
- ``ticking``     what happens when a timer is due: computer players, the turn limit
- ``live``        the live tables in memory, one alarm for each, and taking tables over from the store
- ``outages``     the times in which the bot was away, which count against nobody
- ``scene``       what presenters get: the public facts of a table and the view of one seat
- ``history``     what has happened in a round or trick, as everybody may read it again
- ``limits``      limits on what one person or one server may use
- ``service``     the tables of this process: load, lock, change, commit, notify
- ``shards``      which tables this process serves: those of its shards
"""
