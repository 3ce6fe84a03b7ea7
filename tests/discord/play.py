"""People at a table on SimCord: what they see and press."""

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord
import simcord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from bot.client import Bot
from bot.custom_ids import Verb, parse
from bot.delivery.throttle import Throttle
from bot.store.store import Store
from bot.tables.model import Options, Pace, Table
from engine.diciassette.cards import Card
from tests import openapi
from tests.clocks import SteppedClock
from tests.games import CASES

QUICK = Options(pace=Pace.OFF, turn_seconds=0, window_ms=0, hold_ms=0)
NAMES = ("anna", "bruno", "carla", "dirk", "emma", "felix", "gina", "hugo")


def seeds() -> Iterator[bytes]:
    """Seeds for one game after the other, the same in every run."""
    number = 0
    while True:
        yield hashlib.sha256(f"test {number}".encode()).digest()
        number += 1


class Club:
    """The world of a test: the bot, a channel, people."""

    def __init__(self, env: simcord.Env, bot: Bot, clock: SteppedClock, url: str, options: Options, game: str) -> None:
        self.env = env
        self.case = CASES[game]
        self.bot = bot
        self.clock = clock
        self.url = url
        self.options = options
        self.drawings = False
        self.guild = env.create_guild("Card club")
        self.channel = self.guild.create_text_channel("card-table")
        self.people = [self.guild.add_member(env.create_user(name)) for name in NAMES]

    @property
    def anna(self) -> MemberActor:
        return self.people[0]

    @property
    def bruno(self) -> MemberActor:
        return self.people[1]

    @property
    def carla(self) -> MemberActor:
        return self.people[2]

    # What is where

    def table(self, channel: ChannelHandle | None = None) -> Table:
        """The live table in the channel, from inside the bot."""
        found = self.bot.tables.live_in((channel or self.channel).id)
        assert found is not None
        return found

    def messages(self, channel: ChannelHandle | None = None) -> list[discord.Message]:
        """What stands in the channel, oldest first."""
        return [m for m in (channel or self.channel).history() if not m.flags.ephemeral]

    def table_message(self, channel: ChannelHandle | None = None) -> discord.Message:
        """The table message: the newest with buttons of a table."""
        for message in reversed(self.messages(channel)):
            if list(presses(message)):
                return message
        raise AssertionError("no table message")

    def hand(self, person: MemberActor) -> discord.Message:
        """The newest hand that *person* has as a direct message."""
        return dms(person)[-1]

    def seat(self, person: MemberActor) -> int:
        seat = self.table().seat_of(person.id)
        assert seat is not None
        return seat

    def on_turn(self) -> MemberActor:
        """Who is on turn."""
        table = self.table()
        seat = table.rules.on_turn(table.state)
        assert seat is not None
        user = table.players[seat].user
        return next(person for person in self.people if person.id == user)

    # What people do

    async def open(self, *people: MemberActor, computers: int = 0, start: bool = True) -> None:
        """The first of *people* opens a table, the others join, computer players are added, the game starts."""
        await people[0].slash(self.channel, "play", game=self.case.game)
        for person in people[1:]:
            await self.press(person, self.table_message(), Verb.JOIN)
        for _ in range(computers):
            await self.press(people[0], self.table_message(), Verb.ADD_COMPUTER)
        if start:
            await self.press(people[0], self.table_message(), Verb.START)

    async def press(
        self, person: MemberActor, message: discord.Message, verb: Verb, arg: str | None = None
    ) -> InteractionResult:
        """*person* presses the button for *verb* (with the argument *arg*) on *message*."""
        for custom_id, press in presses(message):
            if press.verb is verb and (arg is None or press.arg == arg):
                actor: Any = person if message.guild is not None else person.user
                return await actor.click(message, custom_id=custom_id)
        raise AssertionError(f"no button for {verb} {arg or ''} on: {text_of(message)}")

    async def choose(self, person: MemberActor, message: discord.Message, verb: Verb, value: str) -> InteractionResult:
        """*person* chooses *value* in the select for *verb* on *message*."""
        for custom_id, press in presses(message):
            if press.verb is verb:
                actor: Any = person if message.guild is not None else person.user
                return await actor.select(message, [value], custom_id=custom_id)
        raise AssertionError(f"no select for {verb} on: {text_of(message)}")

    async def click_old(
        self, person: MemberActor, seen: discord.Message, verb: Verb, arg: str | None = None
    ) -> InteractionResult:
        """*person* clicks what they still see on their screen, *seen*, though the message has changed since."""
        stored = self.env.backend.get_message(seen.channel.id, seen.id)
        now, stored.components = stored.components, [component.to_dict() for component in seen.components]
        try:
            old = stored.components
            return await self.press(person, seen, verb, arg)
        finally:
            if stored.components is old:
                stored.components = now

    async def act_old(self, person: MemberActor, seen: discord.Message) -> InteractionResult:
        """*person* makes the first move offered on their screen by *seen*, though the message has changed since."""
        stored = self.env.backend.get_message(seen.channel.id, seen.id)
        now, stored.components = stored.components, [component.to_dict() for component in seen.components]
        try:
            old = stored.components
            return await self.act(person, message=seen)
        finally:
            if stored.components is old:
                stored.components = now

    async def forge_choice(self, person: MemberActor, custom_id: str, values: list[str]) -> InteractionResult:
        """*person*'s client claims to have chosen any *values* in a select of their hand."""
        on = self.hand(person)
        stored = self.env.backend.get_message(on.channel.id, on.id)
        options = [{"label": "?", "value": value} for value in values]
        forged = [
            {
                "type": 1,
                "components": [
                    {"type": 3, "custom_id": custom_id, "options": options, "min_values": 1, "max_values": len(options)}
                ],
            }
        ]
        kept, stored.components = stored.components, forged
        actor: Any = person.user
        try:
            result: InteractionResult = await actor.select(on, values, custom_id=custom_id)
        finally:
            if stored.components is forged:
                stored.components = kept
        return result

    async def click_disabled(
        self, person: MemberActor, message: discord.Message, verb: Verb, arg: str | None = None
    ) -> InteractionResult:
        """*person* gets a click through on a control that is greyed out, as a slow client does."""
        for component in components(message):
            press = parse(str(component.get("custom_id", "")))
            if press is not None and press.verb is verb and arg in (None, press.arg):
                return await self.forge(person, component["custom_id"], message)
        raise AssertionError(f"no control for {verb} on: {text_of(message)}")

    async def forge(
        self, person: MemberActor, custom_id: str, message: discord.Message | None = None
    ) -> InteractionResult:
        """*person*'s client clicks a button with any *custom_id* on *message* (default: the table message)."""
        on = message or self.messages()[-1]
        stored = self.env.backend.get_message(on.channel.id, on.id)
        kept = stored.components
        stored.components = [{"type": 1, "components": [{"type": 2, "style": 2, "label": "?", "custom_id": custom_id}]}]
        forged = stored.components
        actor: Any = person if on.guild is not None else person.user
        try:
            return await actor.click(on, custom_id=custom_id)
        finally:
            if stored.components is forged:
                stored.components = kept

    async def deal_in(self, person: MemberActor, card: str) -> None:
        """*person* holds *card* in the first slot, swapped from wherever it was; every message shows it."""
        table = self.table()
        seat, wanted = self.seat(person), Card(card)
        state = table.state
        hands = [list(hand) for hand in state.hands]
        piles = [list(state.draw), *(hand for other, hand in enumerate(hands) if other != seat)]
        source = next(pile for pile in piles if wanted in pile)
        at = source.index(wanted)
        source[at], hands[seat][0] = hands[seat][0], wanted
        dealt = state._replace(draw=tuple(piles[0]), hands=tuple(map(tuple, hands)))
        await self.bot.tables._change(table.id, "test", None, lambda t: (t._replace(state=dealt), None))
        await self.env.settle()

    async def deal(self, person: MemberActor, cards: str) -> None:
        """*person* holds *cards* ("2 3 3"), taken from wherever they are; every message shows it (12 Days)."""
        table = self.table()
        seat, state, wanted = self.seat(person), table.state, tuple(map(int, cards.split()))
        pool = Counter(card for hand in state.hands for card in hand) + Counter(state.aside)
        pool.subtract(wanted)
        rest = sorted(pool.elements())
        hands = []
        for other, hand in enumerate(state.hands):
            hands.append(wanted if other == seat else tuple(rest[: len(hand)]))
            rest = rest if other == seat else rest[len(hand) :]
        dealt = state._replace(hands=tuple(hands), aside=tuple(rest))
        await self.bot.tables._change(table.id, "test", None, lambda t: (t._replace(state=dealt), None))
        await self.env.settle()

    def thread(self) -> ChannelHandle:
        """A thread under the channel."""
        self.env.backend.create_thread(self.channel.id, "a thread", self.anna.id)
        return self.channel.threads[0]

    def bot_role(self) -> Any:
        """Everybody, the bot included."""
        return self.guild.default_role

    async def lay(self, person: MemberActor, slot: int = 0, face: str = "up") -> InteractionResult:
        """*person* plays the card in *slot* from their direct message."""
        return await self.press(person, self.hand(person), Verb.MOVE, f"{slot}-{face}")

    @staticmethod
    def offers(message: discord.Message) -> list[tuple[str, str | None]]:
        """Every move that the hand in *message* offers by one click: (custom_id, the value to choose in a select).
        Cards to be picked one by one are no offer."""
        found: list[tuple[str, str | None]] = []
        for component in components(message):
            press = parse(str(component.get("custom_id", "")))
            if press is None or component.get("disabled") or press.verb is not Verb.MOVE:
                continue
            if "options" not in component:
                found.append((component["custom_id"], None))
            elif press.arg != "cards":
                found += [(component["custom_id"], option["value"]) for option in component["options"]]
        return found

    async def act(self, person: MemberActor, at: int = 0, message: discord.Message | None = None) -> InteractionResult:
        """*person* makes move number *at* (modulo their number) of those that their hand (*message*; default: their
        newest direct message) offers; where there are too many for one list, of the first type."""
        on = message or self.hand(person)
        actor: Any = person if on.guild is not None else person.user
        if not self.offers(on):
            picked = next(c for c in components(on) if "/pick/" in str(c.get("custom_id", "")))
            await actor.select(on, [picked["options"][0]["value"]], custom_id=picked["custom_id"])
            on = on if message is not None else self.hand(person)
        offers = self.offers(on)
        custom_id, value = offers[at % len(offers)]
        if value is None:
            result: InteractionResult = await actor.click(on, custom_id=custom_id)
        else:
            result = await actor.select(on, [value], custom_id=custom_id)
        return result

    async def call(self, person: MemberActor) -> InteractionResult:
        """*person* slams the button under the table."""
        return await self.press(person, self.table_message(), Verb.SHOUT)

    async def finish(self) -> None:
        """The people on turn make the first move they are offered, and interrupt where that ends a round, until
        the game is over; computer players move by themselves."""
        for _ in range(1500):
            table = self.bot.tables.live_in(self.channel.id)
            if table is None:
                return
            if table.players[table.rules.on_turn(table.state)].automatic:
                await self.clock.advance(5)
            elif self.case.should_shout(table.state):
                await self.call(self.on_turn())
            else:
                await self.act(self.on_turn())
        raise AssertionError("the game does not end")

    async def restart(self) -> None:
        """The bot dies without a goodbye and starts again on the same database and the same Discord."""
        dead = self.bot.store
        self.clock.forget()
        self.bot = await _bot(self.url, self.clock, self.options, self.drawings)
        await self.env.restart_bot(self.bot)
        await dead.close()


def dms(person: MemberActor) -> list[discord.Message]:
    """The direct messages that *person* has got, oldest first."""
    return list(person.user.dm_channel.history())


def components(message: Any) -> Iterator[dict[str, Any]]:
    """Every component of *message*, nested ones too, as raw data."""

    def walk(items: Any) -> Iterator[dict[str, Any]]:
        for item in items:
            yield item
            yield from walk(item.get("components") or [])
            if item.get("accessory"):
                yield from walk([item["accessory"]])

    raw = [c if isinstance(c, dict) else c.to_dict() for c in message.components]
    yield from walk(raw)


def presses(message: Any) -> Iterator[tuple[str, Any]]:
    """(custom_id, what it carries) of every enabled control of *message*."""
    for component in components(message):
        press = parse(str(component.get("custom_id", "")))
        if press is not None and not component.get("disabled"):
            yield component["custom_id"], press


def text_of(message: Any) -> str:
    """Everything that *message* says, labels of controls too."""
    parts = []
    for component in components(message):
        parts += [str(component[key]) for key in ("content", "label", "placeholder") if component.get(key)]
        parts += [option["label"] for option in component.get("options") or []]
    return "\n".join(parts)


async def _bot(url: str, clock: SteppedClock, options: Options, drawings: bool) -> Bot:
    source = seeds()
    return Bot(
        await Store.open(url),
        clock=clock,
        seeds=lambda: next(source),
        options=options,
        shard_count=1,
        throttle=Throttle(None),
        drawings=drawings,
    )


@asynccontextmanager
async def open_club(
    folder: Path, options: Options = QUICK, game: str = "diciassette", *, drawings: bool = False
) -> AsyncIterator[Club]:
    """A fresh world with its database in *folder*, whose people play *game* in its shortest form; with *drawings*,
    cards are emojis as soon as Discord has them."""
    options = options._replace(game=CASES[game].quick)
    url = f"sqlite+aiosqlite:///{folder}/tables.sqlite3"
    clock = SteppedClock()
    bot = await _bot(url, clock, options, drawings)
    env = simcord.Env(bot)
    await env.start()
    clock.env = env
    club = Club(env, bot, clock, url, options, game)
    club.drawings = drawings
    try:
        yield club
    finally:
        await env.shutdown()
        await club.bot.store.close()
    if env.check_errors:
        env.raise_errors()
    if openapi.available():
        wrong = [line for r in env.http_requests for line in openapi.problems(r.method, r.path, r.json)]
        assert not wrong, wrong[:5]
