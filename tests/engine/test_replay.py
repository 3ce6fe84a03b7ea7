"""Records played anew: the same states, who sits where, and the first entry that cannot have happened."""

from typing import Any

import pytest

from engine.errors import BadRecord, General, IllegalAction
from engine.fair import SeededChance
from engine.game import Seat
from engine.record import ActionEntry, Entry, Record, SeatChangeEntry, decode_record, encode_record
from engine.registry import GAMES
from engine.replay import REASON_TEXTS, SeatOccupant, reason_text, replay, require_replayable_game
from tests.engine.recorded import BEGAN, recorded, sheets
from tests.games import ANY, CASES

every_game = pytest.mark.parametrize("game", sorted(CASES))
every_size = pytest.mark.parametrize(
    ("game", "seats"), [(game, n) for game in sorted(CASES) for n in CASES[game].rules.seats]
)
about_any = pytest.mark.about(ANY)
PERSON, COMPUTER = sheets(2)


@every_size
def test_a_replay_is_the_game_as_it_was_played(game: str, seats: int) -> None:
    record, rules = recorded(game, seats), GAMES[game]
    chance = SeededChance(record.deal.seed(record.secret))
    deal, *moments = replay(record)
    state, events = rules.new(seats, record.deal.options, chance)
    assert deal[:6] == (0, None, None, None, state, events)
    assert deal.seats == tuple(SeatOccupant(seat.kind, seat.id, seat.level) for seat in record.deal.seats)
    assert [moment.number for moment in moments] == list(range(1, len(moments) + 1))
    for moment, entry in zip(moments, list(record.entries), strict=True):
        assert (moment.entry, moment.before) == (entry, state)
        if isinstance(entry, ActionEntry):
            assert rules.encode_action(moment.action) == entry.action
            state, events = rules.apply(state, moment.action, chance)
            assert (moment.after, moment.events) == (state, events)
        else:
            assert (moment.action, moment.after, moment.events) == (None, state, ())
    assert rules.standings(state) == record.standings


@about_any
def test_who_sits_where_follows_the_changes() -> None:
    record = with_changes(
        SeatChangeEntry(BEGAN, Seat(0), "computer", "", "middle"),
        SeatChangeEntry(BEGAN, Seat(1), "person", "abcdefabcdefabcd"),
        SeatChangeEntry(BEGAN, Seat(0), "person", PERSON.id),
    )
    first, *later = [moment.seats for moment in replay(record)][:4]
    person, computer = first
    assert (person, computer) == (
        SeatOccupant("person", PERSON.id, ""),
        SeatOccupant("computer", COMPUTER.id, "strong"),
    )
    late, takes_over = SeatOccupant("person", "abcdefabcdefabcd", ""), SeatOccupant("computer", "", "middle")
    assert later == [(takes_over, computer), (takes_over, late), (person, late)]


def with_changes(*entries: Entry) -> Record:
    """The record of a game of two that was ended after *entries* and three actions."""
    record = recorded(ANY, 2, stop=3)
    return record._replace(entries=(*entries, *(it for it in list(record.entries) if isinstance(it, ActionEntry))))


def wrong(record: Record) -> str:
    """What is wrong with *record*."""
    with pytest.raises(BadRecord) as caught:
        for _ in replay(record):
            pass
    return str(caught.value)


def sits(seat: int, kind: Any, who: str = "", level: str = "") -> SeatChangeEntry:
    return SeatChangeEntry(BEGAN, Seat(seat), kind, who, level)


@about_any
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([sits(0, "person", PERSON.id)], "action 1: that person plays seat 0 already"),
        ([sits(1, "computer", COMPUTER.id, "strong")], "action 1: that computer plays seat 1 already"),
        ([sits(0, "computer"), sits(0, "computer")], "action 2: that computer plays seat 0 already"),
        ([sits(1, "person", PERSON.id)], f"action 1: {PERSON.id} plays another seat already"),
        ([sits(0, "computer", COMPUTER.id)], f"action 1: {COMPUTER.id} plays another seat already"),
        ([sits(0, "computer", PERSON.id)], f"action 1: {PERSON.id} is a person, not a computer"),
        ([sits(1, "computer"), sits(1, "person", COMPUTER.id)], f"action 2: {COMPUTER.id} is a computer, not a person"),
        ([sits(0, "person")], "action 1: a person who sits down has an id"),
        ([sits(2, "computer")], "action 1: there is no seat 2"),
        ([sits(-1, "computer")], "action 1: there is no seat -1"),
    ],
)
def test_a_change_of_seats_that_makes_no_sense_is_refused(changes: list[Entry], words: str) -> None:
    assert wrong(with_changes(*changes)) == words


@about_any
def test_nobody_plays_two_seats_of_three() -> None:
    record = recorded(ANY, 3, stop=0)
    assert wrong(record._replace(entries=(sits(1, "person", PERSON.id),))) == (
        f"action 1: {PERSON.id} plays another seat already"
    )


@every_game
def test_nothing_comes_after_the_end(game: str) -> None:
    record = recorded(game, 2, options=CASES[game].quick)
    entries = list(record.entries)
    for more in (entries[-1], sits(0, "computer", "", "late"), sits(9, "computer")):
        text = wrong(record._replace(entries=(*entries, more)))
        seat = more.action.get("seat") if isinstance(more, ActionEntry) else None
        by = f", by seat {seat}" if seat is not None else ""
        assert text == f"action {len(entries) + 1}{by}: the game was over"


@every_game
def test_an_action_that_was_not_legal_is_refused_with_its_number(game: str) -> None:
    """Whatever is conceivable and not legal, at some moments of a game."""
    record, case = recorded(game, 3, options=CASES[game].quick), CASES[game]
    rules, entries = case.rules, list(record.entries)
    refused = set()
    for moment in list(replay(record))[1:40:4]:
        if not isinstance(moment.entry, ActionEntry):
            continue
        for seat in map(Seat, range(3)):
            for action in case.conceivable(moment.before, seat):
                try:
                    rules.apply(moment.before, action, SeededChance(bytes(32)))
                except IllegalAction as illegal:
                    forged = moment.entry._replace(action=rules.encode_action(action))
                    text = wrong(record._replace(entries=(*entries[: moment.number - 1], forged)))
                    by = f", by seat {seat}" if "seat" in forged.action and "it is no action of" not in text else ""
                    assert text.startswith(f"action {moment.number}{by}: ")
                    assert text.endswith(reason_text(illegal.reason)) or "it is no action of" in text
                    refused.add(text.partition(": ")[2])
    assert REASON_TEXTS[General.NOT_YOUR_TURN] in refused
    assert len(refused) > 1


@every_game
def test_an_action_in_another_form_than_the_transcripts_is_refused(game: str) -> None:
    record = recorded(game, 2, stop=1)
    *before, last = list(record.entries)
    assert isinstance(last, ActionEntry)
    for action in ({}, {**last.action, "more": 1}, {**last.action, "seat": True}, {**last.action, "seat": "0"}):
        text = wrong(record._replace(entries=(*before, last._replace(action=action))))
        assert text.startswith(f"action {len(before) + 1}: it is no action of {game}: {{")


def test_every_general_reason_has_words() -> None:
    assert set(REASON_TEXTS) == set(General)
    assert reason_text(General.GAME_OVER) == "the game was over"
    for rules in GAMES.values():
        for reason in rules.refused:
            assert reason_text(reason) == f"the rules forbid it ({reason.value.replace('_', ' ')})"


# What cannot be dealt


@every_game
def test_only_the_rules_and_options_of_the_game_can_be_dealt(game: str) -> None:
    record, rules = recorded(game, 2, stop=0), GAMES[game]
    assert require_replayable_game(record) is rules
    later = record._replace(deal=record.deal._replace(rules=rules.rules_version + 1))
    version = rules.rules_version
    assert wrong(later) == f"a game by version {version + 1} of its rules; this program knows version {version}"
    one = record._replace(deal=record.deal._replace(seats=record.deal.seats[:1]))
    with pytest.raises(BadRecord) as refused:
        decode_record(encode_record(one))
    assert str(refused.value) == f"{game} takes {rules.seats[0]} to {rules.seats[-1]} players, not 1"
    odd = record._replace(deal=record.deal._replace(options={**record.deal.options, "odd": "x"}))
    assert wrong(odd).startswith(f"the record: unknown option 'odd' for {game}")
    for option in record.deal.options:
        less = {key: value for key, value in record.deal.options.items() if key != option}
        assert wrong(record._replace(deal=record.deal._replace(options=less))) == (
            f"the record: the option {option} is missing"
        )
