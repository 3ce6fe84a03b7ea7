"""What a person uses, checked against what there is, and written as the bot is told of it.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-data

Discord writes this data itself: whatever else a client sends does not reach the bot.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from local_discord import commands, serialize
from local_discord.components import DEFAULTS, ROLES, STRING_SELECT, USERS, Component, check_selected_values
from local_discord.errors import ApiError, invalid_form
from local_discord.forms import Form
from local_discord.model import Channel, User
from local_discord.world import World

Objects = dict[str, dict[str, Any]]
"""By id."""


def command_data(registered: commands.Command, form: Form, files: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    """Return the interaction data of the used command *registered* with the options in *form* and its *files*; or raise
    ApiError (50035).

    An option is wrong if it is unknown, missing, given twice, or not as it was declared.
    """
    options = _parse_given_options(registered["options"], form, files)
    data = {"id": registered["id"], "name": registered["name"], "type": registered["type"], "options": options}
    named = set(_option_attachment_ids(options))
    chosen = {file["id"]: file for file in files.values() if file["id"] in named}
    return {**data, "resolved": {"attachments": chosen}} if chosen else data


def _option_attachment_ids(options: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the ids of the files that *options* name, including those of a subcommand."""
    for option in options:
        if option["type"] == commands.ATTACHMENT:
            yield option["value"]
        yield from _option_attachment_ids(option.get("options", []))


def _parse_given_options(
    declared: list[commands.Command], form: Form, files: Mapping[int, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the options given in *form* to a command or subcommand, checked against *declared*; or raise ApiError
    (50035)."""
    known = {option["name"]: option for option in declared}
    given = form.forms("options", most=commands.MOST_OPTIONS)
    names = [option.text("name", required=True) for option in given]
    for index, name in enumerate(names):
        if name not in known:
            raise _invalid_options_error(form, "APPLICATION_COMMAND_OPTION_UNKNOWN", "This option does not exist")
        if name in names[:index]:
            raise _invalid_options_error(form, "APPLICATION_COMMAND_OPTION_DUPLICATE", "This option was given twice")
    if any(option["type"] not in commands.VALUES for option in declared) and len(given) != 1:
        raise _invalid_options_error(form, "APPLICATION_COMMAND_OPTION_MISSING", "A subcommand is required")
    for name, option in known.items():
        if option.get("required") and name not in names:
            raise _invalid_options_error(form, "APPLICATION_COMMAND_OPTION_MISSING", f"{name} is required")
    return [_parse_given_option(known[str(name)], option, files) for name, option in zip(names, given, strict=True)]


def _parse_given_option(declared: commands.Command, form: Form, files: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    """Return one option given in *form*, with its value or inner options, checked against *declared*; or raise ApiError
    (50035)."""
    kind = form.choice("type", (declared["type"],))
    if kind not in commands.VALUES:
        return {
            "type": kind,
            "name": declared["name"],
            "options": _parse_given_options(declared["options"], form, files),
        }
    commands.check_option_value(form, declared)
    value = form.value("value")
    if kind == commands.ATTACHMENT:
        file = files.get(form.snowflake("value", required=True) or 0)
        if file is None:
            raise form.error_for("value", "ATTACHMENT_NOT_FOUND", "Attachment data not found")
        value = file["id"]
    choices = [choice["value"] for choice in declared.get("choices", [])]
    if choices and value not in choices:
        raise form.error_for("value", "APPLICATION_COMMAND_INVALID_CHOICE", "This is none of the choices")
    return {"type": kind, "name": declared["name"], "value": value}


def _invalid_options_error(form: Form, code: str, message: str) -> ApiError:
    """Build the error (50035) for the options in *form*, for the caller to raise."""
    return form.error_for("options", code, message)


def component_data(world: World, used: Component | None, form: Form, channel: Channel, person: User) -> dict[str, Any]:
    """Return the interaction data of the component *used* by *person* in *channel*, with the choices in *form*; or
    raise ApiError (50035).

    Raises:
        ApiError: there is no such component, it cannot be used, or the choice is none (50035).
    """
    kind = form.value("component_type")
    if used is None or used.get("disabled") or isinstance(kind, bool) or kind != used["type"]:
        raise invalid_form(form.path, "COMPONENT_VALIDATION_FAILED", "Component validation failed")
    data = {"id": used["id"], "custom_id": used["custom_id"], "component_type": used["type"]}
    if used["type"] in DEFAULTS:
        return {
            **data,
            **_selection_data(used, form.value("values"), _selectable_objects(world, used, channel, person)),
        }
    if used["type"] != STRING_SELECT:
        return data
    check_selected_values(used, form.value("values"), [option["value"] for option in used["options"]])
    return {**data, "values": form.value("values")}


def _selection_data(select: dict[str, Any], values: Any, there: Mapping[str, Objects]) -> dict[str, Any]:
    """Return the fields ``values`` and ``resolved`` for *values* chosen in *select*; or raise ApiError (50035) if they
    are too few, too many, repeated or not offered.

    *there* is what can be chosen.
    """
    (first, *_) = there
    check_selected_values(select, values, there[first])
    resolved = {key: {value: found[value] for value in values} for key, found in there.items()}
    return {"values": values, "resolved": resolved if values else {}}


def _selectable_objects(world: World, select: dict[str, Any], channel: Channel, person: User) -> Mapping[str, Objects]:
    """Return what *person* can choose in *select*, as objects by id; what the values name comes first.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-resolved-data-structure
    """
    if channel.guild is None:
        people = [world.users[user] for user in channel.recipients]
        return {"users": _by_id([serialize.user(it) for it in people])} if select["type"] == USERS else {"none": {}}
    guild = world.guilds[channel.guild]
    if select["type"] == USERS:
        people = [world.users[user] for user in guild.members]
        members = {str(it.id): _partial_member(it, guild.id) for it in people}
        return {"users": _by_id([serialize.user(it) for it in people]), "members": members}
    if select["type"] == ROLES:
        return {"roles": _by_id(serialize.roles(guild.id))}
    found = [world.channels[it] for it in guild.channels]
    kinds = select.get("channel_types")
    there = [it for it in found if world.can_see(person, it) and (not kinds or int(it.type) in kinds)]
    return {"channels": {str(it.id): _partial_channel(world, it, person) for it in there}}


def _by_id(objects: list[dict[str, Any]]) -> Objects:
    """Return *objects* by their id."""
    return {it["id"]: it for it in objects}


def _partial_member(person: User, guild: int) -> dict[str, Any]:
    """Return a partial member object of *person* in *guild*: without user, deaf and mute."""
    left_out = ("user", "deaf", "mute")
    return {key: value for key, value in serialize.member(person, guild).items() if key not in left_out}


def _partial_channel(world: World, it: Channel, person: User) -> dict[str, Any]:
    """Return the partial channel object of *it* for ``resolved``, with the permissions of *person*."""
    whole = world.channel_object(it, person)
    known = {key: whole[key] for key in ("id", "name", "type", "parent_id", "thread_metadata") if key in whole}
    return known | {"permissions": str(world.permissions(person, it))}
