"""Whole games on SimCord, from /play to the rematch."""

from pathlib import Path

import pytest

from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb
from tests.discord.messages import gallery, private_text, text_of, verbs
from tests.discord.play import Club, every_game, open_club
from tests.discord.world import EN, dms
from tests.games import CASES

SIZES = [
    (game, people, computers)
    for game, case in sorted(CASES.items())
    for people, computers in ((2, 0), (2, 2), (case.rules.seats[-1] - 3, 2), (case.rules.seats[-1], 0))
]


@pytest.mark.parametrize(("game", "people", "computers"), SIZES)
async def test_a_whole_game_of_every_size(tmp_path: Path, game: str, people: int, computers: int) -> None:
    """People and computers mixed, from the fewest to the most players."""
    async with open_club(tmp_path, game) as club:
        await club.open(*club.people[:people], computers=computers)
        assert len(club.table().players) == people + computers in club.rules.seats
        await club.finish()
        assert "Final standings: 1. " in gallery(club.messages()[-1])[0]["description"]


async def test_the_rematch_has_the_same_people_options_and_a_new_deal(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.lobby_goes()
    first = club.table()
    await club.finish()
    over = len(club.messages())
    await club.press(club.bruno, club.messages()[-1], Verb.REMATCH)
    assert len(club.messages()) == over + 1, "the lobby is new, and below how it ended"
    assert club.messages()[-1].id == club.table_message().id
    assert Verb.REMATCH not in verbs(club.messages()[-2])
    table = club.table()
    assert {player.user for player in table.players} == {player.user for player in first.players}
    assert table.options == first.options
    assert table.host == club.bruno.id
    old = club.messages()[-2]
    assert EN("You have a seat at the new table.") in private_text(await club.press(club.anna, old, Verb.JOIN))
    await club.press(club.bruno, club.table_message(), Verb.START)
    assert club.table().seed != first.seed
    await club.finish()
    assert not club.running


@every_game
async def test_one_person_plays_a_whole_game_against_two_computers_at_a_human_pace(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, Options(pace=Pace.FAST, turn_seconds=0)) as club:
        await club.open(club.anna, computers=2)
        mine = club.seat(club.anna)
        for _ in range(600):
            if not club.running:
                break
            table = club.table()
            if club.rules.on_turn(table.state) == mine and table.held is None and table.window is None:
                await club.act(club.anna)
            await club.clock.advance(1300)
        final = text_of(club.messages()[-1])
        assert "wins" in final or "win together" in final


async def test_a_person_at_two_tables_has_a_hand_for_each(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    other = club.guild.create_text_channel("second-table")
    await club.anna.slash(other, "play", game=club.case.game)
    await club.press(club.anna, club.table_message(other), Verb.ADD_COMPUTER)
    await club.press(club.anna, club.table_message(other), Verb.START)
    first, second = dms(club.anna)
    assert f"<#{club.channel.id}>" in text_of(first)
    assert f"<#{other.id}>" in text_of(second)
    before = club.table(other).state
    await club.play_until_on_turn(club.anna)
    ply = club.ply
    await club.act(club.anna, message=club.as_it_is(first))
    assert club.ply == ply + 1
    assert club.table(other).state == before
