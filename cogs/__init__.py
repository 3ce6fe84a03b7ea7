"""discord.py extensions: slash commands and clicks. Thin: each reads the interaction, asks a table, answers.

In reading order:

- ``visit``         one interaction: who, where, when, in which language
- ``boundary``      refusals become private answers, bugs become apologies
- ``opening``       who may open a table, where, and in which channel or thread it is
- ``table``         /table, and people's hands
- ``play``          /play
- ``rules``         /rules, /help and /learn
- ``me``            /me
- ``replays``       /replay, and every step of a review
- ``verify``        /verify, and *Check the deal*
- ``results``       /profile and /leaderboard
- ``privacy``       /privacy: exporting and erasing what is kept
- ``settings``      /settings and /language
- ``doctor``        /doctor
- ``moderation``    /tables: live tables and bans
- ``lobby_clicks``  the controls of the lobby
- ``game_clicks``   those of the running game
- ``menu_clicks``   those of the menu, and the rematch
- ``clicks``        all commands, and which handler serves a button, select or form
"""
