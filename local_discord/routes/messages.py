"""Reading, sending, editing and deleting messages. https://discord.com/developers/docs/resources/message"""

from collections.abc import Callable
from typing import Any, Final

from local_discord import errors
from local_discord.checks import MOST_FLAGS
from local_discord.forms import Form
from local_discord.model import Channel, Message, MessageFlag, User
from local_discord.routes.call import NOTHING, Call, Route
from local_discord.snowflake import now_ms, parse_id, snowflake_time_ms

MOST_MESSAGES: Final = 100
"""How many messages one request can get."""
SENT_FLAGS: Final = MessageFlag.COMPONENTS_V2 | MessageFlag.SUPPRESS_NOTIFICATIONS


async def _list_messages(call: Call) -> Any:
    """Answer with a page of the channel's messages, newest first, without ephemeral ones; empty if the sender may not
    read the history.

    https://discord.com/developers/docs/resources/message#get-channel-messages
    """
    person, channel = call.sender_and_channel()
    page = _page_selector(Form(dict(call.query)))
    if not call.world.has_permission(person, channel, "read_message_history"):
        return []
    visible = {number: message for number, message in channel.messages.items() if message.reader is None}
    return [call.world.message_for(person, visible[number]) for number in reversed(page(list(visible)))]


async def _send_message(call: Call) -> Any:
    """Send the message in the body to the channel in the path, and answer with it; or raise ApiError."""
    person, channel = call.sender_and_channel()
    form = call.form
    flags = (form.whole("flags", 0, MOST_FLAGS) or 0) & SENT_FLAGS
    if not person.bot and (flags or form.value("components")):
        raise form.error_for("components", "BASE_TYPE_BAD_LENGTH", "People's messages have no components.")
    message = call.world.send(channel, person, form.data, flags=flags, uploads=call.uploads)
    return call.world.message_object(message)


async def _get_message(call: Call) -> Any:
    """Answer with the message in the path; or raise ApiError, also for an ephemeral one."""
    person, _, message = _message_in_path(call)
    return call.world.message_for(person, message)


def _message_in_path(call: Call) -> tuple[User, Channel, Message]:
    """Return who sent the request, the channel and the message in its path; or raise ApiError, also for an ephemeral
    message.

    That one is reached through its interaction's webhook alone.
    """
    person, channel = call.sender_and_channel()
    message = call.world.get_visible_message(channel, call.path_id("message"), person)
    if message.reader is not None:
        raise errors.unknown_message()
    return person, channel, message


async def _edit_message(call: Call) -> Any:
    """Edit the message in the path, which only its author may do, and answer with it; or raise ApiError, or Limited for
    too many edits of old ones."""
    person, channel, message = _message_in_path(call)
    if message.author != person.id:
        raise errors.not_the_author()
    if call.uploads and channel.guild and not call.world.has_permission(person, channel, "attach_files"):
        raise errors.missing_permissions()
    if person.bot and not call.server.limits.off:
        age_seconds = (now_ms() - snowflake_time_ms(message.id) + message.aged_ms) / 1000
        call.server.hidden_limits.count_old_edit(channel.id, age_seconds)
    return call.world.message_object(call.world.edit(channel, message, call.form.data, call.uploads))


async def _delete_message(call: Call) -> Any:
    """Delete the message in the path, if the sender is its author or may manage messages, and answer with 204; or raise
    ApiError."""
    person, channel, message = _message_in_path(call)
    if message.author != person.id and not call.world.has_permission(person, channel, "manage_messages"):
        raise errors.missing_permissions()
    call.world.threads.check_deleting(channel, person)
    call.world.delete(channel, message)
    return NOTHING


def _page_selector(query: Form) -> Callable[[list[int]], list[int]]:
    """Return a function that takes all message ids (oldest first) and returns those of the page that *query* asks for;
    or raise ApiError (50035).

    Raises:
        ApiError: it asks in more than one way, or not with ids and a number from 1 to 100 (50035).
    """
    size = 50
    if (limit := query.text("limit")) is not None:
        size = parse_id(limit) or 0
        Form({"limit": size}).whole("limit", 1, MOST_MESSAGES)
    where = {key: found for key in ("before", "after", "around") if (found := query.snowflake(key)) is not None}
    if len(where) > 1:
        message = "before, after and around are mutually exclusive."
        raise errors.invalid_form("", "MESSAGES_PARAMETERS_EXCLUSIVE", message)
    before, after, around = (where.get(key) for key in ("before", "after", "around"))

    def chosen(ids: list[int]) -> list[int]:
        if after is not None:
            return [it for it in ids if it > after][:size]
        if around is None:
            return [it for it in ids if before is None or it < before][-size:]
        older = [it for it in ids if it < around][-(size // 2) :] if size > 1 else []
        newer = [it for it in ids if it >= around][: size - len(older)]
        return older + newer

    return chosen


ROUTES: Final = (
    Route("GET", "/channels/{channel}/messages", _list_messages),
    Route("POST", "/channels/{channel}/messages", _send_message),
    Route("GET", "/channels/{channel}/messages/{message}", _get_message),
    Route("PATCH", "/channels/{channel}/messages/{message}", _edit_message),
    Route("DELETE", "/channels/{channel}/messages/{message}", _delete_message),
)
