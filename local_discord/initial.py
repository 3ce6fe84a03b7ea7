"""Who and what is there at the first start: the bot, people, servers, channels. Without a file for the state every
start is the first.

The ids are the same every time, so that a bot that starts again finds its channels. The tokens are new every time: who
knows one is let in, so nobody may know it beforehand.
"""

import base64
import secrets
from collections.abc import Iterable
from typing import Final

from local_discord.model import MODERATION, Channel, ChannelType, Guild, Thread, User
from local_discord.snowflake import now_ms

APPLICATION: Final = 900_000_000_000_000_000
"""The id of the application, and of its bot."""
_FIRST_ID: Final = 910_000_000_000_000_000
"""The first person's id. The first server's id is 100 higher, and each further server's ``1 << 22`` higher."""

PEOPLE: Final = (
    ("Anna", "en-US"),
    ("Bruno", "it"),
    ("Carla", "de"),
    ("Dirk", "nl"),
    ("Emma", "en-GB"),
    ("Felix", "de"),
    ("Gina", "it"),
    ("Hugo", "en-US"),
)
"""(name, locale) of the people who come first. Anna owns every server."""
CHANNELS: Final = ("card-table", "second-table", "lounge")
"""The names of a server's first text channels."""


def users(people: int) -> dict[int, User]:
    """Create the bot and *people* people, with new tokens, by id.

    Those after the named ones are called "Person 9" and so on.
    """
    bot = User(APPLICATION, "Seventeen", new_auth_token(APPLICATION), bot=True)
    found = {bot.id: bot}
    extras = ((f"Person {number}", "en-US") for number in range(len(PEOPLE) + 1, people + 1))
    for index, (name, locale) in enumerate((*PEOPLE[:people], *extras)):
        number = _FIRST_ID + index
        person = User(number, name, new_auth_token(number), locale=locale, granted=MODERATION if index == 0 else 0)
        found[person.id] = person
    return found


def new_auth_token(user: int) -> str:
    """Make a new random token with which *user* (an id) authenticates, in the form of Discord's."""
    return ".".join(
        (base64.b64encode(str(user).encode()).decode(), secrets.token_urlsafe(6), secrets.token_urlsafe(32))
    )


def make_guild(index: int, channels: int, members: Iterable[User]) -> tuple[Guild, list[Channel]]:
    """Create a Community server, number *index*, and its channels: *channels* text channels and one thread; return
    both.

    The first member owns it, and all *members* are in it.

    Bits from 22 on decide which shard serves it, so consecutive servers belong to consecutive shards.
    """
    guild_id = _FIRST_ID + 100 + (index << 22)
    first = guild_id + 100_000
    names = [*CHANNELS, *(f"table-{number + 1}" for number in range(len(CHANNELS), channels))][:channels]
    here = [Channel(first + place, ChannelType.TEXT, name, guild_id) for place, name in enumerate(names)]
    people = [person.id for person in members if not person.bot]
    thread = Thread(people[0], list(people), now_ms(), now_ms())
    here.append(Channel(guild_id + 50_000, ChannelType.THREAD, "a thread", guild_id, parent=first, thread=thread))
    title = "Card club" if index == 0 else f"Card club {index + 1}"
    return Guild(guild_id, title, people[0], [it.id for it in here], [APPLICATION, *people]), here
