"""Monitoring of the running program: metrics and health for operators, described in docs/watching.md.

- ``server`` the HTTP server of /metrics, /healthz and /readyz, with limits against misuse
- ``state``  the values read when somebody asks for the metrics: tables, shards, waiting requests
"""
