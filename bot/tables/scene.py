"""Scenes, which presenters get: the public facts of a table, and the view of one seat.

Never the state, never the seed of a running game.
"""

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, Optional, TypeVar

from bot.tables.computers import can_act, may_ask_for_hints
from bot.tables.contest import NO_CONTEST, RatedContest, determine_rated_contest
from bot.tables.model import Ending, Handover, Phase, Player, Table, TableId, cached_by_table
from bot.tables.names import computer_level
from bot.tables.options import Options
from bot.tables.passing import will_pass_automatically
from engine.fair import commitment
from engine.game import Json, Seat, Standing
from engine.registry import AnyGame

V = TypeVar("V")
A = TypeVar("A")
E = TypeVar("E")


class PublicPlayer(NamedTuple):
    """What everybody may know of a player: name, user id, whether a computer plays, level, choices."""

    name: str
    user: int | None
    automatic: bool
    """A computer plays this seat now."""
    by_dm: bool
    refuses_dms: bool = False
    """They take no direct messages, as Discord says; they have not chosen to play from *My hand*."""
    invited: bool = False
    """They have not taken their seat yet (L5)."""
    timed_out: bool = False
    """A computer plays this seat because their time ran out (L2)."""
    warned: bool = False
    """Their last turn's time ran out: once more, and a computer takes over the seat (L3)."""
    since: int = 0
    """The ply at which they sat down at a computer's seat; 0: at the start (L4)."""
    before: str = ""
    """What the computer player is called that had the seat until then."""
    has_cut: bool = False
    """They have cut the deck."""
    rated: bool = False
    """They want a rating, or did when the cards were dealt (L6)."""
    level: int = 0
    """Of a computer player that nobody's seat is; 0: of a person."""
    former: bool = False
    """They were erased: there is no name, and nobody can take the seat."""


class TablePlace(NamedTuple):
    """Server, channel and message id of a table on Discord, to link to it."""

    guild: int
    channel: int
    message: int | None

    @property
    def url(self) -> str:
        """The Discord link to the table message, or to the channel while there is none."""
        base = f"https://discord.com/channels/{self.guild or '@me'}/{self.channel}"
        return base if self.message is None else f"{base}/{self.message}"


class Scene(NamedTuple, Generic[V, A, E]):
    """All that one seat (``None``: everybody) may know of a table, for presenters: game view, actions, clock, results.

    V, A and E are the types of the game's view, action and event.
    """

    table: TableId
    place: TablePlace
    game: str
    phase: Phase
    levels: int
    """How many levels its computer players have."""
    seats: tuple[int, int]
    """Least and most players."""
    host: int
    options: Options
    people: tuple[PublicPlayer, ...]
    seat: Seat | None
    ply: int
    view: V
    """The game's own view of that seat. In the lobby there is none (``None``), and no presenter is asked about it."""
    allowed: tuple[A, ...]
    """What the viewer may do now, in the order of ``Game.actions``; empty off turn, while ``passing``, and while the
    table ``awaits_next``."""
    recent: tuple[E, ...]
    """What just happened, as that seat saw it."""
    outcome: tuple[E, ...]
    """How the last round ended, as that seat saw it."""
    outcome_ply: int | None
    """The number of the action that ended it; ``None``: not known."""
    just_ended: bool
    """Whether what just happened ended a round: then ``recent`` is ``outcome``."""
    on_turn: Seat | None
    may_call: tuple[Seat, ...]
    """Who may call now, in seat order."""
    callers: tuple[Seat, ...]
    """Whose call counts, in click order, from the moment when everybody may know until the cards are turned over."""
    own_move: A | None
    """The viewer's own move that has not landed yet."""
    turn_ends: int | None
    """When the turn's time is up, ms since 1970; ``None``: no limit runs."""
    paused: bool
    """The game waits until somebody comes back (L2)."""
    overdue: Seat | None
    """Whose turn a computer has just played because the time was up (L3)."""
    handovers: tuple[Handover, ...]
    """Which seats have changed hands lately, oldest first."""
    passing: bool
    """It is the viewer's turn, and the table passes for them in a moment."""
    ending: Ending | None
    ended_by: str
    standings: tuple[Standing, ...]
    highlights: Any
    """What is worth telling of a finished game, of the game's own type; ``None`` until then, and where there is
    nothing."""
    starting: bool
    """Somebody has pressed *Start*, and the cards are not dealt yet."""
    start_failed: bool
    start_refused: bool
    """Somebody has just pressed *Start* in vain: no message for the game could be sent."""
    commitment: str
    """The shuffle code."""
    deal: Json | None
    """What the cards are dealt from, but for the secret (``engine.fair.Deal.sheet``); ``None`` in the lobby."""
    rematch: TableId | None
    rematch_by: int
    """Who has opened it; 0: there is none."""
    rematch_people: tuple[int, ...] | None
    """The people to whom its cards were dealt; ``None``: it has not begun."""
    game_options: Mapping[str, str]
    """The game's own options, all of them."""
    counted: bool = True
    """Whether the game counts for totals and ratings."""
    contest: RatedContest = NO_CONTEST
    """Between whom the game counts for the ratings, or will if it starts now."""
    has_hints: bool = False
    """Whether the game has hints, or will if it starts now, and so is not rated (L6)."""
    hint: bool = False
    """The viewer may have a hint now."""
    day: str = ""
    """The day whose deal is played ("2026-11-28"); empty: it is none."""
    next_code: str = ""
    """The shuffle code of the day after."""
    unannounced: bool = False
    """Whether the code of that day was not published the day before."""
    practice: bool = False
    """Whether that deal is played once more, and so counts for nothing."""
    solo: bool = False
    """Whether it is a solo table: one message shows table and hand."""
    awaits_next: bool = False
    """The game waits until its one person calls or presses *Next*; the cards on their own turn are offered after that.
    Only at an unhurried table."""
    live: bool = False
    """In a hand: it follows every change of the table, so it shows what lies there."""
    picked: str = ""
    """What the viewer has picked in their hand on the way to a move, in the game's own words; no move yet."""
    public: Optional["Scene[V, A, E]"] = None
    """What everybody may know of the same table; ``None``: this is all there is."""

    def name(self, seat: Seat) -> str:
        """Return the name of the player in *seat*, not escaped: presenters do that."""
        return self.people[seat].name

    def name_at_ply(self, seat: Seat, ply: int) -> str:
        """Return the name of the player who had *seat* when action number *ply* was made, not escaped.

        It may be a computer player that has given up the seat since (L4).
        """
        person = self.people[seat]
        return person.before if ply < person.since else person.name

    def with_names_at(self, ply: int) -> "Scene[V, A, E]":
        """Return this scene with the names of those who had the seats when action number *ply* was made."""
        if all(ply >= person.since for person in self.people):
            return self
        names = [self.name_at_ply(Seat(seat), ply) for seat in range(len(self.people))]
        people = tuple(person._replace(name=name) for person, name in zip(self.people, names, strict=True))
        public = None if self.public is None else self.public.with_names_at(ply)
        return self._replace(people=people, public=public)

    @property
    def with_names_at_recent_events(self) -> "Scene[V, A, E]":
        """This scene with the names of those who had the seats when ``recent`` happened."""
        return self.with_names_at(max(0, self.ply - 1))

    @property
    def with_names_at_outcome(self) -> "Scene[V, A, E]":
        """This scene with the names of those who had the seats when ``outcome`` happened."""
        return self if self.outcome_ply is None else self.with_names_at(self.outcome_ply)

    @property
    def witnessed(self) -> "Scene[V, A, E]":
        """This scene without the events from before the viewer had their seat: those are not about them."""
        since = 0 if self.seat is None else self.people[self.seat].since
        scene = self if since < self.ply or not since else self._replace(recent=(), just_ended=False)
        return scene if self.outcome_ply is None or since <= self.outcome_ply else scene._replace(outcome=())


def _make_public_player(player: Player, rules: AnyGame) -> PublicPlayer:
    """Return what everybody may know of *player*; *rules* limit the level of a computer player."""
    warned = player.timeouts > 0 and not player.automatic
    return PublicPlayer(
        name=player.name,
        user=player.user,
        automatic=player.automatic,
        by_dm=player.by_dm,
        refuses_dms=player.refuses_dms,
        invited=player.invited,
        timed_out=player.timed_out,
        warned=warned,
        since=player.since,
        before=player.before,
        has_cut=bool(player.cut),
        rated=player.rated,
        level=computer_level(player, rules) if player.user is None else 0,
        former=player.former,
    )


AnyScene = Scene[Any, Any, Any]
"""The scene of any game."""


@cached_by_table
def _make_public_scene(table: Table, message: int | None) -> AnyScene:
    """Return what everybody may know of *table*, as a scene for presenters; *message* is the id of the table message.
    Cached for each version.

    All messages of a table are rendered one after the other for every version of it, and show mostly the same.
    """
    rules, state = table.rules, table.state
    dealt = state is not None
    on_turn = rules.on_turn(state) if dealt and table.phase is Phase.PLAYING else None
    shown = table.window if table.window is not None and table.window.closed else None
    clock_runs = on_turn is not None and table.turn_ms > 0 and shown is None and not table.players[on_turn].automatic
    return Scene(
        table=table.id,
        place=TablePlace(table.guild, table.channel, message),
        game=table.game,
        phase=table.phase,
        levels=rules.computers.LEVELS,
        seats=(rules.seats[0], rules.seats[-1]),
        host=table.host,
        options=table.options,
        people=tuple(_make_public_player(player, rules) for player in table.players),
        seat=None,
        ply=state.ply if dealt else 0,
        view=rules.views.view(state, None) if dealt else None,
        allowed=(),
        recent=rules.events_as_seen(table.recent, None),
        outcome=rules.events_as_seen(table.outcome, None),
        outcome_ply=table.outcome_ply,
        just_ended=rules.ends_round(table.recent),
        on_turn=on_turn,
        may_call=table.may_call if on_turn is not None else (),
        callers=tuple(call.seat for call in shown.calls) if shown is not None else (),
        own_move=None,
        turn_ends=table.clock_began + table.turn_credit + table.turn_ms if clock_runs else None,
        paused=table.paused,
        overdue=table.overdue,
        handovers=table.handovers,
        passing=False,
        ending=table.ending,
        ended_by=table.ended_by,
        standings=rules.standings(state) if dealt else (),
        highlights=table.highlights if table.ending is Ending.FINISHED else None,
        starting=table.starting,
        start_failed=table.failed_start == table.version,
        start_refused=table.start_refused,
        commitment=commitment(bytes.fromhex(table.secret)),
        deal=table.deal,
        rematch=table.rematch,
        rematch_by=table.rematch_by,
        rematch_people=table.rematch_people,
        game_options=rules.check_options(dict(table.options.game)),
        counted=table.counted,
        contest=determine_rated_contest(table),
        has_hints=table.has_hints,
        solo=table.solo,
        day=table.day,
        next_code=table.next_code,
        unannounced=table.unannounced,
        practice=table.practice,
        awaits_next=table.awaits_next and shown is None,
    )


def make_scene(
    table: Table, seat: Seat | None, message: int | None, picked: str = "", *, live: bool = False
) -> AnyScene:
    """Return what *seat* (``None``: everybody) may know of *table*, for presenters: view, legal actions, events, clock,
    results.

    *message* is the id of the table message, if there is one; *picked* is what the viewer has picked in their hand on
    the way to a move; *live*: their hand follows every change.
    """
    public = _make_public_scene(table, message)
    if seat is None:
        return public
    rules, state = table.rules, table.state
    own = table.held.action if table.held is not None and table.held.seat == seat else None
    passing = public.on_turn == seat and own is None and will_pass_automatically(table)
    view = rules.views.view(state, seat) if state is not None else None
    return public._replace(
        seat=seat,
        view=view,
        allowed=rules.actions(view) if public.on_turn == seat and not (passing or public.awaits_next) else (),
        recent=rules.events_as_seen(table.recent, seat),
        outcome=rules.events_as_seen(table.outcome, seat),
        own_move=None if own is None else rules.decode_action(own),
        passing=passing,
        hint=public.has_hints and may_ask_for_hints(table, seat) and can_act(table, seat),
        live=live,
        picked=picked,
        public=public,
    )
