"""The names of everybody at a table: no two are alike. All names that come to a table go through this module. Pure.

Whoever comes second with a name, or with one that looks like it, gets their Discord user name added, which nobody else
has: "Sam (sam_1)". Computer players get another name if a person has theirs.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from random import Random
from typing import Final, NamedTuple
from unicodedata import category, normalize

from bot.tables.model import Player, Table, TableId
from engine.game import Seat
from engine.registry import AnyGame

# Which names look alike to people: case, accents, look-alike letters and invisible characters do not count.
#
# The libraries for this on PyPI rest (confusable-homoglyphs since January 2024, confusables since March 2021), and
# none makes what Unicode calls a skeleton: two names compare equal if theirs are. So the letters that matter stand
# here: those drawn like Latin ones, out of https://www.unicode.org/Public/security/latest/confusables.txt. What
# Unicode itself calls compatible (full width, script, bold, circled letters) is left to ``unicodedata``.


_PAIRS: Final = (
    # Cyrillic
    "АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ѴV ԌG ԚQ ԜW ҮY ҺH ӀI ӏl аa еe ѕs іi јj оo рp сc уy хx ѵv ԁd ԛq ԝw "
    "һh үy ғf кk мm нh тt гr Ьb ьb ґr ҽe ѡw "
    # Greek
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ϺM αa γy ιi κk νv οo ρp σo τt υu χx ϲc ϳj ωw ͿJ ϜF "
    # Latin letters that only look otherwise, small capitals and letters of phonetics
    "ıi ɩi ȷj ɑa ɡg ɪi ʟl ɴn ʀr ʏy ɢg ʜh ʙb ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ꜱs ᴛt ᴜu ᴠv ᴡw ᴢz øo ØO łl ŁL đd ĐD ħh ĦH ŧt ŦT "
    "ƖI ǀI ƅb Ƅb ɯw ƦR ƽs "
    # Armenian and Cherokee
    "Օo օo ոn սu հh ցg զq գq ռn աw Տs Սu Լl ᎠD ᎡR ᎢT ᎪA ᎫJ ᎬE ᎳW ᎷM ᎻH ᎽY ᏀG ᏃZ ᏙV ᏚS ᏞL ᏟC ᏢP ᏦK ᏴB"
)
_NEGATIVE: Final = {start + n: ord("A") + n for start in (0x1F150, 0x1F170) for n in range(26)}
"""White letters in black circles and squares."""
_LATIN: Final = {ord(pair[0]): pair[1] for pair in _PAIRS.split()} | _NEGATIVE
_STROKES: Final = str.maketrans({"I": "l", "1": "l", "|": "l", "0": "o"})
"""What is one stroke or one ring in most typefaces; "rn" and "vv" are alike in the same way."""
_ACCENTS: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
    "\ufe00-\ufe0f\ufe20-\ufe2f]"
)
"""Marks that a name can do without. Those of Indian scripts and of Thai are vowels, which tell names apart."""
_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5\u180b\u180c\u180d\u180f\ufffc\U0001d159")
"""Letters, marks and symbols that show as nothing."""
_ADDITION: Final = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
MAX_NAME_LENGTH: Final = 32
"""The most characters of a name that are shown; Discord takes no longer ones."""
_MIN_NAME_LENGTH: Final = 4
"""The least characters of a name that is cut to fit beside a user name; with fewer the user name stands alone."""


def without_brackets(name: str) -> str:
    """Remove brackets with their content from the end of *name*, several if need be; keep *name* if nothing else would
    be left.

    >>> without_brackets("Sam (sam_1)"), without_brackets("(Sam)")
    ('Sam', '(Sam)')
    """
    rest = name
    while (shorter := _ADDITION.sub("", rest)) != rest:
        rest = shorter
    return rest if rest.strip() else name


def shorten_name(name: str, most: int) -> str:
    """Cut *name* to at most *most* characters with "…", but keep brackets at its end, which may tell it from other
    names.

    If there is no room for anything else, their content stands alone.

    >>> shorten_name("Wilhelmina", 6), shorten_name("Wilhelmina (w_1)", 12), shorten_name("Wilhelmina (w_1)", 6)
    ('Wilhe…', 'Wilhe… (w_1)', 'w_1')
    """
    if len(name) <= most:
        return name
    start = without_brackets(name)
    addition = name[len(start) :].strip()
    if not addition:
        return name.removesuffix("…")[: most - 1] + "…"
    room = most - len(addition) - 2
    if room < min(_MIN_NAME_LENGTH, len(start)):
        return shorten_name(addition[1:-1], most)
    return f"{start[:room]}… {addition}" if len(start) > room else f"{start} {addition}"


def with_brackets(name: str, addition: str, most: int) -> str:
    """Write "*name* (*addition*)", with *name* cut so that both fit in *most* characters.

    If there is no room for anything of *name*, *addition* stands alone.

    >>> with_brackets("Sam", "sam_1", 32), with_brackets("Wilhelmina", "w_1", 12), with_brackets("Sam", "s" * 9, 9)
    ('Sam (sam_1)', 'Wilhe… (w_1)', 'sssssssss')
    """
    whole = f"{name} ({addition})"
    if len(whole) <= most:
        return whole
    start, room = name.removesuffix("…"), most - len(addition) - len("… ()")
    return f"{start[:room]}… ({addition})" if room >= min(_MIN_NAME_LENGTH, len(start)) else addition[:most]


@lru_cache(4096)
def lookalike_keys(name: str) -> frozenset[str]:
    """Up to three normalized forms of *name*: two names that share one look alike to people.

    >>> sam = lookalike_keys("Sam")
    >>> bool(sam & lookalike_keys("SАМ")), bool(sam & lookalike_keys("Ｓámㅤ ✨")), bool(sam & lookalike_keys("Tom"))
    (True, True, False)
    """
    plain = normalize("NFKD", name)
    latin = normalize("NFKD", name.translate(_LATIN)).translate(_LATIN)
    strokes = latin.translate(_STROKES).replace("rn", "m").replace("vv", "w")
    return frozenset(_comparable_letters(it) or "?" for it in (plain, latin, strokes))


def _comparable_letters(text: str) -> str:
    """The letters and digits of *text* in lower case without accents; if there are none, its visible symbols; may be
    empty.
    """
    small = _ACCENTS.sub("", normalize("NFKD", text.casefold()))
    kept = "".join(it for it in small if category(it)[0] in "LMN" and it not in _BLANK)
    return kept or "".join(it for it in small if category(it)[0] in "PS" and it not in _BLANK)


# The computer players as characters: their names, their levels, and how quickly they move.
#
# They are named after people who thought about chance, numbers and computers: Ada Lovelace, Blaise Pascal, Girolamo
# Cardano, Dorothy Vaughan, Emmy Noether, Fibonacci, Grace Hopper, Hedy Lamarr, Jakob Bernoulli, Lotfi Zadeh, Maryam
# Mirzakhani, Thomas Bayes.


class Tempo(NamedTuple):
    """The least and the most time in which a computer player moves, as factors of the beat."""

    least: float
    most: float


QUICK: Final = Tempo(0.6, 1.1)
USUAL: Final = Tempo(0.7, 1.6)
SLOW: Final = Tempo(1.0, 2.1)


class Character(NamedTuple):
    """The level and tempo of a computer player."""

    level: int
    """1 is the weakest; in a game with fewer levels the highest one that there is."""
    tempo: Tempo


CHARACTERS: Final[Mapping[str, Character]] = {
    "Ada": Character(6, USUAL),
    "Blaise": Character(5, USUAL),
    "Cardano": Character(2, QUICK),
    "Dorothy": Character(3, USUAL),
    "Emmy": Character(6, USUAL),
    "Fibo": Character(1, USUAL),
    "Grace": Character(4, QUICK),
    "Hedy": Character(1, QUICK),
    "Jakob": Character(4, SLOW),
    "Lotfi": Character(3, SLOW),
    "Maryam": Character(5, SLOW),
    "Thomas": Character(2, USUAL),
}
"""By name, which needs no translation; each begins with another letter."""
MIDDLE_LEVEL: Final = 3
"""The level of a computer that plays for a person (L4), and of those that somebody adds without choosing one."""
LEVEL_ORDER: Final = (3, 4, 2, 5, 1, 6)
"""The order in which levels are taken when nobody has chosen one."""


def computer_tempo(player: Player) -> Tempo:
    """Return how quickly the computer in the seat of *player* moves: as its character does; in a person's seat at the
    usual tempo."""
    known = CHARACTERS.get(character_name(player.name)) if player.user is None else None
    return USUAL if known is None else known.tempo


def computer_level(player: Player, game: AnyGame) -> int:
    """Return the level at which a computer plays *game* in the seat of *player*: its character's; in a person's seat
    the middle one."""
    known = CHARACTERS.get(character_name(player.name)) if player.user is None and not player.former else None
    return min(MIDDLE_LEVEL if known is None else known.level, game.computers.LEVELS)


def character_name(name: str) -> str:
    """Return the first word of a computer player's *name*: "Ada" of "Ada 2".

    >>> character_name("Ada"), character_name("Ada 2")
    ('Ada', 'Ada')
    """
    return name.partition(" ")[0]


def free_computer_name(table: TableId, taken: Iterable[str], chosen: int | None = None) -> str:
    """Return a name for one more computer player at *table* that looks like none of those *taken*, of a character of
    the level *chosen*.

    If no level was chosen, it is near the middle. Every table has its own order of the names. When all are taken they
    are numbered: Ada 2, Blaise 2 ...
    """
    known = frozenset[str]().union(*(lookalike_keys(name) for name in taken))
    return next(
        it
        for it in _computer_names(table, LEVEL_ORDER if chosen is None else (chosen,))
        if not lookalike_keys(it) & known
    )


def _computer_names(table: TableId, levels: Sequence[int]) -> Iterator[str]:
    """Yield names for the computer players of *table* without end, those of the first of *levels* first; then
    numbered.
    """
    mixed = Random(table).sample(list(CHARACTERS), len(CHARACTERS))
    names = [name for level in levels for name in mixed if CHARACTERS[name].level == level]
    yield from names
    for number in count(2):
        yield from (f"{name} {number}" for name in names)


class NamedPerson(NamedTuple):
    """A person in a list in which all names are different, with their Discord names."""

    name: str
    """Their name in the list."""
    display: str
    """Their display name on Discord."""
    username: str
    """Their Discord user name; empty: it is not known."""


def with_unique_names(table: Table, seat: Seat, before: Player | None = None) -> Table:
    """Name the person in *seat*, who is new or renamed, so that no two names at *table* look alike; others may be
    renamed for that.

    *before* is the same person earlier: they keep their name if Discord's names are the same. Computer players with a
    name like a person's get another.
    """
    first, person = table, table.players[seat]
    display = person.display or person.name
    if before is not None and (before.display, before.username) == (person.display, person.username) and before.display:
        return table.with_changed_player(seat, name=before.name)
    others = [Seat(it) for it, p in enumerate(table.players) if it != seat and p.user is not None]
    there = [_make_name_list_entry(table.players[it]) for it in others]
    for at, it in zip((*others, seat), add_person_with_unique_names(there, display, person.username), strict=True):
        table = table.with_changed_player(at, name=it.name)
    table = _with_computers_renamed(table)
    both = zip(first.players, table.players, strict=True)
    renamed = {old.name: new.name for old, new in both if old.user is not None and old.name != new.name}
    handovers = tuple(it._replace(name=renamed.get(it.name, it.name)) for it in table.handovers)
    return table._replace(handovers=handovers) if renamed else table


def with_updated_person(table: Table, person: Player) -> Table:
    """Update Discord names and language of *person* at *table*, and so perhaps names there; unchanged without a seat,
    while it starts or once it is over."""
    seat = table.seat_of(person.user) if person.user is not None else None
    if seat is None or not table.live or table.starting:  # what is recorded of a game stays as it was
        return table
    before = table.players[seat]
    changed = table.with_changed_player(seat, display=person.display, username=person.username, locale=person.locale)
    return with_unique_names(changed, seat, before)


def name_at_table(table: Table, user: int, name: str, username: str = "") -> str:
    """Return the name of *user* at *table*; without a seat there, a name made of *name* and *username* that nobody at
    it has.

    *name* is their display name on Discord, *username* their user name there.
    """
    seat = table.seat_of(user)
    if seat is not None:
        return table.players[seat].name
    there = [_make_name_list_entry(player) for player in table.players if player.user is not None]
    return add_person_with_unique_names(there, name, username)[-1].name


def unique_names(people: Iterable[tuple[str, str]]) -> list[str]:
    """Return names for a list of *people* in the same order, of which no two look alike; the first person with a name
    keeps it.

    *people* are pairs of name and user name (empty: not known).
    """
    there: list[NamedPerson] = []
    for name, username in people:
        there = add_person_with_unique_names(there, name, username)
    return [it.name for it in there]


def add_person_with_unique_names(listed: Sequence[NamedPerson], display: str, username: str) -> list[NamedPerson]:
    """Return the list *listed* with one more person at its end, and names changed so that no two look alike.

    If the *display* name looks like another, *username* is added in brackets. Whoever has written that behind their own
    name gets theirs.

    >>> [it.name for it in add_person_with_unique_names([NamedPerson("Sam", "Sam", "sam_1")], "SАM", "sam_2")]
    ['Sam', 'SАM (sam_2)']
    >>> taken = [NamedPerson("Sam (sam_2)", "Sam (sam_2)", "evil")]
    >>> [it.name for it in add_person_with_unique_names(taken, "Sam", "sam_2")]
    ['Sam (evil)', 'Sam (sam_2)']
    """
    mine = lookalike_keys(display) | lookalike_keys(without_brackets(display))
    theirs = (called for it in listed for called in (it.name, *map(without_brackets, (it.name, it.display))))
    alike = any(mine & lookalike_keys(it) for it in theirs)
    people = [*listed, NamedPerson(display, display, username)]
    to_change = [len(listed)] if alike else []
    if alike and username:
        to_change += [at for at, it in enumerate(listed) if _contains_username(it.name, username)]
    changed = set[int]()
    while to_change:
        for at in to_change:
            it, others = people[at], (other.name for place, other in enumerate(people) if place != at)
            people[at] = it._replace(name=name_with_username(it.display, it.username, others))
            changed.add(at)
        taken = [lookalike_keys(people[at].name) for at in changed]
        rest = (at for at in range(len(people)) if at not in changed)
        to_change = [at for at in rest if any(lookalike_keys(people[at].name) & it for it in taken)]
    return people


def _contains_username(name: str, username: str) -> bool:
    """Whether the brackets at the end of *name* hold something that looks like *username*."""
    said = lookalike_keys(name[len(without_brackets(name)) :])
    return any(theirs in it for it in said for theirs in lookalike_keys(username))


def name_with_username(display: str, username: str, taken: Iterable[str] = ()) -> str:
    """Write *display* with *username* in brackets; without a *username*, with the first number that makes it unlike all
    names *taken*.

    A long name is cut; beside a very long user name there is no room for it.

    >>> name_with_username("Sam", "sam_1"), name_with_username("Sam (sam_1)", "evil")
    ('Sam (sam_1)', 'Sam (evil)')
    >>> name_with_username("Sam", "", ["Sam", "Sam (2)"])
    'Sam (3)'
    >>> name_with_username("W" * 32, "w.1"), name_with_username("Sam", "s" * 30)
    ('WWWWWWWWWWWWWWWWWWWWWWWWW… (w.1)', 'ssssssssssssssssssssssssssssss')
    """
    name = without_brackets(display)
    if username:
        return with_brackets(name, username, MAX_NAME_LENGTH)
    known = frozenset[str]().union(*(lookalike_keys(it) for it in taken))
    numbered = (with_brackets(name, str(number), MAX_NAME_LENGTH) for number in count(2))
    return next(it for it in numbered if not lookalike_keys(it) & known)


def _make_name_list_entry(person: Player) -> NamedPerson:
    """Make the list entry (name, display name, user name) of *person*."""
    return NamedPerson(person.name, person.display or person.name, person.username)


def _with_computers_renamed(table: Table) -> Table:
    """Give every computer player at *table* whose name looks like a person's another name of the same level."""
    for seat, player in enumerate(table.players):
        people = frozenset[str]().union(*(lookalike_keys(it.name) for it in table.players if it.user is not None))
        if player.user is None and not player.former and lookalike_keys(player.name) & people:
            taken = [other.name for other in table.players]
            same = CHARACTERS.get(character_name(player.name))
            name = free_computer_name(table.id, taken, None if same is None else same.level)
            table = table.with_changed_player(Seat(seat), name=name)
    return table
