"""The boards of the deal of the day: in servers that want one, a message a day, edited as results come in."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Alarm, Clock
from bot.daily.days import utc_day
from bot.delivery import limits
from bot.delivery.discord_api import DiscordApi
from bot.delivery.errors import Busy, Fault, Gone
from bot.delivery.limits import ShardLost
from bot.i18n import words
from bot.log import fields
from bot.store.daily import Board, BoardWish
from bot.store.store import Store
from bot.tables.shards import Shards
from bot.ui.components import Sheet
from bot.ui.daily import BoardGame, NamedResult, server_day_leaderboard_sheet
from engine.registry import GAMES

log = logging.getLogger(__name__)

INTERVAL_MS: Final = 60_000
"""How often a board is edited at most."""
RETRY_MS: Final = 3_600_000
"""How long a board is left alone that Discord has refused: the bot may not write there."""


class DayBoards:
    """Keeps the boards of the servers with a shard of this process up to date, once a minute.

    *locale_of* returns the language of messages in a channel.
    """

    def __init__(
        self,
        store: Store,
        api: DiscordApi,
        clock: Clock,
        shards: Shards,
        locale_of: Callable[[int], Awaitable[str]],
    ) -> None:
        self._store = store
        self._api = api
        self._clock = clock
        self._shards = shards
        self._locale_of = locale_of
        self._alarm: Alarm | None = None
        self._task: asyncio.Task[None] | None = None
        self._again = self._stopped = False
        """Whether somebody asked for a look while one is under way; whether there is none any more."""
        self._shown: dict[tuple[int, str], tuple[int, bytes]] = {}
        """(Server, day) -> (channel, fingerprint of its board); after a start it is not known, which costs an edit."""
        self._quiet_until: dict[tuple[int, int], int] = {}
        """(Server, channel) -> until when (ms) its board is left alone."""

    def start_updates(self) -> None:
        """Update the boards in the background, now and then every minute, for as long as a server with a shard of this
        process wants one."""
        if self._alarm is not None:
            self._alarm.cancel()
        if self._stopped or (self._task is not None and not self._task.done()):
            self._again = True
            return
        self._task = asyncio.get_running_loop().create_task(self._update_all(), name="boards of the day")

    async def stop(self) -> None:
        """Stop updating the boards for good, and cancel the update that runs."""
        self._stopped = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _update_all(self) -> None:
        """Send or edit the board of every server with a shard of this process, where it is not up to date; log
        failures, and set the next alarm."""
        now, needed = self._clock.now(), True
        today = utc_day(now)
        days = dict.fromkeys((utc_day(now - 2 * INTERVAL_MS), today))  # for a moment yesterday's last results as well
        self._shown = {key: shown for key, shown in self._shown.items() if key[1] in days}
        self._again = False
        try:
            for day in days:
                wished = [it for it in await self._store.servers_wanting_day_board(day) if self._shards.holds(it.guild)]
                needed = bool(wished)
                for wish in wished:
                    if self._quiet_until.get((wish.guild, wish.channel), 0) <= now:
                        await self._update_board(wish, day, new=day == today)
        except (SQLAlchemyError, OSError) as error:
            log.warning("boards of the day wait", extra=fields(fault=type(error).__name__))
        except Exception:  # the boundary of this task: it is tried again in a minute
            log.exception("boards of the day are not up to date")
        if (needed or self._again) and not self._stopped:
            self._alarm = self._clock.call_at(self._clock.now() + INTERVAL_MS, self.start_updates)

    async def _update_board(self, wish: BoardWish, day: str, *, new: bool) -> None:
        """Edit the board of one server, unless it shows the results of *day* already; if there is none yet, send it
        only with *new*.

        If Discord refuses it, the board is left alone for an hour.
        """
        sheet = server_day_leaderboard_sheet(
            day, await self._results_by_game(wish, day), words(await self._locale_of(wish.channel))
        )
        shown = (wish.channel, sheet.fingerprint())
        if self._shown.get((wish.guild, day)) == shown:
            return
        if not new and await self._store.load_day_board_message_ids(wish.guild, day) is None:
            return
        limits.set_request_guild(wish.guild)
        try:
            await self._edit_or_send_board(wish, day, sheet, new=new)
            self._shown[wish.guild, day] = shown
        except (ShardLost, Busy):
            pass  # whoever holds the shard goes on, or this one in a minute
        except Fault as fault:
            log.info("board of the day refused", extra=fields(guild=wish.guild, fault=type(fault).__name__))
            self._quiet_until[wish.guild, wish.channel] = self._clock.now() + RETRY_MS

    async def _results_by_game(self, wish: BoardWish, day: str) -> list[BoardGame]:
        """Return, by game, the results of *day* in one server: those of people with names, and how many others
        finished."""
        found = []
        for game in (name for name, rules in GAMES.items() if rules.daily is not None):
            named = await self._store.day_results_in_server(wish.guild, day, game) if wish.finished.get(game) else []
            results = [NamedResult(it.name, it.result) for it in named]
            found.append(BoardGame(game, results, max(0, wish.finished.get(game, 0) - len(results))))
        return found

    async def _edit_or_send_board(self, wish: BoardWish, day: str, sheet: Sheet, *, new: bool) -> None:
        """Edit the stored board of *day* to *sheet*; if there is none in this channel, send a new message and store its
        place, but only with *new*. Or raise a ``Fault``."""
        board = await self._store.load_day_board_message_ids(wish.guild, day)
        if board is not None and board.channel == wish.channel:
            try:
                await self._api.edit(board.channel, board.message, sheet)
                return
            except Gone:
                log.info("board of the day was deleted", extra=fields(guild=wish.guild))
        if not new:
            return
        # The same nonce makes no second message, should the process die before the first one is recorded. Discord looks
        # at the author of a message alone, whatever its channel.
        nonce = f"day{day}{wish.channel % 10**11}"
        message = await self._api.send(wish.channel, sheet, nonce)
        await self._store.save_day_board_message_ids(wish.guild, day, Board(wish.channel, message))
