"""A database that version 0.3.0 has written goes on: tables, records, people, servers; an older one is refused."""

import asyncio
import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa

from bot.cli import doctor
from bot.delivery.plan import render_slot
from bot.delivery.quarantine import check_table_usable
from bot.privacy import collect_personal_data, erase_from_store
from bot.review.replay import judge_packed_record, replay_packed_record
from bot.store.backup import BadBackup, backup_database, restore_backup
from bot.store.store import Store, StoreUnreachable
from bot.store.transfer import CannotMove, move_database, parse_database_url
from bot.tables import leaving, lobby, start
from bot.tables.model import Ending, Phase, Player, Table, TableId
from bot.tables.options import Pace
from bot.tables.scene import make_scene
from bot.ui.custom_ids import Verb, parse_custom_id
from bot.ui.dealing import deal_verification_lines
from engine import record
from engine.errors import UnsupportedVersion
from engine.fair import commitment
from engine.game import Seat
from engine.verify import PlayerNotes, Remark, verify
from local_discord.components import walk
from tests.bot.processes import Process
from tests.bot.tables import resume, take_over
from tests.bot.test_archive import Evening
from tests.bot.traces import traces
from tests.bot.upkeep import address, kept_of, look_after, record_of
from tests.bot.version_0_3_0 import CUSTOM_IDS, OLD, clock, database
from tests.discord.world import EN
from tests.postgres import alive, drop, fresh, migrate
from tests.program import bot
from tests.rows import count, execute, query

ROOT: Final = Path(__file__).parents[2]
STEP_BETWEEN: Final = "start version 0.3.0 on it once, then this one"
LET_IT_FINISH: Final = "let version 0.3.0 run on it until they are, then start this one"
DAMAGED: Final = 10
"""The channel of the table whose snapshot is damaged."""
GONE: Final = {"level", "pace", "limit", "option"}
"""Verbs of that version's lobby that are none any more."""


async def serving(where: Path | str) -> Process:
    """A process on the database of version 0.3.0, which is put at *where*."""
    await asyncio.to_thread(database, where)
    process = Process(await Store.open(address(where), check=check_table_usable), clock())
    await resume(process.tables)
    await process.tables.wait_until_taken_over()
    await process.clock.settle()  # the channel of the damaged table is told
    return process


async def stop(process: Process) -> None:
    await process.tables.stop()
    await process.store.close()


def dealt(where: Path | str) -> list[TableId]:
    """The tables of version 0.3.0's own records."""
    return [TableId(row[0]) for row in query(where, "SELECT table_id FROM records") if row[0] not in OLD]


@pytest.mark.parametrize("empty_url", ["sqlite"], indirect=True)
def test_the_history_of_schemas_begins_with_its_schema(empty_url: str, tmp_path: Path) -> None:
    database(theirs := tmp_path / "theirs.sqlite3")
    migrate(empty_url, "0010")
    database_file = Path(str(sa.make_url(empty_url).database))

    def shape(path: Path) -> dict[str, Any]:
        with closing(sqlite3.connect(path)) as opened:
            names = {row[0] for row in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

            def indexes(name: str) -> set[Any]:
                rows = opened.execute("SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?", (name,))
                return {row[0] and row[0].replace("\n", "") for row in rows}

            columns = {name: sorted(it[1:] for it in opened.execute(f"PRAGMA table_info({name})")) for name in names}
            keys = {name: {it[2:5] for it in opened.execute(f"PRAGMA foreign_key_list({name})")} for name in names}
            return {name: (columns[name], keys[name], indexes(name)) for name in names}

    assert shape(database_file) == shape(theirs)


async def test_all_live_tables_go_on_and_are_played_to_the_end(empty_url: str) -> None:
    process = await serving(empty_url)
    tables = {table.channel: table for table in process.tables.live_tables_in_memory()}
    assert sorted(tables) == [2, 3, 4, 5, 6, 7, 8, 9]
    assert [aside.channel for aside in await process.store.unannounced_quarantines()] == [DAMAGED]
    held, window, paused = tables[5], tables[6], tables[9]
    assert (held.held is None, window.window is None, paused.paused, tables[4].starting) == (False, False, True, True)
    for table in tables.values():
        over = await to_the_end(Evening(process, table.id))
        assert over.ending is Ending.FINISHED, table
        verdict = verify(await record_of(process.store, table.id))
        assert (verdict.state, verdict.actions) == (over.state, over.state.ply)
        assert verdict.actions > (0 if table.state is None else table.state.ply)
    assert count(empty_url, "moves") == 0
    await look_after(process.store, process.clock)
    assert count(empty_url, "records WHERE counted_at IS NULL") == 0
    await stop(process)


async def to_the_end(it: Evening) -> Table:
    """The table of *it* after it has started, if it had not, everybody has come back, and the game is over."""
    table, late = await it.table(), Player("player 2", 102)
    if table.rematch_of is not None:
        await it.change(lambda t: lobby.join_lobby(t, late, it.now))
    if table.phase is Phase.LOBBY and not table.starting:
        await it.change(lambda t: start.start_game(t, t.host, it.now))
    if table.phase is Phase.LOBBY:
        await it.change(lambda t: start.deal_cards(t, it.now << 20, it.now))
    for user in [player.user for player in table.players if player.away and player.user]:
        await it.change(lambda t, user=user: leaving.come_back(t, user, it.now))
    return await it.play()


@pytest.mark.parametrize("empty_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("damage", ["'text'", "x'789c'", "12", "zeroblob(9)"])
async def test_a_damaged_table_or_record_stops_nobody(empty_url: str, damage: str) -> None:
    await asyncio.to_thread(database, empty_url)
    execute(empty_url, f"UPDATE tables SET snapshot = {damage} WHERE channel_id = 3 OR id = 'sizm2vkq'")
    execute(empty_url, f"UPDATE records SET data = {damage}, counted_at = NULL WHERE table_id = 'sizm2vkq'")
    store = await Store.open(address(empty_url))
    assert len((await take_over(store, clock().now())).live) == 7
    await store.close()


async def test_what_was_held_and_called_takes_effect(empty_url: str) -> None:
    process = await serving(empty_url)
    before = {table.channel: table for table in process.tables.live_tables_in_memory()}
    await process.clock.advance(5_000)
    for channel in (5, 6):
        after = await process.tables.get(before[channel].id)
        assert after.state.ply > before[channel].state.ply
        assert (after.held, after.window) == (None, None)
    await stop(process)


async def test_controls_on_its_messages_do_what_they_did(empty_url: str) -> None:
    """Or say that they are dead, where the lobby has others now; a move is still the same one."""
    process = await serving(empty_url)
    for table_id, slots in CUSTOM_IDS.items():
        table = await process.tables.get(TableId(table_id))
        for slot, ids in slots.items():
            today = [str(it["custom_id"]) for it in walk(render_slot(table, slot, 1).payload) if "custom_id" in it]
            for each in ids:
                press = parse_custom_id(each)
                assert (press is None) == (each.split("/")[1] in GONE), each
                if press is not None and press.verb in (Verb.MOVE, Verb.PICK):
                    assert each in today
    await stop(process)


async def test_its_messages_are_known(empty_url: str) -> None:
    process = await serving(empty_url)
    wanted = query(empty_url, "SELECT table_id, slot, message_id FROM messages ORDER BY table_id, slot")
    found = [
        (table, handle.slot, handle.message)
        for table in sorted({row[0] for row in wanted})
        for handle in sorted(await process.store.load_handles(TableId(table)))
    ]
    assert found == wanted != []
    days = next(table for table in process.tables.live_tables_in_memory() if table.channel == 7)
    assert {slot: it.fingerprint for slot, it in (await process.store.load_shown_content(days.id)).items()} == {
        "table": b"12345678"
    }
    await stop(process)


async def test_its_records_are_replayed_and_verified(empty_url: str) -> None:
    process = await serving(empty_url)
    for table in dealt(empty_url):
        found = await record_of(process.store, table)
        noted = PlayerNotes(found.commitment, found.deal.legacy_deal_code(), found.deal.message, ("my phrase",))
        assert verify(found, noted).remarks == ()
        assert Remark.NOT_NOTED in verify(found).remarks
        data = (await kept_of(process.store, table)).data
        assert replay_packed_record(data).last == len(found.entries)
        assert found.ending != "finished" or judge_packed_record(data) is not None
    assert len(dealt(empty_url)) == 4
    own = await process.store.latest_games_of_person(100, 1, 25)
    assert {kept.table for kept in own} == set(dealt(empty_url))
    await stop(process)


async def test_people_and_servers_keep_what_they_have(empty_url: str) -> None:
    process = await serving(empty_url)
    store = process.store
    profiles = await store.load_profiles(100)
    assert {game: (it.totals["games"], it.rating.games) for game, it in profiles.items() if it.rating} == {
        "diciassette": (1, 2),
        "twelve_days": (1, 1),
    }
    board = await store.load_leaderboard(1, "diciassette", 100)
    assert board
    assert {user: (it.locale, it.rated, it.hidden) for user, it in (await store.load_all_preferences()).items()} == {
        100: ("de", True, False),
        101: (None, True, False),
        102: ("nl", True, True),
    }
    server = await store.load_guild_settings_and_bans(1)
    chosen = server.settings
    assert (chosen.locale, chosen.pace, chosen.channels) == ("de", Pace.FAST, tuple(range(2, 9)))
    assert [(ban.user, ban.by, ban.reason) for ban in server.bans] == [(300, 100, "cheats")]
    assert (
        (await store.load_dm_channel_and_refusal(100)).channel,
        (await store.load_dm_channel_and_refusal(101)).closed_at is None,
    ) == (
        500,
        False,
    )
    assert len(await store.load_outages(process.clock.now())) >= 2
    await stop(process)


async def test_somebody_gets_all_that_is_kept_of_them_and_is_erased(empty_url: str) -> None:
    await asyncio.to_thread(database, empty_url)
    store = await Store.open(address(empty_url))
    for user in (100, 1400):
        found = await collect_personal_data(store, user, clock().now())
        assert found is not None
        assert found.records
        assert all(it["record"] is not None for it in found.records)
        assert await erase_from_store(store, user, clock().now()) is not None
        assert traces(empty_url, user) == []
        assert await collect_personal_data(store, user, clock().now()) is None
    for table in dealt(empty_url):
        verify(await record_of(store, table))
    await store.close()


async def test_of_games_of_version_0_1_0_all_but_the_replay_stays(empty_url: str) -> None:
    """Nobody could cut then, so their records say less than those of today."""
    process = await serving(empty_url)
    for table_id, game in OLD.items():
        table = await process.tables.get(TableId(table_id))
        assert (table.game, table.phase, table.secret) == (game, Phase.OVER, table.seed)
        for seat in (None, *map(Seat, range(len(table.players)))):
            make_scene(table, seat, 1)
        check_table_usable(table)
        code = commitment(bytes.fromhex(table.seed))
        assert any(code in line for line in deal_verification_lines(make_scene(table, None, 1), EN))
        kept = await kept_of(process.store, table.id)
        assert {it.user for it in kept.people} == {player.user for player in table.players if player.user}
        with pytest.raises(UnsupportedVersion, match="of version 0; this program knows 1"):
            record.decompress_record(kept.data)
        assert record.decompress_json(kept.data)["game"] == game
        user = kept.people[0].user
        assert (count(empty_url, f"totals WHERE user_id = {user} AND what = 'games'") > 0) == (table_id != "hud3x3cg")
    await stop(process)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_it_can_be_moved_into_either_kind_of_database(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "t.sqlite3"
    database(file)
    before = file.read_bytes()
    target = fresh(migrated=False) if kind == "postgresql" else f"sqlite+aiosqlite:///{tmp_path}/target.sqlite3"
    await move_database(parse_database_url(str(file)), parse_database_url(target), lambda line: None)
    assert file.read_bytes() == before
    store = await Store.open(target)
    assert len((await take_over(store, clock().now())).live) == 8
    assert count(target, "records") == 7
    await store.close()
    if kind == "postgresql":
        drop(target)


async def test_a_backup_of_it_is_made_and_restored(tmp_path: Path) -> None:
    database(file := tmp_path / "t.sqlite3")
    await asyncio.to_thread(backup_database, address(file), tmp_path / "copy.sqlite3")
    assert restore_backup(address(tmp_path / "new.sqlite3"), tmp_path / "copy.sqlite3") is None
    store = await Store.open(address(tmp_path / "new.sqlite3"))
    assert len((await take_over(store, clock().now())).live) == 8
    await store.close()


async def test_the_doctor_is_content_with_it_but_for_the_damaged_table(tmp_path: Path) -> None:
    database(path := tmp_path / "t.sqlite3")
    execute(path, f"DELETE FROM messages WHERE table_id IN (SELECT id FROM tables WHERE channel_id = {DAMAGED})")
    execute(path, f"DELETE FROM tables WHERE channel_id = {DAMAGED}")
    said: list[str] = []
    assert await doctor.run_doctor_command(address(path), said.append) == 0, said
    await (await Store.open(address(path))).close()
    assert await doctor.run_doctor_command(address(path), said.append) == 0, said


# Processes of that version on PostgreSQL


@pytest.mark.parametrize("empty_url", ["postgresql"], indirect=True)
async def test_while_its_processes_run_nothing_is_upgraded(empty_url: str) -> None:
    """And nobody is told to restore a backup: nothing is damaged."""
    await asyncio.to_thread(database, empty_url)
    stop_them = "processes of an older version use it: stop them all, then start this version"
    token = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.nobody-here"
    async with alive(empty_url):
        code, out, err = await asyncio.to_thread(bot, "run", STORE_URL=empty_url, DISCORD_TOKEN=token)
    assert (code, out, err) == (2, "", f"STORE_URL: the database cannot be opened: {stop_them}\n")
    assert query(empty_url, "SELECT version_num FROM alembic_version") == [("0010",)]
    await (await Store.open(empty_url)).close()


# An older database


@pytest.mark.parametrize("schema", ["0001", "0009"])
async def test_an_older_database_is_refused_with_the_version_between(empty_url: str, schema: str) -> None:
    await asyncio.to_thread(database, empty_url)
    await asyncio.to_thread(execute, empty_url, f"UPDATE alembic_version SET version_num = '{schema}'")
    with pytest.raises(StoreUnreachable, match=f"before 0.3.0 wrote it .schema {schema}.; {STEP_BETWEEN}"):
        await Store.open(address(empty_url))
    with pytest.raises(StoreUnreachable, match=STEP_BETWEEN):
        await Store.open_read_only(address(empty_url))
    assert query(empty_url, "SELECT version_num FROM alembic_version") == [(schema,)]


@pytest.mark.parametrize("command", [(), ("export", "100"), ("erase", "100", "--yes"), ("backup", "copy.sqlite3")])
def test_a_command_on_an_older_database_says_so_in_one_line(
    empty_url: str, tmp_path: Path, command: tuple[str, ...]
) -> None:
    database(empty_url)
    execute(empty_url, "UPDATE alembic_version SET version_num = '0009'")
    (folder := tmp_path / "here").mkdir()
    code, out, error = bot(*command, folder=folder, STORE_URL=address(empty_url))
    assert (code, len(error.splitlines())) == (2, 1), (out, error)
    assert STEP_BETWEEN in error
    assert not (folder / "copy.sqlite3").exists()


async def test_the_doctor_says_so(empty_url: str) -> None:
    await asyncio.to_thread(database, empty_url)
    await asyncio.to_thread(execute, empty_url, "UPDATE alembic_version SET version_num = '0009'")
    said: list[str] = []
    assert await doctor.run_doctor_command(address(empty_url), said.append) == 1
    assert f"the bot does not start on it: a version before 0.3.0 wrote it (schema 0009); {STEP_BETWEEN}\n" in said


async def test_an_older_backup_is_neither_restored_nor_moved(tmp_path: Path) -> None:
    database(file := tmp_path / "t.sqlite3")
    execute(file, "UPDATE alembic_version SET version_num = '0009'")
    with pytest.raises(BadBackup, match=STEP_BETWEEN):
        restore_backup(address(tmp_path / "new.sqlite3"), file)
    with pytest.raises(CannotMove, match=STEP_BETWEEN):
        await move_database(
            parse_database_url(str(file)), parse_database_url(str(tmp_path / "new.sqlite3")), lambda line: None
        )
    assert not (tmp_path / "new.sqlite3").exists()


def _record_of_version_0(where: Path | str) -> None:
    execute(where, "UPDATE records SET counted_at = NULL WHERE table_id = 'sizm2vkq'")


def _history(where: Path | str) -> None:
    execute(where, "INSERT INTO old_events VALUES ('sizm2vkq', 1, 1, '{}', '{}')")


def _game_that_runs(where: Path | str) -> None:
    """As if it was dealt by version 0.1.0."""
    ((table, snapshot),) = query(where, "SELECT id, snapshot FROM tables WHERE channel_id = 7")
    data = json.loads(zlib.decompress(snapshot))
    del data["secret"], data["deal"]
    query(where, "UPDATE tables SET snapshot = ? WHERE id = ?", zlib.compress(json.dumps(data).encode()), table)


@pytest.mark.parametrize("left", [_record_of_version_0, _history, _game_that_runs])
async def test_what_version_0_3_0_has_not_finished_it_finishes_first(empty_url: str, left: Any) -> None:
    await asyncio.to_thread(database, empty_url)
    await asyncio.to_thread(left, empty_url)
    with pytest.raises(StoreUnreachable, match=LET_IT_FINISH):
        await Store.open(address(empty_url))
    said: list[str] = []
    assert await doctor.run_doctor_command(address(empty_url), said.append) == 1
    assert LET_IT_FINISH in "".join(said)
