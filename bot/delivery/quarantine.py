"""Tables that cannot go on: checks that find them, and the message to their channel."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.clock import Clock
from bot.delivery.discord_api import DiscordApi
from bot.delivery.errors import Fault
from bot.delivery.plan import render_slot
from bot.delivery.slots import TABLE, dm_hand_slot
from bot.i18n import LOCALES, words
from bot.log import fields
from bot.store.store import Store
from bot.store.tables import QuarantinedTable
from bot.tables.model import Table
from bot.tables.shards import Shards
from bot.tables.ticking import serve_due_timer
from bot.tables.timers import next_due
from bot.ui import replies
from engine.game import Seat

log = logging.getLogger(__name__)

RETRY_FOR_MS: Final = 24 * 3_600_000
"""For how long the bot tries to notify a channel."""


def check_table_usable(table: Table) -> None:
    """Raise UnusableTable if the table message or a hand of *table* cannot be rendered, or its next timer cannot be
    applied.

    A start checks only tables that were set aside: with all of them it would take long. Of the others this turns out as
    soon as it matters.
    """
    hands = range(len(table.players)) if table.state is not None else ()
    for slot in (TABLE, *(dm_hand_slot(Seat(seat)) for seat in hands)):
        render_slot(table, slot, None)
    due = next_due(table)
    if due is not None:
        serve_due_timer(table, due.at)


async def announce_quarantined_tables(
    store: Store, api: DiscordApi, clock: Clock, shards: Shards, locale_of: Callable[[int], Awaitable[str]]
) -> None:
    """Send a message to every channel whose damaged table was set aside, once, where *shards* are held here; the next
    call retries refused ones, for a day.

    The message is in the table's language; if that cannot be read either, in ``locale_of(channel)``.
    """
    for aside in await store.unannounced_quarantines():
        if not shards.holds(aside.guild):
            continue
        try:
            await _announce_quarantined_table(api, aside, locale_of)
        except Fault as fault:  # it is gone, or the bot may not write there; or Discord says so during an outage
            again = aside.at is None or clock.now() - aside.at < RETRY_FOR_MS
            said = "channel not told yet" if again else "channel not told"
            log.warning(said, extra=fields(table=aside.table, fault=type(fault).__name__))
            if again:
                continue
        await store.record_quarantine_announced(aside.table, clock.now())


async def _announce_quarantined_table(
    api: DiscordApi, aside: QuarantinedTable, locale_of: Callable[[int], Awaitable[str]]
) -> None:
    """Send the message that the table *aside* is damaged and was set aside to its channel; or raise a ``Fault``."""
    t = words(aside.locale if aside.locale in LOCALES else await locale_of(aside.channel))
    said = t(
        "The game in this channel is damaged and cannot go on, so it was set aside. "
        "The operator of this bot can see why. Open a new table with /play."
    )
    # Should the response be lost, or the process die before it is recorded: the same nonce makes no second message.
    # https://discord.com/developers/docs/resources/message#create-message
    await api.send(aside.channel, replies.private_note_sheet(said), f"{aside.table}aside")
