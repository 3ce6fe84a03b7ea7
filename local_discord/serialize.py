"""People, channels, messages and interactions as API objects: JSON as Discord documents it."""

from datetime import UTC, datetime
from typing import Any, Final

from local_discord.attachments import url_of
from local_discord.model import (
    Channel,
    ChannelType,
    Emoji,
    Guild,
    Interaction,
    InteractionType,
    Message,
    MessageFlag,
    User,
)
from local_discord.snowflake import time_of

AUTO_ARCHIVE_MINUTES: Final = (60, 1440, 4320, 10080)
"""The values that ``auto_archive_duration`` may have."""
GUILD_CREATE_ONLY: Final = (
    "joined_at", "large", "unavailable", "member_count", "voice_states", "members", "channels", "threads", "presences",
    "stage_instances", "guild_scheduled_events",
)  # fmt: skip
"""What a guild object has in that event alone: https://discord.com/developers/docs/events/gateway-events#guild-create"""


def timestamp(ms: int) -> str:
    """*ms* since 1970 in ISO 8601, as Discord writes it."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat()


def user(person: User) -> dict[str, Any]:
    """A user object. https://discord.com/developers/docs/resources/user#user-object"""
    return {
        "id": str(person.id),
        "username": person.name.lower().replace(" ", "_"),
        "global_name": person.name,
        "discriminator": "0",
        "avatar": None,
        "bot": person.bot,
        "public_flags": 0,
    }


def member(person: User, permissions: int) -> dict[str, Any]:
    """A member object; *permissions* is a permission set.

    https://discord.com/developers/docs/resources/guild#guild-member-object
    """
    return {
        "user": user(person),
        "nick": None,
        "roles": [],
        "joined_at": timestamp(time_of(person.id)),
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": str(permissions),
    }


def channel(it: Channel, recipients: list[User] | None = None) -> dict[str, Any]:
    """A channel object; direct messages need their *recipients*, without the one who reads it.

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
            "member_count": len(it.thread.members),
            "thread_metadata": {
                "archived": it.thread.archived,
                "auto_archive_duration": next((m for m in AUTO_ARCHIVE_MINUTES if m >= minutes), 10080),
                "archive_timestamp": timestamp(it.thread.changed_at),
                "locked": it.thread.locked,
            },
        }
    else:
        data |= {"position": 0, "permission_overwrites": [], "nsfw": False, "topic": None, "rate_limit_per_user": 0}
    return data


def thread_member(it: Channel, user: int) -> dict[str, Any]:
    """A thread member object: *user* (an id) in the thread *it*.

    https://discord.com/developers/docs/resources/channel#thread-member-object
    """
    return {"id": str(it.id), "user_id": str(user), "join_timestamp": timestamp(time_of(it.id)), "flags": 0}


def membership(it: Channel, person: User, *, named: bool = True) -> dict[str, Any]:
    """The field ``member`` of a thread that *person* is in; nothing for others. In GUILD_CREATE it is not *named*."""
    if it.thread is None or person.id not in it.thread.members:
        return {}
    found = thread_member(it, person.id)
    return {"member": found if named else {key: found[key] for key in ("join_timestamp", "flags")}}


def guild(it: Guild, channels: list[Channel], threads: list[dict[str, Any]], members: list[User]) -> dict[str, Any]:
    """A guild object with all that the event GUILD_CREATE adds: channels, threads (channel objects), members.

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
        "roles": [
            {
                "id": str(it.id),
                "name": "@everyone",
                "color": 0,
                "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
                "hoist": False,
                "position": 0,
                "permissions": "0",
                "managed": False,
                "mentionable": False,
                "flags": 0,
            }
        ],
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
        "joined_at": timestamp(time_of(it.id)),
        "large": False,
        "unavailable": False,
        "member_count": len(members),
        "voice_states": [],
        "members": [member(person, 0) for person in members],
        "channels": [channel(c) for c in channels if c.type is ChannelType.TEXT],
        "threads": threads,
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "stickers": [],
    }


def emoji(it: Emoji, maker: User) -> dict[str, Any]:
    """An emoji object. https://discord.com/developers/docs/resources/emoji#emoji-object"""
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


def attachments(it: Message, base: str) -> list[dict[str, Any]]:
    """The attachment objects of a message; *base* is the address of this server.

    https://discord.com/developers/docs/resources/message#attachment-object
    """
    found = []
    for attachment in it.attachments:
        url = url_of(base, it, attachment)
        found.append(
            {
                "id": str(attachment.id),
                "filename": attachment.filename,
                "description": attachment.description,
                "content_type": attachment.content_type,
                "size": len(attachment.data),
                "url": url,
                "proxy_url": url,
            }
        )
    return found


def message(
    it: Message, author: User, mentions: list[User], application: int, inviter: User | None, base: str
) -> dict[str, Any]:
    """A message object; *base* is the address of this server.

    *inviter* is who made the interaction that the message answers; ``None``: it answers none.
    https://discord.com/developers/docs/resources/message#message-object
    """
    data: dict[str, Any] = {
        "id": str(it.id),
        "channel_id": str(it.channel),
        "author": user(author),
        "content": it.content,
        "timestamp": timestamp(time_of(it.id)),
        "edited_timestamp": timestamp(it.edited_at) if it.edited_at else None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(person) for person in mentions],
        "mention_roles": [],
        "attachments": attachments(it, base),
        "embeds": it.embeds,
        "pinned": False,
        "type": 0,
        "flags": it.flags,
        "components": it.components,
    }
    if it.nonce is not None:
        data["nonce"] = it.nonce
    if it.interaction is not None and inviter is not None:
        command = it.interaction.type is InteractionType.COMMAND
        data |= {
            "type": 20 if command else 19,
            "application_id": str(application),
            "webhook_id": str(application),
            "interaction_metadata": {
                "id": str(it.interaction.id),
                "type": int(it.interaction.type),
                "user": user(inviter),
                "authorizing_integration_owners": {},
            },
        }
        if command:
            data["interaction"] = {
                "id": str(it.interaction.id),
                "type": 2,
                "name": it.interaction.data.get("name", ""),
                "user": user(inviter),
            }
    return data


def callback(it: Interaction, reply: int, sent: dict[str, Any] | None) -> dict[str, Any]:
    """What ``with_response`` gives the bot; *sent* is the message object, ``None`` if there is no message.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-callback-interaction-callback-object
    """
    data: dict[str, Any] = {
        "interaction": {
            "id": str(it.id),
            "type": int(it.type),
            "response_message_id": str(it.original) if it.original else None,
            "response_message_loading": False,
            "response_message_ephemeral": bool(sent and sent["flags"] & MessageFlag.EPHEMERAL),
        }
    }
    if sent is not None:
        data["resource"] = {"type": reply, "message": sent}
    return data
