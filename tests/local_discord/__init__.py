"""The local Discord does what Discord documents, over real sockets.

In reading order:

- ``client``             requests and gateway connections of the bot and of people
- ``conftest``           the fixture: a running server and its client
- ``test_server``        its address, what it says of itself, and who it refuses
- ``test_guard``         other web pages get nothing
- ``test_messages``      what is refused and with which code, who sees messages, who changes them
- ``test_pictures``      emojis and attachments
- ``test_interactions``  commands, clicks and modals
- ``test_gateway``       identify, resume, intents, shards
- ``test_limits``        rate limits
- ``test_old_edits``     messages older than an hour take few edits
- ``test_opening_dms``   opening direct messages with many people is refused
- ``test_emoji_refusals`` controls with an emoji are refused now and then
- ``test_library``       discord.py understands what the server says
- ``test_threads``       threads archive, are locked, and private ones have members
- ``test_guilds``        the language of a server, and servers without the bot
- ``test_notifications`` what a phone shows, and messages that become components
- ``test_control``       ``/local``: the request list, and changes from outside
- ``test_faults``        faults of requests and of connections
"""
