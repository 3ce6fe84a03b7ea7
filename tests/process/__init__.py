"""The bot as a process of its own on the local Discord: kills, faults, hostile clients. What needs no
real process is in ``tests.simulation.scenes``.

In reading order:

- ``waiting``                  waiting for what another process does
- ``person``                   somebody's client: what they were sent, what they click
- ``world``                    the local Discord and the bot as processes, and a game on them
- ``watch``                    what the store holds, and whether everybody sees it; moves
- ``conftest``                 a world and a running table for each test
- ``test_refusals``            what only real sockets show of what Discord refuses
- ``test_openings``            many tables are opened at one instant, in threads of their own
- ``test_restart``             killed, stopped politely, started again
- ``test_installs``            people who have it in their account use it where it is not
- ``test_forms``               forms that are open meanwhile
- ``cluster``                  several bots on one database
- ``crowd``                    people at many tables of a cluster, and what happens to it meanwhile
- ``test_cluster``             several bots: killed, frozen, restarted, cut off from each other
- ``test_everywhere``          two bots: people erased, threads made for tables that the other one serves
- ``test_solo``                solo tables and the deal of the day: killed in mid-game; two bots and one attempt
- ``test_start``               what whoever starts it reads, or cannot; waiting for whom it cannot reach
- ``test_watching``            metrics and health of one bot, and of several on one PostgreSQL
- ``test_kills``               kill -9 at any moment, again and again
- ``test_database``            its database file: one process, gone, damaged, locked
- ``faults``                   tests that meet one fault after the other
- ``test_faults``              killed or told to stop at chosen moments, whatever Discord does
- ``test_deadlines``           clicks that wait longer than Discord does
- ``test_logs``                a whole run at DEBUG leaves no secret in the log
- ``forging``                  what a hostile client sends
- ``test_hostile``             it by the thousand
- ``test_installed_game``      a game that a package of its own adds
- ``jumping``                  the bot on a machine whose time of day jumps
- ``soak_cluster``             the same at 64 tables, with figures; only ``make soak`` collects it
- ``soak_awkward``             whole games while everything awkward happens at once; only ``make soak`` collects it
- ``soak_silence``             a minute of silence; only ``make soak`` collects it
"""
