"""Checks that a record is consistent, and that it agrees with what a player noted during the game."""

import re
from collections.abc import Sequence
from enum import Enum
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from engine.errors import BadRecord
from engine.fair import commitment, cut_hash
from engine.game import Standing
from engine.record import FINISHED, ActionEntry, Record
from engine.replay import replay, require_replayable_game
from engine.strict import short_quote

MIN_CODE_DIGITS: Final = 8
"""The fewest digits that a noted code must have."""
MAX_CODE_DIGITS: Final = 64
"""The most digits of a code: it is a SHA-256 hash."""
SAFE_CODE_DIGITS: Final = 32
"""From this many noted digits on, a code is safe against a forged pair. Somebody who makes two secrets, or two deals,
can look for a pair with codes that begin alike: that takes half the bits of what was noted. With this many digits it
takes 2^64 hashes; with half as many it takes minutes."""


class PlayerNotes(NamedTuple):
    """What a player noted during the game. Every part may be missing."""

    code: str | None = None
    """The shuffle code as shown in the lobby, or its beginning."""
    deal: str | None = None
    """The deal code as shown above the table message, or its beginning."""
    message: int | None = None
    """The id of the table message."""
    cuts: tuple[str, ...] = ()
    """The phrases with which the player cut."""


class Difference(Enum):
    """The part of a record that differs from a player's notes."""

    SHUFFLE_CODE = "shuffle code"
    DEAL_CODE = "deal code"
    MESSAGE = "table message"
    CUT = "cut"
    """Nobody cut with that phrase."""


class NotesMismatch(BadRecord):
    """A record differs from a player's notes: in *what*, the value *found* in the record, and the *noted* value."""

    def __init__(self, said: str, what: Difference, found: str = "", noted: str = "") -> None:
        super().__init__(said)
        self.what = what
        self.found = found
        self.noted = noted


class Remark(Enum):
    """A limit of what a consistent record proves."""

    NOT_NOTED = "not_noted"
    """Not all of shuffle code, deal code and message were compared with a player's notes. The host of the bot could
    have made up the rest afterwards."""
    FEW_DIGITS = "few_digits"
    """A code was compared by its first digits only, fewer than ``SAFE_CODE_DIGITS``. Another code may fit too."""
    NOBODY_CUT = "nobody_cut"
    """Nobody cut: only the message's id came from outside the bot."""


class Verdict(NamedTuple):
    """What a record shows that passed all checks: seed, deal code, last state, and what is not proved."""

    seed: bytes
    deal_code: str
    actions: int
    """The number of actions; changes of seats are not counted."""
    state: Any
    """The last state, including hidden cards."""
    remarks: tuple[Remark, ...]


def verify(record: Record, noted: PlayerNotes = PlayerNotes()) -> Verdict:  # noqa: B008 - it is immutable
    """Check that the parts of *record* fit, its actions lead to its end, and a player's notes (*noted*) agree; return
    what it shows, or raise BadRecord.

    Raises:
        NotesMismatch: the record differs from the notes.
        BadRecord: the secret does not fit the shuffle code; an entry is impossible; the game is not finished, or the
            standings are not, as the record says.
    """
    deal = record.deal
    if record.commitment != commitment(record.secret):
        raise BadRecord("the secret in the record does not fit its shuffle code")
    _check_notes(record, noted)
    game = require_replayable_game(record)
    state: Any = None
    for moment in replay(record):
        state = moment.after
    _check_end(record, game.standings(state), game.on_turn(state) is None)
    return Verdict(
        deal.seed(record.secret),
        deal.deal_code(record.commitment),
        sum(isinstance(entry, ActionEntry) for entry in record.entries),
        state,
        _list_unproved_points(record, noted),
    )


def _check_end(record: Record, standings: Sequence[Standing], over: bool) -> None:
    """Raise BadRecord unless the ending and the standings in *record* agree with the replay: whether the game is
    *over*, and its *standings*."""
    if over != (record.ending == FINISHED):
        was = "over" if over else "not over"
        raise BadRecord(f"the game was {was} after the last action, but its ending is {record.ending!r}")
    for number, (said, found) in enumerate(zip_longest(record.standings, standings), start=1):
        if said != found:
            raise BadRecord(f"standing {number}: it is not the one that the actions led to")


def _check_notes(record: Record, noted: PlayerNotes) -> None:
    """Raise NotesMismatch unless the codes, table message and cuts in *record* are those that the player *noted*."""
    deal = record.deal
    if noted.code is not None:
        _check_noted_code(Difference.SHUFFLE_CODE, noted.code, record.commitment)
    if noted.deal is not None:
        earlier = looks_like_hex_code(noted.deal) and deal.legacy_deal_code().startswith(_normalize_code(noted.deal))
        if not earlier:
            _check_noted_code(Difference.DEAL_CODE, noted.deal, deal.deal_code(record.commitment))
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


def looks_like_hex_code(noted: str) -> bool:
    """Whether what a player *noted* has the form of the code of a deal, or of its beginning: 8 to 64 hexadecimal
    digits.

    >>> looks_like_hex_code("09AF09AF"), looks_like_hex_code("09af"), looks_like_hex_code("hello world!")
    (True, False, False)
    """
    return re.fullmatch(f"[0-9a-f]{{{MIN_CODE_DIGITS},{MAX_CODE_DIGITS}}}", _normalize_code(noted)) is not None


def _check_noted_code(part: Difference, noted: str, found: str) -> None:
    """Raise NotesMismatch unless the code *found* in the record begins with the digits a player *noted*. *part* says
    which code it is."""
    digits = _normalize_code(noted)
    if not looks_like_hex_code(noted):
        limits = f"{MIN_CODE_DIGITS} to {MAX_CODE_DIGITS}"
        said = f"the {part.value} {short_quote(noted)} is not a code: a code has {limits} hexadecimal digits"
        raise NotesMismatch(said, part, found, noted)
    if not found.startswith(digits):
        said = f"the {part.value} is {found[: len(digits)]}, not {digits}, which you noted"
        raise NotesMismatch(said, part, found[: len(digits)], digits)


def _normalize_code(noted: str) -> str:
    """Return the *noted* code in lower case, without white space around it."""
    return noted.strip().lower()


def _list_unproved_points(record: Record, noted: PlayerNotes) -> tuple[Remark, ...]:
    """What is not proved by *record*, which agrees with the player's notes *noted*: not noted, short codes, nobody cut;
    or empty."""
    codes = [_normalize_code(code) for code in (noted.code, noted.deal) if code is not None]
    # A deal code also fixes the shuffle code, except for deal codes from before version 0.4.
    code = record.deal.deal_code(record.commitment)
    fixed = noted.deal is not None and code.startswith(_normalize_code(noted.deal))
    needed = (noted.deal, noted.message) if fixed else (noted.code, noted.deal, noted.message)
    holds = {
        Remark.NOT_NOTED: None in needed,
        Remark.FEW_DIGITS: any(len(code) < SAFE_CODE_DIGITS for code in codes),
        Remark.NOBODY_CUT: not any(seat.cut for seat in record.deal.seats),
    }
    return tuple(remark for remark, is_so in holds.items() if is_so)
