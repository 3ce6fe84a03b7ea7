"""How a round of 17 ended, and who is near to winning, for both messages."""

from collections.abc import Iterable, Sequence

from bot.i18n import Words
from bot.tables.scene import Scene
from bot.ui.components import NO_BREAK_SPACE, WORD_JOINER, bold_name, cached_by_public_scene, escaped_name
from bot.ui.games.diciassette import cards
from bot.ui.pictures.symbols import join_symbols
from engine.game import Seat
from engine.games.diciassette.actions import Action
from engine.games.diciassette.cards import TARGET, VICTORIES_TO_WIN, Card, Face
from engine.games.diciassette.events import (
    Because,
    Called,
    Event,
    PenaltiesDiscarded,
    Revealed,
    Token,
    TokenGiven,
    TokenWithheld,
)
from engine.games.diciassette.view import View

Scene17 = Scene[View, Action, Event]


def reveal_lines(scene: Scene17, words: Words, *, called: bool = True) -> Sequence[str]:
    """Return lines on how the last round ended: call (left out without *called*), all cards turned over, sum, Traps,
    tokens; empty while none has ended.

    Without *called* the line on who called is left out. Last, in small print, come the tokens that were withheld and
    returned.
    """
    lines: list[str] = []
    aside: list[str] = []
    back: dict[Seat, list[str]] = {}
    given = _call_token_texts(scene, words)
    caller = Seat(0)
    for event in scene.outcome:
        match event:
            case Called(caller, last, others):
                lines += _call_lines(caller, last, others, scene, words) if called else ()
            case Revealed(queue, total):
                shown = join_symbols([cards.known_card_symbol(card, face) for _, card, face in queue], " ")
                lines.append(words("## Queue: {cards}", cards=shown or "–"))
                lines.append(
                    "✅ " + words("Sum **{total}**: the call was right.", total=total)
                    if total >= TARGET
                    else "⛔ " + words("Sum **{total}**: the call was wrong.", total=total)
                )
            case TokenGiven(seat, Token.VICTORY, Because.TRAP):
                lines.append(_trap_caught_line(seat, caller, scene, words, rewarded=True))
            case TokenGiven(_, Token.PENALTY, Because.TRAP):
                continue  # it stands in the line of its trap
            case TokenGiven() if given:  # both tokens for the call in one line
                tokens = ", ".join(given)
                lines.append(f"📣 {tokens}." if _trap_was_sprung(scene) else f"{tokens}.")
                given = ()
            case TokenWithheld(seat, because):
                if because is Because.TRAP:
                    lines.append(_trap_caught_line(seat, caller, scene, words, rewarded=False))
                aside.append(words("{name}: only one victory token per round", name=escaped_name(scene.name(seat))))
            case PenaltiesDiscarded(seat, victory_lost):
                back.setdefault(seat, []).append(returned_tokens_text(victory_lost=victory_lost))
            case _:
                continue
    aside += [
        words("{name} gives back {tokens}", name=escaped_name(scene.name(seat)), tokens=", ".join(tokens))
        for seat, tokens in back.items()
    ]
    return (*lines, f"-# {' · '.join(dict.fromkeys(aside))}") if aside else tuple(lines)


def _call_lines(caller: Seat, last: Seat, others: Sequence[Seat], scene: Scene17, words: Words) -> Iterable[str]:
    """Yield lines that say that *caller* called 17 on a card of *last*, and *others* called at the same time (D9)."""
    yield words(
        "### 📣 {caller} called 17! on {last}",
        caller=escaped_name(scene.name(caller)),
        last=escaped_name(scene.name(last)),
    )
    if others:
        yield words(
            "-# {names} called at the same moment; {caller} comes first in turn order, so that call counts.",
            names=words.list_and([bold_name(scene.name(seat)) for seat in others]),
            caller=escaped_name(scene.name(caller)),
        )


def _call_token_texts(scene: Scene17, words: Words) -> Sequence[str]:
    """Who got which token for the call itself, not for a Trap, one text each (D14); empty if nobody did."""
    tokens = [event for event in scene.outcome if isinstance(event, TokenGiven)]
    return [
        words(
            "{name} gets {token}",
            name=bold_name(scene.name(seat)),
            token=cards.VICTORY if token is Token.VICTORY else cards.PENALTY,
        )
        for seat, token, because in tokens
        if because is not Because.TRAP
    ]


def _trap_was_sprung(scene: Scene17) -> bool:
    """Whether a Trap was sprung at the end of the last round: then tokens were given for more than the call."""
    return any(isinstance(it, TokenGiven | TokenWithheld) and it.because is Because.TRAP for it in scene.outcome)


def _trap_caught_line(owner: Seat, caller: Seat, scene: Scene17, words: Words, *, rewarded: bool) -> str:
    """Return a line that says that a Trap of *owner* caught *caller*, and who gets which token; *rewarded*: the owner
    gets one too (D14, D15)."""
    snap, name, victory = cards.known_card_symbol(Card.TRAP, Face.DOWN), escaped_name(scene.name(owner)), cards.VICTORY
    caught = f"{escaped_name(scene.name(caller))} ({WORD_JOINER}{cards.PENALTY}{WORD_JOINER})"
    if owner == caller:
        tokens = f"{victory}{WORD_JOINER}{cards.PENALTY}" if rewarded else str(cards.PENALTY)
        said = words("**Snap!** {name} walks into their own Trap and gets {tokens}.", name=name, tokens=tokens)
    elif rewarded:
        said = words("**Snap!** {owner} traps {name} and gets {victory}.", owner=name, name=caught, victory=victory)
    else:
        said = words("**Snap!** {owner} traps {name}.", owner=name, name=caught)
    return f"{snap} {said}"


def returned_tokens_text(*, victory_lost: bool) -> str:
    """Return the symbols of the tokens that a player gives back with a second penalty (D16): two penalties and, if
    *victory_lost*, a victory token."""
    return WORD_JOINER.join(map(str, (cards.PENALTY, cards.PENALTY, *((cards.VICTORY,) if victory_lost else ()))))


def match_point_line(scene: Scene17, words: Words) -> str:
    """Return a line that names the players who need only one more victory token to win; empty if nobody does."""
    near = [bold_name(scene.name(Seat(seat))) for seat, n in enumerate(scene.view.victory) if n == VICTORIES_TO_WIN - 1]
    return "🔥 " + words("Match point: {names}", names=words.list_and(near)) if near else ""


def viewer_has_card_in_queue(scene: Scene17) -> bool:
    """Whether a card that the viewer has played lies in the queue now."""
    return any(seen.seat == scene.seat for seen in scene.view.queue)


@cached_by_public_scene
def last_round_call_and_tokens_texts(scene: Scene17, words: Words) -> tuple[str, str]:
    """(who called in the last round and the sum, who got and returned tokens); both empty if no round has ended."""
    said = ""
    tokens: dict[Seat, list[str]] = {}
    gone: dict[Seat, list[str]] = {}
    for event in scene.outcome:
        match event:
            case Called(caller, _, _):
                said = bold_name(scene.name(caller))
            case Revealed(_, total) if total >= TARGET:
                said = words("{name} called 17! at {total} – right.", name=said, total=total)
            case Revealed(_, total):
                said = words("{name} called 17! at {total} – wrong.", name=said, total=total)
            case TokenGiven(seat, token, _):
                symbol = cards.VICTORY if token is Token.VICTORY else cards.PENALTY
                tokens.setdefault(seat, []).append(str(symbol))
            case PenaltiesDiscarded(seat, victory_lost):
                gone.setdefault(seat, []).append(returned_tokens_text(victory_lost=victory_lost))
            case _:
                continue
    got = []
    for seat, own in tokens.items():
        got.append(f"{WORD_JOINER.join(own)}{NO_BREAK_SPACE}{escaped_name(scene.name(seat))}")
        if seat in gone:
            got[-1] += " " + words("(gives back {tokens})", tokens=", ".join(gone[seat]))
    return said, " · ".join(got)
