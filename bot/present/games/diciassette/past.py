"""What has happened in a round of 17, told again: a line a play, so short that a phone has it in one."""

from collections.abc import Sequence

from bot.i18n import Words
from bot.present.games.diciassette import cards
from bot.present.games.diciassette.reveal import Scene17
from bot.present.sheet import bold, escaped
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.events import CardPlayed, PileShuffled
from engine.games.diciassette.past import Drawn, Gone, Told, Trashed


def past_line(told: Sequence[Told], scene: Scene17, words: Words) -> str:
    """Who has played what, what it has done, how many cards they drew; empty if nothing was played."""
    seat = next((it.seat for it in told if isinstance(it, CardPlayed | Gone | Trashed)), None)
    if seat is None:
        return ""
    said = [few for it in told if (few := _few_words(it, scene, words))]
    return f"{bold(scene.name(seat))}: {' · '.join(said)}"


def _few_words(it: Told, scene: Scene17, words: Words) -> str:
    """A few words about something that has happened; empty: it follows from the card that was played.

    Which direction holds is not said: that would tell what a card that is gone has done.
    """
    match it:
        case CardPlayed(_, Card.REVERSE, Face.UP):
            return words("{card} direction changes", card=cards.front(Card.REVERSE))
        case CardPlayed(_, Card.X2, Face.UP):
            return words("{card} next turn: two cards", card=cards.front(Card.X2))
        case CardPlayed(_, card, Face.UP) if card is not None:
            return words("{card} face up", card=cards.front(card) if card.number else cards.named(card, words))
        case CardPlayed(_, card, _):
            return words("{card} face down", card=cards.PLAIN_BACK if card is None else cards.face_down(card))
        case Gone():
            return words("a card (gone now)")
        case Trashed(_, victim) if victim is not None:
            return words("{card} takes {name}’s card", card=cards.front(Card.TRASH), name=escaped(scene.name(victim)))
        case Trashed():
            return words("{card} face up", card=cards.named(Card.TRASH, words))
        case Drawn(_, size):
            return words.plural("draws {n}", "draws {n}", size)
        case PileShuffled():
            return words("pile shuffled")
        case _:
            return ""
