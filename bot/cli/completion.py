"""``python -m bot completion``: a script with which a shell completes commands, options and the names of files."""

import argparse
from typing import Final

import shtab

FILES: Final = ("FILE", "FROM", "TO")
"""The arguments that name files, as the help calls them."""


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """What *shell* must read to complete the command that *parser* is for. The parser is of no other use then."""
    _prepare(parser)
    return shtab.complete(parser, shell)


def _prepare(parser: argparse.ArgumentParser) -> None:
    """Have arguments of *parser* and its subcommands completed as files if they name some; and have each subcommand
    described in one line, as lists of them are shown while somebody types."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for listed in action._choices_actions:
                command = action.choices[listed.dest]
                command.description = listed.help
                _prepare(command)
        elif action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined] # shtab reads it
