"""What remains of a game: the check of its deal."""

import asyncio
import logging

from bot.custom_ids import Press
from bot.log import fields
from bot.present import records
from bot.refusals import Refusal, Why
from bot.tables.model import Table
from cogs.visit import Visit
from engine import record
from engine.errors import BadRecord, OtherVersion
from engine.record import Record
from engine.verify import Verdict, verify

log = logging.getLogger(__name__)


async def check(visit: Visit, press: Press, table: Table) -> None:
    """Check the deal of *table*, which is over, and answer with what there is to say of it; who played there gets the
    record as well."""
    if table.live:
        raise Refusal(Why.NOT_FINISHED)
    kept = await visit.bot.store.record(table.id)
    if kept is None:
        raise Refusal(Why.NO_RECORD)

    def checked() -> tuple[Record, Verdict]:
        found = record.unpack(kept.data)
        return found, verify(found)

    try:
        found, verdict = await asyncio.to_thread(checked)
    except OtherVersion:
        raise Refusal(Why.OLD_RECORD) from None
    except BadRecord as error:
        log.error("a record does not fit: %s", error, extra=fields(table=table.id))
        await visit.tell(records.wrong_sheet(visit.words))
        return
    own = [person.id for person in kept.people if person.user == visit.user]
    await visit.tell(records.checked_sheet(await visit.scene(table), found, verdict, visit.words, own))
