"""``python -m bot``: runs the bot; ``doctor``, ``verify``, ``backup``, ``export`` and ``erase`` are its other commands.

A command imports what it needs when it runs: ``verify`` needs neither Discord nor a database.
"""

import argparse
import asyncio
import re
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.streams import open_closed_streams, say

if TYPE_CHECKING:
    from bot.settings import Settings

SETTINGS: Final = "The settings are environment variables, or lines of a file .env; see docs/hosting.md."


def _parser() -> argparse.ArgumentParser:
    """The parser of the command line, with a subcommand for each command."""
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="Run the bot, or one of the commands below. Without a command: run. " + SETTINGS,
    )
    commands = parser.add_subparsers(dest="command", metavar="run|doctor|verify|backup|export|erase")
    commands.add_parser(
        "run",
        help="run the bot: on Discord if DISCORD_TOKEN is set, else on a local Discord in your browser",
        description="Run the bot: on Discord if DISCORD_TOKEN is set, else on a local Discord in your browser. "
        "Exit code 2: a setting is invalid, 1: nobody answers, or the local Discord has ended. " + SETTINGS,
    )
    commands.add_parser(
        "doctor",
        help="look through the database, and say what is wrong with it; exit code 1 if anything is",
        description="Look through the database without changing it; the bot may be running. Prints the version of its "
        "schema, SQLite's own check, how many tables are live and which are set aside because they cannot go on. "
        "Exit code 0: all is well, 1: something is wrong, 2: a setting is invalid.",
    )
    verify = commands.add_parser(
        "verify",
        help="check the record of a game: that the cards were dealt as promised, and every move was legal",
        description="Check the record of a game, and compare it with what you noted while it was played; "
        "docs/fairness.md says what that proves. Exit code 0: everything fits, 1: it does not, or it is not a "
        "record; then one line says what is wrong. 2: an option is not what it should be.",
    )
    verify.add_argument("file", metavar="FILE", type=Path, help="the record, as it was downloaded")
    verify.add_argument("--code", metavar="CODE", help="the shuffle code you noted, or its beginning")
    verify.add_argument("--deal", metavar="CODE", help="the deal code you noted, or its beginning")
    verify.add_argument("--message", type=_message_id, metavar="ID", help="the id of the table message")
    verify.add_argument(
        "--cut", action="append", default=[], metavar="PHRASE", help="the phrase with which you cut; may be repeated"
    )
    backup = commands.add_parser(
        "backup",
        help="copy the SQLite database while the bot runs",
        description="Copy the SQLite database that STORE_URL names while the bot runs. Only you can read the copy; it "
        "holds hidden cards and tokens, as the database does. Exit code 2, after one line: it failed.",
    )
    backup.add_argument("file", metavar="FILE", type=Path, help="where to; it must not exist yet")
    _add_personal(commands)
    return parser


def _message_id(written: str) -> int:
    """The id of a message; raises ArgumentTypeError if *written* is none."""
    if not re.fullmatch("[1-9][0-9]{0,19}", written):
        raise argparse.ArgumentTypeError(f"{written!r} is not the id of a message: it takes up to 20 digits")
    return int(written)


def _add_personal(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommands about one person."""
    codes = "Exit code 0: done, 1: {one}, 2: it failed, or a setting is invalid; then one line says why."
    export = commands.add_parser(
        "export",
        help="write everything that the database holds about one person, as JSON; the bot may be running",
        description="Write everything that the database holds about one person, as JSON; docs/privacy.md describes it. "
        "The bot may be running. " + codes.format(one="nothing is known of them"),
    )
    export.add_argument("user", metavar="USER", help="their Discord id, a number")
    export.add_argument(
        "--file", metavar="FILE", type=Path, help="where to; it must not exist yet, and only you can read it"
    )
    erase = commands.add_parser(
        "erase",
        help="erase one person from the database; the bot must not be running",
        description="Erase one person from the database for good: docs/privacy.md says what goes and what stays. At "
        "tables that wait for the bot's next start, a computer plays on in their seat. The bot must not be running; "
        "while it runs, the person can use /privacy. "
        + codes.format(one="nothing is known of them, or --yes is missing"),
    )
    erase.add_argument("user", metavar="USER", help="their Discord id, a number")
    erase.add_argument("--yes", action="store_true", help="do it: it cannot be undone")


def main() -> None:
    """Run the program. Where it fails it says why in one line on standard error; the exit code is 2 if a setting is
    wrong, and 1 if starting again may help: nobody answers, or the local Discord has ended."""
    open_closed_streams()
    arguments = _parser().parse_args()
    known = {"doctor": _doctor, "verify": _verify, "backup": _backup, "export": _export, "erase": _erase}
    raise SystemExit(known.get(arguments.command, _run)(arguments))


def _with_settings(command: "Callable[[Settings], int]") -> int:
    """The exit code of *command*, or the one for a setting that is wrong."""
    from bot import settings

    try:
        return command(settings.read())
    except settings.BadSetting as error:
        sys.stderr.write(f"{error}\n")
        return 1 if isinstance(error, settings.Unreachable) else 2


def _run(_: argparse.Namespace) -> int:
    """Run the bot until it is told to stop."""
    from bot.run import run

    return _with_settings(run)


def _doctor(_: argparse.Namespace) -> int:
    """Look through the database."""
    from bot import doctor

    def examine(config: "Settings") -> int:
        said: list[str] = []
        code = asyncio.run(doctor.run(config.store_url, said.append))
        return _said("".join(said), code)

    return _with_settings(examine)


def _verify(arguments: argparse.Namespace) -> int:
    """Check a record."""
    from bot.verify import read, report
    from engine.errors import BadRecord
    from engine.verify import Noted

    noted = Noted(arguments.code, arguments.deal, arguments.message, tuple(arguments.cut))
    try:
        lines = report(read(arguments.file), noted)
    except BadRecord as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"{arguments.file}: {error.strerror}\n")
        return 1
    return _said("".join(f"{line}\n" for line in lines), 0)


def _backup(arguments: argparse.Namespace) -> int:
    """Copy the database."""
    from bot.store.backup import backup

    def copy(config: "Settings") -> int:
        try:
            backup(config.store_url, arguments.file)
        except (OSError, sqlite3.Error) as error:
            sys.stderr.write(f"{error}\n")
            return 2
        return 0

    return _with_settings(copy)


def _export(arguments: argparse.Namespace) -> int:
    """Write what is known of one person."""
    from bot import export

    return _about_one(
        arguments, lambda config, user: export.run(config.store_url, user, arguments.file, sys.stderr.write)
    )


def _erase(arguments: argparse.Namespace) -> int:
    """Erase one person."""
    from bot import erase

    return _about_one(
        arguments, lambda config, user: erase.run(config.store_url, user, sys.stderr.write, sure=arguments.yes)
    )


def _about_one(arguments: argparse.Namespace, command: "Callable[[Settings, int], int]") -> int:
    """The exit code of *command* about the person whom *arguments* name; 2 if that is no id."""
    said = arguments.user
    if not (re.fullmatch("[0-9]{1,19}", said) and 0 < int(said) < 1 << 63):
        sys.stderr.write(f"{said[:40]}: this is no Discord id, which is a number with up to 19 digits\n")
        return 2
    return _with_settings(lambda config: command(config, int(said)))


def _said(text: str, code: int) -> int:
    """Write *text*, and return *code*: 2, after one line on standard error, if it cannot be written."""
    try:
        say(text)
    except OSError as error:
        sys.stderr.write(f"standard output: {error.strerror}\n")
        return 2
    return code


if __name__ == "__main__":
    main()
