"""What the coach says of whole games, in every game that has one."""

from collections.abc import Sequence
from random import Random

import pytest

from engine.coaching import MIN_GRADED_DECISIONS, Coaching, coach_game, decisions_at, grade_from_share_lost
from engine.decision import MIN_STAKE
from engine.fair import SeededChance
from engine.game import Seat
from engine.hindsight import require_coach
from engine.policies import RANDOM, find_policy
from engine.record import ActionEntry
from engine.registry import GAMES, AnyGame
from engine.replay import Moment, SeatOccupant
from engine.simulate import SimulatedGame, game_seed
from engine.swings import MAX_DECISIVE_MOMENTS
from tests.games import CASES

COACHED = sorted(name for name, game in GAMES.items() if game.coach is not None)


def played(game: AnyGame, policies: Sequence[str], seed: int, most: int = 100_000) -> list[Moment]:
    """A game between *policies*, or its first *most* actions."""
    options = {name: values[-1] for name, values in game.options.items()}
    chance = SeededChance(game_seed("coaching", seed))
    match = SimulatedGame(game, [find_policy(game, name) for name in policies], options, chance, Random(seed))
    seats = tuple(SeatOccupant("computer", f"c{seat}", "") for seat in range(len(policies)))
    found = [Moment(0, None, None, None, match.state, match.dealt, seats)]
    while not match.over and len(found) <= most:
        before, action = match.state, match.next_action()
        step = match.apply(action)
        found.append(Moment(len(found), None, action, before, step.state, step.events, seats))
    return found


def check(said: Coaching, moments: Sequence[Moment]) -> None:
    """What holds for every game, finished or not."""
    seats = len(said.balances)
    assert len(said.courses) == len(moments)
    assert all(sum(chances) == pytest.approx(1) for chances in said.courses)
    for seat, it in enumerate(said.balances):
        assert it.luck + it.skill == pytest.approx(it.result, abs=1e-12)
        assert it.result == pytest.approx(said.courses[-1][seat] - 1 / seats)
        assert 0 <= it.cost <= it.stake
    for total in zip(*((it.result, it.luck, it.skill) for it in said.balances), strict=True):
        assert sum(total) == pytest.approx(0, abs=1e-6)
    for made in said.decisions:
        assert made.worst_chance <= made.chance <= made.best_chance
        assert (made.made == made.best) <= (made.cost == 0)


@pytest.mark.parametrize("name", COACHED)
@pytest.mark.parametrize("level", ["1", "6"])
def test_luck_and_skill_add_up_to_the_result_for_every_player(name: str, level: str) -> None:
    game = GAMES[name]
    for seats in (game.seats[0], game.seats[-1]):
        moments = played(game, [f"computer:{level}"] * seats, seats)
        said = coach_game(game, moments)
        check(said, moments)
        last = moments[-1].after
        first = [it.seat for it in game.standings(last) if it.place == 1]
        assert [it.result + 1 / seats for it in said.balances] == pytest.approx(
            [(seat in first) / len(first) for seat in range(seats)]
        )
        assert 0 < len(said.decisive) <= MAX_DECISIVE_MOMENTS


@pytest.mark.parametrize("name", COACHED)
def test_a_game_that_was_not_finished_is_judged_as_it_stood(name: str) -> None:
    moments = played(GAMES[name], ["computer"] * 3, 5, most=20)
    check(coach_game(GAMES[name], moments), moments)


@pytest.mark.parametrize("name", COACHED)
def test_who_decided_little_or_whose_game_was_ended_early_gets_no_grade(name: str) -> None:
    """Only decisions count in which something was at stake."""
    game = GAMES[name]
    moments = played(game, ["computer:2"] * 2, 4)
    said = coach_game(game, moments)
    assert all(it.mattered >= MIN_GRADED_DECISIONS and it.grade is not None for it in said.balances)
    own = [it for it in said.decisions if it.seat == 1 and it.stake >= MIN_STAKE]
    assert len(own) == said.balances[1].mattered
    assert all(it.grade is None for it in coach_game(game, moments[:-1]).balances)
    for few in (MIN_GRADED_DECISIONS - 1, MIN_GRADED_DECISIONS):
        first = own[-few].number
        late = [_with_sitter(it, "late") if it.number >= first else it for it in moments]
        found = coach_game(game, late).balances[1]
        assert found.mattered == few
        assert (found.grade is None) == (few < MIN_GRADED_DECISIONS)


@pytest.mark.about("diciassette")
def test_a_call_that_was_not_made_is_told_where_the_queue_lies_on_which_it_could_have_been() -> None:
    """Before the next action; everything else where it was done."""
    said = coach_game(GAMES["diciassette"], played(GAMES["diciassette"], ["computer:1"] * 3, 5))
    shown = {(it.made is None, it.number - it.review_moment) for it in said.decisions}
    assert shown == {(True, 1), (False, 0)}


def _with_sitter(moment: Moment, id_: str) -> Moment:
    """*moment* with somebody else in seat 1."""
    return moment._replace(seats=(moment.seats[0], SeatOccupant("person", id_, ""), *moment.seats[2:]))


@pytest.mark.parametrize("name", COACHED)
@pytest.mark.parametrize("seats", [2, 3])
def test_what_was_decided_in_a_seat_before_its_last_player_sat_there_is_luck(name: str, seats: int) -> None:
    """Neither their grade nor their costs are by what a computer, or somebody else, did there (L4). A stand-in is
    nobody."""
    game = GAMES[name]
    moments = played(game, [RANDOM] * seats, 6)
    whole, half = coach_game(game, moments), len(moments) // 2
    taken = [_with_sitter(it, "late") if it.number >= half else it for it in moments]
    said = coach_game(game, taken)
    check(said, taken)
    late = said.balances[1]
    assert said.decisions == whole.decisions
    assert late.sitter == "late"
    assert late.cost == pytest.approx(sum(it.cost for it in said.decisions if it.seat == 1 and it.number >= half))
    assert 0 < late.cost < whole.balances[1].cost
    assert late.stake < whole.balances[1].stake
    assert said.balances[0].cost == whole.balances[0].cost
    assert said.balances[0].skill < whole.balances[0].skill, "what the former player did is not their mistake"
    last = max(it.number for it in said.decisions if it.seat == 1 and it.stake)
    left = [_with_sitter(it, "") if it.number >= last else it for it in taken]
    stood_in = coach_game(game, left)
    check(stood_in, left)
    assert stood_in.balances[1].sitter == "late"
    assert stood_in.balances[1].cost <= late.cost
    assert 0 < stood_in.balances[1].stake < late.stake


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", COACHED)
def test_better_players_lose_less_and_get_better_grades(name: str) -> None:
    game = GAMES[name]
    found = {}
    for who in (RANDOM, "computer:1", f"computer:{game.computers.LEVELS}"):
        balances = [it for seed in range(4) for it in coach_game(game, played(game, [who] * 2, seed)).balances]
        grades = [it.grade for it in balances if it.grade is not None]
        lost = sum(it.cost for it in balances) / sum(it.stake for it in balances)
        found[who] = lost, sum(grades) / len(grades)
    worst, weakest, strongest = found.values()
    assert worst[0] > weakest[0] > strongest[0]
    assert worst[1] <= 2
    assert worst[1] <= weakest[1] < strongest[1]
    assert strongest[1] > game.computers.LEVELS - 1.5


@pytest.mark.parametrize("name", COACHED)
def test_decisions_are_judged_by_what_the_player_could_know(name: str) -> None:
    """A decision is judged alike whatever the others hold: by the view and the memory of its player alone."""
    game = GAMES[name]
    moments = played(game, ["computer:1"] * 3, 7, most=30)
    said = coach_game(game, moments)
    memories: list[object] = [None] * 3
    for moment in moments:
        if moment.action is not None:
            for seat in map(Seat, range(3)):
                made = said.decision_at(moment.number, seat)
                if made is not None:
                    options = require_coach(game).rated_actions(
                        game.views.view(moment.before, seat), seat, memories[seat]
                    )
                    assert (made.best, made.best_chance) == options[0][:2]
                    assert (made.made, made.chance) in [it[:2] for it in options]
        for seat in map(Seat, range(3)):
            memories[seat] = game.remember(memories[seat], moment.events, seat)


@pytest.mark.parametrize("name", COACHED)
def test_every_decision_on_turn_is_judged(name: str) -> None:
    """Where there was a choice."""
    game = GAMES[name]
    moments = played(game, ["computer:2"] * 2, 3)
    said = coach_game(game, moments)
    judged = {(it.number, it.seat) for it in said.decisions}
    for moment in moments[1:]:
        for seat in map(Seat, range(2)):
            if (
                game.action_of_seat(seat, moment.action) is not None
                and len(game.legal_actions(moment.before, seat)) > 1
            ):
                assert (moment.number, seat) in judged


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", COACHED)
def test_grades_follow_the_levels(name: str) -> None:
    """What a level loses on average gets that level as its grade."""
    game = GAMES[name]
    measured = require_coach(game).LOST
    assert game.seats[0] in measured
    assert measured.keys() <= set(game.seats)
    for lost in measured.values():
        assert len(lost) == game.computers.LEVELS
        assert list(lost) == sorted(lost, reverse=True), "who plays better loses less"
    for seats in game.seats:
        assert grade_from_share_lost(measured, seats, 1.0) == 1
        assert grade_from_share_lost(measured, seats, 0.0) == game.computers.LEVELS
        grades = [grade_from_share_lost(measured, seats, lost / 1000) for lost in range(500)]
        assert grades == sorted(grades, reverse=True)
        assert set(grades) == set(range(1, game.computers.LEVELS + 1))


@pytest.mark.parametrize("name", COACHED)
def test_what_a_computer_did_for_somebody_is_no_decision_of_theirs(name: str) -> None:
    """Neither while it sits in their place, nor where their time was up."""
    game = GAMES[name]
    moments = played(game, ["computer:1"] * 2, 3, most=40)
    stand_in = tuple(it._replace(id="") if seat else it for seat, it in enumerate(moments[0].seats))
    replaced = [it._replace(seats=stand_in) for it in moments]
    assert {it.seat for it in coach_game(game, replaced).decisions} == {0}
    late = [it if it.action is None else it._replace(entry=ActionEntry(0, {}, by_clock=True)) for it in moments]
    on_turn = {it.number: game.on_turn(it.before) for it in moments[1:]}
    assert all(on_turn[it.number] != it.seat for it in coach_game(game, late).decisions)


@pytest.mark.parametrize("name", COACHED)
def test_a_judgement_does_not_depend_on_what_the_player_could_not_see(name: str) -> None:
    """With all hidden cards dealt anew, what is said of a seat's decisions is the same; how the chances went is not."""
    game, case, rng = GAMES[name], CASES[name], Random(11)
    seats = [Seat(seat) for seat in range(3)]
    memories: list[object] = [None] * 3
    judged, other_chances = 0, False
    for moment in played(game, ["computer:2"] * 3, 9, most=60):
        if moment.action is not None:
            for seat in seats:
                anew = moment._replace(before=case.redealt(moment.before, seat, rng))
                own = [it for it in decisions_at(game, moment, memories) if it.seat == seat]
                assert own == [it for it in decisions_at(game, anew, memories) if it.seat == seat]
                judged += len(own)
                other_chances |= require_coach(game).chances(anew.before) != require_coach(game).chances(moment.before)
        memories = [game.remember(memories[seat], moment.events, seat) for seat in seats]
    assert judged > 40
    assert other_chances


@pytest.mark.parametrize("name", COACHED)
def test_new_cards_and_what_was_bound_to_be_done_decide_nothing(name: str) -> None:
    """What happened is told apart from the deal, and is decided by whoever made it certain."""
    game = GAMES[name]
    foregone = 0
    for seats in (2, 3, 4):
        moments = played(game, ["computer:3"] * seats, 20 + seats)
        said = coach_game(game, moments)
        assert said.undealt[0] == pytest.approx([1 / seats] * seats)
        for moment in moments[1:]:
            known = require_coach(game).chances_before_deal(moment.step)
            assert said.undealt[moment.number] == (said.courses[moment.number] if known is None else tuple(known))
            both = zip(
                said.chance_change_by_action(moment.number), said.chance_change_by_deal(moment.number), strict=True
            )
            whole = zip(said.courses[moment.number], said.courses[moment.number - 1], strict=True)
            assert [sum(it) for it in both] == pytest.approx([now - then for now, then in whole])
            if require_coach(game).is_foregone(moment.before, moment.action):
                foregone += 1
                if seats == 2 and not game.shuffle_orders(moment.events):
                    assert said.chance_change_by_action(moment.number) == pytest.approx([0, 0], abs=1e-9)
        assert list(said.decisive) == sorted(said.decisive)
        for it in said.decisive:
            assert (it.before, it.after) == (said.courses[it.first - 1], said.undealt[max(it.last, it.number)])
            assert not require_coach(game).is_foregone(moments[it.first].before, moments[it.first].action)
        greatest = max(said.decisive, key=lambda it: it.size)
        assert said.turning_point == greatest.number
        assert greatest.size[0] == max(max(map(abs, it.points)) for it in said.decisive)
    assert foregone > 3
