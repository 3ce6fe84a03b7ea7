"""The custom_id of a button or select: verb, table, ply and argument, in at most 100 characters.

Clients can read it, so it holds no secrets.
"""

import re
from enum import Enum
from typing import Final, NamedTuple

from bot.tables.model import TableId


class Verb(Enum):
    """What a click, or a form that is sent, asks the bot to do; its value stands in the custom_id."""

    JOIN = "join"
    QUIT = "quit"
    ADD_COMPUTER = "add"
    REMOVE_COMPUTER = "remove"
    CUT = "cut"
    """A player in the lobby cuts the deck; also the form in which they write their phrase."""
    START = "start"
    CANCEL = "cancel"
    OPTIONS = "options"
    """A player in the lobby changes the options; also the form for them. The form's ``arg`` says what it shows."""
    DAY = "day"
    """A person opens the deal of the day, or sees how they did; ``arg`` names the game."""
    START_DAY = "begin"
    """A person starts their attempt at the deal of the day, or practice."""
    RESULT = "result"
    """A person sees how their attempt at the deal of a day went."""
    TELL = "tell"
    """A person shares their result with the channel they are in; ``arg`` names day and game."""
    PRACTISE = "practise"
    """A person plays the deal of a day once more; ``arg`` names day and game."""
    MOVE = "move"
    PICK = "pick"
    """A step towards a move, such as the type of play: it changes the controls in the hand message, not the game."""
    CALL = "call"
    NEXT = "next"
    """The person of an unhurried table does not call now: the game goes on."""
    HAND = "hand"
    RULES = "rules"
    TOPIC = "topic"
    LEARN = "learn"
    """A step of a guided round; ``arg`` names game and step."""
    MENU = "menu"
    HAPPENED = "past"
    """A person reads what has happened in the current round or trick."""
    REMOVE = "out"
    """The host removes a person from the lobby."""
    HINT = "hint"
    """A player asks the coach for a hint."""
    SIT = "sit"
    """A person takes a computer's seat while the game runs."""
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
    """A person has the deal of a finished game checked."""
    REVIEW = "review"
    """A person opens the review of a finished game."""
    STEP = "step"
    """A step of a review: ``ply`` is the number of the moment, ``arg`` says how it is shown."""
    REPLAY = "replay"
    """A person chooses a game to review from the list."""
    ME = "me"
    """A person opens their preferences."""
    PREFER = "prefer"
    """A person changes a preference; ``arg`` names which."""
    PROFILE = "profile"
    """A person opens their profile in the game that they choose."""
    RATE = "rate"
    """A person chooses whether they want a rating; ``arg`` is the answer, or asks first."""
    BOARDS = "boards"
    """A moderator switches the leaderboards of their server on or off; ``arg`` is the new answer."""
    PRIVACY = "privacy"
    """A person reads which data is kept about them."""
    SHARE = "share"
    """A person chooses what others may know about them; ``arg`` names what, and the new answer."""
    EXPORT = "export"
    """A person exports the data that is kept about them, as a file."""
    ERASE = "erase"
    ERASE_FOR_SURE = "erase!"
    SETTING = "setting"
    """A manager of the server changes a setting; ``arg`` names which."""
    NUMBERS = "numbers"
    """A manager opens the form for the settings that are numbers; also that form."""
    TABLES = "tables"
    """A moderator opens the list of the server's live tables; ``arg`` is the page."""
    CLOSE = "close"
    """A moderator chooses a live table, to end it."""
    CLOSE_FOR_SURE = "close!"
    BAN = "ban"
    """A moderator chooses a person, to ban them from tables."""
    BAN_FOR = "banfor"
    """A moderator chooses how long the ban lasts; also the form for the reason. ``arg``: the person, and the
    seconds."""
    BANS = "bans"
    """A moderator opens the list of the server's bans; ``arg`` is the page."""
    LIFT = "lift"
    """A moderator ends a ban."""


class Press(NamedTuple):
    """The parts of a clicked control's custom_id: what to do, at which table, at which ply, and an argument.

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
"""Verbs by their value in a custom_id."""


def custom_id(verb: Verb, table: TableId, ply: int = 0, arg: str = "") -> str:
    """Build the custom_id of a button, select or form, from which ``parse_custom_id`` reads the parts again.

    >>> custom_id(Verb.MOVE, TableId("abc"), 7, "0-up")
    '17/move/abc/7/0-up'
    """
    return f"{PREFIX}{verb.value}/{table}/{ply}/{arg}"


def parse_custom_id(text: str) -> Press | None:
    """Parse the custom_id *text* of a clicked control; ``None`` if it is not one of ours, or forged.

    >>> parse_custom_id("17/move/abc/7/0-up")
    Press(verb=<Verb.MOVE: 'move'>, table='abc', ply=7, arg='0-up')
    >>> parse_custom_id("17/move/../7/x") is None
    True
    """
    match = _FORM.fullmatch(text)
    if match is None or match[1] not in _VERBS:
        return None
    return Press(_VERBS[match[1]], TableId(match[2]), int(match[3]), match[4])
