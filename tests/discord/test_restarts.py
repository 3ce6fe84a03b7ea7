"""A restart in every phase of the game: everything goes on from the last commit, every old button works."""

from pathlib import Path

import pytest

from bot.custom_ids import Verb
from bot.tables.model import Options, Pace, Table
from tests.controls import moves
from tests.discord.play import Club, dms, open_club, text_of
from tests.games import CASES

SLOW = Options(pace=Pace.NORMAL, turn_seconds=120)


def same(before: Table, after: Table) -> bool:
    return before._replace(version=0) == after._replace(version=0)


async def test_in_the_lobby(club: Club) -> None:
    club = club
    await club.open(club.anna, start=False)
    before = club.table()
    await club.restart()
    assert same(before, club.table())
    await club.press(club.bruno, club.table_message(), Verb.JOIN)
    await club.press(club.anna, club.table_message(), Verb.START)
    assert club.table().state is not None


async def test_before_the_first_card(club: Club) -> None:
    club = club
    await club.open(club.anna, club.bruno)
    before, hands = club.table(), [dms(person) for person in (club.anna, club.bruno)]
    await club.restart()
    assert same(before, club.table())
    assert [len(dms(person)) for person in (club.anna, club.bruno)] == [len(hand) for hand in hands]
    await club.act(club.on_turn())
    assert club.table().state.ply == 1


async def test_after_every_move_of_a_whole_game(club: Club) -> None:
    club = club
    await club.open(club.anna, club.bruno, club.carla)
    for number in range(12):
        await club.act(club.on_turn(), number)
        before = club.table()
        if number % 3 == 0:
            await club.restart()
            assert same(before, club.table())
    messages = len(club.messages())
    await club.finish()
    assert len(club.messages()) == messages
    assert [len(dms(person)) for person in club.people[:3]] == [1, 1, 1]


async def test_in_the_middle_of_a_double_turn(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    first = club.on_turn()
    await club.deal_in(first, "x2")
    await club.lay(first)
    second = club.on_turn()
    await club.lay(second)
    assert (club.table().state.owed, club.table().state.duty) == (1, 2)
    await club.restart()
    await club.lay(second)
    assert club.on_turn() is first


async def test_after_a_round(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.lay(club.on_turn())
    await club.call(club.on_turn())
    assert "called 17!" in text_of(club.table_message())
    await club.restart()
    assert "called 17!" in text_of(club.table_message())
    await club.lay(club.on_turn())
    assert club.table().state.round == 2


async def test_after_the_end_the_rematch_button_works(club: Club) -> None:
    club = club
    await club.open(club.anna, club.bruno)
    await club.finish()
    await club.restart()
    await club.press(club.anna, club.messages()[-1], Verb.REMATCH)
    assert len(club.table().players) == 2


async def test_with_a_held_card_it_lands_after_the_restart(tmp_path: Path) -> None:
    async with open_club(tmp_path, SLOW) as club:
        await club.open(club.anna, club.bruno)
        await club.lay(club.on_turn())
        await club.clock.advance(300)
        second = club.on_turn()
        await club.lay(second)
        held = club.table().held
        assert held is not None
        await club.restart()
        assert club.table().held == held
        await club.clock.advance(2500)
        assert club.table().state.ply == 2
        assert "not your turn" in text_of(club.hand(second))


async def test_with_an_open_call_window_it_is_resolved_after_the_restart(tmp_path: Path) -> None:
    async with open_club(tmp_path, SLOW) as club:
        await club.open(club.anna, club.bruno, club.carla)
        await club.lay(club.on_turn())
        await club.clock.advance(300)
        await club.call(club.on_turn())
        assert club.table().window is not None
        await club.restart()
        await club.clock.advance(1500)
        assert club.table().state.round == 2
        assert "called 17!" in text_of(club.table_message())


@pytest.mark.parametrize("game", sorted(CASES))
async def test_on_a_computers_turn_it_moves_after_the_restart(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, SLOW, game) as club:
        await club.open(club.anna, computers=2)
        await until_a_computer_is_on_turn(club)
        ply = club.table().state.ply
        await club.restart()
        await club.clock.advance(9000)
        assert club.table().state.ply > ply


async def until_a_computer_is_on_turn(club: Club) -> None:
    for _ in range(20):
        table = club.table()
        if table.players[table.state.turn].user is None:
            return
        await club.act(club.anna)
        await club.clock.advance(2500)
    raise AssertionError("never a computer's turn")


@pytest.mark.parametrize("game", sorted(CASES))
async def test_nobody_is_timed_out_by_our_outage_l1(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, SLOW, game) as club:
        await club.open(club.anna, club.bruno)
        sleeper = club.seat(club.on_turn())
        await club.clock.advance(60_000)
        for _ in range(2):  # two outages in one turn, the second after a minute of it is left
            club.clock.forget()
            await club.clock.advance(500_000)
            await club.restart()
            await club.clock.advance(20_000)
            assert club.table().players[sleeper].timeouts == 0
            assert club.table().state.ply == 0
        await club.clock.advance(21_000)
        assert club.table().players[sleeper].timeouts == 1
        assert club.table().state.ply == 1


@pytest.mark.parametrize("deleted", ["table", "hand"])
async def test_a_message_deleted_meanwhile_is_made_anew(club: Club, deleted: str) -> None:
    club = club
    await club.open(club.anna, club.bruno)
    player = club.on_turn()
    gone = club.table_message() if deleted == "table" else club.hand(player)
    club.env.backend.delete_message(gone.channel.id, gone.id)
    await club.restart()
    fresh = club.table_message() if deleted == "table" else club.hand(player)
    assert fresh.id != gone.id
    await club.act(club.on_turn())
    assert club.table().state.ply == 1


# Of 12 Days of Christmas


async def test_in_the_middle_of_a_trick_and_between_two_tricks(tmp_path: Path) -> None:
    async with open_club(tmp_path, game="twelve_days") as club:
        await club.open(club.anna, club.bruno, club.carla)
        for plies in range(1, 7):
            await club.act(club.on_turn(), plies)
            table, hands = club.table(), [text_of(club.hand(person)) for person in club.people[:3]]
            assert len(table.state.trick) == plies % 3
            shown = text_of(club.table_message())
            assert ("The trick before" in shown) is (plies % 3 == 0)
            await club.restart()
            assert same(table, club.table())
            assert text_of(club.table_message()) == shown
            assert [text_of(club.hand(person)) for person in club.people[:3]] == hands


async def test_between_two_hands_and_with_a_type_picked(tmp_path: Path) -> None:
    async with open_club(tmp_path, game="twelve_days") as club:
        await club.open(club.anna, club.bruno)
        player = club.on_turn()
        await club.deal(player, "2 3 4 5 6 7 8 9 10 11 12 12")
        await club.choose(player, club.hand(player), Verb.PICK, "straight")
        assert len(moves(club.hand(player))) > 25
        await club.restart()
        assert not moves(club.hand(player)), "a type is picked anew after a restart: no move is lost"
        await club.choose(player, club.hand(player), Verb.PICK, "set")
        await club.act(player)
        while club.table().state.hand == 1:
            await club.act(club.on_turn())
        shown = text_of(club.table_message())
        assert "wins hand 1" in shown
        await club.restart()
        assert text_of(club.table_message()) == shown
        await club.act(club.on_turn())
        assert "Hand 1:" in text_of(club.table_message())


async def test_with_a_held_lead_it_lands_after_the_restart(tmp_path: Path) -> None:
    async with open_club(tmp_path, SLOW, "twelve_days") as club:
        await club.open(club.anna, club.bruno)
        for _ in range(3):
            await club.act(club.on_turn())
        held = club.table().held
        assert held is not None
        await club.restart()
        assert club.table().held == held
        await club.clock.advance(2500)
        assert club.table().state.ply == 3
