"""``python -m bot``: runs on Discord if DISCORD_TOKEN is set, else on the embedded local Discord."""

import asyncio
import gc
import logging
import signal
import sys
from typing import NoReturn

import aiohttp
import discord

from bot import embedded, log, settings
from bot.client import Bot, use_servers
from bot.settings import BadSetting, Settings
from bot.store.migrations import NewerDatabase
from bot.store.store import Store, StoreUnreachable

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

    Exits with code 2, after one line on standard error, if the database cannot be opened or Discord does not let us in.
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

    Exits with code 2, after one line on standard error, if it cannot start.
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
            await _serve(config, local.token, stop)
    except embedded.DidNotStart as error:
        _exit_with(str(BadSetting("LOCAL_DISCORD_PORT", str(config.local_port), str(error))))


def main() -> None:
    """Run the program; it exits with code 2 and one line on standard error if it cannot start."""
    try:
        config = settings.read()
    except BadSetting as error:
        _exit_with(str(error))
    log.configure(config.log_level)
    asyncio.run(_main(config))


if __name__ == "__main__":
    main()
