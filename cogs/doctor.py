"""/doctor: reports what works in this channel, and what does not."""

import asyncio
import logging
import math
import time
from typing import Any, Final

import discord
from discord import app_commands
from sqlalchemy.exc import SQLAlchemyError

from bot.commands import Context, offered_in
from bot.delivery.emojis import emoji_drawings
from bot.delivery.errors import FLAGGED
from bot.i18n import N_
from bot.log import fields
from bot.permissions import NEEDS, VOICE, invitation_link
from bot.store.database import Damaged
from bot.tables.errors import Refusal, Why
from bot.tables.preferences import GuildSettings
from bot.ui.doctor import DoctorFacts, doctor_sheet
from bot.ui.pictures import symbols
from cogs.context import Visit
from cogs.errors import serve_interaction
from cogs.play import (
    THREADS_IN,
    bot_can_reach_place,
    channel_parent_and_category_ids,
    get_person_role_ids,
    without_deleted,
)

log = logging.getLogger(__name__)

DATABASE_TIMEOUT_SECONDS: Final = 1.0
"""How long the database may take to answer: the person waits for the doctor's answer."""


@app_commands.command(
    name="doctor", description=N_("Check whether games can be played in this channel, and what to do if not")
)
@offered_in(Context.GUILD)
@app_commands.default_permissions(manage_messages=True)
async def doctor_command(interaction: discord.Interaction[Any]) -> None:
    """Show privately what works in this channel, what does not, and what to do about it. Serves /doctor.

    It tells nothing that the people who may use it here must not know, so no permission is checked again.
    """
    async with serve_interaction(interaction, "/doctor") as visit:
        if interaction.guild_id is None:
            raise Refusal(Why.NOT_A_SERVER)
        facts = await gather_diagnostic_facts(visit, interaction.guild_id)
        await visit.answer_privately(doctor_sheet(facts, await _words_with_timeout(visit)))


async def _words_with_timeout(visit: Visit) -> Any:
    """Return the texts in the person's language. Labels of public controls are in that of the tables here, if the
    database answers within a second."""
    try:
        async with asyncio.timeout(DATABASE_TIMEOUT_SECONDS):
            return await visit.words_with_public_labels_here()
    except (SQLAlchemyError, Damaged, OSError):
        return visit.words


async def gather_diagnostic_facts(visit: Visit, here: int) -> DoctorFacts:
    """Return what the doctor reports about this channel of the server *here* (an id), the bot and its connection; facts
    from the database are left out if it does not answer."""
    bot, interaction = visit.bot, visit.interaction
    guild = bot.get_guild(here)
    channel = interaction.channel
    granted = frozenset(name for name in NEEDS if getattr(interaction.app_permissions, name))
    number = bot.shard_of(here)
    shard = bot.get_shard(number) if guild is not None else None
    latency = shard.latency if shard is not None else math.inf  # it is another process's
    known = DoctorFacts(
        granted,
        member=bot.place_of_interaction(interaction).member,
        link=invitation_link(interaction.application_id),
        in_private_thread=bot_can_reach_place(visit),
        thread=isinstance(channel, discord.Thread),
        voice=channel is not None and channel.type in VOICE,
        threads_possible=channel is not None and channel.type in THREADS_IN,
        clock_ms=bot.clock.now() - bot.clock.uncorrected_now(),
        emojis=(symbols.emoji_count(), len(emoji_drawings())) if bot.drawings is not None else None,
        registered=bot.registration.done,
        connected=not bot.events.is_shard_disconnected(number),
        latency_ms=round(latency * 1000) if latency < 3600 else None,  # at first it is no number
        shard=(number, bot.shard_count or 1),
        most=bot.limits.tables_per_server,
    )
    try:
        async with asyncio.timeout(DATABASE_TIMEOUT_SECONDS):
            return await _with_facts_from_database(visit, known, here)
    except (SQLAlchemyError, Damaged, OSError) as error:  # a timeout is an OSError
        log.warning("the database does not answer", extra=fields(error=type(error).__name__))
        return known._replace(store_ms=None)


async def _with_facts_from_database(visit: Visit, known: DoctorFacts, here: int) -> DoctorFacts:
    """Return *known* completed with what the database says of the server *here* (an id): settings, live tables,
    set-aside tables, paused direct messages."""
    store, guild = visit.bot.store, visit.bot.get_guild(here)
    began = time.perf_counter()
    await store.record_heartbeat(visit.bot.clock.now())  # one that cannot be written to is of no use
    took = (time.perf_counter() - began) * 1000
    settings: GuildSettings = await visit.bot.servers.settings(here)
    there = without_deleted(visit.bot, here, settings)
    live = await store.live_tables_of_guild(here)
    at = next((table for table in live if table.channel == visit.channel), None)
    pause = await store.load_dms_pause()
    channels = {visit.channel, *([it.id for it in (*guild.channels, *guild.threads)] if guild is not None else [])}
    return known._replace(
        settings=there,
        deleted=there != settings,
        store_ms=took,
        allowed_place=settings.allows_tables_in_channel(channel_parent_and_category_ids(visit)),
        allowed_role=not settings.roles or settings.allows_roles(await get_person_role_ids(visit, here)),
        live=len(live),
        here=at is not None,
        aside=tuple(it.channel for it in await store.quarantined_tables_in_channels(channels)),
        dms_paused_until=pause.until if pause is not None and pause.until > visit.bot.clock.now() else 0,
        flagged=pause is not None and pause.code == FLAGGED,
        closed_dms=tuple(it.user for it in at.players if it.user is not None and it.refuses_dms) if at else (),
    )
