"""Everybody and everything on this Discord: who sees what, and what changes. Changes are announced to listeners."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from local_discord import access, errors, initial, serialize
from local_discord.attachments import Upload, attachments_after, resolve
from local_discord.checks import check_message, number
from local_discord.edits import check_edit, content_after
from local_discord.emoji_refusals import EmojiRefusals
from local_discord.initial import APPLICATION
from local_discord.model import (
    THREADS,
    Attachment,
    Channel,
    ChannelType,
    Emoji,
    Guild,
    Interaction,
    Message,
    MessageFlag,
    User,
)
from local_discord.notifications import Notifications, mentioned
from local_discord.snowflake import Snowflakes, now_ms
from local_discord.threads import Threads

Announce = Callable[[str, dict[str, Any], Iterable[int]], None]
"""Called with an event's name, its payload, and the ids of the users it is for."""

MOST_FILES: Final = 500


class World:
    """Everything on this Discord: so many *guilds*, each with so many text *channels* and all of the *people*."""

    def __init__(
        self, guilds: int = 1, channels: int = len(initial.CHANNELS), people: int = len(initial.PEOPLE)
    ) -> None:
        self.snowflakes = Snowflakes()
        self.announce: Announce = lambda name, payload, readers: None
        self.base = ""
        """The address of this server, for attachments."""
        self.files: OrderedDict[int, Attachment] = OrderedDict()
        """The newest attachments, by id. As with Discord they stay for a while after their message no longer has
        them: a client may be loading one."""
        self.users = initial.users(people)
        self.bot = self.users[APPLICATION]
        self.channels: dict[int, Channel] = {}
        self.guilds: dict[int, Guild] = {}
        for index in range(guilds):
            guild, here = initial.guild(index, channels, self.users.values())
            self.guilds[guild.id] = guild
            self.channels.update({channel.id: channel for channel in here})
        self.commands: list[dict[str, Any]] = []
        """The registered commands, as API objects."""
        self.interactions: dict[str, Interaction] = {}
        """By token."""
        self.emojis: dict[int, Emoji] = {}
        """The application's own emojis, by id, in the order they were made."""
        self.emoji_refusals = EmojiRefusals()
        self.threads = Threads(self)
        self.notifications = Notifications(self.users, self.channels, self.guilds)

    # Who

    @property
    def people(self) -> list[User]:
        """Everybody but the bot."""
        return [person for person in self.users.values() if not person.bot]

    def user(self, user: int) -> User:
        """The person or bot with that id.

        Raises:
            ApiError: there is none (10013).
        """
        if user not in self.users:
            raise errors.unknown_user()
        return self.users[user]

    def by_token(self, token: str) -> User | None:
        """Whose *token* this is (a bot's without its prefix "Bot "); ``None``: nobody's."""
        return next((person for person in self.users.values() if person.token == token), None)

    def permissions(self, person: User, channel: Channel) -> int:
        """What *person* may do in *channel*, as a permission set."""
        return access.permissions(self, person, channel)

    def may(self, person: User, channel: Channel, permission: str) -> bool:
        """Whether *person* has the named permission in *channel*."""
        return access.may(self, person, channel, permission)

    def sees(self, person: User, channel: Channel) -> bool:
        """Whether *person* is where *channel* is, and may view it."""
        return access.sees(self, person, channel)

    # Where

    def readers(self, channel: Channel) -> list[int]:
        """The ids of those who see *channel*."""
        return [user for user in access.those_at(self, channel) if self.sees(self.users[user], channel)]

    def channel(self, channel: int, person: User) -> Channel:
        """The channel with that id, for *person*.

        Raises:
            ApiError: there is none (10003), or *person* may not see it (50001).
        """
        found = self.channels.get(channel)
        if found is None or (found.type is ChannelType.DM and person.id not in found.recipients):
            raise errors.unknown_channel()
        if not self.sees(person, found):
            raise errors.missing_access()
        return found

    def known_dm(self, one: User, other: User) -> Channel | None:
        """The direct messages of two people; ``None``: there are none yet."""
        private = (channel for channel in self.channels.values() if channel.type is ChannelType.DM)
        return next((channel for channel in private if set(channel.recipients) == {one.id, other.id}), None)

    def dm(self, one: User, other: User) -> Channel:
        """The direct messages of two people; opened if there are none yet."""
        known = self.known_dm(one, other)
        if known is not None:
            return known
        channel = Channel(self.snowflakes.next(), ChannelType.DM, recipients=(one.id, other.id))
        self.channels[channel.id] = channel
        for person in (one, other):
            self.announce("CHANNEL_CREATE", self.channel_object(channel, person), [person.id])
        return channel

    def channel_object(self, channel: Channel, person: User) -> dict[str, Any]:
        """*channel* as *person* sees it."""
        others = [self.users[user] for user in channel.recipients if user != person.id]
        return serialize.channel(channel, others) | serialize.membership(channel, person)

    def guild_object(self, guild: Guild, person: User) -> dict[str, Any]:
        """*guild* with its members, its channels, and the active threads that *person* sees."""
        channels = [self.channels[channel] for channel in guild.channels if channel in self.channels]
        active = [it for it in channels if it.thread and not it.thread.archived and self.sees(person, it)]
        threads = [serialize.channel(it) | serialize.membership(it, person, named=False) for it in active]
        return serialize.guild(guild, channels, threads, [self.users[user] for user in guild.members])

    def delete_channel(self, channel: Channel) -> None:
        """Delete *channel* and tell those who saw it."""
        readers = self.readers(channel)
        del self.channels[channel.id]
        name = "THREAD_DELETE" if channel.type in THREADS else "CHANNEL_DELETE"
        self.announce(name, serialize.channel(channel), readers)

    # Messages

    def message(self, channel: Channel, message: int, person: User) -> Message:
        """The message with that id, for *person*. The bot sees ephemeral messages too, as all of them are its own.

        Raises:
            ApiError: there is none, or *person* may not see it (10008).
        """
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
        """A new message in *channel*, made from a request's body (*data*) and its files.

        *reader* is the only person who will see it; ``None``: everybody there. With an *interaction*, which it then
        answers, no permission is needed. A nonce that was used before gives the message made with it, unchanged.

        Raises:
            ApiError: it breaks a limit, or may not be sent.
        """
        if interaction is None:
            access.check_sending(self, channel, author, bool(uploads))
        self.threads.check_writing(channel, author)
        check_message(data, flags)
        self.emoji_refusals.check(data.get("components") or [], self.emojis)
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
        message.mentions = mentioned(message, data.get("allowed_mentions"), self.users)
        channel.messages[message.id] = message
        if nonce is not None and data.get("enforce_nonce"):
            channel.nonces[str(nonce)] = message.id
        self.threads.wrote(channel, message)
        self.notifications.sent(channel, message, self._readers_of(channel, message))
        self._tell("MESSAGE_CREATE", channel, message)
        return message

    def _keep(self, attachments: list[Attachment]) -> None:
        """Make *attachments* available by their address; the oldest ones are dropped."""
        self.files.update({it.id: it for it in attachments})
        while len(self.files) > MOST_FILES:
            self.files.popitem(last=False)

    def edit(self, channel: Channel, message: Message, data: dict[str, Any], uploads: Sequence[Upload] = ()) -> None:
        """Change the fields of *message* that *data* has, and add the files.

        Raises:
            ApiError: it would break a limit; *message* is as before.
        """
        self.threads.check_editing(channel, self.users[message.author])
        flags = message.flags | (data.get("flags") or 0) & MessageFlag.COMPONENTS_V2
        check_message(data, flags, partial=True)
        check_edit(message, data, flags)
        self.emoji_refusals.check(data.get("components") or [], self.emojis)
        attachments = attachments_after(message.attachments, data, uploads, self.snowflakes)
        message.attachments, before = attachments, message.attachments
        self._keep(attachments)
        if "components" in data:
            try:
                resolve(data["components"] or [], message, self.base)
            except errors.ApiError:
                message.attachments = before
                raise
        message.content = content_after(message, data)
        message.flags = flags & ~MessageFlag.LOADING
        if "embeds" in data:
            message.embeds = data["embeds"] or []
        if "components" in data:
            message.components = number(data["components"] or [])
        message.mentions = mentioned(message, data.get("allowed_mentions"), self.users)
        message.edited_at = now_ms()
        self._tell("MESSAGE_UPDATE", channel, message)

    def delete(self, channel: Channel, message: Message) -> None:
        """Delete *message* and tell those who saw it."""
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
