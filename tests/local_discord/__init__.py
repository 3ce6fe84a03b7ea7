"""The local Discord does what Discord documents, over real sockets.

In reading order:

- ``client``             requests and gateway connections of the bot and of people
- ``conftest``           the fixture: a running server and its client
- ``test_server``        its address, what it says of itself, and who it refuses
- ``test_guard``         other web pages get nothing
- ``test_messages``      what is refused and with which code, who sees messages, who changes them, what routes give back
- ``test_refusals``      Discord's limits on contents, embeds and components; emojis; what is not here
- ``test_uploads``       files in requests, emojis and pictures
- ``test_commands``      commands: registered, and used, also with files
- ``test_permissions``   roles, and the commands that people may use
- ``test_interactions``  commands, clicks and modals
- ``test_answers``       what becomes of the bot's answers and follow-ups
- ``test_modals``        modals: shown, and submitted
- ``test_gateway``       identify, resume, intents, shards, frames that it cannot take
- ``test_shards``        how often shards identify, their servers, several sessions on one
- ``test_odd_requests``  no request ends in a bare 500, whatever is odd, on any route
- ``test_shapes``        answers against Discord's OpenAPI description
- ``test_limits``        rate limits, edits of old messages, opening direct messages
- ``test_threads``       threads archive, are locked, reopened, deleted, and private ones have members
- ``test_voice``          the chat of voice channels, for which a bot needs *Connect*
- ``test_installs``      installs to servers and to accounts, and what they mean for commands
- ``test_guilds``        the language of a server, its outages, and servers without the bot
- ``test_notifications`` what a phone shows, and messages that become components
- ``test_state``         what is there after a restart, if a file keeps the state
- ``test_control``       ``/local``: the request list, and changes from outside
- ``test_faults``        faults of requests and of connections
"""
