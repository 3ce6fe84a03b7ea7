"""JSON for the engine's own types: NamedTuples of numbers, text, enums, tuples and each other.

A NamedTuple becomes an object of its fields, an enum its value, a union of NamedTuples an object with its class name
under "is". Fields that are missing take their defaults, so rows written before a field was added can still be read.
The functions for a type are built once, from its annotations, and cached. ``Any`` stands for what is JSON already.
"""

from collections.abc import Callable
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

Converter = Callable[[Any], Any]


def _identity(value: Any) -> Any:
    """Return *value* unchanged: the conversion of a value that is JSON already."""
    return value


def _is_namedtuple(kind: Any) -> bool:
    """Whether *kind* is a NamedTuple class."""
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def _union_alternatives(kind: Any) -> tuple[Any, ...] | None:
    """The alternatives of the union *kind* without ``None``; ``None`` if *kind* is not a union."""
    if get_origin(kind) not in (Union, UnionType):
        return None
    return tuple(member for member in get_args(kind) if member is not NoneType)


def union_members(kind: Any) -> tuple[Any, ...]:
    """The classes of the union *kind* without ``None``; only *kind* itself if it is not a union."""
    return _union_alternatives(kind) or (kind,)


def _field_types(kind: Any) -> list[tuple[str, Any]]:
    """(name, type) of every field of the NamedTuple *kind*, in order."""
    hints = get_type_hints(kind)
    return [(name, hints[name]) for name in kind._fields]


@cache
def build_encoder(kind: Any) -> Converter:
    """Build the function that converts a value of the type *kind* to data for ``json.dumps``; or raise TypeError if
    there is no JSON for the type. Cached.

    Raises:
        TypeError: *kind* holds something this module does not know.
    """
    if isinstance(kind, NewType):
        return build_encoder(kind.__supertype__)
    if kind in (int, str, bool, Any):
        return _identity
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {member: member.value for member in kind}.__getitem__
    if _is_namedtuple(kind):
        parts = [(name, build_encoder(field)) for name, field in _field_types(kind)]
        return lambda record: {name: part(value) for (name, part), value in zip(parts, record, strict=True)}
    alternatives = _union_alternatives(kind)
    if alternatives is not None:
        if len(alternatives) == 1:
            one = build_encoder(alternatives[0])
            return lambda value: None if value is None else one(value)
        by_class = {member: build_encoder(member) for member in alternatives}
        if NoneType in get_args(kind):
            some = build_encoder(Union[alternatives])  # noqa: UP007 - their number is not known
            return lambda value: None if value is None else some(value)
        return lambda record: {"is": type(record).__name__, **by_class[type(record)](record)}
    if get_origin(kind) is not tuple:
        raise TypeError(f"no JSON for {kind!r}")
    arguments = get_args(kind)
    if arguments[1:] == (Ellipsis,):
        item = build_encoder(arguments[0])
        return list if item is _identity else lambda items: [item(value) for value in items]
    each = [build_encoder(argument) for argument in arguments]
    return lambda items: [part(value) for part, value in zip(each, items, strict=True)]


@cache
def build_decoder(kind: Any) -> Converter:
    """Build the function that reads back what ``build_encoder(kind)`` wrote of a value of the type *kind*; or raise
    TypeError if there is no JSON for the type. Cached.

    On other data it mostly raises KeyError, ValueError or TypeError; but it does not check numbers, text and bools,
    which ``build_type_checker`` does.

    Raises:
        TypeError: *kind* holds something this module does not know.
    """
    if isinstance(kind, NewType):
        return build_decoder(kind.__supertype__)
    if kind in (int, str, bool, Any):
        return _identity
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {member.value: member for member in kind}.__getitem__
    if _is_namedtuple(kind):
        parts = [(name, build_decoder(field)) for name, field in _field_types(kind)]
        return lambda data: kind(**{name: part(data[name]) for name, part in parts if name in data})
    alternatives = _union_alternatives(kind)
    if alternatives is not None:
        if len(alternatives) == 1:
            one = build_decoder(alternatives[0])
            return lambda data: None if data is None else one(data)
        by_name = {member.__name__: build_decoder(member) for member in alternatives}
        if NoneType in get_args(kind):
            some = build_decoder(Union[alternatives])  # noqa: UP007 - as above
            return lambda data: None if data is None else some(data)
        return lambda data: by_name[data["is"]](data)
    if get_origin(kind) is not tuple:
        raise TypeError(f"no JSON for {kind!r}")
    arguments = get_args(kind)
    if arguments[1:] == (Ellipsis,):
        item = build_decoder(arguments[0])
        return tuple if item is _identity else lambda data: tuple([item(value) for value in data])
    each = [build_decoder(argument) for argument in arguments]
    return lambda data: tuple([part(value) for part, value in zip(each, data, strict=True)])


@cache
def build_type_checker(kind: Any) -> Callable[[Any], bool]:
    """Build the function that says whether a value has the type *kind*, down to the last field; or raise TypeError for
    an unknown type. Cached.

    ``True`` is not an ``int``.

    >>> check = build_type_checker(tuple[int, ...])
    >>> check((1, 2)), check((True,)), check([1])
    (True, False, False)

    Raises:
        TypeError: *kind* holds something this module does not know.
    """
    if isinstance(kind, NewType):
        return build_type_checker(kind.__supertype__)
    if kind is Any:
        return lambda value: True
    if kind in (int, str, bool, NoneType) or (isinstance(kind, type) and issubclass(kind, Enum)):
        return lambda value: type(value) is kind
    if _is_namedtuple(kind):
        return _build_namedtuple_checker(kind)
    alternatives = _union_alternatives(kind)
    if alternatives is not None:
        optional = NoneType in get_args(kind)
        checks = {member: build_type_checker(member) for member in alternatives}
        if all(map(_is_namedtuple, alternatives)):
            return lambda value: (
                (optional and value is None) or ((check := checks.get(type(value))) is not None and check(value))
            )
        return lambda value: (optional and value is None) or any(check(value) for check in checks.values())
    if get_origin(kind) is not tuple:
        raise TypeError(f"no JSON for {kind!r}")
    arguments = get_args(kind)
    if arguments[1:] == (Ellipsis,):
        if _is_plain(arguments[0]):
            return _build_plain_tuple_checker(_runtime_type(arguments[0]))
        item = build_type_checker(arguments[0])
        return lambda value: type(value) is tuple and all(map(item, value))
    each = [build_type_checker(argument) for argument in arguments]
    return lambda value: (
        type(value) is tuple
        and len(value) == len(each)
        and all(check(part) for check, part in zip(each, value, strict=True))
    )


def plain_field_types(kind: Any) -> tuple[type, ...] | None:
    """The types of the fields of the NamedTuple *kind*, in order, if all are plain (int, str, bool, enum); otherwise
    ``None``.

    With them a value is checked without a call per field: actions are checked on every move.

    >>> from engine.game import Step
    >>> plain_field_types(Step) is None  # its events are a tuple
    True
    """
    fields = [field for _, field in _field_types(kind)]
    return tuple(map(_runtime_type, fields)) if all(map(_is_plain, fields)) else None


def _runtime_type(kind: Any) -> Any:
    """The class behind *kind* if it is a ``NewType``; otherwise *kind* itself."""
    return kind.__supertype__ if isinstance(kind, NewType) else kind


def _is_plain(kind: Any) -> bool:
    """Whether *kind* is int, str, bool or an enum: then ``type(value)`` is enough to check a value."""
    kind = _runtime_type(kind)
    return isinstance(kind, type) and (kind in (int, str, bool) or issubclass(kind, Enum))


def _build_plain_tuple_checker(only: type) -> Callable[[Any], bool]:
    """Build the function that says whether a value is a tuple, of any length, of items of the plain type *only*."""

    def check(value: Any) -> bool:
        if type(value) is not tuple:
            return False
        for item in value:  # noqa: SIM110 # a loop is faster: actions are checked on every move
            if type(item) is not only:
                return False
        return True

    return check


def _build_namedtuple_checker(kind: Any) -> Callable[[Any], bool]:
    """Build the function that says whether a value is a NamedTuple of the class *kind* with fields of the right types.

    Actions have few fields, so these are checked without a loop.
    """
    match plain_field_types(kind):
        case (one,):
            return lambda value: type(value) is kind and len(value) == 1 and type(value[0]) is one
        case (one, two, three):
            return lambda value: (
                type(value) is kind
                and len(value) == 3
                and type(value[0]) is one
                and type(value[1]) is two
                and type(value[2]) is three
            )
        case tuple(types):
            return lambda value: type(value) is kind and tuple(map(type, value)) == types
    match [build_type_checker(field) for _, field in _field_types(kind)]:
        case [first, second]:
            return lambda value: type(value) is kind and len(value) == 2 and first(value[0]) and second(value[1])
        case checks:
            return lambda value: (
                type(value) is kind and all(check(part) for check, part in zip(checks, value, strict=True))
            )
