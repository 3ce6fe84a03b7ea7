"""Everybody and everything on this Discord: who may do what and sees what, and what changes. Changes are announced to
listeners."""

import asyncio
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Any

from local_discord import errors, initial, serialize
from local_discord.attachments import Files, Upload, attachment_url, merge_attachments, resolve_attachment_urls
from local_discord.checks import Draft, check_finished_message, parse_message_draft
from local_discord.faults import EmojiRefusals
from local_discord.initial import APPLICATION
from local_discord.model import (
    ALL_PERMISSIONS,
    PERMISSIONS,
    PRIVATE,
    THREADS,
    USER_PERMISSIONS,
    VOICES,
    Channel,
    ChannelType,
    Context,
    Emoji,
    Guild,
    Install,
    Intent,
    Interaction,
    Message,
    MessageFlag,
    Thread,
    User,
)
from local_discord.notifications import Notifications, mentioned_users
from local_discord.serialize import thread_member
from local_discord.snowflake import Snowflakes, now_ms

# Threads: they archive when nobody writes, can be locked, and private ones have members.
#
# https://discord.com/developers/docs/topics/threads. What an archived thread answers is not documented. As reported:
# changes are refused with 400 and 50083 (https://github.com/victornpb/undiscord/issues/399), new messages in one that
# is also locked with 403 and 50083 (https://github.com/discord/discord-api-docs/issues/7707). In a thread that is
# locked but not archived it is 403 and 160005 here ("Thread is locked").


class Threads:
    """All threads of one world: creating, archiving, locking, and their members. It needs a running event loop, for
    timers."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._timers: dict[int, asyncio.TimerHandle] = {}

    def start_timers(self) -> None:
        """Start the timers that archive the active threads that exist now. It needs a running event loop."""
        for channel in self._world.channels.values():
            if channel.thread is not None and not channel.thread.archived:
                self._set_timer(channel, channel.thread)

    def stop_timers(self) -> None:
        """Stop all timers, so that no thread archives any more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def create(
        self, parent: Channel, owner: User, kind: ChannelType, name: str, minutes: int, message: int | None = None
    ) -> Channel:
        """Create a thread *name* in the channel *parent*, started by *owner*, announce it, and return it; ApiError
        (50013) if *owner* may not.

        With *message* the thread has that id. It archives after *minutes* without activity.
        """
        world = self._world
        private = kind is ChannelType.PRIVATE_THREAD
        if not world.has_permission(owner, parent, "create_private_threads" if private else "create_public_threads"):
            raise errors.missing_permissions()
        now = now_ms()
        thread = Thread(owner.id, [owner.id], now, now, minutes * 60)
        channel = Channel(message or world.snowflakes.next(), kind, name, parent.guild, parent=parent.id, thread=thread)
        world.channels[channel.id] = channel
        world.guilds[parent.guild or 0].channels.append(channel.id)
        self._set_timer(channel, thread)
        for user in world.readers(channel):
            seen = world.channel_object(channel, world.users[user])
            world.announce("THREAD_CREATE", seen | {"newly_created": True}, [user])
        return channel

    # What may be done there

    def may_reopen(self, channel: Channel, person: User) -> bool:
        """Whether *person* may reopen the thread *channel*: everybody who may write there, but only moderators if it is
        locked."""
        writes = self._world.has_permission(person, channel, "send_messages_in_threads")
        return self._is_moderator(person, channel) or (
            writes and channel.thread is not None and not channel.thread.locked
        )

    def check_writing(self, channel: Channel, author: User) -> None:
        """Raise ApiError (160005; 50083 if also archived) if *channel* is a locked thread and *author* is no moderator,
        so they may not send a message there."""
        thread = channel.thread
        if thread is not None and thread.locked and not self._is_moderator(author, channel):
            raise errors.thread_archived(status=403) if thread.archived else errors.thread_locked()

    def check_editing(self, channel: Channel, author: User) -> None:
        """Raise ApiError if *channel* is an archived (50083) or a locked thread (160005), where *author* may not edit a
        message."""
        if channel.thread is not None and channel.thread.archived:
            raise errors.thread_archived()
        self.check_writing(channel, author)

    def check_deleting(self, channel: Channel, person: User) -> None:
        """Raise ApiError (50083) if *channel* is an archived and locked thread and *person* no moderator, so they may
        not delete a message."""
        thread = channel.thread
        if thread is not None and thread.archived and thread.locked and not self._is_moderator(person, channel):
            raise errors.thread_archived()

    # What happens there

    def record_message(self, channel: Channel, message: Message) -> None:
        """Note the new *message* as activity in the thread *channel*, which reopens it, and add its author and the
        mentioned people to it.

        It does nothing for an ephemeral message, or if *channel* is no thread.
        """
        thread, world = channel.thread, self._world
        if thread is None or message.reader is not None:
            return
        self._record_activity(channel, thread)
        if world.can_see(world.users[message.author], channel):
            self.join(channel, message.author, *message.mentions)

    def change_thread(self, channel: Channel, changes: dict[str, Any]) -> None:
        """Apply *changes* (archived, locked, archive_seconds, name) to the thread *channel*, and announce them; or
        raise ApiError if it is no thread."""
        thread = channel.thread
        if thread is None:
            raise errors.unknown_channel()
        if "name" in changes:
            channel.name = changes["name"]
        if "locked" in changes:
            thread.locked = changes["locked"]
        if "archive_seconds" in changes:
            thread.archive_seconds = changes["archive_seconds"]
        if changes.get("archived"):
            self._archive(channel, thread)
            return
        if thread.archived and changes.get("archived") is False:
            self._record_activity(channel, thread)
            return
        if "archive_seconds" in changes:
            thread.changed_at = thread.active_at = now_ms()
            self._set_timer(channel, thread)
        self._announce_update(channel)

    def join(self, channel: Channel, *users: int) -> None:
        """Add *users* (ids) to the thread *channel*, and announce that. People who are not on the server, or in the
        thread already, are left out."""
        world, thread = self._world, channel.thread
        here = world.guilds[channel.guild or 0].members
        added = [user for user in users if thread and user in here and user not in thread.members]
        if thread is None or not added:
            return
        thread.members.extend(added)
        for user in added:
            world.announce("THREAD_CREATE", world.channel_object(channel, world.users[user]), [user])
        new = [thread_member(channel, user) for user in added]
        self._announce_member_change(channel, added, {"added_members": new})

    def leave(self, channel: Channel, user: int) -> None:
        """Remove *user* (an id) from the thread *channel*, and announce that; do nothing if they are not in it."""
        if channel.thread is not None and user in channel.thread.members:
            channel.thread.members.remove(user)
            self._announce_member_change(channel, [user], {"removed_member_ids": [str(user)]})

    def _announce_member_change(self, channel: Channel, whom: list[int], change: dict[str, Any]) -> None:
        """Announce *change*, a change of the members *whom* of the thread *channel*, to people who see it; bots hear
        only of themselves."""
        world = self._world
        count = len(channel.thread.members) if channel.thread else 0
        payload = {"id": str(channel.id), "guild_id": str(channel.guild), "member_count": count, **change}
        people = {user for user in world.readers(channel) if not world.users[user].bot}
        world.announce("THREAD_MEMBERS_UPDATE", payload, people | set(whom))

    def _is_moderator(self, person: User, channel: Channel) -> bool:
        """Whether *person* may manage the thread *channel*, as moderators may."""
        return self._world.has_permission(person, channel, "manage_threads")

    def _record_activity(self, channel: Channel, thread: Thread) -> None:
        """Note activity in the thread *channel*: restart its timer, and reopen it if it is archived.

        https://discord.com/developers/docs/topics/threads#unarchiving-a-thread
        """
        thread.active_at = now_ms()
        self._set_timer(channel, thread)
        if thread.archived:
            thread.archived = False
            thread.changed_at = thread.active_at
            self._announce_update(channel)
            for user in thread.members:
                member = thread_member(channel, user) | {"guild_id": str(channel.guild)}
                self._world.announce("THREAD_MEMBER_UPDATE", member, [user])

    def _archive(self, channel: Channel, thread: Thread) -> None:
        """Archive the thread *channel* and announce that; do nothing if it was deleted."""
        if (timer := self._timers.pop(channel.id, None)) is not None:
            timer.cancel()
        if channel.id not in self._world.channels:
            return
        if not thread.archived:
            thread.archived = True
            thread.changed_at = now_ms()
        self._announce_update(channel)

    def _set_timer(self, channel: Channel, thread: Thread) -> None:
        """Start the timer that archives the thread *channel*, in place of an earlier timer."""
        if (timer := self._timers.pop(channel.id, None)) is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._timers[channel.id] = loop.call_later(thread.archive_seconds, self._archive, channel, thread)

    def _announce_update(self, channel: Channel) -> None:
        """Send THREAD_UPDATE about the thread *channel* to everybody who sees it."""
        for user in self._world.readers(channel):
            person = self._world.users[user]
            self._world.announce("THREAD_UPDATE", self._world.channel_object(channel, person), [user])


Announce = Callable[[str, dict[str, Any], Container[int]], None]
"""Called with an event's name, its payload, and the ids of the users it is for."""


class World:
    """Everything on this Discord: servers (*guilds*), text *channels*, *people*, messages, commands and
    interactions."""

    def __init__(
        self, guilds: int = 1, channels: int = len(initial.CHANNELS), people: int = len(initial.PEOPLE)
    ) -> None:
        self.snowflakes = Snowflakes()
        self.announce: Announce = lambda name, payload, readers: None
        self.base = ""
        """The address of this server, for attachments."""
        self.files = Files()
        self.users = initial.users(people)
        self.bot = self.users[APPLICATION]
        self.channels: dict[int, Channel] = {}
        self._dms: dict[frozenset[int], Channel] = {}
        """Those direct messages that have been looked for; they are never closed."""
        self.nonces: dict[tuple[int, str], tuple[int, int]] = {}
        """(author, nonce) -> (channel, message) of what was sent with ``enforce_nonce``: the channel does not matter.
        https://discord.com/developers/docs/resources/message#create-message"""
        self.guilds: dict[int, Guild] = {}
        for index in range(guilds):
            guild, here = initial.make_guild(index, channels, self.users.values())
            self.guilds[guild.id] = guild
            self.channels.update({channel.id: channel for channel in here})
        self.commands: list[dict[str, Any]] = []
        """The registered commands, as API objects."""
        self.emojis: dict[int, Emoji] = {}
        """The application's own emojis, by id, in the order they were made."""
        self.interactions_endpoint: str | None = None
        """The *Interactions Endpoint URL* in the application's settings; ``None``: interactions come by the gateway."""
        self.intents = Intent(0)
        """The privileged intents that the application's settings allow."""
        self.interactions: dict[str, Interaction] = {}
        """By token."""
        self.emoji_refusals = EmojiRefusals()
        self.threads = Threads(self)
        self.notifications = Notifications(self.users, self.channels, self.guilds)

    # Who

    @property
    def people(self) -> list[User]:
        """All people, without the bot."""
        return [person for person in self.users.values() if not person.bot]

    def get_user(self, user: int) -> User:
        """Return the person or bot with the id *user*; or raise ApiError (10013) if there is none."""
        if user not in self.users:
            raise errors.unknown_user()
        return self.users[user]

    def user_by_token(self, token: str) -> User | None:
        """Return the person or bot that *token* belongs to (a bot's without the prefix "Bot "); ``None`` if nobody."""
        return next((person for person in self.users.values() if person.token == token), None)

    def permissions(self, person: User, channel: Channel) -> int:
        """Return what *person* may do in *channel*, as a permission set (bits).

        A thread has the permissions of its channel; the server's owner may do everything.

        https://discord.com/developers/docs/topics/permissions
        """
        if channel.guild is None:
            return USER_PERMISSIONS
        parent = self.channels.get(channel.parent or 0, channel)
        if person.bot:
            return channel.bot_permissions & parent.bot_permissions
        granted = USER_PERMISSIONS | person.granted
        everything = person.id == self.guilds[channel.guild].owner or granted & PERMISSIONS["administrator"]
        return ALL_PERMISSIONS if everything else granted & ~(channel.people_denied | parent.people_denied)

    def has_permission(self, person: User, channel: Channel, permission: str) -> bool:
        """Whether the permissions of *person* in *channel* include *permission* (a name of ``PERMISSIONS``); whether
        they are a member or may view it is not checked (``can_see``)."""
        return bool(self.permissions(person, channel) & PERMISSIONS[permission])

    def can_see(self, person: User, channel: Channel) -> bool:
        """Whether *person* is a member where *channel* is, and may view it; in a voice channel they also need
        *Connect*."""
        connects = channel.type not in VOICES or self.has_permission(person, channel, "connect")
        return person.id in self._member_ids(channel) and self._may_view(person, channel) and connects

    def _member_ids(self, channel: Channel) -> Sequence[int]:
        """Return the ids of the members of the server of *channel*, or of the people of a private channel."""
        return self.guilds[channel.guild].members if channel.guild else channel.recipients

    def _may_view(self, person: User, channel: Channel) -> bool:
        """Whether *person*, a member there, may view *channel*. A private thread is visible to its members and to
        moderators."""
        if not self.has_permission(person, channel, "view_channel"):
            return False
        if channel.type is not ChannelType.PRIVATE_THREAD or self.has_permission(person, channel, "manage_threads"):
            return True
        return channel.thread is not None and person.id in channel.thread.members

    def _check_sending(self, channel: Channel, author: User, files: bool) -> None:
        """Raise ApiError if *author* may not send a message in *channel*, or one with *files*: no permission, or closed
        direct messages."""
        if channel.type not in PRIVATE:
            permission = "send_messages_in_threads" if channel.type in THREADS else "send_messages"
            if not self.has_permission(author, channel, permission) or (
                files and not self.has_permission(author, channel, "attach_files")
            ):
                raise errors.missing_permissions()
            return
        if not author.bot:
            return
        people = set(channel.recipients) - {author.id}
        if not any({author.id, *people} <= set(guild.members) for guild in self.guilds.values()):
            raise errors.no_dms_from_members()
        if any(self.users[user].blocks_app for user in people):
            raise errors.app_is_blocked()
        if not all(self.users[user].dms_open for user in people):
            raise errors.no_dms_from_members()

    # Where the application is installed

    def context(self, channel: Channel) -> Context:
        """Return the kind of place that *channel* is for commands: a server, the bot's direct messages, or another
        private channel."""
        if channel.guild is not None:
            return Context.GUILD
        direct = channel.type is ChannelType.DM and APPLICATION in channel.recipients
        return Context.BOT_DM if direct else Context.PRIVATE_CHANNEL

    def usable_installs(self, person: User, channel: Channel) -> set[Install]:
        """Return by which installations *person* can use the application in *channel*: that to the server, that to
        their account, both or none.

        What is installed to a server can also be used in the bot's direct messages by the server's members.
        https://discord.com/developers/docs/interactions/application-commands#installation-context
        """
        found = {Install.USER} if person.installed else set()
        guilds = [self.guilds[channel.guild]] if channel.guild is not None else self.guilds.values()
        if self.context(channel) is not Context.PRIVATE_CHANNEL:
            found |= {Install.GUILD for it in guilds if it.installed and person.id in it.members}
        return found

    # Where

    def readers(self, channel: Channel) -> list[int]:
        """The ids of the users who may view *channel*."""
        return [user for user in self._member_ids(channel) if self._may_view(self.users[user], channel)]

    def get_visible_channel(self, channel: int, person: User) -> Channel:
        """Return the channel with the id *channel*, for *person*; or raise ApiError: there is none (10003), or they may
        not see it (50001)."""
        found = self.channels.get(channel)
        if found is None or (found.type in PRIVATE and person.id not in found.recipients):
            raise errors.unknown_channel()
        if not self.can_see(person, found):
            raise errors.missing_access()
        return found

    def find_dm(self, one: User, other: User) -> Channel | None:
        """Return the direct message channel of two people; ``None`` if there is none yet."""
        pair = frozenset((one.id, other.id))
        if pair not in self._dms:
            private = (channel for channel in self.channels.values() if channel.type is ChannelType.DM)
            self._dms.update((pair, channel) for channel in private if pair == {*channel.recipients})
        return self._dms.get(pair)

    def dm(self, one: User, other: User) -> Channel:
        """Return the direct message channel of two people; if there is none yet, create it and announce it to
        people."""
        if (known := self.find_dm(one, other)) is not None:
            return known
        channel = Channel(self.snowflakes.next(), ChannelType.DM, recipients=(one.id, other.id))
        self.channels[channel.id] = channel
        # Bots are not told, since version 8 of the API.
        for person in (it for it in (one, other) if not it.bot):
            self.announce("CHANNEL_CREATE", self.channel_object(channel, person), [person.id])
        return channel

    def channel_object(self, channel: Channel, person: User) -> dict[str, Any]:
        """Return *channel* as an API object, as *person* sees it: without them among the recipients, and with their
        membership of a thread."""
        others = [self.users[user] for user in channel.recipients if user != person.id]
        return serialize.channel(channel, others) | serialize.thread_member_field(channel, person)

    def guild_object(self, guild: Guild, person: User) -> dict[str, Any]:
        """Return *guild* as an API object with its channels and members, and the active threads that *person* sees.

        Of the members, a bot is told of itself alone:
        https://discord.com/developers/docs/events/gateway-events#guild-create
        """
        channels = [self.channels[channel] for channel in guild.channels]
        active = [it for it in channels if it.thread and not it.thread.archived and self.can_see(person, it)]
        threads = [serialize.channel(it) | serialize.thread_member_field(it, person, named=False) for it in active]
        members = [self.users[user] for user in guild.members if not person.bot or user == person.id]
        return serialize.guild(guild, channels, threads, members)

    def delete_channel(self, channel: Channel) -> None:
        """Delete *channel* of a server with its threads, and announce the deletion to those who saw it."""
        readers = self.readers(channel)
        here = self.guilds[channel.guild or 0].channels
        for gone in [it for it in here if channel.id in (it, self.channels[it].parent)]:
            here.remove(gone)
            del self.channels[gone]
        self.announce(*serialize.channel_deletion_event(channel), readers)

    # Messages

    def get_visible_message(self, channel: Channel, message: int, person: User) -> Message:
        """Return the message with the id *message* in *channel*, for *person*; ApiError (10008) if there is none or it
        is ephemeral for somebody else."""
        found = channel.messages.get(message)
        if found is None or found.reader not in (None, person.id):
            raise errors.unknown_message()
        return found

    def message_object(self, message: Message) -> dict[str, Any]:
        """Return *message* as an API object, with its content."""
        inviter = self.users[message.interaction.user] if message.interaction else None
        mentions = [self.users[user] for user in message.mentions]
        channel = self.channels[message.channel]
        return serialize.message(message, self.users[message.author], mentions, inviter, channel.guild, self.base)

    def message_for(self, person: User, message: Message) -> dict[str, Any]:
        """Return *message* as an API object for *person*: without content for a bot that lacks the intent for it."""
        found, guild = self.message_object(message), self.channels[message.channel].guild
        blind = person.bot and guild is not None and not self.intents & Intent.MESSAGE_CONTENT
        return serialize.without_content(found, person.id) if blind else found

    def send(
        self,
        channel: Channel,
        author: User,
        data: dict[str, Any],
        *,
        flags: int = 0,
        reader: int | None = None,
        interaction: Interaction | None = None,
        follow_up: bool = False,
        reference: int | None = None,
        uploads: Sequence[Upload] = (),
    ) -> Message:
        """Create a message in *channel* from a request's body (*data*) and its files (*uploads*), announce it and
        return it; or raise ApiError.

        *flags* are those it gets. *reader* is the only person who will see it; ``None``: everybody there. With an
        *interaction*, which it then answers (first or as a *follow_up*), no permission is needed. *reference* is the
        message it replies to. A nonce that was used before gives the message made with it, unchanged.

        Raises:
            ApiError: it breaks a limit, or may not be sent.
        """
        if interaction is None:
            self._check_sending(channel, author, bool(uploads))
        self.threads.check_writing(channel, author)
        draft = self._read_draft(data, flags)
        unique = draft.nonce if data.get("enforce_nonce") else None
        if unique is not None and (earlier := self._find_message_by_nonce(author.id, unique)) is not None:
            return earlier
        message = Message(
            id=self.snowflakes.next(),
            channel=channel.id,
            author=author.id,
            content=draft.content or "",
            components=draft.components or [],
            embeds=draft.embeds or [],
            flags=flags,
            nonce=draft.nonce,
            reader=reader,
            interaction=interaction,
            follow_up=follow_up,
            reference=reference,
            attachments=merge_attachments(None, data, uploads, self.snowflakes),
        )
        self._complete_message(message, draft.mentions)
        channel.messages[message.id] = message
        if unique is not None:
            self.nonces[author.id, unique] = channel.id, message.id
        self.threads.record_message(channel, message)
        self.notifications.record_message(channel, message, Readers(self, channel, reader))
        self._announce_message("MESSAGE_CREATE", channel, message)
        return message

    def _find_message_by_nonce(self, author: int, nonce: str) -> Message | None:
        """Return the message, wherever it is, that *author* has sent with *nonce*; ``None`` if there is none."""
        channel, message = self.nonces.get((author, nonce), (0, 0))
        return self.channels[channel].messages.get(message) if channel in self.channels else None

    def _complete_message(self, message: Message, allowed: set[int] | None) -> None:
        """Check *message* as a whole, fill in addresses of files and whom it mentions, in place, and keep its files; or
        raise ApiError.

        *allowed* are the ids that it may notify.
        """
        check_finished_message(message)
        resolve_attachment_urls(
            message.components,
            message.embeds,
            message.attachments,
            lambda it: attachment_url(self.base, message.channel, it),
            self.snowflakes,
        )
        message.mentions = mentioned_users(message, allowed, self.users)
        self.files.keep(message.attachments)

    def _read_draft(self, data: dict[str, Any], flags: int) -> Draft:
        """Return what *data*, a request's body, says about a message with *flags*; ApiError if it breaks a limit or
        chance refuses an emoji."""
        draft = parse_message_draft(data, flags, self.emojis)
        self.emoji_refusals.check(draft.components or [])
        return draft

    def edit(self, channel: Channel, message: Message, data: dict[str, Any], uploads: Sequence[Upload] = ()) -> Message:
        """Replace *message* by a copy changed by *data*, a request's body, and its files; announce and return it. Or
        raise ApiError, and change nothing."""
        self.threads.check_editing(channel, self.users[message.author])
        draft = self._read_draft(data, message.flags)
        after = replace(
            message,
            content=message.content if draft.content is None else draft.content,
            embeds=message.embeds if draft.embeds is None else draft.embeds,
            components=message.components if draft.components is None else draft.components,
            attachments=merge_attachments(message.attachments, data, uploads, self.snowflakes),
            flags=(message.flags | draft.flags & MessageFlag.COMPONENTS_V2) & ~MessageFlag.LOADING,
            edited_at=now_ms(),
        )
        self._complete_message(after, draft.mentions)
        channel.messages[message.id] = after
        self._announce_message("MESSAGE_UPDATE", channel, after)
        return after

    def delete(self, channel: Channel, message: Message) -> None:
        """Delete *message* from *channel*, and announce that to those who saw it."""
        del channel.messages[message.id]
        payload: dict[str, Any] = {"id": str(message.id), "channel_id": str(channel.id)}
        if channel.guild:
            payload["guild_id"] = str(channel.guild)
        self.announce("MESSAGE_DELETE", payload, Readers(self, channel, message.reader))

    def _announce_message(self, event: str, channel: Channel, message: Message) -> None:
        """Send *event* with *message* to everybody who sees it in *channel*, at the gateway."""
        payload = self.message_object(message)
        if channel.guild:
            payload["guild_id"] = str(channel.guild)
        self.announce(event, payload, Readers(self, channel, message.reader))


class Readers(Container[int]):
    """The ids of those who see a message in a channel, computed only for ids that are asked for."""

    def __init__(self, world: World, channel: Channel, only: int | None = None) -> None:
        """*only* is who alone sees it; ``None``: everybody who sees *channel*."""
        self._world = world
        self._channel = channel
        self._only = only

    def __contains__(self, user: object) -> bool:
        person = self._world.users.get(user) if isinstance(user, int) and self._only in (None, user) else None
        return person is not None and self._world.can_see(person, self._channel)
