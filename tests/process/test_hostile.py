"""A hostile client: forged components and commands by the thousand against the bot over real sockets (ten thousand
in ``make soak``).

The local Discord is made gullible here: it passes on whatever a client claims, more than Discord would.
"""

import asyncio
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import Bot, set_discord_urls
from bot.delivery.limits import Throttle
from bot.delivery.plan import render_slot
from bot.delivery.slots import dm_hand_slot, is_superseded_slot
from bot.store.store import Store
from bot.tables import lobby, start
from bot.tables.limits import Limits as Allowed
from bot.tables.model import Phase, Player, Table, TableId
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb, parse_custom_id
from engine.errors import IllegalAction
from engine.fair import SeededChance
from engine.game import Seat
from local_discord.components import walk
from local_discord.interactions import Interactions
from local_discord.limits import Limits
from local_discord.model import ChannelType, Interaction, Message
from local_discord.server import Server
from local_discord.world import Readers
from tests import kept
from tests.games import CASES
from tests.process import forging
from tests.process.waiting import eventually

PAYLOADS = 10_000 if os.environ.get("SOAK") else 1_000
AT_ONCE = 40


class Net:
    """A gullible local Discord and the bot, in this process but over sockets."""

    def __init__(self, server: Server, interactions: Interactions, bot: Bot, database: Path) -> None:
        self.database = database
        self.server = server
        self.interactions = interactions
        self.bot = bot
        self.world = server.world

    def state_of(self, table: TableId) -> Any:
        """The state of a live table's game; ``None`` before the cards are dealt."""
        return next(it.state for it in self.bot.tables.live_tables_in_memory() if it.id == table)

    def now(self) -> int:
        """What the bot's clock says, ms."""
        return self.bot.clock.now()


@pytest.fixture
async def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Net]:
    """A gullible local Discord: it finds whatever message a click names, and knows no limits and no deadline."""
    made: list[Interactions] = []
    real = Interactions.__init__

    def note(self: Interactions, *arguments: Any) -> None:
        real(self, *arguments)
        made.append(self)

    def believe(self: Interactions, body: dict[str, Any], *_: Any) -> Message | None:
        for place in self._world.channels.values():
            if (found := place.messages.get(int(body.get("message_id") or 0))) is not None:
                return found
        return None

    monkeypatch.setattr(Interactions, "__init__", note)
    monkeypatch.setattr(Interactions, "_check_use", believe)
    monkeypatch.setattr("local_discord.interactions.DEADLINE_SECONDS", 60.0)  # nor the speed of this machine
    monkeypatch.setattr(Limits, "count_request", lambda *_, **__: {})  # it is the bot that is tried, not its patience
    api, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    server = Server(channels=len(CASES))
    await server.start(0)
    set_discord_urls(f"http://127.0.0.1:{server.port}/api/v10", server.gateway.address)
    options = Options(pace=Pace.OFF, turn_seconds=0, window_ms=0, hold_ms=0)
    kept.keep(tmp_path / "t.sqlite3")
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/t.sqlite3")
    bot = Bot(store, options=options, throttle=Throttle(None), limits=Allowed(0, 0, 0))
    serving = asyncio.create_task(bot.start(server.world.bot.token))
    await eventually(bot.is_ready, "the bot to connect")
    yield Net(server, made[0], bot, tmp_path / "t.sqlite3")
    await bot.close()
    await asyncio.wait({serving})
    await store.close()
    await server.stop()
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = api, gateway


async def tables_of(net: Net) -> list[Table]:
    """A running table of every game, in a channel each."""
    texts = [c for c in net.world.channels.values() if c.type is ChannelType.TEXT]
    opened = []
    for channel, game in zip(texts, sorted(CASES), strict=True):
        assert channel.guild is not None
        opened.append(await opened_at(net, channel.guild, channel.id, game))
    return opened


async def opened_at(net: Net, guild: int, channel: int, game: str) -> Table:
    """A running table of *game*, with as few people as it takes."""
    tables = net.bot.tables
    host, *others = (Player(person.name, person.id) for person in net.world.people[: CASES[game].rules.seats[0]])
    table = await tables.open_table(guild=guild, channel=channel, game=game, host=host, locale="en")
    for other in others:
        await tables.change(table.id, "join", other.user, lambda t, p=other: lobby.join_lobby(t, p, t.changed_at))
    assert host.user is not None
    user = host.user
    await tables.change(table.id, "start", user, lambda t: start.start_game(t, user, net.now()))
    await eventually(lambda: net.state_of(table.id) is not None, "the cards")
    return await tables.get(table.id)


@pytest.mark.one_in(3)
@pytest.mark.about(*CASES)
@pytest.mark.parametrize("seed", [17])
async def test_forged_payloads_by_the_thousand(net: Net, caplog: pytest.LogCaptureFixture, seed: int) -> None:
    caplog.set_level(logging.DEBUG, logger="bot")
    rng = Random(seed)
    ids = {table.id for table in await tables_of(net)}
    played = set(ids)
    people = net.world.people
    for _ in range(PAYLOADS // AT_ONCE):
        now = [await net.bot.tables.get(table) for table in ids]
        messages = [m for channel in net.world.channels.values() for m in channel.messages.values()]
        answers = []
        for _ in range(AT_ONCE):
            message = rng.choice(messages)
            channel = net.world.channels[message.channel]
            # Whatever else a client claims: Discord knows who it is, and what they can see.
            readers = Readers(net.world, channel, message.reader)
            person = rng.choice([p for p in people[:4] if p.id in readers] or [people[0]])
            body: dict[str, Any] = {"channel_id": str(channel.id)}
            if rng.randrange(20):
                data = forging.click(rng, now, list(walk(message.components)))
                body |= {"type": 3, "message_id": str(message.id), "data": data}
            else:
                body |= {"type": 2, "data": forging.command(rng)}
            answers.append(net.interactions.create(person, body))
        await settled(net, answers)
        await keep_playing(net, ids)
        played |= ids
    await at_rest(net)
    assert not [r for r in caplog.records if r.exc_info], [r.getMessage() for r in caplog.records if r.exc_info][:3]
    text = "\n".join(f"{r.getMessage()} {getattr(r, 'fields', '')}" for r in caplog.records)
    made: Counter[str] = Counter()
    versions_of = kept.history(net.database)
    for name in played:
        table = await net.bot.tables.get(name)
        assert table.state is None or table.seed not in text  # a lobby has no seed yet
        assert table.secret not in text
        made[table.game] += only_legal(versions_of[name])
    await right_readers(net, versions_of)
    for game in CASES:
        assert made[game], "nothing was at stake: no honest click has made a move"


async def settled(net: Net, answers: list[Interaction]) -> None:
    """Every interaction has its one answer - but for a click on a message that was deleted before the answer came."""

    def waits(it: Interaction) -> bool:
        there = it.message is None or it.message in net.world.channels[it.channel].messages
        return it.replied is None and not it.failed and there

    await eventually(lambda: not any(map(waits, answers)), lambda: f"answers to {[*filter(waits, answers)][:3]}")


async def keep_playing(net: Net, ids: set[TableId]) -> None:
    """Tables that were ended by somebody who might are replaced, so that there is always something to attack."""
    for table in list(ids):
        old = await net.bot.tables.get(table)
        if old.live:
            continue
        ids.discard(table)
        there = net.bot.tables.taken_over_table_in_channel(old.channel)
        if there is None:
            ids.add((await opened_at(net, old.guild, old.channel, old.game)).id)
        else:
            ids.add(there.id)


def only_legal(steps: list[tuple[dict[str, Any], Table]]) -> int:
    """Every change of a game's state is a legal move of whoever asked for it; how many there were."""
    made = 0
    for (_, before), (event, after) in pairwise(steps):
        if before.phase is not Phase.PLAYING or before.state == after.state:
            continue
        rules = after.rules
        chance = SeededChance(bytes.fromhex(after.seed))
        if event["by"] is not None:
            seats = {before.seat_of(event["by"])}
        else:  # a timer: it plays for whoever is on turn, for computers, and turns over the cards after a call
            computers = [Seat(seat) for seat, player in enumerate(before.players) if player.automatic]
            calls = before.window.calls if before.window is not None else ()
            seats = {rules.on_turn(before.state), *computers, *(call.seat for call in calls)}
        actions = [action for seat in seats for action in legal(rules, before.state, seat)]
        reached = [rules.apply(before.state, action, chance).state for action in actions]
        assert after.state in reached, event
        made += 1
    return made


def legal(rules: Any, state: Any, seat: Seat | None) -> list[Any]:
    actions = []
    for action in rules.legal_actions(state, seat):
        try:
            rules.apply(state, action, SeededChance(bytes(32)))
        except IllegalAction:
            continue
        actions.append(action)
    return actions


async def at_rest(net: Net) -> None:
    """Wait until every message is as it should be, and those are gone that should be: whoever leaves a table or is
    erased keeps their hand until a request has deleted it."""

    def unfinished() -> list[str]:
        every = (slot for slots in net.bot.reconciler._registry.all_slots() for slot in slots.all())
        return [repr(slot) for slot in every if slot.has_work or is_superseded_slot(slot.name)]

    await eventually(lambda: not unfinished(), lambda: f"messages to be as they should be: {unfinished()}")


async def right_readers(net: Net, played: dict[str, list[tuple[dict[str, Any], Table]]]) -> None:
    """A hand that can be played from is seen by its owner alone, and shows nothing that only others' hands ever
    showed. (It may be an old one: whoever clicks on an older message of theirs makes it the current one.)"""
    hands = 0
    for channel in net.world.channels.values():
        for message in list(channel.messages.values()):
            presses = [parse_custom_id(str(c.get("custom_id", ""))) for c in walk(message.components)]
            moves = [p for p in presses if p is not None and p.verb is Verb.MOVE]
            if not moves:
                continue
            hands += 1
            seen_by = Readers(net.world, channel, message.reader)
            readers = [person.id for person in net.world.people if person.id in seen_by]
            assert len(readers) == 1, "a hand in public"
            versions = [table for _, table in played[moves[0].table]]
            if message.reader:
                # A forged click on it, about another table, leaves it without a token: then nothing can delete it, not
                # even when its person is erased.
                versions = [table for table in versions if table.seat_of(readers[0]) is not None][-1:]
            owner = versions[-1].seat_of(readers[0]) if versions else None
            assert owner is not None, "a stranger holds a hand"
            seen: dict[bool, set[str]] = {True: set(), False: set()}
            for then in (table for _, table in played[moves[0].table]):
                if then.state is not None:
                    for seat in map(Seat, range(len(then.players))):
                        seen[seat == owner] |= _lines(render_slot(then, dm_hand_slot(seat), 1).payload)
            assert _lines(message.components) & seen[True]
            assert not _lines(message.components) & (seen[False] - seen[True]), "somebody else's hand"
    assert hands


def _lines(components: list[dict[str, Any]]) -> set[str]:
    return {str(c["content"]) for c in walk(components) if c["type"] == 10}
