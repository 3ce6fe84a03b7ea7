"""Messages that Discord does not take as they are: the next simpler form is tried at once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import simcord

from bot.delivery.emojis import EMOJIS_AGAIN_MS, LOOK_AGAIN_MS, drawn
from bot.pictures import symbols
from bot.present.registry import PRESENTERS
from tests.discord.messages import text_of
from tests.discord.play import Club, open_club

DRAWN = [game for game in sorted(PRESENTERS) if PRESENTERS[game].drawings]
every_drawn_game = pytest.mark.parametrize("game", DRAWN)
NAMES = {drawing.name for drawing in drawn().values()}
INVALID_EMOJI = {"status": 400, "code": 50035, "message": "Invalid Form Body"}


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    """Another application."""
    symbols.use({})
    yield
    symbols.use({})


async def published(club: Club) -> None:
    """Everything is uploaded, and shown."""
    assert club.bot.drawings is not None
    assert club.bot.drawings.task is not None
    await club.bot.drawings.task
    await club.env.settle()


def emojis(club: Club) -> dict[str, int]:
    """The application's emojis, by name."""
    return {emoji.name: emoji.id for emoji in club.env.backend.application_emojis.values()}


def responses(club: Club, start: int) -> list[simcord.HttpLogEntry]:
    """The answers to clicks since the request number *start*."""
    return [r for r in club.env.http_requests[start:] if r.path.endswith("/callback")]


def emojis_of(body: Any) -> int:
    """How many emojis of the application there are in *body*."""
    return str(body).count("<:") + str(body).count("'id': '")


@every_drawn_game
@pytest.mark.parametrize("times", [1, 2])
async def test_an_emoji_refused_at_random_costs_no_answer_r1(tmp_path: Path, game: str, times: int) -> None:
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
async def test_table_and_hands_are_not_stale_when_emojis_are_refused_r1(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        await club.clock.advance(20 * 60_000)
        club.env.inject_error("PATCH", "/channels/*", times=2, **INVALID_EMOJI)
        await club.act(club.on_turn())
        assert club.status() in text_of(club.table_message())
        assert "It is your turn" in text_of(club.hand(club.on_turn()))


@every_drawn_game
async def test_a_deleted_emoji_is_noticed_and_uploaded_again_r1(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, drawings=True) as club:
        await published(club)
        await club.open(club.anna, club.bruno)
        await club.clock.advance(LOOK_AGAIN_MS + 1)
        there = {emoji.name: emoji.id for emoji in club.env.backend.application_emojis.values()}
        gone = min(there)
        club.env.backend.delete_application_emoji(there[gone])
        club.env.inject_error("POST", "/interactions/*/callback", times=2, **INVALID_EMOJI)
        await club.act(club.on_turn())
        await published(club)
        assert {emoji.name for emoji in club.env.backend.application_emojis.values()} >= {
            drawing.name for drawing in drawn().values()
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
        await club.clock.advance(EMOJIS_AGAIN_MS)
        await published(club)
        assert set(emojis(club)) == NAMES
        start = len(club.env.http_requests)
        await club.clock.advance(EMOJIS_AGAIN_MS)
        assert not [r for r in club.env.http_requests[start:] if r.path.endswith("/emojis")], "it is complete"
