"""A hostile client: forged components and commands by the thousand against the bot over real sockets (ten thousand
in ``make soak``).

The local Discord is made gullible here: it passes on whatever a client claims, more than Discord would.
"""

import asyncio
import logging
import os
import string
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import Bot, use_servers
from bot.custom_ids import Verb, custom_id, parse
from bot.delivery.content import sheet_for
from bot.delivery.slots import hand_slot
from bot.delivery.throttle import Throttle
from bot.store.store import Store
from bot.tables.model import Options, Pace, Phase, Player, Table, TableId
from engine.errors import IllegalAction
from engine.fair import Fair
from engine.game import Seat
from local_discord.checks import walk
from local_discord.interactions import Interactions
from local_discord.limits import Limits, Verdict
from local_discord.model import Channel, ChannelType, Message, User
from local_discord.server import Server
from tests.games import CASES

PAYLOADS = 10_000 if os.environ.get("SOAK") else 1_000
AT_ONCE = 40


class Net:
    """A gullible local Discord and the bot, in this process but over sockets."""

    def __init__(self, server: Server, interactions: Interactions, bot: Bot) -> None:
        self.server = server
        self.interactions = interactions
        self.bot = bot
        self.world = server.world


@pytest.fixture
async def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Net]:
    made: list[Interactions] = []
    real = Interactions.__init__

    def note(self: Interactions, *arguments: Any) -> None:
        real(self, *arguments)
        made.append(self)

    def believe(self: Interactions, body: dict[str, Any], data: Any, channel: Channel, person: User) -> Message | None:
        for place in self._world.channels.values():
            if (found := place.messages.get(int(body.get("message_id") or 0))) is not None:
                return found
        return None

    monkeypatch.setattr(Interactions, "__init__", note)
    monkeypatch.setattr(Interactions, "_check", believe)
    monkeypatch.setattr("local_discord.interactions.DEADLINE_SECONDS", 60.0)  # nor the speed of this machine
    monkeypatch.setattr(Limits, "take", lambda *_, **__: Verdict({}))  # it is the bot that is tried, not its patience
    api, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    server = Server()
    await server.start(0)
    use_servers(f"http://127.0.0.1:{server.port}/api/v10", server.gateway.address)
    options = Options(pace=Pace.OFF, turn_seconds=0, window_ms=0, hold_ms=0)
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path}/t.sqlite3")
    bot = Bot(store, options=options, throttle=Throttle(None))
    serving = asyncio.create_task(bot.start(server.world.bot.token))
    await ready(bot)
    yield Net(server, made[0], bot)
    await bot.close()
    await asyncio.wait({serving})
    await store.close()
    await server.stop()
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = api, gateway


async def ready(bot: Bot) -> None:
    for _ in range(1000):
        if bot.is_ready():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the bot does not connect")


async def tables_of(net: Net) -> list[Table]:
    """A running table of every game, in a channel each."""
    texts = [c for c in net.world.channels.values() if c.type is ChannelType.TEXT]
    people = net.world.people
    opened = []
    for channel, game in zip(texts, sorted(CASES), strict=False):
        assert channel.guild is not None
        host, second = (Player(person.name, person.id) for person in people[:2])
        table = await net.bot.tables.open(guild=channel.guild, channel=channel.id, game=game, host=host, locale="en")
        await net.bot.tables.join(table.id, second)
        opened.append(await net.bot.tables.start(table.id, people[0].id))
    return opened


def forged(rng: Random, tables: list[Table]) -> dict[str, Any]:
    """The data of a component that somebody made up: often nearly right."""
    table = rng.choice(tables)
    ply = rng.choice([0, 1, table.rules.ply(table.state) if table.state else 0, 999_999, rng.randrange(60)])
    args = ["", "0-up", "1-down", "2-up", "9-up", "0-side", "pass", "cards", "play0", "play7", "length"]
    arg = rng.choice([*args, "".join(rng.choices(string.printable, k=rng.randrange(60)))])
    name = rng.choice([table.id, table.id, table.id, TableId("zzzzzzzz"), TableId("a")])
    verb = rng.choice(list(Verb))
    text = custom_id(verb, name, ply, arg)
    if not rng.randrange(6):
        text = "".join(rng.choices(string.printable + "äß🎲\u202e\x00", k=rng.randrange(120)))
    elif not rng.randrange(8):
        text = text.replace("/", rng.choice(["//", "\\", "/../", "%2f"]), 1)
    values = [
        "3.1",
        "3.2",
        "2.2",
        "12",
        "0",
        "x",
        "normal",
        "off",
        "120",
        "-1",
        "full",
        "set",
        "1",
        "9" * 300,
        "",
        "💥",
    ]
    data: dict[str, Any] = {"custom_id": text, "component_type": rng.choice([2, 3])}
    if rng.randrange(2):
        data["values"] = rng.choices(values, k=rng.randrange(5))
    if not rng.randrange(40):
        data["values"] = rng.choice([None, "x", 7, [1, 2], [[]], [None]])
    return data


def command(rng: Random) -> dict[str, Any]:
    """A command that somebody made up."""
    name = rng.choice(["play", "table", "rules", "help", "nonsense", "tablе"])
    sub = rng.choice(["show", "hand", "leave", "return", "end", "nonsense"])
    value = rng.choice(["diciassette", "twelve_days", "chess", "", "x" * 500])
    options: list[dict[str, Any]] = [{"name": rng.choice(["game", "other"]), "type": 3, "value": value}]
    if name == "table":
        options = [{"name": sub, "type": 1, "options": []}]
    if not rng.randrange(5):
        options = []
    return {"id": "1", "name": name, "type": 1, "options": options}


async def test_forged_payloads_by_the_thousand(net: Net, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="bot")
    rng = Random(17)
    tables = await tables_of(net)
    seeds = [table.seed for table in tables]
    ids = {table.id for table in tables}
    people = net.world.people
    for _ in range(PAYLOADS // AT_ONCE):
        now = [await net.bot.tables.get(table) for table in ids]
        messages = [m for channel in net.world.channels.values() for m in channel.messages.values()]
        answers = []
        for _ in range(AT_ONCE):
            message = rng.choice(messages)
            channel = net.world.channels[message.channel]
            # Whatever else a client claims: Discord knows who it is, and what they can see.
            readers = net.world._readers_of(channel, message)
            person = rng.choice([p for p in people[:4] if p.id in readers] or [people[0]])
            body: dict[str, Any] = {"channel_id": str(channel.id)}
            if rng.randrange(20):
                body |= {"type": 3, "message_id": str(message.id), "data": forged(rng, now)}
            else:
                body |= {"type": 2, "data": command(rng)}
            answers.append(net.interactions.begin(person, body))
        await settled(net, answers)
        await keep_playing(net, ids)
    assert not [r for r in caplog.records if r.exc_info], [r.getMessage() for r in caplog.records if r.exc_info][:3]
    text = "\n".join(f"{r.getMessage()} {getattr(r, 'fields', '')}" for r in caplog.records)
    assert not [seed for seed in seeds if seed in text]
    for table in ids:
        await only_legal(net, table)
    await right_readers(net)


async def settled(net: Net, answers: list[Any]) -> None:
    """Every interaction has its one answer."""
    for _ in range(10_000):
        if all(it.replied is not None or it.failed for it in answers):
            break
        await asyncio.sleep(0.005)
    unanswered = [it.data for it in answers if it.replied is None]
    assert not unanswered, unanswered[:3]


async def keep_playing(net: Net, ids: set[TableId]) -> None:
    """Tables that were ended by somebody who might are replaced, so that there is always something to attack."""
    for table in list(ids):
        old = await net.bot.tables.get(table)
        if old.live:
            continue
        ids.discard(table)
        there = net.bot.tables.live_in(old.channel)
        if there is None:
            host, second = (Player(person.name, person.id) for person in net.world.people[:2])
            fresh = await net.bot.tables.open(
                guild=old.guild, channel=old.channel, game=old.game, host=host, locale="en"
            )
            await net.bot.tables.join(fresh.id, second)
            ids.add((await net.bot.tables.start(fresh.id, host.user or 0)).id)
        else:
            ids.add(there.id)


async def only_legal(net: Net, table: TableId) -> None:
    """Every change of a game's state is a legal move of whoever asked for it."""
    steps = await net.bot.store.history(table)
    for (_, _, before), (_, event, after) in pairwise(steps):
        if before.phase is not Phase.PLAYING or before.state == after.state:
            continue
        rules = after.rules
        chance = Fair(bytes.fromhex(after.seed))
        seat = rules.on_turn(before.state) if event["by"] is None else before.seat_of(event["by"])
        reached = [rules.apply(before.state, action, chance).state for action in legal(rules, before.state, seat)]
        assert after.state in reached, event


def legal(rules: Any, state: Any, seat: Seat | None) -> list[Any]:
    actions = []
    for action in rules.legal_actions(state, seat):
        try:
            rules.apply(state, action, Fair(bytes(32)))
        except IllegalAction:
            continue
        actions.append(action)
    return actions


async def right_readers(net: Net) -> None:
    """A hand that can be played from is seen by its owner alone, and shows nothing that only others' hands ever
    showed. (It may be an old one: whoever clicks on an older message of theirs makes it the current one.)"""
    hands = 0
    for channel in net.world.channels.values():
        for message in channel.messages.values():
            presses = [parse(str(c.get("custom_id", ""))) for c in walk(message.components)]
            moves = [p for p in presses if p is not None and p.verb is Verb.MOVE]
            if not moves:
                continue
            hands += 1
            readers = [r for r in net.world._readers_of(channel, message) if r != net.world.bot.id]
            assert len(readers) == 1, "a hand in public"
            table = await net.bot.tables.get(moves[0].table)
            owner = table.seat_of(readers[0])
            assert owner is not None, "a stranger holds a hand"
            seen: dict[bool, set[str]] = {True: set(), False: set()}
            for _, _, then in await net.bot.store.history(table.id):
                if then.state is not None:
                    for seat in map(Seat, range(len(then.players))):
                        seen[seat == owner] |= _lines(sheet_for(then, hand_slot(seat), 1).payload)
            assert _lines(message.components) & seen[True]
            assert not _lines(message.components) & (seen[False] - seen[True]), "somebody else's hand"
    assert hands


def _lines(components: list[dict[str, Any]]) -> set[str]:
    return {str(c["content"]) for c in walk(components) if c["type"] == 10}
