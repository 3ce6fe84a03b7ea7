"""/tables: live tables, ending one, banning people from tables."""

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.i18n import LOCALES, words
from bot.tables.errors import Why
from bot.tables.model import LARGEST_ID, Ending, Phase
from bot.tables.preferences import BAN_SECONDS, LONGEST_REASON, Ban
from bot.tables.scene import make_scene
from bot.ui import moderation
from bot.ui.components import NO_TABLE
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.moderation import PAGE_LENGTH, LiveTable
from bot.ui.replies import REFUSALS
from tests.bot.sheets import NAMES, tables
from tests.discord.forged import forge
from tests.discord.messages import private_text, reply, text_of
from tests.discord.play import Club, every_game
from tests.discord.somebody import erase
from tests.discord.world import EN
from tests.games import ANY
from tests.rows import count

pytestmark = pytest.mark.about(ANY)  # all games are alike here

HOUR, DAY = BAN_SECONDS[:2]


def moderator(club: Club, name: str = "mo") -> MemberActor:
    """Somebody who may manage messages."""
    role = club.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
    return club.guild.add_member(club.env.create_user(name), roles=[role])


async def listed(club: Club, mod: MemberActor) -> discord.Message:
    """What *mod* gets who types /tables."""
    return reply(await mod.slash(club.channel, "tables"))


async def ban(
    club: Club, mod: MemberActor, person: MemberActor, seconds: int = DAY, reason: str = ""
) -> InteractionResult:
    """*mod* bans *person*; the answer to the last click."""
    chosen = await mod.select(await listed(club, mod), [person], custom_id=custom_id(Verb.BAN, NO_TABLE))
    asked = await club.press(mod, reply(chosen), Verb.BAN_FOR, f"{person.id}-{seconds}")
    return await mod.submit_modal(asked, {"reason": reason})


# The list


async def test_it_lists_every_live_table_with_a_link_and_only_for_moderators(club: Club) -> None:
    mod = moderator(club)
    assert EN("There is no live table on this server.") in text_of(await listed(club, mod))
    await club.open(club.anna, club.bruno)
    other = club.guild.create_text_channel("other")
    await club.carla.slash(other, "play", game=club.case.game)
    message = await listed(club, mod)
    assert message.flags.ephemeral
    lines = text_of(message).splitlines()[1:3]
    one, two = sorted(lines, key=lambda line: f"/{other.id}" in line)  # both were opened in the same moment
    assert f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{club.table_message().id}" in one
    assert "**anna**, **bruno**" in one
    turn = next(p.name for p in club.table().players if p.user == club.on_turn().id)
    assert EN("{name}’s turn", name=f"**{turn}**") in one
    assert f"/{other.id}/" in two
    assert two.endswith(EN("not started"))


async def test_only_moderators_may_anything_of_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = [c for c in club.bot.tree.get_commands() if c.name == "tables"]
    assert command.default_permissions == discord.Permissions(manage_messages=True)
    await club.open(club.anna, club.bruno)
    table, public = club.table().id, club.table_message()
    refused = EN(REFUSALS[Why.MODERATORS_ONLY])
    whom = f"{club.carla.id}-{DAY}"
    controls: list[tuple[Verb, Any, str, list[str] | None]] = [
        (Verb.TABLES, NO_TABLE, "1", None),
        (Verb.CLOSE, NO_TABLE, "", [table]),
        (Verb.CLOSE_FOR_SURE, table, "", None),
        (Verb.BAN, NO_TABLE, "", [str(club.carla.id)]),
        (Verb.BAN_FOR, NO_TABLE, whom, None),
        (Verb.BANS, NO_TABLE, "", None),
        (Verb.LIFT, NO_TABLE, "", ["a"]),
    ]
    for verb, of, arg, values in controls:
        answer = await forge(club, club.anna, custom_id(verb, of, 0, arg), public, values)
        assert refused in private_text(answer), verb
    monkeypatch.setattr(command, "default_permissions", None)  # every bot of this process has the same commands
    await club.bot.tree.sync()
    assert refused in private_text(await club.anna.slash(club.channel, "tables"))
    assert club.running
    assert (await club.bot.store.load_guild_settings_and_bans(club.guild.id)).bans == ()


async def test_a_moderator_ends_a_game_after_being_asked(club: Club) -> None:
    mod = moderator(club)
    await club.open(club.anna, club.bruno)
    table = club.table()
    asked = await club.choose(mod, await listed(club, mod), Verb.CLOSE, table.id)
    assert club.running
    shown = await club.press(mod, reply(asked), Verb.TABLES)
    asked = await club.choose(mod, reply(shown), Verb.CLOSE, table.id)
    answer = await club.press(mod, reply(asked), Verb.CLOSE_FOR_SURE)
    assert EN("The game has been ended.") in text_of(reply(answer))
    over = await club.bot.tables.get(table.id)
    assert (over.phase, over.ending, over.ended_from) == (Phase.OVER, Ending.ENDED, None)
    again = await forge(club, mod, custom_id(Verb.CLOSE_FOR_SURE, table.id), await listed(club, mod))
    assert EN("There is no live table on this server.") in text_of(reply(again))


async def test_a_lobby_is_closed_and_a_moderator_who_plays_leaves_l6(club: Club) -> None:
    mod = moderator(club)
    club.people.append(mod)
    await club.open(club.anna, start=False)
    lobby = club.table().id
    asked = await club.choose(mod, await listed(club, mod), Verb.CLOSE, lobby)
    await club.press(mod, reply(asked), Verb.CLOSE_FOR_SURE)
    assert (await club.bot.tables.get(lobby)).ending is Ending.CANCELLED
    await club.open(club.anna, mod)
    table, seat = club.table().id, club.seat(mod)
    asked = await club.choose(mod, await listed(club, mod), Verb.CLOSE, table)
    await club.press(mod, reply(asked), Verb.CLOSE_FOR_SURE)
    assert (await club.bot.tables.get(table)).ended_from == seat


async def test_a_game_that_is_over_meanwhile_is_said_to_be(club: Club) -> None:
    mod = moderator(club)
    await club.open(club.anna, start=False)
    table, shown = club.table().id, await listed(club, mod)
    await club.in_menu(club.anna, Verb.CANCEL)
    assert EN("That game is over.") in text_of(reply(await club.choose(mod, shown, Verb.CLOSE, table)))


async def test_a_moderator_of_another_server_ends_nothing_here(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    elsewhere = club.env.create_guild("Elsewhere")
    channel = elsewhere.create_text_channel("there")
    role = elsewhere.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
    mod = elsewhere.add_member(club.env.create_user("mo"), roles=[role])
    message = reply(await mod.slash(channel, "tables"))
    assert EN("There is no live table on this server.") in text_of(message)
    for verb in (Verb.CLOSE_FOR_SURE, Verb.END_FOR_SURE):
        await forge(club, mod, custom_id(verb, club.table().id), message)
        assert club.running, verb


# Bans


async def test_whoever_is_banned_opens_joins_sits_down_and_comes_back_no_more(club: Club) -> None:
    mod = moderator(club)
    answer = await ban(club, mod, club.carla, reason="Bad *words*")
    listing = text_of(reply(answer))
    assert f"<@{club.carla.id}>" in listing
    assert f"<@{mod.id}>" in listing
    assert r"Bad \*words\*" in listing
    until = (club.clock.now() + DAY * 1000) // 1000
    no = private_text(await club.carla.slash(club.channel, "play", game=club.case.game))
    assert f"<t:{until}:f>" in no
    assert r"Bad \*words\*" in no
    await club.open(club.anna, club.bruno, computers=1, start=False)
    public = club.table_message()
    assert f"<t:{until}:f>" in private_text(await club.press(club.carla, public, Verb.JOIN))
    await club.press(club.anna, club.table_message(), Verb.START)
    sit = custom_id(Verb.SIT, club.table().id)
    assert f"<t:{until}:f>" in private_text(await forge(club, club.carla, sit, club.table_message(), ["2"]))
    assert all(player.user != club.carla.id for player in club.table().players)


async def test_who_plays_finishes_but_does_not_come_back_nor_to_a_rematch(club: Club) -> None:
    mod = moderator(club)
    await club.open(club.anna, club.bruno, club.carla)
    chosen = await mod.select(await listed(club, mod), [club.bruno], custom_id=custom_id(Verb.BAN, NO_TABLE))
    assert EN(
        "They may finish the game they are playing. In its menu you can replace them with a computer."
    ) in text_of(reply(chosen))
    for person in (club.bruno, club.carla):
        await ban(club, mod, person)
    assert not club.table().players[club.seat(club.bruno)].away
    await club.press(club.carla, reply(await club.carla.slash(club.channel, "table leave")), Verb.LEAVE_FOR_SURE)
    banned = REFUSALS[Why.BANNED].partition("{")[0]
    assert banned in private_text(await club.carla.slash(club.channel, "table return"))
    back = custom_id(Verb.COME_BACK, club.table().id)
    assert banned in private_text(await forge(club, club.carla, back, club.table_message()))
    assert club.table().players[club.seat(club.carla)].away
    await club.finish()
    assert banned in private_text(await club.press(club.bruno, club.hand(club.bruno), Verb.REMATCH))
    await club.press(club.anna, club.table_message(), Verb.REMATCH)
    assert [player.user for player in club.table().players] == [club.anna.id]


async def test_whoever_is_banned_leaves_a_lobby(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    mod = moderator(club)
    await ban(club, mod, club.bruno)
    assert [player.user for player in club.table().players] == [club.anna.id]
    await ban(club, mod, club.anna)
    assert not club.running


async def test_a_ban_ends_by_itself_or_is_lifted(club: Club) -> None:
    mod = moderator(club)
    await ban(club, mod, club.anna, HOUR)
    await ban(club, mod, club.bruno)
    await club.clock.advance(HOUR * 1000)
    await club.open(club.anna, start=False)
    assert club.running
    await club.in_menu(club.anna, Verb.CANCEL)
    (held,) = (await club.bot.servers.get_settings_and_bans(club.guild.id)).current_bans(club.clock.now())
    shown = await club.press(mod, await listed(club, mod), Verb.BANS)
    answer = await club.choose(mod, reply(shown), Verb.LIFT, held.id)
    assert EN("Nobody is banned from tables on this server.") in text_of(reply(answer))
    await club.open(club.bruno, start=False)
    assert club.running


async def test_a_second_ban_takes_the_place_of_the_first_and_holds_after_a_restart(club: Club) -> None:
    mod = moderator(club)
    await ban(club, mod, club.anna, HOUR)
    await ban(club, mod, club.anna, DAY)
    await club.restart()
    (held,) = (await club.bot.servers.get_settings_and_bans(club.guild.id)).bans
    assert held.until == club.clock.now() + DAY * 1000
    assert REFUSALS[Why.BANNED].partition("{")[0] in private_text(
        await club.anna.slash(club.channel, "play", game=club.case.game)
    )


async def test_nobody_bans_themselves_or_what_cannot_be(club: Club) -> None:
    mod = moderator(club)
    message = await listed(club, mod)
    chosen = await mod.select(message, [mod], custom_id=custom_id(Verb.BAN, NO_TABLE))
    assert EN(REFUSALS[Why.SELF_BAN]) in private_text(chosen)
    dead = EN(REFUSALS[Why.BUTTON_DEAD])
    for arg in ("", "5", "5-7", "x-3600", f"{'9' * 30}-3600", f"{club.anna.id}-1"):
        assert dead in private_text(await forge(club, mod, custom_id(Verb.BAN_FOR, NO_TABLE, 0, arg), message)), arg
    for values in (["x"], ["1", "2"], ["٣"], [str(LARGEST_ID + 1)]):
        assert dead in private_text(await forge(club, mod, custom_id(Verb.BAN, NO_TABLE), message, values))
    assert (await club.bot.store.load_guild_settings_and_bans(club.guild.id)).bans == ()
    asked = reply(await forge(club, mod, custom_id(Verb.BAN, NO_TABLE), message, [str(LARGEST_ID)]))
    assert f"<@{LARGEST_ID}>" in text_of(asked), "the largest id that can be stored"


# Their data


async def test_a_ban_survives_erasing_without_a_name_and_holds(club: Club, tmp_path: Path) -> None:
    mod = moderator(club)
    await ban(club, mod, club.bruno, reason="bruno is rude")
    said_there = await erase(club, club.bruno)
    assert EN("Only the ban stays, until it ends, as a code that does not name you.") in said_there
    (held,) = (await club.bot.store.load_guild_settings_and_bans(club.guild.id)).bans
    assert (held.user, held.reason) == (None, "")
    assert REFUSALS[Why.BANNED].partition("{")[0] in private_text(
        await club.bruno.slash(club.channel, "play", game=club.case.game)
    )
    shown = await club.press(mod, await listed(club, mod), Verb.BANS)
    assert EN("someone who had their data erased") in text_of(reply(shown))
    await erase(club, mod)
    (held,) = (await club.bot.store.load_guild_settings_and_bans(club.guild.id)).bans
    assert held.by is None
    await club.choose(mod, reply(shown), Verb.LIFT, held.id)
    assert count(tmp_path / "tables.sqlite3", "bans") == 0


async def test_bans_that_are_over_are_deleted(club: Club, tmp_path: Path) -> None:
    mod = moderator(club)
    await ban(club, mod, club.anna, HOUR)
    await club.bot.store.delete_expired_bans(club.clock.now() + HOUR * 1000)
    assert count(tmp_path / "tables.sqlite3", "bans") == 1
    await club.bot.store.delete_expired_bans(club.clock.now() + HOUR * 1000 + 1)
    assert count(tmp_path / "tables.sqlite3", "bans") == 0


# Long lists


@every_game
@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", NAMES)
def test_the_longest_lists_keep_discords_limits(game: str, locale: str, name: str) -> None:
    t = words(locale)
    longest = max(tables(game, name), key=lambda it: len(it.players) if it.phase is Phase.PLAYING else 0)
    live = [LiveTable(make_scene(longest._replace(id=f"{n}"), None, 1 << 60), 1) for n in range(PAGE_LENGTH * 2 + 1)]  # type: ignore[arg-type]
    bans = [Ban(f"{n}", 1 << 60, "", 10**12, 1 << 60, "*" * LONGEST_REASON) for n in range(PAGE_LENGTH * 2 + 1)]
    for page in (0, 1, 2, 9):
        for sheet in (
            moderation.live_tables_sheet(live, 99, page, t, notice="notice " * 10),
            moderation.bans_sheet(bans, page, t, notice="notice " * 10),
        ):
            assert not sheet.cut
    assert not moderation.ban_duration_sheet(1 << 60, True, t).cut
    assert not moderation.confirm_end_by_moderator_sheet(live[0].scene, 1, t).cut
    moderation.ban_reason_form(f"{1 << 60}-{DAY}", t).to_dict()
