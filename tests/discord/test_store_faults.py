"""The database fails in every way it can: people are told, the log holds no secret, afterwards the game goes on.

The faults are SQLite's own: another connection holds its lock, its file may not grow, the system refuses to write, a
constraint does not hold.
"""

import resource
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from bot.monitoring.state import BotState
from bot.tables.errors import Why
from bot.tables.options import Options, Pace
from bot.tables.outages import ALIVE_INTERVAL_MS
from bot.ui.custom_ids import Verb
from bot.ui.replies import REFUSALS
from tests import kept
from tests.bot.logs import captured_log
from tests.discord.messages import private_text, text_of
from tests.discord.play import Club, open_club
from tests.discord.test_doctor import doctor, owner
from tests.process.faults import every_fault
from tests.process.test_logs import TELLING, hands

CLOCK = Options(pace=Pace.OFF, turn_seconds=30, window_ms=0, hold_ms=0)


@asynccontextmanager
async def locked(club: Club, path: Path) -> AsyncIterator[None]:
    """Another program has locked the database for longer than anybody waits, which is not at all here."""
    writer = club.bot.store._writer
    before, writer._retry_seconds = writer._retry_seconds, 0.0
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
    writer._retry_seconds = before


@asynccontextmanager
async def full(club: Club, path: Path) -> AsyncIterator[None]:
    """The database may not grow. https://www.sqlite.org/pragma.html#pragma_max_page_count"""

    store, table = club.bot.store, club.table().id
    fillers = {
        "moves": f"SELECT '{table}', coalesce(max(version), 0) + 1000, {{0}} FROM moves",
        "versions": "VALUES ('', 0, '', {0})",  # a snapshot may take the place of another one, but here it is added
    }

    async def limit(pages: int) -> None:
        await store._database.read(lambda it: it.exec_driver_sql(f"PRAGMA max_page_count = {pages}"))

    async def fill(name: str, size: int) -> None:
        """Use up what is free in the pages that there are, row by row of so many bytes."""
        row = f"INSERT INTO {name} {fillers[name].format(f'hex(zeroblob({size}))')}"
        for _ in range(1000):
            await store._database.write(lambda it: it.exec_driver_sql(row))

    await limit(1)
    for size in (1000, 100, 10):
        for name in fillers:
            with pytest.raises(OperationalError, match="full"):
                await fill(name, size)
    yield
    await limit(1 << 30)
    for rest in ("moves WHERE version >= 1000", "versions WHERE table_id = ''"):
        await store._database.write(lambda it, rest=rest: it.exec_driver_sql(f"DELETE FROM {rest}"))


@asynccontextmanager
async def broken(club: Club, path: Path) -> AsyncIterator[None]:
    """The system refuses to write what makes the write-ahead log longer: an I/O error."""
    size = path.with_name(path.name + "-wal").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@asynccontextmanager
async def refused(club: Club, path: Path) -> AsyncIterator[None]:
    """A constraint does not hold, whatever is written of tables and messages."""

    async def run(*statements: str) -> None:
        for statement in statements:
            await club.bot.store._database.write(lambda it, s=statement: it.exec_driver_sql(s))

    names = ("tables", "messages")
    changes = [(name, change) for name in names for change in ("INSERT", "UPDATE")]
    await run(*(f"CREATE TRIGGER {n}_{c} BEFORE {c} ON {n} BEGIN SELECT RAISE(ABORT, 'no'); END" for n, c in changes))
    yield
    await run(*(f"DROP TRIGGER {n}_{c}" for n, c in changes))


Faulty = Callable[[Club, Path], AbstractAsyncContextManager[None]]


SAID = {
    locked: "nothing can be written to the database: another program has locked the database",
    full: "nothing can be written to the database: database or disk is full",
    broken: "nothing can be written to the database: disk I/O error",
    refused: "IntegrityError",
}
"""What the log says of it."""


@every_fault([*SAID])
async def test_no_fault_of_the_store_puts_a_secret_into_the_log(tmp_path: Path, game: str, fault: Faulty) -> None:
    """Clicks, messages that cannot be recorded, timers of people and of computers."""
    path = tmp_path / "tables.sqlite3"
    kept.keep(path)
    async with open_club(tmp_path, game, CLOCK) as club:
        await club.open(club.anna, club.bruno, computers=1 if 3 in club.rules.seats else 0)
        await club.play_until_on_turn(club.anna)
        hand, offers = await club.offered(club.anna)
        before = club.table()
        with captured_log() as log:
            async with fault(club, path):
                answer = await club.use(club.anna, hand, offers[0])
                told = text_of(answer.followups[-1] if answer.followups else answer.response)
                await club.press(club.bruno, club.table_message(), Verb.HAND)  # its message and token are recorded
                await club.press(club.bruno, club.table_message(), Verb.MENU)
                await club.clock.advance(60_000)
                assert club.table() == before
        await club.clock.advance(400_000)
        after = await club.bot.store.load_table(before.id)
        assert after is not None
        assert after.version > before.version, "the timers are served again"
        requests = [r.path.split("/") for r in club.env.http_requests]
    said = log.getvalue()
    assert "try again" in told or "Sorry" in told
    assert "timer failed" in said
    assert SAID[fault] in said
    tokens = {parts[3] for parts in requests if parts[1] in ("webhooks", "interactions") and len(parts) > 3}
    cards = {card for card in hands(path) if len(card) >= TELLING}
    for secrets in (tokens, cards, {before.seed}):
        assert secrets
        assert not [secret for secret in secrets if secret in said]
    assert '"hands"' not in said
    assert '"players"' not in said


async def test_a_refusal_that_cannot_be_explained_is_answered_all_the_same(club: Club, tmp_path: Path) -> None:
    """What the sentence is about is read from the store, which fails just then."""
    await club.open(club.anna, club.bruno)
    await club.finish()
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database, database:
        database.execute("DROP TABLE messages")
    answer = await club.press(club.stranger, club.messages()[-1], Verb.REMATCH)
    assert REFUSALS[Why.TRY_AGAIN] in private_text(answer)


@pytest.mark.about("diciassette")
@pytest.mark.parametrize("fault", [locked, broken], ids=lambda it: it.__name__)
async def test_a_bot_that_cannot_write_is_not_ready_and_doctor_says_so(tmp_path: Path, fault: Faulty) -> None:
    """Reading works all the while."""
    async with open_club(tmp_path, "diciassette", CLOCK) as club:
        await club.open(club.anna, club.bruno)
        olga, watched = owner(club), BotState()
        watched.bot = club.bot
        assert watched.unready_reason() == ""
        async with fault(club, tmp_path / "tables.sqlite3"):
            await club.clock.advance(2 * ALIVE_INTERVAL_MS)
            assert "takes no changes" in watched.unready_reason()
            assert "My database does not answer" in await doctor(club, olga)
        await club.clock.advance(2 * ALIVE_INTERVAL_MS)
        assert watched.unready_reason() == ""
