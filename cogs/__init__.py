"""discord.py extensions: slash commands and clicks. Thin: each reads the interaction, asks a table, answers.

In reading order:

- ``visit``         one interaction: who, where, when, in which language
- ``boundary``      refusals become private answers, bugs become apologies
- ``opening``       who may open a table, where, and in which channel or thread it is
- ``play``          /play
- ``hands``         shows somebody their hand; which hand was clicked
- ``table``         /table
- ``rules``         /rules and /help
- ``learn``         /learn
- ``language``      /language
- ``me``            /me
- ``replays``       /replay
- ``verify``        /verify
- ``results``       /profile and /leaderboard
- ``privacy``       /privacy
- ``settings``      /settings
- ``doctor``        /doctor
- ``moderation``    /tables
- ``errors``        commands that we do not have
- ``clicks``        every button and select: which handler serves it
- ``lobby_clicks``  those of the lobby
- ``game_clicks``   those of the running game
- ``record_clicks`` what remains of a game
- ``review_clicks`` those of a review, step by step
- ``menu_clicks``   those of the menu, and the rematch
- ``result_clicks`` those of profiles and leaderboards
- ``rules_clicks``  those of the rules and of lessons
- ``me_clicks``     those of what people choose for themselves
- ``setting_clicks`` those of what is chosen for a server
- ``moderation_clicks`` those of live tables and bans
- ``privacy_clicks`` those of what is kept of them: exporting and erasing it
"""
