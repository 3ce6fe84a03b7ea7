"""Nothing that a person or the public received contains more than their View.

After every move each message that somebody can see is rendered a second time from a table on which everything
that this person cannot see was dealt anew - state, seed of the running game, events. It must look the same, to the
last custom_id. So whatever the messages say follows from the view alone.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

from bot.custom_ids import Verb
from bot.delivery.slots import TABLE, hand_slot, sheet_for
from bot.tables.model import Options, Pace, Table
from engine.diciassette.cards import PLAIN_BACKED, Card, Face
from engine.diciassette.events import CardPlayed, CardsDrawn, CardTrashed, PileShuffled
from engine.game import Seat
from tests.discord.play import Club, dms, open_club
from tests.engine.test_properties import redealt


def shown(message: Any) -> str:
    """The components of a message as received, without the numbers that Discord gives them."""

    def bare(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: bare(value) for key, value in item.items() if key != "id" and value not in (None, False)}
        return [bare(each) for each in item] if isinstance(item, list) else item

    raw = [c if isinstance(c, dict) else c.to_dict() for c in message.components]
    return json.dumps(bare(raw), sort_keys=True, ensure_ascii=False)


def rendered(table: Table, slot: str, message: int) -> str:
    class Fake:
        components = sheet_for(table, slot, message).payload()

    return shown(Fake)


def otherwise(table: Table, seat: Seat | None, rng: Random) -> Table:
    """*table* with everything hidden from *seat* dealt anew, in the state and in what just happened."""

    def other(card: Card | None, owner: int) -> Card | None:
        hidden = card is not None and owner != seat and not card.open_back
        return rng.choice(PLAIN_BACKED) if hidden else card

    def event(it: Any) -> Any:
        match it:
            case CardPlayed(owner, card, Face.DOWN):
                return CardPlayed(owner, other(card, owner), Face.DOWN)
            case CardTrashed(owner, card, Face.DOWN):
                return CardTrashed(owner, other(card, owner), Face.DOWN)
            case CardsDrawn(owner, drawn):
                return CardsDrawn(owner, tuple(other(card, owner) for card in drawn))
            case PileShuffled(size, order) if order is not None:
                return PileShuffled(size, tuple(rng.sample(order, len(order))))
            case _:
                return it

    return table._replace(
        state=redealt(table.state, seat, rng),
        recent=tuple(event(it) for it in table.recent),
        outcome=tuple(event(it) for it in table.outcome),
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
    rng = Random(3)
    await club.open(club.anna, club.bruno, club.carla)
    check(club, rng)
    for number in range(45):
        if club.bot.tables.live_in(club.channel.id) is None:
            break
        player, state = club.on_turn(), club.table().state
        if state.between_turns and state.last is not None and number % 9 == 8:
            await club.call(player)
        else:
            await club.lay(player, slot=number % len(state.hands[state.turn]), face=rng.choice(["up", "down", "down"]))
        if club.bot.tables.live_in(club.channel.id) is not None:
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


async def test_computers_leave_no_trace_of_their_cards(tmp_path: Path) -> None:
    rng = Random(5)
    async with open_club(tmp_path, Options(pace=Pace.FAST, turn_seconds=0)) as club:
        await club.open(club.anna, computers=3)
        for _ in range(10):
            if club.bot.tables.live_in(club.channel.id) is None:
                break
            if club.table().window is None:  # a call is shown a second later, with the reveal
                check(club, rng)
            if club.table().state.turn == 0 and club.table().held is None and club.table().window is None:
                await club.lay(club.anna, face="down")
            await club.clock.advance(1300)


async def test_the_seed_is_nowhere_until_the_game_is_over(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    seed = club.table().seed
    for _ in range(5):
        await club.lay(club.on_turn())
    everything = club.env.transcript() + json.dumps([r.json for r in club.env.http_requests], default=str)
    assert seed not in everything
    await club.finish()
    assert seed in shown(club.messages()[-1])


async def test_logs_hold_no_hidden_card_no_token_and_no_seed(club: Club, caplog: Any) -> None:
    caplog.set_level("DEBUG")
    await club.open(club.anna, club.bruno)
    seed = club.table().seed
    for _ in range(6):
        await club.lay(club.on_turn(), face="down")
    await club.press(club.anna, club.table_message(), Verb.HAND)
    ours = [record for record in caplog.records if record.name.split(".")[0] in ("bot", "cogs")]
    text = "\n".join(f"{record.getMessage()} {getattr(record, 'fields', '')}" for record in ours)
    assert "table changed" in text
    assert seed not in text
    assert "simcord_interaction" not in text
    assert '"play"' not in text
    assert "Card." not in text
