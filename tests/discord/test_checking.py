"""*Check the deal* on a game that is over: what it says, and the record for those who played."""

import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

from bot.custom_ids import Verb, custom_id
from bot.present.answers import REFUSALS
from bot.refusals import Why
from engine.record import load
from engine.verify import ENOUGH_DIGITS, verify
from tests.bot.logs import written
from tests.discord.forged import forge
from tests.discord.messages import reply, said, text_of
from tests.discord.play import Club


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
    found = load(await file.read())
    verdict = verify(found)
    assert f"Shuffle code: `{found.commitment[:ENOUGH_DIGITS]}`" in text
    assert f"Deal code: `{verdict.deal_code[:ENOUGH_DIGITS]}`" in text
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
    with written() as log:
        answer = reply(await club.press(club.bruno, club.messages()[-1], Verb.CHECK))
    assert "does not check out" in text_of(answer)
    assert "a record does not fit: " in log.getvalue()


async def test_a_game_without_a_record_and_one_that_runs_have_none_to_check(club: Club, tmp_path: Path) -> None:
    await club.open(club.anna, club.bruno)
    check = custom_id(Verb.CHECK, club.table().id)
    no = await forge(club, club.bruno, check, club.table_message())
    assert REFUSALS[Why.NOT_FINISHED] in said(no)
    await club.finish()
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database, database:
        database.execute("UPDATE records SET data = ?", (zlib.compress(b'{"v":0}'),))
    old = await club.press(club.bruno, club.messages()[-1], Verb.CHECK)
    assert REFUSALS[Why.OLD_RECORD] in said(old)
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database, database:
        database.execute("DELETE FROM record_people")
        database.execute("DELETE FROM records")
    gone = await club.press(club.bruno, club.messages()[-1], Verb.CHECK)
    assert REFUSALS[Why.NO_RECORD] in said(gone)


async def test_a_game_without_a_move_says_so(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.press(club.anna, reply(await club.press(club.anna, club.table_message(), Verb.MENU)), Verb.END)
    menu = club.as_it_is(reply(await club.press(club.anna, club.table_message(), Verb.MENU)))
    asked = await club.press(club.anna, menu, Verb.END)
    await club.press(club.anna, reply(asked), Verb.END_FOR_SURE)
    text = text_of(reply(await club.press(club.anna, club.messages()[-1], Verb.CHECK)))
    assert "before the first move" in text
    assert "moves were legal" not in text
