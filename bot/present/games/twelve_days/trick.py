"""The trick that is being played, and the last one, in lines."""

from collections.abc import Iterable, Sequence

from bot.i18n import Words
from bot.present.alike import alike
from bot.present.games.twelve_days import cards
from bot.present.games.twelve_days.results import DaysScene
from bot.present.sheet import escaped
from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.events import TrickWon


@alike
def trick_lines(scene: DaysScene, words: Words) -> Sequence[str]:
    """The trick so far: the lead's type and low card, who played what, who passed, whose play is the lowest.

    Before the lead the last trick, if it has just ended. That of the hand before is not shown any more: how it was won
    stands above, and must fit on a phone.
    """
    view = scene.view
    if view.trick:
        lead, lowest = view.lead, view.lowest
        assert lead is not None and lowest is not None
        head = words("### Lead: {kind}, low card {low}", kind=cards.kind(lead.kind, words), low=cards.card(lead.low))
        return (head, *_play_lines(view.trick, lowest.seat, "⬇️ " + words("lowest"), scene, words))
    won = next((event for event in scene.recent if isinstance(event, TrickWon)), None)
    if won is not None and not scene.just_ended:
        mark = "🏁 " + words("takes the trick")
        return (words("### Previous trick"), *_play_lines(won.trick, won.seat, mark, scene, words))
    return (words("The table is empty."),)


def last_trick_lines(scene: DaysScene, words: Words) -> Sequence[str]:
    """The trick that ended the last hand, for a review."""
    won = next(event for event in scene.outcome if isinstance(event, TrickWon))
    return (words("### Last trick"), *_play_lines(won.trick, won.seat, "🏁 " + words("takes the trick"), scene, words))


def _play_lines(trick: Sequence[Action], marked: Seat, mark: str, scene: DaysScene, words: Words) -> Iterable[str]:
    """One line per play of *trick*, with *mark* after the one by the seat *marked*; last, who passed."""
    passed: list[str] = []
    for action in trick:
        name = escaped(scene.name(action.seat))
        if isinstance(action, Play):
            shown = f"{name}: **{cards.each(action.cards)}**"
            if action.seat == marked and not scene.view.hand_sizes[marked]:
                shown += " · ❗ " + words.plural("last card", "last cards", len(action.cards))
            yield f"{shown} · {mark}" if action.seat == marked else shown
        else:
            passed.append(name)
    if passed:
        yield "-# " + words("Passed: {names}", names=words.all_of(passed))
