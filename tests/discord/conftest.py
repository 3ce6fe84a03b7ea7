"""Fixtures: a fresh world for every test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from simcord.actors import MemberActor
from simcord.http import router

from tests.bot.traces import traces
from tests.discord.play import WITH_CALLS, Club, open_club
from tests.discord.somebody import NAME, Left, with_zach
from tests.discord.starting import Channel
from tests.games import CASES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with a club runs once for every game there is, or for those that it is marked to be ``about``."""
    if "club" in metafunc.fixturenames:
        games = [game for marker in metafunc.definition.iter_markers("about") for game in marker.args]
        metafunc.parametrize("club", games or sorted(CASES), indirect=True)


@pytest.fixture
async def club(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Club]:
    """A server with a channel, eight people and the bot, which play this game; no waits, so that a move lands at
    once."""
    async with open_club(tmp_path, request.param) as club:
        yield club


LONG = [game for game, case in sorted(CASES.items()) if sum(1 for _ in case.steps(2, 1)) > 20]
"""The games that last for more than a few moves, unlike toys."""


@pytest.fixture(params=LONG)
async def long_club(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Club]:
    """As ``club``, for what takes many moves."""
    async with open_club(tmp_path, request.param) as club:
        yield club


@pytest.fixture(params=WITH_CALLS)
async def calling_club(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Club]:
    """As ``club``, once for every game in which anybody may call between turns."""
    async with open_club(tmp_path, request.param) as club:
        yield club


@pytest.fixture
def channel(monkeypatch: pytest.MonkeyPatch) -> Channel:
    """What Discord does with new messages in channels: all are taken until a test says otherwise."""
    found = Channel()
    monkeypatch.setattr(router, "dispatch", found.dispatch)
    return found


@pytest.fixture
def zach(club: Club) -> MemberActor:
    """Somebody with a name that stands nowhere else."""
    return with_zach(club)


@pytest.fixture
def left(tmp_path: Path, zach: MemberActor) -> Left:
    """Where the database still says something of them."""
    return lambda: traces(tmp_path / "tables.sqlite3", zach.id, NAME, zach.user.dm_channel.id)
