"""The last row of the table message, which stays as it is from the deal to the end."""

from discord import ButtonStyle

from bot.custom_ids import Verb
from bot.i18n import Words
from bot.present.presenter import AnyPresenter
from bot.present.sheet import Item, button, row
from bot.tables.model import Phase
from bot.tables.scene import AnyScene


def last_row(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Item:
    """The call, if the game has calls, the hand, the rules, the menu.

    Chat is anchored at the bottom, and the same buttons wrap alike on every screen. So the call never moves, also while
    the game is paused and when it is over, and whoever slams it too late meets nothing else.
    """
    playing, table = scene.phase is Phase.PLAYING, scene.table
    items: list[Item] = []
    if presenter.call:
        possible = playing and not scene.paused and bool(scene.may_call) and not scene.callers
        style = ButtonStyle.danger
        items.append(button(presenter.call, Verb.CALL, table, scene.ply, style=style, disabled=not possible))
    items += [
        button(words("My hand"), Verb.HAND, table, style=ButtonStyle.primary),
        button(words("Rules"), Verb.RULES, table),
        button(words("Menu"), Verb.MENU, table, disabled=not playing),
    ]
    return row(*items)
