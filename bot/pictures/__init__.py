"""Pictures drawn by Pillow: the symbols of cards as small square images, and larger scenes put together from them.

What a game's own cards look like is in the game's presenter folder; here is what all of them are drawn with.
"""
