"""Services for systemd: the paths of this installation, and no surprise at boot."""

import configparser
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bot.cli.unit import NoService, system_unit, user_unit

SCRIPT = Path("/opt/diciassette/bin/diciassette")
PYTHON = Path("/usr/bin/python3.13")


def sections(unit: str) -> configparser.ConfigParser:
    """*unit* as the sections that it has; of a key that stands there twice, the last."""
    read = configparser.ConfigParser(strict=False, interpolation=None, comment_prefixes="#")
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(unit)
    return read


def test_a_service_of_the_system() -> None:
    found = sections(system_unit(SCRIPT, "cards", PYTHON))
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


def test_a_service_of_ones_own() -> None:
    found = sections(user_unit(Path("/srv/ann/bin/diciassette"), Path("/srv/ann/cards")))
    assert found["Service"]["WorkingDirectory"] == "/srv/ann/cards"
    assert "User" not in found["Service"]
    assert "ProtectHome" not in found["Service"]
    assert found["Install"]["WantedBy"] == "default.target"


def test_strange_paths_are_quoted() -> None:
    found = sections(user_unit(Path('/opt/100 % "$HOME"/diciassette'), Path("/srv/50 % off")))
    assert found["Service"]["ExecStart"] == '"/opt/100 %% \\"$$HOME\\"/diciassette" run --discord'
    assert found["Service"]["WorkingDirectory"] == "/srv/50 %% off"


@pytest.mark.parametrize("hidden", ["root", "home", "tmp"])  # a service of the system sees nothing in these
def test_a_service_that_could_not_read_its_program_is_not_printed(hidden: str) -> None:
    with pytest.raises(NoService, match="--mine"):
        system_unit(Path("/", hidden, "ann", "diciassette"), "cards", PYTHON)
    with pytest.raises(NoService, match=rf"^/{hidden}/ann/python3: .*the system's Python"):
        system_unit(SCRIPT, "cards", Path("/", hidden, "ann", "python3"))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
@pytest.mark.parametrize("mine", [False, True])
def test_systemd_finds_nothing_wrong(tmp_path: Path, mine: bool) -> None:
    script = Path(shutil.which("true") or "/bin/true")
    unit = user_unit(script, tmp_path) if mine else system_unit(script, "cards", PYTHON)
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
