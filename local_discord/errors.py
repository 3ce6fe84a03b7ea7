"""Discord's error shapes. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json"""

from typing import Any


class ApiError(Exception):
    """A refusal: HTTP *status*, JSON *code* and *message*, and for invalid forms the *errors* by path."""

    def __init__(self, status: int, code: int, message: str, errors: dict[str, Any] | None = None) -> None:
        super().__init__(f"{code} {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """What the client reads."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors:
            body["errors"] = self.errors
        return body


def unauthorized() -> ApiError:
    return ApiError(401, 0, "401: Unauthorized")


def unknown_route() -> ApiError:
    return ApiError(404, 0, "404: Not Found")


def unknown_channel() -> ApiError:
    return ApiError(404, 10003, "Unknown Channel")


def unknown_guild() -> ApiError:
    return ApiError(404, 10004, "Unknown Guild")


def unknown_message() -> ApiError:
    return ApiError(404, 10008, "Unknown Message")


def unknown_user() -> ApiError:
    return ApiError(404, 10013, "Unknown User")


def unknown_emoji() -> ApiError:
    return ApiError(404, 10014, "Unknown Emoji")


def too_many_emojis() -> ApiError:
    return ApiError(400, 30008, "Maximum number of emojis reached")


def unknown_webhook() -> ApiError:
    return ApiError(404, 10015, "Unknown Webhook")


def unknown_interaction() -> ApiError:
    return ApiError(404, 10062, "Unknown interaction")


def unknown_command() -> ApiError:
    return ApiError(404, 10063, "Unknown application command")


def already_answered() -> ApiError:
    return ApiError(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> ApiError:
    return ApiError(403, 50001, "Missing Access")


def not_the_author() -> ApiError:
    return ApiError(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> ApiError:
    return ApiError(400, 50006, "Cannot send an empty message")


def closed_dms() -> ApiError:
    return ApiError(403, 50007, "Cannot send messages to this user")


def missing_permissions() -> ApiError:
    return ApiError(403, 50013, "Missing Permissions")


def invalid_token() -> ApiError:
    return ApiError(401, 50027, "Invalid Webhook Token")


def not_json() -> ApiError:
    return ApiError(400, 50109, "The request body contains invalid JSON.")


def invalid_form(path: str, code: str, message: str) -> ApiError:
    """Error 50035 at *path*, a dotted path such as ``components.0.label``."""
    inner: dict[str, Any] = {"_errors": [{"code": code, "message": message}]}
    for key in reversed(path.split(".") if path else []):
        inner = {key: inner}
    return ApiError(400, 50035, "Invalid Form Body", inner)
