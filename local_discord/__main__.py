"""The command line: ``python -m local_discord --port N`` serves until it is stopped."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from typing import Final

from local_discord.server import HOST, Server

PARENT_CHECK_SECONDS: Final = 1.0


async def _run(port: int, with_parent: bool, server: Server) -> None:
    """Serve until SIGTERM or SIGINT, or (*with_parent*) until the parent process is gone.

    Raises:
        SystemExit: the port cannot be used (2).
    """
    try:
        await server.start(port)
    except OSError as error:
        sys.stderr.write(f"--port {port}: cannot listen there ({error.strerror}); take another port\n")
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


def _number(least: int, most: int) -> Callable[[str], int]:
    """Reads an argument that is a whole number from *least* to *most*."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > 6 or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"use a number from {least} to {most}")
        return int(text)

    return read


def main() -> None:
    """Read the command line, then serve.

    Raises:
        SystemExit: an option is wrong, or the port cannot be used (2).
    """
    parser = argparse.ArgumentParser(prog="python -m local_discord", description="An embedded Discord on loopback.")
    parser.add_argument("--port", type=_number(0, 65535), default=8017, help="the port to listen on; 0: any free one")
    parser.add_argument("--with-parent", action="store_true", help="stop when the program that started this one ends")
    parser.add_argument("--guilds", type=_number(1, 100_000), default=1, metavar="N", help="how many servers there are")
    parser.add_argument(
        "--channels", type=_number(1, 100_000), default=3, metavar="N", help="how many text channels each of them has"
    )
    parser.add_argument("--people", type=_number(1, 100_000), default=8, metavar="N", help="how many people there are")
    parser.add_argument(
        "--shards", type=_number(1, 100_000), default=1, metavar="N", help="how many shards a bot is told to use"
    )
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    asyncio.run(_run(args.port, args.with_parent, Server(args.guilds, args.channels, args.people, args.shards)))


if __name__ == "__main__":
    main()
