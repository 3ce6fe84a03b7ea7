"""What ``python -m bot``, installed ``diciassette``, can be told: its commands and their options."""

import argparse
import re
from pathlib import Path
from typing import Final

from bot.version import COMMAND, VERSION

SETTINGS: Final = "The settings are environment variables, or lines of a file .env; see docs/hosting.md."


def parser() -> argparse.ArgumentParser:
    """The parser of the command line, with a subcommand for each command."""
    top = argparse.ArgumentParser(
        prog=COMMAND,
        description="Run the bot, or one of the commands below. Without a command: run. " + SETTINGS,
    )
    top.add_argument("--version", action="version", version=f"diciassette {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    run = commands.add_parser(
        "run",
        help="run the bot: on Discord if DISCORD_TOKEN is set, else on a local Discord in your browser",
        description="Run the bot: on Discord if DISCORD_TOKEN is set, else on a local Discord in your browser. "
        "If Discord or the PostgreSQL server cannot be reached yet, it waits. "
        "Exit code 2: a setting is invalid, 1: the local Discord has ended. " + SETTINGS,
    )
    run.add_argument(
        "--discord",
        action="store_true",
        help="never run on a local Discord: fail if DISCORD_TOKEN is not set; for services and containers",
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
        help="copy the database to a SQLite file while the bot runs",
        description="Copy the database that STORE_URL names to a SQLite file while the bot runs. Only you can read the "
        "copy; it holds hidden cards and tokens, as the database does. Its path and size are printed. Exit code 2, "
        "after one line: it failed.",
    )
    backup.add_argument("file", metavar="FILE", type=Path, help="where to; it must not exist yet")
    restore = commands.add_parser(
        "restore",
        help="put a backup in place of the SQLite database; the bot must not be running",
        description="Check a backup, and put a copy of it in place of the SQLite database that STORE_URL names. Its "
        "path is printed, and the name under which what was there is kept. The bot must not be running. Exit code 2, "
        "after one line: it failed, and nothing was changed.",
    )
    restore.add_argument("file", metavar="FILE", type=Path, help="the backup; it stays as it is")
    move = commands.add_parser(
        "move",
        help="copy everything from one database to another, SQLite or PostgreSQL; no bot must be running on them",
        description="Copy everything from one database to another one, which must be empty, and compare both. Name a "
        "SQLite file, such as a backup, by its path, and a PostgreSQL database by its address; its password may stand "
        "in PGPASSWORD. Exit code 2, after one line: it was not done, and the target is as it was.",
    )
    move.add_argument("source", metavar="FROM", help="where from: the path of a SQLite file, or an address")
    move.add_argument("target", metavar="TO", nargs="?", help="where to: a path or an address; default: STORE_URL")
    _add_personal(commands)
    commands.add_parser(
        "health",
        help="ask the running bot whether it is alive; METRICS_PORT must be set",
        description="Ask the bot that runs with the same settings whether it is alive, at METRICS_PORT; for containers "
        "and scripts. Exit code 0: it is, 1: it does not answer within five seconds, 2: a setting is invalid.",
    )
    unit = commands.add_parser(
        "unit",
        help="print a service for systemd, with the paths of this installation",
        description="Print a service for systemd, with the paths of this installation; docs/hosting.md says where to "
        "put it. The bot's folder, with .env and database, is /var/lib/USER. Exit code 2, after one line: it cannot.",
    )
    unit.add_argument(
        "--user", default="diciassette", type=_user_name, metavar="USER", help="who runs it; default: diciassette"
    )
    unit.add_argument(
        "--mine",
        action="store_true",
        help="a service of your own, for systemctl --user; the bot's folder is the one you are in",
    )
    return top


def _user_name(written: str) -> str:
    """The name of a user of the system; raises ArgumentTypeError if *written* is none."""
    if not re.fullmatch("[a-z_][a-z0-9_-]{0,30}", written):
        raise argparse.ArgumentTypeError(f"{written!r} is not the name of a user")
    return written


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
