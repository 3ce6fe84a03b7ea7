"""What share of what is at stake computer players of every level lose: the table ``LOST`` of a game's coach. And how
often the range of levels that people read as the grade of a game holds the true one (docs/coach.md).

``python -m engine.train.grades GAME --seats 2 4 --games 200``
"""

import argparse
from collections.abc import Sequence
from random import Random

from engine.coaching import Balance, coach_game, grade_range
from engine.fair import SeededChance
from engine.policies import COMPUTER, find_policy
from engine.registry import GAMES, AnyGame
from engine.replay import Moment, SeatOccupant
from engine.simulate import SimulatedGame, game_seed
from engine.tournament import mean_and_error


def play_computer_game(game: AnyGame, level: int, seats: int, number: int) -> list[Moment]:
    """Play game *number* between *seats* computer players of *level*, and return its moments, the deal first."""
    options = game.check_options({})
    sits = find_policy(game, f"{COMPUTER}:{level}")
    match = SimulatedGame(
        game, [sits] * seats, options, SeededChance(game_seed(f"grades {level}", number)), Random(number)
    )
    sitting = tuple(SeatOccupant("computer", f"c{seat}", str(level)) for seat in range(seats))
    found = [Moment(0, None, None, None, match.state, match.dealt, sitting)]
    while not match.over:
        before, action = match.state, match.next_action()
        step = match.apply(action)
        found.append(Moment(len(found), None, action, before, step.state, step.events, sitting))
    return found


def balances(game: AnyGame, level: int, seats: int, games: int) -> list[Balance]:
    """Play *games* games of *seats* computer players of *level*, and return the coach's balance of each player in
    each."""
    return [
        it
        for number in range(games)
        for it in coach_game(game, play_computer_game(game, level, seats, number)).balances
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print for every level, for each number of seats, the share of what was at stake that it loses, with standard
    errors."""
    parser = argparse.ArgumentParser(prog="python -m engine.train.grades", description=__doc__)
    parser.add_argument("game", choices=sorted(name for name, game in GAMES.items() if game.coach is not None))
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--games", type=int, default=100)
    chosen = parser.parse_args(arguments)
    game = GAMES[chosen.game]
    for seats in chosen.seats:
        held = graded = 0
        for level in range(1, game.computers.LEVELS + 1):
            found = balances(game, level, seats, chosen.games)
            shares = [it.cost / it.stake for it in found if it.stake]
            mean, error = mean_and_error(shares)
            apart = error * len(shares) ** 0.5
            print(f"{seats} seats, level {level}: {mean:.4f} ± {error:.4f}, single games ± {apart:.3f}", flush=True)
            ranges = [grade_range(it.grade, game.computers.LEVELS) for it in found if it.grade is not None]
            held += sum(least <= level <= most for least, most in ranges)
            graded += len(ranges)
        if graded:
            print(f"{seats} seats: the range holds the level of {held / graded:.0%} of {graded} players", flush=True)


if __name__ == "__main__":
    main()
