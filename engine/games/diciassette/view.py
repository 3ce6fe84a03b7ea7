"""What one seat, or the public, may know of a game of 17 (ruling D2)."""

from functools import lru_cache
from typing import Final, NamedTuple

from engine.game import Seat, build_namedtuple
from engine.games.diciassette.actions import Action, Play
from engine.games.diciassette.cards import FACES, Card, Face
from engine.games.diciassette.events import CardPlayed, CardsDrawn, CardTrashed, Event, PileShuffled
from engine.games.diciassette.laying import PLAY_RESULTS
from engine.games.diciassette.state import ALL_SEATS, Laid, State, seats_that_may_call


class Seen(NamedTuple):
    """A card of the queue as the viewer sees it; ``card`` is ``None`` for a plain back."""

    seat: Seat
    card: Card | None
    face: Face

    def __str__(self) -> str:
        """As ``Laid``. A card that the viewer cannot see is only a question mark: ``1:?``."""
        shown = self.card.value if self.card is not None else ""
        return f"{self.seat}:{shown}{'?' if self.face is Face.DOWN else ''}"


class View(NamedTuple):
    """What *seat* (``None``: the public) may know of a game of 17."""

    seat: Seat | None
    seats: int
    ply: int
    round: int
    starter: Seat
    direction: int
    turn: Seat
    owed: int
    duty: int
    doubled: bool
    last: Seat | None
    may_call: tuple[Seat, ...]
    """In seat order."""
    queue: tuple[Seen, ...]
    """Left to right."""
    hand: tuple[Card, ...]
    """The viewer's own; empty for the public."""
    hand_sizes: tuple[int, ...]
    open_backs: tuple[tuple[int, ...], ...]
    """By seat, the numbers on the backs of its two-sided cards. They are sorted, so that their position reveals
    nothing."""
    draw_size: int
    draw_top: int | None
    """The number on the back of the draw pile's top card; ``None``: a plain back, or no card."""
    discard_size: int
    victory: tuple[int, ...]
    penalty: tuple[int, ...]
    winners: tuple[Seat, ...]

    @property
    def visible_sum(self) -> int:
        """The sum of the numbers in the queue that the viewer can see."""
        return sum([card.number for _, card, _ in self.queue if card is not None])

    @property
    def hidden_count(self) -> int:
        """The number of cards in the queue that the viewer cannot see."""
        return [card for _, card, _ in self.queue].count(None)

    @property
    def must_call(self) -> bool:
        """Whether the player on turn has no cards left and can only call (D10)."""
        return not self.winners and self.hand_sizes[self.turn] == 0


def _visible_card(laid: Laid, seat: Seat | None) -> Seen:
    """The card *laid* as *seat* sees it (D2)."""
    owner, card, face = laid
    return Seen(owner, card if face is Face.UP or card.open_back or owner == seat else None, face)


_VISIBLE_CARDS: Final = {
    seat: {laid: _visible_card(laid, seat) for _, laid in PLAY_RESULTS.values()}.__getitem__
    for seat in (None, *ALL_SEATS[-1])
}
"""For each viewer, the function from a card of the queue to the card as the viewer sees it. All are made once, like the
cards themselves."""


@lru_cache(4096)
def _open_backs(hand: tuple[Card, ...]) -> tuple[int, ...]:
    """The numbers on the backs of the two-sided cards in *hand*, sorted."""
    return tuple(sorted([card.number for card in hand if card.open_back]))


def view(state: State, seat: Seat | None) -> View:
    """Build the view of *state* for *seat*: only what it may see; ``None``: a spectator."""
    # By position, in the order of ``State`` and ``View``: by name it is a third slower. A test checks the order.
    (ply, round_, starter, direction, turn, owed, duty, doubled, last,
     draw, discard, queue, hands, victory, penalty, _shuffles, winners) = state  # fmt: skip
    seats = len(hands)
    seen: View = build_namedtuple(View, (
        seat, seats, ply, round_, starter, direction, turn, owed, duty, doubled, last,
        seats_that_may_call(last, owed, duty, seats, winners),
        tuple(map(_VISIBLE_CARDS[seat], queue)),
        () if seat is None else hands[seat],
        tuple(map(len, hands)),
        tuple(map(_open_backs, hands)),
        len(draw),
        draw[0].number if draw and draw[0].open_back else None,
        len(discard), victory, penalty, winners,
    ))  # fmt: skip
    return seen


def actions(view: View, seat: Seat) -> tuple[Action, ...]:
    """Every legal play of *seat*, which is on turn, from its hand: each kind of card once face up and once face down
    (D6); no calls."""
    return tuple([Play(seat, card, face) for card in dict.fromkeys(view.hand) for face in FACES])


def witness(event: Event, seat: Seat | None) -> Event:
    """*event* as *seat* saw it (``None``: a spectator). Other players' plain backs stay hidden, and nobody sees the
    order of a shuffle (D2)."""
    match event:
        case CardPlayed(player, card, face) | CardTrashed(player, card, face):
            seen = card if face is Face.UP or player == seat or (card and card.open_back) else None
            return event if seen is card else event._replace(card=seen)
        case CardsDrawn(player, cards):
            if player == seat:
                return event
            return CardsDrawn(player, tuple(card if card and card.open_back else None for card in cards))
        case PileShuffled(size, _):
            return PileShuffled(size, None)
        case _:
            return event
