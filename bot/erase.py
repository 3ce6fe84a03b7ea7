"""Erasing a person: from the tables that run, from the database, from memory.

Whoever plays again is somebody new. What was erased comes back only with a backup from before (docs/privacy.md).
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from bot.client import Bot
from bot.log import fields
from bot.refusals import Refusal
from bot.store.database import Damaged, Locked, reason
from bot.store.files import NoPlace, check_exists, file_of
from bot.store.lock import AlreadyRunning, only_process
from bot.store.migrations import NewerDatabase
from bot.store.store import Store, StoreUnreachable
from bot.streams import say
from bot.tables.erasing import erased
from bot.tables.model import Table
from bot.tables.storage import Conflict

log = logging.getLogger(__name__)


async def erase(bot: Bot, user: int, name: str) -> None:
    """Erase *user*, who is called *name*, while *bot* runs. If it fails half way, do it again."""
    done = False
    while not done:
        await _leave(bot, user)
        await bot.store.carry_over_games_of(user)
        found = await bot.store.mentions(user, [name])
        async with bot.people.erasing(user):
            done = await bot.store.erase(user, found)
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
    done = False
    while not done:
        done = await store.erase(user, await store.mentions(user, found.names))
    return len(live)


def run(url: str, user: int, complain: Callable[[str], object], *, sure: bool) -> int:
    """Erase *user* from the database at *url*, on which no bot runs; only if *sure*. Return the exit code: 1 if nothing
    is known of them, or it is not *sure*, 2 if it failed, after one line to *complain*."""
    if not sure:
        complain(f"this erases {user} for good; if you are sure, add --yes\n")
        return 1
    logging.getLogger().addHandler(logging.NullHandler())  # or Python writes warnings beside the one line
    try:
        check_exists(url)
        with only_process(file_of(sa.make_url(url))):
            seats = asyncio.run(_erase_at(url, user))
    except AlreadyRunning as other:
        complain(f"{other} runs on this database: use /privacy, or stop the bot first\n")
    except NoPlace as error:
        complain(f"{error.strerror}\n")
    except (StoreUnreachable, NewerDatabase) as error:
        complain(f"the database cannot be opened: {error}\n")
    except (SQLAlchemyError, Damaged, Locked, Conflict) as error:
        complain(f"not erased: {reason(error)}\n")
    except OSError as error:
        complain(f"not erased: {error.strerror or type(error).__name__}\n")
    else:
        if seats is None:
            complain(f"nothing is known of {user}\n")
            return 1
        say(f"erased; live tables they sat at: {seats}\n")
        return 0
    return 2


async def _erase_at(url: str, user: int) -> int | None:
    """Erase *user* from the database at *url*; as ``erase_stopped``."""
    store = await Store.open(url)
    try:
        return await erase_stopped(store, user, time.time_ns() // 1_000_000)
    finally:
        await store.close()


async def _change(store: Store, before: Table, after: Table, now: int) -> None:
    """Store *after* as the version that follows *before*, at the time *now* (ms), as a running bot would."""
    entries: Sequence[dict[str, object]] = [{**entry, "at": now} for entry in after.entries]
    saved = after._replace(version=before.version + 1, changed_at=now, entries=())
    await store.change(saved, {"what": "erase", "by": None}, now, entries)
