"""``python -m bot verify``: a short report, or one line; without a token, a database or Discord."""

import json
import re
from pathlib import Path

import pytest

from bot.cli.verify import REMARKS
from engine.record import Record, encode_record
from engine.verify import Remark
from tests.engine.recorded import MESSAGE, phrase, recorded
from tests.games import ANY, CASES
from tests.program import bot, python


def saved(folder: Path, record: Record) -> str:
    """The file that holds *record*."""
    path = folder / "record.json"
    path.write_bytes(encode_record(record))
    return str(path)


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_record_that_fits_is_reported(tmp_path: Path, game: str) -> None:
    record = recorded(game, 2, options=CASES[game].quick)
    code, deal = record.commitment, record.deal.deal_code(record.commitment)
    notes = ("--code", code[:32], "--deal", deal, "--message", str(MESSAGE), "--cut", phrase(0))
    exit_code, out, err = bot("verify", saved(tmp_path, record), *notes, folder=tmp_path)
    assert (exit_code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"game: {game}, rules 1")
    assert lines[1:3] == [
        f"seat 0: person {record.deal.seats[0].id}, cut",
        f"seat 1: computer {record.deal.seats[1].id}, level strong",
    ]
    assert lines[3:6] == [
        f"shuffle code: {code}",
        f"deal code: {deal}",
        f"table message: {MESSAGE}, sent 2024-10-27 07:35:52.832+00:00",
    ]
    assert lines[6] == f"seed: {record.deal.seed(record.secret).hex()}"
    assert lines[7].startswith("actions: ")
    assert lines[8].startswith("result: finished: 1. seat ")
    assert lines[9:] == ["Everything checks out."]
    assert [path.name for path in tmp_path.iterdir()] == ["record.json"], "it makes no files"


@pytest.mark.about(ANY)
def test_what_does_not_fit_is_one_line(tmp_path: Path) -> None:
    record = recorded(ANY, 2)
    path = saved(tmp_path, record)
    said = f"the deal code is {record.deal.deal_code(record.commitment)[:16]}, not {'0' * 16}, which you noted\n"
    assert bot("verify", path, "--deal", "0" * 16) == (1, "", said)
    said = "nobody cut with your phrase 'pass the salt'\n"
    assert bot("verify", path, "--cut", phrase(0), "--cut", "pass the salt") == (1, "", said)
    Path(path).write_bytes(encode_record(record)[:100])
    assert bot("verify", path) == (1, "", "cut off: it ends in the middle, after 100 bytes\n")
    Path(path).write_text(json.dumps({"v": 3}))
    assert bot("verify", path) == (1, "", "a record of version 3; this program knows 1\n")
    Path(path).unlink()
    assert bot("verify", path) == (1, "", f"{path}: No such file or directory\n")
    assert bot("verify", str(tmp_path)) == (1, "", f"{tmp_path}: Is a directory\n")


def test_every_remark_has_words() -> None:
    assert set(REMARKS) == set(Remark)


PROBE = """
import sys
before = set(sys.modules)
sys.argv[:] = ["bot", "verify", "/dev/null"]
import bot.cli.main
try:
    bot.cli.main.main()
except SystemExit:
    pass
outside = {name.split(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names) - {"engine", "bot"}
print(sorted(outside))
"""


def test_it_needs_the_standard_library_alone() -> None:
    """So whoever checks a record need not install what the bot needs."""
    code, out, err = python("-c", PROBE)
    assert (code, out) == (0, "[]\n")
    assert err.startswith("not JSON at character 0")


COMMANDS = ["run", "doctor", "verify", "backup", "restore", "move", "export", "erase", "ban", "health", "unit"]


def test_without_a_word_the_bot_runs_and_other_words_are_refused() -> None:
    code, _, said = bot("fly")
    assert code == 2
    assert "invalid choice: 'fly'" in said
    assert bot("verify")[0] == 2
    code, out, _ = bot("--help")
    assert code == 0
    assert re.findall(r"^    (\w+) ", out, re.MULTILINE) == COMMANDS


@pytest.mark.about(ANY)
@pytest.mark.parametrize("message", ["", "x", "1_300", "+13", "013", "\u0661", "1" * 21])
def test_what_cannot_be_the_id_of_a_message_is_refused(tmp_path: Path, message: str) -> None:
    path = saved(tmp_path, recorded(ANY, 2, stop=0))
    code, out, err = bot("verify", path, "--message", message)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith("is not the id of a message: it takes up to 20 digits")
