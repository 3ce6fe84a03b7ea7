"""What holds, and how it is tried.

In reading order:

- ``games``          each game as the suites over all games know it
- ``engine``         the rules
- ``bot``            tables, store, texts: without Discord
- ``discord``        the whole bot on SimCord, in process, with a stepped clock
- ``local_discord``  the local Discord by itself
- ``process``        real processes on the local Discord: kills, faults, load
- ``simulation``     the whole program in one deterministic world, with everything that can go wrong
- ``packaging``      what hosts install: wheel, lock, container, service
- ``browser``        whole games through the page, in Chromium
- ``bench``          ``make bench``
- ``mutants``        ``make mutants``: small changes of the program that a test must notice
- ``playthroughs``   whole games as text
- ``test_house``     maps and docstrings
- ``test_docstrings``  the examples in docstrings and in docs/engine.md
- ``test_examples``  the programs in ``examples/``
- ``program``        the program in a process of its own
- ``warm``           such processes that start in milliseconds: forked from one that has imported the program
- ``controls``       what the controls of a message do
- ``fresh``          a new SQLite database that has its schema already
- ``kept``           every version of every table, kept by the database
- ``postgres``       a real PostgreSQL, and a database on it for every test
- ``postgres_server``  how that is made, started and stopped
- ``quick``          ``make quick``: the tests nearest to what has changed
- ``rulings``        where the rulings stand
- ``rows``           rows of a database, read and written past the store
- ``clocks``         a clock that tests step
- ``conftest``       ``-k GAME`` finds every test that depends on the game; a database of either kind
- ``openapi``        Discord's own description of its API, where it is at hand
- ``texts``          ``make texts``: the catalogues
- ``drawings``       ``make drawings``: what every drawing looked like when it was recorded
- ``pictures``       ``make pictures``
"""
