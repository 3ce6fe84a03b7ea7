"""Shows people their hand in the channel."""

from bot.delivery.slots import here_slot
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
