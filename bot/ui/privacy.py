"""The messages about the data kept of a person, and what they can do about it. Only they see them."""

from collections.abc import Mapping
from typing import Any, Final

from discord import ButtonStyle

from bot.i18n import Words
from bot.tables.errors import Refusal, Why
from bot.tables.preferences import Preferences
from bot.ui.components import (
    COLOUR_WARNING,
    NO_TABLE,
    Component,
    Document,
    Sheet,
    action_row,
    button,
    container,
    file_component,
    name_for_erased_player,
    text_display,
)
from bot.ui.custom_ids import Verb

CHANGES: Final[Mapping[str, Mapping[str, Any]]] = {
    "hide": {"hidden": True},
    "show": {"hidden": False},
    "share": {"replays": True},
    "keep": {"replays": False},
}
"""The fields of ``Preferences`` that each button changes."""


def parse_privacy_change(arg: str) -> Mapping[str, Any]:
    """The fields of ``Preferences`` that the button *arg* of /privacy changes, with new values, or raise Refusal.

    Raises:
        Refusal: there is no such button, as in a forged click.
    """
    if arg not in CHANGES:
        raise Refusal(Why.BUTTON_DEAD)
    return CHANGES[arg]


def privacy_sheet(chosen: Preferences, records_days: int, words: Words) -> Sheet:
    """Build the message of /privacy: which data is kept of a person, why, for how many days (0: for ever), and buttons
    to share, hide, export, erase it.

    *chosen* are their preferences.
    """
    stays = (
        words.plural("Kept for {n} day.", "Kept for {n} days.", records_days)
        if records_days
        else words("Kept as long as this bot exists, or for less, if a server wants that.")
    )
    lines = [
        words("### What I keep about you"),
        words(
            "**To run your games**: your Discord ID, your name at the table and your user name, which tables you"
            " opened lately, where I send you direct messages, what you chose with /me."
        ),
        words("**Of every game** its moves, so that it can be replayed and checked, and that you played.")
        + f" {stays}",
        words("**Your results**: what you have played and won. A rating only if you want one."),
        words("**Bans** from the tables of a server, and why, until a day after they end."),
        "-# " + words("I read no messages, and pass nothing on. Whoever hosts me can see what I keep."),
    ]
    others = [
        words("🙈 You are hidden: you appear on no leaderboard.")
        if chosen.hidden
        else words("👁️ Others may find you on leaderboards."),
        words("🎞️ Anyone may see your games if everyone who played agrees.")
        if chosen.replays
        else words("🔒 Only those who played can see your games."),
    ]
    return Sheet(
        container(
            [
                text_display(*lines),
                text_display(*others),
                action_row(
                    _privacy_button(words("Stop hiding me"), "show")
                    if chosen.hidden
                    else _privacy_button(words("Hide me"), "hide"),
                    _privacy_button(words("Don’t share my games"), "keep")
                    if chosen.replays
                    else _privacy_button(words("Share my games"), "share"),
                ),
                action_row(
                    button(words("Export my data"), Verb.EXPORT, NO_TABLE),
                    button(words("Erase my data"), Verb.ERASE, NO_TABLE, style=ButtonStyle.danger),
                ),
            ]
        )
    )


def _privacy_button(label: str, arg: str) -> Component:
    """Build a button with *label* that changes what others may know about the person; *arg* is a key of ``CHANGES``."""
    return button(label, Verb.SHARE, NO_TABLE, arg=arg)


def data_export_sheet(file_name: str, content: bytes, left_out: int, words: Words) -> Sheet:
    """The message with all data of a person as a file; it says how many of their oldest games are *left_out*.

    *content* is that of the file. *file_name* ends in ``.gz`` if it is compressed.
    """
    lines = [
        words("### Everything about you"),
        words("This file holds all that I keep about you. Programs can read it (JSON)."),
    ]
    if file_name.endswith(".gz"):
        lines.append(words("It is compressed (gzip), since it would be too large for Discord otherwise."))
    if left_out:
        lines.append(
            words.plural(
                "{n} game, the oldest, did not fit. Whoever hosts this bot can give you all of it.",
                "{n} games, the oldest ones, did not fit. Whoever hosts this bot can give you all of it.",
                left_out,
            )
        )
    file = Document(file_name, content, words("I may not send files here."))
    return Sheet(container([text_display(*lines), file_component(file)]), documents=[file])


def nothing_stored_sheet(words: Words) -> Sheet:
    """Build the message for a person who exports their data when nothing is kept of them."""
    return Sheet(container([text_display(words("I keep nothing about you."))]))


def confirm_erase_sheet(words: Words, *, plays: bool, banned: bool = False) -> Sheet:
    """The question whether a person really wants to erase all data kept of them, what that means, and both buttons.

    *plays*: they sit at a table now. *banned*: they are banned from the tables of a server.
    """
    lines = [
        words("### Erase everything about you?"),
        words("• Your results, your rating and your settings are deleted."),
        words(
            "• Games you played stay for the others. There you are a “{former}”.", former=name_for_erased_player(words)
        ),
    ]
    if plays:
        lines.append(words("• You leave your tables now. A computer plays on, and you can’t take the seat back."))
    if banned:
        lines.append(
            words("• You are banned from tables on a server. The ban stays until it ends, but without your ID.")
        )
    lines += [
        words("• Messages that were sent stay as they are. Moderators can delete those in channels."),
        words("**This cannot be undone.** If you play again, you start from scratch."),
    ]
    sure = button(words("Yes, erase everything"), Verb.ERASE_FOR_SURE, NO_TABLE, style=ButtonStyle.danger)
    return Sheet(
        container(
            [text_display(*lines), action_row(sure, button(words("Keep everything"), Verb.PRIVACY, NO_TABLE))],
            COLOUR_WARNING,
        )
    )


def data_erased_sheet(words: Words, *, banned: bool = False) -> Sheet:
    """The message after a person's data was erased; *banned*: a ban from a server's tables stays until it ends."""
    stays = [words("Only the ban stays, until it ends, as a code that does not name you.")] if banned else []
    return Sheet(
        container(
            [
                text_display(
                    words("### Your data is erased"),
                    words("I know nothing about you any more. If you play again, you start from scratch."),
                    *stays,
                    "-# " + words("Backups made by whoever hosts me may still name you."),
                )
            ]
        )
    )
