"""The wheel of this checkout: built without the network, and installed where nothing else of the checkout is found."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("engine", "bot", "cogs", "local_discord", "locales")
SCRIPTS: Final = "Scripts" if os.name == "nt" else "bin"


def copied(folder: Path) -> Path:
    """What a wheel is built from, copied into the new *folder*."""
    folder.mkdir()
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, folder / name)
    return folder


def built(source: Path, into: Path) -> Path:
    """The wheel of *source*, built by the setuptools of this environment, in the folder *into*."""
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index", "--no-build-isolation"]
    _run([*command, "--quiet", "--wheel-dir", str(into), str(source)], SOURCE_DATE_EPOCH="1800000000")
    (wheel,) = into.iterdir()
    return wheel


def installed(wheel: Path, environment: Path) -> Path:
    """Install *wheel* in a new virtual *environment*, which sees what else is installed in this one but nothing of
    the checkout; return its console script."""
    _run([sys.executable, "-m", "venv", "--without-pip", str(environment)])
    python = environment / SCRIPTS / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", "--quiet"]
    _run([*command, str(wheel)])
    (packages,) = environment.glob("[Ll]ib/**/site-packages")
    # A folder that is named in a .pth file is searched, but the .pth files in it, such as that of `pip install -e`, are
    # not read.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return environment / SCRIPTS / "diciassette"


def _run(command: list[str], **environment: str) -> None:
    """Run *command*; raises AssertionError with all it has said if it fails."""
    outer = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment}
    done = subprocess.run(command, env=outer, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
