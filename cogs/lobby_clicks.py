"""The buttons and selects of the lobby. Each makes one change to the table; the answer shows the table after it."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from bot.custom_ids import ELSEWHERE, Press, Verb
from bot.delivery.faults import Answered
from bot.delivery.slots import TABLE
from bot.present import answers
from bot.present.dealing import cut_form
from bot.present.sheet import link, row
from bot.present.table_message import USUAL
from bot.refusals import Refusal, Why
from bot.tables import dealing, lobby
from bot.tables.model import Table
from bot.tables.options import TURN_SECONDS, Pace
from bot.tables.service import Change
from cogs.visit import Visit

LEVEL: Final = re.compile("[1-9]")
"""A level, as a choice says it."""


def _set_pace(visit: Visit, press: Press) -> Change:
    """The change that sets the chosen pace."""
    if visit.chosen not in {pace.value for pace in Pace}:
        raise Refusal(Why.BUTTON_DEAD)
    return partial(lobby.set_options, user=visit.user, pace=Pace(visit.chosen))


def _set_turn_limit(visit: Visit, press: Press) -> Change:
    """The change that sets the chosen turn limit."""
    if visit.chosen not in {USUAL, *(str(seconds) for seconds in TURN_SECONDS)}:
        raise Refusal(Why.BUTTON_DEAD)
    seconds = None if visit.chosen == USUAL else int(visit.chosen)
    return partial(lobby.set_options, user=visit.user, turn_seconds=seconds)


def _add(visit: Visit, press: Press) -> Change:
    """The change that adds a computer player of the chosen level."""
    if not LEVEL.fullmatch(visit.chosen):
        raise Refusal(Why.BUTTON_DEAD)
    return partial(lobby.add_computer, user=visit.user, now=visit.bot.clock.now(), level=int(visit.chosen))


def _start(visit: Visit, press: Press) -> Change:
    """The change that starts the game; a table that was opened before tables had a secret gets one."""
    return partial(dealing.start, user=visit.user, secret=visit.bot.tables.seed(), now=visit.bot.clock.now())


CHANGES: Final[Mapping[Verb, Callable[[Visit, Press], Change]]] = {
    Verb.JOIN: lambda visit, press: partial(lobby.join, player=visit.player(), now=visit.bot.clock.now()),
    Verb.QUIT: lambda visit, press: partial(lobby.leave, user=visit.user),
    Verb.ADD_COMPUTER: lambda visit, press: partial(lobby.add_computer, user=visit.user, now=visit.bot.clock.now()),
    Verb.LEVEL: _add,
    Verb.REMOVE_COMPUTER: lambda visit, press: partial(lobby.remove_computer, user=visit.user),
    Verb.PACE: _set_pace,
    Verb.TURN_LIMIT: _set_turn_limit,
    Verb.OPTION: lambda visit, press: partial(
        lobby.set_game_option, user=visit.user, name=press.arg, value=visit.chosen
    ),
    Verb.START: _start,
    Verb.CANCEL: lambda visit, press: partial(
        lobby.cancel, user=visit.user, name=visit.name, moderator=visit.moderator, handle=visit.handle
    ),
}
"""The change for each control of the lobby. A choice that the control does not have raises Refusal."""


async def ask_for_cut(visit: Visit, press: Press, table: Table) -> None:
    """Show the form in which the person writes the phrase with which they cut the deck."""
    lobby.check_open(table)
    lobby.check_seated(table, visit.user)
    try:
        await visit.bot.courier.ask(visit.interaction, cut_form(table.id, visit.words))
    except Answered:  # it took too long, so the click has been acknowledged
        raise Refusal(Why.TRY_AGAIN) from None


async def cut(visit: Visit, press: Press, table: Table) -> None:
    """Cut the deck with the phrase that was submitted, and say so: on a phone the scissors may be out of sight."""
    seat = table.seat_of(visit.user)
    again = seat is not None and table.players[seat].cut
    await visit.change(table.id, "cut", partial(dealing.cut, user=visit.user, phrase=visit.written))
    said = visit.words("✂️ Your new phrase counts.") if again else visit.words("✂️ You have cut the deck.")
    await visit.tell_note(answers.note(said))


async def change_lobby(visit: Visit, press: Press, table: Table) -> None:
    """Make the change that the clicked control stands for, and answer with the table message after it, or, if it was
    clicked elsewhere, with a sentence."""
    if press.verb is Verb.JOIN:
        await visit.check_welcome(table.guild)
    changed = await visit.change(table.id, press.verb.value, CHANGES[press.verb](visit, press))
    if press.verb is Verb.JOIN and press.arg == ELSEWHERE:
        to_table = link(visit.words("To the table"), (await visit.scene(changed)).place.url)
        await visit.tell_note(answers.note(visit.words("You have a seat at the new table."), row(to_table)))
        return
    visit.bot.reconciler.answers.answer(changed, TABLE, visit.interaction)
