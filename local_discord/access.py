"""Who may do what where. https://discord.com/developers/docs/topics/permissions"""

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from local_discord import errors
from local_discord.model import (
    ALL_PERMISSIONS,
    PERMISSIONS,
    THREADS,
    USER_PERMISSIONS,
    VOICES,
    Channel,
    ChannelType,
    User,
)

if TYPE_CHECKING:
    from local_discord.world import World


def permissions(world: "World", person: User, channel: Channel) -> int:
    """What *person* may do in *channel*, as a permission set. A thread has those of its channel, and whoever owns the
    server may do everything."""
    if channel.guild is None:
        return USER_PERMISSIONS
    parent = world.channels.get(channel.parent or 0, channel)
    if person.bot:
        return channel.bot_permissions & parent.bot_permissions
    granted = USER_PERMISSIONS | person.granted
    everything = person.id == world.guilds[channel.guild].owner or granted & PERMISSIONS["administrator"]
    return ALL_PERMISSIONS if everything else granted & ~(channel.people_denied | parent.people_denied)


def may(world: "World", person: User, channel: Channel, permission: str) -> bool:
    """Whether *person* has the named permission in *channel*."""
    return bool(permissions(world, person, channel) & PERMISSIONS[permission])


def those_at(world: "World", channel: Channel) -> Sequence[int]:
    """The ids of the members of the server of *channel*, or of the two ends of direct messages."""
    return world.guilds[channel.guild].members if channel.guild else channel.recipients


def sees(world: "World", person: User, channel: Channel) -> bool:
    """Whether *person* is where *channel* is and sees what is written there. In a voice channel that needs *Connect*
    too: https://github.com/discord/discord-api-docs/pull/5111"""
    connects = channel.type not in VOICES or may(world, person, channel, "connect")
    return person.id in those_at(world, channel) and views(world, person, channel) and connects


def views(world: "World", person: User, channel: Channel) -> bool:
    """Whether *person*, who is where *channel* is, may view it. A private thread is for its members and moderators."""
    if not may(world, person, channel, "view_channel"):
        return False
    if channel.type is not ChannelType.PRIVATE_THREAD or may(world, person, channel, "manage_threads"):
        return True
    return channel.thread is not None and person.id in channel.thread.members


class Readers(Container[int]):
    """The ids of those who see a message in a channel. Nobody is looked at who is not asked for: a server may have
    thousands of members, and few of them are connected."""

    def __init__(self, world: "World", channel: Channel, only: int | None = None) -> None:
        """*only* is who alone sees it; ``None``: everybody who sees *channel*."""
        self._world = world
        self._channel = channel
        self._only = only

    def __contains__(self, user: object) -> bool:
        person = self._world.users.get(user) if isinstance(user, int) and self._only in (None, user) else None
        return person is not None and sees(self._world, person, self._channel)


def check_sending(world: "World", channel: Channel, author: User, files: bool) -> None:
    """Check that *author* may send a message in *channel* with their own token; *files*: it has some.

    Raises:
        ApiError: they may not.
    """
    if channel.type is not ChannelType.DM:
        permission = "send_messages_in_threads" if channel.type in THREADS else "send_messages"
        if not may(world, author, channel, permission) or (files and not may(world, author, channel, "attach_files")):
            raise errors.missing_permissions()
        return
    if not author.bot:
        return
    people = set(channel.recipients) - {author.id}
    if not any({author.id, *people} <= set(guild.members) for guild in world.guilds.values()):
        raise errors.no_dms_from_members()
    if any(world.users[user].blocks_app for user in people):
        raise errors.app_is_blocked()
    if not all(world.users[user].dms_open for user in people):
        raise errors.no_dms_from_members()
