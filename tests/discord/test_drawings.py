"""Cards as the application's own emojis: uploaded once, found again, replaced, done without."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import simcord
from PIL import Image

from bot.delivery.emojis import RECHECK_MS, UPLOAD_RETRY_MS, emoji_drawings
from bot.delivery.slots import TABLE, dm_hand_slot
from bot.ui.pictures import symbols
from bot.ui.pictures.canvas import Canvas
from bot.ui.pictures.drawings import Draw
from bot.ui.registry import PRESENTERS
from tests import drawings
from tests.controls import components
from tests.discord import messages
from tests.discord.messages import components_json, text_of
from tests.discord.play import Club, open_club

EMOJI = re.compile(r"<:(\w+):(\d+)>")
NAMES = {drawing.name for drawing in emoji_drawings().values()}
DRAWN = [game for game in sorted(PRESENTERS) if PRESENTERS[game].drawings]

every_drawn_game = pytest.mark.parametrize("game", DRAWN)


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    """Another application."""
    symbols.set_application_emojis({})
    yield
    symbols.set_application_emojis({})


def emojis(club: Club) -> dict[str, int]:
    """The application's emojis, by name."""
    return {emoji.name: emoji.id for emoji in club.env.backend.application_emojis.values()}


async def published(club: Club) -> None:
    """Everything is uploaded, and shown."""
    assert club.bot.drawings is not None
    assert club.bot.drawings.task is not None
    await club.bot.drawings.task
    await club.env.settle()


def uploads(club: Club) -> int:
    """How many emojis were sent to Discord."""
    return len([r for r in club.env.http_requests if r.method == "POST" and r.path.endswith("/emojis")])


def on_show(club: Club) -> list[Any]:
    """The table message and the hands."""
    return [club.table_message(), *map(club.hand, club.seated())]


def shown_names(club: Club) -> set[str]:
    """The names of the emojis in the texts of the table and the hands, and on their controls."""
    found = set()
    for message in on_show(club):
        found |= {name for name, _ in EMOJI.findall(text_of(message))}
        for component in components(message):
            for item in (component, *component.get("options", [])):
                if (item.get("emoji") or {}).get("id"):
                    assert int(item["emoji"]["id"]) == emojis(club)[item["emoji"]["name"]]
                    found.add(item["emoji"]["name"])
    return found


@every_drawn_game
async def test_every_drawing_is_uploaded_once_and_found_again_after_a_restart(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        assert set(emojis(club)) == NAMES
        assert uploads(club) == len(NAMES)
        before = emojis(club)
        symbols.set_application_emojis({})
        await club.restart()
        await published(club)
        assert emojis(club) == before
        assert uploads(club) == len(NAMES)


@every_drawn_game
async def test_the_table_and_the_hands_show_them_on_controls_too(tmp_path: Path, game: str) -> None:
    own = {emoji_drawings()[key].name for key in PRESENTERS[game].drawings}
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        found = shown_names(club)
        await club.act(club.on_turn())
        found |= shown_names(club)
        assert found
        assert found <= own


@every_drawn_game
async def test_a_table_drawn_before_the_upload_is_drawn_again(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game) as club:
        await club.open(club.anna, club.bruno)
        assert not shown_names(club)
        club.drawings = True
        await club.restart()
        await published(club)
        assert shown_names(club)
        table, public = club.table(), club.table_message()
        slots = [TABLE, *(dm_hand_slot(club.seat(person)) for person in club.seated())]
        assert [components_json(it) for it in on_show(club)] == [
            messages.expected_components_json(table, slot, public.id) for slot in slots
        ]


async def test_emojis_of_earlier_drawings_and_of_the_operator_stay(club: Club) -> None:
    obsolete = f"{next(iter(NAMES))}__9257"
    club.env.backend.create_application_emoji(obsolete)
    club.env.backend.create_application_emoji("operators_own")
    club.drawings = True
    await club.restart()
    await published(club)
    assert set(emojis(club)) == {*NAMES, obsolete, "operators_own"}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("status", [403, 500])
async def test_without_emojis_the_same_message_is_complete_in_text(club: Club, method: str, status: int) -> None:
    await club.open(club.anna, club.bruno)
    before = [components_json(message) for message in on_show(club)]
    club.env.inject_error(method, "/applications/*/emojis", status=status, code=50001, message="no", times=100)
    club.drawings = True
    await club.restart()
    assert club.bot.drawings is not None
    club.bot.drawings.stop()
    await club.env.settle()
    assert [components_json(message) for message in on_show(club)] == before
    await club.act(club.on_turn())
    assert not shown_names(club)
    assert club.status() in text_of(club.table_message())


NEAR = 4.0
"""Drawings are told apart if they differ by more than this: the mean difference of their pixels in shades of grey (0 to
255), at 22 pixels on the ground of Discord's dark theme."""


@cache
def greys() -> dict[str, bytes]:
    """Every drawing of every game as it looks small and without colour, by its key."""
    found = {}
    for presenter in PRESENTERS.values():
        for key, draw in presenter.drawings.items():
            ground = Image.new("RGBA", (128, 128), "#313338")
            ground.alpha_composite(draw())
            found[key] = ground.convert("L").resize((22, 22)).tobytes()
    return found


def distances(game: str) -> list[tuple[float, str, str]]:
    """(how much they differ, one of *game*'s drawings, another drawing), the nearest first."""
    pairs = {tuple(sorted((own, other))) for own in PRESENTERS[game].drawings for other in greys() if own != other}
    return sorted(
        (sum(abs(a - b) for a, b in zip(greys()[one], greys()[other], strict=True)) / len(greys()[one]), one, other)
        for one, other in pairs
    )


@every_drawn_game
def test_drawings_are_told_apart_without_colour_and_small(game: str) -> None:
    """Those of a game from each other, and from those of every other game."""
    found = distances(game)
    nearest = [f"{distance:5.1f}  {one}  {other}" for distance, one, other in found if distance <= 2 * NEAR]
    assert found[0][0] > NEAR, "\n".join([f"each pair must differ by more than {NEAR}; the nearest:", *nearest[:20]])


def test_games_that_share_the_name_of_a_drawing_share_its_look() -> None:
    files: dict[str, set[bytes]] = {}
    for drawing in emoji_drawings().values():
        files.setdefault(drawing.name, set()).add(drawing.file)
    assert not [name for name, different in files.items() if len(different) > 1], "give one of them another name"


def test_every_look_is_recorded_and_a_new_one_has_a_number_of_its_own() -> None:
    """Otherwise Discord would go on showing the old one: an emoji is found again by its name."""
    now, known = drawings.looks(), drawings.recorded()
    assert not drawings.unnumbered(now, known), "count them in the looks of their Drawings, then run make drawings"
    assert set(now) <= set(known), "run make drawings"


def token(fill: str) -> Draw:
    """A token of one colour."""

    def draw() -> Image.Image:
        canvas = Canvas()
        canvas.ellipse(50, 50, 48, fill=fill)
        return canvas.finish()

    return draw


@every_drawn_game
async def test_a_failure_later_on_takes_no_drawing_away_and_is_made_up_for(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        before = shown_names(club)
        gone = next(iter(NAMES - before))
        club.env.inject_error("GET", "/applications/*/emojis", status=403, code=50001, message="no", times=1)
        club.env.backend.delete_application_emoji(emojis(club)[gone])
        assert club.bot.drawings is not None
        club.bot.drawings.start()
        await published(club)
        assert shown_names(club) == before != set()
        assert gone not in emojis(club)
        await club.clock.advance(UPLOAD_RETRY_MS)
        await published(club)
        assert set(emojis(club)) == NAMES


# Messages that Discord does not take as they are: the next simpler form is tried at once.

INVALID_EMOJI = {"status": 400, "code": 50035, "message": "Invalid Form Body"}


def responses(club: Club, start: int) -> list[simcord.HttpLogEntry]:
    """The answers to clicks since the request number *start*."""
    return [r for r in club.env.http_requests[start:] if r.path.endswith("/callback")]


def emojis_of(body: Any) -> int:
    """How many emojis of the application there are in *body*."""
    return str(body).count("<:") + str(body).count("'id': '")


@every_drawn_game
@pytest.mark.parametrize("times", [1, 2])
async def test_an_emoji_refused_at_random_costs_no_answer(tmp_path: Path, game: str, times: int) -> None:
    """https://github.com/discord/discord-api-docs/issues/7128: 2 to 4 in 100 identical requests."""
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        player = club.on_turn()
        hand, offers = await club.offered(player)
        club.env.inject_error("POST", "/interactions/*/callback", times=times, **INVALID_EMOJI)
        start, ply = len(club.env.http_requests), club.ply
        answer = await club.use(player, hand, offers[0])
        assert answer.acknowledged
        assert club.ply > ply
        sent = responses(club, start)
        assert len(sent) == times + 1
        assert bool(emojis_of(sent[-1].json)) is (times == 1), "the same again, then text symbols"


@every_drawn_game
async def test_table_and_hands_are_not_stale_when_emojis_are_refused(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        await club.clock.advance(20 * 60_000)
        club.env.inject_error("PATCH", "/channels/*", times=2, **INVALID_EMOJI)
        await club.act(club.on_turn())
        assert club.status() in text_of(club.table_message())
        assert "It is your turn" in text_of(club.hand(club.on_turn()))


@every_drawn_game
async def test_a_deleted_emoji_is_noticed_and_uploaded_again(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        await club.clock.advance(RECHECK_MS + 1)
        there = {emoji.name: emoji.id for emoji in club.env.backend.application_emojis.values()}
        gone = min(there)
        club.env.backend.delete_application_emoji(there[gone])
        club.env.inject_error("POST", "/interactions/*/callback", times=2, **INVALID_EMOJI)
        await club.act(club.on_turn())
        await published(club)
        assert {emoji.name for emoji in club.env.backend.application_emojis.values()} >= {
            drawing.name for drawing in emoji_drawings().values()
        }


async def test_what_is_refused_in_every_form_is_not_tried_for_ever(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * 60_000)
    club.env.inject_error("PATCH", "/channels/*", times=None, **INVALID_EMOJI)
    start = len(club.env.http_requests)
    await club.act(club.on_turn())
    await club.clock.advance(60 * 60_000)
    refused = [r for r in club.env.http_requests[start:] if r.method == "PATCH"]
    assert len(refused) <= 3 * 2 * 11


@every_drawn_game
async def test_a_drawing_that_discord_does_not_take_is_uploaded_ten_minutes_later(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        gone = sorted(NAMES)[:2]
        for name in gone:
            club.env.backend.delete_application_emoji(emojis(club)[name])
        club.env.inject_error("POST", "/applications/*/emojis", status=400, code=50035, message="no", times=1)
        assert club.bot.drawings is not None
        club.bot.drawings.start()
        await published(club)
        assert set(emojis(club)) == NAMES - set(gone), "it stops at the first one"
        await club.clock.advance(UPLOAD_RETRY_MS)
        await published(club)
        assert set(emojis(club)) == NAMES
        start = len(club.env.http_requests)
        await club.clock.advance(UPLOAD_RETRY_MS)
        assert not [r for r in club.env.http_requests[start:] if r.path.endswith("/emojis")], "it is complete"


@every_drawn_game
async def test_whoever_no_longer_uploads_does_not_try_again_later(tmp_path: Path, game: str) -> None:
    """With several processes it is a chore of one; which one may change."""
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        club.env.backend.delete_application_emoji(emojis(club)[min(NAMES)])
        club.env.inject_error("POST", "/applications/*/emojis", status=400, code=50035, message="no", times=1)
        assert club.bot.drawings is not None
        club.bot.drawings.start()
        await published(club)
        club.bot.drawings.stop()
        await club.clock.advance(2 * UPLOAD_RETRY_MS)
        assert set(emojis(club)) == NAMES - {min(NAMES)}
