"""Watching the program run: what it counts, and where others read that. docs/watching.md describes it for operators.

- ``metrics``  what is counted and measured
- ``kinds``    which kind of request goes to an address
- ``state``    what is looked at when somebody reads the metrics: tables, shards, what waits
- ``lag``      how late the event loop is
- ``server``   the addresses /metrics, /healthz and /readyz
- ``watch``    metrics and state of one run, and whether they are served
- ``health``   ``python -m bot health``: whether the running bot answers
"""
