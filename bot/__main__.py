"""``python -m bot``, installed ``diciassette``: the command line, a function for each command.

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
from typing import TYPE_CHECKING

from bot.arguments import parser
from bot.streams import complain, open_closed_streams, say

if TYPE_CHECKING:
    from bot.settings import Settings


def main() -> None:
    """Run the program. Where it fails it says why in one line on standard error; the exit code is 2 if a setting is
    wrong, and 1 if the local Discord has ended: starting again may help."""
    open_closed_streams()
    arguments = parser().parse_args(sys.argv[1:] or ["run"])
    without_settings = {"verify": _verify, "unit": _unit, "export": _export, "erase": _erase}
    known = {"health": _health, "doctor": _doctor, "backup": _backup, "restore": _restore, "move": _move}
    if arguments.command in without_settings:
        raise SystemExit(without_settings[arguments.command](arguments))
    command = known.get(arguments.command, _run)
    raise SystemExit(_with_settings(lambda config: command(arguments, config)))


def _with_settings(command: "Callable[[Settings], int]") -> int:
    """The exit code of *command*, or the one for a setting that is wrong."""
    from bot import settings

    try:
        return command(settings.read())
    except settings.BadSetting as error:
        complain(f"{error}\n")
        return 2


@contextmanager
def _importing() -> Iterator[None]:
    """Around large imports: nothing of them is garbage, and to look for it would take a fifth of their time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _run(arguments: argparse.Namespace, config: "Settings") -> int:
    """Run the bot until it is told to stop."""
    from bot.settings import BadSetting

    if arguments.discord and config.token is None:
        raise BadSetting("DISCORD_TOKEN", None, "it is not set; put the token of your bot into .env")
    with _importing():
        from bot.run import run
    return run(config)


def _health(_: argparse.Namespace, config: "Settings") -> int:
    """Ask the running bot whether it is alive."""
    from bot.settings import BadSetting
    from bot.watching import health

    if config.metrics_port is None:
        raise BadSetting("METRICS_PORT", None, "it is not set: the bot answers nobody; give it a port")
    said: list[str] = []
    code = health.run(config.metrics_host, config.metrics_port, said.append)
    return _said("".join(said), code)


def _doctor(_: argparse.Namespace, config: "Settings") -> int:
    """Look through the database."""
    from bot import doctor
    from bot.store.backup import plan_of

    said: list[str] = []
    code = asyncio.run(doctor.run(config.store_url, said.append, plan_of(config)))
    return _said("".join(said), code)


def _verify(arguments: argparse.Namespace) -> int:
    """Check a record."""
    from bot.verify import read, report
    from engine.errors import BadRecord
    from engine.verify import Noted

    noted = Noted(arguments.code, arguments.deal, arguments.message, tuple(arguments.cut))
    try:
        lines = report(read(arguments.file), noted)
    except BadRecord as error:
        complain(f"{error}\n")
        return 1
    except OSError as error:
        complain(f"{arguments.file}: {error.strerror}\n")
        return 1
    return _said("".join(f"{line}\n" for line in lines), 0)


def _backup(arguments: argparse.Namespace, config: "Settings") -> int:
    """Copy the database."""
    from sqlalchemy.exc import SQLAlchemyError

    from bot.store.backup import BadBackup, backup
    from bot.store.database import Unavailable, called
    from bot.store.writer import why_not

    try:
        backup(config.store_url, arguments.file)
    except (FileNotFoundError, FileExistsError) as error:
        complain(f"{error}\n")
        return 2
    except Unavailable as error:
        complain(f"no backup was made: {called(config.store_url)} cannot be read: {error}\n")
        return 2
    except (OSError, sqlite3.Error, SQLAlchemyError, BadBackup) as error:
        complain(f"no backup was made: {why_not(error)}\n")
        return 2
    return _said(f"saved: {arguments.file.absolute()} ({arguments.file.stat().st_size} bytes)\n", 0)


def _restore(arguments: argparse.Namespace, config: "Settings") -> int:
    """Put a backup in place of the database."""
    from bot.settings import LOCAL_STORE
    from bot.store.backup import BadBackup, place_of, restore
    from bot.store.files import AlreadyRunning
    from bot.store.writer import why_not

    try:
        kept = restore(config.store_url, arguments.file)
    except AlreadyRunning as other:
        complain(f"{other} runs on this database; stop it first\n")
        return 2
    except BadBackup as error:
        complain(f"{error}\n")
        return 2
    except OSError as error:
        complain(f"{error.filename2 or error.filename or arguments.file}: {why_not(error)}\n")
        return 2
    except sqlite3.Error as error:
        complain(f"{arguments.file}: {why_not(error)}\n")
        return 2
    before = "there was no database before" if kept is None else f"what was there is now {kept}"
    local = "this is the database of the local Discord, as DISCORD_TOKEN is not set\n"
    is_local = config.token is None and config.store_url == LOCAL_STORE
    return _said(f"restored: {place_of(config.store_url).resolve()}; {before}\n{local if is_local else ''}", 0)


def _move(arguments: argparse.Namespace, config: "Settings") -> int:
    """Copy everything from one database to another."""
    from bot.store.transfer import CannotMove, move, named

    said: list[str] = []
    try:
        target = named(arguments.target or config.store_url)
        asyncio.run(move(named(arguments.source), target, said.append))
    except CannotMove as error:
        complain(f"{error}\n")
        return 2
    return _said("".join(f"{line}\n" for line in said) + "everything is there, and the same\n", 0)


def _unit(arguments: argparse.Namespace) -> int:
    """Print a service for systemd."""
    from bot import unit

    try:
        script = unit.program()
        said = (
            unit.own_unit(script, Path.cwd())
            if arguments.mine
            else unit.system_unit(script, arguments.user, unit.python())
        )
    except unit.NoService as error:
        complain(f"{error}\n")
        return 2
    return _said(said, 0)


def _export(arguments: argparse.Namespace) -> int:
    """Write what is known of one person."""

    def write(config: "Settings", user: int) -> int:
        with _importing():
            from bot import export
        return export.run(config.store_url, user, arguments.file, complain)

    return _about_one(arguments, write)


def _erase(arguments: argparse.Namespace) -> int:
    """Erase one person."""

    def erase_one(config: "Settings", user: int) -> int:
        with _importing():
            from bot import erase
        return erase.run(config.store_url, user, complain, sure=arguments.yes)

    return _about_one(arguments, erase_one)


def _about_one(arguments: argparse.Namespace, command: "Callable[[Settings, int], int]") -> int:
    """The exit code of *command* about the person whom *arguments* name; 2 if that is no id."""
    said = arguments.user
    if not (re.fullmatch("[0-9]{1,19}", said) and 0 < int(said) < 1 << 63):
        complain(f"{said[:40]}: this is no Discord id, which is a number with up to 19 digits\n")
        return 2
    return _with_settings(lambda config: command(config, int(said)))


def _said(text: str, code: int) -> int:
    """Write *text*, and return *code*: 2, after one line on standard error, if it cannot be written."""
    try:
        say(text)
    except OSError as error:
        complain(f"standard output: {error.strerror}\n")
        return 2
    return code


if __name__ == "__main__":
    main()
