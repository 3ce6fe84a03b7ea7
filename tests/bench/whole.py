"""The first forty minutes of one game between people at a human tempo: the requests that each move takes, by kind.

The Discord is SimCord and its clock is stepped: tokens expire and turns are long as in real time, but nothing waits.
What people do, and when, follows from a seed.
"""

import math
import tempfile
from collections import Counter
from enum import Enum
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import discord
from simcord.actors import MemberActor

from bot.tables.options import Options
from bot.ui.custom_ids import Verb
from bot.ui.hand_message import FOLLOW
from engine.game import Seat
from tests.discord.messages import presses
from tests.discord.play import Club, open_club
from tests.discord.world import dms

MINUTES: Final = 40
PEOPLE: Final = 4
"""Or as many as the game takes."""
THOUGHT_SECONDS: Final = 15.0
"""How long people think about a move: this is the mean, and one move in twenty takes more than half a minute."""
SPREAD: Final = 0.6
"""Of the logarithm of that time."""
NOTICED: Final = 0.06
"""How often people see that a computer player would call now: rounds, and games, take longer than among computers."""
REACTION_SECONDS: Final = (0.7, 1.9)
"""How long after the last card people call."""
LOST_MINUTES: Final = 10.0
"""How long people who lose sight of their ephemeral hand keep it, on average: Discord forgets such messages when its
client starts anew, and chat pushes them out of sight."""


class Place(Enum):
    """Where people play: its name in the table, and how many counted requests a move may take."""

    DMS = ("direct messages", 0.6)
    BOTH = ("the channel, with direct messages open", 0.2)
    """They press *My hand* at the table and play from there. They do so again when they have lost that hand."""
    CHANNEL = ("the channel alone", 0.2)
    """The same, and they have said that their hand should not come by direct message."""
    CHANNEL_ONCE = ("the channel alone, no more clicks on the table", 0.2)
    """The same, but nobody ever loses their hand."""


class Played(NamedTuple):
    """What came out of one game."""

    moves: int
    counted: Counter[str]
    """The requests with the bot's own token, by kind."""
    free: Counter[str]
    """Those on tokens of interactions."""

    def each(self, requests: Counter[str]) -> str:
        """So many of these *requests* a move, by kind."""
        return ", ".join(f"{kind} {number / self.moves:.2f}" for kind, number in requests.most_common())


class Evening:
    """People at one table, and where each has their hand. Requests are counted from Start on, with everything that it
    takes to open the hands."""

    def __init__(self, club: Club, place: Place, rng: Random) -> None:
        self.club = club
        self.place = place
        self.rng = rng
        self.attention = Random(rng.random())
        """Who notices what: the same wherever they play, so that the moves are the same too."""
        self.people = club.people[: max(club.rules.seats[0], min(PEOPLE, club.rules.seats[-1]))]
        self.here: dict[int, discord.Message] = {}
        """Their ephemeral hands, by the id of the person."""
        self.lost_at: dict[int, float] = {}
        """When they lose sight of them, in minutes since the deal."""
        self.began = 0
        """When the game began, ms since 1970."""
        self.first = 0
        """How many requests had been made by then."""

    @property
    def minutes(self) -> float:
        """Since the deal."""
        return (self.club.clock.now() - self.began) / 60_000

    def _hand(self, person: MemberActor) -> discord.Message:
        """The hand from which *person* plays, as it is."""
        return self.club.as_it_is(self.here.get(person.id) or dms(person)[-1])

    async def _wait(self, seconds: float) -> None:
        await self.club.clock.advance(round(seconds * 1000))

    async def _open(self, person: MemberActor, message: discord.Message, arg: str | None = None) -> None:
        """*person* presses *My hand* on *message*."""
        shown = await self.club.press(person, message, Verb.HAND, arg)
        self.here[person.id] = self.club.opened(shown)
        self.lost_at[person.id] = self.minutes + self.rng.expovariate(1 / LOST_MINUTES)

    async def sit_down(self) -> None:
        """From /play to the first hands."""
        await self.club.open(*self.people, start=False)
        self.first = len(self.club.env.http_requests)
        await self.club.press(self.people[0], self.club.table_message(), Verb.START)
        self.began = self.club.clock.now()
        for person in self.people if self.place is not Place.DMS else []:
            await self._wait(self.rng.uniform(1, 6))
            if self.place is Place.BOTH:
                await self._open(person, self.club.table_message())
            else:
                menu = await self.club.press(person, self.club.table_message(), Verb.MENU)
                await self._open(person, self.club.opened(menu), "stay")
                await self._wait(self.rng.uniform(1, 6))
                await self._open(person, self.club.table_message())

    async def _look(self, person: MemberActor) -> discord.Message:
        """The hand of *person*, who has opened it again if it was lost, or is not kept up to date any more."""
        if self.place in (Place.CHANNEL, Place.BOTH) and self.minutes >= self.lost_at[person.id]:
            await self._open(person, self.club.table_message())
        hand = self._hand(person)
        for _, press in presses(hand):
            if press.verb is Verb.HAND and press.arg == FOLLOW:
                await self.club.press(person, hand, Verb.HAND, FOLLOW)
            elif press.verb is Verb.HAND:
                await self._open(person, hand)
        return self._hand(person)

    def _wants(self, person: MemberActor) -> Any:
        """What a computer player would do in the place of *person*."""
        table = self.club.table()
        seat = self.club.seat(person)
        ply = table.state.ply
        return self.club.rules.decide(
            self.club.rules.views.view(table.state, seat), Random(f"{table.seed}/{ply}/{seat}")
        )

    def _caller(self) -> MemberActor | None:
        """Who calls now, if anybody does."""
        for person in self.club.callers():
            calls = self._wants(person) == self.club.rules.call((self.club.seat(person),))
            if calls and self.attention.random() < NOTICED:
                return person
        return None

    async def go_on(self) -> None:
        """Somebody calls, or whoever is on turn thinks and moves."""
        club, table = self.club, self.club.table()
        if table.window is not None or table.held is not None or club.rules.forced_call(table.state) is not None:
            await self._wait(0.5)
            return
        caller = self._caller()
        if caller is not None:
            await self._look(caller)
            await self._wait(self.rng.uniform(*REACTION_SECONDS))
            await club.press(caller, self._hand(caller), Verb.CALL)
            return
        await self._wait(self.rng.lognormvariate(math.log(THOUGHT_SECONDS) - SPREAD**2 / 2, SPREAD))
        person = club.on_turn()
        hand = await self._look(person)
        action = self._wants(person)
        if action not in club.rules.legal_actions(table.state, club.seat(person)) or not hasattr(action, "seat"):
            action = self.attention.choice(_moves(club, club.seat(person)))
        await club.play(person, action, hand)
        await self._wait(1)


def _moves(club: Club, seat: Seat) -> list[Any]:
    """What *seat*, on turn, can do but call."""
    return [it for it in club.rules.legal_actions(club.table().state, seat) if hasattr(it, "seat")]


def _kind(method: str, path: str, channel: int) -> tuple[bool, str]:
    """(whether the request counts, what it is for); the table is in *channel*."""
    if path.startswith("/interactions/"):
        return False, "answers"
    if path.startswith("/webhooks/"):
        return False, {"PATCH": "edits", "POST": "follow-ups", "DELETE": "deleted"}[method]
    if method == "PATCH":
        return True, "table" if f"/channels/{channel}/" in path else "hands"
    return True, {"POST": "new messages", "DELETE": "deleted"}[method] if "/messages" in path else "other"


async def measure(game: str, place: Place) -> Played:
    """Play *game* for forty minutes; a game that is over earlier is left out, and the next deal is played."""
    for number in count():
        played = await _play(game, place, number)
        if played is not None:
            return played
    raise AssertionError


async def _play(game: str, place: Place, number: int) -> Played | None:
    """Deal *number* of *game*; ``None``: it is over in less than forty minutes."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_club(Path(folder), game, Options(turn_seconds=0), whole=True) as club:
            evening = Evening(club, place, Random(f"{game}/{number}"))
            for _ in range(number):
                club.bot.tables._seeds()  # of the deals that are left out
            await evening.sit_down()
            while evening.minutes < MINUTES:
                await evening.go_on()
                if not club.running:
                    return None
            counted, free = Counter[str](), Counter[str]()
            for entry in club.env.http_requests[evening.first :]:
                counts, kind = _kind(entry.method, entry.path, club.channel.id)
                (counted if counts else free)[kind] += 1
            return Played(club.ply, counted, free)
