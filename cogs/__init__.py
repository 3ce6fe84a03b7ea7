"""discord.py extensions: slash commands and clicks. Thin: each reads the interaction, asks a table, answers.

In reading order:

- ``context``    one interaction: who, where, when, in which language
- ``errors``     refusals become private answers, bugs become apologies
- ``play``       who may open a table, where, and in which channel or thread it is; /play; the controls of the lobby
- ``table``      /table, and people's hands
- ``rules``      /rules, /help and /learn
- ``me``         /me
- ``review``     /replay, and every step of a review
- ``verify``     /verify, and *Check the deal*
- ``profile``    /profile and /leaderboard
- ``privacy``    /privacy: exporting and erasing what is kept
- ``settings``   /settings and /language
- ``doctor``     /doctor
- ``moderation`` /tables: live tables and bans
- ``game``       the controls of a running game
- ``menu``       those of the menu, and of the rematch
- ``router``     all commands, and which handler serves a button, select or form
"""
