"""Whether a record fits in itself and to what a player noted: which note catches which operator who cheats."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import BadRecord
from engine.record import ActionEntry, Record, decode_record, encode_record
from engine.verify import PlayerNotes, Remark, verify
from tests.engine.operators import (
    adds_a_last_cut,
    changes_an_action,
    changes_the_standings,
    deals_to_somebody_else,
    draws_ids_anew,
    drops_the_last_actions,
    grinds_the_secret,
    honest,
    invents_a_cut,
    keeps_the_code_of_another_secret,
    notes,
    record_from,
    says_it_was_ended,
    starts_again,
    tells_of_another_game,
    with_cut,
)
from tests.engine.recorded import MESSAGE, phrase, recorded
from tests.games import ANY, CASES
from tests.games.case import Case

every_game = pytest.mark.parametrize("game", sorted(CASES))
about_any = pytest.mark.about(ANY)

Operator = Callable[[Case, Record], Record]
CAUGHT: list[tuple[Operator, set[str], str]] = [
    (grinds_the_secret, {"code", "deal"}, "the shuffle code is"),
    (keeps_the_code_of_another_secret, {"nothing"}, "the secret in the record does not fit its shuffle code"),
    (invents_a_cut, {"deal", "cuts"}, "the deal code is"),
    (adds_a_last_cut, {"deal"}, "the deal code is"),
    (draws_ids_anew, {"deal"}, "the deal code is"),
    (starts_again, {"message"}, "the table message is"),
    (changes_an_action, {"nothing"}, "action "),
    (drops_the_last_actions, {"nothing"}, "the game was not over after the last action, but its ending is 'finished'"),
    (says_it_was_ended, {"nothing"}, "the game was over after the last action, but its ending is 'ended'"),
    (changes_the_standings, {"nothing"}, "standing 1: it is not the one that the actions led to"),
    (deals_to_somebody_else, {"nothing"}, "action "),
]
"""Operator, which note of Ada's alone catches it ("nothing": the record does not fit in itself), what she reads."""


def trouble(record: Record, noted: PlayerNotes) -> str:
    """What is wrong with *record* for somebody who *noted* that; empty: nothing."""
    try:
        verify(decode_record(encode_record(record)), noted)
    except BadRecord as error:
        return str(error)
    return ""


@every_game
def test_an_honest_game_fits_all_notes(game: str) -> None:
    record = honest(CASES[game])
    verdict = verify(record, notes(record))
    assert verdict.remarks == ()
    assert verdict.seed == record.deal.seed(record.secret)
    assert verdict.deal_code == record.deal.deal_code(record.commitment)
    assert verdict.actions == sum(isinstance(entry, ActionEntry) for entry in record.entries)
    assert CASES[game].rules.standings(verdict.state) == record.standings


@every_game
@pytest.mark.parametrize(("operator", "notes_that_catch", "words"), CAUGHT, ids=[it[0].__name__ for it in CAUGHT])
def test_a_cheating_operator_is_caught_by_these_notes_and_by_no_others(
    game: str, operator: Operator, notes_that_catch: set[str], words: str
) -> None:
    case = CASES[game]
    true = honest(case)
    forged = operator(case, true)
    assert forged != true
    assert trouble(forged, notes(true)).startswith(words)
    alone = {field: PlayerNotes(**{field: value}) for field, value in notes(true)._asdict().items()}
    caught = {field for field, noted in alone.items() if trouble(forged, noted)}
    if trouble(forged, PlayerNotes()):
        assert notes_that_catch == {"nothing"}
    else:
        assert caught == notes_that_catch, "who noted nothing of this must trust the host"


@every_game
def test_a_cut_that_was_invented_before_the_deal_code_is_caught_by_the_phrase_alone(game: str) -> None:
    """It pays nothing, since the message's id comes later; the record says it all the same."""
    case = CASES[game]
    true = honest(case)
    forged = record_from(case, with_cut(true.deal, 0, "invented"), true.secret)
    noted = notes(forged)
    assert trouble(forged, noted) == f"nobody cut with your phrase {phrase(0)!r}"
    assert trouble(forged, noted._replace(cuts=())) == ""


@every_game
def test_other_legal_moves_are_noticed_only_by_who_remembers_the_game(game: str) -> None:
    """docs/fairness.md says so: a record is what the bot says was played."""
    case = CASES[game]
    true = honest(case)
    forged = tells_of_another_game(case, true)
    assert forged.entries != true.entries
    assert trouble(forged, notes(true)) == ""


@every_game
def test_a_game_that_was_ended_has_no_standings(game: str) -> None:
    record = recorded(game, 2, stop=2)
    assert (record.ending, record.standings) == ("ended", ())
    noted = PlayerNotes(record.commitment, record.deal.deal_code(record.commitment), record.deal.message)
    assert verify(record, noted).remarks == ()
    whole = recorded(game, 2)
    words = "standing 1: it is not the one that the actions led to"
    assert trouble(record._replace(standings=whole.standings), PlayerNotes()) == words
    assert trouble(whole._replace(standings=()), PlayerNotes()) == words


# Notes


@about_any
def test_a_code_may_be_noted_in_part_and_in_capital_letters() -> None:
    record = honest(CASES[ANY])
    code, deal = record.commitment, record.deal.deal_code(record.commitment)
    for digits in (8, 31, 32, 64):
        noted = notes(record)._replace(code=f" {code[:digits].upper()}\n", deal=deal[:digits])
        few = (Remark.FEW_DIGITS,) if digits < 32 else ()
        assert verify(record, noted).remarks == few
    assert verify(record, notes(record)._replace(deal=record.deal.legacy_deal_code())).remarks == ()
    for wrong in (code[:7], "0x" + code[:8], code + "0", "g" * 16, "\ud800" * 8, " "):
        for noted, what in ((PlayerNotes(code=wrong), "shuffle code"), (PlayerNotes(deal=wrong), "deal code")):
            assert trouble(record, noted).startswith(f"the {what} {wrong!r}"[:40])
    other = ("0" if code[7] != "0" else "1").join([code[:7], ""])
    assert trouble(record, PlayerNotes(code=other)) == f"the shuffle code is {code[:8]}, not {other}, which you noted"


@about_any
def test_a_message_and_a_phrase_that_do_not_fit_are_said() -> None:
    record = honest(CASES[ANY])
    assert trouble(record, PlayerNotes(message=0)) == f"the table message is {MESSAGE}, not 0, which you noted"
    assert trouble(record, PlayerNotes(cuts=(phrase(0), "x\n"))) == "nobody cut with your phrase 'x\\n'"
    assert trouble(record, PlayerNotes(cuts=("\ud800",))) == "the phrase '\\ud800' is no text"
    assert trouble(record, PlayerNotes(cuts=(f" {phrase(0)}",))) == ""


@about_any
def test_what_was_not_compared_is_remarked() -> None:
    record = honest(CASES[ANY])
    noted = notes(record)
    assert verify(record).remarks == (Remark.NOT_NOTED,)
    for less in (noted._replace(deal=None), noted._replace(message=None)):
        assert verify(record, less).remarks == (Remark.NOT_NOTED,)
    assert verify(record, noted._replace(code=None)).remarks == (), "the deal code fixes the shuffle code"
    earlier = noted._replace(deal=record.deal.legacy_deal_code())
    assert verify(record, earlier).remarks == ()
    assert verify(record, earlier._replace(code=None)).remarks == (Remark.NOT_NOTED,), "it did not before version 0.4"
    assert verify(record, noted._replace(cuts=())).remarks == ()
    seats = tuple(seat._replace(cut="") for seat in record.deal.seats)
    uncut = record_from(CASES[ANY], record.deal._replace(seats=seats), record.secret)
    assert verify(uncut, notes(uncut)._replace(cuts=())).remarks == (Remark.NOBODY_CUT,)


def test_every_note_catches_somebody() -> None:
    """The fields of her notes are those that the table above names."""
    named: set[Any] = set().union(*(by for _, by, _ in CAUGHT))
    assert named - {"nothing"} == set(PlayerNotes._fields)
