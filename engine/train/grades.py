"""What share of what is at stake computer players of every level lose: the table ``LOST`` of a game's coach.

``python -m engine.train.grades GAME --seats 2 4 --games 200``
"""

import argparse
from collections.abc import Sequence
from random import Random

from engine.coaching import coach
from engine.fair import Fair
from engine.policies import COMPUTER, policy
from engine.registry import GAMES, AnyGame
from engine.replay import Moment, Sitting
from engine.simulate import Match, seed_of
from engine.tournament import mean_and_error


def game_of(game: AnyGame, level: int, seats: int, number: int) -> list[Moment]:
    """The moments of game *number* between *seats* computer players of *level*."""
    options = game.check_options({})
    sits = policy(game, f"{COMPUTER}:{level}")
    match = Match(game, [sits] * seats, options, Fair(seed_of(f"grades {level}", number)), Random(number))
    sitting = tuple(Sitting("computer", f"c{seat}", str(level)) for seat in range(seats))
    found = [Moment(0, None, None, None, match.state, match.dealt, sitting)]
    while not match.over:
        before, action = match.state, match.next_action()
        step = match.apply(action)
        found.append(Moment(len(found), None, action, before, step.state, step.events, sitting))
    return found


def lost(game: AnyGame, level: int, seats: int, games: int) -> list[float]:
    """What share of what was at stake each player lost in *games* games of *seats* computer players of *level*."""
    balances = [it for number in range(games) for it in coach(game, game_of(game, level, seats, number)).balances]
    return [it.cost / it.stake for it in balances if it.stake]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the shares of every level, with standard errors, for each number of seats."""
    parser = argparse.ArgumentParser(prog="python -m engine.train.grades", description=__doc__)
    parser.add_argument("game", choices=sorted(name for name, game in GAMES.items() if game.has_coach))
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--games", type=int, default=100)
    chosen = parser.parse_args(arguments)
    game = GAMES[chosen.game]
    for seats in chosen.seats:
        for level in range(1, game.levels + 1):
            shares = lost(game, level, seats, chosen.games)
            mean, error = mean_and_error(shares)
            apart = error * len(shares) ** 0.5
            print(f"{seats} seats, level {level}: {mean:.4f} ± {error:.4f}, single games ± {apart:.3f}")


if __name__ == "__main__":
    main()
