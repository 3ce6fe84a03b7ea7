"""Where a table may be opened: what Discord says of the place with the command decides."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.interactions import Place
from bot.tables.errors import Refusal, Why
from bot.tables.preferences import Preferences
from cogs.context import Visit
from cogs.play import check_bot_permissions


def visit(**fields: Any) -> Visit:
    """A click with these *fields*, in a server."""
    usual: dict[str, Any] = {
        "guild_id": 5, "channel_id": 6, "message": None, "data": {}, "permissions": discord.Permissions.none(),
        "id": (1_800_000_000_000 - 1_420_070_400_000) << 22, "user": SimpleNamespace(id=7, display_name="Anna"),
    }  # fmt: skip
    bot: Any = None
    interaction: Any = SimpleNamespace(**usual | fields)
    return Visit(bot, interaction)


def opening(*, known: Any = None, here: Any = "a server", thread: bool = False, **granted: bool) -> Visit:
    """/play in a channel or a private *thread*, of which the bot knows *known*, with what it is *granted* there."""
    usual = {"view_channel": True, "send_messages": True, "send_messages_in_threads": True}
    kind = discord.ChannelType.private_thread if thread else discord.ChannelType.text
    place = Place(bool(here), known is not None, known is not None and known.me is not None)
    it = visit(
        channel=SimpleNamespace(type=kind), app_permissions=discord.Permissions(**usual | granted),
        locale=discord.Locale.american_english,
    )  # fmt: skip
    people = SimpleNamespace(preferences=lambda user: Preferences())
    it.bot = SimpleNamespace(place_of_interaction=lambda interaction: place, people=people, default_locale="en")  # type: ignore[assignment]
    return it


@pytest.mark.parametrize(
    ("it", "why"),
    [
        (visit(guild_id=None), Why.NOT_A_SERVER),
        (opening(here=None), Why.NO_BOT_HERE),
        (opening(thread=True), Why.NOT_IN_THREAD),
        (opening(thread=True, manage_threads=True), Why.NOT_IN_THREAD),
        (opening(thread=True, known=SimpleNamespace(me=None)), Why.NOT_IN_THREAD),
        (opening(send_messages=False), Why.BOT_LACKS),
        (opening(view_channel=False), Why.BOT_LACKS),
    ],
)
def test_where_no_table_can_be_opened(it: Visit, why: Why) -> None:
    with pytest.raises(Refusal) as no:
        check_bot_permissions(it)
    assert no.value.why is why
    if why is Why.BOT_LACKS:
        assert no.value.facts["permissions"] in ("**Send Messages**", "**View Channel**")


@pytest.mark.parametrize(
    "it",
    [
        opening(),
        opening(thread=True, known=SimpleNamespace(me=object())),
        opening(thread=True, known=SimpleNamespace(me=None), manage_threads=True),
    ],
)
def test_where_one_can(it: Visit) -> None:
    check_bot_permissions(it)
