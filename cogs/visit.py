"""One interaction: who, where, when, in which language, and the private answers it can get."""

from functools import cached_property
from typing import Any, Final

import discord

from bot.client import Bot
from bot.delivery.courier import UNKNOWN_MESSAGE, attached
from bot.i18n import Words, supported, words
from bot.present.sheet import Sheet
from bot.refusals import Refusal, Why
from bot.tables.model import Player, Table
from bot.tables.scene import Scene, scene

DISCORD_EPOCH: Final = 1420070400000
"""Snowflakes count from 2015-01-01. https://discord.com/developers/docs/reference#snowflakes"""


class Visit:
    """An interaction and the bot that serves it. ``table`` is set as soon as it is known, for better answers."""

    def __init__(self, bot: Bot, interaction: discord.Interaction[Any]) -> None:
        self.bot = bot
        self.interaction = interaction
        self.table: Table | None = None

    @property
    def user(self) -> int:
        return self.interaction.user.id

    @property
    def name(self) -> str:
        return self.interaction.user.display_name

    @property
    def at(self) -> int:
        """When the person clicked, by Discord's clock, ms since 1970."""
        return (self.interaction.id >> 22) + DISCORD_EPOCH

    @cached_property
    def words(self) -> Words:
        """The person's own language."""
        return words(supported(self.interaction.locale.value, self.bot.default_locale))

    async def public_locale(self) -> str:
        """The language of public messages here: what moderators chose, else the server's own."""
        guild = self.interaction.guild_id
        chosen = await self.bot.store.guild_locale(guild) if guild is not None else None
        if chosen is not None:
            return chosen
        locale = self.interaction.guild_locale
        return supported(locale.value if locale else "", self.bot.default_locale)

    @property
    def moderator(self) -> bool:
        """Whether the person may manage messages here, and so end anybody's table."""
        return self.interaction.guild_id is not None and self.interaction.permissions.manage_messages

    @property
    def channel(self) -> int:
        channel = self.interaction.channel_id
        assert channel is not None
        return channel

    def player(self) -> Player:
        """The person as somebody who sits down."""
        return Player(self.name, self.user, self.words.locale, active_at=self.bot.clock.now())

    async def table_here(self) -> Table:
        """The live table in this channel.

        Raises:
            Refusal: there is none, or this is no channel of a server.
        """
        if self.interaction.guild_id is None:
            raise Refusal(Why.NOT_A_SERVER)
        self.table = await self.bot.tables.in_channel(self.channel)
        return self.table

    async def scene(self, table: Table) -> Scene:
        """*table* as this person may know it."""
        return scene(table, table.seat_of(self.user), await self.bot.reconciler.message_of(table))

    async def tell(self, sheet: Sheet) -> None:
        """Answer with a message that only this person sees; also after a first answer."""
        try:
            await self._tell(sheet)
        except discord.Forbidden:
            if not sheet.pictures:
                raise
            await self._tell(sheet.without_pictures())

    async def _tell(self, sheet: Sheet) -> None:
        if self.interaction.response.is_done():
            await self.interaction.followup.send(view=sheet.view(), files=await attached(sheet), ephemeral=True)
        else:
            await self.interaction.response.send_message(view=sheet.view(), files=await attached(sheet), ephemeral=True)

    async def turn_into(self, sheet: Sheet) -> None:
        """Answer a click on a private message by changing that message; by another one if it has been deleted, or is
        everybody's, as after a forged click."""
        message = self.interaction.message
        if self.interaction.guild_id is not None and (message is None or not message.flags.ephemeral):
            await self.tell(sheet)
            return
        try:
            await self.interaction.response.edit_message(view=sheet.view(), attachments=await attached(sheet))
        except discord.NotFound as gone:
            if gone.code != UNKNOWN_MESSAGE:
                raise
            await self.tell(sheet)
        except discord.Forbidden:
            if not sheet.pictures:
                raise
            await self.turn_into(sheet.without_pictures())
