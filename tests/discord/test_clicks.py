"""Every stale, foreign or impossible click gets one short private answer, and changes nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.custom_ids import Verb
from bot.tables.model import Table
from tests.controls import moves
from tests.discord.play import Club, dms, open_club, presses, text_of


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
    club = club
    _, second, _ = await three(club)
    before = club.table()
    hand = club.hand(second)
    assert not [press for _, press in presses(hand) if press.verb is Verb.MOVE]
    answer = await club.forge(second, a_move(club), hand)
    assert "It is not your turn" in said(answer)
    assert unchanged(club, before)


async def test_the_hand_has_changed_since(club: Club) -> None:
    """An old hand message, clicked when it is the person's turn again."""
    club = club
    first, _, _ = await three(club)
    old = club.hand(first)
    await club.act(first)
    while club.on_turn() is not first:
        await club.act(club.on_turn())
    before = club.table()
    answer = await club.act_old(first, old)
    assert "The game has moved on" in said(answer)
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
    assert Verb.CALL not in {press.verb for _, press in presses(club.table_message())}
    before = club.table()
    answer = await club.click_disabled(second, club.table_message(), Verb.CALL)
    assert "No card has been laid in this round yet" in said(answer)
    assert unchanged(club, before)


async def test_the_round_is_over(club: Club) -> None:
    first, second, third = await three(club)
    await club.lay(first)
    old = club.table_message()
    await club.call(second)
    before = club.table()
    answer = await club.click_old(third, old, Verb.CALL)
    assert answer.ephemeral
    assert "The round is over" in said(answer)
    assert unchanged(club, before)


async def test_something_was_laid_since_and_the_answer_has_a_fresh_button(club: Club) -> None:
    first, second, third = await three(club)
    await club.lay(first)
    old = club.table_message()
    await club.lay(second)
    before = club.table()
    answer = await club.click_old(third, old, Verb.CALL)
    assert "Look again" in said(answer)
    assert unchanged(club, before)
    await club.press(third, answer.response.message, Verb.CALL)
    assert club.table().state.round == 2


async def test_not_in_the_middle_of_a_double_turn(club: Club) -> None:
    first, second, third = await three(club)
    await club.deal_in(first, "x2")
    await club.lay(first)
    assert club.table().state.duty == 2
    await club.lay(second)
    assert club.table().state.owed == 1
    before = club.table()
    answer = await club.click_disabled(third, club.table_message(), Verb.CALL)
    assert "in the middle of a double turn" in said(answer)
    assert unchanged(club, before)


async def test_you_are_not_at_this_table(club: Club) -> None:
    club = club
    first, _, _ = await three(club)
    await club.act(first)
    before = club.table()
    stranger = club.people[5]
    for verb in {Verb.CALL, Verb.HAND} & {press.verb for _, press in presses(club.table_message())}:
        answer = await club.press(stranger, club.table_message(), verb)
        assert answer.ephemeral
        assert "You do not play at this table" in said(answer)
    assert unchanged(club, before)


async def test_a_finished_game(club: Club) -> None:
    club = club
    await club.open(club.anna, club.bruno)
    old_table, old_hand = club.table_message(), club.hand(club.on_turn())
    clicker = club.on_turn()
    await club.finish()
    for answer in (
        await club.click_old(clicker, old_table, Verb.MENU),
        await club.act_old(clicker, old_hand),
    ):
        assert "This game is over" in said(answer)


async def test_a_double_click_in_the_lobby_does_one_thing(club: Club) -> None:
    club = club
    await club.open(club.anna, start=False)
    old = club.table_message()
    await club.press(club.bruno, old, Verb.JOIN)
    answer = await club.press(club.bruno, club.table_message(), Verb.JOIN)
    assert "already sit" in said(answer)
    assert len(club.table().players) == 2


async def test_a_double_click_on_a_card_plays_one_card(club: Club) -> None:
    club = club
    first, _, _ = await three(club)
    seen = club.hand(first)
    await club.act(first)
    before = club.table()
    answer = await club.act_old(first, seen)
    assert "It is not your turn" in said(answer)
    assert unchanged(club, before)


@pytest.mark.parametrize(
    "custom_id",
    [
        "17/move/zzzzzzzz/0/0-up",
        "17/call/zzzzzzzz/0/",
        "17/nonsense/abc/0/",
        "17/move/../../etc/0/0-up",
        "hello",
        "17/move/{table}/999999/0-up",
        "17/call/{table}/999999/",
        "17/move/{table}/{ply}/9-up",
        "17/move/{table}/{ply}/0-sideways",
        "17/move/{table}/{ply}/-1-up",
        "17/replace/{table}/0/",
        "17/pace/{table}/0/",
        "17/topic/a/0/",
        "17/pick/{table}/{ply}/",
        "17/pick/{table}/0/set",
        "17/pick/{table}/999999/set",
        "17/option/{table}/0/length",
        "17/option/{table}/0/nonsense",
        "17/move/{table}/{ply}/play0",
        "17/move/{table}/{ply}/cards",
        "17/move/{table}/{ply}/",
    ],
)
async def test_a_forged_custom_id_is_a_dead_button(club: Club, custom_id: str, caplog: Any) -> None:
    club = club
    await club.open(club.anna, club.bruno)
    before = club.table()
    forged = custom_id.format(table=before.id, ply=before.state.ply)
    answer = await club.forge(club.on_turn(), forged)
    assert any(part in said(answer) for part in ("no longer works", "has moved on"))
    assert unchanged(club, before)
    assert not [record for record in caplog.records if record.exc_info]


def a_move(club: Club) -> str:
    """The custom_id of a button for a move on the next turn: the first that whoever is on turn is offered."""
    offers = moves(club.hand(club.on_turn()))
    return next((custom_id for custom_id, value in offers if value is None), f"17/move/{club.table().id}/0/pass")


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
    club = club
    await club.open(club.anna, club.bruno)
    for _ in range(4):
        await club.press(club.anna, club.table_message(), Verb.HAND)
    own = [m for m in club.channel.history(viewer=club.anna) if m.flags.ephemeral]
    assert len(own) == 1
    assert len(dms(club.anna)) == 1


# Of 12 Days of Christmas: every way to play what the rules refuse, and what would be allowed


@asynccontextmanager
async def days(tmp_path: Path, hands: str, lead: str | None = None) -> AsyncIterator[tuple[Club, MemberActor]]:
    """(club, who is on turn): holds *hands*, after *lead* where there is one."""
    async with open_club(tmp_path, game="twelve_days") as club:
        await club.open(club.anna, club.bruno)
        if lead is not None:
            leader = club.on_turn()
            await club.deal(leader, f"{lead} " + " ".join(["12"] * (12 - len(lead.split()))))
            offers = moves(club.hand(leader))
            at = next(i for i, (_, value) in enumerate(offers) if value == lead.replace(" ", "."))
            await club.act(leader, at)
        await club.deal(club.on_turn(), hands)
        yield club, club.on_turn()


REFUSED = [
    ("2 2 4 4 6 6 8 9 9 9 11 12", None, "2.1 6.1", "do not go together", "a single card, a set"),
    ("2 2 3 4 5 6 7 8 9 9 9 12", "8 8", "3.1 4.1", "another type of play", "a set (two or more of one rank)"),
    ("2 2 3 4 5 6 7 8 9 9 9 12", "8 8", "9.1 9.2", "not low enough", "lowest card is 8🥛 or lower"),
    ("2 2 3 4 5 6 7 8 9 9 9 12", "8 9", "9.1", "another type of play", "a straight (two or more ranks in a row)"),
    ("2 2 3 4 5 6 7 8 9 9 9 12", "8", "9.1", "not low enough", "a single card, 8🥛 or lower"),
]


@pytest.mark.parametrize(("hand", "lead", "picked", "said_no", "allowed"), REFUSED)
async def test_cards_picked_against_the_rules_get_their_sentence_and_what_is_allowed(
    tmp_path: Path, hand: str, lead: str | None, picked: str, said_no: str, allowed: str
) -> None:
    async with days(tmp_path, hand, lead) as (club, player):
        before = club.table()
        message = club.hand(player)
        custom_id = next(custom_id for custom_id, press in presses(message) if press.arg == "cards")
        answer = await player.user.select(message, picked.split(), custom_id=custom_id)
        assert said_no in said(answer)
        assert allowed in said(answer)
        assert ("or pass" in said(answer)) is (lead is not None)
        assert unchanged(club, before)
        assert moves(club.hand(player)), "and the hand can be played as before"


async def test_cards_that_are_not_in_the_hand_and_passing_as_the_leader(tmp_path: Path) -> None:
    async with days(tmp_path, "2 2 3 4 5 6 7 8 9 9 9 12") as (club, player):
        before = club.table()
        passing = await club.forge(player, f"17/move/{before.id}/{before.state.ply}/pass", club.hand(player))
        assert "You lead, so you cannot pass" in said(passing)
        foreign = await club.forge_choice(player, f"17/move/{before.id}/{before.state.ply}/play0", ["11.11"])
        assert "You do not hold these cards" in said(foreign)
        assert unchanged(club, before)


@pytest.mark.parametrize("values", [["0"], ["13"], ["x"], ["3", "4"], ["3..3"], ["-1"], ["3." * 60], ["²"], ["9" * 90]])
async def test_a_forged_choice_is_a_dead_button(tmp_path: Path, values: list[str], caplog: Any) -> None:
    async with days(tmp_path, "2 2 3 4 5 6 7 8 9 9 9 12") as (club, player):
        before = club.table()
        answer = await club.forge_choice(player, f"17/move/{before.id}/{before.state.ply}/play0", values)
        assert "no longer works" in said(answer)
        assert unchanged(club, before)
        assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("cards", ["2 3 4 5 6 7 8 9 10 11 12 12", "5 6 7 8 9 10 11 12 12 12 12 12"])
async def test_more_plays_than_one_list_holds_are_chosen_by_type_first(tmp_path: Path, cards: str) -> None:
    async with days(tmp_path, cards) as (club, player):
        plays = club.table().rules.legal_actions(club.table().state, club.seat(player))
        offered: set[str] = set()
        for kind in ("set", "straight", "singleton"):
            await club.choose(player, club.hand(player), Verb.PICK, kind)
            offered |= {str(value) for _, value in moves(club.hand(player))}
        assert offered == {".".join(map(str, play.cards)) for play in plays}
        assert len(offered) > 25


async def test_every_offer_is_legal_and_every_legal_play_is_offered(tmp_path: Path) -> None:
    async with open_club(tmp_path, game="twelve_days") as club:
        await club.open(club.anna, club.bruno, club.carla)
        for number in range(30):
            player, table = club.on_turn(), club.table()
            legal = table.rules.legal_actions(table.state, club.seat(player))
            offers = moves(club.hand(player))
            if len(legal) <= 25:
                assert len(offers) == len(set(offers)) == len(legal)
            await club.act(player, number * 7)
            assert club.table().version == table.version + 1


@pytest.mark.parametrize("back", [0, 1])
async def test_nobody_interrupts_a_game_without_interruptions(tmp_path: Path, back: int, caplog: Any) -> None:
    async with open_club(tmp_path, game="twelve_days") as club:
        await club.open(club.anna, club.bruno)
        await club.act(club.on_turn())
        before = club.table()
        answer = await club.forge(club.anna, f"17/call/{before.id}/{before.state.ply - back}/")
        assert "no longer works" in said(answer)
        assert unchanged(club, before)
        assert not [record for record in caplog.records if record.exc_info]


async def test_who_picks_a_type_is_here_and_keeps_the_message(tmp_path: Path) -> None:
    """A pick is no move, but its person is not asleep: no new message may take the one under their finger."""
    async with days(tmp_path, "2 3 4 5 6 7 8 9 10 11 12 12") as (club, player):
        hand = club.hand(player).id
        await club.clock.advance(119_000)
        await club.choose(player, club.hand(player), Verb.PICK, "straight")
        await club.clock.advance(60_000)
        await club.choose(player, club.hand(player), Verb.PICK, "set")
        assert [message.id for message in dms(player)] == [hand]


async def test_an_answer_with_more_plays_than_one_list_holds_needs_no_type(tmp_path: Path) -> None:
    async with days(tmp_path, "2 3 4 5 6 7 8 9 10 11 12 12", "11 12") as (club, player):
        hand = club.hand(player)
        assert Verb.PICK not in {press.verb for _, press in presses(hand)}
        assert len(moves(hand)) == len(club.table().rules.legal_actions(club.table().state, club.seat(player)))
        assert len(moves(hand)) > 25
