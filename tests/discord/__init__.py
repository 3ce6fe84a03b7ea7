"""The whole bot on SimCord: a real discord.py client in this process, a clock that tests step, people who click.

Every suite runs for every game in ``tests.games.CASES``; what is true of one game alone is in ``games``.

In reading order:

- ``world``                 the bot, a channel, people; what is where, and what should be read there
- ``play``                  what people do at a table
- ``messages``              what stands in a message: text, controls, pictures
- ``starting``              from *Start* to the first card: what Discord takes, and what stands there then
- ``somebody``              somebody of whom much is kept, who is exported and erased
- ``forged``                clicks that no honest client makes
- ``held``                  interactions that reach the bot late
- ``conftest``              a fresh world for every test, once for every game
- ``test_whole_games``      from /play to the rematch, at tables of every size
- ``test_lobby``            before the game: who sits down, what is chosen
- ``test_cut``              people cut the deck
- ``test_dealing``          from *Start* to the first card, and what everybody can check of it
- ``test_start_faults``     the same when Discord, the store or the bot fails in between, also for good
- ``test_server_settings``  /settings: what is chosen for a server, and that it takes effect
- ``test_own_threads``      a thread for every table
- ``test_moderation``       /tables: ending games, banning people
- ``test_doctor``           /doctor: why a channel does not work
- ``test_commands``         slash commands and the menu while a game runs
- ``test_hints``          *Hint*, for one person alone against computers, and who gets none
- ``test_past``             *What happened?* in the menu
- ``test_clicks``           stale, foreign and impossible clicks
- ``test_forged_clicks``    custom_ids and values that are made up, or from an older version of the program
- ``test_calls``            calls between turns, in games that have them
- ``test_notes``            private notes: one a person, until their next click; those of calls
- ``test_live_hands``      hands that one plays from, and two at once
- ``test_follow_ups``      hands opened by a click whose token also edits the table message
- ``test_turn_offers``    when the time of a turn begins to count
- ``test_without_dms``    people who get no direct messages play from the channel
- ``test_pause``           a game that nobody attends waits
- ``test_ended_early``     the end of a game before its time, in the hands; the call keeps its place
- ``test_latecomers``      who sits down later, is removed, has left the server; rematches
- ``test_rounds``           how a round or a game ends: told, drawn, then in a line
- ``test_telling``          being told, notifications, the clock, and how few requests it takes
- ``test_reading``          rules, why not, the guided round, help
- ``test_languages``        the server's language and everybody's own
- ``test_me``               what people choose for themselves, on all servers
- ``test_results``         profiles, ratings by consent
- ``test_boards``          leaderboards, and made-up clicks on all of that
- ``test_privacy``          what is kept of somebody, what others may know, a file with everything
- ``test_erasing``          somebody is erased, whatever they are doing at the moment
- ``test_hostile_names``    markdown, mentions and invisible characters in names; namesakes
- ``test_drawings``         cards as the application's own emojis, and what Discord does not take
- ``test_handed_over``  tables that another process takes over
- ``test_delivery``         messages when Discord does not play along
- ``test_first_responses``  the one first response to an interaction: when it is lost, and what follows it
- ``test_at_once``          what happens at the same time; channels that go
- ``test_deadlines``        what failed to its person has no effect
- ``test_patience``         refusals for good, direct messages that were opened too fast
- ``test_limits_per_person``  what one person and one server may take up
- ``test_review``           games that are over, gone through again
- ``test_day_reviews``      a deal of the day gone through again: the choices of others, and who may look when
- ``test_verify``           /verify and *Check the deal*
- ``test_faults``           Discord's faults, people's and the store's
- ``test_restarts``         a restart in every phase of the game; only what looks different is edited
- ``test_store_faults``     the database fails in every way it can
- ``test_upkeep``           tables that have been over for long go
- ``test_set_aside``        a table that cannot be read after a restart
- ``test_leaks``            no message says more than its reader's view, also in the same game dealt differently
- ``test_discord_api``          one module talks to Discord
- ``games``                 what one game alone shows
"""
