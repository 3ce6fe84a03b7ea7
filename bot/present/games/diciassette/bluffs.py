"""Bluffs that worked and Traps that snapped at the end of a round of 17, in words, for its review."""

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.present.games.diciassette.reveal import Scene17
from bot.present.sheet import bold
from bot.review.decisions import Judged
from engine.game import Seat
from engine.games.diciassette.events import (
    Because,
    Called,
    Event,
    GameEnded,
    Revealed,
    Token,
    TokenGiven,
    TokenWithheld,
)
from engine.games.diciassette.highlights import bluffers
from engine.games.diciassette.view import View
from engine.percents import percent

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
    names = words.all_of([bold(scene.name(seat)) for seat in owners if seat != caller])
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
    facts["names"] = words.all_of([bold(scene.name(seat)) for seat in named])
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
