"""/privacy: what is kept of somebody, as a file, and erased, whatever they are doing at the moment."""

import asyncio
import gzip
import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import interactions
from simcord.actors import MemberActor

from bot.custom_ids import Verb, custom_id
from bot.erase import erase as erase_person
from bot.export import Everything, packed
from bot.i18n import words
from bot.present.answers import REFUSALS
from bot.present.sheet import NO_TABLE
from bot.refusals import Why
from bot.store import personal
from bot.store.schema import metadata
from bot.tables.model import Ending, Phase
from bot.tables.preferences import DEFAULTS
from engine import record
from engine.verify import verify
from tests.bot.traces import traces
from tests.discord.forged import forge
from tests.discord.messages import presses, reply, said, text_of, verbs
from tests.discord.play import Club, every_game_with_calls, open_club
from tests.discord.test_calls import WINDOW, something_to_call
from tests.discord.world import EN, dms

NAME = "Zacharias Quux"
FORMER = "Former player"
Left = Callable[[], list[str]]


def with_zach(club: Club) -> MemberActor:
    """Somebody with a name that stands nowhere else, who is one of the people."""
    club.people.insert(3, club.guild.add_member(club.env.create_user(NAME)))
    return club.people[3]


@pytest.fixture
def zach(club: Club) -> MemberActor:
    return with_zach(club)


@pytest.fixture
def left(tmp_path: Path, zach: MemberActor) -> Left:
    """Where the database still says something of them."""
    return lambda: traces(tmp_path / "tables.sqlite3", zach.id, NAME, zach.user.dm_channel.id)


async def privacy(club: Club, person: MemberActor) -> discord.Message:
    return reply(await person.slash(club.channel, "privacy"))


async def erase(club: Club, person: MemberActor) -> str:
    """*person* asks to be erased, and confirms it; what they read then."""
    asked = reply(await club.press(person, await privacy(club, person), Verb.ERASE))
    return said(await club.press(person, asked, Verb.ERASE_FOR_SURE))


async def export(club: Club, person: MemberActor) -> Any:
    """What is in the file that *person* gets."""
    answer = reply(await club.press(person, await privacy(club, person), Verb.EXPORT))
    (file,) = answer.attachments
    return json.loads(await file.read())


def execute(folder: Path, statement: str, *values: Any) -> None:
    """Do something with the database, beside the bot."""
    with closing(sqlite3.connect(folder / "tables.sqlite3")) as database, database:
        database.execute(statement, values)


async def fits(club: Club, table: str) -> record.Record:
    """The record of the game of *table*, which fits."""
    kept = await club.bot.store.record(table)  # type: ignore[arg-type]
    assert kept is not None
    found = record.unpack(kept.data)
    verify(found)
    return found


# Everywhere


def test_every_table_about_people_is_erased() -> None:
    """Whoever adds one adds it to ``personal.BY_PERSON``."""
    assert {table for table in metadata.tables.values() if "user_id" in table.c} == set(personal.BY_PERSON)


async def everywhere(club: Club, zach: MemberActor, folder: Path) -> str:
    """They have chosen something, played and won, ended a game, sat in a lobby that was closed, play now, are invited
    to a rematch, and were taken out of another lobby; return a table of which there is a record."""
    channels = [club.guild.create_text_channel(f"channel-{n}") for n in range(4)]
    home, club.channel = club.channel, channels[0]
    await club.press(zach, await privacy(club, zach), Verb.SHARE, "share")
    await club.open(zach, club.bruno)
    kept = club.table().id
    await club.finish()
    await club.press(club.bruno, club.table_message(), Verb.REMATCH)
    club.channel = channels[1]
    await club.open(club.anna, zach)
    await club.press(zach, reply(await zach.slash(club.channel, "table leave")), Verb.LEAVE_FOR_SURE)
    await zach.slash(club.channel, "table return")
    await club.press(club.anna, reply(await club.anna.slash(club.channel, "table end")), Verb.END_FOR_SURE)
    club.channel = channels[2]
    await club.open(zach, start=False)
    await club.press(zach, club.table_message(), Verb.CANCEL)
    await club.open(club.anna, zach, start=False)
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    await club.choose(club.anna, reply(menu), Verb.REMOVE, str(zach.id))
    club.channel = home
    await club.open(zach, club.bruno, club.carla)
    execute(folder, "INSERT INTO totals VALUES (?, 'a', 'games', 1)", zach.id)
    execute(folder, "INSERT INTO ratings VALUES (?, 'a', 25.0, 8.0, 1)", zach.id)
    execute(folder, "INSERT INTO rating_steps VALUES (?, ?, 1, 'a', 1, 25.0, 8.0)", zach.id, kept)
    execute(folder, "INSERT OR REPLACE INTO people VALUES (?, ?, 1)", zach.id, zach.user.dm_channel.id)
    return str(kept)


EVERYWHERE = [
    "messages.channel_id",
    "people.dm_channel_id",
    "people.user_id",
    "preferences.user_id",
    "rating_steps.user_id",
    "ratings.user_id",
    "record_people.name",
    "record_people.user_id",
    "tables.last",
    "tables.snapshot",
    "totals.user_id",
]


async def test_whoever_is_everywhere_is_nowhere_once_erased(
    club: Club, zach: MemberActor, left: Left, tmp_path: Path
) -> None:
    kept = await everywhere(club, zach, tmp_path)
    assert left() == EVERYWHERE
    assert "You are erased" in await erase(club, zach)
    assert left() == []
    assert club.bot.people.preferences(zach.id) == DEFAULTS
    assert NAME not in repr(club.bot.tables.live_of()) + repr(club.bot.reconciler.known())
    await fits(club, kept)
    await club.finish()
    assert left() == []
    await club.restart()
    assert left() == []


async def test_the_file_holds_everything_and_nothing_of_others(club: Club, zach: MemberActor, tmp_path: Path) -> None:
    kept = await everywhere(club, zach, tmp_path)
    found = await export(club, zach)
    text = json.dumps(found)
    assert (found["user"], found["names"]) == (str(zach.id), [NAME])
    assert not [other.name for other in club.people if other is not zach and f'"{other.name}"' in text]
    assert not [other.id for other in club.people if other is not zach and str(other.id) in text]
    ((own,), rest) = ([it for it in found["records"] if it["table"] == kept], found["records"])
    assert len(rest) == 2
    assert own["your_name"] == NAME
    seats = {seat["id"]: seat["kind"] for seat in own["record"]["seats"]}
    assert seats[own["you_are"]] == "person"
    verify(record.load(json.dumps(own["record"], separators=(",", ":")).encode()))
    assert found["preferences"][0]["replays"] == "yes"
    assert [len(found[name]) for name in ("totals", "ratings", "rating_steps", "direct_messages")] == [1, 1, 1, 1]
    assert {it["phase"] for it in found["tables"]} == {"lobby", "playing", "over"}
    assert any(it["you_were_removed"] for it in found["tables"])
    assert {it["ending"]: it["you_ended_it"] for it in found["tables"]}["ended"] is False, "anna did"
    secret = club.table().secret
    assert secret not in text, "the secret of a game that runs"
    assert [it["slot"] for it in found["messages"]] == [f"hand:{club.seat(zach)}"]


# While something goes on


async def test_a_game_goes_on_without_them(club: Club, zach: MemberActor, left: Left) -> None:
    await club.open(zach, club.bruno, club.carla)
    hand, table = club.hand(zach), club.table().id
    await erase(club, zach)
    assert FORMER in text_of(club.table_message())
    assert hand.id not in {message.id for message in dms(zach)}, "their hand is deleted"
    assert left() == []
    answer = await club.press(zach, club.table_message(), Verb.HAND)
    assert EN(REFUSALS[Why.NOT_AT_TABLE]) in said(answer)
    await club.finish()
    assert FORMER in text_of(club.messages()[-1]) + str(club.messages()[-1].components)
    found = await fits(club, table)
    assert found.ending == Ending.FINISHED.value
    kept = await club.bot.store.record(table)
    assert kept is not None
    assert {it.user for it in kept.people} == {club.bruno.id, club.carla.id}
    assert left() == []


@every_game_with_calls
async def test_while_a_call_window_is_open(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, WINDOW) as club:
        zach = with_zach(club)
        await club.open(zach, club.bruno, club.carla)
        await something_to_call(club)
        while zach not in club.callers():
            await club.act(club.on_turn())
        await club.call(zach)
        assert club.table().window is not None
        table = club.table().id
        await erase(club, zach)
        await club.clock.advance(5_000)
        assert club.running
        assert club.table().window is None
        assert traces(tmp_path / "tables.sqlite3", zach.id, NAME) == []
        assert club.table().host == club.bruno.id
        await club.press(club.bruno, reply(await club.bruno.slash(club.channel, "table end")), Verb.END_FOR_SURE)
        await fits(club, table)


async def test_as_host_in_the_lobby(club: Club, zach: MemberActor, left: Left) -> None:
    await club.open(zach, club.bruno, start=False)
    await erase(club, zach)
    assert (club.table().host, len(club.table().players)) == (club.bruno.id, 1)
    assert NAME not in text_of(club.table_message())
    assert left() == []


async def test_alone_in_the_lobby(club: Club, zach: MemberActor, left: Left) -> None:
    await club.open(zach, start=False)
    await erase(club, zach)
    assert not club.running
    assert left() == []


async def test_two_at_the_same_table_at_the_same_time(club: Club, zach: MemberActor, left: Left) -> None:
    await club.open(zach, club.bruno, club.carla)
    table = club.table().id
    people = (zach, club.bruno)
    await asyncio.gather(*(erase_person(club.bot, person.id, person.name) for person in people))
    await club.env.settle()
    players = club.table().players
    assert [player.user for player in players if player.user] == [club.carla.id]
    assert left() == []
    await erase_person(club.bot, club.carla.id, club.carla.name)
    assert not club.running
    assert (await fits(club, table)).ending == Ending.ABANDONED.value


async def test_twice_and_once_more_by_somebody_new(club: Club, zach: MemberActor, left: Left) -> None:
    await club.open(zach, club.bruno)
    await club.finish()
    await erase(club, zach)
    assert "You are erased" in await erase(club, zach)
    nothing = reply(await club.press(zach, await privacy(club, zach), Verb.EXPORT))
    assert EN("I keep nothing about you.") in text_of(nothing)
    await club.open(zach, club.bruno)
    await club.finish()
    assert len((await export(club, zach))["records"]) == 1


async def test_one_thing_at_a_time(club: Club, zach: MemberActor) -> None:
    shown = await privacy(club, zach)
    with club.bot.people.alone(zach.id):
        answer = await club.press(zach, shown, Verb.EXPORT)
        assert EN(REFUSALS[Why.AT_WORK]) in said(answer)
        asked = reply(await club.press(zach, shown, Verb.ERASE))
        assert EN(REFUSALS[Why.AT_WORK]) in said(await club.press(zach, asked, Verb.ERASE_FOR_SURE))


@pytest.mark.parametrize("opener", [True, False])
async def test_while_seats_of_a_rematch_are_kept(club: Club, zach: MemberActor, left: Left, opener: bool) -> None:
    await club.open(zach, club.bruno)
    await club.finish()
    over = club.messages()[-1]
    again = next(its for its, press in presses(over) if press.verb is Verb.REMATCH)
    await club.press(zach if opener else club.bruno, over, Verb.REMATCH)
    await erase(club, zach)
    assert left() == []
    if opener:
        assert not club.running, "nobody had taken a seat"
    else:
        assert [player.user for player in club.table().players] == [club.bruno.id]
        await club.press(club.bruno, club.table_message(), Verb.CANCEL)
    await forge(club, club.bruno, again, over)
    assert club.table().phase is Phase.LOBBY
    assert [player.user for player in club.table().players] == [club.bruno.id]
    assert left() == []


async def test_the_message_of_a_game_they_ended_says_so_without_their_name(club: Club, zach: MemberActor) -> None:
    await club.open(zach, club.bruno)
    await club.press(zach, reply(await zach.slash(club.channel, "table end")), Verb.END_FOR_SURE)
    over = club.messages()[-1]
    assert NAME in text_of(over)
    await erase(club, zach)
    await club.press(club.bruno, over, Verb.REMATCH)
    now = text_of(club.as_it_is(over))
    assert NAME not in now
    assert EN("The game was ended by {name}. Nobody wins.", name=f"**{FORMER}**") in now


# What others may know


async def test_what_others_may_know_is_shown_and_holds_after_a_restart(club: Club, zach: MemberActor) -> None:
    shown = await privacy(club, zach)
    assert shown.flags.ephemeral
    assert EN("👁️ Others may find you on leaderboards.") in text_of(shown)
    answer = await club.press(zach, shown, Verb.SHARE, "hide")
    assert reply(answer).id == shown.id
    await club.press(zach, reply(answer), Verb.SHARE, "share")
    await club.restart()
    chosen = club.bot.people.preferences(zach.id)
    assert (chosen.hidden, chosen.replays) == (True, True)
    again = await privacy(club, zach)
    assert EN("🙈 You are hidden: others find you on no leaderboard.") in text_of(again)
    await club.press(zach, again, Verb.SHARE, "show")
    await club.press(zach, await privacy(club, zach), Verb.SHARE, "keep")
    assert club.bot.people.preferences(zach.id) == DEFAULTS


async def test_who_changes_their_mind_keeps_everything(club: Club, zach: MemberActor, left: Left) -> None:
    await club.press(zach, await privacy(club, zach), Verb.SHARE, "hide")
    asked = reply(await club.press(zach, await privacy(club, zach), Verb.ERASE))
    back = reply(await club.press(zach, asked, Verb.PRIVACY))
    assert Verb.EXPORT in verbs(back)
    assert left() == ["preferences.user_id"]


async def test_made_up_choices_are_refused(club: Club, zach: MemberActor) -> None:
    await club.open(zach, club.bruno, start=False)
    for arg in ("", "rated", "hidden"):
        answer = await forge(club, zach, custom_id(Verb.SHARE, NO_TABLE, arg=arg), club.table_message())
        assert EN(REFUSALS[Why.BUTTON_DEAD]) in said(answer)


async def test_in_direct_messages_it_works_as_well(club: Club, zach: MemberActor, left: Left) -> None:
    await club.open(zach, club.bruno)
    await club.finish()
    shown = reply(await zach.user.slash("privacy"))
    asked = reply(await club.press(zach, shown, Verb.ERASE))
    assert "You are erased" in said(await club.press(zach, asked, Verb.ERASE_FOR_SURE))
    assert left() == []


async def test_it_speaks_their_language_to_the_end(club: Club, zach: MemberActor) -> None:
    await club.bot.people.change(zach.id, lambda it: it._replace(locale="de"))
    assert words("de")("### You are erased") in await erase(club, zach)


# The file


def test_what_is_too_large_is_compressed_and_then_the_oldest_games_are_left_out() -> None:
    noise = random.Random(1)
    records = [{"n": n, "noise": f"{noise.getrandbits(8000):x}"} for n in range(20)]
    it = Everything({"format": 1}, records)
    whole = packed(it)
    assert (whole.name, whole.left_out) == ("my-data.json", 0)
    assert packed(it, len(whole.data)).name == "my-data.json"
    small = packed(it, len(whole.data) - 1)
    assert (small.name, small.left_out) == ("my-data.json.gz", 0)
    for limit in (10_000, 5_000, 500):
        part = packed(it, limit)
        found = json.loads(gzip.decompress(part.data))
        assert len(part.data) <= limit
        assert found["records_left_out"] == part.left_out > 0
        assert [each["n"] for each in found["records"]] == list(range(part.left_out, 20))
        fewer = packed(Everything(it.document, records[part.left_out - 1 :]), None)
        assert len(gzip.compress(fewer.data)) > limit - 200, "no more is left out than must be"


async def test_discords_limit_is_kept(club: Club, zach: MemberActor, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.open(zach, club.bruno)
    await club.finish()
    whole = await export(club, zach)
    size = len(gzip.compress(json.dumps({**whole, "records": []}).encode()))
    base = interactions.base_payload

    def small(*args: Any, **how: Any) -> Any:
        found, payload = base(*args, **how)
        return found, {**payload, "attachment_size_limit": size + 200}

    monkeypatch.setattr(interactions, "base_payload", small)
    shown = await privacy(club, zach)
    answer = reply(await club.press(zach, shown, Verb.EXPORT))
    (file,) = answer.attachments
    data = await file.read()
    assert len(data) <= size + 200
    assert json.loads(gzip.decompress(data))["records_left_out"] == 1
    assert "1 game, the oldest, did not fit." in text_of(answer)
