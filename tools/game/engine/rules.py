"""The rules of Zebra: dealing, and what plays lead to (ZZ1-ZZ4)."""

from collections.abc import Mapping, Sequence

from engine.errors import General, IllegalAction
from engine.game import Chance, Seat, Step
from engine.games.zebra.actions import Action, Play
from engine.games.zebra.cards import DECK
from engine.games.zebra.errors import Refused
from engine.games.zebra.events import Event, GameEnded, Played, Shuffled, Started, TrickTaken
from engine.games.zebra.state import State
from engine.games.zebra.view import playable


def deal(seats: int, options: Mapping[str, str], chance: Chance) -> Step[State, Event]:
    """A new game for *seats* players, who get as many cards each as the option says (ZZ1)."""
    size = int(options["cards"])
    deck = chance.shuffle(0, DECK)
    hands = tuple(tuple(sorted(deck[seat * size : (seat + 1) * size])) for seat in range(seats))
    first = Seat(chance.pick("first", seats))
    aside = tuple(sorted(deck[seats * size :]))
    state = State(ply=0, turn=first, trick=(), hands=hands, aside=aside, tricks=(0,) * seats, winners=())
    return Step(state, (Shuffled(deck), Started(first)))


def scores(state: State) -> Sequence[tuple[int, int]]:
    """By seat, (tricks, 0): most tricks win (ZZ4)."""
    return [(won, 0) for won in state.tricks]


def apply(state: State, action: Action, chance: Chance) -> Step[State, Event]:
    """The step that *action* leads to, with the end of the trick and of the game if they are due.

    Raises:
        IllegalAction: the rules forbid it; *state* still holds.
    """
    seat, card = action
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalAction(General.NOT_IN_HAND)
    if card not in playable(hand, state.trick):
        raise IllegalAction(Refused.MUST_BEAT)
    events: list[Event] = [Played(seat, card)]
    left = tuple(held for held in hand if held != card)
    after = state._replace(
        ply=state.ply + 1,
        turn=Seat((seat + 1) % len(state.hands)),
        trick=(*state.trick, Play(seat, card)),
        hands=(*state.hands[:seat], left, *state.hands[seat + 1 :]),
    )
    if len(after.trick) == len(after.hands):
        after = _end_trick(after, events)
    return Step(after, tuple(events))


def _end_trick(state: State, events: list[Event]) -> State:
    """Give the trick to the highest card (ZZ3); after the last trick end the game.

    Adds to *events*.
    """
    seat, card = max(state.trick, key=lambda play: play.card)
    events.append(TrickTaken(seat, card))
    tricks = tuple(won + (other == seat) for other, won in enumerate(state.tricks))
    gone = tuple(sorted((*state.aside, *(play.card for play in state.trick))))
    after = state._replace(turn=seat, trick=(), aside=gone, tricks=tricks)
    if any(after.hands):
        return after
    winners = tuple(Seat(other) for other, won in enumerate(tricks) if won == max(tricks))
    events.append(GameEnded(winners))
    return after._replace(winners=winners)
