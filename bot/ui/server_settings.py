"""The message with the settings of a server. Only the person who asked sees it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord

from bot.i18n import LOCALES, Words, words
from bot.tables.errors import Refusal, Why
from bot.tables.options import Pace
from bot.tables.preferences import MOST_DAYS, MOST_PLACES, MOST_TABLES, GuildSettings, stricter_limit
from bot.ui.components import (
    CHANNELS,
    NO_TABLE,
    ROLES,
    Component,
    SelectOption,
    Sheet,
    action_row,
    button,
    channel_role_or_user_select,
    container,
    string_select,
    text_display,
)
from bot.ui.custom_ids import NO, YES, Verb, custom_id
from bot.ui.lobby import CHOICES, pace_name, turn_limit_labels

SERVER_LANGUAGE: Final = "server"
"""The value of the select for the server's own language."""
PLACES: Final = ("channels", "roles")
"""The settings that are chosen from what the server has."""
_SHOWN: Final = re.compile(r"(\d{1,6})\.(\d{1,6})\.[a-zA-Z-]{2,5}")
"""The argument of the numbers form's custom_id: the tables and days that it shows, and its language."""
CHANNEL_KINDS: Final = tuple(
    kind.value
    for kind in (
        discord.ChannelType.text,
        discord.ChannelType.voice,
        discord.ChannelType.category,
        discord.ChannelType.news,
        discord.ChannelType.stage_voice,
        discord.ChannelType.forum,
    )
)
DAILY: Final = "daily"
"""The setting of the channel for the board of the deal of the day."""
BOARD_KINDS: Final = (discord.ChannelType.text.value, discord.ChannelType.news.value)
_SWITCH: Final = {YES: True, NO: False}
CHANGES: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "locale": {SERVER_LANGUAGE: {"locale": None}, **{locale: {"locale": locale} for locale in LOCALES}},
    "pace": CHOICES["pace"],
    "limit": CHOICES["limit"],
    "late": CHOICES["late"],
    "hints": CHOICES["hints"],
    "threads": {key: {"threads": value} for key, value in _SWITCH.items()},
    "statistics": {
        "counted": {"counted": True, "boards": False},
        "boards": {"counted": True, "boards": True},
        "none": {"counted": False, "boards": False},
    },
}
"""For each select, the fields of ``GuildSettings`` that each of its values changes."""


def changed_settings_from_select(name: str, value: str) -> Mapping[str, Any]:
    """The fields of ``GuildSettings`` that choosing *value* in the select *name* changes, or raise Refusal if unknown.

    Raises:
        Refusal: there is no such list or value, as in a forged click.
    """
    if value not in CHANGES.get(name, {}):
        raise Refusal(Why.BUTTON_DEAD)
    return CHANGES[name][value]


def server_settings_sheet(chosen: GuildSettings, tables_most: int, days_most: int, t: Words) -> Sheet:
    """Build the message of /settings with a server's settings (*chosen*), a control for each, and the operator's limits
    on tables and days (0: without limit).

    The operator allows *tables_most* tables at a time, and keeps records for *days_most* days; 0: without limit.
    """
    languages = {SERVER_LANGUAGE: t("Language: server default")}
    languages |= {locale: t("Language: {name}", name=words(locale).native_language_name) for locale in LOCALES}
    paces = {pace.value: t("Pace: {name}", name=pace_name(pace, t)) for pace in Pace}
    statistics = {
        "counted": t("Statistics: on, no leaderboards"),
        "boards": t("Statistics: on, with leaderboards"),
        "none": t("Statistics: off"),
    }
    late = {"yes": t("Latecomers: welcome"), "no": t("Latecomers: not allowed")}
    hints = {"no": t("Hints: off"), "yes": t("Hints: on, alone against computers")}
    threads = {"no": t("Tables: in the channel itself"), "yes": t("Tables: each in a thread of its own")}
    normal = chosen._replace(pace=chosen.pace or Pace.NORMAL)
    return Sheet(
        container(
            [
                text_display(
                    t("### Settings of this server"), "-# " + t("Only you can see this. Changes take effect at once.")
                ),
                _setting_select("locale", normal, languages),
                text_display(t("**Tables may be opened**")),
                action_row(
                    channel_role_or_user_select(
                        CHANNELS,
                        Verb.SETTING,
                        t("In every channel"),
                        "channels",
                        chosen=chosen.channels,
                        most=MOST_PLACES,
                        kinds=CHANNEL_KINDS,
                    )
                ),
                action_row(
                    channel_role_or_user_select(
                        ROLES, Verb.SETTING, t("By everyone"), "roles", chosen=chosen.roles, most=MOST_PLACES
                    )
                ),
                text_display(t("**New tables**"), "-# " + t("The host can change the first four.")),
                _setting_select("pace", normal, paces),
                _setting_select("limit", normal, turn_limit_labels(t)),
                _setting_select("late", normal, late),
                _setting_select("hints", normal, hints),
                _setting_select("threads", normal, threads),
                _setting_select("statistics", normal, statistics),
                action_row(
                    channel_role_or_user_select(
                        CHANNELS,
                        Verb.SETTING,
                        t("No board for the deal of the day"),
                        DAILY,
                        chosen=(chosen.daily,) if chosen.daily else (),
                        most=1,
                        kinds=BOARD_KINDS,
                    )
                ),
                text_display(*_number_limit_lines(chosen, tables_most, days_most, t)),
                action_row(button(t("Change these numbers"), Verb.NUMBERS, NO_TABLE)),
            ]
        )
    )


def _setting_select(name: str, chosen: GuildSettings, labels: Mapping[str, str]) -> Component:
    """The row with the select for the setting *name*, *chosen* value marked; *labels* are the labels by value."""
    options = [
        SelectOption(value, label, all(getattr(chosen, field) == it for field, it in CHANGES[name][value].items()))
        for value, label in labels.items()
    ]
    return action_row(string_select(Verb.SETTING, NO_TABLE, next(iter(labels.values())), options, arg=name))


def _number_limit_lines(chosen: GuildSettings, tables_most: int, days_most: int, t: Words) -> list[str]:
    """Return lines with the most tables at a time and the days to keep records, each the lower of the server's and the
    operator's limit."""
    tables, days = stricter_limit(chosen.tables, tables_most), stricter_limit(chosen.records_days, days_most)
    if not tables:
        tables_line = t("**Tables at a time**: any number")
    elif tables == chosen.tables:
        tables_line = t("**Tables at a time**: {n}", n=tables)
    else:
        tables_line = t("**Tables at a time**: {n} (the operator of this bot allows no more)", n=tables)
    if not days:
        days_line = t("**Records** of games: kept as long as this bot exists")
    elif days == chosen.records_days:
        days_line = t.plural("**Records** of games: kept for {n} day", "**Records** of games: kept for {n} days", days)
    else:
        days_line = t.plural(
            "**Records** of games: kept for {n} day (the operator of this bot keeps them no longer)",
            "**Records** of games: kept for {n} days (the operator of this bot keeps them no longer)",
            days,
        )
    return [tables_line, days_line]


# Numbers


def number_settings_form(chosen: GuildSettings, tables_most: int, days_most: int, t: Words) -> discord.ui.Modal:
    """The form (modal) for the server settings that are numbers: tables at a time, and days to keep records.

    Its custom_id says what it shows: phones show a form whose custom_id they know as they showed it first
    (https://github.com/discord/discord-api-docs/issues/7554).
    """
    shown = f"{chosen.tables}.{chosen.records_days}.{t.locale}"
    form = discord.ui.Modal(title=t("Settings of this server"), custom_id=custom_id(Verb.NUMBERS, NO_TABLE, arg=shown))
    fields: Sequence[tuple[str, str, int, int]] = (
        ("tables", t("Tables at a time"), chosen.tables, tables_most or MOST_TABLES),
        ("days", t("Days to keep records"), chosen.records_days, days_most or MOST_DAYS),
    )
    for name, label, value, most in fields:
        written: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
            custom_id=name, max_length=8, required=False, default=str(value)
        )
        hint = t("0 to {most}. 0: as many as the operator of this bot allows.", most=most)
        form.add_item(discord.ui.Label(text=label, description=hint, component=written))
    return form


def changed_settings_from_form(shown: str, written: Sequence[str], tables_most: int, days_most: int) -> dict[str, int]:
    """The fields of ``GuildSettings`` that were changed in the form for numbers, with new values, or raise Refusal.

    *written* is what the form holds now, *shown* the argument of its custom_id: what it showed at first.

    Raises:
        Refusal: something is no number, or too large; or the form is from an older version of this program.
    """
    numbers = _SHOWN.fullmatch(shown)
    if numbers is None:
        raise Refusal(Why.BUTTON_DEAD)
    limits = {"tables": tables_most or MOST_TABLES, "records_days": days_most or MOST_DAYS}
    found = {}
    for (key, most), before, now in zip(limits.items(), numbers.groups()[:2], written, strict=True):
        if now.strip() != before:  # what stood there may be more than the host allows since
            value = _parse_form_number(now, most)
            if value != int(before):
                found[key] = value
    return found


def _parse_form_number(written: str, most: int) -> int:
    """Parse the whole number that a person has *written* in a form, from 0 to *most* (empty: 0), or raise Refusal."""
    written = written.strip() or "0"
    if not (written.isascii() and written.isdecimal() and len(written) < 9 and int(written) <= most):
        raise Refusal(Why.BAD_NUMBER, said=written, least=0, most=most)
    return int(written)
