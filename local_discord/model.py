"""People, channels, messages and interactions, as this server keeps them: in memory, and mutable."""

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any, Final


class ChannelType(IntEnum):
    TEXT = 0
    DM = 1
    THREAD = 11


class InteractionType(IntEnum):
    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Reply(IntEnum):
    """Interaction callback types."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


class MessageFlag(IntFlag):
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    COMPONENTS_V2 = 1 << 15


PERMISSIONS: Final = {
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "use_external_emojis": 1 << 18,
    "use_application_commands": 1 << 31,
    "send_messages_in_threads": 1 << 38,
}
"""The permissions this server knows, by name. https://discord.com/developers/docs/topics/permissions"""

USER_PERMISSIONS: Final = sum(bit for name, bit in PERMISSIONS.items() if name != "manage_messages")
MODERATOR_PERMISSIONS: Final = sum(PERMISSIONS.values())
BOT_PERMISSIONS: Final = USER_PERMISSIONS


@dataclass
class User:
    id: int
    name: str
    token: str
    bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True
    moderator: bool = False


@dataclass
class Channel:
    id: int
    type: ChannelType
    name: str = ""
    guild: int | None = None
    parent: int | None = None
    recipients: tuple[int, ...] = ()
    bot_permissions: int = BOT_PERMISSIONS
    messages: dict[int, "Message"] = field(default_factory=dict)
    nonces: dict[str, int] = field(default_factory=dict)
    """Nonces of messages made with ``enforce_nonce``."""


@dataclass
class Guild:
    id: int
    name: str
    owner: int
    channels: list[int]
    members: list[int]
    locale: str = "en-US"


@dataclass
class Attachment:
    id: int
    filename: str
    content_type: str
    data: bytes
    description: str | None = None


@dataclass
class Emoji:
    """One of the application's own."""

    id: int
    name: str
    content_type: str
    data: bytes


@dataclass
class Message:
    id: int
    channel: int
    author: int
    content: str = ""
    components: list[dict[str, Any]] = field(default_factory=list)
    embeds: list[dict[str, Any]] = field(default_factory=list)
    flags: int = 0
    attachments: list["Attachment"] = field(default_factory=list)
    edited_at: int | None = None
    mentions: tuple[int, ...] = ()
    nonce: str | None = None
    reader: int | None = None
    """The only person who sees it (ephemeral)."""
    interaction: "Interaction | None" = None
    """The interaction it answers."""


@dataclass
class Interaction:
    id: int
    token: str
    type: InteractionType
    user: int
    channel: int
    guild: int | None
    data: dict[str, Any]
    nonce: str | None
    session: str | None
    message: int | None = None
    """The message whose component was used."""
    original: int | None = None
    """The message that ``@original`` means."""
    replied: Reply | None = None
    failed: bool = False
    ephemeral: bool = False
    modal: str | None = None
    """The custom_id of the modal that was shown in answer, until it is submitted."""
    made_at: int = 0
