"""Operators who cheat, as functions: each takes the record of the game that *Ada* noted, and gives another one, which
it publishes instead.

Ada sits in seat 0. She noted the shuffle code before she cut, the deal code, and the id of the table message.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

from engine.fair import Deal, SeededChance, cut_hash
from engine.game import Standing
from engine.record import FINISHED, ActionEntry, Record, make_record
from engine.verify import PlayerNotes
from tests.engine.recorded import MESSAGE, deal_of, phrase, played, secret_of
from tests.games.case import Case

T = TypeVar("T")


def record_from(case: Case, deal: Deal, secret: bytes) -> Record:
    """The record of a random game that was dealt from *deal* and *secret*."""
    entries, state = played(case, deal, SeededChance(deal.seed(secret)), number=0)
    return make_record(deal, secret, entries, FINISHED, case.rules.standings(state))


def honest(case: Case) -> Record:
    """The record of the game that an honest operator hosts."""
    return record_from(case, deal_of(case, 3, options=case.quick), secret_of(0))


def notes(record: Record) -> PlayerNotes:
    """What Ada noted of the game of *record*."""
    return PlayerNotes(record.commitment, record.deal.deal_code(record.commitment), record.deal.message, (phrase(0),))


def suits(case: Case, deal: Deal, secret: bytes) -> bool:
    """Whether the operator likes what is dealt: one deal in eight."""
    state = case.rules.new(3, deal.options, SeededChance(deal.seed(secret))).state
    return zlib.crc32(json.dumps(case.rules.encode_state(state)).encode()) % 8 == 5


def with_cut(deal: Deal, seat: int, words: str) -> Deal:
    """*deal* where *seat* has cut with *words*."""
    seats = list(deal.seats)
    seats[seat] = seats[seat]._replace(kind="person", level="", cut=cut_hash(words))
    return deal._replace(seats=tuple(seats))


def grinds_the_secret(case: Case, true: Record) -> Record:
    """Once seats and cuts are known, it looks for a secret."""
    secret = first(secret_of(n) for n in count(1) if suits(case, true.deal, secret_of(n)))
    return record_from(case, true.deal, secret)


def keeps_the_code_of_another_secret(case: Case, true: Record) -> Record:
    """The same, with the shuffle code that Ada has seen."""
    return grinds_the_secret(case, true)._replace(commitment=true.commitment)


def invents_a_cut(case: Case, true: Record) -> Record:
    """Once the message's id is known, it looks for another cut of Ada's."""
    return with_a_suitable_cut(case, true, 0)


def adds_a_last_cut(case: Case, true: Record) -> Record:
    """Once the message's id is known, somebody who works with the operator cuts."""
    assert not true.deal.seats[2].cut
    return with_a_suitable_cut(case, true, 2)


def with_a_suitable_cut(case: Case, true: Record, seat: int) -> Record:
    """The record of a game in which *seat* cut so that the deal suits."""
    deals = (with_cut(true.deal, seat, str(n)) for n in count())
    return record_from(case, first(deal for deal in deals if suits(case, deal, true.secret)), true.secret)


def draws_ids_anew(case: Case, true: Record) -> Record:
    """Once the message's id is known, it looks for another random id of a computer player."""
    seats = true.deal.seats
    deals = (true.deal._replace(seats=(seats[0], seats[1]._replace(id=f"{n:016x}"), seats[2])) for n in count(10**6))
    return record_from(case, first(deal for deal in deals if suits(case, deal, true.secret)), true.secret)


def starts_again(case: Case, true: Record) -> Record:
    """It sends the table message again and again until the deal suits."""
    deals = (true.deal._replace(message=MESSAGE + n) for n in count(1))
    return record_from(case, first(deal for deal in deals if suits(case, deal, true.secret)), true.secret)


def first(found: Iterator[T]) -> T:
    """The first of what was *found*."""
    return next(found)


def changes_an_action(case: Case, true: Record) -> Record:
    """Somebody else made the first move."""
    entries = list(true.entries)
    index = next(n for n, it in enumerate(entries) if isinstance(it, ActionEntry) and "seat" in it.action)
    entry = entries[index]
    assert isinstance(entry, ActionEntry)
    entries[index] = entry._replace(action={**entry.action, "seat": (entry.action["seat"] + 1) % 3})
    return true._replace(entries=tuple(entries))


def drops_the_last_actions(case: Case, true: Record) -> Record:
    """The end of the game is missing."""
    return true._replace(entries=true.entries[:-3])


def says_it_was_ended(case: Case, true: Record) -> Record:
    """The game was played to its end, but is to count for nobody."""
    return true._replace(ending="ended", standings=())


def changes_the_standings(case: Case, true: Record) -> Record:
    """Somebody else won."""
    standings = [Standing(it.seat, it.place, it.score) for it in true.standings]
    seats = [it.seat for it in standings]
    turned = [Standing(seat, it.place, it.score) for seat, it in zip([*seats[1:], seats[0]], standings, strict=True)]
    return true._replace(standings=tuple(turned))


class Crooked(SeededChance):
    """Deals the first card of a pile to somebody else."""

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        top, *rest = super().shuffle(index, items)
        return (*rest, top)


def deals_to_somebody_else(case: Case, true: Record) -> Record:
    """Every card is dealt to the seat before; what was played with these cards is in the record."""
    deal = true.deal
    entries, state = played(case, deal, Crooked(deal.seed(true.secret)), number=0)
    return make_record(deal, true.secret, entries, FINISHED, case.rules.standings(state))


def tells_of_another_game(case: Case, true: Record) -> Record:
    """The deal is the one that Ada noted, but other moves were made, all of them legal."""
    entries, state = played(case, true.deal, SeededChance(true.deal.seed(true.secret)), number=1)
    return make_record(true.deal, true.secret, entries, FINISHED, case.rules.standings(state))
