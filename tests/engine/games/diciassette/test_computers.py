"""The computer player of 17: sees its view and remembers what it saw, is deterministic, and plays well."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette.actions import Call, Play
from engine.games.diciassette.cards import KINDS, PLAIN_BACKED, TARGET, Card, Face, copies_in_deck
from engine.games.diciassette.choices import CALL, CHOICES, PLAYS
from engine.games.diciassette.computers import LEVELS, decide
from engine.games.diciassette.features import SUM, features
from engine.games.diciassette.features import unseen_plain_backed_counts as remembered_pool
from engine.games.diciassette.ladder import luck
from engine.games.diciassette.memory import Discarded, Memory, remember
from engine.games.diciassette.odds import (
    Pool,
    count_unseen_plain_backed_cards,
    estimate_17_and_traps_in_queue,
    hidden_sum_and_trap_odds,
)
from engine.games.diciassette.styles import STYLES, Style
from engine.games.diciassette.view import View, view
from engine.registry import GAMES
from tests.engine.games.diciassette.moments import moments
from tests.games.diciassette import CASE, cards, state

GAME = GAMES["diciassette"]

every_level = pytest.mark.parametrize("level", range(1, LEVELS + 1))


def test_the_odds_are_the_exact_hypergeometric_ones() -> None:
    pool = Pool((2, 1, 0, 1, 0), traps=1, blanks=2)
    cards = [1, 1, 2, 4, 0, 0, 0]
    draws = list(combinations(cards, 3))
    exact = hidden_sum_and_trap_odds(pool, 3)
    for threshold in range(18):
        counted = sum(sum(draw) >= threshold for draw in draws) / len(draws)
        assert exact.reaches[threshold] == pytest.approx(counted)
    assert exact.traps == pytest.approx(3 / 7)


def test_unseen_leaves_out_hand_and_queue() -> None:
    before = state(["1 P R", "2 3 4"], turn=0, last=1, lies="1:5 0:2? 1:3?")
    pool = count_unseen_plain_backed_cards(view(before, Seat(0)))
    assert pool.numbers == (2, 2, 3, 3, 2)
    assert pool.traps == 4
    assert pool.size == sum(copies_in_deck(card) for card in PLAIN_BACKED) - 5
    remembered = count_unseen_plain_backed_cards(view(before, Seat(0)), (Card.FIVE, Card.TRAP, Card.FIVE_OPEN))
    assert remembered == pool._replace(numbers=(2, 2, 3, 3, 1), traps=3), "a two-sided card is in no pool"


def test_the_estimate_is_certain_without_hidden_cards() -> None:
    assert (
        estimate_17_and_traps_in_queue(view(state(["1", "2"], last=1, lies="1:5= 0:5 1:5 0:2"), Seat(0))).seventeen
        == 1.0
    )
    assert (
        estimate_17_and_traps_in_queue(view(state(["1", "2"], last=1, lies="1:5=? 0:5 1:5 0:1"), Seat(0))).seventeen
        == 0.0
    )


def test_it_calls_when_the_sum_is_certain() -> None:
    before = state(["1 2 3", "4 5 1"], turn=0, last=1, lies="0:5 1:5 1:5 0:5")
    for seed in range(20):
        assert GAME.decide(view(before, Seat(0)), Random(seed)) == Call((Seat(0),))


@every_level
def test_it_keeps_still_when_the_sum_is_hopeless(level: int) -> None:
    before = state(["1 2 3", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:1")
    for seed in range(20):
        assert decide(view(before, Seat(1)), Seat(1), Random(seed), level) is None
        assert isinstance(decide(view(before, Seat(0)), Seat(0), Random(seed), level), Play)


def test_nobody_can_tell_what_it_lays_on_a_high_queue() -> None:
    """It adds nothing, or too much: secretly either way, and now this, now that. It never shows 17 to everybody."""
    before = state(["5= R 5", "4 5 1", "1 2 3"], turn=0, last=2, lies="0:5 1:5 2:4")
    chosen = {GAME.decide(view(before, Seat(0)), Random(seed)) for seed in range(40)}
    secret = {Play(Seat(0), Card.FIVE, Face.DOWN), Play(Seat(0), Card.REVERSE, Face.DOWN)}
    assert secret <= chosen <= {*secret, Play(Seat(0), Card.REVERSE, Face.UP)}


def asked_where_17_lies_open(*, on_turn: bool) -> list[tuple[View, Memory | None]]:
    """What seats that may call, on turn or off turn, see and remember where they see 17, and may do something else too:
    in games of beginners, who let it lie."""
    found = []
    for seats, seed in ((seats, seed) for seats in (2, 3, 5) for seed in range(12)):
        for moment in moments(seats, seed, 1):
            for seat in GAME.callers(moment.state):
                seen = view(moment.state, seat)
                if seen.visible_sum >= TARGET and seen.hand and (seen.turn == seat) == on_turn:
                    found.append((seen, moment.memories[seat]))
    return found


@every_level
@pytest.mark.parametrize("on_turn", [True, False], ids=["on turn", "off turn"])
def test_nobody_but_a_beginner_hesitates_where_17_lies_open(level: int, on_turn: bool) -> None:
    """Cards face down cannot make it less; a beginner calls most of the time."""
    calls = [
        isinstance(decide(seen, seen.seat, Random(lot), level, memory), Call)
        for seen, memory in asked_where_17_lies_open(on_turn=on_turn)
        for lot in range(3)
    ]
    assert len(calls) > 200
    often = sum(calls) / len(calls)
    assert often >= (0.97 if level > 1 else 0.75)


@every_level
def test_it_must_call_with_an_empty_hand_d10(level: int) -> None:
    before = state(["", "4 5 1"], turn=0, last=1, lies="1:1", draw="")
    assert decide(view(before, Seat(0)), Seat(0), Random(1), level) == Call((Seat(0),))


@pytest.mark.parametrize("level", [0, LEVELS + 1])
def test_there_are_six_levels(level: int) -> None:
    before = state(["1 2 3", "4 5 1"])
    with pytest.raises(ValueError, match=f"no level {level}"):
        decide(view(before, Seat(0)), Seat(0), Random(1), level)


@every_level
def test_nobody_calls_where_17_is_impossible_unless_they_must_d10(level: int) -> None:
    for seats in (2, 3, 5):
        for moment in moments(seats, level, level):
            if isinstance(moment.action, Call):
                (caller,) = moment.action.seats
                seen = view(moment.state, caller)
                assert not seen.hand or estimate_17_and_traps_in_queue(seen).seventeen > 0


@pytest.mark.parametrize("seats", range(2, 7))
def test_decision_and_memory_follow_from_what_the_seat_saw(seats: int) -> None:
    """Cards that a seat cannot see may be any others: it decides, and remembers, the same."""
    rng = Random(seats)
    for moment in moments(seats, seats):
        for seat in map(Seat, range(seats)):
            memory = moment.memories[seat]
            other = CASE.redealt(moment.state, seat, rng)
            level = rng.randint(1, LEVELS)
            seed = rng.random()
            assert decide(view(moment.state, seat), seat, Random(seed), level, memory) == decide(
                view(other, seat), seat, Random(seed), level, memory
            )
            seen = GAME.events_as_seen(moment.events, seat)
            others = tuple(CASE.otherwise(event, seat, rng) for event in moment.events)
            assert remember(memory, seen, seat) == remember(memory, GAME.events_as_seen(others, seat), seat)


def counted(of: str) -> tuple[int, ...]:
    """How many cards of each kind there are."""
    return tuple(cards(of).count(kind) for kind in KINDS)


def test_it_remembers_what_it_saw_going_to_the_discard_pile_d19() -> None:
    before = state(["T 1 2", "3 4 5", "X R P"], turn=0, last=2, lies="0:5? 1:4? 2:3", discard="")
    step = GAME.apply(before, Play(Seat(0), Card.TRASH, Face.UP), SeededChance(bytes(32)))
    memory = remember(None, GAME.events_as_seen(step.events, Seat(0)), Seat(0))
    assert memory.discarded == Discarded(counted("3 T"))
    step = GAME.apply(step.state._replace(turn=Seat(0), hands=(cards("T 1 2"), *before.hands[1:])),
                      Play(Seat(0), Card.TRASH, Face.UP), SeededChance(bytes(32)))  # fmt: skip
    mine = remember(memory, GAME.events_as_seen(step.events, Seat(0)), Seat(0))
    owners = remember(memory, GAME.events_as_seen(step.events, Seat(1)), Seat(1))
    assert mine.discarded == Discarded(counted("3 T T"), lost=1)
    assert owners.discarded == Discarded(counted("3 T T"), own=counted("4"))


@pytest.mark.parametrize(("lies", "trashed"), [("0:5 2:3", "3 T"), ("0:5 2:3=?", "3= T")])
def test_whoever_played_it_remembers_a_card_that_everybody_saw_as_the_others_do_d19(lies: str, trashed: str) -> None:
    before = state(["T 1 2", "3 4 5", "X R P"], turn=0, last=2, lies=lies, discard="")
    step = GAME.apply(before, Play(Seat(0), Card.TRASH, Face.UP), SeededChance(bytes(32)))
    for seat in map(Seat, range(3)):
        memory = remember(None, GAME.events_as_seen(step.events, seat), seat)
        assert memory.discarded == Discarded(counted(trashed))


@pytest.mark.parametrize("seats", range(2, 7))
def test_what_it_remembers_lies_in_the_discard_pile(seats: int) -> None:
    shuffled = 0
    for moment in (moment for seed in range(6) for moment in moments(seats, 100 * seats + seed, 1)):
        shuffled += bool(GAME.shuffle_orders(moment.events))
        for seat, memory in enumerate(moment.memories):
            there = [moment.state.discard.count(card) for card in KINDS]
            if memory is not None:
                seen, own, lost = memory.discarded
                assert all(a + b <= lies for a, b, lies in zip(seen, own, there, strict=True))
                assert sum(seen) + sum(own) + lost == sum(there)
            pool = remembered_pool(view(moment.state, Seat(seat)), memory)
            hidden = [*moment.state.draw, *(c for i, hand in enumerate(moment.state.hands) if i != seat for c in hand)]
            assert all(hidden.count(card) <= left for card, left in zip(PLAIN_BACKED, pool, strict=True))
    assert shuffled


def test_the_strongest_level_remembers_and_the_weakest_does_not() -> None:
    assert STYLES[-1].remembers
    assert not STYLES[0].remembers


def test_the_strongest_level_lays_cards_face_down_more_evenly_and_no_more_often() -> None:
    """So that nobody can tell from the card that it lays down which one it is."""
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 3, (50, CHOICES)).astype(np.float32)
    allowed = rng.random((50, CHOICES)) < 0.6
    plain, even = Style().choice_chances(logits, allowed), STYLES[-1].choice_chances(logits, allowed)
    hidden = [place for place, play in enumerate(PLAYS) if play.hidden]
    shown = [place for place in range(CHOICES) if place not in hidden]
    assert (even[~allowed] == 0).all()
    np.testing.assert_allclose(even[:, shown], plain[:, shown])
    np.testing.assert_allclose(even[:, hidden].sum(axis=1), plain[:, hidden].sum(axis=1), rtol=1e-5)
    assert (even[:, hidden].max(axis=1) < plain[:, hidden].max(axis=1)).all()


def test_after_a_search_a_choice_that_wins_more_is_likelier() -> None:
    """A play by e where it wins by ``looseness`` more, a call by e where it wins by ``calling`` more than the plays."""
    style = Style(looseness=0.05, calling=0.1)
    allowed = np.zeros((1, CHOICES), np.bool_)
    allowed[0, [2, 7, CALL]] = True
    logits = np.zeros((1, CHOICES), np.float32)
    logits[0, [2, 7, CALL]] = 0.5, 0.2, 0.3
    before = style.choice_chances(logits, allowed)[0]

    def after(*worth: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        """The chances of the choices if the two plays and the call are worth that."""
        found = np.zeros((1, CHOICES), np.float32)
        found[0, [2, 7, CALL]] = worth
        return style.choice_chances(style.logits_after_search(logits, found, allowed), allowed)[0]

    np.testing.assert_allclose(after(0.4, 0.4, 0.4), before, rtol=1e-4)
    better = after(0.4, 0.45, 0.0)
    assert better[7] / better[2] == pytest.approx(np.e * before[7] / before[2], rel=1e-4)
    called = after(0.4, 0.4, 0.5)
    assert called[CALL] / called[2] == pytest.approx(np.e * before[CALL] / before[2], rel=1e-4)
    assert called[7] / called[2] == pytest.approx(before[7] / before[2], rel=1e-4)
    # Of the plays hardly any but the best is made: a call that wins as often as that is as likely as before.
    sure = after(0.0, 0.8, 0.8)
    assert sure[CALL] == pytest.approx(before[CALL], rel=1e-4)
    assert sure[7] == pytest.approx(1 - before[CALL], rel=1e-4)


@pytest.mark.parametrize(
    ("lies", "error", "taken"),
    [
        ("1:5 0:2 1:3?", 0.0, 7),
        ("1:5 0:2 1:3?", 1.0, 8),
        ("1:5 0:2 1:3?", -1.0, 6),
        ("1:5 0:2 1:3? 0:1 1:3? 0:1 1:1? 0:1 1:1?", 1.5, 13),  # of four cards an error counts twice
        ("1:5 0:2 1:3?", -30.0, 0),
        ("1:5 0:2 1:3?", 30.0, TARGET - 1),
        ("1:5 0:2", 30.0, 7),  # nothing is hidden
        ("1:5 0:5 1:5 0:5 1:3?", -5.0, TARGET),  # who sees 17 sees it
    ],
)
def test_who_misjudges_the_queue_does_so_only_by_cards_that_they_cannot_see(
    lies: str, error: float, taken: int
) -> None:
    seen = features(view(state(["1 P R", "2 3 4"], turn=0, last=1, lies=lies), Seat(0)), None)[None]
    believed = Style(misjudges=1.0).perceived_features(seen, np.array([error], np.float32))
    sums = believed[0, SUM : SUM + TARGET + 1]
    assert (sums.argmax(), sums.sum()) == (taken, 1)
    assert (Style().perceived_features(seen, np.array([error], np.float32)) == seen).all()


def test_luck_decides_as_much_as_was_measured() -> None:
    measured = {2: 1.0, 3: 2.0, 4: 2.3, 6: 3.5}
    assert {seats: luck(seats, {}) for seats in measured} == pytest.approx(measured, abs=0.3)
