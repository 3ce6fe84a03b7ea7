"""What a table still says of a person who is erased. Pure: table in, table out."""

from collections.abc import Collection

from bot.tables import dealing, lobby
from bot.tables.leaving import take_over
from bot.tables.model import Ending, Phase, Player, SeatChange, Table


def names_of(table: Table, user: int) -> set[str]:
    """What *user* is called at *table*, and by Discord; empty: they have no seat there."""
    return {name for it in table.players if it.user == user for name in (it.name, it.display) if name}


def erased(table: Table, user: int, names: Collection[str] = ()) -> Table:
    """The table without *user*; unchanged if it says nothing of them.

    They leave the lobby, and a game that is starting becomes a lobby again first. In a running game a computer plays
    their seat to the end, which nobody can take (``Player.former``), and nobody may sit down there any more; the next
    person becomes host, as in the lobby.
    *names* are all that they were called anywhere: of whoever ended a game the table knows the name alone.
    """
    if table.starting and table.seat_of(user) is not None:
        table = dealing.reopen(table)
    if table.phase is Phase.LOBBY and not table.starting and table.seat_of(user) is not None:
        table = lobby.leave(table, user)
    seat = table.seat_of(user)
    if seat is not None and table.phase is Phase.PLAYING and not table.players[seat].away:
        table = take_over(table.with_handover(SeatChange.LEFT, table.players[seat].name), seat)
    table = _without(table, user, names)
    if table.phase is Phase.PLAYING and not table.paused and all(player.automatic for player in table.players):
        return table._replace(phase=Phase.OVER, ending=Ending.ABANDONED, held=None, window=None)
    return table


def _without(table: Table, user: int, names: Collection[str]) -> Table:
    """*table*, where nothing says who *user* is, or that one with their *names* has ended it."""
    own = names_of(table, user)
    if own and table.phase is Phase.PLAYING:
        # They know some of the cards, and nobody would know them again if they sat down anew.
        table = table._replace(options=table.options._replace(late=False))
    people = [player.user for player in table.players if player.user is not None and player.user != user]
    host = people[0] if people and table.phase is Phase.PLAYING else 0
    return table._replace(
        players=tuple(_former(player) if player.user == user else player for player in table.players),
        host=host if table.host == user else table.host,
        opened_by=0 if table.opened_by == user else table.opened_by,
        ended_by="" if table.ended_by in {*names, *own} else table.ended_by,
        rematch_by=0 if table.rematch_by == user else table.rematch_by,
        rematch_people=_others(table.rematch_people, user) if table.rematch_people is not None else None,
        removed=tuple(table.mark(user) if it == user else it for it in table.removed),  # or erasing would undo it
        handovers=tuple(it._replace(name="") if it.name in own else it for it in table.handovers),
    )


def _others(people: tuple[int, ...], user: int) -> tuple[int, ...]:
    """*people* without *user*."""
    return tuple(person for person in people if person != user)


def _former(player: Player) -> Player:
    """What stays of *player*, who is erased: what the record of the game calls them, and who had the seat before."""
    return Player("", since=player.since, before=player.before, record=player.record, cut=player.cut, former=True)
