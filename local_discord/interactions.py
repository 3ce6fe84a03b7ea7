"""An interaction from beginning to end: 3 seconds to answer, one response, and a token that is valid for 15 minutes.

https://discord.com/developers/docs/interactions/receiving-and-responding

The token is that of a webhook, by which the bot sends and changes messages.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from typing import Any, Final

from local_discord import commands, errors, modals, serialize, uses
from local_discord.attachments import Upload, attachment_url, command_attachments
from local_discord.checks import MOST_FLAGS
from local_discord.components import find_component
from local_discord.forms import Form
from local_discord.initial import APPLICATION
from local_discord.model import (
    BOT_IN_DMS,
    BOT_IN_PRIVATE_CHANNELS,
    Channel,
    Context,
    Interaction,
    InteractionType,
    Message,
    MessageFlag,
    Reply,
    User,
)
from local_discord.snowflake import now_ms, parse_id
from local_discord.world import World

log = logging.getLogger(__name__)

DEADLINE_SECONDS: Final = 3.0
TOKEN_LIFE_MS: Final = 15 * 60_000
MOST_FOLLOW_UPS: Final = 5
"""So many an interaction has that an account alone has authorized.
https://discord.com/developers/docs/interactions/receiving-and-responding#create-followup-message"""
FLAGS: Final = MessageFlag.EPHEMERAL | MessageFlag.COMPONENTS_V2 | MessageFlag.SUPPRESS_NOTIFICATIONS
"""The flags that an answer or follow-up gets if its request has them."""


class Interactions:
    """All interactions of one world: clicks, commands and forms, and the bot's responses to them.

    *to_bot* sends an event (name, payload) to the bot. It returns whether the bot is connected.
    """

    def __init__(self, world: World, to_bot: Callable[[str, dict[str, Any]], bool]) -> None:
        self._world = world
        self._to_bot = to_bot
        self._by_id: dict[int, Interaction] = {}

    def create(self, person: User, body: Any, delay_ms: int = 0, uploads: Sequence[Upload] = ()) -> Interaction:
        """Create the interaction by which *person* uses a command, a component or a modal (*body*), and send it to the
        bot *delay_ms* later; or raise ApiError.

        It has failed if the bot does not respond within 3 s.

        Raises:
            ApiError: *person* could not have used this with Discord's own client.
        """
        world = self._world
        form = Form(body)
        kind = InteractionType(form.choice("type", tuple(InteractionType)))
        channel = world.get_visible_channel(form.snowflake("channel_id", required=True) or 0, person)
        data = form.needed("data").data
        given = form.value("nonce")
        nonce = str(given) if isinstance(given, int) else form.text("nonce")
        shown = Form(data, "data").snowflake("id") if kind is InteractionType.MODAL else None
        message = self._check_use(body, data, channel, person, uploads)
        self._reopen_thread_before_click(channel, person)
        interaction = Interaction(
            id=world.snowflakes.next(),
            token=secrets.token_urlsafe(48),
            type=kind,
            user=person.id,
            channel=channel.id,
            guild=channel.guild,
            data=data,
            nonce=nonce,
            message=message.id if message else None,
            made_at=now_ms(),
            opened_by=self._by_id.get(shown or 0),
        )
        interaction.owners = self._integration_owners(interaction, channel, person, message)
        self._by_id[interaction.id] = interaction
        world.interactions[interaction.token] = interaction
        self._notify_person(interaction, "INTERACTION_CREATE")
        payload = self._interaction_create_payload(interaction, channel, person, message)
        loop = asyncio.get_running_loop()
        if world.interactions_endpoint is not None:
            log.warning("the interaction goes to %s, which nobody calls here", world.interactions_endpoint)
        elif delay_ms:
            loop.call_later(delay_ms / 1000, self._to_bot, "INTERACTION_CREATE", payload)
        else:
            self._to_bot("INTERACTION_CREATE", payload)
        loop.call_later(DEADLINE_SECONDS, self._mark_failed_if_unanswered, interaction)
        return interaction

    def _reopen_thread_before_click(self, channel: Channel, person: User) -> None:
        """Reopen the archived thread *channel* before a click, if the client of *person* does so; raise ApiError
        (50013) if they may not.

        https://github.com/discord/discord-api-docs/issues/8474

        Raises:
            ApiError: *person* may not (50013). Then their client sends no interaction.
        """
        thread = channel.thread
        if not person.reopens_threads or thread is None or not thread.archived or thread.locked:
            return
        if not self._world.threads.may_reopen(channel, person):
            raise errors.missing_permissions()
        self._world.threads.change_thread(channel, {"archived": False})

    def _check_use(
        self, body: dict[str, Any], data: dict[str, Any], channel: Channel, person: User, uploads: Sequence[Upload]
    ) -> Message | None:
        """Check that what *person* uses is there and used correctly, and return the message it is on (``None`` without
        one); or raise ApiError.

        *data* of *body* becomes what the bot is told.

        Raises:
            ApiError: it is not there, cannot be used, or was not used as it should be.
        """
        form = Form(data, "data")
        message: Message | None = None
        match body["type"]:
            case InteractionType.COMMAND:
                known = self._find_command(data.get("name"), channel, person)
                told = uses.command_data(known, form, self._store_command_files(data, channel, uploads))
            case InteractionType.COMPONENT:
                number = Form(body).snowflake("message_id", required=True) or 0
                message = self._world.get_visible_message(channel, number, person)
                used = find_component(message.components, data.get("custom_id"))
                told = uses.component_data(self._world, used, form, channel, person)
            case _:
                shown = self._by_id.get(form.snowflake("id", required=True) or 0)
                if shown is None or shown.modal is None or (shown.user, shown.channel) != (person.id, channel.id):
                    raise errors.unknown_interaction()
                if shown.modal["custom_id"] != data.get("custom_id"):
                    raise errors.unknown_interaction()
                told = modals.submission_data(shown.modal, form)
                shown.modal = None
                message = channel.messages.get(shown.message or 0)
        data.clear()
        data.update(told)
        return message

    def _integration_owners(
        self, interaction: Interaction, channel: Channel, person: User, message: Message | None
    ) -> dict[str, str]:
        """Return the authorizing integration owners of *interaction*: by installation, the id of the server or person
        that authorized it.

        *person* has made it in *channel* with a control of *message*, if there is one.

        A control of an answer has the owners of what it answers, and a modal those of what opened it. So whoever has
        authorized an interaction may be another person than who made it.
        """
        before = interaction.opened_by or (message.interaction if message is not None else None)
        if before is not None:
            return before.owners
        installs = self._world.usable_installs(person, channel)
        if interaction.type is InteractionType.COMMAND:
            context = self._world.context(channel)
            used = [it for it in self._world.commands if it["name"] == interaction.data.get("name")]
            installs = {way for it in used for way in commands.usable_installs(it, context, installs)}
        return serialize.owners(sorted(installs), channel.guild, person.id)

    def _store_command_files(
        self, data: dict[str, Any], channel: Channel, uploads: Sequence[Upload]
    ) -> dict[int, dict[str, Any]]:
        """Keep the files that came with a command, and return them as attachment objects by the number that *data*
        gives them; or raise ApiError (40005 or 50035)."""
        try:
            files = command_attachments(data, uploads, self._world.snowflakes)
        except errors.ApiError as error:
            raise error.with_path_prefix("data") from None
        self._world.files.keep(list(files.values()))
        base = self._world.base
        return {
            number: serialize.attachment(file, attachment_url(base, channel.id, file), ephemeral=True)
            for number, file in files.items()
        }

    def _find_command(self, name: Any, channel: Channel, person: User) -> commands.Command:
        """Return the registered command *name*, if *person* may use it in *channel*; or raise ApiError: there is none
        (10063), or they may not (50013)."""
        world = self._world
        context, installs = world.context(channel), world.usable_installs(person, channel)
        found = next((command for command in world.commands if command["name"] == name), None)
        if found is None or not commands.usable_installs(found, context, installs):
            raise errors.unknown_command()
        if not commands.may_use_command(found, context, world.permissions(person, channel)):
            raise errors.missing_permissions()
        return found

    def _interaction_create_payload(
        self, interaction: Interaction, channel: Channel, person: User, message: Message | None
    ) -> dict[str, Any]:
        """Return the payload of INTERACTION_CREATE for the bot: what was used, where, by whom, with which permissions.

        https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object
        """
        world = self._world
        context = world.context(channel)
        in_private = BOT_IN_DMS if context is Context.BOT_DM else BOT_IN_PRIVATE_CHANNELS
        payload: dict[str, Any] = {
            "id": str(interaction.id),
            "application_id": str(APPLICATION),
            "type": int(interaction.type),
            "data": interaction.data,
            "channel_id": str(channel.id),
            "channel": world.channel_object(channel, world.bot)
            | {"permissions": str(world.permissions(person, channel) if channel.guild else in_private)},
            "token": interaction.token,
            "version": 1,
            "locale": person.locale,
            "app_permissions": str(world.permissions(world.bot, channel) if channel.guild else in_private),
            "entitlements": [],
            "authorizing_integration_owners": interaction.owners,
            "context": int(context),
            "attachment_size_limit": 10485760,
        }
        if channel.guild:
            guild = world.guilds[channel.guild]
            payload |= {
                "guild_id": str(channel.guild),
                "guild": {"id": str(channel.guild), "locale": guild.preferred_locale, "features": guild.features},
                "guild_locale": guild.preferred_locale,
                "member": serialize.member(person, channel.guild, world.permissions(person, channel)),
            }
        else:
            payload["user"] = serialize.user(person)
        if message is not None:
            payload["message"] = world.message_object(message)
        return payload

    def _mark_failed_if_unanswered(self, interaction: Interaction) -> None:
        """Mark *interaction* as failed and tell its person, if the bot has not responded yet."""
        if interaction.replied is None:
            interaction.failed = True
            self._notify_person(interaction, "INTERACTION_FAILURE")

    def _notify_person(self, interaction: Interaction, event: str) -> None:
        """Send *event* about *interaction* to the person who made it, at the gateway."""
        payload = {"id": str(interaction.id), "nonce": interaction.nonce}
        self._world.announce(event, payload, [interaction.user])

    def respond(self, interaction_id: int, token: str, body: Any, uploads: Sequence[Upload] = ()) -> dict[str, Any]:
        """Carry out the bot's first response (*body*) to an interaction, and return its callback object; ApiError if
        too late (10062), a second one (40060), or invalid."""
        interaction = self._by_id.get(interaction_id)
        if interaction is None or interaction.token != token or interaction.failed:
            raise errors.unknown_interaction()
        if interaction.replied is not None:
            raise errors.already_answered()
        form = Form(body)
        reply = Reply(form.choice("type", tuple(Reply)))
        data = {} if form.value("data") is None else form.value("data")
        if reply is Reply.MODAL and interaction.type is InteractionType.MODAL:
            raise form.error_for("type", "INTERACTION_CALLBACK_TYPE", "A modal cannot open a modal")
        if reply in (Reply.UPDATE, Reply.DEFERRED_UPDATE) and interaction.type is InteractionType.COMMAND:
            raise form.error_for("type", "INTERACTION_CALLBACK_TYPE", "Only components can update their message")
        try:
            message = self._carry_out_response(interaction, reply, data, uploads)
        except errors.ApiError as error:
            raise error.with_path_prefix("data") from None
        interaction.replied = reply
        self._notify_person(interaction, "INTERACTION_SUCCESS")
        sent = None if message is None else self._world.message_object(message)
        return serialize.callback(interaction, reply, sent)

    def _carry_out_response(
        self, interaction: Interaction, reply: Reply, data: Any, uploads: Sequence[Upload]
    ) -> Message | None:
        """Send, change or announce what the bot's response *reply* with *data* asks for, and return the message;
        ``None`` for a modal or if there is none. Or raise ApiError.

        Raises:
            ApiError: the response is not valid for this interaction, or breaks a limit.
        """
        if reply in (Reply.UPDATE, Reply.DEFERRED_UPDATE):
            return self._update_clicked_message(interaction, data, reply, uploads)
        if reply is Reply.MODAL:
            self._show_modal(interaction, data)
            return None
        if reply is Reply.DEFERRED_MESSAGE:
            flags = Form(data).whole("flags", 0, MOST_FLAGS) or 0
            if flags & ~MessageFlag.EPHEMERAL:
                raise errors.invalid_form("flags", "BASE_TYPE_CHOICES", "Value must be one of (0, 64).")
            message = self.send(interaction, {"flags": flags}, loading=True)
        else:
            message = self.send(interaction, data, uploads)
        interaction.original = message.id
        return message

    def _show_modal(self, interaction: Interaction, data: Any) -> None:
        """Keep the modal *data* as the one shown for *interaction*, and send it to the person; or raise ApiError
        (50035)."""
        interaction.modal = modals.parse_modal(Form(data), self._world.emojis)
        payload = {"id": str(interaction.id), "nonce": interaction.nonce, "channel_id": str(interaction.channel)}
        self._world.announce("INTERACTION_MODAL_CREATE", payload | interaction.modal, [interaction.user])

    def _update_clicked_message(
        self, interaction: Interaction, data: Any, reply: Reply, uploads: Sequence[Upload]
    ) -> Message | None:
        """Edit the clicked message with *data*, or leave it for later (*reply*), and return it; ``None`` if there is
        none (a command opened the modal). Or raise ApiError."""
        channel = self.channel_of(interaction)
        message = channel.messages.get(interaction.message or 0)
        if message is None and (interaction.message is not None or reply is Reply.UPDATE):
            raise errors.unknown_message()
        if message is not None and reply is Reply.UPDATE:
            message = self._world.edit(channel, message, data, uploads)
        interaction.original = message.id if message else None
        return message

    # The webhook of a token

    def interaction_by_token(self, application: int, token: str) -> Interaction:
        """Return the interaction whose webhook has *token*; or raise ApiError: unknown or unanswered (10015), or older
        than 15 minutes (50027)."""
        interaction = self._world.interactions.get(token)
        if application != APPLICATION or interaction is None:
            raise errors.unknown_webhook()
        if now_ms() - interaction.made_at > TOKEN_LIFE_MS:
            raise errors.invalid_token()
        if interaction.replied is None:
            raise errors.unknown_webhook()
        return interaction

    def channel_of(self, interaction: Interaction) -> Channel:
        """Return the channel of *interaction*; or raise ApiError (10003) if it was deleted."""
        channel = self._world.channels.get(interaction.channel)
        if channel is None:
            raise errors.unknown_channel()
        return channel

    def locate_message(self, interaction: Interaction, which: str) -> tuple[Channel, Message]:
        """Return the channel and the message *which* ("@original" or an id) of *interaction*; ApiError (10008) if it is
        gone or not of this interaction."""
        channel = self.channel_of(interaction)
        wanted = interaction.original if which == "@original" else parse_id(which)
        message = channel.messages.get(wanted or 0)
        if message is None or (wanted != interaction.original and message.interaction is not interaction):
            raise errors.unknown_message()
        return channel, message

    def send(
        self,
        interaction: Interaction,
        data: dict[str, Any],
        uploads: Sequence[Upload] = (),
        *,
        loading: bool = False,
        follow_up: bool = False,
    ) -> Message:
        """Send a message with *data* that answers *interaction*, and return it; or raise ApiError if the channel is
        gone or it is invalid.

        The first answer to a component replies to its message, and a follow-up to the first answer. A *loading* one is
        a placeholder. Where people may not use external apps, the answers of those are ephemeral:
        https://discord.com/developers/docs/topics/permissions#permissions-bitwise-permission-flags

        Raises:
            ApiError: the channel is gone, or the message is not valid.
        """
        world, channel = self._world, self.channel_of(interaction)
        own = (Form(data).whole("flags", 0, MOST_FLAGS) or 0) & FLAGS
        if interaction.is_user_install_only and not world.has_permission(
            world.users[interaction.user], channel, "use_external_apps"
        ):
            own |= MessageFlag.EPHEMERAL
        return world.send(
            channel,
            world.bot,
            data,
            flags=own | (MessageFlag.LOADING if loading else 0),
            reader=interaction.user if own & MessageFlag.EPHEMERAL else None,
            interaction=interaction,
            follow_up=follow_up,
            reference=interaction.original if follow_up else interaction.message,
            uploads=uploads,
        )

    def follow_up(self, interaction: Interaction, body: dict[str, Any], uploads: Sequence[Upload] = ()) -> Message:
        """Send one more message of *interaction*, and return it; after a deferred response fill its placeholder
        instead.

        Raise ApiError if there were too many (40094), the channel is gone, or it is invalid.
        """
        channel = self.channel_of(interaction)
        original = channel.messages.get(interaction.original or 0)
        if original is not None and original.flags & MessageFlag.LOADING:
            return self._world.edit(channel, original, body, uploads)
        if interaction.is_user_install_only and interaction.follow_ups == MOST_FOLLOW_UPS:
            raise errors.too_many_follow_ups()
        message = self.send(interaction, body, uploads, follow_up=True)
        interaction.follow_ups += 1
        return message

    def edit(
        self, interaction: Interaction, which: str, body: dict[str, Any], uploads: Sequence[Upload] = ()
    ) -> Message:
        """Edit the message *which* ("@original" or an id) of *interaction* with *body*, and return it; or raise
        ApiError if it is gone or *body* invalid."""
        channel, message = self.locate_message(interaction, which)
        return self._world.edit(channel, message, body, uploads)
