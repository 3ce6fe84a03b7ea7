"""The real bot and its database file: one process for it, a file that goes, a file that is damaged, another program's
lock."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.i18n import LOCALES, words
from bot.tables.errors import Why
from bot.ui import replies
from bot.ui.custom_ids import Verb
from tests.games import CASES, ONE_GAME
from tests.process.person import Person
from tests.process.waiting import eventually
from tests.process.watch import click, move, newest_table, next_move, plies, tables
from tests.process.world import World
from tests.program import bot

GONE = "the database file was deleted, moved or replaced: nothing can be saved"


def settings_of(world: World, store: Path) -> dict[str, str]:
    """The settings of a bot on *store*."""
    return {
        "DISCORD_TOKEN": world.session["bot_token"],
        "DISCORD_API_URL": world.api,
        "DISCORD_GATEWAY_URL": world.gateway,
        "STORE_URL": f"sqlite+aiosqlite:///{store}",
    }


def told(person: Person, sentence: str) -> bool:
    """Whether *person* was told *sentence*, in their own language."""
    return any(person.newest_text(words(locale)(sentence)) for locale in LOCALES)


@ONE_GAME
async def test_a_second_process_on_the_same_database_is_refused_at_once(
    world: World, people: list[Person], store: Path
) -> None:
    """It says so in a line, and the first one goes on. The lock ends with its process, however that ends."""
    assert world.bot is not None
    code, _, said = bot(**settings_of(world, store))
    assert code == 2
    assert said == f"STORE_URL: process {world.bot.pid} runs on this database already; stop it first\n"
    await move(world, store, people)
    await world.kill_bot()
    await world.start_bot(store)  # at once
    await move(world, store, people)


@ONE_GAME
async def test_backup_and_doctor_run_beside_the_bot(world: World, people: list[Person], store: Path) -> None:
    copy = store.with_name("copy.sqlite3")
    settings = settings_of(world, store)
    code, said, errors = bot("backup", str(copy), **settings)
    assert (code, said, errors) == (0, f"saved: {copy} ({copy.stat().st_size} bytes)\n", "")
    assert tables(copy) == tables(store)
    code, said, errors = bot("doctor", **settings)
    assert (code, errors) == (0, "")
    assert "live tables: 1\n" in said
    await move(world, store, people)


@ONE_GAME
async def test_while_the_database_file_is_gone_no_move_is_accepted(
    world: World, people: list[Person], store: Path
) -> None:
    """Deleted, it would be lost with everything in it that comes later."""
    player, hand, offer = await next_move(world, store, people)
    kept = store.with_name("kept.sqlite3")
    for suffix in ("", "-wal", "-shm"):
        store.with_name(store.name + suffix).rename(kept.with_name(kept.name + suffix))
    await player.success(await click(player, hand, offer))
    await eventually(lambda: told(player, replies.REFUSALS[Why.TRY_AGAIN]), "the refusal")
    assert plies(kept) == 0
    log = store.with_name("bot.log").read_text()
    assert log.count(GONE) == 1
    assert "Traceback" not in log
    await world.kill_bot()
    for suffix in ("", "-wal", "-shm"):
        kept.with_name(kept.name + suffix).rename(store.with_name(store.name + suffix))
    await world.start_bot(store)
    await move(world, store, people)


@ONE_GAME
async def test_a_table_that_cannot_be_read_stops_no_start(world: World, people: list[Person], store: Path) -> None:
    lost = newest_table(store).id
    board = people[0].table()
    assert board is not None
    await world.kill_bot()
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE tables SET snapshot = substr(snapshot, 1, 100)")
    await world.start_bot(store)
    word = await eventually(lambda: people[0].newest_text("The game in this channel is damaged"), "the word")
    assert word.channel == world.channel
    await people[0].click(board, Verb.MENU)
    await eventually(lambda: told(people[0], replies.REFUSALS[Why.SET_ASIDE]), "the answer")
    log = store.with_name("bot.log").read_text()
    assert f"table set aside table={lost}" in log
    assert "Traceback" not in log
    await people[0].slash(world.channel, "play", game=sorted(CASES)[0])
    code, said, _ = bot("doctor", **settings_of(world, store))
    assert code == 1
    assert f"  {lost} in channel {world.channel} since " in said


async def test_a_damaged_database_is_one_line(world: World, store: Path) -> None:
    await world.people[0].slash(world.channel, "play", game=sorted(CASES)[0])
    await world.kill_bot()
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tables'").fetchone()
    with store.open("r+b") as file:
        file.seek(4096 * (root - 1))
        file.write(b"\xff" * 100)
    code, _, said = bot(**settings_of(world, store))
    complaint = [line for line in said.splitlines() if not line.startswith("20")]  # the others are the log's
    assert code == 2
    assert len(complaint) == 1, said
    assert "see python -m bot doctor, or restore a backup" in complaint[0]
    code, said, errors = bot("doctor", **settings_of(world, store))
    assert (code, errors) == (1, "")
    assert "malformed" in said or "integrity: ***" in said


async def test_a_database_in_memory_comes_with_a_warning(world: World, store: Path) -> None:
    await world.kill_bot()
    settings = {**settings_of(world, store), "STORE_URL": "sqlite+aiosqlite://"}
    await world.start_bot(store, **settings)
    assert "STORE_URL names no file: every table is forgotten" in store.with_name("bot.log").read_text()
