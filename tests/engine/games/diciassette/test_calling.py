"""What a call of 17 is worth, as far as the caller can know: tokens, traps, and how likely it is right."""

from itertools import combinations_with_replacement
from math import comb

import pytest

from engine.game import Seat
from engine.games.diciassette.calling import TRAP_LIKELIHOOD, win_chances_by_call_correctness
from engine.games.diciassette.coach import insight
from engine.games.diciassette.features import unseen_plain_backed_counts
from engine.games.diciassette.view import View, view
from tests.games.diciassette import state

VALUE = (1, 2, 3, 4, 5, 0, 0, 0)
"""What the kinds of card count that have a plain back, but for traps."""
CALLS = [(2, [0.1672, 0.427, 0.8167]), (4, [0.03297, 0.12725, 0.26868])]
"""By the number of players, what a call is worth that is believed to be right with chances of 0, 0.4 and 1."""


def test_what_a_call_is_worth_follows_from_the_tokens_d14() -> None:
    def call(lies: str, belief: float, victory: tuple[int, int], penalty: tuple[int, int] = (0, 0)) -> float:
        before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies, victory=victory, penalty=penalty)
        return win_chances_by_call_correctness(view(before, Seat(0)), Seat(0), None).expected(belief)

    nothing_hidden = "0:5 1:5 0:1"
    assert call(nothing_hidden, 1.0, (2, 0)) == 1
    assert call(nothing_hidden, 0.0, (0, 2)) == 0
    assert call(nothing_hidden, 0.25, (2, 2)) == 0.25
    # its own trap costs it a second penalty, but then it has paid with the token that the trap brought (D16)
    assert call(nothing_hidden + " 0:P?", 0.0, (0, 0)) > call(nothing_hidden, 0.0, (0, 0))
    assert call(nothing_hidden, 0.0, (1, 0), (1, 0)) < call(nothing_hidden, 0.0, (1, 0))  # a second penalty, D16
    assert call(nothing_hidden + " 1:4?", 0.0, (1, 2)) == 0
    assert call("1:5 1:4? 1:3?", 1.0, (1, 1)) < call("1:5 1:4 1:3", 1.0, (1, 1))  # traps may lie there


def lying(lies: str, victory: tuple[int, ...] = (0, 2)) -> View:
    """What seat 0 of two, or of three, sees on its turn."""
    hands = ["1 2 3", "4 5 1", "1 2 3"][: len(victory)]
    return view(state(hands, turn=0, last=1, lies=lies, victory=victory), Seat(0))


def likely(seen: View, traps: int, of: int) -> float:
    """In how many ways *of* hidden cards of *seen* are *traps* traps, which lie face down more often than others."""
    pool = unseen_plain_backed_counts(seen, None)
    return float(TRAP_LIKELIHOOD**traps * comb(pool[-1], traps) * comb(sum(pool[:-1]), of - traps))


def test_a_call_is_worth_less_where_a_trap_may_lie_d14() -> None:
    """The last player is one token from winning: a trap among their cards ends the game, and the call was for nothing.
    A card that lies face down is a trap more than twice as often as any other card that was not seen."""
    seen = lying("1:5 1:5 1:5 1:5 1:P?")
    open_queue = seen._replace(queue=seen.queue[:-1], discard_size=seen.discard_size + 1)
    safe = win_chances_by_call_correctness(open_queue, Seat(0), None).right
    assert safe > 0.1
    trap = likely(seen, 1, 1) / (likely(seen, 0, 1) + likely(seen, 1, 1))
    assert win_chances_by_call_correctness(seen, Seat(0), None).right == pytest.approx(safe * (1 - trap))


def test_where_the_sum_leaves_no_room_for_a_trap_a_right_call_has_sprung_none_d14() -> None:
    """One hidden card has to count 2 or more: it is no trap. Of two that have to count 5, one may be a trap, if the
    other is a 5; a wrong call may have sprung both."""
    one = lying("1:5 1:5 1:5 1:P?")
    nothing_hidden = one._replace(queue=one.queue[:-1], discard_size=one.discard_size + 1)
    safe = win_chances_by_call_correctness(nothing_hidden, Seat(0), None)
    assert win_chances_by_call_correctness(one, Seat(0), None).right == pytest.approx(safe.right)
    two = lying("1:5 1:5 1:2 1:P? 1:1?")
    pool = unseen_plain_backed_counts(two, None)
    fives, none = pool[4], sum(pool[:-1])
    by_numbers = comb(none, 2) - sum(
        pool[a] * (pool[b] - (a == b)) / (1 + (a == b))
        for a, b in combinations_with_replacement(range(8), 2)
        if VALUE[a] + VALUE[b] < 5
    )
    with_trap = TRAP_LIKELIHOOD * pool[-1] * fives
    assert win_chances_by_call_correctness(two, Seat(0), None).right == pytest.approx(
        safe.right * by_numbers / (by_numbers + with_trap), rel=0.02
    )


def test_more_than_two_traps_of_others_are_not_thought_of() -> None:
    seen = lying("1:5 1:5 1:5 1:5 1:P? 1:1? 1:2?")
    open_queue = seen._replace(queue=seen.queue[:-3], discard_size=seen.discard_size + 3)
    safe = win_chances_by_call_correctness(open_queue, Seat(0), None).right
    ways = [likely(seen, traps, 3) for traps in (0, 1, 2)]
    assert win_chances_by_call_correctness(seen, Seat(0), None).right == pytest.approx(safe * ways[0] / sum(ways))


def test_two_hidden_cards_may_be_two_traps_and_each_counts_once_d15() -> None:
    """Both lie there for the same player, who gets one token for them, and the caller two penalties."""
    seen = lying("1:5 1:5 1:5 1:5 2:P? 2:1?", victory=(2, 0, 2))
    ways = [likely(seen, traps, 2) for traps in (0, 1, 2)]
    # The caller wins alone without a trap. With one, seat 2 has three tokens too and no penalty. With two the caller
    # returns both penalties and a token.
    assert win_chances_by_call_correctness(seen, Seat(0), None).right == pytest.approx(ways[0] / sum(ways))


def test_ones_own_trap_counts_where_it_lies_face_down_d14() -> None:
    """The call is wrong and is the caller's second penalty, but the trap has given a token before."""
    down, up = (
        view(state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies, victory=(2, 0), penalty=(1, 0)), Seat(0))
        for lies in ("0:P? 1:5", "0:P 1:5")
    )
    assert (
        win_chances_by_call_correctness(down, Seat(0), None).wrong
        > win_chances_by_call_correctness(up, Seat(0), None).wrong + 0.1
    )


@pytest.mark.parametrize(("seats", "said"), CALLS)
def test_what_it_says_of_a_call_is_what_it_has_learnt(seats: int, said: list[float]) -> None:
    """Whoever trains it anew looks at what it says now. The dice are fixed."""
    hands = ["1 2 3", "4= 5 1=", "1 2 3", "4 X R"][:seats]
    seen = view(state(hands, turn=0, last=1, lies="1:5 0:4? 1:3? 1:2=", victory=(1, 1, 0, 2)[:seats]), Seat(0))
    assert [
        win_chances_by_call_correctness(seen, Seat(0), None).expected(chance) for chance in (0.0, 0.4, 1.0)
    ] == pytest.approx(said, abs=2e-4)


@pytest.mark.parametrize(
    ("lies", "victory", "snare"),
    [
        ("0:R? 2:5= 0:5= 1:5=", (2, 0, 0), True),
        ("0:5 2:5= 1:5= 1:R?", (0, 0, 0), False),
        ("0:5 2:5= 1:5= 1:R?", (2, 0, 2), False),
        ("0:R? 2:5= 0:5= 1:5=", (2, 2, 0), False),  # a Trap there leaves 15, and a wrong call is the end anyway
        ("0:R? 2:5= 0:5= 1:5= 1:X?", (2, 2, 0), True),
    ],
)
def test_a_hidden_trap_can_be_the_end_where_its_owner_needs_one_token(
    lies: str, victory: tuple[int, ...], snare: bool
) -> None:
    before = state(["1 2 3", "2 3 4", "1 2 3"], last=1, lies=lies, victory=victory)
    said = insight(view(before, Seat(2)), Seat(2), None)
    assert said is not None and said.snare is snare
