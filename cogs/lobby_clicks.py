"""The controls of the lobby: those on the table message, whose answer shows the table after the change, those in its
menu, and its forms."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from bot.delivery.slots import TABLE
from bot.tables import lobby, start
from bot.tables.errors import Refusal, Why
from bot.tables.model import Table
from bot.tables.service import Change
from bot.ui import menu, replies
from bot.ui.components import link, row
from bot.ui.custom_ids import ELSEWHERE, Press, Verb
from bot.ui.lobby import changed_options, options_form
from bot.ui.players import cut_form
from bot.ui.registry import PRESENTERS
from cogs.visit import Visit

CHANGES: Final[Mapping[Verb, Callable[[Visit], Change]]] = {
    Verb.JOIN: lambda visit: partial(lobby.join, player=visit.player(), now=visit.bot.clock.now()),
    Verb.ADD_COMPUTER: lambda visit: partial(lobby.add_computer, user=visit.user, now=visit.bot.clock.now()),
    Verb.START: lambda visit: partial(start.start, user=visit.user, now=visit.bot.clock.now()),
}
"""The change for each button of the lobby that changes something."""


async def change_lobby(visit: Visit, press: Press, table: Table) -> None:
    """Make the change that the clicked control stands for, and answer with the table message after it; a *Join* that
    was clicked elsewhere with a sentence."""
    if press.verb is Verb.JOIN:
        await visit.check_welcome(table.guild)
    changed = await visit.change(table.id, press.verb.value, CHANGES[press.verb](visit))
    if press.verb is Verb.JOIN and press.arg == ELSEWHERE:
        to_table = link(visit.words("To the table"), (await visit.scene(changed)).place.url)
        await visit.tell_note(replies.note(visit.words("You have a seat at the new table."), row(to_table)))
        return
    visit.bot.reconciler.answers.answer(changed, TABLE, visit.interaction)


async def leave(visit: Visit, press: Press, table: Table) -> None:
    """Let the person leave the lobby, and say so."""
    await visit.change(table.id, press.verb.value, lambda t: lobby.leave(t, visit.user))
    await visit.turn_into_note(replies.note(visit.words("You have left the table.")))


async def remove_computer(visit: Visit, press: Press, table: Table) -> None:
    """Remove the computer player that came last, and show the menu again."""
    table = await visit.change(table.id, press.verb.value, lambda t: lobby.remove_computer(t, visit.user))
    host = visit.user == table.host
    sheet = menu.menu_sheet(await visit.scene(table), visit.words, host=host, moderator=visit.moderator)
    await visit.turn_into(sheet)


async def close(visit: Visit, press: Press, table: Table) -> None:
    """Close the table, and say so."""
    await visit.change(
        table.id,
        press.verb.value,
        lambda t: lobby.cancel(t, visit.user, visit.name, moderator=visit.moderator, username=visit.username),
    )
    await visit.turn_into_note(replies.note(visit.words("The table is closed.")))


# Forms


async def ask_for_cut(visit: Visit, press: Press, table: Table) -> None:
    """Show the form in which the person writes the phrase with which they cut the deck."""
    lobby.check_open(table)
    lobby.check_seated(table, visit.user)
    await visit.ask(cut_form(table.id, visit.words))


async def cut(visit: Visit, press: Press, table: Table) -> None:
    """Cut the deck with the phrase that was submitted, and say so: on a phone the scissors may be out of sight."""
    seat = table.seat_of(visit.user)
    again = seat is not None and table.players[seat].cut
    (written,) = visit.written_in("phrase")
    await visit.change(table.id, "cut", partial(start.cut, user=visit.user, phrase=written))
    said = visit.words("✂️ Your new phrase counts.") if again else visit.words("✂️ You have cut the deck.")
    await visit.tell_note(replies.note(said))


async def ask_for_options(visit: Visit, press: Press, table: Table) -> None:
    """Show the form in which the host chooses how the table is played, and others the next computer player."""
    lobby.check_open(table)
    lobby.check_seated(table, visit.user)
    host = visit.user == table.host
    if not host and table.rules.computers.LEVELS == 1:
        raise Refusal(Why.HOST_ONLY)
    await visit.ask(options_form(await visit.scene(table), visit.words, host=host))


async def set_options(visit: Visit, press: Press, table: Table) -> None:
    """Choose what was changed in the form of options, and answer with the table message after it."""
    fields, own = changed_options(press.arg, visit.sent, PRESENTERS[table.game])
    table = await visit.change(table.id, "options", lambda t: lobby.set_options(t, visit.user, own, **fields))
    answering, click = visit.bot.reconciler.answers, visit.interaction
    if click.message is not None and await answering.slot_of(table, click) == TABLE:
        answering.answer(table, TABLE, click)
    else:  # the table has another message since the form was opened
        await visit.tell_note(replies.note(visit.words("Your options are set.")))
