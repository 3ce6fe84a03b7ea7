"""Training the computer players by self-play: ``python -m engine.train GAME --seed 1``. Playing needs none of it.

- ``network``      a network learns: backpropagation and Adam
- ``diciassette``  the networks of 17
- ``__main__``     the command line
"""
