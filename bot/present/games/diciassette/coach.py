"""What the coach says of a game of 17, in words."""

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.present.games.diciassette import cards
from bot.present.games.diciassette.reveal import Scene17
from bot.present.sheet import bold
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import TARGET, Face
from engine.games.diciassette.coach import Insight
from engine.games.diciassette.events import Called, Revealed

LIKELY: Final = 0.5
"""Whoever makes 17 look as likely as that has bluffed well."""


def done(action: Action | None, words: Words) -> str:
    """The card and how it is laid, or whether there is a call."""
    match action:
        case Play(_, card, Face.UP):
            return words("{card} face up", card=cards.named(card, words))
        case Play(_, card, _):
            return words("{card} face down", card=cards.named(card, words))
        case Call():
            return words("calling 17!")
        case _:
            return words("not calling")


def insight(insight: Insight, words: Words) -> str:
    """How likely 17 was, by the cards alone and as good players read them."""
    return words(
        "Chance of 17 or more: {odds}% by the cards alone, {believed}% if you read the others like a strong player.",
        odds=round(100 * insight.odds),
        believed=round(100 * insight.believed),
    )


def aftermath(insight: Insight, scene: Scene17, words: Words) -> Sequence[str]:
    """Whether a call was lucky, unlucky, and whose hidden cards made 17 look likely."""
    shown = next((it for it in scene.recent if isinstance(it, Revealed)), None)
    caller = next((it.caller for it in scene.recent if isinstance(it, Called)), None)
    likely = insight.believed >= LIKELY
    if shown is None or likely == (shown.total >= TARGET):
        return ()
    facts = {"percent": round(100 * insight.believed), "total": shown.total}
    if not likely:
        return (words("🍀 Lucky: 17 had a chance of {percent}%, and it was {total}.", **facts),)
    hid = {it.seat for it in shown.queue if it.face is Face.DOWN and not it.card.open_back} - {caller}
    names = words.all_of([bold(scene.name(seat)) for seat in sorted(hid)])
    unlucky = words("🌧️ Bad luck: 17 had a chance of {percent}%, but it was {total}.", **facts)
    return (unlucky, words("🎭 A good bluff by {names}: it looked like more.", names=names)) if hid else (unlucky,)
