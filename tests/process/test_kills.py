"""kill -9 at any moment, again and again over running games of every kind (two hundred times in ``make soak``): no
committed move is lost, none is applied twice, every table goes on by itself, every message shows the newest state, old
buttons work."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from bot.tables.model import Phase, Table
from bot.ui.custom_ids import Verb, parse_custom_id
from tests.controls import BUTTON, Offer, moves, picks
from tests.games import CASES
from tests.kept import history
from tests.process.person import Person, Seen, clicked
from tests.process.waiting import PATIENCE_SECONDS, eventually
from tests.process.watch import LAG_SECONDS, plies, stale, tables
from tests.process.world import World, local_world

KILLS, RUNS = (50, 4) if os.environ.get("SOAK") else (8, 1)
"""How many in each of how many runs."""


class Crowd:
    """People who play as soon as they may, at one table of every game, whatever happens to the bot."""

    def __init__(self, world: World, store: Path, rng: Random) -> None:
        self.world = world
        self.store = store
        self.rng = rng
        self.people = world.people[:4]
        channels = list(world.channels)[: len(CASES)]
        self.channels = dict(zip(sorted(CASES), channels, strict=True))
        self.clicks: Counter[tuple[str, int]] = Counter()
        """(table, person) -> moves they have asked for."""
        self._rounds = 0

    async def press(self, person: Person, message: Seen, offer: Offer) -> None:
        """A click that nobody waits for: the bot may be dead."""
        press = parse_custom_id(offer.custom_id)
        assert press is not None
        if press.verb in (Verb.MOVE, Verb.CALL):
            self.clicks[press.table, person.id] += 1
        await person.try_to(clicked(message, offer))

    async def play(self) -> None:
        """One round of clicks."""
        self._rounds += 1
        if self._rounds % 8 == 1:
            for game, channel in self.channels.items():
                await self.keep_open(game, channel)
        for person in self.people:
            for message in list(person.messages.values()):
                offer = self.offer(message)
                if offer is not None:
                    await self.press(person, message, offer)

    def offer(self, message: Seen) -> Offer | None:
        """What somebody clicks on *message*: a move, sometimes a call, or what leads to a move."""
        found, call = moves(message), message.press(Verb.CALL)
        if found and (call is None or self.rng.randrange(5)):
            return self.rng.choice(found)
        if call is not None and (found or not self.rng.randrange(40)):
            return Offer(call[0], BUTTON, None)
        return self.rng.choice(picks(message)) if picks(message) else None

    async def play_for(self, seconds: float) -> None:
        """Rounds of clicks for *seconds*: how many that makes is nobody's business."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until:
            await self.play()
            await asyncio.sleep(0.03)

    async def play_until(self, reached: Callable[[], bool]) -> None:
        """Rounds of clicks until *reached*; AssertionError when it takes a minute."""
        async with asyncio.timeout(60):
            while not reached():
                await self.play_for(0.05)

    async def keep_open(self, game: str, channel: int) -> None:
        """A table of *game* in *channel*: opened, filled and started as need be."""
        live = [t for t in tables(self.store).values() if t.live and t.channel == channel]
        host, *others = self.world.players(game, len(self.people))
        if not live:
            await host.try_to(host.command(channel, "play", game=game))
            return
        if live[0].phase is not Phase.LOBBY:
            return
        for person in others:
            lobby = person.newest(Verb.JOIN, channel)
            if lobby is not None and live[0].seat_of(person.id) is None:
                await self.press(person, lobby, Offer(lobby.press(Verb.JOIN)[0], BUTTON, None))
        lobby = host.newest(Verb.OPTIONS, channel)
        if lobby is not None and live[0].options.beat_ms:
            if form := host.form(Verb.OPTIONS, channel):
                await host.try_to(host.sent(form, pace="off"))
            else:
                await self.press(host, lobby, Offer(lobby.press(Verb.OPTIONS)[0], BUTTON, None))
        elif lobby is not None and len(live[0].players) == 1 + len(others) and lobby.press(Verb.START):
            await self.press(host, lobby, Offer(lobby.press(Verb.START)[0], BUTTON, None))

    def stale(self, table: Table, *, lags: bool = False) -> str:
        """What does not show the newest state of *table*; empty when all is well. If it *lags*, the table message may
        be moves behind."""
        return stale([p for p in self.people if table.seat_of(p.id) is not None], table, self.world, lags=lags)


@pytest.mark.one_in(3)
@pytest.mark.about(*CASES)
@pytest.mark.parametrize("seed", range(RUNS))
async def test_killed_at_any_moment_every_table_goes_on_and_no_move_is_lost_or_doubled(
    tmp_path: Path, seed: int
) -> None:
    rng = Random(seed)
    store = tmp_path / "tables.sqlite3"
    async with local_world() as world:
        crowd = Crowd(world, store, rng)
        await world.start_bot(store)
        await crowd.play_until(lambda: _played(store) == set(CASES))
        for killed in range(KILLS):
            # Every fourth time it has hardly started; else it dies at some moment after a move was committed.
            if killed % 4 != 3:
                so_far = plies(store)
                await crowd.play_until(lambda so_far=so_far: plies(store) > so_far)
            await crowd.play_for(rng.uniform(0.0, 0.3))
            await world.kill_bot()
            committed = {table.id: table for table in tables(store).values()}
            await world.start_bot(store)
            after = tables(store)
            for table in committed.values():
                assert after[table.id].version >= table.version

        # Nobody clicks any more: with the computers and timers done, everything shows the newest state.
        def behind() -> str:
            found = [crowd.stale(t) for t in tables(store).values() if t.phase is Phase.PLAYING]
            return f"to be shown: {found}"

        await eventually(lambda: _still(store, crowd), behind, PATIENCE_SECONDS + LAG_SECONDS)
        # Old buttons work: whoever is on turn plays from the message that survived.
        for table in [t for t in tables(store).values() if t.phase is Phase.PLAYING]:
            before = table.state.ply
            await eventually(lambda t=table: _still(store, crowd, lags=True) and tables(store)[t.id], "peace")
            await _one_move(crowd, tables(store)[table.id])
            await eventually(lambda t=table, ply=before: _ply(store, t.id) > ply, "the move from an old button")
        check(store, crowd)
        assert "Traceback" not in (tmp_path / "bot.log").read_text()


async def _one_move(crowd: Crowd, table: Table) -> None:
    seat = table.rules.on_turn(table.state)
    person = next(p for p in crowd.people if p.id == table.players[seat].user)
    message = next(m for m in person.messages.values() if m.about(table.id) and m.ply is not None)
    await crowd.press(person, message, await person.offer(message))


def _played(store: Path) -> set[str]:
    """The games of which a move has been made."""
    return {t.game for t in tables(store).values() if t.state is not None and t.state.ply}


def _ply(store: Path, table: str) -> int:
    found = tables(store)[table]
    ply: int = found.state.ply
    return ply


def _still(store: Path, crowd: Crowd, *, lags: bool = False) -> bool:
    playing = [table for table in tables(store).values() if table.phase is Phase.PLAYING]
    return all(table.held is None and table.window is None and not crowd.stale(table, lags=lags) for table in playing)


def check(store: Path, crowd: Crowd) -> None:
    """The whole history: every step is one action at most, every person's move was asked for by a click."""
    for table, steps in history(store).items():
        asked: Counter[int] = Counter()
        for (_, before), (event, after) in pairwise(steps):
            if before.state is None:
                continue
            step = after.state.ply - before.state.ply
            assert step in (0, 1), "one action a version"
            if event["what"] in ("move", "call"):
                asked[event["by"]] += 1
        for person, count in asked.items():
            assert count <= crowd.clicks[table, person], "no click counts twice"
