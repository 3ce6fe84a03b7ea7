"""What the coach says about a game of 17, in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.i18n import N_, Words
from bot.review.coach import MIN_SHOWN_POINTS
from bot.review.decisions import JudgedDecision
from bot.ui.components import bold_name, escaped_name
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
from engine.games.diciassette.highlights import hidden_low_card_owners
from engine.games.diciassette.outlook import has_own_trap
from engine.games.diciassette.view import View
from engine.percents import percent

# Text on bluffs that worked and Traps that were sprung at the end of a round of 17, for its review.


BLUFF_CHANCE: Final = 0.2
"""A player whose hidden cards give 17 this chance has bluffed."""


def sprung_trap_owners(events: Sequence[Event]) -> list[Seat]:
    """The seats whose Traps were sprung in *events*, with a token for it or without (D14, D15); may be empty."""
    found = [it for it in events if isinstance(it, TokenGiven | TokenWithheld) and it.because is Because.TRAP]
    return [it.seat for it in found if isinstance(it, TokenWithheld) or it.token is Token.VICTORY]


def sprung_trap_lines(caller: Seat, scene: Scene17, words: Words) -> Sequence[str]:
    """A line that names whose Traps *caller* sprang with a right call; empty if none, or *caller* won all the same."""
    owners = dict.fromkeys(sprung_trap_owners(scene.recent))
    won = any(isinstance(it, GameEnded) and caller in it.winners for it in scene.recent)
    if not owners or won:
        return []
    names = words.list_and([bold_name(scene.name(seat)) for seat in owners if seat != caller])
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


def bluff_lines(call: JudgedDecision[View, Event], shown: Revealed, scene: Scene17, words: Words) -> Sequence[str]:
    """A line on whose hidden cards made a wrong *call* look right, and if that bluff worked; empty if nobody bluffed.

    It is also empty if the caller saw hardly a chance of 17. *shown* are the cards that were turned over. The bluff has
    worked if one of them got the token for it, and nobody else won with it.
    """
    caller, odds = call.decision.seat, call.decision.insight.odds
    called = next(it for it in scene.recent if isinstance(it, Called))
    ended = next((it for it in scene.recent if isinstance(it, GameEnded)), None)
    who = hidden_low_card_owners(shown, caller)
    if not who or odds < BLUFF_CHANCE:
        return ()
    worked = called.last in who and (ended is None or called.last in ended.winners)
    named = [called.last] if worked else who  # the others helped
    facts = {"caller": bold_name(scene.name(caller)), "percent": percent(odds)}
    facts["names"] = words.list_and([bold_name(scene.name(seat)) for seat in named])
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


EVEN_CHANCE: Final = 0.5
"""A wrong call at this chance of 17 or more is unlucky; a right call at a smaller one is lucky."""
EVEN_MARGIN: Final = 0.1
"""A call with a chance nearer than this to ``EVEN_CHANCE`` was neither lucky nor unlucky."""
LEAST_CHANCE: Final = 0.05
"""A chance of 17 below this is not worth a line."""
UNCLEAR_CHANCE: Final = 0.2
"""Between this chance of 17 and 1 minus it, the chance alone does not say which choice was best."""
LESS_LIKELY_FACTOR: Final = 3
"""If the others' play makes 17 less likely by this factor, the text says why that may be."""
LEAST_CHANCE_TO_EXPLAIN: Final = 0.1
"""Below this chance of 17 that is not explained."""
ROUNDING_MARGIN: Final = 0.005
"""A chance nearer to 0 or 1 than this would be rounded to it."""


def action_text(action: Action | None, words: Words) -> str:
    """*action* in a few words: the card and, if it matters, its face; "calling 17!", or for ``None`` "not calling"."""
    match action:
        case Play(_, card, _) if card.open_back:
            return words("two-sided {card}", card=cards.symbol_and_name(card, words))
        case Play(_, card, Face.UP):
            return words("{card} face up", card=cards.symbol_and_name(card, words))
        case Play(_, card, _):
            return words("{card} face down", card=cards.symbol_and_name(card, words))
        case Call():
            return words("calling 17!")
        case _:
            return words("not calling")


def insight_text(insight: Insight, words: Words, *, always: bool, own: bool, played: bool) -> str:
    """Return how likely 17 was, by the cards seen and by others' play, or the known sum, and what was at stake; unless
    *always*, empty where 17 was hardly possible or the sum known.

    It also says whether a Trap of the same player lay there. *own*: that player is the reader. *played*: a card was
    played since, and the text says so.
    """
    if not always and (max(insight.odds, insight.believed) < LEAST_CHANCE or insight.total is not None):
        return ""
    odds, believed = _chance_text(insight.odds, words), believed_chance_text(insight, words)
    facts = {"odds": odds, "believed": believed, "total": insight.total, "chance": odds}
    found = [words(_chance_template(insight, alike=odds == believed, played=played), **facts)]
    if insight.total is None and insight.odds in (0, 1):
        found.append(_certain_call_sentence(insight, words))
    elif always and insight.odds < 1 and insight.total is None:
        found.append(_win_chances_after_call_sentence(insight, words))
    found += _trap_warnings(insight, words, own=own, others=always)
    if insight.silent and LESS_LIKELY_FACTOR * insight.believed < insight.odds >= LEAST_CHANCE_TO_EXPLAIN:
        found.append(words("Somebody who hid a card could have called since, and did not."))
    return " ".join(found)


def _trap_warnings(insight: Insight, words: Words, *, own: bool, others: bool = True) -> list[str]:
    """Sentences on Traps that a call would or might spring; empty if there is no danger.

    One of the caller (*own*: the reader); with *others* also one of somebody who would win by it.
    """
    found = []
    if insight.trapped:
        caller = words("A call also springs the caller’s own Trap.")
        found.append(words("A call also springs your own Trap.") if own else caller)
    if others and insight.snare and insight.odds > 0:
        found.append(
            words("A hidden card of somebody at match point may be a Trap: it would bring them their last token.")
        )
    return found


def _certain_call_sentence(insight: Insight, words: Words) -> str:
    """Return a sentence that a call was certain to be right (``insight.odds`` is 1) or wrong (0): for anybody, or only
    for whoever has counted the cards (``insight.counted``)."""
    if insight.odds:
        if insight.counted:
            return words("17 or more is certain for whoever has counted the cards.")
        return words("17 or more is certain, whatever is hidden.")
    if insight.counted:
        return words("For whoever has counted the cards, a call cannot be right.")
    return words("A call could not be right.")


def _win_chances_after_call_sentence(insight: Insight, words: Words) -> str:
    """Return a sentence with the chances to win the game after a right call and after a wrong one; or, if a wrong one
    ends the game (``insight.fatal``, D16), that it loses."""
    facts = {"right": percent(insight.right), "wrong": percent(insight.wrong)}
    if insight.fatal:
        return words("A right call leaves {right}% to win the game; a wrong one loses it at once.", **facts)
    return words("A right call leaves {right}% to win the game, a wrong one {wrong}%.", **facts)


def _chance_template(insight: Insight, *, alike: bool, played: bool) -> str:
    """The English text with placeholders for how likely 17 was, or the known sum; *alike*: both chances are the same.

    *played*: a card was played since, and the text says so.
    """
    if insight.total is not None:
        return _known_sum_template(insight.total, played=played)
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


def _known_sum_template(total: int, *, played: bool) -> str:
    """The English text with a placeholder for the known sum; below 17 it adds that a call could not be right."""
    if total >= TARGET:
        return N_("Known sum before this card: {total}.") if played else N_("Known sum: {total}.")
    if played:
        return N_("Known sum before this card: {total}. A call could not be right.")
    return N_("Known sum: {total}. A call could not be right.")


def believed_chance_text(insight: Insight, words: Words) -> str:
    """The chance of 17 in percent for a strong player who also reads the others; 0 or 100% only if it is certain."""
    certain = insight.odds in (0, 1)
    return _chance_text(insight.odds if certain else min(0.999, max(0.001, insight.believed)), words)


def _chance_text(chance: float, words: Words) -> str:
    """Return *chance* (0 to 1) in percent; one that is not certain is never shown as 0 or 100%, but as "under 1%" or
    "over 99%"."""
    if 0 < chance < ROUNDING_MARGIN:
        return words("under 1%")
    if 1 - ROUNDING_MARGIN < chance < 1:
        return words("over 99%")
    return words("{percent}%", percent=round(100 * chance))


def ignored_call_text(made: Action | None, happened: Sequence[Event], scene: Scene17, words: Words) -> str:
    """A sentence that says that a call did not count, as another player's call came first (D9); empty if it counted."""
    called = next((it for it in happened if isinstance(it, Called)), None)
    if called is None or not isinstance(made, Call) or called.caller in made.seats:
        return ""
    name = escaped_name(scene.name(called.caller))
    return words("This call did not count: {name} called at the same moment and comes first in turn order.", name=name)


def better_choice_reason(decision: Decision, view: View, words: Words, *, name: str) -> str:
    """Why the best choice was better than the one made, by the player's *view*; empty if nothing can be said.

    Between calling and not calling: how likely 17 was, and, where that alone does not explain it, what a call left.
    Between two cards: that a Trap lay face up, or that everybody sees 17 in *view* after the card that was played.
    *name* is the player's; empty: the reader.
    """
    made, best = decision.made, decision.best
    if isinstance(made, Call) == isinstance(best, Call):
        if _plays_trap_face_up(made) and not _plays_trap_face_up(best):
            return words("Face up, a Trap does nothing.")
        opened = certain_consequence_sentence(best, view, words, name=name)
        return opened if has_own_trap(view) else "" if opened else certain_consequence_sentence(made, view, words)
    insight: Insight | None = decision.insight
    assert insight is not None  # there could be a call
    traps = [] if isinstance(best, Call) else _trap_warnings(insight, words, own=not name)
    if _plays_trap_face_up(made):
        traps.append(words("Face up, a Trap does nothing."))
    if has_own_trap(view):  # what lures the others into it
        traps += filter(None, [certain_consequence_sentence(best, view, words, name=name)])
    if insight.total is not None:
        return " ".join([words(_known_sum_template(insight.total, played=False), total=insight.total), *traps])
    if insight.odds in (0, 1):
        return " ".join([_certain_call_sentence(insight, words), *(traps if insight.odds else [])])
    odds, believed = _chance_text(insight.odds, words), believed_chance_text(insight, words)
    said = words(
        _chance_template(insight, alike=odds == believed, played=False), odds=odds, believed=believed, chance=odds
    )
    clear = (
        isinstance(best, Call) == (insight.believed >= EVEN_CHANCE)
        and not UNCLEAR_CHANCE < insight.believed < 1 - UNCLEAR_CHANCE
    )
    return " ".join(
        [said, *([] if clear and not insight.fatal else [_win_chances_after_call_sentence(insight, words)]), *traps]
    )


def _plays_trap_face_up(action: Action | None) -> bool:
    """Whether *action* plays a Trap face up, which has no effect (D12)."""
    return isinstance(action, Play) and action.card is Card.TRAP and action.face is Face.UP


def certain_consequence_sentence(action: Action | None, view: View, words: Words, *, name: str = "") -> str:
    """A sentence that everybody sees 17 after the viewer's *action*, or soon must, and who gains; empty if neither.

    The viewer is called *name* (empty: the reader).
    """
    if not isinstance(action, Play):
        return ""
    play = action_text(action, words)
    if view_after_forced_17(view, action) is not None:
        return words("After {play}, the next player cannot help letting everybody see 17.", play=play)
    if not shows_17_to_all(view, action):
        return ""
    if has_own_trap(view) and not name:
        return words("After {play}, everybody sees 17: the next call springs your Trap.", play=play)
    if has_own_trap(view):
        return words("After {play}, everybody sees 17: the next call springs {name}’s Trap.", play=play, name=name)
    return words("After {play}, everybody sees 17: the next call is right.", play=play)


def call_luck_lines(judged: JudgedDecision[View, Event], scene: Scene17, words: Words) -> Sequence[str]:
    """Lines on how the call that ended a round turned out: good or bad luck, a Trap, others' bluffs; empty for any
    other decision."""
    decision = judged.decision
    shown = next((it for it in scene.recent if isinstance(it, Revealed)), None)
    caller = next((it.caller for it in scene.recent if isinstance(it, Called)), None)
    if shown is None or decision.insight is None or decision.seat != caller or decision.made is None:
        return ()
    believed = decision.insight.believed
    facts = {"chance": believed_chance_text(decision.insight, words), "total": shown.total}
    found = _worth_trying_lines(decision, words) if believed < EVEN_CHANCE else []
    if shown.total >= TARGET:
        lucky = [words("🍀 Lucky: 17 or more had a chance of {chance}, and it was {total}.", **facts)]
        trap = sprung_trap_lines(caller, scene, words)
        return [
            *found,
            *(trap or _even_chance_lines(decision, facts, words) or (lucky if believed < EVEN_CHANCE else ())),
        ]
    found += _even_chance_lines(decision, facts, words)
    if believed >= EVEN_CHANCE + EVEN_MARGIN and decision.points < MIN_SHOWN_POINTS:  # else the advice was not to call
        found.append(words("🌧️ Bad luck: 17 or more had a chance of {chance}, but it was {total}.", **facts))
    return [*found, *bluff_lines(judged, shown, scene, words)]


def _even_chance_lines(call: Decision, facts: Mapping[str, Any], words: Words) -> list[str]:
    """Return one line that says that 17 had a roughly even chance at *call*, so it was neither lucky nor unlucky; empty
    if it had not."""
    if abs(call.insight.believed - EVEN_CHANCE) >= EVEN_MARGIN:
        return []
    return [words("🎲 Roughly even: 17 or more had a chance of {chance}, and it was {total}.", **facts)]


def _worth_trying_lines(call: Decision, words: Words) -> list[str]:
    """A line that says why an unlikely *call* was right; empty if it was not right, or made no difference."""
    if call.points >= MIN_SHOWN_POINTS or call.otherwise is None or not call.mattered:
        return []
    if percent(call.chance) - percent(call.otherwise) < MIN_SHOWN_POINTS:
        return []
    chance = percent(call.otherwise)
    return [words("It was worth a try: not calling would have left {chance}% to win the game.", chance=chance)]


def drawn_trap_line(judged: JudgedDecision[View, Event], scene: Scene17, words: Words) -> str:
    """A line that says that whoever acted took a Trap from the draw pile; empty if they did not.

    No other card changes the chances by much when it is drawn.
    """
    drawn = [card for it in judged.happened if isinstance(it, CardsDrawn) for card in it.cards]
    if not isinstance(judged.decision.made, Play) or Card.TRAP not in drawn:
        return ""
    return words("🍀 Lucky: {name} drew a Trap.", name=bold_name(scene.name(judged.decision.seat)))


def bluff_result_lines(acted: Sequence[JudgedDecision[View, Event]], scene: Scene17, words: Words) -> Sequence[str]:
    """Lines for all but the caller: whose bluff worked, or whose Trap caught them; empty if neither, or for the caller.

    *acted* are the decisions of those who acted.
    """
    shown = next((it for it in scene.recent if isinstance(it, Revealed)), None)
    caller = next((it.caller for it in scene.recent if isinstance(it, Called)), None)
    if shown is None or caller is None or caller == scene.seat:
        return ()
    call = next((it for it in acted if it.decision.seat == caller), None)  # who has to call decides nothing (D10)
    told = [] if call is None or shown.total >= TARGET else list(bluff_lines(call, shown, scene, words))
    if scene.seat in sprung_trap_owners(scene.recent):
        caught = words("Your Trap caught {name}.", name=bold_name(scene.name(caller)))
        return [f"{cards.front_symbol(Card.TRAP)} {caught}", *told]
    return sprung_trap_lines(caller, scene, words) if shown.total >= TARGET else told
