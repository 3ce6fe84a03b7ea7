"""What a call of 17 is worth, as far as the caller can know: tokens, traps, and how likely it is right."""

import pytest

from engine.game import Seat
from engine.games.diciassette.calling import worth
from engine.games.diciassette.features import unseen
from engine.games.diciassette.view import view
from tests.games.diciassette import state

CALLS = [(2, [0.16821, 0.44851, 0.86897]), (4, [0.03335, 0.13522, 0.28803])]
"""By the number of players, what a call is worth that is believed to be right with chances of 0, 0.4 and 1."""


def test_what_a_call_is_worth_follows_from_the_tokens_d14() -> None:
    def call(lies: str, belief: float, victory: tuple[int, int], penalty: tuple[int, int] = (0, 0)) -> float:
        before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies, victory=victory, penalty=penalty)
        return worth(view(before, Seat(0)), Seat(0), None).expected(belief)

    nothing_hidden = "0:5 1:5 0:1"
    assert call(nothing_hidden, 1.0, (2, 0)) == 1
    assert call(nothing_hidden, 0.0, (0, 2)) == 0
    assert call(nothing_hidden, 0.25, (2, 2)) == 0.25
    # its own trap costs it a second penalty, but then it has paid with the token that the trap brought (D16)
    assert call(nothing_hidden + " 0:P?", 0.0, (0, 0)) > call(nothing_hidden, 0.0, (0, 0))
    assert call(nothing_hidden, 0.0, (1, 0), (1, 0)) < call(nothing_hidden, 0.0, (1, 0))  # a second penalty, D16
    assert call(nothing_hidden + " 1:4?", 0.0, (1, 2)) == 0
    assert call("1:5 1:4? 1:3?", 1.0, (1, 1)) < call("1:5 1:4 1:3", 1.0, (1, 1))  # traps may lie there


def test_a_call_is_worth_less_where_a_trap_may_lie_d14() -> None:
    """The last player is one token from winning: a trap among their cards ends the game, and the call was for nothing.
    A card that lies face down is a trap twice as likely as any card that was not seen, and less likely if 17 lies
    there only with it."""
    tokens = {"victory": (0, 2)}
    for lies, odds in (("1:5 1:5 1:5 1:5 1:P?", 2.0), ("1:5 1:5 1:5 1:P?", 0.6)):
        seen = view(state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies, **tokens), Seat(0))
        assert seen.hidden_count == 1
        open_queue = seen._replace(queue=seen.queue[:-1], discard_size=seen.discard_size + 1)
        pool = unseen(seen, None)
        trap = odds * pool[-1] / (odds * pool[-1] + sum(pool) - pool[-1])
        safe = worth(open_queue, Seat(0), None).right
        assert safe > 0.1
        assert worth(seen, Seat(0), None).right == pytest.approx(safe * (1 - trap))


def test_more_than_two_traps_of_others_are_not_thought_of() -> None:
    lies = "1:5 1:5 1:5 1:5 1:P? 1:1? 1:2?"
    seen = view(state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies, victory=(0, 2)), Seat(0))
    open_queue = seen._replace(queue=seen.queue[:-3], discard_size=seen.discard_size + 3)
    pool = unseen(seen, None)
    trap = 2 * pool[-1] / (2 * pool[-1] + sum(pool) - pool[-1])
    safe = worth(open_queue, Seat(0), None).right
    assert worth(seen, Seat(0), None).right == pytest.approx(safe * (1 - trap) ** 3 / (1 - trap**3))


def test_two_hidden_cards_may_be_two_traps_and_each_counts_once_d15() -> None:
    """Both lie there for the same player, who gets one token for them, and the caller two penalties."""
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=1, lies="1:5 1:5 1:5 1:5 2:P? 2:1?", victory=(2, 0, 2))
    seen = view(before, Seat(0))
    pool = unseen(seen, None)
    trap = 2 * pool[-1] / (2 * pool[-1] + sum(pool) - pool[-1])
    # The caller wins alone without a trap. With one, seat 2 has three tokens too and no penalty. With two the caller
    # returns both penalties and a token.
    assert worth(seen, Seat(0), None).right == pytest.approx((1 - trap) ** 2)


def test_ones_own_trap_counts_where_it_lies_face_down_d14() -> None:
    """The call is wrong and is the caller's second penalty, but the trap has given a token before."""
    down, up = (
        view(state(["1 2 3", "4 5 1"], turn=0, last=1, lies=lies, victory=(2, 0), penalty=(1, 0)), Seat(0))
        for lies in ("0:P? 1:5", "0:P 1:5")
    )
    assert worth(down, Seat(0), None).wrong > worth(up, Seat(0), None).wrong + 0.1


@pytest.mark.parametrize(("seats", "said"), CALLS)
def test_what_it_says_of_a_call_is_what_it_has_learnt(seats: int, said: list[float]) -> None:
    """Whoever trains it anew looks at what it says now. The dice are fixed."""
    hands = ["1 2 3", "4= 5 1=", "1 2 3", "4 X R"][:seats]
    seen = view(state(hands, turn=0, last=1, lies="1:5 0:4? 1:3? 1:2=", victory=(1, 1, 0, 2)[:seats]), Seat(0))
    assert [worth(seen, Seat(0), None).expected(chance) for chance in (0.0, 0.4, 1.0)] == pytest.approx(said, abs=2e-4)
