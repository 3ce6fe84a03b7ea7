"""Every seat's chance to win a game of 17 with all cards open, according to a strong player. Calls that are certain to
come are counted as made."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, TypeVar

from engine.game import Seat
from engine.games.diciassette import rules
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import TARGET, Card, Face
from engine.games.diciassette.foresight import cards_forced_to_show_17
from engine.games.diciassette.state import State
from engine.games.diciassette.view import View
from engine.games.diciassette.view import view as view_of

T = TypeVar("T")

MIN_CHANCE: Final = 0.001
"""The chance shown for a game that seems lost: by the rules it never is lost (D17)."""

NEAREST_FIRST_CHANCE: Final = 0.9
"""The chance that the nearest of several players who see 17 comes first. They lose only if they are slower by more than
the call window. It is an assumption: the speed of people was not measured, and computer players are hardly ever slower
by so much."""


def chances(state: State) -> tuple[float, ...]:
    """Every seat's chance to win the game from *state*, with all cards open except the order of the draw pile; they add
    up to 1.

    Joint wins are shared. The chances are exact when the game is over. A call that is certain to come counts as made
    (``_states_after_calls``). If it ends the game and others may call too, the result is only nearly certain: somebody
    who does not see 17 may be first.
    """
    state = _state_after_forced_turn(state)
    seats, ways = len(state.hands), _states_after_calls(state)
    found = [
        sum(parts)
        for parts in zip(*([chance * it for it in _network_chances(after)] for chance, after in ways), strict=True)
    ]
    if len(state.may_call) > 1 and any(after.winners for _, after in ways):
        found = [MIN_CHANCE + (1 - seats * MIN_CHANCE) * it for it in found]
    return tuple(found)


def _network_chances(state: State) -> tuple[float, ...]:
    """Every seat's chance to win the game by the network alone, over the possible top cards of the draw pile; exact
    when the game is over."""
    seats = len(state.hands)
    if state.winners:
        return tuple([(seat in state.winners) / len(state.winners) for seat in range(seats)])
    import numpy as np  # records are checked without it

    from engine.games.diciassette.learnt import networks_for
    from engine.games.diciassette.open_features import features_by_top_card
    from engine.network import softmax

    rows, weights = features_by_top_card(state)
    each = softmax(networks_for(seats).critic(rows)[:, :seats]).astype(np.float64)
    relative = np.average(each / each.sum(axis=1, keepdims=True), axis=0, weights=weights)
    found = [0.0] * seats
    for step in range(seats):
        found[(state.turn + state.direction * step) % seats] = float(relative[step])
    return tuple(found)


def _states_after_calls(state: State) -> tuple[tuple[float, State], ...]:
    """The possible states after the next certain call, as (how likely, state); only *state* if no call is certain.

    The callers are all who see 17 and have no own trap in the queue (``first_caller_chances``). With only one such
    player: as ``apply_certain_calls``.
    """
    racing = [it for it in state.may_call if sees_17(state, it) and not has_own_trap(view_of(state, it))]
    if len(racing) > 1:
        assert state.last is not None
        with suppress(_NeedsShuffle):
            return tuple(
                [
                    (chance, apply_certain_calls(rules.apply(state, Call((seat,)), FORBIDDEN_CHANCE).state))
                    for seat, chance in first_caller_chances(racing, state.last, state.direction, len(state.hands))
                ]
            )
    return ((1.0, apply_certain_calls(state)),)


def _state_after_forced_turn(state: State) -> State:
    """The state after the next turn, if its player cannot avoid showing 17; otherwise, or if it needs a shuffle,
    *state* itself.

    They are forced as in ``cards_forced_to_show_17``. Ordinary cards are drawn, since nobody knows anything about the
    draw pile.
    """
    view = view_of(state, state.turn)
    if state.winners or view.visible_sum >= TARGET or not (cards := cards_forced_to_show_17(view)):
        return state
    usual = Counter(card for card in state.draw if card.number and not card.open_back).most_common(1)
    after = state._replace(draw=tuple(sorted(state.draw, key=lambda card: [card] != [it for it, _ in usual])))
    try:
        for card in cards:
            after = rules.apply(after, Play(state.turn, card, Face.DOWN), FORBIDDEN_CHANCE).state
    except _NeedsShuffle:
        return state
    return after


def first_caller_chances(callers: Sequence[Seat], last: Seat, direction: int, seats: int) -> list[tuple[Seat, float]]:
    """For each of *callers*, who all see 17 and call, how likely their call is the one that counts; nearest first,
    adding up to 1.

    It is that of the nearest after *last*, unless they are slower by more than the call window (D9); then that of the
    next one, and so on.
    """
    order = rules.seats_nearest_first(callers, last, direction, seats)
    chances = [NEAREST_FIRST_CHANCE * (1 - NEAREST_FIRST_CHANCE) ** place for place in range(len(order))]
    return [(seat, chance / sum(chances)) for seat, chance in zip(order, chances, strict=True)]


def apply_certain_calls(state: State) -> State:
    """The state after the calls that the player on turn is certain to make; *state* itself if there are none, or one
    needs a shuffle.

    A call is certain if they must call (D10), or if they see 17 and nobody else does. They come first (D9). If several
    see 17, the first caller is not certain (``_states_after_calls``). A player with an own trap in the queue, which
    would fire at them, is not certain to call either.

    Traps of others make no difference: in 600 two-player games, all players who saw 17 called, 1381 times, 655 of them
    with a trap lying face down. If the call needs a shuffle, *state* is returned unchanged.
    """
    while state.turn in state.may_call:
        seeing = [seat for seat in state.may_call if sees_17(state, seat)]
        if seeing != [state.turn] and (seeing or state.hands[state.turn]):
            break
        if state.hands[state.turn] and has_own_trap(view_of(state, state.turn)):
            break
        try:
            state = rules.apply(state, Call((state.turn,)), FORBIDDEN_CHANCE).state
        except _NeedsShuffle:
            break
    return state


def is_foregone(state: State, action: Action) -> bool:
    """Whether *action* was no decision: the call of somebody who must call (D10), or sees 17 and has no own trap in the
    queue."""
    if not isinstance(action, Call):
        return False
    assert state.last is not None
    caller = rules.priority_caller(action.seats, state.last, state.direction, len(state.hands))
    must = caller == state.turn and not state.hands[caller]
    return must or (sees_17(state, caller) and not has_own_trap(view_of(state, caller)))


def sees_17(state: State, seat: Seat) -> bool:
    """Whether the cards that *seat* can see in the queue add up to 17 or more."""
    return view_of(state, seat).visible_sum >= TARGET


def has_own_trap(view: View) -> bool:
    """Whether a trap of the viewer's own lies face down in the queue. They do not see those of others."""
    return any(it.card is Card.TRAP and it.face is Face.DOWN for it in view.queue)


class _NeedsShuffle(Exception):
    """The result depends on the shuffle of a pile."""


class _ForbiddenChance:
    """A source of chance that raises ``_NeedsShuffle`` at every use."""

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """Raise ``_NeedsShuffle``."""
        raise _NeedsShuffle

    def pick(self, name: str, n: int) -> int:
        """Raise ``_NeedsShuffle``."""
        raise _NeedsShuffle


FORBIDDEN_CHANCE: Final = _ForbiddenChance()
