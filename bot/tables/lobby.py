"""A table in the lobby: joining and leaving, options, rematches. Pure: table in, table out."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from bot.tables.errors import Refusal, Why
from bot.tables.model import Ending, Phase, Player, Table, TableId
from bot.tables.names import free_computer_name, name_at_table, with_unique_names
from bot.tables.options import Options, Pace
from engine.game import Seat

RESERVED_MS: Final = 120_000
"""How long the seats of a rematch are kept for those who are invited (L5)."""


def new_table(
    table_id: TableId,
    location: tuple[int, int],
    game: str,
    host: Player,
    locale: str,
    options: Options,
    secret: bytes,
    now: int,
) -> Table:
    """Make a new table in the lobby at *location* (server, channel) with *host* as its host; nobody has a seat yet,
    nothing is saved.

    *now* is in ms. The deal will follow from the fresh *secret* (``engine.fair``), the hash of which is public from
    here on.
    """
    assert host.user is not None
    return Table(
        id=table_id,
        version=1,
        guild=location[0],
        channel=location[1],
        game=game,
        phase=Phase.LOBBY,
        host=host.user,
        locale=locale,
        options=options,
        players=(),
        created_at=now,
        changed_at=now,
        opened_by=host.user,
        secret=secret.hex(),
    )


USUAL_SOLO_SEATS: Final = 4
"""How many seats a solo table has at first, where the game has as many."""


def set_up_solo_table(table: Table, host: Player, now: int) -> Table:
    """Seat *host* and computer players (four seats, if the game has as many) at the new solo *table*; no turn limit,
    hints if the game has a coach.

    *now* is in ms. Nobody else can ever sit down there.
    """
    assert host.user is not None
    options = table.options._replace(turn_seconds=0, late=False, hints=table.rules.coach is not None)
    table = table._replace(players=(host,), options=options)
    seats = table.rules.seats
    while len(table.players) < max(seats[0], min(USUAL_SOLO_SEATS, seats[-1])):
        table = add_computer(table, host.user, now)
    return table


def set_up_daily_deal_table(table: Table, host: Player) -> Table:
    """Seat *host* alone at the new *table* for the deal of the day, without turn limit or hurry; the computer players
    come with the cards."""
    pace = Pace.OFF if table.options.pace is Pace.OFF else Pace.FAST  # one presses *Next* after every card
    hints = table.practice and table.rules.coach is not None
    options = table.options._replace(pace=pace, turn_seconds=0, late=False, hints=hints, unhurried=True)
    return table._replace(players=(host,), options=options)


def check_not_daily_deal(table: Table) -> None:
    """Raise Refusal if *table* plays the deal of the day, where players can choose nothing."""
    if table.day:
        raise Refusal(Why.BUTTON_DEAD)


def check_in_lobby(table: Table) -> None:
    """Raise Refusal if *table* is not in the lobby any more: started, running or over."""
    if table.phase is Phase.PLAYING or table.starting:
        raise Refusal(Why.ALREADY_STARTED)
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)


def _make_room_for_player(table: Table, now: int) -> Table:
    """Return *table* with room for one more, or raise Refusal if it is full; the expired seat of an invited person is
    taken from them.

    *now* is in ms.
    """
    if len(table.players) < table.rules.seats[-1]:
        return table
    if now >= table.reserved_until:
        for seat in reversed(range(len(table.players))):
            if table.players[seat].invited:
                return table._replace(players=table.players[:seat] + table.players[seat + 1 :])
    raise Refusal(Why.TABLE_FULL, most=table.rules.seats[-1])


def check_seated(table: Table, user: int) -> None:
    """Raise Refusal unless *user* has taken a seat at *table*; a person who is only invited has not."""
    seat = table.seat_of(user)
    if seat is None or table.players[seat].invited:
        raise Refusal(Why.PLAYERS_ONLY)


def _check_host(table: Table, user: int) -> None:
    """Raise Refusal unless *user* is the host of *table*."""
    if user != table.host:
        raise Refusal(Why.HOST_ONLY)


def join_lobby(table: Table, player: Player, now: int) -> Table:
    """Seat the person *player* in the lobby, in the seat to which they were invited or the next free one, or raise
    Refusal.

    *now* is in ms. Their name differs from all others there (``names``).

    Raises:
        Refusal: they sit there already, it is full, the host has removed them, or the game has started.
    """
    assert player.user is not None
    seat = table.seat_of(player.user)
    if table.phase is Phase.PLAYING and seat is not None:
        raise Refusal(Why.ALREADY_JOINED)
    check_in_lobby(table)
    if seat is not None and table.players[seat].invited:
        invited = table.players[seat]
        players = (*table.players[:seat], player, *table.players[seat + 1 :])
        return with_unique_names(table._replace(players=players), seat, invited)
    if seat is not None:
        raise Refusal(Why.ALREADY_JOINED)
    if table.has_removed(player.user):
        raise Refusal(Why.REMOVED)
    table = _make_room_for_player(table, now)
    return with_unique_names(table._replace(players=(*table.players, player)), Seat(len(table.players)))


def leave_lobby(table: Table, user: int) -> Table:
    """Take *user* out of the lobby, or raise Refusal; if they were host another person becomes host, if no person is
    left the table is cancelled.

    Raises:
        Refusal: they do not sit there, or the game has started.
    """
    check_in_lobby(table)
    seat = table.seat_of(user)
    if seat is None:
        raise Refusal(Why.NOT_JOINED)
    players = table.players[:seat] + table.players[seat + 1 :]
    people = [player.user for player in players if player.user is not None and not player.invited]
    if not people:
        return table._replace(players=players, phase=Phase.OVER, ending=Ending.CANCELLED)
    return table._replace(players=players, host=people[0] if user == table.host else table.host)


def remove_person(table: Table, user: int, person: int) -> Table:
    """Remove *person* from the lobby, at the wish of the host *user*, so that they cannot join again; or raise Refusal.

    Raises:
        Refusal: *user* is not the host, *person* is nobody else at this table, or the game has started.
    """
    check_in_lobby(table)
    _check_host(table, user)
    seat = table.seat_of(person)
    if seat is None or person == user:
        raise Refusal(Why.NOBODY_TO_REMOVE)
    players = table.players[:seat] + table.players[seat + 1 :]
    return table._replace(players=players, removed=(*table.removed, person))


def add_computer(table: Table, user: int, now: int) -> Table:
    """Add a computer player of the chosen level (``Options.level``) to the lobby, at the wish of *user*, or raise
    Refusal.

    *now* is in ms.

    Raises:
        Refusal: they do not sit there, it is full, or the game has started.
    """
    check_in_lobby(table)
    check_not_daily_deal(table)
    check_seated(table, user)
    table = _make_room_for_player(table, now)
    chosen = table.options.level
    computer = Player(free_computer_name(table.id, [player.name for player in table.players], chosen))
    return table._replace(players=(*table.players, computer))


def remove_computer(table: Table, user: int) -> Table:
    """Remove the computer player that was added last from the lobby, at the wish of *user*, or raise Refusal.

    Raises:
        Refusal: they do not sit there, there is no computer player, or the game has started.
    """
    check_in_lobby(table)
    check_seated(table, user)
    for seat in reversed(range(len(table.players))):
        if table.players[seat].user is None:
            return table._replace(players=table.players[:seat] + table.players[seat + 1 :])
    raise Refusal(Why.NO_COMPUTER)


def set_options(table: Table, user: int, game: Mapping[str, str] | None = None, **options: Any) -> Table:
    """Set table *options* (fields of ``Options``) and options of the *game* in the lobby, at the wish of *user*, or
    raise Refusal.

    Everybody seated may choose the level of the next computer player; only the host the rest.

    Raises:
        Refusal: they may not, or the game has started, or there is no such choice.
    """
    check_in_lobby(table)
    check_not_daily_deal(table)
    if game or options.keys() - {"level"}:
        _check_host(table, user)
    check_seated(table, user)
    if table.solo and not options.keys() <= {"pace", "level"}:  # a forged form: the others are fixed there
        raise Refusal(Why.BUTTON_DEAD)
    rules, own = table.rules, dict(table.options.game)
    if any(value not in rules.options.get(name, ()) for name, value in (game or {}).items()):
        raise Refusal(Why.BUTTON_DEAD)
    level = options.get("level")
    if level is not None and not 1 <= level <= rules.computers.LEVELS:
        raise Refusal(Why.BUTTON_DEAD)
    return table._replace(options=table.options._replace(game=tuple({**own, **(game or {})}.items()), **options))


def cancel_table(table: Table, user: int, name: str, moderator: bool, username: str = "") -> Table:
    """End the table while it is in the lobby, at the wish of *user*, the host or a *moderator*; or raise Refusal.

    *name* is their display name on Discord, *username* their user name.

    Raises:
        Refusal: they are neither, or the game has started.
    """
    check_in_lobby(table)
    if not moderator:
        _check_host(table, user)
    return table._replace(
        phase=Phase.OVER, ending=Ending.CANCELLED, ended_by=name_at_table(table, user, name, username)
    )


def missing_player_count(table: Table) -> int:
    """Return how many more players have to sit down before the game can start; 0: enough."""
    return max(0, table.rules.seats[0] - len(table.seated_players))


def set_up_rematch_table(table: Table, rematch: Table, player: Player, now: int, banned: Collection[int] = ()) -> Table:
    """Return the new table *rematch* set up as the rematch of the finished *table*: same options, *player* as host, the
    others invited.

    Invited people must take their seats themselves (L5). People who were away, were erased since, or are *banned* from
    tables are left out. *now* is in ms.
    """
    present = [p for p in table.players if not p.away and not p.former and p.user != player.user]
    people = [p for p in present if p.user is None or p.user not in banned]
    invited = [_make_rematch_player(p) for p in people]
    seats = [player, *invited]
    options: Options = table.options
    most = table.rules.seats[-1]
    seat = None if player.user is None else table.seat_of(player.user)
    opened = rematch._replace(
        players=tuple(seats[:most]),
        options=options,
        reserved_until=now + RESERVED_MS,
        rematch_of=table.id,
        own_thread=table.own_thread,
    )
    return with_unique_names(opened, Seat(0), None if seat is None else table.players[seat])


def with_rematch_opened(table: Table, rematch: Table, player: Player) -> Table:
    """Record in the finished *table* that *player* has opened its *rematch*, and which language they use now."""
    found = table._replace(rematch=rematch.id, rematch_by=rematch.host)
    seat = None if player.user is None else table.seat_of(player.user)
    return found if seat is None else found.with_changed_player(seat, locale=player.locale)


def with_rematch_started(table: Table, rematch_id: TableId, rematch: Table | None) -> Table:
    """Record in the finished *table* who plays its rematch *rematch_id*; if that was never played, clear it, so that
    another can be opened.

    *rematch* is the table of the rematch; ``None``: it does not exist any more (L5). Nothing changes if *rematch_id* is
    not the rematch of *table*.
    """
    if table.rematch != rematch_id:
        return table
    if rematch is None or rematch.state is None:
        return table._replace(rematch=None, rematch_by=0)
    return table._replace(rematch_people=tuple(player.user for player in rematch.players if player.user is not None))


def _make_rematch_player(player: Player) -> Player:
    """Make the player for the rematch from *player*: same names and choices, nothing of the last game; people are only
    invited."""
    return Player(
        player.name,
        player.user,
        player.locale,
        by_dm=player.by_dm,
        invited=player.user is not None,
        refuses_dms=player.refuses_dms,
        telling=player.telling,
        passes=player.passes,
        display=player.display,
        username=player.username,
    )


def with_rating_choice(table: Table, user: int, rated: bool) -> Table:
    """Record whether *user* wants a rating; once the game has started they can only give it up (L6). Unchanged without
    a seat, or if it is over."""
    seat = table.seat_of(user)
    late = rated and (table.phase is not Phase.LOBBY or table.starting)
    return table if seat is None or late or not table.live else table.with_changed_player(seat, rated=rated)


def with_locale(table: Table, locale: str) -> Table:
    """Set the language of the public messages of *table* to *locale*; unchanged if it is over."""
    return table._replace(locale=locale) if table.live else table
