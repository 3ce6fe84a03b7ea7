"""The controls of the running game: moves, picks on the way to one, calls, *Next*, hints, and where a hand is shown."""

import asyncio
from typing import Any, Final

from bot.delivery.slots import TABLE
from bot.tables import computers, play
from bot.tables.errors import Refusal, Why
from bot.tables.model import Phase, Table
from bot.tables.play import ClickEffect, ClickResult
from bot.ui import replies
from bot.ui.custom_ids import Press
from bot.ui.hand_message import FOLLOW
from bot.ui.hints import hint_sheet
from bot.ui.presenter import decode_move_click
from bot.ui.registry import PRESENTERS
from cogs.context import Visit
from cogs.errors import refusal_text
from cogs.table import find_or_adopt_clicked_hand_slot, show_hand
from engine.errors import IllegalAction
from engine.game import Seat

MAX_ANSWER_DELAY_MS: Final = 950
"""How long a click waits for its answer at most."""


async def make_move(visit: Visit, press: Press, table: Table) -> None:
    """Make the move that the clicked control stands for, and answer with the hand after it; if the move is refused,
    with the hand and the reason."""
    values = visit.values

    def choose(now: Table, seat: Seat) -> Any:
        view = now.rules.views.view(now.state, seat)
        return decode_move_click(now.game, view, press.arg, values, PRESENTERS[now.game].hand.play_from_cards)

    try:
        clicked = await visit.bot.tables.make_move(
            table.id, visit.user, press.ply, choose, visit.made_at, visit.interaction.id
        )
    except (Refusal, IllegalAction) as no:
        await _show_refusal_in_hand(visit, table, no)
        return
    visit.table = clicked.table
    if visit.is_clicked_message_private:
        await _answer_move(visit, clicked)
    else:  # the clicked message is no hand: a forged click, although the move was legal
        await visit.bot.api.acknowledge(visit.interaction)


async def _answer_move(visit: Visit, clicked: ClickResult) -> None:
    """Answer the click of a move with the hand. If the move takes effect within a moment, the answer waits for that,
    0.95 s at most."""
    table, held, now = clicked.table, clicked.table.held, visit.bot.clock.now()
    slot = await find_or_adopt_clicked_hand_slot(visit, table)
    held_now = clicked.effect in (ClickEffect.HELD, ClickEffect.REPEATED)
    soon = held_now and held is not None and held.due - now <= play.SOON_MS
    visit.bot.reconciler.answers.queue_answer(
        table, slot, visit.interaction, after=now + MAX_ANSWER_DELAY_MS if soon else None
    )


async def show_controls_after_pick(visit: Visit, press: Press, table: Table) -> None:
    """Show in the clicked hand the controls for the rest of a move whose first part was picked; the game does not
    change. If it is refused, show the reason."""
    if not visit.is_clicked_message_private:
        raise Refusal(Why.BUTTON_DEAD)
    now = visit.bot.clock.now()
    try:
        table = await visit.change_table(table.id, "pick", lambda t: play.record_pick(t, visit.user, press.ply, now))
    except (Refusal, IllegalAction) as no:
        await _show_refusal_in_hand(visit, table, no)
        return
    slot = await find_or_adopt_clicked_hand_slot(visit, table)
    visit.bot.reconciler.answers.queue_answer(table, slot, visit.interaction, picked=press.arg or visit.chosen_value)


async def make_call(visit: Visit, press: Press, table: Table) -> None:
    """Record the call of the person who clicked, and answer privately, in the same words whoever called first (D9); if
    the call is refused, with the reason.

    If the answer takes a message of its own, it is deleted some seconds after everybody has seen who was first.
    """
    answering = visit.bot.reconciler.answers
    try:
        clicked = await visit.bot.tables.make_call(table.id, visit.user, press.ply, visit.made_at, visit.interaction.id)
    except (Refusal, IllegalAction) as no:
        await _show_refusal_in_hand(visit, table, no)
        return
    visit.table = table = clicked.table
    slot = await answering.clicked_slot_name(table, visit.interaction)
    if slot is None and visit.is_clicked_message_private:
        slot = await find_or_adopt_clicked_hand_slot(visit, table)
    if slot is not None and clicked.effect is ClickEffect.LANDED:  # no window: the answer shows how the round has ended
        answering.queue_answer(table, slot, visit.interaction)
        return
    said = visit.words(PRESENTERS[table.game].called_text)
    if slot is not None and (slot != TABLE or table.solo):
        answering.queue_answer(table, slot, visit.interaction, notice=said)
        return
    if slot is not None:
        await answering.acknowledge(table, slot, visit.interaction)
    await visit.answer_with_note(replies.private_note_sheet(said), press.ply)


async def go_on_without_call(visit: Visit, press: Press, table: Table) -> None:
    """Let the game of an unhurried table go on without a call by the person (*Next*), and answer with the hand after
    it; if it is refused, with the reason."""
    if not visit.is_clicked_message_private:
        raise Refusal(Why.BUTTON_DEAD)
    now = visit.bot.clock.now()
    try:
        table = await visit.change_table(
            table.id, "next", lambda t: play.go_on_without_call(t, visit.user, press.ply, now)
        )
    except (Refusal, IllegalAction) as no:
        await _show_refusal_in_hand(visit, table, no)
        return
    slot = await find_or_adopt_clicked_hand_slot(visit, table)
    visit.bot.reconciler.answers.queue_answer(table, slot, visit.interaction)


async def show_hint(visit: Visit, press: Press, table: Table) -> None:
    """Show the person privately the move that the computer thinks best for them; their next click or the next move
    deletes it. Or raise Refusal if they may have no hint."""
    seat, ply = play.require_seat_for_hint(table, visit.user, press.ply), table.state.ply
    found = await asyncio.to_thread(computers.make_hint, table, seat)
    now = await visit.load_table(table.id)
    play.require_seat_for_hint(now, visit.user, press.ply)  # somebody else may have sat down meanwhile
    if now.state.ply != ply:
        raise Refusal(Why.MOVED_ON)
    await visit.answer_with_note(hint_sheet(table.game, found, visit.words), ply)


async def _show_refusal_in_hand(visit: Visit, table: Table, no: Refusal | IllegalAction) -> None:
    """Answer a click on a hand with that hand and the reason for the refusal *no* above it; raise *no* if no hand was
    clicked.

    Raises:
        Refusal, IllegalAction: *no* itself, if no hand was clicked; the boundary then answers.
    """
    table = await visit.load_table(table.id)
    if table.seat_of(visit.user) is None or table.phase is Phase.LOBBY or not visit.is_clicked_message_private:
        raise no
    slot = await find_or_adopt_clicked_hand_slot(visit, table)
    notice = await refusal_text(visit, no)
    visit.bot.reconciler.answers.queue_answer(table, slot, visit.interaction, notice=notice)


async def show_hand_or_let_it_follow(visit: Visit, press: Press, table: Table) -> None:
    """Show the person's hand as a new private message; or with the argument "follow" let the clicked hand follow the
    game. "stay" also ends hands by direct message."""
    if (
        press.arg == FOLLOW
        and visit.is_clicked_message_private
        and table.phase is Phase.PLAYING
        and table.seat_of(visit.user) is not None
    ):
        slot = await find_or_adopt_clicked_hand_slot(visit, table)
        visit.bot.reconciler.answers.queue_answer(table, slot, visit.interaction)
        return
    if press.arg == "stay":
        visit.bot.reconciler.decline_dm_hand(table, visit.user)
        table = await visit.bot.tables.update_player(table.id, visit.user, by_dm=False, refuses_dms=False)
    await show_hand(visit, table)


async def send_hand_by_dm(visit: Visit, press: Press, table: Table) -> None:
    """From now on send the person's hand at *table* by direct message again, and say so in the clicked message."""
    await visit.bot.reconciler.direct.record_dms_wanted(visit.user)
    await visit.bot.tables.update_player(table.id, visit.user, by_dm=True, refuses_dms=False)
    await visit.edit_into_note(replies.private_note_sheet(visit.words("Your hand comes by direct message again.")))
