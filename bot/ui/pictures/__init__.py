"""Pictures drawn by Pillow: the symbols of cards as small square images, and larger images that are composed of them.

The drawings of a game's cards are in the game's folder; here are the tools that all games share.

In reading order:

- ``text``      text in pictures, in any script, and the typefaces for it
- ``canvas``    an image to draw shapes and letters on, in units independent of its size in pixels
- ``symbols``   symbols of cards and tokens in messages: emojis, or text
- ``drawings``  a game's drawings by name, and pictures that go with messages
- ``standings`` the picture of the final standings
- ``ratings``   the picture of how a rating has changed
- ``chances``   the picture of every player's chance to win, step by step
"""
