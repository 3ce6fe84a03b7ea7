"""What people click, and how the bot answers: the callback and the webhook of an interaction's token.

https://discord.com/developers/docs/interactions/receiving-and-responding

The routes below ``/interactions/{interaction}`` and ``/webhooks`` need no bot token: the token in the path is enough.
"""

from typing import Any, Final

from local_discord import errors
from local_discord.model import Interaction
from local_discord.routes.call import NOTHING, Call, Route


async def _create_interaction(call: Call) -> Any:
    """Create the interaction in the body for a person, send it to the bot, and answer with 204; or raise ApiError, also
    for bots."""
    person = call.sender()
    if person.bot:
        raise errors.missing_access()
    # A delay here is the way from Discord to the bot: the click gets its time before the delay.
    call.server.interactions.create(person, call.body, call.fault.delay_ms if call.fault else 0, call.uploads)
    return NOTHING


async def _respond(call: Call) -> Any:
    """Carry out the bot's first response, and answer with its callback object if ``with_response`` asks for it, else
    with 204; or raise ApiError."""
    answer = call.server.interactions.respond(
        call.path_id("interaction"), call.match_info["token"], call.body, call.uploads
    )
    return answer if call.query.get("with_response") in ("1", "true", "True") else NOTHING


async def _follow_up(call: Call) -> Any:
    """Send one more message of the interaction in the path, and answer with it; or raise ApiError."""
    message = call.server.interactions.follow_up(_interaction_in_path(call), call.body, call.uploads)
    return call.world.message_object(message)


async def _get_interaction_response(call: Call) -> Any:
    """Answer with the message in the path, "@original" or an id, of the interaction in the path; or raise ApiError."""
    _, message = call.server.interactions.locate_message(_interaction_in_path(call), call.match_info["which"])
    return call.world.message_object(message)


async def _edit_reply(call: Call) -> Any:
    """Edit the message in the path, "@original" or an id, of the interaction in the path, and answer with it; or raise
    ApiError."""
    interaction = _interaction_in_path(call)
    message = call.server.interactions.edit(interaction, call.match_info["which"], call.body, call.uploads)
    return call.world.message_object(message)


async def _delete_reply(call: Call) -> Any:
    """Delete the message in the path, "@original" or an id, of the interaction in the path, and answer with 204; or
    raise ApiError."""
    channel, message = call.server.interactions.locate_message(_interaction_in_path(call), call.match_info["which"])
    call.world.delete(channel, message)
    return NOTHING


def _interaction_in_path(call: Call) -> Interaction:
    """Return the interaction whose webhook *call* uses; or raise ApiError: unknown or unanswered (10015), or too old
    (50027)."""
    return call.server.interactions.interaction_by_token(call.path_id("application"), call.match_info["token"])


_REPLY: Final = "/webhooks/{application}/{token}/messages/{which}"
ROUTES: Final = (
    Route("POST", "/interactions", _create_interaction, delays_itself=True),
    Route("POST", "/interactions/{interaction}/{token}/callback", _respond),
    Route("POST", "/webhooks/{application}/{token}", _follow_up),
    Route("GET", _REPLY, _get_interaction_response),
    Route("PATCH", _REPLY, _edit_reply),
    Route("DELETE", _REPLY, _delete_reply),
)
