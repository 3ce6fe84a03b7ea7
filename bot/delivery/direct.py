"""Direct messages: where each person gets them, and who takes none.

Discord restricts bots that open many conversations, or write to people who have closed theirs. So a channel is opened
once for each person and kept, whoever takes no direct messages is left alone for a day, and after Discord has said that
it is too much none is opened for a while, by no process. Meanwhile a hand opens with *My hand*.
https://discord.com/developers/docs/resources/user#create-dm
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from bot.clock import Clock
from bot.delivery.courier import Courier
from bot.delivery.faults import DMS_CLOSED, Dropped, NoEntry, TooManyDms
from bot.log import fields
from bot.store.store import Dms, Store

log = logging.getLogger(__name__)

CLOSED_MS: Final = 24 * 3_600_000
"""How long somebody who takes no direct messages is not asked again."""
PAUSE_MS: Final = 600_000
"""How long no conversation is opened after Discord has said that it is too much."""


class DirectMessages:
    """Finds the channel in which a person gets direct messages.

    ``too_many`` is called with the time (ms) until which none may be opened, when Discord has said that it is too much.
    """

    def __init__(self, store: Store, courier: Courier, clock: Clock, too_many: Callable[[int], object]) -> None:
        self._store = store
        self._courier = courier
        self._clock = clock
        self._too_many = too_many
        self._paused_until = 0
        self._opening = asyncio.Lock()
        """Held while one is opened."""

    async def channel_of(self, user: int, wanted: Callable[[], bool]) -> int:
        """The channel of direct messages with *user*; it is opened if need be, and if that is still *wanted*.

        Raises:
            NoEntry: they take none, as it turned out within the last day.
            TooManyDms: none can be opened for now.
            Dropped, Busy: as ``Courier.open_private_channel``.
        """
        channel = await self._known(user)
        if channel is not None:
            return channel
        async with self._opening:  # at several tables, or in several processes, somebody may wait for the same one
            if (channel := await self._known(user)) is not None:
                return channel
            if not wanted():
                raise Dropped
            await self._courier.turn_to_open()
            channel = await self._known(user)
            return await self._open(user, wanted) if channel is None else channel

    async def _open(self, user: int, wanted: Callable[[], bool]) -> int:
        """Open the channel with *user*, and return it. Raises as ``channel_of``."""
        try:
            channel = await self._courier.open_private_channel(user, wanted)
        except TooManyDms:
            log.warning("Discord says that too many direct messages were opened", extra=fields(pause_ms=PAUSE_MS))
            self.pause(self._clock.now() + PAUSE_MS)
            self._too_many(self._paused_until)
            raise
        await self._store.put_dms(user, (await self._store.dms(user))._replace(channel=channel))
        return channel

    async def _known(self, user: int) -> int | None:
        """The channel with *user*; ``None``: it was not opened yet, and may be. Raises as ``channel_of``."""
        known = await self._store.dms(user)
        if known.closed_at is not None and self._clock.now() - known.closed_at < CLOSED_MS:
            raise NoEntry(DMS_CLOSED)
        if known.channel is None and self._clock.now() < self._paused_until:
            raise TooManyDms
        return known.channel

    def pause(self, until: int) -> None:
        """Open no channel *until* then (ms since 1970): Discord counts those that all processes have opened."""
        self._paused_until = max(self._paused_until, until)

    async def closed(self, user: int) -> None:
        """Note that *user* takes no direct messages."""
        known = await self._store.dms(user)
        await self._store.put_dms(user, known._replace(closed_at=self._clock.now()))

    async def wanted_again(self, user: int) -> None:
        """Note that *user* has asked for direct messages, so that they are tried again."""
        known = await self._store.dms(user)
        if known.closed_at is not None:
            await self._store.put_dms(user, Dms(known.channel))
