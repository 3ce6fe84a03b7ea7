"""Every message of every table, brought to the newest view with few requests.

In reading order:

- ``faults``      the errors of Discord, sorted by what can be done about them
- ``throttle``    the bot's own requests, spread over time
- ``traffic``     what every response tells: the time, outages, what counts towards a ban
- ``door``        no request about a table that may be served elsewhere by now
- ``courier``     single requests to Discord, simpler where it says no; nothing else makes any
- ``slots``       the messages a table has, and what is known of each
- ``shown``       what messages show, remembered for the next start
- ``content``     what each should show, which there must be, who must be notified of what
- ``direct``      where each person gets direct messages
- ``decision``    what to do about one message
- ``tokens``      the tokens of clicks, with which messages are edited for free
- ``messages``    single messages: sent, edited, sent again, replaced, deleted
- ``registry``    the tables whose messages are kept up to date; clicks go first
- ``updates``     brings messages up to date
- ``answers``     answers clicks
- ``notes``       private notes: at most one a person and table
- ``deadlines``   every interaction answered in time, or without effect
- ``reconciler``  all of it put together: tell it of every new version of a table
- ``missing_channels`` whether a channel that Discord does not know is deleted
- ``own_threads`` threads that were made for a table, archived when it is over
- ``emojis``      the drawings of every game as emojis of the application
"""
