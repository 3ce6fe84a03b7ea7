"""The rules of Zebra, as ruled (ZZ1-ZZ4): dealing, and what plays lead to."""

from collections.abc import Mapping, Sequence

from engine.errors import General, IllegalAction
from engine.game import Chance, Seat, Step
from engine.games.zebra.actions import Action, Play
from engine.games.zebra.cards import DECK, HAND_SIZE
from engine.games.zebra.errors import Refused
from engine.games.zebra.events import Event, GameEnded, Played, Shuffled, Started, TrickTaken
from engine.games.zebra.state import State
from engine.games.zebra.view import playable


def deal(seats: int, options: Mapping[str, str], chance: Chance) -> Step[State, Event]:
    """Everybody gets three cards, the rest is set aside unseen; who leads is drawn (ZZ1)."""
    deck = chance.shuffle(0, DECK)
    hands = tuple(tuple(sorted(deck[seat * HAND_SIZE : (seat + 1) * HAND_SIZE])) for seat in range(seats))
    first = Seat(chance.pick("first", seats))
    aside = tuple(sorted(deck[seats * HAND_SIZE :]))
    state = State(ply=0, turn=first, trick=(), hands=hands, aside=aside, tricks=(0,) * seats, winners=())
    return Step(state, (Shuffled(deck), Started(first)))


def scores(state: State) -> Sequence[tuple[int, int]]:
    """By seat: most tricks first (ZZ4)."""
    return [(won, 0) for won in state.tricks]


def apply(state: State, action: Action, chance: Chance) -> Step[State, Event]:
    """What *action* leads to; the end of a trick and of the game are part of it.

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
    """The highest card takes the trick (ZZ3); after the last one the most tricks win (ZZ4)."""
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
