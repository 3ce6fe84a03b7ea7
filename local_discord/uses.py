"""What a person uses, checked against what there is, and written as the bot is told of it.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-data

Discord writes this data itself: whatever else a client sends does not reach the bot.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from local_discord import commands
from local_discord.components import DEFAULTS, STRING_SELECT, Component, check_values
from local_discord.errors import ApiError, invalid_form
from local_discord.forms import Form
from local_discord.selects import Objects, choice


def command(registered: commands.Command, form: Form, files: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    """The data of an interaction: *registered* was used as *form* says; *files* are those that came with it, as
    attachment objects, by the number under which an option names them.

    Raises:
        ApiError: an option is unknown, missing, given twice, or not as it was declared (50035).
    """
    options = _options(registered["options"], form, files)
    data = {"id": registered["id"], "name": registered["name"], "type": registered["type"], "options": options}
    named = set(_attachments(options))
    chosen = {file["id"]: file for file in files.values() if file["id"] in named}
    return {**data, "resolved": {"attachments": chosen}} if chosen else data


def _attachments(options: list[dict[str, Any]]) -> Iterator[str]:
    """The ids of the files that *options* name, also those of a subcommand."""
    for option in options:
        if option["type"] == commands.ATTACHMENT:
            yield option["value"]
        yield from _attachments(option.get("options", []))


def _options(declared: list[commands.Command], form: Form, files: Mapping[int, dict[str, Any]]) -> list[dict[str, Any]]:
    """The options given in *form* to a command or subcommand with the options *declared*."""
    known = {option["name"]: option for option in declared}
    given = form.forms("options", most=commands.MOST_OPTIONS)
    names = [option.text("name", required=True) for option in given]
    for index, name in enumerate(names):
        if name not in known:
            raise _refused(form, "APPLICATION_COMMAND_OPTION_UNKNOWN", "This option does not exist")
        if name in names[:index]:
            raise _refused(form, "APPLICATION_COMMAND_OPTION_DUPLICATE", "This option was given twice")
    if any(option["type"] not in commands.VALUES for option in declared) and len(given) != 1:
        raise _refused(form, "APPLICATION_COMMAND_OPTION_MISSING", "A subcommand is required")
    for name, option in known.items():
        if option.get("required") and name not in names:
            raise _refused(form, "APPLICATION_COMMAND_OPTION_MISSING", f"{name} is required")
    return [_option(known[str(name)], option, files) for name, option in zip(names, given, strict=True)]


def _option(declared: commands.Command, form: Form, files: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    kind = form.choice("type", (declared["type"],))
    if kind not in commands.VALUES:
        return {"type": kind, "name": declared["name"], "options": _options(declared["options"], form, files)}
    commands.check_value(form, declared)
    value = form.value("value")
    if kind == commands.ATTACHMENT:
        file = files.get(form.snowflake("value", required=True) or 0)
        if file is None:
            raise form.refused("value", "ATTACHMENT_NOT_FOUND", "Attachment data not found")
        value = file["id"]
    choices = [choice["value"] for choice in declared.get("choices", [])]
    if choices and value not in choices:
        raise form.refused("value", "APPLICATION_COMMAND_INVALID_CHOICE", "This is none of the choices")
    return {"type": kind, "name": declared["name"], "value": value}


def _refused(form: Form, code: str, message: str) -> ApiError:
    return form.refused("options", code, message)


def component(
    used: Component | None, form: Form, there: Callable[[Component], Mapping[str, Objects]]
) -> dict[str, Any]:
    """The data of an interaction: the component *used* was used as *form* says. *there* finds what there is to choose
    from in a select that Discord fills.

    Raises:
        ApiError: there is no such component, it cannot be used, or the choice is none (50035).
    """
    kind = form.value("component_type")
    if used is None or used.get("disabled") or isinstance(kind, bool) or kind != used["type"]:
        raise invalid_form(form.path, "COMPONENT_VALIDATION_FAILED", "Component validation failed")
    data = {"id": used["id"], "custom_id": used["custom_id"], "component_type": used["type"]}
    if used["type"] in DEFAULTS:
        return {**data, **choice(used, form.value("values"), there(used))}
    if used["type"] != STRING_SELECT:
        return data
    check_values(used, form.value("values"), [option["value"] for option in used["options"]])
    return {**data, "values": form.value("values")}
