"""Discord's error shapes. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json"""

from functools import partial
from typing import Any, Final

MESSAGES: Final = {
    10003: "Unknown Channel",
    10004: "Unknown Guild",
    10007: "Unknown Member",
    10008: "Unknown Message",
    10013: "Unknown User",
    10014: "Unknown Emoji",
    10015: "Unknown Webhook",
    10062: "Unknown interaction",
    10063: "Unknown application command",
    20016: "This action cannot be performed due to slowmode rate limit",
    20026: "Your bot has been flagged by our anti-spam system for abusive behavior.",
    20028: "The write action you are performing on the channel has hit the write rate limit.",
    30008: "Maximum number of emojis reached",
    30046: "Maximum number of edits to messages older than 1 hour reached. Try again later",
    40001: "Unauthorized",
    40002: "You need to verify your account in order to perform this action.",
    40003: "You are opening direct messages too fast",
    40004: "Send messages has been temporarily disabled",
    40005: "Request entity too large",
    40060: "Interaction has already been acknowledged.",
    40062: "Service resource is being rate limited.",
    40094: "This interaction has hit the maximum number of follow up messages",
    40333: "internal network error",
    50001: "Missing Access",
    50003: "Cannot execute action on a DM channel",
    50005: "Cannot edit a message authored by another user",
    50006: "Cannot send an empty message",
    50007: "Cannot send messages to this user",
    50013: "Missing Permissions",
    50014: "Invalid authentication token provided",
    50024: "Cannot execute action on this channel type",
    50027: "Invalid Webhook Token",
    50033: "Invalid Recipient(s)",
    50035: "Invalid Form Body",
    50083: "Thread is archived",
    50109: "The request body contains invalid JSON.",
    50278: "Cannot send messages to this user due to having no mutual guilds",
    110001: "Application not yet available. Try again later",
    130000: "API resource is currently overloaded. Try again a little later",
    160004: "A thread has already been created for this message",
    160005: "Thread is locked",
}
"""What Discord says with each of its codes, as far as it is documented or was reported."""


class ApiError(Exception):
    """A refusal of a request: HTTP *status*, Discord's *code* and *message*, and for an invalid form its *errors* by
    path."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{code} {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """The JSON of the response: message, code, and the errors by path if there are any."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors:
            body["errors"] = self.errors
        return body

    def with_path_prefix(self, key: str) -> "ApiError":
        """Return a copy of the error with its paths below *key*, for a form inside a larger body."""
        return ApiError(self.status, self.code, self.message, self.errors and {key: self.errors})


def _error(status: int, code: int) -> ApiError:
    """Build the error *code* with HTTP *status* and Discord's usual message."""
    return ApiError(status, code, MESSAGES[code])


def invalid_form(path: str, code: str, message: str) -> ApiError:
    """Build error 50035 at *path*, dotted such as ``components.0.label`` (empty: the whole body), for the caller to
    raise.

    *code* is the name of the rule that was broken, such as ``BASE_TYPE_REQUIRED``.
    """
    inner: dict[str, Any] = {"_errors": [{"code": code, "message": message}]}
    for key in reversed(path.split(".") if path else []):
        inner = {key: inner}
    return ApiError(400, 50035, MESSAGES[50035], inner)


def forbidden(reason: str) -> ApiError:
    """Build the error (403) for a request that is not from a client of this server, but from another web page.

    *reason* says how one sees it.
    """
    return ApiError(403, 0, f"403: Forbidden ({reason})")


def unsupported_media_type(wanted: str) -> ApiError:
    """Build the error (415) for a body that does not have the content type *wanted*."""
    return ApiError(415, 0, f"415: Unsupported Media Type (send {wanted})")


unauthorized: Final = partial(ApiError, 401, 0, "401: Unauthorized")
"""The token is missing, or nobody has it."""
unknown_route: Final = partial(ApiError, 404, 0, "404: Not Found")
"""There is no such route here."""
bug: Final = partial(ApiError, 500, 0, "500: Internal Server Error")
"""This server has a bug; its log tells which."""
too_large: Final = partial(_error, 413, 40005)
"""The body of the request is too large."""
unknown_channel: Final = partial(_error, 404, 10003)
"""There is no such channel, or it is a direct message between other people."""
unknown_guild: Final = partial(_error, 404, 10004)
"""There is no such server."""
unknown_message: Final = partial(_error, 404, 10008)
"""There is no such message, or this person may not see it."""
unknown_user: Final = partial(_error, 404, 10013)
"""There is no such person."""
unknown_emoji: Final = partial(_error, 404, 10014)
"""There is no such emoji."""
too_many_emojis: Final = partial(_error, 400, 30008)
"""The application has as many emojis as it may have."""
unknown_webhook: Final = partial(_error, 404, 10015)
"""No answered interaction has this token."""
unknown_interaction: Final = partial(_error, 404, 10062)
"""There is no such interaction, or the time to answer it is over."""
unknown_command: Final = partial(_error, 404, 10063)
"""There is no such command, or it is not offered in this channel."""
already_answered: Final = partial(_error, 400, 40060)
"""The interaction already has its one response."""
too_many_follow_ups: Final = partial(_error, 400, 40094)
"""An interaction that an account has authorized has as many follow-ups as it may have."""
missing_access: Final = partial(_error, 403, 50001)
"""This person may not see the channel, or the route is not for them."""
not_in_dms: Final = partial(_error, 400, 50003)
"""This cannot be done with direct messages."""
not_the_author: Final = partial(_error, 403, 50005)
"""Only the author may edit a message."""
empty_message: Final = partial(_error, 400, 50006)
"""A message needs content, embeds or components."""
app_is_blocked: Final = partial(_error, status=403, code=50007)
"""The person has blocked the bot. Where the opening of direct messages is refused, *status* is 400."""
no_dms_from_members: Final = partial(_error, 403, 50278)
"""The person takes no direct messages from members of the server, or shares no server with the bot: since March
2026 both are said with this code (https://github.com/discord/discord-api-docs/issues/8238)."""
flagged: Final = partial(_error, 403, 20026)
"""The bot is flagged as spam. https://github.com/discord/discord-api-docs/issues/5987"""
opening_too_fast: Final = partial(_error, 403, 40003)
"""The bot has opened direct messages with too many people in a short time."""
thread_archived: Final = partial(_error, status=400, code=50083)
"""The thread is archived: nothing in it can be changed. Messages refused in a locked one have *status* 403."""
thread_there_already: Final = partial(_error, 400, 160004)
"""The message has a thread already."""
unknown_member: Final = partial(_error, 404, 10007)
"""Nobody with this id is in the server."""
thread_locked: Final = partial(_error, 403, 160005)
"""Only moderators write in the thread."""
missing_permissions: Final = partial(_error, 403, 50013)
"""This person sees the channel, but may not do this in it."""
wrong_channel_type: Final = partial(_error, 400, 50024)
"""This cannot be done in a channel of this type."""
invalid_token: Final = partial(_error, 401, 50027)
"""The token of an interaction has expired: its 15 minutes are over."""
not_json: Final = partial(_error, 400, 50109)
"""The body cannot be read as JSON."""
