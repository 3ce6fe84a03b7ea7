"""Running games. No discord in here.

In reading order:

- ``model``     what a table is
- ``lobby``     who sits down, the options, the start
- ``play``      clicks, the beat, the call window, computer players, leaving
- ``timers``    what a table waits for
- ``outages``   time that counts against nobody
- ``scene``     what presenters get: the public things of a table and a view of one seat
- ``conflicts`` what a store answers when somebody else was first
- ``service``   the tables of this process: load, lock, change, commit, tell
"""
