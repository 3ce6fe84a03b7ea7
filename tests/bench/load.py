"""Busy tables: a bot in a process of its own, on a local Discord in this one, which also plays the people.

The limits of the local Discord are off: what is measured is the bot.
"""

import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bot.custom_ids import Verb
from bot.store.store import Dms, Store
from engine.registry import GAMES
from local_discord.errors import ApiError
from local_discord.model import Channel, ChannelType, Interaction, Message, User
from local_discord.server import Server
from tests.controls import BUTTON, Offer, controls, moves, picks

ROOT = Path(__file__).parents[2]
SEATS = 4
"""So many people at a table, or as many as the game takes."""
THOUGHT_SECONDS = 2.5
"""How long the people at a table think about a move, on average."""


class Figures(NamedTuple):
    """What came out of one run."""

    moves: int
    cpu_ms: float
    """Of the bot's process, a move."""
    latencies: tuple[float, ...]
    """From the dispatch of a click to its callback, ms, sorted."""
    requests: float
    """A move."""
    counted: float
    """Those of them that count against the bot's 50 a second."""

    def percentile(self, share: float) -> float:
        """The latency that *share* of the clicks keep, ms."""
        return self.latencies[min(len(self.latencies) - 1, int(share * len(self.latencies)))]


class Stage:
    """The local Discord and one bot process."""

    def __init__(self, server: Server, folder: Path) -> None:
        """*folder* is for the bot's database. Every answer of *server* to a click is timed from now on."""
        self.server = server
        self.world = server.world
        self.folder = folder
        self.process: asyncio.subprocess.Process | None = None
        self.sent: dict[int, float] = {}
        self.latencies: list[float] = []
        answer = server.interactions.answer

        def timed(interaction: int, token: str, body: dict[str, Any], uploads: Any = ()) -> dict[str, Any]:
            begun = self.sent.pop(interaction, None)
            if begun is not None:
                self.latencies.append((time.perf_counter() - begun) * 1000)
            return answer(interaction, token, body, uploads)

        server.interactions.answer = timed  # type: ignore[method-assign] # a stop watch
        self.channels = [c for c in self.world.channels.values() if c.type is ChannelType.TEXT]

    async def start(self, *command: str, **environment: str) -> None:
        """The bot's process, until it is connected."""
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, *command, cwd=ROOT, env={**os.environ, **environment}, stderr=asyncio.subprocess.DEVNULL
        )
        await self.until(lambda: self.server.gateway.bot_connected, "the bot to connect")

    @property
    def _store(self) -> str:
        """The address of the bot's database."""
        return f"sqlite+aiosqlite:///{self.folder}/tables.sqlite3"

    async def acquaint(self) -> None:
        """The bot has written to everybody before: it opens direct messages with strangers one every two seconds."""
        store = await Store.open(self._store)
        people = [(person.id, self.world.dm(self.world.bot, person).id) for person in self.world.people]
        await asyncio.gather(*(store.put_dms(person, Dms(channel)) for person, channel in people))
        await store.close()

    async def start_ours(self) -> None:
        """Our bot; one server may have any number of tables."""
        await self.start(
            "-m", "bot",
            DISCORD_TOKEN=self.world.bot.token, DISCORD_API_URL=f"http://127.0.0.1:{self.server.port}/api/v10",
            DISCORD_GATEWAY_URL=self.server.gateway.address, LOG_LEVEL="WARNING",
            STORE_URL=self._store, TABLES_PER_SERVER="0",
        )  # fmt: skip

    async def stop(self) -> None:
        """End the bot."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        await self.until(lambda: not self.server.gateway.bot_connected, "the bot to go")

    async def until(self, what: Callable[[], Any], why: str, seconds: float = 120) -> None:
        """Wait for *what*."""
        deadline = time.perf_counter() + seconds
        while not what():
            if time.perf_counter() > deadline:
                raise RuntimeError(f"waited in vain for {why}")
            await asyncio.sleep(0.01)

    def cpu(self) -> float:
        """CPU time of the bot so far, ms."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def resident(self) -> float:
        """Resident memory of the bot, KiB."""
        assert self.process is not None
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024

    def click(self, person: User, message: Message, offer: Offer) -> Interaction | None:
        """*person* uses a control; ``None``: it has changed meanwhile."""
        data: dict[str, Any] = {"component_type": offer.kind, "custom_id": offer.custom_id}
        if offer.values is not None:
            data["values"] = offer.values
        body = {"type": 3, "channel_id": str(message.channel), "message_id": str(message.id), "data": data}
        return self._begin(person, body)

    def command(self, person: User, channel: Channel, name: str, **options: str) -> Interaction | None:
        """*person* uses a command."""
        given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        data = {"name": name, "type": 1, "options": given}
        return self._begin(person, {"type": 2, "channel_id": str(channel.id), "data": data})

    def _begin(self, person: User, body: dict[str, Any]) -> Interaction | None:
        begun = time.perf_counter()
        try:
            interaction = self.server.interactions.begin(person, body)
        except ApiError:
            return None
        self.sent[interaction.id] = begun
        return interaction

    async def done(self, interaction: Interaction | None) -> None:
        """The interaction is answered."""
        if interaction is not None:
            await self.until(lambda: interaction.replied is not None or interaction.failed, "an answer")


@asynccontextmanager
async def stage(channels: int, people: int) -> AsyncIterator[Stage]:
    """A local Discord with room for that many."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(channels=channels, people=people)
        server.limits.off = True
        await server.start(0)
        it = Stage(server, Path(folder))
        try:
            yield it
        finally:
            await it.stop()
            await server.stop()


class Table:
    """People who play one game after the other."""

    def __init__(self, stage: Stage, channel: Channel, people: list[User], game: str, rng: random.Random) -> None:
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

    async def press(self, person: User, verb: Verb, values: list[str] | None = None) -> None:
        """Use the control for *verb* on the newest message here."""
        found = self._with(verb)
        assert found is not None, verb
        message, component = found
        offer = Offer(component["custom_id"], component["type"], values)
        await self.stage.done(self.stage.click(person, message, offer))

    async def open(self) -> None:
        """From /play to the first hand."""
        host, *others = self.people
        await self.stage.done(self.stage.command(host, self.channel, "play", game=self.game))
        for person in others:
            await self.press(person, Verb.JOIN)
        await self.press(host, Verb.PACE, ["off"])
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

    async def play(self, until: float) -> None:
        """Move after move until *until* (perf_counter), with time to think in between."""
        await asyncio.sleep(self.rng.uniform(0, THOUGHT_SECONDS))
        while time.perf_counter() < until:
            found = self._hand()
            if found is None:
                if self._with(Verb.START) is not None:
                    await self.press(self.people[0], Verb.START)
                elif self._with(Verb.REMATCH) is not None:
                    await self.press(self.people[0], Verb.REMATCH)
                    for person in self.people[1:]:
                        await self.press(person, Verb.JOIN)
                await asyncio.sleep(0.05)
                continue
            person, message, offers, are_moves = found
            interaction = self.stage.click(person, message, self.rng.choice(offers))
            self.moves += interaction is not None and are_moves
            await self.stage.done(interaction)
            await asyncio.sleep(self.rng.uniform(0.6, 1.4) * THOUGHT_SECONDS)


async def busy(game: str, count: int, seconds: float) -> Figures:
    """*count* busy tables of *game* for *seconds*, after two rounds in which everybody's token becomes fresh."""
    async with stage(count, count * SEATS) as it:
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
        warm = time.perf_counter() + 3 * SEATS * THOUGHT_SECONDS
        await asyncio.gather(*(table.play(warm) for table in tables))
        it.latencies.clear()
        before, cpu = sum(table.moves for table in tables), it.cpu()
        first = it.server.requests.count
        end = time.perf_counter() + seconds
        await asyncio.gather(*(table.play(end) for table in tables))
        await asyncio.sleep(0.5)
        made, spent = sum(table.moves for table in tables) - before, it.cpu() - cpu
        sent = it.server.requests.after(first)
        counted = sum(request["auth"] == "bot" for request in sent)
        return Figures(made, spent / made, tuple(sorted(it.latencies)), len(sent) / made, counted / made)


async def bare(count: int, seconds: float) -> Figures:
    """As many clicks on a bot that does nothing else."""
    async with stage(count, count * SEATS) as it:
        address = f"http://127.0.0.1:{it.server.port}/api/v10"
        channels = [str(channel.id) for channel in it.channels[:count]]
        await it.start("-m", "tests.bench.bare", address, it.server.gateway.address, it.world.bot.token, *channels)
        await it.until(lambda: all(channel.messages for channel in it.channels[:count]), "the buttons")
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
        clicks, cpu = 0, it.cpu()
        await everybody(seconds)
        return Figures(clicks, (it.cpu() - cpu) / clicks, tuple(sorted(it.latencies)), 1.0, 0.0)
