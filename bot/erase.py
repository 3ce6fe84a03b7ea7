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
from bot.store.database import Damaged, Unavailable, called
from bot.store.files import AlreadyRunning, NoPlace, check_exists, file_of, only_process
from bot.store.store import Store, StoreUnreachable
from bot.store.writer import why_not
from bot.streams import say
from bot.tables.errors import Conflict
from bot.tables.leaving import erased
from bot.tables.model import Table
from bot.tables.names import distinct

log = logging.getLogger(__name__)


async def erase(bot: Bot, user: int, name: str, username: str = "") -> None:
    """Erase *user*, whom Discord calls *name*, with *username*, while *bot* runs. If it fails half way, do
    it again."""
    names = {name, *([distinct(name, username)] if username else [])}
    done = False
    while not done:
        await bot.changes.erase(user, names)
        found = await bot.store.mentions(user, names)
        async with bot.people.erasing(user):
            done = await bot.store.erase(user, found)
    bot.changes.forget(user)
    log.info("a person is erased")


async def erase_stopped(store: Store, user: int, now: int) -> int | None:
    """Erase *user* at the time *now* (ms) from the *store*, on which no bot runs; return at how many live tables they
    sat; ``None``: nothing was known of them."""
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
    except StoreUnreachable as error:
        complain(f"{called(url)} cannot be opened: {error}\n")
    except (SQLAlchemyError, Damaged, Unavailable, Conflict) as error:
        complain(f"not erased: {why_not(error)}\n")
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
    """Erase *user* from the database at *url*; as ``erase_stopped``. Raises AlreadyRunning if a process is alive."""
    store = await Store.open(url)
    try:
        if await store.living():
            raise AlreadyRunning("the bot")
        return await erase_stopped(store, user, time.time_ns() // 1_000_000)
    finally:
        await store.close()


async def _change(store: Store, before: Table, after: Table, now: int) -> None:
    """Store *after* as the version that follows *before*, at the time *now* (ms), as a running bot would."""
    entries: Sequence[dict[str, object]] = [{**entry, "at": now} for entry in after.entries]
    saved = after._replace(version=before.version + 1, changed_at=now, entries=())
    await store.change(saved, {"what": "erase", "by": None}, now, entries)
