"""Threads: they archive when nobody writes, can be locked, and private ones have members.

https://discord.com/developers/docs/topics/threads. What an archived thread answers is not documented. As reported:
changes are refused with 400 and 50083 (https://github.com/victornpb/undiscord/issues/399), new messages in one that is
also locked with 403 and 50083 (https://github.com/discord/discord-api-docs/issues/7707). In a thread that is locked but
not archived it is 403 and 160005 here ("Thread is locked").
"""

import asyncio
from typing import TYPE_CHECKING, Any

from local_discord import errors
from local_discord.model import Channel, ChannelType, Message, Thread, User
from local_discord.serialize import thread_member
from local_discord.snowflake import now_ms

if TYPE_CHECKING:
    from local_discord.world import World


class Threads:
    """The threads of one world. A thread's life needs a running event loop, for its timer."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._timers: dict[int, asyncio.TimerHandle] = {}

    def begin(self) -> None:
        """Start the timers of the threads that are there. Needs a running event loop."""
        for channel in self._world.channels.values():
            if channel.thread is not None and not channel.thread.archived:
                self._set_timer(channel, channel.thread)

    def end(self) -> None:
        """Stop all timers."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def make(
        self, parent: Channel, owner: User, kind: ChannelType, name: str, minutes: int, message: int | None = None
    ) -> Channel:
        """A new thread in the channel *parent*, with *owner* in it; it archives after so many *minutes*. It has the id
        of the *message* that it begins with, if there is one.

        Raises:
            ApiError: *owner* may not start one there (50013).
        """
        world = self._world
        private = kind is ChannelType.PRIVATE_THREAD
        if not world.may(owner, parent, "create_private_threads" if private else "create_public_threads"):
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
        """Whether *person* may reopen the thread *channel*: who may write in it, and moderators if it is locked."""
        writes = self._world.may(person, channel, "send_messages_in_threads")
        return self._moderates(person, channel) or (writes and channel.thread is not None and not channel.thread.locked)

    def check_writing(self, channel: Channel, author: User) -> None:
        """Check that *author* may send a message in *channel*, be it as an answer to an interaction.

        Raises:
            ApiError: it is a locked thread (160005; 50083 if it is archived too).
        """
        thread = channel.thread
        if thread is not None and thread.locked and not self._moderates(author, channel):
            raise errors.thread_archived(status=403) if thread.archived else errors.thread_locked()

    def check_editing(self, channel: Channel, author: User) -> None:
        """Check that *author* may edit a message in *channel*.

        Raises:
            ApiError: it is an archived (50083) or a locked thread (160005).
        """
        if channel.thread is not None and channel.thread.archived:
            raise errors.thread_archived()
        self.check_writing(channel, author)

    def check_deleting(self, channel: Channel, person: User) -> None:
        """Check that *person* may delete a message in *channel*. An archived thread allows it, unless it is locked.

        Raises:
            ApiError: it is archived and locked (50083).
        """
        thread = channel.thread
        if thread is not None and thread.archived and thread.locked and not self._moderates(person, channel):
            raise errors.thread_archived()

    # What happens there

    def wrote(self, channel: Channel, message: Message) -> None:
        """*message* is new in *channel*: activity that reopens an archived thread. Its author and those whom it
        mentions join. An ephemeral message is not in the thread, so it does nothing.
        """
        thread, world = channel.thread, self._world
        if thread is None or message.reader is not None:
            return
        self._active(channel, thread)
        if world.sees(world.users[message.author], channel):
            self.join(channel, message.author, *message.mentions)

    def change(self, channel: Channel, changes: dict[str, Any]) -> None:
        """Give the thread *channel* new values: *changes* may have archived, locked, archive_seconds, and name."""
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
            self._active(channel, thread)
            return
        if "archive_seconds" in changes:
            thread.changed_at = thread.active_at = now_ms()
            self._set_timer(channel, thread)
        self._tell(channel)

    def join(self, channel: Channel, *users: int) -> None:
        """Add *users* (ids) to the thread *channel*, and tell them of it; those in it already stay."""
        world, thread = self._world, channel.thread
        here = world.guilds[channel.guild or 0].members
        added = [user for user in users if thread and user in here and user not in thread.members]
        if thread is None or not added:
            return
        thread.members.extend(added)
        for user in added:
            world.announce("THREAD_CREATE", world.channel_object(channel, world.users[user]), [user])
        new = [thread_member(channel, user) for user in added]
        self._members_changed(channel, added, {"added_members": new})

    def leave(self, channel: Channel, user: int) -> None:
        """Remove *user* (an id) from the thread *channel*."""
        if channel.thread is not None and user in channel.thread.members:
            channel.thread.members.remove(user)
            self._members_changed(channel, [user], {"removed_member_ids": [str(user)]})

    def _members_changed(self, channel: Channel, whom: list[int], change: dict[str, Any]) -> None:
        """Tell of it. Without the intent for members a bot hears of itself alone."""
        world = self._world
        count = len(channel.thread.members) if channel.thread else 0
        payload = {"id": str(channel.id), "guild_id": str(channel.guild), "member_count": count, **change}
        people = {user for user in world.readers(channel) if not world.users[user].bot}
        world.announce("THREAD_MEMBERS_UPDATE", payload, people | set(whom))

    def _moderates(self, person: User, channel: Channel) -> bool:
        return self._world.may(person, channel, "manage_threads")

    def _active(self, channel: Channel, thread: Thread) -> None:
        """Somebody wrote in *channel*, or reopened it.

        https://discord.com/developers/docs/topics/threads#unarchiving-a-thread
        """
        thread.active_at = now_ms()
        self._set_timer(channel, thread)
        if thread.archived:
            thread.archived = False
            thread.changed_at = thread.active_at
            self._tell(channel)
            for user in thread.members:
                member = thread_member(channel, user) | {"guild_id": str(channel.guild)}
                self._world.announce("THREAD_MEMBER_UPDATE", member, [user])

    def _archive(self, channel: Channel, thread: Thread) -> None:
        """Archive *channel*, and tell of it; it may have been deleted meanwhile."""
        if (timer := self._timers.pop(channel.id, None)) is not None:
            timer.cancel()
        if channel.id not in self._world.channels:
            return
        if not thread.archived:
            thread.archived = True
            thread.changed_at = now_ms()
        self._tell(channel)

    def _set_timer(self, channel: Channel, thread: Thread) -> None:
        """Archive *channel* after its time without activity, counted from now."""
        if (timer := self._timers.pop(channel.id, None)) is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._timers[channel.id] = loop.call_later(thread.archive_seconds, self._archive, channel, thread)

    def _tell(self, channel: Channel) -> None:
        for user in self._world.readers(channel):
            person = self._world.users[user]
            self._world.announce("THREAD_UPDATE", self._world.channel_object(channel, person), [user])
