"""The bot in processes of its own, on a local Discord in this one, which also plays the people.

The limits of the local Discord are off: what is measured is the bot.
"""

import asyncio
import os
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from bot.store.store import Dms, Store
from local_discord.errors import ApiError
from local_discord.model import Channel, ChannelType, Interaction, Message, User
from local_discord.server import Server
from tests.controls import Offer, filled, submission

ROOT = Path(__file__).parents[2]
LOOK_SECONDS = 1.0
"""How often it is looked at whether an interaction has failed."""


class Stage:
    """The local Discord and the bot's processes: on SQLite there is one."""

    def __init__(self, server: Server, folder: Path, url: str = "") -> None:
        """The bot's database is at *url*, or a file in *folder*. Every answer of *server* to a click is timed from now
        on."""
        self.server = server
        self.world = server.world
        self.folder = folder
        self.url = url or f"sqlite+aiosqlite:///{folder}/tables.sqlite3"
        self.processes: list[asyncio.subprocess.Process] = []
        self.sent: dict[int, float] = {}
        self.latencies: list[float] = []
        self._answered: dict[int, asyncio.Event] = {}
        answer = server.interactions.respond

        def timed(interaction: int, token: str, body: dict[str, Any], uploads: Any = ()) -> dict[str, Any]:
            begun = self.sent.pop(interaction, None)
            if begun is not None:
                self.latencies.append((time.perf_counter() - begun) * 1000)
            result = answer(interaction, token, body, uploads)
            if (waiting := self._answered.get(interaction)) is not None:
                waiting.set()
            return result

        server.interactions.respond = timed  # type: ignore[method-assign] # a stop watch
        self.channels = [c for c in self.world.channels.values() if c.type is ChannelType.TEXT]

    async def start(self, *command: str, **environment: str) -> None:
        """A process of the bot, until it is connected."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, cwd=ROOT, env={**os.environ, **environment}, stdout=DEVNULL, stderr=DEVNULL
        )
        self.processes.append(process)
        await self.until(lambda: self.server.gateway.bot_connected, "the bot to connect")

    async def acquaint(self) -> None:
        """The bot has written to everybody before: it opens direct messages with strangers one every two seconds."""
        store = await Store.open(self.url)
        people = [(person.id, self.world.dm(self.world.bot, person).id) for person in self.world.people]
        await asyncio.gather(*(store.save_dm_channel_and_refusal(person, Dms(channel)) for person, channel in people))
        await store.close()

    async def start_ours(self) -> None:
        """A process of our bot; one server may have any number of tables."""
        await self.start(
            "-m", "bot",
            DISCORD_TOKEN=self.world.bot.token, DISCORD_API_URL=f"http://127.0.0.1:{self.server.port}/api/v10",
            DISCORD_GATEWAY_URL=self.server.gateway.address, LOG_LEVEL="WARNING",
            STORE_URL=self.url, TABLES_PER_SERVER="0",
        )  # fmt: skip

    async def stop(self) -> None:
        """End the bot."""
        for process in self.processes:
            if process.returncode is None:
                process.kill()
                await process.wait()
        self.processes.clear()
        await self.until(lambda: not self.server.gateway.bot_connected, "the bot to go")

    async def quiet(self) -> None:
        """Wait until the bot has made no request for a second."""
        while True:
            count = self.server.requests.count
            await asyncio.sleep(1)
            if self.server.requests.count == count:
                return

    async def until(self, what: Callable[[], Any], why: str, seconds: float = 120) -> None:
        """Wait for *what*."""
        deadline = time.perf_counter() + seconds
        while not what():
            if time.perf_counter() > deadline:
                raise RuntimeError(f"waited in vain for {why}")
            await asyncio.sleep(0.01)

    def cpu(self) -> float:
        """CPU time of the bot's processes so far, ms."""
        return sum(self.cpu_of_each())

    def cpu_of_each(self) -> list[float]:
        """CPU time of each of them so far, ms."""
        # The clock of another process: https://man7.org/linux/man-pages/man3/clock_getcpuclockid.3.html
        return [time.clock_gettime((~process.pid << 3) | 2) * 1000 for process in self.processes]

    def resident(self) -> float:
        """Resident memory of the bot's processes, KiB."""
        pages = sum(int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) for process in self.processes)
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024

    def click(self, person: User, message: Message, offer: Offer) -> Interaction | None:
        """*person* uses a control; ``None``: it has changed meanwhile."""
        data: dict[str, Any] = {"component_type": offer.kind, "custom_id": offer.custom_id}
        if offer.values is not None:
            data["values"] = offer.values
        body = {"type": 3, "channel_id": str(message.channel), "message_id": str(message.id), "data": data}
        return self._begin(person, body)

    def fill_in(self, person: User, channel: Channel, asked: Interaction, **chosen: str) -> Interaction | None:
        """*person* sends the form that answered the click *asked* in *channel*, with what they have *chosen*."""
        assert asked.modal is not None
        written = submission(asked.modal, filled(asked.modal, **chosen))
        data = {"id": str(asked.id), "custom_id": asked.modal["custom_id"], "components": written}
        return self._begin(person, {"type": 5, "channel_id": str(channel.id), "data": data})

    def command(self, person: User, channel: Channel, name: str, **options: str) -> Interaction | None:
        """*person* uses a command."""
        given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        data = {"name": name, "type": 1, "options": given}
        return self._begin(person, {"type": 2, "channel_id": str(channel.id), "data": data})

    def _begin(self, person: User, body: dict[str, Any]) -> Interaction | None:
        begun = time.perf_counter()
        try:
            interaction = self.server.interactions.create(person, body)
        except ApiError:
            return None
        self.sent[interaction.id] = begun
        return interaction

    async def done(self, interaction: Interaction | None) -> None:
        """The interaction is answered, or has failed."""
        if interaction is None:
            return
        answered = self._answered[interaction.id] = asyncio.Event()
        while interaction.replied is None and not interaction.failed:
            with suppress(TimeoutError):
                await asyncio.wait_for(answered.wait(), LOOK_SECONDS)
        del self._answered[interaction.id]


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
