"""The computer player of 17, which sees only its view and remembers what it has witnessed.

A small network, trained by self-play, gives every choice a chance, and the player chooses at random by these
chances: so its actions do not reveal its cards. In a two-player game, good players also search: they play every choice
through in worlds that agree with what they have witnessed (``search``). The weaker levels are the same player with
human weaknesses (``styles``).

It never calls where it knows that 17 is impossible, unless it must (D10).
"""

from random import Random
from typing import TYPE_CHECKING, Final

from engine.game import Seat
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import TARGET, Face
from engine.games.diciassette.memory import Memory
from engine.games.diciassette.view import View

if TYPE_CHECKING:
    from engine.games.diciassette.styles import Style

LEVELS: Final = 6
"""The number of levels; 1 is the weakest, and this one the strongest."""


def decide(view: View, seat: Seat, rng: Random, level: int = LEVELS, memory: Memory | None = None) -> Action | None:
    """The action that the computer player of *level* chooses in *seat*; ``None`` if it does not call (off turn only);
    or raise ValueError if there is no such level.

    *memory* is what it remembers.

    The same view, memory and state of *rng* give the same action. Without a memory it knows of no earlier step.

    Raises:
        ValueError: there is no such *level*.
    """
    from engine.games.diciassette.styles import style_of  # here, since records are checked without numpy

    if not 1 <= level <= LEVELS:
        raise ValueError(f"no level {level}: 1 to {LEVELS}")
    return choose_action(view, seat, rng, style_of(level, view.seats), memory)


def choose_action(view: View, seat: Seat, rng: Random, style: "Style", memory: Memory | None) -> Action | None:
    """The action that a computer player of any *style* chooses in *seat*; ``None`` if it does not call (off turn
    only)."""
    found = choice_chances(view, seat, rng, style, memory)
    if found is None:
        return Call((seat,)) if view.turn == seat else None
    places, chances = found
    (chosen,) = rng.choices(places, chances)
    return choice_to_action(chosen, seat)


def choice_chances(
    view: View, seat: Seat, rng: Random, style: "Style", memory: Memory | None
) -> tuple[list[int], list[float]] | None:
    """The choices (by number) that a computer player of any *style* considers in *seat*, and the chance with which it
    makes each. ``None`` if there is no choice: it must call on turn, and cannot or would not call off turn."""
    import numpy as np

    from engine.games.diciassette.features import GUESS, features
    from engine.games.diciassette.learnt import networks_for
    from engine.games.diciassette.search import search_choice_values

    on_turn = view.turn == seat
    if (not view.hand) if on_turn else (seat not in view.may_call):
        return None
    seen = features(view, memory if style.remembers else None)
    impossible = seen[GUESS + 3] > 0
    if not on_turn and impossible:
        return None
    errors = np.array([rng.gauss(0, 1)], np.float32)
    seen = style.perceived_features(seen[None], errors)
    networks = networks_for(view.seats)
    logits = style.adjusted_logits(networks.policy(seen), seen)
    places = considered_choices(view, seat, impossible=impossible)
    allowed = np.zeros(logits.shape, bool)
    allowed[0, places] = True
    uncertain = on_turn and len(places) > 1 and view.visible_sum < TARGET
    if style.worlds and memory is not None and uncertain and view.seats == 2:
        judges = (networks.master_logits, networks.critic)
        found = search_choice_values(view, seat, memory, places, judges, style.worlds, rng, style.most_actions)
        if found is not None:
            worth = np.zeros(logits.shape, np.float32)
            worth[0, places] = found
            logits = style.logits_after_search(logits, worth, allowed)
    return places, style.choice_chances(logits, allowed)[0, places].tolist()


def considered_choices(view: View, seat: Seat, *, impossible: bool) -> list[int]:
    """The choices (by number) that *seat* considers: on turn every play, off turn not to call; and to call if it may
    and 17 is not *impossible*."""
    from engine.games.diciassette.choices import CALL, PASS, PLACES, Choice

    places = [PASS]
    if view.turn == seat:
        held = dict.fromkeys(view.hand)
        places = [PLACES[Choice(card, hidden=False)] for card in held]
        places += [PLACES[Choice(card, hidden=True)] for card in held if not card.open_back]
    if seat in view.may_call and not impossible:
        places.append(CALL)
    return places


def choice_to_action(chosen: int, seat: Seat) -> Action | None:
    """The action of *seat* for the choice number *chosen*; ``None`` if it is not to call."""
    from engine.games.diciassette.choices import CALL, PASS, PLAYS

    if chosen == PASS:
        return None
    if chosen == CALL:
        return Call((seat,))
    card, hidden = PLAYS[chosen]
    return Play(seat, card, Face.DOWN if hidden else Face.UP)
