"""Discord's error shapes. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json"""

from typing import Any


class ApiError(Exception):
    """A refusal: HTTP *status*, Discord's *code* and *message*. An invalid form also has its *errors* by path."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{code} {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """The JSON of the response."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors:
            body["errors"] = self.errors
        return body

    def under(self, key: str) -> "ApiError":
        """The same error of what stands at *key* in a larger body."""
        return ApiError(self.status, self.code, self.message, self.errors and {key: self.errors})


def unauthorized() -> ApiError:
    """The token is missing, or nobody has it."""
    return ApiError(401, 0, "401: Unauthorized")


def forbidden(reason: str) -> ApiError:
    """The request is not from a client of this server, but from another web page. *reason* says how one sees it."""
    return ApiError(403, 0, f"403: Forbidden ({reason})")


def not_the_type(wanted: str) -> ApiError:
    """The body does not have the content type *wanted*."""
    return ApiError(415, 0, f"415: Unsupported Media Type (send {wanted})")


def unknown_route() -> ApiError:
    """There is no such route here."""
    return ApiError(404, 0, "404: Not Found")


def bug() -> ApiError:
    """This server has a bug; its log tells which."""
    return ApiError(500, 0, "500: Internal Server Error")


def too_large() -> ApiError:
    """The body of the request is too large."""
    return ApiError(413, 40005, "Request entity too large")


def unknown_channel() -> ApiError:
    """There is no such channel, or it is a direct message between other people."""
    return ApiError(404, 10003, "Unknown Channel")


def unknown_guild() -> ApiError:
    """There is no such server."""
    return ApiError(404, 10004, "Unknown Guild")


def unknown_message() -> ApiError:
    """There is no such message, or this person may not see it."""
    return ApiError(404, 10008, "Unknown Message")


def unknown_user() -> ApiError:
    """There is no such person."""
    return ApiError(404, 10013, "Unknown User")


def unknown_emoji() -> ApiError:
    """There is no such emoji."""
    return ApiError(404, 10014, "Unknown Emoji")


def too_many_emojis() -> ApiError:
    """The application has as many emojis as it may have."""
    return ApiError(400, 30008, "Maximum number of emojis reached")


def unknown_webhook() -> ApiError:
    """No answered interaction has this token."""
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> ApiError:
    """There is no such interaction, or the time to answer it is over."""
    return ApiError(404, 10062, "Unknown interaction")


def unknown_command() -> ApiError:
    """There is no such command, or it is not offered in this channel."""
    return ApiError(404, 10063, "Unknown application command")


def already_answered() -> ApiError:
    """The interaction already has its one response."""
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> ApiError:
    """This person may not see the channel, or the route is not for them."""
    return ApiError(403, 50001, "Missing Access")


def not_in_dms() -> ApiError:
    """This cannot be done with direct messages."""
    return ApiError(400, 50003, "Cannot execute action on a DM channel")


def not_the_author() -> ApiError:
    """Only the author may edit a message."""
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> ApiError:
    """A message needs content, embeds or components."""
    return ApiError(400, 50006, "Cannot send an empty message")


def app_is_blocked() -> ApiError:
    """The person has blocked the bot."""
    return ApiError(403, 50007, "Cannot send messages to this user")


def no_dms_from_members() -> ApiError:
    """The person takes no direct messages from members of the server, or shares no server with the bot: since March
    2026 both are said with this code (https://github.com/discord/discord-api-docs/issues/8238)."""
    return ApiError(403, 50278, "Cannot send messages to this user due to having no mutual guilds")


def flagged() -> ApiError:
    """The bot is flagged as spam. https://github.com/discord/discord-api-docs/issues/5987"""
    return ApiError(403, 20026, "Your bot has been flagged by our anti-spam system for abusive behavior")


def opening_too_fast() -> ApiError:
    """The bot has opened direct messages with too many people in a short time."""
    return ApiError(403, 40003, "You are opening direct messages too fast")


def thread_archived(status: int = 400) -> ApiError:
    """The thread is archived: nothing in it can be changed. Messages refused in a locked one have *status* 403."""
    return ApiError(status, 50083, "Thread is archived")


def thread_there_already() -> ApiError:
    """The message has a thread already."""
    return ApiError(400, 160004, "A thread has already been created for this message")


def unknown_member() -> ApiError:
    """Nobody with this id is in the server."""
    return ApiError(404, 10007, "Unknown Member")


def thread_locked() -> ApiError:
    """Only moderators write in the thread."""
    return ApiError(403, 160005, "Thread is locked")


def missing_permissions() -> ApiError:
    """This person sees the channel, but may not do this in it."""
    return ApiError(403, 50013, "Missing Permissions")


def invalid_token() -> ApiError:
    """The token of an interaction has expired: its 15 minutes are over."""
    return ApiError(401, 50027, "Invalid Webhook Token")


def not_json() -> ApiError:
    """The body cannot be read as JSON."""
    return ApiError(400, 50109, "The request body contains invalid JSON.")


def invalid_form(path: str, code: str, message: str) -> ApiError:
    """Error 50035 at *path*, which is dotted, such as ``components.0.label``, or empty for the body as a whole.

    *code* is the name of the rule that was broken, such as ``BASE_TYPE_REQUIRED``.
    """
    inner: dict[str, Any] = {"_errors": [{"code": code, "message": message}]}
    for key in reversed(path.split(".") if path else []):
        inner = {key: inner}
    return ApiError(400, 50035, "Invalid Form Body", inner)
