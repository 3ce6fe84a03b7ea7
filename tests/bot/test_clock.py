"""The clock of the whole program: Discord's time, whatever happens to this machine's."""

import math

import pytest

from bot.clock import Offset, SystemClock
from tests.process.waiting import eventually

HOUR = 3_600_000


class Machine:
    """A machine whose clocks the test sets: its time of day may jump, its steady clock may not."""

    def __init__(self, wall: int = 1_700_000_000_000) -> None:
        self.wall = wall
        self.steady = 5_000

    def clock(self) -> SystemClock:
        return SystemClock(lambda: self.steady, lambda: self.wall)

    def wait(self, ms: int) -> None:
        self.wall += ms
        self.steady += ms


def test_setting_the_machines_time_does_not_move_the_clock() -> None:
    machine = Machine()
    clock = machine.clock()
    began = clock.now()
    machine.wait(500)
    machine.wall -= HOUR
    machine.wait(500)
    assert clock.now() == began + 1000


@pytest.mark.parametrize("wrong", [-HOUR, -2_000, 2_000, HOUR])
def test_a_wrong_clock_is_corrected_by_what_discord_says(wrong: int) -> None:
    discord = 1_700_000_000_000
    machine = Machine(discord + wrong)
    clock = machine.clock()
    sent = clock.uncorrected_now()
    machine.wait(80)
    clock.observe_discord_time(discord + 40, discord + 40, sent, clock.uncorrected_now())
    assert abs(clock.now() - (discord + 80)) <= 40, "before that nothing was known"


@pytest.mark.parametrize("wrong", [-HOUR, HOUR, 25 * HOUR])
def test_one_answer_with_a_wrong_date_moves_nothing(wrong: int) -> None:
    machine = Machine()
    clock = machine.clock()
    for number in range(10):
        date = machine.wall + (wrong if number == 5 else 0)
        clock.observe_discord_time(date, date + 999, clock.uncorrected_now(), clock.uncorrected_now())
        assert clock.now() == machine.wall
        machine.wait(1_000)


def set_right(machine: Machine) -> SystemClock:
    """A clock that an answer has set a moment ago."""
    clock = machine.clock()
    clock.observe_discord_time(machine.wall, machine.wall + 999, clock.uncorrected_now(), clock.uncorrected_now())
    return clock


def test_a_snowflake_confirms_a_date_at_once() -> None:
    machine = Machine()
    clock = set_right(machine)
    clock.observe_discord_time(
        machine.wall + HOUR, machine.wall + HOUR + 999, clock.uncorrected_now(), clock.uncorrected_now()
    )
    clock.observe_discord_time(machine.wall + HOUR + 10, math.inf, clock.uncorrected_now(), clock.uncorrected_now())
    assert abs(clock.now() - machine.wall - HOUR) <= 1_000


async def test_time_that_is_jumped_over_is_a_gap() -> None:
    """So it counts against nobody's turn."""
    machine = Machine()
    clock = set_right(machine)
    gaps: list[tuple[int, int]] = []
    clock.set_stall_callback(lambda began, ended: gaps.append((began, ended)))
    for _ in range(2):
        date = machine.wall + HOUR
        clock.observe_discord_time(date, date, clock.uncorrected_now(), clock.uncorrected_now())
        machine.wait(400 if gaps else 1_000)
    assert [ended - began for began, ended in gaps] == [HOUR]


@pytest.mark.parametrize("wrong", [-HOUR, -2_000, 2_000, HOUR])
@pytest.mark.parametrize("part", [0, 500, 999])
def test_a_date_in_whole_seconds_corrects_a_wrong_clock_to_half_a_second(wrong: int, part: int) -> None:
    discord = 1_700_000_000_000 + part
    machine = Machine(discord + wrong)
    clock = machine.clock()
    second = discord // 1000 * 1000
    clock.observe_discord_time(second, second + 999, clock.uncorrected_now(), clock.uncorrected_now())
    assert abs(clock.now() - discord) <= 500


def test_a_replayed_click_moves_nothing() -> None:
    """It is much older than when it arrives: that says only that the clock is not behind."""
    machine = Machine()
    clock = machine.clock()
    clock.observe_discord_time(machine.wall - 600_000, math.inf, -math.inf, clock.uncorrected_now())
    assert clock.now() == machine.wall


def test_if_the_clocks_move_against_each_other_the_newest_observation_counts() -> None:
    offset = Offset()
    offset.narrow(-10, 10, 0)
    offset.narrow(900, 1_000, 1)
    assert offset.value == 950
    offset.narrow(-20, -4, 2)
    assert offset.value == -12
    offset.narrow(-11, 0, 3)
    assert offset.value == -11, "the nearest that fits"


async def test_alarms_ring_in_order_when_they_are_due_and_cancelled_ones_do_not() -> None:
    clock = SystemClock()
    rung: list[str] = []
    now = clock.now()
    clock.call_at(now + 40, lambda: rung.append("third"))
    clock.call_at(now - 5, lambda: rung.append("first"))
    clock.call_at(now + 20, lambda: rung.append("second"))
    never = clock.call_at(now + 10, lambda: rung.append("never"))
    never.cancel()
    await eventually(lambda: len(rung) == 3, "alarms")
    assert rung == ["first", "second", "third"]
    assert clock.now() >= now + 40


async def test_a_corrected_clock_moves_the_alarms_too() -> None:
    machine = Machine()
    clock = machine.clock()
    rung: list[int] = []
    clock.call_at(clock.now() + HOUR, lambda: rung.append(clock.now()))
    for _ in range(2):
        reading = clock.uncorrected_now()
        clock.observe_discord_time(machine.wall + HOUR, machine.wall + HOUR, reading, reading)
        machine.wait(1_000)
    await eventually(lambda: rung, "alarms")


async def test_a_clock_that_was_ahead_says_so_once_it_is_corrected() -> None:
    machine = Machine()
    clock = machine.clock()
    said: list[int] = []
    clock.set_backward_step_callback(lambda: said.append(clock.now()))
    right = machine.wall

    def hears() -> None:
        clock.observe_discord_time(right, right, clock.uncorrected_now(), clock.uncorrected_now())

    hears()
    machine.steady += 999
    hears()
    assert (clock.now(), said) == (right, [])
    machine.steady += 1_000
    hears()
    assert said == [right]
    machine.steady -= HOUR
    hears()
    machine.steady += 1_000
    hears()
    assert (clock.now(), said) == (right, [right])


async def test_cancelled_alarms_are_forgotten() -> None:
    clock = SystemClock()
    for _ in range(10_000):
        clock.call_at(clock.now() + HOUR, lambda: None).cancel()
    assert len(clock._alarms) < 300


async def test_a_process_that_stood_still_says_so_before_anything_that_fell_due() -> None:
    machine = Machine()
    clock = machine.clock()
    seen: list[object] = []
    clock.set_stall_callback(lambda began, ended: seen.append(ended - began))
    clock.call_at(clock.now() + 20_000, lambda: seen.append("due"))
    machine.wait(40_000)
    await eventually(lambda: len(seen) == 2, "alarms")
    assert seen == [40_000, "due"]


async def test_short_stalls_are_summed_and_told_once_they_make_up_a_second_l1() -> None:
    """However the time is cut up, it counts against nobody; but not every short one costs a record."""
    machine = Machine()
    clock = machine.clock()
    seen: list[int] = []
    looked: list[int] = []
    clock.set_stall_callback(lambda began, ended: seen.append(ended - began))
    for stall in (600, 100, 600, 600, 300, 2_700, 2_700):
        machine.wait(stall)
        clock.call_at(clock.now(), lambda: looked.append(1))
        before = len(looked)
        await eventually(lambda before=before: len(looked) > before, "a look")
    assert seen == [600 + 600, 600 + 2_700, 2_700]


async def test_alarms_ring_even_if_the_process_is_stopped_again_and_again() -> None:
    """After a stall they wait a moment, but not once more if the process was stopped in that moment."""
    machine = Machine()
    clock = machine.clock()
    told: list[int] = []
    rung: list[object] = []
    clock.set_stall_callback(lambda began, ended: told.append(ended - began))
    clock.call_at(clock.now() + 1_000, lambda: rung.append("due"))
    for number in (1, 2):
        machine.wait(2_700)
        await eventually(lambda number=number: len(told) == number, "a look")
    await eventually(lambda: rung, "the alarm")
