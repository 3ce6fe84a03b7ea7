"""Leaving a running game and coming back, and games that end before their time. Pure: table in, table out."""

from collections.abc import Collection

from bot.tables import lobby, start
from bot.tables.computers import with_memory_cleared
from bot.tables.errors import Refusal, Why
from bot.tables.model import Ending, Phase, Player, SeatChange, Table
from bot.tables.names import computer_level, name_at_table, with_unique_names
from bot.tables.play import require_seat_in_game
from bot.tables.record import compute_player_id_in_record, player_id_in_record
from bot.tables.timers import PAUSED_MS
from engine.game import Seat


def give_seat_to_computer(table: Table, seat: Seat, *, timed_out: bool = False) -> Table:
    """Let a computer play *seat* and drop its held move (L1); if no person plays any more, end the game, or pause it if
    somebody's time ran out (L2).

    *timed_out*: the time of the person in *seat* ran out; else they have left or were replaced.
    """
    table = table.with_changed_player(seat, away=True, timed_out=timed_out)
    plays_at = str(computer_level(table.players[seat], table.rules))
    table = with_memory_cleared(table.with_entry({"seat": seat, "sits": "computer", "level": plays_at}), seat)
    if table.held is not None and table.held.seat == seat:
        table = table._replace(held=None)
    if all(player.automatic for player in table.players) and not table.paused:
        return table._replace(phase=Phase.OVER, ending=Ending.ABANDONED, held=None, window=None)
    return table


def leave_game(table: Table, user: int) -> Table:
    """Take *user* out of the running game at their own wish: a computer plays on with their hand (L1); or raise
    Refusal.

    Raises:
        Refusal: they are not at the table, have left already, or no game is running.
    """
    seat = require_seat_in_game(table, user)
    if table.players[seat].away:
        raise Refusal(Why.NOT_AT_TABLE)
    return _leave_seat_to_computer(table, seat)


def leave_game_if_playing(table: Table, user: int) -> Table:
    """Let a computer play for *user*, who is no longer on the server, if they play in a running game; else return
    *table* unchanged."""
    seat = table.seat_of(user)
    if table.phase is not Phase.PLAYING or seat is None or table.players[seat].away:
        return table
    return _leave_seat_to_computer(table, seat)


def remove_departed_member(table: Table, user: int) -> Table:
    """Remove *user*, who is no longer on the server, from the lobby, or let a computer play for them; unchanged if they
    have no seat."""
    if table.phase is Phase.LOBBY and not table.starting and table.seat_of(user) is not None:
        return lobby.leave_lobby(table, user)
    return leave_game_if_playing(table, user)


def _leave_seat_to_computer(table: Table, seat: Seat) -> Table:
    """Let a computer play *seat*, because its person has left, and add that seat change to those that the messages
    show."""
    return give_seat_to_computer(table.with_handover(SeatChange.LEFT, table.players[seat].name), seat)


def come_back(table: Table, user: int, now: int) -> Table:
    """Give *user* their seat back from the computer that played for them (L1), or raise Refusal if they are not away.

    *now* is in ms. If it is their turn, no computer has played it yet, and its time goes on as it ran: by leaving and
    coming back nobody gets more time. A game that was paused goes on (L2), and the turn starts anew.

    Raises:
        Refusal: they have not left, or no game is running.
    """
    seat = require_seat_in_game(table, user)
    if not table.players[seat].away:
        raise Refusal(Why.NOT_AWAY)
    mine, paused = table.rules.on_turn(table.state) == seat, table.paused
    had_clock = table.turn_ms > 0
    table = table.with_handover(SeatChange.BACK, table.players[seat].name)
    table = table.with_changed_player(seat, away=False, timed_out=False, timeouts=0, active_at=now)
    table = table.with_changed_player(seat, replaced=False, replaced_by=None)
    table = _with_person_takeover_recorded(table, seat)
    if mine and paused:
        return table._replace(turn_began=now, turn_credit=0, overdue=None)
    if mine or had_clock:
        return table._replace(overdue=None)
    # Whoever is on turn played alone, without a clock, until now (L3): their time begins.
    return table._replace(offered_at=now, overdue=None)


def take_computer_seat(table: Table, player: Player, seat: Seat, now: int) -> Table:
    """Seat the person *player* in place of the computer player in *seat* of a running game (L4), or raise Refusal.

    They get its hand and gains. *now* is in ms. If it is that seat's turn, the turn starts anew. Their name differs
    from all others there (``names``).

    Raises:
        Refusal: they sit there already, the host has not left that open, no computer player sits there, or no game is
            running.
    """
    assert player.user is not None
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)
    if table.seat_of(player.user) is not None:
        raise Refusal(Why.ALREADY_JOINED)
    if table.has_removed(player.user):
        raise Refusal(Why.REMOVED)
    if (
        not table.options.late
        or not 0 <= seat < len(table.players)
        or not _may_person_take_over_seat(table.players[seat])
    ):
        raise Refusal(Why.NO_FREE_SEAT)
    had_clock = table.turn_ms > 0
    ply, before = table.state.ply, table.players[seat].name
    id_ = compute_player_id_in_record(table, seat, ply + 1)  # that with 0 is the computer player's
    sitting = player._replace(active_at=now, since=ply, before=before, record=id_, rated=False)
    players = (*table.players[:seat], sitting, *table.players[seat + 1 :])
    table = with_unique_names(table._replace(players=players), seat)
    table = table.with_handover(SeatChange.SAT_DOWN, table.players[seat].name, before)
    table = _with_person_takeover_recorded(table, seat)
    if table.rules.on_turn(table.state) == seat:
        return table._replace(turn_began=now, turn_credit=0)
    return table if had_clock else table._replace(offered_at=now)


def _may_person_take_over_seat(player: Player) -> bool:
    """Whether a person may take the seat of *player*: it belongs to a computer player, not to an erased person."""
    return player.user is None and not player.former


def _with_person_takeover_recorded(table: Table, seat: Seat) -> Table:
    """Add to the game's record that the person in *seat* plays from now on, and clear what the seat remembers."""
    return with_memory_cleared(
        table.with_entry({"seat": seat, "sits": "person", "id": player_id_in_record(table, seat)}), seat
    )


def replace_with_computer(table: Table, user: int, seat: Seat, moderator: bool) -> Table:
    """Let a computer play *seat* in place of its person, who stays away until they come back, at the wish of host or
    *moderator* (*user*); or raise Refusal.

    Raises:
        Refusal: *user* may not do that, no person plays there, or no game is running.
    """
    _check_may_end(table, user, moderator)
    if not 0 <= seat < len(table.players) or table.players[seat].automatic:
        raise Refusal(Why.NOBODY_TO_REPLACE)
    by, timed_out = table.seat_of(user), table.players[seat].timeouts > 0
    table = table.with_handover(SeatChange.REPLACED, table.players[seat].name)
    if by is None or timed_out or not table.players[by].rated:
        table = table.with_changed_player(seat, replaced=True)
    elif by != seat:  # who gives away their own seat leaves
        table = table.with_changed_player(seat, replaced_by=by)
    return give_seat_to_computer(table, seat)


def end_game_early(table: Table, user: int, name: str, moderator: bool, username: str = "") -> Table:
    """End the running game without a winner, at the wish of the host or a *moderator* (*user*), or raise Refusal.

    *name* is their display name on Discord, *username* their user name there.

    Raises:
        Refusal: *user* may not do that, or no game is running.
    """
    _check_may_end(table, user, moderator)
    ended_by = name_at_table(table, user, name, username)
    ended = table._replace(phase=Phase.OVER, ending=Ending.ENDED, ended_by=ended_by, held=None, window=None)
    return ended._replace(ended_from=table.seat_of(user))


def close_if_paused_for_an_hour(table: Table, now: int) -> Table:
    """End the table if its game has been paused for an hour or more at *now* (ms) (L2); else return it unchanged."""
    return close_table(table, Ending.UNATTENDED) if table.paused and now - table.changed_at >= PAUSED_MS else table


def close_table(table: Table, ending: Ending) -> Table:
    """End the table, without anybody's wish, for the reason *ending*, from lobby or game; unchanged if it is over."""
    return table._replace(phase=Phase.OVER, ending=ending, held=None, window=None) if table.live else table


def _check_may_end(table: Table, user: int, moderator: bool) -> None:
    """Raise Refusal unless the game runs and *user* is the host or is a *moderator*."""
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    if table.phase is Phase.OVER:
        raise Refusal(Why.GAME_FINISHED)
    if user != table.host and not moderator:
        raise Refusal(Why.HOST_ONLY)


# Erasing a person from a table. Pure: table in, table out.


def names_of_person(table: Table, user: int) -> set[str]:
    """Return the names that *user* has at *table*: in their seat, and on Discord; empty if they have no seat."""
    return {name for it in table.players if it.user == user for name in (it.name, it.display) if name}


def without_person(table: Table, user: int, names: Collection[str] = ()) -> Table:
    """Erase *user* from *table* (id, names, seat): a computer plays their hand to the end; the game ends if no person
    is left. Unchanged if there is nothing.

    They leave the lobby, and a game that is starting becomes a lobby again first. In a running game nobody can take
    their seat (``Player.former``), and nobody may sit down there any more; the next person becomes host, as in the
    lobby. *names* are all names that they had anywhere: of whoever ended a game the table knows the name alone.
    """
    if table.starting and table.seat_of(user) is not None:
        table = start.return_to_lobby_after_failed_start(table)
    if table.phase is Phase.LOBBY and not table.starting and table.seat_of(user) is not None:
        table = lobby.leave_lobby(table, user)
    seat = table.seat_of(user)
    if seat is not None and table.phase is Phase.PLAYING and not table.players[seat].away:
        table = give_seat_to_computer(table.with_handover(SeatChange.LEFT, table.players[seat].name), seat)
    table = _erase_user_id_and_names(table, user, names)
    if table.phase is Phase.PLAYING and not table.paused and all(player.automatic for player in table.players):
        return table._replace(phase=Phase.OVER, ending=Ending.ABANDONED, held=None, window=None)
    return table


def _erase_user_id_and_names(table: Table, user: int, names: Collection[str]) -> Table:
    """Remove the id and names of *user* from *table*, make another person host, and in a running game let nobody sit
    down any more.

    The name of the one who ended the game is removed if it is among *names*, or theirs.
    """
    own = names_of_person(table, user)
    if own and table.phase is Phase.PLAYING:
        # They know some of the cards, and nobody would know them again if they sat down anew.
        table = table._replace(options=table.options._replace(late=False))
    people = [player.user for player in table.players if player.user is not None and player.user != user]
    host = people[0] if people and table.phase is Phase.PLAYING else 0
    return table._replace(
        players=tuple(_make_erased_player(player) if player.user == user else player for player in table.players),
        host=host if table.host == user else table.host,
        opened_by=0 if table.opened_by == user else table.opened_by,
        ended_by="" if table.ended_by in {*names, *own} else table.ended_by,
        rematch_by=0 if table.rematch_by == user else table.rematch_by,
        rematch_people=_user_ids_except(table.rematch_people, user) if table.rematch_people is not None else None,
        removed=tuple(
            table.erased_user_pseudonym(user) if it == user else it for it in table.removed
        ),  # or erasing would undo it
        handovers=tuple(it._replace(name="") if it.name in own else it for it in table.handovers),
    )


def _user_ids_except(people: tuple[int, ...], user: int) -> tuple[int, ...]:
    """Return the user ids *people* without *user*."""
    return tuple(person for person in people if person != user)


def _make_erased_player(player: Player) -> Player:
    """Make the nameless player that takes the place of the erased *player*; their id in the game's record stays."""
    return Player("", since=player.since, before=player.before, record=player.record, cut=player.cut, former=True)
