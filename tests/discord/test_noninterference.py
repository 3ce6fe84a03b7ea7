"""The same game played twice, with everything that a person cannot see dealt differently: what they receive is the
same, byte for byte apart from ids - components, alt texts, custom_ids, the order and number of requests.

The others' cards that come to light in these games are the same both times, the rest is another: in 17 they lay
two-sided cards, which hide nothing, or plain ones face down, which stay so; in 12 Days they pass.
"""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simcord.actors import MemberActor

from bot.custom_ids import Verb
from bot.tables.model import Table
from engine.game import Seat
from tests.discord.play import QUICK, Club, dms, open_club
from tests.discord.test_leaks import shown

SNOWFLAKE = re.compile(r"\b\d{17,20}\b")
TOKEN = re.compile(r"simcord_interaction_[\w-]+|/webhooks/\d+/[^/\"]+|/interactions/\d+/[^/\"]+")
DEALS = 3


async def replace_state(club: Club, state: Any) -> None:
    """The running table with another state, shown everywhere."""
    tables = club.bot.tables
    changed = club.table()._replace(state=state)
    tables._live[changed.id] = changed
    club.bot.reconciler.tell(changed)
    await club.env.settle()


def queue_dealt_anew(table: Table, seat: Seat | None, rng: Random) -> Any:
    """17 with the hidden cards that stay hidden dealt anew: the others' plain backs against the plain cards deep down
    in the draw pile, which nobody draws in this test."""
    state = table.state
    draw, hands = list(state.draw), [list(hand) for hand in state.hands]
    deep = [index for index in range(len(draw) - 25, len(draw)) if not draw[index].open_back]
    for other, hand in enumerate(hands):
        for slot, card in enumerate(hand):
            if other != seat and not card.open_back:
                index = rng.choice(deep)
                hand[slot], draw[index] = draw[index], card
    return state._replace(draw=tuple(draw), hands=tuple(map(tuple, hands)))


class Witness:
    """What *viewer* (``None``: somebody who only looks on) sees after every step, and which requests there were."""

    def __init__(self, club: Club, viewer: MemberActor | None) -> None:
        self.club = club
        self.viewer = viewer
        self.start = len(club.env.http_requests)
        self.seen: list[str] = []
        self._ids: dict[str, str] = {}

    def look(self) -> None:
        """Everything in the channel and, for the viewer, their direct and ephemeral messages, as they are now."""
        club, viewer = self.club, self.viewer
        messages = list(club.messages())
        if viewer is not None:
            messages = [*club.channel.history(viewer=viewer), *dms(viewer)]
        text = "\n".join(shown(message) for message in messages).replace(club.table().id, "TABLE")
        self.seen.append(SNOWFLAKE.sub(lambda match: self._ids.setdefault(match[0], f"id{len(self._ids)}"), text))

    def requests(self) -> list[str]:
        """The kind of every request since the start, in order."""
        sent = self.club.env.http_requests[self.start :]
        return [f"{r.method} {re.sub(r'[0-9]{17,20}', 'N', TOKEN.sub('/token/', r.path))}" for r in sent]


async def seventeen(club: Club, rng: Random, viewer: MemberActor | None) -> Witness:
    """Nine cards: the viewer lays the first card face up, the others a plain one face down where they have it."""
    await club.open(club.anna, club.bruno, club.carla)
    await replace_state(club, queue_dealt_anew(club.table(), None if viewer is None else Seat(club.seat(viewer)), rng))
    witness = Witness(club, viewer)
    for _ in range(9):
        player = club.on_turn()
        hand = club.table().state.hands[club.seat(player)]
        plain = [slot for slot, card in enumerate(hand) if not card.open_back]
        face_down = player is not viewer
        await club.lay(player, plain[0] if face_down and plain else 0, "down" if face_down else "up")
        witness.look()
    for person in (*club.people[:3], club.people[5]):  # the last is a stranger, and is refused
        await club.press(person, club.table_message(), Verb.HAND)
        witness.look()
    return witness


async def days(club: Club, rng: Random, viewer: MemberActor | None) -> Witness:
    """The viewer leads low cards that nobody can beat; everybody else passes."""
    await club.open(club.anna, club.bruno, club.carla)
    assert viewer is not None
    await club.deal(viewer, "1 2 2 3 3 3 4 4 4 4 5 5")
    seat = Seat(club.seat(viewer))
    state = club.table().state._replace(leader=seat, turn=seat)
    await replace_state(club, club.case.redealt(state, seat, rng))
    witness = Witness(club, viewer)
    for _ in range(9):
        player = club.on_turn()
        if player is viewer:
            await club.act(player)
        else:
            await club.press(player, club.hand(player), Verb.MOVE, "pass")
        witness.look()
    for person in club.people[:3]:
        await club.press(person, club.table_message(), Verb.HAND)
        witness.look()
    return witness


PLAYED = [("diciassette", 0), ("diciassette", 1), ("diciassette", None), ("twelve_days", 0), ("twelve_days", 2)]


@pytest.mark.parametrize(("game", "at"), PLAYED)
async def test_what_a_person_receives_does_not_depend_on_what_they_cannot_see(
    tmp_path: Path, game: str, at: int | None
) -> None:
    play = {"diciassette": seventeen, "twelve_days": days}[game]
    witnesses, states = [], set()
    for deal in range(DEALS):
        folder = tmp_path / str(deal)
        folder.mkdir()
        async with open_club(folder, QUICK, game) as club:
            witness = await play(club, Random(deal), None if at is None else club.people[at])
            witnesses.append((witness.seen, witness.requests()))
            states.add(club.table().state)
    assert len(states) == DEALS, "the deals differ"
    (seen, requests), *others = witnesses
    assert len(set(seen)) > 5
    assert len(requests) > 20
    for other_seen, other_requests in others:
        assert other_seen == seen
        assert other_requests == requests
