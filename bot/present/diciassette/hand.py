"""The middle of the hand message: the viewer's cards and their buttons, and the queue while it matters."""

from collections.abc import Sequence
from typing import Any, Final

from discord import ButtonStyle

from bot.custom_ids import Verb
from bot.i18n import Words
from bot.present.diciassette import cards
from bot.present.sheet import Item, button, row, text
from bot.refusals import Refusal, Why
from bot.tables.scene import Scene
from engine.diciassette.actions import Play
from engine.diciassette.cards import Card, Face
from engine.diciassette.view import View

_FACES: Final = {"up": Face.UP, "down": Face.DOWN}


def hand(scene: Scene, words: Words) -> Sequence[Item]:
    """A line and two buttons for every card; the buttons work on the viewer's turn."""
    view: View = scene.view
    # A call changes nothing here: it stands for a second, and a click in it is told of it.
    mine = scene.on_turn is not None and scene.on_turn == view.seat
    items: list[Item] = []
    if mine and not view.hand:
        items.append(text(words("You have no card left, so you must call 17.")))
    for slot, card in enumerate(view.hand):
        items.append(text(f"{cards.front(card)} **{cards.name(card, words)}** · {cards.does(card, words)}"))
        items.append(
            row(
                _lay(scene, slot, card, Face.UP, words, mine),
                _lay(scene, slot, card, Face.DOWN, words, mine),
            )
        )
    return items


def _lay(scene: Scene, slot: int, card: Card, face: Face, words: Words, mine: bool) -> Item:
    chosen = scene.own_move is not None and scene.own_move == {
        "seat": scene.seat,
        "play": card.value,
        "face": face.value,
    }
    style = ButtonStyle.success if chosen else ButtonStyle.primary if face is Face.UP else ButtonStyle.secondary
    return button(
        words("Face up") if face is Face.UP else words("Face down"),
        Verb.MOVE,
        scene.table,
        scene.ply if mine else 0,  # so that the message stays as it is while the others play
        f"{slot}-{face.value}",
        style=style,
        symbol=cards.front(card)._replace(text="🔼") if face is Face.UP else cards.back(card)._replace(text="🔽"),
        disabled=not mine,
    )


def queue_line(view: View, words: Words) -> str:
    """The queue as the viewer sees it, own face-down cards in brackets."""
    if not view.queue:
        return words("The queue is empty.")
    shown = " ".join(cards.lying(seen) for seen in view.queue)
    if view.hidden_count:
        return words(
            "Queue: {queue} (you see {sum}, {hidden} hidden)",
            queue=shown,
            sum=view.visible_sum,
            hidden=view.hidden_count,
        )
    return words("Queue: {queue} (sum {sum})", queue=shown, sum=view.visible_sum)


def own_move(scene: Scene, words: Words) -> str:
    """What the viewer has played and has not landed yet."""
    move: dict[str, Any] = dict(scene.own_move or {})
    card = Card(move["play"])
    name = f"{cards.front(card)} {cards.name(card, words)}"
    if move["face"] == Face.UP.value:
        return words("You lay {card} face up, in a moment: until then others may still call.", card=name)
    return words("You lay {card} face down, in a moment: until then others may still call.", card=name)


def move(view: View, arg: str) -> Play:
    """The play that the button argument *arg* ("0-up") stands for.

    Raises:
        Refusal: the button belongs to no card.
    """
    slot, _, side = arg.partition("-")
    if view.seat is None or side not in _FACES or not slot.isdigit():
        raise Refusal(Why.BUTTON_DEAD)
    if int(slot) >= len(view.hand):
        raise Refusal(Why.HAND_CHANGED)
    return Play(view.seat, view.hand[int(slot)], _FACES[side])
