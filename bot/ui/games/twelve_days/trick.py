"""The trick that is being played, and the last one, in lines; what they meant to the viewer."""

from collections.abc import Iterable, Sequence

from bot.i18n import Words
from bot.tables.scene import Scene
from bot.ui.components import PLAIN_NO_BREAK_SPACE, cached_by_public_scene, escaped_name
from bot.ui.games.twelve_days import cards
from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.events import (
    Event,
    GiftClaimed,
    GiftGiven,
    HandDealt,
    HandWon,
    NoGiftToGive,
    TakenBack,
    TrickWon,
)
from engine.games.twelve_days.view import View

# Lines that tell one player what the end of a trick, or of a hand, means to them. The scene is that of a seat.


DaysScene = Scene[View, Action, Event]


def viewer_trick_result_line(scene: DaysScene, words: Words) -> str:
    """How the trick that has just ended went for the viewer; empty if none did, they passed, or it ended the hand."""
    won = next((event for event in scene.recent if isinstance(event, TrickWon)), None)
    if won is None or scene.just_ended:
        return ""
    plays = [action for action in won.trick if isinstance(action, Play)]
    mine = next((play for play in plays if play.seat == scene.seat), None)
    if mine is None:
        return ""
    best = next(play for play in plays if play.seat == won.seat)
    if mine is best:
        return _won_trick_line(scene, plays, mine, words)
    winner, low = escaped_name(scene.with_names_at_recent_events.name(won.seat)), mine.cards[0]
    if any(isinstance(event, TakenBack) and event.seat == mine.seat for event in scene.recent):  # ruling T8
        return words.plural(
            "{name} beat you: the card is back.", "{name} beat you: the cards are back.", len(mine.cards), name=winner
        )
    if any(play.cards[0] < low for play in plays[: plays.index(mine)]):
        return words.plural("You got rid of {n} card.", "You got rid of {n} cards.", len(mine.cards))
    if best.cards[0] == low:  # ruling T7
        return words("Just as low, but {name} was later.", name=winner)
    return words(
        "{name} beat your {mine} with {card}.",
        name=winner,
        mine=cards.card_text(low),
        card=cards.card_text(best.cards[0]),
    )


def _won_trick_line(scene: DaysScene, plays: list[Play], mine: Play, words: Words) -> str:
    """A line that tells the viewer that they took the trick with *mine*, and how many cards they have left."""
    if sum(play.cards[0] == mine.cards[0] for play in plays) > 1:  # ruling T7
        return words("Just as low, but later: yours!")
    left = words.plural("{n} card to go.", "{n} cards to go.", scene.view.hand_sizes[mine.seat])
    return words("The trick is yours!") + " " + left


def viewer_hand_result_line(scene: DaysScene, words: Words) -> str:
    """A line on what the end of the last hand meant to the viewer; empty if nothing, or they have played since."""
    match hand_end_event_for_viewer(scene):
        case HandWon():
            gifts = sum(isinstance(event, GiftClaimed | GiftGiven) for event in scene.outcome)
            said = words.plural("Out first: {n} gift for you!", "Out first: {n} gifts for you!", gifts)
            return f"🎉 {said}"
        case GiftGiven(_, winner):
            return words(
                "Most cards, so {name} gets a gift.", name=escaped_name(scene.with_names_at_outcome.name(winner))
            )
        case NoGiftToGive():
            return words("Most cards, but you had no gift.")
        case TakenBack():  # ruling T8
            winner = next(event.seat for event in scene.outcome if isinstance(event, HandWon))
            return words("So close: {name} beat you.", name=escaped_name(scene.with_names_at_outcome.name(winner)))
        case _:
            return ""


def hand_end_event_for_viewer(scene: DaysScene) -> Event | None:
    """The event at the last hand's end that concerned the viewer; ``None`` if none did, or they have played since."""
    found = [
        event
        for event in scene.outcome
        if isinstance(event, HandWon | GiftGiven | NoGiftToGive | TakenBack) and event.seat == scene.seat
    ]
    return found[-1] if found and not viewer_has_played_this_hand(scene) else None


def viewer_has_played_this_hand(scene: DaysScene) -> bool:
    """Whether the viewer has played a card since the last hand ended and new cards were dealt; false for the public."""
    dealt = next((event for event in scene.outcome if isinstance(event, HandDealt)), None)
    return dealt is not None and scene.seat is not None and scene.view.hand_sizes[scene.seat] < dealt.size


@cached_by_public_scene
def trick_lines(scene: DaysScene, words: Words) -> Sequence[str]:
    """Return lines with the trick so far: lead, who played what, the lowest play, who passed; before the lead the trick
    that has just ended, or that the table is empty.

    The trick of the hand before is not shown any more: how it was won stands above, and must fit on a phone.
    """
    view = scene.view
    if view.trick:
        lead, lowest = view.lead, view.lowest
        assert lead is not None and lowest is not None
        low = cards.card_text(lead.low)
        head = words("### Lead: {kind}, low card {low}", kind=cards.combination_type_name(lead.kind, words), low=low)
        head = head.replace(f" {low}", f"{PLAIN_NO_BREAK_SPACE}{low}")  # no card alone in the last line
        return (head, *_play_lines(view.trick, lowest.seat, "⬇️ " + words("lowest"), scene, words))
    won = next((event for event in scene.recent if isinstance(event, TrickWon)), None)
    if won is not None and not scene.just_ended:
        mark = "🏁 " + words("takes the trick")
        return (
            words("### Previous trick"),
            *_play_lines(won.trick, won.seat, mark, scene.with_names_at_recent_events, words),
        )
    return (words("The table is empty."),)


def hand_ending_trick_lines(scene: DaysScene, words: Words) -> Sequence[str]:
    """Return lines with the trick that ended the last hand, for a review: who played what, who took it, who passed."""
    won = next(event for event in scene.outcome if isinstance(event, TrickWon))
    return (words("### Last trick"), *_play_lines(won.trick, won.seat, "🏁 " + words("takes the trick"), scene, words))


def _play_lines(trick: Sequence[Action], marked: Seat, mark: str, scene: DaysScene, words: Words) -> Iterable[str]:
    """Yield a line for each play of *trick*, with *mark* after that of the seat *marked*; last a line on who passed."""
    passed: list[str] = []
    for action in trick:
        name = escaped_name(scene.name(action.seat))
        if isinstance(action, Play):
            shown = f"{name}: **{cards.cards_text(action.cards)}**"
            if action.seat == marked and not scene.view.hand_sizes[marked]:
                shown += " · ❗ " + words.plural("last card", "last cards", len(action.cards))
            yield f"{shown} · {mark}" if action.seat == marked else shown
        else:
            passed.append(name)
    if passed:
        yield "-# " + words("Passed: {names}", names=words.list_and(passed))
