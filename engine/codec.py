"""JSON for the engines' own types: NamedTuples of numbers, text, enums, tuples and each other.

A NamedTuple becomes an object of its fields, an enum its value, a union of NamedTuples an object with its class
name under "is". Fields that are missing take their defaults, so old rows outlive new fields. The functions for
a type are put together once, from its annotations; ``Any`` stands for what is JSON already.
"""

from collections.abc import Callable
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

Convert = Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def _members(kind: Any) -> tuple[Any, ...] | None:
    """The alternatives of a union without ``None``, or ``None`` for anything else."""
    if get_origin(kind) not in (Union, UnionType):
        return None
    return tuple(member for member in get_args(kind) if member is not NoneType)


def _fields(kind: Any) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind)
    return [(name, hints[name]) for name in kind._fields]


@cache
def encoder(kind: Any) -> Convert:
    """The function that turns a *kind* into JSON.

    Raises:
        TypeError: *kind* holds something this module does not know.
    """
    if isinstance(kind, NewType):
        return encoder(kind.__supertype__)
    if kind in (int, str, bool, Any):
        return _same
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {member: member.value for member in kind}.__getitem__
    if _is_record(kind):
        parts = [(name, encoder(field)) for name, field in _fields(kind)]
        return lambda record: {name: part(value) for (name, part), value in zip(parts, record, strict=True)}
    members = _members(kind)
    if members is not None:
        if len(members) == 1:
            one = encoder(members[0])
            return lambda value: None if value is None else one(value)
        by_class = {member: encoder(member) for member in members}
        return lambda record: {"is": type(record).__name__, **by_class[type(record)](record)}
    arguments = get_args(kind)
    if get_origin(kind) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        item = encoder(arguments[0])
        return list if item is _same else lambda items: [item(value) for value in items]
    if get_origin(kind) is tuple:
        each = [encoder(argument) for argument in arguments]
        return lambda items: [part(value) for part, value in zip(each, items, strict=True)]
    raise TypeError(f"no JSON for {kind!r}")


@cache
def decoder(kind: Any) -> Convert:
    """The function that reads back what ``encoder(kind)`` wrote; it raises KeyError, ValueError or TypeError on
    anything else."""
    if isinstance(kind, NewType):
        return decoder(kind.__supertype__)
    if kind in (int, str, bool, Any):
        return _same
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {member.value: member for member in kind}.__getitem__
    if _is_record(kind):
        parts = [(name, decoder(field)) for name, field in _fields(kind)]
        return lambda data: kind(**{name: part(data[name]) for name, part in parts if name in data})
    members = _members(kind)
    if members is not None:
        if len(members) == 1:
            one = decoder(members[0])
            return lambda data: None if data is None else one(data)
        by_name = {member.__name__: decoder(member) for member in members}
        return lambda data: by_name[data["is"]](data)
    arguments = get_args(kind)
    if get_origin(kind) is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        item = decoder(arguments[0])
        return tuple if item is _same else lambda data: tuple([item(value) for value in data])
    if get_origin(kind) is tuple:
        each = [decoder(argument) for argument in arguments]
        return lambda data: tuple([part(value) for part, value in zip(each, data, strict=True)])
    raise TypeError(f"no JSON for {kind!r}")
