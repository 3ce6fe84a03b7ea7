"""The middle of the hand message: the viewer's cards, the plays on offer, and what a click stands for."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from bot.custom_ids import Verb
from bot.i18n import Words
from bot.present.sheet import Item, Option, bold, button, row, select, text
from bot.present.twelve_days import cards
from bot.refusals import Refusal, Why
from bot.tables.scene import Scene
from engine.twelve_days.actions import Action, Pass, Play
from engine.twelve_days.cards import RANKS, Hand
from engine.twelve_days.combinations import Kind, kind_of
from engine.twelve_days.view import View

OPTIONS: Final = 25
"""As many choices a select holds. https://discord.com/developers/docs/components/reference#string-select"""
PASS: Final = "pass"
CARDS: Final = "cards"
PLAY: Final = "play"
_RANKS: Final = frozenset(map(str, RANKS))


def hand(scene: Scene, words: Words) -> Sequence[Item]:
    """The cards; on the viewer's turn also what is asked for, and every way to play."""
    view: View = scene.view
    shown = text(f"### {cards.each(view.hand)}" if view.hand else words("Your last cards lie on the table."))
    if scene.on_turn is None or scene.on_turn != view.seat:
        return (shown,)
    return (shown, text(*_asked(scene, words)), *_controls(scene, words))


def _asked(scene: Scene, words: Words) -> Iterator[str]:
    view: View = scene.view
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


def _controls(scene: Scene, words: Words) -> Iterator[Item]:
    view: View = scene.view
    offered = view.plays
    picked = next((kind for kind in Kind if kind.value == scene.picked), None)
    if len(offered) > OPTIONS and view.lead is None:
        yield row(_types(scene, picked, words))
        offered = tuple(play for play in offered if picked is not None and kind_of(play) is picked)
    for number, start in enumerate(range(0, len(offered), OPTIONS)):
        some = offered[start : start + OPTIONS]
        yield row(_plays(scene, some, number, len(offered) > OPTIONS, words))
    if view.plays and len(view.hand) > 1:
        yield row(_cards(scene, words))
    if view.lead is not None:
        yield row(button(words("Pass"), Verb.MOVE, scene.table, scene.ply, PASS))


def _types(scene: Scene, picked: Kind | None, words: Words) -> Item:
    """Which type of play: for hands with too many for one list."""
    view: View = scene.view
    found = [kind_of(play) for play in view.plays]
    options = [
        Option(kind.value, f"{cards.kind(kind, words)} ({found.count(kind)})", kind is picked)
        for kind in Kind
        if kind in found
    ]
    return select(Verb.PICK, scene.table, words("First choose a type of play"), options, scene.ply)


def _plays(scene: Scene, plays: Sequence[Hand], number: int, split: bool, words: Words) -> Item:
    options = [Option(_text(play), cards.choice(play, words), symbol=cards.symbol(play[0])) for play in plays]
    placeholder = (
        words("Play: from {first} to {last}", first=plays[0][0], last=plays[-1][0])
        if split
        else words("Choose what to play")
    )
    return select(Verb.MOVE, scene.table, placeholder, options, scene.ply, f"{PLAY}{number}")


def _cards(scene: Scene, words: Words) -> Item:
    """The cards one by one, for whoever would rather pick them."""
    view: View = scene.view
    options = []
    for index, rank in enumerate(view.hand):
        copy = view.hand[:index].count(rank) + 1
        label = cards.label(rank) if view.hand.count(rank) == 1 else f"{cards.label(rank)} ({copy})"
        options.append(Option(f"{rank}.{copy}", label, symbol=cards.symbol(rank)))
    placeholder = words("Or pick the cards yourself")
    return select(Verb.MOVE, scene.table, placeholder, options, scene.ply, CARDS, most=len(options))


def _text(play: Hand) -> str:
    return ".".join(map(str, play))


def own_move(scene: Scene, words: Words) -> str:
    """What the viewer has played and has not landed yet."""
    move: dict[str, Any] = dict(scene.own_move or {})
    return words(
        "You play {cards}, in a moment: the others see who took the trick.", cards=cards.each(tuple(move["play"]))
    )


def move(view: View, arg: str, values: Sequence[str]) -> Action:
    """What a control stands for: the pass, a play from the list ("3.3"), or cards picked one by one ("3.1", "3.2").

    Raises:
        Refusal: the control belongs to nothing.
    """
    if view.seat is None:
        raise Refusal(Why.BUTTON_DEAD)
    if arg == PASS and not values:
        return Pass(view.seat)
    if arg == CARDS:
        numbers = [value.partition(".")[0] for value in values]
    elif arg.startswith(PLAY) and len(values) == 1:
        numbers = values[0].split(".")
    else:
        raise Refusal(Why.BUTTON_DEAD)
    if not numbers or not all(number in _RANKS for number in numbers):
        raise Refusal(Why.BUTTON_DEAD)
    return Play(view.seat, tuple(sorted(map(int, numbers))))
