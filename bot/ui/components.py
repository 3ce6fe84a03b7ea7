"""A message's components (Components V2), and the pieces they are made of.

Source: https://discord.com/developers/docs/components/reference
"""

import copy
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Any, Final, NamedTuple, TypeVar
from unicodedata import category

import orjson
from discord import ButtonStyle, ComponentType

from bot.i18n import Words
from bot.tables.model import Ending, TableId
from bot.tables.names import MAX_NAME_LENGTH, shorten_name
from bot.tables.scene import AnyScene
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.pictures import symbols
from bot.ui.pictures.drawings import Picture
from bot.ui.pictures.symbols import Symbol
from bot.ui.pictures.text import isolate_direction

Component = dict[str, Any]
"""One component as the JSON that Discord takes. All messages of a table are built anew for each version, as plain data:
with discord.py's classes, building them took half the time of a move (docs/performance.md)."""

_EMOJI = re.compile(r"<a?:(\w+):(\d+)>")
_EMOJI_ID = re.compile(r'<a?:\w+:\d+>|"emoji": {[^}]*"id"')


def has_custom_emojis(items: Sequence[Component]) -> bool:
    """Whether *items* or components in them hold custom emojis, in a text or on a control."""
    return _EMOJI_ID.search(json.dumps(items)) is not None


def replace_files_with_text(items: Sequence[Component], instead: Mapping[str, str]) -> list[Component]:
    """Copy *items* without pictures and files, nested ones too; each is replaced by its text in *instead* (by URL)."""
    found: list[Component] = []
    for item in items:
        if item["type"] in (ComponentType.media_gallery.value, ComponentType.file.value):
            media = [shown["media"] for shown in item["items"]] if "items" in item else [item["file"]]
            said = [instead.get(shown["url"], "") for shown in media]
            found += [{"type": ComponentType.text_display.value, "content": text} for text in said if text]
        elif "components" in item:
            found.append({**item, "components": replace_files_with_text(item["components"], instead)})
        else:
            found.append(item)
    return found


def _emoji_text(markup: re.Match[str]) -> str:
    """Return the text symbol for the custom emoji *markup* (a match of ``_EMOJI``); its name in colons if the emoji is
    not one of ours."""
    symbol = symbols.symbol_for_emoji(int(markup[2]))
    return f":{markup[1]}:" if symbol is None else symbol.text


def replace_emojis_with_text(item: Any) -> Any:
    """Copy *item*, any part of a message's JSON, with text symbols in place of the application's emojis."""
    match item:
        case list():
            return [replace_emojis_with_text(part) for part in item]
        case dict():
            changed = {key: replace_emojis_with_text(part) for key, part in item.items() if key != "emoji"}
            if "emoji" in item:
                symbol = symbols.symbol_for_emoji(int(item["emoji"].get("id", 0)))
                if symbol is not None:
                    changed["emoji"] = symbol.plain_component
                elif "id" not in item["emoji"]:
                    changed["emoji"] = item["emoji"]
            return changed
        case str():
            return _EMOJI.sub(_emoji_text, item)
        case _:
            return item


def count_components_and_text(items: Sequence[Component]) -> tuple[int, int]:
    """Return (number of components, number of characters of text) in *items*, nested components included."""
    count, length = len(items), 0
    for item in items:
        length += len(item.get("content", ""))
        if inner := item.get("components"):
            more, longer = count_components_and_text(inner)
            count, length = count + more, length + longer
    return count, length


def shorten_text(items: Sequence[Component], excess: int) -> tuple[list[Component], bool]:
    """Copy *items* with at least *excess* fewer characters; also return whether more than small print was cut.

    Lines of small print (``-#``) are removed first, then the longest texts are cut.
    """
    shorter = copy.deepcopy(list(items))
    texts = [item for item in _iterate_nested(shorter) if "content" in item]
    for item in texts:
        lines = item["content"].split("\n")
        for line in [line for line in lines if line.startswith("-#")]:
            if excess > 0 and len(lines) > 1:
                lines.remove(line)
                excess -= len(line) + 1
        item["content"] = "\n".join(lines)
    cut = excess > 0
    while excess > 0:
        longest = max(texts, key=lambda item: len(item["content"]))
        kept = max(len(longest["content"]) - excess - 1, len(longest["content"]) // 2)
        excess -= len(longest["content"]) - kept - 1
        # Cut after a whole word, so that no emoji and no mention is cut in two.
        longest["content"] = (longest["content"][:kept].rpartition(" ")[0] or longest["content"][:kept]) + "…"
    return shorter, cut


def _iterate_nested(items: Sequence[Component]) -> Iterator[Component]:
    """Yield every component of *items* and, after each, every component inside it, at any depth."""
    for item in items:
        yield item
        yield from _iterate_nested(item.get("components", ()))


def join_with_dots(*parts: str) -> str:
    """Join *parts* in one line with dots (·) between them, without full stops before the dots; empty parts are left
    out.

    >>> join_with_dots("Ada passes.", "", "Bob won.")
    'Ada passes · Bob won.'
    """
    said = [part for part in parts if part]
    return " · ".join([*(part.removesuffix(".") for part in said[:-1]), *said[-1:]])


ESCAPED_LENGTH: Final = 48
"""The longest escaped name, in characters: eight names that are all markdown must fit into one message."""
MOST_TEXT: Final = 4000
"""How much text a message can hold, in characters.
https://discord.com/developers/docs/components/reference#text-display"""
MOST_COMPONENTS: Final = 40
"""How many components a message can hold, nested ones included.
https://discord.com/developers/docs/components/reference#component-object"""
MOST_OPTIONS: Final = 25
"""How many options a select can hold.
https://discord.com/developers/docs/components/reference#string-select-string-select-structure"""
NO_TABLE: Final = TableId("a")
"""The table in the custom_ids of controls that belong to no table: the rules, a lesson."""
WORD_JOINER: Final = "\u2060"
"""An invisible word joiner. It keeps two symbols, or a symbol and a word, on one line.
https://www.unicode.org/reports/tr14/#WJ"""
PLAIN_NO_BREAK_SPACE: Final = "\u00a0"
"""Between words and numbers."""
NO_BREAK_SPACE: Final = WORD_JOINER + PLAIN_NO_BREAK_SPACE
"""A space at which no line breaks, for between a symbol and its name or number. A no-break space alone would not do
beside a picture. https://www.w3.org/TR/css-text-3/#line-break-details"""
COLOUR_DEFAULT: Final = 0x5865F2
COLOUR_INACTIVE: Final = 0x80848E
COLOUR_WARNING: Final = 0xF0B232

_MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<@:-])")
_INVISIBLE = re.compile(
    r"[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3"
    r"\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""Characters that are invisible, or change the direction of the text after them."""
_INVISIBLE_CATEGORIES: Final = frozenset({"Mn", "Me", "Zs"})
"""Categories of spaces, and of characters that only change the look of the one before.
https://www.unicode.org/reports/tr44/#GC_Values_Table"""

_FIRST_WORD: Final = re.compile(r"(\**)([^\W\d_]+)(?!\w)")
"""Letters alone, perhaps in bold: no symbol, and no name such as "x2"."""


class Document(NamedTuple):
    """A file in a message that people can download, and the text to show where no file can be sent."""

    name: str
    data: bytes
    instead: str
    """The markdown text that replaces it where no files can be sent."""


class Sheet:
    """One message: its components as JSON, its pictures and files. Text that is too long for Discord is shortened.

    Small print (lines that begin with ``-#``) is left out, the first lines first, as they are the oldest news. Then the
    longest text is cut.

    Raises:
        ValueError: there are more than 40 components.
    """

    def __init__(self, *items: Component, pictures: Sequence[Picture] = (), documents: Sequence[Document] = ()) -> None:
        count, length = count_components_and_text(items)
        if count > MOST_COMPONENTS:
            raise ValueError(f"{count} components in one message")
        self.shortened = length > MOST_TEXT
        """Whether text was left out, if only small print."""
        self.cut = False
        """Whether text other than small print was cut."""
        if self.shortened:
            shorter, self.cut = shorten_text(items, length - MOST_TEXT)
            items = tuple(shorter)
        self.payload: list[Component] = list(items)
        """The components as the JSON that Discord takes."""
        self.pictures = tuple(pictures)
        """The pictures in the galleries; they are sent as files of the message."""
        self.documents = tuple(documents)
        """The documents of the file components; they are sent as files of the message too."""
        self._fingerprint = b""

    @property
    def has_files(self) -> bool:
        """Whether the message has pictures or documents."""
        return bool(self.pictures or self.documents)

    def replace_files_with_text(self) -> "Sheet":
        """Copy the sheet with text in place of its pictures and documents, for where files cannot be sent."""
        instead = {_attachment_url(it): it.instead for it in self.pictures} | {
            _attachment_url(it): it.instead for it in self.documents
        }
        return Sheet(*replace_files_with_text(self.payload, instead))

    @property
    def has_custom_emojis(self) -> bool:
        """Whether the message holds custom emojis, in a text or on a control."""
        return has_custom_emojis(self.payload)

    def copy_with_emojis_as_text(self) -> "Sheet":
        """Copy the sheet with text symbols instead of the application's emojis, for when Discord refuses those."""
        pictures = [it._replace(instead=replace_emojis_with_text(it.instead)) for it in self.pictures]
        return Sheet(*replace_emojis_with_text(self.payload), pictures=pictures, documents=self.documents)

    def fingerprint(self) -> bytes:
        """Return a hash of 16 bytes of the components; it is equal for sheets that look the same.

        One is kept for every message of every live table.
        """
        if not self._fingerprint:
            self._fingerprint = hashlib.blake2b(orjson.dumps(self.payload), digest_size=16).digest()
        return self._fingerprint


def plain_name(name: str) -> str:
    """Return a person's *name* for plain text, not escaped: no invisible characters, at most 32 characters; "?" if
    nothing is left.

    Letters written from right to left do not reverse the text after them (``isolate_direction``).
    """
    return isolate_direction(shorten_name(_visible_name(name), MAX_NAME_LENGTH))


def _visible_name(name: str) -> str:
    """Return *name* in one line without invisible characters; "?" if nothing visible is left."""
    visible = printable_line(name)
    return "?" if all(category(character) in _INVISIBLE_CATEGORIES for character in visible) else visible


def printable_line(text: str) -> str:
    """*text* in one line, without characters that are invisible or change the direction of the text after them."""
    return " ".join(_INVISIBLE.sub("", text).split())


def bold_name(name: str) -> str:
    """A person's *name* in bold, escaped for markdown so that it formats and mentions nothing."""
    return f"**{escaped_name(name)}**"


@lru_cache(4096)
def escaped_name(name: str) -> str:
    """A person's *name* cleaned and escaped for markdown: it formats and mentions nothing, at most 48 characters.

    Text in brackets at the end, which may distinguish the name from others, is cut last.

    >>> escaped_name("a_b"), len(escaped_name("_" * 32))
    ('a\\\\_b', 47)
    """
    shown = _visible_name(name)
    shorter = (shorten_name(shown, most) for most in range(MAX_NAME_LENGTH, 0, -1))
    escapes = (_MARKDOWN.sub(r"\\\1", it) for it in shorter)
    return isolate_direction(next(it for it in escapes if len(it) <= ESCAPED_LENGTH))


def escaped_text(text: str) -> str:
    """Return *text*, which somebody wrote, in one line of markdown that formats and mentions nothing; of any length."""
    return _MARKDOWN.sub(r"\\\1", printable_line(text))


def capitalize_sentence(sentence: str) -> str:
    """*sentence* with a capital first letter, unless it begins with a symbol or a card's name.

    >>> sentences = ("two-sided 1 is best", "**pass**: 5%", "x2 is best", "<:two:1> two is best", "5 it is")
    >>> [capitalize_sentence(sentence) for sentence in sentences]
    ['Two-sided 1 is best', '**Pass**: 5%', 'x2 is best', '<:two:1> two is best', '5 it is']
    """
    first = _FIRST_WORD.match(sentence)
    if first is None:
        return sentence
    return first[1] + first[2][0].upper() + sentence[first.start(2) + 1 :]


def text_display(*lines: str) -> Component:
    """Build a text display component with *lines* of markdown, one below the other."""
    return {"type": ComponentType.text_display.value, "content": "\n".join(lines)}


def container(items: Sequence[Component], colour: int = COLOUR_DEFAULT) -> Component:
    """Build a container component around *items*, with an edge of the *colour* 0xRRGGBB."""
    return {"type": ComponentType.container.value, "accent_color": colour, "components": list(items)}


def _attachment_url(attachment: Picture | Document) -> str:
    """Return the URL by which a message refers to its own picture or document: ``attachment://`` and the file's
    name."""
    return f"attachment://{attachment.name}"


def media_gallery(picture: Picture) -> Component:
    """Build a media gallery component that shows *picture*, with its alt text; the sheet must hold the picture too."""
    media = {"url": _attachment_url(picture)}
    return {"type": ComponentType.media_gallery.value, "items": [{"media": media, "description": picture.alt}]}


def text_and_picture(picture: Picture | None, *lines: str) -> list[Component]:
    """Return the components for *lines* of text and, if there is a *picture*, a gallery with it below; names for which
    it shows numbers are added to the text.

    Where numbers stand for names in the picture, the text says who they are.
    """
    if picture is None:
        return [text_display(*lines)]
    return [text_display(*lines, *filter(None, [picture.numbers])), media_gallery(picture)]


def file_component(document: Document) -> Component:
    """A file component with which people download *document*. The sheet must hold the document too."""
    return {"type": ComponentType.file.value, "file": {"url": _attachment_url(document)}}


def action_row(*buttons: Component) -> Component:
    """Build an action row (a row of controls of a message) with up to five *buttons*, or with one select in their
    place."""
    return {"type": ComponentType.action_row.value, "components": list(buttons)}


def button(
    label: str,
    verb: Verb,
    table: TableId,
    ply: int = 0,
    arg: str = "",
    *,
    style: ButtonStyle = ButtonStyle.secondary,
    symbol: Symbol | None = None,
    disabled: bool = False,
) -> Component:
    """A button with *label*; its custom_id holds *verb*, *table*, *ply* and *arg*, and its emoji is *symbol*."""
    item: Component = {
        "type": ComponentType.button.value,
        "style": style.value,
        "label": label,
        "custom_id": custom_id(verb, table, ply, arg),
        "disabled": disabled,
    }
    if symbol is not None:
        item["emoji"] = symbol.component
    return item


def link_button(label: str, url: str) -> Component:
    """A button that opens *url*; the bot gets no interaction for a click on it."""
    return {"type": ComponentType.button.value, "style": ButtonStyle.link.value, "label": label, "url": url}


class SelectOption(NamedTuple):
    """An option of a select: the value that is sent, its label, and whether it is shown as selected (*chosen*)."""

    value: str
    label: str
    chosen: bool = False
    symbol: Symbol | None = None
    description: str = ""
    """Small print below the label."""

    @property
    def payload(self) -> Component:
        """The option as the JSON that Discord takes."""
        item: Component = {"value": self.value, "label": self.label, "default": self.chosen}
        if self.description:
            item["description"] = self.description
        if self.symbol is not None:
            item["emoji"] = self.symbol.component
        return item


def string_select(
    verb: Verb,
    table: TableId,
    placeholder: str,
    options: Sequence[SelectOption],
    ply: int = 0,
    arg: str = "",
    *,
    most: int = 1,
) -> Component:
    """Build a string select with *options*; people choose one to *most*. Its custom_id holds *verb*, *table*, *ply*,
    *arg*. Raise ValueError for no or more than 25 options.

    Raises:
        ValueError: there is no option, or more than Discord takes.
    """
    if not 0 < len(options) <= MOST_OPTIONS:
        raise ValueError(f"{len(options)} options in one list: 1 to {MOST_OPTIONS}")
    return {
        "type": ComponentType.select.value,
        "custom_id": custom_id(verb, table, ply, arg),
        "placeholder": placeholder,
        "min_values": 1,
        "max_values": most,
        "options": [option.payload for option in options],
    }


# Texts that everybody at a table reads: built once for all its messages in one language.


T = TypeVar("T")

CACHE_SIZE: Final = 64
"""How many results of one function are kept at most: all messages of a table are built within milliseconds."""


def cached_by_public_scene(function: Callable[[AnyScene, Words], T]) -> Callable[[AnyScene, Words], T]:
    """Decorator: call *function* with what everybody may know of the scene only, and cache its results by that scene
    and language.

    *function* must be pure and say only what everybody may know. In the message of a seat it gets ``scene.public``: so
    nothing that only this seat may know can get into another message.
    """
    said: dict[tuple[int, Words, int], tuple[AnyScene, T]] = {}

    @wraps(function)
    def ask(scene: AnyScene, words: Words) -> T:
        public = scene if scene.public is None else scene.public
        key = (id(public), words, symbols.emoji_version())  # the scene itself is kept too, so no other can get its id
        found = said.get(key)
        if found is None:
            if len(said) >= CACHE_SIZE:
                said.clear()
            found = said[key] = (public, function(public, words))
        return found[1]

    return ask


# Selects of a server's channels, roles and people. Discord fills them itself.
#
# Source: https://discord.com/developers/docs/components/reference#channel-select


CHANNELS: Final = ComponentType.channel_select
ROLES: Final = ComponentType.role_select
USERS: Final = ComponentType.user_select
_DEFAULT_KINDS: Final = {CHANNELS: "channel", ROLES: "role", USERS: "user"}


def channel_role_or_user_select(
    kind: ComponentType,
    verb: Verb,
    placeholder: str,
    arg: str = "",
    *,
    chosen: Sequence[int] = (),
    least: int = 0,
    most: int = 1,
    kinds: Sequence[int] = (),
) -> Component:
    """A select of the server's channels, roles or users (*kind*), which Discord fills itself; it belongs to no table.

    *kind* is ``CHANNELS`` (only those of *kinds*, if any are given), ``ROLES`` or ``USERS``. Those that are *chosen*
    are marked. People choose from *least* to *most*.
    """
    item: Component = {
        "type": kind.value,
        "custom_id": custom_id(verb, NO_TABLE, 0, arg),
        "placeholder": placeholder,
        "min_values": least,
        "max_values": most,
        "default_values": [{"id": str(it), "type": _DEFAULT_KINDS[kind]} for it in chosen],
    }
    return {**item, "channel_types": list(kinds)} if kinds else item


# The replacement for the names of people whose data was erased: the same for all of them.


def name_for_erased_player(words: Words) -> str:
    """Return the name that is shown for a person whose data was erased: "Former player", translated."""
    return words("Former player")


def replace_erased_names(scene: AnyScene, words: Words) -> AnyScene:
    """Copy *scene* with "Former player" in place of every erased name; return *scene* itself if no name was erased."""
    ender = scene.ending is Ending.ENDED and not scene.ended_by
    if not ender and not any(person.former for person in scene.people) and all(it.name for it in scene.handovers):
        return scene
    former = name_for_erased_player(words)
    return scene._replace(
        people=tuple(person._replace(name=former) if person.former else person for person in scene.people),
        handovers=tuple(it if it.name else it._replace(name=former) for it in scene.handovers),
        ended_by=former if ender else scene.ended_by,
        public=None if scene.public is None else replace_erased_names(scene.public, words),
    )
