"""What remains of finished games for people: places, ratings, totals.

In reading order:

- ``places``   who has come in where, for the ratings: leavers last
- ``ratings``  what a rated game makes of the ratings of those who played it; computer players, whose ratings never
  change
- ``profiles`` what people read of it
"""
