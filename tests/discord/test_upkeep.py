"""What the bot does beside the games: tables that have been over for long go, and their buttons say so."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.i18n import words
from bot.tables.errors import Why
from bot.ui import replies
from bot.ui.custom_ids import Verb
from tests.bot.processes import MINUTE
from tests.discord.forged import click_old
from tests.discord.messages import reply, text_of
from tests.discord.play import Club
from tests.games import ANY
from tests.rows import count

pytestmark = pytest.mark.about(ANY)  # all games are alike here

GONE = replies.refusal_text(Why.NO_SUCH_TABLE, {}, None, words("en"))


async def long_after(club: Club, path: Path) -> None:
    """The bot starts again when nothing that is over has changed for long, and has done what it does beside the
    games."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE tables SET updated_at = 1 WHERE live_channel_id IS NULL")
    await club.restart()
    task = club.bot._upkeep._task
    assert task is not None
    await asyncio.wait({task})


async def test_a_button_of_a_table_that_has_gone_says_so(club: Club, tmp_path: Path) -> None:
    await club.open(club.anna, start=False)
    old = club.table_message()
    await club.in_menu(club.anna, Verb.CANCEL, message=old)
    await long_after(club, path := tmp_path / "tables.sqlite3")
    assert count(path, "tables") == 0
    answer = await click_old(club, club.bruno, old, Verb.JOIN)
    assert GONE in text_of(reply(answer))


async def test_a_table_stays_while_its_rematch_is_being_prepared(club: Club, tmp_path: Path) -> None:
    await club.open(club.anna, start=False)
    old = club.table()
    await club.in_menu(club.anna, Verb.CANCEL)
    await club.bot.tables.open_rematch(old.id, old.players[0])
    await long_after(club, path := tmp_path / "tables.sqlite3")
    assert count(path, f"tables WHERE id = '{old.id}'") == 1


async def test_the_only_process_on_its_database_reads_nothing_while_nobody_plays(club: Club) -> None:
    await club.clock.advance(MINUTE)
    read: list[str] = []

    @sa.event.listens_for(club.bot.store.sync_engine, "before_cursor_execute")
    def note(*statement: Any) -> None:
        read.extend(it for it in statement if isinstance(it, str) and it.lstrip().upper().startswith("SELECT"))

    await club.clock.advance(10 * MINUTE)
    assert read == []
