"""Pictures drawn by Pillow: the symbols of cards as small square images, and larger images that are composed of them.

What a game's own cards look like is in the game's presenter folder; here is what all of them are drawn with.

In reading order:

- ``text``      texts in pictures, whatever their script; the typefaces of pictures: our own, and those of the machine
- ``canvas``    shapes and letters, whatever the size in pixels
- ``symbols``   cards and tokens inside messages: emojis, or text
- ``drawings``  what a game's cards and tokens look like, by name; a picture that goes with a message
- ``standings`` a picture of players and what they have won
- ``ratings``   a picture of how a rating has changed
- ``chances``   a picture of how everybody's chance to win has gone
"""
