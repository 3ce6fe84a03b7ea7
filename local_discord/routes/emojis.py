"""The application's own emojis: the bot lists, makes, renames and removes them."""

from typing import Any

from local_discord import errors
from local_discord.emojis import Emojis
from local_discord.initial import APPLICATION
from local_discord.model import Emoji
from local_discord.routes.call import NOTHING, Call, Route
from local_discord.world import World


class EmojiRoutes:
    """The routes about emojis. https://discord.com/developers/docs/resources/emoji#list-application-emojis"""

    def __init__(self, world: World, emojis: Emojis) -> None:
        self._world = world
        self._emojis = emojis

    def routes(self) -> tuple[Route, ...]:
        """In no particular order: no path matches another one's requests."""
        return (
            Route("GET", "/applications/{application}/emojis", self._list),
            Route("POST", "/applications/{application}/emojis", self._make, success=201),
            Route("GET", "/applications/{application}/emojis/{emoji}", self._get),
            Route("PATCH", "/applications/{application}/emojis/{emoji}", self._rename),
            Route("DELETE", "/applications/{application}/emojis/{emoji}", self._remove),
        )

    async def _list(self, call: Call) -> Any:
        self._check_bot(call)
        return {"items": self._emojis.all()}

    async def _make(self, call: Call) -> Any:
        self._check_bot(call)
        return self._emojis.item(self._emojis.make(call.form))

    async def _get(self, call: Call) -> Any:
        return self._emojis.item(self._emoji(call))

    async def _rename(self, call: Call) -> Any:
        return self._emojis.item(self._emojis.rename(self._emoji(call), call.form))

    async def _remove(self, call: Call) -> Any:
        self._emojis.remove(self._emoji(call))
        return NOTHING

    def _emoji(self, call: Call) -> Emoji:
        """The emoji in the path, for the bot alone."""
        self._check_bot(call)
        return self._emojis.one(call.id("emoji"))

    def _check_bot(self, call: Call) -> None:
        if not call.person(self._world).bot or call.id("application") != APPLICATION:
            raise errors.missing_access()
