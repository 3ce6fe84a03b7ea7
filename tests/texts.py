"""The catalogues in ``locales/``, brought up to date with the code: ``make texts``.

New texts come in empty, changed ones lose their translation, unused ones go. ``--new xx`` begins a language.
``--check`` changes nothing and says what is wrong with the catalogues, and what is still to be translated of games
that are drafts.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.ui.registry import PRESENTERS

ROOT: Final = Path(__file__).parents[1]
LOCALES: Final = ROOT / "locales"
KEYWORDS: Final = {"words": None, "t": None, "N_": None, "plural": (1, 2)}
GAMES: Final = Path("bot", "ui", "games")
"""Where the texts of games are, a folder a game."""
PLACEHOLDER: Final = re.compile(r"\{([\w ]*)\}")


def source() -> Catalog:
    """Every text in the code; its ``locations`` are the files it comes from, as (path in the repository, line)."""
    catalog = Catalog(charset="utf-8", fuzzy=False)
    for folder in ("bot", "cogs"):
        found = extract_from_dir(ROOT / folder, [("**.py", "python")], keywords=KEYWORDS)
        for file, line, text, _, _ in found:
            catalog.add(text, locations=[(Path(folder, file).as_posix(), line)])
    return catalog


def path_of(locale: str) -> Path:
    return LOCALES / locale / "LC_MESSAGES" / "messages.po"


def languages() -> list[str]:
    """The languages there are besides English."""
    return sorted(path.parent.parent.name for path in LOCALES.glob("*/LC_MESSAGES/messages.po"))


def load(locale: str) -> Catalog:
    """The catalogue of *locale*; an empty one if it is new."""
    path = path_of(locale)
    if not path.exists():
        return Catalog(locale=locale, charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=locale)


def messages(catalog: Catalog) -> Iterator[Message]:
    """The texts of *catalog*, without its header."""
    return (message for message in catalog if message.id)


@cache
def written() -> tuple[Message, ...]:
    """Every text in the code, read once."""
    return tuple(messages(source()))


def forms(text: Any) -> tuple[str, ...]:
    """The forms of a plural; of any other text the one that it has."""
    return tuple(text) if isinstance(text, tuple | list) else (str(text),)


def update(locale: str) -> None:
    """Bring the catalogue of *locale* up to date. Its plural rule, and what translators have noted, stay."""
    known, fresh = load(locale), Catalog(locale=locale, charset="utf-8", fuzzy=False)
    fresh.mime_headers = known.mime_headers
    for message in written():
        old = known.get(message.id)
        if old is not None and forms(old.id) == forms(message.id):
            fresh.add(message.id, old.string, flags=old.flags, user_comments=old.user_comments)
        else:
            fresh.add(message.id)
    path = path_of(locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, fresh, width=110, omit_header=False, sort_output=True)


# What is wrong with a catalogue


class Checked(NamedTuple):
    """What is wrong with a catalogue, as English texts; and what is still to be done in it."""

    missing: tuple[str, ...]
    """Those without a translation: none of its forms may be empty."""
    unused: tuple[str, ...]
    """Those that the code does not have, or has in another form."""
    fuzzy: tuple[str, ...]
    """Those whose translation is marked as a guess."""
    misfilled: tuple[str, ...]
    """Those with a translation that has other placeholders."""
    drafts: Counter[str]
    """Game that is a draft -> how many of its texts are still to be translated."""

    @property
    def faults(self) -> list[str]:
        """What must be mended, a line each."""
        named = (
            ("not translated", self.missing),
            ("not in the code", self.unused),
            ("fuzzy", self.fuzzy),
            ("other placeholders", self.misfilled),
        )
        return [f"{what}: {text!r}" for what, texts in named for text in texts]


def drafts() -> frozenset[str]:
    """The games that are still being made."""
    return frozenset(game for game, presenter in PRESENTERS.items() if presenter.draft)


def check(catalog: Catalog, texts: Iterable[Message], drafts: frozenset[str]) -> Checked:
    """*catalog* against the *texts* of the code. Those that only games in *drafts* have need not be translated yet."""
    texts = list(texts)
    missing, fuzzy, still = [], [], Counter[str]()
    for text in texts:
        found = catalog.get(text.id)
        if found is not None and forms(found.id) == forms(text.id) and all(forms(found.string)) and not found.fuzzy:
            continue
        games = _games_of(text)
        if games and games <= drafts:
            still.update(games)
        elif found is not None and found.fuzzy:
            fuzzy.append(forms(text.id)[0])
        else:
            missing.append(forms(text.id)[0])
    known = {forms(text.id) for text in texts}
    unused = [text[0] for message in messages(catalog) if (text := forms(message.id)) not in known]
    misfilled = [forms(message.id)[0] for message in messages(catalog) if _misfilled(message)]
    return Checked(tuple(missing), tuple(unused), tuple(fuzzy), tuple(misfilled), still)


def _games_of(text: Message) -> frozenset[str]:
    """The games whose folders alone have *text*; none if it stands anywhere else too."""
    folders = [Path(file).relative_to(GAMES).parts[0] for file, _ in text.locations if Path(file).is_relative_to(GAMES)]
    return frozenset(folders) if len(folders) == len(text.locations) else frozenset()


def _misfilled(message: Message) -> bool:
    """Whether a form of the translation has other placeholders than the English ones; a form that is empty is
    missing, no more."""

    def names(text: Any) -> list[set[str]]:
        return [set(PLACEHOLDER.findall(form)) for form in forms(text) if form]

    wanted = set().union(*names(message.id))
    return any(found != wanted for found in names(message.string))


def report(say: Callable[[str], Any]) -> bool:
    """*say* what is wrong with every catalogue, and what is still to be translated; whether nothing is wrong."""
    texts, right = written(), True
    for locale in languages():
        found = check(load(locale), texts, drafts())
        for game, count in sorted(found.drafts.items()):
            say(f"{locale}: {count} texts of the draft {game} are still to be translated\n")
        for fault in found.faults:
            say(f"{locale}: {fault}\n")
            right = False
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--new", metavar="xx", help="begin a catalogue for a language")
    parser.add_argument("--check", action="store_true", help="change nothing; say what is wrong")
    arguments = parser.parse_args()
    if arguments.check:
        sys.exit(0 if report(sys.stdout.write) else 1)
    for locale in [*languages(), *([arguments.new] if arguments.new else [])]:
        update(locale)


if __name__ == "__main__":
    main()
