"""One run: Discord, the bot, its database and people in one process, and what a plan says goes wrong."""

import asyncio
import contextlib
import hashlib
import json
import logging
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import aiohttp

from bot.client import set_discord_urls
from bot.delivery.plan import LONGEST_LAG_MS
from bot.tables.model import Phase, Table
from bot.ui.custom_ids import Verb
from bot.ui.server_settings import DAILY
from local_discord.model import ChannelType
from local_discord.server import Server
from tests import kept
from tests.controls import BUTTON, Offer, controls
from tests.process.person import Person
from tests.process.watch import tables
from tests.process.world import World
from tests.simulation import virtual
from tests.simulation.alone import Soloist
from tests.simulation.checks import Checks
from tests.simulation.failures import Failures
from tests.simulation.guests import Player, Tables, believe
from tests.simulation.homes import Homes
from tests.simulation.machine import Machine, Member
from tests.simulation.noted import Noted
from tests.simulation.plan import Guest, Plan
from tests.simulation.shared import REPLACED
from tests.simulation.shared import Server as Database
from tests.simulation.troubles import Troubles
from tests.simulation.wrong import Stale, Stuck, Wrong

log = logging.getLogger(__name__)

PORT: Final = 8017
STUCK_SECONDS: Final = 15.0
"""How soon a game goes on when everybody plays."""
CONNECT_SECONDS: Final = 60.0
"""How long a bot may take to connect: its host, the network and discord.py each wait a little before they try again."""
SETTLE_SECONDS: Final = 90.0
"""How long several processes may take until every shard has had its turn to identify, and all is shared out."""
LEAVE_SECONDS: Final = 90.0
"""How long a process may take that was told to end."""
GUILDS: Final = 6
CHANNELS: Final = 3
"""How many servers there are, and channels in each, where there are several processes: enough for each shard."""
LOOK_SECONDS: Final = 0.2
SHOWN_SECONDS: Final = 5.0
"""How long somebody waits for a table message that was deleted."""
CONVERGE_SECONDS: Final = 10.0
"""How soon everything must be right again when nothing goes wrong any more; table messages may lag."""
LAG_SECONDS: Final = 5.0 + LONGEST_LAG_MS / 1000
"""How soon after that table messages must be right as well, when nobody plays any more."""


class Universe:
    """Everything of one run that follows from *plan*. The database lies in *folder*."""

    def __init__(self, sim: virtual.World, plan: Plan, folder: Path) -> None:
        """*sim* is where all of it runs."""
        self.sim = sim
        self.plan = plan
        self.store = folder / "tables.sqlite3"
        kept.keep(self.store)
        self.there = sim.host("discord")
        size = {"guilds": GUILDS, "channels": CHANNELS, "shards": plan.shards, "concurrency": plan.concurrency}
        self.server = Server(
            **{
                "channels": 3,
                "people": 5 if plan.soloist else 4,
                "clock": virtual.now,
                **(size if plan.processes else {}),
            }
        )
        self.shared: Database | None = None
        self.homes: Homes | None = None
        self.machines: list[Machine] = []
        if plan.processes:
            self._share(sim, plan)
        else:
            self.machines.append(Machine(sim, self.store))
        self.people: list[Person] = []
        """Those who play at the tables of the plan."""
        self.soloist: Soloist | None = None
        self.noted = Noted()
        self.failures = Failures()
        self.dealt = 0.0
        """When the last cards were dealt, s."""
        self._helping: list[asyncio.Task[None]] = []

    def _share(self, sim: virtual.World, plan: Plan) -> None:
        """Several processes, on one database."""
        self.shared = Database(sim, self.store, plan.seed, orderly=plan.orderly)
        members = [Member(sim, self.shared, number, plan.shards) for number in range(plan.processes)]
        self.homes = Homes(members, self.store, self.shared, self.server, plan.shards)
        self.shared.committing = self.homes.committing
        virtual.tell_of_sent(self.homes.sent)
        self.machines += members

    @property
    def everybody(self) -> list[Person]:
        """All who play, also who plays alone."""
        return [*self.people, *([self.soloist.person] if self.soloist else [])]

    def member(self, number: int) -> Member:
        """Machine *number*, one of several."""
        machine = self.machines[number]
        assert isinstance(machine, Member)
        return machine

    # The run

    async def run(self) -> None:
        """One run, checked.

        Raises:
            Wrong: something is not as it must be.
        """
        self.failures.begin()
        self.sim.net.set_latency(*self.plan.lag)
        server = self.server
        believe(server)
        self.noted.faults_of(server)
        self.there.spawn(lambda: server.start(PORT))
        async with aiohttp.ClientSession() as http:
            await self._until(lambda: server.port, "Discord does not start")
            async with http.get(f"http://127.0.0.1:{PORT}/local/session") as response:
                self.discord = World(http, await response.json())
            self.people = self.discord.people[: len(self.plan.guests)]
            set_discord_urls(self.discord.api, self.discord.gateway)
            listening = [asyncio.create_task(person.listen()) for person in self.discord.people]
            await self._until(lambda: all(p.ready for p in self.discord.people), "not everybody connects")
            for machine in self.machines:
                machine.start(self.discord.session["bot_token"])
            noting = self.noted.homes_of(self.homes) if self.homes else self.noted.downs_of(self.machines[0], server)
            helping = (*(machine.look_after() for machine in self.machines), noting)
            self._helping = [asyncio.create_task(it) for it in helping]
            await self._until_served()
            await self._deal()
            if self.plan.soloist is not None:
                await self._prepare_day(self.plan.soloist)
            await self._play()
            for task in (*listening, *self._helping):
                task.cancel()
            await asyncio.wait([*listening, *self._helping])

    def end(self) -> None:
        """Switch everything off."""
        for host in self.sim.hosts:
            virtual.kill(host)
        virtual.let_go()

    def digest(self) -> str:
        """A hash of all that people received, and of all that was committed."""
        received = [event for person in self.discord.people for event in person.received]
        committed = [[name, event] for name, steps in kept.history(self.store).items() for event, _ in steps]
        return hashlib.sha256(json.dumps([received, committed]).encode()).hexdigest()

    async def _until(
        self,
        what: Callable[[], Any],
        why: str | Callable[[], str],
        seconds: float = 20.0,
        otherwise: type[Wrong] = Stuck,
    ) -> None:
        """Wait until *what* is true; raises *otherwise* if that takes longer than *seconds*."""
        end = virtual.now() + seconds
        while not what():
            for task in self._helping:
                if task.done():
                    task.result()
            if virtual.now() > end:
                raise otherwise(f"after {seconds:g} s still: {why if isinstance(why, str) else why()}")
            await asyncio.sleep(LOOK_SECONDS)

    async def _until_served(self) -> None:
        """The bot is connected; raises Stuck if that takes longer than a minute."""
        homes = self.homes
        if homes is None:
            await self._until(lambda: self.server.gateway.bot_connected, "the bot is not connected", CONNECT_SECONDS)
        else:
            await self._until(lambda: homes.settled, "not everything is served", SETTLE_SECONDS)

    async def _deal(self) -> None:
        """A table of every game of the plan, in a channel each, with everybody at it."""
        host, *others = self.people
        self.places = list(self.discord.channels)
        if self.homes is not None:
            self.places = self.homes.places(self.places, len(self.plan.games))
        for channel, game in zip(self.places[: len(self.plan.games)], self.plan.games, strict=True):
            await host.slash(channel, "play", game=game)
            for person in others:
                await self._press(person, channel, Verb.JOIN)
            for _ in range(self.plan.computers):
                await self._press(host, channel, Verb.ADD_COMPUTER)
            await self._press(host, channel, Verb.OPTIONS)
            await self._until(lambda c=channel: host.form(Verb.OPTIONS, c) is not None, "no form of options")
            form = host.form(Verb.OPTIONS, channel)
            assert form is not None
            await host.interact(host.sent(form, pace=self.plan.pace, limit=self.plan.limit))
            await self._press(host, channel, Verb.START)
            await self._until(lambda c=channel: self._live(c), "the game does not start")
        for person, guest in zip(self.people, self.plan.guests, strict=True):
            for channel in self.places[: len(self.plan.games)]:
                if not guest.by_dm:
                    await self._press(person, channel, Verb.HAND)

    async def _prepare_day(self, guest: Guest) -> None:
        """Somebody plays alone, as *guest*; a server has a board of the day, in a channel without a table."""
        kinds = {it: self.server.world.channels[it].type for it in self.places}
        seed, channel = self.plan.seed, [it for it in self.places if kinds[it] is ChannelType.TEXT][-1]
        person = self.discord.people[len(self.people)]
        self.soloist = Soloist(person, guest, Random(f"{seed} alone"), self.plan.games[0], [channel, self.places[0]])
        await self.soloist.begin()
        if self.homes is not None:
            self.homes.channels.append(self.soloist.direct)
        manager = self.discord.people[-1]
        await self.discord.call("POST", f"/local/users/{manager.id}", {"permissions": ["manage_guild"]})
        await manager.slash(channel, "settings")
        await self._until(lambda: manager.newest(Verb.SETTING, channel), "no settings")
        settings = manager.newest(Verb.SETTING, channel)
        assert settings is not None
        (choice,) = (it for it, press in controls(settings) if press.arg == DAILY)
        await manager.use(settings, Offer(choice["custom_id"], choice["type"], [str(channel)]))

    async def _press(self, person: Person, channel: int, verb: Verb) -> None:
        """*person* uses the control for *verb* in *channel*, once it is there."""
        await self._until(lambda: person.newest(verb, channel), f"no {verb} for {person.name}")
        message = person.newest(verb, channel)
        assert message is not None
        found = message.press(verb)
        assert found is not None
        await person.use(message, Offer(found[0], BUTTON, None))

    def _live(self, channel: int) -> bool:
        return any(t.channel == channel and t.phase is Phase.PLAYING for t in tables(self.store).values())

    def playing(self) -> list[Table]:
        """The tables at which a game runs."""
        return [table for table in tables(self.store).values() if table.phase is Phase.PLAYING]

    def playing_together(self) -> list[Table]:
        """Those tables of the plan at which a game runs."""
        return [table for table in self.playing() if not table.solo]

    async def _play(self) -> None:
        """Everybody plays while things go wrong; then nothing goes wrong any more."""
        at = Tables(self.playing)
        at.dealt = self.dealt = virtual.now()
        self.players = [
            Player(person, guest, Random(f"{self.plan.seed} {number}"))
            for number, (person, guest) in enumerate(zip(self.people, self.plan.guests, strict=True))
        ]
        self.players += [self.soloist] if self.soloist else []
        playing = [asyncio.create_task(player.play(at)) for player in self.players]
        troubles = [asyncio.create_task(self._later(at.dealt, it)) for it in self.plan.troubles]
        with contextlib.suppress(Stuck):  # nobody waits for the games to end
            await self._until(lambda: not self.playing_together(), "", self.plan.seconds)
        for task in (*playing, *troubles):
            task.cancel()
        await asyncio.wait([*playing, *troubles])
        log.info("nothing goes wrong any more: the bot is started, if it is not there, and all faults are lifted")
        self.sim.net.heal()
        await self.discord.call("DELETE", "/local/faults")
        if self.shared is not None:
            self.shared.is_away("")
        for machine in self.machines:
            if machine.frozen:
                machine.thaw()
        await self._until(lambda: not any(it.leaving for it in self.machines), "a process does not end", LEAVE_SECONDS)
        for machine in self.machines:
            machine.be_well()
        await self._until_served()
        await self._show_tables()
        checks = Checks(self)
        await self._converge(checks)
        log.info("everybody plays: every game must go on within %g s", STUCK_SECONDS)
        await self._play_on(at)
        await self._converge(checks)
        log.info("the whole run is checked")
        checks.check()

    async def _converge(self, checks: Checks) -> None:
        """Wait until every message is right; table messages have the time for which they may lag.

        Raises:
            Stale: it takes too long.
        """
        for lags, seconds in ((True, CONVERGE_SECONDS), (False, LAG_SECONDS)):
            what = "every message but table messages that lag" if lags else "every message"
            log.info("from now on %s must be right within %g s", what, seconds)
            behind = partial(checks.behind, lags=lags)
            await self._until(lambda behind=behind: not behind(), behind, seconds, Stale)

    async def _show_tables(self) -> None:
        """Where somebody has deleted the table message, and the bot has had no reason yet to notice, the host asks for
        the table."""
        for table in self.playing_together() if self.noted.deleted else ():
            try:
                await self._until(lambda it=table: self._board(it), "", SHOWN_SECONDS)
            except Stuck:
                await self.people[0].slash(table.channel, "table show")

    def _board(self, table: Table) -> bool:
        """Whether *table* has a message."""
        messages = self.people[0].messages.values()
        return any(it.channel == table.channel and it.press(Verb.MENU) and it.about(table.id) for it in messages)

    async def _play_on(self, at: Tables) -> None:
        """Everybody can play: at no table the game is stuck; raises Stuck if one is."""
        plies = {table.id: table.state.ply for table in self.playing()}
        playing = [asyncio.create_task(player.play(at)) for player in self.players]
        for player in self.players:
            player.alert = True

        def stuck() -> str:
            now = {table.id: table.state.ply for table in self.playing()}
            return "".join(f"{name} is stuck at ply {ply}" for name, ply in plies.items() if now.get(name) == ply)

        await self._until(lambda: not stuck(), stuck, STUCK_SECONDS)
        for task in playing:
            task.cancel()
        await asyncio.wait(playing)

    async def _later(self, dealt: float, trouble: Any) -> None:
        """*trouble*, when it is time."""
        await asyncio.sleep(max(0.0, dealt + trouble.at - virtual.now()))
        log.info("%s %s", trouble.what, trouble.given)
        await getattr(Troubles(self), trouble.what)(**trouble.given)


def simulate(plan: Plan, folder: Path, watch: Callable[[Universe], object] = bool) -> virtual.Run:
    """The run that follows from *plan*, with its database in *folder*, which is emptied first; *watch* is given what it
    runs in."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)

    async def main(sim: virtual.World) -> tuple[str, Exception | None]:
        universe = Universe(sim, plan, folder)
        watch(universe)
        try:
            await universe.run()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what was found
            return universe.digest(), error
        finally:
            universe.end()
            universe.failures.stop()
        return universe.digest(), None

    return virtual.run(main, plan.seed, orderly=plan.orderly, replaced=REPLACED)
