"""An interaction from beginning to end: 3 seconds to answer, one response, and a token that is valid for 15 minutes.

https://discord.com/developers/docs/interactions/receiving-and-responding
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any, Final

from local_discord import checks, commands, errors, serialize
from local_discord.attachments import Upload
from local_discord.initial import APPLICATION
from local_discord.model import Channel, Interaction, InteractionType, Message, MessageFlag, Reply, User
from local_discord.snowflake import now_ms
from local_discord.world import World

log = logging.getLogger(__name__)

DEADLINE_SECONDS: Final = 3.0
TOKEN_LIFE_MS: Final = 15 * 60_000
KEPT_FLAGS: Final = (
    MessageFlag.EPHEMERAL | MessageFlag.COMPONENTS_V2 | MessageFlag.LOADING | MessageFlag.SUPPRESS_NOTIFICATIONS
)


class Interactions:
    """The interactions of one world.

    *to_bot* sends an event (name, payload) to the bot. It returns whether the bot is connected.
    """

    def __init__(self, world: World, to_bot: Callable[[str, dict[str, Any]], bool]) -> None:
        self._world = world
        self._to_bot = to_bot
        self._by_id: dict[int, Interaction] = {}

    def begin(self, person: User, body: dict[str, Any], delay_ms: int = 0) -> Interaction:
        """*person* uses a command, a component or a modal. *body* is the request; the bot gets it *delay_ms* later.

        Raises:
            ApiError: *person* could not have used this with Discord's own client.
        """
        world = self._world
        channel = world.channel(_snowflake(body, "channel_id"), person)
        data = body.get("data")
        if not isinstance(data, dict):
            raise errors.invalid_form("data", "BASE_TYPE_REQUIRED", "This field is required")
        message = self._check(body, data, channel, person)
        interaction = Interaction(
            id=world.snowflakes.next(),
            token=secrets.token_urlsafe(48),
            type=InteractionType(body["type"]),
            user=person.id,
            channel=channel.id,
            guild=channel.guild,
            data=data,
            nonce=body.get("nonce"),
            session=body.get("session_id"),
            message=message.id if message else None,
            made_at=now_ms(),
        )
        self._by_id[interaction.id] = interaction
        world.interactions[interaction.token] = interaction
        self._to_person(interaction, "INTERACTION_CREATE")
        payload = self._payload(interaction, channel, person, message)
        loop = asyncio.get_running_loop()
        if delay_ms:
            loop.call_later(delay_ms / 1000, self._to_bot, "INTERACTION_CREATE", payload)
        else:
            self._to_bot("INTERACTION_CREATE", payload)
        loop.call_later(DEADLINE_SECONDS, self._deadline, interaction)
        return interaction

    def _check(self, body: dict[str, Any], data: dict[str, Any], channel: Channel, person: User) -> Message | None:
        """Check that what *person* uses is there, and return the message it belongs to; ``None``: it has no message.

        Raises:
            ApiError: it is not there, cannot be used, or was not used as it should be.
        """
        match body.get("type"):
            case InteractionType.COMMAND:
                command = next((c for c in self._world.commands if c["name"] == data.get("name")), None)
                if command is None or not commands.usable(command, channel):
                    raise errors.unknown_command()
                data["id"] = command["id"]
                data["type"] = 1
                commands.check_invocation(command, data.get("options") or [])
                return None
            case InteractionType.COMPONENT:
                message = self._world.message(channel, _snowflake(body, "message_id"), person)
                component = checks.find_component(message.components, str(data.get("custom_id")))
                if component is None or component.get("disabled") or component["type"] != data.get("component_type"):
                    raise errors.invalid_form("data", "COMPONENT_VALIDATION_FAILED", "Component validation failed")
                if component["type"] == checks.STRING_SELECT:
                    checks.check_values(component, data.get("values"))
                data["id"] = component["id"]
                return message
            case InteractionType.MODAL:
                shown = self._by_id.get(_snowflake(data, "id"))
                if shown is None or shown.user != person.id or shown.modal != data.get("custom_id"):
                    raise errors.unknown_interaction()
                shown.modal = None
                return channel.messages.get(shown.message or 0)
            case kind:
                log.warning("interaction type %s is not implemented", kind)
                raise errors.invalid_form("type", "BASE_TYPE_CHOICES", "Value must be one of {2, 3, 5}.")

    def _payload(
        self, interaction: Interaction, channel: Channel, person: User, message: Message | None
    ) -> dict[str, Any]:
        """The payload of INTERACTION_CREATE for the bot.

        https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object
        """
        world = self._world
        payload: dict[str, Any] = {
            "id": str(interaction.id),
            "application_id": str(APPLICATION),
            "type": int(interaction.type),
            "data": interaction.data,
            "channel_id": str(channel.id),
            "channel": world.channel_object(channel, world.bot),
            "token": interaction.token,
            "version": 1,
            "locale": person.locale,
            "app_permissions": str(world.permissions(world.bot, channel)),
            "entitlements": [],
            "authorizing_integration_owners": {"0": str(channel.guild)} if channel.guild else {},
            "context": 0 if channel.guild else 1,
            "attachment_size_limit": 10485760,
        }
        if channel.guild:
            guild = world.guilds[channel.guild]
            payload |= {
                "guild_id": str(channel.guild),
                "guild": {"id": str(channel.guild), "locale": guild.preferred_locale, "features": guild.features},
                "guild_locale": guild.preferred_locale,
                "member": serialize.member(person, world.permissions(person, channel)),
            }
        else:
            payload["user"] = serialize.user(person)
        if message is not None:
            payload["message"] = world.message_object(message)
        return payload

    def _deadline(self, interaction: Interaction) -> None:
        if interaction.replied is None:
            interaction.failed = True
            self._to_person(interaction, "INTERACTION_FAILURE")

    def _to_person(self, interaction: Interaction, event: str) -> None:
        payload = {"id": str(interaction.id), "nonce": interaction.nonce}
        self._world.announce(event, payload, [interaction.user])

    def answer(
        self, interaction_id: int, token: str, body: dict[str, Any], uploads: Sequence[Upload] = ()
    ) -> dict[str, Any]:
        """Carry out the bot's response (*body*), and return what ``with_response`` gives the bot.

        Raises:
            ApiError: it is too late (10062), the second response (40060), or not valid.
        """
        interaction = self._by_id.get(interaction_id)
        if interaction is None or interaction.token != token or interaction.failed:
            raise errors.unknown_interaction()
        if interaction.replied is not None:
            raise errors.already_answered()
        reply, data = body.get("type"), body.get("data") or {}
        sent: dict[str, Any] | None = None
        match reply:
            case Reply.MESSAGE | Reply.DEFERRED_MESSAGE:
                sent = self._world.message_object(self._new_message(interaction, data, reply, uploads))
            case Reply.DEFERRED_UPDATE | Reply.UPDATE:
                sent = self._update(interaction, data, reply, uploads)
            case Reply.MODAL:
                self._show_modal(interaction, data)
            case _:
                log.warning("interaction callback type %s is not implemented", reply)
                raise errors.invalid_form("type", "BASE_TYPE_CHOICES", "Value must be one of {4, 5, 6, 7, 9}.")
        interaction.replied = Reply(reply)
        self._to_person(interaction, "INTERACTION_SUCCESS")
        return serialize.callback(interaction, reply, sent)

    def _show_modal(self, interaction: Interaction, data: dict[str, Any]) -> None:
        """Show the modal *data* to the person. A modal cannot be the response to a modal."""
        if interaction.type is InteractionType.MODAL:
            raise errors.invalid_form("type", "INTERACTION_CALLBACK_TYPE", "A modal cannot open a modal")
        for key, most in (("custom_id", 100), ("title", 45)):
            if not isinstance(data.get(key), str) or not 1 <= len(data[key]) <= most:
                raise errors.invalid_form(
                    f"data.{key}", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {most} in length."
                )
        interaction.modal = data["custom_id"]
        payload = {"id": str(interaction.id), "nonce": interaction.nonce, "channel_id": str(interaction.channel)}
        shown = {key: data.get(key) for key in ("custom_id", "title", "components")}
        self._world.announce("INTERACTION_MODAL_CREATE", payload | shown, [interaction.user])

    def _new_message(
        self, interaction: Interaction, data: dict[str, Any], reply: int, uploads: Sequence[Upload]
    ) -> Message:
        channel = self._world.channels[interaction.channel]
        flags = int(data.get("flags") or 0)
        interaction.ephemeral = bool(flags & MessageFlag.EPHEMERAL)
        if reply == Reply.DEFERRED_MESSAGE:
            flags = (flags & MessageFlag.EPHEMERAL) | MessageFlag.LOADING
            data = {"content": "…"}
        message = self._send(interaction, channel, data, flags, uploads)
        interaction.original = message.id
        return message

    def _send(
        self, interaction: Interaction, channel: Channel, data: dict[str, Any], flags: int, uploads: Sequence[Upload]
    ) -> Message:
        """Send a message of the bot that belongs to *interaction*; an ephemeral one is for the person alone."""
        kept = flags & KEPT_FLAGS
        reader = interaction.user if flags & MessageFlag.EPHEMERAL else None
        return self._world.send(
            channel, self._world.bot, data, flags=kept, reader=reader, interaction=interaction, uploads=uploads
        )

    def _update(
        self, interaction: Interaction, data: dict[str, Any], reply: int, uploads: Sequence[Upload]
    ) -> dict[str, Any] | None:
        """Change the message that was clicked, at once or later (*reply*). The message object; ``None``: later."""
        if interaction.type is not InteractionType.COMPONENT or interaction.message is None:
            raise errors.invalid_form("type", "INTERACTION_CALLBACK_TYPE", "Only components can update their message")
        channel = self._world.channels[interaction.channel]
        message = channel.messages.get(interaction.message)
        if message is None:
            raise errors.unknown_message()
        interaction.original = message.id
        if reply == Reply.DEFERRED_UPDATE:
            return None
        self._world.edit(channel, message, data, uploads)
        return self._world.message_object(message)

    # The token's webhook

    def of_token(self, application: int, token: str) -> Interaction:
        """The interaction whose webhook has *token*.

        Raises:
            ApiError: there is none or it has no response yet (10015), or its 15 minutes are over (50027).
        """
        interaction = self._world.interactions.get(token)
        if application != APPLICATION or interaction is None:
            raise errors.unknown_webhook()
        if now_ms() - interaction.made_at > TOKEN_LIFE_MS:
            raise errors.invalid_token()
        if interaction.replied is None:
            raise errors.unknown_webhook()
        return interaction

    def message_of(self, interaction: Interaction, which: str) -> tuple[Channel, Message]:
        """The message *which* ("@original" or an id), and its channel.

        Raises:
            ApiError: it is gone, or the webhook of *interaction* may not change it.
        """
        channel = self._world.channels.get(interaction.channel)
        if channel is None:
            raise errors.unknown_channel()
        if which != "@original" and not which.isdigit():
            raise errors.unknown_message()
        wanted = interaction.original if which == "@original" else int(which)
        message = channel.messages.get(wanted or 0)
        if message is None or (wanted != interaction.original and message.interaction is not interaction):
            raise errors.unknown_message()
        return channel, message

    def follow_up(self, interaction: Interaction, body: dict[str, Any], uploads: Sequence[Upload] = ()) -> Message:
        """Send another message to the channel of *interaction*.

        Raises:
            ApiError: the channel is gone, or the message is not valid.
        """
        channel = self._world.channels.get(interaction.channel)
        if channel is None:
            raise errors.unknown_channel()
        flags = int(body.get("flags") or 0)
        return self._send(interaction, channel, body, flags, uploads)

    def edit(
        self, interaction: Interaction, which: str, body: dict[str, Any], uploads: Sequence[Upload] = ()
    ) -> Message:
        """Change the message *which* of *interaction*; *which* and errors as for ``message_of``."""
        channel, message = self.message_of(interaction, which)
        self._world.edit(channel, message, body, uploads)
        return message


def _snowflake(body: dict[str, Any], key: str) -> int:
    value = body.get(key)
    if not isinstance(value, str | int) or not str(value).isdigit():
        raise errors.invalid_form(key, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
    return int(value)
