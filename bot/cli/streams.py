"""Standard input, output and error. They may be closed, or full."""

import os
import sys
from typing import Final, TextIO

LAST_STREAM: Final = 2
"""The number of standard error: input, output and error are the first three open files of a process."""


def write_stdout(text: str) -> None:
    """Write *text* to standard output at once; if that fails, discard all later output, and raise OSError.

    Otherwise Python would complain about the later output when it ends.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:  # https://docs.python.org/3/library/signal.html#note-on-sigpipe
        _discard_output(sys.stdout)
        raise


def write_stderr(text: str) -> None:
    """Write *text* to standard error at once; if that fails, discard it and all later output, and raise nothing."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        _discard_output(sys.stderr)


def _discard_output(stream: TextIO) -> None:
    """Send what *stream* still holds, and everything written to it from now on, to the null device."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def replace_closed_streams() -> None:
    """Open the null device in place of each of standard input, output and error that is closed.

    Otherwise the next file, such as the database, would take the number of the stream, and whoever writes to the stream
    would write into that file.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= LAST_STREAM:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8")
