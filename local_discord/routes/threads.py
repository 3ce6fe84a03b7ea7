"""Threads: starting them, changing them, and who is in them. https://discord.com/developers/docs/resources/channel"""

from typing import Any, Final

from local_discord import errors
from local_discord.forms import Form
from local_discord.model import THREADS, Channel, ChannelType, Thread, User
from local_discord.routes.call import NOTHING, Call, Route
from local_discord.serialize import AUTO_ARCHIVE_MINUTES, thread_member

MOST_NAME: Final = 100


async def _start_thread(call: Call) -> Any:
    """Start the thread in the body, without a first message, and answer with it; it is private unless the body says
    otherwise. Or raise ApiError."""
    person, parent = call.sender_and_channel()
    if parent.type is not ChannelType.TEXT:
        raise errors.wrong_channel_type()
    form = Form({"auto_archive_duration": 4320, "type": int(ChannelType.PRIVATE_THREAD), **call.form.data})
    name = form.text("name", 1, MOST_NAME, required=True) or ""
    kind = form.choice("type", THREADS)
    minutes = form.choice("auto_archive_duration", AUTO_ARCHIVE_MINUTES)
    channel = call.world.threads.create(parent, person, ChannelType(kind), name, minutes)
    return call.world.channel_object(channel, person)


async def _start_thread_below(call: Call) -> Any:
    """Start a public thread below the message in the path, with the same id, and answer with it; or raise ApiError.

    https://discord.com/developers/docs/resources/channel#start-thread-from-message
    """
    person, parent = call.sender_and_channel()
    if parent.type is not ChannelType.TEXT:
        raise errors.wrong_channel_type()
    if not call.world.has_permission(person, parent, "read_message_history"):
        raise errors.missing_permissions()
    message = call.world.get_visible_message(parent, call.path_id("message"), person)
    form = Form({"auto_archive_duration": 4320, **call.form.data})
    name = form.text("name", 1, MOST_NAME, required=True) or ""
    minutes = form.choice("auto_archive_duration", AUTO_ARCHIVE_MINUTES)
    if message.id in call.world.channels:
        raise errors.thread_there_already()
    kind = ChannelType.THREAD
    channel = call.world.threads.create(parent, person, kind, name, minutes, message.id)
    return call.world.channel_object(channel, person)


async def _patch_thread(call: Call) -> Any:
    """Change the thread in the path: whoever may write there may reopen it, the rest is for its owner and moderators.
    Or raise ApiError.

    https://discord.com/developers/docs/resources/channel#modify-channel-json-params-thread
    """
    person, channel = call.sender_and_channel()
    thread, body = channel.thread, call.form.data
    if thread is None:
        raise errors.missing_permissions()
    call.form.text("name", 1, MOST_NAME)
    fields = {"archived": bool, "locked": bool, "name": str}
    for key, value in body.items():
        if key not in fields or not isinstance(value, fields[key]):
            raise errors.invalid_form(key, "BASE_TYPE_CHOICES", f"Not among {sorted(fields)}, or not valid.")
    moderates = call.world.has_permission(person, channel, "manage_threads")
    reopens = body == {"archived": False} and call.world.threads.may_reopen(channel, person)
    own = person.id == thread.owner and not thread.locked and set(body) <= {"archived", "name"}
    if not moderates and not own and not reopens:
        raise errors.missing_permissions()
    if thread.archived and body.get("archived") is not False:
        raise errors.thread_archived()
    call.world.threads.change_thread(channel, body)
    return call.world.channel_object(channel, person)


async def _list_thread_members(call: Call) -> Any:
    """Answer with the members of the thread in the path; or raise ApiError (10003) if it is no thread."""
    _, channel, thread = _thread_in_path(call)
    return [thread_member(channel, user) for user in thread.members]


async def _join_thread(call: Call) -> Any:
    """Add the sender to the active thread in the path, and answer with 204; or raise ApiError."""
    person, channel, _ = _active_thread_in_path(call)
    call.world.threads.join(channel, person.id)
    return NOTHING


async def _leave_thread(call: Call) -> Any:
    """Remove the sender from the active thread in the path, and answer with 204; or raise ApiError."""
    person, channel, _ = _active_thread_in_path(call)
    call.world.threads.leave(channel, person.id)
    return NOTHING


async def _add_thread_member(call: Call) -> Any:
    """Add a person to the active thread in the path, if the sender may write there; or raise ApiError."""
    person, channel, _ = _active_thread_in_path(call)
    if not call.world.has_permission(person, channel, "send_messages_in_threads"):
        raise errors.missing_permissions()
    call.world.threads.join(channel, call.world.get_user(call.path_id("user")).id)
    return NOTHING


async def _remove_thread_member(call: Call) -> Any:
    """Remove a person from the active thread in the path, for moderators and the owner of a private thread; or raise
    ApiError."""
    person, channel, thread = _active_thread_in_path(call)
    owns = channel.type is ChannelType.PRIVATE_THREAD and person.id == thread.owner
    if not owns and not call.world.has_permission(person, channel, "manage_threads"):
        raise errors.missing_permissions()
    call.world.threads.leave(channel, call.path_id("user"))
    return NOTHING


def _thread_in_path(call: Call) -> tuple[User, Channel, Thread]:
    """Return who sent the request, and the thread in its path (channel and thread); or raise ApiError: no thread
    (10003), or not visible."""
    person, channel = call.sender_and_channel()
    if channel.thread is None:
        raise errors.unknown_channel()
    return person, channel, channel.thread


def _active_thread_in_path(call: Call) -> tuple[User, Channel, Thread]:
    """Return who sent the request and the thread in its path (channel and thread); or raise ApiError (50083) if it is
    archived."""
    person, channel, thread = _thread_in_path(call)
    if thread.archived:
        raise errors.thread_archived()
    return person, channel, thread


_MEMBERS: Final = "/channels/{channel}/thread-members"
ROUTES: Final = (
    Route("POST", "/channels/{channel}/threads", _start_thread, success=201),
    Route("POST", "/channels/{channel}/messages/{message}/threads", _start_thread_below, success=201),
    Route("PATCH", "/channels/{channel}", _patch_thread),
    Route("GET", _MEMBERS, _list_thread_members),
    Route("PUT", f"{_MEMBERS}/@me", _join_thread),
    Route("DELETE", f"{_MEMBERS}/@me", _leave_thread),
    Route("PUT", f"{_MEMBERS}/{{user}}", _add_thread_member),
    Route("DELETE", f"{_MEMBERS}/{{user}}", _remove_thread_member),
)
"""``@me`` comes before ``{user}``, which would match it too."""
