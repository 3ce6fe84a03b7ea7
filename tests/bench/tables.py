"""Ten thousand live tables: what an idle one costs in memory, and how a restart with them goes."""

import asyncio
import time
from dataclasses import replace
from typing import NamedTuple

from bot.store.store import Handle, Store
from bot.tables import start
from bot.tables.model import Phase, Player, Table, TableId
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb, custom_id
from engine.registry import GAMES
from local_discord.model import Channel, ChannelType, Message, MessageFlag
from tests.bench.stage import Stage, stage
from tests.controls import BUTTON, Offer, components

TABLES = 10_000
SEATS = max(game.seats[0] for game in GAMES.values())
"""As few people at each table as every game takes."""
TABLES_A_SERVER = 100
"""In one server with everybody the local Discord would be busy with finding out who reads a message."""
PATIENCE_SECONDS = 2_400
STEADY_SECONDS = 5
"""What is read of the tables in so long is far more than a page of memory."""


class Restart(NamedTuple):
    """How a restart with many live tables went."""

    kib_a_table: float
    """After a second start, in which nothing has to be edited."""
    kib_just_edited: float
    """After the first, in which every message had to be."""
    first_click_seconds: float
    """From the start of the process to the answer of a click made as soon as it was connected."""
    shown_seconds: float
    """Until every message had been brought up to date."""
    refused: int
    """429s on the way."""


def _placeholder(it: Stage, channel: Channel) -> Message:
    message = Message(it.world.snowflakes.next(), channel.id, it.world.bot.id, flags=int(MessageFlag.COMPONENTS_V2))
    message.components = [{"type": 10, "content": "?", "id": 1}]
    channel.messages[message.id] = message
    return message


def _spread(it: Stage) -> None:
    """Many servers in place of the one, each with some of the channels and those people who play there."""
    world = it.world
    (whole,) = world.guilds.values()
    world.guilds.clear()
    for first in range(0, TABLES, TABLES_A_SERVER):
        here = it.channels[first : first + TABLES_A_SERVER]
        people = [person.id for person in world.people[first * SEATS : (first + TABLES_A_SERVER) * SEATS]]
        channels, members = [channel.id for channel in here], [world.bot.id, *people]
        guild = replace(whole, id=world.snowflakes.next(), owner=people[0], channels=channels, members=members)
        world.guilds[guild.id] = guild
        for channel in here:
            channel.guild = guild.id


async def _fill(it: Stage) -> list[tuple[Channel, int]]:
    """Every table in the store, its messages in the channels; where all those messages are: (channel, id)."""
    store = await Store.open(f"sqlite+aiosqlite:///{it.folder}/tables.sqlite3")
    options = Options(pace=Pace.OFF, turn_seconds=0)
    messages: list[tuple[Channel, int]] = []
    work = []
    for number in range(TABLES):
        people = it.world.people[number * SEATS : (number + 1) * SEATS]
        place = it.channels[number]
        now = time.time_ns() // 1_000_000
        players = tuple(Player(person.name, person.id, active_at=now) for person in people)
        table = Table(
            id=_id(number),
            version=1, guild=place.guild or 0, channel=place.id,
            game=list(GAMES)[number % len(GAMES)], phase=Phase.LOBBY, host=people[0].id, locale="en",
            options=options, players=players, created_at=now, changed_at=now, secret=f"{number:064x}",
        )  # fmt: skip
        table = start.start_game(table, people[0].id, now)
        table = start.deal_cards(table, number + 1, now)
        work.append(store.create_table(table, {"what": "bench"}, now))
        handles = [("table", place)]
        for seat, person in enumerate(people):
            private = Channel(it.world.snowflakes.next(), ChannelType.DM, recipients=(it.world.bot.id, person.id))
            it.world.channels[private.id] = private
            handles.append((f"hand:{seat}", private))
        for slot, channel in handles:
            message = _placeholder(it, channel)
            messages.append((channel, message.id))
            work.append(store.save_handle(table.id, Handle(slot, channel.id, message.id, told=table.turn_began)))
    await asyncio.gather(*work)
    await store.close()
    return messages


def _id(number: int) -> TableId:
    """The id of table number *number*: letters, as real ones have no 0, 1, 8 and 9."""
    return TableId(f"{number:x}".translate(_LETTERS))


_LETTERS = str.maketrans("0123456789abcdef", "ghijklmnopabcdef")


async def restart() -> Restart:
    """Start the bot on ten thousand live tables, click at once, and wait until everything is shown."""
    async with stage(1, SEATS) as it:
        await it.start_ours()
        await asyncio.sleep(2)
        empty = it.resident()
    async with stage(TABLES, TABLES * SEATS) as it:
        _spread(it)
        messages = await _fill(it)
        it.server.limits.off = False
        begun = time.perf_counter()
        await it.start_ours()
        # The oldest table, which is brought up to date last: Rules needs no hand.
        channel = it.channels[0]
        (message,) = channel.messages.values()
        rules = custom_id(Verb.RULES, _id(0))
        button = {"type": BUTTON, "style": 2, "label": "?", "custom_id": rules, "id": 2}
        message.components = [{"type": 1, "components": [button], "id": 3}]
        await it.done(it.click(it.world.people[0], message, Offer(rules, BUTTON, None)))
        first = time.perf_counter() - begun
        # One after the other: this process is also the Discord that the bot waits for, and would stand still for a look
        # at all of them.
        for number, (channel, id_) in enumerate(messages):
            while not _shown(channel.messages[id_]):
                if time.perf_counter() - begun > PATIENCE_SECONDS:
                    raise RuntimeError(f"message {number} of {len(messages)} is not up to date")
                await asyncio.sleep(0.5)
        shown = time.perf_counter() - begun
        await asyncio.sleep(2)
        edited = it.resident() - empty
        refused = sum(request["status"] == 429 for request in it.server.requests.after(0))
        await it.stop()
        await it.start_ours()
        grown = await _steady(it) - empty
        return Restart(grown / TABLES, edited / TABLES, first, shown, refused)


async def _steady(it: Stage) -> float:
    """Resident memory of the bot, KiB, once it grows no more: a start reads its tables in the background."""
    before = 0.0
    while (now := it.resident()) > before:
        before = now
        await asyncio.sleep(STEADY_SECONDS)
    return now


def _shown(message: Message) -> bool:
    """Whether the bot has put something in place of what *message* said at first."""
    return not any("?" in (it.get("content"), it.get("label")) for it in components(message))
