"""One person at a solo table: their direct messages with the bot, and what they press there."""

from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.tables.model import Table
from bot.ui.custom_ids import Verb
from engine.game import Seat
from tests.controls import Offer, moves, picks
from tests.discord.messages import text_of, verbs
from tests.discord.play import Club
from tests.discord.world import DEAL_NOTE, dms


class Alone:
    """*person* plays alone in direct messages; the newest table there is the one that counts."""

    def __init__(self, club: Club, person: MemberActor) -> None:
        self.club = club
        self.person = person

    async def open(self, *, start: bool = True) -> InteractionResult:
        """They open a solo table, and *start* the game."""
        answer: InteractionResult = await self.person.user.slash("play", game=self.club.case.game)
        if start:
            await self.press(Verb.START)
        return answer

    @property
    def tables(self) -> list[Table]:
        """Their live tables, the newest last."""
        found = self.club.bot.tables.live_tables_in_memory(channel=self.person.user.dm_channel.id)
        return sorted(found, key=lambda table: table.created_at)

    @property
    def table(self) -> Table:
        """Their newest live table."""
        return self.tables[-1]

    @property
    def message(self) -> discord.Message:
        """The message of the table: the newest but for notes and the deal code."""
        return next(it for it in reversed(dms(self.person)) if not it.flags.ephemeral and DEAL_NOTE not in text_of(it))

    async def press(self, verb: Verb, arg: str | None = None) -> InteractionResult:
        """They press the button for *verb* on the message."""
        return await self.club.press(self.person, self.message, verb, arg)

    async def use(self, offer: Offer) -> InteractionResult:
        """They click *offer* on the message."""
        return await self.club.use(self.person, self.message, offer)

    @property
    def on_turn(self) -> bool:
        """Whether they are on turn."""
        return bool(self.club.rules.on_turn(self.table.state) == self.seat)

    @property
    def seat(self) -> Seat:
        """Where they sit."""
        seat = self.table.seat_of(self.person.id)
        assert seat is not None
        return seat

    async def go_on(self) -> None:
        """They call where it is time, let the game go on, or make the first move on offer; then all others get their
        time.
        """
        table, case = self.table, self.club.case
        if self.club.rules.calls is not None and case.calls_now(table.state) and Verb.CALL in verbs(self.message):
            await self.press(Verb.CALL)
        elif Verb.NEXT in verbs(self.message):
            await self.press(Verb.NEXT)
        elif self.on_turn and (offers := await self.offered()):
            await self.use(offers[0])
        await self.club.clock.advance(5)

    async def offered(self) -> list[Offer]:
        """The moves on offer; where they are grouped, they pick the first group."""
        if not moves(self.message) and (groups := picks(self.message)):
            await self.use(groups[0])
        return moves(self.message)

    async def until_on_turn(self) -> None:
        """The computer players move until it is their turn."""
        for _ in range(200):
            if Verb.NEXT in verbs(self.message):
                await self.press(Verb.NEXT)
            if self.on_turn:
                return
            await self.club.clock.advance(5)
        raise AssertionError("it is never their turn")

    async def finish(self) -> None:
        """They play until the game is over."""
        for _ in range(1500):
            if not self.tables:
                return
            await self.go_on()
        raise AssertionError("the game does not end")


def counted_requests(club: Club, person: MemberActor, since: int) -> list[Any]:
    """The requests with the bot's own token in *person*'s direct messages, from number *since* on."""
    path = f"/channels/{person.user.dm_channel.id}/"
    return [request for request in club.env.http_requests[since:] if path in request.path]
