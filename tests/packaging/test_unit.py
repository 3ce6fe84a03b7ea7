"""Services for systemd: the paths of this installation, and no surprise at boot."""

import configparser
import errno
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.unit import NoService, systemd_system_unit, systemd_user_unit

SCRIPT = Path("/opt/diciassette/bin/diciassette")
PYTHON = Path("/usr/bin/python3.13")


MBIND = {"x86_64": 237, "aarch64": 235}.get(platform.machine())
"""The number of a system call that numpy's OpenBLAS makes, and that is in systemd's group @resources."""
FILTERED = """
import ctypes, struct, sys
call, action = map(int, sys.argv[1:])
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, call), (0x06, 0, 0, action), (0x06, 0, 0, 0x7FFF0000)]  # ACTION for CALL alone
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]
program = Program(len(steps), ctypes.addressof(code))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
assert libc.prctl(22, 2, ctypes.byref(program)) == 0  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
import numpy
print((numpy.ones((300, 300)) @ numpy.ones((300, 300)))[0, 0])
"""
"""A program that refuses itself a system call, as systemd's SystemCallFilter= does, and then needs numpy."""


def sections(unit: str) -> configparser.ConfigParser:
    """*unit* as the sections that it has; of a key that stands there twice, the last."""
    read = configparser.ConfigParser(strict=False, interpolation=None, comment_prefixes="#")
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(unit)
    return read


def test_a_service_of_the_system() -> None:
    found = sections(systemd_system_unit(SCRIPT, "cards", PYTHON))
    assert found["Unit"]["Wants"] == "network-online.target"
    assert "network-online.target" in found["Unit"]["After"].split()
    service = found["Service"]
    assert service["ExecStart"] == f'"{SCRIPT}" run --discord'
    assert (service["User"], service["StateDirectory"]) == ("cards", "cards")
    assert service["WorkingDirectory"] == "/var/lib/cards"
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("on-failure", "2")
    assert int(service["RestartSec"]) > 0
    assert int(service["TimeoutStopSec"]) >= 70, "handing everything over takes up to a minute"
    assert service["ProtectSystem"] == "strict"
    assert found["Install"]["WantedBy"] == "multi-user.target"


@pytest.mark.skipif(MBIND is None or not sys.platform.startswith("linux"), reason="the number of the call is not known")
def test_a_system_call_that_the_service_refuses_does_not_end_the_program() -> None:
    service = sections(systemd_system_unit(SCRIPT, "cards", PYTHON))["Service"]
    assert "@resources" in service["SystemCallFilter"]
    kill, fail = 0x80000000, 0x00050000
    action = fail | getattr(errno, name) if (name := service.get("SystemCallErrorNumber")) else kill
    done = subprocess.run(
        [sys.executable, "-c", FILTERED, str(MBIND), str(action)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "300.0\n"), done.stderr


def test_a_service_of_ones_own() -> None:
    found = sections(systemd_user_unit(Path("/srv/ann/bin/diciassette"), Path("/srv/ann/cards")))
    assert found["Service"]["WorkingDirectory"] == "/srv/ann/cards"
    assert "User" not in found["Service"]
    assert "ProtectHome" not in found["Service"]
    assert found["Install"]["WantedBy"] == "default.target"


def test_strange_paths_are_quoted() -> None:
    found = sections(systemd_user_unit(Path('/opt/100 % "$HOME"/diciassette'), Path("/srv/50 % off")))
    assert found["Service"]["ExecStart"] == '"/opt/100 %% \\"$$HOME\\"/diciassette" run --discord'
    assert found["Service"]["WorkingDirectory"] == "/srv/50 %% off"


@pytest.mark.parametrize("hidden", ["root", "home", "tmp"])  # a service of the system sees nothing in these
def test_a_service_that_could_not_read_its_program_is_not_printed(hidden: str) -> None:
    with pytest.raises(NoService, match="--mine"):
        systemd_system_unit(Path("/", hidden, "ann", "diciassette"), "cards", PYTHON)
    with pytest.raises(NoService, match=rf"^/{hidden}/ann/python3: .*the system's Python"):
        systemd_system_unit(SCRIPT, "cards", Path("/", hidden, "ann", "python3"))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
@pytest.mark.parametrize("mine", [False, True])
def test_systemd_finds_nothing_wrong(tmp_path: Path, mine: bool) -> None:
    script = Path(shutil.which("true") or "/bin/true")
    unit = systemd_user_unit(script, tmp_path) if mine else systemd_system_unit(script, "cards", PYTHON)
    assert complaints(unit, tmp_path, mine) == []
    assert complaints(unit.replace("RestartSec=", "RestartSecs="), tmp_path, mine), "it looks"


def complaints(unit: str, folder: Path, mine: bool) -> list[str]:
    """What systemd says of *unit*, written into *folder*."""
    path = folder / "diciassette.service"
    path.write_text(unit)
    command = ["systemd-analyze", "verify", "--man=no", *(["--user"] if mine else []), str(path)]
    outer = {**os.environ, "XDG_RUNTIME_DIR": str(folder)}
    said = subprocess.run(command, env=outer, capture_output=True, text=True, check=False).stderr
    assert "Failed to" not in said, said
    unknown = ("RestartSteps", "RestartMaxDelaySec")  # before systemd 254; it goes on without them
    return [line for line in said.splitlines() if str(path) in line and not any(key in line for key in unknown)]
