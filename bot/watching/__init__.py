"""Watching the program run: what it counts, and where others read that. docs/watching.md describes it for operators.

- ``metrics``  what is counted and measured
- ``state``    what is looked at when somebody reads the metrics: tables, shards, what waits
- ``server``   the addresses /metrics, /healthz and /readyz, and whether they are served
- ``health``   ``python -m bot health``: whether the running bot answers
"""
