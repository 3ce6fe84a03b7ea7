"""A game that ends early, or is paused: the hands say why, and who did it, and offer what comes next; under the table
the call keeps its place."""

from pathlib import Path
from typing import Any

import pytest

from bot.tables.errors import Why
from bot.tables.leaving import close_table
from bot.tables.model import Ending
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.replies import REFUSALS
from tests.controls import components
from tests.discord.forged import click_old, forge
from tests.discord.messages import ends_with_buttons, last_row, private_text, reply, text_of, verbs
from tests.discord.play import Club, every_game_with_calls, open_club
from tests.discord.test_pause import CLOCK, pause
from tests.discord.world import EN

ROW = 1
NEXT = {Verb.REMATCH, Verb.REVIEW}


def call_waits(message: Any) -> bool:
    """Whether the last row of *message* has what it always has, and the call, the first of it, cannot be pressed."""
    return last_row(message) == [(Verb.CALL, False), (Verb.HAND, True), (Verb.RULES, True), (Verb.MENU, True)]


def call_has_gone(message: Any) -> bool:
    """Whether *message* has one row of buttons, without the call, and none at the bottom, where the call was."""
    rows = [it for it in components(message) if it["type"] == ROW]
    return len(rows) == 1 and Verb.CALL not in verbs(message) and not ends_with_buttons(message)


async def test_the_hands_say_who_ended_it_and_offer_what_comes_next(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    sure = await club.anna.slash(club.channel, "table end")
    await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)
    for person in (club.anna, club.bruno):
        assert "ended by **anna**" in text_of(club.hand(person))
        for name in ("anna", "bruno"):
            assert f"**{name}** · " in text_of(club.hand(person)), "where everybody stood"
        assert verbs(club.hand(person)) >= NEXT
    await club.press(club.bruno, club.hand(club.bruno), Verb.REMATCH)
    assert Verb.JOIN in verbs(club.table_message())
    assert verbs(club.hand(club.bruno)) == {Verb.REVIEW}


async def test_the_hands_say_who_was_the_last_to_leave(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    for person in (club.anna, club.bruno):
        sure = await person.slash(club.channel, "table leave")
        await club.press(person, reply(sure), Verb.LEAVE_FOR_SURE)
    for message in (club.hand(club.anna), club.hand(club.bruno), club.messages()[-1]):
        assert "**bruno** has left, and no human is at the table" in text_of(message)
    assert verbs(club.hand(club.anna)) >= NEXT


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (Ending.IDLE, "Nothing has happened at the table for a day"),
        (Ending.UNATTENDED, "paused for an hour"),
        (Ending.ABANDONED, "No human is left"),
    ],
)
async def test_the_hands_give_the_reason_where_nobody_ended_it(club: Club, ending: Ending, reason: str) -> None:
    await club.open(club.anna, club.bruno)
    await club.bot.tables.change(club.table().id, "close", None, lambda table: close_table(table, ending))
    await club.env.settle()
    for person in (club.anna, club.bruno):
        assert reason in text_of(club.hand(person))
        assert verbs(club.hand(person)) >= NEXT


async def test_without_the_channel_there_is_no_rematch_only_the_review(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    assert "lost access to its channel" in text_of(club.hand(club.anna))
    assert NEXT & verbs(club.hand(club.anna)) == {Verb.REVIEW}


@every_game_with_calls
async def test_the_call_keeps_its_place_while_the_game_is_paused_and_when_it_is_over(tmp_path: Path, game: str) -> None:
    """Whoever slams it too late meets nothing else: no Continue, no Rematch."""
    async with open_club(tmp_path, game, CLOCK) as club:
        await pause(club)
        board = club.table_message()
        assert call_waits(board)
        assert Verb.COME_BACK in verbs(board)
        await club.press(club.anna, board, Verb.COME_BACK)
        assert last_row(club.table_message())[0][0] is Verb.CALL
        sure = await club.anna.slash(club.channel, "table end")
        await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)
        over = club.as_it_is(board)
        assert verbs(over) == {*NEXT, Verb.CHECK}
        hands = [club.hand(person) for person in (club.anna, club.bruno)]
        assert all(verbs(hand) == NEXT for hand in hands)
        assert all(call_has_gone(it) for it in (over, *hands))
        await club.press(club.bruno, over, Verb.REMATCH)
        assert all(call_has_gone(club.as_it_is(it)) for it in (over, *hands))


async def test_the_call_keeps_its_place_when_somebody_has_won(calling_club: Club) -> None:
    club = calling_club
    await club.open(club.anna, club.bruno)
    board, table = club.table_message(), club.table().id
    await club.finish()
    over, ended = club.as_it_is(board), await club.bot.tables.get(table)
    assert verbs(over) == {*NEXT, Verb.CHECK}
    hands = [club.hand(person) for person in (club.anna, club.bruno)]
    assert all(verbs(hand) == NEXT for hand in hands)
    assert all(call_has_gone(it) for it in (over, *hands))
    call = custom_id(Verb.CALL, ended.id, ended.state.ply - 1)
    no = EN(REFUSALS[Why.GAME_FINISHED])
    assert no in private_text(await forge(club, club.anna, call, over)), "a slam that comes too late"
    assert no in private_text(await click_old(club, club.anna, board, Verb.MENU))
    assert "The game is over" in private_text(await click_old(club, club.anna, board, Verb.HAND))
    assert "17" in private_text(await click_old(club, club.carla, board, Verb.RULES))
