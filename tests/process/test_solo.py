"""Solo tables and the deal of the day, with real processes: killed in mid-game, and two of them on one database."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.tables.model import Phase, Table
from bot.ui.custom_ids import Verb
from engine.registry import GAMES
from tests.process.cluster import cluster
from tests.process.person import Person, Seen
from tests.process.waiting import eventually
from tests.process.watch import tables
from tests.process.world import World

DAY = next(game for game in sorted(GAMES) if GAMES[game].daily is not None)
"""A game with a deal of the day."""
ATTEMPTS = "SELECT table_id FROM daily_attempts"


def shown(person: Person, table: Table) -> Seen | None:
    """The message of *table*, if it shows its newest state, and *person* has something to do there."""
    here = [it for it in person.messages.values() if it.about(table.id) and it.press(Verb.MENU)]
    assert len(here) < 2, "one message shows the table"
    on_turn = [it for it in here if it.ply == table.state.ply or it.press(Verb.NEXT)]
    return on_turn[0] if on_turn else None


async def go_on(person: Person, store: Path, name: str) -> None:
    """*person* does what the table of that *name* waits for; it is committed."""
    message: Seen = await eventually(lambda: shown(person, tables(store)[name]), "something to do")
    before = tables(store)[name].version
    if message.press(Verb.NEXT):
        await person.click(message, Verb.NEXT)
    else:
        await person.use(message, await person.offer(message))
    await eventually(lambda: tables(store)[name].version > before, "the move")


@pytest.mark.about(DAY)
async def test_after_kill_9_a_solo_table_and_a_days_attempt_go_on(world: World, store: Path) -> None:
    anna = world.people[0]
    direct = await anna.open_direct_messages()
    for command, start in (("play", Verb.START), ("daily", Verb.START_DAY)):
        await anna.slash(direct, command, game=DAY)
        await anna.click(await eventually(lambda verb=start: anna.newest(verb), "a table"), start)
    await eventually(lambda: all(it.phase is Phase.PLAYING for it in tables(store).values()), "the cards")
    (attempt,) = (it.id for it in tables(store).values() if it.day)
    for _ in range(2):
        for name in tables(store):
            await go_on(anna, store, name)
        committed, messages = tables(store), set(anna.messages)
        await world.kill_bot()
        await world.start_bot(store)
        for name, table in committed.items():
            message: Seen = await eventually(lambda it=name: shown(anna, tables(store)[it]), "the table")
            assert message.id in messages, "it is the same message"
            assert tables(store)[name].version >= table.version
    with closing(sqlite3.connect(store)) as database:
        assert database.execute(ATTEMPTS).fetchall() == [(attempt,)]
    await anna.slash(world.channel, "daily", game=DAY)
    await eventually(lambda: anna.newest_text("it goes on in our direct messages"), "where it goes on")
    assert set(tables(store)) == set(committed)


@pytest.mark.about(DAY)
async def test_the_days_deal_is_asked_for_where_another_process_serves_the_server(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2, shards=2) as it:
        anna, direct = it.world.people[0], it.holders()[0]
        channel = next(channel for channel in it.world.channels if it.holder_of(channel) is not direct)
        await anna.slash(channel, "daily", game=DAY)
        await eventually(lambda: anna.newest_text("It waits for you in our direct messages"), "the answer")
        lobby: Seen = await eventually(lambda: anna.newest(Verb.START_DAY), "the deal in direct messages")
        told = len(anna.messages)
        await anna.slash(channel, "daily", game=DAY)
        await eventually(lambda: len(anna.messages) > told, "the second answer")
        assert len(it.tables()) == 1, "it is the same table, also where another process serves it"
        await anna.click(lobby, Verb.START_DAY)
        await eventually(lambda: anna.newest(Verb.MENU), "the cards")
        await anna.slash(channel, "daily", game=DAY)
        await eventually(lambda: anna.newest_text("it goes on in our direct messages"), "where it goes on")
        await anna.slash(lobby.channel, "daily", game=DAY)
        (table,) = it.tables().values()
        assert it.rows(ATTEMPTS) == [(table.id,)]
        assert table.asked_in == int(it.world.guild_of(channel))

        def shown_once() -> bool:
            return len([seen for seen in anna.messages.values() if seen.press(Verb.MENU)]) == 1

        await eventually(shown_once, "it moves down")
        assert it.told_to_try_again() == 0 and it.complaints() == []
