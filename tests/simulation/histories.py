"""Whether a history can be explained: every change is a step of the rules that somebody's click, a computer or a timer
asked for, and every click that was taken has had its effect, once."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from bot.tables.errors import Refusal
from bot.tables.model import Phase, Table
from bot.tables.play import clamp_click_time
from bot.ui.custom_ids import Verb
from engine.errors import IllegalAction
from engine.fair import SeededChance
from engine.game import Seat
from tests.controls import meant
from tests.simulation.guests import Click
from tests.simulation.wrong import Unexplained

AFTER_SECONDS: Final = 3.0
"""How long after a click its effect may show at the latest: Discord waits no longer."""

PULSE_SECONDS: Final = 10.0
"""How long before its end a process may have recorded last that it lives: that time is credited as well."""
LATE_SECONDS: Final = 6.0
"""How late a time-out may be: while the bot is cut off it is tried again every five seconds."""

Span = tuple[float, float]
"""From when to when, s since 1970."""


class Step(NamedTuple):
    """A committed change."""

    event: dict[str, Any]
    before: Table
    after: Table

    @property
    def at(self) -> float:
        """When it was made, s since 1970 on Discord's clock."""
        return self.after.changed_at / 1000


def steps_of(versions: Sequence[tuple[dict[str, Any], Table]]) -> list[Step]:
    """The changes between *versions*: (event, table after it), oldest first."""
    return [Step(event, before, after) for (_, before), (event, after) in pairwise(versions)]


def explain(steps: Sequence[Step], clicks: Sequence[Click], slack: float) -> None:
    """Every change in *steps*, those of one table, follows from the rules; every move and call is one that its player
    clicked before, no more often than they did. *slack*: by how many seconds the bot's clock may be wrong.

    Raises:
        Unexplained: it does not.
    """
    used: Counter[tuple[int, int, str]] = Counter()
    for step in steps:
        _follows(step)
        if step.event["what"] in ("move", "call"):
            ply = step.before.state.ply
            who = step.event["by"]
            seat = step.before.seat_of(who)
            if seat is not None and step.before.players[seat].automatic:
                raise Unexplained(f"{step.event} at ply {ply}: a computer player has their seat")
            used[who, ply, step.event["what"]] += 1
            fitting = [it for it in clicks if _asks_for(it, step, who, ply, slack)]
            if not fitting:
                near = [
                    (it.press, it.offer, it.made - step.at, action_of(it, step.before, step.before.seat_of(who)))
                    for it in clicks
                    if it.person.id == who and it.press.ply == ply
                ]
                raise Unexplained(f"{step.event} at ply {ply}: nobody clicked that; {step.after.held} {near}")
    for (who, ply, what), count in used.items():
        made = sum((it.person.id, it.press.ply, it.press.verb.value) == (who, ply, what) for it in clicks)
        if count > made:
            raise Unexplained(f"{count} times {what} by {who} at ply {ply}, clicked {made} times")


def _follows(step: Step) -> None:
    """The change of the game's state is one that the rules make."""
    before, after = step.before, step.after
    if before.state is None or before.state == after.state:
        return
    held = before.held
    lands = held is not None and before.window is None and step.event["what"] == "timer"
    actions = [before.rules.decode_action(held.action)] if held is not None and lands else _possible(before)
    if not any(_leads_to(before, action, after) for action in actions):
        raise Unexplained(f"{step.event} at ply {before.state.ply}: no action leads there")


def _possible(table: Table) -> Iterator[Any]:
    """Every action that may be applied at *table*."""
    for seat in range(len(table.players)):
        yield from table.rules.legal_actions(table.state, Seat(seat))
    if table.window is not None:
        yield table.rules.call([call.seat for call in table.window.calls])


def _asks_for(click: Click, step: Step, who: int, ply: int, slack: float) -> bool:
    """Whether *click* asks for what *step* is."""
    press, before, after = click.press, step.before, step.after
    asked = (click.person.id, press.table, press.ply, press.verb.value)
    if asked != (who, before.id, ply, step.event["what"]) or click.made > step.at + slack:
        return False
    seat = before.seat_of(who)
    if step.event["what"] == "call" or seat is None:
        return seat is not None
    action = action_of(click, before, seat)
    if action is None:
        return False
    if after.held is not None and after.held.seat == seat:
        return bool(after.held.action == before.rules.encode_action(action))
    return before.state == after.state or _leads_to(before, action, after)


def _leads_to(before: Table, action: Any, after: Table) -> bool:
    """Whether *action* makes the state of *after* of that of *before*."""
    try:
        return before.rules.apply(before.state, action, SeededChance(bytes.fromhex(after.seed))).state == after.state
    except IllegalAction:
        return False


def action_of(click: Click, table: Table, seat: Seat) -> Any:
    """What *click* means on the hand of *seat* at *table*; ``None``: nothing that can be."""
    offer = click.offer
    if not isinstance(offer.values, list) or not all(isinstance(value, str) for value in offer.values):
        offer = offer._replace(values=None)  # as the bot reads it
    try:
        return meant(table, seat, offer)
    except (Refusal, IllegalAction):
        return None


def misdated(steps: Sequence[Step], made: Mapping[int, Collection[int]]) -> Iterator[Step]:
    """Those of *steps*, at one table, that count a call at another time than that of a click on Discord's clock.
    *made*: by person, when their clicks were, ms. Only if the machine's clocks were right."""
    for step in steps:
        window = step.after.window
        if step.event["what"] == "call" and window is not None and not window.closed:
            at, now = window.calls[-1].at, step.after.changed_at
            if step.before.window != window and not any(
                clamp_click_time(it, now) == at for it in made.get(step.event["by"], ())
            ):
                yield step


def untimely(
    steps: Sequence[Step], away: Sequence[Span], unheard: Sequence[Span], used: Sequence[float]
) -> Iterator[tuple[Step, float]]:
    """(step, how long the turn had lasted, s) of those of *steps*, at one table, at which somebody's time was up too
    early or too late. *away*: from when to when there was no process, which counts against nobody; *unheard*: when else
    the bot may not have served them; *used*: when anybody used anything. Where nobody did during a turn the session may
    be deaf, and the turn may be given its time once more. Only if the machine's clocks were right."""
    for step in steps:
        before, after = step.before, step.after
        on_turn = before.rules.on_turn(before.state) if before.phase is Phase.PLAYING else None
        if on_turn is None or not before.turn_ms or before.paused or any(it.away for it in before.players):
            continue
        began, limit, lasted = before.turn_began / 1000, before.turn_ms / 1000, step.at - before.turn_began / 1000
        lost = within(away, began, step.at)
        if after.players[on_turn].timeouts > before.players[on_turn].timeouts and lasted < limit + lost - 0.5:
            yield step, lasted
        unserved = within(
            [(begin - PULSE_SECONDS, end + LATE_SECONDS) for begin, end in (*away, *unheard)], began, step.at
        )
        most = limit if any(began < at < step.at for at in used) else 2 * limit
        if after.turn_began != before.turn_began and lasted > most + unserved + LATE_SECONDS:
            yield step, lasted


def within(spans: Sequence[Span], begin: float, end: float) -> float:
    """How much of the time from *begin* to *end* is in *spans*, s; where they overlap it counts once."""
    total, reached = 0.0, begin
    for first, last in sorted(spans):
        total += max(0.0, min(last, end) - max(first, reached))
        reached = max(reached, min(last, end))
    return total


def lost(steps: Sequence[Step], clicks: Sequence[Click], slack: float) -> Iterator[Click]:
    """Those of *clicks* at one table that were moves of whoever was on turn, and had no effect although nothing else
    has happened for as long as Discord waits for an answer; or although they took the place of a move that had not
    landed, which then did. *slack*: how long a click may take to the bot, s."""
    for click in clicks:
        made = click.made
        earlier = [step for step in steps if step.at <= made]
        if click.forged or not click.answered or not earlier:
            continue
        table = earlier[-1].after
        if table.phase is not Phase.PLAYING or table.state.ply != click.press.ply or table.window:
            continue
        seat = table.rules.on_turn(table.state)
        if table.seat_of(click.person.id) != seat or table.players[seat].automatic:
            continue
        if table.held is None and not any(made < step.at < made + AFTER_SECONDS for step in steps):
            yield click
        if table.held is not None and click.press.verb is Verb.MOVE and _kept(table, steps, click, seat, slack):
            yield click


def _kept(table: Table, steps: Sequence[Step], click: Click, seat: Seat, slack: float) -> bool:
    """Whether the move that *table* holds for *seat* has landed although *click* was to replace it."""
    action, held = action_of(click, table, seat), table.held
    assert held is not None
    if action is None or table.rules.encode_action(action) == held.action or held.due / 1000 < click.made + slack:
        return False
    following = next((step for step in steps if step.at > click.made), None)
    if following is None or following.at < click.made + slack or following.event["what"] != "timer":
        return False
    return following.before.held == held and following.after.window is None
