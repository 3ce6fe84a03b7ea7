"""``python -m bot ban``: bans a person from playing with this bot, on every server and alone; the bot may be running.

Each time somebody wants to sit down the bot looks into the database for these bans, so they hold at once.
"""

import asyncio
import logging
import time
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from bot.store.database import Damaged, Unavailable, database_label
from bot.store.files import UnusablePath, check_database_exists
from bot.store.store import Store, StoreUnreachable
from bot.store.writer import failure_reason
from bot.tables.model import END_OF_TIME, NO_SERVER, new_table_id
from bot.tables.preferences import Ban


def run_ban_command(
    url: str, user: int | None, say: Callable[[str], object], complain: Callable[[str], object], *, lift: bool
) -> int:
    """Serve ``ban``: ban *user* in the database at *url*, or with *lift* end their ban, or (``None``) list who is
    banned; return the exit code: 0 done, 1 there was no ban to lift, 2 failed.

    *say* gets the result, *complain* the reason of a failure.
    """
    logging.getLogger().addHandler(logging.NullHandler())  # or Python writes warnings beside the one line
    try:
        check_database_exists(url)
        return asyncio.run(_change_or_list_bans(url, user, say, lift=lift))
    except UnusablePath as error:
        complain(f"{error.strerror}\n")
    except (StoreUnreachable, Unavailable) as error:
        complain(f"{database_label(url)} cannot be opened: {error}\n")
    except (SQLAlchemyError, Damaged, OSError) as error:
        complain(f"not changed: {failure_reason(error)}\n")
    return 2


async def _change_or_list_bans(url: str, user: int | None, say: Callable[[str], object], *, lift: bool) -> int:
    """Open the database at *url*, ban *user*, or *lift* their ban, or list who is banned (``None``); tell *say*, and
    return 0, or 1 if there was no ban to lift.
    """
    await (await Store.open_read_only(url)).close()  # a bot of another version may run on it: its schema stays
    store = await Store.open(url)
    try:
        now = time.time_ns() // 1_000_000
        known = (await store.load_guild_settings_and_bans(NO_SERVER)).current_bans(now)
        if user is None:
            names = [str(ban.user) if ban.user is not None else "somebody who was erased" for ban in known]
            say("".join(f"{name}\n" for name in names) or "nobody is banned\n")
            return 0
        before = next((ban for ban in known if ban.bans_user(NO_SERVER, user)), None)
        if lift:
            if before is None:
                say(f"{user} is not banned\n")
                return 1
            await store.delete_ban(NO_SERVER, before.id)
            say(f"{user} may play again\n")
            return 0
        if before is None:
            await store.save_ban(NO_SERVER, Ban(new_table_id(), user, "", END_OF_TIME - 1, None, ""))
        say(f"{user} is banned: they sit down at no table any more; a game that they are in goes on\n")
        return 0
    finally:
        await store.close()
