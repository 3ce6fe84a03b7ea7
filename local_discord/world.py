"""Everybody and everything on this server, who sees what, and what changes. Changes are announced to listeners."""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from local_discord import errors, serialize
from local_discord.attachments import Upload, attachments_after, resolve
from local_discord.checks import check_message, number, walk
from local_discord.model import (
    MODERATOR_PERMISSIONS,
    PERMISSIONS,
    USER_PERMISSIONS,
    Attachment,
    Channel,
    ChannelType,
    Guild,
    Interaction,
    Message,
    MessageFlag,
    User,
)
from local_discord.snowflake import Snowflakes, now_ms

Announce = Callable[[str, dict[str, Any], Iterable[int]], None]
"""(event name, payload, the users it is for)."""

APPLICATION: Final = 900_000_000_000_000_000
BOT_TOKEN: Final = "OTAwMDAwMDAwMDAwMDAwMDAw.local0.only-for-the-local-discord"
MOST_FILES: Final = 500
_MENTION: Final = re.compile(r"<@!?(\d+)>")

_PEOPLE: Final = (
    ("Anna", "en-US"),
    ("Bruno", "it"),
    ("Carla", "de"),
    ("Dirk", "nl"),
    ("Emma", "en-GB"),
    ("Felix", "de"),
    ("Gina", "it"),
    ("Hugo", "en-US"),
)
_CHANNELS: Final = ("card-table", "second-table", "lounge")


class World:
    """The whole server. Ids of people and channels are the same at every start, so that a bot finds its way back."""

    def __init__(self, guilds: int = 1, channels: int = len(_CHANNELS), people: int = len(_PEOPLE)) -> None:
        self.snowflakes = Snowflakes()
        self.announce: Announce = lambda name, payload, readers: None
        self.base = ""
        """The address of this server, for attachments."""
        self.files: OrderedDict[int, Attachment] = OrderedDict()
        """Attachments by id, the newest ones. As with Discord they can be looked at for a while after their message
        has let go of them: a client may just be loading one."""
        base = 910_000_000_000_000_000
        self.bot = User(APPLICATION, "Seventeen", BOT_TOKEN, bot=True)
        self.users = {self.bot.id: self.bot}
        extras = ((f"Person {number}", "en-US") for number in range(len(_PEOPLE) + 1, people + 1))
        for index, (name, locale) in enumerate((*_PEOPLE[:people], *extras)):
            person = User(
                base + index, name, f"local-user-{name.lower().replace(' ', '-')}", locale=locale, moderator=index == 0
            )
            self.users[person.id] = person
        self.channels: dict[int, Channel] = {}
        self.guilds: dict[int, Guild] = {}
        for index in range(guilds):
            self._found(base + 100 + (index << 22), index, channels)
        self.commands: list[dict[str, Any]] = []
        self.interactions: dict[str, Interaction] = {}
        """By token."""

    def _found(self, guild: int, number: int, channels: int) -> None:
        """A guild with everybody in it, its text channels and a thread."""
        first = guild + 100_000
        names = [*_CHANNELS, *(f"table-{index + 1}" for index in range(len(_CHANNELS), channels))][:channels]
        for index, name in enumerate(names):
            self.channels[first + index] = Channel(first + index, ChannelType.TEXT, name, guild)
        thread = Channel(guild + 50_000, ChannelType.THREAD, "a thread", guild, parent=first)
        self.channels[thread.id] = thread
        people = [person.id for person in self.people]
        title = "Card club" if number == 0 else f"Card club {number + 1}"
        here = [*range(first, first + len(names)), thread.id]
        self.guilds[guild] = Guild(guild, title, people[0], here, [self.bot.id, *people])

    # Who

    @property
    def people(self) -> list[User]:
        """Everybody but the bot."""
        return [person for person in self.users.values() if not person.bot]

    def user(self, user: int) -> User:
        """The person with that id."""
        if user not in self.users:
            raise errors.unknown_user()
        return self.users[user]

    def by_token(self, token: str) -> User | None:
        """Who holds *token* (a bot's without its "Bot " prefix)."""
        return next((person for person in self.users.values() if person.token == token), None)

    def permissions(self, person: User, channel: Channel) -> int:
        """What *person* may do in *channel*, as a permission set."""
        if channel.type is ChannelType.DM:
            return USER_PERMISSIONS
        if person.bot:
            return channel.bot_permissions
        return MODERATOR_PERMISSIONS if person.moderator else USER_PERMISSIONS

    def may(self, person: User, channel: Channel, permission: str) -> bool:
        """Whether *person* has the named permission in *channel*."""
        return bool(self.permissions(person, channel) & PERMISSIONS[permission])

    # Where

    def readers(self, channel: Channel) -> list[int]:
        """Who sees *channel*."""
        members = self.guilds[channel.guild].members if channel.guild else channel.recipients
        return [user for user in members if self.may(self.users[user], channel, "view_channel")]

    def channel(self, channel: int, person: User) -> Channel:
        """The channel, for somebody who may see it."""
        found = self.channels.get(channel)
        if found is None or (found.type is ChannelType.DM and person.id not in found.recipients):
            raise errors.unknown_channel()
        if not self.may(person, found, "view_channel"):
            raise errors.missing_access()
        return found

    def dm(self, one: User, other: User) -> Channel:
        """The channel between two people, opened if need be."""
        for channel in self.channels.values():
            if channel.type is ChannelType.DM and set(channel.recipients) == {one.id, other.id}:
                return channel
        channel = Channel(self.snowflakes.next(), ChannelType.DM, recipients=(one.id, other.id))
        self.channels[channel.id] = channel
        for person in (one, other):
            self.announce("CHANNEL_CREATE", self.channel_object(channel, person), [person.id])
        return channel

    def channel_object(self, channel: Channel, person: User) -> dict[str, Any]:
        """*channel* as *person* sees it."""
        others = [self.users[user] for user in channel.recipients if user != person.id]
        return serialize.channel(channel, others)

    def guild_object(self, guild: Guild) -> dict[str, Any]:
        """*guild* with its channels and members."""
        channels = [self.channels[channel] for channel in guild.channels if channel in self.channels]
        return serialize.guild(guild, channels, [self.users[user] for user in guild.members])

    def delete_channel(self, channel: Channel) -> None:
        """A moderator deletes a channel."""
        readers = self.readers(channel)
        del self.channels[channel.id]
        name = "THREAD_DELETE" if channel.type is ChannelType.THREAD else "CHANNEL_DELETE"
        self.announce(name, serialize.channel(channel), readers)

    # Messages

    def message(self, channel: Channel, message: int, person: User) -> Message:
        """A message that *person* may see."""
        found = channel.messages.get(message)
        if found is None or (found.reader is not None and found.reader != person.id and not person.bot):
            raise errors.unknown_message()
        return found

    def message_object(self, message: Message) -> dict[str, Any]:
        """*message* as an API object."""
        inviter = self.users[message.interaction.user] if message.interaction else None
        mentions = [self.users[user] for user in message.mentions]
        return serialize.message(message, self.users[message.author], mentions, APPLICATION, inviter, self.base)

    def send(
        self,
        channel: Channel,
        author: User,
        data: dict[str, Any],
        *,
        flags: int = 0,
        reader: int | None = None,
        interaction: Interaction | None = None,
        uploads: Sequence[Upload] = (),
    ) -> Message:
        """A new message from *data*, a request body, and the files with it.

        Raises:
            ApiError: it breaks a limit, or may not be sent.
        """
        if interaction is None:
            self._may_send(channel, author, bool(uploads))
        check_message(data, flags)
        nonce = data.get("nonce")
        if nonce is not None and data.get("enforce_nonce") and str(nonce) in channel.nonces:
            known = channel.messages.get(channel.nonces[str(nonce)])
            if known is not None:
                return known
        message = Message(
            id=self.snowflakes.next(),
            channel=channel.id,
            author=author.id,
            content=data.get("content") or "",
            components=number(data.get("components") or []),
            embeds=data.get("embeds") or [],
            flags=flags,
            nonce=str(nonce) if nonce is not None else None,
            reader=reader,
            interaction=interaction,
        )
        message.attachments = attachments_after((), data, uploads, self.snowflakes)
        self._keep(message.attachments)
        resolve(message.components, message, self.base)
        message.mentions = self._mentions(message, data.get("allowed_mentions"))
        channel.messages[message.id] = message
        if nonce is not None and data.get("enforce_nonce"):
            channel.nonces[str(nonce)] = message.id
        self._tell("MESSAGE_CREATE", channel, message)
        return message

    def _keep(self, attachments: list[Attachment]) -> None:
        self.files.update({it.id: it for it in attachments})
        while len(self.files) > MOST_FILES:
            self.files.popitem(last=False)

    def _may_send(self, channel: Channel, author: User, files: bool) -> None:
        if channel.type is ChannelType.DM:
            others = [self.users[user] for user in channel.recipients if user != author.id]
            if author.bot and not all(person.dms_open for person in others):
                raise errors.closed_dms()
            return
        permission = "send_messages_in_threads" if channel.type is ChannelType.THREAD else "send_messages"
        if not self.may(author, channel, permission) or (files and not self.may(author, channel, "attach_files")):
            raise errors.missing_permissions()

    def edit(self, channel: Channel, message: Message, data: dict[str, Any], uploads: Sequence[Upload] = ()) -> None:
        """*message* with the fields of *data* changed, and the files with it added.

        Raises:
            ApiError: it would break a limit.
        """
        flags = message.flags
        if data.get("flags", 0) & MessageFlag.COMPONENTS_V2:
            flags |= MessageFlag.COMPONENTS_V2
        check_message(data, flags, partial=True)
        attachments = attachments_after(message.attachments, data, uploads, self.snowflakes)
        message.attachments, before = attachments, message.attachments
        self._keep(attachments)
        if "components" in data:
            try:
                resolve(data["components"] or [], message, self.base)
            except errors.ApiError:
                message.attachments = before
                raise
        message.flags = flags & ~MessageFlag.LOADING
        if "content" in data:
            message.content = data["content"] or ""
        if "embeds" in data:
            message.embeds = data["embeds"] or []
        if "components" in data:
            message.components = number(data["components"] or [])
        message.mentions = self._mentions(message, data.get("allowed_mentions"))
        message.edited_at = now_ms()
        self._tell("MESSAGE_UPDATE", channel, message)

    def delete(self, channel: Channel, message: Message) -> None:
        """*message* goes."""
        del channel.messages[message.id]
        payload: dict[str, Any] = {"id": str(message.id), "channel_id": str(channel.id)}
        if channel.guild:
            payload["guild_id"] = str(channel.guild)
        self.announce("MESSAGE_DELETE", payload, self._readers_of(channel, message))

    def _readers_of(self, channel: Channel, message: Message) -> list[int]:
        readers = self.readers(channel)
        return [user for user in readers if message.reader is None or user == message.reader]

    def _tell(self, event: str, channel: Channel, message: Message) -> None:
        payload = self.message_object(message)
        if channel.guild:
            payload["guild_id"] = str(channel.guild)
        self.announce(event, payload, self._readers_of(channel, message))

    def _mentions(self, message: Message, allowed: dict[str, Any] | None) -> tuple[int, ...]:
        """Whom *message* notifies, as far as ``allowed_mentions`` lets it."""
        texts = [message.content, *(c["content"] for c in walk(message.components) if c["type"] == 10)]
        named = {int(user) for text in texts for user in _MENTION.findall(text)} & set(self.users)
        if allowed is not None and "users" not in (allowed.get("parse") or []):
            named &= {int(user) for user in allowed.get("users") or []}
        return tuple(sorted(named))
