"""12 Days of Christmas as Discord components.

- ``cards``     ranks, combinations and leads in words and pictures
- ``board``     the middle of the table message
- ``hand``      the middle of the hand message: the plays on offer, and what a click stands for
- ``rules``     the rules pages
- ``presenter`` all of it behind the face that the shared frame knows
"""
