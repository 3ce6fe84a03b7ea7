"""What an edit may make of a message. https://discord.com/developers/docs/resources/message#edit-message"""

from typing import Any

from local_discord.errors import empty_message, invalid_form
from local_discord.model import Message, MessageFlag


def content_after(message: Message, data: dict[str, Any]) -> str:
    """The content that *message* has after the edit *data*. That a deferred answer "is thinking" is no content."""
    if "content" in data or message.flags & MessageFlag.LOADING:
        return data.get("content") or ""
    return message.content


def check_edit(message: Message, data: dict[str, Any], flags: int) -> None:
    """Check what the edit *data* makes of *message*, which will have *flags*.

    The flag for components V2 can be added, once and for all, but the fields that it replaces must be emptied with it.

    Raises:
        ApiError: one of them would stay (50035), or nothing would be left (50006).
    """
    embeds = data.get("embeds", message.embeds)
    left = {"content": content_after(message, data), "embeds": embeds}
    for field, value in left.items():
        if flags & MessageFlag.COMPONENTS_V2 and value:
            raise invalid_form(
                field,
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
            )
    components = data.get("components", message.components)
    attachments = data.get("attachments") or message.attachments
    if not (any(left.values()) or components or (attachments and not flags & MessageFlag.COMPONENTS_V2)):
        raise empty_message()
