"""``python -m bot health``: checks whether the bot on this machine answers, for containers without curl."""

import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Final

TIMEOUT_SECONDS: Final = 5.0
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""The address to ask for a bot that listens at all addresses."""


def run_health_command(host: str, port: int, say: Callable[[str], object]) -> int:
    """Serve ``health``: ask the bot whose metrics are at *port* of *host* whether it is alive, and print the answer
    with *say*; return the exit code: 0 if it is, else 1.
    """
    asked = _EVERYWHERE.get(host, host)
    shown = f"[{asked}]" if ":" in asked else asked
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # never by way of a proxy
    try:
        with opener.open(f"http://{shown}:{port}/healthz", timeout=TIMEOUT_SECONDS) as response:
            said = response.read(100)
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        say(f"nobody answers at port {port} of {asked}: {getattr(reason, 'strerror', None) or reason}\n")
        return 1
    if said != b"alive\n":
        say(f"another program answers at port {port} of {asked}\n")
        return 1
    say("alive\n")
    return 0
