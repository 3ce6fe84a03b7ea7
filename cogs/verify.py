"""/verify: the record of a game, checked as ``python -m bot verify`` does it, only for the person who asks; and
*Check the deal*."""

import asyncio
import logging
import re
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bot.i18n import N_, Words
from bot.log import fields
from bot.tables.errors import Refusal, Why
from bot.tables.model import Table
from bot.ui import review
from bot.ui.components import Sheet
from bot.ui.custom_ids import Press
from cogs.context import Visit, whole
from cogs.errors import boundary
from engine import record
from engine.errors import BadRecord, OtherVersion
from engine.record import Record, load
from engine.strict import LARGEST_RECORD
from engine.verify import NotAsNoted, Noted, Verdict, is_code, verify

log = logging.getLogger(__name__)

DOWNLOAD_SECONDS: Final = 20
"""How long Discord may take to hand a record over."""
_MESSAGE: Final = re.compile(r"(?:.*[/-])?([0-9]{17,20})", re.DOTALL)
"""The id of a message, alone or at the end of its link."""


class _TakesRecords(app_commands.Command[Any, ..., None]):
    """A command whose files are records, as Discord's clients know: they offer no others. discord.py has no word for
    that yet. https://discord.com/developers/docs/interactions/application-commands"""

    async def get_translated_payload(
        self, tree: app_commands.CommandTree[Any], translator: app_commands.Translator
    ) -> dict[str, Any]:
        """The JSON with which the command is registered. discord.py calls this."""
        payload = await super().get_translated_payload(tree, translator)
        for option in payload["options"]:
            if option["type"] == discord.AppCommandOptionType.attachment.value:
                option["file_types"] = [".json"]
        return payload


@app_commands.describe(
    record=N_("The record: the file from Check the deal"),
    code=N_("The shuffle code as I noted it in the lobby, or its first 8 digits or more"),
    deal=N_("The deal code as I noted it, or its first 8 digits or more"),
    message=N_("The table message: its ID or link"),
    cut=N_("The phrase with which I cut"),
)
async def _verify(
    interaction: discord.Interaction[Any],
    record: discord.Attachment,
    code: str = "",
    deal: str = "",
    message: str = "",
    cut: str = "",
) -> None:
    """Answer with what there is to say of *record*, compared with what the person has noted. Serves /verify."""
    async with boundary(interaction, "/verify") as visit:
        if record.size > LARGEST_RECORD:
            raise Refusal(Why.FILE_TOO_LARGE)
        code, deal, message, cut = (whole(it) for it in (code, deal, message, cut))
        noted = Noted(_code(code), _code(deal), _message(message), (cut,) if cut.strip() else ())
        with visit.bot.people.alone(visit.user):
            await visit.bot.courier.acknowledge(interaction)
            data = await downloaded(record)
            await visit.tell(await asyncio.to_thread(_answer, data, noted, await visit.words_here()))


verify_command = _TakesRecords(
    name="verify",
    description=N_("Check the record of a game and compare it with what I noted"),
    callback=_verify,
)


def _answer(data: bytes, noted: Noted, words: Words) -> Sheet:
    """What there is to say of the file *data*, compared with what was *noted*."""
    try:
        found = load(data)
    except BadRecord as error:
        return review.unreadable_record_sheet(str(error), words)
    try:
        verdict = verify(found)
    except BadRecord as error:
        return review.invalid_record_sheet(str(error), words)
    try:
        verdict = verify(found, noted)
    except NotAsNoted as difference:
        return review.noted_mismatch_sheet(found, verdict, difference, words)
    return review.record_verified_sheet(found, verdict, words, compared=noted != Noted())


def _code(given: str) -> str | None:
    """A code as somebody has *given* it, without what it stood in; ``None``: they have given none.

    Raises:
        Refusal: that is no code.
    """
    code = given.strip(" `\n") or None
    if code is not None and not is_code(code):
        raise Refusal(Why.NO_CODE)
    return code


def _message(given: str) -> int | None:
    """The id of the message that is *given*, by itself or in a link; ``None``: none is.

    Raises:
        Refusal: that is no message.
    """
    if not given.strip():
        return None
    found = _MESSAGE.fullmatch(given.strip(" `\n"))
    if found is None:
        raise Refusal(Why.NO_MESSAGE_ID)
    return int(found[1])


async def downloaded(file: discord.Attachment) -> bytes:
    """What *file* holds.

    Raises:
        Refusal: Discord does not hand it over.
    """
    try:
        async with asyncio.timeout(DOWNLOAD_SECONDS):
            return await file.read()
    except (discord.HTTPException, aiohttp.ClientError, OSError):  # a timeout is an OSError
        raise Refusal(Why.FILE_LOST) from None


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
        await visit.tell(review.deal_check_failed_sheet(visit.words))
        return
    own = [person.id for person in kept.people if person.user == visit.user]
    await visit.tell(review.deal_checked_sheet(await visit.scene(table), found, verdict, visit.words, own))
