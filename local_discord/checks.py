"""What Discord refuses in a message: error 50035 with the path.

https://discord.com/developers/docs/resources/message#create-message

Replies, polls, stickers, text to speech, voice messages, and the flag that suppresses embeds are not here. They are
refused too, as a bot that uses them would otherwise look as if it worked.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from local_discord.components import Component, Emojis, parse_components
from local_discord.embeds import Embed, parse_embeds
from local_discord.errors import ApiError, empty_message, invalid_form
from local_discord.forms import Form, snowflake, too_long_error
from local_discord.model import Message, MessageFlag

log = logging.getLogger(__name__)
T = TypeVar("T")

MOST_CONTENT: Final = 2000
MOST_NONCE: Final = 25
MOST_MENTIONS: Final = 100
MOST_FLAGS: Final = (1 << 31) - 1
NOT_HERE: Final = ("tts", "message_reference", "poll", "sticker_ids", "shared_client_theme")
MENTIONS: Final = ("users", "roles", "everyone")


class Draft(NamedTuple):
    """What a request says about a message; ``None`` fields are not mentioned, and an edit leaves them as they are."""

    content: str | None
    embeds: list[Embed] | None
    components: list[Component] | None
    flags: int
    """Those that the request sets."""
    nonce: str | None
    mentions: set[int] | None
    """Who may be notified, by id; ``None``: whoever is mentioned."""


def parse_message_draft(data: Any, flags: int, emojis: Emojis = None) -> Draft:
    """Return what *data*, a request's body, says about a message with *flags*; or raise ApiError (50035) if it breaks a
    limit or asks for what is not here."""
    form = Form(data)
    form.boolean("tts")
    for key in NOT_HERE:
        if form.value(key):
            raise unsupported_field_error(form, key)
    own = form.whole("flags", 0, MOST_FLAGS) or 0
    if own & (MessageFlag.SUPPRESS_EMBEDS | MessageFlag.VOICE):
        raise unsupported_field_error(form, "flags")
    content = form.text("content")
    if content is not None and len(content) > MOST_CONTENT:
        raise too_long_error("content", MOST_CONTENT)
    form.boolean("enforce_nonce")
    v2 = bool((flags | own) & MessageFlag.COMPONENTS_V2)
    draft = Draft(
        content=_optional_value(form, "content", "", lambda it: it),
        embeds=_optional_value(form, "embeds", [], parse_embeds),
        components=_optional_value(form, "components", [], lambda it: parse_components(it, v2, emojis)),
        flags=own,
        nonce=_nonce(form),
        mentions=_parse_allowed_mentions(form.form("allowed_mentions")),
    )
    if v2:
        _check_v2(draft.content, draft.embeds)
    return draft


def check_finished_message(message: Message) -> None:
    """Raise ApiError if the finished *message* shows nothing (50006), or has components V2 beside content or embeds
    (50035).

    A placeholder that is still loading may show nothing.
    """
    if message.flags & MessageFlag.LOADING:
        return
    shown: Sequence[object] = message.components
    if message.flags & MessageFlag.COMPONENTS_V2:
        _check_v2(message.content, message.embeds)
    else:
        shown = (*shown, *message.embeds, *message.attachments, *message.content.split())
    if not shown:
        raise empty_message()


def _optional_value(form: Form, key: str, nothing: Any, read: Callable[[Any], T]) -> T | None:
    """Return ``read(value of key)``, or *nothing* if the value is null; ``None`` if the request does not have *key*."""
    if key not in form.data:
        return None
    value = form.value(key)
    found: T = nothing if value is None else read(value)
    return found


def _check_v2(content: str | None, found: list[Embed] | None) -> None:
    """Raise ApiError if a message with components V2 also has *content* or embeds (*found*)."""
    for field, value in (("content", content), ("embeds", found)):
        if value:
            raise invalid_form(
                field,
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )


def unsupported_field_error(form: Form, key: str) -> ApiError:
    """Log that this server does not support the field *key* of *form*, and return the error (50035) for the caller to
    raise."""
    log.warning("not implemented: %s", form.path_of(key))
    return form.error_for(key, "NOT_IMPLEMENTED", "This local Discord does not have this.")


def _nonce(form: Form) -> str | None:
    """Return the nonce of the message in *form* as text; ``None`` if it has none; or raise ApiError."""
    found = form.value("nonce")
    if isinstance(found, int) and not isinstance(found, bool):
        form.whole("nonce", -(1 << 63), (1 << 63) - 1)
        return str(found)
    return form.text("nonce", 0, MOST_NONCE)


def _parse_allowed_mentions(form: Form | None) -> set[int] | None:
    """Return the ids that may be notified, from ``allowed_mentions`` in *form*; ``None``: whoever is mentioned. Or
    raise ApiError.

    https://discord.com/developers/docs/resources/message#allowed-mentions-object
    """
    if form is None:
        return None
    form.boolean("replied_user")
    parse = form.list_field("parse") or []
    for index, item in enumerate(parse):
        if item not in MENTIONS:
            raise invalid_form(
                f"{form.path_of('parse')}.{index}", "BASE_TYPE_CHOICES", f"Value must be one of {MENTIONS}."
            )
    named = {
        key: {
            snowflake(it, f"{form.path_of(key)}.{i}")
            for i, it in enumerate(form.list_field(key, most=MOST_MENTIONS) or [])
        }
        for key in ("users", "roles")
    }
    for key, ids in named.items():
        if ids and key in parse:
            message = f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.'
            raise invalid_form(form.path, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)
    return None if "users" in parse else named["users"]
