"""A message's components (Components V2), and the pieces they are made of.

Source: https://discord.com/developers/docs/components/reference
"""

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, Final

from discord import ButtonStyle, SelectOption, ui

from bot.custom_ids import Verb, custom_id
from bot.tables.model import TableId

Item = ui.Item[Any]

NAME_LENGTH: Final = 32
COLOUR_CALM: Final = 0x5865F2
COLOUR_DONE: Final = 0x80848E
COLOUR_NO: Final = 0xF0B232

_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<@:-])")
_INVISIBLE = re.compile(r"[\u0000-\u001f\u007f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")


class Sheet(ui.LayoutView):
    """The components of one message. Clicks are dispatched by custom_id, so discord.py need not keep it."""

    def __init__(self, *items: Item) -> None:
        super().__init__(timeout=None)
        for item in items:
            self.add_item(item)
        self.stop()

    def payload(self) -> list[dict[str, Any]]:
        """The components as Discord takes them."""
        components: list[dict[str, Any]] = self.to_components()  # type: ignore[no-untyped-call] # discord.py's stub
        return components

    def fingerprint(self) -> bytes:
        """Equal for sheets that look the same. A hash: every message of every live table keeps one."""
        return hashlib.blake2b(json.dumps(self.payload()).encode(), digest_size=16).digest()


def plain(name: str) -> str:
    """A person's *name* as harmless text: no markdown, no mentions, nothing invisible, not endless."""
    visible = " ".join(_INVISIBLE.sub("", name).split()) or "?"
    if len(visible) > NAME_LENGTH:
        visible = visible[: NAME_LENGTH - 1] + "…"
    return visible


def bold(name: str) -> str:
    """A person's *name*, escaped, in bold."""
    return f"**{escaped(name)}**"


def escaped(name: str) -> str:
    """A person's *name*, escaped for markdown."""
    return _MARKDOWN.sub(r"\\\1", plain(name))


def text(*lines: str) -> ui.TextDisplay[Any]:
    """Lines of markdown in one display."""
    return ui.TextDisplay("\n".join(lines))


def box(items: Sequence[Item], colour: int = COLOUR_CALM) -> ui.Container[Any]:
    """*items* in a frame with a coloured edge."""
    return ui.Container(*items, accent_colour=colour)


def row(*buttons: Item) -> ui.ActionRow[Any]:
    """Up to five buttons, or one select."""
    return ui.ActionRow(*buttons)


def button(
    label: str,
    verb: Verb,
    table: TableId,
    ply: int = 0,
    arg: str = "",
    *,
    style: ButtonStyle = ButtonStyle.secondary,
    emoji: str | None = None,
    disabled: bool = False,
) -> ui.Button[Any]:
    """A button that asks for *verb*."""
    return ui.Button(
        label=label, style=style, emoji=emoji, disabled=disabled, custom_id=custom_id(verb, table, ply, arg)
    )


def link(label: str, url: str) -> ui.Button[Any]:
    """A button that opens *url*."""
    return ui.Button(label=label, style=ButtonStyle.link, url=url)


def select(
    verb: Verb,
    table: TableId,
    placeholder: str,
    options: Sequence[tuple[str, str, bool]],
    ply: int = 0,
    arg: str = "",
    *,
    most: int = 1,
) -> ui.Select[Any]:
    """A choice of one to *most* among *options*: (value, label, chosen now)."""
    return ui.Select(
        custom_id=custom_id(verb, table, ply, arg),
        placeholder=placeholder,
        max_values=most,
        options=[SelectOption(value=value, label=label, default=chosen) for value, label, chosen in options],
    )
