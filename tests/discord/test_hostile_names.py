"""Names are hostile input: markdown, mentions, invisible characters, right-to-left, walls of emojis."""

import re

import pytest

from bot.custom_ids import Verb
from bot.present.sheet import NAME_LENGTH, escaped
from tests.discord.play import Club, text_of

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
]
RAW = re.compile(r"(?<!\\)(@everyone|@here|<@&?1|<#3|<t:0|\[click\]|\|\|spoiler|~~gone|__under)")


@pytest.mark.parametrize("name", NAMES)
async def test_a_hostile_name_is_shown_and_does_nothing(club: Club, name: str) -> None:
    club = club
    guest = club.guild.add_member(club.env.create_user("guest", global_name=name))
    club.people[1] = guest
    await club.open(guest, club.anna)
    for _ in range(4):
        await club.act(club.on_turn())
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    texts = [text_of(m) for m in (*club.messages(), club.hand(club.anna), club.hand(guest))]
    texts += [text_of(menu.response), club.env.transcript()]
    for text in texts[:-1]:
        assert not RAW.search(text), RAW.search(text)
        assert not re.search("[\u202a-\u202e\u200b\u2060\ufeff]", text)
    assert escaped(name) in texts[0]
    assert len(re.sub(r"\\", "", escaped(name))) <= NAME_LENGTH
    for request in club.env.http_requests:
        if isinstance(request.json, dict) and "components" in (request.json.get("data") or request.json):
            allowed = (request.json.get("data") or request.json).get("allowed_mentions")
            assert allowed is None or not allowed.get("parse"), "nobody is mentioned by text"
    answer = await club.press(club.people[5], club.table_message(), Verb.MENU)
    assert answer.ephemeral
