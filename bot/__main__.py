"""``python -m bot``: runs on Discord if DISCORD_TOKEN is set, else on the embedded local Discord.

``python -m bot doctor`` looks through the database instead.
"""

import argparse
import asyncio
import gc
import logging
import signal
import sys
from contextlib import ExitStack
from typing import NoReturn

import aiohttp
import discord
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from bot import doctor, embedded, log, settings
from bot.client import Bot, use_servers
from bot.settings import BadSetting, Settings
from bot.store.database import Damaged, Locked
from bot.store.files import DatabaseGone, file_of
from bot.store.lock import AlreadyRunning, only_process
from bot.store.migrations import NewerDatabase
from bot.store.store import Store, StoreUnreachable, reason

logger = logging.getLogger("bot")

GOODBYE_SECONDS = 4.0
"""How long work that has begun may take once we are told to stop. Everything that matters is committed already."""


def _exit_with(line: str) -> NoReturn:
    """Print *line* on standard error and exit with code 2."""
    sys.stderr.write(line + "\n")
    raise SystemExit(2)


def _stop_event() -> asyncio.Event:
    """An event that is set on SIGTERM and Ctrl-C."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


async def _serve(config: Settings, token: str, stop: asyncio.Event) -> None:
    """Run the bot until *stop* is set, then finish the work in hand and close the store.

    Exits with code 2, after one line on standard error, if the database cannot be opened or read, or Discord does not
    let us in.
    """
    try:
        store = await Store.open(config.store_url)
    except StoreUnreachable as error:
        _exit_with(str(BadSetting("STORE_URL", None, f"the database cannot be opened: {error}; check path and rights")))
    except NewerDatabase as error:
        _exit_with(
            str(BadSetting("STORE_URL", None, f"a newer version wrote this database ({error}); update this program"))
        )
    bot = Bot(store, default_locale=config.default_locale, limits=config.limits, drawings=True)
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
        _exit_with(str(BadSetting("STORE_URL", None, remedy)))
    except discord.LoginFailure:
        _exit_with(str(BadSetting("DISCORD_TOKEN", None, "Discord does not accept this token; make a new one")))
    except aiohttp.ClientConnectionError:
        _exit_with(
            str(BadSetting("DISCORD_API_URL", config.api_url, "nobody answers there; check the network, try again"))
        )
    finally:
        stopping.cancel()
        if not bot.is_ready():  # half connected: no work has begun yet
            serving.cancel()
            await asyncio.wait({serving})
        try:
            async with asyncio.timeout(GOODBYE_SECONDS):
                await bot.close()
        except TimeoutError:
            logger.warning("not everything could be finished in time; the next start makes up for it")
        serving.cancel()
        await asyncio.wait({serving})
        await store.close()
        logger.info("stopped")


async def _main(config: Settings) -> None:
    """Run until told to stop: on Discord, or, if there is no token, on a local Discord that is started and stopped with
    it.

    Exits with code 2, after one line on standard error, if it cannot start, and with code 1 if the local Discord ends.
    """
    stop = _stop_event()
    if config.token is not None:
        use_servers(config.api_url, config.gateway_url)
        await _serve(config, config.token, stop)
        return
    try:
        async with embedded.local_discord(config.local_port) as local:
            use_servers(local.api_url, local.gateway_url)
            sys.stdout.write(
                f"\n  No DISCORD_TOKEN: playing on the local Discord.\n  Open {local.page} in a browser.\n\n"
            )
            sys.stdout.flush()
            ended = asyncio.ensure_future(local.ended())
            ended.add_done_callback(lambda _: stop.set())  # without it nobody could be served
            try:
                await _serve(config, local.token, stop)
                if ended.done():
                    sys.stderr.write(f"the local Discord has ended (exit code {ended.result()}); start again\n")
                    raise SystemExit(1)
            finally:
                ended.cancel()
    except embedded.DidNotStart as error:
        _exit_with(str(BadSetting("LOCAL_DISCORD_PORT", str(config.local_port), str(error))))


def _parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="Run the bot: on Discord if DISCORD_TOKEN is set, else on a local Discord in your browser. "
        "The settings are environment variables, or lines of a file .env; see docs/hosting.md.",
    )
    commands = parser.add_subparsers(dest="command", metavar="doctor")
    commands.add_parser(
        "doctor",
        help="look through the database, and say what is wrong with it; exit code 1 if anything is",
        description="Look through the database without changing it; the bot may be running. Prints the version of its "
        "schema, SQLite's own check, how many tables are live and which are set aside because they cannot be read. "
        "Exit code 0: all is well, 1: something is wrong, 2: a setting is invalid.",
    )
    return parser


def main() -> None:
    """Run the program; it exits with code 2 and one line on standard error if it cannot start."""
    command = _parser().parse_args().command
    try:
        config = settings.read()
    except BadSetting as error:
        _exit_with(str(error))
    if command == "doctor":
        raise SystemExit(asyncio.run(doctor.run(config.store_url, sys.stdout.write)))
    log.configure(config.log_level)
    database = file_of(sa.make_url(config.store_url))
    if database is None and config.store_url.startswith("sqlite"):
        logger.warning("STORE_URL names no file: every table is forgotten when the program ends")
    with ExitStack() as held:
        try:
            held.enter_context(only_process(database))
        except AlreadyRunning as other:
            _exit_with(str(BadSetting("STORE_URL", None, f"{other} runs on this database already; stop it first")))
        except OSError as error:
            remedy = f"the database cannot be locked: {error.strerror}; check path, rights and file system"
            _exit_with(str(BadSetting("STORE_URL", None, remedy)))
        asyncio.run(_main(config))


if __name__ == "__main__":
    main()
