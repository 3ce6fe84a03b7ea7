"""The value of a call as far as a player can know: the chance to win if it is right and if it is wrong, weighed by the
chance that it is right. Both include the traps that may lie in the queue. It is also used for a call of another player,
after a card with which everybody sees 17.

The caller is taken to count: nobody nearer calls at the same time (D9).
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import Final, NamedTuple

import numpy as np

from engine.game import Seat
from engine.games.diciassette import rules
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import HAND_SIZE, KINDS, TARGET, Card, Face
from engine.games.diciassette.events import CardPlayed, CardTrashed, Event
from engine.games.diciassette.features import PLAINS, unseen_plain_backed_counts
from engine.games.diciassette.foresight import (
    OPEN_KINDS,
    all_see_17,
    next_play_ends_turn,
    shows_17_to_all,
    view_after_forced_17,
    view_after_play,
)
from engine.games.diciassette.learnt import networks_for
from engine.games.diciassette.memory import Memory, remember
from engine.games.diciassette.odds import Pool, hidden_sum_and_trap_odds
from engine.games.diciassette.open_features import OPEN_EACH, OPEN_SEATS, open_cards_features
from engine.games.diciassette.outlook import FORBIDDEN_CHANCE, first_caller_chances
from engine.games.diciassette.state import Laid, State
from engine.games.diciassette.view import View
from engine.network import Floats, softmax

DEALS: Final = 12
"""The number of sample deals of the unknown cards, with a fixed random seed, for the chances in the next round."""
MAX_TRAPS: Final = 2
"""The most traps of others that are considered."""
TRAP: Final = PLAINS.index(Card.TRAP.index)
TRAP_LIKELIHOOD: Final = 2.3
"""How much likelier a face-down card is a trap than any other unseen card that the sum allows as well. In 1100 games of
computer players of levels 3 to 6, of two, three, four and six: 2.0 to 2.8 where the sum was open, 2.5 to 3.9 where the
caller saw 17."""


class CallOutcome(NamedTuple):
    """One possible result of a call: how likely it is, and the state after it."""

    chance: float
    after: State
    """The state after the call: the end of the game, or the next round. Of the next round only the tokens and the
    starter count."""


class CallValue(NamedTuple):
    """A player's chances to win the game after their call: one if the call is right, one if it is wrong."""

    right: float
    """The chance if the call is right."""
    wrong: float
    """The chance if the call is wrong."""

    def expected(self, believed: float) -> float:
        """The chance to win after the call, for a player who believes that it is right with the chance *believed*."""
        return believed * self.right + (1 - believed) * self.wrong


@lru_cache(maxsize=2)  # used for the options, and again for the insight
def win_chances_by_call_correctness(view: View, seat: Seat, memory: Memory | None) -> CallValue:
    """The chances of *seat* to win the game after its call: one if the call is right, one if it is wrong; IllegalAction
    if it may not call.

    Raises:
        IllegalAction: *seat* may not call.
    """
    ways = [
        [
            _simulate_call_outcome(view, seat, seat, it, 1.0, right=right)
            for it in _trap_owner_chances(view, memory, right=right)
        ]
        for right in (True, False)
    ]
    return CallValue(*_mean_chances_to_win(view, seat, memory, ways))


def play_value_if_17_shown(view: View, memory: Memory | None, play: Play) -> float | None:
    """The viewer's chance to win after *play*, if all then see 17 and somebody calls; ``None`` if not all see it, or
    the turn goes on.

    It includes a next player who is forced to show 17. The others call as in ``first_caller_chances``. The viewer
    is on turn.
    """
    seat, after = (
        play.seat,
        view_after_play(view, play) if shows_17_to_all(view, play) else view_after_forced_17(view, play),
    )
    if after is None:
        return None
    assert after.last is not None
    others = [Seat(it) for it in range(view.seats) if it != after.last]
    callers = first_caller_chances(others, after.last, after.direction, view.seats)
    trapped = _trap_owner_chances(after, memory, right=True)
    ways = [
        _simulate_call_outcome(after, seat, caller, it, chance, right=True)
        for caller, chance in callers
        for it in trapped
    ]
    return _mean_chances_to_win(after, seat, memory, [ways])[0]


def value_of_not_calling(view: View, seat: Seat, memory: Memory | None) -> float | None:
    """The chance of *seat* to win if all see 17 and it leaves the call to others; ``None`` if not all see 17, or nobody
    else may call.

    The seat is off turn, and one of the others calls (``first_caller_chances``).
    """
    others = [it for it in view.may_call if it != seat]
    if not others or not all_see_17(view):
        return None
    assert view.last is not None
    callers = first_caller_chances(others, view.last, view.direction, view.seats)
    trapped = _trap_owner_chances(view, memory, right=True)
    ways = [
        _simulate_call_outcome(view, seat, caller, it, chance, right=True)
        for caller, chance in callers
        for it in trapped
    ]
    return _mean_chances_to_win(view, seat, memory, [ways])[0]


def view_and_memory_after_first_of_two(view: View, memory: Memory | None, play: Play) -> tuple[View, Memory] | None:
    """The viewer's view and memory after *play*, the first of two cards of their turn; ``None`` if *play* ends the
    turn.

    Nobody may act before the second card, and nothing is drawn (D6, D8). The viewer is on turn.
    """
    seat, card, face = play
    if next_play_ends_turn(view):
        return None
    after, up = view_after_play(view, play), face is Face.UP
    events: list[Event] = [CardPlayed(seat, card, face)]
    trashes = up and card is Card.TRASH
    if trashes and view.queue:
        events.append(CardTrashed(*view.queue[-1]))
    sizes, backs = list(view.hand_sizes), list(view.open_backs)
    sizes[seat] -= 1
    backs[seat] = tuple(sorted(it.number for it in after.hand if it.open_back))
    found = after._replace(
        ply=view.ply + 1,
        turn=seat,
        owed=view.owed - 1,
        duty=view.duty,
        doubled=view.doubled or (up and card is Card.X2),
        may_call=(),
        hand_sizes=tuple(sizes),
        open_backs=tuple(backs),
        discard_size=view.discard_size + (len(events) if trashes else 0),
    )
    return found, remember(memory, events, seat)


def _mean_chances_to_win(
    view: View, seat: Seat, memory: Memory | None, calls: Sequence[Sequence[CallOutcome]]
) -> list[float]:
    """The chance of *seat* to win after each of *calls*: the mean over the call's possible outcomes, weighted by how
    likely they are.

    The chances of the outcomes of a call add up to 1.
    """
    going_on = [it.after for ways in calls for it in ways if not it.after.winners]
    stands = iter(_win_chances_from_next_rounds(view, seat, memory, going_on) if going_on else ())

    def won(after: State) -> float:
        return (seat in after.winners) / len(after.winners) if after.winners else next(stands)

    return [sum(it.chance * won(it.after) for it in ways) for ways in calls]


class _TrapOwners(NamedTuple):
    """The players who might have laid the hidden traps, one entry for each trap, and how likely that is."""

    layers: tuple[Seat, ...]
    chance: float


def _trap_owner_chances(view: View, memory: Memory | None, *, right: bool) -> tuple[_TrapOwners, ...]:
    """Who might have laid the hidden traps in the queue, and how likely, if the queue holds 17 (*right*) or if it does
    not; adding up to 1.

    The traps are among the cards hidden from the viewer, ``MAX_TRAPS`` at most. If the condition is impossible, the sum
    is ignored.
    """
    hidden = tuple([seen.seat for seen in view.queue if seen.card is None])
    return _trap_owner_chances_from_counts(
        hidden, tuple(unseen_plain_backed_counts(view, memory)), max(0, TARGET - view.visible_sum), right
    )


@lru_cache(maxsize=4096)
def _trap_owner_chances_from_counts(
    hidden: tuple[Seat, ...], pool: tuple[int, ...], missing: int, right: bool
) -> tuple[_TrapOwners, ...]:
    """Who of the seats *hidden*, one for each hidden card, might have laid traps, and how likely. The cards are drawn
    from *pool* (counts by kind, as ``PLAINS``). Those that are no traps add up to *missing* or more, if *right*, or to
    less."""
    traps, weights = pool[TRAP], []
    others = Pool(pool[: Card.FIVE.number], 0, sum(pool[Card.FIVE.number :]) - traps)
    for many in range(min(MAX_TRAPS, len(hidden), traps) + 1):
        rest = len(hidden) - many
        reaches = hidden_sum_and_trap_odds(others, rest).reaches[missing] if rest <= others.size else 0.0
        weights.append(
            TRAP_LIKELIHOOD**many * comb(traps, many) * comb(others.size, rest) * (reaches if right else 1 - reaches)
        )
    if not any(weights):
        return _trap_owner_chances_from_counts(hidden, pool, 0, True) if missing else (_TrapOwners((), 1.0),)
    found = []
    for many, weight in enumerate(weights):
        layers = Counter(tuple(sorted(it)) for it in combinations(hidden, many))
        found += [_TrapOwners(it, weight / sum(weights) * n / layers.total()) for it, n in layers.items() if weight]
    return tuple(found)


def _simulate_call_outcome(
    view: View, seat: Seat, caller: Seat, trapped: _TrapOwners, chance: float, *, right: bool
) -> CallOutcome:
    """The state after a call by *caller*, *right* or wrong, if the traps lie as in *trapped*, and how likely that is.
    All is as *seat* sees it. It applies the rules to a state that holds only what matters for the tokens."""
    own = sum(seen.card is Card.TRAP and seen.face is Face.DOWN for seen in view.queue)
    assert view.last is not None
    full = [Laid(view.last, Card.FIVE, Face.UP)] * (TARGET // Card.FIVE.number + 1) if right else []
    before = State(
        ply=view.ply,
        round=view.round,
        starter=view.starter,
        direction=view.direction,
        turn=view.turn,
        owed=view.owed,
        duty=view.duty,
        doubled=view.doubled,
        last=view.last,
        draw=(),
        discard=(),
        queue=tuple([Laid(layer, Card.TRAP, Face.DOWN) for layer in (*[seat] * own, *trapped.layers)] + full),
        hands=((Card.ONE,) * HAND_SIZE,) * view.seats,
        victory=view.victory,
        penalty=view.penalty,
        shuffles=0,
        winners=(),
    )
    return CallOutcome(chance * trapped.chance, rules.apply(before, Call((caller,)), FORBIDDEN_CHANCE).state)


def _win_chances_from_next_rounds(view: View, seat: Seat, memory: Memory | None, after: Sequence[State]) -> list[float]:
    """The chance of *seat* to win from each state of *after*, a new round, by the network: the mean over sample hands
    and draw piles.

    Of these states only the tokens and the starter count, and of the cards only what the seat knows.
    """
    deals = np.array([open_cards_features(it) for it in _sample_next_round_starts(view, seat, memory)], np.float32)
    seats, seen = view.seats, np.repeat(deals[None], len(after), axis=0)
    blocks = deals[:, OPEN_SEATS : OPEN_SEATS + OPEN_EACH * seats].reshape(DEALS, seats, OPEN_EACH)
    for number, state in enumerate(after):
        now = np.roll(blocks, -state.starter, axis=1)  # the starter comes first
        for step in range(seats):
            at = (state.starter + step) % seats
            now[:, step, 1:4] = state.victory[at] >= 1, state.victory[at] >= 2, state.penalty[at]
        seen[number, :, OPEN_SEATS : OPEN_SEATS + OPEN_EACH * seats] = now.reshape(DEALS, -1)
    rows: Floats = seen.reshape(len(after) * DEALS, -1)
    stands = softmax(networks_for(seats).critic(rows)[:, :seats]).reshape(len(after), DEALS, seats).mean(axis=1)
    return [float(stands[number, (seat - state.starter) % seats]) for number, state in enumerate(after)]


def _sample_next_round_starts(view: View, seat: Seat, memory: Memory | None) -> list[State]:
    """``DEALS`` random states for the start of the next round that agree with what *seat* knows of the hands, without
    tokens; always the same ones.

    The cards that the seat does not know are random unseen ones.
    """
    rng = Random(17)
    known = [
        view.hand if at == seat else tuple([OPEN_KINDS[number] for number in numbers])
        for at, numbers in enumerate(view.open_backs)
    ]
    pool = [
        KINDS[kind]
        for kind, left in zip(PLAINS, unseen_plain_backed_counts(view, memory), strict=True)
        for _ in range(left)
    ]
    missing = sum(HAND_SIZE - len(hand) for hand in known)
    nobody = (0,) * view.seats
    found = []
    for _ in range(DEALS):
        cards = rng.sample(pool, min(len(pool), missing + 1))
        hands = []
        for hand in known:
            short = HAND_SIZE - len(hand)
            hands.append((*hand, *cards[:short]))
            cards = cards[short:]
        top = OPEN_KINDS[view.draw_top] if view.draw_top else (*cards, Card.ONE)[0]
        found.append(
            State(
                ply=view.ply,
                round=view.round + 1,
                starter=Seat(0),
                direction=1,
                turn=Seat(0),
                owed=1,
                duty=1,
                doubled=False,
                last=None,
                draw=(top,) * view.draw_size,
                discard=(Card.ONE,) * (view.discard_size + len(view.queue)),
                queue=(),
                hands=tuple(hands),
                victory=nobody,
                penalty=nobody,
                shuffles=1,
                winners=(),
            )
        )
    return found
