"""The middle of the table message: players, the trick, what just happened, how a hand ended."""

from collections.abc import Iterable, Sequence

from bot.i18n import Words
from bot.present.sheet import Item, bold, escaped, text
from bot.present.twelve_days import cards
from bot.tables.scene import Scene
from engine.game import Seat
from engine.twelve_days.actions import Action, Play
from engine.twelve_days.events import (
    Event,
    GameEnded,
    GiftClaimed,
    GiftGiven,
    HandDealt,
    HandWon,
    NoGiftToGive,
    Passed,
    Played,
    TakenBack,
    TrickWon,
)
from engine.twelve_days.view import View


def board(scene: Scene, words: Words) -> Sequence[Item]:
    """The hand's number, the players, the trick on the table - or the last one, until the next lead."""
    view: View = scene.view
    title = words("## 12 Days · Hand {n} of {total}", n=view.number, total=view.hands_total)
    left = words("{gift} in the supply: {n}", gift=cards.GIFT, n=view.supply)
    lines = [player(scene, Seat(seat), words) for seat in range(view.seats)]
    return (text(title, *lines, f"-# {left}"), text(*table(scene, words)))


def player(scene: Scene, seat: Seat, words: Words) -> str:
    """One line: whose turn, name, gifts, hand size."""
    view: View = scene.view
    person = scene.people[seat]
    mark = "▶️" if scene.on_turn == seat else "▪️"
    robot = " 🤖" if person.automatic else ""
    hand = words.plural("{n} card", "{n} cards", view.hand_sizes[seat])
    return f"{mark} {bold(person.name)}{robot} · {cards.GIFT} {view.gifts[seat]} · {hand}"


def table(scene: Scene, words: Words) -> Sequence[str]:
    """The trick so far: the lead's type and low card, who played what, who passed, who is the lowest."""
    view: View = scene.view
    if view.trick:
        lead, lowest = view.lead, view.lowest
        assert lead is not None and lowest is not None
        head = words("### Lead: {kind}, low card {low}", kind=cards.kind(lead.kind, words), low=cards.card(lead.low))
        return (head, *_trick(view.trick, lowest.seat, "⬇️ " + words("lowest"), scene, words))
    for event in scene.recent:
        if isinstance(event, TrickWon):
            return (
                words("### The trick before"),
                *_trick(event.trick, event.seat, "🏁 " + words("takes the trick"), scene, words),
            )
    return (words("The table is empty."),)


def _trick(trick: Sequence[Action], marked: Seat, mark: str, scene: Scene, words: Words) -> Iterable[str]:
    passed: list[str] = []
    for action in trick:
        name = escaped(scene.name(action.seat))
        if isinstance(action, Play):
            shown = f"{name}: **{cards.each(action.cards)}**"
            yield f"{shown} · {mark}" if action.seat == marked else shown
        else:
            passed.append(name)
    if passed:
        yield "-# " + words("Passed: {names}", names=words.all_of(passed))


def status(scene: Scene, words: Words) -> str:
    """Whose turn it is and what is asked for."""
    view: View = scene.view
    who = bold(scene.name(view.turn))
    if view.lead is None:
        return words("▶️ {name} leads.", name=who)
    return words("▶️ {name} answers or passes.", name=who)


def news(scene: Scene, words: Words) -> Sequence[str]:
    """What just happened, a line each; the end of a hand is told by ``outcome``."""
    if any(isinstance(event, HandWon) for event in scene.recent):
        return ()
    return tuple(line for event in scene.recent if (line := _told(event, scene, words)))


def _told(event: Event, scene: Scene, words: Words) -> str | None:
    match event:
        case Played(seat, played, True):
            return words("{name} leads {cards}.", name=bold(scene.name(seat)), cards=cards.each(played))
        case Played(seat, played, _):
            return words("{name} plays {cards}.", name=bold(scene.name(seat)), cards=cards.each(played))
        case Passed(seat):
            return words("{name} passes.", name=bold(scene.name(seat)))
        case TrickWon(seat, _):
            return words("{name} takes the trick and leads next.", name=bold(scene.name(seat)))
        case TakenBack(seat, back):
            return _taken_back(seat, cards.each(back), scene, words)
        case HandDealt(1, _, leader):
            return words("The draw decides: {name} leads.", name=bold(scene.name(leader)))
        case _:
            return None


def _taken_back(seat: Seat, shown: str, scene: Scene, words: Words) -> str:
    return words("{name} takes {cards} back: last cards must win the trick.", name=bold(scene.name(seat)), cards=shown)


def outcome(events: Iterable[Event], scene: Scene, words: Words) -> Sequence[str]:
    """How a hand ended: who went out, who gave a gift and why, who leads next."""
    lines: list[str] = []
    unplayed: tuple[int, ...] = ()
    last = ""
    for event in events:
        match event:
            case TrickWon(seat, trick):
                last = next(cards.each(it.cards) for it in trick if isinstance(it, Play) and it.seat == seat)
            case TakenBack(seat, back):
                lines.append(_taken_back(seat, cards.each(back), scene, words))
            case HandWon(hand, seat, unplayed):
                title = words(
                    "### 🏁 {name} wins hand {n} with {cards}", name=escaped(scene.name(seat)), n=hand, cards=last
                )
                lines.insert(0, title)
            case GiftClaimed(seat, _):
                lines.append(words("🎁 {name} is out of cards and claims a gift.", name=bold(scene.name(seat))))
            case GiftGiven(seat, to):
                lines.append(
                    words(
                        "🎁 {name} holds the most cards ({n}) and gives {winner} a gift.",
                        n=unplayed[seat],
                        name=bold(scene.name(seat)),
                        winner=bold(scene.name(to)),
                    )
                )
            case NoGiftToGive(seat):
                lines.append(
                    words(
                        "▫️ {name} holds the most cards ({n}), but has no gift to give.",
                        name=bold(scene.name(seat)),
                        n=unplayed[seat],
                    )
                )
            case HandDealt(hand, _, leader):
                lines.append(words("➡️ Hand {n} is dealt: {name} leads.", n=hand, name=bold(scene.name(leader))))
            case GameEnded():
                lines.append(words("That was the last hand."))
            case _:
                continue
    return tuple(lines)


def last_hand(events: Iterable[Event], scene: Scene, words: Words) -> str:
    """How the last hand ended, in one line: who won it, and from whom there was a gift."""
    line = ""
    givers: list[str] = []
    for event in events:
        match event:
            case HandWon(hand, seat, _):
                line = words("Hand {n}: {name} won.", n=hand, name=bold(scene.name(seat)))
            case GiftGiven(seat, _):
                givers.append(escaped(scene.name(seat)))
            case _:
                continue
    if givers:
        line += " " + words("{gift} from {names}", gift=cards.GIFT, names=words.all_of(givers))
    return line
