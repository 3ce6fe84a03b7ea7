"""The local Discord does what Discord documents, over real sockets.

In reading order:

- ``client``             requests and gateway connections of the bot and of people
- ``conftest``           the fixture: a running server and its client
- ``test_server``        its address, what it says of itself, and who it refuses
- ``test_messages``      what is refused and with which code, who sees messages, who changes them
- ``test_pictures``      emojis and attachments
- ``test_interactions``  commands, clicks and modals
- ``test_gateway``       identify, resume, intents, shards
- ``test_limits``        rate limits
- ``test_control``       ``/local``: the request list, and changes from outside
- ``test_faults``        faults of requests and of connections
"""
