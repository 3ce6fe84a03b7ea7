"""12 Days of Christmas on Discord: lists of plays, cards picked one by one, tricks and hands."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.events import Played
from tests.controls import Offer, components, meant, moves, picks, picks_cards
from tests.discord.messages import private_text, text_of
from tests.discord.play import Club, open_club
from tests.discord.world import dms
from tests.games.twelve_days import cards

GAME = "twelve_days"
pytestmark = pytest.mark.about(GAME)
SLOW = Options(pace=Pace.NORMAL, turn_seconds=120)
MANY = "2 3 4 5 6 7 8 9 10 11 12 12"
"""A hand with more plays than one list holds."""


@asynccontextmanager
async def on_turn_with(folder: Path, hand: str, lead: str | None = None) -> AsyncIterator[tuple[Club, MemberActor]]:
    """(club, who is on turn), who holds *hand*, after *lead* where there is one."""
    async with open_club(folder, GAME) as club:
        await club.open(club.anna, club.bruno)
        if lead is not None:
            leader = club.on_turn()
            await club.deal(leader, f"{lead} " + " ".join(["12"] * (12 - len(lead.split()))))
            await club.play(leader, Play(club.seat(leader), cards(lead)))
        await club.deal(club.on_turn(), hand)
        yield club, club.on_turn()


async def pick_cards(club: Club, player: MemberActor, picked: str) -> InteractionResult:
    """*player* picks these cards one by one."""
    hand, at = list(club.rules.views.view(club.table().state, club.seat(player)).hand), []
    for card in cards(picked):
        at.append(hand.index(card))
        hand[at[-1]] = 0
    message = club.hand(player)
    select = next(c for c in components(message) if "options" in c and picks_cards(c))
    return await club.use(player, message, Offer(select["custom_id"], select["type"], list(map(str, at))))


# What may be played


REFUSED = [
    ("2 2 4 4 6 6 8 9 9 9 11 12", None, "2 6", "do not go together", "a single card, a set"),
    ("2 2 3 4 5 6 7 8 9 9 9 12", "8 8", "3 4", "not the same type", "a set (two or more of one rank)"),
    ("2 2 3 4 5 6 7 8 9 9 9 12", "8 8", "9 9", "not low enough", "a set (two or more of one rank), 8🥛 or lower"),
    ("2 2 3 4 5 6 7 8 9 9 9 12", "8 9", "9", "not the same type", "a straight (two or more ranks in a row)"),
    ("2 2 3 4 5 6 7 8 9 9 9 12", "8", "9", "not low enough", "a single card, 8🥛 or lower"),
]


@pytest.mark.parametrize(("hand", "lead", "picked", "said_no", "allowed"), REFUSED)
async def test_cards_picked_against_the_rules_get_their_sentence_and_what_is_allowed_t6(
    tmp_path: Path, hand: str, lead: str | None, picked: str, said_no: str, allowed: str
) -> None:
    async with on_turn_with(tmp_path, hand, lead) as (club, player):
        before = club.table()
        answer = await pick_cards(club, player, picked)
        assert said_no in private_text(answer)
        assert allowed in private_text(answer)
        assert ("or pass" in private_text(answer)) is (lead is not None)
        assert club.unchanged(before)
        assert moves(club.hand(player)), "and the hand can be played as before"


PICKED = [
    ("2 2 4 4 6 6 8 9 9 9 11 12", None, "9 9"),
    (MANY, None, "4 5 6"),
    ("2 2 3 4 5 6 7 8 9 9 9 12", "8 8", "2 2"),
]


@pytest.mark.parametrize(("hand", "lead", "picked"), PICKED)
async def test_cards_picked_one_by_one_are_played_together_t5(
    tmp_path: Path, hand: str, lead: str | None, picked: str
) -> None:
    async with on_turn_with(tmp_path, hand, lead) as (club, player):
        seat = club.seat(player)
        await pick_cards(club, player, picked)
        assert club.table().recent[0] == Played(seat, cards(picked), lead is None)


@pytest.mark.parametrize("hand", [MANY, "5 6 7 8 9 10 11 12 12 12 12 12"])
async def test_more_plays_than_one_list_holds_are_chosen_by_type_first(tmp_path: Path, hand: str) -> None:
    async with on_turn_with(tmp_path, hand) as (club, player):
        seat, table = club.seat(player), club.table()
        assert not moves(club.hand(player))
        offered: list[Any] = []
        for kind in picks(club.hand(player)):
            await club.use(player, club.hand(player), kind)
            offered += [meant(table, seat, offer) for offer in moves(club.hand(player))]
        legal = club.rules.legal_actions(table.state, seat)
        assert len(offered) == len(set(offered)) == len(legal) > 25
        assert set(offered) == set(legal)


async def test_an_answer_with_more_plays_than_one_list_holds_is_chosen_by_ranges(tmp_path: Path) -> None:
    async with on_turn_with(tmp_path, MANY, "11 12") as (club, player):
        seat, table = club.seat(player), club.table()
        offered = set()
        for pick in picks(club.hand(player)):
            await club.use(player, club.hand(player), pick)
            some = {meant(table, seat, offer) for offer in moves(club.hand(player))}
            assert 1 <= len([action for action in some if isinstance(action, Play)]) <= 25
            offered |= some
        assert offered >= {action for action in club.rules.legal_actions(table.state, seat) if isinstance(action, Play)}


async def test_who_picks_a_type_is_here_and_keeps_the_message(tmp_path: Path) -> None:
    """A pick is no move, but its person is not asleep: no new message may take the one under their finger."""
    async with on_turn_with(tmp_path, MANY) as (club, player):
        hand = club.hand(player).id
        await club.clock.advance(119_000)
        await club.choose(player, club.hand(player), Verb.PICK, "straight")
        await club.clock.advance(60_000)
        await club.choose(player, club.hand(player), Verb.PICK, "set")
        assert [message.id for message in dms(player)] == [hand]


async def test_a_passed_trick_tells_nobody_whether_one_could_have_played_t11(club: Club) -> None:
    """A pass that is forced and one that is chosen look the same, and the table passes for nobody who has not asked for
    that."""
    await club.open(club.anna, club.bruno)
    leader, (other,) = club.on_turn(), club.others()
    await club.deal(leader, "1 12 12 12 12 12 12 12 12 12 12 12")
    await club.play(leader, Play(club.seat(leader), (1,)))
    assert "so you have to pass" in text_of(club.hand(other))
    assert len(moves(club.hand(other))) == 1
    await club.clock.advance(60_000)
    assert club.on_turn() is other


# Tricks and hands


async def test_a_trick_and_the_one_before_are_there_after_a_restart(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    await club.watch_table()
    for plies in range(1, 7):
        await club.act(club.on_turn(), plies)
        table, hand = club.table(), text_of(club.hand(club.on_turn()))
        assert len(table.state.trick) == plies % 3
        seen = text_of(club.table_message())
        assert ("Previous trick" in seen) is (plies % 3 == 0)
        await club.restart()
        assert club.unchanged(table)
        assert text_of(club.table_message()) == seen
        assert text_of(club.hand(club.on_turn())) == hand


async def test_a_lead_waits_until_the_trick_before_has_been_seen(tmp_path: Path) -> None:
    async with open_club(tmp_path, GAME, SLOW) as club:
        await club.open(club.anna, club.bruno)
        for _ in range(3):
            await club.act(club.on_turn())
        held = club.table().held
        assert held is not None
        assert club.ply == 2
        assert "first everyone sees who took the trick" in text_of(club.hand(club.on_turn()))
        await club.restart()
        assert club.table().held == held
        await club.clock.advance(2_500)
        assert club.ply == 3


async def test_plays_that_take_the_lead_are_marked(tmp_path: Path) -> None:
    """Of two that are equally low the later one takes it (T7)."""
    async with open_club(tmp_path, GAME) as club:
        await club.open(club.anna, club.bruno, club.carla)
        for cards_of, played in (("8 12 12", "8"), ("5 12 12", "5")):
            player = club.on_turn()
            await club.deal(player, cards_of + " 12" * 9)
            await club.play(player, Play(club.seat(player), cards(played)))
        await club.deal(club.on_turn(), "4 5 6 7" + " 12" * 8)
        labels = [option["label"] for c in components(club.hand(club.on_turn())) for option in c.get("options", ())]
        singles = [label for label in labels if "Single card" in label]
        assert [label.startswith("⬇️ ") for label in singles] == [True, True, False, False]
        assert "⬇️ marks what would be the lowest" in text_of(club.hand(club.on_turn()))
