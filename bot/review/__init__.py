"""Reviews of finished games: replayed, judged by the coach, and as people read them. Nothing here knows of Discord.

In reading order:

- ``replay``    a finished game, replayed from its record, and who may look at it
- ``decisions`` decisions in it that the coach has judged, with what their players saw
- ``moments``   one moment of such a game, as presenters get it
- ``coach``     the coach's review of the whole game
"""
