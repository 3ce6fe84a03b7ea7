"""*Hint* on Discord: for one person alone against computers, if the host has left that open (L6)."""

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import discord
import pytest

from bot.delivery.answers import CALL_NOTE_MS
from bot.tables import computers, leaving, play
from bot.tables.errors import Refusal, Why
from bot.tables.model import Player, Table
from bot.tables.options import Options, Pace
from bot.tables.scene import AnyScene
from bot.ui.components import capitalize_sentence
from bot.ui.custom_ids import Verb, custom_id, parse_custom_id
from bot.ui.hand_message import hand_sheet
from bot.ui.hints import HINTS_ON, MOST_NAMED, hint_sheet, percent
from cogs import game as game_clicks
from cogs.context import Visit
from engine.game import RatedAction, Seat
from engine.registry import GAMES
from tests.controls import components
from tests.discord.held import held_back
from tests.discord.messages import components_json, text_of
from tests.discord.play import QUICK, WITH_CALLS, Club, open_club
from tests.discord.world import EN
from tests.games import CASES

HINTS = QUICK._replace(hints=True)
SLOW = Options(pace=Pace.SLOW, turn_seconds=0, hints=True)
COACHED = sorted(game for game in CASES if GAMES[game].coach is not None)

every_game_with_coach = pytest.mark.parametrize("game", COACHED)


def advised(club: Club) -> Sequence[RatedAction[Any]]:
    """What the coach says to anna now."""
    return computers.make_hint(club.table(), club.seat(club.anna)).options


def told(club: Club, it: RatedAction[Any]) -> str:
    """What *it* does, as people read it."""
    return club.presenter.board.action_text(it.action, EN)


def on_turn(club: Club) -> bool:
    """Whether it is anna's turn."""
    return club.rules.on_turn(club.table().state) == club.seat(club.anna)


def offers_hint(mine: AnyScene) -> bool:
    """Whether the hand of *mine* has the button."""
    return custom_id(Verb.HINT, mine.table, mine.ply) in json.dumps(hand_sheet(mine, EN).payload)


async def alone(club: Club, computers: int = 2) -> None:
    """Anna plays against computers, and is on turn."""
    await club.open(club.anna, computers=computers)
    await club.play_until_on_turn(club.anna)


def notes(club: Club) -> list[discord.Message]:
    """The private notes that anna has among her direct messages."""
    seen = club.anna.user.dm_channel.history(viewer=club.anna.user)
    return [message for message in seen if message.flags.ephemeral]


@every_game_with_coach
async def test_on_ones_turn_a_hint_names_the_best_choices_to_that_person_alone(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await alone(club)
        for _ in range(3):
            before, mine = club.table(), components_json(club.hand(club.anna))
            public = [components_json(message) for message in club.messages()]
            note = club.opened(await club.press(club.anna, club.hand(club.anna), Verb.HINT))
            assert note.flags.ephemeral
            best = advised(club)[0]
            first = text_of(note).splitlines()[0]
            if len({percent(it.chance) for it in advised(club)}) == 1 < len(advised(club)):
                assert first.startswith(f"🎓 Every choice leaves about {percent(best.chance)}% to win the game")
            elif len(advised(club)) == 1:
                assert first == f"🎓 Your only option: **{told(club, best)}**"
            else:
                assert first.startswith(f"🎓 {capitalize_sentence(f'**{told(club, best)}')}")
                assert first.endswith(f"**: {percent(best.chance)}% to win the game")
            kinds = {type(it.action) for it in advised(club)}
            most = MOST_NAMED + len(kinds) - 1
            assert len(text_of(note).splitlines()) <= 2 * most + 2, "for each a line, and what follows from it"
            assert club.table() == before
            assert components_json(club.hand(club.anna)) == mine
            assert [components_json(message) for message in club.messages()] == public
            await club.act(club.anna)
            await club.play_until_on_turn(club.anna)


@every_game_with_coach
async def test_what_makes_no_difference_is_told_as_one(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await alone(club)
        choices = {
            told(club, it): it.action for it in advised(club) if type(it.action) is type(advised(club)[0].action)
        }
        (one, first), (two, second), (three, third), (four, fourth), *_ = choices.items()
        options = [RatedAction(action, 0.5) for action in (first, second, third)]
        seen = club.table().rules.views.view(club.table().state, Seat(0))
        sheet = hint_sheet(game, computers.Hint(seen, [*options, RatedAction(fourth, 0.004)], None), EN)
        (component,) = sheet.payload[0]["components"]
        assert component["content"].splitlines()[:2] == [
            f"🎓 {capitalize_sentence(f'**{EN.list_or([one, two, three])}**')}: 50% to win the game",
            f"{capitalize_sentence(four)}: 1%",
        ]


@every_game_with_coach
async def test_a_hint_goes_with_the_next_one_and_with_the_move(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await alone(club)
        first = club.opened(await club.press(club.anna, club.hand(club.anna), Verb.HINT))
        second = club.opened(await club.press(club.anna, club.hand(club.anna), Verb.HINT))
        assert [message.id for message in notes(club)] == [second.id] != [first.id]
        await club.act(club.anna)
        assert not notes(club)


@pytest.mark.parametrize("game", sorted(set(COACHED) & set(WITH_CALLS)))
async def test_off_turn_a_hint_compares_a_call_with_none_until_the_game_goes_on(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, SLOW) as club:
        await alone(club)
        await club.press(club.anna, club.hand(club.anna), Verb.HINT)
        await club.act(club.anna)
        # A call that cannot be right is not told.
        while (
            club.seat(club.anna) not in club.rules.callers(club.table().state)
            or on_turn(club)
            or len(advised(club)) < 2
        ):
            if club.table().held is None and on_turn(club):
                await club.act(club.anna)
            await club.clock.advance(100)
        ply, last = (
            club.ply,
            [component for component in components(club.hand(club.anna)) if "custom_id" in component][-1],
        )
        assert f"/{Verb.CALL.value}/" in last["custom_id"], "nothing stands below it"
        note = club.opened(await club.press(club.anna, club.hand(club.anna), Verb.HINT))
        best, other = advised(club)
        assert {best.action, other.action} == {None, club.rules.call((club.seat(club.anna),))}
        assert text_of(note).splitlines()[:2] == [
            f"🎓 {capitalize_sentence(f'**{told(club, best)}**')}: {percent(best.chance)}% to win the game",
            f"{capitalize_sentence(told(club, other))}: {percent(other.chance)}%",
        ]
        while club.ply == ply:
            await club.clock.advance(100)
        await club.clock.advance(CALL_NOTE_MS)
        assert not notes(club)


@every_game_with_coach
async def test_a_hand_has_the_button_only_where_it_helps(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await alone(club)
        mine = club.scene(club.anna)
        assert offers_hint(mine)
        assert not offers_hint(mine._replace(passing=True, live=True)), "the table passes"
        off_turn = mine._replace(on_turn=None, live=True)
        assert offers_hint(off_turn)
        assert not offers_hint(off_turn._replace(live=False)), "it does not show what there is to call"


@every_game_with_coach
async def test_the_host_chooses_it_in_the_lobby_which_says_what_follows_from_it_l6(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game) as club:
        await club.open(club.anna, club.bruno, start=False)
        await club.set_options(club.anna, switches=["late"])
        lobby = text_of(club.table_message())
        for chosen in (True, False, True):
            await club.set_options(club.anna, switches=["late", *(["hints"] if chosen else [])])
            assert club.table().options.hints is chosen
        (line,) = set(text_of(club.table_message()).splitlines()) - set(lobby.splitlines())
        assert EN(HINTS_ON) in line
        await club.restart()
        assert club.table().options.hints


def after_one_move(table: Table) -> Table:
    """Whoever is on turn at *table* makes the first move that they may make."""
    view = table.rules.views.view(table.state, table.rules.on_turn(table.state))
    return play.apply_action(table, table.rules.actions(view)[0], 0)


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
        press = parse_custom_id(custom_id(Verb.HINT, club.table().id, club.ply))
        assert press is not None
        asked = asyncio.create_task(game_clicks.show_hint(visit, press, await visit.load_table(club.table().id)))
        await asyncio.sleep(0)
        if meanwhile == "the game goes on":
            later = after_one_move(club.table())
            while not computers.can_act(later, club.seat(club.anna)):
                later = after_one_move(later)
            changes = {"state": later.state}
        else:
            late = Player("carla", club.carla.id)
            free = next(seat for seat, player in enumerate(club.table().players) if player.user is None)
            changes = {"players": leaving.take_computer_seat(club.table(), late, Seat(free), 0).players}
        assert not asked.done()
        await club.bot.tables.change(club.table().id, "test", None, lambda table: table._replace(**changes))
        gate.set()
        with pytest.raises(Refusal) as no:
            await asked
        assert no.value.why is (Why.MOVED_ON if meanwhile == "the game goes on" else Why.NOT_ALONE)
