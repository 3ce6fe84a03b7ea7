"""People's hands: shown in the channel, found behind a click."""

from bot.delivery.slots import hand_slot, here_slot
from bot.refusals import Refusal, Why
from bot.tables.model import Phase, Table
from cogs.visit import Visit


async def show_hand(visit: Visit, table: Table) -> None:
    """Answer with the person's hand, which only they see.

    It is kept up to date for as long as Discord allows (15 minutes).

    Raises:
        Refusal: the game has not started, or they do not sit at the table.
    """
    visit.table = table
    if table.phase is Phase.LOBBY:
        raise Refusal(Why.NOT_STARTED)
    seat = table.seat_of(visit.user)
    if seat is None:
        raise Refusal(Why.NOT_AT_TABLE)
    await visit.bot.reconciler.answers.answer_with_new_message(table, here_slot(seat), visit.interaction, private=True)


async def clicked_hand_slot(visit: Visit, table: Table) -> str:
    """The slot of the clicked hand message. If no slot has that message any more, it becomes the slot's message
    again."""
    answering, message = visit.bot.reconciler.answers, visit.interaction.message
    seat = table.seat_of(visit.user)
    assert seat is not None and message is not None
    name = await answering.slot_of(table, visit.interaction)
    if name is None:
        name = here_slot(seat) if message.flags.ephemeral else hand_slot(seat)
        await answering.make_current(table, name, visit.interaction)
        visit.bot.reconciler.notes.release(table.id, visit.user, message.id)
    return name
