"""Cards as the application's own emojis: uploaded once, found again, replaced, done without. And pictures."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.client import EMOJIS_AGAIN_MS
from bot.custom_ids import Verb
from bot.delivery.emojis import drawn, key_of
from bot.pictures import symbols
from bot.present.registry import PRESENTERS
from tests.controls import components
from tests.discord.play import QUICK, Club, open_club, text_of
from tests.games import CASES

EMOJI = re.compile(r"<:(\w+):(\d+)>")


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    """Another application."""
    symbols.use({})
    yield
    symbols.use({})


def emojis(club: Club) -> dict[str, int]:
    """The application's emojis, by name."""
    return {emoji.name: emoji.id for emoji in club.env.backend.application_emojis.values()}


async def published(club: Club) -> None:
    """Everything is uploaded, and shown."""
    assert club.bot._publishing is not None
    await club.bot._publishing
    await club.env.settle()


def uploads(club: Club) -> int:
    return len([r for r in club.env.http_requests if r.method == "POST" and r.path.endswith("/emojis")])


async def test_every_drawing_is_uploaded_once_and_found_again_after_a_restart(tmp_path: Path) -> None:
    async with open_club(tmp_path, drawings=True) as club:
        await published(club)
        assert set(emojis(club)) == set(drawn())
        assert uploads(club) == len(drawn())
        before = emojis(club)
        symbols.use({})
        await club.restart()
        await published(club)
        assert emojis(club) == before
        assert uploads(club) == len(drawn())


@pytest.mark.parametrize("game", sorted(CASES))
async def test_the_table_and_the_hands_show_them_on_controls_too(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game=game, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        hand = club.hand(club.on_turn())
        await club.act(club.on_turn())
        named = {name for name, _ in EMOJI.findall(text_of(club.table_message()))}
        assert named
        assert named <= set(drawn())
        ids = {str(number) for number in emojis(club).values()}
        held = list(components(hand))
        shown = [it["emoji"]["id"] for c in held for it in (c, *c.get("options", [])) if it.get("emoji", {}).get("id")]
        assert shown
        assert set(map(str, shown)) <= ids


async def test_a_table_drawn_before_the_upload_is_drawn_again(tmp_path: Path) -> None:
    async with open_club(tmp_path) as club:
        await club.open(club.anna, club.bruno)
        assert not EMOJI.findall(text_of(club.table_message()))
        club.drawings = True
        await club.restart()
        await published(club)
        assert EMOJI.findall(text_of(club.table_message()))


async def test_an_obsolete_drawing_goes_and_a_strangers_emoji_stays(tmp_path: Path) -> None:
    async with open_club(tmp_path) as club:
        club.env.backend.create_application_emoji("1__0000")
        club.env.backend.create_application_emoji("operators_own")
        club.drawings = True
        await club.restart()
        await published(club)
        assert set(emojis(club)) == {*drawn(), "operators_own"}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("status", [403, 500])
async def test_without_emojis_the_same_message_is_complete_in_text(tmp_path: Path, method: str, status: int) -> None:
    async with open_club(tmp_path) as club:
        club.env.inject_error(method, "/applications/*/emojis", status=status, code=50001, message="no", times=100)
        club.drawings = True
        await club.restart()
        await club.open(club.anna, club.bruno)
        assert club.bot._publishing is not None
        club.bot._publishing.cancel()
        await club.act(club.on_turn())
        assert not EMOJI.findall(text_of(club.table_message()))
        assert "🏆" in text_of(club.table_message())


def gallery(message: Any) -> list[dict[str, Any]]:
    return [item for c in components(message) if c["type"] == 12 for item in c["items"]]


async def test_the_end_of_a_round_comes_with_a_picture_that_goes_with_the_next_card(tmp_path: Path) -> None:
    async with open_club(tmp_path, QUICK) as club:
        await club.open(club.anna, club.bruno)
        await club.lay(club.on_turn())
        await club.call(club.on_turn())
        (item,) = gallery(club.table_message())
        assert "Sum" in item["description"]
        assert [a.filename for a in club.table_message().attachments] == [item["media"]["url"].rpartition("/")[2]]
        await club.lay(club.on_turn())
        assert not gallery(club.table_message())
        assert not club.table_message().attachments


async def test_the_standings_come_with_a_picture(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish()
    assert any("anna" in item["description"] for item in gallery(club.table_message()))


def test_drawings_are_told_apart_without_colour_and_small() -> None:
    """At 22 pixels in shades of grey no two are nearly the same."""
    small = {}
    for game, presenter in PRESENTERS.items():
        for key, draw in presenter.drawings.items():
            ground = Image.new("RGBA", (128, 128), "#313338")
            ground.alpha_composite(draw())
            small[game, key] = list(ground.convert("L").resize((22, 22)).tobytes())
    for one, pixels in small.items():
        for other, others in small.items():
            if one < other:
                difference = sum(abs(a - b) for a, b in zip(pixels, others, strict=True)) / len(pixels)
                assert difference > 4, (one, other, difference)


def test_a_name_says_which_drawing_it_is() -> None:
    assert {key_of(name) for name in drawn()} == {key for it in PRESENTERS.values() for key in it.drawings}
    assert all(2 <= len(name) <= 32 for name in drawn())


async def test_the_menu_still_opens(tmp_path: Path) -> None:
    async with open_club(tmp_path, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        assert "Menu" in text_of((await club.press(club.anna, club.table_message(), Verb.MENU)).response)


async def test_a_failure_later_on_takes_no_drawing_away_and_is_made_up_for(tmp_path: Path) -> None:
    async with open_club(tmp_path, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        club.env.inject_error("GET", "/applications/*/emojis", status=403, code=50001, message="no", times=1)
        club.env.backend.delete_application_emoji(emojis(club)[next(iter(drawn()))])
        await club.bot._publish()
        assert EMOJI.findall(text_of(club.table_message()))
        assert set(emojis(club)) != set(drawn())
        await club.clock.advance(EMOJIS_AGAIN_MS)
        await published(club)
        assert set(emojis(club)) == set(drawn())


async def test_where_files_are_refused_the_rules_come_without_pictures(tmp_path: Path) -> None:
    async with open_club(tmp_path) as club:
        refused = {"status": 403, "code": 50013, "message": "Missing Permissions", "times": 1}
        club.env.inject_error("POST", "/interactions/*/callback", **refused)
        answer = await club.anna.slash(club.channel, "learn")
        assert "Learn 17" in text_of(answer.response)
        assert not gallery(answer.response)
