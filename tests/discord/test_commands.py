"""The slash commands and the menu while a game runs: what they do, and what they refuse."""

from typing import Any

import discord
import pytest
from discord import app_commands

from bot.delivery.slots import TABLE
from bot.tables.errors import Why
from bot.ui.custom_ids import Verb
from bot.ui.replies import REFUSALS
from cogs.router import answer_failed_command
from tests.discord.held import held_back, replay
from tests.discord.messages import components_json, expected_components_json, private_text, reply, text_of, verbs
from tests.discord.play import Club
from tests.discord.test_doctor import owner
from tests.discord.world import EN
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here

TABLE_COMMANDS = ("show", "hand", "leave", "return", "end")


GUILD, BOT_DM, PRIVATE_CHANNEL = 0, 1, 2
GUILD_INSTALL, USER_INSTALL = 0, 1
OF_ACCOUNTS = ("rules", "help", "learn", "me", "replay", "profile", "privacy")
"""The commands of people who have the bot in their account, which need no option. /verify is one too."""


async def test_commands_are_offered_where_they_can_be_used(club: Club) -> None:
    """What is about tables or a server is there in servers alone, and only with the bot.

    https://docs.discord.com/developers/interactions/application-commands#contexts
    """
    *_, request = [r for r in club.env.http_requests if r.method == "PUT" and r.path.endswith("/commands")]
    where = {command["name"]: (command["contexts"], command["integration_types"]) for command in request.json}
    both = [GUILD_INSTALL, USER_INSTALL]
    of_servers = ("table", "language", "leaderboard", "settings", "doctor", "tables")
    assert where == {
        "play": ([GUILD, BOT_DM, PRIVATE_CHANNEL], both),
        **dict.fromkeys((*OF_ACCOUNTS, "verify", "daily"), ([GUILD, BOT_DM], both)),
        **dict.fromkeys(of_servers, ([GUILD], [GUILD_INSTALL])),
    }


async def replay_by_account(club: Club, waiting: list[Any]) -> list[Any]:
    """What the bot sends to Discord when Anna, who has it in her account, has made the interaction that is *waiting* in
    a server where it is no member."""
    (data,) = waiting
    guild = {"id": str(club.guild.id), "locale": "en-US", "features": []}
    data |= {"guild": guild, "authorizing_integration_owners": {str(USER_INSTALL): str(club.anna.id)}}
    start = len(club.env.http_requests)
    known = club.bot._connection._guilds.pop(club.guild.id)
    await replay(club, waiting)
    await club.env.settle()
    club.bot._connection._guilds[club.guild.id] = known
    return list(club.env.http_requests[start:])


async def used_by_account(club: Club, command: str, **options: Any) -> list[Any]:
    """What the bot sends to Discord when Anna uses *command* there."""
    async with held_back(club) as waiting:
        await club.anna.slash(club.channel, command, **options)
    return await replay_by_account(club, waiting)


@pytest.mark.parametrize("command", OF_ACCOUNTS)
async def test_commands_of_an_account_answer_where_the_bot_is_no_member(
    club: Club, command: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything but the answer to the interaction would be refused there."""
    (answer,) = await used_by_account(club, command)
    assert answer.path.endswith("/callback")
    assert answer.json["type"] == 4
    assert answer.json["data"]["flags"] & discord.MessageFlags(ephemeral=True).value
    assert not [record for record in caplog.records if record.getMessage() in ("bug", "refused", "try again")]


async def test_verify_answers_where_the_bot_is_no_member(club: Club) -> None:
    requests = await used_by_account(club, "verify", record=("record.json", b"{}"))
    assert all("/callback" in it.path or "/webhooks/" in it.path for it in requests)
    assert EN("### I cannot read this file as a record") in str([it.json for it in requests])


async def test_controls_of_private_answers_work_where_the_bot_is_no_member(club: Club) -> None:
    rules = reply(await club.anna.slash(club.channel, "rules", game=club.case.game))
    page = club.presenter.rules_pages[-1]
    async with held_back(club) as waiting:
        await club.choose(club.anna, rules, Verb.TOPIC, f"{club.case.game}.{page.key}")
    (turned,) = await replay_by_account(club, waiting)
    assert turned.json["type"] == discord.InteractionResponseType.message_update.value
    mine = reply(await club.anna.slash(club.channel, "me"))
    async with held_back(club) as waiting:
        await club.choose(club.anna, mine, Verb.PREFER, "de", "locale")
    (chosen,) = await replay_by_account(club, waiting)
    assert chosen.json["type"] == discord.InteractionResponseType.message_update.value
    assert club.bot.people.preferences(club.anna.id).locale == "de"


async def test_play_says_where_the_bot_is_no_member(club: Club) -> None:
    (answer,) = await used_by_account(club, "play", game=club.case.game)
    assert answer.json["data"]["flags"] & discord.MessageFlags(ephemeral=True).value
    assert EN(REFUSALS[Why.NO_BOT_HERE]) in str(answer.json["data"]["components"])
    assert not club.running


async def test_commands_without_a_table_say_so(club: Club) -> None:
    for command in ("table show", "table hand", "table leave", "table return", "table end"):
        assert EN(REFUSALS[Why.NO_TABLE_HERE]) in private_text(await club.anna.slash(club.channel, command))


async def test_commands_in_another_channel_than_ones_table_say_where_it_is(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    other = club.guild.create_text_channel("other")
    for command in ("table show", "table hand", "table leave", "table return", "table end"):
        assert f"You play in <#{club.channel.id}>" in private_text(await club.anna.slash(other, command))
        assert EN(REFUSALS[Why.NO_TABLE_HERE]) in private_text(await club.carla.slash(other, command))


async def test_table_show_brings_the_table_down_and_leaves_a_link(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    old = club.table_message()
    await club.carla.send(club.channel, "chat")
    await club.bruno.slash(club.channel, "table show")
    new = club.table_message()
    assert new.id == club.messages()[-1].id != old.id
    assert "moved to the bottom" in text_of(club.as_it_is(old))
    await club.act(club.on_turn())
    assert components_json(club.table_message()) == expected_components_json(club.table(), TABLE, new.id)
    assert components_json(club.table_message()) != components_json(new)
    assert club.table_message().id == new.id


async def test_table_hand_leave_return_and_end(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    hand = private_text(await club.bruno.slash(club.channel, "table hand"))
    assert f"<#{club.channel.id}>" in hand
    sure = await club.bruno.slash(club.channel, "table leave")
    assert "Leave the game?" in private_text(sure)
    await club.press(club.bruno, reply(sure), Verb.LEAVE_FOR_SURE)
    seat = club.seat(club.bruno)
    assert club.table().players[seat].away
    assert "computer player has your seat" in text_of(club.hand(club.bruno))
    await club.bruno.slash(club.channel, "table return")
    assert not club.table().players[seat].away
    assert club.refusal(Why.HOST_ONLY) in private_text(await club.carla.slash(club.channel, "table end"))
    sure = await club.anna.slash(club.channel, "table end")
    await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)
    assert "ended by **anna**" in text_of(club.messages()[-1])
    assert "ended early" in text_of(club.hand(club.carla))


async def test_the_menu_offers_what_one_may(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    own = await club.press(club.bruno, club.table_message(), Verb.MENU)
    assert not {Verb.END, Verb.REPLACE} & verbs(own.response)
    hosts = await club.press(club.anna, club.table_message(), Verb.MENU)
    assert {Verb.END, Verb.REPLACE, Verb.LEAVE, Verb.DOWN_HERE} <= verbs(hosts.response)
    seat = club.seat(club.carla)
    await club.choose(club.anna, reply(hosts), Verb.REPLACE, str(seat))
    assert club.table().players[seat].away


async def test_who_does_not_want_to_leave_after_all_reads_that_alone(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    sure = reply(await club.in_menu(club.bruno, Verb.LEAVE))
    stays = await club.press(club.bruno, sure, Verb.MENU)
    assert stays.response.message.id == sure.id
    assert (text_of(club.as_it_is(sure)), stays.followups) == (EN("The game goes on."), [])


async def test_the_hand_can_be_had_here_instead_and_by_dm_again(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    seat = club.seat(club.bruno)
    menu = await club.press(club.bruno, club.table_message(), Verb.MENU)
    await club.press(club.bruno, reply(menu), Verb.HAND)
    assert not club.table().players[seat].by_dm
    menu = await club.press(club.bruno, club.table_message(), Verb.MENU)
    await club.press(club.bruno, reply(menu), Verb.HAND_BY_DM)
    assert club.table().players[seat].by_dm


async def test_when_the_last_human_leaves_the_game_is_abandoned_l2(club: Club) -> None:
    await club.open(club.anna, computers=1)
    sure = await club.anna.slash(club.channel, "table leave")
    await club.press(club.anna, reply(sure), Verb.LEAVE_FOR_SURE)
    assert "no human is at the table" in text_of(club.messages()[-1])
    assert not club.running


async def test_a_command_that_there_is_not_is_answered_privately(club: Club) -> None:
    """As from a client that still shows one of an earlier version."""
    async with held_back(club) as waiting:
        await club.anna.slash(club.channel, "help")
    waiting[0]["data"]["name"] = "nonsense"
    start = len(club.env.http_requests)
    await replay(club, waiting)
    await club.env.settle()
    (answer,) = [r for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert answer.json["type"] == 4
    assert answer.json["data"]["flags"] & discord.MessageFlags(ephemeral=True).value
    assert EN(REFUSALS[Why.NO_SUCH_COMMAND]) in str(answer.json["data"]["components"])


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("language", {"language": "de"}),
        ("leaderboard", {}),
        ("doctor", {}),
        *((f"table {it}", {}) for it in TABLE_COMMANDS),
    ],
)
async def test_what_belongs_to_a_server_is_refused_in_direct_messages(
    club: Club, command: str, options: dict[str, Any]
) -> None:
    """Discord does not offer them there; an old or forged client may."""
    await club.open(club.anna, club.bruno)
    table = club.table()
    async with held_back(club) as waiting:
        await owner(club).slash(club.channel, command, **options)
    (data,) = waiting
    data["user"] = data.pop("member")["user"]
    for key in ("guild_id", "guild"):
        data.pop(key, None)
    start = len(club.env.http_requests)
    await replay(club, waiting)
    await club.env.settle()
    (answer,) = [r for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert EN(REFUSALS[Why.NOT_A_SERVER]) in str(answer.json["data"]["components"])
    assert club.table() == table


async def test_a_command_that_fails_before_its_boundary_is_apologised_for(club: Club, caplog: Any) -> None:
    async with held_back(club) as waiting:
        await club.anna.slash(club.channel, "help")
    interaction = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
    command: Any = club.bot.tree.get_command("help")
    start = len(club.env.http_requests)
    await answer_failed_command(interaction, app_commands.CommandInvokeError(command, ZeroDivisionError()))
    (answer,) = [r for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    reference = next(record.fields["reference"] for record in caplog.records if record.getMessage() == "bug")
    assert reference in str(answer.json["data"]["components"])
