"""Catches all errors of interactions: refusals become private answers, bugs become apologies with a reference."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
from sqlalchemy.exc import OperationalError

from bot.client import as_bot
from bot.delivery import limits
from bot.delivery.errors import AnsweredBefore, Busy, Expired, Fault, Gone, NoEntry, NotAMember, TakesNoDms
from bot.delivery.limits import ShardLost
from bot.log import error_location, fields, new_error_reference
from bot.tables.errors import AlreadyProcessed, Refusal
from bot.ui import replies
from bot.ui.components import Component, Sheet
from cogs.context import Visit
from engine.errors import IllegalAction

log = logging.getLogger(__name__)


@asynccontextmanager
async def serve_interaction(
    interaction: discord.Interaction[Any], what: str, *, private: bool = True
) -> AsyncIterator[Visit]:
    """Context manager: serve one interaction in the block, and acknowledge it in time, *private* or not. If the block
    fails, answer with a refusal or an apology; raise nothing.

    *what* names the command or control in the log. If it is too late for an answer, that is only logged.
    """
    visit = Visit(as_bot(interaction.client), interaction)
    visit.bot.reconciler.track_interaction_task()
    visit.bot.reconciler.deadlines.acknowledge_when_due(interaction, private=private)
    try:
        yield visit
        visit.delete_previous_private_note()
        visit.bot.metrics.count_interaction(what, "served")
        log.info("served", extra=fields(what=what, **_table_log_fields(visit)))
    except Exception as error:  # noqa: BLE001 - the only place that catches bugs in commands and clicks
        try:
            await _answer_failure(visit, what, error)
        except Exception as another:  # noqa: BLE001 - answering may fail too, as when the database is locked just now
            await _answer_failure(visit, what, another, last=True)
    finally:
        visit.retry_refused_messages()


async def _answer_failure(visit: Visit, what: str, error: Exception, *, last: bool = False) -> None:
    """Answer an interaction that *error* has stopped: a refusal with its reason, "try again" if something is busy, a
    bug with an apology and a reference.

    The traceback of a bug is logged first. If *last*, a refusal counts as a bug: explaining it has failed.
    """
    match error:
        case Refusal() | IllegalAction() if not last:
            visit.bot.metrics.count_interaction(what, "refused")
            log.info(
                "refused", extra=fields(what=what, why=error, at=error_location(error), **_table_log_fields(visit))
            )
            await _try_to_answer(visit, await refusal_sheet(visit, error))
        case AlreadyProcessed():
            visit.bot.metrics.count_interaction(what, "served")
            log.info("served already", extra=fields(what=what, **_table_log_fields(visit)))
            await _answer_repeated_change(visit)
        case AnsweredBefore():
            visit.bot.metrics.count_interaction(what, "served")
            log.info("answered by another process", extra=fields(what=what, **_table_log_fields(visit)))
        case Expired() | Gone():
            visit.bot.metrics.count_interaction(what, "late")
            log.warning("too late to answer", extra=fields(what=what, fault=error, **_table_log_fields(visit)))
        case Busy() | NoEntry() | TakesNoDms() | NotAMember() | OperationalError() | OSError() | ShardLost():
            visit.bot.metrics.count_interaction(what, "try_again")
            log.warning("try again", extra=fields(what=what, fault=type(error).__name__, **_table_log_fields(visit)))
            limits.set_request_guild(None)  # that can be said wherever the table is served now
            await _try_to_answer(visit, replies.try_again_sheet(visit.words))
        case _:
            visit.bot.metrics.count_interaction(what, "bug")
            reference = new_error_reference()
            log.error("bug", exc_info=error, extra=fields(what=what, reference=reference, **_table_log_fields(visit)))
            await _try_to_answer(visit, replies.bug_apology_sheet(reference, visit.words), stays=True)


async def _answer_repeated_change(visit: Visit) -> None:
    """Answer an interaction that has already changed ``visit.table`` (a repetition, or in another process): edit the
    clicked message to its newest view; after a command say "try again".

    After a command nobody knows what was answered.
    """
    assert visit.table is not None
    table, click = await visit.load_table(visit.table.id), visit.interaction
    if click.message is None:
        await _try_to_answer(visit, replies.try_again_sheet(visit.words))
        return
    name = await visit.bot.reconciler.answers.clicked_slot_name(table, click)
    if name is not None:
        visit.bot.reconciler.answers.queue_answer(table, name, click)
    else:
        await visit.bot.api.acknowledge(click)


def _table_log_fields(visit: Visit) -> dict[str, Any]:
    """Return the log fields with the id and version of the table of *visit*; empty without a table."""
    table = visit.table
    return {"table": table.id, "version": table.version} if table else {}


async def _try_to_answer(visit: Visit, sheet: Sheet, *, stays: bool = False) -> None:
    """Answer privately with *sheet*, as a note that is deleted later unless it *stays*. A failure is only logged."""
    try:
        await (visit.answer_privately(sheet) if stays else visit.answer_with_note(sheet))
    except (discord.HTTPException, Fault) as fault:
        log.warning("answer lost", extra=fields(fault=type(fault).__name__))


async def refusal_text(visit: Visit, no: Refusal | IllegalAction) -> str:
    """Return the reason for *no*, a refusal or an illegal move, as a text in the person's language."""
    scene = await visit.scene(visit.table) if visit.table is not None else None
    if isinstance(no, IllegalAction):
        assert scene is not None
        return replies.illegal_move_text(no.reason, scene, visit.words)
    return replies.refusal_text(no.why, no.facts, scene, visit.words)


async def refusal_sheet(visit: Visit, no: Refusal | IllegalAction) -> Sheet:
    """Return the private answer for *no*: its reason, and controls that help now. If it names another table,
    ``visit.table`` becomes that one."""
    if isinstance(no, Refusal) and no.facts.get("table"):
        try:
            await visit.load_table(no.facts["table"])
        except Refusal as set_aside:
            no = set_aside
    rows: list[Component] = []
    if visit.table is not None:
        scene = await visit.scene(visit.table)
        rows = replies.refusal_controls(no.why if isinstance(no, Refusal) else no.reason, scene, visit.words)
    return replies.private_note_sheet(await refusal_text(visit, no), *rows)
