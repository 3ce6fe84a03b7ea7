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
from bot.delivery.content import sheet_for
from bot.delivery.slots import TABLE, hand_slot
from bot.tables.model import Options, Pace, Table
from engine.game import Seat
from tests.controls import moves
from tests.discord.play import Club, dms, open_club, text_of
from tests.games import CASES


def shown(message: Any) -> str:
    """The components of a message as received, without the numbers that Discord gives them."""

    def bare(item: Any) -> Any:
        if isinstance(item, dict) and "media" in item:  # where the file is; its name is in the address
            return {"description": item["description"], "file": item["media"]["url"].rpartition("/")[2].split("?")[0]}
        if isinstance(item, dict):
            return {key: bare(value) for key, value in item.items() if key != "id" and value not in (None, False)}
        return [bare(each) for each in item] if isinstance(item, list) else item

    raw = [c if isinstance(c, dict) else c.to_dict() for c in message.components]
    return json.dumps(bare(raw), sort_keys=True, ensure_ascii=False)


def rendered(table: Table, slot: str, message: int) -> str:
    class Fake:
        components = sheet_for(table, slot, message).payload

    return shown(Fake)


def otherwise(table: Table, seat: Seat | None, rng: Random) -> Table:
    """*table* with everything hidden from *seat* dealt anew, in the state and in what just happened."""
    case = CASES[table.game]
    return table._replace(
        state=case.redealt(table.state, seat, rng),
        recent=tuple(case.otherwise(it, seat, rng) for it in table.recent),
        outcome=tuple(case.otherwise(it, seat, rng) for it in table.outcome),
    )


def check(club: Club, rng: Random) -> None:
    table = club.table()
    public = club.table_message()
    assert shown(public) == rendered(otherwise(table, None, rng), TABLE, public.id)
    for person in club.people:
        seat = table.seat_of(person.id)
        if seat is None:
            assert not dms(person)
            continue
        hand = club.hand(person)
        assert shown(hand) == rendered(otherwise(table, seat, rng), hand_slot(seat), public.id)


async def test_every_message_follows_from_its_readers_view(club: Club) -> None:
    club = club
    rng = Random(3)
    await club.open(club.anna, club.bruno, club.carla)
    check(club, rng)
    for number in range(45):
        if club.case.may_call(club.table().state) and number % 9 == 8:
            await club.call(club.on_turn())
        else:
            await club.act(club.on_turn(), rng.randrange(60))
        if club.bot.tables.live_in(club.channel.id) is None:
            break
        check(club, rng)


async def test_a_held_card_is_known_to_its_player_alone(tmp_path: Path) -> None:
    rng = Random(4)
    async with open_club(tmp_path, Options(pace=Pace.NORMAL, turn_seconds=120)) as club:
        await club.open(club.anna, club.bruno)
        await club.lay(club.on_turn(), face="down")
        await club.clock.advance(300)
        before = shown(club.table_message())
        await club.lay(club.on_turn(), face="down")
        assert club.table().held is not None
        assert shown(club.table_message()) == before
        check(club, rng)


@pytest.mark.parametrize("game", sorted(CASES))
async def test_computers_leave_no_trace_of_their_cards(tmp_path: Path, game: str) -> None:
    rng = Random(5)
    async with open_club(tmp_path, Options(pace=Pace.FAST, turn_seconds=0), game) as club:
        await club.open(club.anna, computers=3)
        for _ in range(12):
            if club.bot.tables.live_in(club.channel.id) is None:
                break
            if club.table().window is None:  # a call is shown a second later, with the reveal
                check(club, rng)
            if club.table().state.turn == 0 and club.table().held is None and club.table().window is None:
                await club.act(club.anna, 1)
            await club.clock.advance(1300)


async def test_the_seed_is_nowhere_until_the_game_is_over(club: Club) -> None:
    club = club
    await club.open(club.anna, club.bruno)
    seed = club.table().seed
    for _ in range(5):
        await club.act(club.on_turn())
    everything = club.env.transcript() + json.dumps([r.json for r in club.env.http_requests], default=str)
    assert seed not in everything
    await club.finish()
    assert seed in shown(club.messages()[-1])


async def test_logs_hold_no_hidden_card_no_token_and_no_seed(club: Club, caplog: Any) -> None:
    club = club
    caplog.set_level("DEBUG")
    await club.open(club.anna, club.bruno)
    seed = club.table().seed
    for number in range(6):
        await club.act(club.on_turn(), number)
    await club.press(club.anna, club.table_message(), Verb.HAND)
    ours = [record for record in caplog.records if record.name.split(".")[0] in ("bot", "cogs")]
    text = "\n".join(f"{record.getMessage()} {getattr(record, 'fields', '')}" for record in ours)
    assert "table changed" in text
    assert seed not in text
    assert "simcord_interaction" not in text
    assert '"play"' not in text
    assert "'play'" not in text
    assert "Card." not in text
    assert "cards=" not in text
    assert "hands=" not in text


async def test_a_passed_trick_tells_nobody_whether_one_could_have_played(tmp_path: Path) -> None:
    """A pass that is forced and one that is chosen look the same, and nobody passes by themselves (T11)."""
    async with open_club(tmp_path, game="twelve_days") as club:
        await club.open(club.anna, club.bruno)
        leader = club.on_turn()
        await club.deal(leader, "1 12 12 12 12 12 12 12 12 12 12 12")
        await club.act(leader, len(moves(club.hand(leader))) - 2)
        other = club.on_turn()
        assert other is not leader
        assert "you can only pass" in text_of(club.hand(other))
        assert len(moves(club.hand(other))) == 1
        await club.clock.advance(60_000)
        assert club.on_turn() is other
