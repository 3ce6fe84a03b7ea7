"""What was done in a game of 12 Days, in words, for its review."""

from bot.i18n import Words
from bot.present.games.twelve_days import cards
from bot.present.games.twelve_days.results import DaysScene
from bot.present.sheet import bold, escaped
from engine.games.twelve_days.actions import Play
from engine.games.twelve_days.events import Played, TrickWon


def deed(scene: DaysScene, words: Words) -> str:
    """Who played which cards, and who took the trick with which if it has just ended; empty: it has not, and what was
    played is not the lowest."""
    won = next((event for event in scene.recent if isinstance(event, TrickWon)), None)
    if won is None:
        lowest = scene.view.lowest
        for event in scene.recent:
            if isinstance(event, Played) and lowest is not None and lowest.seat == event.seat:
                name, shown = bold(scene.name(event.seat)), cards.each(event.cards)
                if event.leads:
                    return words("{name} leads {cards}.", name=name, cards=shown)
                return words("{name} plays {cards}: the lowest so far.", name=name, cards=shown)
        return ""
    *earlier, last = won.trick
    low_first = sorted((it for it in reversed(earlier) if isinstance(it, Play)), key=lambda it: it.cards[0])
    beaten = low_first[0]  # of equal ones the later (T7); the lead at least was played
    name, winner = bold(scene.name(last.seat)), escaped(scene.name(won.seat))
    taken = cards.each(beaten.cards)
    if not isinstance(last, Play):
        return words("{name} passes, {winner} takes the trick with {taken}.", name=name, winner=winner, taken=taken)
    shown = cards.each(last.cards)
    if last.seat == won.seat:
        return words("{name} beats {taken} with {cards} and takes the trick.", name=name, taken=taken, cards=shown)
    return words(
        "{name} plays {cards}, {winner} takes the trick with {taken}.",
        name=name,
        cards=shown,
        winner=winner,
        taken=taken,
    )


def untold(scene: DaysScene, words: Words) -> str:
    """The play or pass that ended a trick; empty: none has ended, or what stands below says it, since it won the
    hand."""
    won = next((event for event in scene.recent if isinstance(event, TrickWon)), None)
    if won is None or (scene.just_ended and won.trick[-1].seat == won.seat):
        return ""
    last = won.trick[-1]
    name = bold(scene.name(last.seat))
    if isinstance(last, Play):
        return words("{name} plays {cards}.", name=name, cards=cards.each(last.cards))
    return words("{name} passes.", name=name)
