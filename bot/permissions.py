"""The permissions that the bot needs, and the link that invites it with exactly those."""

from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import urlencode

import discord

from bot.i18n import N_


class Need(NamedTuple):
    """A permission that the bot needs: its name, what happens without it, and whether a table needs it."""

    name: str
    """As Discord calls it; a text."""
    without: str
    """What happens where it is missing; a text."""
    vital: bool = True
    """Whether a table can be opened only with it."""


SENDS: Final = "send_messages"
SENDS_IN_THREADS: Final = "send_messages_in_threads"
MAKES_THREADS: Final = "create_public_threads"
CONNECTS: Final = "connect"
VOICE: Final = (discord.ChannelType.voice, discord.ChannelType.stage_voice)
"""Channels in which Discord allows nothing without *Connect*, not even reading the chat.
https://github.com/discord/discord-api-docs/pull/5111"""

NEEDS: Final[Mapping[str, Need]] = {
    "view_channel": Need(N_("View Channel"), N_("I do not see this channel, so no table can be opened here.")),
    SENDS: Need(N_("Send Messages"), N_("I cannot write here, so no table can be opened here.")),
    SENDS_IN_THREADS: Need(
        N_("Send Messages in Threads"),
        N_("I cannot write in the threads of this channel, so no table can be opened there."),
    ),
    CONNECTS: Need(
        N_("Connect"),
        N_("Without Connect I can do nothing in a voice or stage channel, so no table can be opened here."),
    ),
    MAKES_THREADS: Need(
        N_("Create Public Threads"), N_("Tables in this channel get no thread of their own."), vital=False
    ),
    "attach_files": Need(N_("Attach Files"), N_("Pictures are shown as text, and files cannot be sent."), vital=False),
    "read_message_history": Need(
        N_("Read Message History"),
        N_("I cannot make threads, and after a restart I may send a table message twice."),
        vital=False,
    ),
}
"""Every permission that the bot can use, by discord.py's name, the most important one first."""

INVITE_PERMISSIONS: Final = discord.Permissions(**{name: True for name in NEEDS if name != CONNECTS}).value
"""The permissions that the bot asks for when it is invited, as Discord's number: all but *Connect*, which everybody has
unless a channel takes it away. https://discord.com/developers/docs/topics/permissions"""


def required_permissions(kind: discord.ChannelType | None) -> tuple[str, ...]:
    """Return discord.py's names of the permissions needed to open a table in a channel of this *kind*; ``None``: as for
    a text channel."""
    thread = kind in (
        discord.ChannelType.public_thread,
        discord.ChannelType.private_thread,
        discord.ChannelType.news_thread,
    )
    return ("view_channel", SENDS_IN_THREADS if thread else SENDS, *((CONNECTS,) if kind in VOICE else ()))


def invitation_link(application: int) -> str:
    """Return the URL with which somebody who manages a server adds the bot *application* (an id) there, with the
    permissions that it needs.

    It names scopes and permissions, so it needs no settings in the Developer Portal. Without them Discord takes those
    of the page *Installation*, and also offers to install the app to an account: docs/hosting.md.

    https://discord.com/developers/docs/topics/oauth2#bot-authorization-flow
    """
    asked = {"client_id": application, "scope": "bot applications.commands", "permissions": INVITE_PERMISSIONS}
    return f"https://discord.com/oauth2/authorize?{urlencode(asked)}"
