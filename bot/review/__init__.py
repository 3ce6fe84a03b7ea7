"""Games that are over, gone through again: replayed, judged, as people read them. Nothing here knows of Discord.

In reading order:

- ``replay``    a game that is over, played anew, and who may look at it
- ``decisions`` decisions in it that the coach has judged, with what their players saw
- ``moments``   one moment of such a game, as presenters get it
- ``coach``     what the coach says of it
"""
