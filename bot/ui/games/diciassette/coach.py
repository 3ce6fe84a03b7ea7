"""What the coach says of a game of 17, in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.i18n import N_, Words
from bot.review.coach import WORTH_IT
from bot.review.decisions import Judged
from bot.ui.components import bold, escaped
from bot.ui.games.diciassette import cards
from bot.ui.games.diciassette.reveal import Scene17
from engine.decision import Decision
from engine.game import Seat
from engine.games.diciassette.actions import Action, Call, Play
from engine.games.diciassette.cards import TARGET, Card, Face
from engine.games.diciassette.coach import Insight
from engine.games.diciassette.events import (
    Because,
    Called,
    CardsDrawn,
    Event,
    GameEnded,
    Revealed,
    Token,
    TokenGiven,
    TokenWithheld,
)
from engine.games.diciassette.foresight import shows_17_to_all, view_after_forced_17
from engine.games.diciassette.highlights import bluffers
from engine.games.diciassette.outlook import has_own_trap
from engine.games.diciassette.view import View
from engine.percents import percent

# Bluffs that worked and Traps that snapped at the end of a round of 17, in words, for its review.


TEMPTING: Final = 0.2
"""Whoever makes 17 look as likely as that has bluffed."""


def trappers(events: Sequence[Event]) -> list[Seat]:
    """Whose Traps snapped in *events*, whether they got a token for it or not (D14, D15)."""
    found = [it for it in events if isinstance(it, TokenGiven | TokenWithheld) and it.because is Because.TRAP]
    return [it.seat for it in found if isinstance(it, TokenWithheld) or it.token is Token.VICTORY]


def snapped(caller: Seat, scene: Scene17, words: Words) -> Sequence[str]:
    """Whose traps snapped at *caller*, whose call was right, in a line; none if none did, or they have won all the
    same."""
    owners = dict.fromkeys(trappers(scene.recent))
    won = any(isinstance(it, GameEnded) and caller in it.winners for it in scene.recent)
    if not owners or won:
        return []
    names = words.list_and([bold(scene.name(seat)) for seat in owners if seat != caller])
    mine = caller == scene.seat
    if not names:
        own = words("The call was right, but it sprang the caller’s own Trap.")
        return [words("Your call was right, but it sprang your own Trap.") if mine else own]
    if caller in owners:
        both = words("The call was right, but it sprang the caller’s own Trap and one set by {names}.", names=names)
        yours = words("Your call was right, but it sprang your own Trap and one set by {names}.", names=names)
        return [yours if mine else both]
    if len(owners) > 1:
        return [words("The call was right, but Traps were sprung, set by {names}.", names=names)]
    return [words("The call was right, but a Trap was sprung, set by {names}.", names=names)]


def bluff(call: Judged[View, Event], shown: Revealed, scene: Scene17, words: Words) -> Sequence[str]:
    """Whose hidden cards made a *call* look possible that was wrong, in a line; none if nobody else bluffed with
    what was *shown*, or the caller saw hardly a chance. The bluff has worked if one of them got the token for it, and
    nobody else won with it."""
    caller, odds = call.decision.seat, call.decision.insight.odds
    called = next(it for it in scene.recent if isinstance(it, Called))
    ended = next((it for it in scene.recent if isinstance(it, GameEnded)), None)
    who = bluffers(shown, caller)
    if not who or odds < TEMPTING:
        return ()
    worked = called.last in who and (ended is None or called.last in ended.winners)
    named = [called.last] if worked else who  # the others helped
    facts = {"caller": bold(scene.name(caller)), "percent": percent(odds)}
    facts["names"] = words.list_and([bold(scene.name(seat)) for seat in named])
    if scene.seat == caller:
        if worked:
            return [words("🎭 It could have been 17: a bluff by {names} worked.", **facts)]
        return [words("🎭 What {names} had hidden made 17 look possible.", **facts)]
    if scene.seat in who:
        if worked and scene.seat == called.last:
            return [
                words(
                    "🎭 Your bluff worked: by the cards that {caller} had seen, 17 or more had a chance of {percent}%.",
                    **facts,
                )
            ]
        return [
            words(
                "🎭 What you had hidden made 17 look possible: {percent}% by the cards that {caller} had seen.", **facts
            )
        ]
    if worked:
        said = words(
            "🎭 A bluff by {names} worked: by the cards that {caller} had seen, 17 or more had a chance of {percent}%.",
            **facts,
        )
        return [said]
    said = words(
        "🎭 What {names} had hidden made 17 look possible: {percent}% by the cards that {caller} had seen.", **facts
    )
    return [said]


LIKELY: Final = 0.5
"""Whoever calls at such a chance and is wrong is unlucky, at a smaller one and right lucky."""
EVEN: Final = 0.1
"""Nearer to that, it was neither."""
POSSIBLE: Final = 0.05
"""Below that a chance of 17 is not worth a line."""
UNCLEAR: Final = 0.2
"""Where 17 is likelier than that, and not as unlikely, the chance alone does not say what was best."""
LESS: Final = 3
"""Where how the others play makes 17 so many times less likely, it is said what that may come from."""
WORTH_ASKING: Final = 0.1
"""Below that nobody asks."""
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


def insight(insight: Insight, words: Words, *, always: bool, own: bool, played: bool) -> str:
    """How likely 17 was, by the cards seen and as good players read the others, or the sum if that was known, what was
    at stake, and whether a trap of the same player lay there, who is the reader if it is their *own* insight; empty,
    but not *always*: hardly possible, or known. If a card was *played* since, that is said."""
    if not always and (max(insight.odds, insight.believed) < POSSIBLE or insight.total is not None):
        return ""
    odds, believed = _likely(insight.odds, words), believed_in(insight, words)
    facts = {"odds": odds, "believed": believed, "total": insight.total, "chance": odds}
    found = [words(_thought(insight, alike=odds == believed, played=played), **facts)]
    if insight.total is None and insight.odds in (0, 1):
        found.append(_certain(insight, words))
    elif always and insight.odds < 1 and insight.total is None:
        found.append(_leaves(insight, words))
    found += _traps(insight, words, own=own, others=always)
    if insight.silent and LESS * insight.believed < insight.odds >= WORTH_ASKING:
        found.append(words("Somebody who hid a card could have called since, and did not."))
    return " ".join(found)


def _traps(insight: Insight, words: Words, *, own: bool, others: bool = True) -> list[str]:
    """Which Traps a call would spring, or may: one of the caller, who is the reader if it is their *own*, or, if those
    of *others* are wanted, of somebody who would win by it."""
    found = []
    if insight.trapped:
        caller = words("A call also springs the caller’s own Trap.")
        found.append(words("A call also springs your own Trap.") if own else caller)
    if others and insight.snare and insight.odds > 0:
        found.append(
            words("A hidden card of somebody at match point may be a Trap: it would bring them their last token.")
        )
    return found


def _certain(insight: Insight, words: Words) -> str:
    """That a call was sure to be wrong, or right, and by what."""
    if insight.odds:
        if insight.counted:
            return words("17 or more is certain for whoever has counted the cards.")
        return words("17 or more is certain, whatever is hidden.")
    if insight.counted:
        return words("For whoever has counted the cards, a call cannot be right.")
    return words("A call could not be right.")


def _leaves(insight: Insight, words: Words) -> str:
    """What a call leaves if it is right, and if it is wrong, which may be the end (D16)."""
    facts = {"right": percent(insight.right), "wrong": percent(insight.wrong)}
    if insight.fatal:
        return words("A right call leaves {right}% to win the game; a wrong one loses it at once.", **facts)
    return words("A right call leaves {right}% to win the game, a wrong one {wrong}%.", **facts)


def _thought(insight: Insight, *, alike: bool, played: bool) -> str:
    """How likely 17 was, or the sum, as a text to be filled; *alike*: both chances are."""
    if insight.total is not None:
        return _known(insight.total, played=played)
    if alike:
        return (
            N_("Chance of 17 or more before this card: {chance}.") if played else N_("Chance of 17 or more: {chance}.")
        )
    if played:
        return N_(
            "Chance of 17 or more before this card: {odds} by the cards seen so far, {believed} if you also consider"
            " how the others play."
        )
    return N_(
        "Chance of 17 or more: {odds} by the cards seen so far, {believed} if you also consider how the others play."
    )


def _known(total: int, *, played: bool) -> str:
    """That the sum was known to be *total*, and so whether a call could be right, as a text to be filled."""
    if total >= TARGET:
        return N_("Known sum before this card: {total}.") if played else N_("Known sum: {total}.")
    if played:
        return N_("Known sum before this card: {total}. A call could not be right.")
    return N_("Known sum: {total}. A call could not be right.")


def believed_in(insight: Insight, words: Words) -> str:
    """How likely 17 is as a strong player reads the others: certain only where the cards seen so far make it so."""
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


def reason(decision: Decision, view: View, words: Words, *, name: str) -> str:
    """Between calling and not: how likely 17 was, and, where that alone does not say it, what a call left. Between two
    cards: that a Trap lay face up, or that after the one that was played everybody sees 17 in *view*. Empty: neither.
    *name* is who decided; empty: the reader."""
    made, best = decision.made, decision.best
    if isinstance(made, Call) == isinstance(best, Call):
        if _is_trap_face_up(made) and not _is_trap_face_up(best):
            return words("Face up, a Trap does nothing.")
        opened = consequence(best, view, words, name=name)
        return opened if has_own_trap(view) else "" if opened else consequence(made, view, words)
    insight: Insight | None = decision.insight
    assert insight is not None  # there could be a call
    traps = [] if isinstance(best, Call) else _traps(insight, words, own=not name)
    if _is_trap_face_up(made):
        traps.append(words("Face up, a Trap does nothing."))
    if has_own_trap(view):  # what lures the others into it
        traps += filter(None, [consequence(best, view, words, name=name)])
    if insight.total is not None:
        return " ".join([words(_known(insight.total, played=False), total=insight.total), *traps])
    if insight.odds in (0, 1):
        return " ".join([_certain(insight, words), *(traps if insight.odds else [])])
    odds, believed = _likely(insight.odds, words), believed_in(insight, words)
    said = words(_thought(insight, alike=odds == believed, played=False), odds=odds, believed=believed, chance=odds)
    clear = isinstance(best, Call) == (insight.believed >= LIKELY) and not UNCLEAR < insight.believed < 1 - UNCLEAR
    return " ".join([said, *([] if clear and not insight.fatal else [_leaves(insight, words)]), *traps])


def _is_trap_face_up(action: Action | None) -> bool:
    """Whether *action* plays a Trap face up, which has no effect (D12)."""
    return isinstance(action, Play) and action.card is Card.TRAP and action.face is Face.UP


def consequence(action: Action | None, view: View, words: Words, *, name: str = "") -> str:
    """That everybody sees 17 after *action* of the viewer, who is called *name* (empty: the reader); empty: it is not
    so."""
    if not isinstance(action, Play):
        return ""
    play = done(action, words)
    if view_after_forced_17(view, action) is not None:
        return words("After {play}, the next player cannot help letting everybody see 17.", play=play)
    if not shows_17_to_all(view, action):
        return ""
    if has_own_trap(view) and not name:
        return words("After {play}, everybody sees 17: the next call springs your Trap.", play=play)
    if has_own_trap(view):
        return words("After {play}, everybody sees 17: the next call springs {name}’s Trap.", play=play, name=name)
    return words("After {play}, everybody sees 17: the next call is right.", play=play)


def aftermath(judged: Judged[View, Event], scene: Scene17, words: Words) -> Sequence[str]:
    """Whether a call was lucky, unlucky, and whose hidden cards made 17 look likely."""
    decision = judged.decision
    shown = next((it for it in scene.recent if isinstance(it, Revealed)), None)
    caller = next((it.caller for it in scene.recent if isinstance(it, Called)), None)
    if shown is None or decision.insight is None or decision.seat != caller or decision.made is None:
        return ()
    believed = decision.insight.believed
    facts = {"chance": believed_in(decision.insight, words), "total": shown.total}
    found = _worth_a_try(decision, words) if believed < LIKELY else []
    if shown.total >= TARGET:
        lucky = [words("🍀 Lucky: 17 or more had a chance of {chance}, and it was {total}.", **facts)]
        trap = snapped(caller, scene, words)
        return [*found, *(trap or _even(decision, facts, words) or (lucky if believed < LIKELY else ()))]
    found += _even(decision, facts, words)
    if believed >= LIKELY + EVEN and decision.points < WORTH_IT:  # else the advice was not to call
        found.append(words("🌧️ Bad luck: 17 or more had a chance of {chance}, but it was {total}.", **facts))
    return [*found, *bluff(judged, shown, scene, words)]


def _even(call: Decision, facts: Mapping[str, Any], words: Words) -> list[str]:
    """That *call* was right with an even chance, in a line; none if it was not."""
    if abs(call.insight.believed - LIKELY) >= EVEN:
        return []
    return [words("🎲 Roughly even: 17 or more had a chance of {chance}, and it was {total}.", **facts)]


def _worth_a_try(call: Decision, words: Words) -> list[str]:
    """Why an unlikely *call* was right, in a line; none if it was not, or made no difference."""
    if call.points >= WORTH_IT or call.otherwise is None or not call.mattered:
        return []
    if percent(call.chance) - percent(call.otherwise) < WORTH_IT:
        return []
    chance = percent(call.otherwise)
    return [words("It was worth a try: not calling would have left {chance}% to win the game.", chance=chance)]


def drew(judged: Judged[View, Event], scene: Scene17, words: Words) -> str:
    """That whoever acted drew a Trap, in a line; empty: no. No other card changes the chances by much, when it is
    drawn."""
    drawn = [card for it in judged.happened if isinstance(it, CardsDrawn) for card in it.cards]
    if not isinstance(judged.decision.made, Play) or Card.TRAP not in drawn:
        return ""
    return words("🍀 Lucky: {name} drew a Trap.", name=bold(scene.name(judged.decision.seat)))


def taken_in(acted: Sequence[Judged[View, Event]], scene: Scene17, words: Words) -> Sequence[str]:
    """Whose bluff worked, whom a Trap of the reader caught, or that a Trap snapped at a right call, to all but the
    caller; *acted* is what those decided who acted."""
    shown = next((it for it in scene.recent if isinstance(it, Revealed)), None)
    caller = next((it.caller for it in scene.recent if isinstance(it, Called)), None)
    if shown is None or caller is None or caller == scene.seat:
        return ()
    call = next((it for it in acted if it.decision.seat == caller), None)  # who has to call decides nothing (D10)
    told = [] if call is None or shown.total >= TARGET else list(bluff(call, shown, scene, words))
    if scene.seat in trappers(scene.recent):
        caught = words("Your Trap caught {name}.", name=bold(scene.name(caller)))
        return [f"{cards.front(Card.TRAP)} {caught}", *told]
    return snapped(caller, scene, words) if shown.total >= TARGET else told
