"""The table message, for everybody: the lobby, the running game, its end."""

from discord import ButtonStyle

from bot.i18n import Words, words
from bot.tables.model import Phase
from bot.tables.scene import AnyScene
from bot.ui.components import Item, Sheet, bold, box, button, link, plain, row, text
from bot.ui.custom_ids import Verb
from bot.ui.dealing import starting_sheet
from bot.ui.end_message import over_sheet
from bot.ui.lobby import lobby_sheet
from bot.ui.news import news_lines
from bot.ui.players import handover_lines
from bot.ui.presenter import AnyPresenter
from bot.ui.registry import PRESENTERS
from engine.game import Seat

LONGEST_NAME = 100
"""Characters of a thread's name. https://discord.com/developers/docs/resources/channel#start-thread-from-message"""


def opened_sheet(game: str, host: str, locale: str) -> Sheet:
    """The message in the channel below which the thread of a table of *game* begins; *host* has opened it."""
    t = words(locale)
    return Sheet(
        text(t("🃏 {name} has opened a **{game}** table in this thread.", name=bold(host), game=_title(game, locale)))
    )


def thread_name(game: str, host: str, locale: str) -> str:
    """What the thread is called."""
    return f"{_title(game, locale)} · {plain(host)}"[:LONGEST_NAME]


def _title(game: str, locale: str) -> str:
    return words(locale)(PRESENTERS[game].title)


def table_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The table message for *scene*, which must be the public's."""
    presenter = PRESENTERS[scene.game]
    match scene.phase:
        case Phase.LOBBY:
            return starting_sheet(scene, words) if scene.starting else lobby_sheet(scene, words)
        case Phase.PLAYING:
            return _playing_sheet(scene, presenter, words)
        case Phase.OVER:
            return over_sheet(scene, presenter, words)


def moved_sheet(scene: AnyScene, words: Words) -> Sheet:
    """What an old table message shows once a new one was sent at the bottom of the channel: a link to it."""
    title = words(PRESENTERS[scene.game].title)
    return Sheet(
        text(words("The {game} table has moved to the bottom.", game=title)),
        row(link(words("To the table"), scene.place.url)),
    )


def _playing_sheet(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Sheet:
    """The table message while the game runs: the board, what has just happened, whose turn it is, the buttons.

    The end of the last round stands above until the next one is under way.
    """
    board, lines = presenter.board, list(news_lines(scene, words))
    inner: list[Item] = list(board.show(scene, words))
    if lines and (ended := board.last_round(scene, words)):
        lines.insert(0, f"-# {ended}")
    elif not lines and (outcome := board.outcome(scene, words)):
        # How the last round ended stays in sight until the new one is under way.
        inner.insert(0, text(*outcome))
    closed = [bold(person.name) for person in scene.people if person.user and person.refuses_dms]
    if scene.overdue is not None:
        lines.append("⏰ " + _overdue_line(scene, scene.overdue, words))
    lines += handover_lines(scene, words)
    lines.append(_paused_line(words) if scene.paused else board.status(scene, words))
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
    inner.append(text(*lines))
    back = button(words("Continue"), Verb.COME_BACK, scene.table, style=ButtonStyle.success)
    waiting = [row(back)] if scene.paused else []
    return Sheet(box(inner, presenter.accent), *waiting, _last_row(scene, presenter, words))


def _last_row(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Item:
    """The call, if the game has calls, the hand, the rules, the menu: the same from the deal to the end.

    Chat is anchored at the bottom, and the same buttons wrap alike on every screen. So the call never moves, also while
    the game is paused.
    """
    table = scene.table
    items: list[Item] = []
    if presenter.call:
        possible = not scene.paused and bool(scene.may_call) and not scene.callers
        style = ButtonStyle.danger
        items.append(button(presenter.call, Verb.CALL, table, scene.ply, style=style, disabled=not possible))
    items += [
        button(words("My hand"), Verb.HAND, table, style=ButtonStyle.primary),
        button(words("Rules"), Verb.RULES, table),
        button(words("Menu"), Verb.MENU, table),
    ]
    return row(*items)


def _overdue_line(scene: AnyScene, seat: Seat, words: Words) -> str:
    """What has become of the turn of *seat*, whose time was up (L3)."""
    name = bold(scene.name(seat))
    if scene.people[seat].automatic:
        return words("{name}’s time ran out again: a computer has the seat until {name} takes it back.", name=name)
    return words(
        "{name}’s time ran out, so a computer played this turn. Once more in a row, and it takes over the seat.",
        name=name,
    )


def _paused_line(words: Words) -> str:
    """What a table says that waits for its people (L2)."""
    return words(
        "⏸️ **The game is paused**, because nobody is here. "
        "It goes on as soon as someone who was playing presses **Continue**."
    )
