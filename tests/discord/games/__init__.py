"""What one game alone shows on Discord: its own rules, sentences and pictures.

- ``test_diciassette``         calls after a double turn, the sentences around a call, the beat after every card
- ``test_twelve_days``         lists of plays, cards picked one by one, tricks and hands
- ``test_twelve_days_passes``  people for whom the table passes
"""
