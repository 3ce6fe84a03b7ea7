"""REST for bots and users, API v10. A path that is not here is refused in Discord's error shape and logged.

In reading order:

- ``call``         one request: its body, its files, its ids, and who sent it
- ``people``       users, their direct messages, the application, the address of the gateway
- ``channels``     the channels of a server
- ``threads``      starting and changing threads, and who is in them
- ``messages``     reading, sending, editing and deleting messages
- ``commands``     registering slash commands and offering them to people
- ``interactions`` what people click, and how the bot answers
- ``emojis``       the application's own emojis
- ``pictures``     the files behind emojis and attachments
- ``rest``         every route in one router: rate limits, faults, errors, the request list
"""
