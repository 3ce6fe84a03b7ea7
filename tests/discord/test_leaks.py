"""Nothing that a person or the public received contains more than their View.

After every move each message that somebody can see is rendered a second time from a table on which everything
that this person cannot see was dealt anew - state, seed of the running game, events. It must look the same, to the
last custom_id. So whatever the messages say follows from the view alone.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.custom_ids import Verb
from bot.delivery.slots import TABLE, hand_slot
from bot.store.store import Dms
from bot.tables.options import Options, Pace
from tests.controls import picks
from tests.discord.messages import drawn, reply, shown, text_of
from tests.discord.play import Club, every_game, open_club
from tests.discord.test_me import prefer
from tests.discord.world import dms
from tests.games.tables import otherwise


def check(club: Club, rng: Random) -> None:
    """Every message is as it would be had the rest been dealt differently."""
    table = club.table()
    public = club.table_message()
    assert shown(public) == drawn(otherwise(table, None, rng), TABLE, public.id)
    for person in club.people:
        seat = table.seat_of(person.id)
        if seat is None:
            assert not dms(person)
            continue
        hand = club.hand(person)
        other = otherwise(table, seat, rng)
        picked = ["", *(value for offer in picks(hand) for value in offer.values or ())]
        assert shown(hand) in [
            drawn(other, hand_slot(seat), public.id, live=live, picked=pick)
            for live in (False, True)
            for pick in picked
        ]


async def test_every_message_follows_from_its_readers_view(club: Club) -> None:
    rng = Random(3)
    await club.open(club.anna, club.bruno, club.carla)
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
        before = shown(club.table_message()), shown(club.hand(other)), shown(club.hand(player))
        await club.act(player, len(offers) - 1)
        assert club.table().held is not None
        assert (shown(club.table_message()), shown(club.hand(other))) == before[:2]
        assert shown(club.hand(player)) != before[2]
        check(club, rng)


@every_game
async def test_computers_leave_no_trace_of_their_cards(tmp_path: Path, game: str) -> None:
    rng = Random(5)
    async with open_club(tmp_path, game, Options(pace=Pace.FAST, turn_seconds=0)) as club:
        await club.open(club.anna, computers=3)
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
    answer = reply(await club.press(club.stranger, club.messages()[-1], Verb.CHECK))
    assert secret in text_of(answer)


async def test_logs_hold_no_hidden_card_no_token_and_no_seed(club: Club, caplog: Any) -> None:
    caplog.set_level("DEBUG")
    await club.open(club.anna, club.bruno)
    table = club.table()
    secrets = {table.seed, "simcord_interaction"}
    for number in range(5):
        state, rules = club.table().state, club.rules
        view = rules.view(state, club.seat(club.on_turn()))
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
    await club.bot.store.put_dms(club.anna.id, Dms(club.channel.id))
    before = {message.id for message in club.messages()}
    await club.press(club.anna, club.table_message(), Verb.START)
    new = [message.id for message in club.messages() if message.id not in before]
    assert new == [club.deal_message().id, club.table_message().id]
    assert not dms(club.anna)
    assert dms(club.bruno)
