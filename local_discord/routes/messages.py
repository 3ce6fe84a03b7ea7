"""Reading, sending, editing and deleting messages."""

from typing import Any, Final

from local_discord import errors
from local_discord.checks import walk
from local_discord.hidden_limits import HiddenLimits
from local_discord.limits import Limits
from local_discord.model import MessageFlag
from local_discord.routes.call import NOTHING, Call, Route
from local_discord.snowflake import now_ms, time_of
from local_discord.world import World

MOST_MESSAGES: Final = 100
"""How many messages one request can get."""
SENT_FLAGS: Final = MessageFlag.COMPONENTS_V2 | MessageFlag.SUPPRESS_NOTIFICATIONS


class MessageRoutes:
    """The routes about messages. https://discord.com/developers/docs/resources/message"""

    def __init__(self, world: World, limits: Limits, hidden: HiddenLimits) -> None:
        self._world = world
        self._limits = limits
        self._hidden = hidden

    def routes(self) -> tuple[Route, ...]:
        """In no particular order: no path matches another one's requests."""
        return (
            Route("GET", "/channels/{channel}/messages", self._messages),
            Route("POST", "/channels/{channel}/messages", self._send),
            Route("GET", "/channels/{channel}/messages/{message}", self._message),
            Route("PATCH", "/channels/{channel}/messages/{message}", self._edit),
            Route("DELETE", "/channels/{channel}/messages/{message}", self._delete),
        )

    async def _messages(self, call: Call) -> Any:
        """Newest first. The history has no ephemeral messages: they are gone when a client reloads."""
        person, channel = call.person_in_channel(self._world)
        if not self._world.may(person, channel, "read_message_history"):
            return []
        limit = call.query.get("limit", "50")
        if not limit.isdigit() or not 1 <= int(limit) <= MOST_MESSAGES:
            raise errors.invalid_form("limit", "NUMBER_TYPE_MAX", f"int value should be 1 to {MOST_MESSAGES}.")
        visible = [message for message in reversed(channel.messages.values()) if message.reader is None]
        return [self._world.message_object(message) for message in visible[: int(limit)]]

    async def _send(self, call: Call) -> Any:
        person, channel = call.person_in_channel(self._world)
        body = call.body
        flags = int(body.get("flags") or 0) & SENT_FLAGS if person.bot else 0
        if not person.bot and list(walk(body.get("components") or [])):
            raise errors.invalid_form("components", "BASE_TYPE_BAD_LENGTH", "People's messages have no components.")
        message = self._world.send(channel, person, body, flags=flags, uploads=call.uploads)
        return self._world.message_object(message)

    async def _message(self, call: Call) -> Any:
        person, channel = call.person_in_channel(self._world)
        return self._world.message_object(self._world.message(channel, call.id("message"), person))

    async def _edit(self, call: Call) -> Any:
        """Only the author edits a message; an ephemeral one is edited through its interaction's webhook instead."""
        person, channel = call.person_in_channel(self._world)
        message = self._world.message(channel, call.id("message"), person)
        if message.reader is not None:
            raise errors.unknown_message()
        if message.author != person.id:
            raise errors.not_the_author()
        if call.uploads and channel.guild and not self._world.may(person, channel, "attach_files"):
            raise errors.missing_permissions()
        if person.bot and not self._limits.off:
            age_seconds = (now_ms() - time_of(message.id) + message.aged_ms) / 1000
            self._hidden.check_old_edit(channel.id, age_seconds)
        self._world.edit(channel, message, call.body, call.uploads)
        return self._world.message_object(message)

    async def _delete(self, call: Call) -> Any:
        person, channel = call.person_in_channel(self._world)
        message = self._world.message(channel, call.id("message"), person)
        if message.author != person.id and not self._world.may(person, channel, "manage_messages"):
            raise errors.missing_permissions()
        self._world.threads.check_deleting(channel, person)
        self._world.delete(channel, message)
        return NOTHING
