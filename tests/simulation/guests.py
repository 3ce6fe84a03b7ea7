"""People at the tables: quick, slow, clumsy, curious, hostile, asleep. Each click is noted, and how it ended."""

import asyncio
import logging
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

import aiohttp

from bot.tables.model import Table
from bot.ui.custom_ids import Press, Verb, parse_custom_id
from local_discord.model import Message
from local_discord.server import Server
from tests.controls import BUTTON, SELECT, Offer, controls, moves, picks
from tests.process import forging
from tests.process.person import Person, Seen, clicked
from tests.simulation.plan import Guest
from tests.simulation.virtual import now

log = logging.getLogger(__name__)

LOOKS: Final = (Verb.HAND, Verb.MENU, Verb.RULES, Verb.JOIN, Verb.SIT, Verb.COME_BACK, Verb.TOPIC, Verb.ME, Verb.LEARN)
"""What somebody curious clicks."""
FORGED: Final = "forged"
"""How the nonces of clicks begin that no client would make."""


class Click(NamedTuple):
    """A click on a move or a call."""

    person: Person
    press: Press
    offer: Offer
    made: float
    """When, s."""
    forged: bool
    nonce: str = ""
    """Of the interaction, if Discord said that it took it. If not, it may have: responses can be lost."""

    @property
    def answered(self) -> bool:
        """Whether the person saw it succeed."""
        return self.person.outcomes.get(self.nonce) == "INTERACTION_SUCCESS"


class Player:
    """*person*, who plays as *guest* says; what they choose is drawn with *rng*."""

    def __init__(self, person: Person, guest: Guest, rng: Random) -> None:
        self.person = person
        self.guest = guest
        self.clicks: list[Click] = []
        self.sent: dict[str, tuple[float, int]] = {}
        """(when it was made, the clicked message) of each interaction that Discord took, by its nonce."""
        self.forged: set[int] = set()
        """The messages on which they made a click that no client would make."""
        self._rng = rng
        self.alert = False
        """They click as soon as they can, on moves alone."""

    async def play(self, tables: "Tables") -> None:
        """Play at every table for as long as this is not cancelled."""
        while True:
            least, most = (0.2, 0.6) if self.alert else self.guest.think
            await asyncio.sleep(self._rng.uniform(least, most))
            begin, end = self.guest.sleeps
            if not self.alert and begin <= now() - tables.dealt < end:
                continue
            found = self._offer(tables.now())
            if found is None:
                continue
            await self._press(*found)
            if self._happens(self.guest.twice):
                await self._press(*found)
            if self._happens(self.guest.forges):
                await self._forge(tables.now())

    def _happens(self, percent: int) -> bool:
        return not self.alert and self._rng.random() * 100 < percent

    def _offer(self, tables: list[Table]) -> tuple[Seen, Offer] | None:
        """(message, what they click on it)."""
        messages = sorted(self.person.messages.values(), key=lambda message: message.id)
        if self._happens(self.guest.wanders):
            found = [(m, offer) for m in messages for offer in _looks(m)]
            return self._rng.choice(found) if found else None
        if len(tables) > 2:  # else who is quick would play at the first ones alone
            tables = self._rng.sample(tables, len(tables))
        for table in tables:
            if (found := [it for m in messages if m.about(table.id) for it in self._next(m, table)]) != []:
                return self._rng.choice(found)
        return None

    def _next(self, message: Seen, table: Table) -> Iterator[tuple[Seen, Offer]]:
        """What gets the game on."""
        for some in (moves(message), picks(message)):
            if some:
                yield message, self._rng.choice(some)
                return
        call = message.press(Verb.CALL)
        if call is not None and self._happens(self.guest.calls):
            yield message, Offer(call[0], BUTTON, None)
        for verb in (Verb.COME_BACK, *([] if self._hand(table) else [Verb.HAND])):
            found = message.press(verb)
            if found is not None:
                yield message, Offer(found[0], BUTTON, None)

    def _hand(self, table: Table) -> bool:
        """Whether they have a hand at *table* that can be played from, or need none."""
        seat = table.seat_of(self.person.id)
        if seat is None or table.state is None or table.rules.on_turn(table.state) != seat:
            return True
        return any(moves(m) or picks(m) for m in self.person.messages.values() if m.about(table.id))

    async def _press(self, message: Seen, offer: Offer, *, forged: bool = False) -> None:
        """A click; what becomes of it is looked at later."""
        press, made = parse_custom_id(offer.custom_id), now()
        moves_or_calls = press is not None and press.verb in (Verb.MOVE, Verb.CALL)
        at = len(self.clicks)
        does, what = "forges" if forged else "clicks", f"{offer.custom_id} {offer.values or ''}".rstrip()
        log.info("%s %s %s on %d", self.person.name, does, ascii(what)[1:-1], message.id)
        if press is not None and press.verb in (Verb.MOVE, Verb.CALL):
            self.clicks.append(Click(self.person, press, offer, made, forged))
        nonce = await self._send({**clicked(message, offer), **({FORGED: True} if forged else {})}, message.id)
        if nonce and moves_or_calls:
            self.clicks[at] = self.clicks[at]._replace(nonce=nonce)

    async def _send(self, body: dict[str, Any], message: int = 0) -> str:
        """Send an interaction, on *message* (0: a command); its nonce, empty if Discord did not say that it took it."""
        made = now()
        try:
            nonce, status, _ = await self.person.send(body)
        except aiohttp.ClientError:  # it may have arrived or not
            return ""
        if status != 204:
            return ""
        self.sent[nonce] = made, message
        return nonce

    async def _forge(self, tables: list[Table]) -> None:
        """A click on any control of any message, with something in it changed."""
        messages = sorted(self.person.messages.values(), key=lambda message: message.id)
        if not messages or not tables:
            return
        message = self._rng.choice(messages)
        data = forging.click(self._rng, tables, [])
        values = data.get("values")
        self.forged.add(message.id)
        await self._press(message, Offer(data["custom_id"], data["component_type"], values), forged=True)


def believe(server: Server) -> None:
    """From now on *server*, a Discord, passes on a click that a hostile client made up, as far as it says so."""
    honest = server.interactions._check_use

    def check(body: dict[str, Any], data: dict[str, Any], channel: Any, person: Any, uploads: Any) -> Message | None:
        if not body.get(FORGED):
            return honest(body, data, channel, person, uploads)
        return server.world.get_visible_message(channel, int(body["message_id"]), person)

    server.interactions._check_use = check  # type: ignore[method-assign]


class Tables:
    """The tables that are played at. *read* returns those that are live."""

    def __init__(self, read: Any) -> None:
        self.now = read
        self.dealt = 0.0
        """When the cards were dealt."""


def _looks(message: Seen) -> Iterator[Offer]:
    """What can be clicked on *message* without leaving the game."""
    for component, press in controls(message):
        if press.verb in LOOKS and component["type"] != SELECT:
            yield Offer(component["custom_id"], BUTTON, None)
        elif press.verb in (Verb.TOPIC,):
            yield Offer(component["custom_id"], SELECT, [component["options"][0]["value"]])
