"""What presenters get: the public things of a table, and the view of one seat. Never the state, never the seed
of a running game.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.tables.model import Ending, Options, Phase, Table, TableId
from engine.fair import commitment
from engine.game import Seat, Standing


class Person(NamedTuple):
    """Somebody in a seat, as everybody may know them."""

    name: str
    user: int | None
    automatic: bool
    """A computer plays this seat now."""
    by_dm: bool


class Place(NamedTuple):
    """Where the table is, for links."""

    guild: int
    channel: int
    message: int | None

    @property
    def url(self) -> str:
        """Discord's address of the table message (of the channel, while it has none)."""
        base = f"https://discord.com/channels/{self.guild}/{self.channel}"
        return base if self.message is None else f"{base}/{self.message}"


class Scene(NamedTuple):
    """A table as one seat (``None``: everybody) may know it."""

    table: TableId
    place: Place
    game: str
    phase: Phase
    seats: tuple[int, int]
    """Least and most players."""
    host: int
    options: Options
    people: tuple[Person, ...]
    seat: Seat | None
    ply: int
    view: Any
    """The game's own view of that seat; ``None`` in the lobby."""
    recent: tuple[Any, ...]
    """What just happened, as that seat saw it."""
    outcome: tuple[Any, ...]
    """How the last round ended, as that seat saw it."""
    on_turn: Seat | None
    may_shout: tuple[Seat, ...]
    """Who may interrupt now, in seat order."""
    callers: tuple[Seat, ...]
    """Who has called, while the window is open; in click order."""
    own_move: Mapping[str, Any] | None
    """The viewer's own move that has not landed yet, as JSON."""
    turn_ends: int | None
    """When the clock acts, ms; ``None``: no clock runs."""
    reminded: bool
    ending: Ending | None
    ended_by: str
    standings: tuple[Standing, ...]
    commitment: str
    """SHA-256 of the seed; empty in the lobby."""
    seed: str
    """Empty until the game is over."""
    rematch: TableId | None
    game_options: Mapping[str, str]
    """The game's own options, all of them."""
    picked: str = ""
    """What the viewer has picked in their hand on the way to a move, in the game's own words; no move yet."""

    def name(self, seat: Seat) -> str:
        """The raw name of whoever sits there; presenters escape it."""
        return self.people[seat].name


def scene(table: Table, seat: Seat | None, message: int | None, picked: str = "") -> Scene:
    """*table* as *seat* may know it; *message* is the table message's id where there is one, *picked* what the
    viewer has picked in their hand."""
    rules, state = table.rules, table.state
    dealt = state is not None
    on_turn = rules.on_turn(state) if dealt and table.phase is Phase.PLAYING else None
    clock_runs = (
        on_turn is not None
        and table.options.turn_seconds
        and table.window is None
        and not table.players[on_turn].automatic
    )
    own = table.held.action if table.held is not None and table.held.seat == seat else None
    return Scene(
        table=table.id,
        place=Place(table.guild, table.channel, message),
        game=table.game,
        phase=table.phase,
        seats=(rules.seats[0], rules.seats[-1]),
        host=table.host,
        options=table.options,
        people=tuple(Person(p.name, p.user, p.automatic, p.by_dm) for p in table.players),
        seat=seat,
        ply=rules.ply(state) if dealt else 0,
        view=rules.view(state, seat) if dealt else None,
        recent=rules.witnessed(table.recent, seat),
        outcome=rules.witnessed(table.outcome, seat),
        on_turn=on_turn,
        may_shout=rules.shouters(state) if on_turn is not None else (),
        callers=tuple(shout.seat for shout in table.window.shouts) if table.window else (),
        own_move=own,
        turn_ends=table.turn_began + table.turn_credit + table.options.turn_seconds * 1000 if clock_runs else None,
        reminded=dealt and table.reminded == table.turn_began,
        ending=table.ending,
        ended_by=table.ended_by,
        standings=rules.standings(state) if dealt and table.ending is Ending.FINISHED else (),
        commitment=commitment(bytes.fromhex(table.seed)) if dealt else "",
        seed=table.seed if dealt and table.phase is Phase.OVER else "",
        rematch=table.rematch,
        game_options=rules.check_options(dict(table.options.game)),
        picked=picked,
    )
