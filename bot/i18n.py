"""Texts in the reader's language: gettext catalogues under ``locales/``, in which the English text is the key.

To add a language, add a folder ``locales/xx/LC_MESSAGES/messages.po``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from gettext import c2py
from pathlib import Path
from typing import Any, Final, Literal

from babel import Locale
from babel.dates import format_date, format_timedelta
from babel.lists import format_list
from babel.messages.pofile import read_po

FOLDER: Final = Path(__file__).parent.parent / "locales"
SOURCE: Final = "en"
LOCALES: Final = (
    SOURCE,
    *sorted(path.parent.parent.name for path in FOLDER.glob("*/LC_MESSAGES/messages.po")),
)
"""The languages that the bot speaks, English first."""
_COMMANDS: Final = re.compile(r"(?<![\w/])/[a-z]+(?: [a-z]+)?")
"""Commands in English texts: a slash and a name, and perhaps a subcommand's."""


def N_(text: str) -> str:
    """Return *text* unchanged: a mark for translators; it is translated where it is shown."""
    return text


class Words:
    """All texts of one language. Call it with an English text and the values of its placeholders to get the
    translation.

    *texts* are translations by their English text, *plurals* all forms of a text by its English singular; *form* gives
    the index of the form that a number takes.

    A placeholder that begins with a capital letter is the label of a control that everybody sees, such as ``{Join}``.
    It is quoted in the language of the table (``with_public_labels``), which need not be the reader's.
    """

    def __init__(
        self,
        locale: str,
        texts: Mapping[str, str],
        plurals: Mapping[str, tuple[str, ...]],
        form: Callable[[int], int],
    ) -> None:
        self.locale = locale
        self._texts = texts
        self._plurals = plurals
        self._form = form
        self._babel = Locale.parse(locale)
        self._public = self
        self._client = self

    def with_public_labels(self, public: "Words") -> "Words":
        """Return these texts, with the labels of controls that everybody sees (such as ``{Join}``) in the language of
        *public*."""
        quoting = copy(self)
        quoting._public = public
        return quoting

    def with_client_commands(self, client: "Words") -> "Words":
        """Return these texts, with the names of slash commands in the language of *client*, that of the reader's
        Discord.

        Only those names work there.
        """
        if client is self._client:
            return self
        commanding = copy(self)
        commanding._client = client
        return commanding

    @property
    def native_language_name(self) -> str:
        """The language's name for itself, such as "Deutsch"."""
        name = self._babel.display_name or self.locale
        return name[0].upper() + name[1:]

    def translate_language_name(self, locale: str) -> str:
        """Return what the language *locale* is called in this language, in the middle of a sentence: "German",
        "tedesco"."""
        return Locale.parse(locale).get_language_name(self._babel) or locale

    def __call__(self, text: str, **facts: Any) -> str:
        """Return *text* (English) in this language, its ``{placeholders}`` filled from *facts*; in English if it is not
        translated."""
        return self._fill(self._with_command_names(text, self._texts.get(text, text)), facts)

    def plural(self, one: str, many: str, n: int, **facts: Any) -> str:
        """Return the text *one* (English singular) or *many* (plural) in this language, in the plural form for the
        number *n*.

        Its ``{placeholders}`` are filled from *facts*, and ``{n}`` with *n*.
        """
        forms = self._plurals.get(one)
        chosen = forms[self._form(n)] if forms is not None else one if n == 1 else many
        return self._fill(self._with_command_names(one, chosen), {"n": n, **facts})

    def _with_command_names(self, english: str, text: str) -> str:
        """Return *text*, the translation of *english*, with the names of slash commands as the reader's Discord shows
        them."""
        if self._client.locale == self.locale or "/" not in english:
            return text
        names: dict[str, str] = {}
        for path in _COMMANDS.findall(english):
            name, *subcommand = path.split()
            for parts in ([name], [name, *subcommand]):
                names[self._command_name(*parts)] = self._client._command_name(*parts)
        longest_first = sorted(names, key=len, reverse=True)
        pattern = "|".join(rf"(?<![\w/]){re.escape(name)}(?!\w)" for name in longest_first)
        return re.sub(pattern, lambda found: names[found[0]], text)

    def _command_name(self, name: str, subcommand: str = "") -> str:
        """Return the name of the slash command *name* ("/table") and its *subcommand* (empty: none) in this language.

        A following word that is not a subcommand stays as it is.
        """
        own = self._texts.get(f"/{subcommand}", f"/{subcommand}").removeprefix("/")
        return f"{self._texts.get(name, name)} {own}".rstrip()

    def _fill(self, text: str, facts: Mapping[str, Any]) -> str:
        """Return *text* with its ``{placeholders}`` filled from *facts*; one that begins with a capital is a label,
        which is translated."""
        if "{" not in text:
            return text
        try:
            return text.format_map(facts)
        except KeyError:  # it quotes a label, as few texts do
            return text.format_map(_PlaceholderValues(facts, self._public))

    def format_date(self, at: int) -> str:
        """Return the date of the time *at* (ms since 1970), in UTC, as words of this language.

        It is for places where Discord shows no times of its own.
        """
        return format_date(datetime.fromtimestamp(at / 1000, UTC), "medium", self._babel)

    def format_ago(self, ms: int) -> str:
        """Return how long ago *ms* (at least 1000) is, in words of this language, in its largest unit: "5 minutes
        ago"."""
        return format_timedelta(timedelta(milliseconds=-ms), threshold=1, add_direction=True, locale=self._babel)

    def list_and(self, items: Sequence[str]) -> str:
        """Return *items* as an enumeration in this language: "A, B and C"."""
        return _format_list(tuple(items), self._babel, "standard")

    def list_or(self, items: Sequence[str]) -> str:
        """Return *items* as alternatives in this language: "A, B or C"."""
        return _format_list(tuple(items), self._babel, "or")


@lru_cache(1024)
def _format_list(items: tuple[str, ...], locale: Locale, style: Literal["standard", "or"]) -> str:
    """Return *items* as an enumeration ("standard": and, "or": or) in the language of *locale*; cached, as the same
    names come again."""
    return format_list(items, style, locale)


class _PlaceholderValues(dict[str, Any]):
    """The values of placeholders; a label is translated when it is asked for."""

    def __init__(self, facts: Mapping[str, Any], public: Words) -> None:
        super().__init__(facts)
        self._public = public

    def __missing__(self, key: str) -> str:
        if key[:1].isupper():
            return self._public(key)
        raise KeyError(key)


@cache
def words(locale: str) -> Words:
    """Return the texts of the language for *locale*, a Discord locale such as ``en-US``; English if there is none."""
    name = locale if locale in LOCALES else locale.split("-")[0]
    return read_catalogue(name) if name in LOCALES and name != SOURCE else Words(SOURCE, {}, {}, lambda n: int(n != 1))


def read_catalogue(locale: str, folder: Path = FOLDER) -> Words:
    """Read the translations of *locale* in *folder*. Texts without a translation, or with a fuzzy one, stay English."""
    with (folder / locale / "LC_MESSAGES" / "messages.po").open("rb") as file:
        catalogue = read_po(file, locale=locale)
    texts: dict[str, str] = {}
    plurals: dict[str, tuple[str, ...]] = {}
    for message in catalogue:
        translated: Any = message.string
        if not message.id or message.fuzzy or not translated:
            continue
        if isinstance(message.id, str):
            texts[message.id] = str(translated)
        elif all(translated):
            plurals[message.id[0]] = tuple(translated)
    return Words(locale, texts, plurals, c2py(catalogue.plural_expr))


def supported_locale(locale: str, default: str) -> str:
    """Return the one of ``LOCALES`` for a Discord *locale* (such as ``en-US``); *default* if there is none."""
    name = locale.split("-")[0]
    return name if name in LOCALES else default
