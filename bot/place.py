"""What is known of the place where an interaction was made."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import discord


class Place(NamedTuple):
    """What our shards say of a channel."""

    member: bool
    """Whether the bot is a member of the server, and not only installed for its commands."""
    thread: bool = False
    """Whether it is a thread that the bot is told of."""
    in_thread: bool = False
    """Whether the bot is a member of that thread."""
    locale: str = ""
    """The server's own language; empty: it has none, as no server but a Community server has."""
    around: Sequence[int] = ()
    """The ids of the channel, of the one that it is a thread of, and of the category around it, as far as they are
    known."""


def place_of(client: discord.Client, guild: int | None, channel: int) -> Place:
    """What *client* knows of *channel* in *guild* (``None``: direct messages)."""
    known = client.get_guild(guild) if guild is not None else None
    thread = known.get_thread(channel) if known is not None else None
    own = known.preferred_locale.value if known is not None and "COMMUNITY" in known.features else ""
    here = known.get_channel_or_thread(channel) if known is not None else None
    return Place(known is not None, thread is not None, thread is not None and thread.me is not None, own, around(here))


def around(channel: Any) -> list[int]:
    """The ids of *channel*, of the one that it is a thread of, and of the category around it, as far as they are
    known."""
    outer = channel.parent if isinstance(channel, discord.Thread) else channel
    found = [getattr(it, key, None) for it, key in ((channel, "id"), (channel, "parent_id"), (outer, "category_id"))]
    return [it for it in found if it is not None]
