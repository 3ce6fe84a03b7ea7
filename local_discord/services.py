"""What a local Discord is made of, besides HTTP: its world, its gateway, and how awkward it is."""

from collections.abc import Callable

from local_discord.faults import Faults
from local_discord.gateway import Gateway
from local_discord.hidden_limits import HiddenLimits
from local_discord.interactions import Interactions
from local_discord.limits import Limits
from local_discord.requests import RequestList
from local_discord.world import World


class Services:
    """The parts of a local Discord that its routes need; the parameters are those of ``Server``."""

    def __init__(
        self,
        guilds: int,
        channels: int,
        people: int,
        shards: int,
        clock: Callable[[], float],
        concurrency: int | None,
    ) -> None:
        self.world = World(guilds, channels, people)
        self.gateway = Gateway(self.world, shards, concurrency, clock)
        self.requests = RequestList(clock)
        self.faults = Faults()
        self.limits = Limits(clock)
        self.hidden_limits = HiddenLimits(clock)
        self.interactions = Interactions(self.world, self.gateway.send_to_bot)
