"""/replay: reviews of finished games, step by step, in a private message.

Its controls hold all that they need: the game, the moment, and how it is shown.
"""

import asyncio
import logging
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import discord
from discord import app_commands

from bot.commands import Context, offered_in
from bot.daily.choices import ComparedChoice, compare_choices
from bot.daily.days import day_end_ms, day_of_deal
from bot.i18n import N_
from bot.log import fields
from bot.review.coach import review_game
from bot.review.moments import PlayerNames, game_summary, player_names, review_page
from bot.review.replay import (
    GameCourse,
    is_replay_public,
    judge_packed_record,
    names_winners_first,
    replay_packed_record,
)
from bot.store.records import StoredRecord
from bot.tables.errors import Refusal, UnusableTable, Why
from bot.tables.model import Phase, TableId
from bot.ui import review as present
from bot.ui.components import Sheet, name_for_erased_player
from bot.ui.custom_ids import Press
from cogs.context import Visit
from cogs.errors import serve_interaction
from engine import record
from engine.coaching import Coaching
from engine.errors import BadRecord, UnsupportedVersion

log = logging.getLogger(__name__)

_ID: Final = re.compile(r"[a-z2-7]{1,16}")
"""The form of a table's id: people type it themselves."""
MAX_LISTED: Final = 25
"""How many games are listed: as many as a select can hold."""


@app_commands.command(name="replay", description=N_("Go through a finished game again, step by step"))
@app_commands.describe(game=N_("Its eight-character ID; leave it out to list your last games"))
@offered_in(Context.GUILD, Context.BOT_DM)
async def replay_command(interaction: discord.Interaction[Any], game: str | None = None) -> None:
    """Show the summary of the finished game with the id *game*, or list the games that the person may review. Serves
    /replay."""
    async with serve_interaction(interaction, "/replay") as visit:
        if game is None:
            await visit.answer_privately(await load_reviewable_games_sheet(visit))
        else:
            await visit.answer_privately(await game_summary_sheet(visit, TableId(game.strip().lower())))


class ReviewedGame(NamedTuple):
    """A finished game that the person may review: its record, its replay, their ids in it, and the players' names."""

    kept: StoredRecord
    course: GameCourse
    ids: frozenset[str]
    """The person's ids in the record; empty if they did not play."""
    cast: PlayerNames


async def show_game_summary(visit: Visit, press: Press) -> None:
    """Answer with a new private message with the summary of the finished game that the button names."""
    await visit.answer_privately(await game_summary_sheet(visit, press.table))


async def show_chosen_game(visit: Visit, press: Press) -> None:
    """Show the summary of the game chosen from the list, in place of the list."""
    await visit.edit_clicked(await game_summary_sheet(visit, TableId(visit.chosen_value)))


async def show_review_page(visit: Visit, press: Press) -> None:
    """Show the moment of a finished game that the button names, its summary, or the coach's view, in place of the
    clicked message."""
    mode = press.arg.partition(".")[0]
    if mode == present.SUMMARY_MODE:
        await visit.edit_clicked(await game_summary_sheet(visit, press.table))
        return
    it = await _load_reviewable_game(visit, press.table)
    words = visit.words
    said, compared = await _load_or_compute_coaching(visit, it), await _compare_choices_with_others(visit, it)

    def made() -> Sheet:
        if mode in (present.COACH_MODE, present.FIGURES_MODE) and said is not None:
            found = review_game(press.table, it.course, said, it.cast, it.ids, compared)
            return (
                present.coach_summary_sheet(found, words)
                if mode == present.COACH_MODE
                else present.coach_figures_sheet(found, words)
            )
        own = mode == present.OWN_VIEW_MODE
        page = review_page(
            press.table, it.course, it.cast, press.ply, it.ids, own=own, coaching=said, compared=compared
        )
        return present.review_page_sheet(page, words)

    await visit.edit_clicked(made())


async def game_summary_sheet(visit: Visit, table: TableId) -> Sheet:
    """Return the summary of the finished game of *table*; or raise Refusal if the person may not see it or it cannot be
    replayed.

    Raises:
        Refusal: the person may not see it, or it cannot be replayed.
    """
    it = await _load_reviewable_game(visit, table)
    words, said = visit.words, await _load_or_compute_coaching(visit, it)

    def made() -> Sheet:
        """Make the summary; slow, so it runs in a thread."""
        own = it.course.record if it.ids else None
        shown = game_summary(table, it.course, it.cast, it.kept.ended_at, said)
        return present.game_summary_sheet(shown, own, words)

    return await asyncio.to_thread(made)


async def _load_or_compute_coaching(visit: Visit, game: ReviewedGame) -> Coaching | None:
    """Return the coach's judgement of every move of *game*, cached; ``None`` if the game has no coach. The process
    judges one game at a time.

    If a game is being judged, wait: mostly it is the same one, which is remembered then.
    """
    async with visit.bot.judging:
        return await asyncio.to_thread(judge_packed_record, game.kept.data)


async def _compare_choices_with_others(visit: Visit, game: ReviewedGame) -> Mapping[int, ComparedChoice]:
    """Return the person's choices in a day's deal compared with those of others (``compare_choices``); empty if *game*
    is an ordinary game or not theirs."""
    deal = game.course.record.deal
    day = day_of_deal(deal)
    if day is None or not game.ids:
        return {}
    attempts = await visit.bot.store.choices_of_counted_attempts(day, deal.game)
    return await asyncio.to_thread(compare_choices, game.course.rules, game.course.moments, attempts)


async def load_reviewable_games_sheet(visit: Visit) -> Sheet:
    """Return the list of finished games that the person may review: their own first, then public ones of this
    server. Deals of the day belong to no server, so only their own are among them.
    """
    store, guild = visit.bot.store, visit.interaction.guild_id
    own = await store.latest_games_of_person(visit.user, guild, MAX_LISTED)
    others = (
        await store.latest_public_games(visit.user, guild, MAX_LISTED)
        if guild is not None and len(own) < MAX_LISTED
        else []
    )
    mine = {kept.table for kept in own}
    chosen, words = visit.bot.people.preferences, visit.words
    former = name_for_erased_player(words)

    def made() -> Sheet:
        found: list[present.ListedGame] = []
        for kept in (*own, *others):
            try:
                it = record.decompress_record(kept.data)
            except UnsupportedVersion:
                continue
            except BadRecord as error:
                log.error("a record is damaged: %s", error, extra=fields(table=kept.table))
                continue
            if kept.table in mine or is_replay_public(it, kept.people, chosen):
                names, won = names_winners_first(it, {person.id: person.name for person in kept.people}, former)
                found.append(present.ListedGame(kept.table, kept.game, kept.ended_at, names, won))
        return present.reviewable_games_sheet(found[:MAX_LISTED], visit.bot.clock.now(), words)

    return await asyncio.to_thread(made)


async def _load_reviewable_game(visit: Visit, table: TableId) -> ReviewedGame:
    """Return the finished game of *table* for the person to review; or raise Refusal: it is running, private, damaged
    or unknown.

    Raises:
        Refusal: the game is still running (only its players are told that); or the person may not see it; or it
            cannot be replayed. For a game that they may not see the words are the same as for one that does not
            exist, so ids tell nothing.
    """
    kept = await visit.bot.store.load_game_record(table) if _ID.fullmatch(table) else None
    if kept is None:
        raise Refusal(Why.REPLAY_LATER if await _person_plays_unfinished_game(visit, table) else Why.NO_REPLAY)
    ids = frozenset(person.id for person in kept.people if person.user == visit.user)
    try:
        if not ids and not await _may_review_others_game(visit, kept):
            raise Refusal(Why.NO_REPLAY)
        course = await asyncio.to_thread(replay_packed_record, kept.data)
    except UnsupportedVersion:
        raise Refusal(Why.OLD_RECORD if ids else Why.NO_REPLAY) from None
    except BadRecord as error:
        log.error("a record does not fit: %s", error, extra=fields(table=table))
        raise Refusal(Why.BAD_RECORD if ids else Why.NO_REPLAY) from None
    return ReviewedGame(kept, course, ids, await _load_player_names(visit, kept))


async def _may_review_others_game(visit: Visit, kept: StoredRecord) -> bool:
    """Whether the person, who did not play, may see the game of *kept*: all who played allow it, and a day's deal tells
    them no more cards that they may still play.

    What others did in a day's deal tells its cards. So nobody sees it whose own attempt goes on, and before the day is
    over only those who have played it themselves.

    Raises:
        BadRecord: the record is damaged.
        UnsupportedVersion: it is of a version that this program does not read.
    """
    found = await asyncio.to_thread(record.decompress_record, kept.data)
    if not is_replay_public(found, kept.people, visit.bot.people.preferences):
        return False
    day = day_of_deal(found.deal)
    if day is None:
        return True
    own = await visit.bot.store.load_day_attempt(day, found.deal.game, visit.user)
    return visit.made_at >= day_end_ms(day) if own is None else own.result is not None


async def _person_plays_unfinished_game(visit: Visit, table: TableId) -> bool:
    """Whether the person has a seat in the game of *table*, and it is still running."""
    try:
        found = await visit.bot.store.load_table(table) if _ID.fullmatch(table) else None
    except UnusableTable:
        return False
    return found is not None and found.phase is Phase.PLAYING and found.seat_of(visit.user) is not None


async def _load_player_names(visit: Visit, kept: StoredRecord) -> PlayerNames:
    """Return the names to show for all players in the game of *kept*; computer players as at the table, if that can
    still be read."""
    words = visit.words
    try:
        table = await visit.bot.store.load_table(kept.table)
    except UnusableTable:
        table = None
    return player_names(kept.people, table, name_for_erased_player(words), words("Computer"))
