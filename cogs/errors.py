"""The last place where errors are caught: refusals become private answers, bugs become apologies with a reference."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
from sqlalchemy.exc import OperationalError

from bot.client import bot_of
from bot.delivery import limits
from bot.delivery.errors import AnsweredBefore, Busy, Expired, Fault, Gone, NoEntry, NotAMember, TakesNoDms
from bot.delivery.limits import ShardLost
from bot.delivery.slots import TABLE
from bot.log import fields, fresh_reference
from bot.tables.errors import AlreadyCounted, Refusal
from bot.tables.model import Table
from bot.ui import replies
from bot.ui.components import Component, Sheet
from cogs.context import Visit
from engine.errors import IllegalAction

log = logging.getLogger(__name__)


@asynccontextmanager
async def boundary(interaction: discord.Interaction[Any], what: str, *, private: bool = True) -> AsyncIterator[Visit]:
    """Serve one interaction in the block; if anything goes wrong there, answer it privately, in the person's language.

    Nothing is raised. *what* names the command or control in the log. If the block takes long, Discord is told in time
    that an answer will come, for a command one that is *private* or not. If it is too late for an answer, that is only
    logged.
    """
    visit = Visit(bot_of(interaction.client), interaction)
    visit.bot.reconciler.at_work()
    visit.bot.reconciler.deadlines.watch(interaction, private=private)
    try:
        yield visit
        visit.part_with_note()
        visit.bot.metrics.served(what, "served")
        log.info("served", extra=fields(what=what, **_table_fields(visit)))
    except Exception as error:  # noqa: BLE001 - the only place that catches bugs in commands and clicks
        try:
            await _answer_failure(visit, what, error)
        except Exception as another:  # noqa: BLE001 - answering may fail too, as when the database is locked just now
            await _answer_failure(visit, what, another, last=True)
    finally:
        visit.wake_messages()


async def _answer_failure(visit: Visit, what: str, error: Exception, *, last: bool = False) -> None:
    """Answer what *error* has prevented: a refusal with its reason, a bug with an apology, after its traceback was
    logged. If *last*, a refusal counts as a bug: to explain it has failed."""
    match error:
        case Refusal() | IllegalAction() if not last:
            visit.bot.metrics.served(what, "refused")
            log.info("refused", extra=fields(what=what, why=error, **_table_fields(visit)))
            clicked = visit.table
            sheet = await refusal_sheet(visit, error)
            await _try_to_show_again(visit, clicked)
            await _try_to_tell(visit, sheet)
        case AlreadyCounted():
            visit.bot.metrics.served(what, "served")
            log.info("served already", extra=fields(what=what, **_table_fields(visit)))
            await _answer_again(visit)
        case AnsweredBefore():
            visit.bot.metrics.served(what, "served")
            log.info("answered by another process", extra=fields(what=what, **_table_fields(visit)))
        case Expired() | Gone():
            visit.bot.metrics.served(what, "late")
            log.warning("too late to answer", extra=fields(what=what, fault=error, **_table_fields(visit)))
        case Busy() | NoEntry() | TakesNoDms() | NotAMember() | OperationalError() | OSError() | ShardLost():
            visit.bot.metrics.served(what, "try_again")
            log.warning("try again", extra=fields(what=what, fault=type(error).__name__, **_table_fields(visit)))
            limits.enter(None)  # that can be said wherever the table is served now
            await _try_to_tell(visit, replies.try_again_sheet(visit.words))
        case _:
            visit.bot.metrics.served(what, "bug")
            reference = fresh_reference()
            log.error("bug", exc_info=error, extra=fields(what=what, reference=reference, **_table_fields(visit)))
            await _try_to_tell(visit, replies.bug_apology_sheet(reference, visit.words), stays=True)


async def _answer_again(visit: Visit) -> None:
    """Answer an interaction that has had its effect already, by another process: with the message that was clicked, as
    it is now. Of a command nobody knows what was answered."""
    assert visit.table is not None
    table, click = await visit.look_at(visit.table.id), visit.interaction
    if click.message is None:
        await _try_to_tell(visit, replies.try_again_sheet(visit.words))
        return
    name = await visit.bot.reconciler.answers.slot_of(table, click)
    if name is not None and (name == TABLE or visit.private):
        visit.bot.reconciler.answers.answer(table, name, click)
    else:
        await visit.bot.courier.acknowledge(click)


def _table_fields(visit: Visit) -> dict[str, Any]:
    """The fields of a log line that say which table *visit* is about."""
    table = visit.table
    return {"table": table.id, "version": table.version} if table else {}


async def _try_to_show_again(visit: Visit, table: Table | None) -> None:
    """Reset the select that was clicked on a message of *table*, if it was one; if Discord does not take that, it is
    only logged."""
    if table is None or visit.interaction.message is None:
        return
    try:
        await visit.bot.reconciler.answers.show_again(table, visit.interaction)
    except (Fault, ShardLost) as fault:
        log.info("select not reset", extra=fields(fault=type(fault).__name__))


async def _try_to_tell(visit: Visit, sheet: Sheet, *, stays: bool = False) -> None:
    """Send a private answer, which is a note unless it *stays*; if Discord does not take it, that is only logged."""
    try:
        await (visit.tell(sheet) if stays else visit.tell_note(sheet))
    except (discord.HTTPException, Fault) as fault:
        log.warning("answer lost", extra=fields(fault=type(fault).__name__))


async def sentence(visit: Visit, no: Refusal | IllegalAction) -> str:
    """What to say for the refusal *no*, in the person's language."""
    scene = await visit.scene(visit.table) if visit.table is not None else None
    if isinstance(no, IllegalAction):
        assert scene is not None
        return replies.illegal_move_text(no.reason, scene, visit.words)
    return replies.refusal_text(no.why, no.facts, scene, visit.words)


async def refusal_sheet(visit: Visit, no: Refusal | IllegalAction) -> Sheet:
    """The private answer for the refusal *no*, with controls that help now.

    If *no* names another table, *visit* is about that one from now on.
    """
    if isinstance(no, Refusal) and no.facts.get("table"):
        try:
            await visit.look_at(no.facts["table"])
        except Refusal as set_aside:
            no = set_aside
    rows: list[Component] = []
    if visit.table is not None:
        scene = await visit.scene(visit.table)
        rows = replies.refusal_controls(no.why if isinstance(no, Refusal) else no.reason, scene, visit.words)
    return replies.note_sheet(await sentence(visit, no), *rows)
