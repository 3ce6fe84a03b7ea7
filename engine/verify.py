"""Whether a record fits together, and fits what a player wrote down while the game was played."""

import re
from collections.abc import Sequence
from enum import Enum
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from engine.errors import BadRecord
from engine.fair import commitment, cut_hash
from engine.game import Standing
from engine.record import FINISHED, ActionEntry, Record
from engine.replay import playable_game, replay
from engine.strict import short_quote

MIN_CODE_DIGITS: Final = 8
"""A code that was noted must have so many digits."""
MAX_CODE_DIGITS: Final = 64
"""No code has more: it is a SHA-256 hash."""
SAFE_CODE_DIGITS: Final = 32
"""Whoever makes two secrets, or two deals, can look for a pair whose codes begin alike: half the bits of what was noted
are to be tried. With so many digits that is 2^64 hashes; with half as many it takes minutes."""


class PlayerNotes(NamedTuple):
    """What a player wrote down while the game was played; nothing of it must be there."""

    code: str | None = None
    """The shuffle code, as it stood in the lobby, or its beginning."""
    deal: str | None = None
    """The deal code, as it stood above the table message, or its beginning."""
    message: int | None = None
    """The id of the table message."""
    cuts: tuple[str, ...] = ()
    """The phrases with which they cut."""


class Difference(Enum):
    """What in a record is not as a player noted it."""

    SHUFFLE_CODE = "shuffle code"
    DEAL_CODE = "deal code"
    MESSAGE = "table message"
    CUT = "cut"
    """Nobody cut with that phrase."""


class NotesMismatch(BadRecord):
    """A record that is not the one of which a player noted something: *what* is not as *noted*, but as *found*."""

    def __init__(self, said: str, what: Difference, found: str = "", noted: str = "") -> None:
        super().__init__(said)
        self.what = what
        self.found = found
        self.noted = noted


class Remark(Enum):
    """What a record that fits does not prove."""

    NOT_NOTED = "not_noted"
    """Of shuffle code, deal code and message not all were compared with what a player noted: whoever hosts the bot
    could have made up the rest afterwards."""
    FEW_DIGITS = "few_digits"
    """A code was compared by its first digits only, and by fewer than ``SAFE_CODE_DIGITS``: another one may fit too."""
    NOBODY_CUT = "nobody_cut"
    """Only the message's id came from outside the bot."""


class Verdict(NamedTuple):
    """A record that fits."""

    seed: bytes
    deal_code: str
    actions: int
    """How many there are; seats that changed hands are not counted."""
    state: Any
    """The last state; hidden cards are included."""
    remarks: tuple[Remark, ...]


def verify(record: Record, noted: PlayerNotes = PlayerNotes()) -> Verdict:  # noqa: B008 - it is immutable
    """Check all that *record* says, and that it is of the game of which a player *noted* something.

    Raises:
        NotAsNoted: something does not fit what was noted.
        BadRecord: the secret does not fit the shuffle code; an entry is impossible; the game is not finished, or the
            standings are not, as the record says.
    """
    deal = record.deal
    if record.commitment != commitment(record.secret):
        raise BadRecord("the secret in the record does not fit its shuffle code")
    _check_notes(record, noted)
    game = playable_game(record)
    state: Any = None
    for moment in replay(record):
        state = moment.after
    _check_end(record, game.standings(state), game.on_turn(state) is None)
    return Verdict(
        deal.seed(record.secret),
        deal.code(record.commitment),
        sum(isinstance(entry, ActionEntry) for entry in record.entries),
        state,
        _find_remarks(record, noted),
    )


def _check_end(record: Record, standings: Sequence[Standing], over: bool) -> None:
    """Raise BadRecord unless ending and standings of *record* are those that its actions led to: whether the game is
    *over*, and its *standings*."""
    if over != (record.ending == FINISHED):
        was = "over" if over else "not over"
        raise BadRecord(f"the game was {was} after the last action, but its ending is {record.ending!r}")
    for number, (said, found) in enumerate(zip_longest(record.standings, standings), start=1):
        if said != found:
            raise BadRecord(f"standing {number}: it is not the one that the actions led to")


def _check_notes(record: Record, noted: PlayerNotes) -> None:
    """Raise NotAsNoted unless *record* fits what was *noted*."""
    deal = record.deal
    if noted.code is not None:
        _check_code(Difference.SHUFFLE_CODE, noted.code, record.commitment)
    if noted.deal is not None:
        earlier = looks_like_code(noted.deal) and deal.legacy_code().startswith(_normalize_code(noted.deal))
        if not earlier:
            _check_code(Difference.DEAL_CODE, noted.deal, deal.code(record.commitment))
    if noted.message is not None and noted.message != deal.message:
        said = f"the table message is {deal.message}, not {noted.message}, which you noted"
        raise NotesMismatch(said, Difference.MESSAGE, str(deal.message), str(noted.message))
    cuts = {seat.cut for seat in deal.seats}
    for phrase in noted.cuts:
        try:
            own = cut_hash(phrase)
        except ValueError:
            raise NotesMismatch(f"the phrase {short_quote(phrase)} is no text", Difference.CUT, noted=phrase) from None
        if own not in cuts:
            raise NotesMismatch(f"nobody cut with your phrase {short_quote(phrase)}", Difference.CUT, noted=phrase)


def looks_like_code(noted: str) -> bool:
    """Whether *noted* can be a code, or how one begins.

    >>> is_code("09AF09AF"), is_code("09af"), is_code("hello world!")
    (True, False, False)
    """
    return re.fullmatch(f"[0-9a-f]{{{MIN_CODE_DIGITS},{MAX_CODE_DIGITS}}}", _normalize_code(noted)) is not None


def _check_code(what: Difference, noted: str, found: str) -> None:
    """Raise NotAsNoted unless the code *found* begins with what was *noted*."""
    digits = _normalize_code(noted)
    if not looks_like_code(noted):
        limits = f"{MIN_CODE_DIGITS} to {MAX_CODE_DIGITS}"
        said = f"the {what.value} {short_quote(noted)} is not a code: a code has {limits} hexadecimal digits"
        raise NotesMismatch(said, what, found, noted)
    if not found.startswith(digits):
        said = f"the {what.value} is {found[: len(digits)]}, not {digits}, which you noted"
        raise NotesMismatch(said, what, found[: len(digits)], digits)


def _normalize_code(noted: str) -> str:
    """The digits of a code as somebody *noted* it."""
    return noted.strip().lower()


def _find_remarks(record: Record, noted: PlayerNotes) -> tuple[Remark, ...]:
    """What the fact that *record* fits what was *noted* does not prove."""
    codes = [_normalize_code(code) for code in (noted.code, noted.deal) if code is not None]
    # A deal code fixes the shuffle code too, but for one from before version 0.4.
    code = record.deal.code(record.commitment)
    fixed = noted.deal is not None and code.startswith(_normalize_code(noted.deal))
    needed = (noted.deal, noted.message) if fixed else (noted.code, noted.deal, noted.message)
    holds = {
        Remark.NOT_NOTED: None in needed,
        Remark.FEW_DIGITS: any(len(code) < SAFE_CODE_DIGITS for code in codes),
        Remark.NOBODY_CUT: not any(seat.cut for seat in record.deal.seats),
    }
    return tuple(remark for remark, is_so in holds.items() if is_so)
