"""Places, ratings and profiles: what people get from finished games.

In reading order:

- ``places``   the places of a finished game for the ratings: leavers last
- ``ratings``  computes ratings from rated games; the fixed ratings of computer players
- ``profiles`` the types of a profile and a leaderboard
"""
