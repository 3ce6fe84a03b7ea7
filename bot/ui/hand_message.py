"""The hand message, for one person: one screen to play from."""

from typing import Final

from discord import ButtonStyle

from bot.i18n import N_, Words
from bot.tables.model import Ending, Phase
from bot.tables.scene import AnyScene
from bot.ui.components import (
    COLOUR_INACTIVE,
    COLOUR_WARNING,
    Component,
    Sheet,
    action_row,
    bold_name,
    button,
    cached_by_public_scene,
    container,
    escaped_name,
    link_button,
    text_display,
)
from bot.ui.custom_ids import ELSEWHERE, Verb
from bot.ui.end_message import early_end_line, rematch_button
from bot.ui.hints import COACH_SYMBOL
from bot.ui.news import recent_event_lines
from bot.ui.players import seat_handover_lines
from bot.ui.presenter import AnyPresenter, MoveControls
from bot.ui.registry import PRESENTERS

FOLLOW: Final = "follow"
"""The argument of a click that makes a hand follow the game."""
NEXT_LABEL: Final = N_("Next")
"""The label of the button with which the person of an unhurried table lets the game go on."""


def hand_sheet(scene: AnyScene, words: Words, notice: str = "", *, rests: bool = False) -> Sheet:
    """Build the hand message of the player in ``scene.seat``: *notice*, news, turn, table, cards, call; if it *rests*,
    only that they have another hand open.

    *notice* is in their language (empty: nothing). In a game with calls the last row holds only the call button while
    the game runs, whatever the message shows. Chat is anchored at the bottom, so the button never moves, and a click by
    reflex hits nothing else.
    """
    presenter = PRESENTERS[scene.game]
    head = _title_line(scene, words)
    above: list[Component] = [container([text_display(notice)], COLOUR_WARNING)] if notice else []
    below: list[Component] = [action_row(call_button(scene, presenter, rests=rests))] if presenter.call else []
    assert scene.seat is not None
    if scene.phase is Phase.OVER:
        return Sheet(*above, container(_game_over_components(scene, head, presenter, words), COLOUR_INACTIVE))
    if scene.people[scene.seat].automatic:
        return Sheet(*above, container(_seat_taken_over_components(scene, head, words), COLOUR_INACTIVE), *below)
    if rests:
        line = (
            words("You have opened your hand in the channel, so this one is not kept up to date.")
            if scene.people[scene.seat].by_dm
            else words("Your hand is in the channel now, so this one is not kept up to date.")
        )
        here = button(words("My hand"), Verb.HAND, scene.table, arg=FOLLOW)
        return Sheet(*above, container([text_display(head, line), action_row(here)], COLOUR_INACTIVE), *below)
    waits = awaits_viewer_call_or_next(scene)
    mine = scene.on_turn == scene.seat and not (scene.passing or scene.callers or waits)
    lines = [head, *latest_round_result_lines(scene, presenter, words), *whose_turn_lines(scene, presenter, words)]
    if scene.people[scene.seat].warned:
        warning = words(
            "Your time ran out, so a computer played for you. If that happens again on your next turn, it takes over "
            "your seat."
        )
        lines.append(f"⏰ {warning}")
    follows = _shows_table(scene)
    if follows:
        lines += [*recent_event_lines(scene, words), *seat_handover_lines(scene, words)]
        lines += presenter.hand.brief_table_lines(scene, words)
    held = "" if mine else presenter.hand.off_turn_cards_line(scene, words)
    inner: list[Component] = [text_display(*lines, *([held] if held else []))]
    if not held:
        inner += presenter.hand.hand_components(scene, MoveControls(scene), words)
    if not follows:
        inner.append(action_row(button(words(presenter.follow_label), Verb.HAND, scene.table, arg=FOLLOW)))
    buttons = [call_or_next_prompt_and_button(scene, words)[1]] if waits else []
    if follows and scene.hint and not scene.passing:
        buttons.append(button(words("Hint"), Verb.HINT, scene.table, scene.ply, symbol=COACH_SYMBOL))
    if buttons:
        inner.append(action_row(*buttons))
    return Sheet(*above, container(inner, presenter.accent if mine or waits else COLOUR_INACTIVE), *below)


def awaits_viewer_call_or_next(scene: AnyScene) -> bool:
    """Whether the game waits until the viewer, who may call, calls or presses *Next* (unhurried tables only)."""
    return scene.awaits_next and scene.seat is not None and not scene.people[scene.seat].automatic


def call_or_next_prompt_and_button(scene: AnyScene, words: Words) -> tuple[str, Component]:
    """(the sentence that asks the viewer to call or to go on, the button *Next*); only while the game waits for them.

    The button is no neighbour of the call button, which stands alone in the last row.
    """
    facts = {"call": PRESENTERS[scene.game].call, "next": words(NEXT_LABEL)}
    if scene.on_turn == scene.seat:
        line = words("Call **{call}**, or press **{next}** and play.", **facts)
    else:
        line = words("Call **{call}**, or press **{next}**.", **facts)
    return line, button(words(NEXT_LABEL), Verb.NEXT, scene.table, scene.ply, style=ButtonStyle.primary)


@cached_by_public_scene
def _title_line(scene: AnyScene, words: Words) -> str:
    """Return the hand's title line: the name of the game, which links to the table message, and the channel."""
    return f"### [{words(PRESENTERS[scene.game].title)}]({scene.place.url}) · <#{scene.place.channel}>"


def _shows_table(scene: AnyScene) -> bool:
    """Whether the hand message shows the cards on the table: it follows the game, or its player has to act now.

    A turn that the table passes by itself is worth no edit of a hand that is not live.
    """
    return scene.live or (scene.on_turn == scene.seat and not scene.passing) or awaits_viewer_call_or_next(scene)


def call_button(scene: AnyScene, presenter: AnyPresenter, *, rests: bool) -> Component:
    """Build the player's call button, always there; disabled if they may not call now or their hand hides the table, as
    it does while it *rests*."""
    possible = _shows_table(scene) and not rests and scene.seat in scene.may_call and not scene.callers
    # A disabled one holds no ply, so that the message stays the same, and needs no edit, while others play.
    ply = scene.ply if possible else 0
    return button(presenter.call, Verb.CALL, scene.table, ply, style=ButtonStyle.danger, disabled=not possible)


def _game_over_components(scene: AnyScene, head: str, presenter: AnyPresenter, words: Words) -> list[Component]:
    """The hand message's components after the game: how it ended, review, rematch, standings or the last table.

    At the bottom, where the call button was, are the standings or the last state of the table: nothing to press by
    reflex.
    """
    ended = latest_round_result_lines(scene, presenter, words) if scene.ending is Ending.FINISHED else []
    lines = [head, *ended, _game_end_line_for_viewer(scene, words)]
    # This row is where a card's button was before: a late click on that opens something that only the person sees.
    buttons = [button(words("Review"), Verb.REVIEW, scene.table)]
    if scene.rematch is not None:
        said, then = _rematch_text_and_button(scene, words)
        lines.append(said)
        buttons.append(then)
    elif scene.ending is not Ending.REMOVED:  # where the bot has no access any more, a rematch cannot be opened
        buttons.append(rematch_button(scene, words))
    standings = standings_lines(scene, presenter)
    below = [text_display(*standings)] if standings else presenter.board.table_components(scene, words)
    return [text_display(*lines), action_row(*buttons), *below]


def _rematch_text_and_button(scene: AnyScene, words: Words) -> tuple[str, Component]:
    """(a sentence on the rematch for the player in ``scene.seat``, the button that leads to it); there must be one."""
    assert scene.seat is not None
    assert scene.rematch is not None
    user = scene.people[scene.seat].user
    here = link_button(words("To the table"), scene.place._replace(message=None).url)
    if scene.rematch_people is not None and user not in scene.rematch_people:
        join = button(words("Join"), Verb.JOIN, scene.rematch, arg=ELSEWHERE, style=ButtonStyle.success)
        return words("The rematch has begun without you."), join
    if scene.rematch_people is not None:
        return words("The rematch has begun."), here
    if scene.rematch_by == user:
        return words("The rematch is open, and you have a seat."), here
    take = button(words("Take your seat"), Verb.JOIN, scene.rematch, arg=ELSEWHERE, style=ButtonStyle.success)
    return words("There is a rematch, with a seat for you."), take


def _seat_taken_over_components(scene: AnyScene, head: str, words: Words) -> list[Component]:
    """The hand message's components while a computer plays the seat: a text, and the button to take the seat back."""
    if scene.paused:
        line = words("⏸️ **The game is paused**: it waits until you, or someone else who was playing, continues.")
        label = words("Continue")
    else:
        line = words("A computer player has your seat. You can take it back.")
        label = words("Take my seat back")
    return [text_display(head, line), action_row(button(label, Verb.COME_BACK, scene.table, style=ButtonStyle.success))]


def latest_round_result_lines(scene: AnyScene, presenter: AnyPresenter, words: Words) -> list[str]:
    """Return lines on what the last round's end means to the viewer and how it ended, in one line after the next move;
    empty if they need not see it any more.

    The round's end stands as everybody sees it until the next move.
    """
    hand, over, own = presenter.hand, scene.phase is Phase.OVER, scene.witnessed
    if not (over or _shows_table(scene) or hand.shows_round_result_off_turn(own)):
        return []
    result = hand.viewer_result_line(own, words)
    said = [f"**{result}**"] if result else []
    then = (scene if own.outcome else scene.public or scene).with_names_at_outcome
    if scene.just_ended and (over or _shows_table(scene)):
        return [*said, *presenter.board.round_end_lines_in_hand_message(then, words)]
    ended = presenter.board.last_round_line(then, words)
    return [*said, *([f"-# {ended}"] if ended else [])]


def whose_turn_lines(scene: AnyScene, presenter: AnyPresenter, words: Words) -> list[str]:
    """Lines that say whose turn it is and when it ends; or, while the viewer's own move waits to take effect, which it
    is."""
    if scene.own_move is not None:
        said = presenter.hand.move_takes_effect_soon_line(scene.own_move, words)
        if any(seat != scene.seat for seat in scene.may_call):
            said += " " + words("Until then the others may still call.")
        return [said]
    if scene.passing and scene.live:
        return [words("You cannot play, so you pass in a moment.")]
    if awaits_viewer_call_or_next(scene):
        mine = scene.on_turn == scene.seat
        turn = presenter.hand.own_turn_line(scene, words) if mine else presenter.board.turn_line(scene, words)
        return [turn, call_or_next_prompt_and_button(scene, words)[0]]
    if scene.on_turn != scene.seat or scene.passing or scene.callers:
        return [presenter.board.turn_line(scene, words) if scene.live else words(presenter.waiting_text)]
    lines = [presenter.hand.own_turn_line(scene, words)]
    if scene.turn_ends is not None:
        lines[0] += " ⏱️ " + words("Ends {when}.", when=f"<t:{scene.turn_ends // 1000}:R>")
    return lines


def standings_lines(scene: AnyScene, presenter: AnyPresenter) -> list[str]:
    """Return the final standings as text, a line each: place, name, score; empty if the game ended early."""
    return [f"{it.place}. {escaped_name(scene.name(it.seat))}  {presenter.score_text(it)}" for it in scene.standings]


def _game_end_line_for_viewer(scene: AnyScene, words: Words) -> str:
    """A sentence for the viewer on how the game ended: they have won (with whom), others have, or it ended early."""
    if scene.ending is Ending.FINISHED:
        first = [standing.seat for standing in scene.standings if standing.place == 1]
        if scene.seat in first:
            others = [bold_name(scene.name(seat)) for seat in first if seat != scene.seat]
            if others:
                return words("The game is over: you have won together with {names}! 🎉", names=words.list_and(others))
            return words("The game is over: you have won! 🎉")
        winners = [bold_name(scene.name(seat)) for seat in first]
        names = words.list_and(winners)
        return words.plural(
            "The game is over: {names} has won.", "The game is over: {names} have won.", len(winners), names=names
        )
    return early_end_line(scene, words)
