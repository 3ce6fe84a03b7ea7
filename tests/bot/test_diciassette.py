"""What one reads of a game of 17 in the hand: how a round ended for oneself, one's own cards, match point."""

from typing import Any

import pytest

from bot.i18n import words
from bot.review.moments import moment_with_open_cards
from bot.review.replay import replay_packed_record
from bot.tables.model import Player, Table
from bot.tables.play import apply_step
from bot.tables.scene import make_scene
from bot.ui.components import NO_BREAK_SPACE, WORD_JOINER
from bot.ui.games.diciassette import cards
from bot.ui.hand_message import hand_sheet
from bot.ui.registry import PRESENTERS
from bot.ui.table_message import table_sheet
from engine.game import Seat
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import KINDS, Face
from engine.games.diciassette.events import CardPlayed, CardTrashed, RoundStarted
from local_discord.components import walk
from tests.bot.reviews import TABLE, cast, recorded
from tests.bot.tables import NOW, running
from tests.games.diciassette import FAIR, state

GAME = "diciassette"
EN = words("en")
pytestmark = pytest.mark.about(GAME)


@pytest.mark.parametrize(
    ("lies", "caller", "last"),
    [
        ("0:5 1:5 0:5 1:2?", "Right! 17. 2 tokens to go.", "Anna caught you at 17."),
        ("0:5 1:1?", "Bruno bluffed you: only 6.", "You bluffed Anna: only 6. 2 tokens to go."),
        ("0:5? 1:1", "Too early: only 6.", "Anna called too early: only 6. 2 tokens to go."),
        ("0:5 1:1=?", "Too early: only 6.", "Anna called too early: only 6. 2 tokens to go."),
    ],
)
def test_a_hand_says_what_the_end_of_the_round_means_to_its_person(lies: str, caller: str, last: str) -> None:
    """Nobody was bluffed by cards that everybody could see."""
    before = state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies=lies)
    table = running(GAME, before, (Player("Anna", 1), Player("Bruno", 2), Player("Carla", 3)))
    step = table.rules.apply(before, Call((Seat(0),)), FAIR)
    table = table._replace(state=step.state, outcome=step.events)
    hand = PRESENTERS[GAME].hand
    assert [hand.viewer_result_line(make_scene(table, Seat(seat), 1), EN) for seat in range(3)] == [caller, last, ""]


def test_the_coach_tells_a_two_sided_card_from_its_twin_with_a_plain_back() -> None:
    """It makes no difference how that card lies, but a difference which of the two is played."""
    plain, two_sided = (next(it for it in KINDS if it.number == 3 and it.open_back is both) for both in (False, True))
    done = [
        PRESENTERS[GAME].board.action_text(Play(Seat(0), card, face), EN)
        for card in (plain, two_sided)
        for face in Face
    ]
    assert [it.replace(str(cards.front_symbol(plain)) + NO_BREAK_SPACE, "") for it in done[:2]] == [
        "3 face up",
        "3 face down",
    ]
    assert {it.replace(str(cards.front_symbol(two_sided)) + NO_BREAK_SPACE, "") for it in done[2:]} == {"two-sided 3"}


def test_the_coach_names_a_card_that_was_laid_face_down_or_discarded_so() -> None:
    """The game is over, so everybody may know what only its owner saw."""
    course, told = replay_packed_record(recorded(GAME, 3)), set[type]()
    for moment in course.moments:
        line = PRESENTERS[GAME].short_action_line(moment_with_open_cards(TABLE, course, cast(course), moment).scene, EN)
        for event in moment.events:
            if isinstance(event, CardPlayed | CardTrashed) and event.face is Face.DOWN:
                assert event.card is not None
                assert str(cards.own_face_down_symbol(event.card)) in line
                told.add(type(event))
    assert told == {CardPlayed, CardTrashed}


def after_a_call(**before: Any) -> Table:
    """A game of three after Anna has called 17! on Bruno, wrongly, and Anna has laid the first card of the next
    round."""
    state_before = state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 1:1", **before)
    table = running(GAME, state_before, (Player("Anna", 1), Player("Bruno", 2), Player("Carla", 3)))
    table = apply_step(table, table.rules.apply(state_before, Call((Seat(0),)), FAIR), NOW)
    play = Play(Seat(1), table.state.hands[1][0], Face.UP)
    return apply_step(table, table.rules.apply(table.state, play, FAIR), NOW)


def hand_lines(table: Table, seat: int, *, live: bool) -> list[str]:
    """The lines of the hand of *seat*."""
    sheet = hand_sheet(make_scene(table, Seat(seat), 1, live=live), EN)
    return [line for c in walk(sheet.payload) for line in str(c.get("content", "")).splitlines()]


def test_a_live_hand_says_how_the_last_round_ended_until_ones_own_next_card_d16() -> None:
    """With what was given back: the tokens in the hand would be unexplained."""
    table = after_a_call(penalty=(1, 0, 0), victory=(1, 0, 0))
    told = [[line for line in hand_lines(table, seat, live=True) if "Last round:" in line] for seat in range(3)]
    assert [len(lines) for lines in told] == [1, 0, 1], "Bruno has laid a card"
    for (line,) in (told[0], told[2]):
        assert "❌ Anna (gives back ❌❌🏆)" in line.replace(NO_BREAK_SPACE, " ").replace(WORD_JOINER, "")
    public = "\n".join(c.get("content", "") for c in walk(table_sheet(make_scene(table, None, 1), EN).payload))
    assert "❌ Anna (gives back ❌❌🏆)" in public.replace(NO_BREAK_SPACE, " ").replace(WORD_JOINER, "")


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_hand_that_one_plays_from_says_who_is_at_match_point(seat: int) -> None:
    for victory, shown in (((0, 0, 1), False), ((0, 0, 2), True), ((2, 0, 2), True)):
        lines = hand_lines(after_a_call(victory=victory), seat, live=True)
        assert any("🔥 Match point: " in line and "**Carla**" in line for line in lines) is shown


@pytest.mark.parametrize("card", ["5", "X", "P", "3="])
def test_ones_own_face_down_card_is_shown_as_what_it_is(card: str) -> None:
    """To its player alone; a two-sided card lies there with its number for everybody (D2)."""
    before = state([f"{card} 1 2", "2 3 4", "1 2 3"], last=None)
    table = running(GAME, before, (Player("Anna", 1), Player("Bruno", 2), Player("Carla", 3)))
    laid = before.hands[0][0]
    step = table.rules.apply(before, Play(Seat(0), laid, Face.DOWN), FAIR)
    table = table._replace(state=step.state, recent=step.events)
    board = PRESENTERS[GAME].board
    scenes = [make_scene(table, Seat(seat), 1) for seat in range(2)]
    mine, other = (board.event_line(it.recent[0], it, EN) for it in scenes)
    if laid.open_back:
        assert mine == other == f"**Anna** plays {cards.two_sided_back_symbol(laid.number)} face down."
    else:
        assert mine == f"**Anna** plays {cards.known_card_symbol(laid, Face.DOWN)} face down."
        assert other == "**Anna** plays a card face down."


def test_only_whoever_returns_a_token_is_told_so_d16() -> None:
    """Seat 2 calls wrongly in round 1 and has nothing to return; that round 2 begins with seat 1 is another event."""
    before = state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 1:1", turn=2)
    table = running(GAME, before, (Player("Anna", 1), Player("Bruno", 2), Player("Carla", 3)))
    step = table.rules.apply(before, Call((Seat(2),)), FAIR)
    assert RoundStarted(2, Seat(1)) in step.events
    table = table._replace(state=step.state, outcome=step.events, recent=step.events)
    assert PRESENTERS[GAME].hand.viewer_result_line(make_scene(table, Seat(2), 1), EN) == "Too early: only 6."


@pytest.mark.parametrize("seats", [2, 3])
def test_the_table_names_who_may_call_if_it_is_one_person_alone(seats: int) -> None:
    before = state(["1 2 3", "2 3 4", "1 2 3"][:seats], last=1, lies="1:5")
    people = (Player("Anna", 1), Player("Bruno", 2), Player("Carla", 3))[:seats]
    line = PRESENTERS[GAME].board.turn_line(make_scene(running(GAME, before, people), None, 1), EN)
    able = "**Anna** may call **17!**" if seats == 2 else "Everyone but **Bruno** may call **17!**"
    assert line.endswith(able)
