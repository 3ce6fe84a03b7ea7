"""The game's part of the table message: players, queue, what has just happened, how a round ended."""

from collections import Counter
from collections.abc import Callable, Sequence

from bot.i18n import Words
from bot.pictures.picture import Picture
from bot.pictures.standings import Highlight, Won
from bot.pictures.symbols import joined
from bot.present import presenter
from bot.present.alike import alike
from bot.present.commentary import Named
from bot.present.games.diciassette import cards, coach
from bot.present.games.diciassette.bluffs import trappers
from bot.present.games.diciassette.reveal import Scene17, concluded, has_laid, match_point, reveal_lines
from bot.present.games.diciassette.tension import Open17, open_queue, tension_picture
from bot.present.players import card_count, player_lines
from bot.present.sheet import JOINED, Item, bold, escaped, text
from bot.review.decisions import Judged
from engine.decision import Decision
from engine.game import Seat, Standing
from engine.games.diciassette.actions import Action
from engine.games.diciassette.cards import Card, Face
from engine.games.diciassette.coach import Insight
from engine.games.diciassette.events import (
    Called,
    CardPlayed,
    CardTrashed,
    DirectionReversed,
    Doubled,
    Event,
    PileShuffled,
    RoundStarted,
)
from engine.games.diciassette.highlights import CERTAIN
from engine.games.diciassette.history import Drawn, Gone, Told, Trashed
from engine.games.diciassette.view import View


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
        case Drawn(_, size) if size != 1:  # one card, as nearly always, is not worth a word
            return words.plural("draws {n}", "draws {n}", size)
        case PileShuffled():
            return words("pile shuffled")
        case _:
            return ""


class Board(presenter.Board[View, Action, Event]):
    """Players, queue, what has just happened, how a round ended."""

    def show(self, scene: Scene17, words: Words) -> Sequence[Item]:
        """Round and direction, the players with their tokens and hand sizes, the queue with its sum, the piles."""
        view = scene.view

        def said(seat: Seat) -> str:
            backs = joined(map(cards.open_back, view.open_backs[seat]), JOINED)
            return f"{card_count(view.hand_sizes[seat], words)} {backs}"

        total = words("Visible: **{sum}**", sum=view.visible_sum)
        if hidden := view.hidden_count:
            total += " + " + words.plural("**{n}** hidden card", "**{n}** hidden cards", hidden)
        return (text(*_head_lines(scene, said, words)), text(*_queue_lines(scene, total, words)))

    def cards(self, view: View) -> str:
        """The fronts of the viewer's cards."""
        return joined(map(cards.front, view.hand), JOINED)

    def open(self, shown: Open17, words: Words) -> Sequence[Item]:
        """As ``show``, with the fronts of all cards, and the sum that only this shows."""
        queue = open_queue(shown)
        scene = shown.scene._replace(view=shown.scene.view._replace(queue=queue))
        total = words("Sum: **{sum}**", sum=scene.view.visible_sum)
        if shown.scene.view.hidden_count:
            total += " · " + words("visible to everyone: {sum}", sum=shown.scene.view.visible_sum)
        lines = _head_lines(scene, lambda seat: self.cards(shown.views[seat]) or "–", words)
        return (text(*lines), text(*_queue_lines(scene, total, words)))

    def done(self, action: Action | None, words: Words) -> str:
        """The card and how it is laid, or whether there is a call."""
        return coach.done(action, words)

    def insight(
        self, insight: Insight, words: Words, *, always: bool = True, own: bool = True, played: bool = False
    ) -> str:
        """How likely 17 was, by the cards seen and as good players read the others."""
        return coach.insight(insight, words, always=always, own=own, played=played)

    def ignored(self, made: Action | None, happened: Sequence[Event], scene: Scene17, words: Words) -> str:
        """That a call did not count, since somebody else called at the same moment (D9)."""
        return coach.ignored(made, happened, scene, words)

    def reason(self, decision: Decision, view: View, named: Named, words: Words, *, name: str = "") -> str:
        """How likely 17 was, where the choice was between calling and not; that a card lets everybody see it."""
        return coach.reason(decision, view, words, name=name)

    def consequence(self, action: Action | None, view: View, words: Words) -> str:
        """That everybody sees 17 after it."""
        return coach.consequence(action, view, words)

    def aftermath(self, judged: Judged[View, Event], scene: Scene17, words: Words) -> Sequence[str]:
        """Whether a call was lucky, unlucky, and whose hidden cards made 17 look likely."""
        return coach.aftermath(judged, scene, words)

    def drew(self, judged: Judged[View, Event], scene: Scene17, words: Words) -> str:
        """That they drew a Trap, the best card there is."""
        return coach.drew(judged, scene, words)

    def taken_in(self, acted: Sequence[Judged[View, Event]], scene: Scene17, words: Words) -> Sequence[str]:
        """Whose bluff worked, or that a trap snapped."""
        return coach.taken_in(acted, scene, words)

    def begun(self, scene: Scene17, words: Words) -> str:
        """That the next round begins."""
        return words("**The next round begins:**") if any(isinstance(it, RoundStarted) for it in scene.outcome) else ""

    def course(self, moments: Sequence[Open17], words: Words) -> Picture | None:
        """The sum of the queue and how likely 17 was, card by card."""
        return tension_picture(moments, words)

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
        line = _turn_line(scene, words)
        if view.may_call and view.last is not None and not view.must_call:
            line += " " + _may_call_line(scene, view.last, words)
        return line

    def told(self, event: Event, scene: Scene17, words: Words) -> str | None:
        """A line for cards played and trashed, turns of direction, shuffles, and who starts; ``None`` for other
        events."""
        match event:
            case CardPlayed(seat, card, Face.UP) if card is not None:
                return words(
                    "{name} plays {card} face up.",
                    name=bold(scene.name(seat)),
                    card=cards.front(card) if card.number else cards.named(card, words),
                )
            case CardPlayed(seat, None, _):
                return words("{name} plays a card face down.", name=bold(scene.name(seat)))
            case CardPlayed(seat, card, _) if card is not None:
                return words("{name} plays {card} face down.", name=bold(scene.name(seat)), card=cards.face_down(card))
            case CardTrashed(seat, card, face):
                if card is None:
                    return words("A face-down card by {name} is discarded.", name=bold(scene.name(seat)))
                symbol = cards.front(card) if face is Face.UP else cards.face_down(card)
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

    def retold(self, told: Sequence[Told], scene: Scene17, words: Words) -> str:
        """Who has played what, what it has done, how many cards they drew."""
        return past_line(told, scene, words)

    def outcome(self, scene: Scene17, words: Words) -> Sequence[str]:
        """How the last round ended: who called, every card turned over, the sum, the traps, the tokens."""
        return reveal_lines(scene, words)

    def reveal(self, scene: Scene17, words: Words) -> Sequence[str]:
        """The cards turned over, the sum, the traps, the tokens; to those whose ``Hand.result`` does not say it, also
        who called."""
        called = next((event for event in scene.outcome if isinstance(event, Called)), None)
        concerned = called is not None and scene.seat in (called.caller, called.last)
        return reveal_lines(scene, words, called=not concerned)

    def last_round(self, scene: Scene17, words: Words) -> str:
        """How the last round ended, in one line: who called, the sum, who got what, and gave what back.

        Empty for a player who has laid a card since.
        """
        said = " ".join(filter(None, concluded(scene, words)))
        if not said or (scene.seat is not None and has_laid(scene)):
            return ""
        return words("Last round: {what}", what=said)

    def concluded(self, scene: Scene17, words: Words) -> str:
        """Who called, the sum, whose Traps snapped, who got what, and gave what back."""
        called, tokens = concluded(scene, words)
        owners = trappers(scene.outcome)
        names = words.all_of([bold(scene.name(seat)) for seat in dict.fromkeys(owners)])
        traps = words.plural("{n} Trap by {names}!", "{n} Traps by {names}!", len(owners), names=names) if names else ""
        return " ".join(filter(None, [called, traps, tokens]))

    def in_short(self, scene: Scene17, words: Words) -> str:
        """Who called, and the sum."""
        return concluded(scene, words)[0] if scene.just_ended else ""

    def highlights(self, scene: Scene17, name: presenter.Name, words: Words) -> Sequence[Highlight]:
        """The bravest call, the best bluff, and whose traps snapped how often."""
        found: list[Highlight] = []
        if (bravest := scene.highlights.bravest) is not None:
            said = words(
                "{name}, with a chance of {percent}%",
                name=name(bravest.caller, bravest.ply),
                percent=_percent(bravest.chance),
            )
            found.append(Highlight(cards.BRAVEST_CALL, words("Bravest call"), said))
        if (bluff := scene.highlights.bluff) is not None:
            said = words(
                "{name} – {percent}% for {caller}",
                name=words.all_of([name(seat, bluff.ply) for seat in bluff.hid]),
                caller=name(bluff.caller, bluff.ply),
                percent=_percent(bluff.chance),
            )
            found.append(Highlight(cards.BEST_BLUFF, words("Best bluff"), said))
        if snaps := scene.highlights.snaps:
            counts = Counter(name(snap.owner, snap.ply) for snap in snaps)
            said = ", ".join(f"{owner} {count}×" for owner, count in counts.most_common())
            found.append(Highlight(cards.front(Card.TRAP), words("Traps sprung"), said))
        return found

    def page_now(self, scene: Scene17) -> str | None:
        """The page on the end of a round when one has just ended; else on calling, or for the player on turn on the
        cards; before the first card of the game that on a turn."""
        if not scene.view.queue:
            return "end_of_round" if scene.outcome else "turn"
        return "calling" if scene.on_turn != scene.seat else "cards"


@alike
def _turn_line(scene: Scene17, words: Words) -> str:
    """Whose turn it is, and what they have to do."""
    view = scene.view
    who = bold(scene.name(view.turn))
    if view.must_call:
        return words("▶️ {name} has no card left and must call 17.", name=who)
    left = min(view.owed, view.hand_sizes[view.turn])  # whoever owes two and holds one plays the one (D7)
    if left > 1 or view.owed < view.duty:
        return words.plural("▶️ {name} to play {n} more card.", "▶️ {name} to play {n} cards.", left, name=who)
    return words("▶️ {name} to play a card.", name=who)


def _may_call_line(scene: Scene17, last: Seat, words: Words) -> str:
    """Who may call, after a card of *last*; to a player what concerns them."""
    if scene.seat is None:
        able = [bold(person.name) for seat, person in enumerate(scene.people) if seat != last]
        if len(able) == 1:
            return words("{name} may call **17!**", name=able[0])
        return words("Everyone but {name} may call **17!**", name=bold(scene.name(last)))
    if scene.seat == last:
        return words("You have played the last card, so you cannot call.")
    return words("You may call **17!**")


def _head_lines(scene: Scene17, held: Callable[[Seat], str], words: Words) -> Sequence[str]:
    """Round and direction, match point, the players with their tokens; *held* says what there is to say of a hand."""
    view = scene.view
    direction = words("↻ clockwise") if view.direction == 1 else words("↺ counter-clockwise")
    title = words("### 17 · Round {round} · {direction}", round=view.round, direction=direction)
    point = match_point(scene, words)
    head = [title, f"-# {point}"] if point else [title]
    tokens = [cards.tokens(won, lost) for won, lost in zip(view.victory, view.penalty, strict=True)]
    return [*head, *player_lines(scene, lambda seat: f"{tokens[seat]} · {held(seat)}")]


def _queue_lines(scene: Scene17, total: str, words: Words) -> Sequence[str]:
    """The queue left to right, large; its *total*, in words; the sizes of the piles."""
    view = scene.view
    pile = words("Draw pile: {n}", n=view.draw_size)
    if view.draw_size:
        top = cards.open_back(view.draw_top) if view.draw_top else cards.PLAIN_BACK
        pile += " " + words("(top: {back})", back=top)
    pile += " · " + words("discard pile: {n}", n=view.discard_size)
    if not view.queue:
        return (f"-# {pile}",) if scene.just_ended else (words("The queue is empty."), f"-# {pile}")
    row = words("# Queue: {cards}", cards=cards.queue(view.queue))
    return (row, total, f"-# {pile}")


def _percent(chance: int) -> int:
    """A *chance* in ten-thousandths that is neither 0 nor 1, in percent, never shown as if it were."""
    return min(99, max(1, round(100 * chance / CERTAIN)))
