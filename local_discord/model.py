"""People, channels, messages and interactions, as this server keeps them: in memory, and mutable.

Times are ms since 1970. A locale is one of Discord's codes, such as ``en-US``:
https://discord.com/developers/docs/reference#locales
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any, Final

from local_discord.images import Picture


class ChannelType(IntEnum):
    """The kinds of channel here. https://discord.com/developers/docs/resources/channel#channel-object-channel-types"""

    TEXT = 0
    DM = 1
    VOICE = 2
    GROUP_DM = 3
    THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13


VOICES: Final = (ChannelType.VOICE, ChannelType.STAGE)
"""Those in which people speak. They have a text chat too."""
THREADS: Final = (ChannelType.THREAD, ChannelType.PRIVATE_THREAD)
PRIVATE: Final = (ChannelType.DM, ChannelType.GROUP_DM)
"""Those that belong to no server."""
COMMUNITY: Final = "COMMUNITY"
"""The feature of a server that may have a language of its own."""
DEFAULT_LOCALE: Final = "en-US"


class InteractionType(IntEnum):
    """What a person did. Autocomplete (4) is not here: options that ask for it are refused.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-type
    """

    COMMAND = 2
    COMPONENT = 3
    MODAL = 5


class Context(IntEnum):
    """The kind of place in which something is used.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-context-types
    """

    GUILD = 0
    BOT_DM = 1
    """The direct messages with the bot."""
    PRIVATE_CHANNEL = 2
    """Group DMs, and the direct messages of two people."""


class Install(IntEnum):
    """What the application is installed to. Discord calls it an integration type.

    https://discord.com/developers/docs/resources/application#application-object-application-integration-types
    """

    GUILD = 0
    USER = 1


class Reply(IntEnum):
    """How the bot responds to an interaction.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-interaction-callback-type
    """

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    MODAL = 9


class MessageFlag(IntFlag):
    """The flags that requests may set, and LOADING. https://discord.com/developers/docs/resources/message#message-object-message-flags"""

    SUPPRESS_EMBEDS = 1 << 2
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    VOICE = 1 << 13
    COMPONENTS_V2 = 1 << 15


PERMISSIONS: Final = {
    "administrator": 1 << 3,
    "manage_channels": 1 << 4,
    "manage_guild": 1 << 5,
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_external_emojis": 1 << 18,
    "connect": 1 << 20,
    "use_application_commands": 1 << 31,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
    "use_external_apps": 1 << 50,
}
"""The permissions this server knows, by name. https://discord.com/developers/docs/topics/permissions"""


def permission_set(names: Iterable[str]) -> int:
    """Return the permission set (bits) of the permissions *names*; or raise KeyError for an unknown name.

    Raises:
        KeyError: a name is not in ``PERMISSIONS``.
    """
    return sum(PERMISSIONS[name] for name in set(names))


ROLES: Final = (
    "administrator",
    "manage_channels",
    "manage_guild",
    "manage_messages",
    "manage_threads",
    "mention_everyone",
)
"""The permissions that not everybody has. On each server there is a role for each of them."""
USER_PERMISSIONS: Final = permission_set(PERMISSIONS.keys() - set(ROLES))
ALL_PERMISSIONS: Final = ((1 << 53) - 1) & ~(1 << 47)
"""Every permission that Discord has, also those without a meaning here."""
MODERATION: Final = permission_set(("manage_messages", "manage_channels", "manage_threads"))
"""What makes somebody a moderator."""
BOT_IN_PRIVATE_CHANNELS: Final = permission_set(("attach_files", "embed_links", "mention_everyone"))
"""What the bot may do in group DMs and the direct messages of two people, as an interaction there says.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-structure
"""
BOT_IN_DMS: Final = BOT_IN_PRIVATE_CHANNELS | PERMISSIONS["use_external_emojis"]
"""What the bot may do in direct messages with it, as an interaction there says.

https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-structure
"""


class Intent(IntFlag):
    """The gateway intents with a meaning here. https://discord.com/developers/docs/events/gateway#list-of-intents"""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED: Final = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT
"""Those that must be switched on in the application's settings."""


@dataclass
class User:
    """A person or the bot."""

    id: int
    name: str
    token: str
    """What proves who sends a request; a bot's without its prefix "Bot "."""
    bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True
    """Whether this person takes direct messages from members of the server."""
    blocks_app: bool = False
    """Whether this person has blocked the bot."""
    opening_refused: bool = False
    """Whether Discord refuses to open direct messages between the bot and this person."""
    reopens_threads: bool = False
    """Whether their client reopens an archived thread before it sends a click, as those for phones and the web do."""
    installed: bool = False
    """Whether this person has installed the application to their account."""
    granted: int = 0
    """What this person may do on every server besides what everybody may: a permission set out of ``ROLES``. The owner
    of a server may do everything there."""
    username: str = ""
    """What nobody else is called; it stays when the name changes."""

    def __post_init__(self) -> None:
        self.username = self.username or re.sub(r"[^a-z0-9_.]", "_", self.name.lower())[:32]


@dataclass
class Channel:
    """A text or voice channel, a thread, the direct messages of two people, or a group DM."""

    id: int
    type: ChannelType
    name: str = ""
    """Empty for direct messages. A group DM may have one."""
    guild: int | None = None
    """``None`` for direct messages and group DMs."""
    parent: int | None = None
    """The text channel that a thread belongs to."""
    recipients: tuple[int, ...] = ()
    """The people of direct messages or of a group DM, who made it first. Empty in channels of servers: all members are
    there."""
    bot_permissions: int = USER_PERMISSIONS
    """What the bot may do here, as a permission set."""
    people_denied: int = 0
    """What people may not do here, as a permission set, unless they own the server or are administrators."""
    messages: dict[int, "Message"] = field(default_factory=dict)
    """By id, oldest first."""
    thread: "Thread | None" = None
    """What a thread has beyond other channels; ``None`` if it is none."""


@dataclass
class Thread:
    """The life of a thread, and who is in it. https://discord.com/developers/docs/topics/threads"""

    owner: int
    """The id of who started it."""
    members: list[int]
    """The ids of those in it, in the order they came. A private thread is seen by them and by moderators alone."""
    changed_at: int
    """When it was last archived or reopened, or began."""
    active_at: int
    """When somebody last wrote there, or reopened it."""
    archive_seconds: float = 7 * 24 * 3600
    """After so long without activity it archives."""
    archived: bool = False
    locked: bool = False
    """Only moderators write there, and reopen it."""


@dataclass
class Guild:
    """A server in Discord's sense, with the ids of its channels, threads and members.

    The bot is one of the members, or the server has only its commands (scope ``applications.commands``), or nothing
    of it (``installed``).
    """

    id: int
    name: str
    owner: int
    channels: list[int]
    members: list[int]
    locale: str = DEFAULT_LOCALE
    """The language that was chosen for it; it counts in a Community server alone."""
    features: list[str] = field(default_factory=lambda: [COMMUNITY])
    """https://discord.com/developers/docs/resources/guild#guild-object-guild-features"""
    installed: bool = True
    """Whether the application is installed to it. If not, the bot is no member, and people use it here only if they
    have installed it to their account."""
    unavailable: bool = False
    """It has an outage: bots get no GUILD_CREATE of it. Requests and events go on as before."""

    @property
    def preferred_locale(self) -> str:
        """The language that Discord reports for the server: its own in a Community server, otherwise
        ``DEFAULT_LOCALE``."""
        return self.locale if COMMUNITY in self.features else DEFAULT_LOCALE


@dataclass
class Attachment:
    """A file that came with a message."""

    id: int
    filename: str
    content_type: str
    data: bytes
    description: str | None = None
    """The text for those who cannot see a picture."""
    title: str | None = None
    """The name it was sent with, without its ending, if ``filename`` is another one."""
    picture: Picture | None = None
    """``None``: it is no picture."""


@dataclass
class Emoji:
    """One of the application's own emojis."""

    id: int
    name: str
    content_type: str
    data: bytes


@dataclass
class Message:
    """A message; *channel*, *author*, *mentions* and *reader* are ids."""

    id: int
    channel: int
    author: int
    content: str = ""
    components: list[dict[str, Any]] = field(default_factory=list)
    embeds: list[dict[str, Any]] = field(default_factory=list)
    flags: int = 0
    attachments: list["Attachment"] = field(default_factory=list)
    edited_at: int | None = None
    aged_ms: int = 0
    """So much older it counts than its id says: see ``POST /local/messages``."""
    mentions: tuple[int, ...] = ()
    nonce: str | None = None
    reader: int | None = None
    """The only person who sees an ephemeral message. ``None``: everybody in the channel sees it."""
    interaction: "Interaction | None" = None
    """The interaction it answers."""
    follow_up: bool = False
    """It came after the first answer to its interaction."""
    reference: int | None = None
    """The message it replies to."""


@dataclass
class Interaction:
    """A command, a click or a submitted modal; *user*, *channel* and *guild* are ids."""

    id: int
    token: str
    type: InteractionType
    user: int
    channel: int
    guild: int | None
    """``None`` in direct messages."""
    data: dict[str, Any]
    """What was used and chosen, as the person's client sent it."""
    nonce: str | None
    """The client's own mark; the client finds it again in the events about this interaction."""
    message: int | None = None
    """The message whose component was used."""
    original: int | None = None
    """The message that ``@original`` means."""
    replied: Reply | None = None
    """How the bot has responded; ``None``: not yet."""
    failed: bool = False
    """The bot did not respond in time."""
    modal: dict[str, Any] | None = None
    """The modal that was shown in answer, until it is submitted."""
    opened_by: "Interaction | None" = None
    """For a modal: the interaction that it was the answer to."""
    made_at: int = 0
    owners: dict[str, str] = field(default_factory=dict)
    """The authorizing integration owners: see ``serialize.owners``."""
    follow_ups: int = 0
    """How many follow-ups there were."""

    @property
    def is_user_install_only(self) -> bool:
        """Whether the interaction is authorized by somebody's account alone, and not by the server."""
        return set(self.owners) == {str(int(Install.USER))}
