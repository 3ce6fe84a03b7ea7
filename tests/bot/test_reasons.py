"""Why something else would have been better in 17: how likely 17 was, what a call left, what everybody saw."""

import pytest

from bot.i18n import words
from bot.ui.registry import PRESENTERS
from engine.decision import Decision
from engine.game import Seat
from engine.games.diciassette import coach
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import KINDS, TARGET, Card, Face
from engine.games.diciassette.coach import Insight
from engine.registry import GAMES
from tests.games import diciassette as seventeen

EN = words("en")
LEAVES = "A right call leaves 70% to win the game, a wrong one 10%."
READ = "Chance of 17 or more: 50% by the cards seen so far, {} if you also consider how the others play."


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(
    ("lies", "made", "best", "thought", "why"),  # how likely 17 was thought to be, or the known sum
    [
        ("0:5 1:1?", Call((Seat(2),)), None, 0.07, READ.format("7%")),
        ("0:5 1:1?", None, Call((Seat(2),)), 0.83, READ.format("83%")),
        ("0:5 1:1?", None, Call((Seat(2),)), 0.5, f"Chance of 17 or more: 50%. {LEAVES}"),
        ("0:5 1:1?", Call((Seat(2),)), None, 0.0, READ.format("under 1%")),
        ("0:5 1:1?", None, Call((Seat(2),)), 0.2, f"{READ.format('20%')} {LEAVES}"),  # there is another reason to call
        ("0:5 1:1?", Call((Seat(2),)), None, -1, "A call could not be right."),
        ("0:5 1:1?", Play(Seat(2), KINDS[0], Face.UP), Play(Seat(2), KINDS[0], Face.DOWN), 0.2, ""),
        ("0:5 1:1", Call((Seat(2),)), None, 6, "Known sum: 6. A call could not be right."),
        ("0:5 1:5 0:5 1:5", None, Call((Seat(2),)), 20, "Known sum: 20."),
    ],
)
def test_the_coach_says_how_likely_17_was_where_that_was_the_reason(
    lies: str, made: Action | None, best: Action | None, thought: float, why: str
) -> None:
    seen = GAMES["diciassette"].views.view(seventeen.state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies=lies), Seat(2))
    right = float(thought >= TARGET)
    insight = (
        Insight(0.5, thought, right=0.7, wrong=0.1) if thought <= 1 else Insight(right, right, total=round(thought))
    )
    if thought < 0:
        insight = Insight(0.0, 0.0)
    decision = Decision(1, Seat(2), made, best, 0.4, 0.5, 0.3, insight)
    assert PRESENTERS["diciassette"].board.better_choice_reason(decision, seen, "ABCDEF".__getitem__, EN) == why


@pytest.mark.about("diciassette")
def test_a_call_that_a_hidden_trap_may_turn_into_somebody_else_s_win_is_warned_of() -> None:
    line = "A hidden card of somebody at match point may be a Trap: it would bring them their last token."
    for lies, victory, warned in (
        ("0:5 2:5= 1:5= 1:R? 1:3?", (0, 2, 0), True),
        ("0:R? 2:5= 0:5= 1:5=", (2, 0, 0), True),
        ("0:5 2:5= 1:5= 1:R?", (2, 0, 2), False),
        ("0:5 2:5= 1:5= 1:R?", (0, 2, 0), False),  # with a Trap there it is no 17, and a wrong call is the end anyway
    ):
        before = seventeen.state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies=lies, victory=victory)
        seen = GAMES["diciassette"].views.view(before, Seat(2))
        insight = coach.insight(seen, Seat(2), None)
        assert (line in PRESENTERS["diciassette"].board.insight_text(insight, EN)) is warned
        for made, best in ((Call((Seat(2),)), None), (None, Call((Seat(2),)))):
            decision = Decision(1, Seat(2), made, best, 0.4, 0.5, 0.3, insight)
            said = PRESENTERS["diciassette"].board.better_choice_reason(decision, seen, "ABCDEF".__getitem__, EN)
            assert (line in said) is (warned and best is None)


@pytest.mark.about("diciassette")
def test_a_trap_that_lies_open_does_nothing_d12() -> None:
    before = seventeen.state(["1 2 3", "2 3 4", "P 3 4"], turn=2, last=1, lies="0:5 1:5")
    seen = GAMES["diciassette"].views.view(before, Seat(2))
    hidden, shown = (Play(Seat(2), Card.TRAP, face) for face in (Face.DOWN, Face.UP))
    board = PRESENTERS["diciassette"].board
    decision = Decision(1, Seat(2), shown, hidden, 0.4, 0.5, 0.3, None)
    assert board.better_choice_reason(decision, seen, "ABCDEF".__getitem__, EN) == "Face up, a Trap does nothing."
    assert board.better_choice_reason(decision._replace(made=hidden, best=shown), seen, "ABCDEF".__getitem__, EN) == ""


@pytest.mark.about("diciassette")
def test_where_ones_own_trap_lies_there_it_is_what_the_next_call_springs() -> None:
    before = seventeen.state(["1 2 3", "2 3 4", "2 3 4"], turn=2, last=1, lies="2:P? 0:5 1:5 0:4")
    seen = GAMES["diciassette"].views.view(before, Seat(2))
    hidden, opened = (Play(Seat(2), Card.THREE, face) for face in (Face.DOWN, Face.UP))
    board = PRESENTERS["diciassette"].board
    decision = Decision(1, Seat(2), hidden, opened, 0.4, 0.5, 0.3, None)
    assert board.better_choice_reason(decision, seen, "ABCDEF".__getitem__, EN).endswith(
        "everybody sees 17: the next call springs your Trap."
    )
    assert board.better_choice_reason(decision, seen, "ABCDEF".__getitem__, EN, name="Ada").endswith(
        "everybody sees 17: the next call springs Ada’s Trap."
    )
    assert board.better_choice_reason(decision._replace(made=opened, best=hidden), seen, "ABCDEF".__getitem__, EN) == ""


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(
    ("lies", "silent"),
    [
        ("0:5 2:4 1:3? 0:4= 1:2=", True),  # seat 1 could have called after the 4, at 13 and a hidden card
        ("0:5 1:3? 0:4= 1:2=", False),  # but not at 9
        ("0:5 2:4 1:3? 0:4=", False),  # and can still
        ("0:5 2:4 1:3? 1:4=", False),
        ("0:5 2:3? 0:4= 1:2=", False),  # the viewer's own
        ("0:5 2:4 1:3 0:4= 1:2=", False),
        ("0:5 2:4 1:3? 0:4= 0:2= 1:2=", True),
        ("0:5 2:4 1:3? 0:4= 0:2=", False),  # perhaps nobody could between the two
    ],
)
def test_the_coach_knows_if_somebody_who_hid_a_card_could_have_called(lies: str, silent: bool) -> None:
    game = GAMES["diciassette"]
    last = int(lies.split()[-1][0])
    seen = game.views.view(seventeen.state(["1 2 3", "2 3 4", "1 2 3"], last=last, lies=lies), Seat(2))
    thought = coach.insight(seen, Seat(2), None)
    assert thought.silent is silent
    line = "Somebody who hid a card could have called since, and did not."
    for odds, believed, told in ((0.35, 0.01, silent), (0.35, 0.2, False), (0.04, 0.001, False)):
        said = PRESENTERS["diciassette"].board.insight_text(thought._replace(odds=odds, believed=believed), EN)
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
    certain = " 17 or more is certain, whatever is hidden."
    more = {0.0: " A call could not be right.", 1.0: certain}.get(odds, leaves)
    assert PRESENTERS["diciassette"].board.insight_text(insight, EN) == f"Chance of 17 or more: {said}{more}"
    counted = PRESENTERS["diciassette"].board.insight_text(insight._replace(counted=True), EN)
    assert ("whoever has counted the cards" in counted) is (odds in (0, 1))
    fatal = PRESENTERS["diciassette"].board.insight_text(insight._replace(fatal=True), EN)
    assert ("A right call leaves 80% to win the game; a wrong one loses it at once." in fatal) is (more == leaves)


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(
    ("lies", "card", "told"),
    [("0:5 1:5 0:4", Card.THREE, True), ("0:5 1:5 0:4", Card.TWO, False), ("0:5 1:5 0:4?", Card.FOUR, False)],
)
def test_a_card_after_which_everybody_sees_17_is_the_reason(lies: str, card: Card, told: bool) -> None:
    seen = GAMES["diciassette"].views.view(
        seventeen.state(["1 2 3", "2 3 4", "2 3 4"], turn=2, last=1, lies=lies), Seat(2)
    )
    made, hidden = (Play(Seat(2), card, face) for face in (Face.UP, Face.DOWN))
    board = PRESENTERS["diciassette"].board
    decision = Decision(1, Seat(2), made, hidden, 0.4, 0.5, 0.3, None)
    assert (
        board.better_choice_reason(decision, seen, "ABCDEF".__getitem__, EN).endswith(
            "everybody sees 17: the next call is right."
        )
        is told
    )
    assert bool(board.certain_consequence_sentence(made, seen, EN)) is told
    assert board.better_choice_reason(decision._replace(made=hidden, best=made), seen, "ABCDEF".__getitem__, EN) == ""
