"""``python -m engine.train diciassette``: makes the networks of 17."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from engine.games import diciassette
from engine.games.diciassette.learnt import FILE_MANY, FILE_TWO, Networks, networks_for
from engine.games.diciassette.styles import Style
from engine.network import read_networks, save_networks
from engine.tournament import mean_and_error
from engine.train.diciassette.advise import Adviser
from engine.train.diciassette.calibration import calibration, error
from engine.train.diciassette.clone import clone
from engine.train.diciassette.exploit import Exploiter
from engine.train.diciassette.learn import MANY, TWO, Learner, learn, steady
from engine.train.diciassette.luck import set_aside
from engine.train.diciassette.matches import FREE, Player, share
from engine.train.diciassette.more_time import TEN_TIMES, TODAY, PlayedGame, gains, greedy, won_by_deal
from engine.train.diciassette.more_time import play as play_today
from engine.train.diciassette.search import play

HOME = Path(next(iter(diciassette.__path__)))


def main(arguments: Sequence[str]) -> None:
    """Train the networks as *arguments* say and write them to their file; or, with ``--exploit``, ``--search`` or
    ``--measure``, measure those there are."""
    parser = argparse.ArgumentParser(prog="python -m engine.train diciassette", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the same seed and steps give the same networks")
    parser.add_argument(
        "--steps", type=int, default=1200, help="improvements of the policy; 0: none, go on with the advisor"
    )
    parser.add_argument("--advice", type=int, default=300, help="improvements of the advisor afterwards")
    parser.add_argument("--start", type=Path, help="go on from this file, with clones of reference.py at some tables")
    parser.add_argument(
        "--steady", type=int, default=0, help="instead bring the one of --start to rest in so many steps"
    )
    parser.add_argument("--games", type=int, default=1500, help="games of reference.py to clone it from")
    parser.add_argument("--two", action="store_true", help="train for tables of two; else for all others")
    parser.add_argument("--out", type=Path, help="the file to write, if not that of the game")
    parser.add_argument("--measure", action="store_true", help="say instead how far the networks are right")
    parser.add_argument("--search", type=int, metavar="GAMES", help="let an exploiter search instead")
    parser.add_argument(
        "--ten-times", type=int, metavar="DEALS", help="let level 6 play against itself with more worlds"
    )
    parser.add_argument("--gains", type=int, metavar="GAMES", help="say what its decisions would gain by more worlds")
    parser.add_argument("--worlds", type=int, default=0, help="worlds of the changed player; today 64")
    parser.add_argument(
        "--actions", type=int, default=TODAY.most_actions, help="actions played through in each; today 12"
    )
    parser.add_argument("--greedy", action="store_true", help="the other player, or who is exploited, hides nothing")
    parser.add_argument("--exploit", action="store_true", help="train an exploiter of the networks instead")
    chosen = parser.parse_args(arguments)
    if chosen.exploit:
        exploit(chosen.seed, chosen.steps)
        return
    style = greedy(TODAY) if chosen.greedy else TODAY
    worlds = chosen.worlds or (TODAY.worlds if chosen.search else TEN_TIMES)
    style = style._replace(worlds=worlds, most_actions=chosen.actions)
    if chosen.search:
        search(chosen.seed, chosen.search, style)
        return
    if chosen.ten_times:
        report_style_wins(chosen.seed, chosen.ten_times, style)
        return
    if chosen.gains:
        report_style_gains(chosen.seed, chosen.gains, style)
        return
    if chosen.measure:
        measure(chosen.seed)
        return
    shares, file_name = (TWO, FILE_TWO) if chosen.two else (MANY, FILE_MANY)
    advisor = None
    if chosen.start is not None:
        with chosen.start.open("rb") as file:
            start = Networks(**read_networks(file.read()))
        if not chosen.steps or chosen.steady:
            advisor = start.advisor  # the policy stays nearly as it is, so what is known of it holds
    if chosen.steady:
        learner = Learner(chosen.seed, start=(start.policy, start.critic), shares=shares)
        steady(learner, chosen.steady, _report)
    elif chosen.start is None:
        learner = Learner(chosen.seed, shares=shares)
        learn(learner, chosen.steps, _report)
    else:
        other, alike = clone(chosen.games, chosen.seed)
        _report(f"the clone chooses as version 0.2 in {alike:.1%} of all decisions")
        learner = Learner(chosen.seed, start=(start.policy, start.critic), other=other, shares=shares)
        learn(learner, chosen.steps, _report, begin=0.6)
    critic = learner.critic
    policy = learner.policy.averaged
    adviser = Adviser(policy, critic, learner.tables, learner.rng, advisor)
    for step in range(chosen.advice):
        loss = adviser.improve(1e-3 - 9.5e-4 * step / chosen.advice)
        if step % 20 == 19:
            _report(f"{step + 1} improvements of the advisor: loss {loss:.4f}")
    save_networks(chosen.out or HOME / file_name, Networks(policy, critic.averaged, adviser.advisor.averaged)._asdict())


def exploit(seed: int, steps: int) -> None:
    """Train an exploiter of the networks in *steps* improvements, and print how often it wins."""
    exploiter = Exploiter(networks_for(2), seed)
    for step in range(steps):
        exploiter.improve(step / steps)
        if step % 50 == 49 or step == steps - 1:
            won, error = share(Player(exploiter.policy.averaged, FREE), Player(networks_for(2).policy), 4000, seed)
            _report(f"after {step + 1} improvements the exploiter wins {won:.1%} +- {error:.1%}")


def measure(seed: int) -> None:
    """Report what the networks say in 2,000 games of 2 players and of 4, and what happens."""
    for seats in (2, 4):
        for name, found in calibration(networks_for(seats), seats, 2000, seed)._asdict().items():
            _report(f"{seats} players, {name}: wrong by {error(found):.2%} on average")
            for said, happened, times in found:
                _report(f"  said {said:.3f}, happened {happened:.3f}, {times} times")


def search(seed: int, games: int, style: Style) -> None:
    """Report what an exploiter that searches wins of *games* games of two against a player of *style*, and what that is
    without its luck."""
    won: list[float] = []
    luck: list[float] = []
    for game in range(games):
        result, lucky = play(seed * games + game, style=style)
        won.append(result)
        luck.append(lucky)
        if len(won) % 20 == 0 or len(won) == games:
            raw, true = (mean_and_error(it) for it in (won, set_aside(won, luck)))
            said = f"{raw[0]:.1%} +- {raw[1]:.1%} of {len(won)} games; with the luck of the cards set aside"
            _report(f"the exploiter that searches wins {said} {true[0]:.1%} +- {true[1]:.1%}")


def report_style_wins(seed: int, deals: int, style: Style) -> None:
    """Report what a player of *style* wins against today's level 6, each of *deals* deals from both seats."""
    pairs: list[tuple[PlayedGame, PlayedGame]] = []
    for deal in range(deals):
        number = seed * deals + deal
        pairs.append((play_today(number, 0, style), play_today(number, 1, style)))
        if len(pairs) % 10 == 0 or len(pairs) == deals:
            raw, true = (mean_and_error(it) for it in won_by_deal(pairs))
            said = f"{raw[0]:.1%} +- {raw[1]:.1%} of {2 * len(pairs)} games; with the luck taken out"
            _report(f"{_describe_style(style)} wins {said} {true[0]:.1%} +- {true[1]:.1%}")


def report_style_gains(seed: int, games: int, style: Style) -> None:
    """Report what the decisions of level 6 in *games* games would gain in the *style*."""
    found: list[float] = []
    for game in range(games):
        found.append(gains(style, seed * games + game))
        if len(found) > 1:
            mean, error = mean_and_error(found)
            _report(f"{_describe_style(style)} would gain {mean:+.1%} +- {error:.1%} a game, in {len(found)} games")


def _describe_style(style: Style) -> str:
    """The *style* in words."""
    said = f"level 6 with {style.worlds} worlds of {style.most_actions} actions"
    return said if style.evenness == TODAY.evenness else f"{said}, greedy,"


def _report(line: str) -> None:
    """Print *line* at once."""
    print(line, flush=True)
