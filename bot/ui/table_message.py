"""The table message, for everybody: the lobby, the running game, its end."""

from discord import ButtonStyle

from bot.i18n import Words, words
from bot.tables.model import Phase
from bot.tables.scene import AnyScene
from bot.ui.components import (
    Component,
    Sheet,
    action_row,
    bold_name,
    button,
    container,
    link_button,
    plain_name,
    text_display,
)
from bot.ui.custom_ids import Verb
from bot.ui.dealing import cards_being_dealt_sheet
from bot.ui.end_message import game_over_sheet
from bot.ui.lobby import lobby_sheet
from bot.ui.news import recent_event_lines
from bot.ui.players import seat_handover_lines
from bot.ui.presenter import AnyPresenter
from bot.ui.registry import PRESENTERS
from engine.game import Seat

LONGEST_NAME = 100
"""The most characters of a thread's name.
https://discord.com/developers/docs/resources/channel#start-thread-from-message"""


def thread_opening_sheet(game: str, host: str, locale: str) -> Sheet:
    """The message in the channel under which a table's thread starts: *host* has opened a table of *game* there."""
    t = words(locale)
    return Sheet(
        text_display(
            t(
                "🃏 {name} has opened a **{game}** table in this thread.",
                name=bold_name(host),
                game=_game_title(game, locale),
            )
        )
    )


def thread_name(game: str, host: str, locale: str) -> str:
    """Return the name of a table's thread, translated to *locale*: the game and its host, at most 100 characters."""
    return f"{_game_title(game, locale)} · {plain_name(host)}"[:LONGEST_NAME]


def _game_title(game: str, locale: str) -> str:
    """Return the title of *game*, translated to the language *locale*."""
    return words(locale)(PRESENTERS[game].title)


def table_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The table message for the public *scene*: the lobby, the cards being dealt, the running game, or its end."""
    presenter = PRESENTERS[scene.game]
    match scene.phase:
        case Phase.LOBBY:
            return cards_being_dealt_sheet(scene, words) if scene.starting else lobby_sheet(scene, words)
        case Phase.PLAYING:
            return _running_game_sheet(scene, presenter, words)
        case Phase.OVER:
            return game_over_sheet(scene, presenter, words)


def table_moved_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The message that replaces an old table message after the table was moved to the bottom: a link to the new one."""
    title = words(PRESENTERS[scene.game].title)
    return Sheet(
        text_display(words("The {game} table has moved to the bottom.", game=title)),
        action_row(link_button(words("To the table"), scene.place.url)),
    )


def _running_game_sheet(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Sheet:
    """The table message while the game runs: the table, what has just happened, whose turn it is, the buttons.

    The end of the last round stands above until the next one is under way.
    """
    board, lines = presenter.board, list(recent_event_lines(scene, words))
    inner: list[Component] = list(board.table_components(scene, words))
    if lines and (ended := board.last_round_line(scene.with_names_at_outcome, words)):
        lines.insert(0, f"-# {ended}")
    elif not lines and (outcome := board.round_end_lines(scene.with_names_at_outcome, words)):
        # How the last round ended stays in sight until the new one is under way.
        inner.insert(0, text_display(*outcome))
    closed = [bold_name(person.name) for person in scene.people if person.user and person.refuses_dms]
    if scene.overdue is not None:
        lines.append("⏰ " + _turn_timeout_line(scene, scene.overdue, words))
    lines += seat_handover_lines(scene, words)
    lines.append(_paused_line(words) if scene.paused else board.turn_line(scene, words))
    if scene.turn_ends is not None:
        lines.append("-# ⏱️ " + words("Turn ends {when}.", when=f"<t:{scene.turn_ends // 1000}:R>"))
    if closed:
        lines.append(
            "-# "
            + words(
                "{names}: you get no direct messages here – press **My hand** to see your cards.",
                names=words.list_and(closed),
            )
        )
    inner.append(text_display(*lines))
    back = button(words("Continue"), Verb.COME_BACK, scene.table, style=ButtonStyle.success)
    waiting = [action_row(back)] if scene.paused else []
    return Sheet(container(inner, presenter.accent), *waiting, _running_game_button_row(scene, presenter, words))


def _running_game_button_row(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Component:
    """The row of buttons below the running game: the call (if the game has calls), my hand, rules, menu.

    It is the same from the deal to the end of the game. Chat is anchored at the bottom, and the same buttons wrap the
    same way on every screen. So the call never moves, also while the game is paused.
    """
    table = scene.table
    items: list[Component] = []
    if presenter.call:
        possible = not scene.paused and bool(scene.may_call) and not scene.callers
        style = ButtonStyle.danger
        items.append(button(presenter.call, Verb.CALL, table, scene.ply, style=style, disabled=not possible))
    items += [
        button(words("My hand"), Verb.HAND, table, style=ButtonStyle.primary),
        button(words("Rules"), Verb.RULES, table),
        button(words("Menu"), Verb.MENU, table),
    ]
    return action_row(*items)


def _turn_timeout_line(scene: AnyScene, seat: Seat, words: Words) -> str:
    """A line that says that the time of *seat* ran out and a computer played the turn or took over the seat (L3)."""
    name = bold_name(scene.name(seat))
    if scene.people[seat].automatic:
        return words("{name}’s time ran out again: a computer has the seat until {name} takes it back.", name=name)
    return words(
        "{name}’s time ran out, so a computer played this turn. Once more in a row, and it takes over the seat.",
        name=name,
    )


def _paused_line(words: Words) -> str:
    """The line in the table message that says that the game is paused until a player comes back (L2)."""
    return words(
        "⏸️ **The game is paused**, because nobody is here. "
        "It goes on as soon as someone who was playing presses **Continue**."
    )
