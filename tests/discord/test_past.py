"""*What happened?* in the menu of a running game: the same for players and spectators, anew on a click, nothing of a
call that is not known yet."""

from pathlib import Path

import discord
import pytest
from simcord.actors import MemberActor

from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb
from engine.registry import GAMES
from tests.discord.messages import text_of, verbs
from tests.discord.play import Club, every_game_with_calls, open_club

PASTS = sorted(game for game, rules in GAMES.items() if rules.history is not None)
WINDOW = Options(pace=Pace.OFF, turn_seconds=0)
every_game_with_a_past = pytest.mark.parametrize("game", PASTS)


async def asked(club: Club, person: MemberActor) -> discord.Message:
    """What *person* reads who asks in the menu what has happened."""
    menu = club.opened(await club.press(person, club.table_message(), Verb.MENU))
    answer = await club.press(person, menu, Verb.HAPPENED)
    assert answer.acknowledged
    return club.as_it_is(menu)


@every_game_with_a_past
async def test_players_and_spectators_read_the_same_in_private(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game) as club:
        await club.open(club.anna, club.bruno, club.carla)
        first = club.on_turn()
        await club.act(first)
        mine = await asked(club, club.bruno)
        theirs = await asked(club, club.stranger)
        assert mine.flags.ephemeral and theirs.flags.ephemeral
        assert text_of(mine) == text_of(theirs)
        assert first.name in text_of(mine)


@every_game_with_a_past
async def test_it_is_shown_anew_on_a_click_and_leads_back_to_the_menu(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game) as club:
        await club.open(club.anna, club.bruno, club.carla)
        note = await asked(club, club.stranger)
        before = text_of(note)
        await club.act(club.on_turn())
        assert text_of(club.as_it_is(note)) == before, "it does not follow the game"
        await club.restart()
        await club.press(club.stranger, note, Verb.HAPPENED)
        after = club.as_it_is(note)
        assert text_of(after) != before
        await club.press(club.stranger, after, Verb.MENU)
        assert Verb.HAPPENED in verbs(club.as_it_is(note))
        assert Verb.ME in verbs(club.as_it_is(note))


@every_game_with_calls
async def test_in_the_call_window_it_reads_as_before_the_call_d9(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, WINDOW) as club:
        await club.open(club.anna, club.bruno, club.carla)
        while not club.callers():
            await club.act(club.on_turn())
        before = text_of(await asked(club, club.stranger))
        await club.call(club.callers()[0])
        assert club.table().window is not None
        assert text_of(await asked(club, club.stranger)) == before
        await club.act(club.on_turn())
        assert club.table().held is not None
        assert text_of(await asked(club, club.stranger)) == before
