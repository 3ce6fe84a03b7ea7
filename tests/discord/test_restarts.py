"""A restart in every phase of the game: everything goes on from the last commit, every old button works."""

from pathlib import Path

from simcord.actors import MemberActor

from bot.delivery.slots import hand_slot
from bot.tables.model import Table
from bot.tables.options import Options, Pace
from tests.discord.messages import drawn, shown
from tests.discord.play import Club, every_game, open_club

SLOW = Options(pace=Pace.NORMAL, turn_seconds=120)


def same(before: Table, after: Table) -> bool:
    """Whether nothing has happened at the table."""
    return before._replace(version=0) == after._replace(version=0)


async def test_after_every_move_everybody_sees_the_same_as_before(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    clicked: set[int] = set()
    for number in range(9):
        clicked.add(club.on_turn().id)
        await club.act(club.on_turn(), number)
        if not club.running:
            break
        before, seen = club.table(), shown(club.table_message())
        assert hands(club) == [drawn_hand(club, person, live=person.id in clicked) for person in club.people[:3]]
        await club.restart()
        assert same(before, club.table())
        assert shown(club.table_message()) == seen
        assert hands(club) == [drawn_hand(club, person, live=person.id in clicked) for person in club.people[:3]]
    messages = len(club.messages())
    await club.finish()
    assert len(club.messages()) == messages
    assert [club.got(person) for person in club.people[:3]] == [1, 1, 1]


def hands(club: Club) -> list[str]:
    """The hands of three people."""
    return [shown(club.hand(person)) for person in club.people[:3]]


def drawn_hand(club: Club, person: MemberActor, *, live: bool = False) -> str:
    """What the hand of *person* should show."""
    return drawn(club.table(), hand_slot(club.seat(person)), club.table_message().id, live=live)


@every_game
async def test_with_a_held_move_it_lands_after_the_restart(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, SLOW) as club:
        await club.open(club.anna, club.bruno)
        await club.rest(2_000)
        player = club.on_turn()
        await club.act(player)
        held = club.table().held
        assert held is not None
        await club.restart()
        assert club.table().held == held
        assert club.ply == 0
        await club.clock.advance(2_500)
        assert club.ply == 1
        assert shown(club.hand(player)) == drawn_hand(club, player, live=True)


@every_game
async def test_nobody_is_timed_out_by_our_outage_l1(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, SLOW) as club:
        await club.open(club.anna, club.bruno)
        sleeper = club.seat(club.on_turn())
        await club.clock.advance(60_000)
        for _ in range(2):  # two outages in one turn, the second after a minute of it is left
            club.clock.forget()
            await club.clock.advance(500_000)
            await club.restart()
            await club.clock.advance(20_000)
            assert club.table().players[sleeper].timeouts == 0
            assert club.ply == 0
        await club.clock.advance(21_000)
        assert club.table().players[sleeper].timeouts == 1
        assert club.ply == 1
