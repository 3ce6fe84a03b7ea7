"""From the cut to the first card: nobody chooses what is dealt (``engine.fair``). Pure: table in, table out."""

import hmac
from typing import Final

from bot.tables.computers import remembered
from bot.tables.errors import Refusal, Why
from bot.tables.lobby import check_open, check_seated, missing
from bot.tables.model import Phase, Table
from bot.tables.names import level
from bot.tables.record import record_id
from engine.fair import Deal, DealtSeat, SeededChance, cut_hash
from engine.game import Seat
from engine.record import parse_deal

STARTING_MS: Final = 60_000
"""How long a table may take from *Start* to the first card, without the time in which the bot was away: then it goes
back to the lobby."""


def cut(table: Table, user: int, phrase: str) -> Table:
    """The table after *user*, who sits there, has cut the deck with the *phrase*, of which only the hash is kept; it
    replaces their earlier one.

    Raises:
        Refusal: they do not sit there, the phrase is empty, or the game has started.
    """
    check_open(table)
    check_seated(table, user)
    if not phrase.strip():
        raise Refusal(Why.EMPTY_CUT)
    seat = table.seat_of(user)
    assert seat is not None
    return table.with_player(seat, cut=cut_hash(phrase))


def start(table: Table, user: int, now: int) -> Table:
    """The table after *user*, who sits there, has pressed *Start* at *now* (ms): the seats of those who have taken one,
    their cuts and the options stay as they are from here on. The cards are dealt once Discord has chosen the id of the
    table message (``deal``).

    Raises:
        Refusal: they do not sit there, there are too few players, or the game has started.
    """
    check_open(table)
    check_seated(table, user)
    if missing(table):
        raise Refusal(Why.TOO_FEW, least=table.rules.seats[0], now=len(table.seated))
    table = table._replace(turn_began=now)
    players = tuple(
        player._replace(
            record=record_id(table, Seat(seat), 0),
            active_at=player.active_at if player.user is None else max(player.active_at, now - 1),
        )
        for seat, player in enumerate(table.seated)
    )
    rules = table.rules
    seats = tuple(
        DealtSeat(it.record, "person", cut=it.cut)
        if it.user is not None
        else DealtSeat(it.record, "computer", level=str(level(it, rules)))
        for it in players
    )
    fixed = Deal(table.game, rules.rules_version, rules.check_options(dict(table.options.game)), seats)
    return table._replace(players=players, deal=fixed.to_json(), start_refused=False)


def deal(table: Table, message: int, now: int) -> Table:
    """The table, which is ``starting``, after the cards were dealt at *now* (ms): *message* is the id of the table
    message, which Discord has chosen last. Any other table is unchanged."""
    if not table.starting:
        return table
    final = parse_deal(table.deal)._replace(message=message)
    seed = final.seed(bytes.fromhex(table.secret))
    step = table.rules.new(len(final.seats), final.options, SeededChance(seed))
    return table._replace(
        memories=remembered(table, step.events),
        phase=Phase.PLAYING,
        deal=final.to_json(),
        seed=seed.hex(),
        state=step.state,
        recent=step.events,
        turn_began=now,
        turn_credit=0,
        beat_ends=now,
    )


def refused(table: Table) -> Table:
    """The table, if it is ``starting``, after Discord has said that the bot may not write in its channel."""
    return table._replace(start_refused=True) if table.starting else table


def reopen(table: Table) -> Table:
    """The table, which is ``starting``, back in the lobby, since no message for the game could be sent. What has been
    said of the deal counts no more: there is a new secret, and everybody may cut again."""
    players = tuple(player._replace(record="", cut="") for player in table.players)
    secret = hmac.digest(bytes.fromhex(table.secret), b"again", "sha256")
    return table._replace(
        players=players,
        secret=secret.hex(),
        deal=None,
        turn_began=0,
        turn_credit=0,
        failed_start=table.version + 1,
    )
