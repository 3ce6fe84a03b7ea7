"""What remains of finished games for people.

In reading order:

- ``ratings``  what a rated game makes of the ratings of those who played it
"""
