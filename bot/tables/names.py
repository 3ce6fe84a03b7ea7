"""What everybody at a table is called. Nobody is called like somebody else there: this is the one door through which
names come to a table. Pure.

Whoever comes second with a name, or with one that looks like it, is called by their Discord user name as well, which
nobody else has: "Sam (sam_1)". Computer players give way to people.
"""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import NamedTuple

from bot.tables.characters import CHARACTERS, character, free_name
from bot.tables.lookalikes import NAME_LENGTH, looks, with_addition, without_addition
from bot.tables.model import Player, Table
from engine.game import Seat


class Called(NamedTuple):
    """What a person is called in a list of people, and what that follows from."""

    name: str
    """What they are called there."""
    display: str
    """What Discord calls them."""
    username: str
    """Their Discord user name; empty: it is not known."""


def entered(table: Table, seat: Seat, before: Player | None = None) -> Table:
    """*table* once the person in *seat* has come there, or has changed what they are called, so that nobody else at the
    table is called like them. If they were there *before*, and nothing has changed, they keep their name."""
    first, person = table, table.players[seat]
    display = person.display or person.name
    if before is not None and (before.display, before.username) == (person.display, person.username) and before.display:
        return table.with_player(seat, name=before.name)
    others = [Seat(it) for it, p in enumerate(table.players) if it != seat and p.user is not None]
    there = [_called(table.players[it]) for it in others]
    for at, it in zip((*others, seat), with_one_more(there, display, person.username), strict=True):
        table = table.with_player(at, name=it.name)
    table = _computers_renamed(table)
    both = zip(first.players, table.players, strict=True)
    renamed = {old.name: new.name for old, new in both if old.user is not None and old.name != new.name}
    handovers = tuple(it._replace(name=renamed.get(it.name, it.name)) for it in table.handovers)
    return table._replace(handovers=handovers) if renamed else table


def brought(table: Table, now: Player) -> Table:
    """*table* where the person *now* is called what they are called now, in the language they have now; unchanged if
    they do not sit there."""
    seat = table.seat_of(now.user) if now.user is not None else None
    if seat is None or not table.live or table.starting:  # what is recorded of a game stays as it was
        return table
    before = table.players[seat]
    changed = table.with_player(seat, display=now.display, username=now.username, locale=now.locale)
    return entered(changed, seat, before)


def called_at(table: Table, user: int, name: str, username: str = "") -> str:
    """What *user* is called at *table*, where they may have no seat: then *name* is what Discord calls them, and
    *username* their user name there."""
    seat = table.seat_of(user)
    if seat is not None:
        return table.players[seat].name
    there = [_called(player) for player in table.players if player.user is not None]
    return with_one_more(there, name, username)[-1].name


def told_apart(people: Iterable[tuple[str, str]]) -> list[str]:
    """What *people* are called in one list, each with a name and a user name (empty: not known): the first of a name
    keeps it."""
    there: list[Called] = []
    for name, username in people:
        there = with_one_more(there, name, username)
    return [it.name for it in there]


def with_one_more(there: Sequence[Called], display: str, username: str) -> list[Called]:
    """Those who are *there*, and last whoever has come: Discord calls them *display*. If anybody is called like them,
    they are called by their *username* as well; and whoever has written that behind their own name gets theirs.

    >>> [it.name for it in with_one_more([Called("Sam", "Sam", "sam_1")], "SАM", "sam_2")]
    ['Sam', 'SАM (sam_2)']
    >>> [it.name for it in with_one_more([Called("Sam (sam_2)", "Sam (sam_2)", "evil")], "Sam", "sam_2")]
    ['Sam (evil)', 'Sam (sam_2)']
    """
    mine = looks(display) | looks(without_addition(display))
    theirs = (called for it in there for called in (it.name, *map(without_addition, (it.name, it.display))))
    alike = any(mine & looks(it) for it in theirs)
    people = [*there, Called(display, display, username)]
    to_change = [len(there)] if alike else []
    if alike and username:
        to_change += [at for at, it in enumerate(there) if _claims(it.name, username)]
    changed = set[int]()
    while to_change:
        for at in to_change:
            it, others = people[at], (other.name for place, other in enumerate(people) if place != at)
            people[at] = it._replace(name=distinct(it.display, it.username, others))
            changed.add(at)
        taken = [looks(people[at].name) for at in changed]
        rest = (at for at in range(len(people)) if at not in changed)
        to_change = [at for at in rest if any(looks(people[at].name) & it for it in taken)]
    return people


def _claims(name: str, username: str) -> bool:
    """Whether what stands in brackets at the end of *name* holds something that looks like *username*."""
    said = looks(name[len(without_addition(name)) :])
    return any(theirs in it for it in said for theirs in looks(username))


def distinct(display: str, username: str, taken: Iterable[str] = ()) -> str:
    """The name *display* with *username* behind it; where that is not known, with the first number that makes it look
    like none of those *taken*. A long name is cut; beside a very long user name there is no room for it.

    >>> distinct("Sam", "sam_1"), distinct("Sam (sam_1)", "evil"), distinct("Sam", "", ["Sam", "Sam (2)"])
    ('Sam (sam_1)', 'Sam (evil)', 'Sam (3)')
    >>> distinct("W" * 32, "w.1"), distinct("Sam", "s" * 30)
    ('WWWWWWWWWWWWWWWWWWWWWWWWW… (w.1)', 'ssssssssssssssssssssssssssssss')
    """
    name = without_addition(display)
    if username:
        return with_addition(name, username, NAME_LENGTH)
    known = frozenset[str]().union(*(looks(it) for it in taken))
    numbered = (with_addition(name, str(number), NAME_LENGTH) for number in count(2))
    return next(it for it in numbered if not looks(it) & known)


def _called(person: Player) -> Called:
    """*person* as they are called; before the user name was kept, that was what Discord called them."""
    return Called(person.name, person.display or person.name, person.username)


def _computers_renamed(table: Table) -> Table:
    """*table* with another name for every computer player who is called like a person there."""
    for seat, player in enumerate(table.players):
        people = frozenset[str]().union(*(looks(it.name) for it in table.players if it.user is not None))
        if player.user is None and not player.former and looks(player.name) & people:
            taken = [other.name for other in table.players]
            same = CHARACTERS.get(character(player.name))
            name = free_name(table.id, taken, None if same is None else same.level)
            table = table.with_player(Seat(seat), name=name)
    return table
