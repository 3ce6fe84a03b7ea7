"""Many moments of every game, for what must hold at any time."""

from collections.abc import Iterator, Sequence
from functools import cache

from bot.tables.model import Phase, Player, Table
from bot.tables.scene import AnyScene, make_scene
from engine.game import Seat
from tests.bot.sheets import tables
from tests.bot.tables import running
from tests.games import CASES


@cache
def turns(game: str) -> Sequence[tuple[Table, Seat]]:
    """(table, who is on turn) at many moments of random games, of the fewest and of the most players, and in the
    longest situations there are."""
    case, found = CASES[game], []
    for seed, seats in enumerate((case.rules.seats[0], case.rules.seats[-1])):
        players = [Player(f"player {seat}", 100 + seat) for seat in range(seats)]
        for state, _, _ in case.steps(seats, seed, case.quick):
            seat = case.rules.on_turn(state)
            assert seat is not None
            if case.rules.actions(
                case.rules.views.view(state, seat)
            ):  # a player on turn may have nothing left but to call
                found.append((running(game, state, players), seat))
    longest = [(table, table.rules.on_turn(table.state)) for table in tables(game, "x") if table.phase is Phase.PLAYING]
    theirs = [(table, seat) for table, seat in longest if seat is not None and make_scene(table, seat, 1).allowed]
    some = found[:: max(1, len(found) // 60)]
    return [*some, *((table, seat) for table, seat in theirs if not table.players[seat].automatic)]


def scenes(game: str) -> Iterator[AnyScene]:
    """Each of these moments as whoever is on turn may know it."""
    for table, seat in turns(game):
        yield make_scene(table, seat, 1)
