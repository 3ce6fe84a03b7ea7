"""The message in which a person sets their preferences, on all servers. Only they see it."""

from collections.abc import Mapping
from typing import Any, Final

from bot.i18n import LOCALES, N_, Words, words
from bot.tables.errors import Refusal, Why
from bot.tables.model import TurnNotice
from bot.tables.preferences import Preferences
from bot.ui.components import (
    NO_TABLE,
    Component,
    SelectOption,
    Sheet,
    action_row,
    container,
    string_select,
    text_display,
)
from bot.ui.custom_ids import Verb
from bot.ui.registry import PRESENTERS
from engine.registry import GAMES

DISCORD_LANGUAGE: Final = "discord"
"""The value of the select for the language that Discord reports."""
NOTIFICATION_LABELS: Final = {
    TurnNotice.EVERY_TURN: N_("On every turn"),
    TurnNotice.LATE: N_("Only when my time is running out"),
    TurnNotice.NEVER: N_("Never"),
}
CHANGES: Final[Mapping[str, Mapping[str, Any]]] = {
    "locale": {DISCORD_LANGUAGE: None, **{locale: locale for locale in LOCALES}},
    "by_dm": {"dm": True, "here": False},
    "telling": {telling.value: telling for telling in TurnNotice},
    "passes": {"no": False, "yes": True},
}
"""For each field of ``Preferences``, the value that each option of its select stands for."""


def parse_preference_change(field: str, value: str) -> dict[str, Any]:
    """The field of ``Preferences`` that choosing *value* in the select for *field* sets, or raise Refusal if unknown.

    Raises:
        Refusal: there is no such list or no such value, as in a forged click.
    """
    if value not in CHANGES.get(field, {}):
        raise Refusal(Why.BUTTON_DEAD)
    return {field: CHANGES[field][value]}


def preferences_sheet(chosen: Preferences, t: Words) -> Sheet:
    """The message of /me with a person's preferences (*chosen*) and a select for each, in their language *t*.

    Labels of public messages are quoted in the language of the tables here.
    """
    languages = {
        DISCORD_LANGUAGE: t("As in Discord"),
        **{locale: words(locale).native_language_name for locale in LOCALES},
    }
    hands = {"dm": t("By direct message"), "here": t("In the channel")}
    tellings = {telling.value: t(label) for telling, label in NOTIFICATION_LABELS.items()}
    items = [
        text_display(t("### My preferences"), "-# " + t("On all servers. Only you can see this.")),
        text_display(t("**Language** of everything that only I read.")),
        _preference_select("locale", chosen, languages, t("Language")),
        text_display(t("**My hand**: where I get my cards.")),
        _preference_select("by_dm", chosen, hands, t("My hand")),
        *(
            []
            if chosen.by_dm
            else [text_display("-# " + t("Press **{My hand}** at the table. Hands in messages rest."))]
        ),
        text_display(t("**Message me** if it’s my turn and I’m away.")),
        _preference_select("telling", chosen, tellings, t("Message me on my turn")),
    ]
    if games := [t(PRESENTERS[game].title) for game, rules in GAMES.items() if rules.passes is not None]:
        why = t("{games}. All my passes then take a few seconds, so that nobody can tell.", games=t.list_and(games))
        items.append(text_display(t("**Pass for me** when I cannot play."), f"-# {why}"))
        items.append(_preference_select("passes", chosen, {"no": t("No"), "yes": t("Yes")}, t("Pass for me")))
    return Sheet(container(items))


def _preference_select(field: str, chosen: Preferences, labels: Mapping[str, str], placeholder: str) -> Component:
    """The row with the select for the preference *field*, *chosen* value marked; *labels* are the labels by value."""
    now = getattr(chosen, field)
    options = [SelectOption(value, label, CHANGES[field][value] == now) for value, label in labels.items()]
    return action_row(string_select(Verb.PREFER, NO_TABLE, placeholder, options, arg=field))
