"""From the cut to the first card: what everybody can see and note, and that the cards follow from it."""

import re
from typing import Any

import discord
import pytest

from bot.tables.errors import Why
from bot.tables.model import Phase, TableId
from bot.ui.custom_ids import Verb
from engine.errors import BadRecord
from engine.record import Record, decompress_record
from engine.verify import SAFE_CODE_DIGITS, PlayerNotes, verify
from tests.discord.held import held_back, replay
from tests.discord.messages import private_text, text_of, verbs
from tests.discord.play import Club
from tests.process.waiting import eventually


def code(message: Any, what: str = "Shuffle") -> str:
    """The shuffle code that *message* says, or the *Deal* code."""
    found = re.search(rf"{what} code:? `([0-9a-f]+)`", text_of(message), re.IGNORECASE)
    assert found is not None, text_of(message)
    return found[1]


async def record_of(club: Club, table: TableId) -> Record:
    """What remains of the game of *table*, which is over."""
    kept = await club.bot.store.load_game_record(table)
    assert kept is not None
    return decompress_record(kept.data)


async def lobby(club: Club) -> discord.Message:
    """The lobby of a table with anna and bruno."""
    await club.open(club.anna, club.bruno, start=False)
    return club.table_message()


async def test_the_codes_stand_wherever_they_are_looked_for(club: Club) -> None:
    start = await lobby(club)
    shuffle = code(start)
    assert len(shuffle) == SAFE_CODE_DIGITS
    assert "Deal code" not in text_of(start)
    await club.press(club.anna, start, Verb.START)
    fixed = club.deal_message()
    deal, line = code(fixed, "Deal"), text_of(fixed)
    assert len(deal) == SAFE_CODE_DIGITS
    assert line.startswith("-# ")
    assert "\n" not in line, "it stands above the table for ever"
    page = await club.fair_page(club.carla)
    assert (code(page)[:SAFE_CODE_DIGITS], code(page, "Deal")[:SAFE_CODE_DIGITS]) == (shuffle, deal)
    assert len(code(page)) == len(code(page, "Deal")) == 64, "in full where somebody asks for them"
    assert f"`{club.table_message().id}`" in text_of(page)
    await club.bruno.slash(club.channel, "table show")
    assert text_of(await club.fair_page(club.carla)) == text_of(page), "the first table message counts"


async def test_the_shuffle_code_is_the_same_from_the_first_moment(club: Club) -> None:
    await club.open(club.anna, start=False)
    first = code(club.table_message())
    await club.press(club.bruno, club.table_message(), Verb.JOIN)
    await club.cut(club.anna, "one")
    await club.press(club.anna, club.table_message(), Verb.ADD_COMPUTER)
    assert code(club.table_message()) == first
    await club.press(club.anna, club.table_message(), Verb.START)
    assert code(await club.fair_page(club.anna)).startswith(first)


async def test_the_deal_message_stands_above_the_table_message_and_is_never_changed(club: Club) -> None:
    old = await lobby(club)
    await club.press(club.anna, old, Verb.START)
    fixed, table = club.deal_message(), club.table_message()
    assert [message.id for message in club.messages()] == [old.id, fixed.id, table.id]
    assert not verbs(fixed)
    assert "computer" not in text_of(fixed)
    await club.lobby_goes()
    assert [message.id for message in club.messages()] == [fixed.id, table.id]
    await club.restart()
    await club.finish()
    assert [message.id for message in club.messages()] == [fixed.id, table.id]
    assert text_of(club.as_it_is(fixed)) == text_of(fixed)
    about_it = [r for r in club.env.http_requests if str(fixed.id) in r.path]
    assert not about_it, "not even with the same content: it would be marked as edited"


async def test_the_cards_follow_from_what_everybody_saw(club: Club) -> None:
    await lobby(club)
    shuffle, table = code(club.table_message()), club.table().id
    await club.cut(club.anna, "Buon Natale")
    await club.cut(club.bruno, " caf\u0065\u0301 ")
    await club.press(club.anna, club.table_message(), Verb.START)
    seed = club.table().seed
    noted = PlayerNotes(
        shuffle, code(club.deal_message(), "Deal"), club.table_message().id, ("Buon Natale", "caf\u00e9")
    )
    await club.finish()
    record = await record_of(club, table)
    verdict = verify(record, noted)
    assert (verdict.seed.hex(), verdict.remarks) == (seed, ())
    for wrong in (
        noted._replace(code=noted.deal),
        noted._replace(deal=noted.code),
        noted._replace(message=noted.message + 1 if noted.message else None),
        noted._replace(cuts=("Buon natale",)),
    ):
        with pytest.raises(BadRecord):
            verify(record, wrong)


async def test_two_people_press_start_at_once(club: Club) -> None:
    old = await lobby(club)
    async with held_back(club) as waiting:
        answers = [await club.press(person, old, Verb.START) for person in (club.anna, club.bruno)]
    await replay(club, waiting)
    await eventually(lambda: club.dm_count(club.anna) == club.dm_count(club.bruno) == 1, "the hands")
    assert club.table().phase is Phase.PLAYING
    assert club.refusal(Why.ALREADY_STARTED) in private_text(answers[1])
    assert [message.id for message in club.messages()][1:] == [club.deal_message().id, club.table_message().id]
    await eventually(lambda: verbs(club.hand(club.on_turn())) & {Verb.MOVE, Verb.PICK}, "the hand says what to play")
    await club.act(club.on_turn())


async def test_a_rematch_has_codes_of_its_own(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    first = code(await club.fair_page(club.anna))[:SAFE_CODE_DIGITS], code(club.deal_message(), "Deal")
    await club.finish()
    await club.press(club.anna, club.messages()[-1], Verb.REMATCH)
    assert code(club.table_message()) != first[0]
    menu = await club.press(club.bruno, club.table_message(), Verb.MENU)
    assert Verb.CUT not in verbs(menu.response), "an invitation is no seat"
    await club.press(club.bruno, club.table_message(), Verb.JOIN)
    await club.cut(club.bruno, "revenge")
    lobby, table = club.table_message(), club.table().id
    await club.press(club.bruno, lobby, Verb.START)
    fixed = club.deal_message()
    assert code(await club.fair_page(club.anna)).startswith(code(lobby))
    assert code(fixed, "Deal") != first[1]
    noted = PlayerNotes(code(lobby), code(fixed, "Deal"), club.table_message().id, ("revenge",))
    await club.lobby_goes()
    assert lobby.id not in [message.id for message in club.messages()]
    await club.finish()
    assert verify(await record_of(club, table), noted).remarks == ()
