"""/daily: the deal of the day. It is played at a solo table; one attempt counts, and its result can be shared."""

import asyncio
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from bot.commands import Context, offered_in
from bot.daily.days import count_days_in_a_row, utc_day
from bot.daily.results import percentile
from bot.delivery.errors import TakesNoDms, TooManyDms
from bot.delivery.slots import TABLE
from bot.i18n import N_, words
from bot.store.daily import Attempt, DayRow
from bot.tables.errors import Refusal, Why
from bot.tables.lobby import check_in_lobby
from bot.tables.model import NO_SERVER, Phase, Table
from bot.tables.scene import TablePlace
from bot.tables.start import start_daily_game
from bot.ui import daily as present
from bot.ui.custom_ids import Press
from bot.ui.registry import PRESENTERS
from cogs.context import Visit
from cogs.errors import serve_interaction
from cogs.table import make_table_moved_sheet_builder
from engine.fingerprint import computers_fingerprint
from engine.registry import GAMES

WITH_DAYS = [
    app_commands.Choice(name=app_commands.locale_str(presenter.title), value=game)
    for game, presenter in PRESENTERS.items()
    if GAMES[game].daily is not None
]


@app_commands.command(name="daily", description=N_("The deal of the day: the same cards for everyone, one attempt"))
@app_commands.describe(game=N_("Which game"))
@app_commands.choices(game=WITH_DAYS)
@offered_in(Context.GUILD, Context.BOT_DM)
async def daily_command(interaction: discord.Interaction[Any], game: app_commands.Choice[str]) -> None:
    """Open today's deal of *game* in the person's direct messages, or show how their attempt went. Serves /daily."""
    async with serve_interaction(interaction, "/daily", private=interaction.guild_id is not None) as visit:
        await _open_deal_or_show_result(visit, game.value)


async def serve_todays_deal_button(visit: Visit, press: Press) -> None:
    """Serve a button that leads to today's deal of the game that it names, as /daily: open the deal, or show the
    person's result."""
    await _open_deal_or_show_result(visit, press.arg)


async def _open_deal_or_show_result(visit: Visit, game: str) -> None:
    """Open today's deal of *game* for the person, show the table where they have begun it, or show the result of their
    attempt that is over; or raise Refusal.

    Raises:
        Refusal: there is no such deal, it is closed, they are banned, take no direct messages, or a limit is reached.
    """
    _check_has_daily_deal(game)
    day = utc_day(visit.made_at)
    attempt = await visit.bot.store.load_day_attempt(day, game, visit.user)
    if attempt is not None and attempt.result is not None:
        await _show_attempt_result(visit, day, game, attempt)
        return
    await visit.check_may_sit_down(NO_SERVER)
    if attempt is not None and (begun := await _find_live_table_of_attempt(visit, attempt)) is not None:
        await _resend_or_link_table(visit, begun)
        return
    await _open_daily_table(visit, game, day, practice=False)


def _check_has_daily_deal(game: str) -> None:
    """Raise Refusal if *game* has no deal of the day, or there is no such game, as in a forged click."""
    if game not in GAMES or GAMES[game].daily is None:
        raise Refusal(Why.NO_DAILY)


async def _find_live_table_of_attempt(visit: Visit, attempt: Attempt) -> Table | None:
    """Return the table of *attempt*, whose game is not over; ``None`` if the table is closed or not in the database any
    more."""
    try:
        table = await visit.bot.tables.get(attempt.table)
        return table if table.live else None
    except Refusal as no:
        if no.why is not Why.NO_SUCH_TABLE:
            raise
        return None


async def _resend_or_link_table(visit: Visit, table: Table) -> None:
    """In the person's direct messages send the message of the running *table* again; elsewhere answer with a link to
    it. Raise Refusal if it was sent in the last 30 s."""
    if table.channel != visit.channel:
        await _answer_with_table_link(visit, table)
        return
    visit.bot.tables.check_and_record_resend(table.id)
    await visit.bot.reconciler.answers.resend_table_message_at_bottom(
        table, visit.interaction, make_table_moved_sheet_builder(table)
    )


async def _load_or_draw_day_secret(visit: Visit, day: str, game: str) -> DayRow:
    """Return the stored secret of the deal of *game* on *day*, with the next day's code and whether the day is open;
    the first call draws the secrets of both days."""
    computers = await asyncio.to_thread(computers_fingerprint, game)  # the first time it reads many files
    return await visit.bot.store.get_or_draw_day_secret(day, game, computers, visit.made_at)


async def _open_daily_table(visit: Visit, game: str, day: str, *, practice: bool) -> None:
    """Open a table for the deal of *game* on *day* in the person's direct messages, and show it there; or raise
    Refusal.

    Raises:
        Refusal: the day is closed (not for practice), they take no direct messages, or a limit is reached.
    """
    here, answering = visit.interaction.context.dm_channel, visit.bot.reconciler.answers
    channel = visit.channel if here else await _get_or_open_dm_channel(visit)
    table = await _find_unstarted_daily_table(visit, channel, game, day, practice=practice)
    is_new = table is None
    if table is None:
        row = await _load_or_draw_day_secret(
            visit, day, game
        )  # only now: the next day's code is published with this table
        if not row.open and not practice:
            raise Refusal(Why.DAY_CLOSED)
        table = await visit.bot.tables.open_day_table(
            channel=channel,
            game=game,
            host=visit.build_player(),
            day=day,
            secret=row.secret,
            next_code=row.next_code,
            unannounced=not row.announced,
            practice=practice,
            asked_in=visit.interaction.guild_id or NO_SERVER,
        )
    visit.table = table
    if not is_new:
        await _resend_or_link_table(visit, table)
        return
    if here:
        await answering.answer_with_new_message(table, TABLE, visit.interaction, private=False)
        return
    if _this_process_serves_dm_tables(visit):  # else another process sends the table's message
        await answering.resend_table_message_at_bottom(table, None, make_table_moved_sheet_builder(table))
    await _answer_with_table_link(visit, table)


async def _find_unstarted_daily_table(
    visit: Visit, channel: int, game: str, day: str, *, practice: bool
) -> Table | None:
    """Return the person's table for this deal that is not started yet, and note there in which server they asked for it
    now; ``None`` if there is none."""
    known = await visit.bot.store.live_solo_tables(visit.user, channel)
    wanted = (visit.user, game, day, practice, Phase.LOBBY)
    found = next((it for it in known if (it.host, it.game, it.day, it.practice, it.phase) == wanted), None)
    guild = visit.interaction.guild_id
    if found is None or guild is None or guild == found.asked_in:
        return found
    return await visit.change_table(found.id, "asked", lambda t: t._replace(asked_in=guild))


def _this_process_serves_dm_tables(visit: Visit) -> bool:
    """Whether this process, and no other, serves the tables in direct messages."""
    return visit.bot.shards_held.has(NO_SERVER)


async def _answer_with_table_link(visit: Visit, table: Table) -> None:
    """Answer privately with a link to *table*, which is in the person's direct messages, and say whether it is
    started."""
    message = await visit.bot.reconciler.table_message_id(table) if _this_process_serves_dm_tables(visit) else None
    url = TablePlace(table.guild, table.channel, message).url
    started = table.phase is not Phase.LOBBY
    await visit.answer_privately(
        present.daily_game_dm_link_sheet(table.game, table.day, url, visit.words, started=started)
    )


async def _get_or_open_dm_channel(visit: Visit) -> int:
    """Return the id of the person's direct-message channel, which Discord opens if need be; or raise Refusal if they
    take no direct messages."""
    try:
        return await visit.bot.reconciler.direct.get_or_open_channel(visit.user, lambda: True)
    except (TakesNoDms, TooManyDms):
        raise Refusal(Why.TAKES_NO_DMS) from None


async def start_daily_attempt(visit: Visit, press: Press, table: Table) -> None:
    """Start the deal of the day: it is the person's attempt from now on, unless it is practice; or raise Refusal.

    Raises:
        Refusal: its day is over or closed, or they have started it elsewhere.
    """
    if not table.day or not visit.is_clicked_message_private:  # a forged click
        raise Refusal(Why.BUTTON_DEAD)
    check_in_lobby(table)
    await visit.check_may_sit_down(NO_SERVER)  # the host may have banned them since
    if not table.practice:
        if utc_day(visit.made_at) != table.day:
            raise Refusal(Why.DAY_OVER)
        if not (await _load_or_draw_day_secret(visit, table.day, table.game)).open:
            raise Refusal(Why.DAY_CLOSED)
        holder = await visit.bot.store.claim_day_attempt(
            table.day, table.game, visit.user, table.id, table.asked_in, visit.made_at
        )
        if holder is None:
            raise Refusal(Why.GAME_FINISHED)
        if holder != table.id:
            raise Refusal(Why.DAY_STARTED)
    now = visit.bot.clock.now()
    table = await visit.change_table(table.id, press.verb.value, lambda t: start_daily_game(t, visit.user, now))
    visit.bot.reconciler.answers.queue_answer(table, TABLE, visit.interaction)


# Results


async def show_daily_result(visit: Visit, press: Press) -> None:
    """Answer privately with the person's result at the day's deal that the button names; or raise Refusal if they have
    not finished it."""
    day, game = _parse_day_and_game(press.arg)
    await _show_attempt_result(visit, day, game, await visit.bot.store.load_day_attempt(day, game, visit.user))


def _parse_day_and_game(argument: str) -> tuple[str, str]:
    """Return (day, game) from *argument* of a control, such as "2026-11-28.diciassette"; or raise Refusal if it is
    forged."""
    day, _, game = argument.partition(".")
    if game not in GAMES or not present.is_iso_date(day):
        raise Refusal(Why.BUTTON_DEAD)
    return day, game


async def _show_attempt_result(visit: Visit, day: str, game: str, attempt: Attempt | None) -> None:
    """Answer privately with the result of *attempt* of the person at the deal of *game* on *day*; or raise Refusal if
    it is not over."""
    own = await _load_daily_result_of_visitor(visit, day, game, attempt)
    share = visit.interaction.guild_id is not None
    await visit.answer_privately(present.own_day_result_sheet(own, visit.words, share=share))


async def _load_daily_result_of_visitor(visit: Visit, day: str, game: str, attempt: Attempt | None) -> present.OwnDay:
    """Return how the visitor's *attempt* at the deal of *game* on *day* went; or raise Refusal if it is not over."""
    if attempt is None or attempt.result is None:
        raise Refusal(Why.NOT_PLAYED)
    store = visit.bot.store
    played, everybody = await store.days_played(visit.user, game), await store.day_results(day, game)
    return present.OwnDay(
        game,
        day,
        attempt.result,
        attempt.rounds or (),
        percentile(attempt.result, everybody),
        len(everybody),
        count_days_in_a_row(set(played), day),
        await _load_daily_results_of_others(visit, day, game),
    )


async def _load_daily_results_of_others(visit: Visit, day: str, game: str) -> Sequence[present.NamedResult]:
    """Return the results of others who have played the deal in this server and may be named; empty in direct messages
    or where leaderboards are off."""
    guild = visit.interaction.guild_id
    if guild is None or not (await visit.bot.servers.settings(guild)).boards:
        return ()
    found = await visit.bot.store.day_results_in_server(guild, day, game)
    return [present.NamedResult(it.name, it.result) for it in found if it.user != visit.user]


async def share_daily_result(visit: Visit, press: Press) -> None:
    """Post the person's result at a day's deal publicly in this channel, or in direct messages show lines to copy; or
    raise Refusal: not finished, banned, or somebody has just posted here."""
    day, game = _parse_day_and_game(press.arg)
    own = await _load_daily_result_of_visitor(
        visit, day, game, await visit.bot.store.load_day_attempt(day, game, visit.user)
    )
    if visit.interaction.guild_id is None:
        await visit.answer_privately(present.copyable_day_result_sheet(own, visit.words))
        return
    for place in (NO_SERVER, visit.interaction.guild_id):
        await visit.bot.servers.check_not_banned(place, visit.user, visit.bot.clock.now())
    if not visit.bot.tables.try_acquire_public_answer(visit.channel):
        raise Refusal(Why.JUST_POSTED)
    sheet = present.shared_day_result_sheet(own, visit.name, words(await visit.public_locale()))
    await visit.bot.api.reply(visit.interaction, sheet, private=False)


async def open_practice_table(visit: Visit, press: Press) -> None:
    """Open a table for practice of the day's deal that the button names, in direct messages; or raise Refusal if the
    person has not finished their attempt."""
    day, game = _parse_day_and_game(press.arg)
    attempt = await visit.bot.store.load_day_attempt(day, game, visit.user)
    if attempt is None or attempt.result is None:
        raise Refusal(Why.NOT_PLAYED)
    await visit.check_may_sit_down(NO_SERVER)
    await _open_daily_table(visit, game, day, practice=True)
