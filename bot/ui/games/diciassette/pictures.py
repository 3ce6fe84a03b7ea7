"""Pictures of the queue and of the cards."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from bot.i18n import Words
from bot.ui.games.diciassette import cards
from bot.ui.games.diciassette.drawings import DRAWINGS
from bot.ui.pictures.canvas import GROUND, PAPER, Canvas
from bot.ui.pictures.drawings import Picture, make_lazy_picture
from engine.games.diciassette.cards import TARGET, Card, Face

_CARD: Final = 84
"""The width and height of a card with its margin, in pixels."""
_ROW: Final = 8
_RIGHT: Final = "#2e9e5b"
_WRONG: Final = "#c62828"

QueueCard = tuple[Card, Face]


def revealed_queue_picture(queue: Sequence[QueueCard], total: int, words: Words) -> Picture:
    """A picture of *queue* (cards and faces), left to right, with every card turned over and the *total* below."""
    shown = tuple(queue)
    said = [
        words("{card} face up", card=cards.card_name(card, words))
        if face is Face.UP
        else words("{card} face down", card=cards.card_name(card, words))
        for card, face in shown
    ]
    alt = words("The queue, from the left: {cards}. Sum: {total}.", cards=", ".join(said) or "–", total=total)
    return make_lazy_picture("queue", (shown, total), lambda: draw_queue_image(shown, total), alt)


def queue_before_call_picture(queue: Sequence[QueueCard], words: Words) -> Picture:
    """A picture of *queue* (cards and faces) before a call: face-down cards show their backs."""
    lying = tuple(cards.front_symbol(card) if face is Face.UP else cards.back_symbol(card) for card, face in queue)
    said = [
        cards.card_name(card, words) if face is Face.UP or card.open_back else words("a card face down")
        for card, face in queue
    ]
    alt = words("The queue, from the left: {cards}.", cards=", ".join(said))
    return make_lazy_picture("lying", lying, lambda: draw_card_images([symbol.key for symbol in lying], _ROW), alt)


def all_cards_picture(words: Words) -> Picture:
    """A picture of every kind of card of 17, two-sided ones also from the back, and both tokens, for the rules."""
    numbers = range(1, 6)
    one_sided = [cards.front_symbol(Card(str(n))) for n in numbers]
    two_sided = [cards.front_symbol(Card(f"{n}=")) for n in numbers]
    shown = [
        *one_sided, cards.PLAIN_BACK,
        *two_sided, None,
        *(cards.two_sided_back_symbol(n) for n in numbers), None,
        *map(cards.front_symbol, (Card.REVERSE, Card.TRASH, Card.X2, Card.TRAP)), None, cards.PLAIN_BACK,
        cards.VICTORY, cards.PENALTY,
    ]  # fmt: skip
    keys = [symbol and symbol.key for symbol in shown]
    alt = words(
        "All cards: the numbers 1 to 5 with a plain back; the numbers 1 to 5 that show their number on a black back; "
        "Reverse, Trash, x2 and Trap, with plain backs; a victory token and a penalty."
    )
    return make_lazy_picture("cards", keys, lambda: draw_card_images(keys, 6), alt)


def draw_card_images(keys: Sequence[str | None], across: int) -> Image.Image:
    """Draw the images of cards and tokens, given by the *keys* of their drawings, in rows of *across*; ``None`` leaves
    a gap."""
    rows = -(-len(keys) // across)
    image = Image.new("RGB", (min(across, max(4, len(keys))) * _CARD + 16, rows * (_CARD + 6) + 10), GROUND)
    for index, key in enumerate(keys):
        if key is None:
            continue
        small = DRAWINGS[key]().resize((_CARD - 8, _CARD - 8))
        image.paste(small, (12 + index % across * _CARD, 8 + index // across * (_CARD + 6)), small)
    return image


def draw_queue_image(queue: Sequence[QueueCard], total: int) -> Image.Image:
    """Draw *queue* with all cards open in rows of eight, and below it its *total*, on green from 17 on, else on red."""
    rows = max(1, -(-len(queue) // _ROW))
    across = max(4, min(_ROW, len(queue)))
    image = Image.new("RGB", (across * _CARD + 16, rows * (_CARD + 12) + 66), GROUND)
    for index, (card, face) in enumerate(queue):
        small = DRAWINGS[cards.known_card_symbol(card, face).key]().resize((_CARD - 8, _CARD - 8))
        image.paste(small, (12 + index % _ROW * _CARD, 10 + index // _ROW * (_CARD + 12)), small)
    badge = Canvas(230, 52)
    badge.rounded_rectangle(2, 6, 226, 88, _RIGHT if total >= TARGET else _WRONG, PAPER, 4)
    badge.text(115, 50, f"{total} {'≥' if total >= TARGET else '<'} {TARGET}", 58, PAPER)
    done = badge.finish()
    image.paste(done, ((image.width - done.width) // 2, image.height - 58), done)
    return image
