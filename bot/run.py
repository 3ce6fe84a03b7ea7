"""``python -m bot run``: runs on Discord if DISCORD_TOKEN is set, else on the embedded local Discord."""

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import aiohttp
import discord
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from bot import embedded, log, set_aside
from bot.client import Bot, use_servers
from bot.settings import BadSetting, Settings, Unreachable
from bot.store.database import Damaged, Locked, reason
from bot.store.files import DatabaseGone, NoPlace, file_of
from bot.store.lock import AlreadyRunning, only_process
from bot.store.migrations import NewerDatabase
from bot.store.store import Store, StoreUnreachable
from bot.streams import say

logger = logging.getLogger("bot")

GOODBYE_SECONDS: Final = 4.0
"""How long work that has begun may take once we are told to stop. Everything that matters is committed already."""
CANCEL_SECONDS: Final = 0.5
"""How long a task may take to end when it is cancelled, before it is cancelled once more."""
NOTICE_SECONDS: Final = 1.0
"""How much later than by its silence the end of the local Discord may be noticed."""


class LocalDiscordEnded(Exception):
    """The local Discord has ended by itself; the text is one line."""


def _stop_event() -> asyncio.Event:
    """An event that is set on SIGTERM and Ctrl-C."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def _serve(config: Settings, token: str, stop: asyncio.Event) -> None:
    """Run the bot until *stop* is set, then finish the work in hand and close the store.

    Raises:
        BadSetting: the database cannot be opened or read, or Discord does not let us in.
    """
    try:
        store = await Store.open(config.store_url, check=set_aside.check)
    except StoreUnreachable as error:
        remedy = f"the database cannot be opened: {error}; check path and rights"
        raise BadSetting("STORE_URL", None, remedy) from None
    except NewerDatabase as error:
        remedy = f"a newer version wrote this database ({error}); update this program"
        raise BadSetting("STORE_URL", None, remedy) from None
    bot = Bot(
        store,
        default_locale=config.default_locale,
        limits=config.limits,
        records_days=config.records_days,
        drawings=True,
    )
    loop = asyncio.get_running_loop()
    serving = loop.create_task(bot.start(token))
    stopping = loop.create_task(stop.wait())
    gc.collect()
    gc.freeze()
    try:
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
    except (DBAPIError, Damaged, Locked, DatabaseGone) as error:
        remedy = f"the database cannot be read ({reason(error)}); see python -m bot doctor, or restore a backup"
        raise BadSetting("STORE_URL", None, remedy) from None
    except discord.LoginFailure:
        remedy = "Discord does not accept this token; make a new one"
        raise BadSetting("DISCORD_TOKEN", None, remedy) from None
    except aiohttp.ClientConnectionError:
        remedy = "nobody answers there; check the network, try again"
        raise Unreachable("DISCORD_API_URL", config.api_url, remedy) from None
    finally:
        stopping.cancel()
        if not bot.is_ready():  # half connected: no work has begun yet
            await _end(serving)
        try:
            async with asyncio.timeout(GOODBYE_SECONDS):
                await bot.close()
        except TimeoutError:
            logger.warning("not everything could be finished in time; the next start makes up for it")
        await _end(serving)
        await store.close()
        logger.info("stopped")


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel *task* until it has ended: while discord.py connects again, it swallows a cancellation."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=CANCEL_SECONDS)


async def _main(config: Settings) -> None:
    """Run until told to stop: on Discord, or, if there is no token, on a local Discord that is started and stopped with
    it.

    Raises:
        BadSetting: it cannot start.
        LocalDiscordEnded: nobody can be served any more.
    """
    stop = _stop_event()
    if config.token is not None:
        use_servers(config.api_url, config.gateway_url)
        await _serve(config, config.token, stop)
        return
    try:
        async with embedded.local_discord(config.local_port, file_of(sa.make_url(config.store_url))) as local:
            use_servers(local.api_url, local.gateway_url)
            said = f"\n  No DISCORD_TOKEN: playing on the local Discord.\n  Open {local.page} in a browser.\n\n"
            try:
                say(said)
            except OSError:  # nobody reads it; the game can be played all the same
                logger.info("playing on the local Discord", extra=log.fields(page=local.page))
            await _serve_with(local, config, stop)
    except embedded.BadState as error:
        remedy = f"the local Discord's file beside it, {error}, cannot be used; move it away to begin anew"
        raise BadSetting("STORE_URL", None, remedy) from None
    except embedded.DidNotStart as error:
        raise BadSetting("LOCAL_DISCORD_PORT", str(config.local_port), str(error)) from None


async def _serve_with(local: embedded.Local, config: Settings, stop: asyncio.Event) -> None:
    """Run the bot on *local* until *stop* is set.

    Raises:
        BadSetting: the database cannot be opened or read.
        LocalDiscordEnded: it has ended before.
    """
    ended = asyncio.ensure_future(local.ended())
    ended.add_done_callback(lambda _: stop.set())
    try:
        await _serve(config, local.token, stop)
    except BadSetting:  # nobody answers any more, say
        await asyncio.wait({ended}, timeout=NOTICE_SECONDS)
        if not ended.done():
            raise
    finally:
        code = ended.result() if ended.done() else None
        ended.cancel()
    if code is not None:
        raise LocalDiscordEnded(f"the local Discord has ended (exit code {code}); start again")


@contextmanager
def _database_of(config: Settings) -> Iterator[None]:
    """In the block, no other process runs on the same SQLite file; raises BadSetting if one does already."""
    database = file_of(sa.make_url(config.store_url))
    if database is None and config.store_url.startswith("sqlite"):
        logger.warning("STORE_URL names no file: every table is forgotten when the program ends")
    with ExitStack() as held:
        try:
            held.enter_context(only_process(database))
        except AlreadyRunning as other:
            remedy = f"{other} runs on this database already; stop it first"
            raise BadSetting("STORE_URL", None, remedy) from None
        except NoPlace as error:
            raise BadSetting(
                "STORE_URL", None, f"{error.strerror}; give the path of a file, or make its folder"
            ) from None
        except OSError as error:
            remedy = f"the database cannot be locked: {error.strerror}; check path, rights and file system"
            raise BadSetting("STORE_URL", None, remedy) from None
        yield


def run(config: Settings) -> int:
    """Run the bot until it is told to stop, and return the program's exit code: 1, after one line on standard error, if
    the local Discord has ended by itself.

    Raises:
        BadSetting: it cannot start.
    """
    log.configure(config.log_level)
    try:
        with _database_of(config):
            asyncio.run(_main(config))
    except LocalDiscordEnded as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0
