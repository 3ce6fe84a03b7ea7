"""Replays the game of a record: the deal, then every entry, each checked against the rules."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from engine.errors import BadRecord, General, IllegalAction, Reason
from engine.fair import PlayerKind, SeededChance
from engine.game import Step
from engine.record import ActionEntry, Entry, Record, SeatChangeEntry
from engine.registry import GAMES, AnyGame
from engine.strict import short_quote

REASON_TEXTS: Final = {
    General.GAME_OVER: "the game was over",
    General.NOT_YOUR_TURN: "it was not this seat's turn",
    General.NOT_IN_HAND: "this seat did not hold that",
    General.NOTHING_TO_CALL: "there was nothing to call",
    General.MALFORMED: "it is no action that can be made here",
}
"""The English texts of the general reasons for illegal actions. The reasons of single games are their own words."""


class SeatOccupant(NamedTuple):
    """The player in a seat at some moment: person or computer, id and level."""

    kind: PlayerKind
    id: str
    """As in ``DealtSeat``; empty: a computer player that has taken over the seat."""
    level: str
    """As in ``DealtSeat``."""


class Moment(NamedTuple):
    """The deal or one entry of a record, replayed: the action, the states before and after, events, and players."""

    number: int
    """0 for the deal, then the number of the entry, from 1."""
    entry: Entry | None
    """``None`` for the deal."""
    action: Any
    """The game's action; ``None`` for the deal, and where a seat changed hands."""
    before: Any
    """The state before the entry; ``None`` for the deal."""
    after: Any
    """The state after the entry."""
    events: tuple[Any, ...]
    """The events of the entry; empty where the player of a seat changed."""
    seats: tuple[SeatOccupant, ...]
    """The player in each seat, after the entry."""

    @property
    def step(self) -> Step[Any, Any]:
        """The result of the entry as a ``Step``, as the game's own functions take it."""
        return Step(self.after, self.events)


def replay(record: Record) -> Iterator[Moment]:
    """Yield the game of *record* moment by moment, the deal first, played again by the rules; raise BadRecord at an
    entry that breaks them.

    It does not check the ending and the standings (``engine.verify`` does).

    Raises:
        BadRecord: the game cannot be dealt, or an entry breaks the rules.
    """
    game = require_replayable_game(record)
    deal = record.deal
    chance = SeededChance(deal.seed(record.secret))
    state, events = game.new(len(deal.seats), deal.options, chance)
    seats = tuple(SeatOccupant(seat.kind, seat.id, seat.level) for seat in deal.seats)
    yield Moment(0, None, None, None, state, events, seats)
    kinds = {seat.id: seat.kind for seat in deal.seats}
    for number, entry in enumerate(record.entries, start=1):
        before, action = state, None
        if isinstance(entry, ActionEntry):
            try:
                action = game.decode_action(entry.action)
            except ValueError:
                raise BadRecord(
                    f"action {number}: it is no action of {game.name}: {short_quote(entry.action)}"
                ) from None
            try:
                state, events = game.apply(before, action, chance)
            except IllegalAction as refused:
                seat = entry.action.get("seat")
                by = f", by seat {seat}" if isinstance(seat, int) else ""
                raise BadRecord(f"action {number}{by}: {reason_text(refused.reason)}") from None
        else:
            events = ()
            if game.on_turn(state) is None:
                raise BadRecord(f"action {number}: {REASON_TEXTS[General.GAME_OVER]}")
            try:
                seats = _replace_player_in_seat(seats, entry, kinds)
            except ValueError as error:
                raise BadRecord(f"action {number}: {error}") from None
        yield Moment(number, entry, action, before, state, events, seats)


def reason_text(reason: Reason) -> str:
    """The English words for *reason*, the reason why an action is illegal, for errors of records."""
    known = REASON_TEXTS.get(reason) if isinstance(reason, General) else None
    return known or f"the rules forbid it ({reason.value.replace('_', ' ')})"


def require_replayable_game(record: Record) -> AnyGame:
    """The game of *record*, if this program still plays it by the same rules and takes its options; otherwise raise
    BadRecord.

    Raises:
        BadRecord: it has other rules now, or does not take those options.
    """
    deal = record.deal
    game = GAMES[deal.game]
    if deal.rules != game.rules_version:
        raise BadRecord(f"a game by version {deal.rules} of its rules; this program knows version {game.rules_version}")
    try:
        complete = game.check_options(deal.options)
    except ValueError as error:
        raise BadRecord(f"the record: {error}") from None
    if missing := complete.keys() - deal.options.keys():
        raise BadRecord(f"the record: the option {min(missing)} is missing")
    return game


def _replace_player_in_seat(
    seats: tuple[SeatOccupant, ...], change: SeatChangeEntry, kinds: dict[str, PlayerKind]
) -> tuple[SeatOccupant, ...]:
    """Return *seats* with the new player that *change* puts into a seat; or raise ValueError if that is impossible.

    *kinds* maps every player id to person or computer, and is updated.

    Raises:
        ValueError: it would change nothing, or somebody would be in two seats, or be both person and computer.
    """
    if change.seat not in range(len(seats)):
        raise ValueError(f"there is no seat {change.seat}")
    now = SeatOccupant(change.sits, change.id, change.level)
    if seats[change.seat] == now:
        raise ValueError(f"that {change.sits} plays seat {change.seat} already")
    if change.sits == "person" and not change.id:
        raise ValueError("a person who sits down has an id")
    if change.id:
        if any(other.id == change.id for seat, other in enumerate(seats) if seat != change.seat):
            raise ValueError(f"{change.id} plays another seat already")
        if kinds.setdefault(change.id, change.sits) != change.sits:
            raise ValueError(f"{change.id} is a {kinds[change.id]}, not a {change.sits}")
    return (*seats[: change.seat], now, *seats[change.seat + 1 :])
