"""People at a table on SimCord: what they see and press."""

import hashlib
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
from engine.game import Seat
from tests import openapi
from tests.clocks import SteppedClock
from tests.controls import Offer, components, controls, meant, moves, picks
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

    async def replace_state(self, state: Any) -> None:
        """The running game is in *state* now; every message shows it."""
        await self.bot.tables.change(self.table().id, "test", None, lambda table: table._replace(state=state))
        await self.env.settle()

    async def deal(self, person: MemberActor, cards: str) -> None:
        """*person* holds *cards* first of all, as the game's tests write them."""
        await self.replace_state(self.case.deal(self.table().state, Seat(self.seat(person)), cards))

    def thread(self) -> ChannelHandle:
        """A thread under the channel."""
        self.env.backend.create_thread(self.channel.id, "a thread", self.anna.id)
        return self.channel.threads[0]

    def bot_role(self) -> Any:
        """Everybody, the bot included."""
        return self.guild.default_role

    async def act(self, person: MemberActor, at: int = 0, message: discord.Message | None = None) -> InteractionResult:
        """*person* makes move number *at* (modulo their number) of those that their hand (*message*; default: their
        newest direct message) offers; where they are grouped, of the first group."""
        on = message or self.hand(person)
        if not moves(on):
            await self.use(person, on, picks(on)[0])
            on = on if message is not None else self.hand(person)
        offers = moves(on)
        return await self.use(person, on, offers[at % len(offers)])

    async def play(self, person: MemberActor, action: Any) -> InteractionResult:
        """*person* makes the move *action*, whichever control of their hand it is on."""
        seat, hand = Seat(self.seat(person)), self.hand(person)
        for offer in moves(hand):
            if meant(self.table(), seat, offer) == action:
                return await self.use(person, hand, offer)
        for group in picks(hand):
            await self.use(person, hand, group)
            for offer in moves(self.hand(person)):
                if meant(self.table(), seat, offer) == action:
                    return await self.use(person, self.hand(person), offer)
        raise AssertionError(f"{action} is not offered on: {text_of(hand)}")

    async def use(self, person: MemberActor, message: discord.Message, offer: Offer) -> InteractionResult:
        """*person* clicks *offer* on *message*."""
        actor: Any = person if message.guild is not None else person.user
        if offer.values is None:
            result: InteractionResult = await actor.click(message, custom_id=offer.custom_id)
        else:
            result = await actor.select(message, offer.values, custom_id=offer.custom_id)
        return result

    async def call(self, person: MemberActor) -> InteractionResult:
        """*person* slams the button under the table."""
        return await self.press(person, self.table_message(), Verb.CALL)

    async def finish(self) -> None:
        """The people on turn make the first move they are offered, and interrupt where that ends a round, until
        the game is over; computer players move by themselves."""
        for _ in range(1500):
            table = self.bot.tables.live_in(self.channel.id)
            if table is None:
                return
            if table.players[table.rules.on_turn(table.state)].automatic:
                await self.clock.advance(5)
            elif self.case.calls_now(table.state):
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


def presses(message: Any) -> Iterator[tuple[str, Any]]:
    """(custom_id, what it carries) of every enabled control of *message*."""
    for component, press in controls(message):
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
    folder: Path, game: str, options: Options = QUICK, *, drawings: bool = False
) -> AsyncIterator[Club]:
    """A fresh world with its database in *folder*, whose people play *game* in its shortest form; with *drawings*,
    cards are emojis as soon as Discord has them."""
    options = options._replace(game=tuple(CASES[game].quick.items()))
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
