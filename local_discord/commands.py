"""Application commands: what Discord refuses in a registration, and who is offered which command where.

https://discord.com/developers/docs/interactions/application-commands

Only slash commands are here. Options for users, channels, roles and mentionables, and autocomplete, are refused: their
interactions carry data that this server has not.
"""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from local_discord.checks import unsupported_field_error
from local_discord.errors import invalid_form
from local_discord.forms import Form, checked_list, unique
from local_discord.model import ALL_PERMISSIONS, PERMISSIONS, Context, Install

Command = dict[str, Any]
_NAME: Final = re.compile(r"[-_'\w]{1,32}")
MOST_COMMANDS: Final = 100
MOST_OPTIONS: Final = 25
MOST_CHARACTERS: Final = 8000
"""Of a command's names, descriptions and values together."""
MOST_TEXT: Final = 6000
MOST_WHOLE: Final = (1 << 53) - 1
MOST_PERMISSIONS: Final = (1 << 63) - 1

SLASH: Final = 1
SUB_COMMAND: Final = 1
SUB_COMMAND_GROUP: Final = 2
STRING: Final = 3
INTEGER: Final = 4
BOOLEAN: Final = 5
NUMBER: Final = 10
ATTACHMENT: Final = 11
FILE_TYPES: Final = ("image", "video", "audio")
VALUES: Final = (STRING, INTEGER, BOOLEAN, NUMBER, ATTACHMENT)
CONTEXTS: Final = tuple(int(it) for it in Context)
INSTALLS: Final = tuple(int(it) for it in Install)

LOCALES: Final = (
    *("id", "da", "de", "en-GB", "en-US", "es-ES", "es-419", "fr", "hr", "it", "lt", "hu", "nl", "no", "pl", "pt-BR"),
    *("ro", "fi", "sv-SE", "vi", "tr", "cs", "el", "bg", "ru", "uk", "hi", "th", "zh-CN", "ja", "zh-TW", "ko"),
)
"""https://discord.com/developers/docs/reference#locales"""


def parse_commands(commands: Any) -> list[Command]:
    """Return the slash commands in *commands*, the body of a registration, completed with Discord's defaults; ApiError
    (50035) if they break a limit."""
    found = [_parse_command(Form(it, str(i))) for i, it in enumerate(checked_list(commands, "", most=MOST_COMMANDS))]
    names = [command["name"] for command in found]
    for index, name in enumerate(names):
        if name in names[:index]:
            code = "APPLICATION_COMMANDS_DUPLICATE_NAME"
            raise invalid_form(str(index), code, "Application command names must be unique")
    return found


def _parse_command(form: Form) -> Command:
    """Return the slash command in *form*, checked and completed with Discord's defaults; or raise ApiError (50035).

    https://discord.com/developers/docs/interactions/application-commands#application-command-object. It says that
    ``integration_types`` becomes what the application supports by default, but it becomes an installation to a server
    alone: https://github.com/discord/discord-api-docs/issues/7108.
    """
    if form.value("type") is not None:
        form.choice("type", (SLASH,))
    options = form.forms("options", most=MOST_OPTIONS)
    found = {
        "type": SLASH,
        **_parse_name_and_description(form),
        "options": _parse_command_options(options, (SUB_COMMAND, SUB_COMMAND_GROUP, *VALUES)),
        "default_member_permissions": _parse_default_permissions(form),
        "dm_permission": form.boolean("dm_permission") is not False,
        "contexts": _parse_enum_list(form, "contexts", CONTEXTS),
        "integration_types": _parse_enum_list(form, "integration_types", INSTALLS) or [int(Install.GUILD)],
        "nsfw": bool(form.boolean("nsfw")),
    }
    if _count_command_characters(found) > MOST_CHARACTERS:
        message = f"Command exceeds maximum size ({MOST_CHARACTERS})"
        raise invalid_form(form.path, "APPLICATION_COMMAND_TOO_LARGE", message)
    return found


def _parse_default_permissions(form: Form) -> str | None:
    """Return the permissions (a number as text) that a person needs for the command in *form*; ``None``: no special
    ones; or raise ApiError."""
    found = form.value("default_member_permissions")
    if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 20:
        found = int(found)
        form = Form({"default_member_permissions": found}, form.path)
    form.whole("default_member_permissions", 0, MOST_PERMISSIONS)
    return None if found is None else str(found)


def _parse_enum_list(form: Form, key: str, allowed: Sequence[int]) -> list[int] | None:
    """Return the list *key* of *form*: some of *allowed*, each once, not empty; ``None`` if it is missing. Otherwise
    raise ApiError."""
    found = form.list_field(key, least=1, most=len(allowed))
    if found is None:
        return None
    for index, item in enumerate(found):
        Form({str(index): item}, form.path_of(key)).choice(str(index), allowed)
    if not unique(found):
        raise form.error_for(key, "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value")
    return found


def _parse_name_and_description(form: Form) -> Command:
    """Return the name and the description of a command or option in *form*, each with its translations; or raise
    ApiError (50035)."""
    return {
        **_parse_localized_text(form, "name", _check_name),
        **_parse_localized_text(form, "description", _check_sentence),
    }


def _parse_localized_text(form: Form, key: str, check_text: Callable[[Form, str], None]) -> Command:
    """Return the text *key* of *form* with its translations, each checked by *check_text*; or raise ApiError
    (50035)."""
    check_text(form, key)
    found = {key: form.value(key)}
    translated = form.value(f"{key}_localizations")
    if translated is not None and not isinstance(translated, dict):
        message = "Only dictionaries may be used in a DictType"
        raise form.error_for(f"{key}_localizations", "DICT_TYPE_CONVERT", message)
    texts = Form(translated or {}, form.path_of(f"{key}_localizations"))
    for locale in texts.data:
        if locale not in LOCALES:
            message = f"Value must be one of {LOCALES}."
            raise texts.error_for(locale, "BASE_TYPE_CHOICES", message)
        check_text(texts, locale)
    return found if translated is None else {**found, f"{key}_localizations": translated}


def _check_name(form: Form, key: str) -> None:
    """Raise ApiError (50035) unless the text *key* of *form* is a valid name of a command."""
    name = form.text(key, required=True) or ""
    if not _NAME.fullmatch(name) or name != name.lower():
        raise form.error_for(key, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _check_sentence(form: Form, key: str) -> None:
    """Raise ApiError (50035) unless the text *key* of *form* is there and has 1 to 100 characters."""
    form.text(key, 1, 100, required=True)


def _parse_command_options(forms: list[Form], allowed: tuple[int, ...]) -> list[Command]:
    """Return the options in *forms*, each of a type in *allowed*, checked also against each other; or raise ApiError
    (50035)."""
    found: list[Command] = []
    for form in forms:
        kind = form.choice("type", allowed)
        option = {"type": kind, **_parse_name_and_description(form), **_parse_option_details(form, kind)}
        if found and (kind in VALUES) != (found[0]["type"] in VALUES):
            message = "Sub-command and sub-command group option types are mutually exclusive to all other types"
            raise invalid_form(form.path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
        if any(other["name"] == option["name"] for other in found):
            message = f"Option name {option['name']} is already used"
            raise invalid_form(form.path, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message)
        if option.get("required") and not all(other["required"] for other in found):
            message = "Required options must be placed before non-required options"
            raise invalid_form(form.path, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        found.append(option)
    return found


def _parse_option_details(form: Form, kind: int) -> Command:
    """Return what an option of type *kind* has besides its texts (limits, choices, options ...), checked; or raise
    ApiError (50035)."""
    if kind == SUB_COMMAND_GROUP:
        return {"options": _parse_command_options(form.forms("options", 1, MOST_OPTIONS), (SUB_COMMAND,))}
    if kind == SUB_COMMAND:
        return {"options": _parse_command_options(form.forms("options", most=MOST_OPTIONS), VALUES)}
    if form.boolean("autocomplete"):
        raise unsupported_field_error(form, "autocomplete")
    found: Command = {"required": bool(form.boolean("required"))}
    if kind == STRING:
        found |= _parse_min_max(form, "length", lambda key: form.whole(key, 1 if key == "max_length" else 0, MOST_TEXT))
    elif kind == INTEGER:
        found |= _parse_min_max(form, "value", lambda key: form.whole(key, -MOST_WHOLE, MOST_WHOLE))
    elif kind == NUMBER:
        found |= _parse_min_max(form, "value", lambda key: form.number(key, -MOST_WHOLE - 1, MOST_WHOLE + 1))
    elif kind == ATTACHMENT and (types := form.list_field("file_types")):
        for number, name in enumerate(types):
            if name not in FILE_TYPES and not (isinstance(name, str) and re.fullmatch(r"\.[a-z0-9]+", name)):
                raise invalid_form(
                    form.path_of(f"file_types.{number}"), "BASE_TYPE_CHOICES", f"{FILE_TYPES} or .EXTENSION"
                )
        found["file_types"] = types
    choices = form.forms("choices", most=MOST_OPTIONS)
    if choices and kind in (BOOLEAN, ATTACHMENT):
        raise form.error_for(
            "choices", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This type of option has no choices"
        )
    return {**found, "choices": _parse_option_choices(choices, kind)} if choices else found


def _parse_min_max(form: Form, what: str, read: Callable[[str], float | None]) -> Command:
    """Return the fields min_*what* and max_*what* of an option, as far as they are there, each checked by *read*;
    ApiError if they contradict each other."""
    least, most = read(f"min_{what}"), read(f"max_{what}")
    if least is not None and most is not None and least > most:
        raise form.error_for(f"min_{what}", "NUMBER_TYPE_MAX", f"Value should be less than or equal to {most}.")
    return form.only(f"min_{what}", f"max_{what}")


def _parse_option_choices(forms: list[Form], kind: int) -> list[Command]:
    """Return the choices of an option of type *kind*, each with translated name and value, checked; or raise ApiError
    (50035)."""
    found: list[Command] = []
    for form in forms:
        name = _parse_localized_text(form, "name", _check_sentence)
        check_option_value(form, {"type": kind}, most=100)
        if any(other["name"] == name["name"] for other in found):
            message = "The choice name is already used"
            raise invalid_form(form.path, "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS", message)
        found.append({**name, **form.only("value")})
    return found


def check_option_value(form: Form, option: Command, most: int = MOST_TEXT) -> None:
    """Raise ApiError (50035) if the ``value`` in *form* is missing or does not fit *option* in type or range; a text
    has at most *most* characters."""
    form.value("value", required=True)
    match option["type"]:
        case 3:
            form.text("value", option.get("min_length", 0), min(most, option.get("max_length", most)))
        case 4:
            form.whole("value", option.get("min_value", -MOST_WHOLE), option.get("max_value", MOST_WHOLE))
        case 5:
            form.boolean("value")
        case 11:
            form.snowflake("value")
        case _:
            form.number("value", option.get("min_value", -MOST_WHOLE - 1), option.get("max_value", MOST_WHOLE + 1))


def _count_command_characters(item: Command) -> int:
    """Count the characters of a command, option or choice, with all inside it, that count for the size limit: of each
    text the longest translation."""
    texts = [
        max(map(len, (item.get(key, ""), *(item.get(f"{key}_localizations") or {}).values())))
        for key in ("name", "description")
    ]
    inner = [_count_command_characters(it) for key in ("options", "choices") for it in item.get(key) or []]
    return sum(texts) + sum(inner) + len(str(item.get("value", "")))


def usable_installs(command: Command, context: Context, installs: Collection[Install]) -> list[Install]:
    """Return those of the *installs* (what a person has of the application in a channel) by which they can use
    *command* in a *context* of that kind; empty if it is not offered.

    Age-restricted commands are there in private channels, and in no server: no channel here is age-restricted.
    https://discord.com/developers/docs/interactions/application-commands#contexts
    """
    contexts = command["contexts"] or (CONTEXTS if command["dm_permission"] else (Context.GUILD,))
    if context not in contexts or (context is Context.GUILD and command["nsfw"]):
        return []
    return sorted(it for it in installs if it in command["integration_types"])


def may_use_command(command: Command, context: Context, permissions: int) -> bool:
    """Whether a person with *permissions* may use *command* in a *context* of this kind: everywhere, or in a server by
    the command's own permissions.

    https://discord.com/developers/docs/interactions/application-commands#using-default-permissions
    """
    needed = command["default_member_permissions"]
    if not permissions & PERMISSIONS["use_application_commands"]:
        return False
    if context is not Context.GUILD or needed is None or permissions == ALL_PERMISSIONS:
        return True
    return needed != "0" and int(needed) & permissions == int(needed)
