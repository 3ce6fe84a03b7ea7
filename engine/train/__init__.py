"""Training the computer players by self-play: ``python -m engine.train GAME --seed 1``. Playing needs none of it.

- ``figures``      figures with goals
- ``reference``    the computer players of version 0.2, to measure by
- ``tournament``   everything that is measured of the computer players, as tables
- ``network``      a network learns: backpropagation and Adam
- ``grades``       what computer players lose by their decisions, for the grades of the coach
- ``diciassette``  the networks of 17
- ``twelve_days``  the networks of 12 Days of Christmas
- ``__main__``     the command line
"""
