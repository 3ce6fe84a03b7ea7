"""Unhurried tables of 17: one person plays alone, and the game waits until they call or press *Next*. Quick fingers
change nothing there."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count, cycle
from random import Random
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.delivery.plan import render_slot
from bot.delivery.slots import TABLE, dm_hand_slot
from bot.i18n import words
from bot.store.tables import pack_table, unpack_table
from bot.tables import play
from bot.tables.errors import Refusal, Why
from bot.tables.model import Ending, Phase, Player, Table
from bot.tables.options import Options, Pace
from bot.tables.play import ClickEffect
from bot.tables.scene import make_scene
from bot.tables.ticking import decide_for_computers, serve_due_timer
from bot.tables.timers import IDLE_MS, Timer, all_timers, next_due
from bot.ui.custom_ids import Verb, parse_custom_id
from bot.ui.hand_message import hand_sheet
from bot.ui.replies import refusal_text
from engine.errors import IllegalAction
from engine.game import Json, Seat
from engine.games.diciassette.state import State
from local_discord.components import walk
from tests.bot.calling import FOUR, call, lay, table
from tests.bot.tables import NORMAL, NOW, dealt, opened, pass_time, started
from tests.games.diciassette import state

pytestmark = pytest.mark.about("diciassette")

EN = words("en")
UNHURRIED: Final = NORMAL._replace(unhurried=True)
"""With a turn limit, which must not run."""
SURE: Final = state(["1 2 3", "4 5 1", "2 3 4", "2 2 2"], turn=1, last=0, lies="0:5 1:5 2:5 0:5")
"""Everybody knows that it is 17."""
HOUR: Final = 3_600_000


def alone(before: State, person: int, options: Options = UNHURRIED) -> Table:
    """An unhurried table in the state *before* at which the one person has the seat *person*."""
    return table(before, options, tuple(seat for seat in range(len(before.hands)) if seat != person))


def keen(person: int, options: Options = UNHURRIED, before: State = SURE) -> Table:
    """The same, with dice by which every computer player calls that may: one of the middle level hesitates now and
    then."""
    for number in count():
        found = alone(before, person, options)._replace(seed=f"{number:064x}")
        decided = decide_for_computers(following(found, person)).actions
        if decided and all(action == found.rules.call((seat,)) for seat, action in decided.items()):
            return found
    raise AssertionError


def following(t: Table, seat: int, ply: int | None = None, now: int = NOW) -> Table:
    """The table after *seat* has pressed *Next*."""
    return play.go_on_without_call(t, 100 + seat, t.state.ply if ply is None else ply, now)


def timers(t: Table) -> set[Timer]:
    """What *t* waits for."""
    return {due.timer for due in all_timers(t)}


def refused(t: Table, seat: int, ply: int | None = None) -> Why:
    """Why *Next* is refused."""
    with pytest.raises(Refusal) as no:
        following(t, seat, ply)
    return no.value.why


NO_CARD: Final = state(["1 2 3", "", "2 3 4"], turn=1, last=0, lies="0:5")
"""The player on turn has no card left and must call."""


class Waiting(NamedTuple):
    """A table that waits for its person, and their seat."""

    table: Table
    person: int


WAITING: Final[dict[str, Callable[[], Waiting]]] = {
    "a computer is on turn": lambda: Waiting(alone(FOUR, 3), 3),
    "the person is on turn": lambda: Waiting(alone(FOUR, 1), 1),
    "the computers would call": lambda: Waiting(keen(3), 3),
    "a computer has no card left": lambda: Waiting(alone(NO_CARD, 2), 2),
    "the person has no card left": lambda: Waiting(alone(NO_CARD, 1), 1),
}


@pytest.fixture(params=sorted(WAITING))
def waiting(request: pytest.FixtureRequest) -> Waiting:
    """A table that waits for its person, in every situation."""
    return WAITING[request.param]()


# Waiting


def test_where_the_person_may_call_nothing_moves_however_long_they_take(waiting: Waiting) -> None:
    before, person = waiting
    assert make_scene(before, Seat(person), None).awaits_next
    assert timers(before) == {Timer.IDLE}
    assert pass_time(before, NOW + IDLE_MS - 1) is before
    assert pass_time(before, NOW + IDLE_MS).ending is Ending.IDLE


def test_after_a_restart_it_waits_on(waiting: Waiting) -> None:
    before, person = waiting
    again = unpack_table(pack_table(before))
    assert again == before
    assert timers(again) == {Timer.IDLE}
    went_on, usual = (pass_time(following(it, person), NOW + HOUR) for it in (again, before))
    assert went_on.entries == usual.entries


def test_next_is_kept_over_a_restart(waiting: Waiting) -> None:
    before, person = waiting
    pressed = following(before, person)
    assert unpack_table(pack_table(pressed)) == pressed
    assert not make_scene(pressed, Seat(person), None).awaits_next


def test_after_next_a_computer_on_turn_moves_after_its_beat_and_the_game_waits_again() -> None:
    pressed = following(alone(FOUR, 3), 3)
    assert pass_time(pressed, NOW + UNHURRIED.beat_ms - 1).state == FOUR
    moved = pass_time(pressed, NOW + HOUR)
    assert (moved.state.ply, moved.state.last) == (FOUR.ply + 1, 1)
    assert timers(moved) == {Timer.IDLE}


def test_a_computer_moves_as_quickly_as_where_calls_are_not_collected() -> None:
    """Nobody else can have called meanwhile, so there is nothing to hide."""
    pressed = following(alone(FOUR, 3), 3)
    asked = pressed._replace(calls_decided=FOUR.ply)
    hurried = asked._replace(options=NORMAL._replace(window_ms=0, hold_ms=0))
    assert next_due(asked) == next_due(hurried)


def test_who_takes_longer_than_the_beat_waits_for_no_other() -> None:
    pressed = following(alone(FOUR, 3), 3, now=NOW + HOUR)
    asked = serve_due_timer(pressed, NOW + HOUR)
    assert asked.calls_decided == FOUR.ply
    assert serve_due_timer(asked, NOW + HOUR).state.ply == FOUR.ply + 1


def test_no_time_runs_on_the_persons_turn_either_l3() -> None:
    mine = pass_time(following(alone(FOUR, 1), 1), NOW + IDLE_MS - 1)
    assert mine.state == FOUR
    assert make_scene(mine, Seat(1), None).turn_ends is None
    assert timers(mine) == {Timer.IDLE}


def test_after_ones_own_card_computers_decide_as_always() -> None:
    mine = alone(FOUR, 0)
    assert not mine.awaits_next
    assert timers(mine) == {Timer.IDLE, Timer.COMPUTERS_CALL}
    usual = alone(FOUR, 0, NORMAL)
    assert next_due(mine) == next_due(usual)
    assert pass_time(mine, NOW + HOUR).state.ply == FOUR.ply + 1


# Next, and who calls then


def test_after_next_the_computers_that_may_call_do_so_together_and_at_once_d9() -> None:
    before = keen(3)
    closed = pass_time(following(before, 3), NOW)
    assert make_scene(closed, None, None).callers == (1, 2), "the one on turn as well"
    (entry,) = pass_time(closed, NOW + UNHURRIED.reveal_delay_ms).entries
    assert entry == {"call": [1, 2]}


def test_after_next_the_person_cannot_call_at_that_ply_however_quick_they_are() -> None:
    for pressed in (following(alone(FOUR, 3), 3), following(keen(3), 3), pass_time(following(keen(3), 3), NOW)):
        with pytest.raises(Refusal) as no:
            call(pressed, 3, at=NOW)
        assert no.value.why is Why.NEXT_PRESSED
        assert make_scene(pressed, Seat(3), None).may_call == ()


def test_a_second_click_on_next_changes_nothing() -> None:
    pressed = following(alone(FOUR, 3), 3)
    assert following(pressed, 3, now=NOW + 80) is pressed


def test_next_is_refused_off_its_ply_like_any_stale_click() -> None:
    waiting = alone(FOUR, 3)
    assert refused(waiting, 3, FOUR.ply - 1) is Why.HAND_CHANGED
    assert refused(waiting, 3, FOUR.ply + 1) is Why.BUTTON_DEAD
    moved = pass_time(following(waiting, 3), NOW + HOUR)
    assert refused(moved, 3, FOUR.ply) is Why.HAND_CHANGED


def test_next_is_refused_where_the_table_does_not_wait() -> None:
    assert refused(alone(FOUR, 0), 0) is Why.HAND_CHANGED, "they have just played a card"
    assert refused(call(alone(FOUR, 3), 3, at=NOW).table, 3) is Why.HAND_CHANGED, "they have called"
    assert refused(alone(FOUR, 3, NORMAL), 3) is Why.BUTTON_DEAD, "the table is a usual one"
    assert refused(table(FOUR, UNHURRIED, (0, 1)), 3) is Why.BUTTON_DEAD, "two people play"
    assert refused(started("twelve_days", UNHURRIED, people=1, computers=2), 0) is Why.BUTTON_DEAD, "nobody calls there"


def test_nobody_else_can_press_it() -> None:
    waiting = alone(FOUR, 3)
    assert refused(waiting, 77) is Why.NOT_AT_TABLE
    assert refused(waiting._replace(phase=Phase.OVER), 3) is Why.GAME_FINISHED
    gone = table(FOUR, UNHURRIED, (0, 1)).with_changed_player(Seat(2), away=True)
    assert refused(gone, 2) is Why.AWAY
    assert following(gone, 3).next_pressed == FOUR.ply


# Calls


def test_computers_that_would_call_as_well_are_simultaneous_and_turn_order_decides_d9() -> None:
    called = call(keen(3), 3, at=NOW)
    assert called.effect is ClickEffect.CALLED
    closed = pass_time(called.table, NOW)
    assert make_scene(closed, None, None).callers == (3, 1, 2)
    after = pass_time(closed, NOW + UNHURRIED.reveal_delay_ms)
    assert after.entries == ({"call": [3, 1, 2]},)
    assert after.state.victory == (0, 1, 0, 0)


def test_the_person_on_turn_is_first_d9() -> None:
    after = pass_time(call(keen(1), 1, at=NOW).table, NOW + HOUR)
    assert after.entries[0] == {"call": [1, 2, 3]}
    assert after.state.victory == (0, 1, 0, 0)


def test_a_computer_that_would_play_a_card_does_not_call() -> None:
    doubtful = state(["1 2 3", "4 5 1", "2 3 4", "5 5 5"], turn=1, last=0, lies="0:1")
    after = pass_time(call(alone(doubtful, 3), 3, at=NOW).table, NOW + HOUR)
    assert after.entries[0] == {"call": [3]}


def test_who_must_call_does_so_when_the_time_to_play_comes_d10() -> None:
    """The person's call is before it; and after *Next* it comes when the beat is over."""
    before = alone(state(["1 2 3", "", "2 3 4"], turn=1, last=0, lies="0:5 2:5 0:5 2:5"), 2)
    assert pass_time(call(before, 2, at=NOW).table, NOW + HOUR).entries[0] == {"call": [2]}
    pressed = following(before._replace(beat_ends=NOW + 2000), 2)
    assert pass_time(pressed, NOW + 1999).entries == ()
    assert pass_time(pressed, NOW + 2000).entries == ({"call": [1]},)


@pytest.mark.parametrize("options", [UNHURRIED, Options(pace=Pace.OFF, window_ms=0, hold_ms=0, unhurried=True)])
@pytest.mark.parametrize("wait", [0, 300, 900, 2000, HOUR])
def test_quick_and_slow_fingers_meet_the_same(wait: int, options: Options) -> None:
    for person in (1, 2, 3):
        before = keen(person, options)
        called = pass_time(call(before, person, at=NOW + wait).table, NOW + 2 * HOUR)
        assert called.entries[0] == {"call": [person, *(seat for seat in (1, 2, 3) if seat != person)]}
        passed = pass_time(following(before, person, now=NOW + wait), NOW + 2 * HOUR)
        assert passed.entries[0] == {"call": [seat for seat in (1, 2, 3) if seat != person]}


def test_an_open_window_is_resolved_after_a_restart_d9() -> None:
    called = call(keen(3), 3, at=NOW).table
    asked = serve_due_timer(called, NOW)
    for before in (called, asked):
        assert pass_time(unpack_table(pack_table(before)), NOW + HOUR).entries[0] == {"call": [3, 1, 2]}


def test_a_second_click_on_17_does_nothing() -> None:
    called = call(alone(FOUR, 3), 3, at=NOW).table
    assert call(called, 3, at=NOW + 80).effect is ClickEffect.REPEATED


# The person's own cards


def test_before_next_no_card_is_played() -> None:
    waiting = alone(FOUR, 1)
    assert make_scene(waiting, Seat(1), None).allowed == ()
    with pytest.raises(Refusal) as no:
        lay(waiting, 1, at=NOW)
    assert no.value.why is Why.NEXT_FIRST
    with pytest.raises(Refusal) as no:
        play.record_pick(waiting, 101, FOUR.ply, NOW)
    assert no.value.why is Why.NEXT_FIRST
    with pytest.raises(Refusal) as no:
        lay(call(waiting, 1, at=NOW).table, 1, at=NOW)
    assert no.value.why is Why.NEXT_FIRST


def test_nor_when_everybody_sees_who_called_d9() -> None:
    seen = pass_time(call(alone(FOUR, 1), 1, at=NOW).table, NOW)
    with pytest.raises(Refusal) as no:
        lay(seen, 1, at=NOW)
    assert no.value.why is Why.CALL_STANDS


def test_after_next_a_card_lands_at_once() -> None:
    mine = pass_time(following(alone(FOUR, 1), 1)._replace(beat_ends=NOW + 2000), NOW)
    assert len(make_scene(mine, Seat(1), None).allowed) > 0
    clicked = lay(mine, 1, at=NOW + 1)
    assert (clicked.effect, clicked.table.state.last) == (ClickEffect.LANDED, 1)


def test_a_card_that_is_quicker_than_the_computers_decide_waits_for_them() -> None:
    pressed = following(alone(FOUR, 1), 1)
    clicked = lay(pressed, 1, at=NOW - 500, now=NOW)
    assert (clicked.effect, clicked.brief) == (ClickEffect.HELD, True)
    landed = pass_time(clicked.table, NOW)
    assert landed.entries == lay(pass_time(pressed, NOW), 1, at=NOW + HOUR).table.entries


def test_and_is_dropped_if_they_call() -> None:
    clicked = lay(following(keen(1), 1), 1, at=NOW - 500, now=NOW).table
    after = pass_time(clicked, NOW + UNHURRIED.reveal_delay_ms)
    assert after.entries == ({"call": [2, 3]},)
    asked = lay(serve_due_timer(following(keen(1), 1), NOW), 1, at=NOW - 500, now=NOW)
    assert asked.effect is ClickEffect.HELD
    assert pass_time(asked.table, NOW + UNHURRIED.reveal_delay_ms).entries == after.entries


def test_the_first_card_that_is_clicked_counts() -> None:
    clicked = lay(following(alone(FOUR, 1), 1), 1, at=NOW).table
    again = lay(clicked, 1, at=NOW, slot=1)
    assert (again.effect, again.table) == (ClickEffect.REPEATED, clicked)


def test_the_first_card_of_a_round_needs_no_next() -> None:
    fresh = alone(state(["1 2 3", "4 5 1", "2 3 4"], turn=1), 1)._replace(beat_ends=NOW + 5000)
    assert not fresh.awaits_next
    assert lay(fresh, 1, at=NOW).effect is ClickEffect.LANDED


def test_who_must_call_may_also_let_the_others_call_first_d10() -> None:
    assert pass_time(following(alone(NO_CARD, 1), 1), NOW + HOUR).entries[0] == {"call": [1]}
    others = keen(1, before=SURE._replace(hands=(SURE.hands[0], (), *SURE.hands[2:])))
    assert pass_time(following(others, 1), NOW + HOUR).entries[0] == {"call": [2, 3]}


# The same play always meets the same answers


PERSON: Final = 100
LONGEST: Final = 40
"""So many actions of each game are compared."""
DELAYS: Final = st.lists(st.integers(0, 9000) | st.sampled_from([0, 1, 250, 2000, HOUR]), min_size=1, max_size=30)


def new_game(deal: int, computers: int, pace: Pace) -> Table:
    """A game of a person and *computers* at an unhurried table, whose cards follow from *deal*."""
    names = ("Ada", "Bruno", "Carla", "Dora", "Emil")[:computers]
    lobby = opened("diciassette", UNHURRIED._replace(pace=pace))._replace(secret=f"{deal:064x}")
    return dealt(lobby._replace(players=(*lobby.players, *(Player(name) for name in names))))


class Fingers:
    """The person at an unhurried table: what they do follows from the ply alone, and how long they take from
    *delays*, one after the other, ms."""

    def __init__(self, deal: int, delays: Sequence[int]) -> None:
        self._deal = deal
        self._delays = cycle(delays)
        self.now = NOW

    def played(self, t: Table) -> list[Json]:
        """The actions of the game from *t* on."""
        while t.phase is Phase.PLAYING and len(t.entries) < LONGEST:
            t = self._kept(self._click(t) if self._asked(t) else self._served(t))
        return list(t.entries[:LONGEST])

    def _chance(self, t: Table, purpose: str) -> Random:
        """Always the same at this ply of this deal."""
        return Random(f"{self._deal}/{t.state.ply}/{purpose}")

    def _asked(self, t: Table) -> bool:
        """Whether it is for the person to act."""
        if t.window is not None or t.held is not None:
            return False
        return t.awaits_next or (t.rules.on_turn(t.state) == 0 and t.rules.forced_call(t.state) is None)

    def _click(self, t: Table) -> Table:
        """They take their time, in which whatever is due happens; then they click on what they saw before. If they take
        no time at all they are quicker than what is due at once."""
        ply, seen, wait = t.state.ply, t, next(self._delays)
        ends = self.now + wait
        while wait and (due := next_due(t)) is not None and due.at <= ends and due.timer is not Timer.IDLE:
            self.now = max(self.now, due.at)
            t = serve_due_timer(t, self.now)
        self.now = ends
        at = ends - next(self._delays) % 3000  # the click took a while to get here
        with suppress(Refusal, IllegalAction):
            if not seen.awaits_next:
                t = self._lay(t, ply, at, "card")
                if next(self._delays) % 3 == 0:
                    t = self._lay(t, ply, at, "another card")
            elif self._chance(t, "call").random() < 0.06:
                t = play.make_call(t, PERSON, ply, at, self.now).table
            else:
                t = play.go_on_without_call(t, PERSON, ply, self.now)
        return self._fumble(t, ply, at) if next(self._delays) % 2 else t

    def _lay(self, t: Table, ply: int, at: int, purpose: str) -> Table:
        """They click on a card."""

        def choose(seat: Seat) -> Any:
            return self._chance(t, purpose).choice(t.rules.actions(t.rules.views.view(t.state, seat)))

        return play.make_move(t, PERSON, ply, choose, at, self.now).table

    def _fumble(self, t: Table, ply: int, at: int) -> Table:
        """They click on what does not count any more: it is refused, or does nothing."""
        with suppress(Refusal, IllegalAction):
            t = play.go_on_without_call(t, PERSON, ply, self.now)
        if not t.awaits_next or t.state.ply != ply:
            with suppress(Refusal, IllegalAction):
                t = play.make_call(t, PERSON, ply, at, self.now).table
        return t

    def _served(self, t: Table) -> Table:
        """The next timer acts, perhaps late."""
        due = next_due(t)
        assert due is not None and due.timer is not Timer.IDLE, "nothing else is to come"
        self.now = max(self.now, due.at) + next(self._delays) % 50
        return serve_due_timer(t, self.now)

    def _kept(self, t: Table) -> Table:
        """As the store keeps it, and now and then as a new process reads it."""
        t = t._replace(changed_at=self.now)
        return unpack_table(pack_table(t)) if next(self._delays) % 4 == 0 else t


@given(
    deal=st.integers(0, 10_000),
    computers=st.integers(1, 5),
    pace=st.sampled_from(Pace),
    delays=DELAYS,
)
@example(deal=1, computers=3, pace=Pace.NORMAL, delays=[0])
@example(deal=2, computers=2, pace=Pace.OFF, delays=[1])
@example(deal=3, computers=4, pace=Pace.FAST, delays=[0, 3, 3, 0, 0, 1])
def test_the_same_play_meets_the_same_answers_however_long_the_person_takes(
    deal: int, computers: int, pace: Pace, delays: list[int]
) -> None:
    before = new_game(deal, computers, pace)
    steady = Fingers(deal, [5000]).played(before)
    assert len(steady) == LONGEST or any("call" in entry for entry in steady)
    assert Fingers(deal, delays).played(before) == steady


# What the person reads


def hand(t: Table, seat: int, *, live: bool = True) -> list[Json]:
    """All components of the hand of *seat*, in order."""
    return list(walk(hand_sheet(make_scene(t, Seat(seat), 1, live=live), EN).payload))


def buttons(t: Table, seat: int, *, live: bool = True) -> Iterator[tuple[str, Verb, int]]:
    """(label, what it does, its ply) of every button of the hand that can be pressed."""
    for component in hand(t, seat, live=live):
        press = parse_custom_id(str(component.get("custom_id", "")))
        if press is not None and not component.get("disabled"):
            yield component["label"], press.verb, press.ply


@pytest.mark.parametrize("live", [True, False])
def test_while_the_game_waits_the_hand_offers_next_and_the_call_and_nothing_else(waiting: Waiting, live: bool) -> None:
    before, person = waiting
    ply = before.state.ply
    assert list(buttons(before, person, live=live)) == [("Next", Verb.NEXT, ply), ("17!", Verb.CALL, ply)]
    told = "\n".join(str(component.get("content", "")) for component in hand(before, person, live=live))
    mine = before.rules.on_turn(before.state) == person
    asked = "Call **17!**, or press **Next** and play." if mine else "Call **17!**, or press **Next**."
    assert asked in told.splitlines()
    assert "Your cards:" in told


def test_the_call_button_is_alone_in_the_last_row_all_the_time(waiting: Waiting) -> None:
    before, person = waiting
    for t in (before, following(before, person), pass_time(following(before, person), NOW + HOUR)):
        row = hand_sheet(make_scene(t, Seat(person), 1, live=True), EN).payload[-1]
        assert [component["label"] for component in row["components"]] == ["17!"]


def test_after_next_the_cards_are_offered_and_no_call() -> None:
    verbs = [verb for _, verb, _ in buttons(following(alone(FOUR, 1), 1), 1)]
    assert set(verbs) == {Verb.MOVE}
    assert list(buttons(following(alone(FOUR, 3), 3), 3)) == []


def test_while_computers_decide_on_the_persons_call_nothing_looks_different_d9() -> None:
    for person in (1, 3):
        before = keen(person)
        called = call(before, person, at=NOW).table
        asked = serve_due_timer(called, NOW)
        assert hand(before, person) == hand(called, person) == hand(asked, person)
        assert Verb.NEXT not in [verb for _, verb, _ in buttons(serve_due_timer(asked, NOW), person)]


def test_other_hands_and_the_table_have_no_such_button() -> None:
    for slot in (TABLE, dm_hand_slot(Seat(0))):
        found = walk(render_slot(alone(FOUR, 3), slot, 1).payload)
        assert not [it for it in found if str(it.get("custom_id", "")).startswith("17/next/")]
    usual = alone(FOUR, 3, NORMAL)
    assert Verb.NEXT not in [verb for _, verb, _ in buttons(usual, 3)]


def test_refusals_say_what_to_press() -> None:
    scene = make_scene(alone(FOUR, 3), Seat(3), 1)
    first = refusal_text(Why.NEXT_FIRST, {}, scene, EN)
    assert first == "First call **17!**, or press **Next**. Then you can play a card."
    pressed = refusal_text(Why.NEXT_PRESSED, {}, scene, EN)
    assert pressed == "You have pressed **Next**, so you cannot call before the next card."
