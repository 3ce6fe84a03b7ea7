"""The local Discord's page in Chromium. Screenshots go to ``artifacts/``, to be looked at.

In reading order:

- ``tab``               one person's page: commands, controls, whole games
- ``alone``             the page without a bot's process
- ``conftest``          a local Discord, with a bot on it or alone, and Chromium
- ``test_client``       commands in one's language, notifications, threads, and no other page gets in
- ``test_view``         the newest message stays in view, Back goes back
- ``test_focus``        the keyboard: the focus stays where the hand is
- ``test_contrast``     every text can be read, light and dark
- ``test_forms``        every kind of control in a form, by mouse and by keyboard
- ``test_restart``      the local Discord starts again under an open page
- ``test_page``         private messages, a dead bot, the keyboard, two people side by side
- ``test_lobby``        the lobby fits on a phone; its form of options
- ``test_phone``        what a turn needs fits on a phone
- ``test_owners``       what owners and moderators see
- ``test_phone_days``   the end of a hand of 12 Days fits on a phone
- ``test_call_stays``   17! stays in its place, whatever the hand shows
- ``test_whole_games``  a whole game of every kind, and what it leaves
"""
