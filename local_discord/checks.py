"""What Discord refuses in a message: error 50035 with the path, or 50006.

Limits: https://discord.com/developers/docs/components/reference and .../resources/message
"""

from collections.abc import Iterator
from typing import Any, Final

from local_discord.errors import ApiError, empty_message, invalid_form
from local_discord.model import MessageFlag

ACTION_ROW: Final = 1
BUTTON: Final = 2
STRING_SELECT: Final = 3
TEXT_INPUT: Final = 4
SELECTS: Final = (3, 5, 6, 7, 8)
SECTION: Final = 9
TEXT: Final = 10
THUMBNAIL: Final = 11
GALLERY: Final = 12
FILE: Final = 13
SEPARATOR: Final = 14
CONTAINER: Final = 17

TOP_LEVEL_V2: Final = (ACTION_ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER)
IN_CONTAINER: Final = (ACTION_ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)
LINK: Final = 5
PREMIUM: Final = 6

MOST_COMPONENTS: Final = 40
MOST_TEXT: Final = 4000
MOST_DESCRIPTION: Final = 1024
MOST_CONTENT: Final = 2000


def check_message(data: dict[str, Any], flags: int, *, partial: bool = False) -> None:
    """Check *data*, a request's body, that is to be a message with *flags*. An edit (*partial*) may lack any field.

    Raises:
        ApiError: it breaks a limit (50035), or the message would be empty (50006).
    """
    content, embeds = data.get("content"), data.get("embeds")
    components = data.get("components")
    if content is not None and (not isinstance(content, str) or len(content) > MOST_CONTENT):
        raise _too_long("content", MOST_CONTENT)
    if embeds is not None and len(embeds) > 10:
        raise invalid_form("embeds", "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    v2 = bool(flags & MessageFlag.COMPONENTS_V2)
    if v2 and (content or embeds or data.get("poll") or data.get("sticker_ids")):
        field = "content" if content else "embeds"
        raise invalid_form(
            field,
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
        )
    if components is not None:
        check_components(components, v2)
    if not partial and not (content or embeds or components):
        raise empty_message()


def check_components(components: Any, v2: bool) -> None:
    """Check *components*, the list of a whole message; *v2*: it has the flag for components V2.

    Raises:
        ApiError: they break a limit (50035).
    """
    if not isinstance(components, list):
        raise invalid_form("components", "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
    if not v2 and len(components) > 5:
        raise invalid_form("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    allowed = TOP_LEVEL_V2 if v2 else (ACTION_ROW,)
    for index, component in enumerate(components):
        _check(component, f"components.{index}", allowed)
    everything = list(walk(components))
    if v2 and len(everything) > MOST_COMPONENTS:
        raise invalid_form(
            "components",
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The maximum number of total components is {MOST_COMPONENTS}",
        )
    if sum(len(c.get("content", "")) for c in everything if c["type"] == TEXT) > MOST_TEXT:
        raise invalid_form(
            "components",
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"The total amount of displayable text may not exceed {MOST_TEXT} characters",
        )
    seen: set[str] = set()
    for component in everything:
        custom_id = component.get("custom_id")
        if custom_id in seen:
            raise invalid_form(
                "components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated"
            )
        if custom_id is not None:
            seen.add(custom_id)


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component in *components*, with those inside them and their accessories, in reading order."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        if component.get("accessory"):
            yield from walk([component["accessory"]])


def _check(component: Any, path: str, allowed: tuple[int, ...]) -> None:
    """Check *component* and what is inside it; *allowed* are the types that may stand at *path*."""
    kind = component.get("type") if isinstance(component, dict) else None
    if kind not in allowed:
        choices = ", ".join(map(str, allowed))
        raise invalid_form(f"{path}.type", "UNION_TYPE_CHOICES", f'Value of field "type" must be one of ({choices}).')
    children = component.get("components") or []
    match kind:
        case 1:
            _check_row(children, path)
        case 2:
            _check_button(component, path)
        case 3:
            _check_select(component, path)
        case 9:
            _length(children, f"{path}.components", 1, 3)
            for index, child in enumerate(children):
                _check(child, f"{path}.components.{index}", (TEXT,))
            _check(component.get("accessory"), f"{path}.accessory", (BUTTON, THUMBNAIL))
        case 10:
            _text(component, "content", path, 1, MOST_TEXT)
        case 12:
            items = component.get("items") or []
            _length(items, f"{path}.items", 1, 10)
            for index, item in enumerate(items):
                _check_media(item, f"{path}.items.{index}")
        case 11:
            _check_media(component, path)
        case 17:
            _length(children, f"{path}.components", 1, MOST_COMPONENTS)
            for index, child in enumerate(children):
                _check(child, f"{path}.components.{index}", IN_CONTAINER)


def _check_row(children: list[Any], path: str) -> None:
    _length(children, f"{path}.components", 1, 5)
    for index, child in enumerate(children):
        _check(child, f"{path}.components.{index}", (BUTTON, *SELECTS))
    if len(children) > 1 and any(child["type"] in SELECTS for child in children):
        raise invalid_form(f"{path}.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "Too wide")


def _check_button(button: dict[str, Any], path: str) -> None:
    style = button.get("style")
    if style not in (1, 2, 3, 4, LINK, PREMIUM):
        raise invalid_form(f"{path}.style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.")
    if style == LINK:
        _text(button, "url", path, 1, 512)
    elif style != PREMIUM:
        _text(button, "custom_id", path, 1, 100)
    if not button.get("label") and not button.get("emoji"):
        raise invalid_form(path, "BUTTON_COMPONENT_REQUIRES_LABEL_OR_EMOJI", "A button needs a label or an emoji")
    if button.get("label") is not None:
        _text(button, "label", path, 0, 80)


def _check_media(item: Any, path: str) -> None:
    media = item.get("media") if isinstance(item, dict) else None
    if not isinstance(media, dict):
        raise invalid_form(f"{path}.media", "BASE_TYPE_REQUIRED", "This field is required")
    _text(media, "url", f"{path}.media", 1, 2048)
    if item.get("description") is not None:
        _text(item, "description", path, 1, MOST_DESCRIPTION)


def _check_select(select: dict[str, Any], path: str) -> None:
    """Check a string select and its options. https://discord.com/developers/docs/components/reference#string-select"""
    _text(select, "custom_id", path, 1, 100)
    if select.get("placeholder") is not None:
        _text(select, "placeholder", path, 0, 150)
    options = select.get("options") or []
    _length(options, f"{path}.options", 1, 25)
    values = [option.get("value") for option in options]
    for index, option in enumerate(options):
        here = f"{path}.options.{index}"
        _text(option, "label", here, 1, 100)
        _text(option, "value", here, 1, 100)
        if option.get("description") is not None:
            _text(option, "description", here, 0, 100)
        if values.count(option["value"]) > 1:
            raise invalid_form(
                f"{here}.value",
                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
    if sum(bool(option.get("default")) for option in options) > select.get("max_values", 1):
        raise invalid_form(f"{path}.options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "Too many default values")


def _text(component: dict[str, Any], field: str, path: str, least: int, most: int) -> None:
    value = component.get(field)
    if not isinstance(value, str):
        raise invalid_form(f"{path}.{field}", "BASE_TYPE_REQUIRED", "This field is required")
    if not least <= len(value) <= most:
        raise invalid_form(f"{path}.{field}", "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")


def _length(items: Any, path: str, least: int, most: int) -> None:
    if not isinstance(items, list) or not least <= len(items) <= most:
        raise invalid_form(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")


def _too_long(path: str, most: int) -> ApiError:
    return invalid_form(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def find_component(components: list[dict[str, Any]], custom_id: str) -> dict[str, Any] | None:
    """The component with *custom_id*, also inside others; ``None``: there is none."""
    return next((c for c in walk(components) if c.get("custom_id") == custom_id), None)


def check_values(select: dict[str, Any], values: Any) -> None:
    """Check *values*, what a person chose in *select*.

    Raises:
        ApiError: too few, too many, one twice, or one that is not an option (50035).
    """
    allowed = {option["value"] for option in select.get("options") or []}
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not isinstance(values, list) or not least <= len(values) <= most or not set(values) <= allowed:
        raise invalid_form("data.values", "COMPONENT_VALIDATION_FAILED", "Component validation failed")


def number(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give each of *components* that has no numeric id the next free one, as Discord does. Changes them in place."""
    taken = {component["id"] for component in walk(components) if component.get("id")}
    following = (n for n in range(1, 10_000) if n not in taken)
    for component in walk(components):
        if not component.get("id"):
            component["id"] = next(following)
    return components
