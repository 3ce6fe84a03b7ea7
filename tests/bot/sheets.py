"""Every message that there is of a game, at its longest: its longest situations (``Case.longest``), with the worst
names that people can have."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, Final

from bot.daily.results import DayResult, Percentile
from bot.delivery.plan import expired_hand_sheet, render_slot
from bot.delivery.slots import TABLE, dm_hand_slot
from bot.i18n import Words, words
from bot.tables import computers, start
from bot.tables.errors import Why
from bot.tables.history import PastAction, TableHistory
from bot.tables.leaving import give_seat_to_computer
from bot.tables.model import (
    MAX_HANDOVERS,
    NO_SERVER,
    Call,
    CallWindow,
    Ending,
    Handover,
    HeldMove,
    Phase,
    Player,
    SeatChange,
    Table,
)
from bot.tables.preferences import LONGEST_REASON, MOST_PLACES
from bot.tables.scene import make_scene
from bot.ui import menu, replies
from bot.ui.components import Component, Sheet
from bot.ui.custom_ids import Verb, parse_custom_id
from bot.ui.daily import (
    BoardGame,
    NamedResult,
    OwnDay,
    copyable_day_result_sheet,
    daily_game_dm_link_sheet,
    own_day_result_sheet,
    server_day_leaderboard_sheet,
    shared_day_result_sheet,
)
from bot.ui.hints import hint_sheet
from bot.ui.menu import MOST_LINES, history_sheet
from bot.ui.presenter import lesson_sheet
from bot.ui.registry import PRESENTERS
from bot.ui.rules import rules_page_sheet
from bot.ui.table_message import table_moved_sheet
from engine.errors import General
from engine.game import RoundOutcome, Seat
from engine.registry import GAMES, AnyGame
from local_discord.components import walk
from tests.bot import reviews
from tests.bot.tables import MESSAGE, NOW, on_turn, opened, running
from tests.games import CASES

NAMES: Final = ("W" * 40, "_" * 40)
"""The widest name there is; and one that is twice as long once it is escaped. Discord allows 32 characters."""
DAY: Final = "2026-11-28"
NOTICE: Final = "notice " * 20


def sheets(game: str, locale: str, name: str = NAMES[0]) -> list[Sheet]:
    """Every kind of message of *game* at its longest, in the language *locale*, where everybody is called *name*."""
    t, presenter = words(locale), PRESENTERS[game]
    found = [replies.help_sheet(t), replies.bug_apology_sheet("12345678", t)]
    found += [lesson_sheet(game, presenter.lesson, step, presenter.accent, t) for step in presenter.lesson]
    found += [rules_page_sheet(game, topic.key, t) for topic in presenter.rules_pages]
    longest = list(tables(game, name))
    found += reviews.sheets(game, longest, t, name)
    found += daily(game, t, name)
    for spoken in longest:
        table = _in(locale, spoken)
        found += [render_slot(table, TABLE, 1), table_moved_sheet(make_scene(table, None, 1), t)]
        found += alone(table)
        if table.state is not None:
            found += [expired_hand_sheet(table, Seat(0))]
            found += [*hands(table), *private(table, t, name)]
    return found


def _in(locale: str, table: Table) -> Table:
    """*table* where everybody speaks the language *locale*."""
    return table._replace(locale=locale, players=tuple(player._replace(locale=locale) for player in table.players))


# Tables


def tables(game: str, name: str) -> Iterator[Table]:
    """Tables of *game* in their longest situations, from the lobby to every way in which a game ends."""
    dealt = list(_dealt(game, name))
    yield from dealt
    yield from _called(dealt)
    yield from _hinted(dealt, name)
    yield from _after_the_last_round(dealt)
    longest = max(dealt, key=lambda it: len(it.players))
    alone = longest
    for seat in range(1, len(longest.players)):
        alone = give_seat_to_computer(alone, Seat(seat))
    yield alone
    came = [Handover(change, name, name) for change in SeatChange]
    yield longest._replace(handovers=tuple(came[:MAX_HANDOVERS]), overdue=Seat(0))
    for ending in Ending:
        yield longest._replace(phase=Phase.OVER, ending=ending, ended_by=name)
    full = opened(game)._replace(players=_players(CASES[game].rules.seats[-1], name))
    options = full.options._replace(hints=True, breath=False)
    yield full._replace(players=tuple(it._replace(cut="00" * 32) for it in full.players), options=options)
    starting = start.start_game(full, 100, NOW)
    yield starting
    yield start.deal_cards(starting, MESSAGE, NOW)
    for inside in (full, full._replace(players=full.players[:1])):
        yield inside
        yield inside._replace(phase=Phase.OVER, ending=Ending.CANCELLED, ended_by=name)


def _players(count: int, name: str) -> tuple[Player, ...]:
    """So many people; every other one has closed their direct messages, which the table message says."""
    return tuple(Player(name, 100 + seat, by_dm=seat % 2 == 0, refuses_dms=seat % 2 == 1) for seat in range(count))


def seated(rules: AnyGame, state: Any) -> int:
    """How many play in *state*: as many as would be ranked if it were over."""
    return len(rules.standings(state._replace(winners=(Seat(0),))))


def _dealt(game: str, name: str) -> Iterator[Table]:
    """The situations of the game's case; where a move is held, also without it."""
    rules = CASES[game].rules
    for state, events, action in CASES[game].longest():
        table = running(game, state, _players(seated(rules, state), name))._replace(recent=tuple(events))
        if rules.ends_round(events):
            table = table._replace(outcome=tuple(events))
        if rules.on_turn(state) is None:
            told = highlights(game, len(table.players))
            table = table._replace(phase=Phase.OVER, ending=Ending.FINISHED, highlights=told)
        yield table
        if action is not None:
            yield table._replace(held=HeldMove(on_turn(table), rules.encode_action(action), NOW, NOW))


@cache
def highlights(game: str, seats: int) -> Any:
    """The most that is worth telling of one of a few random games of so many; ``None``: there are no highlights."""
    found = []
    for seed in range(8):
        told = None
        for state, _, step in CASES[game].steps(seats, seed, CASES[game].quick):
            told = CASES[game].rules.add_highlights(told, state, step)
        found.append(told)
    return max(found, key=lambda told: len(repr(told)))


def _called(dealt: list[Table]) -> Iterator[Table]:
    """The same when everybody has called who may."""
    for table in dealt:
        callers = table.rules.callers(table.state)
        if callers:
            yield table._replace(window=CallWindow(tuple(Call(seat, NOW) for seat in callers), NOW))


def _hinted(dealt: list[Table], name: str) -> Iterator[Table]:
    """The same where whoever is on turn plays against computers alone, with hints."""
    for table in dealt:
        if table.phase is Phase.PLAYING and table.rules.coach is not None:
            people = [it if seat == on_turn(table) else Player(name) for seat, it in enumerate(table.players)]
            yield table._replace(players=tuple(people), options=table.options._replace(hints=True))


def _after_the_last_round(dealt: list[Table]) -> Iterator[Table]:
    """The same, where something has just happened, while a line still says how the last round ended."""
    ended = [table for table in dealt if table.outcome and table.phase is Phase.PLAYING]
    for table, before in product(dealt, ended):
        if table.recent and not table.outcome and len(table.players) == len(before.players):
            yield table._replace(outcome=before.outcome)


# What is private


def hands(table: Table) -> list[Sheet]:
    """The hand of every seat with a notice, and what each becomes after every pick that it offers."""
    found = []
    for slot in map(dm_hand_slot, map(Seat, range(len(table.players)))):
        sheet = render_slot(table, slot, 1, NOTICE)
        found += [sheet, *(render_slot(table, slot, 1, NOTICE, value) for value in picks(sheet.payload))]
    return found


def alone(table: Table) -> list[Sheet]:
    """The message of a solo table where whoever is on turn at *table* plays alone, with a notice, hurried and not; and
    what it becomes after every pick that it offers.
    """
    mine = on_turn(table) if table.phase is Phase.PLAYING else Seat(0)
    players = [it if seat == mine else Player(it.name) for seat, it in enumerate(table.players)]
    host = players[mine].user
    assert host is not None
    solo = table._replace(guild=NO_SERVER, host=host, players=tuple(players))
    hinted = solo._replace(options=solo.options._replace(hints=solo.rules.coach is not None))
    found = []
    for it in (hinted, solo._replace(options=solo.options._replace(unhurried=True))):
        sheet = render_slot(it, TABLE, 1, NOTICE)
        found += [sheet, *(render_slot(it, TABLE, 1, NOTICE, value) for value in picks(sheet.payload))]
    return found


def daily(game: str, t: Words, name: str) -> list[Sheet]:
    """Everything about the deal of the day of *game*, if it has one, played by as many as are listed and more."""
    if CASES[game].rules.daily is None:
        return []
    many = [NamedResult(name, DayResult(place, (3, 4))) for place in range(1, 8)] * 5
    rounds = [*RoundOutcome] * 10
    own = OwnDay(game, DAY, DayResult(1, (9,)), rounds, Percentile(100, 99_999), 99_999, 9_999, many)
    found = [own_day_result_sheet(own, t, share=share) for share in (True, False)]
    found += [shared_day_result_sheet(own, name, t), copyable_day_result_sheet(own, t)]
    found += [
        daily_game_dm_link_sheet(game, DAY, "https://discord.com/channels/@me/1/2", t, started=it)
        for it in (True, False)
    ]
    lobby = opened(game)._replace(guild=NO_SERVER, day=DAY, next_code="f" * 64, unannounced=True)
    lobby = lobby._replace(players=(Player(name, lobby.host, locale=t.locale),))
    found += [render_slot(lobby._replace(practice=it), TABLE, 1) for it in (True, False)]
    found.append(
        server_day_leaderboard_sheet(
            DAY, [BoardGame(it, many, 99) for it in PRESENTERS if GAMES[it].daily is not None], t
        )
    )
    return found


def picks(payload: list[Component]) -> list[str]:
    """What can be picked in *payload* on the way to a move."""
    found = []
    for component in walk(payload):
        press = parse_custom_id(str(component.get("custom_id", "")))
        if press is not None and press.verb is Verb.PICK:
            found += [option["value"] for option in component["options"]]
    return found


def _longest_past(table: Table, name: str) -> TableHistory:
    """More than fits of what has happened at *table*: its last step, again and again, and seats that change hands."""
    (told,) = table.rules.history.readable_events([table.rules.events_as_seen(table.recent, None)]) or ((),)
    sat = Handover(SeatChange.SAT_DOWN, name, name)
    return TableHistory((*[PastAction(0, told, by_clock=True)] * MOST_LINES, *[sat] * (MOST_LINES // 2)), whole=False)


def private(table: Table, t: Words, name: str) -> list[Sheet]:
    """What the menu of *table* leads to, for a host who moderates; and every refusal, with what helps then."""
    mine = make_scene(table, table.rules.on_turn(table.state) or Seat(0), 1)
    found = [menu.menu_sheet(mine, t, host=True, moderator=True), menu.confirm_leave_sheet(mine, t)]
    found += [menu.left_game_sheet(mine, t), menu.confirm_end_game_sheet(mine, t)]
    if table.phase is Phase.PLAYING and table.rules.history is not None:
        found.append(history_sheet(make_scene(table, None, 1), _longest_past(table, name), t))
    if mine.hint:
        found.append(hint_sheet(table.game, computers.make_hint(table, on_turn(table)), t))
    facts: dict[str, Any] = {
        "permissions": name,
        "most": 6,
        "least": 2,
        "now": 1,
        "name": name,
        "names": [name] * 8,
        "n": 9999,
    }
    facts |= {"when": "<t:1700000000:R>", "until": NOW, "reason": "*" * LONGEST_REASON, "said": name}
    facts |= {"channels": [1 << 60] * MOST_PLACES, "roles": [1 << 60] * MOST_PLACES}
    facts |= {"places": tuple((1, (1 << 60) + n) for n in range(9)) + ((0, 1 << 60),)}
    for why in Why:
        found.append(
            replies.private_note_sheet(
                replies.refusal_text(why, facts, mine, t), *replies.refusal_controls(why, mine, t)
            )
        )
    for reason in (*General, *table.rules.refused):
        found.append(
            replies.private_note_sheet(
                replies.illegal_move_text(reason, mine, t), *replies.refusal_controls(reason, mine, t)
            )
        )
    return found
