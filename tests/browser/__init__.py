"""The local Discord's page in Chromium. Screenshots go to ``artifacts/``, to be looked at.

In reading order:

- ``tab``               one person's page: commands, controls, whole games
- ``conftest``          a bot on a local Discord, and Chromium
- ``test_client``       commands in one's language, notifications, threads, and no other page gets in
- ``test_page``         private messages, a dead bot, the keyboard, two people side by side
- ``test_phone``        what a turn needs fits on a phone
- ``test_whole_games``  a whole game of every kind
"""
