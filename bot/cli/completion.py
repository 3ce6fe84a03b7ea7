"""``python -m bot completion``: prints a script with which a shell completes commands, options and file names."""

import argparse
from typing import Final

import shtab

FILES: Final = ("FILE", "FROM", "TO")
"""The arguments that are file names, by their names in the help."""


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the completion script for *shell* (bash, zsh, fish), made from *parser*, which is changed and cannot be
    used for anything else then.
    """
    _prepare_for_completion(parser)
    return shtab.complete(parser, shell)


def _prepare_for_completion(parser: argparse.ArgumentParser) -> None:
    """Change *parser* and its subcommands: mark the arguments that are files, and shorten each description to one line.

    Shells show lists of subcommands with descriptions while somebody types.
    """
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for listed in action._choices_actions:
                command = action.choices[listed.dest]
                command.description = listed.help
                _prepare_for_completion(command)
        elif action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined] # shtab reads it
