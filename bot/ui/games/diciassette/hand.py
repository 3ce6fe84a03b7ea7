"""The game's part of the hand message: the viewer's cards and their buttons, and the queue on their turn."""

from collections.abc import Sequence

from discord import ButtonStyle

from bot.i18n import Words
from bot.ui import presenter
from bot.ui.components import Component, action_row, cached_by_public_scene, escaped_name, text_display
from bot.ui.games.diciassette import cards
from bot.ui.games.diciassette.reveal import Scene17, match_point_line, viewer_has_card_in_queue
from bot.ui.pictures.symbols import join_symbols
from bot.ui.presenter import MoveControls
from engine.games.diciassette.actions import Action, Play
from engine.games.diciassette.cards import FACES, TARGET, VICTORIES_TO_WIN, Card, Face
from engine.games.diciassette.events import Called, Event, PenaltiesDiscarded, Revealed, Token, TokenGiven
from engine.games.diciassette.view import View


class Hand(presenter.Hand[View, Action, Event]):
    """What 17 adds to the hand message: a line and two buttons for every card; the queue; what the last round meant."""

    def hand_components(
        self, scene: Scene17, controls: MoveControls[View, Action], words: Words
    ) -> Sequence[Component]:
        """The viewer's cards, each with what it does and its two buttons, or that they must call if they have none."""
        view = scene.view
        items: list[Component] = []
        if not view.hand:
            items.append(text_display(words("You have no card left, so you must call 17.")))
        for card in view.hand:
            items.append(
                text_display(
                    f"{cards.front_symbol(card)} **{cards.card_name(card, words)}** · {cards.card_effect(card, words)}"
                )
            )
            items.append(action_row(*(_play_button(scene, controls, card, face, words) for face in FACES)))
        return items

    def move_takes_effect_soon_line(self, action: Action, words: Words) -> str:
        """A sentence that says which card the viewer plays in a moment, and whether face up or face down."""
        assert isinstance(action, Play)
        name = cards.symbol_and_name(action.card, words)
        if action.face is Face.UP:
            return words("You play {card} face up in a moment.", card=name)
        return words("You play {card} face down in a moment.", card=name)

    def own_turn_line(self, scene: Scene17, words: Words) -> str:
        """A line in bold that says that it is the viewer's turn, and after an x2 how many cards they still play."""
        view = scene.view
        left = min(view.owed, view.hand_sizes[view.turn])
        if view.duty == 1 or not left:
            return super().own_turn_line(scene, words)
        return words.plural("**It is your turn: play {n} more card.**", "**It is your turn: play {n} cards.**", left)

    def brief_table_lines(self, scene: Scene17, words: Words) -> Sequence[str]:
        """Lines with the queue and its sum as the viewer sees them, then their tokens, direction and match point."""
        view, seat = scene.view, scene.seat
        assert seat is not None
        own = f"-# {cards.token_counts_text(view.victory[seat], view.penalty[seat])} · {_direction_line(scene, words)}"
        return (*(() if scene.just_ended else _card_queue_lines(view, words)), own)

    def off_turn_cards_line(self, scene: Scene17, words: Words) -> str:
        """Return a line with the fronts of the viewer's cards, while others are on turn."""
        return words("Your cards: {cards}", cards=join_symbols(map(cards.front_symbol, scene.view.hand), " ") or "—")

    def viewer_result_line(self, scene: Scene17, words: Words) -> str:
        """One line on what the last round meant to the viewer, if they called or played the last card; else empty.

        It says whether the call was right, who bluffed whom, and how far they are.
        """
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
        name = scene.with_names_at_outcome.name
        if seat == called.caller:
            said = _caller_result_line(escaped_name(name(called.last)), revealed.total, bluff, words)
        else:
            said = _last_card_player_result_line(escaped_name(name(called.caller)), revealed.total, bluff, words)
        missing = VICTORIES_TO_WIN - scene.view.victory[seat]
        won = (seat == called.caller) is right
        if any(isinstance(it, PenaltiesDiscarded) and it.seat == seat and it.victory_lost for it in scene.outcome):
            gained = any(isinstance(it, TokenGiven) and it[:2] == (seat, Token.VICTORY) for it in scene.outcome)
            took = words("A second penalty takes the token back.") if gained else words("You lose a victory token.")
            return f"{said} {took}"
        if won and missing > 0:
            said += " " + words.plural("{n} token to go.", "{n} tokens to go.", missing)
        return said

    def shows_round_result_off_turn(self, scene: Scene17) -> bool:
        """Whether the hand still tells how the round ended while others are on turn: the viewer called in it and has
        played no card since.

        When they play a card it changes anyway, so no request is made only to remove that.
        """
        called = any(isinstance(event, Called) and event.caller == scene.seat for event in scene.outcome)
        return called and not viewer_has_card_in_queue(scene)


@cached_by_public_scene
def _direction_line(scene: Scene17, words: Words) -> str:
    """A line with the direction of play and, if there is one, who is at match point."""
    direction = words("↻ clockwise") if scene.view.direction == 1 else words("↺ counter-clockwise")
    point = match_point_line(scene, words)
    # At match point the arrow alone, so that all of it is one line on a phone.
    return f"{direction[0]} · {point}" if point else direction


def _caller_result_line(last: str, total: int, bluff: bool, words: Words) -> str:
    """A sentence for the caller on how their call ended: right, bluffed by *last* (the last player), or too early.

    *bluff*: that player had a hidden card in the queue.
    """
    if total >= TARGET:
        return words("Right! {total}.", total=total)
    if bluff:
        return words("{name} bluffed you: only {total}.", name=last, total=total)
    return words("Too early: only {total}.", total=total)


def _last_card_player_result_line(caller: str, total: int, bluff: bool, words: Words) -> str:
    """A sentence for the player of the last card: *caller* caught them, was bluffed by them, or called too early.

    *bluff*: they had a hidden card in the queue.
    """
    if total >= TARGET:
        return words("{name} caught you at {total}.", name=caller, total=total)
    if bluff:
        return words("You bluffed {name}: only {total}.", name=caller, total=total)
    return words("{name} called too early: only {total}.", name=caller, total=total)


def _play_button(
    scene: Scene17, controls: MoveControls[View, Action], card: Card, face: Face, words: Words
) -> Component:
    """The button that plays *card* with *face* up; it is green while the card is about to be played."""
    assert scene.seat is not None
    play = Play(scene.seat, card, face)
    style = ButtonStyle.primary if face is Face.UP else ButtonStyle.secondary
    return controls.button(
        words("Face up") if face is Face.UP else words("Face down"),
        play,
        style=ButtonStyle.success if scene.own_move == play else style,
        symbol=cards.front_symbol(card) if face is Face.UP else cards.back_symbol(card),
    )


def _card_queue_lines(view: View, words: Words) -> Sequence[str]:
    """Lines with the queue as the viewer sees it, its known sum, and how many cards are hidden from them."""
    if not view.queue:
        return (words("The queue is empty."),)
    row = words("## Queue: {cards}", cards=cards.queue_text(view.queue))
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
