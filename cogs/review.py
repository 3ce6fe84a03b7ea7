"""/replay: games that are over, gone through again in a private message. Its controls hold all that they need: which
game, which moment, and how it is shown."""

import asyncio
import logging
import re
from typing import Any, Final, NamedTuple

import discord
from discord import app_commands

from bot.i18n import N_
from bot.log import fields
from bot.review.coach import coached
from bot.review.moments import Cast, cast_of, page, summary
from bot.review.replay import Course, coaching_of, course_of, is_public, winners_first
from bot.store.records import Kept
from bot.tables.errors import Refusal, Unusable, Why
from bot.tables.model import Phase, TableId
from bot.ui import review as present
from bot.ui.components import Sheet, former_player_name
from bot.ui.custom_ids import Press
from cogs.context import Visit
from cogs.errors import boundary
from engine import record
from engine.coaching import Coaching
from engine.errors import BadRecord, OtherVersion

log = logging.getLogger(__name__)

_ID: Final = re.compile(r"[a-z2-7]{1,16}")
"""What a table's id can be: people write it themselves."""
MOST: Final = 25
"""So many games are listed: as many as a select can hold."""


@app_commands.command(name="replay", description=N_("Go through a finished game again, step by step"))
@app_commands.describe(game=N_("Its eight-character ID; leave it out to list your last games"))
async def replay_command(interaction: discord.Interaction[Any], game: str | None = None) -> None:
    """Show the game whose id is *game*, or list those that the person can review. Serves /replay."""
    async with boundary(interaction, "/replay") as visit:
        if game is None:
            await visit.tell(await listed(visit))
        else:
            await visit.tell(await whole(visit, TableId(game.strip().lower())))


class Opened(NamedTuple):
    """A game that the person may review."""

    kept: Kept
    course: Course
    ids: frozenset[str]
    """What the record calls the person; empty: they did not play."""
    cast: Cast


async def review(visit: Visit, press: Press) -> None:
    """Show the game whose button was clicked as a whole, in a private message."""
    await visit.tell(await whole(visit, press.table))


async def choose(visit: Visit, press: Press) -> None:
    """Show the game that was chosen from the list as a whole, in place of the list."""
    await visit.turn_into(await whole(visit, TableId(visit.chosen)))


async def step(visit: Visit, press: Press) -> None:
    """Show the moment that the button names, or the game as a whole, in place of what the message shows."""
    mode = press.arg.partition(".")[0]
    if mode == present.SUMMARY_MODE:
        await visit.turn_into(await whole(visit, press.table))
        return
    it = await _opened(visit, press.table)
    words = visit.words
    said = await _coaching(visit, it)

    def made() -> Sheet:
        if mode in (present.COACH_MODE, present.FIGURES_MODE) and said is not None:
            found = coached(press.table, it.course, said, it.cast, it.ids)
            return (
                present.coach_summary_sheet(found, words)
                if mode == present.COACH_MODE
                else present.coach_figures_sheet(found, words)
            )
        own = mode == present.OWN_VIEW_MODE
        return present.review_page_sheet(
            page(press.table, it.course, it.cast, press.ply, it.ids, own=own, said=said), words
        )

    await visit.turn_into(made())


async def whole(visit: Visit, table: TableId) -> Sheet:
    """The game of *table* as a whole.

    Raises:
        Refusal: the person may not see it, or it cannot be replayed.
    """
    it = await _opened(visit, table)
    words, said = visit.words, await _coaching(visit, it)

    def made() -> Sheet:
        own = it.course.record if it.ids else None
        shown = summary(table, it.course, it.cast, it.kept.ended_at, said)
        return present.game_summary_sheet(shown, own, words)

    return await asyncio.to_thread(made)


async def _coaching(visit: Visit, it: Opened) -> Coaching | None:
    """What the coach says of the game *it*; ``None``: there is no coach. Whoever asks while a game is judged waits:
    mostly for the same one, which is remembered then."""
    async with visit.bot.judging:
        return await asyncio.to_thread(coaching_of, it.kept.data)


async def listed(visit: Visit) -> Sheet:
    """The games that the person may review: their own first, and those of this server that everybody may see."""
    store, guild = visit.bot.store, visit.interaction.guild_id
    own = await store.own_games(visit.user, guild, MOST)
    others = await store.agreed_games(visit.user, guild, MOST) if guild is not None and len(own) < MOST else []
    mine = {kept.table for kept in own}
    chosen, words = visit.bot.people.preferences, visit.words
    former = former_player_name(words)

    def made() -> Sheet:
        found: list[present.ListedGame] = []
        for kept in (*own, *others):
            try:
                it = record.unpack(kept.data)
            except OtherVersion:
                continue
            except BadRecord as error:
                log.error("a record is damaged: %s", error, extra=fields(table=kept.table))
                continue
            if kept.table in mine or is_public(it, kept.people, chosen):
                names, won = winners_first(it, {person.id: person.name for person in kept.people}, former)
                found.append(present.ListedGame(kept.table, kept.game, kept.ended_at, names, won))
        return present.reviewable_games_sheet(found[:MOST], visit.bot.clock.now(), words)

    return await asyncio.to_thread(made)


async def _opened(visit: Visit, table: TableId) -> Opened:
    """The game of *table*, for the person to review.

    Raises:
        Refusal: it is still running, which only those who play in it are told; they may not see it - with the same
            words as for one that there is not, so that ids tell nothing -, or it cannot be replayed.
    """
    kept = await visit.bot.store.record(table) if _ID.fullmatch(table) else None
    if kept is None:
        raise Refusal(Why.REPLAY_LATER if await _is_playing(visit, table) else Why.NO_REPLAY)
    data, people, chosen = kept.data, kept.people, visit.bot.people.preferences
    ids = frozenset(person.id for person in people if person.user == visit.user)

    def played() -> Course:
        if not ids and not is_public(record.unpack(data), people, chosen):
            raise Refusal(Why.NO_REPLAY)
        return course_of(data)

    try:
        course = await asyncio.to_thread(played)
    except OtherVersion:
        raise Refusal(Why.OLD_RECORD if ids else Why.NO_REPLAY) from None
    except BadRecord as error:
        log.error("a record does not fit: %s", error, extra=fields(table=table))
        raise Refusal(Why.BAD_RECORD if ids else Why.NO_REPLAY) from None
    return Opened(kept, course, ids, await _cast(visit, kept))


async def _is_playing(visit: Visit, table: TableId) -> bool:
    """Whether the person has a seat in the game of *table*, and it is running."""
    try:
        found = await visit.bot.store.load(table) if _ID.fullmatch(table) else None
    except Unusable:
        return False
    return found is not None and found.phase is Phase.PLAYING and found.seat_of(visit.user) is not None


async def _cast(visit: Visit, kept: Kept) -> Cast:
    """What everybody is called in the game of *kept*. Computer players are called as at the table, if that can still be
    read."""
    words = visit.words
    try:
        table = await visit.bot.store.load(kept.table)
    except Unusable:
        table = None
    return cast_of(kept.people, table, former_player_name(words), words("Computer"))
