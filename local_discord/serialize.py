"""People, channels, servers, emojis, messages and answers as API objects: JSON as Discord documents it."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from local_discord.attachments import attachment_url
from local_discord.initial import APPLICATION
from local_discord.model import (
    PERMISSIONS,
    ROLES,
    USER_PERMISSIONS,
    VOICES,
    Attachment,
    Channel,
    ChannelType,
    Emoji,
    Guild,
    Install,
    Intent,
    Interaction,
    InteractionType,
    Message,
    MessageFlag,
    Reply,
    User,
)
from local_discord.snowflake import snowflake_time_ms

AUTO_ARCHIVE_MINUTES: Final = (60, 1440, 4320, 10080)
"""The values that ``auto_archive_duration`` may have."""
GUILD_CREATE_ONLY: Final = (
    "joined_at", "large", "unavailable", "member_count", "voice_states", "members", "channels", "threads", "presences",
    "stage_instances", "guild_scheduled_events", "soundboard_sounds",
)  # fmt: skip
"""What a guild object has in that event alone: https://discord.com/developers/docs/events/gateway-events#guild-create"""


def timestamp(ms: int) -> str:
    """Write the time *ms* (since 1970) in ISO 8601, as Discord does."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()


def user(person: User) -> dict[str, Any]:
    """Return *person* as a user object.

    https://discord.com/developers/docs/resources/user#user-object
    """
    return {
        "id": str(person.id),
        "username": person.username,
        "global_name": person.name,
        "discriminator": "0",
        "avatar": None,
        "bot": person.bot,
        "flags": 0,
        "public_flags": 0,
        "primary_guild": None,
    }


def member(person: User, guild: int, permissions: int | None = None) -> dict[str, Any]:
    """Return *person* as a member object of *guild*; *permissions* is a permission set that only interactions have.

    https://discord.com/developers/docs/resources/guild#guild-member-object
    """
    data = {
        "user": user(person),
        "nick": None,
        "avatar": None,
        "banner": None,
        "roles": [str(_permission_role_id(guild, name)) for name in ROLES if person.granted & PERMISSIONS[name]],
        "joined_at": timestamp(snowflake_time_ms(person.id)),
        "premium_since": None,
        "communication_disabled_until": None,
        "pending": False,
        "deaf": False,
        "mute": False,
        "flags": 0,
    }
    return data if permissions is None else {**data, "permissions": str(permissions)}


def _permission_role_id(guild: int, permission: str) -> int:
    """The id of the role in *guild* (an id) that grants *permission*."""
    return guild + 1 + ROLES.index(permission)


def roles(guild: int) -> list[dict[str, Any]]:
    """Return the roles of *guild* (an id) as objects: the role of everybody, and one for each permission that not
    everybody has.

    https://discord.com/developers/docs/topics/permissions#role-object
    """
    given = [(guild, "@everyone", USER_PERMISSIONS)]
    given += [
        (_permission_role_id(guild, name), name.replace("_", " ").capitalize(), PERMISSIONS[name]) for name in ROLES
    ]
    return [
        {
            "id": str(number),
            "name": name,
            "description": None,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "position": position,
            "permissions": str(permissions),
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }
        for position, (number, name, permissions) in enumerate(given)
    ]


def channel(it: Channel, recipients: list[User] | None = None) -> dict[str, Any]:
    """Return the channel or thread *it* as a channel object; direct messages and group DMs need *recipients*, the other
    people.

    https://discord.com/developers/docs/resources/channel#channel-object
    """
    last = str(next(reversed(it.messages))) if it.messages else None
    if it.type is ChannelType.DM:
        return {
            "id": str(it.id),
            "type": 1,
            "last_message_id": last,
            "flags": 0,
            "recipients": [user(person) for person in recipients or []],
        }
    if it.type is ChannelType.GROUP_DM:
        return {
            "id": str(it.id),
            "type": 3,
            "last_message_id": last,
            "flags": 0,
            "name": it.name or None,
            "icon": None,
            "owner_id": str(it.recipients[0]),
            "managed": False,
            "recipients": [user(person) for person in recipients or []],
        }
    data: dict[str, Any] = {
        "id": str(it.id),
        "type": int(it.type),
        "guild_id": str(it.guild),
        "name": it.name,
        "parent_id": str(it.parent) if it.parent else None,
        "last_message_id": last,
        "flags": 0,
    }
    if it.thread is not None:
        minutes = it.thread.archive_seconds / 60
        data |= {
            "owner_id": str(it.thread.owner),
            "message_count": len(it.messages),
            "total_message_sent": len(it.messages),
            "member_count": len(it.thread.members),
            "thread_metadata": {
                "archived": it.thread.archived,
                "auto_archive_duration": next((m for m in AUTO_ARCHIVE_MINUTES if m >= minutes), 10080),
                "archive_timestamp": timestamp(it.thread.changed_at),
                "locked": it.thread.locked,
            },
        }
    else:
        data |= {"position": 0, "nsfw": False, "topic": None, "rate_limit_per_user": 0}
        if it.type in VOICES:
            data |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        data["permission_overwrites"] = _permission_overwrites(it)
    return data


def _permission_overwrites(it: Channel) -> list[dict[str, Any]]:
    """Return the permission overwrites of the channel *it*: what people and the bot may do there differently from
    elsewhere.

    https://discord.com/developers/docs/resources/channel#overwrite-object
    """
    people = USER_PERMISSIONS & ~it.people_denied
    allow, deny = it.bot_permissions & ~people, people & ~it.bot_permissions
    everyone = {"id": str(it.guild), "type": 0, "allow": "0", "deny": str(it.people_denied)}
    member = {"id": str(APPLICATION), "type": 1, "allow": str(allow), "deny": str(deny)}
    return [*([everyone] if it.people_denied else []), *([member] if allow or deny else [])]


def thread_member(it: Channel, user: int) -> dict[str, Any]:
    """Return the thread member object of *user* (an id) in the thread *it*.

    https://discord.com/developers/docs/resources/channel#thread-member-object
    """
    return {"id": str(it.id), "user_id": str(user), "join_timestamp": timestamp(snowflake_time_ms(it.id)), "flags": 0}


def channel_deletion_event(it: Channel) -> tuple[str, dict[str, Any]]:
    """Return the gateway event (name, payload) that announces the deletion of the channel or thread *it*.

    https://discord.com/developers/docs/events/gateway-events#thread-delete
    """
    whole = channel(it)
    if it.thread is None:
        return "CHANNEL_DELETE", whole
    return "THREAD_DELETE", {key: whole[key] for key in ("id", "guild_id", "parent_id", "type")}


def thread_member_field(it: Channel, person: User, *, named: bool = True) -> dict[str, Any]:
    """Return the field ``member`` for *person* in a channel object of the thread *it*; empty if they are not in it, or
    it is no thread."""
    if it.thread is None or person.id not in it.thread.members:
        return {}
    found = thread_member(it, person.id)
    return {"member": found if named else {key: found[key] for key in ("join_timestamp", "flags")}}


def guild(it: Guild, channels: list[Channel], threads: list[dict[str, Any]], members: list[User]) -> dict[str, Any]:
    """Return the server *it* as a guild object with everything that GUILD_CREATE adds: channels, threads, members.

    https://discord.com/developers/docs/resources/guild#guild-object and .../events/gateway-events#guild-create
    """
    return {
        "id": str(it.id),
        "name": it.name,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "owner_id": str(it.owner),
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "roles": roles(it.id),
        "emojis": [],
        "features": it.features,
        "mfa_level": 0,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "vanity_url_code": None,
        "description": None,
        "banner": None,
        "premium_tier": 0,
        "preferred_locale": it.preferred_locale,
        "public_updates_channel_id": None,
        "nsfw_level": 0,
        "premium_progress_bar_enabled": False,
        "safety_alerts_channel_id": None,
        "joined_at": timestamp(snowflake_time_ms(it.id)),
        "large": False,
        "unavailable": False,
        "member_count": len(it.members),
        "voice_states": [],
        "members": [member(person, it.id) for person in members],
        "channels": [channel(c) for c in channels if c.thread is None],
        "threads": threads,
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "incidents_data": None,
        "stickers": [],
    }


def application_flags(intents: Intent) -> int:
    """The flags (bits) of an application whose settings allow the privileged *intents*.

    https://discord.com/developers/docs/resources/application#application-object-application-flags
    """
    return (1 << 15 if intents & Intent.GUILD_MEMBERS else 0) | (1 << 19 if intents & Intent.MESSAGE_CONTENT else 0)


def emoji(it: Emoji, maker: User) -> dict[str, Any]:
    """Return *it* as an emoji object, uploaded by *maker*."""
    return {
        "id": str(it.id),
        "name": it.name,
        "roles": [],
        "user": user(maker),
        "require_colons": True,
        "managed": False,
        "animated": False,
        "available": True,
    }


def attachment(it: Attachment, url: str, *, ephemeral: bool) -> dict[str, Any]:
    """Return *it* as an attachment object with the address *url*; *ephemeral* if its message is.

    https://discord.com/developers/docs/resources/message#attachment-object
    """
    data: dict[str, Any] = {
        "id": str(it.id),
        "filename": it.filename,
        "content_type": it.content_type,
        "size": len(it.data),
        "url": url,
        "proxy_url": url,
    }
    if it.picture:
        data |= {"width": it.picture.width, "height": it.picture.height}
    if ephemeral:
        data["ephemeral"] = True
    said = {"description": it.description, "title": it.title}
    return data | {key: value for key, value in said.items() if value is not None}


def message(
    it: Message, author: User, mentions: list[User], inviter: User | None, guild: int | None, base: str
) -> dict[str, Any]:
    """Return *it* as a message object.

    *guild* is the id of its server, *base* this server's address. *inviter* is who made the interaction that the
    message answers; ``None``: it answers none. https://discord.com/developers/docs/resources/message#message-object
    """
    private = it.reader is not None
    data: dict[str, Any] = {
        "id": str(it.id),
        "channel_id": str(it.channel),
        "author": user(author),
        "content": it.content,
        "timestamp": timestamp(snowflake_time_ms(it.id)),
        "edited_timestamp": timestamp(it.edited_at) if it.edited_at else None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(person) for person in mentions],
        "mention_roles": [],
        "attachments": [
            attachment(file, attachment_url(base, it.channel, file), ephemeral=private) for file in it.attachments
        ],
        "embeds": it.embeds,
        "pinned": False,
        "type": 0,
        "flags": it.flags,
        "components": it.components,
    }
    if it.nonce is not None:
        data["nonce"] = it.nonce
    if it.reference is not None:
        place = {"channel_id": str(it.channel), **({"guild_id": str(guild)} if guild else {})}
        data |= {"type": 19, "message_reference": {"type": 0, "message_id": str(it.reference), **place}}
    if it.interaction is not None and inviter is not None:
        data |= {"application_id": str(APPLICATION), "webhook_id": str(APPLICATION)}
        data["interaction_metadata"] = metadata(it.interaction, inviter)
        if it.follow_up and it.interaction.original is not None:
            data["interaction_metadata"]["original_response_message_id"] = str(it.interaction.original)
        if it.interaction.type is InteractionType.COMMAND and not it.follow_up:
            used = {"id": str(it.interaction.id), "type": 2, "name": full_name(it.interaction.data)}
            data |= {"type": 20, "interaction": {**used, "user": user(inviter)}}
    return data


def full_name(command: dict[str, Any]) -> str:
    """Return the name of a used command with its subcommands, separated by spaces, from the interaction's data,
    *command*."""
    inner = [option for option in command.get("options") or [] if option.get("type") in (1, 2)]
    return " ".join([str(command.get("name", "")), *(full_name(option) for option in inner)])


def owners(installs: Iterable[Install], guild: int | None, person: int) -> dict[str, str]:
    """Return the authorizing integration owners of an interaction that *person* made by *installs*, in *guild* (an id;
    ``None``: in a private channel).

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-authorizing-integration-owners-object
    """
    return {str(int(it)): str((guild or 0) if it is Install.GUILD else person) for it in installs}


def metadata(it: Interaction, inviter: User) -> dict[str, Any]:
    """Return the field ``interaction_metadata`` of a message that answers the interaction *it*, made by *inviter*.

    https://discord.com/developers/docs/resources/message#message-interaction-metadata-object
    """
    data = {
        "id": str(it.id),
        "type": int(it.type),
        "user": user(inviter),
        "authorizing_integration_owners": it.owners,
    }
    if it.type is InteractionType.COMPONENT:
        data["interacted_message_id"] = str(it.message)
    if it.opened_by is not None:
        data["triggering_interaction_metadata"] = metadata(it.opened_by, inviter)
    return data


def without_content(it: dict[str, Any], bot: int) -> dict[str, Any]:
    """Return the message object *it* as *bot* (an id) sees it without the intent for content: emptied, unless it is its
    own or mentions it.

    https://discord.com/developers/docs/events/gateway#message-content-intent
    """
    mentioned = any(person["id"] == str(bot) for person in it["mentions"])
    hidden = {"content": "", "embeds": [], "attachments": [], "components": []}
    return it if it["author"]["id"] == str(bot) or mentioned else {**it, **hidden}


def callback(it: Interaction, reply: int, sent: dict[str, Any] | None) -> dict[str, Any]:
    """Return the callback object that the bot gets for its response *reply* to *it*; *sent* is the message object,
    ``None`` without a message.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-callback-interaction-callback-object
    """
    data: dict[str, Any] = {"interaction": {"id": str(it.id), "type": int(it.type)}}
    if sent is not None:
        data["interaction"] |= {
            "response_message_id": sent["id"],
            "response_message_loading": bool(sent["flags"] & MessageFlag.LOADING),
            "response_message_ephemeral": bool(sent["flags"] & MessageFlag.EPHEMERAL),
        }
        if reply in (Reply.MESSAGE, Reply.UPDATE):
            data["resource"] = {"type": reply, "message": sent}
    return data
