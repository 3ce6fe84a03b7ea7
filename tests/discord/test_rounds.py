"""How a round, a hand or a game ends: it is told and drawn, stays in sight for a while, and then in a line."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ui.presenter import Board
from tests.discord.messages import components_json, gallery, text_of
from tests.discord.play import Club, open_club
from tests.discord.world import EN
from tests.games import CASES


def has_rounds(game: str) -> bool:
    """Whether something ends in a game of two before the game does."""
    case = CASES[game]
    steps = (step for _, _, step in case.steps(2, seed=1, options=case.quick))
    return any(case.rules.ends_round(step.events) and not case.rules.standings(step.state) for step in steps)


@pytest.fixture(params=[game for game in sorted(CASES) if has_rounds(game)])
async def round_over(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Club]:
    """Two people at a table, a round of whose game has just ended."""
    async with open_club(tmp_path, request.param) as club:
        await club.open(club.anna, club.bruno)
        while not club.rules.ends_round(club.table().recent):
            await club.go_on()
        yield club


def check_picture(club: Club) -> str:
    """The table message shows one picture, which is the file it comes with; return its words."""
    (file,), (item,) = club.messages()[-1].attachments, gallery(club.messages()[-1])
    assert item["media"]["url"].rpartition("/")[2].split("?")[0] == file.filename
    words: str = item["description"]
    return words


async def test_the_end_of_a_round_is_told_once(round_over: Club) -> None:
    club = round_over
    assert club.outcome()
    for line in club.outcome():
        assert text_of(club.table_message()).count(line) == 1
    assert not gallery(club.table_message())
    assert not club.table_message().attachments


async def test_the_end_of_a_round_is_there_after_a_restart(round_over: Club) -> None:
    club = round_over
    before = components_json(club.table_message())
    await club.restart()
    assert components_json(club.table_message()) == before
    ply = club.ply
    await club.act(club.on_turn())
    assert club.ply == ply + 1


async def test_how_the_last_round_ended_stays_in_a_line_once_something_has_happened(round_over: Club) -> None:
    club = round_over
    await club.act(club.on_turn())
    await club.table_catches_up()
    text = text_of(club.table_message())
    line = club.presenter.board.last_round_line(club.scene(), EN)
    told = club.presenter.event_lines(club.scene(), EN)
    assert told
    assert all(news in text for news in told)
    assert (f"-# {line}" in text.splitlines()) is bool(line)
    assert not [line for line in club.outcome() if line in text.splitlines()]


async def test_a_game_with_no_line_for_its_last_round_shows_none(
    round_over: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As every game before its author has written one."""
    club = round_over
    monkeypatch.setattr(type(club.presenter.board), "last_round_line", Board.last_round_line)
    await club.act(club.on_turn())
    for message in (club.table_message(), *map(club.hand, club.seated())):
        assert "-#" not in {line.strip() for line in text_of(message).splitlines()}


async def test_the_end_of_a_game_stands_there_once_as_a_picture_with_its_words(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    table = club.table().id
    await club.finish()
    words, over = check_picture(club), await club.bot.tables.get(table)
    for standing in club.rules.standings(over.state):
        name = over.players[standing.seat].name
        assert f"{standing.place}. {name}" in words
        assert f"{name}  {club.presenter.score_text(standing)}" not in text_of(club.messages()[-1])
    await club.restart()
    assert check_picture(club) == words
