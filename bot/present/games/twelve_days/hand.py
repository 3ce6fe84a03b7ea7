"""The game's part of the hand message: the viewer's cards, and on their turn what they may play."""

from collections.abc import Iterator, Sequence

from discord import ButtonStyle

from bot.i18n import Words
from bot.pictures.symbols import Symbol
from bot.present import presenter
from bot.present.games.twelve_days import cards
from bot.present.games.twelve_days.board import DaysScene
from bot.present.offers import LIST, MOST, Choice, Offers
from bot.present.sheet import Item, bold, row, text
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import Card
from engine.games.twelve_days.combinations import Kind, kind_of
from engine.games.twelve_days.events import Event
from engine.games.twelve_days.view import View


class Hand(presenter.Hand[View, Action, Event]):
    """The viewer's cards, and on their turn what is asked for and every way to play."""

    def show(self, scene: DaysScene, offers: Offers[View, Action], words: Words) -> Sequence[Item]:
        """The viewer's cards; on their turn also what is asked for, and controls for everything they may play."""
        view = scene.view
        shown = text(f"### {cards.each(view.hand)}" if view.hand else words("Your last cards lie on the table."))
        if scene.on_turn is None or scene.on_turn != view.seat:
            return (shown,)
        return (shown, text(*_request_lines(scene, words)), *_controls(scene, offers, words))

    def landing(self, action: Action, words: Words) -> str:
        """A sentence that says what the viewer is about to play; *action* is a play, since a pass is never held."""
        assert isinstance(action, Play)
        shown = cards.each(action.cards)
        return words("You play {cards}, in a moment: the others see who took the trick.", cards=shown)

    def play_of(self, view: View, picked: Sequence[Card]) -> Action:
        """The play of the cards *picked*, which may be no combination; the viewer must be on turn."""
        return Play(view.turn, tuple(sorted(picked)))


def _request_lines(scene: DaysScene, words: Words) -> Iterator[str]:
    """What the lead asks for, the lowest play so far, and whether the viewer holds anything that fits."""
    view = scene.view
    wanted = cards.wanted(view.lead, words)
    if view.lead is None:
        yield words("You lead: {wanted}.", wanted=wanted)
        return
    lowest = view.lowest
    assert lowest is not None
    yield words("Lowest so far: {cards} by {name}.", cards=cards.each(lowest.cards), name=bold(scene.name(lowest.seat)))
    if view.plays:
        yield words("You may play {wanted}, or pass.", wanted=wanted)
    else:
        yield words("You could play {wanted}. You have none, so you can only pass.", wanted=wanted)


def _controls(scene: DaysScene, offers: Offers[View, Action], words: Words) -> Iterator[Item]:
    """Lists of plays, a list of the viewer's cards to pick one by one, and the pass.

    Somebody who leads, and has more plays than one list holds, picks the type of play first.
    """
    view = scene.view
    plays = [action for action in scene.allowed if isinstance(action, Play)]
    offered = plays
    if len(plays) > LIST and view.lead is None:
        found = [kind_of(play.cards) for play in plays]
        kinds = [(f"{cards.kind(kind, words)} ({found.count(kind)})", kind.value) for kind in Kind if kind in found]
        yield offers.groups(words("First choose a type of play"), kinds)
        offered = [play for play, kind in zip(plays, found, strict=True) if kind and kind.value == scene.picked]
    # There may be sixty straights. They are in the order of their lowest card, so each list is a range of those.
    for start in range(0, len(offered), MOST):
        yield from _play_lists(offered[start : start + MOST], len(offered) > LIST, offers, words)
    if plays and len(view.hand) > 1:
        yield offers.cards(words("Or pick the cards yourself"), list(_single_cards(view)))
    if view.lead is not None:
        yield row(offers.button(words("Pass"), Pass(view.turn), style=ButtonStyle.secondary))


def _play_lists(plays: Sequence[Play], split: bool, offers: Offers[View, Action], words: Words) -> Sequence[Item]:
    """One list of *plays*, or, if they are *split* over several, lists that say their first and last low card."""

    def between(first: Action, last: Action) -> str:
        assert isinstance(first, Play) and isinstance(last, Play)
        return words("Play: from {first} to {last}", first=first.cards[0], last=last.cards[0])

    choices = [Choice[Action](cards.choice(play.cards, words), cards.symbol(play.cards[0]), play) for play in plays]
    return offers.choose(between if split else words("Choose what to play"), choices)


def _single_cards(view: View) -> Iterator[tuple[str, Symbol]]:
    """(label, symbol) for each card of the viewer's hand; equal ones are numbered."""
    for index, rank in enumerate(view.hand):
        copy = view.hand[:index].count(rank) + 1
        label = cards.label(rank) if view.hand.count(rank) == 1 else f"{cards.label(rank)} ({copy})"
        yield label, cards.symbol(rank)
