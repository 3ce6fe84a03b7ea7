"""discord.py extensions: slash commands and clicks. Thin: read, ask a table, answer.

- ``visit``   one interaction: who, where, when, in which language
- ``boundary`` refusals become private answers, bugs become apologies
- ``play``    /play
- ``table``   /table
- ``rules``   /rules and /help
- ``errors``  commands that cannot be
- ``clicks``  every button and select
"""
