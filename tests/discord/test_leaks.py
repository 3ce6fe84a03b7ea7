"""Nothing that a person or the public received contains more than their View.

After every move each message that somebody can see is rendered a second time from a table on which everything
that this person cannot see was dealt anew - state, seed of the running game, events. It must look the same, to the
last custom_id. So whatever the messages say follows from the view alone.
"""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simcord.actors import MemberActor

from bot.delivery.slots import TABLE, dm_hand_slot
from bot.store.store import Dms
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb
from tests.controls import picks
from tests.discord.messages import components_json, expected_components_json, reply
from tests.discord.play import Club, every_game, open_club
from tests.discord.test_me import prefer
from tests.discord.world import dms
from tests.games import CASES
from tests.games.tables import otherwise


def check(club: Club, rng: Random) -> None:
    """Every message is as it would be had the rest been dealt differently."""
    table = club.table()
    public = club.table_message()
    assert components_json(public) == expected_components_json(otherwise(table, None, rng), TABLE, public.id)
    for person in club.people:
        seat = table.seat_of(person.id)
        if seat is None:
            assert not dms(person)
            continue
        hand = club.hand(person)
        other = otherwise(table, seat, rng)
        picked = ["", *(value for offer in picks(hand) for value in offer.values or ())]
        assert components_json(hand) in [
            expected_components_json(other, dm_hand_slot(seat), public.id, live=live, picked=pick)
            for live in (False, True)
            for pick in picked
        ]


async def test_every_message_follows_from_its_readers_view(club: Club) -> None:
    rng = Random(3)
    await club.open(club.anna, club.bruno, club.carla)
    await club.watch_table()
    check(club, rng)
    for number in range(45):
        if number % 9 == 8 and club.callers():
            await club.call(club.callers()[0])
        else:
            await club.act(club.on_turn(), rng.randrange(60))
        if not club.running:
            break
        check(club, rng)


@every_game
async def test_a_held_move_is_known_to_its_player_alone(tmp_path: Path, game: str) -> None:
    rng = Random(4)
    async with open_club(tmp_path, game, Options(pace=Pace.NORMAL, turn_seconds=120)) as club:
        await club.open(club.anna, club.bruno)
        await club.rest(2_000)
        player, (other,) = club.on_turn(), club.others()
        _, offers = await club.offered(player)
        before = (
            components_json(club.table_message()),
            components_json(club.hand(other)),
            components_json(club.hand(player)),
        )
        await club.act(player, len(offers) - 1)
        assert club.table().held is not None
        assert (components_json(club.table_message()), components_json(club.hand(other))) == before[:2]
        assert components_json(club.hand(player)) != before[2]
        check(club, rng)


@every_game
async def test_computers_leave_no_trace_of_their_cards(tmp_path: Path, game: str) -> None:
    rng = Random(5)
    async with open_club(tmp_path, game, Options(pace=Pace.FAST, turn_seconds=0)) as club:
        await club.open(club.anna, computers=3)
        await club.watch_table()
        checked = 0
        for _ in range(12):
            if not club.running:
                break
            table = club.table()
            if table.window is None:  # a call is shown a second later, with the reveal
                check(club, rng)
                checked += 1
            if club.rules.on_turn(table.state) == club.seat(club.anna) and table.held is None and table.window is None:
                await club.act(club.anna, 1)
            await club.clock.advance(1300)
        assert checked > 3


async def test_the_seed_is_nowhere_until_the_game_is_over(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    seed, secret = club.table().seed, club.table().secret
    for _ in range(5):
        await club.act(club.on_turn())
    everything = club.env.transcript() + json.dumps([r.json for r in club.env.http_requests], default=str)
    assert seed not in everything
    assert secret not in everything
    await club.finish()
    (file,) = reply(await club.press(club.anna, club.messages()[-1], Verb.CHECK)).attachments
    assert secret.encode() in await file.read()


async def test_logs_hold_no_hidden_card_no_token_and_no_seed(club: Club, caplog: Any) -> None:
    caplog.set_level("DEBUG")
    await club.open(club.anna, club.bruno)
    table = club.table()
    secrets = {table.seed, "simcord_interaction"}
    for number in range(5):
        state, rules = club.table().state, club.rules
        view = rules.views.view(state, club.seat(club.on_turn()))
        secrets |= {repr(state), repr(view), json.dumps(rules.encode_state(state))}
        for action in rules.actions(view):
            secrets |= {repr(action), str(rules.encode_action(action)), json.dumps(rules.encode_action(action))}
        await club.act(club.on_turn(), number)
    await club.press(club.anna, club.table_message(), Verb.HAND)
    ours = [record for record in caplog.records if record.name.split(".")[0] in ("bot", "cogs")]
    text = "\n".join(f"{record.getMessage()} {getattr(record, 'fields', '')}" for record in ours)
    assert "table changed" in text
    assert len(secrets) > 10
    assert not [secret for secret in secrets if secret in text]
    assert not [name for name in table.state._fields if f"{name}=" in text]


@pytest.mark.parametrize("telling", ["turn", "never"])
async def test_no_hand_is_sent_where_the_table_is_whatever_is_recorded(club: Club, telling: str) -> None:
    """A wrong row says that the table's channel is somebody's direct messages."""
    await prefer(club, club.anna, telling=telling)
    await club.open(club.anna, club.bruno, start=False)
    await club.bot.store.save_dm_channel_and_refusal(club.anna.id, Dms(club.channel.id))
    before = {message.id for message in club.messages()}
    await club.press(club.anna, club.table_message(), Verb.START)
    new = [message.id for message in club.messages() if message.id not in before]
    assert new == [club.deal_message().id, club.table_message().id]
    assert not dms(club.anna)
    assert dms(club.bruno)


# The same game played twice, with everything that a person cannot see dealt differently: what they receive is the
# same, byte for byte apart from ids - components, alt texts, custom_ids, the order and number of requests.
#
# What the players do follows from what this person sees alone, and brings nothing hidden to light (``quiet_deal`` and
# ``quiet_action`` of the game's case), so nothing that differs may show.

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
        text = "\n".join(components_json(message) for message in messages).replace(self.table, "TABLE")
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
            await club.watch_table()
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
