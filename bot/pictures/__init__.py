"""Pictures drawn by Pillow: the symbols of cards as small square images, and larger scenes put together from them.

What a game's own cards look like is in the game's presenter folder; here is what all of them are drawn with.

In reading order:

- ``canvas``     shapes and letters on a sheet of a hundred by a hundred
- ``symbols``    cards and tokens inside messages: emojis, or text
- ``drawings``   what a game's cards and tokens look like, by name
- ``picture``    a picture that goes with a message
- ``standings``  players and what they have won, in rows
"""
