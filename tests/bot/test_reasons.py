"""Why something else would have been better: what is certain first, else what the better choice does differently."""

import pytest

from bot.i18n import words
from bot.present.games.twelve_days.cards import each
from bot.present.registry import PRESENTERS
from bot.present.sheet import JOINED
from engine.coaching import Decision
from engine.game import Seat
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import KINDS, TARGET, Card, Face
from engine.games.diciassette.coach import Insight
from engine.games.twelve_days.actions import Pass
from engine.games.twelve_days.actions import Play as Combination
from engine.games.twelve_days.cards import RANKS
from engine.games.twelve_days.combinations import Lead, kind_of, plays
from engine.games.twelve_days.foresight import Foresight
from engine.games.twelve_days.state import State
from engine.registry import GAMES
from tests.bot.judged import judged
from tests.games import diciassette as seventeen
from tests.games import twelve_days as days

EN = words("en")
LEAVES = "A right call leaves 70% to win the game, a wrong one 10%."


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(
    ("lies", "made", "best", "thought", "why"),  # how likely 17 was thought to be, or the known sum
    [
        (
            "0:5 1:1?",
            Call((Seat(2),)),
            None,
            0.07,
            "17 or more had a chance of 7%, if you also consider how the others play.",
        ),
        (
            "0:5 1:1?",
            None,
            Call((Seat(2),)),
            0.83,
            "17 or more had a chance of 83%, if you also consider how the others play.",
        ),
        ("0:5 1:1?", None, Call((Seat(2),)), 0.5, f"17 or more had a chance of 50%. {LEAVES}"),
        (
            "0:5 1:1?",
            Call((Seat(2),)),
            None,
            0.0,
            "17 or more had a chance of under 1%, if you also consider how the others play.",
        ),
        (
            "0:5 1:1?",
            None,
            Call((Seat(2),)),
            0.2,  # there is another reason to call
            f"17 or more had a chance of 20%, if you also consider how the others play. {LEAVES}",
        ),
        ("0:5 1:1?", Call((Seat(2),)), None, -1, "A call could not be right."),
        ("0:5 1:1?", Play(Seat(2), KINDS[0], Face.UP), Play(Seat(2), KINDS[0], Face.DOWN), 0.2, ""),
        ("0:5 1:1", Call((Seat(2),)), None, 6, "Known sum: 6. A call could not be right."),
        ("0:5 1:5 0:5 1:5", None, Call((Seat(2),)), 20, "Known sum: 20."),
    ],
)
def test_the_coach_says_how_likely_17_was_where_that_was_the_reason(
    lies: str, made: Action | None, best: Action | None, thought: float, why: str
) -> None:
    seen = GAMES["diciassette"].view(seventeen.state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies=lies), Seat(2))
    right = float(thought >= TARGET)
    insight = (
        Insight(0.5, thought, right=0.7, wrong=0.1) if thought <= 1 else Insight(right, right, total=round(thought))
    )
    if thought < 0:
        insight = Insight(0.0, 0.0)
    decision = Decision(1, Seat(2), made, best, 0.4, 0.5, 0.3, insight)
    assert PRESENTERS["diciassette"].board.reason(decision, seen, EN) == why


@pytest.mark.about("diciassette")
def test_the_coach_says_that_a_trap_of_ones_own_would_snap() -> None:
    board = PRESENTERS["diciassette"].board
    trapped = Insight(0.5, 0.4, trapped=True, right=0.8, wrong=0.2)
    assert board.insight(trapped, EN).endswith("A call also springs your own Trap.")
    assert board.insight(trapped, EN, own=False).endswith("A call also springs the caller’s own Trap.")
    assert "Trap" not in board.insight(Insight(0.5, 0.4), EN)


@pytest.mark.about("diciassette")
def test_a_call_that_a_hidden_trap_may_turn_into_somebody_else_s_win_is_warned_of() -> None:
    line = "A hidden card of somebody at match point may be a Trap: it would win them the game."
    for victory, warned in (((0, 2, 0), True), ((2, 0, 2), False)):
        before = seventeen.state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies="0:5 2:5= 1:5= 1:R?", victory=victory)
        seen = GAMES["diciassette"].view(before, Seat(2))
        insight = GAMES["diciassette"].insight(seen, None)
        assert (line in PRESENTERS["diciassette"].board.insight(insight, EN)) is warned
        for made, best in ((Call((Seat(2),)), None), (None, Call((Seat(2),)))):
            decision = Decision(1, Seat(2), made, best, 0.4, 0.5, 0.3, insight)
            said = PRESENTERS["diciassette"].board.reason(decision, seen, EN)
            assert (line in said) is (warned and best is None)


@pytest.mark.about("diciassette")
def test_where_ones_own_trap_lies_there_it_is_what_the_next_call_springs() -> None:
    before = seventeen.state(["1 2 3", "2 3 4", "2 3 4"], turn=2, last=1, lies="2:P? 0:5 1:5 0:4")
    seen = GAMES["diciassette"].view(before, Seat(2))
    hidden, opened = (Play(Seat(2), Card.THREE, face) for face in (Face.DOWN, Face.UP))
    board = PRESENTERS["diciassette"].board
    decision = Decision(1, Seat(2), hidden, opened, 0.4, 0.5, 0.3, None)
    assert board.reason(decision, seen, EN).endswith("everybody sees 17: the next call springs the Trap.")
    assert board.reason(decision._replace(made=opened, best=hidden), seen, EN) == ""


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(
    ("lies", "silent"),
    [
        ("0:5 1:3? 0:4= 1:2=", True),  # seat 1 could have called after the 4
        ("0:5 1:3? 0:4=", False),  # and can still
        ("0:5 1:3? 1:2=", False),
        ("0:5 2:3? 0:4= 1:2=", False),  # the viewer's own
        ("0:5 1:3 0:4= 1:2=", False),
        ("0:5 1:3? 0:4= 0:2= 1:2=", True),
        ("0:5 1:3? 0:4= 0:2=", False),  # perhaps nobody could between the two
    ],
)
def test_the_coach_knows_if_somebody_who_hid_a_card_could_have_called(lies: str, silent: bool) -> None:
    game = GAMES["diciassette"]
    last = int(lies.split()[-1][0])
    seen = game.view(seventeen.state(["1 2 3", "2 3 4", "1 2 3"], last=last, lies=lies), Seat(2))
    thought = game.insight(seen, None)
    assert thought.silent is silent
    line = "Somebody who hid a card could have called since, and did not."
    for odds, believed, told in ((0.35, 0.01, silent), (0.35, 0.2, False), (0.04, 0.001, False)):
        said = PRESENTERS["diciassette"].board.insight(thought._replace(odds=odds, believed=believed), EN)
        assert (line in said) is told


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(
    ("odds", "believed", "said"),
    [
        (0.172, 0.001, "17% by the cards seen so far, under 1% if you also consider how the others play."),
        (0.172, 0.0, "17% by the cards seen so far, under 1% if you also consider how the others play."),
        (0.9, 1.0, "90% by the cards seen so far, over 99% if you also consider how the others play."),
        (0.003, 0.004, "under 1%."),
        (0.41, 0.412, "41%."),
        (0.0, 0.0, "0%."),
        (1.0, 1.0, "100%."),
    ],
)
def test_a_chance_of_17_that_is_believed_is_never_told_as_certain(odds: float, believed: float, said: str) -> None:
    insight = Insight(odds, believed, right=0.8, wrong=0.2)
    leaves = " A right call leaves 80% to win the game, a wrong one 20%."
    certain = " That is certain for whoever has counted the cards."
    more = {0.0: " A call could not be right.", 1.0: certain}.get(odds, leaves)
    assert PRESENTERS["diciassette"].board.insight(insight, EN) == f"Chance of 17 or more: {said}{more}"
    fatal = PRESENTERS["diciassette"].board.insight(insight._replace(fatal=True), EN)
    assert ("A right call leaves 80% to win the game; a wrong one loses it at once." in fatal) is (more == leaves)


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(
    ("lies", "card", "told"),
    [("0:5 1:5 0:4", Card.THREE, True), ("0:5 1:5 0:4", Card.TWO, False), ("0:5 1:5 0:4?", Card.FOUR, False)],
)
def test_a_card_after_which_everybody_sees_17_is_the_reason(lies: str, card: Card, told: bool) -> None:
    seen = GAMES["diciassette"].view(seventeen.state(["1 2 3", "2 3 4", "2 3 4"], turn=2, last=1, lies=lies), Seat(2))
    made, hidden = (Play(Seat(2), card, face) for face in (Face.UP, Face.DOWN))
    board = PRESENTERS["diciassette"].board
    decision = Decision(1, Seat(2), made, hidden, 0.4, 0.5, 0.3, None)
    assert board.reason(decision, seen, EN).endswith("everybody sees 17: the next call is right.") is told
    assert bool(board.consequence(made, seen, EN)) is told
    assert board.reason(decision._replace(made=hidden, best=made), seen, EN) == ""


@pytest.mark.about("twelve_days")
@pytest.mark.parametrize(
    ("hand", "lies", "gone", "made", "best", "why"),
    [
        ("2 5 9", "1:6, 2:-", "", "9", "2", "2 would have won the trick for certain."),
        ("5 9", "1:6, 2:-", "", "-", "5", "5 would have won the trick for certain."),
        ("2 5 9", "1:6, 2:-", "", "2", "5", "5 would have won the trick for certain too, and kept 2 for later."),
        ("5 9", "", "", "9", "5", "5 is lower, and so harder to beat."),  # lower cards may be left
        ("5 9", "1:6, 2:-", "", "5", "-", "Passing would have kept 5 for later."),
        ("5 9", "1:10", "", "-", "9", "9 would have been the lowest so far."),
        ("3 5 6 7 8 12", "", "", "6", "3", "It broke up the straight 5 6 7 8."),
        ("3 5 6 7 8 12", "", "", "5", "3", "3 is lower, and so harder to beat."),  # 6 to 8 are left
        ("3 9", "", "1 2 2 3 3", "9", "3", "3 would have won the trick for certain."),
        ("2 2 9", "", "", "9", "2 2", "2 ×2 would have won the trick for certain."),
        ("2 2", "", "", "2", "2 2", "2 ×2 would have won the hand for certain."),
        ("9 9 9 12", "", "", "9 9", "9 9 9", "9 ×3 is just as low and gets rid of more cards."),
        ("9 9 9", "", "", "9 9", "9 9 9", "9 ×3 would have won the hand, unless somebody had beaten it."),
        (
            "9 10 11 12",
            "",
            "",
            "9 10 11 12",
            "9 10",
            "Last cards come back if they are beaten; 9 10 would be gone for good.",
        ),
        ("9 9", "1:10 10, 2:8 8", "", "9 9", "-", "9 ×2 could not win the trick, and last cards come back."),
        ("9 9", "1:10 10, 2:8 8", "", "-", "9 9", ""),
        ("9 11", "1:12, 2:10", "", "-", "11", "11 could not win the trick, but would have left fewer cards in hand."),
        ("8 9 10 11 11 11 12", "", "", "8 9 10 11 12", "11 11", ""),  # that is the straight
        ("3 4 5 6 6 7 8 12 12", "", "", "7", "12 12", "It broke up the straight 3 4 5 6 7 8."),
        ("3 9 9 9 10 10", "1:11 11, 2:-", "", "10 10", "9 9", ""),  # both are certain
        ("3 6 6 11", "", "", "11", "6 6", "Somebody held only one card, and could not have answered 6 ×2."),
        ("9 12 12", "", "", "12 12", "9", ""),  # one is no lower than the other
        ("4 4 9 10 11 12", "", "", "4", "9 10 11 12", "It broke up the pair of 4."),
        ("4 9 10 11 12", "", "", "4", "9 10 11", "9 10 11 would have got rid of more cards."),
        ("5 9 9", "1:10, 2:-", "", "9", "5", "It broke up the pair of 9."),
        ("9 9 9", "1:10, 2:-", "", "9", "-", "It broke up the set of three 9."),
        ("5 7 7 9", "1:8, 2:-", "", "7", "9", "It broke up the pair of 7."),
        ("5 8 8 8 8 11", "", "", "8 8", "5", "It broke up the set of four 8."),
        ("5 7 7 7 8 8 12", "", "", "7 8", "5", "It broke up the set of three 7 and the pair of 8."),
        ("7 7 8 8 9 10 11", "", "", "7 8 9 10 11", "8 9 10 11", "It broke up the pair of 7."),
        ("5 8 8 8 8 8 11", "", "", "8 8", "5", "It broke up the set 8 ×5."),
        ("5 5 12 12", "", "", "5", "12", "12 would have kept 5 for later."),  # that breaks up as many
        ("5 5 9 10 12 12", "", "", "5", "9 10", "It broke up the pair of 5."),
        ("5 5 9 10 12 12", "", "", "12 12", "5", ""),
        ("3 3 9 10", "1:11 11", "1 2 2", "-", "3 3", "3 ×2 would have won the trick for certain."),
        ("5 9 10 12 12", "1:6, 2:-", "", "-", "5", "5 would have won the trick for certain."),
    ],
)
def test_the_coach_gives_a_reason_where_one_is_certain(
    hand: str, lies: str, gone: str, made: str, best: str, why: str
) -> None:
    before = days.state([hand, "7" if "one card" in why else "7 10", "8 11"], lies=lies, gone=gone)
    assert why_not(before, made, best) == why


def why_not(before: State, made: str, best: str) -> str:
    """The reason why *best* would have been better than *made*, for seat 0 in *before*, symbols left out."""
    seen = GAMES["twelve_days"].view(before, Seat(0))
    actions = [Pass(Seat(0)) if it == "-" else Combination(Seat(0), days.cards(it)) for it in (made, best)]
    decision = Decision(1, Seat(0), actions[0], actions[1], 0.4, 0.5, 0.3, None)
    said = PRESENTERS["twelve_days"].board.reason(decision, seen, EN)
    for rank in RANKS:
        said = said.replace(each((rank,)), str(rank))
    return " ".join(said.replace(JOINED, " ").split())


@pytest.mark.about("twelve_days")
def test_a_gift_that_was_given_needlessly_is_the_reason_t9() -> None:
    """Seat 3 has won the hand with its last cards. After 8 to 12 seat 0 holds 7 cards, and seat 2 the most."""
    hands = ["1 6 8 8 8 9 9 10 11 12 12 12", "2 2 5 10 11 11", "3 3 5 7 11 11 11 11", ""]
    lies = "1:10 11 12, 2:7 8, 3:5 6 7 8 9 10"
    before = days.state(hands, lies=lies, hand=3, hands_total=3, gifts=(3, 1, 0, 2))
    assert before.turn == 0
    saved = "8 9 10 11 12 would have saved a gift: somebody else would have held more cards."
    assert why_not(before, "8 9 10 11", "8 9 10 11 12") == saved
    assert why_not(before, "-", "8 9 10 11 12") == saved
    assert why_not(before, "8 9 10 11 12", "-") == "", "the hand ends, so it does not matter what is broken up"
    longer = "8 9 10 11 12 is just as low and gets rid of more cards."
    assert why_not(before._replace(gifts=(0, 3, 0, 2)), "8 9 10 11", "8 9 10 11 12") == longer


@pytest.mark.about("twelve_days")
def test_a_hand_that_was_won_whatever_the_others_held_is_the_reason_t8() -> None:
    """The 6 goes back to its player, and answers none of the leads to come."""
    before = days.state(["5 6 7 8 8 9 9 10 11 11 12 12", ""], lies="1:6")
    assert why_not(before, "-", "5") == "5 would have won the hand for certain."
    assert (
        why_not(days.state(["5 6 7 8 8 9", "7 7"], lies="1:6"), "-", "5") == "5 would have won the trick for certain."
    )


@pytest.mark.about("twelve_days")
def test_a_trick_that_the_coach_calls_certain_nobody_could_have_beaten() -> None:
    """With what the others held; and it is not said of most plays."""
    certain = plays_seen = 0
    for seed in range(4):
        course, said = judged("twelve_days", seed)
        for one in said.decisions:
            state = course.moments[one.number].before
            view = course.rules.view(state, one.seat)
            foresight = Foresight(view, one.seat)
            for combination in view.plays:
                plays_seen += 1
                if not foresight.takes_trick(Combination(one.seat, combination)):
                    continue
                certain += 1
                kind = kind_of(combination)
                assert kind is not None
                lead = view.lead or Lead(kind, combination[0])
                acted = {one.seat, *(it.seat for it in view.trick)}
                left = [hand for seat, hand in enumerate(state.hands) if seat not in acted]
                assert all(reply[0] > combination[0] for hand in left for reply in plays(hand, lead))
                assert view.lowest is None or view.lowest.cards[0] >= combination[0]
    assert 0 < certain < plays_seen / 2
