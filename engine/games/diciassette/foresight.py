"""The certain results of a play, as its player knows them: the queue after it, and whether everybody sees 17 there."""

from typing import Final

from engine.game import Seat
from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import KINDS, TARGET, Card, Face
from engine.games.diciassette.view import Seen, View

OPEN_KINDS: Final = {card.number: card for card in KINDS if card.open_back}
"""The two-sided cards by number."""


def view_after_play(view: View, play: Play) -> View:
    """The viewer's view right after their own *play*, before anything is drawn, with the next player on turn."""
    up = play.face is Face.UP
    queue = (*view.queue, Seen(play.seat, play.card, play.face))
    if up and play.card is Card.TRASH:
        queue = view.queue[:-1]
    direction = -view.direction if up and play.card is Card.REVERSE else view.direction
    hand = list(view.hand)
    hand.remove(play.card)
    turn = Seat((play.seat + direction) % view.seats)
    return view._replace(
        queue=queue, direction=direction, hand=tuple(hand), last=play.seat, turn=turn, owed=1, duty=1, doubled=False
    )


def next_play_ends_turn(view: View) -> bool:
    """Whether the viewer's next play ends their turn. Then others may call."""
    return view.owed < 2 or len(view.hand) < 2


def shows_17_to_all(view: View, play: Play) -> bool:
    """Whether *play* of the viewer, who is on turn, ends their turn and everybody sees 17 then, so that the next call
    is right.

    While the turn goes on, nobody may call.
    """
    return next_play_ends_turn(view) and all_see_17(view_after_play(view, play))


def all_see_17(view: View) -> bool:
    """Whether the cards that everybody sees in the queue add up to 17 or more."""
    return _public_sum(view) >= TARGET


def cards_forced_to_show_17(view: View) -> tuple[Card, ...]:
    """The lowest cards of the player on turn, if everybody will see 17 whatever they play; empty if they can avoid it,
    or all see 17 already.

    They are forced if they hold only two-sided cards (D2), as everybody knows now.
    """
    backs = view.open_backs[view.turn]
    if len(backs) < view.hand_sizes[view.turn] or all_see_17(view):
        return ()
    lowest = tuple([OPEN_KINDS[number] for number in sorted(backs)[: view.owed]])
    return lowest if _public_sum(view) + sum(card.number for card in lowest) >= TARGET else ()


def view_after_forced_17(view: View, play: Play) -> View | None:
    """The viewer's view after *play* and the next player's turn, if that player is forced to show 17; ``None`` if not.

    They are forced as in ``cards_forced_to_show_17``. The viewer is on turn.
    """
    if not next_play_ends_turn(view):
        return None
    twice = view.doubled or (play.face is Face.UP and play.card is Card.X2)
    after = view_after_play(view, play)._replace(owed=2 if twice else 1)
    if not (cards := cards_forced_to_show_17(after)):
        return None
    queue = (*after.queue, *(Seen(after.turn, card, Face.DOWN) for card in cards))
    return after._replace(queue=queue, last=after.turn, turn=Seat((after.turn + after.direction) % view.seats), owed=1)


def _public_sum(view: View) -> int:
    """The sum of the numbers in the queue that everybody sees, without cards that lie hidden."""
    open_cards = (it.card for it in view.queue if it.card and (it.face is Face.UP or it.card.open_back))
    return sum(card.number for card in open_cards)
