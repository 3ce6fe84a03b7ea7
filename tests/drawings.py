"""What every drawing looked like when it was last recorded, in ``drawings.json``: ``make drawings``.

An emoji on Discord is found again by its name alone, so a drawing that looks otherwise must get another name: the next
number among the ``looks`` of its game's ``Drawings``. ``unnumbered`` finds those that have none.
"""

import base64
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from PIL import Image

from bot.ui.pictures.drawings import Draw
from bot.ui.registry import PRESENTERS

FILE: Final = Path(__file__).with_suffix(".json")
SIDE: Final = 8
"""A look is kept as a picture that many pixels high and wide."""
SAME: Final = 6
"""Looks whose pixels differ by at most this (of 255) are the same: letters come out a little otherwise with another
version of the library that draws them."""


def look(draw: Draw) -> str:
    """What *draw* looks like, small, on the ground of Discord's dark theme; in base64."""
    image = draw()
    ground = Image.new("RGBA", image.size, "#313338")
    ground.alpha_composite(image)
    return base64.b64encode(ground.convert("RGB").resize((SIDE, SIDE), Image.Resampling.BOX).tobytes()).decode()


def looks() -> dict[str, str]:
    """Emoji's name -> what it looks like, of every game that is no draft."""
    finished = [presenter for presenter in PRESENTERS.values() if not presenter.draft]
    return {it.drawings.emoji_name(key): look(draw) for it in finished for key, draw in it.drawings.items()}


def alike(one: str, other: str) -> bool:
    """Whether two looks are the same to somebody who sees them."""
    return all(abs(a - b) <= SAME for a, b in zip(base64.b64decode(one), base64.b64decode(other), strict=True))


def recorded() -> dict[str, str]:
    """Emoji's name -> what it looked like when it was recorded."""
    found: dict[str, str] = json.loads(FILE.read_text("utf-8"))
    return found


def unnumbered(now: Mapping[str, str], known: Mapping[str, str]) -> list[str]:
    """The emojis that look otherwise *now* than they are *known* to, under the same name."""
    return sorted(name for name, it in now.items() if name in known and not alike(it, known[name]))


def main() -> int:
    """Record the drawings of the finished games that are new, or have a new number.

    One that has changed under its old name is reported instead. If no bot has uploaded that look yet, delete its line
    in the file first.
    """
    now, known = looks(), recorded()
    changed = unnumbered(now, known)
    for name in changed:
        sys.stderr.write(f"{name} looks otherwise: count it in the looks of its Drawings\n")
    FILE.write_text(json.dumps(now | known, indent=0, sort_keys=True) + "\n", "utf-8")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
