"""From *Start* to the first card: a Discord that takes so many messages, and what stands there once the game runs."""

import re
from typing import Any

from simcord.backend.errors import BackendError
from simcord.http import router

from bot.delivery.slots import TABLE
from bot.tables.model import Phase
from bot.ui.custom_ids import Verb
from engine.verify import PlayerNotes, verify
from tests.discord.messages import components_json, expected_components_json
from tests.discord.play import Club
from tests.discord.test_dealing import code, lobby, record_of


class Channel:
    """Discord, which takes new messages, and knows their nonces
    (https://docs.discord.com/developers/resources/message#create-message, ``enforce_nonce``)."""

    def __init__(self) -> None:
        self.takes: int | None = None
        """So many more; of others it says that it is busy. ``None``: all."""
        self.silent = False
        """It takes the others too, but nobody hears of it."""
        self._known: dict[str, Any] = {}
        self._dispatch = router.dispatch

    def dispatch(self, backend: Any, method: str, path: str, **how: Any) -> Any:
        """What SimCord does with a request, and in addition what is said above."""
        body = how.get("json")
        if method != "POST" or not re.fullmatch(r"/channels/\d+/messages", path) or not isinstance(body, dict):
            return self._dispatch(backend, method, path, **how)
        if self.takes == 0 and not self.silent:
            raise BackendError(503, 0, "Service Unavailable")
        nonce = body["nonce"]
        if nonce not in self._known:
            self._known[nonce] = self._dispatch(backend, method, path, **how)
        if self.takes == 0:
            raise BackendError(503, 0, "Service Unavailable")
        if self.takes is not None:
            self.takes -= 1
        return self._known[nonce]


def refuse(club: Club, status: int, code: int) -> None:
    """Discord takes no new message in the channel."""
    path = f"/channels/{club.channel.id}/messages"
    club.env.inject_error("POST", path, status=status, code=code, message="No", times=None)


async def begun(club: Club) -> None:
    """The game has begun: the channel holds its deal message and, below, its table message, and nothing else; the cards
    follow from both."""
    await club.lobby_goes()
    table, fixed, board = club.table(), club.deal_message(), club.table_message()
    assert table.phase is Phase.PLAYING
    assert [message.id for message in club.messages()] == [fixed.id, board.id]
    assert components_json(board) == expected_components_json(table, TABLE, board.id)
    assert [club.dm_count(person) for person in (club.anna, club.bruno)] == [1, 1]
    assert not [r for r in club.env.http_requests if str(fixed.id) in r.path], "it would be marked as edited"
    noted = PlayerNotes(code(await club.fair_page(club.anna)), code(fixed, "Deal"), board.id)
    await club.finish()
    verify(await record_of(club, table.id), noted)


async def pressed(club: Club) -> None:
    """Anna presses *Start* at a table with bruno."""
    await club.press(club.anna, await lobby(club), Verb.START)


def waits(club: Club) -> bool:
    """Whether somebody has pressed *Start*, and the cards are not dealt."""
    return club.table().starting and not club.dm_count(club.anna)
