"""A finished table knows what has become of its rematch in the lobby (L5), whatever comes between."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

from bot import erase
from bot.custom_ids import Verb
from bot.tables import lobby
from bot.tables.alarms import RETRY_MS
from bot.tables.timers import IDLE_MS
from tests.bot.damage import DAMAGE, damage
from tests.discord.messages import verbs
from tests.discord.play import Club


class Opened:
    """A finished game whose rematch is in the lobby; Anna is its host."""

    def __init__(self, club: Club, message: discord.Message) -> None:
        self.club = club
        self.table = club.table().id
        """The finished one."""
        self._message = message

    @property
    def verbs(self) -> set[Verb]:
        """What its message offers now."""
        return verbs(self.club.as_it_is(self._message))


@pytest.fixture
async def opened(club: Club) -> AsyncIterator[Opened]:
    await club.open(club.anna, club.bruno)
    it = Opened(club, club.table_message())
    await club.finish()
    it._message = club.messages()[-1]
    await club.press(club.anna, it._message, Verb.REMATCH)
    assert Verb.JOIN in it.verbs
    assert Verb.REMATCH not in it.verbs
    yield it


async def test_a_restart_before_it_is_closed(opened: Opened) -> None:
    club = opened.club
    for _ in range(2):
        await club.restart()
    await club.in_menu(club.anna, Verb.CANCEL)
    assert Verb.REMATCH in opened.verbs
    assert not await club.bot.store.handles(opened.table), "it is taken up again with every start"


async def test_nobody_does_anything_for_a_day(opened: Opened) -> None:
    await opened.club.clock.advance(IDLE_MS)
    assert Verb.REMATCH in opened.verbs


async def test_it_was_closed_while_the_bot_did_not_run(opened: Opened) -> None:
    """Its host is erased; as if the process had died between the two changes."""
    club = opened.club
    said: list[str] = []
    assert await asyncio.to_thread(erase.run, club.url, club.anna.id, said.append, sure=True) == 0, said
    await club.restart()
    assert not club.running
    assert Verb.REMATCH in opened.verbs


async def test_it_was_set_aside(opened: Opened, tmp_path: Path) -> None:
    club = opened.club
    damage(tmp_path / "tables.sqlite3", club.table().id, DAMAGE["unknown game"])
    await club.restart()
    assert Verb.REMATCH in opened.verbs


@pytest.mark.parametrize("verb", [Verb.CANCEL, Verb.START])
async def test_the_database_takes_the_one_change_and_not_the_other(opened: Opened, verb: Verb) -> None:
    club = opened.club
    refuses = f"BEFORE UPDATE ON tables WHEN NEW.id = '{opened.table}' BEGIN SELECT RAISE(ABORT, 'no'); END"
    await club.bot.store._database.write(lambda it: it.exec_driver_sql(f"CREATE TRIGGER refuses {refuses}"))
    while verb is Verb.START and lobby.missing(club.table()):
        await club.press(club.anna, club.table_message(), Verb.ADD_COMPUTER)
    if verb is Verb.START:
        await club.press(club.anna, club.table_message(), verb)
    else:
        await club.in_menu(club.anna, verb)
    assert Verb.JOIN in opened.verbs
    await club.bot.store._database.write(lambda it: it.exec_driver_sql("DROP TRIGGER refuses"))
    await club.clock.advance(RETRY_MS)
    assert (Verb.REMATCH in opened.verbs) is (verb is Verb.CANCEL)
    old = await club.bot.tables.get(opened.table)
    assert old.rematch_people == ((club.anna.id,) if verb is Verb.START else None)
