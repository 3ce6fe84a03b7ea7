"""The lobby: how a table is opened, who sits down, what is chosen, and what is refused."""

from pathlib import Path

import discord
import pytest
from simcord.actors import MemberActor

from bot.custom_ids import PREFIX, Verb
from bot.present.table_message import LEVELS
from bot.refusals import Why
from bot.tables.characters import level
from bot.tables.options import Pace
from tests.controls import components
from tests.discord.forged import click_old, forge
from tests.discord.messages import presses, said, text_of, verbs
from tests.discord.play import Club, open_club
from tests.discord.world import EN
from tests.games import CASES

WITH_OPTIONS = [(game, name) for game, case in sorted(CASES.items()) for name in case.rules.options]


async def test_play_opens_a_lobby_that_says_what_is_missing(club: Club) -> None:
    await club.open(club.anna, start=False)
    assert "anna" in text_of(club.table_message())
    assert EN(club.presenter.title) in text_of(club.table_message())
    least = club.rules.seats[0]
    for count, person in enumerate(club.people[1:least], start=1):
        missing = least - count
        assert f"{missing} more player" in text_of(club.table_message())
        assert Verb.START not in verbs(club.table_message())
        await club.press(person, club.table_message(), Verb.JOIN)
    assert "Ready" in text_of(club.table_message())
    assert Verb.START in verbs(club.table_message())


async def test_play_where_a_table_is_open_links_to_it(club: Club) -> None:
    await club.open(club.anna, start=False)
    answer = await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert club.no(Why.TABLE_OPEN_HERE) in said(answer)
    assert "anna" in said(answer)
    urls = [component.get("url") for component in components(answer.response)]
    assert f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{club.table_message().id}" in urls


async def test_play_where_ones_own_table_is_open_does_not_speak_of_its_host(club: Club) -> None:
    await club.open(club.anna, start=False)
    answer = await club.anna.slash(club.channel, "play", game=club.case.game)
    assert "There is already a table of yours in this channel; you can end it with " in said(answer)
    assert "anna" not in said(answer)


async def test_play_without_a_permission_names_it(club: Club) -> None:
    locked = club.guild.create_text_channel(
        "locked", overwrites={club.guild.default_role: discord.PermissionOverwrite(send_messages=False)}
    )
    answer = await club.anna.slash(locked, "play", game=club.case.game)
    assert "Send Messages" in said(answer)
    assert club.bot.tables.live_in(locked.id) is None


async def test_a_table_fills_up_and_takes_nobody_twice(club: Club) -> None:
    await club.open(club.anna, start=False)
    assert club.no(Why.ALREADY_JOINED) in said(await club.press(club.anna, club.table_message(), Verb.JOIN))
    most = club.rules.seats[-1]
    guests: list[MemberActor] = [
        club.guild.add_member(club.env.create_user(f"guest{number}")) for number in range(most)
    ]
    for person in guests[: most - 1]:
        await club.press(person, club.table_message(), Verb.JOIN)
    full = club.table_message()
    assert not {Verb.JOIN, Verb.ADD_COMPUTER} & verbs(full)
    assert len(club.table().players) == most
    forged = await forge(club, guests[-1], f"{PREFIX}join/{club.table().id}/0/", full)
    assert club.no(Why.TABLE_FULL, most=most) in said(forged)
    assert len(club.table().players) == most


async def test_a_started_table_cannot_be_joined_through_an_old_lobby(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    old = club.table_message()
    await club.press(club.anna, old, Verb.START)
    answer = await click_old(club, club.carla, old, Verb.JOIN)
    assert club.no(Why.ALREADY_STARTED) in said(answer)
    assert len(club.table().players) == 2


async def test_leaving_the_lobby_and_the_host_passing_on(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    await club.press(club.anna, club.table_message(), Verb.QUIT)
    assert club.table().host == club.bruno.id
    assert club.no(Why.NOT_JOINED) in said(await club.press(club.anna, club.table_message(), Verb.QUIT))
    await club.press(club.bruno, club.table_message(), Verb.QUIT)
    assert not club.running
    assert "table is closed" in text_of(club.messages()[-1])


async def test_computer_players_come_and_go(club: Club) -> None:
    await club.open(club.anna, computers=2, start=False)
    assert "🤖" in text_of(club.table_message())
    for left in (2, 1):
        await club.press(club.anna, club.table_message(), Verb.REMOVE_COMPUTER)
        assert len(club.table().players) == left
    assert Verb.REMOVE_COMPUTER not in verbs(club.table_message())
    await club.press(club.anna, club.table_message(), Verb.ADD_COMPUTER)
    refused = await club.press(club.carla, club.table_message(), Verb.ADD_COMPUTER)
    assert club.no(Why.PLAYERS_ONLY) in said(refused)
    assert len(club.table().players) == 2


async def test_a_computer_of_any_level_can_be_added(club: Club) -> None:
    await club.open(club.anna, start=False)
    levels = club.table().rules.levels
    most = club.table().rules.seats[-1]
    if levels == 1:
        assert Verb.LEVEL not in verbs(club.table_message())
        return
    for chosen in [levels, 1][: most - 1]:
        await club.choose(club.anna, club.table_message(), Verb.LEVEL, str(chosen))
    added = club.table().players[1:]
    assert [level(player, club.table().rules) for player in added] == [levels, 1][: most - 1]
    for player in added:
        assert f"**{player.name}** 🤖{LEVELS[level(player, club.table().rules) - 1]}" in text_of(club.table_message())
    before = club.table().players
    for wrong in ("0", str(levels + 1), "x"):
        custom_id = next(it for it, press in presses(club.table_message()) if press.verb is Verb.LEVEL)
        answer = await forge(club, club.anna, custom_id, club.table_message(), values=[wrong])
        assert club.no(Why.BUTTON_DEAD) in said(answer)
    assert club.table().players == before


async def test_pace_and_turn_limit_are_the_hosts(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    await club.choose(club.anna, club.table_message(), Verb.PACE, "slow")
    await club.choose(club.anna, club.table_message(), Verb.TURN_LIMIT, "300")
    assert (club.table().options.pace, club.table().options.turn_seconds) == (Pace.SLOW, 300)
    answer = await club.choose(club.bruno, club.table_message(), Verb.PACE, "fast")
    assert club.no(Why.HOST_ONLY) in said(answer)
    assert "**anna**" in said(answer)
    assert club.table().options.pace is Pace.SLOW


@pytest.mark.parametrize(("game", "name"), WITH_OPTIONS)
async def test_a_games_own_options_are_the_hosts(tmp_path: Path, game: str, name: str) -> None:
    async with open_club(tmp_path, game) as club:
        await club.open(club.anna, club.bruno, start=False)
        first, *_, last = club.rules.options[name]
        for value in (first, last, first):
            await club.choose(club.anna, club.table_message(), Verb.OPTION, value, name)
            assert dict(club.table().options.game)[name] == value
        refused = await club.choose(club.bruno, club.table_message(), Verb.OPTION, last, name)
        assert club.no(Why.HOST_ONLY) in said(refused)
        await club.press(club.anna, club.table_message(), Verb.START)
        assert dict(club.table().options.game)[name] == first


async def test_a_lobby_offers_the_games_options_and_takes_no_other(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    offered = [press.arg for _, press in presses(club.table_message()) if press.verb is Verb.OPTION]
    assert offered == list(club.rules.options)
    before = club.table()
    names = ["nonsense", "", *club.rules.options]
    for name in names:
        forged = f"{PREFIX}option/{before.id}/0/{name}"
        for values in (None, ["nonsense"], ["full", "short"]):
            answer = await forge(club, club.anna, forged, club.table_message(), values)
            assert club.no(Why.BUTTON_DEAD) in said(answer)
    assert club.table() == before


async def test_cancel_is_the_hosts(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    assert club.no(Why.HOST_ONLY) in said(await club.press(club.bruno, club.table_message(), Verb.CANCEL))
    await club.press(club.anna, club.table_message(), Verb.CANCEL)
    assert not club.running
    assert "closed by **anna**" in text_of(club.messages()[-1])
    await club.anna.slash(club.channel, "play", game=club.case.game)
    assert club.running


async def test_a_choice_that_is_refused_does_not_stay_in_the_list_s6(club: Club) -> None:
    """Discord's clients keep showing a choice until the message changes."""
    await club.open(club.anna, club.bruno, start=False)
    start = len(club.env.http_requests)
    answer = await club.choose(club.bruno, club.table_message(), Verb.PACE, "slow")
    callbacks = [r.json["type"] for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert callbacks == [7]
    assert club.no(Why.HOST_ONLY) in text_of(answer.followups[-1])
    start = len(club.env.http_requests)
    await club.choose(club.anna, club.table_message(), Verb.PACE, club.table().options.pace.value)
    assert [r.json["type"] for r in club.env.http_requests[start:]] == [7], "also when nothing changes"
