"""What the computer player of 17 is measured by, beside its strength: ``engine.train.tournament``."""

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from random import Random
from typing import Final, NamedTuple

from engine.fair import SeededChance
from engine.games.diciassette.actions import Call
from engine.games.diciassette.computers import LEVELS
from engine.games.diciassette.game import GAME
from engine.games.diciassette.learnt import networks_for
from engine.games.diciassette.odds import estimate_17_and_traps_in_queue
from engine.games.diciassette.view import view
from engine.policies import COMPUTER, find_policy
from engine.registry import GAMES
from engine.simulate import SimulatedGame, game_seed
from engine.train.diciassette.calibration import Calibration, calibration, error
from engine.train.diciassette.exploit import Exploiter
from engine.train.diciassette.luck import set_aside
from engine.train.diciassette.matches import FREE, Player, share
from engine.train.diciassette.search import WORLDS, play
from engine.train.figures import Figure, percent

REFERENCE_GOALS: Final[Mapping[int, float]] = {2: 70.0, 4: 42.0}
MOST_EXPLOITED: Final = 60.0
"""What an exploiter of the strongest level should win at most, in percent of the games of two."""
CLOSE: Final = 8.0
"""By how many points the odds of calls may be wrong, where they are said to be between 50 and 80 %."""
STEPS: Final = 160
"""Improvements of the exploiter that is trained."""
SEARCHED: Final = 160
"""Games that the exploiter that searches plays, and so many at a time in one process."""
AT_A_TIME: Final = 5
HOPELESS_GAMES: Final = 150
"""Games of every level, in which calls are looked at."""


class Calls(NamedTuple):
    """The calls of some games, off turn and on turn, of those who did not have to (D10)."""

    all: int
    hopeless: int
    """Those where the caller could know that 17 was impossible."""


def count_hopeless_calls(level: int, seats: int, games: int, seed: int) -> Calls:
    """Count the calls that computer players of *level* made by choice in *games* games, and those of them made although
    they could know that 17 was impossible."""
    game = GAMES[GAME.name]
    sitting = [find_policy(game, f"{COMPUTER}:{level}")] * seats
    found = hopeless = 0
    for number in range(games):
        match = SimulatedGame(
            game, sitting, {}, SeededChance(game_seed(f"calls {seed}", number)), Random(f"{seed}/{number}")
        )
        while not match.over:
            action = match.next_action()
            if isinstance(action, Call):
                seen = [view(match.state, caller) for caller in action.seats]
                free = [it for it in seen if it.hand or it.turn != it.seat]
                found += len(free)
                hopeless += sum(not estimate_17_and_traps_in_queue(it).seventeen for it in free)
            match.apply(action)
    return Calls(found, hopeless)


def play_search_exploiter_games(seed: int, games: int, worlds: int) -> list[tuple[float, float]]:
    """Play *games* games of two between an exploiter with *worlds* worlds and the strongest level: (its win, its luck)
    of each."""
    return [play(seed + game, worlds) for game in range(games)]


def trained(seed: int, steps: int, games: int) -> tuple[float, float]:
    """Train an exploiter of the networks in *steps* improvements: (the share that it wins of *games* games, the
    standard error)."""
    exploiter = Exploiter(networks_for(2), seed)
    for step in range(steps):
        exploiter.improve(step / steps)
    return share(Player(exploiter.policy.averaged, FREE), Player(networks_for(2).policy), games, seed)


def said(seats: int, games: int, seed: int) -> Calibration:
    """Play *games* games of *seats* by the trained networks, and compare the chances that they say with what
    happens."""
    return calibration(networks_for(seats), seats, games, seed)


def evidence(pool: Executor, seed: int, part: float) -> Iterator[Figure]:
    """Yield how true the networks speak, how many calls are hopeless, and what exploiters win
    (``engine.train.tournament.Evidence``)."""
    steps = max(1, round(STEPS * part))
    exploiter = pool.submit(trained, seed, steps, max(64, round(8000 * part)))
    measured = {seats: pool.submit(said, seats, max(50, round(8000 * part)), seed) for seats in (2, 4)}
    hopeless = [
        (level, seats, pool.submit(count_hopeless_calls, level, seats, max(2, round(HOPELESS_GAMES * part)), seed))
        for level in range(1, LEVELS + 1)
        for seats in (2, 4)
    ]
    count, worlds = max(2, round(SEARCHED * part)), WORLDS if part > 0.01 else 2
    searches = [
        pool.submit(play_search_exploiter_games, 1000 * SEARCHED * seed + first, min(AT_A_TIME, count - first), worlds)
        for first in range(0, count, AT_A_TIME)
    ]
    for seats, it in measured.items():
        yield from _calibration_figures(seats, it.result())
    for level, seats, calls in hopeless:
        what = f"diciassette: level {level}, {seats} players: calls of {calls.result().all} where 17 is impossible"
        yield Figure(what, calls.result().hopeless, unit="", most=0)
    mean, wrong = exploiter.result()
    what = f"diciassette: a player trained against the network alone in {steps} improvements, 2 players"
    yield Figure(what, 100 * mean, 100 * wrong, most=MOST_EXPLOITED)
    results = [result for chunk in searches for result in chunk.result()]
    won, luck = zip(*results, strict=True)
    what = f"diciassette: a player with {worlds} worlds and an exact model of level {LEVELS} ({len(results)} games)"
    yield percent(what, won)
    yield percent("  the same with the luck of the cards set aside", set_aside(won, luck), most=MOST_EXPLOITED)


def _calibration_figures(seats: int, found: Calibration) -> Iterator[Figure]:
    """Yield how far what the networks said came true with *seats* players: the mean errors in points, then the odds of
    calls."""
    for name, rows in found._asdict().items():
        yield Figure(f"diciassette: {seats} players, {name}: wrong on average by", 100 * error(rows), unit="points")
    for said, happened, times in found.calls:
        what = f"diciassette: {seats} players, of {times} calls at odds of {100 * said:.1f} % right"
        close = 0.5 <= said <= 0.8
        wrong = 100 * (happened * (1 - happened) / times) ** 0.5
        least, most = round(100 * said - CLOSE, 1), round(100 * said + CLOSE, 1)
        yield Figure(what, 100 * happened, wrong, least=least if close else None, most=most if close else None)
