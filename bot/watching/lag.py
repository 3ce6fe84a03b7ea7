"""How late the event loop is: whatever waits for it, such as a click, waits that long."""

import asyncio
from collections.abc import Callable
from typing import Final

EVERY_SECONDS: Final = 0.5


class Lag:
    """Measures twice a second how late the running event loop is, and tells *late*, in seconds, until it is stopped."""

    def __init__(self, late: Callable[[float], None]) -> None:
        self._late = late
        self._loop = asyncio.get_running_loop()
        self._plan()

    def _plan(self) -> None:
        """Look again in a while."""
        due = self._loop.time() + EVERY_SECONDS
        self._timer = self._loop.call_at(due, self._look, due)

    def _look(self, due: float) -> None:
        """Tell how much later than *due* it is."""
        self._late(max(0.0, self._loop.time() - due))
        self._plan()

    def stop(self) -> None:
        """Measure no more."""
        self._timer.cancel()
