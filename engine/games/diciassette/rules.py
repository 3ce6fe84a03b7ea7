"""The rules of 17, as printed and as ruled (D1-D19): dealing, playing, calling."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from engine.errors import General, IllegalAction
from engine.game import Chance, Seat, Step, made
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import DECK, HAND_SIZE, TARGET, VICTORIES_TO_WIN, Card, Face
from engine.games.diciassette.errors import Refused
from engine.games.diciassette.events import (
    Because,
    Called,
    CardPlayed,
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
    Turned,
)
from engine.games.diciassette.state import Laid, State

_UP: Final = Face.UP
_TRASH: Final = Card.TRASH
_REVERSE: Final = Card.REVERSE
_X2: Final = Card.X2
"""Constants, since looking up a member of an enum costs more than comparing it, and every play compares four."""


def deal(seats: int, options: Mapping[str, str], chance: Chance) -> Step[State, Event]:
    """A new game for *seats* players (2-6): each is dealt three cards, and the starting player is drawn (D1, D4)."""
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


def total(queue: tuple[Laid, ...]) -> int:
    """Sum of the numbers in *queue*; specials count 0 (D12, D13).

    >>> total((Laid(Seat(0), Card.FIVE, Face.UP), Laid(Seat(1), Card.TRAP, Face.DOWN)))
    5
    """
    return sum(laid.card.number for laid in queue)


def scores(state: State) -> Sequence[tuple[int, int]]:
    """By seat, (victory tokens, minus penalty tokens): more of the first wins, then more of the second (D17)."""
    return [(won, -lost) for won, lost in zip(state.victory, state.penalty, strict=True)]


def apply(state: State, action: Action, chance: Chance) -> Step[State, Event]:
    """The step that *action* leads to. *chance* is used only to reshuffle the discard pile (D7).

    Raises:
        IllegalAction: the rules forbid it; *state* still holds.
    """
    match action:
        case Play():
            return _play(state, action, chance)
        case Call():
            return _call(state, action, chance)
        case _:
            assert_never(action)


def _play(state: State, action: Play, chance: Chance) -> Step[State, Event]:
    """Play a card: its effect, and at the end of the turn the draw and the next player's turn (D5-D7, D11)."""
    # By position, in the order of ``State``: access by name makes a move a sixth slower. A test checks the order.
    (ply, round_, starter, direction, turn, owed, duty, doubled, _last,
     draw, discard, queue, hands, victory, penalty, shuffles, winners) = state  # fmt: skip
    seat, card, face = action
    hand = hands[seat]
    if not hand:
        raise IllegalAction(Refused.MUST_CALL)
    try:
        held_at = hand.index(card)
    except ValueError:
        raise IllegalAction(General.NOT_IN_HAND) from None

    events: list[Event] = [made(CardPlayed, action)]
    hand = hand[:held_at] + hand[held_at + 1 :]
    if face is _UP and card is _TRASH:
        discard, queue = _trash(discard, queue, events)
    else:
        queue = (*queue, made(Laid, action))
        if face is _UP:
            if card is _REVERSE:
                direction = -direction
                events.append(DirectionReversed(direction))
            elif card is _X2:
                doubled = True
                events.append(Doubled())

    owed -= 1
    if owed == 0 or not hand:
        # The turn is over: draw as many as it owed (D6); the next player is found in the direction valid now.
        if len(draw) >= duty:
            drawn, draw = draw[:duty], draw[duty:]
        else:
            draw, discard, drawn, shuffles = _draw(duty, draw, discard, shuffles, chance, events)
        hand += drawn
        if drawn:
            events.append(made(CardsDrawn, (seat, drawn)))
        turn = Seat((turn + direction) % len(hands))
        duty = owed = 2 if doubled else 1
        doubled = False
    hands = hands[:seat] + (hand,) + hands[seat + 1 :]
    after = made(State, (
        ply + 1, round_, starter, direction, turn, owed, duty, doubled, seat,
        draw, discard, queue, hands, victory, penalty, shuffles, winners,
    ))  # fmt: skip
    step: Step[State, Event] = made(Step, (after, tuple(events)))
    return step


def _trash(
    discard: tuple[Card, ...], queue: tuple[Laid, ...], events: list[Event]
) -> tuple[tuple[Card, ...], tuple[Laid, ...]]:
    """(discard pile, queue) after a face-up Trash (D11): with an empty queue only the Trash itself goes. Adds to
    *events*."""
    if not queue:
        return (*discard, Card.TRASH), queue
    victim = queue[-1]
    events.append(CardTrashed(*victim))
    return (*discard, victim.card, Card.TRASH), queue[:-1]


def _draw(
    count: int,
    draw: tuple[Card, ...],
    discard: tuple[Card, ...],
    shuffles: int,
    chance: Chance,
    events: list[Event],
) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...], int]:
    """Draw *count* cards, or all there are: (draw pile, discard pile, cards drawn, shuffles so far) after it (D7).

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


def priority(seats: tuple[Seat, ...], last: Seat, direction: int, table: int) -> Seat:
    """The caller who counts: nearest in turn order after *last* at a table of *table* seats (D9).

    >>> priority((Seat(3), Seat(1)), last=Seat(2), direction=1, table=4)
    3
    >>> priority((Seat(3), Seat(1)), last=Seat(2), direction=-1, table=4)
    1
    """
    return min(seats, key=lambda seat: (seat - last) * direction % table)


def _call(state: State, action: Call, chance: Chance) -> Step[State, Event]:
    """End the round by a call: who counts, the reveal, the tokens, the next round or the end (D8, D9, D13-D18)."""
    last, seats = state.last, action.seats
    if not seats or len(set(seats)) < len(seats) or not set(seats) <= set(range(len(state.hands))):
        raise IllegalAction(General.MALFORMED)
    if last is None:
        raise IllegalAction(General.NOTHING_TO_CALL)
    if not state.between_turns:
        raise IllegalAction(Refused.MID_TURN)
    if last in seats:
        raise IllegalAction(Refused.OWN_TURN_JUST_ENDED)

    caller = priority(seats, last, state.direction, len(state.hands))
    value = total(state.queue)
    events: list[Event] = [
        Called(caller, last, tuple(seat for seat in seats if seat != caller)),
        Revealed(tuple(Turned(*laid) for laid in state.queue), value),
    ]
    tokens = _Tokens(state, events)
    for laid in state.queue:
        if laid.card is Card.TRAP and laid.face is Face.DOWN:
            tokens.give_victory(laid.seat, Because.TRAP)
            tokens.give_penalty(caller, Because.TRAP)
    if value >= TARGET:
        tokens.give_penalty(last, Because.RIGHT_CALL)
        tokens.give_victory(caller, Because.RIGHT_CALL)
    else:
        tokens.give_victory(last, Because.WRONG_CALL)
        tokens.give_penalty(caller, Because.WRONG_CALL)

    scored = state._replace(ply=state.ply + 1, victory=tuple(tokens.victory), penalty=tuple(tokens.penalty))
    if winners := _winners(scored):
        events.append(GameEnded(winners))
        return Step(scored._replace(winners=winners), tuple(events))
    return _next_round(scored, caller if value >= TARGET else last, chance, events)


class _Tokens:
    """Everybody's tokens while those of one round are given, one after the other (D14-D16); adds to *events*."""

    def __init__(self, state: State, events: list[Event]) -> None:
        self.victory = list(state.victory)
        self.penalty = list(state.penalty)
        self._rewarded: set[Seat] = set()
        self._events = events

    def give_victory(self, seat: Seat, because: Because) -> None:
        """Give *seat* a victory token, unless it has had one in this round."""
        if seat in self._rewarded:  # ruling D15
            self._events.append(TokenWithheld(seat, because))
            return
        self._rewarded.add(seat)
        self.victory[seat] += 1
        self._events.append(TokenGiven(seat, Token.VICTORY, because))

    def give_penalty(self, seat: Seat, because: Because) -> None:
        """Give *seat* a penalty token; a second one is paid for at once."""
        self.penalty[seat] += 1
        self._events.append(TokenGiven(seat, Token.PENALTY, because))
        if self.penalty[seat] == 2:  # ruling D16
            self.penalty[seat] = 0
            lost = self.victory[seat] > 0
            self.victory[seat] -= lost
            self._events.append(PenaltiesDiscarded(seat, lost))


def _winners(state: State) -> tuple[Seat, ...]:
    """Of the seats with three victory tokens those with the fewest penalty tokens; empty: there are none (D17)."""
    ahead = [seat for seat, tokens in enumerate(state.victory) if tokens >= VICTORIES_TO_WIN]
    if not ahead:
        return ()
    fewest = min(state.penalty[seat] for seat in ahead)
    return tuple(Seat(seat) for seat in ahead if state.penalty[seat] == fewest)


def _next_round(state: State, starter: Seat, chance: Chance, events: list[Event]) -> Step[State, Event]:
    """Start the next round: discard the queue, refill short hands clockwise from *starter*, who leads (D18, D18a)."""
    draw, shuffles = state.draw, state.shuffles
    discard = state.discard + tuple(laid.card for laid in state.queue)
    hands = list(state.hands)
    seats = len(hands)
    for offset in range(seats):
        seat = Seat((starter + offset) % seats)
        missing = HAND_SIZE - len(hands[seat])
        if missing > 0:
            draw, discard, drawn, shuffles = _draw(missing, draw, discard, shuffles, chance, events)
            hands[seat] += drawn
            events.append(CardsDrawn(seat, drawn))
    events.append(RoundStarted(state.round + 1, starter))
    after = state._replace(
        round=state.round + 1,
        starter=starter,
        direction=1,
        turn=starter,
        owed=1,
        duty=1,
        doubled=False,
        last=None,
        draw=draw,
        discard=discard,
        queue=(),
        hands=tuple(hands),
        shuffles=shuffles,
    )
    return Step(after, tuple(events))
