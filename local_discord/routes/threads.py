"""Threads: starting them, changing them, and who is in them."""

from typing import Any, Final

from local_discord import errors
from local_discord.forms import Form
from local_discord.model import THREADS, Channel, ChannelType, Thread, User
from local_discord.routes.call import NOTHING, Call, Route
from local_discord.serialize import AUTO_ARCHIVE_MINUTES, thread_member
from local_discord.world import World

MOST_NAME: Final = 100


class ThreadRoutes:
    """The routes about threads. https://discord.com/developers/docs/resources/channel"""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> tuple[Route, ...]:
        """``@me`` comes before ``{user}``, which would match it too."""
        members = "/channels/{channel}/thread-members"
        return (
            Route("POST", "/channels/{channel}/threads", self._start, success=201),
            Route("POST", "/channels/{channel}/messages/{message}/threads", self._start_below, success=201),
            Route("PATCH", "/channels/{channel}", self._change),
            Route("GET", members, self._members),
            Route("PUT", f"{members}/@me", self._join),
            Route("DELETE", f"{members}/@me", self._leave),
            Route("PUT", f"{members}/{{user}}", self._add),
            Route("DELETE", f"{members}/{{user}}", self._remove),
        )

    async def _start(self, call: Call) -> Any:
        """A thread without a message to begin with; private unless the body says otherwise."""
        person, parent = call.person_in_channel(self._world)
        if parent.type is not ChannelType.TEXT:
            raise errors.wrong_channel_type()
        form = Form({"auto_archive_duration": 4320, "type": int(ChannelType.PRIVATE_THREAD), **call.form.data})
        name = form.text("name", 1, MOST_NAME, required=True) or ""
        kind = form.choice("type", THREADS)
        minutes = form.choice("auto_archive_duration", AUTO_ARCHIVE_MINUTES)
        channel = self._world.threads.make(parent, person, ChannelType(kind), name, minutes)
        return self._world.channel_object(channel, person)

    async def _start_below(self, call: Call) -> Any:
        """A public thread that begins with a message, and has its id.

        https://discord.com/developers/docs/resources/channel#start-thread-from-message
        """
        person, parent = call.person_in_channel(self._world)
        if parent.type is not ChannelType.TEXT:
            raise errors.wrong_channel_type()
        if not self._world.may(person, parent, "read_message_history"):
            raise errors.missing_permissions()
        message = self._world.message(parent, call.id("message"), person)
        form = Form({"auto_archive_duration": 4320, **call.form.data})
        name = form.text("name", 1, MOST_NAME, required=True) or ""
        minutes = form.choice("auto_archive_duration", AUTO_ARCHIVE_MINUTES)
        if message.id in self._world.channels:
            raise errors.thread_there_already()
        kind = ChannelType.THREAD
        channel = self._world.threads.make(parent, person, kind, name, minutes, message.id)
        return self._world.channel_object(channel, person)

    async def _change(self, call: Call) -> Any:
        """A thread that is not locked is reopened by whoever may write in it; everything else is for moderators.

        https://discord.com/developers/docs/resources/channel#modify-channel-json-params-thread
        """
        person, channel = call.person_in_channel(self._world)
        thread, body = channel.thread, call.form.data
        if thread is None:
            raise errors.missing_permissions()
        call.form.text("name", 1, MOST_NAME)
        fields = {"archived": bool, "locked": bool, "name": str}
        for key, value in body.items():
            if key not in fields or not isinstance(value, fields[key]):
                raise errors.invalid_form(key, "BASE_TYPE_CHOICES", f"Not among {sorted(fields)}, or not valid.")
        moderates = self._world.may(person, channel, "manage_threads")
        reopens = body == {"archived": False} and self._world.threads.may_reopen(channel, person)
        own = person.id == thread.owner and not thread.locked and set(body) <= {"archived", "name"}
        if not moderates and not own and not reopens:
            raise errors.missing_permissions()
        if thread.archived and body.get("archived") is not False:
            raise errors.thread_archived()
        self._world.threads.change(channel, body)
        return self._world.channel_object(channel, person)

    async def _members(self, call: Call) -> Any:
        _, channel, thread = self._thread(call)
        return [thread_member(channel, user) for user in thread.members]

    async def _join(self, call: Call) -> Any:
        person, channel, _ = self._active(call)
        self._world.threads.join(channel, person.id)
        return NOTHING

    async def _leave(self, call: Call) -> Any:
        person, channel, _ = self._active(call)
        self._world.threads.leave(channel, person.id)
        return NOTHING

    async def _add(self, call: Call) -> Any:
        person, channel, _ = self._active(call)
        if not self._world.may(person, channel, "send_messages_in_threads"):
            raise errors.missing_permissions()
        self._world.threads.join(channel, self._world.user(call.id("user")).id)
        return NOTHING

    async def _remove(self, call: Call) -> Any:
        """For moderators, and for whoever started a private thread."""
        person, channel, thread = self._active(call)
        owns = channel.type is ChannelType.PRIVATE_THREAD and person.id == thread.owner
        if not owns and not self._world.may(person, channel, "manage_threads"):
            raise errors.missing_permissions()
        self._world.threads.leave(channel, call.id("user"))
        return NOTHING

    def _thread(self, call: Call) -> tuple[User, Channel, Thread]:
        """Who sent the request, and the thread in its path.

        Raises:
            ApiError: they may not see it, or it is no thread (10003).
        """
        person, channel = call.person_in_channel(self._world)
        if channel.thread is None:
            raise errors.unknown_channel()
        return person, channel, channel.thread

    def _active(self, call: Call) -> tuple[User, Channel, Thread]:
        """As ``_thread``; who is in an archived thread does not change (50083)."""
        person, channel, thread = self._thread(call)
        if thread.archived:
            raise errors.thread_archived()
        return person, channel, thread
