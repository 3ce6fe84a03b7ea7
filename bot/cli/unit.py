"""``diciassette unit``: a service for systemd, with the paths of this installation.

https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html and ``systemd.exec``.
"""

import sys
from pathlib import Path
from typing import Final

SCRIPT: Final = "diciassette"
PRIVATE_FOLDERS: Final = (Path("/root"), Path("/home"), Path("/tmp"))
"""Folders that a service of another user cannot read, or does not see."""

_SERVICE: Final = """\
[Unit]
Description=17 and 12 Days of Christmas on Discord
Wants=network-online.target
After=network-online.target postgresql.service
# Start again for as long as it takes.
StartLimitIntervalSec=0

[Service]
Type=exec
{whose}ExecStart={program} run --discord
Restart=on-failure
# Twice as long each time, up to ten minutes: Discord allows only so many sessions a day. Before systemd 254 it is
# always the first of the two, and the bot itself looks how many are left.
RestartSec=5
RestartSteps=7
RestartMaxDelaySec=600
# 2: a setting is wrong; starting again would not help.
RestartPreventExitStatus=2
# Alone the bot stops within seconds; one of several processes hands its tables over first.
KillMode=mixed
TimeoutStopSec=90
UMask=0077
{walls}
[Install]
WantedBy={target}
"""

_OF_THE_SYSTEM: Final = """\
User={user}
# The folder of .env, database and backups: {folder}
StateDirectory={user}
StateDirectoryMode=0700
WorkingDirectory={folder}
"""

_OF_A_PERSON: Final = """\
# The folder of .env, database and backups.
WorkingDirectory={folder}
"""

_SANDBOX: Final = """\
# It can write to its own folder alone. For backups elsewhere add ReadWritePaths=FOLDER.
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
CapabilityBoundingSet=
NoNewPrivileges=yes
LockPersonality=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
# A call that is not allowed fails, instead of ending the program: numpy tries one (mbind), and does without it.
SystemCallErrorNumber=EPERM
"""


class NoService(Exception):
    """No such service is possible from this installation; the text is one line that says what to do."""


def installed_program_path() -> Path:
    """Return the path of the installed program ``diciassette``, beside this Python; raise NoService if there is
    none.
    """
    script = Path(sys.executable).absolute().with_name(SCRIPT)
    if not script.is_file():
        raise NoService(f"there is no {script}: install the program first, see docs/hosting.md")
    return script


def python_executable() -> Path:
    """Return the path of the Python that runs this program, symbolic links followed."""
    return Path(sys.executable).resolve()


def systemd_system_unit(script: Path, user: str, python: Path) -> str:
    """Return the text of a systemd unit that runs *script* as the system user *user*; raise NoService if that user
    cannot read *script* or *python*.

    *python* is the program that runs the script, symbolic links followed.
    """
    for needed in (script, python):
        if any(folder in needed.parents for folder in PRIVATE_FOLDERS):
            remedy = f"install it into /opt/{SCRIPT} (docs/hosting.md), or print a service of your own with --mine"
            if needed == python:
                remedy = f"make the environment of {script} with the system's Python, or use --mine"
            raise NoService(f"{needed}: a service of the system cannot run what is there; {remedy}")
    whose = _OF_THE_SYSTEM.format(user=user, folder=f"/var/lib/{user}")
    return _SERVICE.format(whose=whose, program=_quote(script), walls=_SANDBOX, target="multi-user.target")


def systemd_user_unit(script: Path, folder: Path) -> str:
    """Return the text of a systemd unit that runs *script* in *folder* as the present user, for ``systemctl
    --user``.
    """
    whose = _OF_A_PERSON.format(folder=_escape_percent(folder))
    return _SERVICE.format(whose=whose, program=_quote(script), walls="", target="default.target")


def _quote(path: Path) -> str:
    """Return *path* in quotes as one word of a systemd command line, with special characters escaped."""
    return '"' + _escape_percent(path).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$") + '"'


def _escape_percent(path: Path) -> str:
    """Return *path* with its percent signs doubled, because systemd would replace them."""
    return str(path).replace("%", "%%")
