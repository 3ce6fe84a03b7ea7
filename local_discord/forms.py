"""JSON objects from requests, read value by value. What is of the wrong kind or size is refused with its path (50035).

https://discord.com/developers/docs/reference#error-messages
"""

import json
import re
from collections.abc import Collection, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from local_discord.errors import ApiError, invalid_form, not_json
from local_discord.snowflake import parse_id

MOST: Final = 1 << 53
"""Numbers beyond this are no longer exact in every client."""
WEB: Final = ("http", "https")
UPLOAD: Final = "attachment"
"""The schemes of addresses in the web, and of files in the same request."""


def parse_json(text: bytes | str) -> Any:
    """Parse the JSON *text*, or raise ApiError (50109) if it is none, which includes NaN and Infinity."""
    try:
        return json.loads(text, parse_constant=_no_json)
    except (ValueError, RecursionError):
        raise not_json() from None


def _no_json(constant: str) -> None:
    """Raise ValueError: NaN and Infinity (*constant*) are no JSON."""
    raise ValueError(constant)


class Form:
    """Reads and checks the JSON object *value* of a request, value by value. *path* is its place in the body, for
    errors.

    Every reader gives ``None`` for a value that is missing or null, and raises an ``ApiError`` with the value's path if
    it is not what it should be. With *required* it must be there.
    """

    def __init__(self, value: Any, path: str = "") -> None:
        """Raises:
        ApiError: *value* is no object.
        """
        if not isinstance(value, dict):
            raise invalid_form(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
        self.data: dict[str, Any] = value
        self.path = path

    def path_of(self, key: str) -> str:
        """The dotted path of the value of *key* in the body, for errors."""
        return f"{self.path}.{key}" if self.path else key

    def error_for(self, key: str, code: str, message: str) -> ApiError:
        """Build the error (50035) for the value of *key*, for the caller to raise."""
        return invalid_form(self.path_of(key), code, message)

    def value(self, key: str, *, required: bool = False) -> Any:
        """Return the value of *key*, unchecked; ``None`` if it is missing or null; or raise ApiError if it is
        *required* then."""
        found = self.data.get(key)
        if required and found is None:
            raise self.error_for(key, "BASE_TYPE_REQUIRED", "This field is required")
        return found

    def only(self, *keys: str) -> dict[str, Any]:
        """Return those of *keys* that are there and not null, with their values, unchecked."""
        return {key: self.data[key] for key in keys if self.data.get(key) is not None}

    def text(self, key: str, least: int = 0, most: int = MOST, *, required: bool = False) -> str | None:
        """Return the text *key* of *least* to *most* characters; ``None`` if it is missing and not *required*; or raise
        ApiError (50035)."""
        found = self.value(key, required=required)
        if found is not None and not isinstance(found, str):
            raise self.error_for(key, "STRING_TYPE_CONVERT", f'Could not interpret "{_quote(found)}" as string.')
        if found is not None and not least <= len(found) <= most:
            raise too_long_error(self.path_of(key), most) if not least else length_error(self.path_of(key), least, most)
        return found

    def url(self, key: str, most: int, schemes: tuple[str, ...]) -> str:
        """Return the address *key*, which is required, with one of *schemes* and at most *most* characters; or raise
        ApiError (50035)."""
        found = self.text(key, 1, most, required=True) or ""
        if UPLOAD in schemes and found.startswith(f"{UPLOAD}://"):
            return found
        try:
            parts = urlsplit(found)
        except ValueError:
            raise self.error_for(key, "URL_TYPE_INVALID_URL", "Not a well formed URL.") from None
        if parts.scheme not in schemes:
            message = f'Scheme "{parts.scheme}" is not supported. Scheme must be one of {schemes}.'
            raise self.error_for(key, "URL_TYPE_INVALID_SCHEME", message)
        if not parts.netloc or re.search(r"\s", found):
            raise self.error_for(key, "URL_TYPE_INVALID_URL", "Not a well formed URL.")
        return found

    def whole(self, key: str, least: int, most: int, *, required: bool = False) -> int | None:
        """Return the whole number *key* from *least* to *most*; ``None`` if it is missing and not *required*; or raise
        ApiError (50035)."""
        found = self.value(key, required=required)
        if found is not None and (not isinstance(found, int) or isinstance(found, bool)):
            raise self.error_for(key, "NUMBER_TYPE_COERCE", f'Value "{_quote(found)}" is not int.')
        if found is not None:
            self._check_range(key, found, least, most)
        return found

    def number(self, key: str, least: float, most: float, *, required: bool = False) -> float | None:
        """Return the number *key* from *least* to *most*; ``None`` if it is missing and not *required*; or raise
        ApiError (50035)."""
        found = self.value(key, required=required)
        if found is not None and (not isinstance(found, int | float) or isinstance(found, bool)):
            raise self.error_for(key, "NUMBER_TYPE_COERCE", f'Value "{_quote(found)}" is not float.')
        if found is not None:
            self._check_range(key, found, least, most)
        return found

    def _check_range(self, key: str, found: float, least: float, most: float) -> None:
        """Raise ApiError if *found*, the value of *key*, is not from *least* to *most*."""
        if found < least:
            raise self.error_for(key, "NUMBER_TYPE_MIN", f"Value should be greater than or equal to {least}.")
        if found > most:
            raise self.error_for(key, "NUMBER_TYPE_MAX", f"Value should be less than or equal to {most}.")

    def boolean(self, key: str) -> bool | None:
        """Return the boolean *key*; ``None`` if it is missing; or raise ApiError (50035) if it is none."""
        found = self.value(key)
        if found is not None and not isinstance(found, bool):
            raise self.error_for(key, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
        return found

    def choice(self, key: str, allowed: Collection[Any], code: str = "BASE_TYPE_CHOICES") -> Any:
        """Return the value *key*, which is required and one of *allowed*; or raise ApiError (50035, with the rule
        *code*)."""
        found = self.value(key, required=True)
        if isinstance(found, bool) or not isinstance(found, int | str) or found not in allowed:
            raise self.error_for(key, code, f"Value must be one of ({', '.join(map(str, allowed))}).")
        return found

    def snowflake(self, key: str, *, required: bool = False) -> int | None:
        """Return the id *key*, written as text or as a number; ``None`` if it is missing and not *required*; or raise
        ApiError (50035)."""
        found = self.value(key, required=required)
        return None if found is None else snowflake(found, self.path_of(key))

    def list_field(self, key: str, least: int = 0, most: int = MOST, *, required: bool = False) -> list[Any] | None:
        """Return the value of *key*, a list of *least* to *most* values; ``None`` if it is missing and not *required*;
        or raise ApiError (50035)."""
        found = self.value(key, required=required)
        return None if found is None else checked_list(found, self.path_of(key), least, most)

    def forms(self, key: str, least: int = 0, most: int = MOST) -> list["Form"]:
        """Return the list *key* of *least* to *most* objects, each as a form; empty if it is missing and may be empty;
        or raise ApiError (50035)."""
        found = self.list_field(key, least, most, required=least > 0) or []
        return [Form(item, f"{self.path_of(key)}.{index}") for index, item in enumerate(found)]

    def form(self, key: str) -> "Form | None":
        """Return the object *key* as a form; ``None`` if it is missing; or raise ApiError (50035) if it is no
        object."""
        found = self.value(key)
        return None if found is None else Form(found, self.path_of(key))

    def needed(self, key: str) -> "Form":
        """Return the object *key* as a form; or raise ApiError (50035) if it is missing or no object."""
        return Form(self.value(key, required=True), self.path_of(key))


def checked_list(value: Any, path: str, least: int = 0, most: int = MOST) -> list[Any]:
    """Return *value* if it is a list of *least* to *most* values; or raise ApiError (50035 at *path*)."""
    if not isinstance(value, list):
        raise invalid_form(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
    if not least <= len(value) <= most:
        raise length_error(path, least, most)
    return value


def snowflake(value: Any, path: str) -> int:
    """Return the id in *value*, a number or its digits; or raise ApiError (50035 at *path*) if it is none."""
    found = parse_id(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else None
    if found is None:
        raise invalid_form(path, "NUMBER_TYPE_COERCE", f'Value "{_quote(value)}" is not snowflake.')
    return found


def length_error(path: str, least: int, most: int) -> ApiError:
    """Build, for the caller to raise, the error (50035) that what is at *path* must have *least* to *most* items or
    characters."""
    return invalid_form(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {least} and {most} in length.")


def too_long_error(path: str, most: int) -> ApiError:
    """Build the error (50035) that what is at *path* has more than *most* items or characters, for the caller to
    raise."""
    return invalid_form(path, "BASE_TYPE_MAX_LENGTH", f"Must be {most} or fewer in length.")


def unique(values: Sequence[Any]) -> bool:
    """Whether none of *values* occurs twice; they may be of any kind."""
    return all(value not in values[:index] for index, value in enumerate(values))


def _quote(value: Any) -> str:
    """Return *value* as text of at most 100 characters for an error; of a list or object only the type."""
    return str(value)[:100] if isinstance(value, str | int | float) else type(value).__name__
