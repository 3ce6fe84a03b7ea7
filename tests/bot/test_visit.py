"""What a click or a command tells of itself: who, where, with which choice, whether others see what was clicked."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.clock import snowflake_time
from bot.cluster.routing import Place
from bot.refusals import Refusal, Why
from bot.tables.preferences import Preferences
from cogs.opening import check_permissions
from cogs.visit import Visit


def visit(**fields: Any) -> Visit:
    """A click with these *fields*, in a server."""
    usual: dict[str, Any] = {
        "guild_id": 5, "channel_id": 6, "message": None, "data": {}, "permissions": discord.Permissions.none(),
        "id": (1_800_000_000_000 - 1_420_070_400_000) << 22, "user": SimpleNamespace(id=7, display_name="Anna"),
    }  # fmt: skip
    bot: Any = None
    interaction: Any = SimpleNamespace(**usual | fields)
    return Visit(bot, interaction)


def message(*, ephemeral: bool = False, controls: tuple[str, ...] = ()) -> Any:
    """A message with *controls*, by their custom_ids, after some text."""
    row = SimpleNamespace(children=[SimpleNamespace(custom_id=it) for it in controls])
    text = SimpleNamespace(content="text")
    return SimpleNamespace(id=9, flags=SimpleNamespace(ephemeral=ephemeral), components=[text, row])


def test_who_and_when() -> None:
    it = visit()
    assert (it.user, it.name, it.channel) == (7, "Anna", 6)
    assert it.at == snowflake_time(it.interaction.id) == 1_800_000_000_000


def test_a_message_is_private_if_nobody_else_sees_it() -> None:
    assert visit(guild_id=None, message=message()).private, "a direct message"
    assert visit(guild_id=None).private
    assert visit(message=message(ephemeral=True)).private
    assert not visit(message=message()).private
    assert not visit().private, "a command is on no message"


@pytest.mark.parametrize(
    ("permissions", "moderator", "manager"),
    [
        (discord.Permissions.none(), False, False),
        (discord.Permissions(manage_messages=True), True, False),
        (discord.Permissions(manage_guild=True), False, True),
    ],
)
def test_who_may_do_what_in_a_server(permissions: discord.Permissions, moderator: bool, manager: bool) -> None:
    it = visit(permissions=permissions)
    assert (it.moderator, it.manager) == (moderator, manager)


def test_nobody_has_rights_in_direct_messages() -> None:
    it = visit(guild_id=None, permissions=discord.Permissions.all())
    assert not it.moderator
    assert not it.manager


@pytest.mark.parametrize(
    ("data", "values"),
    [
        ({}, ()),
        ({"values": None}, ()),
        ({"values": "ab"}, ()),
        ({"values": []}, ()),
        ({"values": ["a"]}, ("a",)),
        ({"values": ["a", 1, "b"]}, ("a", "b")),
    ],
)
def test_what_was_chosen_in_a_select(data: dict[str, Any], values: tuple[str, ...]) -> None:
    it = visit(data=data)
    assert it.values == values
    if len(values) == 1:
        assert it.chosen == values[0]
    else:
        with pytest.raises(Refusal) as no:
            _ = it.chosen
        assert no.value.why is Why.BUTTON_DEAD


def test_a_forged_control_is_not_on_the_message() -> None:
    data = {"custom_id": "17/rematch"}
    assert visit(data=data, message=message(controls=("17/other", "17/rematch"))).control_is_on_message
    assert not visit(data=data, message=message(controls=("17/other",))).control_is_on_message
    assert not visit(data=data, message=message()).control_is_on_message
    assert not visit(data=data).control_is_on_message


# Where a table may be opened


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
    it.bot = SimpleNamespace(place=lambda interaction: place, people=people, default_locale="en")  # type: ignore[assignment]
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
        check_permissions(it)
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
    check_permissions(it)
