"""discord.py extensions: slash commands and clicks. Thin: each reads the interaction, asks a table, answers.

In reading order:

- ``context``    one interaction: who, where, when, in which language, and its answers
- ``errors``     turns refusals into private answers, bugs into apologies
- ``play``       /play: who may open a table, and where; the controls of the lobby
- ``daily``      /daily: the deal of the day
- ``table``      /table, and people's hands
- ``rules``      /rules, /help and /learn
- ``me``         /me: a person's preferences
- ``review``     /replay, and every step of a review
- ``verify``     /verify, and *Check the deal*
- ``profile``    /profile and /leaderboard
- ``privacy``    /privacy: exports and erases what is kept of a person
- ``settings``   /settings and /language
- ``doctor``     /doctor: what works in a channel
- ``moderation`` /tables: live tables and bans
- ``game``       the controls of a running game
- ``menu``       the controls of the menu, and the rematch
- ``router``     all commands, and the handler of each button, select and form
"""
