"""The training programs of the computer players.

- ``test_network``      a network learns, and is saved
- ``test_diciassette``  many tables of 17 at once play by the rules; training goes in the right direction
"""
