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
from engine.games.diciassette.events import Because, Called, Revealed, TokenGiven

LIKELY: Final = 0.5
"""Whoever calls at such a chance and is wrong is unlucky, at a smaller one and right lucky."""
TEMPTING: Final = 0.4
"""Whoever makes 17 look as likely as that has bluffed well."""
POSSIBLE: Final = 0.05
"""Below that a chance of 17 is not worth a line."""


def done(action: Action | None, words: Words) -> str:
    """The card and how it is laid, where that makes a difference, or whether there is a call."""
    match action:
        case Play(_, card, _) if card.open_back:
            return words("two-sided {card}", card=cards.named(card, words))
        case Play(_, card, Face.UP):
            return words("{card} face up", card=cards.named(card, words))
        case Play(_, card, _):
            return words("{card} face down", card=cards.named(card, words))
        case Call():
            return words("calling 17!")
        case _:
            return words("not calling")


def insight(insight: Insight, words: Words, *, always: bool) -> str:
    """How likely 17 was, by the cards in sight and as good players read the others; empty, but not *always*: hardly
    possible."""
    if not always and max(insight.odds, insight.believed) < POSSIBLE:
        return ""
    return words(
        "Chance of 17 or more: {odds}% by the cards in sight, {believed}% if you read the others like a strong player.",
        odds=round(100 * insight.odds),
        believed=round(100 * insight.believed),
    )


def aftermath(insight: Insight, scene: Scene17, words: Words) -> Sequence[str]:
    """Whether a call was lucky, unlucky, and whose hidden cards made 17 look likely."""
    shown = next((it for it in scene.recent if isinstance(it, Revealed)), None)
    caller = next((it.caller for it in scene.recent if isinstance(it, Called)), None)
    if shown is None:
        return ()
    given = [it for it in scene.recent if isinstance(it, TokenGiven) and it.seat == caller]
    right, trapped = shown.total >= TARGET, any(it.because is Because.TRAP for it in given)
    facts = {"percent": round(100 * insight.believed), "total": shown.total}
    found = []
    if right and trapped:
        found.append(words("The call was right, but there was a Trap."))
    elif right and insight.believed < LIKELY:
        found.append(words("🍀 Lucky: 17 had a chance of {percent}%, and it was {total}.", **facts))
    elif not right and insight.believed >= LIKELY:
        found.append(words("🌧️ Bad luck: 17 had a chance of {percent}%, but it was {total}.", **facts))
    hid = {it.seat for it in shown.queue if it.face is Face.DOWN and not it.card.open_back} - {caller}
    if hid and not right and max(insight.odds, insight.believed) >= TEMPTING:
        names = words.all_of([bold(scene.name(seat)) for seat in sorted(hid)])
        found.append(words("🎭 A good bluff by {names}: it looked like more.", names=names))
    return found
