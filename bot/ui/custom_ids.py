"""The custom_id of a button or select: verb, table, ply and argument, in at most 100 characters.

Clients can read it, so it holds no secrets.
"""

import re
from enum import Enum
from typing import Final, NamedTuple

from bot.tables.model import TableId


class Verb(Enum):
    """What a click asks the bot to do."""

    JOIN = "join"
    QUIT = "quit"
    ADD_COMPUTER = "add"
    REMOVE_COMPUTER = "remove"
    CUT = "cut"
    """Somebody in the lobby wants to cut the deck; also the form in which they write their phrase."""
    START = "start"
    CANCEL = "cancel"
    OPTIONS = "options"
    """Somebody in the lobby wants to choose how it is played; also the form in which they do, whose ``arg`` says what
    it shows."""
    MOVE = "move"
    PICK = "pick"
    """A step on the way to a move: it changes what the hand message offers, not the game."""
    CALL = "call"
    HAND = "hand"
    RULES = "rules"
    TOPIC = "topic"
    LEARN = "learn"
    """A step of a guided round; ``arg`` names game and step."""
    MENU = "menu"
    HAPPENED = "past"
    """Somebody reads what has happened in the round or trick that is being played."""
    REMOVE = "out"
    """The host takes a person out of the lobby."""
    HINT = "hint"
    """Somebody asks what they should do now."""
    SIT = "sit"
    """Somebody sits down at a computer's seat while the game runs."""
    LEAVE = "leave"
    LEAVE_FOR_SURE = "leave!"
    COME_BACK = "back"
    REPLACE = "replace"
    END = "end"
    END_FOR_SURE = "end!"
    HAND_BY_DM = "dm"
    DOWN_HERE = "down"
    REMATCH = "again"
    CHECK = "check"
    """Somebody wants to have the deal of a finished game checked."""
    REVIEW = "review"
    """Somebody wants to go through a finished game again."""
    STEP = "step"
    """A step of a review: ``ply`` is the number of the moment, ``arg`` says how it is shown."""
    REPLAY = "replay"
    """Somebody chooses a game from the list of those they can go through again."""
    ME = "me"
    """Somebody looks at what they have chosen for themselves."""
    PREFER = "prefer"
    """Somebody chooses something for themselves; ``arg`` names what."""
    PROFILE = "profile"
    """Somebody looks at their profile in a game that they choose."""
    RATE = "rate"
    """Somebody wants a rating, or none; ``arg`` is the answer, or asks first."""
    BOARDS = "boards"
    """A moderator switches the leaderboards of their server on or off; ``arg`` is the new answer."""
    PRIVACY = "privacy"
    """Somebody looks at what is kept of them."""
    SHARE = "share"
    """Somebody chooses what others may know of them; ``arg`` names what, and the new answer."""
    EXPORT = "export"
    """Somebody wants a file with all that is kept of them."""
    ERASE = "erase"
    ERASE_FOR_SURE = "erase!"
    SETTING = "setting"
    """Somebody who manages the server chooses something for it; ``arg`` names what."""
    NUMBERS = "numbers"
    """They want to write numbers; also the form in which they do."""
    TABLES = "tables"
    """A moderator looks at the live tables of the server; ``arg`` is the page."""
    CLOSE = "close"
    """A moderator chooses one of them, to end it."""
    CLOSE_FOR_SURE = "close!"
    BAN = "ban"
    """A moderator chooses a person, to ban them from tables."""
    BAN_FOR = "banfor"
    """They choose for how long; also the form in which they write why. ``arg``: the person, and the seconds."""
    BANS = "bans"
    """A moderator looks at the bans of the server; ``arg`` is the page."""
    LIFT = "lift"
    """A moderator ends a ban."""


class Press(NamedTuple):
    """The parts of a clicked control's custom_id.

    ``ply`` is the ply that the message showed. What ``arg`` means depends on the verb or the game.
    """

    verb: Verb
    table: TableId
    ply: int = 0
    arg: str = ""


PREFIX: Final = "17/"
YES: Final = "yes"
NO: Final = "no"
"""The argument of a click that switches something on or off, and its value in a form."""
ELSEWHERE: Final = "elsewhere"
"""The argument of a *Join* that is not on the lobby's own message."""
_FORM: Final = re.compile(r"17/([a-z]+!?)/([a-z2-7]{1,16})/(0|[1-9]\d{0,6})/([A-Za-z0-9_.,=-]{0,48})")
_VERBS: Final = {verb.value: verb for verb in Verb}
"""Verbs by how they are written in a custom_id."""


def custom_id(verb: Verb, table: TableId, ply: int = 0, arg: str = "") -> str:
    """Build the custom_id of a button or select; ``parse_custom_id`` takes it apart.

    >>> custom_id(Verb.MOVE, TableId("abc"), 7, "0-up")
    '17/move/abc/7/0-up'
    """
    return f"{PREFIX}{verb.value}/{table}/{ply}/{arg}"


def parse_custom_id(text: str) -> Press | None:
    """Take the custom_id *text* of a clicked control apart; ``None`` if it is not one of ours, or forged.

    >>> parse("17/move/abc/7/0-up")
    Press(verb=<Verb.MOVE: 'move'>, table='abc', ply=7, arg='0-up')
    >>> parse("17/move/../7/x") is None
    True
    """
    match = _FORM.fullmatch(text)
    if match is None or match[1] not in _VERBS:
        return None
    return Press(_VERBS[match[1]], TableId(match[2]), int(match[3]), match[4])
