"""A state, a view, an action or an event as text, for people to read: in playthroughs, failing tests and consoles."""

from enum import Enum
from typing import Any


def to_text(value: Any) -> str:
    """Write *value* in one line: a NamedTuple as its name and fields, a tuple as its items, an enum as its value.

    A NamedTuple with a ``__str__`` of its own is written that way.

    >>> to_text((3, None, ("a", "b"), ()))
    '3 - [a b] []'
    """
    return " ".join(map(_item_text, value)) if type(value) is tuple else _item_text(value)


def namedtuple_texts(record: Any) -> dict[str, str]:
    """The fields of a NamedTuple as name -> text, for states and views that are too long for one line.

    >>> from engine.game import Step
    >>> namedtuple_texts(Step(7, ("a", "b")))
    {'state': '7', 'events': 'a b'}
    """
    return {name: to_text(value) for name, value in zip(record._fields, record, strict=True)}


def _item_text(value: Any) -> str:
    """Write *value*, an item of something longer, as one word or group: as ``to_text`` does, but a plain tuple stands
    in brackets."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return str(value.value)
    if not isinstance(value, tuple):
        return str(value)
    if not hasattr(value, "_fields"):
        return f"[{' '.join(map(_item_text, value))}]"
    if type(value).__str__ is not object.__str__:
        return str(value)
    return f"{type(value).__name__}({', '.join(f'{name}={it}' for name, it in namedtuple_texts(value).items())})"
