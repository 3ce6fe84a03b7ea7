"""Every message of every table, brought to the newest view with few requests.

In reading order:

- ``errors``      the errors of Discord, sorted by what can be done about them
- ``limits``      the bot's own requests, spread over time; what every response tells: the time, outages, what counts
  towards a ban; no request about a table that may be served elsewhere by now
- ``discord_api`` single requests to Discord, simpler where it says no; nothing else makes any
- ``slots``       the messages a table has, and what is known of each; what messages show, remembered for the next
  start
- ``plan``        what each should show, which there must be, who must be notified of what; what to do about one
  message
- ``messages``    single messages: sent, edited, sent again, replaced, deleted; where each person gets direct
  messages; every interaction answered in time, or without effect
- ``tokens``      the tokens of clicks, with which messages are edited for free
- ``registry``    the tables whose messages are kept up to date; clicks go first
- ``reconciler``  all of it put together: tell it of every new version of a table; brings messages up to date
- ``answers``     answers clicks; private notes: at most one a person and table
- ``channels``    threads that were made for a table, archived when it is over; whether a channel that Discord does
  not know is deleted
- ``emojis``      the drawings of every game as emojis of the application
"""
