"""Rows that are damaged, and databases that are not this program's: what goes on, and what the doctor
says."""

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.choices import People
from bot.delivery.slots import is_valid_slot_name
from bot.store.store import Dms, Handle, Store, StoreUnreachable
from bot.tables.errors import ChannelTaken
from bot.tables.model import TableId, TurnNotice
from bot.tables.preferences import DEFAULTS, Preferences
from tests.bot.damage import damage, edited
from tests.bot.logs import captured_log
from tests.bot.tables import NOW, take_over
from tests.bot.test_set_aside import BAD, GOOD, WHAT, examined, opened
from tests.games import ANY
from tests.process.waiting import eventually
from tests.rows import SQLITE, query


def sql(*statements: str) -> Callable[[sqlite3.Connection], None]:
    """What runs *statements*; in them BAD stands for the id of the table."""

    def run(database: sqlite3.Connection) -> None:
        for statement in statements:
            database.execute(statement.replace("BAD", f"'{BAD.id}'"))

    return run


def change(statement: str) -> Callable[[sqlite3.Connection], None]:
    """What changes the message of the table slot of the table BAD."""
    return sql(f"UPDATE messages SET {statement} WHERE table_id = BAD AND slot = 'table'")


BESIDE = {
    **{f"slot {it}": change(f"slot = '{it}'") for it in ("zzz", "hand:abc", "hand:99", "hand:-1", "x:", "gone:xyz")},
    **{f"old slot {it}": change(f"slot = '{it}'") for it in ("old:9:1", "old:1", "old:1:x")},
    "slot of bytes": change("slot = x'ff00'"),
    "slot of no text": change("slot = CAST(x'ff' AS TEXT)"),
    "message abc": change("message_id = 'abc'"),
    "message 1.5": change("message_id = 1.5"),
    "message -1": change("message_id = -1"),
    "channel text": change("channel_id = 'abc'"),
    "token of bytes": change("token = x'ff'"),
    "token at text": change("token_at = 'x'"),
    "token far ahead": change("token_at = 9000000000000000"),
    "told text": change("told = 'x'"),
}
"""Ways in which the row of a message goes wrong."""


@pytest.mark.parametrize("how", BESIDE)
async def test_a_damaged_row_of_a_message_is_forgotten_so_the_message_is_sent_again(tmp_path: Path, how: str) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path, GOOD, BAD)
    await store.save_handle(BAD.id, Handle("table", 5, 6))
    good = [
        Handle("table", 7, 8),
        Handle("hand:1", 7, 9, "token", NOW),
        Handle("old:1:9", 7, 9),
        Handle("gone:8", 7, 8),
    ]
    for handle in good:
        await store.save_handle(GOOD.id, handle)
    with closing(sqlite3.connect(path)) as database, database:
        BESIDE[how](database)
    assert (await examined(path))[0] == 1
    with captured_log() as log:
        for _ in range(2):
            assert await store.load_handles(BAD.id, lambda slot: is_valid_slot_name(slot, 2)) == []
    assert log.getvalue().count("messages forgotten") == 1
    assert sorted(await store.load_handles(GOOD.id, lambda slot: is_valid_slot_name(slot, 2))) == sorted(good)
    assert (await examined(path))[0] == 0
    await store.close()


async def test_a_damaged_row_of_a_server_or_person_counts_as_none(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path)
    for number, locale in enumerate(("x'ff'", "'xx'", "CAST(x'ff' AS TEXT)"), 1):
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(f"INSERT INTO guilds VALUES ({number}, {locale}, NULL, NULL)")
            database.execute(f"INSERT INTO people VALUES ({number}, {locale}, 'abc')")
        assert (await store.load_guild_settings_and_bans(number)).settings.locale is None
        assert await store.load_dm_channel_and_refusal(number) == Dms()
        assert (await examined(path))[0] == 1
        await store.save_guild_settings(number, locale="de")
        await store.save_dm_channel_and_refusal(number, Dms(5))
        assert (
            (await store.load_guild_settings_and_bans(number)).settings.locale,
            await store.load_dm_channel_and_refusal(number),
        ) == (
            "de",
            Dms(5),
        )
    assert (await examined(path))[0] == 0
    await store.close()


@pytest.mark.parametrize("recorded", ["12345", "'abc'", "NULL"])
async def test_a_table_that_is_recorded_as_live_elsewhere_is_found(tmp_path: Path, recorded: str) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path, GOOD, BAD)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE tables SET live_channel_id = {recorded} WHERE id = ?", (BAD.id,))
    assert (await examined(path))[0] == 1
    assert sorted(table.id for table in (await take_over(store, NOW)).live) == sorted([GOOD.id, BAD.id])
    assert (await examined(path))[0] == 0
    with pytest.raises(ChannelTaken):
        await store.create_table(BAD._replace(id=TableId("next")), WHAT, NOW)
    await store.close()


async def test_a_table_that_is_over_but_recorded_as_live_frees_its_channel(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    store = await opened(path, GOOD, BAD)
    await store.save_handle(BAD.id, Handle("table", 5, 6))
    damage(path, BAD.id, edited(lambda data: data.update(phase="over", ending="ended")))
    assert (await examined(path))[0] == 1
    found = await take_over(store, NOW)
    assert [table.id for table in found.live] == [GOOD.id]
    assert [table.id for table in found.undelivered] == [BAD.id]
    await store.create_table(BAD._replace(id=TableId("next")), WHAT, NOW)
    await store.close()


HOPELESS = {
    "no pulse": sql("DROP TABLE pulse"),
    "no people": sql("DROP TABLE people"),
    "no moves": sql("DROP TABLE moves"),
    "no column": sql("ALTER TABLE people DROP COLUMN dms_closed_at"),
    "no version": sql("DELETE FROM alembic_version"),
    "two versions": sql("INSERT INTO alembic_version VALUES ('0001')"),
    "a version of bytes": sql("UPDATE alembic_version SET version_num = x'ff'"),
    "a version of no text": sql("UPDATE alembic_version SET version_num = CAST(x'ff' AS TEXT)"),
    "another version": sql("UPDATE alembic_version SET version_num = 'junk'"),
    "a view": sql("DROP TABLE alembic_version", "CREATE VIEW alembic_version AS SELECT 5 AS version_num"),
}
"""Databases on which the bot cannot start."""


@pytest.mark.parametrize("how", HOPELESS)
async def test_what_the_bot_does_not_start_on_the_doctor_says_too(tmp_path: Path, how: str) -> None:
    path = tmp_path / "t.sqlite3"
    await (await opened(path, GOOD)).close()
    with closing(sqlite3.connect(path)) as database, database:
        HOPELESS[how](database)
    before = set(threading.enumerate())
    with pytest.raises(StoreUnreachable):
        await Store.open(f"sqlite+aiosqlite:///{path}")
    await eventually(lambda: set(threading.enumerate()) <= before, "end of the thread, which keeps the process alive")
    code, said = await examined(path)
    assert code == 1
    assert "Traceback" not in said


async def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE tables (legs INTEGER)")
    assert (await examined(path))[0] == 1
    with pytest.raises(StoreUnreachable):
        await Store.open(f"sqlite+aiosqlite:///{path}")


@pytest.mark.parametrize("at", ["'x'", "9000000000000000", "x'ff'"])
async def test_the_doctor_says_what_it_can_of_a_damaged_record_of_a_table_set_aside(tmp_path: Path, at: str) -> None:
    path = tmp_path / "t.sqlite3"
    await (await opened(path, GOOD, BAD)).close()
    with closing(sqlite3.connect(path)) as database, database:
        sql(f"INSERT INTO set_aside VALUES (BAD, {at}, x'ff', NULL)")(database)
    code, said = await examined(path)
    assert code == 1
    assert "  bad in channel 77 since unknown: \n" in said


ALL = Preferences("de", False, TurnNotice.LATE, passes=True, rated=False, replays=True, hidden=True)

pytestmark = pytest.mark.about(ANY)


async def loaded(store: Store) -> People:
    people = People(store)
    await people.load()
    return people


@SQLITE  # the other one checks the types of what it stores
@pytest.mark.parametrize("column", ["user_id", "locale", "hand", "telling", "passes", "rated", "replays", "hidden"])
@pytest.mark.parametrize("value", ["'x'", "x'ff'", "CAST(x'ff' AS TEXT)", "-1"])
async def test_a_damaged_row_costs_its_own_person_alone(store: Store, tmp_path: Path, column: str, value: str) -> None:
    people = await loaded(store)
    for user in (1, 2):
        await people.change(user, lambda _: ALL)
    assert (await examined(tmp_path / "t.sqlite3"))[0] == 0
    query(tmp_path / "t.sqlite3", f"UPDATE preferences SET {column} = {value} WHERE user_id = 1")
    code, said = await examined(tmp_path / "t.sqlite3")
    assert (code, "preferences: " in said) == (1, True)
    people = await loaded(store)
    assert (people.preferences(1), people.preferences(2)) == (DEFAULTS, ALL)
    await people.change(1, lambda _: ALL)
    assert (await loaded(store)).preferences(1) == ALL
