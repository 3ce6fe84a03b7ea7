"""What a world holds as rows of text, and back: everything that Discord would still know after its own restart.

A row has a kind, a number that is unique in its kind, and JSON. The bytes of pictures and other files are kept apart,
by the id of the attachment or emoji. Faults, limits and sessions are not kept.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from local_discord.images import Picture
from local_discord.initial import APPLICATION
from local_discord.interactions import TOKEN_LIFE_MS
from local_discord.model import (
    Attachment,
    Channel,
    ChannelType,
    Emoji,
    Guild,
    Intent,
    Interaction,
    InteractionType,
    Message,
    Reply,
    Thread,
    User,
)
from local_discord.snowflake import now_ms
from local_discord.world import World

USER: Final = "user"
GUILD: Final = "guild"
CHANNEL: Final = "channel"
MESSAGE: Final = "message"
INTERACTION: Final = "interaction"
EMOJI: Final = "emoji"
NOTIFICATION: Final = "notification"
APPLICATIONS: Final = "application"
UNCHANGING: Final = (MESSAGE, NOTIFICATION)
"""The kinds whose objects are replaced by others and never change themselves."""
_HERE: Final = "local:/attachments/"
"""Stands for this server in the addresses of files: the next time it may listen at another port."""

Key = tuple[str, int]
"""The kind and the number of a row."""


class Row(NamedTuple):
    """A row: its kind, its number, and JSON."""

    kind: str
    number: int
    body: str


def all_entities(world: World) -> Iterator[tuple[Key, Any]]:
    """Yield (key, object) for everything in *world* that becomes one row each: people, servers, channels, messages and
    more."""
    for user in world.users.values():
        yield (USER, user.id), user
    for guild in world.guilds.values():
        yield (GUILD, guild.id), guild
    for channel in world.channels.values():
        yield (CHANNEL, channel.id), channel
        for message in channel.messages.values():
            yield (MESSAGE, message.id), message
    for interaction in _interactions_to_save(world).values():
        yield (INTERACTION, interaction.id), interaction
    for emoji in world.emojis.values():
        yield (EMOJI, emoji.id), emoji
    for notification in world.notifications.after(0):
        yield (NOTIFICATION, notification["number"]), notification
    yield (APPLICATIONS, APPLICATION), {"commands": world.commands, "intents": int(world.intents)}


def _interactions_to_save(world: World) -> dict[int, Interaction]:
    """Return, by id, the interactions with valid tokens, and those that messages answer."""
    found = {it.id: it for it in world.interactions.values() if now_ms() - it.made_at <= TOKEN_LIFE_MS}
    for channel in world.channels.values():
        for message in channel.messages.values():
            it = message.interaction
            while it is not None and it.id not in found:
                found[it.id] = it
                it = it.opened_by
    return found


def files(world: World) -> dict[int, bytes]:
    """Return, by id, the content of all attachments of messages and of all emojis."""
    messages = (message for channel in world.channels.values() for message in channel.messages.values())
    attached = {it.id: it.data for message in messages for it in message.attachments}
    return attached | {emoji.id: emoji.data for emoji in world.emojis.values()}


def to_json(thing: Any, base: str) -> str:
    """Return the JSON body of the row for *thing* (a person, server, channel, message ...); *base* is the address of
    this server."""
    match thing:
        case Channel():
            data = _without(thing, "messages") | {"thread": thing.thread and vars(thing.thread)}
        case Message():
            data = vars(thing) | {
                "attachments": [_without(it, "data") for it in thing.attachments],
                "interaction": thing.interaction and thing.interaction.id,
            }
        case Interaction():
            data = vars(thing) | {"opened_by": thing.opened_by and thing.opened_by.id}
        case Emoji():
            data = _without(thing, "data")
        case User() | Guild():
            data = vars(thing)
        case _:
            data = thing
    return json.dumps(data).replace(f"{base}/attachments/", _HERE)


def _without(thing: Any, *names: str) -> dict[str, Any]:
    """Return the fields of *thing* by name, without *names*."""
    return {key: value for key, value in vars(thing).items() if key not in names}


def load_world(world: World, rows: Sequence[Row], data: Mapping[int, bytes]) -> None:
    """Replace everything in *world* by what *rows* and the files in *data* hold; KeyError, TypeError or ValueError if
    they do not fit together."""
    here = f"{world.base}/attachments/"
    found: dict[str, dict[int, Any]] = {}
    for row in sorted(rows, key=lambda it: it.number):
        found.setdefault(row.kind, {})[row.number] = json.loads(row.body.replace(_HERE, here))
    _refill_dict(world.users, {number: User(**it) for number, it in found[USER].items()})
    world.bot = world.users[APPLICATION]
    _refill_dict(world.guilds, {number: Guild(**it) for number, it in found[GUILD].items()})
    _refill_dict(world.channels, {number: _channel_from_row(it) for number, it in found.get(CHANNEL, {}).items()})
    interactions: dict[int, Interaction] = {}
    for number, it in found.get(INTERACTION, {}).items():
        interactions[number] = _interaction_from_row(it, interactions)
    _refill_dict(world.interactions, {it.token: it for it in interactions.values()})
    for number, it in found.get(MESSAGE, {}).items():
        message = _message_from_row(it, interactions, data)
        channel = world.channels[message.channel]
        channel.messages[number] = message
        if message.author == APPLICATION and message.nonce is not None:
            world.nonces[message.author, message.nonce] = channel.id, number
        world.files.keep(message.attachments)
    _refill_dict(world.emojis, {number: Emoji(data=data[number], **it) for number, it in found.get(EMOJI, {}).items()})
    world.notifications.restore(found.get(NOTIFICATION, {}).values())
    world.commands = found[APPLICATIONS][APPLICATION]["commands"]
    world.intents = Intent(found[APPLICATIONS][APPLICATION]["intents"])
    world.snowflakes.skip_to(max((*data, *(row.number for row in rows))))


def _refill_dict(there: dict[Any, Any], found: dict[Any, Any]) -> None:
    """Replace the content of the dictionary *there* by *found*, in place, since others hold it too."""
    there.clear()
    there.update(found)


def _channel_from_row(it: dict[str, Any]) -> Channel:
    """Build the channel, without messages, from the row *it*."""
    thread = Thread(**it["thread"]) if it["thread"] else None
    found = {"type": ChannelType(it["type"]), "recipients": tuple(it["recipients"]), "thread": thread}
    return Channel(**it | found)


def _interaction_from_row(it: dict[str, Any], known: Mapping[int, Interaction]) -> Interaction:
    """Build the interaction from the row *it*; one without a response counts as failed. *known* are older ones, by
    id."""
    reply = None if it["replied"] is None else Reply(it["replied"])
    found = {"type": InteractionType(it["type"]), "replied": reply, "failed": reply is None}
    return Interaction(**it | found | {"opened_by": known.get(it["opened_by"] or 0)})


def _message_from_row(
    it: dict[str, Any], interactions: Mapping[int, Interaction], data: Mapping[int, bytes]
) -> Message:
    """Build the message from the row *it*, with its interaction, and its files from *data*."""
    attachments = [_attachment_from_row(file, data[file["id"]]) for file in it["attachments"]]
    interaction = None if it["interaction"] is None else interactions[it["interaction"]]
    found = {"attachments": attachments, "mentions": tuple(it["mentions"]), "interaction": interaction}
    return Message(**it | found)


def _attachment_from_row(it: dict[str, Any], data: bytes) -> Attachment:
    """Build the attachment from *it*, a part of a row, with the content *data*."""
    picture = Picture(*it["picture"]) if it["picture"] else None
    return Attachment(**it | {"data": data, "picture": picture})
