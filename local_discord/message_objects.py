"""Messages and answers to interactions as API objects: JSON as Discord documents it."""

from typing import Any

from local_discord.attachments import url_of
from local_discord.initial import APPLICATION
from local_discord.model import Attachment, Interaction, InteractionType, Message, MessageFlag, Reply, User
from local_discord.serialize import timestamp, user
from local_discord.snowflake import time_of


def attachment(it: Attachment, url: str, *, ephemeral: bool) -> dict[str, Any]:
    """An attachment object; *url* is its address, *ephemeral*: only one person sees it.

    https://discord.com/developers/docs/resources/message#attachment-object
    """
    data: dict[str, Any] = {
        "id": str(it.id),
        "filename": it.filename,
        "content_type": it.content_type,
        "size": len(it.data),
        "url": url,
        "proxy_url": url,
    }
    if it.picture:
        data |= {"width": it.picture.width, "height": it.picture.height}
    if ephemeral:
        data["ephemeral"] = True
    said = {"description": it.description, "title": it.title}
    return data | {key: value for key, value in said.items() if value is not None}


def message(
    it: Message, author: User, mentions: list[User], inviter: User | None, guild: int | None, base: str
) -> dict[str, Any]:
    """A message object; *guild* is its server, *base* the address of this server.

    *inviter* is who made the interaction that the message answers; ``None``: it answers none.
    https://discord.com/developers/docs/resources/message#message-object
    """
    private = it.reader is not None
    data: dict[str, Any] = {
        "id": str(it.id),
        "channel_id": str(it.channel),
        "author": user(author),
        "content": it.content,
        "timestamp": timestamp(time_of(it.id)),
        "edited_timestamp": timestamp(it.edited_at) if it.edited_at else None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [user(person) for person in mentions],
        "mention_roles": [],
        "attachments": [attachment(file, url_of(base, it.channel, file), ephemeral=private) for file in it.attachments],
        "embeds": it.embeds,
        "pinned": False,
        "type": 0,
        "flags": it.flags,
        "components": it.components,
    }
    if it.nonce is not None:
        data["nonce"] = it.nonce
    if it.reference is not None:
        place = {"channel_id": str(it.channel), **({"guild_id": str(guild)} if guild else {})}
        data |= {"type": 19, "message_reference": {"type": 0, "message_id": str(it.reference), **place}}
    if it.interaction is not None and inviter is not None:
        data |= {"application_id": str(APPLICATION), "webhook_id": str(APPLICATION)}
        data["interaction_metadata"] = metadata(it.interaction, inviter)
        if it.follow_up and it.interaction.original is not None:
            data["interaction_metadata"]["original_response_message_id"] = str(it.interaction.original)
        if it.interaction.type is InteractionType.COMMAND and not it.follow_up:
            used = {"id": str(it.interaction.id), "type": 2, "name": full_name(it.interaction.data)}
            data |= {"type": 20, "interaction": {**used, "user": user(inviter)}}
    return data


def full_name(command: dict[str, Any]) -> str:
    """The name of a used command with those of its subcommands; *command* is the data of the interaction."""
    inner = [option for option in command.get("options") or [] if option.get("type") in (1, 2)]
    return " ".join([str(command.get("name", "")), *(full_name(option) for option in inner)])


def owners(guild: int | None) -> dict[str, str]:
    """The authorizing integration owners: the application is installed to the server, and to no person.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-authorizing-integration-owners-object
    """
    return {"0": str(guild or 0)}


def metadata(it: Interaction, inviter: User) -> dict[str, Any]:
    """Where a message that answers *it* comes from.

    https://discord.com/developers/docs/resources/message#message-interaction-metadata-object
    """
    data = {
        "id": str(it.id),
        "type": int(it.type),
        "user": user(inviter),
        "authorizing_integration_owners": owners(it.guild),
    }
    if it.type is InteractionType.COMPONENT:
        data["interacted_message_id"] = str(it.message)
    if it.opened_by is not None:
        data["triggering_interaction_metadata"] = metadata(it.opened_by, inviter)
    return data


def without_content(it: dict[str, Any], bot: int) -> dict[str, Any]:
    """The message object *it* as *bot* sees it without the intent for content, in a channel of a server.

    https://discord.com/developers/docs/events/gateway#message-content-intent
    """
    mentioned = any(person["id"] == str(bot) for person in it["mentions"])
    hidden = {"content": "", "embeds": [], "attachments": [], "components": []}
    return it if it["author"]["id"] == str(bot) or mentioned else {**it, **hidden}


def callback(it: Interaction, reply: int, sent: dict[str, Any] | None) -> dict[str, Any]:
    """What ``with_response`` gives the bot; *sent* is the message object, ``None`` if there is no message.

    https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-callback-interaction-callback-object
    """
    data: dict[str, Any] = {"interaction": {"id": str(it.id), "type": int(it.type)}}
    if sent is not None:
        data["interaction"] |= {
            "response_message_id": sent["id"],
            "response_message_loading": bool(sent["flags"] & MessageFlag.LOADING),
            "response_message_ephemeral": bool(sent["flags"] & MessageFlag.EPHEMERAL),
        }
        if reply in (Reply.MESSAGE, Reply.UPDATE):
            data["resource"] = {"type": reply, "message": sent}
    return data
