"""Training the computer player of 17.

In reading order:

- ``learn``    self-play: the policy and its critic
- ``reference``  the computer player of version 0.2
- ``clone``    a network that plays as version 0.2 did
- ``advise``   the advisor, from finished self-play
- ``matches``  matches of two players at many tables at once
- ``exploit``  how far the policy can be exploited
- ``luck``     how lucky somebody was in a game: the measure of the next one needs fewer games
- ``more_time``  whether the strongest level would be stronger with more time, or if it hid less
- ``search``   an exploiter that searches
- ``calibration``  whether what the networks say comes true
- ``evidence``  what all this says of the computer player, for tables
- ``program``  the command line
"""
