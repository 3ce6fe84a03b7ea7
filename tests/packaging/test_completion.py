"""``completion``: the script works in bash, and names every command; other shells can read theirs, where there are
any."""

import shutil
import subprocess
from pathlib import Path

import pytest

from bot.cli.completion import completion_script
from bot.cli.main import SHELLS, make_parser
from bot.version import INSTALLED
from tests.program import bot

TRY = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_shtab_diciassette 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""What bash offers for the last of the words that it is given."""


@pytest.fixture(scope="module")
def completion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("completion") / "script"
    file.write_text(completion_script(make_parser(INSTALLED), "bash"), "utf-8")
    (file.parent / "game.json").touch()
    return file


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ver", {"verify"}),
        ("unit --", {"--help", "--user", "--mine"}),
        ("completion ", set(SHELLS)),
        ("verify ga", {"game.json"}),
        ("export --file ga", {"game.json"}),
        ("move ga", {"game.json"}),
        ("move game.json ga", {"game.json"}),
    ],
)
def test_bash_completes(completion: Path, typed: str, offered: set[str]) -> None:
    words = [INSTALLED, *typed.split(" ")]
    command = ["bash", "-c", TRY, "bash", str(completion), *words]
    done = subprocess.run(command, cwd=completion.parent, capture_output=True, text=True, check=True, timeout=60)
    assert set(done.stdout.split()) == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_what_a_shell_can_read(shell: str) -> None:
    """It is for the installed command, however this one was started; every command is in it."""
    ended = bot("completion", shell)
    assert (ended.code, ended.err) == (0, "")
    assert "python -m bot" not in ended.out
    (commands,) = (it for it in make_parser()._subparsers._group_actions if it.choices)  # type: ignore[union-attr]
    assert all(name in ended.out for name in commands.choices or ())
    if program := shutil.which(shell):
        subprocess.run([program, "-n"], input=ended.out, text=True, check=True, timeout=60)


def test_commands_are_described_in_one_line() -> None:
    assert "Exit code" not in completion_script(make_parser(INSTALLED), "fish")
