"""Busy tables: a bot in a process of its own, on a local Discord in this one, which also plays the people.

The limits of the local Discord are off: what is measured is the bot.
"""

import asyncio
import gc
import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bot.delivery.limits import PER_SECOND
from bot.ui.custom_ids import Verb
from engine.registry import GAMES
from local_discord.model import Channel, Interaction, Message, User
from tests.bench.stage import Stage, stage
from tests.controls import BUTTON, Offer, controls, moves, picks

SEATS = 4
"""So many people at a table, or as many as the game takes."""
WINDOWS = 5
THOUGHT_SECONDS = 2.5
"""How long the people at a table think about a move, on average."""


class Figures(NamedTuple):
    """What came out of one run."""

    moves: int
    cpu_ms: float
    """Of the bot's process, a move: the median of several windows, since others may use the machine."""
    latencies: tuple[float, ...]
    """From the dispatch of a click to its callback, ms, sorted."""
    requests: float
    """A move."""
    counted: float
    """Those of them that count against the bot's 50 a second."""

    def percentile(self, share: float) -> float:
        """The latency that *share* of the clicks keep, ms."""
        return self.latencies[min(len(self.latencies) - 1, int(share * len(self.latencies)))]

    @property
    def a_request(self) -> float:
        """CPU time for each request, ms."""
        return self.cpu_ms / self.requests


def together(runs: Sequence[Figures]) -> Figures:
    """The figures of several *runs* of the same: medians, with the latencies of all."""
    return Figures(
        sum(it.moves for it in runs),
        statistics.median(it.cpu_ms for it in runs),
        tuple(sorted(latency for it in runs for latency in it.latencies)),
        statistics.median(it.requests for it in runs),
        statistics.median(it.counted for it in runs),
    )


class Table:
    """People who play one game after the other."""

    def __init__(
        self,
        stage: Stage,
        channel: Channel,
        people: list[User],
        game: str,
        rng: random.Random,
        thought: float = THOUGHT_SECONDS,
    ) -> None:
        """*thought* is how long they think about a move, on average, s."""
        self.thought = thought
        self.stage = stage
        self.channel = channel
        self.people = people[: GAMES[game].seats[-1]]
        self.game = game
        self.rng = rng
        self.moves = 0

    def _with(self, verb: Verb) -> tuple[Message, dict[str, Any]] | None:
        """(message, control) of the newest enabled control for *verb* in the channel."""
        for message in reversed(self.channel.messages.values()):
            for component, press in controls(message):
                if press.verb is verb:
                    return message, component
        return None

    async def press(self, person: User, verb: Verb) -> Interaction:
        """Press the button for *verb* on the newest message here; the click, once it is answered."""
        found = self._with(verb)
        assert found is not None, verb
        message, component = found
        click = self.stage.click(person, message, Offer(component["custom_id"], BUTTON, None))
        assert click is not None, verb
        await self.stage.done(click)
        return click

    async def open(self) -> None:
        """From /play to the first hand."""
        host, *others = self.people
        await self.stage.done(self.stage.command(host, self.channel, "play", game=self.game))
        for person in others:
            await self.press(person, Verb.JOIN)
        asked = await self.press(host, Verb.OPTIONS)
        await self.stage.done(self.stage.fill_in(host, self.channel, asked, pace="off"))
        await self.press(host, Verb.START)
        await self.stage.until(lambda: self._hand() is not None, "a hand")

    def _hand(self) -> tuple[User, Message, list[Offer], bool] | None:
        """Who can move: (person, their hand, what it offers, whether those are moves and not steps on the way)."""
        world = self.stage.world
        for person in self.people:
            for message in reversed(world.dm(world.bot, person).messages.values()):
                if found := moves(message):
                    return person, message, found, True
                if found := picks(message):
                    return person, message, found, False
        return None

    def everybody(self) -> list[tuple[User, Message, Offer]]:
        """A click of each of them: a move, and *My hand* for the others."""
        found, hand = self._hand(), self._with(Verb.HAND)
        assert found is not None and hand is not None
        mover, message, offers, _ = found
        table, component = hand
        press = Offer(component["custom_id"], component["type"], None)
        others = [(person, table, press) for person in self.people if person is not mover]
        return [(mover, message, self.rng.choice(offers)), *others]

    async def play(self, until: float) -> None:
        """Move after move until *until* (perf_counter), with time to think in between."""
        await asyncio.sleep(self.rng.uniform(0, self.thought))
        while time.perf_counter() < until:
            if await self.move():
                await asyncio.sleep(self.rng.uniform(0.6, 1.4) * self.thought)
            else:
                await asyncio.sleep(0.05)

    async def move(self) -> bool:
        """Use a control of whoever can move; whether there was one. Once a game is over, the next one is begun."""
        found = self._hand()
        if found is None:
            if self._with(Verb.START) is not None:
                await self.press(self.people[0], Verb.START)
            elif self._with(Verb.REMATCH) is not None:
                await self.press(self.people[0], Verb.REMATCH)
                for person in self.people[1:]:
                    await self.press(person, Verb.JOIN)
            return False
        person, message, offers, are_moves = found
        interaction = self.stage.click(person, message, self.rng.choice(offers))
        self.moves += interaction is not None and are_moves
        await self.stage.done(interaction)
        return True


async def _dealt(it: Stage, game: str, count: int) -> list[Table]:
    """Start our bot on the stage *it*; *count* tables of *game*, each with its first hand."""
    await it.acquaint()
    await it.start_ours()
    await it.until(lambda: len(it.world.commands) > 0, "the commands")
    people = it.world.people
    tables = [
        Table(it, channel, people[number * SEATS : (number + 1) * SEATS], game, random.Random(number))
        for number, channel in enumerate(it.channels[:count])
    ]
    for start in range(0, count, 16):
        await asyncio.gather(*(table.open() for table in tables[start : start + 16]))
    # The local Discord keeps everything: each look through all of it would stand still for a fifth of a second.
    gc.collect()
    gc.freeze()
    return tables


async def busy(game: str, count: int, seconds: float) -> Figures:
    """*count* busy tables of *game* for *seconds*, once everybody's token is fresh."""
    async with stage(count, count * SEATS) as it:
        tables = await _dealt(it, game, count)
        await it.quiet()
        first_edits = 2 * SEATS * count / PER_SECOND  # of hands whose people have not clicked yet
        warm = time.perf_counter() + 3 * SEATS * THOUGHT_SECONDS + first_edits
        await asyncio.gather(*(table.play(warm) for table in tables))
        it.latencies.clear()
        before = sum(table.moves for table in tables)
        first = it.server.requests.count
        end = time.perf_counter() + seconds
        playing = asyncio.gather(*(table.play(end) for table in tables))
        cpu_ms = await _per_move(it, lambda: sum(table.moves for table in tables), count, seconds)
        await playing
        await asyncio.sleep(0.5)
        made = sum(table.moves for table in tables) - before
        sent = it.server.requests.after(first)
        counted = sum(request["auth"] == "bot" for request in sent)
        return Figures(made, cpu_ms, tuple(sorted(it.latencies)), len(sent) / made, counted / made)


async def _per_move(it: Stage, moves: Callable[[], int], tables: int, seconds: float) -> float:
    """The CPU time of the bot on the stage *it* for each of the *moves* that there are at *tables* in the next
    *seconds*, ms: the median of windows, if there are enough moves for several."""
    found = []
    windows = WINDOWS if tables > 1 else 1
    for _ in range(windows):
        made, spent = moves(), it.cpu()
        await asyncio.sleep(seconds / windows)
        found.append((it.cpu() - spent) / max(1, moves() - made))
    return statistics.median(found)


async def burst(game: str, count: int) -> tuple[float, ...]:
    """Everybody at *count* tables of *game* clicks at one instant: who is on turn makes a move, the others press *My
    hand* at the table. How long after that instant each was answered, ms, sorted; those are missing that had failed."""
    async with stage(count, count * SEATS) as it:
        tables = await _dealt(it, game, count)
        await it.quiet()
        return await _at_once(it, [click for table in tables for click in table.everybody()])


async def bare_burst(count: int) -> tuple[float, ...]:
    """As many clicks at one instant on a bot that does nothing else."""
    async with stage(count, count * SEATS) as it:
        await _start_bare(it, count)
        await it.quiet()
        offer = Offer("bare", BUTTON, None)
        messages = [message for channel in it.channels[:count] for message in channel.messages.values()]
        everybody = iter(it.world.people)
        return await _at_once(it, [(next(everybody), message, offer) for message in messages for _ in range(SEATS)])


async def _at_once(it: Stage, clicks: Sequence[tuple[User, Message, Offer]]) -> tuple[float, ...]:
    """All *clicks* at one instant; how long after that each was answered, ms, sorted."""
    it.latencies.clear()
    begun = time.perf_counter()
    interactions = [it.click(*click) for click in clicks]
    for interaction in interactions:
        if interaction is not None:
            it.sent[interaction.id] = begun
    await asyncio.gather(*(it.done(interaction) for interaction in interactions))
    return tuple(sorted(it.latencies))


async def _start_bare(it: Stage, count: int) -> None:
    """Start the bare bot on the stage *it*, with its button in *count* channels."""
    address = f"http://127.0.0.1:{it.server.port}/api/v10"
    channels = [str(channel.id) for channel in it.channels[:count]]
    await it.start("-m", "tests.bench.bare", address, it.server.gateway.address, it.world.bot.token, *channels)
    await it.until(lambda: all(channel.messages for channel in it.channels[:count]), "the buttons")


async def bare(count: int, seconds: float) -> Figures:
    """As many clicks on a bot that does nothing else."""
    async with stage(count, count * SEATS) as it:
        await _start_bare(it, count)
        clicks = 0

        async def press(channel: Channel, person: User, rng: random.Random, until: float) -> None:
            nonlocal clicks
            await asyncio.sleep(rng.uniform(0, THOUGHT_SECONDS))
            while time.perf_counter() < until:
                (message,) = channel.messages.values()
                await it.done(it.click(person, message, Offer("bare", BUTTON, None)))
                clicks += 1
                await asyncio.sleep(rng.uniform(0.6, 1.4) * THOUGHT_SECONDS)

        async def everybody(for_seconds: float) -> None:
            until = time.perf_counter() + for_seconds
            people = it.world.people
            await asyncio.gather(
                *(
                    press(channel, people[number], random.Random(number), until)
                    for number, channel in enumerate(it.channels[:count])
                )
            )

        await everybody(5)
        it.latencies.clear()
        clicks = 0
        playing = asyncio.create_task(everybody(seconds))
        cpu_ms = await _per_move(it, lambda: clicks, count, seconds)
        await playing
        return Figures(clicks, cpu_ms, tuple(sorted(it.latencies)), 1.0, 0.0)
