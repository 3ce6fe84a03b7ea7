"""The same game played twice, with everything that a person cannot see dealt differently: what they receive is the
same, byte for byte apart from ids - components, alt texts, custom_ids, the order and number of requests.

What the players do follows from what this person sees alone, and brings nothing hidden to light (``quiet_deal`` and
``quiet_action`` of the game's case), so nothing that differs may show.
"""

import re
from pathlib import Path
from random import Random

import pytest
from simcord.actors import MemberActor

from bot.custom_ids import Verb
from tests.discord.messages import shown
from tests.discord.play import Club, every_game, open_club
from tests.discord.world import dms
from tests.games import CASES

SNOWFLAKE = re.compile(r"\b\d{17,20}\b")
TOKEN = re.compile(r"simcord_interaction_[\w-]+|/webhooks/\d+/[^/\"]+|/interactions/\d+/[^/\"]+")
DEALS = 3


class Witness:
    """What *viewer* (``None``: somebody who only looks on) sees after every step, and which requests there were."""

    def __init__(self, club: Club, viewer: MemberActor | None) -> None:
        self.club = club
        self.viewer = viewer
        self.start = len(club.env.http_requests)
        self.table = club.table().id
        self.seen: list[str] = []
        self._ids: dict[str, str] = {}

    def look(self) -> None:
        """Everything in the channel and, for the viewer, their direct and ephemeral messages, as they are now."""
        club, viewer = self.club, self.viewer
        messages = list(club.messages())
        if viewer is not None:
            messages = [*club.channel.history(viewer=viewer), *dms(viewer)]
        text = "\n".join(shown(message) for message in messages).replace(self.table, "TABLE")
        self.seen.append(SNOWFLAKE.sub(lambda match: self._ids.setdefault(match[0], f"id{len(self._ids)}"), text))

    def requests(self) -> list[str]:
        """The kind of every request since the start, in order."""
        sent = self.club.env.http_requests[self.start :]
        return [f"{r.method} {re.sub(r'[0-9]{17,20}', 'N', TOKEN.sub('/token/', r.path))}" for r in sent]


async def played(club: Club, viewer: MemberActor | None) -> Witness:
    """The quiet moves of three people; then everybody, and a stranger who is refused, looks at their hand."""
    seat = None if viewer is None else club.seat(viewer)
    witness = Witness(club, viewer)
    witness.look()
    for _ in range(club.case.quiet_actions):
        await club.play(club.on_turn(), club.case.quiet_action(club.table().state, seat))
        witness.look()
    for person in (*club.people[:3], club.stranger):
        await club.press(person, club.table_message(), Verb.HAND)
        witness.look()
    return witness


@every_game
@pytest.mark.parametrize("at", [0, 1, None])
async def test_what_a_person_receives_does_not_depend_on_what_they_cannot_see(
    tmp_path: Path, game: str, at: int | None
) -> None:
    witnesses, deals = [], set()
    for number in range(DEALS):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with open_club(folder, game) as club:
            await club.open(club.anna, club.bruno, club.carla)
            viewer = None if at is None else club.people[at]
            seat = None if viewer is None else club.seat(viewer)
            quiet = club.case.quiet_deal(club.table().state, seat, Random(number))
            assert club.case.everything(quiet) == club.case.pack(3), "quiet_deal deals the pack"
            await club.replace_state(quiet)
            deals.add(club.table().state)
            witness = await played(club, viewer)
            witnesses.append((witness.seen, witness.requests()))
            moves = club.ply
    assert len(deals) == DEALS, "the deals differ"
    (seen, requests), *others = witnesses
    assert moves == CASES[game].quiet_actions
    assert len(set(seen)) > moves
    assert len(requests) > 2 * moves
    for other_seen, other_requests in others:
        assert other_seen == seen
        assert other_requests == requests
