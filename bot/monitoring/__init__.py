"""Watching the program run: what it counts, and where others read that. docs/watching.md describes it for operators.

- ``server`` the addresses /metrics, /healthz and /readyz, and whether they are served; HTTP for those in the same
  network, who may send anything
- ``state``  what is looked at when somebody reads the metrics: tables, shards, what waits
"""
