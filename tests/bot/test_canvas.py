"""What pictures are drawn on: opaque or transparent, lines through many points, texts that must fit."""

import pytest
from PIL import Image, ImageChops

from bot.ui.pictures.canvas import GOLD, GROUND, Canvas
from bot.ui.pictures.text import load_bundled_font, truncate_to_width

NAMES = ("Ada", "W" * 15 + "…", "Wilhelmina the Second", "i" * 40, "…")


def differs(one: Image.Image, other: Image.Image) -> int:
    """By how much the colours of a pixel differ at most, of 255."""
    bands = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getextrema()
    return max(int(most) for _, most in bands)  # type: ignore[misc] # a pair for each of three bands


def drawn(canvas: Canvas, symbol: Image.Image) -> Image.Image:
    """Something of everything."""
    canvas.rounded_rectangle(4, 4, 92, 92, GOLD, GROUND, 3)
    canvas.text(50, 30, "17", 40, "#ffffff")
    canvas.paste(symbol, 20, 50, 40)
    return canvas.finish()


def test_on_a_ground_everything_looks_as_it_does_on_a_transparent_canvas_that_lies_on_it() -> None:
    disc = Canvas()
    disc.ellipse(50, 50, 40, fill="#c62828")
    symbol = disc.finish()
    clear, opaque = drawn(Canvas(), symbol), drawn(Canvas(ground=GROUND), symbol)
    behind = Image.new("RGBA", clear.size, GROUND)
    behind.alpha_composite(clear)
    assert (clear.mode, opaque.mode) == ("RGBA", "RGB")
    assert opaque.size == clear.size
    assert differs(opaque, behind) <= 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("room", [40, 120, 140.5, 500])
def test_as_much_of_a_text_is_kept_as_fits(name: str, room: float) -> None:
    shown, length = truncate_to_width(name, 25, room), load_bundled_font(25).getlength
    assert length(shown) <= room
    if shown != name:
        kept = shown.removesuffix("…")
        assert name.startswith(kept)
        assert length(name) > room
        assert length(name[: len(kept) + 1] + "…") > room or name[: len(kept) + 1] == name.removesuffix("…")
