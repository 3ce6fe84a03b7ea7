"""What one run of the program is watched by: its metrics and its state, and the server for them if it has a port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bot.settings import BadSetting, Settings
from bot.watching.metrics import Metrics
from bot.watching.server import NoAddress, PortTaken, serving
from bot.watching.state import State

if TYPE_CHECKING:
    from bot.client import Bot


class Watch:
    """The metrics and the state of one run."""

    def __init__(self) -> None:
        self.metrics = Metrics()
        self.state = State()

    def waits(self, why: str) -> None:
        """Note *why* the program waits; empty: it does not."""
        self.state.waits = why

    def runs(self, bot: "Bot | None") -> None:
        """Note that *bot* runs; ``None``: none does any more."""
        self.state.bot = bot


@asynccontextmanager
async def watching(config: Settings) -> AsyncIterator[Watch]:
    """A new Watch; in the block it is served, if *config* says where.

    Raises:
        BadSetting: nobody can listen there.
    """
    watch, port = Watch(), config.metrics_port
    if port is None:
        yield watch
        return
    try:
        async with serving(config.metrics_host, port, watch.metrics, watch.state):
            yield watch
    except NoAddress as error:
        raise BadSetting(
            "METRICS_HOST", config.metrics_host, f"cannot be listened at ({error}); use an address of this machine"
        ) from None
    except PortTaken as error:
        raise BadSetting(
            "METRICS_PORT", str(port), f"cannot be listened at {config.metrics_host} ({error}); use another port"
        ) from None
