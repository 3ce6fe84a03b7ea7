"""The message of a solo table, for its one person: lobby, then table and hand at once, then the end with rematch and
review.
"""

from discord import ButtonStyle

from bot.i18n import Words
from bot.tables.model import Phase
from bot.tables.scene import AnyScene
from bot.ui.components import (
    COLOUR_INACTIVE,
    COLOUR_WARNING,
    Component,
    Sheet,
    action_row,
    button,
    container,
    text_display,
)
from bot.ui.custom_ids import Verb
from bot.ui.daily import daily_deal_lobby_sheet, running_daily_game_line
from bot.ui.dealing import cards_being_dealt_sheet
from bot.ui.end_message import game_over_sheet
from bot.ui.hand_message import (
    awaits_viewer_call_or_next,
    call_button,
    call_or_next_prompt_and_button,
    latest_round_result_lines,
    whose_turn_lines,
)
from bot.ui.hints import COACH_SYMBOL
from bot.ui.lobby import ADD_COMPUTER_SYMBOL, lobby_small_print_lines, player_line
from bot.ui.news import recent_event_lines
from bot.ui.presenter import MoveControls
from bot.ui.registry import PRESENTERS


def solo_table_sheet(scene: AnyScene, words: Words, notice: str = "") -> Sheet:
    """The whole message of a solo table, for the person in ``scene.seat``; *notice*, in their language, stands above
    the running game; it may be empty.
    """
    public = scene.public
    assert public is not None
    match scene.phase:
        case Phase.LOBBY:
            if scene.day:
                return daily_deal_lobby_sheet(public, words)
            return cards_being_dealt_sheet(public, words) if scene.starting else _lobby_sheet(public, words)
        case Phase.PLAYING:
            return _running_game_sheet(scene, words, notice)
        case Phase.OVER:
            return game_over_sheet(public, PRESENTERS[scene.game], words)


def _lobby_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The lobby: who plays, what is missing to start, short rows of buttons that fit a phone, options, shuffle code."""
    presenter, table = PRESENTERS[scene.game], scene.table
    least, most = scene.seats
    seated = len(scene.people)
    start = button(words("Start"), Verb.START, table, style=ButtonStyle.primary, disabled=seated < least)
    first = [start, button(words("Options"), Verb.OPTIONS, table), button(words("Rules"), Verb.RULES, table)]
    computers = [
        button(words("Add computer"), Verb.ADD_COMPUTER, table, symbol=ADD_COMPUTER_SYMBOL, disabled=seated >= most),
        button(words("Remove computer"), Verb.REMOVE_COMPUTER, table, disabled=seated == 1),
    ]
    more = [
        button(words("Cut the deck"), Verb.CUT, table),
        button(words("Close table"), Verb.CANCEL, table),
    ]
    people = [player_line(number, it, scene, words) for number, it in enumerate(scene.people, start=1)]
    if seated < least:
        people.append(words("Add a computer player to start."))
    return Sheet(
        container(
            [
                text_display(f"## {words(presenter.title)}", words(presenter.teaser)),
                text_display(words("**Players** ({n} of {most})", n=seated, most=most), *people),
                action_row(*first),
                action_row(*computers),
                action_row(*more),
                text_display(*lobby_small_print_lines(scene, words)),
            ]
        )
    )


def _running_game_sheet(scene: AnyScene, words: Words, notice: str) -> Sheet:
    """The running game on one screen: the table, what has just happened, whose turn it is, the person's cards.

    As in a hand, the last row holds only the call button while the game runs, in a game with calls. In the row above,
    *Rules* and *Menu* come first, since they never move, and *Next* last: a second click on it hits nothing else.
    """
    presenter = PRESENTERS[scene.game]
    assert scene.seat is not None
    above: list[Component] = [container([text_display(notice)], COLOUR_WARNING)] if notice else []
    waits = awaits_viewer_call_or_next(scene)
    mine = scene.on_turn == scene.seat and not (scene.passing or scene.callers or waits)
    lines = [
        *latest_round_result_lines(scene, presenter, words),
        *recent_event_lines(scene, words),
        *whose_turn_lines(scene, presenter, words),
    ]
    held = "" if mine else presenter.hand.off_turn_cards_line(scene, words)
    day = [text_display(f"-# {running_daily_game_line(scene, words)}")] if scene.day else []
    inner = [*day, *presenter.board.table_components(scene, words), text_display(*lines, *([held] if held else []))]
    if not held:
        inner += presenter.hand.hand_components(scene, MoveControls(scene), words)
    buttons = [button(words("Rules"), Verb.RULES, scene.table), button(words("Menu"), Verb.MENU, scene.table)]
    if scene.hint and not scene.passing:
        buttons.append(button(words("Hint"), Verb.HINT, scene.table, scene.ply, symbol=COACH_SYMBOL))
    if waits:
        buttons.append(call_or_next_prompt_and_button(scene, words)[1])
    inner.append(action_row(*buttons))
    below = [action_row(call_button(scene, presenter, rests=False))] if presenter.call else []
    return Sheet(*above, container(inner, presenter.accent if mine or waits else COLOUR_INACTIVE), *below)
