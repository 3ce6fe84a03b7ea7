"""``python -m bot run``: runs the bot on Discord if DISCORD_TOKEN is set, else on the embedded local Discord."""

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

from bot import log
from bot.cli import embedded
from bot.cli.greeting import make_startup_printer
from bot.cli.streams import write_stderr
from bot.client import (
    Bot,
    NotReached,
    retry_until_reached,
    run_unless_stopped,
    set_discord_urls,
    translate_discord_errors,
)
from bot.clock import SystemClock
from bot.cluster.session import Session, process_label
from bot.cluster.shards import CannotJoin, HeldShards
from bot.config import BadSetting, Settings
from bot.delivery import quarantine
from bot.monitoring.server import Monitoring, serve_monitoring
from bot.store.backup import BackupPlan, backup_plan, create_private_writable_folder
from bot.store.database import Damaged, Locked, error_reason, error_remedy, is_damage_error, postgresql_server_address
from bot.store.files import AlreadyRunning, DatabaseGone, UnusablePath, hold_process_lock, sqlite_file
from bot.store.store import Store, StoreUnreachable
from bot.store.writer import failure_reason
from bot.ui.pictures.text import load_fallback_typefaces, system_font_folders
from bot.version import COMMAND

GC_THRESHOLDS: Final = (20_000, 20, 20)
"""The thresholds of Python's garbage collector: higher than usual, as tables and their messages are long-lived, and
hardly anything here refers to itself."""


def event_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the function that makes the event loop: uvloop's if that is installed; ``None``: take asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def reduce_garbage_collection() -> None:
    """Make Python collect garbage less often, and never look again at the objects that exist now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


logger = logging.getLogger("bot")

CLOSE_SECONDS: Final = 4.0
"""How long running work may take after the bot is told to stop. Everything that matters is committed already."""
HAND_OVER_SECONDS: Final = 75.0
"""How long handing over to other processes may take: each shard has to wait for its turn to identify."""
CANCEL_SECONDS: Final = 0.5
"""How long a task may take to end when it is cancelled, before it is cancelled once more."""
NOTICE_SECONDS: Final = 1.0
"""How long to wait for the end of the local Discord's process after it has stopped answering."""


class LocalDiscordEnded(Exception):
    """The local Discord has ended by itself; the text is one line."""


class Stop(asyncio.Event):
    """An event that is set on the first SIGTERM or Ctrl-C; ``at_once`` is set on the second."""

    def __init__(self) -> None:
        super().__init__()
        self.at_once = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._on_signal)

    def _on_signal(self) -> None:
        """Set the event at the first signal, and ``at_once`` at each later one."""
        if self.is_set():
            self.at_once.set()
        self.set()


async def _run_until_stopped(
    config: Settings, watch: Monitoring, token: str, stop: Stop, page: str | None = None
) -> None:
    """Open the database and run the bot until *stop* is set, and retry while database or Discord cannot be reached;
    *page* is the local Discord's, if that is used.

    Raises:
        BadSetting: the database cannot be opened or read, or Discord does not let us in.
    """

    async def open_store() -> Store | None:
        return await run_unless_stopped(stop, _open_store(config, watch))

    opened = await retry_until_reached(open_store, stop, watch.set_waiting_reason)
    if opened is None:
        return
    store = opened
    try:
        await retry_until_reached(
            lambda: _run_bot_on_store(config, watch, store, token, stop, page), stop, watch.set_waiting_reason
        )
    finally:
        await store.close()


async def _open_store(config: Settings, watch: Monitoring) -> Store:
    """Open the database and return its store; raise NotReached if a later try may succeed, or BadSetting if it cannot
    be opened.

    Raises:
        BadSetting: it cannot be opened.
        NotReached: it may be later.
    """
    try:
        return await Store.open(config.store_url, check=quarantine.check_table_usable, metrics=watch.metrics)
    except StoreUnreachable as error:
        if sqlite_file(sa.make_url(config.store_url)) is None and isinstance(error.__cause__, OSError):
            where = postgresql_server_address(sa.make_url(config.store_url))
            raise NotReached(f"the database cannot be reached at {where}: {error}") from None
        if isinstance(error.__cause__, Exception) and is_damage_error(error.__cause__):
            raise _database_unreadable_error(error.__cause__) from None
        raise BadSetting("STORE_URL", None, f"the database cannot be opened: {error}") from None


def _database_unreadable_error(error: Exception) -> BadSetting:
    """Return the BadSetting that says that the database of STORE_URL cannot be read because of *error*, and what to
    do.
    """
    why = f"({error_reason(error)}); see {COMMAND} doctor, or {error_remedy(error) or 'restore a backup'}"
    return BadSetting("STORE_URL", None, f"the database cannot be read {why}")


async def _run_bot_on_store(
    config: Settings, watch: Monitoring, store: Store, token: str, stop: Stop, page: str | None
) -> None:
    """Run the bot on *store* until *stop* is set, then hand its tables over and close it; raise NotReached (Discord
    does not answer) or BadSetting.

    Raises:
        BadSetting: the database cannot be read, or Discord does not let us in.
        NotReached: Discord does not answer.
    """
    await asyncio.to_thread(lambda: load_fallback_typefaces(system_font_folders()))  # before the first picture is drawn
    clock = SystemClock()
    bot = Bot(
        store,
        clock=clock,
        default_locale=config.default_locale,
        limits=config.limits,
        records_days=config.records_days,
        backups=_prepare_backup_plan(config),
        drawings=True,
        metrics=watch.metrics,
        shards=_make_held_shards(config, store, clock),
    )
    watch.set_bot(bot)
    # When it is ready it knows its servers, which takes two seconds more.
    bot.add_listener(make_startup_printer(bot, config, page), "on_ready" if page is None else "on_connect")
    loop = asyncio.get_running_loop()
    serving = loop.create_task(bot.start(token))
    stopping = loop.create_task(stop.wait())
    reduce_garbage_collection()
    try:
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            with translate_discord_errors(config.api_url):
                serving.result()
    except CannotJoin as error:
        raise BadSetting(error.setting, None, str(error)) from None
    except (DBAPIError, Damaged, Locked, DatabaseGone) as error:
        raise _database_unreadable_error(error) from None
    except discord.LoginFailure:
        why = "Discord does not accept this token; copy it once more, or make a new one"
        raise BadSetting("DISCORD_TOKEN", None, why) from None
    finally:
        watch.set_bot(None)
        stopping.cancel()
        await _hand_over_tables(bot, stop)
        if not bot.is_ready():  # half connected: no work has begun yet
            await _cancel_task(serving)
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await bot.close()
        except TimeoutError:
            logger.warning("not everything could be finished in time; the next start makes up for it")
        await _cancel_task(serving)


def _prepare_backup_plan(config: Settings) -> BackupPlan | None:
    """Return where and how often backups are to be made, ``None`` if never, and create their folder; raise BadSetting
    if it cannot be used.
    """
    plan = backup_plan(config)
    if plan is None:
        return None
    try:
        create_private_writable_folder(plan.folder)
    except OSError as error:
        why = f"backups cannot be written there: {failure_reason(error)}"
        raise BadSetting("BACKUP_FOLDER", str(config.backup_folder), why) from None
    return plan


def _make_held_shards(config: Settings, store: Store, clock: SystemClock) -> HeldShards | None:
    """Return the object that divides the shards among several processes on PostgreSQL; ``None`` with SQLite,
    where the process is alone.
    """
    if config.store_url.startswith("sqlite"):
        return None
    connect = partial(Session.connect, sa.make_url(config.store_url))
    return HeldShards(connect, store.sender, process_label(), clock, config.shards, local=config.token is None)


async def _hand_over_tables(bot: Bot, stop: Stop) -> None:
    """Hand the tables of *bot* over to the other processes; wait for 75 s at most, or until a second request
    to stop (*stop*); log if it was not finished.
    """
    leaving = asyncio.get_running_loop().create_task(bot.shards_held.leave_cluster())
    at_once = asyncio.get_running_loop().create_task(stop.at_once.wait())
    await asyncio.wait({leaving, at_once}, timeout=HAND_OVER_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    at_once.cancel()
    if not leaving.done():
        logger.warning("not everything could be handed over; the others take it over")
        leaving.cancel()
    elif (error := leaving.exception()) is not None:
        logger.error("not handed over", exc_info=error)


async def _cancel_task(task: asyncio.Task[None]) -> None:
    """Cancel *task* again and again until it has ended: discord.py swallows a cancellation while it connects again."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=CANCEL_SECONDS)


async def _run_with_monitoring(config: Settings) -> None:
    """Run the bot, and serve its metrics, until it is told to stop: on Discord, or without a token on a local Discord
    that lives as long.

    Raises:
        BadSetting: it cannot start.
        LocalDiscordEnded: nobody can be served any more.
    """
    stop = Stop()
    async with serve_monitoring(config) as watch:
        if config.token is not None:
            set_discord_urls(config.api_url, config.gateway_url)
            await _run_until_stopped(config, watch, config.token, stop)
        else:
            await _run_on_new_local_discord(config, watch, stop)


async def _run_on_new_local_discord(config: Settings, watch: Monitoring, stop: Stop) -> None:
    """Start a local Discord, run the bot on it until *stop* is set, and end both; raise BadSetting, or
    LocalDiscordEnded if the local Discord ends by itself.

    Raises:
        BadSetting: it cannot start.
        LocalDiscordEnded: nobody can be served any more.
    """
    try:
        async with embedded.run_local_discord(
            config.local_port, embedded.local_discord_state_path(config.store_url)
        ) as local:
            set_discord_urls(local.api_url, local.gateway_url)
            await _run_on_local_discord(local, config, watch, stop)
    except embedded.BadState as error:
        why = f"the local Discord's file beside it, {error}, cannot be used; the line above says why, and what to do"
        raise BadSetting("STORE_URL", None, why) from None
    except embedded.DidNotStart as error:
        raise BadSetting("LOCAL_DISCORD_PORT", str(config.local_port), str(error)) from None


async def _run_on_local_discord(local: embedded.LocalDiscord, config: Settings, watch: Monitoring, stop: Stop) -> None:
    """Run the bot on the running *local* Discord until *stop* is set; or raise LocalDiscordEnded if that ends first.

    Raises:
        BadSetting: the database cannot be opened or read.
        LocalDiscordEnded: it has ended before.
    """
    ended = asyncio.ensure_future(local.ended())
    ended.add_done_callback(lambda _: stop.set())
    try:
        await _run_until_stopped(config, watch, local.token, stop, local.page)
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
def _lock_database(config: Settings) -> Iterator[None]:
    """Context manager: hold a lock, so that no second process runs on the same SQLite file; raise BadSetting if one
    does or the file cannot be locked; no lock with PostgreSQL.
    """
    database = sqlite_file(sa.make_url(config.store_url))
    if database is None and config.store_url.startswith("sqlite"):
        logger.warning("STORE_URL names no file: every table is forgotten when the program ends")
    with ExitStack() as held:
        try:
            held.enter_context(hold_process_lock(database))
        except AlreadyRunning as other:
            raise BadSetting("STORE_URL", None, f"{other} runs on this database already; stop it first") from None
        except UnusablePath as error:
            why = f"{error.strerror}; give the path of a file, or make its folder"
            raise BadSetting("STORE_URL", None, why) from None
        except OSError as error:
            what = error_remedy(error) or "check path, rights and file system"
            raise BadSetting("STORE_URL", None, f"the database cannot be locked: {error.strerror}; {what}") from None
        yield


def run_bot(config: Settings) -> int:
    """Configure the logs and run the bot until it is told to stop; return the exit code: 0, or 1 if the local Discord
    has ended by itself; raise BadSetting if it cannot start.
    """
    log.configure_logging(config.log_level, config.log_format)
    try:
        with _lock_database(config), asyncio.Runner(loop_factory=event_loop_factory()) as runner:
            runner.run(_run_with_monitoring(config))
        logger.info("stopped")
    except LocalDiscordEnded as error:
        write_stderr(f"{error}\n")
        return 1
    return 0
