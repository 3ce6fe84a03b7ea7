"""Application commands: what Discord refuses in a registration and when a person uses one.

https://discord.com/developers/docs/interactions/application-commands
"""

import re
from typing import Any, Final

from local_discord.errors import invalid_form
from local_discord.model import Channel, ChannelType

_NAME: Final = re.compile(r"[-_'\w]{1,32}")
MOST_COMMANDS: Final = 100
SUB_COMMAND: Final = 1
SUB_COMMAND_GROUP: Final = 2


def check(commands: Any) -> None:
    """Check *commands*, the body of a registration.

    Raises:
        ApiError: they break a limit (50035).
    """
    if not isinstance(commands, list) or len(commands) > MOST_COMMANDS:
        raise invalid_form("", "BASE_TYPE_BAD_LENGTH", f"Must be {MOST_COMMANDS} or fewer in length.")
    names = [command.get("name") for command in commands]
    for index, command in enumerate(commands):
        if names.count(command.get("name")) > 1:
            raise invalid_form(
                str(index), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
        _check(command, str(index))


def _check(item: dict[str, Any], path: str) -> None:
    """Check a command or an option (*item*), its texts in every language, its options and its choices."""
    for key, names in (("name", [item.get("name")]), ("name_localizations", _values(item, "name_localizations"))):
        for name in names:
            if not isinstance(name, str) or not _NAME.fullmatch(name) or name != name.lower():
                raise invalid_form(f"{path}.{key}", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    for text in (item.get("description"), *_values(item, "description_localizations")):
        if not isinstance(text, str) or not 1 <= len(text) <= 100:
            raise invalid_form(f"{path}.description", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
    options = item.get("options") or []
    if len(options) > 25:
        raise invalid_form(f"{path}.options", "BASE_TYPE_BAD_LENGTH", "Must be between 0 and 25 in length.")
    for index, option in enumerate(options):
        _check(option, f"{path}.options.{index}")
    for index, choice in enumerate(item.get("choices") or []):
        for name in (choice.get("name"), *_values(choice, "name_localizations")):
            if not isinstance(name, str) or not 1 <= len(name) <= 100:
                raise invalid_form(
                    f"{path}.choices.{index}.name", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length."
                )


def _values(item: dict[str, Any], key: str) -> list[Any]:
    return list((item.get(key) or {}).values())


def leaf(command: dict[str, Any], options: list[dict[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The command or subcommand that *options* lead to, and the options given to it.

    Discord nests them: a subcommand is an option that holds the options given to it.

    Raises:
        ApiError: *command* needs a subcommand, and *options* name none (50035).
    """
    declared = {option["name"]: option for option in command.get("options") or []}
    if any(option["type"] in (SUB_COMMAND, SUB_COMMAND_GROUP) for option in declared.values()):
        if len(options) != 1 or options[0].get("name") not in declared:
            raise invalid_form("data.options", "APPLICATION_COMMAND_OPTION_MISSING", "A subcommand is required")
        return leaf(declared[options[0]["name"]], options[0].get("options") or [])
    return command, options


def check_invocation(command: dict[str, Any], options: list[dict[str, Any]]) -> None:
    """Check *options*, what a person gave, against what *command* declares.

    Raises:
        ApiError: one is unknown or missing, or is none of the choices (50035).
    """
    target, given = leaf(command, options)
    declared = {option["name"]: option for option in target.get("options") or []}
    names = {option.get("name") for option in given}
    for option in given:
        expected = declared.get(str(option.get("name")))
        if expected is None:
            raise invalid_form("data.options", "APPLICATION_COMMAND_OPTION_UNKNOWN", "This option does not exist")
        choices = [choice["value"] for choice in expected.get("choices") or []]
        if choices and option.get("value") not in choices:
            raise invalid_form("data.options", "APPLICATION_COMMAND_INVALID_CHOICE", "This is none of the choices")
    for name, option in declared.items():
        if option.get("required") and name not in names:
            raise invalid_form("data.options", "APPLICATION_COMMAND_OPTION_MISSING", f"{name} is required")


def usable(command: dict[str, Any], channel: Channel) -> bool:
    """Whether *command* is offered in *channel*. Direct messages do not offer commands for servers only."""
    if channel.type is not ChannelType.DM:
        return True
    contexts = command.get("contexts")
    return 1 in contexts if contexts else command.get("dm_permission") is not False
