"""What remains of a game: its moves while it runs, its record when it is over."""

from random import Random
from typing import Any

import pytest

from bot.store.records import StoredRecord
from bot.tables import leaving, lobby, start
from bot.tables.model import Ending, Phase, Player, Table, TableId
from bot.tables.record import without_undone_seat_changes
from engine import record
from engine.fair import Deal, DealtSeat, commitment
from engine.game import Seat
from engine.record import ActionEntry, Record, SeatChangeEntry
from engine.replay import replay
from engine.verify import verify
from tests.bot.processes import Process
from tests.bot.tables import MESSAGE
from tests.games import CASES
from tests.rows import count, query

GAMES = pytest.mark.parametrize("game", sorted(CASES))
MINUTE = 60_000


class Evening:
    """A table of a process, where people play at random and computers as they do."""

    def __init__(self, process: Process, table: TableId, seed: int = 1) -> None:
        self.process, self.id, self.rng = process, table, Random(seed)

    @classmethod
    async def begin(cls, process: Process, game: str, computers: int = 1) -> "Evening":
        """As few people as it takes, but two at least, and *computers*."""
        tables, rules = process.tables, CASES[game].rules
        host = Player("player 0", 100)
        table = await tables.open_table(guild=1, channel=2, game=game, host=host, locale="en")
        it = cls(process, table.id)
        computers = min(computers, rules.seats[-1] - 2)
        for number in range(1, max(2, rules.seats[0] - computers)):
            await it.change(lambda t, n=number: lobby.join_lobby(t, Player(f"player {n}", 100 + n), it.now))
        for _ in range(computers):
            await it.change(lambda t: lobby.add_computer(t, 100, it.now))
        await it.change(lambda t: start.start_game(t, 100, it.now))
        await it.change(lambda t: start.deal_cards(t, MESSAGE, it.now))
        return it

    @property
    def now(self) -> int:
        return self.process.clock.now()

    async def table(self) -> Table:
        return await self.process.tables.get(self.id)

    async def change(self, change: Any) -> Table:
        return await self.process.tables.change(self.id, "test", None, change)

    async def go_on(self) -> None:
        """Whoever is on turn acts."""
        table = await self.table()
        seat = table.rules.on_turn(table.state)
        assert seat is not None
        player, ply = table.players[seat], table.state.ply
        if not player.automatic and table.held is None and table.window is None:
            assert player.user is not None
            view = table.rules.views.view(table.state, seat)
            actions = table.rules.actions(view)
            if actions:
                action = self.rng.choice(actions)
                await self.process.tables.make_move(self.id, player.user, ply, lambda *_: action, self.now)
            else:
                await self.process.tables.make_call(self.id, player.user, ply, self.now)
        await self.process.clock.advance(3_000)

    async def play(self, actions: int = 10_000) -> Table:
        """Until so many *actions* have been made, or the game is over."""
        table = await self.table()
        while table.live and table.state.ply < actions:
            await self.go_on()
            table = await self.table()
        return table

    async def kept(self) -> StoredRecord:
        found = await self.process.store.load_game_record(self.id)
        assert found is not None
        return found

    async def record(self) -> Record:
        return record.decompress_record((await self.kept()).data)


@GAMES
async def test_a_game_that_is_over_leaves_a_record_that_can_be_checked(process: Process, game: str) -> None:
    evening = await Evening.begin(process, game)
    table = await evening.play()
    kept, found = await evening.kept(), await evening.record()
    assert (kept.guild, kept.table, table.ending) == (1, table.id, Ending.FINISHED)
    assert verify(found).state == table.state
    assert (found.ending, found.standings) == ("finished", table.rules.standings(table.state))
    assert found.commitment == commitment(found.secret)
    times = [entry.at for entry in found.entries]
    assert times == sorted(times)
    assert table.created_at <= times[0] <= times[-1] == kept.ended_at


@GAMES
async def test_who_played_is_said_beside_the_record_and_not_in_it(process: Process, game: str) -> None:
    evening = await Evening.begin(process, game)
    table = await evening.play()
    kept, found = await evening.kept(), await evening.record()
    assert {(it.user, it.name) for it in kept.people} == {(p.user, p.name) for p in table.players if p.user}
    kinds = {seat.id: seat.kind for seat in found.deal.seats}
    assert {it.id for it in kept.people} == {id_ for id_, kind in kinds.items() if kind == "person"}
    text = record.encode_record(found).decode()
    assert not [player for player in table.players if player.name in text]


@GAMES
async def test_moves_are_kept_while_the_game_runs_and_go_into_its_record(
    process: Process, game: str, store_url: str
) -> None:
    def moves() -> int:
        return count(store_url, "moves")

    evening = await Evening.begin(process, game)
    table = await evening.play(5)
    assert moves() == table.state.ply
    assert await process.store.load_game_record(table.id) is None
    await evening.play()
    assert moves() == 0


@GAMES
async def test_seats_that_change_hands_are_in_the_record(process: Process, game: str) -> None:
    evening = await Evening.begin(process, game)
    table = await evening.play(2)
    await evening.change(lambda t: leaving.leave_game(t, 101))
    await evening.play(table.state.ply + 1)  # a change of a seat that came to nothing is not in the record
    await evening.change(lambda t: leaving.come_back(t, 101, evening.now))
    table = await evening.table()
    seat = next((seat for seat, player in enumerate(table.players) if player.user is None), None)
    if seat is not None:
        await evening.change(lambda t: leaving.take_computer_seat(t, Player("late", 200), seat, evening.now))
    await evening.play()
    kept, found = await evening.kept(), await evening.record()
    verify(found)
    changes = [entry for entry in found.entries if isinstance(entry, SeatChangeEntry)]
    back = found.deal.seats[1].id
    assert [(it.seat, it.sits, it.id) for it in changes[:2]] == [(1, "computer", ""), (1, "person", back)]
    assert {it.user for it in kept.people} == {100, 101} | ({200} if seat is not None else set())
    *_, last = replay(found)
    assert {it.id for it in last.seats if it.kind == "person"} == {it.id for it in kept.people}
    if seat is not None:
        assert changes[2].id not in {it.id for it in found.deal.seats}


@GAMES
async def test_who_leaves_and_comes_back_at_once_is_not_in_the_record(process: Process, game: str) -> None:
    """Else somebody could do so until the record is too large to be read, and a rated game counts for nobody."""
    evening = await Evening.begin(process, game)
    await evening.play(2)
    for user in (101, 100, 101):
        await evening.change(lambda t, user=user: leaving.leave_game(t, user))
        await evening.change(lambda t, user=user: leaving.come_back(t, user, evening.now))
    await evening.change(lambda t: leaving.leave_game(t, 101))
    await evening.play()
    found = await evening.record()
    verify(found)
    changes = [entry for entry in found.entries if isinstance(entry, SeatChangeEntry)]
    assert [(it.seat, it.sits) for it in changes] == [(1, "computer")]


def test_of_many_changes_of_a_seat_those_that_lead_somewhere_stay() -> None:
    """Seats 0 and 1 at once, seat 2 to somebody who came late and has left."""
    sheets = tuple(DealtSeat(f"{seat:016x}", "person" if seat < 2 else "computer") for seat in range(3))
    deal, change = Deal("diciassette", 1, {}, sheets, 1), SeatChangeEntry
    anna, bruno, late, id_ = Seat(0), Seat(1), Seat(2), "f" * 16
    entries = [
        change(1, anna, "computer", "", "4"), change(2, bruno, "computer", "", "4"),
        change(3, anna, "person", sheets[0].id), change(4, late, "person", id_),
        change(5, late, "computer", "", "4"), change(6, late, "person", id_), change(7, late, "computer", "", "4"),
        ActionEntry(8, {}),
        change(9, bruno, "person", sheets[1].id), ActionEntry(10, {}), change(11, bruno, "computer", "", "4"),
    ]  # fmt: skip
    kept = without_undone_seat_changes(record.make_record(deal, bytes(32), entries, "ended", ())).entries
    assert [it.at for it in kept] == [2, 4, 7, 8, 9, 10, 11]


@GAMES
async def test_somebody_may_sit_down_before_the_first_action(process: Process, game: str) -> None:
    evening = await Evening.begin(process, game)
    table = await evening.table()
    seat = next((seat for seat, player in enumerate(table.players) if player.user is None), None)
    if seat is None:
        pytest.skip("no computers play it")
    await evening.change(lambda t: leaving.take_computer_seat(t, Player("late", 200), seat, evening.now))
    await evening.play()
    kept, found = await evening.kept(), await evening.record()
    verify(found)
    *_, last = replay(found)
    assert found.deal.seats[seat].kind == "computer"
    assert last.seats[seat].id in {it.id for it in kept.people if it.user == 200}


@GAMES
async def test_what_a_computer_plays_because_the_time_is_up_is_said(process: Process, game: str) -> None:
    evening = await Evening.begin(process, game, computers=0)
    await process.clock.advance(2 * MINUTE)
    for _ in range(3):
        await evening.go_on()
    await evening.change(lambda t: leaving.end_game_early(t, 100, "player 0", moderator=False))
    acted = [entry for entry in (await evening.record()).entries if isinstance(entry, ActionEntry)]
    assert [entry.by_clock for entry in acted] == [True] + [False] * (len(acted) - 1)


@GAMES
async def test_a_game_that_was_ended_leaves_a_record_without_standings(process: Process, game: str) -> None:
    evening = await Evening.begin(process, game)
    await evening.play(4)
    table = await evening.change(lambda t: leaving.end_game_early(t, 100, "player 0", moderator=False))
    found = await evening.record()
    assert (found.ending, found.standings) == ("ended", ())
    assert verify(found).state == table.state


@GAMES
async def test_a_lobby_leaves_nothing(process: Process, game: str) -> None:
    host = Player("player 0", 100)
    table = await process.tables.open_table(guild=1, channel=2, game=game, host=host, locale="en")
    over = await process.tables.change(table.id, "test", 100, lambda t: lobby.cancel_table(t, 100, "player 0", False))
    assert over.phase is Phase.OVER
    assert await process.store.load_game_record(table.id) is None


async def test_a_bug_in_a_record_keeps_no_game_from_ending(process: Process, store_url: str) -> None:
    evening = await Evening.begin(process, sorted(CASES)[0])
    await evening.play(4)
    query(store_url, "UPDATE moves SET entries = '[{}]'")
    table = await evening.change(lambda t: leaving.end_game_early(t, 100, "player 0", moderator=False))
    assert table.phase is Phase.OVER
    assert await process.store.load_game_record(table.id) is None
