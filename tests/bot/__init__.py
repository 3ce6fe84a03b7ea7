"""The program without Discord: tables, texts, messages, settings, the store.

In reading order:

- ``tables``            tables of every game in a given state, time that passes
- ``calling``           tables of 17, where people may call, and their clicks there
- ``conftest``          an application whose emojis Discord has; a fresh store
- ``test_characters``   computer players: their names, their time
- ``test_lobby``        who sits down, the options, the start
- ``test_moves``        clicks that make a move: whose turn, which message
- ``test_beat``         the beat, the held move, computer players
- ``test_calls``        calls of 17: the window, late arrivals, the call that must be
- ``test_edges``        clicks in the same millisecond, with a wrong clock, at a table that waits for nothing
- ``test_times``        how long everything waits, in figures
- ``test_turn_limit``   the clock: reminder, time-out, what does not count
- ``test_leaving``      leaving and coming back, games that end early
- ``test_pause``        time-outs are said, a game that nobody attends waits
- ``test_passing``      passes that the table makes for people look like any other
- ``test_preferences``  what people have chosen for themselves
- ``test_decision``     what to do about one message
- ``test_old_rows``     tables as JSON, those of version 0.1 too
- ``sheets``            every message of a game at its longest
- ``moments``           many moments of every game
- ``test_diciassette``   how a round of 17 ended for oneself, one's own cards, match point, in the hand
- ``test_twelve_days``   what a trick and a hand of 12 Days meant to a player, last cards, who can still win
- ``test_offers``       controls: what was offered comes back, and nothing else is taken
- ``test_highlights``   the end of a game: what is told of it, and when
- ``test_guard``        what one person and one server may take up
- ``test_alarms``       one alarm per table, and timers that fail
- ``test_limits``       they keep Discord's limits in every language
- ``test_sentences``    every reason for a no has its sentence
- ``test_symbols``      the rules show cards as the table does
- ``test_texts``        the catalogues are complete
- ``test_words``        plural forms, and English where there is nothing else
- ``test_clock``        the one clock: jumps, wrong clocks, a process that stood still
- ``test_throttle``     the bot's own requests, spread over time
- ``test_traffic``      what responses tell: the time, how near a ban is
- ``test_settings``     the environment, and one line for each bad setting
- ``test_store``        SQLite: one transaction a change, migrations, backup
- ``test_log``          lines, tracebacks, no secrets
- ``logs``              the log as the program writes it
- ``damage``            what goes wrong with the row of a table
- ``test_set_aside``    tables that cannot go on; the doctor
- ``test_possible``     what a table can be, to the edge
- ``test_damaged_rows``  rows of every other kind that are damaged, databases that are not this program's
- ``test_service``      timers that fail, lost connections, tables that are over
- ``test_store_files``  the database's files: nobody else's, missed when they go, one process
- ``test_locked_store``  another program has locked the database
- ``test_damaged_store``  single bits of the database file are wrong
"""
