"""The lobby and the slash commands: what they do, and what they refuse."""

from pathlib import Path

import discord
import pytest
from simcord.results import InteractionResult

from bot.custom_ids import Verb
from bot.tables.model import Pace
from tests.discord.play import Club, open_club, presses, text_of


def said(result: InteractionResult) -> str:
    """What the private answer says; it must be private."""
    assert result.ephemeral
    return text_of(result.response)


async def test_play_opens_a_lobby_that_says_what_is_missing(club: Club) -> None:
    await club.open(club.anna, start=False)
    lobby = club.table_message()
    text = text_of(lobby)
    assert "anna" in text
    assert "1 more player is needed" in text
    assert Verb.START not in {press.verb for _, press in presses(lobby)}
    await club.press(club.bruno, lobby, Verb.JOIN)
    assert "Ready" in text_of(club.table_message())
    assert Verb.START in {press.verb for _, press in presses(club.table_message())}


async def test_play_where_a_table_is_open_links_to_it(club: Club) -> None:
    await club.open(club.anna, start=False)
    answer = await club.bruno.slash(club.channel, "play", game="diciassette")
    text = said(answer)
    assert "already a table" in text
    assert "anna" in text
    assert "moderator" in text
    urls = [c.get("url") for row in answer.response.components for c in walk(row)]
    assert f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{club.table_message().id}" in urls


def walk(component: dict) -> list[dict]:
    return [component, *(inner for child in component.get("components") or [] for inner in walk(child))]


async def test_play_and_table_in_direct_messages_say_where_tables_live(club: Club) -> None:
    for command, options in (("play", {"game": "diciassette"}), ("table show", {}), ("table end", {})):
        assert "channels of a server" in said(await club.anna.user.slash(command, **options))
    assert "three victory tokens" in said(await club.anna.user.slash("rules"))


@pytest.mark.parametrize(
    ("permissions", "named"),
    [
        (discord.Permissions(view_channel=True, use_application_commands=True), "Send Messages"),
    ],
)
async def test_play_without_a_permission_names_it(club: Club, permissions: discord.Permissions, named: str) -> None:
    locked = club.guild.create_text_channel(
        "locked", overwrites={club.bot_role(): discord.PermissionOverwrite(send_messages=False)}
    )
    answer = await club.anna.slash(locked, "play", game="diciassette")
    assert named in said(answer)
    assert club.bot.tables.live_in(locked.id) is None


async def test_joining_twice_and_joining_a_full_table_are_private_sentences(club: Club) -> None:
    await club.open(club.anna, start=False)
    lobby = club.table_message()
    assert "already sit" in said(await club.press(club.anna, lobby, Verb.JOIN))
    for person in club.people[1:6]:
        await club.press(person, club.table_message(), Verb.JOIN)
    full = club.table_message()
    assert Verb.JOIN not in {press.verb for _, press in presses(full)}
    assert len(club.table().players) == 6


async def test_a_started_table_cannot_be_joined_through_an_old_lobby(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    old = club.table_message()
    await club.press(club.anna, old, Verb.START)
    answer = await club.click_old(club.carla, old, Verb.JOIN)
    assert "already started" in said(answer)
    assert len(club.table().players) == 2


async def test_leaving_the_lobby_and_the_host_passing_on(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    await club.press(club.anna, club.table_message(), Verb.QUIT)
    assert club.table().host == club.bruno.id
    assert "do not sit" in said(await club.press(club.anna, club.table_message(), Verb.QUIT))
    await club.press(club.bruno, club.table_message(), Verb.QUIT)
    assert club.bot.tables.live_in(club.channel.id) is None
    assert "table is closed" in text_of(club.messages()[-1])


async def test_computer_players_come_and_go(club: Club) -> None:
    await club.open(club.anna, computers=2, start=False)
    assert "🤖" in text_of(club.table_message())
    await club.press(club.anna, club.table_message(), Verb.REMOVE_COMPUTER)
    assert len(club.table().players) == 2
    assert "Only somebody who sits" in said(await club.press(club.carla, club.table_message(), Verb.ADD_COMPUTER))


async def test_pace_and_turn_limit_are_the_hosts(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    await club.choose(club.anna, club.table_message(), Verb.PACE, "slow")
    await club.choose(club.anna, club.table_message(), Verb.TURN_LIMIT, "300")
    assert (club.table().options.pace, club.table().options.turn_seconds) == (Pace.SLOW, 300)
    answer = await club.choose(club.bruno, club.table_message(), Verb.PACE, "fast")
    assert "Only the host, **anna**" in said(answer)
    assert club.table().options.pace is Pace.SLOW


async def test_a_games_own_options_are_the_hosts(tmp_path: Path) -> None:
    async with open_club(tmp_path, game="twelve_days") as club:
        await club.open(club.anna, club.bruno, start=False)
        await club.choose(club.anna, club.table_message(), Verb.OPTION, "full")
        assert club.table().options.game == (("length", "full"),)
        assert "Only the host" in said(await club.choose(club.bruno, club.table_message(), Verb.OPTION, "short"))
        await club.press(club.anna, club.table_message(), Verb.START)
        assert "Hand 1 of 12" in text_of(club.table_message())
        assert club.table().state.gifts == (0, 0)


async def test_a_game_without_options_offers_none_and_takes_none(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    assert Verb.OPTION not in {press.verb for _, press in presses(club.table_message())}
    before = club.table()
    answer = await club.forge(club.anna, f"17/option/{before.id}/0/length")
    assert "no longer works" in said(answer)
    assert club.table() == before


async def test_cancel_is_the_hosts(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    assert "Only the host" in said(await club.press(club.bruno, club.table_message(), Verb.CANCEL))
    await club.press(club.anna, club.table_message(), Verb.CANCEL)
    assert "closed by **anna**" in text_of(club.messages()[-1])
    await club.anna.slash(club.channel, "play", game="diciassette")
    assert club.table() is not None


async def test_table_show_brings_the_table_down_and_leaves_a_link(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    old = club.table_message()
    await club.carla.send(club.channel, "chat")
    await club.bruno.slash(club.channel, "table show")
    new = club.table_message()
    assert new.id == club.messages()[-1].id != old.id
    assert "moved down" in text_of(club.messages()[0])
    await club.lay(club.on_turn())
    assert "lays" in text_of(club.table_message())
    assert club.table_message().id == new.id


async def test_table_hand_leave_return_and_end(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    assert "To the table" in said(await club.bruno.slash(club.channel, "table hand"))
    sure = await club.bruno.slash(club.channel, "table leave")
    assert "Leave the game?" in said(sure)
    await club.press(club.bruno, sure.response.message, Verb.LEAVE_FOR_SURE)
    seat = club.table().seat_of(club.bruno.id)
    assert club.table().players[seat].away
    assert "computer player has your seat" in text_of(club.hand(club.bruno))
    await club.bruno.slash(club.channel, "table return")
    assert not club.table().players[seat].away
    assert "Only the host" in said(await club.carla.slash(club.channel, "table end"))
    sure = await club.anna.slash(club.channel, "table end")
    await club.press(club.anna, sure.response.message, Verb.END_FOR_SURE)
    assert "ended by **anna**" in text_of(club.messages()[-1])
    assert "ended early" in text_of(club.hand(club.carla))


async def test_a_moderator_ends_anybodys_game(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    role = club.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
    mod = club.guild.add_member(club.env.create_user("mo"), roles=[role])
    sure = await mod.slash(club.channel, "table end")
    await club.press(mod, sure.response.message, Verb.END_FOR_SURE)
    assert club.bot.tables.live_in(club.channel.id) is None


async def test_commands_without_a_table_say_so(club: Club) -> None:
    for command in ("table show", "table hand", "table leave", "table return", "table end"):
        assert "no table in this channel" in said(await club.anna.slash(club.channel, command))


async def test_the_menu_offers_what_one_may(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    own = await club.press(club.bruno, club.table_message(), Verb.MENU)
    assert Verb.END not in {press.verb for _, press in presses(own.response)}
    hosts = await club.press(club.anna, club.table_message(), Verb.MENU)
    verbs = {press.verb for _, press in presses(hosts.response)}
    assert {Verb.END, Verb.REPLACE, Verb.LEAVE, Verb.DOWN_HERE} <= verbs
    seat = club.table().seat_of(club.carla.id)
    await club.choose(club.anna, hosts.response.message, Verb.REPLACE, str(seat))
    assert club.table().players[seat].away


async def test_the_hand_can_be_had_here_instead_and_by_dm_again(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    seat = club.table().seat_of(club.bruno.id)
    menu = await club.press(club.bruno, club.table_message(), Verb.MENU)
    await club.press(club.bruno, menu.response.message, Verb.HAND)
    assert not club.table().players[seat].by_dm
    menu = await club.press(club.bruno, club.table_message(), Verb.MENU)
    await club.press(club.bruno, menu.response.message, Verb.HAND_BY_DM)
    assert club.table().players[seat].by_dm


async def test_rules_have_topics_and_turn_pages_in_place(club: Club) -> None:
    page = await club.anna.slash(club.channel, "rules")
    assert "three victory tokens" in said(page)
    turned = await club.choose(club.anna, page.response.message, Verb.TOPIC, "diciassette.penalties")
    assert turned.acknowledged
    assert "second ❌" in text_of(page.response)


async def test_help_tells_the_commands(club: Club) -> None:
    assert "/table leave" in said(await club.anna.slash(club.channel, "help"))


async def test_names_are_hostile_input(club: Club) -> None:
    nasty = club.guild.add_member(
        club.env.create_user("x", global_name="**@everyone** <@1> \u202e[a](http://x)" + "🃏" * 40)
    )
    await nasty.slash(club.channel, "play", game="diciassette")
    message = club.table_message()
    text = text_of(message)
    assert "\u202e" not in text
    assert "<@1>" not in text
    assert "\\*\\*\\@everyone" in text
    assert not message.mentions
    assert not message.mention_everyone
