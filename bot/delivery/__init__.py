"""Keeps the messages of all tables up to date, with few requests to Discord.

In reading order:

- ``errors``      the errors of Discord as exceptions that say what can be done about them
- ``limits``      rate limits of the bot's requests, outages and bans, and a check that a table's shard is held here
- ``discord_api`` single requests to Discord, in simpler forms where it refuses; nothing else makes any
- ``slots``       the messages a table has, what is known of each, and the record in the store of what they show
- ``plan``        decides what each message shows, which there must be, and who is notified of what
- ``messages``    single messages: sent, edited, replaced, deleted; direct messages; deadlines of interactions
- ``tokens``      the tokens of clicks, for edits that do not count against the rate limit
- ``registry``    the tables with messages to keep up to date; clicks go first
- ``reconciler``  brings messages up to date: give it every new version of a table
- ``answers``     answers clicks; private notes, at most one for each person and table
- ``channels``    reopens and archives threads with tables, and finds out whether a channel is deleted
- ``emojis``      the drawings of every game as emojis of the application
- ``day_boards``  the boards of the deal of the day in servers
- ``quarantine``  finds tables that cannot go on, and notifies their channels
"""
