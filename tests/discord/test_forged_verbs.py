"""Every verb there is, clicked where no honest client has it: in every phase, on the table message, on a private note
and on a hand, by who plays and by who does not. It is answered, and nothing breaks."""

from itertools import product
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.custom_ids import NO, Verb, custom_id
from bot.present.hand_message import FOLLOW
from bot.tables.model import Phase, TableId
from tests.discord.forged import forge
from tests.discord.messages import reply
from tests.discord.play import Club
from tests.discord.world import dms

ARGS = ["", FOLLOW, "stay", "0", NO]
CLICKS = [*product(["table"], ARGS), *product(["note", "hand"], ARGS[:2])]
"""On which message, with what argument: it is read alike on every message."""
LAST = [Verb.JOIN, Verb.QUIT, Verb.START, Verb.REMATCH, Verb.SIT, Verb.COME_BACK, Verb.LEAVE_FOR_SURE]
"""What changes the table for the others comes after the rest."""


async def target(
    club: Club, table: TableId, board: discord.Message, person: MemberActor, where: str
) -> discord.Message | None:
    """The message *board* of *table*, a private note, or what *person* has got as a direct message, if anything."""
    if where == "table":
        return club.as_it_is(board)
    if where == "note":
        return reply(await forge(club, person, custom_id(Verb.RULES, table, 0), club.as_it_is(board)))
    return next(iter(reversed(dms(person))), None)


@pytest.mark.parametrize("phase", Phase)
async def test_any_verb_anywhere_is_answered_and_breaks_nothing(club: Club, phase: Phase, caplog: Any) -> None:
    """By others than the host, who would end the phase."""
    await club.open(club.anna, club.bruno, start=phase is not Phase.LOBBY)
    table, board = club.table(), club.table_message()
    if phase is Phase.OVER:
        await club.finish()
    for verb in [*(it for it in Verb if it not in LAST), *LAST]:
        if verb is LAST[0]:
            assert (await club.bot.tables.get(table.id)).phase is phase
        for person, (where, arg) in product((club.bruno, club.carla), CLICKS):
            message = await target(club, table.id, board, person, where)
            if message is not None:
                answer = await forge(club, person, custom_id(verb, table.id, 0, arg), message)
                assert answer.acknowledged, (verb, arg, where, person)
    assert not [record for record in caplog.records if record.exc_info]
