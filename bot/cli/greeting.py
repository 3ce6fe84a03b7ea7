"""The three lines printed when the bot is ready: what runs, where to go, how to stop it."""

import logging
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from bot.cli.embedded import local_discord_state_path
from bot.cli.streams import write_stdout
from bot.client import Bot
from bot.config import Settings
from bot.log import fields
from bot.permissions import invitation_link
from bot.store.files import sqlite_file
from bot.ui.registry import PRESENTERS

log = logging.getLogger(__name__)

ENDPOINT_URL_WARNING: Final = (
    "An Interactions Endpoint URL is set, so Discord sends commands and clicks there, and all of them fail: delete it "
    "in the Developer Portal (General Information), and start again."
)


def make_startup_printer(bot: Bot, config: Settings, page: str | None) -> Callable[[], Coroutine[Any, Any, None]]:
    """Return a function that prints three lines the first time it is called, when *bot* is ready: what runs, where to
    go, how to stop it.

    It writes to standard output, or a line to the log if the log is JSON or nobody reads the output. *page* is the
    address of the local Discord; ``None``: it is Discord itself.
    """
    said = False

    async def greet() -> None:
        nonlocal said
        if said:
            return
        said = True
        tables, name = bot.tables.table_count, bot.user.name if bot.user is not None else ""
        if page is not None:
            lines = local_discord_startup_text(page, config.store_url, tables)
        else:
            assert bot.application_id is not None
            lines = discord_startup_text(
                name, bot.server_count, invitation_link(bot.application_id), config.store_url, tables
            )
            if bot.has_interactions_url:
                lines += _join_lines(ENDPOINT_URL_WARNING)
        if config.log_format == "text":
            try:
                write_stdout(lines)
            except OSError:  # nobody reads it; the games go on all the same
                pass
            else:
                return
        facts = {"page": page} if page is not None else {"name": name, "servers": bot.server_count}
        if bot.application_id is not None and page is None:
            facts["invitation"] = invitation_link(bot.application_id)
            if bot.has_interactions_url:
                log.warning(ENDPOINT_URL_WARNING)
        log.info("ready", extra=fields(live_tables=tables, **facts))

    return greet


def local_discord_startup_text(page: str, store: str, tables: int) -> str:
    """Return the three lines for a bot on the local Discord at *page*, with *tables* live tables in the database
    *store*."""
    state = local_discord_state_path(store)
    return _join_lines(
        f"{_game_titles()} on a local Discord, as DISCORD_TOKEN is not set{_live_tables_text(tables)}.",
        f"Open {page} in a browser.",
        f"Stop with Ctrl-C. Games stay in {database_place(store)}{f', messages in {state.name}' if state else ''}.",
    )


def discord_startup_text(name: str, servers: int, link: str, store: str, tables: int) -> str:
    """Return the three lines for a bot called *name* on Discord in *servers* servers, with the invitation *link*, the
    database *store* and *tables* live tables."""
    of = "" if not servers else " in 1 server" if servers == 1 else f" in {servers} servers"
    return _join_lines(
        f"{_game_titles()} as {' '.join(name.split())}{of}{_live_tables_text(tables)}.",
        f"Invite it to a server: {link}",
        f"Stop with Ctrl-C. Games stay in {database_place(store)}.",
    )


def database_place(store: str) -> str:
    """Return in words where the database with the address *store* is, without anything secret.

    >>> database_place("sqlite+aiosqlite:///tables.sqlite3")
    'tables.sqlite3'
    >>> database_place("postgresql+asyncpg://me:secret@db.example:5432/cards?ssl=require")
    'the database cards on db.example'
    """
    url = sa.make_url(store)
    if not url.drivername.startswith("sqlite"):
        return f"the database {url.database or ''} on {url.host or 'this machine'}"
    path = sqlite_file(url)
    if path is None:
        return "memory, and are forgotten then"
    return path.name if path.parent == Path.cwd() else str(path)


def _game_titles() -> str:
    """Return the titles of all games as a list in words, with "and" before the last."""
    *others, last = [presenter.title for presenter in PRESENTERS.values()]
    return f"{', '.join(others)} and {last}" if others else last


def _live_tables_text(tables: int) -> str:
    """Return the part of the greeting that says how many *tables* go on; empty if there are none."""
    return "" if not tables else "; 1 table goes on" if tables == 1 else f"; {tables} tables go on"


def _join_lines(*lines: str) -> str:
    """Return *lines* as one text, each with a line end."""
    return "".join(f"{line}\n" for line in lines)
