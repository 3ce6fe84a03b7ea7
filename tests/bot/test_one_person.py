"""What a database holds about one person, given to whoever hosts the bot, and erased while no bot runs."""

import asyncio
import json
import zlib
from pathlib import Path

import pytest

from bot.privacy import collect_personal_data, erase_from_store
from bot.store.files import hold_process_lock
from bot.store.store import Handle, Store
from bot.store.tables import unpack_json_text
from bot.tables import leaving
from bot.tables.model import Ending, Phase, Player, Table
from engine.verify import verify
from tests.bot.processes import GAME, Process
from tests.bot.tables import resume, take_over
from tests.bot.test_archive import GAMES, Evening
from tests.bot.test_service import Clock
from tests.bot.traces import traces
from tests.bot.upkeep import address
from tests.bot.version_0_3_0 import database
from tests.program import Ended, bot
from tests.rows import query

USER = 100
"""Who is erased: *player 0*."""
NAME = "player 0"


async def evening(path: Path | str, game: str) -> tuple[Store, Process, Evening]:
    """A game that has been played for a while."""
    store = await Store.open(address(path))
    process = Process(store, Clock())
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    it = await Evening.begin(process, game)
    await it.play(3)
    return store, process, it


async def stopped(path: Path | str, game: str) -> Table:
    """A database at *path* whose bot was stopped in the middle of a game; return its table."""
    store, process, it = await evening(path, game)
    table = await it.table()
    await process.tables.stop()
    await store.close()
    return table


@GAMES
async def test_a_game_that_waits_for_the_next_start_goes_on_without_them(empty_url: str, game: str) -> None:
    path = empty_url
    before = await stopped(path, game)
    assert traces(path, USER, NAME)
    store = await Store.open(address(path))
    assert await erase_from_store(store, USER, before.changed_at + 1) == 1
    assert traces(path, USER, NAME) == []
    clock = Clock()
    clock.turn(before.changed_at + 1_000 - clock.now())
    process = Process(store, clock)
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    it = Evening(process, before.id)
    assert (await it.table()).players[0].former
    assert (await it.play()).ending is Ending.FINISHED
    found = await it.record()
    verify(found)
    assert USER not in {person.user for person in (await it.kept()).people}
    assert await erase_from_store(store, USER, clock.now()) is None
    await process.tables.stop()
    await store.close()


@GAMES
async def test_a_game_that_nobody_else_plays_is_over(empty_url: str, game: str) -> None:
    path = empty_url
    store, process, it = await evening(path, game)
    others = [p.user for p in (await it.table()).players if p.user not in (USER, None)]
    for user in others:
        await it.change(lambda t, user=user: t.with_changed_player(t.seat_of(user), away=True))
    await process.tables.stop()
    await erase_from_store(store, USER, it.now)
    table = await store.load_table(it.id)
    assert table is not None
    assert (table.phase, table.ending) == (Phase.OVER, Ending.ABANDONED)
    assert {person.user for person in (await it.kept()).people} == set(others)
    assert traces(path, USER, NAME) == []
    await store.close()


# Tables that cannot go on


def snapshot(path: Path | str) -> bytes:
    return bytes(query(path, "SELECT snapshot FROM tables")[0][0])


def set_snapshot(path: Path | str, data: bytes) -> None:
    query(path, "UPDATE tables SET snapshot = ?", data)


@pytest.mark.parametrize("aside", [True, False])
@pytest.mark.parametrize("how", ["cut", "other game", "no table"])
async def test_of_a_table_that_cannot_be_read_nothing_stays(empty_url: str, how: str, aside: bool) -> None:
    """Whether the bot has found that out already, and set it *aside*, or not."""
    path = empty_url
    before = await stopped(path, GAME)
    text = unpack_json_text(snapshot(path)).encode()
    changed = {
        "cut": zlib.compress(text, 0)[:-9],
        "other game": zlib.compress(text.replace(f'"{GAME}"'.encode(), b'"chess"')),
        "no table": zlib.compress(json.dumps({"user": USER}).encode()),
    }
    set_snapshot(path, changed[how])
    store = await Store.open(address(path))
    for slot in ("hand:0", "table"):
        await store.save_handle(before.id, Handle(slot, 77, 78))
    if aside:
        assert (await take_over(store, before.changed_at)).live == []
    assert "tables.snapshot" in traces(path, USER)
    await erase_from_store(store, USER, before.changed_at)
    assert traces(path, USER, NAME) == []
    assert [handle.slot for handle in await store.load_handles(before.id)] == ["table"]
    assert (await take_over(store, before.changed_at)).live == []
    await store.close()


async def test_a_table_that_is_set_aside_and_comes_back_has_a_computer_in_their_seat(empty_url: str) -> None:
    path = empty_url
    before = await stopped(path, GAME)
    data = snapshot(path)
    set_snapshot(path, b"")
    store = await Store.open(address(path))
    assert (await take_over(store, before.changed_at)).live == []
    set_snapshot(path, data)
    for slot in ("hand:0", "old:0:5", "hand:1", "table"):
        await store.save_handle(before.id, Handle(slot, 77, 78))
    await erase_from_store(store, USER, before.changed_at)
    assert traces(path, USER, NAME) == []
    assert {handle.slot for handle in await store.load_handles(before.id)} == {"hand:1", "table"}
    (back,) = (await take_over(store, before.changed_at)).live
    assert (back.id, back.players[0].former, back.host) == (before.id, True, 101)
    await store.close()


async def test_a_person_whose_number_is_part_of_another_is_not_taken_for_them(empty_url: str) -> None:
    path = empty_url
    await stopped(path, GAME)
    store = await Store.open(address(path))
    assert await erase_from_store(store, 10, 1) is None
    assert await collect_personal_data(store, 1, 1) is None
    await store.close()


async def test_a_table_that_changes_meanwhile_is_not_overwritten(empty_url: str) -> None:
    store, process, it = await evening(empty_url, GAME)
    await it.change(lambda t: leaving.end_game_early(t, USER, NAME, moderator=False))
    found = await store.find_mentions(USER)
    await it.change(lambda t: t._replace(locale="de"))
    assert not await store.erase_person(USER, found)
    table = await store.load_table(it.id)
    assert table is not None
    assert (table.locale, table.players[0].name) == ("de", NAME)
    assert await store.erase_person(USER, await store.find_mentions(USER))
    assert traces(empty_url, USER, NAME) == []
    await process.tables.stop()
    await store.close()


async def test_of_a_namesake_nothing_is_given_away(empty_url: str) -> None:
    """The game was ended by somebody else who is called like them."""
    store, process, it = await evening(empty_url, GAME)
    await it.change(lambda t: leaving.end_game_early(t, 555, "player 1", moderator=True))
    other = await process.open(3, host=Player("player 1", 9))
    found = await collect_personal_data(store, 9, 1)
    assert found is not None
    assert [table["table"] for table in found.document["tables"]] == [other.id]
    await process.tables.stop()
    await store.close()


# The commands


async def command(path: Path, *arguments: str) -> Ended:
    """What ``python -m bot`` does with *arguments* on the database at *path*."""
    return await asyncio.to_thread(bot, *arguments, STORE_URL=address(path))


async def test_export_writes_a_file_for_its_owner_alone_also_while_the_bot_runs(tmp_path: Path) -> None:
    path, target = tmp_path / "t.sqlite3", tmp_path / "him.json"
    store, process, _ = await evening(path, GAME)
    with hold_process_lock(path):
        assert await command(path, "export", str(USER), "--file", str(target)) == (0, "", "")
    assert target.stat().st_mode & 0o777 == 0o600
    found = json.loads(target.read_text("utf-8"))
    assert (found["user"], found["names"], len(found["tables"])) == (str(USER), [NAME], 1)
    code, said, _ = await command(path, "export", str(USER))
    assert (code, json.loads(said)["tables"]) == (0, found["tables"])
    code, said, complaint = await command(path, "export", str(USER), "--file", str(target))
    assert (code, said, complaint) == (2, "", f"{target} exists already\n")
    await process.tables.stop()
    await store.close()


async def test_erase_asks_for_a_yes_and_for_the_bot_to_be_stopped(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    await stopped(path, GAME)
    code, said, complaint = await command(path, "erase", str(USER))
    assert (code, said, len(complaint.splitlines()), "--yes" in complaint) == (1, "", 1, True)
    with hold_process_lock(path):
        code, said, complaint = await command(path, "erase", str(USER), "--yes")
    assert (code, said, len(complaint.splitlines())) == (2, "", 1)
    assert "use /privacy, or stop the bot first" in complaint
    assert traces(path, USER, NAME)
    code, said, complaint = await command(path, "erase", str(USER), "--yes")
    assert (code, said, complaint) == (0, "erased; live tables they sat at: 1\n", "")
    assert traces(path, USER, NAME) == []
    assert await command(path, "erase", str(USER), "--yes") == (1, "", f"nothing is known of {USER}\n")
    assert await command(path, "export", str(USER)) == (1, "", f"nothing is known of {USER}\n")


@pytest.mark.parametrize("user", ["x", "-1", "0", "1.5", "٣", "9" * 30, "0" * 19 + "1" * 30, "0" * 19 + "1" * 5000, ""])
@pytest.mark.parametrize("what", [["export"], ["erase", "--yes"]])
async def test_what_is_no_id_is_said_in_one_line(tmp_path: Path, what: list[str], user: str) -> None:
    code, said, complaint = await command(tmp_path / "t.sqlite3", *what, "--", user)
    assert (code, said, len(complaint.splitlines()), "no Discord id" in complaint) == (2, "", 1, True)


@pytest.mark.parametrize("what", [["export", "5"], ["erase", "5", "--yes"]])
async def test_a_database_that_cannot_be_opened_is_said_in_one_line(tmp_path: Path, what: list[str]) -> None:
    path = tmp_path / "t.sqlite3"
    code, _, complaint = await command(path, *what)
    assert (code, complaint) == (2, f"there is no database at {path}\n")
    assert not path.exists()
    path.write_bytes(b"this is no database" * 100)
    code, _, complaint = await command(path, *what)
    assert (code, len(complaint.splitlines())) == (2, 1)


async def test_a_database_of_another_version_is_not_exported(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    database(path)
    code, said, complaint = await command(path, "export", "5")
    assert (code, said) == (2, "")
    assert "start this version once" in complaint
