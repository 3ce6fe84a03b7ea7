"""The training programs of the computer players.

- ``test_twelve_days``  thousands of hands of 12 Days at once are played by the rules; training makes stronger
"""
