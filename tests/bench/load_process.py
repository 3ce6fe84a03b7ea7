"""One process of the load: a lean Discord for one bot process, and the people at the tables that this process serves.

It is told what to do by lines of JSON on its standard input (``processes``), and answers each with a line. Run as
``python -m tests.bench.load_process NUMBER SHARDS CHANNELS PEOPLE``.
"""

import asyncio
import gc
import random
import sys
import time
from typing import Any, Final

import orjson

from bot.delivery.emojis import emoji_drawings
from bot.ui.custom_ids import Verb
from engine.registry import GAMES
from local_discord.model import Channel, Interaction, InteractionType, Message, User
from tests.bench.lean_discord import HOST, LeanDiscord, dms, new_world
from tests.controls import BUTTON, Offer, controls, filled, moves, picks, submission

SEATS: Final = 4
"""So many people at a table, or as many as the game takes."""
OPENED_AT_ONCE: Final = 8
ANSWER_SECONDS: Final = 3.0
"""After so long without an answer people see that their click has failed."""
STUCK_SECONDS: Final = 5.0
"""If nobody can move for so long, people look for their hands."""
LONGEST_CLICK: Final = 1 << 20
"""Of the JSON of a click, bytes."""


class Table:
    """People at one table of *game* in *channel*, who play one game after the other: from their direct messages, or
    *here*, from ephemeral hands in the channel."""

    def __init__(self, load: "Load", channel: Channel, people: list[User], game: str, *, here: bool) -> None:
        self._load = load
        self._channel = channel
        self._people = people[: GAMES[game].seats[-1]]
        self._game = game
        self._here = here
        self._rng = random.Random(channel.id)
        self._hands: dict[int, dict[int, Message]] = {person.id: {} for person in people}
        """Of each person: the messages with a move or a step towards one."""
        self.changed = asyncio.Event()
        """Set whenever one of its messages changes."""
        self.moves = 0
        self.clicks = 0
        self.failed = 0
        """Clicks that were not answered in time."""
        self.latencies: list[float] = []
        """From the dispatch of a click to its answer, ms."""

    def note(self, message: Message, reader: int) -> None:
        """*message* has changed, which *reader* alone sees (0: everybody)."""
        if reader in self._hands and (message.channel == self._channel.id) is self._here:
            if any(press.verb in (Verb.MOVE, Verb.PICK) for _, press in controls(message)):
                self._hands[reader][message.id] = message
            else:
                self._hands[reader].pop(message.id, None)
        self.changed.set()

    def _find(self, verb: Verb) -> tuple[Message, dict[str, Any]] | None:
        """(message, control) of the newest enabled control for *verb* that everybody sees in the channel."""
        for message in reversed(self._channel.messages.values()):
            for component, press in controls(message) if message.reader is None else ():
                if press.verb is verb:
                    return message, component
        return None

    async def _use(
        self, person: User, channel: Channel, kind: InteractionType, data: dict[str, Any], on: Message | None = None
    ) -> Interaction:
        began = time.perf_counter()
        made, answered = self._load.discord.interact(person, channel, kind, data, on)
        self.clicks += 1
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await answered
        except TimeoutError:
            self.failed += 1
        else:
            self.latencies.append((time.perf_counter() - began) * 1000)
        return made

    async def _click(self, person: User, message: Message, offer: Offer) -> Interaction:
        data: dict[str, Any] = {"component_type": offer.kind, "custom_id": offer.custom_id}
        if offer.values is not None:
            data["values"] = offer.values
        where = self._load.discord.world.channels[message.channel]
        return await self._use(person, where, InteractionType.COMPONENT, data, message)

    async def _press(self, person: User, verb: Verb) -> Interaction:
        """Press the button for *verb* on the newest message of the table that has one."""
        while (found := self._find(verb)) is None:
            await self._wait()
        message, component = found
        return await self._click(person, message, Offer(component["custom_id"], BUTTON, None))

    async def _wait(self) -> bool:
        """Wait until a message changes; whether one has."""
        self.changed.clear()
        try:
            async with asyncio.timeout(STUCK_SECONDS):
                await self.changed.wait()
        except TimeoutError:
            return False
        return True

    async def open(self) -> None:
        """From /play to the first hands."""
        host, *others = self._people
        options = [{"name": "game", "type": 3, "value": self._game}]
        command = {"id": "1", "name": "play", "type": 1, "options": options}
        await self._use(host, self._channel, InteractionType.COMMAND, command)
        for person in others:
            await self._press(person, Verb.JOIN)
        asked = await self._press(host, Verb.OPTIONS)
        assert asked.modal is not None
        written = submission(asked.modal, filled(asked.modal, pace="off", limit="0"))
        form = {"custom_id": asked.modal["custom_id"], "components": written}
        lobby = self._channel.messages.get(asked.message or 0)
        await self._use(host, self._channel, InteractionType.MODAL, form, lobby)
        await self._start()

    async def _start(self) -> None:
        await self._press(self._people[0], Verb.START)
        if self._here:
            for person in self._people:
                await self._press(person, Verb.HAND)
        while self._hand() is None:
            await self._wait()

    def _hand(self) -> tuple[User, Message, list[Offer], bool] | None:
        """Who can move: (person, their hand, what it offers, whether those are moves and not steps on the way)."""
        for person in self._people:
            for message in reversed(self._hands[person.id].values()):
                if found := moves(message):
                    return person, message, found, True
                if found := picks(message):
                    return person, message, found, False
        return None

    async def play(self, until: float, thought: float) -> None:
        """Make move after move until *until* (perf_counter): at a pace of one in *thought* seconds on average, however
        late the answers come; 0: as fast as they come."""
        due = time.perf_counter() + self._rng.uniform(0, thought)
        while due < until and time.perf_counter() < until:
            await asyncio.sleep(max(0, due - time.perf_counter()))
            while not await self._move() and time.perf_counter() < until:
                pass
            due += self._rng.uniform(0.6, 1.4) * thought

    async def _move(self) -> bool:
        """Make a move, or wait until something changes; whether it was a move. Once a game is over, the next one is
        begun."""
        found = self._hand()
        if found is not None:
            person, message, offers, are_moves = found
            self.moves += are_moves
            await self._click(person, message, self._rng.choice(offers))
            return are_moves
        if self._find(Verb.REMATCH) is not None:
            await self._press(self._people[0], Verb.REMATCH)
            for person in self._people[1:]:
                await self._press(person, Verb.JOIN)
            await self._start()
        elif not await self._wait() and self._here and self._find(Verb.HAND) is not None:
            for person in self._people:
                await self._press(person, Verb.HAND)
        return False


class Load:
    """A lean Discord, number *number*, and the people at its tables."""

    def __init__(self, number: int, shards: int, channels: int, people: int) -> None:
        self._shards = shards
        self._peers: list[asyncio.StreamWriter] = []
        self._tables: dict[int, Table] = {}
        """By the channel of the table, and by those of its people's direct messages."""
        self._sitting: list[list[Table]] = []
        """The newest tables, by their place on their server."""
        world = new_world(shards, channels, people)
        self._dms = dms(world)
        names = [it.name for it in emoji_drawings().values()]
        self.discord = LeanDiscord(number, world, self._note, self._forward, list(dict.fromkeys(names)))

    async def run(self) -> None:
        """Do what standard input says, until it ends."""
        await self.discord.start()
        listening = await asyncio.start_server(self._hear, HOST, 0, limit=LONGEST_CLICK)
        self._say({"port": self.discord.port, "peer": listening.sockets[0].getsockname()[1]})
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while line := await reader.readline():
            name, arguments = orjson.loads(line)
            self._say(await getattr(self, name)(**arguments))

    @staticmethod
    def _say(answer: Any) -> None:
        sys.stdout.write(orjson.dumps(answer).decode() + "\n")
        sys.stdout.flush()

    async def meet(self, ports: list[int]) -> None:
        """Bring clicks in direct messages to the processes of the load that listen on *ports*."""
        for port in ports:
            _, writer = await asyncio.open_connection(HOST, port)
            self._peers.append(writer)

    async def sessions(self) -> list[int]:
        """The shards of which the bot has a session here."""
        return self.discord.shards

    def _forward(self, click: bytes) -> None:
        for peer in self._peers:
            peer.write(click + b"\n")

    async def _hear(self, reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        """Another process of the load brings clicks."""
        while line := await reader.readline():
            self.discord.hear(line[:-1])

    def _note(self, message: Message) -> None:
        table = self._tables.get(message.channel)
        if table is not None:
            channel = self.discord.world.channels[message.channel]
            table.note(message, channel.recipients[1] if channel.recipients else message.reader or 0)

    async def sit(self, game: str, shards: list[int], first: int, tables: int, here: bool) -> None:
        """Open so many *tables* of *game* on the server of each of *shards*, in its channels from the number *first*
        on; people play *here*, in the channels, or by direct message."""
        world = self.discord.world
        channels = {index: guild.channels[first : first + tables] for index, guild in enumerate(world.guilds.values())}
        people = world.people
        self._sitting = [[] for _ in range(tables)]
        for index, guild in enumerate(world.guilds.values()):
            if (guild.id >> 22) % self._shards not in shards:
                continue
            for place, number in enumerate(channels[index]):
                seats = ((first + place) * self._shards + index) * SEATS
                table = Table(self, world.channels[number], people[seats : seats + SEATS], game, here=here)
                self._tables[number] = table
                self._tables.update((self._dms[it.id].id, table) for it in people[seats : seats + SEATS])
                self._sitting[place].append(table)
        opened = asyncio.Semaphore(OPENED_AT_ONCE)

        async def open_in_turn(table: Table) -> None:
            async with opened:
                await table.open()

        await asyncio.gather(*(open_in_turn(table) for row in self._sitting for table in row))
        gc.collect()
        gc.freeze()

    async def play(self, seconds: float, thought: float, tables: int) -> dict[str, Any]:
        """People at the first so many *tables* on each server play for so many *seconds*; what they have done."""
        playing = [table for row in self._sitting[:tables] for table in row]
        for table in playing:
            table.moves = table.clicks = table.failed = 0
            table.latencies.clear()
        until, requests = time.perf_counter() + seconds, self.discord.requests
        await asyncio.gather(asyncio.sleep(seconds), *(table.play(until, thought) for table in playing))
        return {
            "requests": self.discord.requests - requests,
            "moves": sum(table.moves for table in playing),
            "clicks": sum(table.clicks for table in playing),
            "failed": sum(table.failed for table in playing),
            "latencies": [round(it, 1) for table in playing for it in table.latencies],
        }


def main() -> None:
    """The load, until its standard input ends."""
    number, shards, channels, people = (int(it) for it in sys.argv[1:])
    try:
        import uvloop
    except ImportError:
        runner = asyncio.Runner()
    else:
        runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
    with runner:
        runner.run(Load(number, shards, channels, people).run())


if __name__ == "__main__":
    main()
