"""The training programs of the computer players.

- ``test_network``      a network learns, and is saved
- ``test_grades``       what computer players lose is measured as the coach judges it
- ``test_diciassette``  many tables of 17 at once play by the rules; training goes in the right direction
- ``test_twelve_days``  thousands of hands of 12 Days at once are played by the rules; training makes stronger
- ``test_reference``    the computer player of 12 Days of version 0.2: its odds, its plans, its choices
- ``test_evidence``     what the tables of a tournament measure and say
"""
