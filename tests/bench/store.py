"""What is stored of a game: bytes a move while it runs, KiB once it is over; a start with many games that are over; the
CPU of a committed move."""

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bot.store.store import Store
from bot.tables import start as dealing
from bot.tables.model import Phase, Player, Table, TableId
from bot.tables.options import Options
from bot.tables.ticking import serve_due_timer
from bot.tables.timers import next_due
from bot.ui.custom_ids import Verb, custom_id
from engine.game import Json, Seat
from engine.registry import GAMES
from local_discord.model import Message, MessageFlag
from tests.bench.stage import stage
from tests.controls import BUTTON, Offer

PLAYERS = 4
GAMES_EACH = 40
FINISHED = 50_000
CPU_GAMES = 10
BEGAN_MS = 1_800_000_000_000
WHAT: Final = {"what": "timer", "by": None}

Version = tuple[Table, Sequence[Json]]
"""A version of a table, and what it adds to the record."""


class Sizes(NamedTuple):
    """What a game takes in the database, everything included."""

    moves: float
    """How many a game has."""
    bytes_a_move: float
    """While it runs: at its last move but one."""
    kib_a_game: float
    """Once it is over."""


@cache
def played(game: str, number: int) -> tuple[Version, ...]:
    """A whole game of four computer players, one of them for a person who is away."""
    rng = Random(f"{game}/{number}")
    names = ("Margherita", "Johannes", "Willemijn", "Christopher")
    users = (rng.getrandbits(62), None, None, None)
    players = tuple(Player(name, user) for name, user in zip(names, users, strict=True))
    table = Table(
        id=_id(rng), version=1, guild=rng.getrandbits(62), channel=rng.getrandbits(62),
        game=game, phase=Phase.LOBBY, host=users[0] or 0, locale="en", options=Options(),
        players=players, created_at=BEGAN_MS, changed_at=BEGAN_MS, secret=rng.randbytes(32).hex(),
    )  # fmt: skip
    found: list[Version] = [(table, ())]

    def add(changed: Table, at: int) -> None:
        entries = [{**entry, "at": at} for entry in changed.entries]
        found.append((changed._replace(version=len(found) + 1, changed_at=at, entries=()), entries))

    add(dealing.start_game(table, table.host, BEGAN_MS), BEGAN_MS)
    dealt = dealing.deal_cards(found[-1][0], rng.getrandbits(62), BEGAN_MS)
    add(dealt.with_changed_player(Seat(0), away=True), BEGAN_MS)
    while (due := next_due(found[-1][0])) is not None:
        add(serve_due_timer(found[-1][0], due.at), due.at)
    return tuple(found)


def _id(rng: Random) -> TableId:
    """An id as tables have them."""
    return TableId("".join(rng.choices("abcdefghijklmnopqrstuvwxyz234567", k=8)))


def _actions(versions: Sequence[Version]) -> int:
    """How many moves were made, calls included."""
    last = versions[-1][0]
    return last.state.ply


def _address(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


def _used(path: Path) -> int:
    """How many bytes of the database hold something."""
    with closing(sqlite3.connect(path)) as database:
        page, pages, free = (
            database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "page_count", "freelist_count")
        )
    return int(page * (pages - free))


async def _write(store: Store, versions: Sequence[Version]) -> None:
    """Store them, one after the other."""
    for table, entries in versions:
        if table.version == 1:
            await store.create_table(table, WHAT, table.changed_at)
        else:
            await store.save_change(table, WHAT, table.changed_at, entries)


async def sizes(game: str) -> Sizes:
    """What many games that are played at the same time take."""
    games = [played(game, number) for number in range(GAMES_EACH)]
    moves = sum(map(_actions, games))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.sqlite3"
        store = await Store.open(_address(path))
        empty = _used(path)
        await asyncio.gather(*(_write(store, versions[:-1]) for versions in games))
        running = _used(path) - empty
        await asyncio.gather(*(_write(store, versions[-1:]) for versions in games))
        over = _used(path) - empty
        await store.close()
    return Sizes(moves / GAMES_EACH, running / (moves - GAMES_EACH), over / GAMES_EACH / 1024)


# The CPU of a move


async def cpu(game: str) -> float:
    """CPU of a committed version, ms."""
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(_address(Path(folder) / "now.sqlite3"))
        spent, count = 0.0, 0
        for number in range(CPU_GAMES):
            (first, _), *rest = played(game, number)
            await store.create_table(first, WHAT, first.changed_at)
            for table, entries in rest:
                count += 1
                began = time.process_time()
                await store.save_change(table, WHAT, table.changed_at, entries)
                spent += time.process_time() - began
        await store.close()
    return spent * 1000 / count


# A start


async def start() -> float:
    """Seconds from the start of the process to its first answer, with many tables that are over and one that is
    live."""
    async with stage(1, 2) as it:
        path = it.folder / "tables.sqlite3"
        store = await Store.open(_address(path))
        for game in GAMES:
            await _write(store, played(game, 0))
        place, host = it.channels[0], it.world.people[0]
        lobby = played(next(iter(GAMES)), 1)[0][0]
        lobby = lobby._replace(guild=place.guild or 0, channel=place.id, host=host.id)
        lobby = lobby._replace(players=(Player(host.name, host.id),))
        await store.create_table(lobby, WHAT, lobby.changed_at)
        await store.close()
        _multiply(path)
        message = Message(it.world.snowflakes.next(), place.id, it.world.bot.id, flags=int(MessageFlag.COMPONENTS_V2))
        rules = custom_id(Verb.RULES, lobby.id)
        button = {"type": BUTTON, "style": 2, "label": "?", "custom_id": rules, "id": 2}
        message.components = [{"type": 1, "components": [button], "id": 1}]
        place.messages[message.id] = message
        began = time.perf_counter()
        await it.start_ours()
        await it.done(it.click(host, message, Offer(rules, BUTTON, None)))
        return time.perf_counter() - began


def _multiply(path: Path) -> None:
    """Have as many copies of the tables that are over as there are to be, with their records and people."""
    rng = Random(1)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE records SET counted_at = ended_at")
        over = [row[0] for row in database.execute("SELECT table_id FROM records")]
        ids = [(_id(rng), over[number % len(over)]) for number in range(FINISHED - len(over))]
        for name, column in (("tables", "id"), ("records", "table_id"), ("record_people", "table_id")):
            others = [row[1] for row in database.execute(f"PRAGMA table_info({name})") if row[1] != column]
            listed = ", ".join(others)
            database.executemany(
                f"INSERT INTO {name} ({column}, {listed}) SELECT ?, {listed} FROM {name} WHERE {column} = ?", ids
            )
