"""The webhook of an interaction's token: answers, follow-ups, and their changes, for 15 minutes.

https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages
"""

from collections.abc import Sequence
from typing import Any, Final

from local_discord import errors
from local_discord.attachments import Upload
from local_discord.checks import MOST_FLAGS
from local_discord.forms import Form
from local_discord.initial import APPLICATION
from local_discord.model import Channel, Interaction, Message, MessageFlag
from local_discord.snowflake import now_ms, parse
from local_discord.world import World

TOKEN_LIFE_MS: Final = 15 * 60_000
FLAGS: Final = MessageFlag.EPHEMERAL | MessageFlag.COMPONENTS_V2 | MessageFlag.SUPPRESS_NOTIFICATIONS
"""The flags that an answer or follow-up gets if its request has them."""


class Webhook:
    """The messages that the bot sends by the tokens of interactions in one world."""

    def __init__(self, world: World) -> None:
        self._world = world

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

    def channel_of(self, interaction: Interaction) -> Channel:
        """The channel of *interaction*.

        Raises:
            ApiError: it is gone.
        """
        channel = self._world.channels.get(interaction.channel)
        if channel is None:
            raise errors.unknown_channel()
        return channel

    def message_of(self, interaction: Interaction, which: str) -> tuple[Channel, Message]:
        """The message *which* ("@original" or an id), and its channel.

        Raises:
            ApiError: it is gone, or the webhook of *interaction* may not change it.
        """
        channel = self.channel_of(interaction)
        wanted = interaction.original if which == "@original" else parse(which)
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
        """Send a message that answers *interaction*; an ephemeral one is for the person alone.

        The first answer to a component replies to its message, and a follow-up to the first answer. A *loading* one is
        a placeholder.

        Raises:
            ApiError: the channel is gone, or the message is not valid.
        """
        own = (Form(data).whole("flags", 0, MOST_FLAGS) or 0) & FLAGS
        return self._world.send(
            self.channel_of(interaction),
            self._world.bot,
            data,
            flags=own | (MessageFlag.LOADING if loading else 0),
            reader=interaction.user if own & MessageFlag.EPHEMERAL else None,
            interaction=interaction,
            follow_up=follow_up,
            reference=interaction.original if follow_up else interaction.message,
            uploads=uploads,
        )

    def follow_up(self, interaction: Interaction, body: dict[str, Any], uploads: Sequence[Upload] = ()) -> Message:
        """Send another message. Directly after a deferred answer it fills the placeholder, which stays as private as
        it is.

        Raises:
            ApiError: the channel is gone, or the message is not valid.
        """
        channel = self.channel_of(interaction)
        original = channel.messages.get(interaction.original or 0)
        if original is not None and original.flags & MessageFlag.LOADING:
            return self._world.edit(channel, original, body, uploads)
        return self.send(interaction, body, uploads, follow_up=True)

    def edit(
        self, interaction: Interaction, which: str, body: dict[str, Any], uploads: Sequence[Upload] = ()
    ) -> Message:
        """Change the message *which* of *interaction*; *which* and errors as for ``message_of``."""
        channel, message = self.message_of(interaction, which)
        return self._world.edit(channel, message, body, uploads)
