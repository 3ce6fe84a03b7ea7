"""The bot on a local Discord, with the helpers of ``tests.process``, but in virtual time: what overlaps, is late, or
fails at a chosen moment. ``make simulate-sample`` runs it.

In reading order:

- ``scene``                    a scene, and how a test plays in one
- ``conftest``                 a database and a game for each scene
- ``test_overlapping_calls``   calls of 17 at the same time
- ``test_overlapping_clicks``  double clicks, everybody at once, hands that only their owner sees
- ``test_slow_discord``        clicks while Discord is slow
- ``test_faults``              Discord's faults, and our crash at chosen moments
"""
