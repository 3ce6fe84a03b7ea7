"""What the game brings somebody where a hand ends in a way that is certain."""

from itertools import combinations

from engine.game import Seat
from engine.games.twelve_days.foresight import Fate
from engine.games.twelve_days.view import View


def is_sure(view: View, me: Seat, fate: Fate) -> bool:
    """Whether *fate* settles what the game of *view* brings *me*: it ends the last hand, and whoever gives gifts then,
    it is the same; or it ends the one before, and by the gifts nobody but *me* can win then, or *me* cannot."""
    from engine.games.twelve_days.prospects import after_end, gifts_after

    givers, gives = fate.givers(), fate.gives(me)
    if view.hand_number < view.hands_total:
        if view.hand_number < view.hands_total - 1 or givers is None:
            return False
        last = view._replace(hand_number=view.hands_total, gifts=gifts_after(view.gifts, fate.winner, givers))
        return me not in last.contenders or last.contenders == (me,)
    possible = fate.possible_givers()
    ways = [way for many in range(1, len(possible) + 1) for way in combinations(possible, many)]
    if givers is not None:
        ways = [givers]
    elif gives is not None:
        ways = [way for way in ways if (me in way) == gives]
    return len({after_end(view.gifts, fate.winner, way, 0)[me] for way in ways}) == 1


def worth(view: View, me: Seat, fate: Fate, gives: float) -> float:
    """The chance of *me* to win the game of *view* if the hand ends with *fate*: exact where it is certain who gives
    gifts. Where that is open, all who might hold the most cards are equally likely to; *me* does with the chance
    *gives*."""
    from engine.games.twelve_days.prospects import after_end, after_some_of

    to_go, givers = view.hands_total - view.hand_number, fate.givers()
    if givers is not None:
        return after_end(view.gifts, fate.winner, givers, to_go)[me]
    sure = fate.gives(me)
    others = [giver for giver in fate.possible_givers() if giver != me]
    return after_some_of(view.gifts, fate.winner, others, to_go, me, gives if sure is None else float(sure))
