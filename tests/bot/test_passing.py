"""Passes that the table makes for people who want that: they look like any other pass."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from bot.delivery.plan import INACTIVE_MS, earliest_mention_ms, must_notify, render_slot
from bot.delivery.slots import TABLE, dm_hand_slot
from bot.tables import play
from bot.tables.model import Player, Table, TurnNotice
from bot.tables.options import Options, Pace
from bot.tables.passing import automatic_pass_time, will_pass_automatically
from bot.tables.play import ClickEffect, ClickResult
from bot.tables.scene import make_scene
from bot.tables.ticking import serve_due_timer
from bot.tables.timers import Timer, all_timers, limit_future_times, next_due
from engine.game import Seat
from tests.bot.tables import NORMAL, NOW, on_turn, pass_time, running
from tests.games import CASES

WITH_PASSES = sorted(game for game, case in CASES.items() if case.rules.passes is not None)
PEOPLE = 3

every_game_with_passes = pytest.mark.parametrize("game", WITH_PASSES)


@cache
def asked(game: str) -> tuple[Table, ...]:
    """Moments of random games at which the player on turn may pass; all let the table pass for them."""
    players = [Player(f"player {seat}", 100 + seat, active_at=NOW, passes=True) for seat in range(PEOPLE)]
    found = []
    for seed in range(3):
        for state, _, _ in CASES[game].steps(PEOPLE, seed, CASES[game].quick):
            t = running(game, state, players)._replace(seed=f"{seed:064x}")
            if any(map(t.rules.is_pass, t.rules.legal_actions(state, on_turn(t)))):
                found.append(t)
    return tuple(found)


def forced(game: str) -> Iterator[Table]:
    """Those of them at which they can do nothing else."""
    return (t for t in asked(game) if t.rules.forced_pass(t.state) is not None)


def click(t: Table, at: int) -> ClickResult:
    """Whoever is on turn passes by hand."""
    seat = on_turn(t)
    action = next(filter(t.rules.is_pass, t.rules.legal_actions(t.state, seat)))
    return play.make_move(t, 100 + seat, t.state.ply, lambda _: action, at, at)


def without(t: Table) -> Table:
    """*t*, if the player on turn passed by themselves."""
    return t.with_changed_player(on_turn(t), passes=False)


def looks(t: Table, seat: Seat) -> list[bytes]:
    """What everybody but *seat* is shown: at the table, and in their hands, live or not."""
    hands = [dm_hand_slot(Seat(other)) for other in range(PEOPLE) if other != seat]
    return [render_slot(t, slot, 1, live=live).fingerprint() for slot in (TABLE, *hands) for live in (False, True)]


@every_game_with_passes
def test_there_are_passes_to_be_tested(game: str) -> None:
    assert len(list(forced(game))) > 20
    assert len(asked(game)) > len(list(forced(game))) + 20


@every_game_with_passes
def test_a_pass_that_was_clicked_early_lands_at_the_moment_when_the_table_passes(game: str) -> None:
    for t in forced(game):
        due = next_due(t)
        assert due is not None
        assert due.timer is Timer.PASS
        by_itself = serve_due_timer(t, due.at)
        assert by_itself.state.ply == t.state.ply + 1
        for at in (NOW, NOW + 900, due.at - 1):
            clicked = click(t, at)
            assert clicked.effect is ClickEffect.HELD
            assert pass_time(clicked.table, due.at - 1).state == t.state
            assert serve_due_timer(clicked.table, due.at) == by_itself


@every_game_with_passes
def test_the_moment_does_not_depend_on_what_nobody_else_sees(game: str) -> None:
    rng, kinds = Random(1), set()
    for t in asked(game):
        seat = on_turn(t)
        moments = set()
        for _ in range(4):
            other = t._replace(state=CASES[game].redealt(t.state, None, rng))
            held = click(other, NOW + 100).table.held
            assert held is not None
            moments.add(held.due)
            kinds.add(will_pass_automatically(other))
            if will_pass_automatically(other):
                due = next_due(other)
                assert due is not None
                moments.add(due.at)
            assert looks(other, seat)[:2] == looks(t, seat)[:2]
        assert moments == {automatic_pass_time(t)}
    assert kinds == {True, False}


@every_game_with_passes
def test_nobody_else_is_shown_who_lets_the_table_pass(game: str) -> None:
    for t in asked(game)[::3]:
        seat = on_turn(t)
        assert looks(t, seat) == looks(without(t), seat) == looks(click(t, NOW + 100).table, seat)


@every_game_with_passes
def test_where_the_table_passes_its_player_is_offered_nothing(game: str) -> None:
    for t in asked(game)[::3]:
        seen = make_scene(t, on_turn(t), None)
        assert seen.passing is will_pass_automatically(t)
        assert bool(seen.allowed) is not seen.passing


@every_game_with_passes
def test_who_changes_their_mind_plays_at_once(game: str) -> None:
    t = next(t for t in asked(game) if not will_pass_automatically(t))
    seat = on_turn(t)
    other = next(a for a in t.rules.legal_actions(t.state, seat) if not t.rules.is_pass(a))
    held = click(t, NOW + 100).table
    played = play.make_move(held, 100 + seat, t.state.ply, lambda _: other, NOW + 200, NOW + 200)
    assert played.effect is ClickEffect.LANDED


@every_game_with_passes
def test_a_pass_that_is_clicked_after_the_moment_lands_at_once(game: str) -> None:
    t = next(t for t in asked(game) if not will_pass_automatically(t))
    assert click(t, automatic_pass_time(t)).effect is ClickEffect.LANDED


@every_game_with_passes
def test_without_it_a_pass_lands_at_once_and_the_clock_runs(game: str) -> None:
    for t in map(without, forced(game)):
        assert click(t, NOW + 100).effect is ClickEffect.LANDED
        assert {due.timer for due in all_timers(t)} == {Timer.REMINDER, Timer.TURN, Timer.IDLE}


@every_game_with_passes
def test_for_a_turn_that_passes_no_clock_runs_and_nobody_is_told(game: str) -> None:
    for t in forced(game):
        late = t.with_changed_player(on_turn(t), active_at=NOW - 10 * INACTIVE_MS)
        assert {due.timer for due in all_timers(late)} == {Timer.PASS, Timer.IDLE}
        for public in (False, True):
            assert not must_notify(late, on_turn(t), 0, 0, NOW, public=public)
            assert must_notify(without(late), on_turn(t), 0, 0, NOW, public=public)


@every_game_with_passes
@pytest.mark.parametrize("pace", [Pace.SLOW, Pace.NORMAL, Pace.FAST])
def test_the_moment_varies_between_one_beat_and_three(game: str, pace: Pace) -> None:
    options = NORMAL._replace(pace=pace)
    waits = [automatic_pass_time(t._replace(options=options)) - NOW for t in asked(game)]
    assert options.beat_ms <= min(waits) < 1.3 * options.beat_ms
    assert 2.7 * options.beat_ms < max(waits) <= 3 * options.beat_ms


@every_game_with_passes
def test_after_a_beat_it_begins_when_the_beat_ends(game: str) -> None:
    t = asked(game)[0]
    assert automatic_pass_time(t._replace(beat_ends=NOW + 5000)) == automatic_pass_time(t) + 5000


@every_game_with_passes
def test_at_a_table_without_a_beat_everybody_passes_by_themselves(game: str) -> None:
    """A pass at once would tell that there was no choice."""
    for t in forced(game):
        quick = t._replace(options=Options(pace=Pace.OFF, turn_seconds=120))
        assert not will_pass_automatically(quick)
        assert {due.timer for due in all_timers(quick)} == {Timer.REMINDER, Timer.TURN, Timer.IDLE}
        assert click(quick, NOW + 100).effect is ClickEffect.LANDED


@every_game_with_passes
def test_whoever_is_away_is_played_for_by_a_computer(game: str) -> None:
    t = next(forced(game))
    away = t.with_changed_player(on_turn(t), away=True)
    assert {due.timer for due in all_timers(away)} == {Timer.COMPUTER, Timer.IDLE}


@every_game_with_passes
def test_a_pass_that_lands_later_ends_no_row_of_time_outs_clicked_or_not_l1(game: str) -> None:
    """Else a takeover would tell afterwards which passes were clicked."""
    for t in list(forced(game))[:20]:
        seat = on_turn(t)
        once = t.with_changed_player(seat, timeouts=1)
        due = automatic_pass_time(t)
        assert serve_due_timer(once, due).players[seat].timeouts == 1
        assert serve_due_timer(click(once, NOW + 100).table, due).players[seat].timeouts == 1


@every_game_with_passes
def test_a_pass_that_is_clicked_at_its_moment_or_later_is_like_any_move_l1(game: str) -> None:
    t = next(t for t in asked(game) if not will_pass_automatically(t))
    seat = on_turn(t)
    once = t.with_changed_player(seat, timeouts=1)
    for at in (automatic_pass_time(t), automatic_pass_time(t) + 100):
        player = click(once, at).table.players[seat]
        assert (player.timeouts, player.active_at) == (0, at)


@every_game_with_passes
def test_a_click_on_ones_hand_counts_as_being_there_for_direct_messages_and_for_mentions_of_others(game: str) -> None:
    """Whether somebody is mentioned is public, so it must not tell which passes were clicked."""
    t = next(t for t in asked(game) if not will_pass_automatically(t))
    seat = on_turn(t)
    late = t.with_changed_player(seat, active_at=NOW - 10 * INACTIVE_MS)
    assert not must_notify(late, seat, 0, NOW, NOW, public=False)
    assert must_notify(late, seat, 0, NOW, NOW, public=True)
    assert not must_notify(without(late), seat, 0, NOW, NOW, public=True)


@every_game_with_passes
def test_a_move_that_was_made_and_waits_needs_no_message(game: str) -> None:
    t = next(t for t in asked(game) if not will_pass_automatically(t))
    late = t.with_changed_player(on_turn(t), active_at=NOW - 10 * INACTIVE_MS)
    held = click(late, NOW + 100).table
    for public in (False, True):
        assert must_notify(late, on_turn(t), 0, 0, NOW, public=public)
        assert not must_notify(held, on_turn(t), 0, 0, NOW, public=public)


@every_game_with_passes
def test_after_a_restart_a_held_pass_lands_at_its_moment(game: str) -> None:
    t = click(asked(game)[0], NOW + 100).table
    assert limit_future_times(t, NOW + 200) is t
    wrong = t._replace(held=t.held and t.held._replace(due=NOW + 10**8, lands_at=NOW + 10**8))
    right = limit_future_times(wrong, NOW + 200).held
    assert right is not None
    assert (right.lands_at, right.due) == (automatic_pass_time(t), automatic_pass_time(t) + t.options.hold_ms)


@every_game_with_passes
def test_nobody_is_mentioned_before_the_moment_of_a_pass_whoever_they_are(game: str) -> None:
    for t in asked(game)[::5]:
        assert earliest_mention_ms(t) == earliest_mention_ms(without(t)) == automatic_pass_time(t)


@pytest.mark.parametrize("game", sorted(CASES))
def test_whoever_wants_it_is_told_late_or_never(game: str) -> None:
    state = next(CASES[game].steps(PEOPLE, 1, CASES[game].quick))[0]
    players = [Player(f"player {seat}", 100 + seat) for seat in range(PEOPLE)]
    t = running(game, state, players)
    seat, warned = on_turn(t), t._replace(reminded=t.turn_began)
    for public in (False, True):
        found = {}
        for telling in TurnNotice:
            tables = [it.with_changed_player(seat, telling=telling) for it in (t, warned)]
            found[telling] = [must_notify(it, seat, 0, 0, NOW + INACTIVE_MS + 1, public=public) for it in tables]
        assert found == {
            TurnNotice.EVERY_TURN: [True, True],
            TurnNotice.LATE: [False, True],
            TurnNotice.NEVER: [False, False],
        }
