"""Why something else would have been better in 12 Days: what is certain first, else what the better choice does
differently."""

import pytest

from bot.i18n import words
from bot.ui.components import WORD_JOINER
from bot.ui.games.twelve_days.cards import cards_text
from bot.ui.registry import PRESENTERS
from engine.decision import Decision
from engine.game import Seat
from engine.games.twelve_days.actions import Pass
from engine.games.twelve_days.actions import Play as Combination
from engine.games.twelve_days.cards import RANKS
from engine.games.twelve_days.combinations import Lead, combination_kind, playable_combinations
from engine.games.twelve_days.foresight import Foresight
from engine.games.twelve_days.state import State
from engine.registry import GAMES
from tests.bot.judged import judged
from tests.games import twelve_days as days

EN = words("en")
BEATEN = "9 ×2 could not win the trick; last cards come back, and everybody has seen them."


@pytest.mark.about("twelve_days")
@pytest.mark.parametrize(
    ("hand", "lies", "gone", "made", "best", "why"),
    [
        ("2 5 9", "1:6, 2:-", "", "9", "2", "2 would have won the trick for certain."),
        ("5 9", "1:6, 2:-", "", "-", "5", "5 would have won the trick for certain."),
        (
            "2 5 9",
            "1:6, 2:-",
            "",
            "2",
            "5",
            "5 would also have been sure to win the trick, and would have kept 2 for later.",
        ),
        ("5 9", "", "", "9", "5", "5 is lower, and so harder to beat."),  # lower cards may be left
        ("5 9", "1:6, 2:-", "", "5", "-", "Passing would have kept 5 for later."),
        ("5 9", "1:10", "", "-", "9", "9 would have been the lowest so far."),
        ("3 5 6 7 8 12", "", "", "6", "3", "3 would have left the straight 5 6 7 8."),
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
        (
            "9 9",
            "1:10 10, 2:8 8",
            "",
            "9 9",
            "-",
            BEATEN,
        ),
        ("9 9", "1:10 10, 2:8 8", "", "-", "9 9", ""),
        ("9 11", "1:12, 2:10", "", "-", "11", "11 could not win the trick, but would have left fewer cards in hand."),
        ("8 9 10 11 11 11 12", "", "", "8 9 10 11 12", "11 11", ""),  # that is the straight
        ("3 4 5 6 6 7 8 12 12", "", "", "7", "12 12", "12 ×2 would have left the straight 3 4 5 6 7 8."),
        ("3 9 9 9 10 10", "1:11 11, 2:-", "", "10 10", "9 9", ""),  # both are certain
        ("3 6 6 11", "", "", "11", "6 6", "Somebody held only one card, and could not have answered 6 ×2."),
        ("9 12 12", "", "", "12 12", "9", ""),  # one is no lower than the other
        (
            "4 4 9 10 11 12",
            "",
            "",
            "4",
            "9 10 11 12",
            "9 10 11 12 would have got rid of more cards, and kept 4 for later.",
        ),
        ("4 9 10 11 12", "", "", "4", "9 10 11", "9 10 11 would have kept 4 for later."),
        ("5 9 9", "1:10, 2:-", "", "9", "5", "5 would have left 9 ×2, which go together."),
        ("9 9 9", "1:10, 2:-", "", "9", "-", "9 broke up the set of three 9."),
        ("5 7 7 9", "1:8, 2:-", "", "7", "9", "7 broke up the pair of 7."),
        ("5 8 8 8 8 11", "", "", "8 8", "5", "8 ×2 broke up the set of four 8."),
        ("5 7 7 7 8 8 12", "", "", "7 8", "5", "7 8 broke up the set of three 7 and the pair of 8."),
        ("7 7 8 8 9 10 11", "", "", "7 8 9 10 11", "8 9 10 11", "7 8 9 10 11 broke up the pair of 7."),
        ("5 8 8 8 8 8 11", "", "", "8 8", "5", "8 ×2 broke up the set 8 ×5."),
        ("8 8 11 11 11 11 11 12", "1:12, 2:5", "", "8", "11", "8 broke up the pair of 8."),  # four are still a set
        ("5 5 12 12", "", "", "5", "12", "12 would have kept 5 for later."),  # that breaks up as many
        ("5 5 9 10 12 12", "", "", "5", "9 10", "5 broke up the pair of 5."),
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
    seen = GAMES["twelve_days"].views.view(before, Seat(0))
    actions = [Pass(Seat(0)) if it == "-" else Combination(Seat(0), days.cards(it)) for it in (made, best)]
    decision = Decision(1, Seat(0), actions[0], actions[1], 0.4, 0.5, 0.3, None)
    said = PRESENTERS["twelve_days"].board.better_choice_reason(decision, seen, "ABCDEFGH".__getitem__, EN)
    for rank in RANKS:
        said = said.replace(cards_text((rank,)), str(rank))
    return " ".join(said.replace(WORD_JOINER, " ").split())


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
            view = course.rules.views.view(state, one.seat)
            foresight = Foresight(view, one.seat)
            for combination in view.plays:
                plays_seen += 1
                if not foresight.surely_wins_trick(Combination(one.seat, combination)):
                    continue
                certain += 1
                kind = combination_kind(combination)
                assert kind is not None
                lead = view.lead or Lead(kind, combination[0])
                acted = {one.seat, *(it.seat for it in view.trick)}
                left = [hand for seat, hand in enumerate(state.hands) if seat not in acted]
                assert all(reply[0] > combination[0] for hand in left for reply in playable_combinations(hand, lead))
                assert view.lowest is None or view.lowest.cards[0] >= combination[0]
    assert 0 < certain < plays_seen / 2


@pytest.mark.about("twelve_days")
def test_in_the_last_hand_the_gifts_say_whether_winning_it_wins_the_game_t10() -> None:
    """Seat 2 would hold the most cards, and give a gift if it has one."""
    hands, last = ["5 6", "9", "6 7 8"], {"hand": 3, "hands_total": 3}
    behind = days.state(hands, gifts=(1, 4, 0), **last)
    lost = "Winning the hand with 5 6 would not win the game: the gifts are against it."
    assert why_not(behind, "5 6", "5") == lost
    assert (
        why_not(behind._replace(gifts=(3, 4, 0)), "5 6", "5") == "Winning the hand with 5 6 would only share the game."
    )
    assert "Winning" not in why_not(behind._replace(gifts=(4, 4, 0)), "5 6", "5")
    assert why_not(behind, "5", "5 6") != "5 6 would have won the hand, unless somebody had beaten it."
    lies = days.state(["6 7", "", "9 10 11"], lies="1:6, 2:-", gifts=(4, 1, 0), **last)
    assert (
        why_not(lies, "6", "-") == "If nobody beats the last cards that lie there, passing wins the game by the gifts."
    )
    assert "for later" not in why_not(lies._replace(gifts=(1, 4, 0)), "6", "-")


@pytest.mark.about("twelve_days")
@pytest.mark.parametrize(
    ("gifts", "why"),
    [
        (
            (1, 3, 1),
            "With the gifts as they stood, winning the hand was not enough to win alone: B had to give. {reason}",
        ),
        ((0, 3, 3), "With the gifts as they stood, winning the hand was not enough: B and C had to give. {reason}"),
        (
            (0, 4, 1),
            "With the gifts as they stood, winning the hand was not enough: B and C had to give, {shared}",
        ),
        ((2, 0, 0), "With the gifts as they stood, it was enough not to hold the most cards at the end. {reason}"),
        ((1, 1, 1), "{reason}"),  # whoever wins the hand wins the game
        ((0, 5, 0), "{reason}"),  # the game is lost
    ],
)
def test_in_the_last_hand_the_coach_says_what_the_gifts_asked_for_t9_t10(gifts: tuple[int, ...], why: str) -> None:
    hands, reason = ["3 9 9 11", "7 8 10 12", "6 8 10 12"], "9 ×2 would have kept 3 for later."
    last = days.state(hands, gifts=gifts, hand=3, hands_total=3)
    shared = f"and even then the game would only have been shared. {reason}"
    assert why_not(last, "3", "9 9") == why.format(reason=reason, shared=shared)
    assert why_not(last._replace(hand_number=2), "3", "9 9") == reason


@pytest.mark.about("twelve_days")
def test_of_two_players_whoever_loses_the_hand_gives_so_nothing_is_said_of_it() -> None:
    last = days.state(["3 9 9 11", "7 8 10 12"], gifts=(2, 1), hand=3, hands_total=3)
    assert "gifts" not in why_not(last, "3", "9 9")


@pytest.mark.about("twelve_days")
def test_more_cards_at_the_price_of_the_trick_are_named_so() -> None:
    before = days.state(["4 5 6 7 8 9 10", "6 7 8", "11 12 12"], lies="1:5 6, 2:-")
    why = "6 7 8 9 10 could not win the trick, but would have got rid of more cards."
    assert why_not(before, "4 5", "6 7 8 9 10") == why


@pytest.mark.about("twelve_days")
@pytest.mark.parametrize(("low", "gone"), [("1", ""), ("2", "1 2")])
def test_a_card_that_nobody_can_beat_is_worth_keeping_for_that(low: str, gone: str) -> None:
    """There is a single 1, and there are two 2."""
    why = f"9 would have kept {low} for later"
    assert why_not(days.state([f"{low} 5 7 9", "7 10", "8 11"], gone=gone), low, "9") == f"{why}: nobody can beat it."
    kept = why_not(days.state(["3 5 7 9", "7 10", "8 11"], gone="1 2 2 3"), "3", "9")
    assert kept == "9 would have kept 3 for later."
