"""Why a table refuses something. The sentences for players are in ``bot.ui.replies``, not here."""

from enum import Enum
from typing import Any, NamedTuple

from bot.log import error_location
from bot.tables.model import Table, TableId


class Why(Enum):
    """The reason why a table has refused a request, but not an illegal game move (``engine.errors.Reason``)."""

    NO_SUCH_TABLE = "no_such_table"
    SET_ASIDE = "set_aside"
    NO_TABLE_HERE = "no_table_here"
    TABLE_ELSEWHERE = "table_elsewhere"
    TABLE_OPEN_HERE = "table_open_here"
    BUTTON_DEAD = "button_dead"
    NO_SUCH_COMMAND = "no_such_command"
    NOT_A_SERVER = "not_a_server"
    BOT_LACKS = "bot_lacks"
    ALREADY_JOINED = "already_joined"
    NOT_JOINED = "not_joined"
    TABLE_FULL = "table_full"
    TOO_FEW = "too_few"
    EMPTY_CUT = "empty_cut"
    NO_RECORD = "no_record"
    NO_REPLAY = "no_replay"
    REPLAY_LATER = "replay_later"
    OLD_RECORD = "old_record"
    OTHER_RULES = "other_rules"
    BAD_RECORD = "bad_record"
    NO_COMPUTER = "no_computer"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    GAME_FINISHED = "game_finished"
    HOST_ONLY = "host_only"
    MANAGERS_ONLY = "managers_only"
    MODERATORS_ONLY = "moderators_only"
    BANNED = "banned"
    NOT_A_MEMBER = "not_a_member"
    JUST_POSTED = "just_posted"
    NO_DAILY = "no_daily"
    DAY_OVER = "day_over"
    DAY_CLOSED = "day_closed"
    DAY_STARTED = "day_started"
    NOT_PLAYED = "not_played"
    TAKES_NO_DMS = "takes_no_dms"
    NO_TABLES_HERE = "no_tables_here"
    BANNED_BY_HOST = "banned_by_host"
    OTHER_CHANNELS = "other_channels"
    OTHER_ROLES = "other_roles"
    BROKEN_TEXT = "broken_text"
    CHANNEL_GONE = "channel_gone"
    CHANNELS_DELETED = "channels_deleted"
    ROLES_DELETED = "roles_deleted"
    BAD_NUMBER = "bad_number"
    SELF_BAN = "self_ban"
    PLAYERS_ONLY = "players_only"
    NOT_AT_TABLE = "not_at_table"
    AWAY = "away"
    NOT_AWAY = "not_away"
    HAND_CHANGED = "hand_changed"
    ROUND_OVER = "round_over"
    MOVED_ON = "moved_on"
    CARD_WAS_FIRST = "card_was_first"
    CALL_STANDS = "call_stands"
    CALLED_TOO_LATE = "called_too_late"
    NEXT_FIRST = "next_first"
    NEXT_PRESSED = "next_pressed"
    NO_HINTS = "no_hints"
    NOT_ALONE = "not_alone"
    NOTHING_TO_DECIDE = "nothing_to_decide"
    NOBODY_TO_REPLACE = "nobody_to_replace"
    NOBODY_TO_REMOVE = "nobody_to_remove"
    REMOVED = "removed"
    NO_FREE_SEAT = "no_free_seat"
    REMATCH_OPEN = "rematch_open"
    NOT_FINISHED = "not_finished"
    TOO_MANY_TABLES = "too_many_tables"
    SERVER_FULL = "server_full"
    TOO_OFTEN = "too_often"
    JUST_MOVED = "just_moved"
    NOT_IN_THREAD = "not_in_thread"
    NO_BOT_HERE = "no_bot_here"
    FILE_TOO_LARGE = "file_too_large"
    FILE_LOST = "file_lost"
    NO_MESSAGE_ID = "no_message_id"
    NO_CODE = "no_code"
    TRY_AGAIN = "try_again"
    AT_WORK = "at_work"


class Refusal(Exception):
    """A request was refused, and nothing has changed; a sentence for *why*, filled with *facts*, is shown to the
    person.
    """

    def __init__(self, why: Why, **facts: Any) -> None:
        super().__init__(why.value)
        self.why = why
        self.facts = facts


# What tables need of a store, and the errors of a store: another process was first, or a table cannot go on.


class NotWritten(Exception):
    """Nothing was written, since it does not fit what is in the store."""


class Conflict(NotWritten):
    """Another process has changed the table meanwhile."""


class ChannelTaken(NotWritten):
    """The channel already has a live table."""


class AlreadyProcessed(NotWritten):
    """The interaction has changed a table already."""


class LimitReached(NotWritten):
    """The limit on open tables is reached: ``refusal`` is what the person is told."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class UnusableTable(Exception):
    """The table with the id ``table`` cannot go on: its snapshot is damaged or of an unknown game, or its game has a
    bug.

    ``error`` is the class of the error behind it, ``where`` the line of code that raised it. Its text is not kept: it
    may quote hidden cards.
    """

    def __init__(self, table: TableId, error: str, where: str = "") -> None:
        super().__init__(error)
        self.table = table
        self.error = error
        self.where = where

    @classmethod
    def from_error(cls, table: TableId, error: Exception) -> "UnusableTable":
        """Make the exception for *table* from the caught *error*: its class and the line of code that raised it, not
        its text."""
        return cls(table, type(error).__name__, error_location(error))


class OpenTableCounts(NamedTuple):
    """How many live tables a person and a server have, and when the person opened tables lately."""

    by_person: int
    """Live tables that they have opened."""
    in_server: int
    """Live tables in their server."""
    at: tuple[int, ...]
    """When they opened tables lately, ms, oldest first."""
    places: tuple[tuple[int, int], ...] = ()
    """(server, channel) of each of their live tables, oldest first; server 0: direct messages."""


class TakenOverTables(NamedTuple):
    """The tables that a process has read from the store to serve them: live, finished with old messages,
    quarantined.
    """

    live: list[Table]
    """Every table that is not over."""
    undelivered: list[Table]
    """Every table that is over, but whose messages may not show that yet."""
    unusable: list[TableId]
    """Every table that was quarantined now."""
