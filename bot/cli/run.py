"""``python -m bot run``: runs on Discord if DISCORD_TOKEN is set, else on the embedded local Discord."""

import asyncio
import gc
import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final

import discord
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from bot import log, quarantine
from bot.cli import embedded
from bot.cli.greeting import greeter
from bot.cli.streams import complain
from bot.client import Bot, NotReached, as_not_reached, reach, unless, use_servers
from bot.clock import SystemClock
from bot.cluster.session import Session, called
from bot.cluster.shards import HeldShards, Refused
from bot.config import BadSetting, Settings
from bot.monitoring.server import Watch, watching
from bot.store.backup import Plan, plan_of, prepare_folder
from bot.store.database import Damaged, Locked, is_damaged, place, reason, remedy
from bot.store.files import AlreadyRunning, DatabaseGone, NoPlace, file_of, only_process
from bot.store.store import Store, StoreUnreachable
from bot.store.writer import why_not
from bot.ui.pictures.text import load_typefaces, system_font_folders
from bot.version import COMMAND

COLLECTED_EVERY: Final = (20_000, 20, 20)
"""How many more objects there are before Python looks for garbage, and how many such looks until it looks at older
ones: tables and their messages are long-lived, and hardly anything here refers to itself."""


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes the event loop: uvloop where it is installed (``pyproject.toml``); ``None``: asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def collect_less() -> None:
    """Have Python look for garbage less often from now on, and never again at what is there by now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED_EVERY)


logger = logging.getLogger("bot")

GOODBYE_SECONDS: Final = 4.0
"""How long work that has begun may take once we are told to stop. Everything that matters is committed already."""
LEAVING_SECONDS: Final = 75.0
"""How long it may take to hand everything over to other processes: each shard has to wait for its turn to identify."""
CANCEL_SECONDS: Final = 0.5
"""How long a task may take to end when it is cancelled, before it is cancelled once more."""
NOTICE_SECONDS: Final = 1.0
"""How much later than by its silence the end of the local Discord may be noticed."""


class LocalDiscordEnded(Exception):
    """The local Discord has ended by itself; the text is one line."""


class Stop(asyncio.Event):
    """Set on SIGTERM and Ctrl-C; ``at_once`` is set when that comes a second time."""

    def __init__(self) -> None:
        super().__init__()
        self.at_once = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._told)

    def _told(self) -> None:
        if self.is_set():
            self.at_once.set()
        self.set()


async def _serve(config: Settings, watch: Watch, token: str, stop: Stop, page: str | None = None) -> None:
    """Run the bot until *stop* is set; what cannot be reached yet is waited for. *page* is that of the local Discord.

    Raises:
        BadSetting: the database cannot be opened or read, or Discord does not let us in.
    """

    async def open_store() -> Store | None:
        return await unless(stop, _opened(config, watch))

    opened = await reach(open_store, stop, watch.waits)
    if opened is None:
        return
    store = opened
    try:
        await reach(lambda: _run_bot(config, watch, store, token, stop, page), stop, watch.waits)
    finally:
        await store.close()


async def _opened(config: Settings, watch: Watch) -> Store:
    """The store, opened.

    Raises:
        BadSetting: it cannot be opened.
        NotReached: it may be later.
    """
    try:
        return await Store.open(config.store_url, check=quarantine.check, metrics=watch.metrics)
    except StoreUnreachable as error:
        if file_of(sa.make_url(config.store_url)) is None and isinstance(error.__cause__, OSError):
            where = place(sa.make_url(config.store_url))
            raise NotReached(f"the database cannot be reached at {where}: {error}") from None
        if isinstance(error.__cause__, Exception) and is_damaged(error.__cause__):
            raise _unreadable(error.__cause__) from None
        raise BadSetting("STORE_URL", None, f"the database cannot be opened: {error}") from None


def _unreadable(error: Exception) -> BadSetting:
    """What is said of a database that *error* keeps from being read."""
    why = f"({reason(error)}); see {COMMAND} doctor, or {remedy(error) or 'restore a backup'}"
    return BadSetting("STORE_URL", None, f"the database cannot be read {why}")


async def _run_bot(config: Settings, watch: Watch, store: Store, token: str, stop: Stop, page: str | None) -> None:
    """Run the bot on *store* until *stop* is set, then finish the work in hand.

    Raises:
        BadSetting: the database cannot be read, or Discord does not let us in.
        NotReached: Discord does not answer.
    """
    await asyncio.to_thread(lambda: load_typefaces(system_font_folders()))  # before the first picture is drawn
    clock = SystemClock()
    bot = Bot(
        store,
        clock=clock,
        default_locale=config.default_locale,
        limits=config.limits,
        records_days=config.records_days,
        backups=_backups_of(config),
        drawings=True,
        metrics=watch.metrics,
        shards=_shards(config, store, clock),
    )
    watch.runs(bot)
    # When it is ready it knows its servers, which takes two seconds more.
    bot.add_listener(greeter(bot, config, page), "on_ready" if page is None else "on_connect")
    loop = asyncio.get_running_loop()
    serving = loop.create_task(bot.start(token))
    stopping = loop.create_task(stop.wait())
    collect_less()
    try:
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            with as_not_reached(config.api_url):
                serving.result()
    except Refused as error:
        raise BadSetting(error.setting, None, str(error)) from None
    except (DBAPIError, Damaged, Locked, DatabaseGone) as error:
        raise _unreadable(error) from None
    except discord.LoginFailure:
        why = "Discord does not accept this token; copy it once more, or make a new one"
        raise BadSetting("DISCORD_TOKEN", None, why) from None
    finally:
        watch.runs(None)
        stopping.cancel()
        await _hand_over(bot, stop)
        if not bot.is_ready():  # half connected: no work has begun yet
            await _end(serving)
        try:
            async with asyncio.timeout(GOODBYE_SECONDS):
                await bot.close()
        except TimeoutError:
            logger.warning("not everything could be finished in time; the next start makes up for it")
        await _end(serving)


def _backups_of(config: Settings) -> Plan | None:
    """The backups to be made; ``None``: none.

    Raises:
        BadSetting: the folder for them cannot be used.
    """
    plan = plan_of(config)
    if plan is None:
        return None
    try:
        prepare_folder(plan.folder)
    except OSError as error:
        why = f"backups cannot be written there: {why_not(error)}"
        raise BadSetting("BACKUP_FOLDER", str(config.backup_folder), why) from None
    return plan


def _shards(config: Settings, store: Store, clock: SystemClock) -> HeldShards | None:
    """The shards of this process, which is one of several; ``None``: on this database it is alone."""
    if config.store_url.startswith("sqlite"):
        return None
    connect = partial(Session.connect, sa.make_url(config.store_url))
    return HeldShards(connect, store.sender, called(), clock, config.shards, local=config.token is None)


async def _hand_over(bot: Bot, stop: Stop) -> None:
    """Hand over to the other processes what *bot* serves, unless it is told once more to *stop*."""
    leaving = asyncio.get_running_loop().create_task(bot.shards_held.leave())
    at_once = asyncio.get_running_loop().create_task(stop.at_once.wait())
    await asyncio.wait({leaving, at_once}, timeout=LEAVING_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    at_once.cancel()
    if not leaving.done():
        logger.warning("not everything could be handed over; the others take it over")
        leaving.cancel()
    elif (error := leaving.exception()) is not None:
        logger.error("not handed over", exc_info=error)


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
    stop = Stop()
    async with watching(config) as watch:
        if config.token is not None:
            use_servers(config.api_url, config.gateway_url)
            await _serve(config, watch, config.token, stop)
        else:
            await _serve_locally(config, watch, stop)


async def _serve_locally(config: Settings, watch: Watch, stop: Stop) -> None:
    """Run the bot on a local Discord, which is started and stopped with it, until *stop* is set.

    Raises:
        BadSetting: it cannot start.
        LocalDiscordEnded: nobody can be served any more.
    """
    try:
        async with embedded.local_discord(config.local_port, embedded.state_beside(config.store_url)) as local:
            use_servers(local.api_url, local.gateway_url)
            await _serve_with(local, config, watch, stop)
    except embedded.BadState as error:
        why = f"the local Discord's file beside it, {error}, cannot be used; the line above says why, and what to do"
        raise BadSetting("STORE_URL", None, why) from None
    except embedded.DidNotStart as error:
        raise BadSetting("LOCAL_DISCORD_PORT", str(config.local_port), str(error)) from None


async def _serve_with(local: embedded.Local, config: Settings, watch: Watch, stop: Stop) -> None:
    """Run the bot on *local* until *stop* is set.

    Raises:
        BadSetting: the database cannot be opened or read.
        LocalDiscordEnded: it has ended before.
    """
    ended = asyncio.ensure_future(local.ended())
    ended.add_done_callback(lambda _: stop.set())
    try:
        await _serve(config, watch, local.token, stop, local.page)
    except BadSetting:  # it answers no more, say
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
            raise BadSetting("STORE_URL", None, f"{other} runs on this database already; stop it first") from None
        except NoPlace as error:
            why = f"{error.strerror}; give the path of a file, or make its folder"
            raise BadSetting("STORE_URL", None, why) from None
        except OSError as error:
            what = remedy(error) or "check path, rights and file system"
            raise BadSetting("STORE_URL", None, f"the database cannot be locked: {error.strerror}; {what}") from None
        yield


def run(config: Settings) -> int:
    """Run the bot until it is told to stop, and return the program's exit code: 1, after one line on standard error, if
    the local Discord has ended by itself.

    Raises:
        BadSetting: it cannot start.
    """
    log.configure(config.log_level, config.log_format)
    try:
        with _database_of(config), asyncio.Runner(loop_factory=fastest_loop()) as runner:
            runner.run(_main(config))
        logger.info("stopped")
    except LocalDiscordEnded as error:
        complain(f"{error}\n")
        return 1
    return 0
