"""*Next* on Discord: at an unhurried table the game waits until its one person calls or presses it."""

from pathlib import Path

import pytest

from bot.tables.errors import Why
from bot.ui.custom_ids import Verb, custom_id
from tests.discord.forged import click_old, forge
from tests.discord.messages import components_json, private_text, text_of, verbs
from tests.discord.play import QUICK, Club, every_game_with_calls, open_club
from tests.discord.world import EN

UNHURRIED = QUICK._replace(unhurried=True)
HOUR = 3_600_000


async def until_it_waits(club: Club, *, own_turn: bool | None = None) -> None:
    """The game goes on until it waits for anna; *own_turn*: on her turn, or on another's."""
    while not club.table().awaits_next or own_turn not in (None, on_turn(club)):
        if club.table().awaits_next:
            await club.press(club.anna, club.hand(club.anna), Verb.NEXT)
        elif on_turn(club):
            await club.act(club.anna)
        await club.clock.advance(5)


def on_turn(club: Club) -> bool:
    """Whether it is anna's turn."""
    return club.rules.on_turn(club.table().state) == club.seat(club.anna)


@every_game_with_calls
@pytest.mark.parametrize("restarted", [False, True])
async def test_the_game_waits_for_next_and_then_goes_on(tmp_path: Path, game: str, restarted: bool) -> None:
    async with open_club(tmp_path, game, UNHURRIED) as club:
        await club.open(club.anna, computers=2)
        await until_it_waits(club, own_turn=False)
        ply = club.ply
        await club.clock.advance(HOUR)
        if restarted:
            await club.restart()
        assert (club.ply, club.table().awaits_next) == (ply, True)
        answer = await club.press(club.anna, club.hand(club.anna), Verb.NEXT)
        assert answer.acknowledged
        await club.clock.advance(5)
        assert club.ply > ply


@every_game_with_calls
async def test_on_ones_own_turn_the_cards_come_with_the_answer_to_next(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, UNHURRIED) as club:
        await club.open(club.anna, computers=2)
        await until_it_waits(club, own_turn=True)
        assert verbs(club.hand(club.anna)) == {Verb.NEXT, Verb.CALL}
        await club.press(club.anna, club.hand(club.anna), Verb.NEXT)
        assert verbs(club.hand(club.anna)) & {Verb.NEXT, Verb.MOVE} == {Verb.MOVE}
        ply = club.ply
        await club.act(club.anna)
        await club.clock.advance(5)
        assert club.ply > ply


@every_game_with_calls
async def test_next_on_an_old_hand_is_refused_there(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, UNHURRIED) as club:
        await club.open(club.anna, computers=2)
        await until_it_waits(club)
        old = club.hand(club.anna)
        await club.press(club.anna, old, Verb.NEXT)
        while club.ply == club.table().next_pressed:
            if on_turn(club):
                await club.act(club.anna)
            await club.clock.advance(5)
        before = club.table()
        await click_old(club, club.anna, old, Verb.NEXT)
        assert club.refusal(Why.HAND_CHANGED) in text_of(club.hand(club.anna))
        assert club.unchanged(before)


@every_game_with_calls
async def test_nobody_else_lets_the_game_go_on(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, UNHURRIED) as club:
        await club.open(club.anna, computers=2)
        await until_it_waits(club)
        before, public = club.table(), components_json(club.table_message())
        forged = custom_id(Verb.NEXT, before.id, before.state.ply)
        answer = await forge(club, club.bruno, forged, club.table_message())
        assert club.refusal(Why.BUTTON_DEAD) in private_text(answer)
        assert (club.table().next_pressed, components_json(club.table_message())) == (before.next_pressed, public)


@every_game_with_calls
async def test_a_call_is_decided_at_once_and_answered_like_any_call(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, UNHURRIED) as club:
        await club.open(club.anna, computers=2)
        await until_it_waits(club)
        await club.clock.advance(HOUR)
        answer = await club.press(club.anna, club.hand(club.anna), Verb.CALL)
        assert answer.acknowledged
        assert EN(club.presenter.called_text) in text_of(club.hand(club.anna))
        ply = club.ply
        await club.clock.advance(1)
        assert club.ply > ply
        assert club.rules.ends_round(club.table().outcome)
