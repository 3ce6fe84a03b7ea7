"""Single bits of the database are wrong: what can be served is served, else one line says so; no secret gets out."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy.exc import DBAPIError

from bot.cli import doctor
from bot.store.database import Damaged, error_reason
from bot.store.store import Handle, Store, StoreUnreachable
from bot.tables.model import Table, TableId
from bot.tables.preferences import Preferences
from tests.bot.logs import captured_log
from tests.bot.tables import NOW, started, take_over
from tests.games import CASES

WHAT = {"what": "test", "by": 1}
FLIPS = 60
PAGE = 4096
TOKEN = "an-interaction-token"


def table(number: int) -> Table:
    """Table number *number*, in a channel of its own."""
    game = sorted(CASES)[number % len(CASES)]
    return started(game)._replace(id=TableId(f"table{number}"), channel=number)


async def make(path: Path) -> bytes:
    """A database at *path* with six live tables, and its content."""
    store = await Store.open(f"sqlite+aiosqlite:///{path}")
    for number in range(6):
        it = table(number)
        await store.create_table(it, WHAT, NOW)
        for version in (2, 3):
            await store.save_change(it._replace(version=version), WHAT, NOW)
        await store.save_handle(it.id, Handle("table", number, number + 5, TOKEN, NOW))
    await store.record_heartbeat(NOW)
    await store.close()
    return content_of(path)


def content_of(path: Path) -> bytes:
    return path.read_bytes()


def put(path: Path, content: bytes) -> None:
    """Make *content* all that there is of the database at *path*."""
    for left in path.parent.iterdir():
        left.unlink()
    path.write_bytes(content)
    path.chmod(0o600)


def flipped(content: bytes, rng: Random) -> bytes:
    """*content* with one to eight wrong bits, every other one near the beginning of a page, where SQLite keeps its
    order: https://www.sqlite.org/fileformat2.html"""
    damaged = bytearray(content)
    for _ in range(rng.choice((1, 1, 8))):
        start = rng.randrange(len(content) // PAGE) * PAGE
        place = start + rng.randrange(150) if rng.randrange(2) else rng.randrange(len(content))
        damaged[place] ^= 1 << rng.randrange(8)
    return bytes(damaged)


async def start(url: str) -> str:
    """What a start of the bot does with the database at *url*, in a word."""
    try:
        store = await Store.open(url)
    except StoreUnreachable as error:
        return f"not opened: {error}"
    try:
        await store.record_startup_outage(NOW + 5)
        found = await take_over(store, NOW + 5)
        for aside in await store.unannounced_quarantines():
            await store.record_quarantine_announced(aside.table, NOW + 6)
    except (DBAPIError, Damaged) as error:
        return f"not read: {error_reason(error)}"
    finally:
        await store.close()
    return f"{len(found.live)} tables"


@pytest.mark.parametrize("seed", range(2))
async def test_wrong_bits_end_no_start_with_a_traceback_and_let_no_secret_out(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "t.sqlite3"
    url = f"sqlite+aiosqlite:///{path}"
    content, rng, said = await make(path), Random(seed), []
    outcomes = set()
    with captured_log() as log:
        for _ in range(FLIPS):
            put(path, flipped(content, rng))
            assert await doctor.run_doctor_command(url, said.append) in (0, 1)
            outcome = await start(url)
            outcomes.add(outcome)
            said.append(outcome)
    text = log.getvalue() + "".join(said)
    assert "6 tables" in outcomes, "most bits matter to nobody"
    assert len(outcomes) > 1, "and some to all"
    secrets = {
        TOKEN,
        '"hands"',
        *(secret for number in range(6) for secret in (table(number).secret, table(number).seed)),
    }
    assert not [secret for secret in secrets if secret in text]


async def test_that_a_part_of_the_file_is_damaged_is_said_once_and_not_taken_back(tmp_path: Path) -> None:
    """Where some writes fail and others succeed: it does not become whole again by itself."""
    path = tmp_path / "t.sqlite3"
    content = bytearray(await make(path))
    with closing(sqlite3.connect(path)) as there:
        (root,) = there.execute("SELECT rootpage FROM sqlite_master WHERE name = 'preferences'").fetchone()
    content[(root - 1) * PAGE : root * PAGE] = b"\xff" * PAGE
    put(path, bytes(content))
    with captured_log() as log:
        store = await Store.open(f"sqlite+aiosqlite:///{path}")
        try:
            for version in (4, 5):
                with pytest.raises(DBAPIError):
                    await store.save_preferences(1, Preferences(locale="de"))
                await store.save_change(table(0)._replace(version=version), WHAT, NOW)
        finally:
            await store.close()
    lines = [line for line in log.getvalue().splitlines() if "written" in line]
    assert len(lines) == 1, lines
    assert "damaged" in lines[0] or "malformed" in lines[0]
    assert lines[0].endswith("; restore a backup")
