"""Whole games of every kind while everything that is awkward about Discord, and about the machine, happens at once. It
takes about five minutes; run it by its name.

Emojis are refused at random, threads archive, direct messages cannot be opened, old messages take no edits, the time of
day jumps by an hour, the process stands still. Every game is finished, every click is answered; what Discord had to
show as failed had no effect; no turn is lost; and when it is over every message is up to date within five seconds.

Another run has what Discord refuses: its error codes come at random, half of the people take no direct messages, and
now and then Cloudflare bans the bot. Nobody loses a turn, a seat or a result, and afterwards every message is right.
"""

import asyncio
import os
import signal
from collections import defaultdict
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.delivery.plan import LONGEST_LAG_MS
from bot.tables.model import Ending, Phase, Table
from bot.tables.options import Pace
from bot.ui.custom_ids import Verb, parse_custom_id
from tests.controls import BUTTON, Offer, moves, picks
from tests.games import CASES
from tests.kept import history
from tests.process.person import Person, Seen, clicked
from tests.process.waiting import eventually
from tests.process.watch import stale, tables
from tests.process.world import World, local_world

GAMES_EACH: Final = int(os.environ.get("AWKWARD_GAMES", "2"))
STILL_SECONDS: Final = 20.0
JUMP_SECONDS: Final = "15"
REFUSALS: Final[list[tuple[str, str, dict[str, Any]]]] = [
    ("POST", "/channels/*/messages", {"status": 503, "probability": 0.03}),
    ("POST", "/channels/*/messages", {"status": 403, "code": 40333, "probability": 0.03}),
    ("POST", "/channels/*/messages", {"status": 403, "code": 50001, "probability": 0.02}),
    ("POST", "/channels/*/messages", {"status": 429, "retry_after": 8.0, "probability": 0.02}),
    ("PATCH", "/channels/*/messages/*", {"status": 403, "code": 40333, "probability": 0.03}),
    ("PATCH", "/channels/*/messages/*", {"status": 404, "code": 10003, "probability": 0.01}),
    ("PATCH", "/channels/*/messages/*", {"status": 403, "probability": 0.02}),
    ("PATCH", "/channels/*/messages/*", {"cut": True, "probability": 0.02}),
    ("PATCH", "/webhooks/*", {"status": 503, "probability": 0.02}),
    ("POST", "/users/@me/channels", {"status": 400, "probability": 0.3}),
    ("POST", "/users/@me/channels", {"status": 429, "retry_after": 40.0, "probability": 0.2}),
]
"""What Discord refuses at random: method, path, and the fault."""
BOTS_PATHS: Final = ("/interactions/*", "/webhooks/*", "/channels/*/messages*", "/users/@me*")
BAN_SECONDS: Final = 5.0
AFTER_A_BAN_SECONDS: Final = 35.0
"""So long after its end a ban may go on for the bot, which tries once in 30 seconds."""
LIMIT: Final = "30"
"""The turn limit, s: less than what a process that stands still twice would take up."""


class Guests:
    """People who play in threads, and note how each click ended."""

    def __init__(self, world: World, store: Path, rng: Random) -> None:
        self.world = world
        self.store = store
        self.rng = rng
        self.people = world.people[:3]
        self.threads: dict[str, int] = {}
        self.nonces: dict[tuple[str, int, int], list[tuple[Person, str]]] = defaultdict(list)
        """(table, ply, person) -> their clicks on a move or call there."""
        self.clicked: list[tuple[Person, str]] = []
        self.unseen: set[str] = set()
        """Clicks on messages that were deleted before the outcome: Discord takes no answer to them, but nobody is shown
        a failure, as that would stand in the message."""
        self.sent: dict[str, float] = {}
        """When each click was made, by its nonce, on the event loop's clock."""
        self.stopped: list[float] = []
        """When the bot was stopped."""
        self.banned: list[float] = []
        """When Cloudflare banned it."""

    async def make_threads(self) -> None:
        """A thread for every game."""
        for game, channel in zip(sorted(CASES), list(self.world.channels)[: len(CASES)], strict=True):
            status, thread = await self.world.call(
                "POST", f"/channels/{channel}/threads", {"name": game, "type": 11}, self.people[0].token
            )
            assert status == 201, thread
            self.threads[game] = int(thread["id"])
            self.world.channels[int(thread["id"])] = self.world.channels[channel]

    async def press(self, person: Person, message: Seen, offer: Offer) -> None:
        """A click; how it ends is looked at later. An archived thread is reopened first, as Discord's clients do."""
        press = parse_custom_id(offer.custom_id)
        assert press is not None
        if message.channel in self.threads.values():
            await self.world.call("PATCH", f"/channels/{message.channel}", {"archived": False}, person.token)
        made = asyncio.get_running_loop().time()
        nonce, status, _ = await person.send(clicked(message, offer))
        self.sent[nonce] = made
        if status != 204:
            return
        self.clicked.append((person, nonce))
        if press.verb in (Verb.MOVE, Verb.CALL):
            self.nonces[press.table, press.ply, person.id].append((person, nonce))
        await eventually(lambda: person.outcomes.get(nonce), "an outcome", STILL_SECONDS + 15)
        if message.id not in person.messages:
            self.unseen.add(nonce)

    async def play(self, person: Person, done: asyncio.Event) -> None:
        """*person* plays at every table until *done*."""
        while not done.is_set():
            await asyncio.sleep(0.05)
            for table in [t for t in tables(self.store).values() if t.phase is Phase.PLAYING]:
                await self.take_hand(person, table)
            for message in list(person.messages.values()):
                offer = self.offer(message)
                if offer is not None and self.rng.random() < 0.7:
                    await self.press(person, message, offer)

    async def take_hand(self, person: Person, table: Table) -> None:
        """Who is on turn and has no hand that offers a move presses *My hand*: whoever gets no direct messages at once,
        others after a while."""
        seat = table.seat_of(person.id)
        if seat is None or table.rules.on_turn(table.state) != seat:
            return
        by_dm = table.players[seat].by_dm
        if by_dm and self.rng.random() < 0.99:
            return
        if not any(
            (by_dm or m.private) and m.about(table.id) and (moves(m) or picks(m)) for m in person.messages.values()
        ):
            await self._use(person, Verb.HAND, table.channel)

    def offer(self, message: Seen) -> Offer | None:
        """What somebody clicks on *message*: a move, seldom a call, or what leads to a move."""
        if moves(message):
            return self.rng.choice(moves(message))
        if picks(message):
            return self.rng.choice(picks(message))
        call = message.press(Verb.CALL)
        return Offer(call[0], BUTTON, None) if call is not None and not self.rng.randrange(60) else None

    async def keep_open(self, game: str) -> None:
        """A table of *game* in its thread: opened, filled and started as need be."""
        channel, (host, *others) = self.threads[game], self.people
        live = [t for t in tables(self.store).values() if t.live and t.channel == channel]
        if not live:
            await self.world.call("PATCH", f"/channels/{channel}", {"archived": False}, host.token)
            await host.send(host.command(channel, "play", game=game))
            await eventually(lambda: [t for t in tables(self.store).values() if t.live and t.channel == channel], game)
            return
        table = live[0]
        if table.phase is not Phase.LOBBY:
            return
        for person in others:
            seat = table.seat_of(person.id)
            if seat is None or table.players[seat].invited:
                await self._use(person, Verb.JOIN, channel)
        if form := host.form(Verb.OPTIONS, channel):
            quick = {"game_length": "short"} if table.rules.options else {}
            await host.send(host.sent(form, pace="fast", limit=LIMIT, **quick))
        elif table.options.pace is not Pace.FAST:
            await self._use(host, Verb.OPTIONS, channel)
            return
        if len(table.seated_players) == len(self.people):
            await self._use(host, Verb.START, channel)

    async def _use(self, person: Person, verb: Verb, channel: int) -> None:
        message = person.newest(verb, channel)
        found = message.press(verb) if message is not None else None
        if message is not None and found is not None:
            await self.press(person, message, Offer(found[0], BUTTON, None))

    def may_have_failed(self, made: list[float]) -> bool:
        """Whether Discord may have shown one of the clicks, *made* at these times, as failed although it had an effect:
        a process that is stopped between the commit and the answer cannot answer in time, nor can one that Cloudflare
        lets make no requests."""
        end = BAN_SECONDS + AFTER_A_BAN_SECONDS
        return any(0 <= at - it < 3 for at in self.stopped for it in made) or any(
            -3 < it - at < end for at in self.banned for it in made
        )

    def when(self, made: list[float]) -> str:
        """When the clicks, *made* at these times, were made: what time it was then, and how long after each stop and
        ban."""
        now = asyncio.get_running_loop().time()
        since = [[round(it - at, 1) for at in (*self.stopped, *self.banned)] for it in made]
        return f"at {[f'{datetime.now() - timedelta(seconds=now - it):%H:%M:%S}' for it in made]}, {since} s after each"

    def finished(self, game: str) -> int:
        """How many games of *game* were played to the end."""
        return sum(t.game == game and t.ending is Ending.FINISHED for t in tables(self.store).values())

    def stale(self, *, lags: bool = False) -> list[str]:
        """What is not up to date; if it *lags*, table messages may be moves behind."""
        live = [t for t in tables(self.store).values() if t.phase is Phase.PLAYING]
        by_dm = {t.id: [p for p in self.people if t.players[t.seat_of(p.id)].by_dm] for t in live}
        found = [stale(by_dm[table.id] or self.people, table, self.world, lags=lags) for table in live]
        for table in live:
            now = (None, table.state.ply)
            here = [(p, m) for p in self.people for m in p.messages.values() if m.private and m.about(table.id)]
            found += [f"the hand here of {p.name} in {table.game} is at {m.ply}" for p, m in here if m.ply not in now]
        return [it for it in found if it]


async def trouble(world: World, guests: Guests, rng: Random, done: asyncio.Event) -> None:
    """One thing after the other, again and again, until *done*."""
    assert world.bot is not None
    number = 0
    while not done.is_set():
        number += 1
        await asyncio.sleep(rng.uniform(0.5, 2.0))
        for thread in guests.threads.values():
            if rng.random() < 0.2:
                await world.call("POST", f"/local/channels/{thread}", {"archived": True})
        if number % 8 == 3:
            for person in guests.people:
                for message in list(person.messages):
                    await world.call("POST", f"/local/messages/{message}", {"age_seconds": 4000})
        if number % 15 == 10:
            guests.stopped.append(asyncio.get_running_loop().time())
            world.bot.send_signal(signal.SIGSTOP)
            await asyncio.sleep(STILL_SECONDS)
            world.bot.send_signal(signal.SIGCONT)


async def test_whole_games_while_everything_is_awkward(tmp_path: Path) -> None:
    rng = Random("awkward")
    store = tmp_path / "tables.sqlite3"
    async with local_world() as world:
        guests = Guests(world, store, rng)
        await guests.make_threads()
        await world.fault(emojis={"refuse_percent": 3, "seed": 1}, dm_openings={"limit": 1, "seconds": 30})
        await world.start_bot(store, "tests.process.jumping", JUMP_SECONDS=JUMP_SECONDS)
        done = asyncio.Event()
        async with asyncio.timeout(900), asyncio.TaskGroup() as group:
            group.create_task(trouble(world, guests, rng, done))
            players = [group.create_task(guests.play(person, done)) for person in guests.people]
            while min(guests.finished(game) for game in CASES) < GAMES_EACH:
                for game in CASES:
                    if guests.finished(game) < GAMES_EACH:
                        await guests.keep_open(game)
                await asyncio.sleep(0.2)
            done.set()
            await asyncio.wait(players)
        await world.call("DELETE", "/local/faults")
        await eventually(lambda: not guests.stale(lags=True), lambda: f"to be shown: {guests.stale(lags=True)}", 5.0)
        await eventually(lambda: not guests.stale(), lambda: f"to be shown: {guests.stale()}", LONGEST_LAG_MS / 1000)
        check(guests, history(store), tmp_path / "bot.log")
        _, session = await world.call("GET", "/local/session")
        assert session["invalid_requests"] < 300
        before, traceback, after = (tmp_path / "bot.log").read_text().partition("Traceback")
        assert not traceback, before[-500:] + traceback + after[:5000]


async def refusals(world: World, guests: Guests, rng: Random, done: asyncio.Event) -> None:
    """Threads are archived, and Cloudflare bans the bot now and then, until *done*."""
    number = 0
    while not done.is_set():
        number += 1
        await asyncio.sleep(rng.uniform(0.5, 2.0))
        for thread in guests.threads.values():
            if rng.random() < 0.1:
                await world.call("POST", f"/local/channels/{thread}", {"archived": True})
        if number % 40 == 30:
            guests.banned.append(asyncio.get_running_loop().time())
            await world.call("DELETE", "/local/faults")
            for path in BOTS_PATHS:
                await world.fault(match={"method": "*", "path": path}, status=429, by="cloudflare", times=10_000)
            await asyncio.sleep(BAN_SECONDS)
            await set_refusals(world)


async def set_refusals(world: World) -> None:
    """From now on Discord refuses at random, and nothing else."""
    await world.call("DELETE", "/local/faults")
    for number, (method, path, fault) in enumerate(REFUSALS):
        await world.fault(match={"method": method, "path": path}, times=1_000_000, seed=number, **fault)


async def test_whole_games_while_discord_refuses_what_it_can(tmp_path: Path) -> None:
    rng = Random("refused")
    store = tmp_path / "tables.sqlite3"
    async with local_world() as world:
        guests = Guests(world, store, rng)
        await guests.make_threads()
        closed, blocks = guests.people[1:3]
        await world.call("POST", f"/local/users/{closed.id}", {"dms_open": False})
        await world.call("POST", f"/local/users/{blocks.id}", {"blocks_app": True})
        await world.start_bot(store)
        await set_refusals(world)
        done = asyncio.Event()
        async with asyncio.timeout(900), asyncio.TaskGroup() as group:
            group.create_task(refusals(world, guests, rng, done))
            players = [group.create_task(guests.play(person, done)) for person in guests.people]
            while min(guests.finished(game) for game in CASES) < GAMES_EACH:
                for game in CASES:
                    if guests.finished(game) < GAMES_EACH:
                        await guests.keep_open(game)
                await asyncio.sleep(0.2)
            done.set()
            await asyncio.wait(players)
        await world.call("DELETE", "/local/faults")
        await eventually(lambda: not guests.stale(), lambda: f"to be shown: {guests.stale()}", 150.0)
        check(guests, history(store), tmp_path / "bot.log")
        before, traceback, after = (tmp_path / "bot.log").read_text().partition("Traceback")
        assert not traceback, before[-500:] + traceback + after[:5000]


def check(guests: Guests, played: dict[str, list[tuple[dict[str, Any], Table]]], log: Path) -> None:
    """Every click had an outcome; who has moved or called has clicked there, and was not told that it had failed; and
    nobody's turn was lost. A failure says what the bot's *log* has of answers that failed."""
    for person in guests.people:
        for seen in person.messages.values():
            open_to_all = not seen.private and not seen.direct(guests.world)
            assert not (open_to_all and seen.ply is not None), f"a hand that others can read: {seen.text}"
    answered = failed = 0
    for person, nonce in guests.clicked:
        assert nonce in person.outcomes, "a click without an answer"
        answered += person.outcomes[nonce] == "INTERACTION_SUCCESS"
        failed += person.outcomes[nonce] != "INTERACTION_SUCCESS"
    print(f"{answered} clicks answered, {failed} failed")  # noqa: T201 - the figures of the soak
    for table, steps in played.items():
        for (_, before), (event, after) in pairwise(steps):
            assert not [player.name for player in after.players if player.timeouts or player.away], "a turn was lost"
            if event["what"] in ("move", "call"):
                ply = before.state.ply
                clicks = guests.nonces[table, ply, event["by"]]
                shown = any(person.outcomes[nonce] == "INTERACTION_SUCCESS" for person, nonce in clicks)
                shown |= any(nonce in guests.unseen for _, nonce in clicks)
                made = [guests.sent[nonce] for _, nonce in clicks]
                if not shown and not guests.may_have_failed(made):
                    raise AssertionError(f"{event} at {ply} although it failed {guests.when(made)}\n{troubles(log)}")


def troubles(log: Path) -> str:
    """What the bot's *log* says of bans and of answers that Discord did not take."""
    said = ("banned", "ban is over", "not answered", "not acknowledged", "answer lost")
    return "\n".join(line for line in log.read_text().splitlines() if any(it in line for it in said))
