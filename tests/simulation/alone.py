"""Somebody who plays alone in direct messages, also the deal of the day: starts it in two places at once, plays by the
buttons of the message, gives up, looks at the result, shares it in a channel, practises."""

import asyncio
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from bot.tables.model import Table
from bot.ui.custom_ids import Verb
from engine.registry import GAMES
from tests.controls import BUTTON, Offer, controls, moves, picks
from tests.process.person import Person, Seen
from tests.simulation.guests import Player, Tables
from tests.simulation.plan import Guest
from tests.simulation.virtual import now

STARTS: Final = (Verb.START, Verb.START_DAY)
AFTERWARDS: Final = (Verb.RESULT, Verb.TELL, Verb.PRACTISE, Verb.REMATCH, Verb.DAY)
"""What somebody presses when a game is over."""
GIVING_UP: Final = (Verb.LEAVE_FOR_SURE, Verb.LEAVE, Verb.MENU)
"""What gives up a game, the last step first."""
ASKS_PERCENT: Final = 25
"""How many percent of what they do is a command, while they play nothing."""
LOOKS_PERCENT: Final = 12
"""How many percent of their clicks are not on the game that they play."""
BOTH_PERCENT: Final = 50
"""How often they start in two places at once, where they can."""


class Soloist(Player):
    """*person*, who plays *game* alone as *guest* says. *channels* are those of servers, where they ask for the deal of
    the day and share its result."""

    def __init__(self, person: Person, guest: Guest, rng: Random, game: str, channels: Sequence[int]) -> None:
        super().__init__(person, guest, rng)
        self.game = game
        self.direct = 0
        """The channel of their direct messages with the bot."""
        self._channels = channels
        self._gives_up = False
        self._known: dict[int, tuple[Seen, _Offered]] = {}
        """What each message offers, by its id, as they have last seen it."""

    async def begin(self) -> None:
        """Open their direct messages with the bot."""
        self.direct = await self.person.open_direct_messages()

    async def play(self, tables: Tables) -> None:
        """Play for as long as this is not cancelled."""
        while True:
            least, most = (0.2, 0.6) if self.alert else self.guest.think
            await asyncio.sleep(self._rng.uniform(least, most))
            begin, end = self.guest.sleeps
            if self.alert or not begin <= now() - tables.dealt < end:
                await self._act(tables.now())

    async def _act(self, playing: Sequence[Table]) -> None:
        """One thing that they do; *playing* are the tables at which a game runs."""
        mine = [table for table in playing if table.solo]
        starts = [it for message in self._mine() for it in self._offers(message, STARTS)]
        if len(starts) > 1 and self._happens(BOTH_PERCENT):
            await asyncio.gather(*(self._press(*it) for it in self._rng.sample(starts, 2)))
        elif self._happens(2 if mine else ASKS_PERCENT):
            await self._ask()
        elif (found := self._chosen(mine, starts)) is not None:
            await self._press(*found)
            if self._happens(self.guest.twice):
                await self._press(*found)

    async def _ask(self) -> None:
        """They use a command; perhaps twice at once, in two places or on two devices."""
        game, server = self.game, self._rng.choice(self._channels)
        if GAMES[game].daily is None or self._rng.random() < 0.2:
            await self._send(self.person.command(self.direct, "play", game=game))
            return
        twice = [self.direct, server], [self.direct, self.direct], [server, server]
        places = self._rng.choice(([self.direct], [server], *twice))
        await asyncio.gather(*(self._send(self.person.command(it, "daily", game=game)) for it in places))

    def _mine(self) -> list[Seen]:
        """The messages that they alone see, oldest first."""
        found = (it for it in self.person.messages.values() if it.channel == self.direct or it.private)
        return sorted(found, key=lambda message: message.id)

    def _chosen(self, playing: Sequence[Table], starts: Sequence[tuple[Seen, Offer]]) -> tuple[Seen, Offer] | None:
        """(message, what they click on it)."""
        messages = self._mine()
        going_on = [(message, offer) for message in messages for offer in self._onward(message)]
        if not playing and starts and not self.alert:
            return self._rng.choice(starts)
        self._gives_up = bool(playing) and (self._gives_up or self._happens(self.guest.gives_up))
        if self._gives_up and not self.alert:
            for verb in GIVING_UP:
                if found := [it for message in messages for it in self._offers(message, (verb,))]:
                    self._gives_up = verb is not Verb.LEAVE_FOR_SURE
                    return found[-1]
        if self._happens(100 if not going_on else LOOKS_PERCENT):
            everything = sorted(self.person.messages.values(), key=lambda message: message.id)
            going_on = [it for message in everything for it in self._offers(message, AFTERWARDS)] or going_on
        return self._rng.choice(going_on) if going_on else None

    def _onward(self, message: Seen) -> Iterator[Offer]:
        """What gets the game of *message* on."""
        offered = self._offered(message)
        if (calls := offered.buttons.get(Verb.CALL)) and self._happens(self.guest.calls):
            yield calls[0]
            return
        for some in (offered.moves, offered.picks):
            if some:
                yield self._rng.choice(some)
                return
        yield from offered.buttons.get(Verb.NEXT, ())

    def _offers(self, message: Seen, verbs: Sequence[Verb]) -> Iterator[tuple[Seen, Offer]]:
        """(*message*, a click on it) for each of its enabled buttons for one of *verbs*."""
        buttons = self._offered(message).buttons
        for verb in verbs:
            for offer in buttons.get(verb, ()):
                yield message, offer

    def _offered(self, message: Seen) -> "_Offered":
        """What *message* offers; it is looked at once, until it changes."""
        known = self._known.get(message.id)
        if known is None or known[0] is not message:
            buttons: dict[Verb, list[Offer]] = {}
            for component, press in controls(message):
                if component["type"] == BUTTON:
                    buttons.setdefault(press.verb, []).append(Offer(component["custom_id"], BUTTON, None))
            known = self._known[message.id] = message, _Offered(buttons, moves(message), picks(message))
        return known[1]


class _Offered(NamedTuple):
    """What a message offers."""

    buttons: dict[Verb, list[Offer]]
    """The enabled ones, by what they do."""
    moves: list[Offer]
    picks: list[Offer]
