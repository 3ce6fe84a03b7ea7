"""Who gets no hint on Discord, and what they read (L6): the coach is silent while others play."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import discord
import pytest

from bot.custom_ids import Verb, custom_id, parse
from bot.refusals import Refusal, Why
from bot.tables import hints, leaving, play
from bot.tables.model import Player, Table
from bot.tables.options import Pace
from cogs import game_clicks
from cogs.visit import Visit
from engine.game import Seat
from tests.discord.forged import click_old, forge
from tests.discord.held import held_back
from tests.discord.messages import reply, said, text_of, verbs
from tests.discord.play import Club, open_club
from tests.discord.test_hints import HINTS, alone, every_game_with_coach


def hint_id(club: Club) -> str:
    """What a button for a hint carries now."""
    return custom_id(Verb.HINT, club.table().id, club.ply)


async def refused(club: Club, person: int = 0) -> str:
    """What person number *person* reads who gets a click on *Hint* through all the same; the game is as it was."""
    before = club.table()
    answer = await forge(club, club.people[person], hint_id(club), club.hand(club.people[person]))
    assert club.unchanged(before)
    return said(answer)


def free_seat(club: Club) -> int:
    """A computer player's."""
    return next(seat for seat, player in enumerate(club.table().players) if player.user is None)


def after_one_move(table: Table) -> Table:
    """Whoever is on turn at *table* makes the first move that they may make."""
    view = table.rules.view(table.state, table.rules.on_turn(table.state))
    return play.act(table, table.rules.actions(view)[0], 0)


@every_game_with_coach
async def test_no_hints_at_a_table_with_two_people_l6(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await club.open(club.anna, club.bruno, computers=1)
        await club.play_until_on_turn(club.anna)
        assert Verb.HINT not in verbs(club.hand(club.anna))
        assert club.no(Why.NOT_ALONE) in await refused(club)
        await club.bruno.slash(club.channel, "table leave")
        assert club.no(Why.NOT_ALONE) in await refused(club), "his seat is kept for him"


@every_game_with_coach
async def test_no_hints_unless_the_host_has_chosen_them(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game) as club:
        await alone(club)
        assert Verb.HINT not in verbs(club.hand(club.anna))
        assert club.no(Why.NO_HINTS) in await refused(club)


@every_game_with_coach
async def test_hints_end_when_somebody_sits_down_l6(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await alone(club)
        old = club.hand(club.anna)
        menu = await club.press(club.carla, club.table_message(), Verb.MENU)
        await club.choose(club.carla, reply(menu), Verb.SIT, str(free_seat(club)))
        assert Verb.HINT not in verbs(club.hand(club.anna))
        assert club.no(Why.NOT_ALONE) in said(await click_old(club, club.anna, old, Verb.HINT))
        assert club.no(Why.NOT_ALONE) in await refused(club, person=2)
        assert "not rated. They are for one person alone and pause while somebody else plays." in text_of(
            reply(await club.press(club.carla, club.table_message(), Verb.MENU))
        )


@every_game_with_coach
@pytest.mark.parametrize("meanwhile", ["somebody sits down", "the game goes on"])
async def test_a_hint_that_is_out_of_date_when_it_is_found_is_not_told_l6(
    tmp_path: Path, game: str, meanwhile: str
) -> None:
    """The one thread there is has something else to do first."""
    async with open_club(tmp_path, game, HINTS) as club:
        await alone(club)
        async with held_back(club) as waiting:
            await club.press(club.anna, club.hand(club.anna), Verb.HINT)
        click = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
        gate, thread = Event(), ThreadPoolExecutor(1)
        asyncio.get_running_loop().set_default_executor(thread)
        thread.submit(gate.wait)
        visit = Visit(club.bot, click)
        press = parse(hint_id(club))
        assert press is not None
        asked = asyncio.create_task(game_clicks.hint(visit, press, await visit.look_at(club.table().id)))
        await asyncio.sleep(0)
        if meanwhile == "the game goes on":
            later = after_one_move(club.table())
            while not hints.decides(later, club.seat(club.anna)):
                later = after_one_move(later)
            changes = {"state": later.state}
        else:
            late = Player("carla", club.carla.id)
            changes = {"players": leaving.sit_down(club.table(), late, Seat(free_seat(club)), 0).players}
        assert not asked.done()
        await club.bot.tables.change(club.table().id, "test", None, lambda table: table._replace(**changes))
        gate.set()
        with pytest.raises(Refusal) as no:
            await asked
        assert no.value.why is (Why.MOVED_ON if meanwhile == "the game goes on" else Why.NOT_ALONE)


@every_game_with_coach
async def test_no_hint_when_there_is_nothing_to_decide_to_a_stranger_and_after_the_end(
    tmp_path: Path, game: str
) -> None:
    async with open_club(tmp_path, game, HINTS._replace(pace=Pace.SLOW)) as club:
        await alone(club)
        control = hint_id(club)
        assert club.no(Why.NOT_AT_TABLE) in said(await forge(club, club.carla, control, club.table_message()))
        await club.change(state=after_one_move(club.table()).state)
        assert Verb.HINT not in verbs(club.hand(club.anna))
        assert club.no(Why.NOTHING_TO_DECIDE) in await refused(club)
        ended = await club.anna.slash(club.channel, "table end")
        await club.press(club.anna, club.opened(ended), Verb.END_FOR_SURE)
        answer = await forge(club, club.anna, control, club.hand(club.anna))
        assert "This game is over." in said(answer)
