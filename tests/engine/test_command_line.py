"""``python -m engine``: simulations, audit transcripts, and clear words for calls that cannot be."""

import json
import os
import subprocess
import sys

import pytest

from engine.fair import SeededChance
from engine.registry import GAMES
from engine.simulate import game_seed
from tests.games import CASES


def engine(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.about("diciassette")
def test_a_simulation_prints_its_summary() -> None:
    result = engine("simulate", "diciassette", "--players", "3", "--games", "5", "--seed", "s")
    assert result.returncode == 0
    assert "5 games of 3" in result.stdout
    assert "games/s" in result.stdout
    assert "actions/s" in result.stdout
    assert "wins by seat" in result.stdout


@pytest.mark.about("diciassette")
def test_policies_are_told_apart() -> None:
    policies = ("--policy", "computer", "--policy", "random")
    result = engine("simulate", "diciassette", "--players", "3", "--games", "9", *policies)
    assert "computer" in result.stdout
    assert "%" in result.stdout


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_transcript_has_the_contract_form_and_every_state_follows(name: str) -> None:
    quick = CASES[name].quick
    options = [word for option in quick.items() for word in ("--option", "=".join(option))]
    result = engine("simulate", name, "--players", "3", "--games", "4", "--seed", "x", "--transcript", "-", *options)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    game = GAMES[name]
    complete = game.check_options(quick)
    number = -1
    state = None
    for line in lines:
        if "v" in line:
            assert {key: line[key] for key in ("v", "game", "seats", "options")} == {
                "v": 1, "game": name, "seats": 3, "options": complete,
            }  # fmt: skip
            number += 1
            chance = SeededChance(game_seed("x", number))
            state = game.new(3, complete, chance).state
            assert set(line["state"]) == (CASES[name].audit_fields or {*state._fields, "over"})
        else:
            assert set(line) == {"action", "shuffles", "state"}
            step = game.apply(state, game.decode_action(line["action"]), chance)
            assert line["shuffles"] == game.shuffle_orders(step.events)
            state = step.state
        assert line["state"] == game.encode_audit_state(state)
    assert number == 3
    assert lines[-1]["state"]["over"] is True
    assert "4 games of 3" in result.stderr


@pytest.mark.about("twelve_days")
def test_actions_of_12_days_in_a_transcript() -> None:
    result = engine("simulate", "twelve_days", "--players", "3", "--games", "1", "--seed", "x", "--transcript", "-")
    actions = [line["action"] for line in map(json.loads, result.stdout.splitlines()) if "action" in line]
    for action in actions:
        assert set(action) in ({"seat", "play"}, {"seat", "pass"})
        assert action.get("pass", True) is True
        assert all(rank in range(1, 13) for rank in action.get("play", []))
    decks = [deck for line in map(json.loads, result.stdout.splitlines()) for deck in line.get("shuffles", [])]
    assert len(decks) == 11, "one for every hand after the first"
    assert {tuple(sorted(deck)) for deck in decks} == {tuple(r for r in range(1, 13) for _ in range(r))}


@pytest.mark.about("diciassette")
def test_the_same_seed_plays_the_same_games() -> None:
    arguments = ("simulate", "diciassette", "--players", "4", "--games", "2", "--seed", "7", "--policy", "computer")
    assert engine(*arguments, "--transcript", "-").stdout == engine(*arguments, "--transcript", "-").stdout


@pytest.mark.about("diciassette")
def test_a_seed_recomputes_the_deal() -> None:
    seed = bytes(range(32))
    result = engine("deal", "diciassette", "--players", "4", "--seed", seed.hex())
    answer = json.loads(result.stdout)
    assert answer == {
        "state": GAMES["diciassette"].encode_audit_state(GAMES["diciassette"].new(4, {}, SeededChance(seed)).state)
    }


@pytest.mark.about("twelve_days")
def test_a_whole_game_as_text() -> None:
    result = engine("playthrough", "twelve_days", "--players", "2", "--option", "length=short", "--seed", "s")
    first, *lines = result.stdout.splitlines()
    assert first == 'twelve_days, 2 players, length short, seed "s"'
    assert any(line.startswith("1. Play(") for line in lines)
    assert lines[-1].startswith("place ")
    assert engine("playthrough", "twelve_days", "--players", "1").returncode == 2


def shell(command: str) -> tuple[list[int], str]:
    """(exit codes of every program in the pipe *command*, what was said on standard error)."""
    script = f"{command}; echo ${{PIPESTATUS[@]}} >&3"
    read, write = os.pipe()
    with os.fdopen(read) as codes:
        result = subprocess.run(
            ["bash", "-c", f"exec 3>&{write}; {script}"],
            pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, timeout=60,
        )  # fmt: skip
        os.close(write)
        return [int(code) for code in codes.read().split()], result.stderr


@pytest.mark.parametrize("command", ["playthrough twelve_days", "simulate diciassette --games 500 --transcript -"])
def test_when_nobody_reads_on_it_stops_without_a_word(command: str) -> None:
    """https://docs.python.org/3/library/signal.html#note-on-sigpipe"""
    codes, said = shell(f"{sys.executable} -m engine {command} | head -c 10")
    assert (codes, said) == ([1, 0], "")


@pytest.mark.parametrize(
    "command",
    [
        "playthrough twelve_days > /dev/full",
        "simulate diciassette > /dev/full",
        f"deal diciassette --players 2 --seed {'00' * 32} > /dev/full",
        "simulate diciassette --transcript /dev/full",
    ],
)
def test_what_cannot_be_written_is_one_line(command: str) -> None:
    codes, said = shell(f"{sys.executable} -m engine {command}")
    assert (codes, said) == ([1], "python -m engine: cannot write: No space left on device\n")


@pytest.mark.parametrize("command", ["playthrough twelve_days", "simulate diciassette"])
def test_a_seed_that_is_no_text_is_one_line(command: str) -> None:
    codes, said = shell(f"{sys.executable} -m engine {command} --seed $'\\xff'")
    assert codes == [2]
    assert said.endswith("argument --seed: it takes text in UTF-8\n")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (("simulate", "chess"), "diciassette"),
        (("simulate", "diciassette", "--players", "1"), "2 to 6"),
        (("simulate", "diciassette", "--players", "9"), "2 to 6"),
        (("simulate", "diciassette", "--option", "length=full"), "its options: none"),
        (("simulate", "diciassette", "--option", "length"), "k=v"),
        (("simulate", "twelve_days", "--players", "9"), "2 to 8"),
        (("simulate", "twelve_days", "--option", "length=long"), "full, short"),
        (("simulate", "twelve_days", "--option", "depth=1"), "its options: length"),
        (("simulate", "diciassette", "--games", "0"), "from 1"),
        (("simulate", "diciassette", "--policy", "genius"), "computer"),
        (("simulate", "diciassette", "--transcript", "/nowhere/at/all"), "cannot write"),
        (("deal", "diciassette", "--players", "3", "--seed", "xyz"), "64 hexadecimal"),
        ((), "simulate|tournament|deal|playthrough"),
        (("tournament", "chess"), "diciassette"),
        (("tournament", "--games", "0"), "from 1"),
        (("tournament", "--processes", "0"), "from 1"),
        (("simulate", "diciassette", "--policy", "computer:0"), "computer:1"),
    ],
)
def test_a_bad_call_is_one_line_that_says_what_is_allowed(arguments: tuple[str, ...], allowed: str) -> None:
    result = engine(*arguments)
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert allowed in result.stderr
    assert "Traceback" not in result.stderr
