"""What a player knows to follow from a play of their own: the queue as they see it then, and whether everybody sees 17
there."""

from engine.game import Seat
from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import TARGET, Card, Face
from engine.games.diciassette.view import Seen, View


def laid(view: View, play: Play) -> View:
    """What the viewer sees after *play* of their own, with the next player on turn; nothing has been drawn."""
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


def ends_turn(view: View, play: Play) -> bool:
    """Whether the turn of the viewer ends with *play*, so that others may call."""
    return view.owed < 2 or len(view.hand) < 2


def opens_17(view: View, play: Play) -> bool:
    """Whether everybody sees 17 after *play* of the viewer, who is on turn: then the next call is right. While the turn
    goes on nobody may call."""
    if not ends_turn(view, play):
        return False
    return all_see_17(laid(view, play))


def all_see_17(view: View) -> bool:
    """Whether everybody sees 17: no hidden card is needed for it."""
    open_cards = (it.card for it in view.queue if it.card and (it.face is Face.UP or it.card.open_back))
    return sum(card.number for card in open_cards) >= TARGET
