"""/verify and *Check the deal*: a record that fits, one that does not, what is no record, and what Discord does not
hand over."""

import asyncio
import json
import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

import cogs.verify
from bot.tables.errors import Refusal, Why
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.replies import REFUSALS
from bot.ui.review import NOTED_REMARKS, REMARKS
from engine.record import decode_record
from engine.strict import MAX_RECORD_BYTES
from engine.verify import SAFE_CODE_DIGITS, Remark, verify
from tests.bot.logs import captured_log
from tests.discord.forged import forge
from tests.discord.messages import private_text, reply, text_of
from tests.discord.play import Club
from tests.discord.world import EN
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here


async def downloaded(club: Club) -> bytes:
    """The record of a game that Anna has cut and finished with Bruno, as she gets it."""
    await club.open(club.anna, club.bruno, start=False)
    await club.cut(club.anna, "Buon Natale")
    await club.press(club.anna, club.table_message(), Verb.START)
    await club.finish()
    (file,) = reply(await club.press(club.anna, club.messages()[-1], Verb.CHECK)).attachments
    return await file.read()


async def answered(club: Club, data: bytes, name: str = "record.json", **noted: str) -> str:
    """What a stranger reads who gives a file with *data* to /verify."""
    return private_text(await club.stranger.slash(club.channel, "verify", record=(name, data), **noted))


async def test_a_record_fits_and_what_that_does_not_prove(club: Club) -> None:
    data = await downloaded(club)
    found = json.loads(data)
    text = await answered(club, data)
    assert "### The record checks out" in text
    assert found["commitment"][:SAFE_CODE_DIGITS] in text and found["message"] in text
    assert found["secret"] not in text, "it is in the file"
    assert EN(NOTED_REMARKS[Remark.NOT_NOTED]) in text
    assert EN(REMARKS[Remark.NOBODY_CUT]) not in text
    assert "what you noted." in text and "It matches what you noted" not in text


async def test_it_is_compared_with_what_was_noted(club: Club) -> None:
    data = await downloaded(club)
    found = json.loads(data)
    link = f"https://discord.com/channels/1/2/{found['message']}"
    noted = {"code": f" `{found['commitment']}` ", "cut": "Buon Natale", "message": link}
    text = await answered(club, data, **noted, deal=_code(data)[:SAFE_CODE_DIGITS])
    assert "It matches what you noted" in text
    assert not [remark for remark in NOTED_REMARKS.values() if EN(remark, digits=SAFE_CODE_DIGITS) in text]
    text = await answered(club, data, code=found["commitment"][:8])
    assert EN(NOTED_REMARKS[Remark.FEW_DIGITS], digits=SAFE_CODE_DIGITS) in text
    for wrong in ({"code": "0" * 16}, {"deal": "0" * 16}, {"message": "1" * 18}, {"cut": "Frohes Fest"}):
        text = await answered(club, data, **wrong)
        assert "### This record does not match what you noted" in text
        assert "moves were legal" in text, "nothing is wrong with the record itself"
    assert REFUSALS[Why.NO_MESSAGE_ID] in await answered(club, data, message="the one above")
    for no_code in ("hello world!", found["commitment"][:7], found["commitment"] + "0"):
        for what in ("code", "deal"):
            assert EN(REFUSALS[Why.NO_CODE]) in await answered(club, data, **{what: no_code})


def _code(data: bytes) -> str:
    """The deal code of the record *data*."""
    return verify(decode_record(data)).deal_code


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        (b"", "not JSON"),
        (b"\x89PNG\r\n", "UTF-8"),
        (b'{"v":7}', "of version 7"),
        (b'["```", "@everyone"]', "it is not a record"),
        (b"[" * 5000, "nested too deeply"),
    ],
)
async def test_what_is_no_record_is_one_harmless_line(club: Club, data: bytes, wrong: str) -> None:
    text = await answered(club, data, "holiday.json")
    title, opened, line, closed, where = text.splitlines()
    assert title == "### I cannot read this file as a record"
    assert "**Check the deal**" in where
    assert (opened, closed) == ("```", "```")
    assert wrong in line and "`" not in line


async def test_a_file_that_is_too_large_is_not_even_loaded(club: Club) -> None:
    before = len(club.env.http_requests)
    assert REFUSALS[Why.FILE_TOO_LARGE] in await answered(club, b" " * (MAX_RECORD_BYTES + 1))
    assert len(club.env.http_requests) == before + 1, "the answer alone"


async def test_it_is_deferred_in_private_before_anything_is_loaded(club: Club) -> None:
    before = len(club.env.http_requests)
    answer = await club.stranger.slash(club.channel, "verify", record=("a.json", b"{}"))
    first, *_ = club.env.http_requests[before:]
    assert (first.json["type"], first.json["data"]["flags"]) == (5, 64)
    assert answer.ephemeral


async def test_one_record_at_a_time_for_each_person(club: Club) -> None:
    """A large one takes a second, and threads are few."""
    with club.bot.people.refusing_parallel_tasks(club.stranger.id):
        assert EN(REFUSALS[Why.AT_WORK]) in await answered(club, b"{}")
    assert "### I cannot read this file as a record" in await answered(club, b"{}")


class Slow:
    """A file that Discord never hands over."""

    async def read(self) -> bytes:
        return await asyncio.get_running_loop().create_future()


async def test_discord_gets_a_limited_time_to_hand_a_file_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cogs.verify, "DOWNLOAD_SECONDS", 0.01)
    with pytest.raises(Refusal) as no:
        await cogs.verify.download_file(Slow())
    assert no.value.why is Why.FILE_LOST


# *Check the deal* on a game that is over: what it says, and the record for those who played.


async def finished(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish()


async def test_who_played_gets_the_codes_and_the_record(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    table = club.table().id
    await club.finish()
    answer = reply(await club.press(club.bruno, club.messages()[-1], Verb.CHECK))
    text = text_of(answer)
    (file,) = answer.attachments
    found = decode_record(await file.read())
    verdict = verify(found)
    assert f"Shuffle code: `{found.commitment[:SAFE_CODE_DIGITS]}`" in text
    assert f"Deal code: `{verdict.deal_code[:SAFE_CODE_DIGITS]}`" in text
    assert f"ID of the first table message: `{found.deal.message}`" in text
    assert f"All {verdict.actions} moves were legal" in text
    assert f"In the record you are `{found.deal.seats[1].id}`." in text
    assert found.secret.hex() not in text
    assert re.fullmatch(rf"{found.deal.game}-\d{{4}}-\d\d-\d\d-{table}\.json", file.filename)


async def test_others_read_that_the_deal_fits_and_get_no_record(club: Club) -> None:
    await finished(club)
    answer = reply(await club.press(club.stranger, club.messages()[-1], Verb.CHECK))
    assert "The deal is checked" in text_of(answer)
    assert answer.attachments == []


async def test_a_record_that_was_changed_does_not_fit(club: Club, tmp_path: Path) -> None:
    await finished(club)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database, database:
        database.execute("UPDATE records SET data = substr(data, 1, 50)")
    with captured_log() as log:
        answer = await club.press(club.bruno, club.messages()[-1], Verb.CHECK)
    assert "does not check out" in private_text(answer)
    assert not reply(answer).attachments
    assert "a record does not fit: " in log.getvalue()


async def test_a_game_without_a_record_and_one_that_runs_have_none_to_check(club: Club, tmp_path: Path) -> None:
    await club.open(club.anna, club.bruno)
    check = custom_id(Verb.CHECK, club.table().id)
    no = await forge(club, club.bruno, check, club.table_message())
    assert REFUSALS[Why.NOT_FINISHED] in private_text(no)
    await club.finish()
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database, database:
        database.execute("UPDATE records SET data = ?", (zlib.compress(b'{"v":0}'),))
    old = await club.press(club.bruno, club.messages()[-1], Verb.CHECK)
    assert REFUSALS[Why.OLD_RECORD] in private_text(old)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database, database:
        database.execute("DELETE FROM record_people")
        database.execute("DELETE FROM records")
    gone = await club.press(club.bruno, club.messages()[-1], Verb.CHECK)
    assert REFUSALS[Why.NO_RECORD] in private_text(gone)


async def test_a_game_without_a_move_says_so(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.press(club.anna, reply(await club.press(club.anna, club.table_message(), Verb.MENU)), Verb.END)
    menu = club.as_it_is(reply(await club.press(club.anna, club.table_message(), Verb.MENU)))
    asked = await club.press(club.anna, menu, Verb.END)
    await club.press(club.anna, reply(asked), Verb.END_FOR_SURE)
    text = text_of(reply(await club.press(club.anna, club.messages()[-1], Verb.CHECK)))
    assert "before the first move" in text
    assert "moves were legal" not in text
