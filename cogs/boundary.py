"""The edge of the program: refusals become private answers, bugs become apologies with a reference."""

import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
from sqlalchemy.exc import OperationalError

from bot.client import bot_of
from bot.delivery.faults import Busy, Expired, Fault, Gone, NoEntry
from bot.log import fields
from bot.present import answers
from bot.present.sheet import Item, Sheet
from bot.refusals import Refusal, Why
from cogs.visit import Visit
from engine.errors import IllegalAction

log = logging.getLogger(__name__)


@asynccontextmanager
async def boundary(interaction: discord.Interaction[Any], what: str) -> AsyncIterator[Visit]:
    """Serve one interaction: whatever goes wrong inside, the person gets one private answer, in their language."""
    visit = Visit(bot_of(interaction.client), interaction)
    try:
        yield visit
        log.info("served", extra=fields(what=what, **_where(visit)))
    except (Refusal, IllegalAction) as no:
        log.info("refused", extra=fields(what=what, why=no, **_where(visit)))
        await _answer(visit, await refusal_sheet(visit, no))
    except (Expired, Gone) as late:
        log.warning("too late to answer", extra=fields(what=what, fault=late, **_where(visit)))
    except (Busy, NoEntry, OperationalError, OSError) as fault:
        log.warning("try again", extra=fields(what=what, fault=type(fault).__name__, **_where(visit)))
        await _answer(visit, answers.note(answers.refusal(Why.TRY_AGAIN, {}, None, visit.words)))
    except Exception:  # the one boundary of the house: apologise, and leave a trace
        reference = secrets.token_hex(4)
        log.exception("bug", extra=fields(what=what, reference=reference, **_where(visit)))
        await _answer(visit, answers.apology(reference, visit.words))


def _where(visit: Visit) -> dict[str, Any]:
    table = visit.table
    return {"table": table.id, "version": table.version} if table else {}


async def _answer(visit: Visit, sheet: Sheet) -> None:
    try:
        await visit.tell(sheet)
    except (discord.HTTPException, Fault) as fault:
        log.warning("answer lost", extra=fields(fault=type(fault).__name__))


async def sentence(visit: Visit, no: Refusal | IllegalAction) -> str:
    """What to say for *no*, in the person's language."""
    scene = await visit.scene(visit.table) if visit.table is not None else None
    if isinstance(no, IllegalAction):
        assert scene is not None
        return answers.illegal(no.reason, scene, visit.words)
    return answers.refusal(no.why, no.facts, scene, visit.words)


async def refusal_sheet(visit: Visit, no: Refusal | IllegalAction) -> Sheet:
    """The private answer for *no*, with the controls that help now."""
    if isinstance(no, Refusal) and no.facts.get("table"):
        await visit.look_at(no.facts["table"])
    controls: list[Item] = []
    if visit.table is not None:
        scene = await visit.scene(visit.table)
        controls = answers.controls(no.why if isinstance(no, Refusal) else no.reason, scene, visit.words)
    return answers.note(await sentence(visit, no), *controls)
