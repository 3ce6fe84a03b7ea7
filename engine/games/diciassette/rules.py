"""The rules of 17, as printed and as ruled (D1-D19): dealing, playing, calling."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from engine.errors import General, IllegalAction
from engine.game import Chance, Seat, Step, build_namedtuple
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import DECK, HAND_SIZE, TARGET, VICTORIES_TO_WIN, Card, Face
from engine.games.diciassette.errors import Refused
from engine.games.diciassette.events import (
    Because,
    Called,
    CardsDrawn,
    CardTrashed,
    DirectionReversed,
    Doubled,
    Event,
    GameEnded,
    PenaltiesDiscarded,
    PileShuffled,
    Revealed,
    RoundStarted,
    Token,
    TokenGiven,
    TokenWithheld,
)
from engine.games.diciassette.laying import PLAY_RESULTS, REVEALED_CARDS
from engine.games.diciassette.state import ALL_SEATS, Laid, State

_UP: Final = Face.UP
_DOWN: Final = Face.DOWN
_TRASH: Final = Card.TRASH
_REVERSE: Final = Card.REVERSE
_X2: Final = Card.X2
_TRAP: Final = Card.TRAP
_VICTORY: Final = Token.VICTORY
_PENALTY: Final = Token.PENALTY
_BECAUSE_TRAP: Final = Because.TRAP
_BECAUSE_RIGHT: Final = Because.RIGHT_CALL
_BECAUSE_WRONG: Final = Because.WRONG_CALL
"""Enum members as constants: looking up a member costs more than comparing it, and every play compares four."""


def deal(seats: int, options: Mapping[str, str], chance: Chance) -> Step[State, Event]:
    """Deal a new game for 2-6 *seats*: three cards each, a shuffled draw pile, and a random starting player (D1,
    D4)."""
    deck = chance.shuffle(0, DECK)
    hands = tuple(deck[seat * HAND_SIZE : (seat + 1) * HAND_SIZE] for seat in range(seats))
    starter = Seat(chance.pick("starter", seats))
    state = State(
        ply=0,
        round=1,
        starter=starter,
        direction=1,
        turn=starter,
        owed=1,
        duty=1,
        doubled=False,
        last=None,
        draw=deck[seats * HAND_SIZE :],
        discard=(),
        queue=(),
        hands=hands,
        victory=(0,) * seats,
        penalty=(0,) * seats,
        shuffles=1,
        winners=(),
    )
    return Step(state, (PileShuffled(len(deck), deck), RoundStarted(1, starter)))


def queue_total(queue: tuple[Laid, ...]) -> int:
    """The sum of the numbers in *queue*; specials count 0 (D12, D13).

    >>> queue_total((Laid(Seat(0), Card.FIVE, Face.UP), Laid(Seat(1), Card.TRAP, Face.DOWN)))
    5
    """
    return sum([laid.card.number for laid in queue])


def scores(state: State) -> Sequence[tuple[int, int]]:
    """By seat, (victory tokens, minus penalty tokens). More of the first wins, then more of the second (D17)."""
    return [(won, -lost) for won, lost in zip(state.victory, state.penalty, strict=True)]


def apply(state: State, action: Action, chance: Chance) -> Step[State, Event]:
    """Apply a play or a call to *state* and return the new state and the events, or raise IllegalAction; *state* does
    not change.

    *chance* is used only to reshuffle the discard pile (D7).

    Raises:
        IllegalAction: the rules forbid it; *state* still holds.
    """
    match action:
        case Play():
            return _play_card(state, action, chance)
        case Call():
            return _resolve_call(state, action, chance)
        case _:
            assert_never(action)


def _play_card(state: State, action: Play, chance: Chance) -> Step[State, Event]:
    """Play a card, apply its effect, and at the end of the turn draw (D5-D7, D11): the new state and its events; or
    raise IllegalAction."""
    # By position, in the order of ``State``: access by name makes a move a sixth slower. A test checks the order.
    (ply, round_, starter, direction, turn, owed, duty, doubled, _last,
     draw, discard, queue, hands, victory, penalty, shuffles, winners) = state  # fmt: skip
    seat, card, face = action
    hand = list(hands[seat])
    if not hand:
        raise IllegalAction(Refused.MUST_CALL)
    try:
        hand.remove(card)
    except ValueError:
        raise IllegalAction(General.NOT_IN_HAND) from None

    played, laid = PLAY_RESULTS[action]
    events: list[Event] = [played]
    if face is _UP and card is _TRASH:
        discard, queue = _apply_trash(discard, queue, events)
    else:
        queue = (*queue, laid)
        if face is _UP:
            if card is _REVERSE:
                direction = -direction
                events.append(DirectionReversed(direction))
            elif card is _X2:
                doubled = True
                events.append(Doubled())

    owed -= 1
    if owed == 0 or not hand:
        # The turn is over: draw as many cards as it had to play (D6). The next player follows in the current direction.
        if len(draw) >= duty:
            drawn, draw = draw[:duty], draw[duty:]
        else:
            draw, discard, drawn, shuffles = _draw_cards(duty, draw, discard, shuffles, chance, events)
        if drawn:
            hand += drawn
            events.append(build_namedtuple(CardsDrawn, (seat, drawn)))
        seats = len(hands)
        turn = ALL_SEATS[seats][(turn + direction) % seats]
        duty = owed = 2 if doubled else 1
        doubled = False
    after_hands = list(hands)
    after_hands[seat] = tuple(hand)
    after = build_namedtuple(State, (
        ply + 1, round_, starter, direction, turn, owed, duty, doubled, seat,
        draw, discard, queue, tuple(after_hands), victory, penalty, shuffles, winners,
    ))  # fmt: skip
    step: Step[State, Event] = build_namedtuple(Step, (after, tuple(events)))
    return step


def _apply_trash(
    discard: tuple[Card, ...], queue: tuple[Laid, ...], events: list[Event]
) -> tuple[tuple[Card, ...], tuple[Laid, ...]]:
    """The discard pile and the queue after a face-up Trash has taken the queue's top card, if there is one (D11);
    appends that to *events*.

    With an empty queue only the Trash itself is discarded.
    """
    if not queue:
        return (*discard, Card.TRASH), queue
    victim = queue[-1]
    events.append(CardTrashed(*victim))
    return (*discard, victim.card, Card.TRASH), queue[:-1]


def _draw_cards(
    count: int,
    draw: tuple[Card, ...],
    discard: tuple[Card, ...],
    shuffles: int,
    chance: Chance,
    events: list[Event],
) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...], int]:
    """Draw *count* cards, or as many as there are (D7), and return draw pile, discard pile, drawn cards and number of
    shuffles after it.

    A shuffle is added to *events*; the draw itself is not.
    """
    if len(draw) >= count:
        return draw[count:], discard, draw[:count], shuffles
    drawn = draw
    draw = ()
    if discard:
        draw = chance.shuffle(shuffles, discard)
        events.append(PileShuffled(len(draw), draw))
        shuffles += 1
        discard = ()
    missing = count - len(drawn)
    return draw[missing:], discard, drawn + draw[:missing], shuffles


def priority_caller(seats: tuple[Seat, ...], last: Seat, direction: int, seat_count: int) -> Seat:
    """The caller who counts: the nearest of *seats* in turn order after *last*, at a table of *seat_count* seats (D9).

    >>> priority_caller((Seat(3), Seat(1)), last=Seat(2), direction=1, seat_count=4)
    3
    >>> priority_caller((Seat(3), Seat(1)), last=Seat(2), direction=-1, seat_count=4)
    1
    """
    return seats_nearest_first(seats, last, direction, seat_count)[0]


def seats_nearest_first(seats: Iterable[Seat], last: Seat, direction: int, seat_count: int) -> list[Seat]:
    """*seats* sorted by turn order after *last*, at a table of *seat_count* seats (D9)."""
    return sorted(seats, key=lambda seat: (seat - last) * direction % seat_count)


def _resolve_call(state: State, action: Call, chance: Chance) -> Step[State, Event]:
    """Reveal the queue, give tokens for the call that counts, then start the next round or end the game (D8, D9,
    D13-D18): the new state and its events; or raise IllegalAction."""
    last, queue, seats = state.last, state.queue, action.seats
    everybody, different = ALL_SEATS[len(state.hands)], set(seats)
    if not seats or len(different) < len(seats) or not different.issubset(everybody):
        raise IllegalAction(General.MALFORMED)
    if last is None:
        raise IllegalAction(General.NOTHING_TO_CALL)
    if not state.between_turns:
        raise IllegalAction(Refused.MID_TURN)
    if last in seats:
        raise IllegalAction(Refused.OWN_TURN_JUST_ENDED)

    caller = seats[0] if len(seats) == 1 else priority_caller(seats, last, state.direction, len(everybody))
    value = queue_total(queue)
    events: list[Event] = [
        build_namedtuple(Called, (caller, last, tuple([seat for seat in seats if seat != caller]))),
        build_namedtuple(Revealed, (tuple([REVEALED_CARDS[laid] for laid in queue]), value)),
    ]
    tokens = Tokens(state.victory, state.penalty, events)
    for laid in queue:
        if laid.card is _TRAP and laid.face is _DOWN:
            tokens.give_victory(laid.seat, _BECAUSE_TRAP)
            tokens.give_penalty(caller, _BECAUSE_TRAP)
    if value >= TARGET:
        starter = caller
        tokens.give_penalty(last, _BECAUSE_RIGHT)
        tokens.give_victory(caller, _BECAUSE_RIGHT)
    else:
        starter = last
        tokens.give_victory(last, _BECAUSE_WRONG)
        tokens.give_penalty(caller, _BECAUSE_WRONG)

    if winners := tokens.winners():
        events.append(GameEnded(winners))
        victory, penalty = tuple(tokens.victory), tuple(tokens.penalty)
        over = state._replace(ply=state.ply + 1, victory=victory, penalty=penalty, winners=winners)
        return Step(over, tuple(events))
    return _start_next_round(state, tokens, starter, chance, events)


class Tokens:
    """All players' victory and penalty tokens while those of one call are given, one after the other (D14-D17). Adds to
    *events*."""

    __slots__ = ("_events", "_rewarded", "penalty", "victory")

    def __init__(self, victory: Sequence[int], penalty: Sequence[int], events: list[Event]) -> None:
        self.victory = list(victory)
        self.penalty = list(penalty)
        self._rewarded: set[Seat] = set()
        self._events = events

    def give_victory(self, seat: Seat, because: Because) -> None:
        """Give *seat* a victory token, unless this call has already given it one (D15); adds an event either way."""
        if seat in self._rewarded:  # ruling D15
            self._events.append(TokenWithheld(seat, because))
            return
        self._rewarded.add(seat)
        self.victory[seat] += 1
        self._events.append(build_namedtuple(TokenGiven, (seat, _VICTORY, because)))

    def give_penalty(self, seat: Seat, because: Because) -> None:
        """Give *seat* a penalty token; a second one discards both and takes a victory token, if it has one (D16). Adds
        the events."""
        self.penalty[seat] += 1
        self._events.append(build_namedtuple(TokenGiven, (seat, _PENALTY, because)))
        if self.penalty[seat] == 2:  # ruling D16
            self.penalty[seat] = 0
            lost = self.victory[seat] > 0
            self.victory[seat] -= lost
            self._events.append(PenaltiesDiscarded(seat, lost))

    def winners(self) -> tuple[Seat, ...]:
        """The winners: who has three victory tokens and, of these, the fewest penalties; empty while nobody has
        (D17)."""
        if max(self.victory) < VICTORIES_TO_WIN:
            return ()
        ahead = [Seat(seat) for seat, tokens in enumerate(self.victory) if tokens >= VICTORIES_TO_WIN]
        fewest = min(self.penalty[seat] for seat in ahead)
        return tuple(seat for seat in ahead if self.penalty[seat] == fewest)


def _start_next_round(
    state: State, tokens: Tokens, starter: Seat, chance: Chance, events: list[Event]
) -> Step[State, Event]:
    """Start the next round: discard the queue, refill short hands clockwise from *starter*, who leads (D18, D18a);
    return the new state and *events* with its own.

    The result has the given *tokens*.
    """
    draw, shuffles, round_ = state.draw, state.shuffles, state.round + 1
    discard = state.discard + tuple([laid.card for laid in state.queue])
    hands = list(state.hands)
    everybody = ALL_SEATS[len(hands)]
    for seat in everybody[starter:] + everybody[:starter]:
        missing = HAND_SIZE - len(hands[seat])
        if missing > 0:
            draw, discard, drawn, shuffles = _draw_cards(missing, draw, discard, shuffles, chance, events)
            hands[seat] += drawn
            events.append(CardsDrawn(seat, drawn))
    events.append(build_namedtuple(RoundStarted, (round_, starter)))
    after = build_namedtuple(State, (
        state.ply + 1, round_, starter, 1, starter, 1, 1, False, None,
        draw, discard, (), tuple(hands), tuple(tokens.victory), tuple(tokens.penalty), shuffles, (),
    ))  # fmt: skip
    step: Step[State, Event] = build_namedtuple(Step, (after, tuple(events)))
    return step
