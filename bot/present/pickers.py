"""Lists of what a server has: channels, roles, people. Discord fills them itself.

Source: https://discord.com/developers/docs/components/reference#channel-select
"""

from collections.abc import Sequence
from typing import Final

from discord import ComponentType

from bot.custom_ids import Verb, custom_id
from bot.present.sheet import NO_TABLE, Item

CHANNELS: Final = ComponentType.channel_select
ROLES: Final = ComponentType.role_select
USERS: Final = ComponentType.user_select
_DEFAULT_KINDS: Final = {CHANNELS: "channel", ROLES: "role", USERS: "user"}


def select_from_server(
    what: ComponentType,
    verb: Verb,
    placeholder: str,
    arg: str = "",
    *,
    chosen: Sequence[int] = (),
    least: int = 0,
    most: int = 1,
    kinds: Sequence[int] = (),
) -> Item:
    """A list of *what* the server has: ``CHANNELS`` (of *kinds*, if any are given), ``ROLES`` or ``USERS``; those that
    are *chosen* are marked. From *least* to *most* are chosen. It belongs to no table."""
    item: Item = {
        "type": what.value,
        "custom_id": custom_id(verb, NO_TABLE, 0, arg),
        "placeholder": placeholder,
        "min_values": least,
        "max_values": most,
        "default_values": [{"id": str(it), "type": _DEFAULT_KINDS[what]} for it in chosen],
    }
    return {**item, "channel_types": list(kinds)} if kinds else item
