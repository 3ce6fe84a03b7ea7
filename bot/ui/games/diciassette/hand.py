"""The game's part of the hand message: the viewer's cards and their buttons, and the queue on their turn."""

from collections.abc import Sequence

from discord import ButtonStyle

from bot.i18n import Words
from bot.ui import presenter
from bot.ui.components import Item, alike, escaped, row, text
from bot.ui.games.diciassette import cards
from bot.ui.games.diciassette.reveal import Scene17, has_laid, match_point
from bot.ui.pictures.symbols import joined
from bot.ui.presenter import Offers
from engine.games.diciassette.actions import Action, Play
from engine.games.diciassette.cards import FACES, TARGET, VICTORIES_TO_WIN, Card, Face
from engine.games.diciassette.events import Called, Event, PenaltiesDiscarded, Revealed, Token, TokenGiven
from engine.games.diciassette.view import View


class Hand(presenter.Hand[View, Action, Event]):
    """A line and two buttons for every card."""

    def show(self, scene: Scene17, offers: Offers[View, Action], words: Words) -> Sequence[Item]:
        """The cards with their buttons, on the viewer's turn."""
        view = scene.view
        items: list[Item] = []
        if not view.hand:
            items.append(text(words("You have no card left, so you must call 17.")))
        for card in view.hand:
            items.append(text(f"{cards.front(card)} **{cards.name(card, words)}** · {cards.does(card, words)}"))
            items.append(row(*(_lay_button(scene, offers, card, face, words) for face in FACES)))
        return items

    def landing(self, action: Action, words: Words) -> str:
        """A sentence that says which card the viewer is about to lay; *action* is a play, since a call is never
        held."""
        assert isinstance(action, Play)
        name = cards.named(action.card, words)
        if action.face is Face.UP:
            return words("You play {card} face up in a moment.", card=name)
        return words("You play {card} face down in a moment.", card=name)

    def turn(self, scene: Scene17, words: Words) -> str:
        """That it is the viewer's turn, and after an x2 how many cards they play."""
        view = scene.view
        left = min(view.owed, view.hand_sizes[view.turn])
        if view.duty == 1 or not left:
            return super().turn(scene, words)
        return words.plural("**It is your turn: play {n} more card.**", "**It is your turn: play {n} cards.**", left)

    def brief(self, scene: Scene17, words: Words) -> Sequence[str]:
        """The queue and its sum, as the viewer sees them; their tokens, the direction, match point."""
        view, seat = scene.view, scene.seat
        assert seat is not None
        own = f"-# {cards.tokens(view.victory[seat], view.penalty[seat])} · {_direction(scene, words)}"
        return (*(() if scene.just_ended else _queue_lines(view, words)), own)

    def held(self, scene: Scene17, words: Words) -> str:
        """The fronts of the viewer's cards."""
        return words("Your cards: {cards}", cards=joined(map(cards.front, scene.view.hand), " ") or "—")

    def result(self, scene: Scene17, words: Words) -> str:
        """What the last round meant to the viewer: whether their call was right, who bluffed whom, how far they are."""
        seat = scene.seat
        assert seat is not None
        if scene.live and not scene.just_ended:  # they have seen it
            return ""
        called = next((event for event in scene.outcome if isinstance(event, Called)), None)
        if called is None or seat not in (called.caller, called.last):
            return ""
        revealed = next(event for event in scene.outcome if isinstance(event, Revealed))
        right = revealed.total >= TARGET
        bluff = any(turned.seat == called.last and turned.was_hidden for turned in revealed.queue)
        if seat == called.caller:
            said = _called_line(escaped(scene.name(called.last)), revealed.total, bluff, words)
        else:
            said = _caught_line(escaped(scene.name(called.caller)), revealed.total, bluff, words)
        missing = VICTORIES_TO_WIN - scene.view.victory[seat]
        won = (seat == called.caller) is right
        if any(isinstance(it, PenaltiesDiscarded) and it.seat == seat and it.victory_lost for it in scene.outcome):
            gained = any(isinstance(it, TokenGiven) and it[:2] == (seat, Token.VICTORY) for it in scene.outcome)
            took = words("A second penalty takes the token back.") if gained else words("You lose a victory token.")
            return f"{said} {took}"
        if won and missing > 0:
            said += " " + words.plural("{n} token to go.", "{n} tokens to go.", missing)
        return said

    def shows_last_round(self, scene: Scene17) -> bool:
        """Whether the viewer called in the last round and has not laid a card since.

        Their hand then says how it ended. When they lay a card it changes anyway, so no request is made only to remove
        that.
        """
        called = any(isinstance(event, Called) and event.caller == scene.seat for event in scene.outcome)
        return called and not has_laid(scene)


@alike
def _direction(scene: Scene17, words: Words) -> str:
    """The direction of play, and match point."""
    direction = words("↻ clockwise") if scene.view.direction == 1 else words("↺ counter-clockwise")
    point = match_point(scene, words)
    # At match point the arrow alone, so that all of it is one line on a phone.
    return f"{direction[0]} · {point}" if point else direction


def _called_line(last: str, total: int, bluff: bool, words: Words) -> str:
    """What the end of the round says to the caller; *last* laid the last card, and *bluff* says whether they had a
    hidden one in the queue."""
    if total >= TARGET:
        return words("Right! {total}.", total=total)
    if bluff:
        return words("{name} bluffed you: only {total}.", name=last, total=total)
    return words("Too early: only {total}.", total=total)


def _caught_line(caller: str, total: int, bluff: bool, words: Words) -> str:
    """What the end of the round says to whoever laid the last card; *bluff* as in ``_called_line``."""
    if total >= TARGET:
        return words("{name} caught you at {total}.", name=caller, total=total)
    if bluff:
        return words("You bluffed {name}: only {total}.", name=caller, total=total)
    return words("{name} called too early: only {total}.", name=caller, total=total)


def _lay_button(scene: Scene17, offers: Offers[View, Action], card: Card, face: Face, words: Words) -> Item:
    """The button that lays *card* that way; it is green while the card is about to land."""
    assert scene.seat is not None
    play = Play(scene.seat, card, face)
    style = ButtonStyle.primary if face is Face.UP else ButtonStyle.secondary
    return offers.button(
        words("Face up") if face is Face.UP else words("Face down"),
        play,
        style=ButtonStyle.success if scene.own_move == play else style,
        symbol=cards.front(card) if face is Face.UP else cards.back(card),
    )


def _queue_lines(view: View, words: Words) -> Sequence[str]:
    """The queue as the viewer sees it, large, and its sum."""
    if not view.queue:
        return (words("The queue is empty."),)
    row = words("## Queue: {cards}", cards=cards.queue(view.queue))
    hidden = view.hidden_count
    if not hidden:
        return (row, words("Sum: **{sum}**", sum=view.visible_sum))
    seen = words.plural(
        "You see **{sum}**, and **{n}** card is hidden from you.",
        "You see **{sum}**, and **{n}** cards are hidden from you.",
        hidden,
        sum=view.visible_sum,
    )
    return (row, seen)
