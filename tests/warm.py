"""Processes of the program that start in milliseconds: they are forked from one that has imported it already.

Importing takes most of a start, and tests start some hundred processes. Each is a process of its own all the same: it
has its own memory, files, signals and exit code, and ``kill -9`` ends it alone. Tests of the start itself, and of
anything that matters before the first import, start Python (``tests.program``).

``python -m tests.warm FD`` is the process that they are forked from. It is asked on a socket, a message each: JSON, and
the three standard streams as file descriptors. It answers with the id of the new process, and tells when it has ended.
"""

import asyncio
import gc
import io
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final

ROOT: Final = Path(__file__).parents[1]
PROGRAMS: Final = {"bot": "bot.cli.main", "local_discord": "local_discord.__main__"}
"""What can be run, as with ``python -m``: the module that has its ``main``."""
_IMPORTED: Final = (
    "bot.cli.run",
    "bot.cli.doctor",
    "bot.cli.verify",
    "bot.privacy",
    "bot.store.transfer",
    "cogs.router",
)
"""What the programs import when they run."""
_BEFORE_IMPORTS: Final = ("PYTHONPATH", "PYTHONUTF8", "PYTHONIOENCODING", "LANG", "LC_ALL", "PYTHONDEVMODE")
"""Settings that matter before the first import."""
_LONGEST: Final = 1 << 20
"""Bytes of a request."""


def can_run(program: str, environment: Mapping[str, str]) -> bool:
    """Whether *program* can be forked: on Linux, and if the *environment* has nothing that matters before."""
    given, ours = {"PYTHONPATH": str(ROOT), **environment}, _warm_environment()
    same = all(given.get(name) == ours.get(name) for name in _BEFORE_IMPORTS)
    return sys.platform == "linux" and program in PROGRAMS and same


@cache
def _warm_environment() -> dict[str, str]:
    """The environment of the process that others are forked from."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


class _Parent:
    """The process that others are forked from, as tests see it."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.warm", str(theirs.fileno())]
        self._process = subprocess.Popen(command, cwd=ROOT, env=_warm_environment(), pass_fds=[theirs.fileno()])
        theirs.close()
        self._socket = ours
        self._asking = threading.Lock()
        self._started: Future[int] = Future()
        self._ended: dict[int, Future[int]] = {}
        threading.Thread(target=self._listen, daemon=True).start()

    def start(self, request: dict[str, Any], streams: Sequence[int]) -> tuple[int, Future[int]]:
        """Fork a process; its id, and its exit code once it has one."""
        with self._asking:
            self._started = Future()
            socket.send_fds(self._socket, [json.dumps(request).encode()], list(streams))
            pid = self._started.result(60)
            return pid, self._ended[pid]

    def _listen(self) -> None:
        while answer := self._socket.recv(4096):
            it = json.loads(answer)
            if "started" in it:
                self._ended[it["started"]] = Future()
                self._started.set_result(it["started"])
            else:
                self._ended[it["ended"]].set_result(it["code"])


@cache
def _parent() -> _Parent:
    return _Parent()


class Process:
    """A process that has been forked; what tests use of ``asyncio.subprocess.Process``."""

    def __init__(self, pid: int, ended: Future[int], stdout: asyncio.StreamReader | None) -> None:
        self.pid = pid
        self.stdout = stdout
        self._ended = ended

    @property
    def returncode(self) -> int | None:
        """Its exit code; minus a signal's number if that has ended it; ``None``: it runs."""
        return self._ended.result() if self._ended.done() else None

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if not self._ended.done():
            with suppress(ProcessLookupError):  # it has ended, and that is not told yet
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        """Its exit code, once it has ended."""
        return await asyncio.shield(asyncio.wrap_future(self._ended))


def _request(program: str, arguments: Sequence[str], environment: Mapping[str, str], folder: Path) -> dict[str, Any]:
    return {"program": program, "arguments": arguments, "environment": dict(environment), "folder": str(folder)}


async def start(
    program: str,
    *arguments: str,
    environment: Mapping[str, str],
    folder: Path = ROOT,
    stdout: IO[bytes] | int | None = None,
    stderr: IO[bytes] | None = None,
) -> Process:
    """What ``asyncio.create_subprocess_exec`` does with ``python -m program``. *stdout* may be a pipe."""
    reader: asyncio.StreamReader | None = None
    ours = theirs = None
    if stdout == subprocess.PIPE:
        ours, theirs = os.pipe()
    out = theirs if theirs is not None else stdout.fileno() if isinstance(stdout, io.IOBase) else 1
    request = _request(program, arguments, environment, folder)
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        streams = (nothing, out, stderr.fileno() if stderr is not None else 2)
        pid, ended = await asyncio.to_thread(_parent().start, request, streams)
    finally:
        os.close(nothing)
        if theirs is not None:
            os.close(theirs)
    if ours is not None:
        reader = asyncio.StreamReader()
        pipe = os.fdopen(ours, "rb", 0)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    return Process(pid, ended, reader)


def run(
    program: str, *arguments: str, environment: Mapping[str, str], folder: Path, seconds: float
) -> tuple[int, str, str]:
    """Run ``python -m program`` until it ends: its exit code, standard output and standard error.

    Raises:
        TimeoutError: it takes longer than *seconds*; it is killed then.
    """
    with _file() as nothing, _file() as out, _file() as err:
        streams = (nothing.fileno(), out.fileno(), err.fileno())
        pid, ended = _parent().start(_request(program, arguments, environment, folder), streams)
        try:
            code = ended.result(seconds)
        except TimeoutError:
            with suppress(ProcessLookupError):  # it has ended just now
                os.kill(pid, signal.SIGKILL)
            raise
        out.seek(0)
        err.seek(0)
        return code, out.read().decode(), err.read().decode()


def _file() -> IO[bytes]:
    """A file in memory, which a process can write to without anybody who reads."""
    return os.fdopen(os.memfd_create("stream"), "w+b", 0)


# The process that others are forked from


def _serve(asked: socket.socket) -> dict[str, Any] | None:
    """Fork a process for each request. In a new process: its request. At the end: ``None``."""
    awake, wake = socket.socketpair()
    wake.setblocking(False)
    awake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    selector = selectors.DefaultSelector()
    selector.register(asked, selectors.EVENT_READ)
    selector.register(awake, selectors.EVENT_READ)
    running: set[int] = set()
    while True:
        for key, _ in selector.select():
            if key.fileobj is awake:
                awake.recv(4096)
                for pid in [*running]:
                    ended, status = os.waitpid(pid, os.WNOHANG)
                    if ended:
                        running.discard(pid)
                        asked.send(json.dumps({"ended": pid, "code": os.waitstatus_to_exitcode(status)}).encode())
                continue
            message, streams, _, _ = socket.recv_fds(asked, _LONGEST, 3)
            if not message:
                for pid in running:
                    os.kill(pid, signal.SIGKILL)
                return None
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                selector.close()
                for it in (asked, awake, wake):
                    it.close()
                for number, stream in enumerate(streams):
                    os.dup2(stream, number)
                    os.close(stream)
                request: dict[str, Any] = json.loads(message)
                return request
            running.add(pid)
            for stream in streams:
                os.close(stream)
            asked.send(json.dumps({"started": pid}).encode())


def _become(request: dict[str, Any]) -> None:
    """Be the program of *request*, until it ends."""
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv = [f"{ROOT}/{request['program']}/__main__.py", *request["arguments"]]
    if os.environ.get("PYTHONWARNINGS") == "default":
        warnings.simplefilter("default")
    import_module(PROGRAMS[request["program"]]).main()


def main() -> None:
    """Import everything, then fork what is asked for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked = socket.socket(fileno=int(sys.argv[1]))
    sys.argv = [f"{ROOT}/bot/__main__.py"]
    warnings.simplefilter("ignore")
    for module in (*PROGRAMS.values(), *_IMPORTED):
        import_module(module)
    for drawing in import_module("bot.delivery.emojis").emoji_drawings().values():
        _ = drawing.file  # each bot uploads them to the Discord of its test
    warnings.resetwarnings()
    gc.collect()
    gc.freeze()
    request = _serve(asked)
    if request is not None:
        gc.unfreeze()
        _become(request)


if __name__ == "__main__":
    main()
