"""People who play at many tables of a cluster at once, and what happens to it meanwhile."""

import asyncio
import json
import math
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

from bot.store.tables import unpack_table
from bot.tables.model import Table
from bot.ui.custom_ids import Verb
from engine.registry import GAMES
from tests.controls import BUTTON, Offer, moves, picks
from tests.process.cluster import SHARDS, Bot, Cluster
from tests.process.person import Person, Seen, clicked
from tests.process.waiting import eventually
from tests.process.watch import LAG_SECONDS, stale


class Players:
    """Two people at a table of *game* in *channel*, who play one game after the other as fast as they can. Every click
    is noted: how long it took, and whether it failed."""

    def __init__(self, cluster: Cluster, channel: int, game: str, people: list[Person], pause: float = 0.0) -> None:
        """*pause* is how long they wait after each click, s."""
        self.cluster = cluster
        self.world = cluster.world
        self.channel = channel
        self.game = game
        self.people = people
        self.pause = pause
        self.clicks = 0
        self.pending_interaction = Counter[tuple[str, int]]()
        """(table, person) -> moves they have asked for."""
        self.failed: list[str] = []
        self.waits: list[tuple[float, float]] = []
        """When each click was made, by the event loop's clock, and how long it was waited for, s."""
        self.moves: list[tuple[float, float]] = []
        """When each move was clicked, and when that was answered, by the event loop's clock."""
        self.table = ""
        self.playing = True
        self.going = asyncio.Event()
        """Unset: they rest as soon as what they are doing is done."""
        self.going.set()
        self.resting = False

    async def use(self, person: Person, body: dict[str, object], what: str) -> bool:
        """Click; whether it was answered. What Discord itself refuses, as the message has changed, is no click."""
        nonce, status, _ = await person.send(body)
        if status != 204:
            await asyncio.sleep(0.02)
            return False
        self.clicks += 1
        began = asyncio.get_running_loop().time()
        outcome = await eventually(lambda: person.outcomes.get(nonce), f"an outcome of {what}", 10)
        self.waits.append((began, asyncio.get_running_loop().time() - began))
        if outcome != "INTERACTION_SUCCESS":
            self.failed.append(f"{what} by {person.name} in {self.channel}")
        if self.pause:
            await asyncio.sleep(self.pause)
        return bool(outcome == "INTERACTION_SUCCESS")

    async def press(
        self, person: Person, verb: Verb, message: Callable[[], Seen | None], kind: int = BUTTON, *values: str
    ) -> None:
        """Click the control for *verb*, once it is there, until that was answered."""
        while True:
            seen: Seen = await eventually(message, f"{verb} in {self.channel}", 15)
            found = seen.press(verb)
            if found and await self.use(person, clicked(seen, Offer(found[0], kind, list(values) or None)), verb.value):
                return

    async def open(self) -> None:
        """Open a table and start the game."""
        host, *others = self.people
        before = host.newest(Verb.START, self.channel)
        while not await self.use(host, host.command(self.channel, "play", game=self.game), "/play"):
            pass

        def lobby(person: Person, verb: Verb) -> Seen | None:
            found = person.newest(verb, self.channel)
            return found if found is not None and (before is None or found.id > before.id) else None

        for person in others:
            await self.press(person, Verb.JOIN, lambda p=person: lobby(p, Verb.JOIN))  # type: ignore[misc]
        await self.press(host, Verb.OPTIONS, lambda: lobby(host, Verb.OPTIONS))
        form = await eventually(lambda: host.form(Verb.OPTIONS, self.channel), "the form of options")
        await self.use(host, host.sent(form, pace="off"), "options")
        found: Seen = await eventually(lambda: lobby(host, Verb.START), "a lobby that can start")
        pressed = found.press(Verb.START)
        assert pressed is not None
        self.table = pressed[1].table
        await self.press(host, Verb.START, lambda: lobby(host, Verb.START))

    def _hand(self) -> tuple[Person, Seen] | None:
        """Who can move, and the hand from which they can."""
        found = [
            (it.id, p, it)
            for p in self.people
            for it in p.messages.values()
            if it.ply is not None and it.about(self.table)
        ]
        if not found:
            return None
        _, person, seen = max(found, key=lambda it: (it[2].ply or 0, it[0]))
        return person, seen

    def over(self) -> bool:
        """Whether the game is over, as everybody sees."""
        return any(it.press(Verb.REMATCH) and it.about(self.table) for it in self.people[0].messages.values())

    async def play(self) -> None:
        """Play until ``playing`` is false."""
        await self.open()
        while self.playing:
            self.resting = True
            await self.going.wait()
            self.resting = False
            if self.over():
                await self.open()
                continue
            if (found := self._hand()) is None:
                await asyncio.sleep(0.02)
                continue
            person, seen = found
            offers = moves(seen) or picks(seen)
            before = seen.ply
            self.pending_interaction[self.table, person.id] += 1
            if await self.use(person, clicked(seen, offers[self.clicks % len(offers)]), "move"):
                at, wait = self.waits[-1]
                if await self._changed(person, seen, before):
                    self.moves.append((at, at + wait))

    async def _changed(self, person: Person, seen: Seen, before: int | None) -> bool:
        """Wait until the hand has changed, and return whether it has: a click may have been too late, or its person
        was told to try again."""
        for _ in range(200):
            if person.messages.get(seen.id) is not seen or self.over():
                return True
            await asyncio.sleep(0.01)
        return False

    def stale(self, table: Table, *, lags: bool) -> str:
        """What does not show the newest state of *table*; empty when all is well. If it *lags*, the table message may
        be moves behind."""
        return stale([p for p in self.people if table.seat_of(p.id) is not None], table, self.world, lags=lags)


def players(cluster: Cluster, tables: int, pause: float = 0.0) -> list[Players]:
    """People for so many *tables* of all games in turn, in channels of all servers in turn."""
    channels = list(cluster.world.channels)
    each = len(channels) // SHARDS
    spread = [channels[server * each + place] for place in range(each) for server in range(SHARDS)]
    people, games = cluster.world.people, sorted(GAMES)
    return [
        Players(
            cluster,
            spread[n],
            games[n % len(games)],
            [people[(2 * n) % len(people)], people[(2 * n + 1) % len(people)]],
            pause,
        )
        for n in range(tables)
    ]


# What happens to a cluster


@asynccontextmanager
async def under_clicks(cluster: Cluster, tables: int, pause: float = 0.0) -> AsyncIterator[list[Players]]:
    """In the block people play at so many *tables*; at the end of it they stop."""
    everybody = players(cluster, tables, pause)
    async with asyncio.TaskGroup() as tasks:
        for it in everybody:
            tasks.create_task(it.play())
        await eventually(lambda: all(it.moves for it in everybody), "everybody to play", 300)
        yield everybody
        for it in everybody:
            it.playing = False
            it.going.set()


async def served_again(cluster: Cluster, players: list[Players], seconds: float) -> float:
    """How long it takes until a move that is clicked from now on is answered at every table; AssertionError if it is
    longer than that."""
    began = asyncio.get_running_loop().time()

    def first(it: Players) -> float | None:
        return next((answered for at, answered in it.moves if at >= began), None)

    patience = seconds + max(it.pause for it in players) + 2  # they count it after their pause
    await eventually(lambda: all(first(it) for it in players), "a move at every table", patience)
    took = max(answered for it in players if (answered := first(it)) is not None) - began
    assert took <= seconds, f"a move at every table after {took:.1f} s"
    return took


async def shown(cluster: Cluster, players: list[Players], seconds: float) -> float:
    """How long it takes, once everybody rests, until every message shows the newest state, or is a table message that
    may be moves behind; AssertionError if it is longer than that. Those are right soon as well. Then they play on."""
    for it in players:
        it.going.clear()
    await eventually(lambda: all(it.resting or not it.playing for it in players), "everybody to rest", 30)
    began = asyncio.get_running_loop().time()
    newest: dict[int, Table] = {}
    read_at = -math.inf

    def behind(*, lags: bool) -> list[str]:
        nonlocal newest, read_at
        if (now := asyncio.get_running_loop().time()) >= read_at + 0.5:  # timers may still make a move meanwhile
            newest = {table.channel: table for table in sorted(cluster.tables().values(), key=lambda it: it.created_at)}
            read_at = now
        return [found for it in players if (found := it.stale(newest[it.channel], lags=lags))]

    await eventually(lambda: not behind(lags=True), lambda: f"to be shown: {behind(lags=True)}", seconds)
    took = asyncio.get_running_loop().time() - began
    late = seconds + LAG_SECONDS
    await eventually(lambda: not behind(lags=False), lambda: f"to be shown: {behind(lags=False)}", late)
    for it in players:
        it.going.set()
    return took


async def kill(cluster: Cluster, players: list[Players], within: float = 15) -> tuple[int, float]:
    """Kill whoever serves the first table; (how many tables it served, after how long all were served again, *within*
    so many seconds)."""
    victim = cluster.holder_of(players[0].channel)
    mine = [it for it in players if cluster.holder_of(it.channel) is victim]
    victim.signal(signal.SIGKILL)
    await victim.ended()
    victim.process = None
    return len(mine), await served_again(cluster, mine, within)


async def roll(cluster: Cluster) -> list[float]:
    """Stop and start every process, one after the other; how long each took to hand everything over."""
    return [await restart(cluster, bot) for bot in cluster.bots]


async def restart(cluster: Cluster, bot: Bot) -> float:
    """Stop *bot* politely and start it again; how long it took to hand everything over, s."""
    began = asyncio.get_running_loop().time()
    bot.signal(signal.SIGTERM)
    assert await bot.ended() == 0
    took = asyncio.get_running_loop().time() - began
    await bot.start()
    await cluster.settled(len(cluster.bots), 120)
    return took


def check_history(cluster: Cluster, players: list[Players]) -> int:
    """Check that no version is missing, that each is one action at most, and that every move of a person was asked
    for by a click of theirs; return how many moves there were."""
    clicks = Counter[tuple[str, int]]()
    for it in players:
        clicks.update(it.pending_interaction)
    history: dict[str, list[tuple[dict[str, Any], Table]]] = {}
    for table, version, last, snapshot in cluster.rows("SELECT * FROM versions ORDER BY table_id, version"):
        steps = history.setdefault(str(table), [])
        steps.append((json.loads(str(last)), unpack_table(snapshot)))  # type: ignore[arg-type]
        assert version == len(steps), f"version {version} of {table} is there"
    moves = 0
    for table, steps in history.items():
        asked = Counter[int]()
        for (_, before), (event, after) in pairwise(steps):
            if before.state is None:
                continue
            step = after.state.ply - before.state.ply
            assert step in (0, 1), "one action a version"
            moves += step
            if event["what"] in ("move", "call"):
                asked[event["by"]] += 1
        for person, count in asked.items():
            assert count <= clicks[table, person], "no click counts twice"
    return moves


async def freeze(cluster: Cluster, players: list[Players], seconds: float, within: float = 15) -> float:
    """Stop whoever serves the first table for so many seconds, without a word; after how long its tables were served
    again by others. When it goes on it serves nothing that is theirs."""
    victim = cluster.holder_of(players[0].channel)
    mine = [it for it in players if cluster.holder_of(it.channel) is victim]
    loop = asyncio.get_running_loop()
    began = loop.time()
    victim.signal(signal.SIGSTOP)
    try:
        took = await served_again(cluster, mine, within)
        await asyncio.sleep(max(0.0, seconds - (loop.time() - began)))
    finally:
        victim.signal(signal.SIGCONT)
    return took


async def cut_off(cluster: Cluster, players: list[Players], seconds: float, within: float = 15) -> float:
    """Cut whoever serves the first table off from the database for so many seconds, without a word; after how long its
    tables were served again by others."""
    victim = cluster.holder_of(players[0].channel)
    mine = [it for it in players if cluster.holder_of(it.channel) is victim]
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert victim.line is not None
    victim.line.cut()
    try:
        took = await served_again(cluster, mine, within)
        await asyncio.sleep(max(0.0, seconds - (loop.time() - began)))
    finally:
        victim.line.mend()
    return took
