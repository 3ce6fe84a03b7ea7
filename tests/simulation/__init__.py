"""The whole program in one deterministic world: bot, discord.py, store, local Discord, people, and what goes wrong. It
needs Python 3.12; ``make simulate`` runs it. docs/simulation.md says how to chase a red seed.

In reading order:

- ``plan``        what is going to happen in a run, drawn from its seed
- ``wrong``       what can be wrong with a run
- ``virtual``     one thread and virtual time; besides ``standing`` nothing knows simloom
- ``standing``    hosts that stand still
- ``shared``      one database for several processes
- ``machine``     the bot's processes, started, looked after, stopped, killed
- ``homes``       where tables are at home, of several processes
- ``failures``    bugs that the program itself has noticed
- ``guests``      people of several kinds
- ``alone``       somebody who plays alone, also the deal of the day
- ``troubles``    what goes wrong
- ``noted``       what went wrong, and when
- ``universe``    one run
- ``checks``      what must hold: answers, messages that are up to date
- ``histories``   every change follows from the rules and somebody's click, every click has its effect
- ``reading``     everybody received what follows from their view
- ``days``        one attempt a day and game, one board a server, and what others may read of a result
- ``timeline``    what happened in a run, line by line
- ``shrinking``   a plan that fails, made shorter
- ``bugs``        bugs that are planted one at a time, to see whether they are found
- ``running``     runs in processes of their own
- ``conftest``    what is collected without simloom
- ``test_plans``  plans are drawn, written, read and shrunk; every planted bug fits the code
- ``test_runs``   the same plan gives the same run
- ``__main__``    the command line
- ``scenes``      tests that say what people do, in virtual time
"""
