"""12 Days in the messages: what a trick and a hand meant to one player, last cards, who can still win."""

import pytest

from bot.i18n import words
from bot.tables import play
from bot.tables.model import Player, Table
from bot.tables.scene import make_scene
from bot.ui.components import WORD_JOINER, Sheet
from bot.ui.games.twelve_days.cards import cards_text
from bot.ui.hand_message import hand_sheet
from bot.ui.table_message import table_sheet
from engine.game import Seat
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.state import State
from local_discord.components import walk
from tests.bot.tables import NOW, running
from tests.games.twelve_days import CASE, FAIR, cards, state

pytestmark = pytest.mark.about("twelve_days")

EN = words("en")
NAMES = ("Anna", "Bruno", "Carla", "Dirk")


def at_table(before: State, *actions: str) -> Table:
    """A table in the state *before*, after whoever was on turn did each of the *actions*: "3 3", or "-" for a pass."""
    players = [Player(name, 100 + seat) for seat, name in enumerate(NAMES[: len(before.hands)])]
    table = running("twelve_days", before, players)
    for said in actions:
        seat = table.state.turn
        action: Action = Pass(seat) if said == "-" else Play(seat, cards(said))
        table = play.apply_step(table, CASE.rules.apply(table.state, action, FAIR), NOW)
    return table


def texts(sheet: Sheet) -> list[str]:
    """The lines of a message."""
    return [line for c in walk(sheet.payload) for line in str(c.get("content", "")).splitlines()]


def hand(table: Table, seat: int, *, live: bool = True) -> list[str]:
    """The lines of the hand of *seat*, which follows the game if it is *live*."""
    return texts(hand_sheet(make_scene(table, Seat(seat), 1, live=live), EN))


def bold(table: Table, seat: int, *, live: bool = True) -> list[str]:
    """The lines of that hand that are all bold: what it meant to its player, and that it is their turn."""
    lines = hand(table, seat, live=live)
    return [line.strip("*") for line in lines if line.startswith("**") and line.endswith("**")]


# The hand


def test_the_hand_says_what_the_cards_are() -> None:
    for seat in (0, 1):
        (line,) = [line for line in hand(at_table(TRICK), seat) if "Your cards" in line]
        assert line == f"### Your cards: {cards_text(TRICK.hands[seat])}"


# A trick

TRICK = state(["3 3 9 12", "5 8 8 11", "10 10 12", "1 2 5 5 9 9"], leader=1)


def test_whoever_takes_a_trick_reads_it_and_how_many_cards_are_left() -> None:
    table = at_table(TRICK, "8 8", "-", "5 5", "3 3")
    assert bold(table, 0)[0] == "The trick is yours! 2 cards to go."


def test_whoever_had_the_lead_and_lost_it_reads_to_what_and_to_whom() -> None:
    table = at_table(TRICK, "8 8", "-", "5 5", "3 3")
    assert bold(table, 1) == ["Anna beat your 8🥛 with 3🐔."]
    assert bold(table, 3) == ["Anna beat your 5💍 with 3🐔."]


def test_whoever_passed_reads_nothing_of_their_own() -> None:
    assert bold(at_table(TRICK, "8 8", "-", "5 5", "3 3"), 2) == []


def test_whoever_never_had_the_lead_got_rid_of_cards() -> None:
    table = at_table(state(["9 9 2", "3 3 2", "7 7 7 2"]), "9 9", "3 3", "7 7 7")
    assert bold(table, 2) == ["You got rid of 3 cards."]


def test_of_equally_low_cards_both_read_that_the_later_ones_count_t7() -> None:
    table = at_table(state(["9 9 2", "3 3 2", "3 3 2"]), "9 9", "3 3", "3 3")
    assert bold(table, 1) == ["Just as low, but Carla was later."]
    assert bold(table, 2)[0] == "Just as low, but later: yours!"


def test_last_cards_that_were_beaten_come_back_t8() -> None:
    table = at_table(state(["9 9 2", "5 5", "3 3 2"]), "9 9", "5 5", "3 3")
    assert bold(table, 1) == ["Carla beat you: the cards are back."]
    table = at_table(state(["9 2", "5", "3 2"]), "9", "5", "3")
    assert bold(table, 1) == ["Carla beat you: the card is back."]


def test_whose_last_cards_lie_on_the_table_reads_how_many() -> None:
    assert "Your last cards lie on the table." in hand(at_table(state(["9 9 2", "5 5", "3 3 2"]), "9 9", "5 5"), 1)
    assert "Your last card lies on the table." in hand(at_table(state(["9 2", "5", "3 2"]), "9", "5"), 1)


def test_it_stands_there_until_the_next_lead_and_only_in_a_hand_that_follows() -> None:
    table = at_table(TRICK, "8 8", "-", "5 5", "3 3")
    assert bold(table, 3, live=False) == []
    assert bold(at_table(TRICK, "8 8", "-", "5 5", "3 3", "9"), 3) == []


# A hand

LAST_TRICK = state(["3 3", "5 8", "", "9 9 9 12 12 12"], lies="1:11 11, 2:10 10, 3:-", gifts=(2, 0, 3, 1), hand=7)
"""Anna goes out with 3 3; Carla takes her last cards back; Dirk holds the most cards; Bruno has no part in it."""


def test_whoever_is_out_first_reads_how_many_gifts_that_is_t9() -> None:
    for gifts, said in (
        ((2, 0, 3, 1), "🎉 Out first: 2 gifts for you!"),
        ((2, 0, 3, 0), "🎉 Out first: 1 gift for you!"),
    ):
        assert bold(at_table(LAST_TRICK._replace(gifts=gifts), "3 3"), 0)[0] == said


def test_whoever_holds_the_most_cards_reads_what_it_costs_t9() -> None:
    assert bold(at_table(LAST_TRICK, "3 3"), 3) == ["Most cards, so Anna gets a gift."]
    poor = LAST_TRICK._replace(gifts=(2, 0, 3, 0))
    assert bold(at_table(poor, "3 3"), 3) == ["Most cards, but you had no gift."]


def test_whose_last_cards_were_beaten_at_the_end_was_close_t8() -> None:
    assert bold(at_table(LAST_TRICK, "3 3"), 2) == ["So close: Anna beat you."]


# At the table


def test_last_cards_are_announced_and_marked_until_the_trick_is_decided_t8() -> None:
    table = at_table(state(["9 9 2", "5 5", "3 3 2"]), "9 9", "5 5")
    lines = texts(table_sheet(make_scene(table, None, 1), EN))
    shown = f"5💍{WORD_JOINER}×2"
    told = f"**Bruno** plays {shown}, their last cards: if they are beaten, **Bruno** takes them back."
    assert f"-# ❗ {told}" in lines
    assert f"Bruno: **5💍{WORD_JOINER}×2** · ❗ last cards · ⬇️ lowest" in lines
    assert f"Bruno: **5💍{WORD_JOINER}×2** · ❗ last cards · ⬇️ lowest" in hand(table, 0)
    decided = "\n".join(texts(table_sheet(make_scene(at_table(table.state, "3 3"), None, 1), EN)))
    assert "❗" not in decided


def test_last_cards_that_have_lost_already_are_not_announced_t8() -> None:
    table = at_table(state(["9 9 2", "3 3 2", "5 5", "1"]), "9 9", "3 3", "5 5")
    assert not any("❗" in line for line in texts(table_sheet(make_scene(table, None, 1), EN)))


# The last hand


def header(gifts: tuple[int, ...], hand_number: int) -> str:
    """The line under the players."""
    before = state(["9 9 2", "5 5", "3 3 2", "1"][: len(gifts)], gifts=gifts, hand=hand_number)
    lines = texts(table_sheet(make_scene(at_table(before), None, 1), EN))
    return lines[len(gifts) + 1]


def test_in_the_last_hand_the_header_says_who_can_still_win_t10() -> None:
    assert header((3, 5, 3), 11) == "-# 🎁 in the supply: 12"
    assert header((3, 5, 3), 12) == "-# 🔥 Last hand: going by the gifts, everyone can still win."
    assert header((1, 8, 2, 0), 12) == "-# 🔥 Last hand: going by the gifts, only **Bruno** can still win."
    assert header((4, 7, 0, 0), 12) == (
        "-# 🔥 Last hand: going by the gifts, only **Anna** and **Bruno** can still win, and **Anna** only together"
        " with others."
    )


# Every language


def test_whoever_has_won_together_with_others_reads_with_whom_t10() -> None:
    before = LAST_TRICK._replace(hand_number=12, hands_total=12)
    for gifts, told in (
        ((1, 3, 0, 1), "The game is over: you have won together with **Bruno**! 🎉"),
        ((1, 2, 0, 1), "The game is over: you have won! 🎉"),
    ):
        table = at_table(before._replace(gifts=gifts), "3 3")
        assert any(told in line for line in hand(table, 0)), hand(table, 0)
