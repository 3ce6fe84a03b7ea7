"""The command line: ``python -m local_discord --port N`` serves until it is stopped."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from local_discord.server import HOST, Server
from local_discord.state import StateUnusable

PARENT_CHECK_SECONDS: Final = 1.0
BAD_STATE: Final = 3
"""The exit code if the file for the state cannot be used."""


async def _serve_until_stopped(port: int, with_parent: bool, server: Server) -> None:
    """Serve *server* on *port* until SIGTERM or SIGINT, or with *with_parent* until the parent process has ended;
    SystemExit if it cannot start.

    Raises:
        SystemExit: the port (2) or the file for the state (3) cannot be used.
    """
    try:
        await server.start(port)
    except StateUnusable as error:
        await server.stop()
        sys.stderr.write(f"--state: this file cannot be used: {error}\n")
        raise SystemExit(BAD_STATE) from None
    except OSError as error:
        why = error.strerror if error.errno is None else os.strerror(error.errno)
        sys.stderr.write(f"--port {port}: cannot listen there ({why}); take another port\n")
        raise SystemExit(2) from None
    sys.stdout.write(f"local Discord: http://{HOST}:{server.port}/\n")
    sys.stdout.flush()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    parent = os.getppid()
    while not stop.is_set():
        try:
            await asyncio.wait_for(stop.wait(), PARENT_CHECK_SECONDS if with_parent else None)
        except TimeoutError:
            if os.getppid() != parent:
                break
    await server.stop()


def _number_parser(least: int, most: int) -> Callable[[str], int]:
    """Return a parser for a command line argument that is a whole number from *least* to *most*."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 6 or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"use a number from {least} to {most}")
        return int(text)

    return read


def main() -> None:
    """Read the command line, and run the local Discord until it is stopped; or raise SystemExit.

    Raises:
        SystemExit: an option is wrong, or the port cannot be used (2), or the file for the state (3).
    """
    parser = argparse.ArgumentParser(prog="python -m local_discord", description="An embedded Discord on loopback.")
    parser.add_argument(
        "--port", type=_number_parser(0, 65535), default=8017, help="the port to listen on; 0: any free one"
    )
    parser.add_argument("--with-parent", action="store_true", help="stop when the program that started this one ends")
    parser.add_argument(
        "--guilds", type=_number_parser(1, 100_000), default=1, metavar="N", help="how many servers there are"
    )
    parser.add_argument(
        "--channels",
        type=_number_parser(1, 100_000),
        default=3,
        metavar="N",
        help="how many text channels each of them has",
    )
    parser.add_argument(
        "--people", type=_number_parser(1, 100_000), default=8, metavar="N", help="how many people there are"
    )
    parser.add_argument(
        "--shards", type=_number_parser(1, 100_000), default=1, metavar="N", help="how many shards a bot is told to use"
    )
    parser.add_argument(
        "--max-concurrency",
        type=_number_parser(1, 100_000),
        metavar="N",
        help="how many shards may identify in five seconds; those that come too early are turned away (without this: "
        "none is)",
    )
    parser.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="keep everything in this file; without it all is forgotten at the end",
    )
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    server = Server(args.guilds, args.channels, args.people, args.shards, args.state, concurrency=args.max_concurrency)
    asyncio.run(_serve_until_stopped(args.port, args.with_parent, server))


if __name__ == "__main__":
    main()
