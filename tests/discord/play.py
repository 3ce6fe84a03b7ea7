"""People at a table on SimCord: what they press."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

import discord
import pytest
import simcord
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.delivery.messages import DELETE_DELAY_MS
from bot.delivery.plan import LONGEST_LAG_MS
from bot.delivery.slots import TABLE
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb
from tests import fresh, openapi
from tests.clocks import SteppedClock
from tests.controls import Offer, filled, meant, moves, picks
from tests.discord.messages import components_json, expected_components_json, presses, reply, text_of
from tests.discord.world import World, close_store, new_bot
from tests.games import CASES

QUICK: Final = Options(pace=Pace.OFF, turn_seconds=0, window_ms=0, hold_ms=0)
WITH_CALLS: Final = sorted(game for game, case in CASES.items() if case.rules.calls is not None)
"""The games in which anybody may call between turns."""

LOOK_SECONDS: Final = 0.001
"""How often SimCord looks whether the bot has finished."""
SETTLE_SECONDS: Final = 30.0
"""So long the bot may take until it rests: a machine that is busy with other tests makes it wait."""

every_game = pytest.mark.parametrize("game", sorted(CASES))
every_game_with_calls = pytest.mark.parametrize("game", WITH_CALLS)


class Club(World):
    """What people do in the world of a test."""

    async def open(self, *people: MemberActor, computers: int = 0, start: bool = True) -> None:
        """The first of *people* opens a table, the others join, computer players are added, the game starts."""
        await people[0].slash(self.channel, "play", game=self.case.game)
        for person in people[1:]:
            await self.press(person, self.table_message(), Verb.JOIN)
        for _ in range(computers):
            await self.press(people[0], self.table_message(), Verb.ADD_COMPUTER)
        if start:
            self.lobby = self.table_message().id
            await self.press(people[0], self.table_message(), Verb.START)

    async def lobby_goes(self) -> None:
        """A moment after *Start* the lobby's message is deleted."""
        await self.clock.advance(DELETE_DELAY_MS)

    async def press(
        self, person: MemberActor, message: discord.Message, verb: Verb, arg: str | None = None
    ) -> InteractionResult:
        """*person* presses the button for *verb* (with the argument *arg*) on *message*."""
        for custom_id, press in presses(message):
            if press.verb is verb and arg in (None, press.arg):
                return await _actor(person, message).click(message, custom_id=custom_id)
        raise AssertionError(f"no button for {verb} {arg or ''} on: {text_of(message)}")

    async def choose(
        self, person: MemberActor, message: discord.Message, verb: Verb, value: str, arg: str | None = None
    ) -> InteractionResult:
        """*person* chooses *value* in the select for *verb* (with the argument *arg*) on *message*."""
        for custom_id, press in presses(message):
            if press.verb is verb and arg in (None, press.arg):
                return await _actor(person, message).select(message, [value], custom_id=custom_id)
        raise AssertionError(f"no select for {verb} on: {text_of(message)}")

    async def in_menu(
        self, person: MemberActor, verb: Verb, arg: str | None = None, message: discord.Message | None = None
    ) -> InteractionResult:
        """*person* opens the menu of the table message, or of *message*, and presses the button for *verb* there."""
        menu = await self.press(person, message or self.table_message(), Verb.MENU)
        return await self.press(person, reply(menu), verb, arg)

    async def fair_page(self, person: MemberActor) -> discord.Message:
        """What *person* reads who looks up how the deal at the table is fixed."""
        return reply(await self.in_menu(person, Verb.RULES, "fair"))

    async def cut(self, person: MemberActor, phrase: str) -> InteractionResult:
        """*person* cuts the deck with *phrase*."""
        return await person.submit_modal(await self.in_menu(person, Verb.CUT), {"phrase": phrase})

    async def set_options(self, person: MemberActor, **chosen: Any) -> InteractionResult:
        """*person* opens the form of options and submits it with what they have *chosen*; all else is as it shows."""
        asked = await self.press(person, self.table_message(), Verb.OPTIONS)
        return await person.submit_modal(asked, filled(asked.modal, **chosen))

    def table_is_right(self) -> bool:
        """Whether the table message shows the table as it is."""
        message = self.table_message()
        return components_json(message) == expected_components_json(self.table(), TABLE, message.id)

    async def table_catches_up(self) -> None:
        """If the table message is some moves behind, time passes until it is not."""
        if not self.table_is_right():
            await self.clock.advance(LONGEST_LAG_MS)

    @contextmanager
    def as_bot(self) -> Iterator[None]:
        """Context manager: SimCord waits for what a test begins in the block as for what the bot begins by itself."""
        with self.env._bot_scope():
            yield

    async def watch_table(self) -> None:
        """A stranger clicks on the table message, which follows every move at once by the token of that click."""
        await self.press(self.stranger, self.table_message(), Verb.RULES)

    async def use(self, person: MemberActor, message: discord.Message, offer: Offer) -> InteractionResult:
        """*person* clicks *offer* on *message*."""
        if offer.values is None:
            return await _actor(person, message).click(message, custom_id=offer.custom_id)
        return await _actor(person, message).select(message, offer.values, custom_id=offer.custom_id)

    async def offered(
        self, person: MemberActor, message: discord.Message | None = None
    ) -> tuple[discord.Message, list[Offer]]:
        """(the hand of *person*, the moves that it offers); where they are grouped, *person* picks the first group.
        The hand is their newest direct message, or *message*."""
        on = message or self.hand(person)
        if not moves(on):
            await self.use(person, on, picks(on)[0])
            on = self.as_it_is(on)
        return on, moves(on)

    async def act(self, person: MemberActor, at: int = 0, message: discord.Message | None = None) -> InteractionResult:
        """*person* makes move number *at* (modulo their number) of those ``offered``."""
        on, offers = await self.offered(person, message)
        return await self.use(person, on, offers[at % len(offers)])

    async def play(self, person: MemberActor, action: Any, message: discord.Message | None = None) -> InteractionResult:
        """*person* makes the move *action*, whichever control of their hand it is on. The hand is their newest direct
        message, or *message*."""
        seat, hand = self.seat(person), message or self.hand(person)
        for group in (None, *picks(hand)):
            if group is not None:
                await self.use(person, hand, group)
            for offer in moves(self.as_it_is(hand)):
                if meant(self.table(), seat, offer) == action:
                    return await self.use(person, self.as_it_is(hand), offer)
        raise AssertionError(f"{action} is not offered on: {text_of(hand)}")

    async def call(self, person: MemberActor) -> InteractionResult:
        """*person* slams the button under the table, once the table message shows every move."""
        if not self.table_is_right():
            await self.watch_table()
        return await self.press(person, self.table_message(), Verb.CALL)

    async def go_on(self, *, calls_always: bool = False) -> None:
        """Whoever is on turn makes the first move on offer; where it is time to call, or *calls_always*, somebody
        calls if they can; a computer player gets its time."""
        table = self.table()
        seat = self.rules.on_turn(table.state)
        assert seat is not None
        if table.players[seat].automatic:
            await self.clock.advance(5)
        elif (calls_always or self.case.calls_now(table.state)) and self.callers():
            await self.call(self.callers()[0])
        else:
            await self.act(self.on_turn())

    async def finish(self, *, soon: bool = True) -> None:
        """The game goes on until it is over: *soon*, if calls are made as early as possible, so that some may not have
        made a move."""
        for _ in range(1500):
            if not self.running:
                return
            await self.go_on(calls_always=soon)
        raise AssertionError("the game does not end")

    async def back_on_turn(self) -> MemberActor:
        """Who is second: they have opened their hand in the channel, were away for longer than two minutes, and are on
        turn now."""
        (second,) = self.others()
        menu = await self.press(second, self.table_message(), Verb.MENU)
        await self.press(second, reply(menu), Verb.HAND)
        await self.clock.advance(150_000)
        await self.play_until_on_turn(second)
        return second

    async def play_until_on_turn(self, person: MemberActor) -> None:
        """The others move until it is *person*'s turn; a computer player gets its time."""
        while (seat := self.rules.on_turn(self.table().state)) != self.seat(person):
            assert seat is not None
            if self.table().players[seat].automatic:
                await self.clock.advance(5)
            else:
                await self.act(self.person(seat))


def _actor(person: MemberActor, message: discord.Message) -> Any:
    """*person* where *message* is: at the server, or in direct messages."""
    return person if message.guild is not None else person.user


class Env(simcord.Env):
    """SimCord, which notices soon that the bot has finished, and gives it time on a busy machine. By itself it sleeps
    for 50 ms after almost every click, since the last callbacks of a task have not run yet, and gives up the start of
    a bot after 5 s."""

    async def _settle_internal(self, **how: Any) -> None:
        timeout = how.get("timeout")
        if timeout is not None:
            how["timeout"] = max(timeout, SETTLE_SECONDS)
        await super()._settle_internal(**{"idle": LOOK_SECONDS, **how})


@asynccontextmanager
async def open_club(
    folder: Path, game: str, options: Options = QUICK, *, drawings: bool = False, whole: bool = False
) -> AsyncIterator[Club]:
    """A fresh world with its database in *folder*, whose people play *game*, in its shortest form or as a *whole*; with
    *drawings*, cards are emojis as soon as Discord has them."""
    if not whole:
        options = options._replace(game=tuple(CASES[game].quick.items()))
    fresh.database(folder / "tables.sqlite3")
    url = f"sqlite+aiosqlite:///{folder}/tables.sqlite3"
    clock = SteppedClock()
    bot = await new_bot(url, clock, options, drawings)
    env = Env(bot, settle_timeout=SETTLE_SECONDS)
    await env.start()
    clock.env = env
    club = Club(env, bot, clock, url, options, game)
    club.drawings = drawings
    try:
        yield club
    finally:
        await env.shutdown()
        await close_store(club.bot)
    if env.check_errors:
        env.raise_errors()
    if openapi.available():
        wrong = [line for r in env.http_requests for line in openapi.problems(r.method, r.path, r.json)]
        assert not wrong, wrong[:5]
