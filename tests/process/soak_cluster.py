"""Four bots, eight shards and 64 tables of both games on one database: everything that ``test_cluster`` tries, at that
size, with figures. It takes some twelve minutes; run it by its name, alone and with ``-s``, to read figures.

Everything shares one machine, so people click at a pace that leaves some of it idle; how much is said as well. Where
nothing is, the figures are those of the players: a move is made late because nobody had time to click.
"""

import asyncio
import os
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from bot.store.store import Store
from tests import postgres
from tests.games import CASES
from tests.process.cluster import Cluster, cluster
from tests.process.crowd import (
    Players,
    check_history,
    cut_off,
    freeze,
    kill,
    roll,
    served_again,
    shown,
    under_clicks,
)

BOTS: Final = 4
TABLES: Final = int(os.environ.get("CLUSTER_TABLES", "64"))
CLICKS: Final = int(os.environ.get("CLUSTER_CLICKS", "10000"))
PEOPLE: Final = 16
PAUSE_SECONDS: Final = float(os.environ.get("CLUSTER_PAUSE", "2"))
"""Between two clicks at one table."""
FROZEN_SECONDS: Final = 30.0
AWAY_SECONDS: Final = 10.0
AGAIN_SECONDS: Final = 10.0
"""So soon a move is made at every table again, whatever has happened to the database."""
CHANNELS: Final = TABLES // 8 or 1


def _say(figures: str) -> None:
    """Print a line of figures."""
    sys.stdout.write(f"\n{figures}\n")


class Idle:
    """How much of the machine was idle."""

    def __init__(self) -> None:
        self._since = self._now()

    @staticmethod
    def _now() -> tuple[int, int]:
        """(ticks that were idle, all ticks) so far. https://man7.org/linux/man-pages/man5/proc_stat.5.html"""
        ticks = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
        return ticks[3] + ticks[4], sum(ticks)

    def __str__(self) -> str:
        idle, ticks = self._now()
        return f"{(idle - self._since[0]) / (ticks - self._since[1]):.0%} of the machine idle"


async def _after(it: Cluster, everybody: list[Players], what: str, before: int) -> None:
    """Wait until a move is made at every table again, and say how it went after *what*. By then *before* clicks had
    been made."""
    loop, told, idle = asyncio.get_running_loop(), it.told_to_try_again(), Idle()
    began, clicks = loop.time(), sum(players.clicks for players in everybody)
    seconds = await served_again(it, everybody, AGAIN_SECONDS)
    await asyncio.sleep(max(0.0, AGAIN_SECONDS - seconds))
    waits = [wait for players in everybody for at, wait in players.waits if at >= began]
    late = await shown(it, everybody, 5)
    _say(f"{what}: {clicks - before} clicks meanwhile, {told} told to try again")
    _say(f"a move at every table {seconds:.1f} s after; clicks made then were answered within {max(waits):.1f} s")
    _say(f"{it.told_to_try_again() - told} of {len(waits)} told to try again; all shown {late:.1f} s after; {idle}")


@pytest.mark.about(*CASES)
async def test_no_click_fails_while_all_are_restarted_again_and_again(tmp_path: Path) -> None:
    async with cluster(tmp_path, BOTS, people=PEOPLE, channels=CHANNELS) as it:
        took: list[float] = []
        async with under_clicks(it, TABLES, PAUSE_SECONDS) as everybody:
            idle = Idle()
            while sum(players.clicks for players in everybody) < CLICKS:
                took += await roll(it)
        late = await shown(it, everybody, 10)
        clicks, waits = sum(players.clicks for players in everybody), sorted(w for p in everybody for _, w in p.waits)
        failed = [failed for players in everybody for failed in players.failed]
        _say(f"{TABLES} tables, {PAUSE_SECONDS} s between two clicks at one; {idle}")
        _say(f"rolling restarts: {len(took)} processes restarted, {max(took):.1f} s at most to hand over")
        _say(f"{clicks} clicks, {len(failed)} failed, {it.told_to_try_again()} told to try again")
        median, most = statistics.median(waits) * 1000, waits[-len(waits) // 100] * 1000
        _say(f"answered after {median:.0f} ms (median), {most:.0f} ms (99 %)")
        _say(f"{check_history(it, everybody)} moves, none lost or doubled; all shown after {late:.1f} s")
        assert (failed, it.told_to_try_again(), it.complaints()) == ([], 0, [])


@pytest.mark.about(*CASES)
async def test_killed_and_frozen_again_and_again(tmp_path: Path) -> None:
    async with cluster(tmp_path, BOTS, people=PEOPLE, channels=CHANNELS) as it:
        async with under_clicks(it, TABLES, PAUSE_SECONDS) as everybody:
            for _ in range(BOTS):
                tables, seconds = await kill(it, everybody)
                late = await shown(it, everybody, 5)
                _say(f"kill -9: {tables} tables served again after {seconds:.1f} s; all shown {late:.1f} s later")
                await next(bot for bot in it.bots if bot.process is None).start()
                await it.settled(BOTS, 180)
            seconds = await freeze(it, everybody, FROZEN_SECONDS)
            await it.settled(BOTS, 180)
            late = await shown(it, everybody, 5)
            _say(f"frozen {FROZEN_SECONDS:.0f} s: served again after {seconds:.1f} s; all shown {late:.1f} s later")
            seconds = await cut_off(it, everybody, AWAY_SECONDS)
            await it.settled(BOTS, 180)
            late = await shown(it, everybody, 5)
            _say(f"cut off from PostgreSQL for {AWAY_SECONDS:.0f} s: served again after {seconds:.1f} s")
            _say(f"all shown {late:.1f} s later")
        await shown(it, everybody, 5)
        _say(f"{check_history(it, everybody)} moves, none lost or doubled")


@pytest.mark.about(*CASES)
async def test_the_database_is_away_for_ten_seconds(tmp_path: Path) -> None:
    with TemporaryDirectory() as folder, postgres.Server.started(Path(folder)) as server:
        postgres.query(server.url("postgres"), "CREATE DATABASE games")
        await (await Store.open(server.url("games"))).close()
        async with cluster(tmp_path, BOTS, people=PEOPLE, channels=CHANNELS, url=server.url("games")) as it:
            async with under_clicks(it, TABLES, PAUSE_SECONDS) as everybody:
                before = sum(players.clicks for players in everybody)
                holders = {shard: bot.number for shard, bot in it.holders().items()}
                server.stop()
                await asyncio.sleep(AWAY_SECONDS)
                server.start()
                await _after(it, everybody, f"PostgreSQL stopped {AWAY_SECONDS:.0f} s", before)
                assert {shard: bot.number for shard, bot in it.holders().items()} == holders
                before = sum(players.clicks for players in everybody)
                server.freeze()
                await asyncio.sleep(AWAY_SECONDS)
                server.resume()
                await _after(it, everybody, f"PostgreSQL frozen {AWAY_SECONDS:.0f} s", before)
            await shown(it, everybody, 5)
            check_history(it, everybody)
