"""The messages for moderators: the live tables of a server, and who is banned from them.

Only the person who asked reads them.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

import discord
from discord import ButtonStyle

from bot.i18n import N_, Words
from bot.tables.model import Phase
from bot.tables.preferences import BAN_SECONDS, LONGEST_REASON, Ban
from bot.tables.scene import AnyScene
from bot.ui.components import (
    COLOUR_WARNING,
    NO_TABLE,
    USERS,
    Component,
    SelectOption,
    Sheet,
    action_row,
    bold_name,
    button,
    channel_role_or_user_select,
    container,
    escaped_text,
    plain_name,
    string_select,
    text_display,
)
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.menu import rating_loss_warning
from bot.ui.registry import PRESENTERS

T = TypeVar("T")

PAGE_LENGTH: Final = 10
"""The most tables or bans on one page."""
MOST_NAMES: Final = 4
"""The most players of a table that are named."""
MOST_REASON: Final = 120
"""The most characters of a reason in the list."""
DURATIONS: Final = dict(
    zip(BAN_SECONDS, (N_("For an hour"), N_("For a day"), N_("For a week"), N_("For 30 days")), strict=True)
)


class LiveTable(NamedTuple):
    """A live table in the list for moderators: what everybody sees of it, and since when it is open."""

    scene: AnyScene
    """The public's scene."""
    opened_at: int
    """ms since 1970."""


def paginate(items: Sequence[T], wanted_page: int) -> tuple[int, int, Sequence[T]]:
    """(page number from 0, number of pages, items on it) for *wanted_page*, or the nearest page that exists."""
    pages = max(1, -(-len(items) // PAGE_LENGTH))
    page = max(0, min(wanted_page, pages - 1))
    return page, pages, items[page * PAGE_LENGTH : (page + 1) * PAGE_LENGTH]


def live_tables_sheet(
    tables: Sequence[LiveTable], bans: int, wanted_page: int, words: Words, *, notice: str = ""
) -> Sheet:
    """Build one page of the list of a server's live *tables* for moderators, with *notice* above, selects to end one
    and to ban a person, and the number of *bans*."""
    page, pages, shown = paginate(tables, wanted_page)
    first = page * PAGE_LENGTH + 1
    items: list[Component] = [text_display(words("### Live tables"), *([notice] if notice else []))]
    if shown:
        items.append(
            text_display(*(_live_table_line(number, it, words) for number, it in enumerate(shown, start=first)))
        )
        options = [
            SelectOption(it.scene.table, _live_table_select_label(number, it.scene, words))
            for number, it in enumerate(shown, start=first)
        ]
        items.append(action_row(string_select(Verb.CLOSE, NO_TABLE, words("End a game"), options)))
    else:
        items.append(text_display(words("There is no live table on this server.")))
    items.append(action_row(channel_role_or_user_select(USERS, Verb.BAN, words("Ban someone from tables"), least=1)))
    buttons = _page_buttons(Verb.TABLES, page, pages, words)
    if bans:
        buttons.append(button(words.plural("{n} ban", "{n} bans", bans), Verb.BANS, NO_TABLE))
    return Sheet(container([*items, *([action_row(*buttons)] if buttons else [])]))


def _live_table_line(number: int, table: LiveTable, words: Words) -> str:
    """A line on a live table for moderators: a link, who plays, since when, whose turn it is, if it is paused."""
    scene = table.scene
    names = [bold_name(person.name) + (" 🤖" if person.automatic else "") for person in scene.people[:MOST_NAMES]]
    more = len(scene.people) - len(names)
    if scene.phase is Phase.LOBBY:
        state = words("not started")
    elif scene.paused:
        state = words("paused")
    else:
        state = words("{name}’s turn", name=bold_name(scene.name(scene.on_turn))) if scene.on_turn is not None else ""
    people = ", ".join(names) + (f" +{more}" if more > 0 else "")
    parts = [
        f"[{words(PRESENTERS[scene.game].title)}]({scene.place.url})",
        people,
        f"<t:{table.opened_at // 1000}:R>",
        state,
    ]
    return f"**{number}.** " + " · ".join(part for part in parts if part)


def _live_table_select_label(number: int, scene: AnyScene, words: Words) -> str:
    """Return the label of a table in the select of live tables: its number, game and players, cut to 100 characters."""
    return f"{number}. {words(PRESENTERS[scene.game].title)} · {', '.join(plain_name(it.name) for it in scene.people)}"[
        :100
    ]


def _page_buttons(verb: Verb, page: int, pages: int, words: Words) -> list[Component]:
    """Build the buttons to the previous and next page for *verb*, disabled at the ends; empty if there is only one
    page."""
    if pages == 1:
        return []
    return [
        button(words("◀ Previous"), verb, NO_TABLE, arg=str(page - 1), disabled=page == 0),
        button(words("Next ▶"), verb, NO_TABLE, arg=str(page + 1), disabled=page == pages - 1),
    ]


def confirm_end_by_moderator_sheet(scene: AnyScene, opened_at: int, words: Words) -> Sheet:
    """The question whether a moderator really wants to end the game of *scene*, with a warning on their own rating."""
    public = _live_table_line(1, LiveTable(scene, opened_at), words).partition(" ")[2]
    lines = [words("### End the game?"), public, words("The game ends now, for everyone, and nobody wins.")]
    if scene.phase is not Phase.LOBBY:
        lines += rating_loss_warning(scene, words)
    sure = button(words("Yes, end it"), Verb.CLOSE_FOR_SURE, scene.table, style=ButtonStyle.danger)
    return Sheet(
        container([text_display(*lines), action_row(sure, _back_to_live_tables_button(words))], COLOUR_WARNING)
    )


def _back_to_live_tables_button(words: Words) -> Component:
    """Build the button that leads back to the first page of the list of live tables."""
    return button(words("Back"), Verb.TABLES, NO_TABLE)


# Bans


def ban_duration_sheet(user: int, plays: bool, words: Words) -> Sheet:
    """The question for how long to ban *user* from the server's tables; *plays*: they play in a game now."""
    lines = [
        words("### Ban {name} from tables?", name=f"<@{user}>"),
        words(
            "They leave tables whose game has not begun, and cannot open, join or return to tables on this server. They"
            " can read until when, and why."
        ),
    ]
    if plays:
        lines.append(
            words("They may finish the game they are playing. In its menu you can replace them with a computer.")
        )
    buttons = [button(words(label), Verb.BAN_FOR, NO_TABLE, arg=f"{user}-{n}") for n, label in DURATIONS.items()]
    return Sheet(
        container(
            [text_display(*lines), action_row(*buttons), action_row(_back_to_live_tables_button(words))], COLOUR_WARNING
        )
    )


def ban_reason_form(arg: str, words: Words) -> discord.ui.Modal:
    """Build the form (modal) in which a moderator may write the reason of a ban; *arg* (person and seconds) goes into
    its custom_id."""
    form = discord.ui.Modal(title=words("Ban from tables"), custom_id=custom_id(Verb.BAN_FOR, NO_TABLE, arg=arg))
    reason: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
        custom_id="reason", max_length=LONGEST_REASON, required=False
    )
    hint = words("Optional. The person can read it, and so can other moderators.")
    form.add_item(discord.ui.Label(text=words("Reason"), description=hint, component=reason))
    return form


def bans_sheet(bans: Sequence[Ban], wanted_page: int, words: Words, *, notice: str = "") -> Sheet:
    """The list of *bans* in force on a server, one page of it, with a select to lift one. *notice* stands above."""
    page, pages, shown = paginate(bans, wanted_page)
    numbered = list(enumerate(shown, start=page * PAGE_LENGTH + 1))
    items: list[Component] = [text_display(words("### Banned from tables"), *([notice] if notice else []))]
    if numbered:
        items.append(text_display(*(_ban_line(number, ban, words) for number, ban in numbered)))
        options = [
            SelectOption(ban.id, f"{number}. " + words("until {date}", date=words.format_date(ban.until)))
            for number, ban in numbered
        ]
        items.append(action_row(string_select(Verb.LIFT, NO_TABLE, words("Lift a ban"), options)))
    else:
        items.append(text_display(words("Nobody is banned from tables on this server.")))
    return Sheet(
        container(
            [*items, action_row(*_page_buttons(Verb.BANS, page, pages, words), _back_to_live_tables_button(words))]
        )
    )


def _ban_line(number: int, ban: Ban, words: Words) -> str:
    """A line about a ban in the list: who, until when, by whom, why."""
    who = f"<@{ban.user}>" if ban.user is not None else words("someone who had their data erased")
    parts = [who, words("until {date}", date=f"<t:{ban.until // 1000}:f>")]
    if ban.by is not None:
        parts.append(words("by {name}", name=f"<@{ban.by}>"))
    if ban.reason:
        parts.append(escaped_text(ban.reason[:MOST_REASON] + ("…" if len(ban.reason) > MOST_REASON else "")))
    return f"**{number}.** " + " · ".join(parts)
