"""The coach of 17: the chances to win, the best action of a seat, and what lies face down.

The numbers come from networks that learnt from self-play: they are chances against players that use the trained network
alone, as the strongest computer player does with three and more players.
"""

from itertools import pairwise
from typing import Final, NamedTuple

from engine.game import RatedAction, Seat, Step
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import TARGET, VICTORIES_TO_WIN, Face
from engine.games.diciassette.events import Event
from engine.games.diciassette.memory import Memory
from engine.games.diciassette.odds import Pool
from engine.games.diciassette.odds import hidden_sum_and_trap_odds as odds_of
from engine.games.diciassette.outlook import MIN_CHANCE, chances, has_own_trap, is_foregone
from engine.games.diciassette.state import State
from engine.games.diciassette.view import View

__all__ = ["LOST", "Insight", "chances", "is_foregone", "insight", "rated_actions", "chances_before_deal"]
LOST: Final = {
    2: (0.105, 0.083, 0.070, 0.054, 0.036, 0.016),
    4: (0.038, 0.031, 0.026, 0.018, 0.016, 0.008),
    6: (0.054, 0.052, 0.050, 0.031, 0.028, 0.022),
}
"""As ``engine.game.Coach.LOST``, by ``python -m engine.train.grades diciassette`` (100 games each; of six players 40).
Of six, levels 1 to 3 lose the same, 0.052."""


MAX_BELIEF_FACTOR: Final = 2.0
"""The believed odds of 17 are at most this many times the odds from counting cards. Where the network said more than
three times as likely, and 10 to 30 %, it was 1 to 2 times as likely, in 1130 games of computer players of levels 3 to
6."""


UNLIKELY_CALL: Final = 0.1
"""A call with a smaller chance to be right is said to be best only if it gains ``MIN_CALL_GAIN``."""
MIN_CALL_GAIN: Final = 0.05
"""The gain in the chance to win that an unlikely call needs over every other action. The value of calls is not exact to
some points."""


CLEAR_COST: Final = 0.12
"""From this difference on, the networks measure correctly how much better one card is than another. Of 14,494 cards
drawn by lot in games of two, three and four otherwise strong players, those that were said to cost 14 points (10 to 20)
cost 14 +- 2, those that were said to cost 7 (5 to 10) 5 +- 1, those that were said to cost 3 (2 to 5) 1 +- 1."""


HIGHEST_NUMBER: Final = 5
"""The highest number of a card."""


class Insight(NamedTuple):
    """What a player should believe about the queue: how likely it holds 17 or more, and what a call would bring."""

    odds: float
    """The chance from counting cards: as if the hidden cards were any that the player had not seen since the last
    shuffle."""
    believed: float
    """The chance that a good player believes, who knows which cards people lay face down, and when."""
    trapped: bool = False
    """Whether a trap of the player's own lies there face down: it would fire at them too."""
    total: int | None = None
    """The sum, if nothing was hidden from the player."""
    fatal: bool = False
    """Whether a wrong call would end the game: the player of the last card needs one victory token (D16)."""
    silent: bool = False
    """Whether somebody else who hid a card could have called since, and did not."""
    right: float = 0.0
    """The chance to win the game after the call if it is right."""
    wrong: float = 0.0
    """The chance to win the game after the call if it is wrong."""
    snare: bool = False
    """Whether somebody who needs one victory token has a hidden card there: if it is a trap, a call would win them the
    game."""
    counted: bool = False
    """Whether the result is certain only for a player who remembers the cards that they have seen."""


def chances_before_deal(step: Step[State, Event]) -> None:
    """Always ``None``: hands are kept from round to round (D18), so no deal can be told apart from the action before
    it."""


def rated_actions(view: View, seat: Seat, memory: Memory | None) -> tuple[RatedAction[Action], ...]:
    """Every action that *seat* may take now, each with its chance to win after it, best first; empty if it may do
    nothing.

    The chance is what the seat can know; *memory* is what it remembers. Off turn the actions are to call, and ``None``
    for not calling.
    """
    may_call = seat in view.may_call
    on_turn = view.turn == seat and not view.winners
    if not on_turn and not may_call:
        return ()
    from engine.games.diciassette.calling import (
        play_value_if_17_shown,
        value_of_not_calling,
        view_and_memory_after_first_of_two,
        win_chances_by_call_correctness,
    )
    from engine.games.diciassette.choices import PASS, PLACES, Choice
    from engine.games.diciassette.features import GUESS, features
    from engine.games.diciassette.learnt import networks_for
    from engine.network import sigmoid

    seen = features(view, memory)
    advice = sigmoid(networks_for(view.seats).advisor(seen))
    after = advice[:-1]
    found: list[RatedAction[Action]] = []
    guessed = set[Action]()
    if on_turn:
        for card in dict.fromkeys(view.hand):
            for face in Face:
                play, place = (
                    Play(seat, card, face),
                    PLACES[Choice(card, hidden=face is Face.DOWN and not card.open_back)],
                )
                if (next_card := view_and_memory_after_first_of_two(view, memory, play)) is not None:
                    chance = rated_actions(next_card[0], seat, next_card[1])[0].chance
                elif (seen_by_all := play_value_if_17_shown(view, memory, play)) is not None:
                    chance = seen_by_all
                else:
                    chance = float(after[place])
                    guessed.add(play)
                found.append(RatedAction(play, chance))
        best = max((option.chance for option in found), default=0.0)
        for at, option in enumerate(found):
            if option.action in guessed:
                found[at] = option._replace(chance=best - _correct_predicted_cost(best - option.chance))
    else:
        left = value_of_not_calling(view, seat, memory) if may_call else None
        found.append(RatedAction(None, float(after[PASS]) if left is None else max(MIN_CHANCE, left)))
    if may_call:
        told = _limit_believed_chance_of_17(view, memory, float(advice[-1]))
        chance = win_chances_by_call_correctness(view, seat, memory).expected(
            told
        )  # not the network's value of the call, which does not agree with the belief
        others = max((option.chance for option in found), default=None)
        futile = others is not None and bool(seen[GUESS + 3] > 0)
        if others is not None and (futile or (told < UNLIKELY_CALL and chance < others + MIN_CALL_GAIN)):
            chance = min(chance, others)
        found.append(RatedAction(Call((seat,)), chance, futile))
    found.sort(key=lambda option: -option.chance)
    return tuple(found if found[0].chance else [option._replace(chance=MIN_CHANCE) for option in found])


def _correct_predicted_cost(cost: float) -> float:
    """Turn the *cost* of playing a card that the networks say into the cost that was measured: small ones count less.

    The cost is the difference from the best card.

    >>> [round(_correct_predicted_cost(cost), 4) for cost in (0.0, 0.03, 0.06, 0.12, 0.2)]
    [0.0, 0.0075, 0.03, 0.12, 0.2]
    """
    return cost * min(1.0, cost / CLEAR_COST)


def believed_chance_of_17(view: View, seat: Seat, memory: Memory | None) -> float:
    """The chance that the queue holds 17 or more, as a good player in *seat* who remembers *memory* believes.

    ``card_counting_chance_of_17`` takes hidden cards for random ones; this belief knows what people lay face down,
    and when.
    """
    assert view.seat == seat
    from engine.games.diciassette.features import features
    from engine.games.diciassette.learnt import networks_for
    from engine.network import sigmoid

    return _limit_believed_chance_of_17(
        view, memory, float(sigmoid(networks_for(view.seats).advisor(features(view, memory))[-1]))
    )


def _limit_believed_chance_of_17(view: View, memory: Memory | None, network_chance: float) -> float:
    """The believed chance that the queue holds 17: the network's, but at most twice the odds from counting cards. The
    limit is ``MAX_BELIEF_FACTOR``; the network's chance is *network_chance*, and the viewer remembers *memory*."""
    odds = card_counting_chance_of_17(view, memory)
    return (
        odds
        if odds in (0, 1)
        else min(network_chance, MAX_BELIEF_FACTOR * odds / (1 - odds + MAX_BELIEF_FACTOR * odds))
    )


def card_counting_chance_of_17(view: View, memory: Memory | None) -> float:
    """The chance that the queue holds 17, from counting cards alone: hidden cards may be any that the viewer has not
    seen. *memory* holds what it remembers of the discard pile since the last shuffle."""
    if view.visible_sum >= TARGET:
        return 1.0
    from engine.games.diciassette.features import unseen_plain_backed_counts

    *numbers, reverse, trash, x2, trap = unseen_plain_backed_counts(view, memory)
    pool = Pool(tuple(numbers), trap, reverse + trash + x2)
    return odds_of(pool, view.hidden_count).reaches[TARGET - view.visible_sum]


def insight(view: View, seat: Seat, memory: Memory | None) -> Insight | None:
    """What *seat* should believe about the queue: how likely it holds 17, and what a call brings; ``None`` if it may
    not call. *memory* is what it remembers (D8)."""
    if seat not in view.may_call:
        return None
    own = has_own_trap(view)
    # Whoever played last gets a penalty token for a right call; with a second one they lose a victory token (D16).
    near = any(
        it.card is None
        and view.victory[it.seat] == VICTORIES_TO_WIN - 1
        and not (it.seat == view.last and view.penalty[it.seat])
        for it in view.queue
    )
    fatal = view.last is not None and view.victory[view.last] == VICTORIES_TO_WIN - 1
    # Where a wrong call is the end anyway, a trap makes a difference only if the other cards can make 17.
    snare = near and (not fatal or view.visible_sum + HIGHEST_NUMBER * (view.hidden_count - 1) >= TARGET)
    from engine.games.diciassette.calling import win_chances_by_call_correctness

    right, wrong = win_chances_by_call_correctness(view, seat, memory)
    if not view.hidden_count:
        certain = float(view.visible_sum >= TARGET)
        return Insight(certain, certain, own, view.visible_sum, fatal, right=right, wrong=wrong)
    odds, thought = card_counting_chance_of_17(view, memory), believed_chance_of_17(view, seat, memory)
    least, most = view.visible_sum, view.visible_sum + HIGHEST_NUMBER * view.hidden_count
    remembered = odds in (0, 1) and least < TARGET <= most
    return Insight(odds, thought, own, None, fatal, _hider_did_not_call(view), right, wrong, snare, remembered)


def _hider_did_not_call(view: View) -> bool:
    """Whether somebody who hid a card from the viewer did not call later, though they could have and 17 was possible.

    While the same player goes on, as after the first of two cards (x2), perhaps nobody could call.
    """
    hid = set[Seat]()
    most = 0
    for seen, following in pairwise(view.queue):
        hidden = seen.card is None or (seen.face is Face.DOWN and not seen.card.open_back)
        most += HIGHEST_NUMBER if hidden or seen.card is None else seen.card.number
        if most >= TARGET and following.seat != seen.seat and any(owner != seen.seat for owner in hid):
            return True
        if seen.card is None:
            hid.add(seen.seat)
    return False
