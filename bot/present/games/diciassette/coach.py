"""What the coach says of a game of 17, in words."""

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.present.games.diciassette import cards
from bot.present.games.diciassette.reveal import Scene17
from bot.present.sheet import bold, escaped
from bot.tables.coached import WORTH_IT
from bot.tables.judging import Judged
from engine.coaching import Decision
from engine.game import Seat
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import TARGET, Face
from engine.games.diciassette.coach import Insight
from engine.games.diciassette.events import Because, Called, Event, GameEnded, Revealed, Token, TokenGiven
from engine.games.diciassette.highlights import hid
from engine.games.diciassette.odds import estimate
from engine.games.diciassette.view import View

LIKELY: Final = 0.5
"""Whoever calls at such a chance and is wrong is unlucky, at a smaller one and right lucky."""
TEMPTING: Final = 0.4
"""Whoever makes 17 look as likely as that has bluffed well."""
POSSIBLE: Final = 0.05
"""Below that a chance of 17 is not worth a line."""
SURE: Final = 0.005
"""A chance that is nearer to 0 or 1 than that is rounded to it."""


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


def insight(insight: Insight, words: Words, *, always: bool, own: bool) -> str:
    """How likely 17 was, by the cards in sight and as good players read the others, or the sum if that was known, and
    whether a trap of the same player lay there, who is the reader if it is their *own* insight; empty, but not
    *always*: hardly possible, or known."""
    if not always and (max(insight.odds, insight.believed) < POSSIBLE or insight.total is not None):
        return ""
    odds, believed = _likely(insight.odds, words), believed_in(insight, words)
    if insight.total is not None:
        said = words("Known sum: {total}.", total=insight.total)
    elif odds == believed:
        said = words("Chance of 17 or more: {chance}.", chance=odds)
    else:
        said = words(
            "Chance of 17 or more: {odds} by the cards in sight, {believed} considering also how the others play.",
            odds=odds,
            believed=believed,
        )
    if insight.trapped:
        snaps = (
            words("Calling would also spring your own Trap.")
            if own
            else words("Calling would also spring the caller’s own Trap.")
        )
        said += f" {snaps}"
    return said


def believed_in(insight: Insight, words: Words) -> str:
    """How likely 17 is as a strong player reads the others: certain only where the cards in sight make it so."""
    certain = insight.odds in (0, 1)
    return _likely(insight.odds if certain else min(0.999, max(0.001, insight.believed)), words)


def _likely(chance: float, words: Words) -> str:
    """A *chance* in percent; one that is not certain is never shown as if it were."""
    if 0 < chance < SURE:
        return words("under 1%")
    if 1 - SURE < chance < 1:
        return words("over 99%")
    return words("{percent}%", percent=round(100 * chance))


def ignored(made: Action | None, happened: Sequence[Event], scene: Scene17, words: Words) -> str:
    """That a call did not count, since somebody else's did (D9)."""
    called = next((it for it in happened if isinstance(it, Called)), None)
    if called is None or not isinstance(made, Call) or called.caller in made.seats:
        return ""
    name = escaped(scene.name(called.caller))
    return words("This call did not count: {name} called at the same moment and comes first in turn order.", name=name)


def reason(decision: Decision, words: Words) -> str:
    """How likely 17 was, where calling was wrong because it was unlikely, or better because it was likely."""
    made, best = isinstance(decision.made, Call), isinstance(decision.best, Call)
    if made == best:
        return ""
    assert decision.insight is not None  # there could be a call
    if decision.insight.total is not None:
        fits = (decision.insight.total >= TARGET) == best
        return words("Known sum: {total}.", total=decision.insight.total) if fits else ""
    if best == (decision.insight.believed >= LIKELY):
        chance = believed_in(decision.insight, words)
        if chance == _likely(decision.insight.odds, words):
            return words("17 or more had a chance of {chance}.", chance=chance)
        return words("17 or more had a chance of {chance}, considering also how the others play.", chance=chance)
    return ""  # what a call is worth depends on the tokens and on traps too


def aftermath(judged: Judged[View, Event], scene: Scene17, words: Words) -> Sequence[str]:
    """Whether a call was lucky, unlucky, and whose hidden cards made 17 look likely."""
    decision = judged.decision
    shown = next((it for it in scene.recent if isinstance(it, Revealed)), None)
    caller = next((it.caller for it in scene.recent if isinstance(it, Called)), None)
    if shown is None or decision.insight is None or decision.seat != caller or decision.made is None:
        return ()
    odds, believed = decision.insight.odds, decision.insight.believed
    facts = {"chance": believed_in(decision.insight, words), "total": shown.total}
    if shown.total >= TARGET:
        lucky = words("🍀 Lucky: 17 had a chance of {chance}, and it was {total}.", **facts)
        return _snapped(caller, scene, words) or ([lucky] if believed < LIKELY else ())
    found = list[str]()
    if believed >= LIKELY and decision.points < WORTH_IT:  # else the advice was not to call
        found.append(words("🌧️ Bad luck: 17 had a chance of {chance}, but it was {total}.", **facts))
    if max(odds, believed) >= TEMPTING:
        found += _bluff(shown, caller, scene, words)
    return found


def taken_in(before: View, scene: Scene17, words: Words) -> Sequence[str]:
    """Whose bluff worked, or that a trap snapped at a right call, but to the caller: by what all saw *before* the call,
    since what the caller held is not the others' to know."""
    shown = next((it for it in scene.recent if isinstance(it, Revealed)), None)
    caller = next((it.caller for it in scene.recent if isinstance(it, Called)), None)
    if shown is None or caller is None or caller == scene.seat or (before.must_call and caller == before.turn):
        return ()
    if shown.total < TARGET:
        return _bluff(shown, caller, scene, words) if estimate(before).seventeen >= TEMPTING else ()
    return _snapped(caller, scene, words)


def _snapped(caller: Seat, scene: Scene17, words: Words) -> Sequence[str]:
    """That a trap snapped at *caller*, whose call was right, in a line; none if it did not, or they have won all the
    same."""
    given = [it for it in scene.recent if isinstance(it, TokenGiven) and it.because is Because.TRAP]
    trapped = any(it.seat == caller and it.token is Token.PENALTY for it in given)
    won = any(isinstance(it, GameEnded) and caller in it.winners for it in scene.recent)
    return [words("The call was right, but a Trap snapped.")] if trapped and not won else []


def _bluff(shown: Revealed, caller: Seat, scene: Scene17, words: Words) -> Sequence[str]:
    """That *caller* was taken in, and by whom, in a line; none if nobody else hid anything of what was *shown*."""
    names = words.all_of([bold(scene.name(seat)) for seat in hid(shown, caller)])
    return [words("🎭 It looked like more: a bluff by {names} worked.", names=names)] if names else []
