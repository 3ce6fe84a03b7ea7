"""From the cut to the first card: nobody chooses the deal (``engine.fair``). Pure: table in, table out."""

import hmac
from typing import Final

from bot.daily.days import make_day_deal
from bot.tables.computers import updated_memories
from bot.tables.errors import Refusal, Why
from bot.tables.lobby import check_in_lobby, check_not_daily_deal, check_seated, missing_player_count
from bot.tables.model import Phase, Player, Table, TableId
from bot.tables.names import computer_level, free_computer_name
from bot.tables.record import compute_player_id_in_record
from engine.fair import Deal, DealtSeat, SeededChance, cut_hash
from engine.game import Seat
from engine.record import parse_deal

STARTING_MS: Final = 60_000
"""How long a table may take from *Start* to the first card, without outages; then it goes back to the lobby."""


def set_cut_phrase(table: Table, user: int, phrase: str) -> Table:
    """Record the hash of *phrase*, by which *user* in the lobby helps to decide the deal, in place of their earlier
    one; or raise Refusal.

    Raises:
        Refusal: they do not sit there, the phrase is empty, or the game has started.
    """
    check_in_lobby(table)
    check_not_daily_deal(table)
    check_seated(table, user)
    if not phrase.strip():
        raise Refusal(Why.EMPTY_CUT)
    seat = table.seat_of(user)
    assert seat is not None
    return table.with_changed_player(seat, cut=cut_hash(phrase))


def start_game(table: Table, user: int, now: int) -> Table:
    """Fix seats, cuts and options for the deal when *user* presses *Start*, or raise Refusal; no cards are dealt yet.

    *now* is in ms. Only those who have taken a seat play. The cards are dealt once Discord has chosen the id of the
    table message (``deal_cards``).

    Raises:
        Refusal: they do not sit there, there are too few players, or the game has started.
    """
    check_in_lobby(table)
    check_not_daily_deal(table)
    check_seated(table, user)
    if missing_player_count(table):
        raise Refusal(Why.TOO_FEW, least=table.rules.seats[0], now=len(table.seated_players))
    table = table._replace(turn_began=now)
    players = tuple(
        player._replace(
            record=compute_player_id_in_record(table, Seat(seat), 0),
            active_at=player.active_at if player.user is None else max(player.active_at, now - 1),
        )
        for seat, player in enumerate(table.seated_players)
    )
    rules = table.rules
    seats = tuple(
        DealtSeat(it.record, "person", cut=it.cut)
        if it.user is not None
        else DealtSeat(it.record, "computer", level=str(computer_level(it, rules)))
        for it in players
    )
    fixed = Deal(table.game, rules.rules_version, rules.check_options(dict(table.options.game)), seats)
    return table._replace(players=players, deal=fixed.to_json(), start_refused=False)


def deal_cards(table: Table, message_id: int, now: int) -> Table:
    """Deal the cards of a table on which *Start* was pressed, and begin the game at *now* (ms); else return *table*
    unchanged.

    The seed follows from the secret, the fixed deal, and *message_id*, the id of the table message, which Discord has
    chosen last (for a day's deal: the number of the day).
    """
    if not table.starting:
        return table
    final = parse_deal(table.deal)._replace(message=message_id)
    seed = final.seed(bytes.fromhex(table.secret))
    step = table.rules.new(len(final.seats), final.options, SeededChance(seed))
    return table._replace(
        memories=updated_memories(table, step.events),
        phase=Phase.PLAYING,
        deal=final.to_json(),
        seed=seed.hex(),
        state=step.state,
        recent=step.events,
        turn_began=now,
        turn_credit=0,
        beat_ends=now,
    )


def with_deal_of_day(table: Table, day: str, secret: bytes, *, practice: bool) -> Table:
    """Make the new *table* one for the deal of *day*, dealt from the *secret* of that day; with *practice* it does not
    count."""
    return table._replace(day=day, secret=secret.hex(), practice=practice)


def start_daily_game(table: Table, user: int, now: int) -> Table:
    """Seat the computer players and deal the cards of the table's ``day``, when *user*, who sits there alone, presses
    *Start*; or raise Refusal.

    *now* is in ms. The table is one for the deal of a day (``with_deal_of_day``). The computer players take their seats
    after the person, with the same names and level for everybody. No message decides anything, so the game begins at
    once (``make_day_deal``). Raises: Refusal: they do not sit there, or the game has started. ValueError: the table is
    of no day, or somebody else sits there. LookupError: the game has no deals of the day.
    """
    check_in_lobby(table)
    check_seated(table, user)
    if not table.day or len(table.seated_players) > 1:
        raise ValueError("not the table of one person for a day's deal")
    deal = make_day_deal(table.game, table.day)
    table = table._replace(players=table.seated_players)
    for dealt in deal.seats[1:]:
        # Named by the day, not by the table: everybody plays against the same.
        name = free_computer_name(TableId(table.day), (it.name for it in table.players), int(dealt.level))
        table = table._replace(players=(*table.players, Player(name)))
    players = [
        player._replace(record=dealt.id, cut="") for player, dealt in zip(table.players, deal.seats, strict=True)
    ]
    players[0] = players[0]._replace(active_at=max(players[0].active_at, now - 1))
    # Hints would make the attempt another one than everybody else's.
    options = table.options._replace(game=tuple(deal.options.items()), hints=table.options.hints and table.practice)
    started = table._replace(
        players=tuple(players),
        options=options,
        deal=deal._replace(message=None).to_json(),
        counted=not table.practice,
        start_refused=False,
    )
    assert deal.message is not None
    return deal_cards(started, deal.message, now)


def with_start_blocked_by_permissions(table: Table) -> Table:
    """Record that Discord does not let the bot write in the channel of *table*, where *Start* was pressed; unchanged if
    it does not wait for its cards."""
    return table._replace(start_refused=True) if table.starting else table


def return_to_lobby_after_failed_start(table: Table) -> Table:
    """Put *table*, where *Start* was pressed but no message for the game could be sent, back into the lobby, with a new
    secret and no cuts."""
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
