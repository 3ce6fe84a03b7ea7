"""The command line of the rules: ``python -m engine simulate``, ``tournament``, ``deal`` and ``playthrough``.

``simulate GAME --players N --games K --seed S`` plays K games and prints a summary; ``--transcript FILE|-``
writes every action as JSON Lines. ``tournament [GAME ...] --games K`` measures the strength of the computer players.
``deal GAME --players N --seed HEX`` recomputes the start of a game from its seed. ``playthrough GAME --players N
--seed S`` prints one whole game as text.
"""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn, TextIO

from engine.fair import SEED_BYTES, SeededChance
from engine.playthrough import playthrough_lines
from engine.policies import RANDOM, find_policy
from engine.registry import GAMES, AnyGame
from engine.simulate import SimulationTotals, simulate_games
from engine.tournament import duel_result_line, level_duels, run_duels


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line, without the usage, and exits with code 2."""

    def error(self, message: str) -> NoReturn:
        """Print *message* as one line on standard error, without the usage, and exit with code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def _seed_argument(given: str) -> str:
    """Check that the argument *given* is UTF-8 text, and return it as the seed."""
    try:
        given.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("it takes text in UTF-8") from None
    return given


def _game_argument(given: str) -> str:
    """Check that the argument *given* is the name of a game, and return it."""
    if given not in GAMES:
        raise argparse.ArgumentTypeError(f"{given!r} is none of {', '.join(GAMES)}")
    return given


def _add_game_arguments(parser: argparse.ArgumentParser, players: int | None) -> None:
    """Add the arguments GAME, ``--players`` and ``--option`` to *parser*. *players* is the default number of players;
    ``None``: it must be given."""
    parser.add_argument("game", choices=tuple(GAMES), metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    parser.add_argument("--players", type=int, default=players, required=players is None, metavar="N")
    parser.add_argument("--option", action="append", default=[], metavar="k=v", help="an option of the game")


def _make_parser() -> argparse.ArgumentParser:
    """Build the parser of the command line, with its subcommands."""
    parser = _Parser(prog="python -m engine", description="The rules of the games, without Discord.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="simulate|tournament|deal|playthrough")
    simulate = commands.add_parser("simulate", help="play many games and print a summary")
    _add_game_arguments(simulate, players=2)
    simulate.add_argument("--games", type=int, default=1, metavar="K")
    simulate.add_argument(
        "--seed", type=_seed_argument, default="0", metavar="S", help="any text; the same one plays the same games"
    )
    simulate.add_argument(
        "--policy",
        action="append",
        metavar="NAME",
        help="how the seats are played: random, computer (the strongest level), computer:LEVEL (1 is the weakest); "
        "given several times: the first for one seat, the next for the next, the last for the rest; the seats rotate "
        "from game to game (default: random)",
    )
    simulate.add_argument("--transcript", metavar="FILE|-", help="write an audit transcript (- for standard output)")
    strength = commands.add_parser("tournament", help="say how strong the computer players are, as a table")
    strength.add_argument(
        "game", nargs="*", type=_game_argument, default=list(GAMES), metavar="GAME", help="all games if none is given"
    )
    strength.add_argument("--games", type=int, default=2000, metavar="K", help="at least so many games a line")
    strength.add_argument("--seed", type=_seed_argument, default="0", metavar="S")
    strength.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    deal = commands.add_parser("deal", help="recompute the start of a game from its seed")
    _add_game_arguments(deal, players=None)
    deal.add_argument("--seed", required=True, metavar="HEX")
    whole = commands.add_parser("playthrough", help="print one whole game of random players as text")
    _add_game_arguments(whole, players=2)
    whole.add_argument(
        "--seed", type=_seed_argument, default="0", metavar="S", help="any text; the same one plays the same game"
    )
    return parser


def _parse_options(parser: argparse.ArgumentParser, game: AnyGame, given: list[str]) -> dict[str, str]:
    """Parse the options *given* ("k=v" each) of *game* and add the defaults, or exit with code 2 if one is invalid."""
    options: dict[str, str] = {}
    for item in given:
        key, equals, value = item.partition("=")
        if not equals:
            parser.error(f"--option takes k=v, not {item!r}")
        options[key] = value
    try:
        return game.check_options(options)
    except ValueError as error:
        parser.error(str(error))


def _check_players(parser: argparse.ArgumentParser, game: AnyGame, players: int) -> None:
    """Exit with code 2 if *game* cannot be played by that many *players*."""
    if players not in game.seats:
        parser.error(f"{game.name} takes {game.seats[0]} to {game.seats[-1]} players, not {players}")


@contextlib.contextmanager
def _open_output(parser: argparse.ArgumentParser, target: str | None) -> Iterator[TextIO | None]:
    """Yield *target* opened for writing (a file; ``-``: standard output; ``None``: no output), or exit with code 2 if
    it cannot be opened."""
    if target is None:
        yield None
    elif target == "-":
        yield sys.stdout
    else:
        try:
            file = Path(target).open("w", encoding="utf-8")  # noqa: SIM115 - closed below, opened here for its error
        except OSError as error:
            parser.error(f"--transcript: cannot write {target}: {error.strerror}")
        with file:
            yield file


def simulation_summary_text(game: AnyGame, tally: SimulationTotals, policies: list[str]) -> str:
    """The results of simulated games as text: speed, wins by seat, and wins by policy if there were several."""
    seconds = max(tally.seconds, 1e-9)
    lines = [
        f"{game.name}: {tally.games} games of {tally.seats} in {tally.seconds:.2f} s "
        f"({tally.games / seconds:.0f} games/s, {tally.actions / seconds:.0f} actions/s)",
        "wins by seat: " + ", ".join(f"{seat}: {wins}" for seat, wins in enumerate(tally.wins)),
    ]
    if len(set(policies)) > 1:
        shares = (f"{name} {100 * wins / tally.games:.1f} %" for name, wins in tally.policy_wins.items())
        lines.append("wins by policy (seats rotated, joint wins shared): " + ", ".join(shares))
    return "\n".join(lines)


def _run_simulate(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Run ``simulate``: play the games, write the transcript if requested, and print the summary; exit with code 2 if
    an argument is invalid."""
    game = GAMES[args.game]
    _check_players(parser, game, args.players)
    if args.games < 1:
        parser.error(f"--games takes a number from 1, not {args.games}")
    options = _parse_options(parser, game, args.option)
    given: list[str] = args.policy or [RANDOM]
    for name in given:
        try:
            find_policy(game, name)
        except ValueError as error:
            parser.error(f"--policy: {error}")
    if len(given) > args.players:
        parser.error(f"--policy may be given once a seat, {args.players} times here, not {len(given)}")
    policies = [*given, *[given[-1]] * (args.players - len(given))]
    with _open_output(parser, args.transcript) as out:
        tally = simulate_games(game, args.players, args.games, args.seed, policies, options, out)
    print(simulation_summary_text(game, tally, policies), file=sys.stderr if args.transcript == "-" else sys.stdout)


def _run_tournament(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Run ``tournament``: let each level of computer players play the one below it, and print a line for every duel;
    exit with code 2 if an argument is invalid."""
    for option in ("games", "processes"):
        if getattr(args, option) < 1:
            parser.error(f"--{option} takes a number from 1, not {getattr(args, option)}")
    for name in args.game:
        for it in run_duels(level_duels(GAMES[name]), args.games, args.seed, args.processes):
            print(duel_result_line(it), flush=True)


def _run_deal(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Run ``deal``: recompute the start of a game from its seed, and print the state as JSON; exit with code 2 if an
    argument is invalid."""
    game = GAMES[args.game]
    _check_players(parser, game, args.players)
    try:
        seed = bytes.fromhex(args.seed)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        parser.error(f"--seed takes {2 * SEED_BYTES} hexadecimal digits")
    state, _ = game.new(args.players, _parse_options(parser, game, args.option), SeededChance(seed))
    print(json.dumps({"state": game.encode_audit_state(state)}))


def _print_playthrough(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Run ``playthrough``: print one whole game of random players, line by line."""
    game = GAMES[args.game]
    _check_players(parser, game, args.players)
    for line in playthrough_lines(game, args.players, args.seed, _parse_options(parser, game, args.option)):
        print(line)


def main() -> None:
    """Run the command line; exit code 2 for an invalid call, 1 if the output cannot be written.

    If the reader of the output has closed it, as with ``| head``, no error is printed. https://docs.python.org/3/library/signal.html
    """
    parser = _make_parser()
    if not isinstance(sys.stdout, TextIOWrapper):
        parser.exit(1, f"{parser.prog}: cannot write: the standard output is closed\n")
    sys.stdout.reconfigure(errors="backslashreplace")  # a seed may hold what the terminal has no letters for
    try:
        args = parser.parse_args()
        run = {
            "simulate": _run_simulate,
            "tournament": _run_tournament,
            "deal": _run_deal,
            "playthrough": _print_playthrough,
        }
        run[args.command](parser, args)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # otherwise the rest of the output would fail again at the exit
        parser.exit(1, "" if isinstance(error, BrokenPipeError) else f"{parser.prog}: cannot write: {error.strerror}\n")
    except KeyboardInterrupt:
        parser.exit(130)


if __name__ == "__main__":
    main()
