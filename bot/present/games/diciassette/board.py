"""The game's part of the table message: players, queue, what has just happened, how a round ended."""

from collections import Counter
from collections.abc import Sequence

from bot.i18n import Words
from bot.pictures.standings import Highlight, Won
from bot.present import presenter
from bot.present.games.diciassette import cards
from bot.present.players import card_count, player_lines
from bot.present.sheet import Item, bold, escaped, text
from bot.tables.scene import Scene
from engine.game import Seat, Standing
from engine.games.diciassette.actions import Action
from engine.games.diciassette.cards import TARGET, VICTORIES_TO_WIN, Card, Face
from engine.games.diciassette.events import (
    Because,
    Called,
    CardPlayed,
    CardTrashed,
    DirectionReversed,
    Doubled,
    Event,
    PenaltiesDiscarded,
    PileShuffled,
    Revealed,
    RoundStarted,
    Token,
    TokenGiven,
    TokenWithheld,
)
from engine.games.diciassette.highlights import CERTAIN
from engine.games.diciassette.view import View

Scene17 = Scene[View, Action, Event]


class Board(presenter.Board[View, Action, Event]):
    """Players, queue, what has just happened, how a round ended."""

    def show(self, scene: Scene17, words: Words) -> Sequence[Item]:
        """Round and direction, the players with their tokens and hand sizes, the queue with its sum, the piles."""
        view = scene.view
        direction = words("↻ clockwise") if view.direction == 1 else words("↺ counter-clockwise")

        def said(seat: Seat) -> str:
            tokens = f"{cards.VICTORY} {view.victory[seat]}/{VICTORIES_TO_WIN} {cards.PENALTY} {view.penalty[seat]}"
            backs = "".join(str(cards.open_back(number)) for number in view.open_backs[seat])
            return f"{tokens} · {card_count(view.hand_sizes[seat], words)} {backs}"

        title = words("## 17 · Round {round} · {direction}", round=view.round, direction=direction)
        near = [bold(scene.name(Seat(seat))) for seat, n in enumerate(view.victory) if n == VICTORIES_TO_WIN - 1]
        point = ["-# 🔥 " + words("Match point: {names}", names=words.all_of(near))] if near else []
        return (text(title, *point, *player_lines(scene, said)), text(*_queue_lines(view, words)))

    def won(self, standing: Standing) -> Won:
        """A player's victory and penalty tokens."""
        won, lost = standing.score
        return ((cards.VICTORY, won), (cards.PENALTY, -lost))

    def status(self, scene: Scene17, words: Words) -> str:
        """A line that says whose turn it is and who may call, or who has called."""
        view = scene.view
        if scene.callers:
            names = words.all_of([bold(scene.name(seat)) for seat in scene.callers])
            return words("📣 {names}: **17!** The cards are turned over…", names=names)
        who = bold(scene.name(view.turn))
        if view.must_call:
            return words("▶️ {name} has no card left and must call 17.", name=who)
        left = min(view.owed, view.hand_sizes[view.turn])  # whoever owes two and holds one plays the one (D7)
        if left > 1 or view.owed < view.duty:
            line = words.plural("▶️ {name} to play {n} more card.", "▶️ {name} to play {n} cards.", left, name=who)
        else:
            line = words("▶️ {name} to play a card.", name=who)
        if view.may_call and view.last is not None:
            line += " " + words("Everyone but {name} may call **17!**", name=bold(scene.name(view.last)))
        return line

    def told(self, event: Event, scene: Scene17, words: Words) -> str | None:
        """A line for cards played and trashed, turns of direction, shuffles, and who starts; ``None`` for other
        events."""
        match event:
            case CardPlayed(seat, card, Face.UP) if card is not None:
                return words(
                    "{name} plays {card} {word} face up.",
                    name=bold(scene.name(seat)),
                    card=cards.front(card),
                    word="" if card.number else cards.name(card, words),
                ).replace("  ", " ")
            case CardPlayed(seat, None, _):
                return words("{name} plays a card face down.", name=bold(scene.name(seat)))
            case CardPlayed(seat, card, _) if card is not None:
                return words(
                    "{name} plays {card} face down.",
                    name=bold(scene.name(seat)),
                    card=cards.open_back(card.number),
                )
            case CardTrashed(seat, card, face):
                if card is None:
                    return words("A face-down card by {name} is discarded.", name=bold(scene.name(seat)))
                symbol = cards.front(card) if face is Face.UP else cards.open_back(card.number)
                return words("{name}’s {card} is discarded.", name=bold(scene.name(seat)), card=symbol)
            case DirectionReversed(direction):
                return words("Now clockwise.") if direction == 1 else words("Now counter-clockwise.")
            case Doubled():
                return words("The next player plays two cards.")
            case PileShuffled(size, _) if scene.ply:
                return words("The discard pile was shuffled: {n} new cards to draw.", n=size)
            case RoundStarted(1, seat):
                return words("By lot: {name} goes first.", name=bold(scene.name(seat)))
            case _:
                return None

    def outcome(self, scene: Scene17, words: Words) -> Sequence[str]:
        """How the last round ended: who called, every card turned over, the sum, each token and why, who starts."""
        lines: list[str] = []
        caller = Seat(0)
        for event in scene.outcome:
            match event:
                case Called(caller, last, others):
                    lines.append(
                        words(
                            "### 📣 {caller} called 17! after {last}",
                            caller=escaped(scene.name(caller)),
                            last=escaped(scene.name(last)),
                        )
                    )
                    if others:
                        names = words.all_of([bold(scene.name(seat)) for seat in others])
                        lines.append(
                            words(
                                "-# {names} called at the same moment; {caller} comes first in turn order, so that "
                                "call counts.",
                                names=names,
                                caller=escaped(scene.name(caller)),
                            )
                        )
                case Revealed(queue, total):
                    lines.append("# " + (" ".join(str(cards.turned(card, face)) for _, card, face in queue) or "–"))
                    lines.append(
                        "✅ " + words("Sum **{total}**: 17 or more, the call was right.", total=total)
                        if total >= TARGET
                        else "⛔ " + words("Sum **{total}**: less than 17, the call was wrong.", total=total)
                    )
                case TokenGiven(seat, Token.VICTORY, Because.TRAP):
                    lines.append(_snap_line(seat, caller, scene, words, rewarded=True))
                case TokenGiven(_, Token.PENALTY, Because.TRAP):
                    continue  # it stands in the line of its trap
                case TokenWithheld(seat, Because.TRAP):
                    lines.append(_snap_line(seat, caller, scene, words, rewarded=False))
                    lines.append(_withheld_line(seat, scene, words))
                case TokenGiven(seat, token, because):
                    symbol = cards.VICTORY if token is Token.VICTORY else cards.PENALTY
                    lines.append(f"{symbol} {bold(scene.name(seat))}: {_reason_text(token, because, words)}")
                case TokenWithheld(seat, _):
                    lines.append(_withheld_line(seat, scene, words))
                case PenaltiesDiscarded(seat, victory_lost):
                    name = bold(scene.name(seat))
                    if victory_lost:
                        lines.append(
                            "➖ "
                            + words("{name}: second penalty – both go back, and a victory token with them.", name=name)
                        )
                    else:
                        lines.append(
                            "➖ " + words("{name}: second penalty – both go back; no victory token to lose.", name=name)
                        )
                case RoundStarted(_, seat):
                    lines.append(words("➡️ {name} starts the next round.", name=bold(scene.name(seat))))
                case _:
                    continue
        return tuple(lines)

    def last_round(self, scene: Scene17, words: Words) -> str:
        """How the last round ended, in one line: who called, the sum, who got what."""
        said = ""
        given: list[str] = []
        for event in scene.outcome:
            match event:
                case Called(caller, _, _):
                    said = bold(scene.name(caller))
                case Revealed(_, total) if total >= TARGET:
                    said = words("Last round: {name} called 17! at {total} – right.", name=said, total=total)
                case Revealed(_, total):
                    said = words("Last round: {name} called 17! at {total} – wrong.", name=said, total=total)
                case TokenGiven(seat, token, _):
                    symbol = cards.VICTORY if token is Token.VICTORY else cards.PENALTY
                    given.append(f"{symbol} {escaped(scene.name(seat))}")
                case _:
                    continue
        return f"{said} {' · '.join(given)}".strip()

    def highlights(self, scene: Scene17, name: presenter.Name, words: Words) -> Sequence[Highlight]:
        """The bravest call, the best bluff, and whose traps snapped how often."""
        found: list[Highlight] = []
        bravest, bluff, snaps = scene.highlights
        if bravest is not None:
            said = words(
                "{name}, with a chance of {percent}%",
                name=name(bravest.caller, bravest.ply),
                percent=_percent(bravest.chance),
            )
            found.append(Highlight(cards.BRAVEST_CALL, words("Bravest call"), said))
        if bluff is not None:
            said = words(
                "{name} – {caller} was {percent}% sure",
                name=name(bluff.last, bluff.ply),
                caller=name(bluff.caller, bluff.ply),
                percent=_percent(bluff.chance),
            )
            found.append(Highlight(cards.BEST_BLUFF, words("Best bluff"), said))
        if snaps:
            counts = Counter(name(snap.owner, snap.ply) for snap in snaps)
            said = ", ".join(f"{owner} {count}" for owner, count in counts.most_common())
            found.append(Highlight(cards.front(Card.TRAP), words("Traps snapped"), said))
        return found

    def page_now(self, scene: Scene17) -> str | None:
        """The page on the end of a round when one has just ended; else on calling, or for the player on turn on the
        cards.

        Before the first card of the game it is the page on a turn.
        """
        if not scene.view.queue:
            return "end_of_round" if scene.outcome else "turn"
        return "calling" if scene.on_turn != scene.seat else "cards"


def _queue_lines(view: View, words: Words) -> Sequence[str]:
    """The queue left to right, large; what is known of its sum; the sizes of the piles."""
    pile = words("Draw pile: {n}", n=view.draw_size)
    if view.draw_size:
        top = cards.open_back(view.draw_top) if view.draw_top else cards.PLAIN_BACK
        pile += " " + words("(top: {back})", back=top)
    pile += " · " + words("discard pile: {n}", n=view.discard_size)
    if not view.queue:
        return (words("The queue is empty."), f"-# {pile}")
    row = words("# Queue: {cards}", cards=" ".join(str(cards.lying(seen)) for seen in view.queue))
    total = words("Visible: **{sum}**", sum=view.visible_sum)
    if view.hidden_count:
        total += " + " + words.plural("**{n}** hidden card", "**{n}** hidden cards", view.hidden_count)
    return (row, total, f"-# {pile}")


def _snap_line(owner: Seat, caller: Seat, scene: Scene17, words: Words, *, rewarded: bool) -> str:
    """That a trap of *owner* has caught *caller*, with the tokens of both after their names; *rewarded*: the owner gets
    one (D14, D15)."""
    won = f" {cards.VICTORY}" if rewarded else ""
    snap, caught = cards.turned(Card.TRAP, Face.DOWN), f"{bold(scene.name(caller))}{won if owner == caller else ''}"
    if owner == caller:
        return f"{snap} " + words(
            "**Snap!** {name} has walked into a Trap of their own.", name=f"{caught} {cards.PENALTY}"
        )
    trapper = f"{bold(scene.name(owner))}{won}"
    return f"{snap} " + words("**Snap!** {owner} traps {name}.", owner=trapper, name=f"{caught} {cards.PENALTY}")


def _withheld_line(seat: Seat, scene: Scene17, words: Words) -> str:
    """That *seat* gets no second victory token (D15)."""
    return "▫️ " + words("{name}: only one victory token per round.", name=bold(scene.name(seat)))


def _percent(chance: int) -> int:
    """A *chance* in ten-thousandths that is neither 0 nor 1, in percent, never shown as if it were."""
    return min(99, max(1, round(100 * chance / CERTAIN)))


def _reason_text(token: Token, because: Because, words: Words) -> str:
    """Why somebody got *token* for a call, in a few words."""
    match because, token:
        case Because.RIGHT_CALL, Token.VICTORY:
            return words("right call")
        case Because.RIGHT_CALL, _:
            return words("played the last card")
        case _, Token.VICTORY:
            return words("played the last card, below 17")
        case _:
            return words("wrong call")
