"""The local Discord does what Discord documents, over real sockets.

In reading order:

- ``client``             requests and gateway connections of the bot and of people
- ``conftest``           the fixture: a running server and its client
- ``test_server``        its address, what it says of itself, and who it refuses
- ``test_guard``         other web pages get nothing
- ``test_messages``      what is refused and with which code, who sees messages, who changes them
- ``test_refusals``      Discord's limits on contents, embeds and components; what is not here
- ``test_history``       messages page by page, and what they hide
- ``test_pictures``      emojis and attachments
- ``test_uploads``       files in requests: their forms, names and sizes
- ``test_commands``      commands: registered, and used
- ``test_command_files`` their options that take a file
- ``test_permissions``   roles, and the commands that people may use
- ``test_interactions``  commands, clicks and modals
- ``test_answers``       what becomes of the bot's answers and follow-ups
- ``test_modals``        modals: shown, and submitted
- ``test_gateway``       identify, resume, intents, shards
- ``test_shards``        how often shards identify, their servers, several sessions on one
- ``test_intents``       what a session is told, by its intents
- ``test_gateway_errors`` bad frames, and clients that fall silent
- ``test_odd_requests``  no request ends in a bare 500, whatever is odd, on any route
- ``test_shapes``        answers against Discord's OpenAPI description
- ``test_limits``        rate limits
- ``test_old_edits``     messages older than an hour take few edits
- ``test_opening_dms``   opening direct messages with many people is refused
- ``test_emoji_refusals`` controls with an emoji are refused now and then
- ``test_selects``       selects that Discord fills; threads below messages
- ``test_threads``       threads archive, are locked, and private ones have members
- ``test_reopening``      clients that reopen an archived thread before a click
- ``test_voice``          the chat of voice channels, for which a bot needs *Connect*
- ``test_deleted_channels`` threads go with their channel
- ``test_guilds``        the language of a server, its outages, and servers without the bot
- ``test_notifications`` what a phone shows, and messages that become components
- ``test_state``         what is there after a restart, if a file keeps the state
- ``test_control``       ``/local``: the request list, and changes from outside
- ``test_faults``        faults of requests and of connections
"""
