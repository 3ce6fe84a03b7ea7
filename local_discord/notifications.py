"""Whom a message notifies, and what their phone shows of it.

A phone shows the content of a message and nothing of its components, so a message made of components notifies without
words: https://github.com/discord/discord-api-docs/issues/7854
"""

import re
from collections import deque
from collections.abc import Container, Iterable, Mapping
from typing import Any, Final

from local_discord.components import TEXT, walk
from local_discord.model import PRIVATE, Channel, Guild, Message, MessageFlag, User
from local_discord.snowflake import now_ms, parse_id

KEPT: Final = 10_000
_USER: Final = re.compile(r"<@!?(\d+)>")
_CHANNEL: Final = re.compile(r"<#(\d+)>")
_EMOJI: Final = re.compile(r"<a?(:\w+:)\d+>")
_SILENT: Final = MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.LOADING


def mentioned_users(message: Message, allowed: set[int] | None, users: Container[int]) -> tuple[int, ...]:
    """Return the ids, sorted, of those of *users* whom *message* mentions and may notify: *allowed*, ``None``:
    everybody.

    https://discord.com/developers/docs/resources/message#allowed-mentions-object
    """
    texts = [message.content, *(c["content"] for c in walk(message.components) if c["type"] == TEXT)]
    named = {parse_id(user) or 0 for text in texts for user in _USER.findall(text)}
    return tuple(sorted(user for user in named if user in users and (allowed is None or user in allowed)))


class Notifications:
    """What people's phones have shown, the newest 10,000 entries: new direct messages, and mentions elsewhere.

    Only a new message notifies: in direct messages and group DMs its readers, elsewhere those whom it mentions. Edits,
    ephemeral messages, one's own, and those with the flag ``SUPPRESS_NOTIFICATIONS`` notify nobody.
    """

    def __init__(self, users: Mapping[int, User], channels: Mapping[int, Channel], guilds: Mapping[int, Guild]) -> None:
        self._users = users
        self._channels = channels
        self._guilds = guilds
        self._entries: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._count = 0

    def record_message(self, channel: Channel, message: Message, readers: Container[int]) -> None:
        """Add entries for the people whom the new *message* in *channel* notifies, if they are among *readers*."""
        if message.reader is not None or message.flags & _SILENT:
            return
        for user in channel.recipients if channel.type in PRIVATE else message.mentions:
            if user == message.author or self._users[user].bot or user not in readers:
                continue
            self._count += 1
            self._entries.append(
                {
                    "number": self._count,
                    "time": now_ms(),
                    "user": str(user),
                    "channel_id": str(channel.id),
                    "message_id": str(message.id),
                    "title": self._title(channel, message),
                    "text": self._replace_mentions(message.content),
                }
            )

    def after(self, number: int, user: int | None = None) -> list[dict[str, Any]]:
        """Return the entries with a number above *number*, oldest first, of the person *user* (``None``: of
        everybody)."""
        wanted = str(user)
        return [it for it in self._entries if it["number"] > number and (user is None or it["user"] == wanted)]

    def restore(self, entries: Iterable[dict[str, Any]]) -> None:
        """Replace all entries by *entries*, which an earlier process has saved."""
        self._entries.clear()
        self._entries.extend(entries)
        self._count = self._entries[-1]["number"] if self._entries else 0

    def _title(self, channel: Channel, message: Message) -> str:
        """The title of the notification: the author's name, in a server also the channel and the server."""
        author = self._users[message.author].name
        guild = self._guilds.get(channel.guild or 0)
        return f"{author} (#{channel.name}, {guild.name})" if guild else author

    def _replace_mentions(self, content: str) -> str:
        """Return *content* with names in place of mentions of people, channels and emojis, as a phone shows it."""

        def user(match: re.Match[str]) -> str:
            found = self._users.get(parse_id(match[1]) or 0)
            return f"@{found.name}" if found else "@unknown-user"

        def channel(match: re.Match[str]) -> str:
            found = self._channels.get(parse_id(match[1]) or 0)
            return f"#{found.name}" if found else "#unknown"

        return _EMOJI.sub(r"\1", _CHANNEL.sub(channel, _USER.sub(user, content)))
