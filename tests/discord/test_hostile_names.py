"""Names are hostile input: markdown, mentions, invisible characters, right-to-left, walls of emojis; and namesakes."""

import re

import discord
import pytest

from bot.tables.names import MAX_NAME_LENGTH
from bot.ui.components import escaped_name
from bot.ui.custom_ids import Verb
from tests.discord.messages import gallery, private_text, text_of
from tests.discord.play import Club

NAMES = [
    "**bold** __under__ ~~gone~~",
    "# heading",
    "> quote",
    "||spoiler|| `code`",
    "@everyone @here",
    "<@1> <@&2> <#3> <t:0:R>",
    "[click](https://evil.example)",
    "\u202egnirts desrever",
    "zero\u200bwidth\u2060joiners\ufeff",
    "line\nbreak\ttab",
    "💥" * 32,
    "W" * 32,
    "\u200b",
    "{name} {0} %s",
    "**@everyone** <@1> \u202e[a](http://x)" + "🃏" * 40,
]
RAW = re.compile(r"(?<!\\)(@everyone|@here|<@&?1|<#3|<t:0|\[click\]|\|\|spoiler|~~gone|__under)")
INVISIBLE = re.compile("[\u202a-\u202e\u200b\ufeff]|[a-z]\u2060|\u2060[a-z]")
"""U+2060 joins symbols of ours (``components.WORD_JOINER``), but no letters of a name."""


@pytest.mark.parametrize("name", NAMES)
async def test_a_hostile_name_is_shown_and_does_nothing(club: Club, name: str) -> None:
    guest = club.guild.add_member(club.env.create_user("guest", global_name=name))
    club.people[1] = guest
    await club.open(guest, club.anna, start=False)
    lobby = club.table_message()
    assert not lobby.mentions
    assert not lobby.mention_everyone
    await club.cut(guest, "mischief")
    await club.press(guest, lobby, Verb.START)
    for _ in range(4):
        await club.act(club.on_turn())
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    texts = [text_of(m) for m in (lobby, *club.messages(), club.hand(club.anna), club.hand(guest))]
    fair = await club.fair_page(club.anna)
    texts += [private_text(menu), text_of(fair)]
    for text in texts:
        assert not RAW.search(text), RAW.search(text)
        assert not INVISIBLE.search(text)
    assert all(escaped_name(name) in text_of(message) for message in (lobby, fair, club.table_message()))
    assert len(re.sub(r"\\", "", escaped_name(name))) <= MAX_NAME_LENGTH
    sent = [r.json.get("data") or r.json for r in club.env.http_requests if isinstance(r.json, dict)]
    mentioning = [data.get("allowed_mentions") for data in sent if "components" in data]
    assert mentioning
    assert not any(allowed.get("parse") for allowed in mentioning if allowed), "nobody is mentioned by text"
    assert private_text(await club.press(club.stranger, club.table_message(), Verb.MENU))


NOTHING = ["\u3164", "\u2800 \u2800", "\u061c", "\U000e0041\U000e007f", "\ufe0f", "\uffa0", "\u034f", "\u00a0"]
LIKE_NOTHING = ["\U0001d159", "\ufffc", "\U0001bca0", "\u0300", "\u20dd", "\u0300\u20dd\ufe0f"]
"""A note without a head, the place of an object, a mark of shorthand, accents and circles without a letter."""


@pytest.mark.parametrize("name", NOTHING + LIKE_NOTHING)
def test_a_name_of_nothing_visible_shows_as_a_question_mark(name: str) -> None:
    assert escaped_name(name) == "?"
    assert escaped_name(f"a{name}b").replace(" ", "") in ("ab", f"a{name}b".replace(" ", ""))


# Two people with one name at a table: wherever one of them is named, it is clear which.

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
    kept = await sams.bot.store.load_game_record(table)
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
