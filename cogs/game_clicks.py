"""The controls of the running game: moves, steps on the way to one, calls, and where one's hand is shown."""

from typing import Any, Final

from bot.custom_ids import Press
from bot.delivery.slots import TABLE, hand_slot, here_slot
from bot.present import answers
from bot.present.offers import action_of
from bot.present.registry import PRESENTERS
from bot.refusals import Refusal, Why
from bot.tables import play
from bot.tables.model import Phase, Table
from bot.tables.play import Clicked, Effect
from cogs.boundary import sentence
from cogs.hands import show_hand
from cogs.visit import Visit
from engine.errors import IllegalAction
from engine.game import Seat

SOON_MS: Final = 700
"""A click whose effect is this near waits for it, and is answered once."""
PATIENCE_MS: Final = 950
"""No click waits longer for its answer."""


async def move(visit: Visit, press: Press, table: Table) -> None:
    """Make the move that the control stands for, and show the hand as it is then."""
    values = visit.values

    def choose(now: Table, seat: Seat) -> Any:
        view = now.rules.view(now.state, seat)
        return action_of(now.game, view, press.arg, values, PRESENTERS[now.game].hand.play_of)

    try:
        clicked = await visit.bot.tables.move(table.id, visit.user, press.ply, choose, visit.at)
    except (Refusal, IllegalAction) as no:
        await _refuse_at_hand(visit, table, no)
        return
    visit.table = clicked.table
    if visit.private:
        await _answer_move(visit, clicked)
    else:  # no hand stands there: a forged click that was a legal move all the same
        await visit.bot.courier.acknowledge(visit.interaction)


async def _answer_move(visit: Visit, clicked: Clicked) -> None:
    """Show the hand when the move has landed, or at once if that is too far away."""
    table, held, now = clicked.table, clicked.table.held, visit.bot.clock.now()
    slot = await _hand_clicked(visit, table)
    held_now = clicked.effect in (Effect.HELD, Effect.REPEATED) and held is not None
    soon = held_now and held is not None and held.due - now <= SOON_MS
    visit.bot.reconciler.answers.answer(table, slot, visit.interaction, after=now + PATIENCE_MS if soon else None)


async def pick(visit: Visit, press: Press, table: Table) -> None:
    """Show what the hand offers after a step on the way to a move."""
    if not visit.private:
        raise Refusal(Why.BUTTON_DEAD)
    now = visit.bot.clock.now()
    try:
        table = await visit.change(table.id, "pick", lambda t: play.pick(t, visit.user, press.ply, now))
    except (Refusal, IllegalAction) as no:
        await _refuse_at_hand(visit, table, no)
        return
    slot = await _hand_clicked(visit, table)
    visit.bot.reconciler.answers.answer(table, slot, visit.interaction, picked=press.arg or visit.chosen)


async def call(visit: Visit, press: Press, table: Table) -> None:
    """Call, from the table message, a hand or a private answer."""
    answering = visit.bot.reconciler.answers
    try:
        clicked = await visit.bot.tables.call(table.id, visit.user, press.ply, visit.at)
    except (Refusal, IllegalAction) as no:
        await _refuse_at_hand(visit, table, no)
        return
    visit.table = table = clicked.table
    slot = await answering.slot_of(table, visit.interaction)
    if slot is None and not visit.private:
        # An old table message, or the controls of an answer: the table itself shows the call.
        await visit.tell(answers.note(visit.words("Your call is in: the table shows it.")))
        return
    slot = slot or await _hand_clicked(visit, table)
    shown = slot == TABLE or clicked.effect is Effect.LANDED
    notice = "" if shown else visit.words(PRESENTERS[table.game].called)
    answering.answer(table, slot, visit.interaction, notice=notice)


async def _hand_clicked(visit: Visit, table: Table) -> str:
    """The slot of the hand message that was clicked; an older one of the person's becomes the current one."""
    answering, message = visit.bot.reconciler.answers, visit.interaction.message
    seat = table.seat_of(visit.user)
    assert seat is not None and message is not None
    name = await answering.slot_of(table, visit.interaction)
    if name is None:
        name = here_slot(seat) if message.flags.ephemeral else hand_slot(seat)
        await answering.adopt(table, name, visit.interaction)
    return name


async def _refuse_at_hand(visit: Visit, table: Table, no: Refusal | IllegalAction) -> None:
    """Say no inside the hand message that was clicked, which also gets fresh buttons; anywhere else by a private
    answer."""
    table = await visit.look_at(table.id)
    if table.seat_of(visit.user) is None or table.phase is Phase.LOBBY or not visit.private:
        raise no
    slot = await _hand_clicked(visit, table)
    notice = await sentence(visit, no)
    visit.bot.reconciler.answers.answer(table, slot, visit.interaction, notice=notice)


async def hand(visit: Visit, press: Press, table: Table) -> None:
    """Show the hand here; from the menu it stays here."""
    if press.arg == "stay":
        table = await visit.bot.tables.update_player(table.id, visit.user, by_dm=False)
    await show_hand(visit, table)


async def hand_by_dm(visit: Visit, press: Press, table: Table) -> None:
    """Send the hand by direct message again."""
    await visit.bot.tables.update_player(table.id, visit.user, by_dm=True)
    await visit.turn_into(answers.note(visit.words("Your hand comes by direct message again.")))
