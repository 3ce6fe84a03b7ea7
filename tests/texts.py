"""The catalogues in ``locales/``, brought up to date with the code: ``make texts``.

New texts come in empty, changed ones lose their translation, unused ones go. ``--new xx`` begins a language.
"""

import argparse
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parents[1]
LOCALES: Final = ROOT / "locales"
KEYWORDS: Final = {"words": None, "t": None, "N_": None, "plural": (1, 2)}


def source() -> Catalog:
    """Every text in the code."""
    catalog = Catalog(charset="utf-8", fuzzy=False)
    for folder in ("bot", "cogs"):
        found = extract_from_dir(ROOT / folder, [("**.py", "python")], keywords=KEYWORDS)
        for _, _, text, _, _ in found:
            catalog.add(text)
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


def update(locale: str) -> None:
    """Bring the catalogue of *locale* up to date."""
    known, fresh = load(locale), Catalog(locale=locale, charset="utf-8", fuzzy=False)
    for message in source():
        if message.id:
            old = known.get(message.id)
            fresh.add(message.id, old.string if old else None)
    path = path_of(locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh.creation_date = fresh.revision_date = known.creation_date
    with path.open("wb") as file:
        write_po(file, fresh, width=110, omit_header=False, sort_output=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--new", metavar="xx", help="begin a catalogue for a language")
    arguments = parser.parse_args()
    for locale in [*languages(), *([arguments.new] if arguments.new else [])]:
        update(locale)


if __name__ == "__main__":
    main()
