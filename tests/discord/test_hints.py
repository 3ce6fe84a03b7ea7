"""*Hint* on Discord: for one person alone against computers, if the host has left that open (L6)."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import discord
import pytest

from bot.custom_ids import Verb, custom_id
from bot.delivery.notes import STAYS_MS
from bot.present.hand_message import hand_sheet
from bot.present.hints import HINTED, HINTS_OFFERED, HINTS_ON, MOST, hint_sheet, percent
from bot.present.sheet import capital
from bot.results.places import places
from bot.tables import hints
from bot.tables.model import Ending, Phase
from bot.tables.options import Options, Pace
from bot.tables.scene import AnyScene
from engine.game import Option, Seat
from engine.registry import GAMES
from tests.controls import components
from tests.discord.messages import reply, shown, text_of
from tests.discord.play import QUICK, WITH_CALLS, Club, open_club
from tests.discord.world import EN
from tests.games import CASES

HINTS = QUICK._replace(hints=True)
SLOW = Options(pace=Pace.SLOW, turn_seconds=0, hints=True)
COACHED = sorted(game for game in CASES if GAMES[game].has_coach)

every_game_with_coach = pytest.mark.parametrize("game", COACHED)


def advised(club: Club) -> Sequence[Option[Any]]:
    """What the coach says to anna now."""
    return hints.hint(club.table(), club.seat(club.anna)).options


def told(club: Club, it: Option[Any]) -> str:
    """What *it* does, as people read it."""
    return club.presenter.board.done(it.action, EN)


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
            before, mine = club.table(), shown(club.hand(club.anna))
            public = [shown(message) for message in club.messages()]
            note = club.opened(await club.press(club.anna, club.hand(club.anna), Verb.HINT))
            assert note.flags.ephemeral
            best = advised(club)[0]
            first = text_of(note).splitlines()[0]
            if len({percent(it.chance) for it in advised(club)}) == 1 < len(advised(club)):
                assert first.startswith(f"🎓 Every choice leaves about {percent(best.chance)}% to win the game")
            elif len(advised(club)) == 1:
                assert first == f"🎓 Your only option: **{told(club, best)}**"
            else:
                assert first.startswith(f"🎓 {capital(f'**{told(club, best)}')}")
                assert first.endswith(f"**: {percent(best.chance)}% to win the game")
            kinds = {type(it.action) for it in advised(club)}
            assert len(text_of(note).splitlines()) <= MOST + len(kinds) + 1
            assert club.table() == before
            assert shown(club.hand(club.anna)) == mine
            assert [shown(message) for message in club.messages()] == public
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
        options = [Option(action, 0.5) for action in (first, second, third)]
        seen = club.table().rules.view(club.table().state, Seat(0))
        sheet = hint_sheet(game, hints.Hint(seen, [*options, Option(fourth, 0.004)], None), EN)
        (component,) = sheet.payload[0]["components"]
        assert component["content"].splitlines()[:2] == [
            f"🎓 {capital(f'**{EN.one_of([one, two, three])}**')}: 50% to win the game",
            f"{capital(four)}: 1%",
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
            club.seat(club.anna) not in club.rules.may_call(club.table().state)
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
            f"🎓 {capital(f'**{told(club, best)}**')}: {percent(best.chance)}% to win the game",
            f"{capital(told(club, other))}: {percent(other.chance)}%",
        ]
        while club.ply == ply:
            await club.clock.advance(100)
        await club.clock.advance(STAYS_MS)
        assert not notes(club)


@every_game_with_coach
async def test_a_hint_says_nothing_of_what_its_reader_cannot_see(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await alone(club)
        said_first, states = set(), set()
        for number in range(4):
            state = club.case.redealt(club.table().state, club.seat(club.anna), Random(number))
            await club.replace_state(state)
            states.add(state)
            said_first.add(shown(club.opened(await club.press(club.anna, club.hand(club.anna), Verb.HINT))))
        assert len(states) > 1, "the deals differ"
        assert len(said_first) == 1


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


@every_game_with_coach
async def test_with_hints_the_game_counts_for_no_rating_and_the_lobby_never_says_so_l6(
    tmp_path: Path, game: str
) -> None:
    counts = EN("Counts for {name}’s rating, against the computer players.", name="**anna**")
    async with open_club(tmp_path, game, HINTS) as club:
        await club.open(club.anna, computers=2, start=False)
        await club.change(players=tuple(it._replace(rated=it.user is not None) for it in club.table().players))
        assert counts not in text_of(club.table_message())
        await club.set_options(club.anna, switches=["late"])
        assert counts in text_of(club.table_message())
        await club.set_options(club.anna, switches=["late", "hints"])
        await club.press(club.anna, club.table_message(), Verb.START)
        menu = reply(await club.press(club.anna, club.table_message(), Verb.MENU))
        assert counts not in text_of(menu)
        assert EN(HINTED) in text_of(menu)
        assert "pause while somebody else plays" in text_of(menu)
        over = club.table()._replace(phase=Phase.OVER, ending=Ending.ENDED, ended_from=club.seat(club.anna))
        assert not places(over, [])
        assert places(over._replace(options=QUICK), [])


@every_game_with_coach
async def test_the_lobby_of_one_person_and_computers_says_where_hints_can_be_had(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, QUICK) as club:
        await club.open(club.anna, start=False)
        offered = EN(HINTS_OFFERED)
        assert offered not in text_of(club.table_message())
        await club.press(club.anna, club.table_message(), Verb.ADD_COMPUTER)
        assert offered in text_of(club.table_message())
        await club.set_options(club.anna, switches=["late", "hints"])
        assert offered not in text_of(club.table_message())
        await club.set_options(club.anna, switches=["late"])
        assert offered in text_of(club.table_message())
        await club.press(club.bruno, club.table_message(), Verb.JOIN)
        assert offered not in text_of(club.table_message())


@every_game_with_coach
async def test_hints_go_on_after_a_restart_and_in_the_rematch(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await alone(club)
        before = shown(club.opened(await club.press(club.anna, club.hand(club.anna), Verb.HINT)))
        await club.restart()
        assert shown(club.opened(await club.press(club.anna, club.hand(club.anna), Verb.HINT))) == before
        ended = club.table()
        await club.finish()
        await club.press(club.anna, club.messages()[-1], Verb.REMATCH)
        assert club.table().id != ended.id
        assert club.table().hinted


@pytest.mark.parametrize("game", sorted(set(CASES) - set(COACHED)))
async def test_where_there_is_no_coach_there_is_no_such_choice(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await club.open(club.anna, start=False)
        assert EN(HINTS_ON) not in text_of(club.table_message())
        asked = await club.press(club.anna, club.table_message(), Verb.OPTIONS)
        assert "hints" not in str(asked.modal)
