"""Erasing a person: from the tables that run, from the database, from memory.

Whoever plays again is somebody new. What was erased comes back only with a backup from before (docs/privacy.md).
"""

import logging
from collections.abc import Sequence

from bot.client import Bot
from bot.log import fields
from bot.refusals import Refusal
from bot.store.store import Store
from bot.tables.erasing import erased
from bot.tables.model import Table

log = logging.getLogger(__name__)


async def erase(bot: Bot, user: int, name: str) -> None:
    """Erase *user*, who is called *name*, while *bot* runs. If it fails half way, do it again."""
    done = False
    while not done:
        await _leave(bot, user)
        await bot.store.carry_over_games_of(user)
        done = await bot.store.erase(user, await bot.store.mentions(user, [name]))
    bot.people.forget(user)
    bot.reconciler.notes.forget(user)
    log.info("a person is erased")


async def _leave(bot: Bot, user: int) -> None:
    """Erase *user* from every table that runs, and from those that are over and whose messages can still change; then
    wait for what is being done about their messages, as that may record them once more."""
    over = [table for table in bot.reconciler.known() if not table.live]
    said = [table for table in (*bot.tables.live_of(), *over) if erased(table, user) != table]
    for table in said:
        try:
            await bot.tables.change(table.id, "erase", None, lambda t: erased(t, user))
        except Refusal as no:  # it was deleted or set aside meanwhile: then it is not live
            log.info("not erased from a table", extra=fields(table=table.id, why=no))
    for table in said:
        await bot.reconciler.settled(table.id)


async def erase_stopped(store: Store, user: int, now: int) -> int | None:
    """Erase *user* at the time *now* (ms) from the *store*, on which no bot runs; return at how many live tables they
    sat; ``None``: nothing was known of them."""
    await store.carry_over_games_of(user)
    found = await store.mentions(user)
    rows = await store.rows_of(user)
    if not found.mentions and not any(rows.values()):
        return None
    live = [table for it in found.mentions if it.live and (table := it.read()) is not None]
    for table in live:
        await _change(store, table, erased(table, user), now)
    await store.erase(user, await store.mentions(user, found.names))
    return len(live)


async def _change(store: Store, before: Table, after: Table, now: int) -> None:
    """Store *after* as the version that follows *before*, at the time *now* (ms), as a running bot would."""
    entries: Sequence[dict[str, object]] = [{**entry, "at": now} for entry in after.entries]
    saved = after._replace(version=before.version + 1, changed_at=now, entries=())
    await store.change(saved, {"what": "erase", "by": None}, now, entries)
