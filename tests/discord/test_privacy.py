"""/privacy: what is kept of somebody, as a file, and erased, whatever they are doing at the moment."""

import gzip
import json
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.custom_ids import Verb
from bot.tables.model import Ending, Phase
from engine import record
from engine.verify import verify
from tests.bot.traces import traces
from tests.discord.messages import reply, said, text_of
from tests.discord.play import Club
from tests.discord.world import EN, dms

NAME = "Zacharias Quux"


@pytest.fixture
def zach(club: Club) -> MemberActor:
    """Somebody with a name that stands nowhere else."""
    club.people.insert(3, club.guild.add_member(club.env.create_user(NAME)))
    return club.people[3]


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
    data = await file.read()
    return json.loads(gzip.decompress(data) if file.filename.endswith(".gz") else data)


@pytest.fixture
def left(tmp_path: Path, zach: MemberActor) -> Any:
    """Where the database still holds something of the person."""
    return lambda: traces(tmp_path / "tables.sqlite3", zach.id, NAME, zach.user.dm_channel.id)


async def test_a_finished_game_is_exported_and_erased(club: Club, zach: MemberActor, left: Any) -> None:
    await club.open(zach, club.bruno)
    table = club.table().id
    await club.finish()
    assert left()
    found = await export(club, zach)
    (own,) = found["records"]
    print(json.dumps({**found, "records": []}, indent=1))
    assert own["your_name"] == NAME
    assert "You are erased" in await erase(club, zach)
    assert left() == []
    kept = await club.bot.store.record(table)
    assert kept is not None
    verify(record.unpack(kept.data))
