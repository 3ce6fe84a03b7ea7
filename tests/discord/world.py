"""The world of a test on SimCord: the bot, a channel, people; what is where, and what should be read there."""

import hashlib
from collections.abc import Iterator
from typing import Any, Final

import discord
import simcord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, to_discord_message

from bot.client import Bot
from bot.delivery import quarantine
from bot.delivery.limits import Throttle
from bot.i18n import words
from bot.store.store import Store
from bot.tables.errors import Why
from bot.tables.model import Table
from bot.tables.options import Options
from bot.tables.scene import AnyScene, make_scene
from bot.ui import replies
from bot.ui.presenter import AnyPresenter
from bot.ui.registry import PRESENTERS
from engine.errors import Reason
from engine.game import Seat
from engine.registry import AnyGame
from tests.clocks import SteppedClock
from tests.discord.messages import presses, reply, text_of
from tests.games import CASES

NAMES: Final = ("anna", "bruno", "carla", "dirk", "emma", "felix", "gina", "hugo")
EN: Final = words("en")
DEAL_NOTE: Final = "Deal code"
"""What stands in the message that fixes a deal."""


def seeds() -> Iterator[bytes]:
    """Seeds for one game after the other, the same in every run."""
    number = 0
    while True:
        yield hashlib.sha256(f"test {number}".encode()).digest()
        number += 1


def dms(person: MemberActor) -> list[discord.Message]:
    """The direct messages that *person* has got, oldest first."""
    return list(person.user.dm_channel.history())


async def close_store(bot: Bot) -> None:
    """Close the store of *bot*, which is off Discord. SimCord does not end what a test itself began, such as the
    counting of records after the test has ended a game."""
    await bot._counting.stop()
    await bot.store.close()


async def new_bot(url: str, clock: SteppedClock, options: Options, drawings: bool) -> Bot:
    """The bot on the database at *url*."""
    source = seeds()
    return Bot(
        await Store.open(url, check=quarantine.check_table_usable),
        clock=clock,
        seeds=lambda: next(source),
        options=options,
        shard_count=1,
        throttle=Throttle(None),
        drawings=drawings,
    )


class World:
    """The bot, a channel, people who know how to play one game."""

    def __init__(self, env: simcord.Env, bot: Bot, clock: SteppedClock, url: str, options: Options, game: str) -> None:
        self.env = env
        self.case = CASES[game]
        self.bot = bot
        self.clock = clock
        self.url = url
        self.options = options
        self.drawings = False
        self.lobby = 0
        """The message of the lobby that the last game began in."""
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

    @property
    def stranger(self) -> MemberActor:
        """Somebody who sits down only at the fullest tables."""
        return self.people[-1]

    @property
    def rules(self) -> AnyGame:
        return self.case.rules

    @property
    def presenter(self) -> AnyPresenter:
        return PRESENTERS[self.case.game]

    # What is where

    def table(self, channel: ChannelHandle | None = None) -> Table:
        """The live table in the channel, from inside the bot."""
        found = self.bot.tables.taken_over_table_in_channel((channel or self.channel).id)
        assert found is not None
        return found

    @property
    def running(self) -> bool:
        """Whether there is a live table in the channel."""
        return self.bot.tables.taken_over_table_in_channel(self.channel.id) is not None

    def unchanged(self, before: Table) -> bool:
        """Whether the game is as it was *before*; that somebody has been active is no change."""
        after = self.table()
        return (after.state, after.held, after.window) == (before.state, before.held, before.window)

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return self.table().state.ply

    def messages(self, channel: ChannelHandle | None = None) -> list[discord.Message]:
        """What stands in the channel, oldest first."""
        return [m for m in (channel or self.channel).history() if not m.flags.ephemeral]

    def table_message(self, channel: ChannelHandle | None = None) -> discord.Message:
        """The table message: the newest with buttons of a table."""
        for message in reversed(self.messages(channel)):
            if list(presses(message)):
                return message
        raise AssertionError("no table message")

    def deal_message(self, channel: ChannelHandle | None = None) -> discord.Message:
        """The newest message that fixes a deal."""
        return next(message for message in reversed(self.messages(channel)) if DEAL_NOTE in text_of(message))

    def hand(self, person: MemberActor) -> discord.Message:
        """The newest hand that *person* has as a direct message."""
        return dms(person)[-1]

    def dm_path(self, person: MemberActor) -> str:
        """Where direct messages to *person* are sent."""
        return f"/channels/{person.user.dm_channel.id}/messages"

    def close_dms(self, *people: MemberActor) -> None:
        """Discord refuses the next direct message to each of *people*."""
        for person in people:
            self.env.inject_error("POST", self.dm_path(person), status=403, code=50007, message="Cannot send", times=1)

    def dm_count(self, person: MemberActor) -> int:
        """How many direct messages *person* has got, with those that have been deleted since."""
        path = self.dm_path(person)
        return sum(r.method == "POST" and r.path == path for r in self.env.http_requests)

    def as_it_is(self, message: discord.Message) -> discord.Message:
        """*message* as it stands there now."""
        return to_discord_message(self.env, self.env.backend.get_message(message.channel.id, message.id))

    def opened(self, answer: InteractionResult) -> discord.Message:
        """The message that the bot answered with, or the last one with which it followed up, as it stands there now."""
        if not answer.followups:
            return self.as_it_is(reply(answer))
        last = answer.followups[-1]
        return to_discord_message(self.env, self.env.backend.get_message(last.channel_id, last.id))

    # Who is who

    def seat(self, person: MemberActor) -> Seat:
        """Where *person* sits."""
        seat = self.table().seat_of(person.id)
        assert seat is not None
        return seat

    def person(self, seat: Seat) -> MemberActor:
        """Who sits there."""
        user = self.table().players[seat].user
        return next(person for person in self.people if person.id == user)

    def on_turn(self) -> MemberActor:
        """Who is on turn."""
        seat = self.rules.on_turn(self.table().state)
        assert seat is not None
        return self.person(seat)

    def seated(self) -> list[MemberActor]:
        """The people at the table, in seat order."""
        return [self.person(Seat(seat)) for seat, it in enumerate(self.table().players) if it.user is not None]

    def others(self) -> list[MemberActor]:
        """The people at the table who are not on turn, in seat order."""
        return [person for person in self.seated() if person is not self.on_turn()]

    def callers(self) -> list[MemberActor]:
        """The people who may call now, in seat order."""
        may_call = self.rules.callers(self.table().state)
        return [person for person in self.seated() if self.seat(person) in may_call]

    # What they should read, in English

    def scene(self, person: MemberActor | None = None) -> AnyScene:
        """The table as *person* (``None``: everybody) may know it."""
        return make_scene(self.table(), None if person is None else self.seat(person), self.table_message().id)

    def status(self) -> str:
        """What the table says of whose turn it is."""
        return self.presenter.board.turn_line(self.scene(), EN)

    def outcome(self) -> list[str]:
        """What the table says of how the last round ended."""
        return list(self.presenter.board.round_end_lines(self.scene(), EN))

    @property
    def waiting(self) -> str:
        """What the hand says to whoever is not on turn."""
        return EN(self.presenter.waiting_text)

    def refusal(self, why: Why | Reason, **facts: Any) -> str:
        """What somebody is told whose click is refused for *why*."""
        if isinstance(why, Why):
            return replies.refusal_text(why, facts, self.scene(), EN)
        return replies.illegal_move_text(why, self.scene(), EN)

    # What tests do behind their backs

    async def change(self, **changes: Any) -> None:
        """The table has other fields now; every message shows it."""
        await self.bot.tables.change(self.table().id, "test", None, lambda table: table._replace(**changes))
        await self.env.settle()

    async def replace_state(self, state: Any) -> None:
        """The running game is in *state* now."""
        await self.change(state=state)

    async def deal(self, person: MemberActor, cards: str) -> None:
        """*person* holds *cards* first of all, as the game's tests write them."""
        await self.replace_state(self.case.deal(self.table().state, self.seat(person), cards))

    async def rest(self, ms: int) -> None:
        """No move lands for *ms* from now on: people get a beat to look."""
        await self.change(beat_ends=self.clock.now() + ms)

    def thread(self) -> ChannelHandle:
        """A thread under the channel."""
        self.env.backend.create_thread(self.channel.id, "a thread", self.anna.id)
        return self.channel.threads[0]

    async def restart(self) -> None:
        """The bot dies without a goodbye and starts again on the same database and the same Discord."""
        dead = self.bot
        self.clock.forget()
        self.bot = await new_bot(self.url, self.clock, self.options, self.drawings)
        await self.env.restart_bot(self.bot)
        await self.bot.tables.wait_until_taken_over()
        await close_store(dead)
