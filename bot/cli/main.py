"""``python -m bot``, installed as ``diciassette``: the command line, a function for each command.

A command imports what it needs when it runs: ``verify`` needs neither Discord nor a database.
"""

import argparse
import asyncio
import gc
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.cli.streams import replace_closed_streams, write_stderr, write_stdout
from bot.version import COMMAND, INSTALLED, VERSION

# The commands and options of ``python -m bot``, installed as ``diciassette``.


SETTINGS: Final = "The settings are environment variables, or lines of a file .env; see docs/hosting.md."
SHELLS: Final = ("bash", "zsh", "fish")
"""The shells with a completion script."""


def make_parser(prog: str = COMMAND) -> argparse.ArgumentParser:
    """Return a new parser of the command line with all subcommands; *prog* is the name of the program in the help."""
    top = argparse.ArgumentParser(
        prog=prog,
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
    verify.add_argument("--message", type=_parse_message_id, metavar="ID", help="the id of the table message")
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
    _add_person_commands(commands)
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
        "--user", default="diciassette", type=_parse_user_name, metavar="USER", help="who runs it; default: diciassette"
    )
    unit.add_argument(
        "--mine",
        action="store_true",
        help="a service of your own, for systemctl --user; the bot's folder is the one you are in",
    )
    completion = commands.add_parser(
        "completion",
        help="print a script with which your shell completes commands, options and files",
        description=f"Print a script with which your shell completes the commands of {INSTALLED}, their options and "
        "the names of files; docs/hosting.md says where to put it.",
    )
    completion.add_argument("shell", choices=SHELLS, help="the shell that you use")
    return top


def _parse_user_name(written: str) -> str:
    """Return *written* if it has the form of a user name of the system; otherwise raise ArgumentTypeError."""
    if not re.fullmatch("[a-z_][a-z0-9_-]{0,30}", written):
        raise argparse.ArgumentTypeError(f"{written!r} is not the name of a user")
    return written


def _parse_message_id(written: str) -> int:
    """Return *written* as the id of a Discord message; raise ArgumentTypeError if it is not one."""
    if not re.fullmatch("[1-9][0-9]{0,19}", written):
        raise argparse.ArgumentTypeError(f"{written!r} is not the id of a message: it takes up to 20 digits")
    return int(written)


def _add_person_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommands about one person to *commands*: export, erase and ban."""
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
    ban = commands.add_parser(
        "ban",
        help="ban one person from playing with this bot, on every server and alone; the bot may be running",
        description="Ban one person from playing with this bot: they sit down at no table any more, on no server, and "
        "not alone in direct messages. A game that they are in goes on. Without USER: print who is banned. The bot may "
        "be running. Moderators of a server ban people from its own tables with /tables. "
        + codes.format(one="they are not banned, with --lift"),
    )
    ban.add_argument("user", metavar="USER", nargs="?", help="their Discord id, a number")
    ban.add_argument("--lift", action="store_true", help="let them play again")
    erase.add_argument("--yes", action="store_true", help="do it: it cannot be undone")


if TYPE_CHECKING:
    from bot.config import Settings


def main() -> None:
    """Run the command in ``sys.argv`` (default: run), and end with its exit code.

    An error is reported in one line on standard error. The exit code is 2 if a setting is wrong, and 1 if the local
    Discord has ended: starting again may help.
    """
    replace_closed_streams()
    arguments = make_parser().parse_args(sys.argv[1:] or ["run"])
    without_settings = {
        "verify": _verify_record_command,
        "unit": _systemd_unit_command,
        "export": _export_command,
        "erase": _erase_command,
        "ban": _ban_command,
    }
    without_settings["completion"] = _completion_command
    known = {
        "health": _health_command,
        "doctor": _doctor_command,
        "backup": _backup_command,
        "restore": _restore_command,
        "move": _move_database_command,
    }
    if arguments.command in without_settings:
        raise SystemExit(without_settings[arguments.command](arguments))
    command = known.get(arguments.command, _run_bot_command)
    raise SystemExit(_run_with_settings(lambda config: command(arguments, config)))


def _run_with_settings(command: "Callable[[Settings], int]") -> int:
    """Read the settings, run *command* with them, and return its exit code; 2, after one line on standard error, if a
    setting is invalid."""
    from bot import config

    try:
        return command(config.read_settings())
    except config.BadSetting as error:
        write_stderr(f"{error}\n")
        return 2


@contextmanager
def _without_gc() -> Iterator[None]:
    """Context manager: turn Python's garbage collection off during large imports, where nothing is garbage and
    collecting takes a fifth of the time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _run_bot_command(arguments: argparse.Namespace, config: "Settings") -> int:
    """Serve ``run``: run the bot until it is told to stop, and return the exit code; raise BadSetting if a setting is
    invalid, or with --discord if there is no token.
    """
    from bot.config import BadSetting

    if arguments.discord and config.token is None:
        raise BadSetting("DISCORD_TOKEN", None, "it is not set; put the token of your bot into .env")
    with _without_gc():
        from bot.cli.run import run_bot
    return run_bot(config)


def _health_command(_: argparse.Namespace, config: "Settings") -> int:
    """Serve ``health``: print whether the running bot answers at METRICS_PORT; return 0 if it does, else 1; raise
    BadSetting if that is not set.
    """
    from bot.cli import health
    from bot.config import BadSetting

    if config.metrics_port is None:
        raise BadSetting("METRICS_PORT", None, "it is not set: the bot answers nobody; give it a port")
    said: list[str] = []
    code = health.run_health_command(config.metrics_host, config.metrics_port, said.append)
    return _print_result("".join(said), code)


def _doctor_command(_: argparse.Namespace, config: "Settings") -> int:
    """Serve ``doctor``: print the state of database and backups; return 0 if nothing needs to be done, else 1."""
    from bot.cli import doctor
    from bot.store.backup import backup_plan

    said: list[str] = []
    code = asyncio.run(doctor.run_doctor_command(config.store_url, said.append, backup_plan(config)))
    return _print_result("".join(said), code)


def _verify_record_command(arguments: argparse.Namespace) -> int:
    """Serve ``verify``: check the record in a file against the person's notes, and print the report; return 0, or 1 if
    it does not fit or is no record.
    """
    from bot.cli.verify import read_record_file, report_lines
    from engine.errors import BadRecord
    from engine.verify import PlayerNotes

    noted = PlayerNotes(arguments.code, arguments.deal, arguments.message, tuple(arguments.cut))
    try:
        lines = report_lines(read_record_file(arguments.file), noted)
    except BadRecord as error:
        write_stderr(f"{error}\n")
        return 1
    except OSError as error:
        write_stderr(f"{arguments.file}: {error.strerror}\n")
        return 1
    return _print_result("".join(f"{line}\n" for line in lines), 0)


def _backup_command(arguments: argparse.Namespace, config: "Settings") -> int:
    """Serve ``backup``: copy the database to a new file while the bot may run; return 0, or 2 after one line on
    standard error if that fails.
    """
    from sqlalchemy.exc import SQLAlchemyError

    from bot.store.backup import BadBackup, backup_database
    from bot.store.database import Unavailable, database_label
    from bot.store.writer import failure_reason

    try:
        backup_database(config.store_url, arguments.file)
    except (FileNotFoundError, FileExistsError) as error:
        write_stderr(f"{error}\n")
        return 2
    except Unavailable as error:
        write_stderr(f"no backup was made: {database_label(config.store_url)} cannot be read: {error}\n")
        return 2
    except (OSError, sqlite3.Error, SQLAlchemyError, BadBackup) as error:
        write_stderr(f"no backup was made: {failure_reason(error)}\n")
        return 2
    return _print_result(f"saved: {arguments.file.absolute()} ({arguments.file.stat().st_size} bytes)\n", 0)


def _restore_command(arguments: argparse.Namespace, config: "Settings") -> int:
    """Serve ``restore``: put a backup in place of the SQLite database, and print where the old one is kept; return 0,
    or 2 after one line on standard error if that fails.
    """
    from bot.config import LOCAL_STORE
    from bot.store.backup import BadBackup, restore_backup, sqlite_path
    from bot.store.files import AlreadyRunning
    from bot.store.writer import failure_reason

    try:
        kept = restore_backup(config.store_url, arguments.file)
    except AlreadyRunning as other:
        write_stderr(f"{other} runs on this database; stop it first\n")
        return 2
    except BadBackup as error:
        write_stderr(f"{error}\n")
        return 2
    except OSError as error:
        write_stderr(f"{error.filename2 or error.filename or arguments.file}: {failure_reason(error)}\n")
        return 2
    except sqlite3.Error as error:
        write_stderr(f"{arguments.file}: {failure_reason(error)}\n")
        return 2
    before = "there was no database before" if kept is None else f"what was there is now {kept}"
    local = "this is the database of the local Discord, as DISCORD_TOKEN is not set\n"
    is_local = config.token is None and config.store_url == LOCAL_STORE
    return _print_result(
        f"restored: {sqlite_path(config.store_url).resolve()}; {before}\n{local if is_local else ''}", 0
    )


def _move_database_command(arguments: argparse.Namespace, config: "Settings") -> int:
    """Serve ``move``: copy everything from one database to another, empty one; return 0, or 2 after one line on
    standard error if that fails.
    """
    from bot.store.transfer import CannotMove, move_database, parse_database_url

    said: list[str] = []
    try:
        target = parse_database_url(arguments.target or config.store_url)
        asyncio.run(move_database(parse_database_url(arguments.source), target, said.append))
    except CannotMove as error:
        write_stderr(f"{error}\n")
        return 2
    return _print_result("".join(f"{line}\n" for line in said) + "everything is there, and the same\n", 0)


def _systemd_unit_command(arguments: argparse.Namespace) -> int:
    """Serve ``unit``: print a service for systemd that runs the bot; return 0, or 2 after one line on standard error if
    there can be none.
    """
    from bot.cli import unit

    try:
        script = unit.installed_program_path()
        said = (
            unit.systemd_user_unit(script, Path.cwd())
            if arguments.mine
            else unit.systemd_system_unit(script, arguments.user, unit.python_executable())
        )
    except unit.NoService as error:
        write_stderr(f"{error}\n")
        return 2
    return _print_result(said, 0)


def _completion_command(arguments: argparse.Namespace) -> int:
    """Serve ``completion``: print the script with which a shell completes commands and options; return the exit
    code.
    """
    from bot.cli.completion import completion_script

    return _print_result(completion_script(make_parser(INSTALLED), arguments.shell), 0)


def _export_command(arguments: argparse.Namespace) -> int:
    """Serve ``export``: write everything that is stored about one person as JSON to a file or standard output; return
    0, 1 if nothing is known of them, or 2 if it fails.
    """

    def write(config: "Settings", user: int) -> int:
        with _without_gc():
            from bot import privacy
        return privacy.run_export_command(config.store_url, user, arguments.file, write_stderr)

    return _run_command_for_person(arguments, write)


def _erase_command(arguments: argparse.Namespace) -> int:
    """Serve ``erase``: erase one person from the database; return 0, 1 if nothing is known of them or --yes is missing,
    or 2 if it fails.
    """

    def erase_one(config: "Settings", user: int) -> int:
        with _without_gc():
            from bot import privacy
        return privacy.run_erase_command(config.store_url, user, write_stderr, sure=arguments.yes)

    return _run_command_for_person(arguments, erase_one)


def _ban_command(arguments: argparse.Namespace) -> int:
    """Serve ``ban``: ban one person, lift their ban, or print who is banned; return 0, 1 if there is no ban to lift, or
    2 if it fails.
    """

    def ban_one(config: "Settings", user: int | None) -> int:
        with _without_gc():
            from bot.cli import ban
        said: list[str] = []
        code = ban.run_ban_command(config.store_url, user, said.append, write_stderr, lift=arguments.lift)
        return _print_result("".join(said), code)

    if arguments.user is None and arguments.lift:
        write_stderr("--lift needs the id of a person\n")
        return 2
    if arguments.user is None:
        return _run_with_settings(lambda config: ban_one(config, None))
    return _run_command_for_person(arguments, ban_one)


def _run_command_for_person(arguments: argparse.Namespace, command: "Callable[[Settings, int], int]") -> int:
    """Read the settings, run *command* with them and the person's Discord id from *arguments*, and return its exit
    code; 2, after one line on standard error, if either is invalid.
    """
    said = arguments.user
    if not (re.fullmatch("[0-9]{1,19}", said) and 0 < int(said) < 1 << 63):
        write_stderr(f"{said[:40]}: this is no Discord id, which is a number with up to 19 digits\n")
        return 2
    return _run_with_settings(lambda config: command(config, int(said)))


def _print_result(text: str, code: int) -> int:
    """Write *text* to standard output and return *code*; return 2, with one line on standard error, if it cannot be
    written.
    """
    try:
        write_stdout(text)
    except OSError as error:
        write_stderr(f"standard output: {error.strerror}\n")
        return 2
    return code
