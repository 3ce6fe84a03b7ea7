"""Somebody of whom much is kept, and what they do about it: /privacy, export, erase."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import discord
from simcord.actors import MemberActor

from bot.tables.model import END_OF_TIME
from bot.ui.custom_ids import Verb
from tests.discord.messages import private_text, reply
from tests.discord.play import Club

NAME = "Zacharias Quux"
Left = Callable[[], list[str]]


def with_zach(club: Club) -> MemberActor:
    """Somebody with a name that stands nowhere else, who is one of the people."""
    club.people.insert(3, club.guild.add_member(club.env.create_user(NAME)))
    return club.people[3]


async def privacy(club: Club, person: MemberActor) -> discord.Message:
    return reply(await person.slash(club.channel, "privacy"))


async def erase(club: Club, person: MemberActor) -> str:
    """*person* asks to be erased, and confirms it; what they read then."""
    asked = reply(await club.press(person, await privacy(club, person), Verb.ERASE))
    return private_text(await club.press(person, asked, Verb.ERASE_FOR_SURE))


async def export(club: Club, person: MemberActor) -> Any:
    """What is in the file that *person* gets."""
    answer = reply(await club.press(person, await privacy(club, person), Verb.EXPORT))
    (file,) = answer.attachments
    return json.loads(await file.read())


def execute(folder: Path, statement: str, *values: Any) -> None:
    """Do something with the database, beside the bot."""
    with closing(sqlite3.connect(folder / "tables.sqlite3")) as database, database:
        database.execute(statement, values)


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
    await club.in_menu(zach, Verb.CANCEL)
    await club.open(club.anna, zach, start=False)
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    await club.choose(club.anna, reply(menu), Verb.REMOVE, str(zach.id))
    club.channel = home
    await club.open(zach, club.bruno, club.carla)
    execute(folder, "INSERT INTO totals VALUES (?, 'a', 'games', 1)", zach.id)
    execute(folder, "INSERT INTO ratings VALUES (?, 'a', 25.0, 8.0, 1)", zach.id)
    execute(folder, "INSERT INTO rating_steps VALUES (?, ?, 1, 'a', 1, 1, 25.0, 8.0)", zach.id, kept)
    attempt = "('2026-11-28', 'a', ?, ?, 1, 1, 2, 1, '[3, 0]', 'wlo', NULL)"
    execute(folder, f"INSERT INTO daily_attempts VALUES {attempt}", zach.id, kept)
    execute(folder, "INSERT INTO bans VALUES ('a', 5, ?, '', ?, NULL, ?)", zach.id, END_OF_TIME - 1, f"{NAME} cheats")
    execute(folder, "INSERT INTO bans VALUES ('b', 5, 6, '', ?, ?, '')", END_OF_TIME - 1, zach.id)
    execute(folder, "INSERT OR REPLACE INTO people VALUES (?, ?, 1)", zach.id, zach.user.dm_channel.id)
    return str(kept)
