"""Which kind of request goes to an address of Discord's. There are few kinds, and none holds an id or a token."""

from typing import Final

COUNTED: Final = frozenset({"send", "edit", "delete", "look", "open_dm", "emojis", "commands", "other"})
"""The kinds that count against Discord's 50 requests a second. https://discord.com/developers/docs/topics/rate-limits"""

UNCOUNTED: Final = frozenset({"answer", "follow_up", "token_edit", "token_delete", "token_look", "gateway"})
"""The kinds that do not: those on interaction tokens, and the gateway's connection."""

_ON_MESSAGE: Final = {"PATCH": "edit", "DELETE": "delete", "GET": "look"}


def kind_of(method: str, path: str) -> str:
    """The kind of the request *method* to *path*, one of COUNTED and UNCOUNTED.

    >>> kind_of("POST", "/api/v10/interactions/12/aW50ZXJ/callback")
    'answer'
    >>> kind_of("PATCH", "/api/v10/webhooks/12/aW50ZXJ/messages/34")
    'token_edit'
    >>> kind_of("PATCH", "/api/v10/channels/12/messages/34")
    'edit'
    >>> kind_of("GET", "/gateway")
    'gateway'
    """
    parts = path.split("/")
    if "interactions" in parts:
        return "answer"
    if "webhooks" in parts:
        return "token_" + _ON_MESSAGE[method] if "messages" in parts and method in _ON_MESSAGE else "follow_up"
    if "channels" in parts:
        if "messages" in parts:
            return "send" if method == "POST" else _ON_MESSAGE.get(method, "other")
        return "open_dm" if "users" in parts else "other"
    if "emojis" in parts:
        return "emojis"
    if "commands" in parts:
        return "commands"
    return "gateway" if "gateway" in parts or parts == ["", ""] else "other"
