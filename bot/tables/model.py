"""The table: everything about it that must survive a restart, in one immutable value."""

import hashlib
import secrets
from base64 import b32encode
from collections.abc import Callable, Iterator
from datetime import date
from enum import Enum
from functools import lru_cache, wraps
from random import Random
from typing import Any, Concatenate, Final, NamedTuple, NewType, ParamSpec, TypeVar

from bot.daily.days import day_of_deal
from bot.tables.options import TURN_SECONDS, USUAL_TURN_SECONDS, Options
from engine.fair import SEED_BYTES, SeededChance
from engine.game import Json, Seat
from engine.record import parse_deal
from engine.registry import GAMES, AnyGame

TableId = NewType("TableId", str)
"""Eight characters, a-z and 2-7."""
_MARK_BYTES: Final = 6
NO_SERVER: Final = 0
"""The server of solo tables, which are in direct messages: none. Their shard is that of direct messages, 0."""


class Phase(Enum):
    """The stage of a table: in the lobby, playing or over."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    """Finished, or ended before its time: the messages stay, nothing can be played."""


class Ending(Enum):
    """Why a table is over."""

    FINISHED = "finished"
    CANCELLED = "cancelled"
    """In the lobby."""
    ENDED = "ended"
    """By the host or a moderator."""
    ABANDONED = "abandoned"
    """Every person has left (L2)."""
    UNATTENDED = "unattended"
    """It was paused for an hour, and somebody opened a new table there (L2)."""
    IDLE = "idle"
    """Nothing has happened for a day."""
    REMOVED = "removed"
    """The channel is gone, or the bot was removed from the server."""


class TurnNotice(Enum):
    """When a person gets a new message that it is their turn: every time, only when time is short, or never."""

    EVERY_TURN = "turn"
    LATE = "late"
    """Only when their time is running out."""
    NEVER = "never"


class Player(NamedTuple):
    """A person or a computer player in a seat: names, language, choices, and whether a computer plays for them."""

    name: str
    """Their name at the table: nobody else there has it (``bot.tables.names``)."""
    user: int | None = None
    """The person's Discord id; ``None``: a computer player."""
    locale: str = "en"
    away: bool = False
    """A computer plays for this person, who may come back (L1)."""
    by_dm: bool = True
    """Whether the hand is sent by direct message; else it opens behind *My hand*."""
    timed_out: bool = False
    """They are away because their time ran out, and have not left (L2)."""
    timeouts: int = 0
    """Turns in a row whose time ran out (L1)."""
    active_at: int = 0
    """When this person last clicked at this table, ms."""
    invited: bool = False
    """In the lobby of a rematch: this person has not taken the seat yet, so the game will not include them (L5)."""
    refuses_dms: bool = False
    """They have not chosen *My hand*: Discord refuses direct messages to them."""
    telling: TurnNotice = TurnNotice.EVERY_TURN
    passes: bool = False
    """Whether the table passes for this person where that is all they can do."""
    since: int = 0
    """The ply at which this person sat down at a computer's seat while the game ran; 0: at the start (L4)."""
    before: str = ""
    """The name of the computer player that had the seat until then; empty: nobody had it."""
    record: str = ""
    """Their id in the record of the game; empty: it has not begun."""
    cut: str = ""
    """The hash of the phrase with which this person has cut the deck (``engine.fair``); empty: they have not."""
    rated: bool = False
    """Whether this person wanted a rating when the cards were dealt; in the lobby, whether they do (L6)."""
    replaced: bool = False
    """They are away because the host or a moderator lets a computer play for them, as their time had run out, or as
    that one has no rating to win by it."""
    replaced_by: int | None = None
    """The seat of the rated player who lets a computer play for them though they were there; ``None``: nobody does."""
    display: str = ""
    """The display name of this person on the server; empty: their ``name``, as before that was kept."""
    username: str = ""
    """Their Discord user name, which nobody else has; empty: it is not known."""
    former: bool = False
    """The person of this seat was erased: it has neither name nor person any more, a computer plays it to the end, and
    nobody can take it."""

    @property
    def automatic(self) -> bool:
        """Whether a computer plays this seat now: it is a computer player's, or its person is away."""
        return self.user is None or self.away


class HeldMove(NamedTuple):
    """A move that was made but has not taken effect ("landed"): it waits for the beat and for earlier calls."""

    seat: Seat
    action: Any
    """As JSON."""
    lands_at: int
    """The moment it counts as made, on Discord's clock, ms."""
    due: int
    """When it is applied, ms."""


class Call(NamedTuple):
    """A call of "17!" by one seat, waiting for the call window to close; then the cards are turned over."""

    seat: Seat
    at: int
    """On Discord's clock, ms."""
    by_clock: bool = False
    """Whether a computer has called for somebody whose time was up."""


class CallWindow(NamedTuple):
    """The short time after the first call in which further calls count as simultaneous (D9), with the calls so far.

    After it has closed everybody sees who called for a moment, then the cards are turned over. Until it has closed
    nobody may learn of it.
    """

    calls: tuple[Call, ...]
    due: int
    """When it closes, or, if it has, when the cards are turned over, ms."""
    closed: bool = False
    """Whether everybody sees who called: ``calls`` are those that count, and nothing can be played or called."""
    barred: tuple[Seat, ...] = ()
    """Who clicked a card after the first call, and so cannot call any more."""

    @property
    def first_call_at(self) -> int:
        """The time of the earliest call in the window, on Discord's clock, ms since 1970."""
        return min(call.at for call in self.calls)


class SeatChange(Enum):
    """How a seat of a running game has changed hands: sat down, left, replaced or back."""

    SAT_DOWN = "sat_down"
    """A person has taken a computer player's seat (L4)."""
    LEFT = "left"
    """Its person has left, and a computer plays for them (L1)."""
    REPLACED = "replaced"
    """A computer plays for its person, not by their choice: the host or a moderator says so, or their time ran out."""
    BACK = "back"
    """Its person has taken it back (L1)."""


MAX_HANDOVERS: Final = 3
"""How many of the last changes are kept."""


class Handover(NamedTuple):
    """A change of hands of a seat in a running game: which kind, the names, and when."""

    change: SeatChange
    name: str
    """The name of its person."""
    before: str = ""
    """The name of the computer player that had it, where somebody has sat down."""
    ply: int = 0
    """How many actions had been made by then."""


class Table(NamedTuple):
    """One table in one channel, from the lobby to the end of its game: players, options, secret, game state, clock."""

    id: TableId
    version: int
    guild: int
    channel: int
    game: str
    phase: Phase
    host: int
    locale: str
    options: Options
    players: tuple[Player, ...]
    """In seat order (while the lobby is open: in order of joining)."""
    created_at: int
    secret: str = ""
    """The random secret from which the game will be dealt, hexadecimal, drawn when the table was opened.

    It stays secret until the game is over: the shuffle code is its hash.
    """
    deal: Any = None
    """The public part of what the seed is made of: a ``fair.Deal`` as JSON. ``None``: the game has not begun."""
    seed: str = ""
    """Hexadecimal, secret until the game is over."""
    state: Any = None
    """The game's state; as JSON in the store."""
    recent: tuple[Any, ...] = ()
    """The events of the last step; as JSON in the store."""
    highlights: Any = None
    """What is worth telling of the game when it is over (``game.Highlights``), secret until then.

    As JSON in the store. ``None``: nothing yet.
    """
    memories: tuple[Any, ...] = ()
    """By seat, what a computer player there remembers of what it has witnessed (``Game.remember``), its hidden cards
    included; as JSON in the store. For a person only in a game with hints, what they have witnessed since they sat
    down; else ``None``. Empty: nothing is remembered.
    """
    outcome: tuple[Any, ...] = ()
    """The events of the last step that ended a round or a game; as JSON in the store."""
    outcome_ply: int | None = None
    """The number of the action that made that step; ``None``: not known."""
    changed_at: int = 0
    """When the table last changed, ms."""
    turn_began: int = 0
    """When the player on turn could begin to act, ms."""
    turn_credit: int = 0
    """The part of this turn in which the bot was away, ms: that time does not count."""
    offered_at: int = 0
    """When the player on turn could know of it, if that was later than ``turn_began``, ms: Discord took no message that
    tells them, or they had no clock until then. The turn's time counts from then on."""
    beat_ends: int = 0
    """No move lands before this, ms."""
    calls_decided: int = -1
    """The ply at which the computer players last decided whether to call."""
    next_pressed: int | None = None
    """The ply at which the person of an unhurried table last pressed *Next*; ``None``: they never did."""
    reminded: int = 0
    """The ``turn_began`` of the turn whose player has been reminded that time is running out."""
    held: HeldMove | None = None
    window: CallWindow | None = None
    ending: Ending | None = None
    ended_by: str = ""
    """The name of the person who ended it; empty: nobody did."""
    ended_from: Seat | None = None
    """The seat of that person; ``None``: they have none."""
    reserved_until: int = 0
    """Until when the seats of those who are invited are kept for them, ms (L5)."""
    rematch: TableId | None = None
    """The table at which the same people play again."""
    rematch_by: int = 0
    """The user id of whoever opened it."""
    rematch_people: tuple[int, ...] | None = None
    """The people to whom its cards were dealt; ``None``: it has not begun."""
    rematch_of: TableId | None = None
    """The table whose rematch this is."""
    removed: tuple[int, ...] = ()
    """People whom the host has taken out of the lobby: they cannot sit down again. Of those who were erased since, a
    mark."""
    overdue: Seat | None = None
    """Whose turn a computer has just played because the time was up (L3)."""
    handovers: tuple[Handover, ...] = ()
    """Which seats have changed hands lately, oldest first; not those whose time was up (``overdue``)."""
    opened_by: int = 0
    """Who opened it, as the host may be another since then; 0: they were erased."""
    failed_start: int = 0
    """The version in which it went back to the lobby since no message for the game could be sent; 0: it never did."""
    start_refused: bool = False
    """Whether that was because Discord does not let the bot write there."""
    counted: bool = True
    """Whether the game counts for totals and ratings: what was chosen for the server when the table was opened."""
    own_thread: bool = False
    """Whether its channel is a thread that was made for it."""
    day: str = ""
    """The day whose deal is played here ("2026-11-28", UTC), the same for everybody; empty: its cards are its own."""
    next_code: str = ""
    """The shuffle code of the day after ``day``, published with this day's deals; empty: there is no ``day``."""
    asked_in: int = 0
    """The server where the person asked for the deal of the ``day``; 0: in direct messages."""
    unannounced: bool = False
    """Whether the shuffle code of the ``day`` could not be published the day before: the secret was drawn later."""
    practice: bool = False
    """Whether the deal of the ``day`` is played here once more, when the person's attempt has been made."""
    entries: tuple[Any, ...] = ()
    """What has been done since the last version, for the record, each without its time. The store keeps it apart."""

    @property
    def solo(self) -> bool:
        """Whether it is a solo table: one person and computer players, in that person's direct messages with the
        bot."""
        return self.guild == NO_SERVER

    @property
    def occupied_channel(self) -> int | None:
        """The channel in which no other table can be opened while this one is live; ``None``: it is over, or solo.

        Solo tables leave room for others: whoever goes on with the deal of the day later can play another game first.
        """
        return self.channel if self.live and not self.solo else None

    @property
    def starting(self) -> bool:
        """Whether *Start* was pressed but the cards are not dealt: they need the id of a table message that is still to
        be sent."""
        return self.phase is Phase.LOBBY and self.deal is not None

    @property
    def paused(self) -> bool:
        """Whether the running game waits because no person is there, and one of them, whose time ran out, may come back
        (L2)."""
        if self.phase is not Phase.PLAYING or not all(player.automatic for player in self.players):
            return False
        return any(player.timed_out for player in self.players)

    @property
    def has_hints(self) -> bool:
        """Whether the coach gives hints in this game: its host chose that, and one person began alone; it is not rated
        then (L6).

        In the lobby: whether that would be so if the game started now. It does not matter who sits down later.
        """
        if not (self.options.hints and self.rules.coach is not None):
            return False
        began = sum((it.user is not None or it.former) and not it.before and not it.invited for it in self.players)
        return began == 1

    @property
    def unhurried_seat(self) -> Seat | None:
        """The seat of the one person for whom the game waits after every card, without time limits; ``None``: it waits
        for nobody.

        It waits only in a running game with calls, and only if everybody else at the table is a computer.
        """
        if not self.options.unhurried or self.rules.calls is None or self.phase is not Phase.PLAYING:
            return None
        present = [Seat(seat) for seat, player in enumerate(self.players) if not player.automatic]
        return present[0] if len(present) == 1 else None

    @property
    def awaits_next(self) -> bool:
        """Whether the game waits until its one person, who may call, calls or presses *Next*: they have not pressed it
        at this ply.

        The game waits for one or the other. After their call this stays true until the cards are turned over.
        """
        seat = self.unhurried_seat
        return seat is not None and self.next_pressed != self.state.ply and seat in self.rules.callers(self.state)

    @property
    def may_call(self) -> tuple[Seat, ...]:
        """The seats that may call ("17!") now, in seat order; nobody once the person of an unhurried table has pressed
        *Next*: the computer players decide at that moment."""
        callers = self.rules.callers(self.state)
        return () if self.unhurried_seat in callers and not self.awaits_next else callers

    @property
    def window_ms(self) -> int:
        """How long after the first call ("17!") other calls count as simultaneous, ms; 0 where the game waits for one
        person.

        By then all computer players of an unhurried table have been asked.
        """
        return 0 if self.unhurried_seat is not None else self.options.window_ms

    @property
    def hold_ms(self) -> int:
        """How long a move waits for a call that was stamped earlier, ms; 0 where the game waits for one person: nobody
        else clicks."""
        return 0 if self.unhurried_seat is not None else self.options.hold_ms

    @property
    def turn_ms(self) -> int:
        """The time limit of a turn, ms; 0: none, as usual when one person is at the table, and always at an unhurried
        one."""
        if self.unhurried_seat is not None:
            return 0
        chosen = self.options.turn_seconds
        if chosen is None:
            present = sum(not player.automatic for player in self.players)
            chosen = USUAL_TURN_SECONDS if present > 1 else 0
        return chosen * 1000

    @property
    def clock_began(self) -> int:
        """When the time of the running turn began to count, ms since 1970, outages (``turn_credit``) not added."""
        return max(self.turn_began, self.offered_at)

    @property
    def rules(self) -> AnyGame:
        """The rules of the game that is played here, from the registry of games."""
        return GAMES[self.game]

    @property
    def live(self) -> bool:
        """Whether it is not over: in the lobby, or playing.

        A channel of a server has at most one live table.
        """
        return self.phase is not Phase.OVER

    @property
    def may_have_rematch_in_lobby(self) -> bool:
        """Whether the finished table has a rematch that may still be in the lobby (L5)."""
        return self.rematch is not None and self.rematch_people is None

    def seat_of(self, user: int) -> Seat | None:
        """The seat of the person *user*, also while they are away or only invited; ``None`` if they have none."""
        for seat, player in enumerate(self.players):
            if player.user == user:
                return Seat(seat)
        return None

    @property
    def seated_players(self) -> tuple[Player, ...]:
        """The players who have taken a seat: all but people who are only invited to a rematch."""
        return tuple(player for player in self.players if not player.invited)

    def has_removed(self, user: int) -> bool:
        """Whether the host has removed *user* from the lobby for good, also if *user* was erased since."""
        return user in self.removed or self.erased_user_pseudonym(user) in self.removed

    def erased_user_pseudonym(self, user: int) -> int:
        """The negative number that replaces the id of *user* in this table once they are erased: a hash with the table
        id.
        """
        return -int.from_bytes(hashlib.sha256(f"{self.id}/{user}".encode()).digest()[:_MARK_BYTES])

    def with_entry(self, entry: Json) -> "Table":
        """Return the table with *entry* added to what is to be recorded of the game with the next save
        (``entries``)."""
        return self._replace(entries=(*self.entries, entry))

    def with_handover(self, change: SeatChange, name: str, before: str = "") -> "Table":
        """Return the table with a seat change added to ``handovers``, which keep the last three, for players to read.

        *change* is its kind, *name* the person's, *before* that of the computer player that had the seat.
        """
        kept = (*self.handovers, Handover(change, name, before, self.state.ply))
        return self._replace(handovers=kept[-MAX_HANDOVERS:])

    def with_changed_player(self, seat: Seat, **changes: Any) -> "Table":
        """Return the table with *changes* made to the fields of the player in *seat*."""
        players = list(self.players)
        players[seat] = players[seat]._replace(**changes)
        return self._replace(players=tuple(players))


# Checks of a table's values. A row of the store may hold anything, and what is read from it must not stop this table,
# or others, later on.


END_OF_TIME: Final = 4_102_444_800_000
"""No table lives this long: the year 2100, ms since 1970."""
LARGEST_ID: Final = 2**63 - 1
"""Discord's ids are numbers of 64 bits; databases keep them with a sign."""
LONGEST_WAIT_MS: Final = 60_000
"""The longest call window or hold."""


def check_table_values(table: Table) -> None:
    """Raise ValueError (or BadRecord) if *table*, read from the store, holds values that this program cannot have
    written.

    Times, ids, seats, deal and phase are checked; the types are right already. The text names no value.
    """
    options, seats = table.options, range(len(table.players))
    users = [player.user for player in table.players if player.user is not None]
    _check_range("time", _all_times(table), range(END_OF_TIME))
    _check_range("id", (table.guild, table.channel, table.host, table.opened_by, *users), range(LARGEST_ID + 1))
    _check_range("turn limit", (options.turn_seconds or 0,), range(max(TURN_SECONDS) + 1))
    _check_range("wait", (options.window_ms, options.hold_ms), range(LONGEST_WAIT_MS + 1))
    _check_range("seat", _referenced_seats(table), seats)
    if len(set(users)) < len(users):
        raise ValueError("somebody sits there twice")
    if table.window is not None and not table.window.calls:
        raise ValueError("a call window without a call")
    if table.phase is Phase.LOBBY and (table.state is not None or len(seats) > table.rules.seats[-1]):
        raise ValueError("more than a lobby")
    if table.state is not None:
        SeededChance(bytes.fromhex(table.seed))
    if table.deal is not None:
        _check_deal_matches_table(table)
    if table.phase is Phase.PLAYING:
        _check_running_game(table)
    if table.day or table.practice:
        _check_daily_deal_day(table)


def _check_range(label: str, found: Iterator[int] | tuple[int, ...], possible: range) -> None:
    """Raise ValueError, with *label* in its text, if one of the numbers *found* is not in the range *possible*."""
    if not all(value in possible for value in found):
        raise ValueError(f"impossible {label}")


def _all_times(table: Table) -> Iterator[int]:
    """Yield all times in *table*, and its turn credit (ms), to check that they are in range."""
    yield from (table.created_at, table.changed_at, table.turn_began, table.beat_ends, table.reminded)
    yield from (table.turn_credit, table.offered_at, table.reserved_until)
    yield from (player.active_at for player in table.players)
    if table.held is not None:
        yield from (table.held.lands_at, table.held.due)
    if table.window is not None:
        yield table.window.due
        yield from (call.at for call in table.window.calls)


def _referenced_seats(table: Table) -> Iterator[int]:
    """Yield all seats that the held move, the call window and ``overdue`` of *table* refer to, to check that they
    exist."""
    if table.held is not None:
        yield table.held.seat
    if table.window is not None:
        yield from table.window.barred
        yield from (call.seat for call in table.window.calls)
    if table.overdue is not None:
        yield table.overdue


def _check_deal_matches_table(table: Table) -> None:
    """Raise ValueError or BadRecord if the deal of *table* is not for its players and game, or gives another seed."""
    found, secret = parse_deal(table.deal), bytes.fromhex(table.secret)
    if len(secret) != SEED_BYTES or len(found.seats) != len(table.players) or found.game != table.game:
        raise ValueError("another table's deal")
    if table.state is not None and found.seed(secret).hex() != table.seed:
        raise ValueError("another deal")


def _check_running_game(table: Table) -> None:
    """Raise ValueError if the game at *table*, in the phase PLAYING, is over or has a wrong number of players."""
    rules = table.rules
    if rules.on_turn(table.state) is None:
        raise ValueError("it runs, but is over")
    if len(table.players) not in rules.seats:
        raise ValueError("too few or too many players")
    if len(table.memories) not in (0, len(table.players)):
        raise ValueError("memories of more or fewer players")


def _check_daily_deal_day(table: Table) -> None:
    """Raise ValueError if the ``day`` of *table* is no date, its game has no deals of the day, or the cards are dealt
    for another day."""
    date.fromisoformat(table.day)
    if table.rules.daily is None or (table.state is not None and day_of_deal(parse_deal(table.deal)) != table.day):
        raise ValueError("not the deal of its day")


# A cache for what follows from a table alone, computed once for every version of it.


P = ParamSpec("P")
T = TypeVar("T")

CACHE_SIZE: Final = 64
"""How many results of one function are cached: those of one table are asked for within milliseconds."""


class _TableKey:
    """A table as a cache key, compared by identity, not by its fields: the newest version is the same object
    everywhere.

    Comparing all fields would take longer than computing the result.
    """

    __slots__ = ("table",)

    def __init__(self, table: Table) -> None:
        self.table = table

    def __hash__(self) -> int:
        return id(self.table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TableKey) and self.table is other.table


def cached_by_table(function: Callable[Concatenate[Table, P], T]) -> Callable[Concatenate[Table, P], T]:
    """Decorator: cache the last 64 results of a pure *function* of a table (compared by identity) and hashable
    arguments.
    """

    @lru_cache(maxsize=CACHE_SIZE)
    def found(key: _TableKey, *args: P.args, **kwargs: P.kwargs) -> T:
        return function(key.table, *args, **kwargs)

    @wraps(function)
    def ask(table: Table, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return found(_TableKey(table), *args, **kwargs)  # type: ignore[arg-type] # mypy does not know them hashable

    return ask


# What is drawn at random: for a new table, for a new game, and from the seed of a running one.


def new_table_id() -> TableId:
    """Draw a random id for a new table: eight characters, a-z and 2-7."""
    return TableId(b32encode(secrets.token_bytes(5)).decode().lower())


def new_secret() -> bytes:
    """Draw the random secret of a new table (32 bytes), from which its cards will be dealt."""
    return secrets.token_bytes(SEED_BYTES)


def number_from_seed(table: Table, purpose: str, least: float, most: float) -> float:
    """Return a number between *least* and *most* that looks random but is always the same for the table's seed, its ply
    and *purpose* (a word).

    It is the same each time. Nobody can know it before, and it does not follow from the cards, so it tells nothing of
    them.
    """
    return Random(f"{table.seed}/{table.state.ply}/{purpose}").uniform(least, most)
