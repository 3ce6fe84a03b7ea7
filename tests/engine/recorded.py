"""Records of random games, for the tests."""

import hashlib
from random import Random
from typing import Any

from engine.fair import Deal, DealtSeat, SeededChance, cut_hash
from engine.game import Chance, Seat
from engine.record import FINISHED, ActionEntry, Entry, Record, SeatChangeEntry, make_record
from tests.games import CASES
from tests.games.case import Case, Options

BEGAN = 1_700_000_000_000
MESSAGE = 1_300_000_000_000_000_000


def phrase(seat: int) -> str:
    """With what the person in *seat* cuts."""
    return f"Föhn and snow {seat}"


def secret_of(number: int) -> bytes:
    """The secret of the game *number*."""
    return hashlib.sha256(f"secret {number}".encode()).digest()


def sheets(seats: int) -> tuple[DealtSeat, ...]:
    """*seats* in which people and computers sit in turn; every other person has cut."""
    people = (DealtSeat(f"{seat:016x}", "person", "", "" if seat % 4 else cut_hash(phrase(seat))) for seat in range(9))
    computers = (DealtSeat(f"c{seat:015x}", "computer", "strong" if seat % 4 == 1 else "") for seat in range(9))
    pairs = list(zip(people, computers, strict=True))
    return tuple(pairs[seat][seat % 2] for seat in range(seats))


def deal_of(case: Case, seats: int, number: int = 0, options: Options | None = None) -> Deal:
    """What the game *number* of *case* is dealt from."""
    complete = case.rules.check_options(options or {})
    return Deal(case.game, case.rules.rules_version, complete, sheets(seats), MESSAGE + number)


def changes(seats: int, rng: Random) -> list[SeatChangeEntry]:
    """Seats that change hands, in an order in which they can."""
    person, computer = sheets(seats)[:2]
    return [
        SeatChangeEntry(0, Seat(0), "computer", "", "middle"),
        SeatChangeEntry(0, Seat(0), "person", person.id),
        SeatChangeEntry(0, Seat(1), "person", f"{rng.getrandbits(60):016x}"),
        SeatChangeEntry(0, Seat(1), "computer", computer.id, computer.level),
    ]


def played(case: Case, deal: Deal, chance: Chance, number: int, stop: int | None = None) -> tuple[list[Entry], Any]:
    """(the entries, the last state) of a random game with the draws of *chance*; some turns are the clock's, some seats
    change hands; after *stop* actions it is broken off."""
    rules, rng = case.rules, Random(number)
    seats = len(deal.seats)
    state = rules.new(seats, deal.options, chance).state
    entries: list[Entry] = []
    left = changes(seats, rng)
    while rules.on_turn(state) is not None and (stop is None or state.ply < stop):
        if left and not rng.randrange(6):
            entries.append(left.pop(0)._replace(at=BEGAN + 1000 * len(entries)))
        actions = [action for seat in range(seats) for action in rules.legal_actions(state, Seat(seat))]
        action = case.choose(actions, rng)
        at = BEGAN + 1000 * len(entries)
        entries.append(ActionEntry(at, rules.encode_action(action), not rng.randrange(9)))
        state = rules.apply(state, action, chance).state
    return entries, state


def recorded(game: str, seats: int, number: int = 0, options: Options | None = None, stop: int | None = None) -> Record:
    """The record of the random game *number*; after *stop* actions it was ended, unless it was over."""
    case, secret = CASES[game], secret_of(number)
    deal = deal_of(case, seats, number, options)
    entries, state = played(case, deal, SeededChance(deal.seed(secret)), number, stop)
    over = case.rules.on_turn(state) is None
    return make_record(deal, secret, entries, FINISHED if over else "ended", case.rules.standings(state))
