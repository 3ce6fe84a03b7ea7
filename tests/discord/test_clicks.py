"""Every stale, foreign or impossible click gets one short private answer, and changes nothing."""

from typing import Any

import pytest
from simcord.results import InteractionResult

from bot.custom_ids import Verb
from bot.tables.model import Table
from tests.discord.play import Club, dms, presses, text_of


def said(result: InteractionResult) -> str:
    """What a private answer says: an ephemeral message, or a notice in the hand message itself."""
    assert result.acknowledged
    assert result.response is not None
    return text_of(result.response)


def unchanged(club: Club, before: Table) -> bool:
    after = club.table()
    return (after.state, after.held, after.window) == (before.state, before.held, before.window)


async def three(club: Club) -> Any:
    """Three people at a table; (on turn, next, the third)."""
    await club.open(club.anna, club.bruno, club.carla)
    first = club.on_turn()
    at = club.people.index(first)
    return first, club.people[(at + 1) % 3], club.people[(at + 2) % 3]


async def test_not_your_turn(club: Club) -> None:
    _, second, _ = await three(club)
    before = club.table()
    hand = club.hand(second)
    assert not [press for _, press in presses(hand) if press.verb is Verb.MOVE]
    enabled = await club.click_disabled(second, hand, Verb.MOVE, "0-up")
    assert "It is not your turn" in said(enabled)
    assert unchanged(club, before)


async def test_this_card_is_gone(club: Club) -> None:
    """An old hand message, clicked when it is the person's turn again."""
    first, second, third = await three(club)
    old = club.hand(first)
    for person in (first, second, third):
        await club.lay(person)
    before = club.table()
    answer = await club.click_old(first, old, Verb.MOVE, "0-up")
    assert "Your hand has changed" in said(answer)
    fresh = {press.ply for _, press in presses(answer.response) if press.verb is Verb.MOVE}
    assert fresh == {before.state.ply}
    assert unchanged(club, before)


async def test_you_just_played_so_you_cannot_call(club: Club) -> None:
    first, _, _ = await three(club)
    await club.lay(first)
    before = club.table()
    answer = await club.call(first)
    assert answer.ephemeral
    assert "You just laid a card, so you cannot call" in said(answer)
    assert unchanged(club, before)


async def test_nothing_to_call_before_the_first_card(club: Club) -> None:
    _, second, _ = await three(club)
    assert Verb.SHOUT not in {press.verb for _, press in presses(club.table_message())}
    before = club.table()
    answer = await club.click_disabled(second, club.table_message(), Verb.SHOUT)
    assert "No card has been laid in this round yet" in said(answer)
    assert unchanged(club, before)


async def test_the_round_is_over(club: Club) -> None:
    first, second, third = await three(club)
    await club.lay(first)
    old = club.table_message()
    await club.call(second)
    before = club.table()
    answer = await club.click_old(third, old, Verb.SHOUT)
    assert answer.ephemeral
    assert "The round is over" in said(answer)
    assert unchanged(club, before)


async def test_something_was_laid_since_and_the_answer_has_a_fresh_button(club: Club) -> None:
    first, second, third = await three(club)
    await club.lay(first)
    old = club.table_message()
    await club.lay(second)
    before = club.table()
    answer = await club.click_old(third, old, Verb.SHOUT)
    assert "Look again" in said(answer)
    assert unchanged(club, before)
    await club.press(third, answer.response.message, Verb.SHOUT)
    assert club.table().state.round == 2


async def test_not_in_the_middle_of_a_double_turn(club: Club) -> None:
    first, second, third = await three(club)
    await club.deal_in(first, "x2")
    await club.lay(first)
    assert club.table().state.duty == 2
    await club.lay(second)
    assert club.table().state.owed == 1
    before = club.table()
    answer = await club.click_disabled(third, club.table_message(), Verb.SHOUT)
    assert "in the middle of a double turn" in said(answer)
    assert unchanged(club, before)


async def test_you_are_not_at_this_table(club: Club) -> None:
    first, _, _ = await three(club)
    await club.lay(first)
    before = club.table()
    stranger = club.people[5]
    for verb in (Verb.SHOUT, Verb.HAND):
        answer = await club.press(stranger, club.table_message(), verb)
        assert answer.ephemeral
        assert "You do not play at this table" in said(answer)
    assert unchanged(club, before)


async def test_a_finished_game(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    old_table, old_hand = club.table_message(), club.hand(club.on_turn())
    clicker = club.on_turn()
    await club.finish()
    for answer in (
        await club.click_old(clicker, old_table, Verb.MENU),
        await club.click_old(clicker, old_hand, Verb.MOVE, "0-up"),
    ):
        assert "This game is over" in said(answer)


async def test_a_double_click_in_the_lobby_does_one_thing(club: Club) -> None:
    await club.open(club.anna, start=False)
    old = club.table_message()
    await club.press(club.bruno, old, Verb.JOIN)
    answer = await club.press(club.bruno, club.table_message(), Verb.JOIN)
    assert "already sit" in said(answer)
    assert len(club.table().players) == 2


async def test_a_double_click_on_a_card_plays_one_card(club: Club) -> None:
    first, _, _ = await three(club)
    seen = club.hand(first)
    await club.lay(first)
    before = club.table()
    answer = await club.click_old(first, seen, Verb.MOVE, "0-up")
    assert "It is not your turn" in said(answer)
    assert unchanged(club, before)


@pytest.mark.parametrize(
    "custom_id",
    [
        "17/move/zzzzzzzz/0/0-up",
        "17/shout/zzzzzzzz/0/",
        "17/nonsense/abc/0/",
        "17/move/../../etc/0/0-up",
        "hello",
        "17/move/{table}/999999/0-up",
        "17/shout/{table}/999999/",
        "17/move/{table}/{ply}/9-up",
        "17/move/{table}/{ply}/0-sideways",
        "17/move/{table}/{ply}/-1-up",
        "17/replace/{table}/0/",
        "17/pace/{table}/0/",
        "17/topic/a/0/",
    ],
)
async def test_a_forged_custom_id_is_a_dead_button(club: Club, custom_id: str, caplog: Any) -> None:
    await club.open(club.anna, club.bruno)
    before = club.table()
    forged = custom_id.format(table=before.id, ply=before.state.ply)
    answer = await club.forge(club.on_turn(), forged)
    assert "no longer works" in said(answer) or "hand has changed" in said(answer)
    assert unchanged(club, before)
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_click_can_only_touch_its_own_table(club: Club) -> None:
    """A button names its table; whoever presses it acts there alone, from wherever."""
    await club.open(club.anna, club.bruno)
    other = club.guild.create_text_channel("second-table")
    await club.carla.slash(other, "play", game="diciassette")
    await club.press(club.carla, club.table_message(other), Verb.ADD_COMPUTER)
    await club.press(club.carla, club.table_message(other), Verb.START)
    before = club.table(), club.table(other)
    answer = await club.forge(club.anna, f"17/move/{club.table(other).id}/0/0-up")
    assert "do not play at this table" in said(answer)
    assert (club.table(), club.table(other)) == before


async def test_an_unknown_table_after_its_database_is_gone(club: Club) -> None:
    await club.open(club.anna, start=False)
    answer = await club.forge(club.anna, "17/join/aaaaaaaa/0/")
    assert "does not exist any more" in said(answer)


async def test_a_bug_is_an_apology_with_a_reference_and_a_traceback_in_the_log(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    await club.open(club.anna, club.bruno)

    async def broken(*_: object) -> None:
        raise RuntimeError("out of cheese")

    monkeypatch.setattr(club.bot.tables, "get", broken)
    answer = await club.press(club.anna, club.table_message(), Verb.MENU)
    assert answer.ephemeral
    reference = said(answer).split("`")[1]
    assert "out of cheese" not in said(answer)
    logged = [record for record in caplog.records if record.exc_info]
    assert len(logged) == 1
    assert logged[0].fields["reference"] == reference


async def test_many_hands_do_not_pile_up(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    for _ in range(4):
        await club.press(club.anna, club.table_message(), Verb.HAND)
    own = [m for m in club.channel.history(viewer=club.anna) if m.flags.ephemeral]
    assert len(own) == 1
    assert len(dms(club.anna)) == 1
