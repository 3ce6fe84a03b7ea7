"""Direct messages: where each person gets them, who takes none, and how many conversations may be opened.

Discord restricts bots that open many conversations, or write to people who take none. So a conversation is opened once
for each person and kept. Whoever takes no direct messages is left alone for a day. Only a few new conversations are
opened in ten minutes, and none for a while after Discord has said that there were too many. Meanwhile a hand opens
with *My hand*. https://discord.com/developers/docs/resources/user#create-dm
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from bot.clock import Clock
from bot.delivery.courier import Courier
from bot.delivery.faults import FLAGGED, Banned, Busy, Dropped, TakesNoDms, TooManyDms
from bot.log import fields
from bot.store.messages import Pause
from bot.store.store import Dms, Store

log = logging.getLogger(__name__)

CLOSED_MS: Final = 24 * 3_600_000
"""How long somebody who takes no direct messages is not asked again."""
PERIOD_MS: Final = 600_000
"""The time in which only so many new conversations are opened."""
NEW_IN_PERIOD: Final = 10
"""How many, unless the host chooses another number. No figure is published. Bots were flagged after 20 to 50 in a
minute (https://github.com/discord/discord-api-docs/issues/5987)."""
PAUSE_MS: Final = 600_000
"""How long no conversation is opened after Discord has said that it is too much, in ms."""
FLAGGED_MS: Final = 6 * 3_600_000
"""The same once the app is flagged as spam: only a person at Discord lifts that."""
LIMITED: Final = 429
"""What stands for Discord's error code where the request was rate limited for long."""
OPENED_AGAIN_MS: Final = 3_600_000
"""A conversation that Discord does not find, or does not let the bot into, is opened anew this often at most."""


class DirectMessages:
    """Finds the channel in which a person gets direct messages.

    At most *new_in_period* new conversations are opened in ten minutes, by all processes together; 0: any number.
    """

    def __init__(self, store: Store, courier: Courier, clock: Clock, new_in_period: int = NEW_IN_PERIOD) -> None:
        self._store = store
        self._courier = courier
        self._clock = clock
        self._new_in_period = new_in_period
        self._opening = asyncio.Lock()
        """Held while one is opened."""
        self._opened_again: dict[int, int] = {}
        """Person -> when their conversation was last forgotten because it failed, ms."""

    async def channel_of(self, user: int, wanted: Callable[[], bool]) -> int:
        """The channel of direct messages with *user*; it is opened if need be, and if that is still *wanted*.

        Raises:
            TakesNoDms: they take none; with code 0 that is what turned out within the last day.
            TooManyDms: none can be opened for now; ``until`` says when one may be.
            Dropped, Busy, Refused: as ``Courier.open_private_channel``.
        """
        channel = await self._known(user)
        if channel is not None:
            return channel
        async with self._opening:  # at several tables, or in several processes, somebody may wait for the same one
            if (channel := await self._known(user)) is not None:
                return channel
            if not wanted():
                raise Dropped
            await self._check_room()
            await self._courier.opening.turn()
            channel = await self._known(user)
            return await self._open(user, wanted) if channel is None else channel

    async def _open(self, user: int, wanted: Callable[[], bool]) -> int:
        """Open the channel with *user*, and return it. Raises as ``channel_of``."""
        try:
            channel = await self._courier.open_private_channel(user, wanted)
        except Busy as no:
            if not no.wait_ms or isinstance(no, Banned):
                raise
            until = self._clock.now() + no.wait_ms
            await self._pause(Pause(until, LIMITED))
            raise TooManyDms(LIMITED, until) from no
        except TooManyDms as no:
            until = self._clock.now() + (FLAGGED_MS if no.code == FLAGGED else PAUSE_MS)
            await self._pause(Pause(until, no.code))
            raise TooManyDms(no.code, until) from no
        await self._store.put_dms(user, (await self._store.dms(user))._replace(channel=channel))
        return channel

    async def _pause(self, pause: Pause) -> None:
        """Have no process open a conversation for the time of *pause*, and tell the host."""
        if pause.code == FLAGGED:
            said = "Discord has flagged the app as spam: no conversations are opened; ask Discord's support to lift it"
        else:
            said = "Discord says that too many conversations were opened"
        log.warning(said, extra=fields(code=pause.code, pause_ms=pause.until - self._clock.now()))
        await self._store.pause_dms(pause)

    async def _check_room(self) -> None:
        """Check that one more new conversation may be opened now.

        Raises:
            TooManyDms: it may not.
        """
        now = self._clock.now()
        pause = await self._store.dms_pause()
        if pause is not None and now < pause.until:
            raise TooManyDms(pause.code, pause.until)
        if self._new_in_period:
            opened = await self._store.conversations_since(now - PERIOD_MS)
            if len(opened) >= self._new_in_period:
                raise TooManyDms(until=opened[-self._new_in_period] + PERIOD_MS)

    async def _known(self, user: int) -> int | None:
        """The channel with *user*; ``None``: none has been opened. Raises TakesNoDms as ``channel_of``."""
        known = await self._store.dms(user)
        if known.closed_at is not None and self._clock.now() - known.closed_at < CLOSED_MS:
            raise TakesNoDms
        return known.channel

    async def forget_channel(self, user: int, channel: int) -> bool:
        """Forget that *channel* is the conversation with *user*, since Discord does not find it, or does not let the
        bot into it: it may be that of an earlier application. Return whether it is worth opening one anew: not if that
        was done lately, for then Discord has trouble."""
        known, now = await self._store.dms(user), self._clock.now()
        if known.channel != channel:
            return True
        if now - self._opened_again.get(user, -OPENED_AGAIN_MS) < OPENED_AGAIN_MS:
            return False
        self._opened_again = {one: at for one, at in self._opened_again.items() if now - at < OPENED_AGAIN_MS}
        self._opened_again[user] = now
        await self._store.put_dms(user, known._replace(channel=None))
        return True

    async def closed(self, user: int) -> None:
        """Note that *user* takes no direct messages."""
        known = await self._store.dms(user)
        await self._store.put_dms(user, known._replace(closed_at=self._clock.now()))

    async def wanted_again(self, user: int) -> None:
        """Note that *user* has asked for direct messages, so that they are tried again."""
        known = await self._store.dms(user)
        if known.closed_at is not None:
            await self._store.put_dms(user, Dms(known.channel))
