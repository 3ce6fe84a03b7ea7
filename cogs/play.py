"""Opening a table: who may open one, where, and in which channel or thread; and the controls of the lobby."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import discord
from discord import app_commands

from bot.client import Bot
from bot.commands import PUBLIC, Context, offered_in
from bot.delivery.errors import Expired, Fault, NoEntry
from bot.delivery.slots import TABLE
from bot.i18n import N_
from bot.interactions import channel_and_parents
from bot.permissions import MAKES_THREADS, NEEDS, SENDS_IN_THREADS, required_permissions
from bot.tables import leaving, lobby, start
from bot.tables.errors import Refusal, Why
from bot.tables.model import NO_SERVER, Phase, Table, TableId
from bot.tables.preferences import GuildSettings
from bot.tables.service import TableChange
from bot.ui import menu, replies
from bot.ui.components import action_row, link_button
from bot.ui.custom_ids import ELSEWHERE, Press, Verb
from bot.ui.dealing import cut_deck_form
from bot.ui.lobby import parse_changed_options, table_options_form
from bot.ui.registry import PRESENTERS
from bot.ui.table_message import thread_name, thread_opening_sheet
from cogs.context import Visit
from cogs.errors import serve_interaction
from cogs.table import make_table_moved_sheet_builder

ARCHIVE_MINUTES: Final = 10_080
"""Discord archives a table's thread after this time without a message: a week, the longest time there is. Clicks and
edits are no messages. https://discord.com/developers/docs/topics/threads#active-archived-threads"""
THREADS_IN: Final = (discord.ChannelType.text, discord.ChannelType.news)
"""The kinds of channels in which threads can be started. https://discord.com/developers/docs/topics/threads"""
NO_THREADS_HERE: Final = N_("This table gets no thread of its own: channels of this kind have none.")
NO_THREAD_MADE: Final = N_("This table gets no thread of its own: Discord did not let me make one.")
MAY_NOT: Final = N_("This table gets no thread of its own, because I am missing permissions here: {permissions}.")


def check_bot_permissions(visit: Visit) -> None:
    """Raise Refusal if the bot cannot host a table here: this is no server, it is not a member of the server or thread,
    or it lacks permissions, which are named.

    Raises:
        Refusal: a permission is missing (named as Discord names it), this is no channel of a server, or the bot is not
            a member of the server (it was installed for its commands alone) or of the private thread.
    """
    interaction = visit.interaction
    if interaction.guild_id is None:
        raise Refusal(Why.NOT_A_SERVER)
    if not visit.bot.place_of_interaction(interaction).member:
        raise Refusal(Why.NO_BOT_HERE)
    if not bot_can_reach_place(visit):
        raise Refusal(Why.NOT_IN_THREAD)
    missing = _missing_permissions(
        visit, *required_permissions(interaction.channel.type if interaction.channel is not None else None)
    )
    if missing:
        raise Refusal(Why.BOT_LACKS, permissions=missing)


def bot_can_reach_place(visit: Visit) -> bool:
    """Return whether the bot is, or could come, where *visit* takes place: only a private thread can shut it out."""
    interaction = visit.interaction
    if interaction.channel is None or interaction.channel.type is not discord.ChannelType.private_thread:
        return True
    # Discord tells bots only of those private threads that they are in.
    place = visit.bot.place_of_interaction(interaction)
    return place.thread and (place.in_thread or interaction.app_permissions.manage_threads)


def _missing_permissions(visit: Visit, *needed: str) -> str:
    """Return the translated names of the *needed* permissions that the bot lacks here, as a list in words; empty if it
    has all."""
    granted = visit.interaction.app_permissions
    return visit.words.list_and([f"**{visit.words(NEEDS[it].name)}**" for it in needed if not getattr(granted, it)])


def channel_parent_and_category_ids(visit: Visit) -> Sequence[int]:
    """Return the ids of this channel, of its parent channel if it is a thread, and of its category if it has one."""
    return visit.bot.place_of_interaction(visit.interaction).around or channel_and_parents(visit.interaction.channel)


async def get_person_role_ids(visit: Visit, guild: int) -> list[int]:
    """Return the ids of the person's roles in *guild*, including the role of everybody. In direct messages Discord is
    asked."""
    user = visit.interaction.user
    if isinstance(user, discord.Member):
        return [guild, *user._roles]  # ``roles`` leaves out those of a server that this process does not know
    return [guild, *await visit.bot.api.fetch_member_role_ids(guild, visit.user)]


async def check_may_open_table(visit: Visit, guild: int, place: Sequence[int]) -> GuildSettings:
    """Return the server's settings if the person may open a table in *guild* at *place* (ids of channel, parent,
    category; empty: unknown); or raise Refusal if not.

    Raises:
        Refusal: they are banned, or have left the server, or tables are opened elsewhere or by others.
    """
    await visit.check_may_sit_down(guild)
    chosen = await visit.bot.servers.settings(guild)
    there = without_deleted(visit.bot, guild, chosen)
    if place and not chosen.allows_tables_in_channel(place):
        raise Refusal(Why.OTHER_CHANNELS if there.channels else Why.CHANNELS_DELETED, channels=there.channels)
    if chosen.roles and not chosen.allows_roles(await get_person_role_ids(visit, guild)):
        raise Refusal(Why.OTHER_ROLES if there.roles else Why.ROLES_DELETED, roles=there.roles)
    return chosen


def without_deleted(bot: Bot, guild: int, chosen: GuildSettings) -> GuildSettings:
    """Return the settings *chosen* of the server *guild* without channels and roles that no longer exist, as far as is
    known.

    What is deleted follows from what this process knows of the server. Discord tells bots of all channels of a server,
    including those that they cannot see.
    """
    known = bot.get_guild(guild)
    if known is None or known.unavailable:
        return chosen
    channels = [it.id for it in (*known.channels, *known.threads)]
    return chosen.without_deleted(channels, [role.id for role in known.roles])


async def check_may_open_rematch(visit: Visit, table: Table) -> tuple[GuildSettings, list[int]]:
    """Return (the server's settings, the ids of banned players), if the person may open the rematch of *table*; or
    raise Refusal.

    Raises:
        Refusal: as ``check_may_open_table``; or the channel is deleted, or the bot cannot see it any more.
    """
    if table.solo:
        await visit.check_may_sit_down(NO_SERVER)
        return GuildSettings(), []
    guild = visit.bot.get_guild(table.guild)
    channel = guild.get_channel_or_thread(table.channel) if guild is not None else None
    if channel is None and table.channel != visit.interaction.channel_id:
        try:
            await visit.bot.api.check_channel_exists(table.channel)
        except NoEntry:
            raise Refusal(Why.CHANNEL_GONE) from None
    chosen = await check_may_open_table(visit, table.guild, channel_and_parents(channel))
    server, now = await visit.bot.servers.get_settings_and_bans(table.guild), visit.bot.clock.now()
    people = [player.user for player in table.players if player.user is not None]
    return chosen, [user for user in people if server.current_ban(table.guild, user, now) is not None]


async def open_table(visit: Visit, game: str) -> None:
    """Open a table of *game* in this channel, or in a new thread if the server wants that, and answer with its lobby;
    or raise Refusal.

    Raises:
        Refusal: they may not, or the bot cannot.
    """
    if visit.interaction.guild_id is None:
        await open_solo_table(visit, game)
        return
    check_bot_permissions(visit)
    guild = visit.interaction.guild_id
    chosen = await check_may_open_table(visit, guild, channel_parent_and_category_ids(visit))
    without = no_thread_reason(visit) if chosen.threads else ""
    if chosen.threads and without is None:
        async with visit.bot.tables.table_opening_lock_of_host(visit.user):
            await visit.bot.tables.check_may_open_table(guild, visit.user, chosen)
            thread = await _start_thread(visit, game)
            if thread is not None:
                await _open_in_thread(visit, game, guild, thread, chosen)
                return
        without = visit.words(NO_THREAD_MADE)
    try:
        await _open_lobby(visit, game, guild, visit.channel, chosen)
    except Refusal as no:
        if no.why is not Why.TABLE_OPEN_HERE or await _remove_departed_players(visit, no.facts["table"]):
            raise
        await _open_lobby(visit, game, guild, visit.channel, chosen)
    assert visit.table is not None
    answering = visit.bot.reconciler.answers
    await answering.answer_with_new_message(visit.table, TABLE, visit.interaction, private=False)
    if without:
        await visit.answer_privately(replies.private_note_sheet(without))


async def open_solo_table(visit: Visit, game: str) -> None:
    """Open a solo table of *game* in the person's direct messages with the bot, and answer with its lobby; or raise
    Refusal.

    Raises:
        Refusal: these are other direct messages, such as a group; or they are banned, or a limit is reached.
    """
    if not visit.interaction.context.dm_channel:
        raise Refusal(Why.NO_TABLES_HERE)
    await visit.check_may_sit_down(NO_SERVER)
    visit.table = await visit.bot.tables.open_solo_table(channel=visit.channel, game=game, host=visit.build_player())
    answering = visit.bot.reconciler.answers
    await answering.answer_with_new_message(visit.table, TABLE, visit.interaction, private=False)


async def _remove_departed_players(visit: Visit, table_id: TableId) -> bool:
    """Remove players who have left the server from the table *table_id*, where no turn limit finds them; return whether
    the table still goes on and so blocks this channel.

    Discord does not tell the bot who leaves a server, so it is asked; but only where no turn limit would find out: in a
    lobby, where none runs yet, or in a game without one.
    """
    bot, table = visit.bot, await visit.bot.tables.get(table_id)
    clock_runs = table.phase is Phase.PLAYING and table.turn_ms > 0
    if table.starting or clock_runs or not bot.tables.try_acquire_member_check(table_id):
        return True
    for player in table.players:
        if player.user is None or player.away or player.invited:
            continue
        if not await bot.api.is_member(table.guild, player.user):
            table = await bot.tables.change(
                table_id, "gone", None, partial(leaving.remove_departed_member, user=player.user)
            )
    return table.live


def no_thread_reason(visit: Visit) -> str | None:
    """Return why a table opened here gets no thread: a text for the person, empty in a thread; ``None`` if it gets
    one."""
    channel = visit.interaction.channel
    if isinstance(channel, discord.Thread):
        return ""
    if channel is None or channel.type not in THREADS_IN:
        return visit.words(NO_THREADS_HERE)
    missing = _missing_permissions(visit, MAKES_THREADS, SENDS_IN_THREADS, "read_message_history")
    return visit.words(MAY_NOT, permissions=missing) if missing else None


async def _start_thread(visit: Visit, game: str) -> int | None:
    """Answer with a public message, start a thread below it for a table of *game*, and return the thread's id;
    ``None``, the message deleted again, if Discord refuses.

    Raises:
        Expired: it is too late to answer.
    """
    locale = await visit.public_locale()
    api = visit.bot.api
    message = await api.reply(visit.interaction, thread_opening_sheet(game, visit.name, locale), private=False)
    try:
        return await api.start_thread(visit.channel, message, thread_name(game, visit.name, locale), ARCHIVE_MINUTES)
    except Expired:
        raise
    except Fault:
        await api.delete_by_token(visit.interaction.token, message)
        return None


async def _open_in_thread(visit: Visit, game: str, guild: int, thread: int, chosen: GuildSettings) -> None:
    """Open a table of *game* in its new thread *thread*, and send its message there; if a limit forbids it now, archive
    the thread and raise Refusal."""
    try:
        await _open_lobby(visit, game, guild, thread, chosen, own_thread=True)
    except Refusal:
        await visit.bot.api.archive(thread)
        raise
    assert visit.table is not None
    await visit.bot.reconciler.answers.resend_table_message_at_bottom(
        visit.table, None, make_table_moved_sheet_builder(visit.table)
    )


async def _open_lobby(
    visit: Visit, game: str, guild: int, channel: int, chosen: GuildSettings, *, own_thread: bool = False
) -> None:
    """Create a table of *game* in *channel*, in the lobby and with the person as host, and set ``visit.table`` to it;
    no message is sent. Or raise Refusal if a limit is reached."""
    visit.table = await visit.bot.tables.open_table(
        guild=guild,
        channel=channel,
        game=game,
        host=visit.build_player(),
        locale=await visit.public_locale(),
        chosen=chosen,
        own_thread=own_thread,
    )


# /play: open a table in this channel or thread.


GAMES = [
    app_commands.Choice(name=app_commands.locale_str(presenter.title), value=game)
    for game, presenter in PRESENTERS.items()
]


@app_commands.command(name="play", description=N_("Open a table for a card game here"), extras={PUBLIC: True})
@app_commands.describe(game=N_("Which game"))
@app_commands.choices(game=GAMES)
@offered_in(Context.GUILD, Context.BOT_DM, Context.PRIVATE_CHANNEL)
async def play_command(interaction: discord.Interaction[Any], game: app_commands.Choice[str]) -> None:
    """Open a table of *game* in this channel, or a solo table in direct messages, and show its lobby. Serves /play."""
    async with serve_interaction(interaction, "/play", private=False) as visit:
        await open_table(visit, game.value)


# The controls of the lobby: on the table message (answered with the table after the change), in its menu, and its
# forms.


LOBBY_CHANGES: Final[Mapping[Verb, Callable[[Visit], TableChange]]] = {
    Verb.JOIN: lambda visit: partial(lobby.join_lobby, player=visit.build_player(), now=visit.bot.clock.now()),
    Verb.ADD_COMPUTER: lambda visit: partial(lobby.add_computer, user=visit.user, now=visit.bot.clock.now()),
    Verb.START: lambda visit: partial(start.start_game, user=visit.user, now=visit.bot.clock.now()),
}
"""The change made by each button of the lobby that changes something."""


async def serve_lobby_button(visit: Visit, press: Press, table: Table) -> None:
    """Serve a button of the lobby (join, add a computer, start): make the change, and answer with the table message, or
    a note if *Join* was elsewhere. Or raise Refusal."""
    if press.verb is Verb.JOIN or table.solo:
        await visit.check_may_sit_down(table.guild)
    changed = await visit.change_table(table.id, press.verb.value, LOBBY_CHANGES[press.verb](visit))
    if press.verb is Verb.JOIN and press.arg == ELSEWHERE:
        to_table = link_button(visit.words("To the table"), (await visit.scene(changed)).place.url)
        await visit.answer_with_note(
            replies.private_note_sheet(visit.words("You have a seat at the new table."), action_row(to_table))
        )
        return
    visit.bot.reconciler.answers.queue_answer(changed, TABLE, visit.interaction)


async def leave_lobby(visit: Visit, press: Press, table: Table) -> None:
    """Give up the person's seat in the lobby (a new host follows, or the table closes with its last person), and say so
    in the clicked private message."""
    await visit.change_table(table.id, press.verb.value, lambda t: lobby.leave_lobby(t, visit.user))
    await visit.edit_into_note(replies.private_note_sheet(visit.words("You have left the table.")))


async def remove_computer(visit: Visit, press: Press, table: Table) -> None:
    """Remove the computer player that came last from the lobby, and show the menu again; the button of a solo table is
    on its message."""
    table = await visit.change_table(table.id, press.verb.value, lambda t: lobby.remove_computer(t, visit.user))
    if table.solo:
        visit.bot.reconciler.answers.queue_answer(table, TABLE, visit.interaction)
        return
    host = visit.user == table.host
    sheet = menu.menu_sheet(await visit.scene(table), visit.words, host=host, moderator=visit.is_moderator)
    await visit.edit_clicked(sheet)


async def close_lobby(visit: Visit, press: Press, table: Table) -> None:
    """Close the table for everybody before the start, and say so in the clicked private message or the solo table's; or
    raise Refusal unless it was the host or a moderator."""
    table = await visit.change_table(
        table.id,
        press.verb.value,
        lambda t: lobby.cancel_table(t, visit.user, visit.name, moderator=visit.is_moderator, username=visit.username),
    )
    if table.solo:
        visit.bot.reconciler.answers.queue_answer(table, TABLE, visit.interaction)
        return
    await visit.edit_into_note(replies.private_note_sheet(visit.words("The table is closed.")))


# Forms


async def show_cut_phrase_form(visit: Visit, press: Press, table: Table) -> None:
    """Show the form in which the person writes a phrase that cuts the deck; or raise Refusal if they do not sit there
    or the game has started."""
    lobby.check_in_lobby(table)
    lobby.check_not_daily_deal(table)
    lobby.check_seated(table, visit.user)
    await visit.show_form(cut_deck_form(table.id, visit.words))


async def set_cut_phrase(visit: Visit, press: Press, table: Table) -> None:
    """Cut the deck with the phrase from the form, in place of the person's earlier one, and say so in a private note;
    or raise Refusal."""
    seat = table.seat_of(visit.user)
    again = seat is not None and table.players[seat].cut
    (written,) = visit.form_texts("phrase")
    await visit.change_table(table.id, "cut", partial(start.set_cut_phrase, user=visit.user, phrase=written))
    said = visit.words("✂️ Your new word or phrase counts.") if again else visit.words("✂️ You have cut the deck.")
    await visit.answer_with_note(replies.private_note_sheet(said))


async def show_options_form(visit: Visit, press: Press, table: Table) -> None:
    """Show the form for options: the host's for the whole table, another player's for the next computer player; or
    raise Refusal."""
    lobby.check_in_lobby(table)
    lobby.check_not_daily_deal(table)
    lobby.check_seated(table, visit.user)
    host = visit.user == table.host
    if not host and table.rules.computers.LEVELS == 1:
        raise Refusal(Why.HOST_ONLY)
    await visit.show_form(table_options_form(await visit.scene(table), visit.words, host=host))


async def set_options(visit: Visit, press: Press, table: Table) -> None:
    """Apply the options that were changed in the form, and answer with the table message, or with a note if that is
    elsewhere now."""
    fields, own = parse_changed_options(press.arg, visit.form_fields, PRESENTERS[table.game])
    table = await visit.change_table(table.id, "options", lambda t: lobby.set_options(t, visit.user, own, **fields))
    answering, click = visit.bot.reconciler.answers, visit.interaction
    if click.message is not None and await answering.clicked_slot_name(table, click) == TABLE:
        answering.queue_answer(table, TABLE, click)
    else:  # the table has another message since the form was opened
        await visit.answer_with_note(replies.private_note_sheet(visit.words("Your options are set.")))
