"""Two people with one name at a table: wherever one of them is named, it is clear which."""

import discord
import pytest

from bot.custom_ids import Verb
from tests.discord.messages import gallery, text_of
from tests.discord.play import Club

SECOND = "Sаm \\(sam\\_2\\)"
"""The second person's name in markdown; its "a" is Cyrillic."""


@pytest.fixture
def sams(club: Club) -> Club:
    """The first two people are called Sam, as far as anybody can see."""
    for seat, (username, name) in enumerate((("sam_1", "Sam"), ("sam_2", "Sаm"))):
        club.people[seat] = club.guild.add_member(club.env.create_user(username, global_name=name))
    return club


async def test_everybody_can_see_who_is_on_turn(sams: Club) -> None:
    await sams.open(sams.anna, sams.bruno, start=False)
    assert f"2. **{SECOND}**" in text_of(sams.table_message())
    await sams.press(sams.anna, sams.table_message(), Verb.START)
    for _ in range(4):
        name = "**Sam**" if sams.on_turn().id == sams.anna.id else f"**{SECOND}**"
        assert name in text_of(sams.table_message())
        await sams.go_on()


async def test_the_end_the_record_and_the_rematch_name_them_as_the_table_did(sams: Club) -> None:
    await sams.open(sams.anna, sams.bruno)
    table = sams.table().id
    await sams.finish()
    (picture,) = gallery(sams.table_message())
    assert all(f". {name}:" in picture["description"] for name in ("Sam", "Sаm (sam_2)"))
    kept = await sams.bot.store.record(table)
    assert kept is not None
    assert {it.name for it in kept.people} == {"Sam", "Sаm (sam_2)"}
    await sams.press(sams.bruno, sams.table_message(), Verb.REMATCH)
    assert f"1. **{SECOND}**" in text_of(sams.table_message())
    assert "2. **Sam**" in text_of(sams.table_message())


async def test_a_moderator_of_the_same_name_is_told_from_them(sams: Club) -> None:
    role = sams.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
    moderator = sams.guild.add_member(sams.env.create_user("sam_3", global_name="Sam"), roles=[role])
    await sams.open(sams.anna, sams.bruno, start=False)
    await moderator.slash(sams.channel, "table end")
    assert "The table was closed by **Sam \\(sam\\_3\\)**." in "".join(text_of(it) for it in sams.messages())
