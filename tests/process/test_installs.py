"""A person who has the bot in their account uses it where it is not: in a server without it, and in a group DM."""

from pathlib import Path

import pytest

from bot.i18n import words
from bot.tables.errors import Why
from bot.ui.replies import REFUSALS
from tests.games import ANY
from tests.process.person import Person
from tests.process.world import World

pytestmark = pytest.mark.about(ANY)  # all games are alike here

OF_ACCOUNTS = {"rules", "help", "learn", "me", "replay", "profile", "privacy"}
"""The commands of an account that need no option."""


async def offered(person: Person, channel: int) -> set[str]:
    """The names of the commands that *person* is offered in *channel*."""
    path = f"/channels/{channel}/application-commands/search?type=1"
    _, found = await person.world.call("GET", path, token=person.token)
    return {command["name"] for command in found["application_commands"]}


async def answer(person: Person, channel: int, name: str, **options: str) -> str:
    """What *person* alone reads after the command *name*."""
    before = set(person.messages)
    await person.slash(channel, name, **options)
    (new,) = [message for number, message in person.messages.items() if number not in before]
    assert new.private
    return new.text


async def test_the_commands_of_an_account_work_where_the_bot_is_not(world: World, store: Path) -> None:
    anna = world.people[0]
    recipients = [str(person.id) for person in world.people[:3]]
    _, group = await world.call("POST", "/local/channels", {"type": 3, "recipients": recipients})
    private = int(group["id"])
    world.channels[private] = ""  # of no server
    assert await offered(anna, private) == set()
    await world.call("POST", f"/local/users/{anna.id}", {"installed": True})
    await world.call("POST", f"/local/guilds/{world.guild}", {"installed": False})
    assert await offered(anna, world.channel) == OF_ACCOUNTS | {"verify", "play", "daily"}
    for name in sorted(OF_ACCOUNTS):
        assert await answer(anna, world.channel, name)
    assert words("en")(REFUSALS[Why.NO_BOT_HERE]) in await answer(anna, world.channel, "play", game=ANY)
    assert await offered(anna, private) == {"play"}
    assert await answer(anna, private, "play", game=ANY)
    assert "Traceback" not in (store.parent / "bot.log").read_text()
