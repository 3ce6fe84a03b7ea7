"""What Discord refuses in a message's components, and how they are found again.

https://discord.com/developers/docs/components/reference

Selects of mentionables (users and roles at once), and premium buttons, are not here and are refused.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from local_discord.errors import invalid_form
from local_discord.forms import UPLOAD, WEB, Form, checked_list, length_error, unique
from local_discord.model import Emoji

ACTION_ROW: Final = 1
BUTTON: Final = 2
STRING_SELECT: Final = 3
TEXT_INPUT: Final = 4
USERS: Final = 5
ROLES: Final = 6
CHANNELS: Final = 8
SECTION: Final = 9
TEXT: Final = 10
THUMBNAIL: Final = 11
GALLERY: Final = 12
FILE: Final = 13
SEPARATOR: Final = 14
CONTAINER: Final = 17
LABEL: Final = 18
RADIO_GROUP: Final = 21
CHECKBOX_GROUP: Final = 22
CHECKBOX: Final = 23

IN_CONTAINER: Final = (ACTION_ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)
TOP_LEVEL_V2: Final = (*IN_CONTAINER, CONTAINER)
SELECTS: Final = (STRING_SELECT, USERS, ROLES, CHANNELS)
IN_ROW: Final = (BUTTON, *SELECTS)
DEFAULTS: Final = {USERS: "user", ROLES: "role", CHANNELS: "channel"}
"""By type of select, the type of its default values."""
LINK: Final = 5
STYLES: Final = (1, 2, 3, 4, LINK)

MOST_COMPONENTS: Final = 40
MOST_ROWS: Final = 5
MOST_TEXT: Final = 4000
MOST_DESCRIPTION: Final = 1024
MOST_OPTIONS: Final = 25
MOST_ID: Final = (1 << 31) - 1

LINKS: Final = (*WEB, "discord")

Emojis = Mapping[int, Emoji] | None
"""The custom emojis there are, by id; ``None``: not checked."""
Component = dict[str, Any]
INVALID_EMOJI: Final = ("BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
"""The code says BUTTON for options too: https://github.com/discord/discord-api-docs/issues/8071"""


def parse_components(given: Any, v2: bool, emojis: Emojis = None) -> list[Component]:
    """Return the components of a message from those in a request (*given*), checked, with defaults and ids; or raise
    ApiError (50035) if they break a limit.

    *v2*: components V2.
    """
    found = [
        _parse_message_component(Form(component, f"components.{index}"), TOP_LEVEL_V2 if v2 else (ACTION_ROW,), emojis)
        for index, component in enumerate(checked_list(given, "components", most=MOST_COMPONENTS if v2 else MOST_ROWS))
    ]
    everything = list(components_with_paths(found, "components"))
    if v2 and len(everything) > MOST_COMPONENTS:
        raise invalid_form(
            "components",
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The maximum number of total components is {MOST_COMPONENTS}",
        )
    if sum(len(c["content"]) for _, c in everything if c["type"] == TEXT) > MOST_TEXT:
        raise invalid_form(
            "components",
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"The total amount of displayable text may not exceed {MOST_TEXT} characters",
        )
    check_ids_unique(everything)
    return assign_ids(found)


def check_ids_unique(everything: list[tuple[str, Component]]) -> None:
    """Raise ApiError (50035 at the second one) if two components have the same ``id`` or ``custom_id``.

    *everything* holds (path, component).
    """
    for key, what in (("custom_id", "custom id"), ("id", "id")):
        seen = set()
        for path, component in everything:
            if component.get(key) and component[key] in seen:
                code = f"COMPONENT_{key.upper()}_DUPLICATED"
                raise invalid_form(f"{path}.{key}", code, f"Component {what} cannot be duplicated")
            seen.add(component.get(key))


def components_with_paths(found: list[Component], path: str) -> Iterator[tuple[str, Component]]:
    """Yield (path, component) for every component in *found* and inside them, in reading order; *path* is that of the
    list."""
    for index, component in enumerate(found):
        here = f"{path}.{index}"
        yield here, component
        yield from components_with_paths(component.get("components") or [], f"{here}.components")
        for key in ("accessory", "component"):
            if key in component:
                yield f"{here}.{key}", component[key]


def walk(found: list[Component]) -> Iterator[Component]:
    """Yield every component in *found*, with those inside them and their accessories, in reading order."""
    for _, component in components_with_paths(found, ""):
        yield component


def find_component(found: list[Component], custom_id: Any) -> Component | None:
    """The component in *found* with *custom_id*, also inside others; ``None``: there is none."""
    return next((c for c in walk(found) if "custom_id" in c and c["custom_id"] == custom_id), None)


def check_selected_values(select: Component, values: Any, allowed: Collection[Any]) -> None:
    """Raise ApiError (50035) if *values*, chosen in *select*, are too few, too many, repeated, or not in *allowed*."""
    right = isinstance(values, list) and select["min_values"] <= len(values) <= select["max_values"]
    if not right or not all(value in allowed for value in values) or not unique(values):
        raise invalid_form("data.values", "COMPONENT_VALIDATION_FAILED", "Component validation failed")


def assign_ids(found: list[Component]) -> list[Component]:
    """Give each component in *found*, and inside them, that has no numeric id the next free one, in place, and return
    *found*."""
    taken = {component["id"] for component in walk(found) if component.get("id")}
    following = (n for n in range(1, 10_000) if n not in taken)
    for component in walk(found):
        if not component.get("id"):
            component["id"] = next(following)
    return found


# One component


def _parse_message_component(form: Form, allowed: tuple[int, ...], emojis: Emojis) -> Component:
    """Return the component in *form*, of one of the types *allowed*, with what is inside it, checked; or raise ApiError
    (50035)."""
    kind = form.choice("type", allowed, "UNION_TYPE_CHOICES")
    return {"type": kind, "id": form.whole("id", 0, MOST_ID) or 0, **_KINDS[kind](form, emojis)}


def _parse_action_row(form: Form, emojis: Emojis) -> Component:
    """Return the content of an action row, up to five buttons or one select, checked; or raise ApiError (50035)."""
    children = [_parse_message_component(child, IN_ROW, emojis) for child in form.forms("components", 1, 5)]
    if len(children) > 1 and any(child["type"] in SELECTS for child in children):
        raise form.error_for("components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "Too wide")
    return {"components": children}


def _parse_button(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a button or link, checked; or raise ApiError (50035)."""
    style = form.choice("style", STYLES)
    form.text("label", 0, 80)
    form.boolean("disabled")
    form.text("custom_id", 1, 100, required=style != LINK)
    if form.value("url", required=style == LINK) is not None:
        form.url("url", 512, LINKS)
        if style != LINK or form.value("custom_id") is not None:
            raise invalid_form(
                form.path,
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )
    emoji = _parse_emoji_field(form, emojis)
    if not form.value("label") and not emoji:
        raise invalid_form(form.path, "BUTTON_COMPONENT_REQUIRES_LABEL_OR_EMOJI", "A button needs a label or an emoji")
    return form.only("style", "label", "custom_id", "url", "disabled") | emoji


def _parse_emoji_field(form: Form, emojis: Emojis) -> Component:
    """Return the field ``emoji`` of a button or option, checked; empty if it has none; or raise ApiError (50035)."""
    emoji = form.form("emoji")
    if emoji is None:
        return {}
    number, name = emoji.snowflake("id"), emoji.text("name")
    emoji.boolean("animated")
    if number is None:
        if not _is_emoji(name or ""):
            raise emoji.error_for("name", *INVALID_EMOJI)
        return {"emoji": {"name": name}}
    if emojis is not None and number not in emojis:
        raise emoji.error_for("id", *INVALID_EMOJI)
    return {"emoji": {"id": str(number), "name": emojis[number].name if emojis else name, "animated": False}}


def _is_emoji(name: str) -> bool:
    """Whether *name* may be an emoji of Unicode: without letters, and not ASCII.

    The list of them is not here.
    """
    letters = any(unicodedata.category(c).startswith("L") and c != "ℹ" for c in name)
    return not letters and not name.isascii() and len(name) <= 32


def _parse_select_limits(form: Form) -> tuple[int, int]:
    """Return (least, most) of what can be chosen in a select, and check its other fields; or raise ApiError (50035)."""
    form.text("custom_id", 1, 100, required=True)
    form.text("placeholder", 0, 150)
    form.boolean("disabled")
    return parse_choice_limits(form, MOST_OPTIONS, usual=1)


def parse_choice_limits(form: Form, top: int, usual: int) -> tuple[int, int]:
    """Return (least, most) choices of a select or group; or raise ApiError (50035) if they are out of range or
    contradict each other.

    *top* is the maximum of both, *usual* the default of the most.
    """
    most = form.whole("max_values", 1, top) or usual
    least = form.whole("min_values", 0, top)
    least = 1 if least is None else least
    if least > most:
        raise form.error_for("min_values", "NUMBER_TYPE_MAX", f"Value should be less than or equal to {most}.")
    return least, most


def _parse_auto_populated_select(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a select of users, roles or channels, whose options Discord fills in, checked; or raise
    ApiError (50035)."""
    least, most = _parse_select_limits(form)
    kind = DEFAULTS[form.value("type")]
    defaults = []
    for default in form.forms("default_values", most=MOST_OPTIONS):
        default.choice("type", (kind,))
        defaults.append({"id": str(default.snowflake("id", required=True)), "type": kind})
    if defaults and not least <= len(defaults) <= most:
        raise length_error(form.path_of("default_values"), least, most)
    kinds = form.list_field("channel_types")
    if kinds is not None and not all(type(it) is int for it in kinds):
        raise form.error_for("channel_types", "BASE_TYPE_CHOICES", "Value must be one of the types of channels.")
    limits = {"min_values": least, "max_values": most, "default_values": defaults}
    return form.only("custom_id", "placeholder", "disabled", "channel_types") | limits


def parse_string_select(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a string select with its options, without its type, checked; or raise ApiError (50035)."""
    least, most = _parse_select_limits(form)
    found = parse_options(form, most, MOST_OPTIONS, most)
    for option, given in zip(found, form.forms("options"), strict=True):
        option |= _parse_emoji_field(given, emojis)
    chosen: Component = {"min_values": least, "max_values": most, "options": found}
    return form.only("custom_id", "placeholder", "disabled") | chosen


def parse_options(form: Form, least: int, top: int, most_defaults: int) -> list[Component]:
    """Return the options of a select or group, without emojis, checked; or raise ApiError (50035).

    There must be *least* to *top*, with different values, at most *most_defaults* of them chosen already.
    """
    found: list[Component] = []
    for option in form.forms("options", least, top):
        option.text("label", 1, 100, required=True)
        value = option.text("value", 1, 100, required=True)
        option.text("description", 0, 100)
        option.boolean("default")
        if any(other["value"] == value for other in found):
            raise option.error_for(
                "value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used"
            )
        found.append(option.only("label", "value", "description", "default"))
    if sum(option.get("default", False) for option in found) > most_defaults:
        raise form.error_for("options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "Too many default values")
    return found


def _parse_section(form: Form, emojis: Emojis) -> Component:
    """Return the content of a section: one to three texts, and a button or thumbnail beside them; or raise ApiError
    (50035)."""
    texts = [_parse_message_component(child, (TEXT,), emojis) for child in form.forms("components", 1, 3)]
    return {
        "components": texts,
        "accessory": _parse_message_component(form.needed("accessory"), (BUTTON, THUMBNAIL), emojis),
    }


def parse_text_display(form: Form, emojis: Emojis = None) -> Component:
    """Return the content of a text display, without its type; or raise ApiError (50035) if it is empty or too long."""
    return {"content": form.text("content", 1, MOST_TEXT, required=True)}


def _parse_media_item(form: Form, emojis: Emojis) -> Component:
    """Return a thumbnail or one item of a gallery: address, description, spoiler; or raise ApiError (50035)."""
    media = {"url": form.needed("media").url("url", 2048, (*WEB, UPLOAD))}
    description = form.text("description", 1, MOST_DESCRIPTION)
    return {"media": media, "description": description, "spoiler": bool(form.boolean("spoiler"))}


def _parse_media_gallery(form: Form, emojis: Emojis) -> Component:
    """Return the content of a gallery, 1 to 10 pictures; or raise ApiError (50035)."""
    return {"items": [_parse_media_item(item, emojis) for item in form.forms("items", 1, 10)]}


def _parse_file_component(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a file component, which shows an uploaded file; or raise ApiError (50035)."""
    file = {"url": form.needed("file").url("url", 2048, (UPLOAD,))}
    return {"file": file, "spoiler": bool(form.boolean("spoiler"))}


def _parse_separator(form: Form, emojis: Emojis) -> Component:
    """Return the fields of a separator, with Discord's defaults; or raise ApiError (50035)."""
    spacing = form.choice("spacing", (1, 2)) if form.value("spacing") is not None else 1
    return {"divider": form.boolean("divider") is not False, "spacing": spacing}


def _parse_container(form: Form, emojis: Emojis) -> Component:
    """Return the content of a container: its colour and the components inside it; or raise ApiError (50035)."""
    colour, spoiler = form.whole("accent_color", 0, 0xFFFFFF), bool(form.boolean("spoiler"))
    children = form.forms("components", 1, MOST_COMPONENTS)
    inside = [_parse_message_component(child, IN_CONTAINER, emojis) for child in children]
    return {"accent_color": colour, "spoiler": spoiler, "components": inside}


_KINDS: Final[dict[int, Callable[[Form, Emojis], Component]]] = {
    ACTION_ROW: _parse_action_row,
    BUTTON: _parse_button,
    STRING_SELECT: parse_string_select,
    USERS: _parse_auto_populated_select,
    ROLES: _parse_auto_populated_select,
    CHANNELS: _parse_auto_populated_select,
    SECTION: _parse_section,
    TEXT: parse_text_display,
    THUMBNAIL: _parse_media_item,
    GALLERY: _parse_media_gallery,
    FILE: _parse_file_component,
    SEPARATOR: _parse_separator,
    CONTAINER: _parse_container,
}
