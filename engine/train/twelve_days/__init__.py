"""Training the computer player of 12 Days of Christmas.

In reading order:

- ``hands``    thousands of hands at once, as arrays
- ``play``     how networks play them
- ``learn``    learning from how they end
- ``watch``    learning to judge them with all cards open
- ``program``  the whole training, and what it writes
- ``reference``  the computer player of version 0.2
- ``exploit``  how much somebody wins who knows the computer player by heart, or who searches for a short time
- ``evidence`` what that says of it, for tables
"""
