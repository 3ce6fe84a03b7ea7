"""/verify: checks the record of a game as ``python -m bot verify`` does, for one person; and *Check the deal*."""

import asyncio
import logging
import re
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bot.commands import Context, offered_in
from bot.i18n import N_, Words
from bot.log import fields
from bot.tables.errors import Refusal, Why
from bot.tables.model import Table
from bot.ui import review
from bot.ui.components import Sheet
from bot.ui.custom_ids import Press
from cogs.context import Visit, check_text
from cogs.errors import serve_interaction
from engine import record
from engine.errors import BadRecord, UnsupportedVersion
from engine.record import Record, decode_record
from engine.strict import MAX_RECORD_BYTES
from engine.verify import NotesMismatch, PlayerNotes, Verdict, looks_like_hex_code, verify

log = logging.getLogger(__name__)

DOWNLOAD_SECONDS: Final = 20
"""How long Discord may take to send a record."""
_MESSAGE: Final = re.compile(r"(?:.*[/-])?([0-9]{17,20})", re.DOTALL)
"""The id of a message, alone or at the end of its link."""
_DAY: Final = re.compile(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})")
"""The day of a deal of the day: its number stands in the place of the message's id."""


class _TakesRecords(app_commands.Command[Any, ..., None]):
    """A slash command whose file options offer only JSON files, such as records.

    discord.py has no parameter for that yet. https://discord.com/developers/docs/interactions/application-commands
    """

    async def get_translated_payload(
        self, tree: app_commands.CommandTree[Any], translator: app_commands.Translator
    ) -> dict[str, Any]:
        """Return the JSON with which the command is registered, its file options limited to .json. discord.py calls
        this."""
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
    cut=N_("The word or phrase with which I cut"),
)
@offered_in(Context.GUILD, Context.BOT_DM)
async def _serve_verify(
    interaction: discord.Interaction[Any],
    record: discord.Attachment,
    code: str = "",
    deal: str = "",
    message: str = "",
    cut: str = "",
) -> None:
    """Check the file *record* of a game, compare it with the codes, message id and cut phrase that the person noted,
    and show them privately the result. Serves /verify."""
    async with serve_interaction(interaction, "/verify") as visit:
        if record.size > MAX_RECORD_BYTES:
            raise Refusal(Why.FILE_TOO_LARGE)
        code, deal, message, cut = (check_text(it) for it in (code, deal, message, cut))
        noted = PlayerNotes(
            _parse_code(code), _parse_code(deal), _parse_message_id_or_day(message), (cut,) if cut.strip() else ()
        )
        with visit.bot.people.refusing_parallel_tasks(visit.user):
            await visit.bot.api.acknowledge(interaction)
            data = await download_file(record)
            await visit.answer_privately(
                await asyncio.to_thread(_verification_sheet, data, noted, await visit.words_with_public_labels_here())
            )


verify_command = _TakesRecords(
    name="verify",
    description=N_("Check the record of a game and compare it with what I noted"),
    callback=_serve_verify,
)


def _verification_sheet(data: bytes, noted: PlayerNotes, words: Words) -> Sheet:
    """Check the record in *data* and compare it with *noted*; return a message that says what fits or what is wrong."""
    try:
        found = decode_record(data)
    except BadRecord as error:
        return review.unreadable_record_sheet(str(error), words)
    try:
        verdict = verify(found)
    except BadRecord as error:
        return review.invalid_record_sheet(str(error), words)
    try:
        verdict = verify(found, noted)
    except NotesMismatch as difference:
        return review.record_differs_from_notes_sheet(found, verdict, difference, words)
    return review.record_verified_sheet(found, verdict, words, compared=noted != PlayerNotes())


def _parse_code(given: str) -> str | None:
    """Return the code in *given* without quotation marks around it; ``None`` if it is empty; or raise Refusal if it is
    no code.

    Raises:
        Refusal: it is not a code.
    """
    code = given.strip(" `\n") or None
    if code is not None and not looks_like_hex_code(code):
        raise Refusal(Why.NO_CODE)
    return code


def _parse_message_id_or_day(given: str) -> int | None:
    """Return the id of the message in *given* (an id or link), or its day as a number (20261128); ``None`` if it is
    empty; or raise Refusal if it is neither.

    Raises:
        Refusal: it is neither the id of a message nor a day.
    """
    if not given.strip():
        return None
    noted = given.strip(" `\n")
    found = _DAY.fullmatch(noted) or _MESSAGE.fullmatch(noted)
    if found is None:
        raise Refusal(Why.NO_MESSAGE_ID)
    return int("".join(found.groups()))


async def download_file(file: discord.Attachment) -> bytes:
    """Download the content of *file* from Discord; or raise Refusal if that fails or takes more than 20 s.

    Raises:
        Refusal: Discord does not hand it over.
    """
    try:
        async with asyncio.timeout(DOWNLOAD_SECONDS):
            return await file.read()
    except (discord.HTTPException, aiohttp.ClientError, OSError):  # a timeout is an OSError
        raise Refusal(Why.FILE_LOST) from None


async def show_deal_verification(visit: Visit, press: Press, table: Table) -> None:
    """Verify the stored record of *table* and answer privately with the result; who played also gets it as a file. Or
    raise Refusal if the game is not over or no record is kept."""
    if table.live:
        raise Refusal(Why.NOT_FINISHED)
    kept = await visit.bot.store.load_game_record(table.id)
    if kept is None:
        raise Refusal(Why.NO_RECORD)

    def checked() -> tuple[Record, Verdict]:
        found = record.decompress_record(kept.data)
        return found, verify(found)

    try:
        found, verdict = await asyncio.to_thread(checked)
    except UnsupportedVersion:
        raise Refusal(Why.OLD_RECORD) from None
    except BadRecord as error:
        log.error("a record does not fit: %s", error, extra=fields(table=table.id))
        await visit.answer_privately(review.deal_check_failed_sheet(visit.words))
        return
    own = [person.id for person in kept.people if person.user == visit.user]
    await visit.answer_privately(
        review.deal_check_passed_sheet(await visit.scene(table), found, verdict, visit.words, own)
    )
