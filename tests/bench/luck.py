"""How often computer players of one level are ahead of those of another, at tables where they sit in turn: how much
luck there is in a game (``game.Ladder``). ``python -m tests.bench.luck twelve_days 4 5 2 1000 length=short``."""

import sys
from math import log, sqrt
from random import Random
from statistics import fmean, stdev

from engine.fair import SeededChance
from engine.policies import COMPUTER, find_policy
from engine.registry import GAMES
from engine.simulate import SimulatedGame, game_seed


def shares(game: str, seats: int, high: int, low: int, games: int, options: dict[str, str]) -> list[float]:
    """By deal, the part of pairs of the levels *high* and *low* in which *high* was ahead, a tie being half. Each deal
    is played twice, with the levels the other way around."""
    rules, found = GAMES[game], []
    levels = [find_policy(rules, f"{COMPUTER}:{low}"), find_policy(rules, f"{COMPUTER}:{high}")]
    for deal in range(games // 2):
        ahead = []
        for turn in range(2):
            strong = [(seat + turn) % 2 == 0 for seat in range(seats)]
            chance, rng = SeededChance(game_seed("luck", deal)), Random(f"luck/{deal}/{turn}")
            match = SimulatedGame(rules, [levels[it] for it in strong], options, chance, rng)
            while not match.over:
                match.apply(match.next_action())
            places = {it.seat: it.place for it in rules.standings(match.state)}
            for one, place in places.items():
                others = [their for seat, their in places.items() if strong[one] and not strong[seat]]
                ahead += [(place < their) + (place == their) / 2 for their in others]
        found.append(fmean(ahead))
    return found


def main() -> None:
    """Print the share with its standard error, and the logarithm of its odds."""
    game, *numbers = sys.argv[1:6]
    seats, high, low, games = map(int, numbers)
    options = GAMES[game].check_options(dict(it.split("=", 1) for it in sys.argv[6:]))
    found = shares(game, seats, high, low, games, options)
    share, error = fmean(found), stdev(found) / sqrt(len(found))
    sys.stdout.write(f"{100 * share:.1f} ± {100 * error:.1f} %, log of the odds {log(share / (1 - share)):.3f}\n")


if __name__ == "__main__":
    main()
