"""Two bots on one database, under clicks: restarted, cut off from each other, frozen, killed. ``soak_cluster`` does
that with four of them at 64 tables, and says how long it took."""

import asyncio
import signal
from pathlib import Path

import pytest

from tests.games import CASES
from tests.process.cluster import cluster
from tests.process.crowd import check_history, cut_apart, freeze, kill, restart, served_again, shown, under_clicks
from tests.process.waiting import eventually

TABLES = 4


@pytest.mark.about(*CASES)
async def test_no_click_fails_in_a_restart_and_no_move_is_lost_or_doubled_whatever_happens(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2) as it:
        async with under_clicks(it, TABLES, 0.1) as everybody:
            await restart(it, it.bots[0])
            assert [failed for players in everybody for failed in players.failed] == []
            assert it.told_to_try_again() == 0
            async with cut_apart(it):
                await asyncio.sleep(2.5)
            await served_again(it, everybody, 10)
            await freeze(it, everybody, 4.5)
            await it.settled(2)
            await kill(it, everybody)
        await shown(it, everybody, 5)
        assert check_history(it, everybody)
        (left,) = (bot for bot in it.bots if bot.process is not None)
        left.signal(signal.SIGTERM)
        assert await left.ended() == 0
        assert it.complaints() == []


async def test_a_second_sigterm_ends_it_at_once_and_it_says_so(tmp_path: Path) -> None:
    """It would wait a minute that another one, which seems to be alive and stands still, takes over."""
    async with cluster(tmp_path, 2) as it:
        leaving, frozen = it.bots
        frozen.signal(signal.SIGSTOP)
        try:
            it.rows(f"UPDATE processes SET expires_at = expires_at + 120000 WHERE id = '{frozen.id}'")
            leaving.signal(signal.SIGTERM)
            asked = f"SELECT leaving FROM processes WHERE id = '{leaving.id}'"
            await eventually(lambda: it.rows(asked) == [(True,)], "it to begin to hand over")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(leaving.ended(), 1)
            leaving.signal(signal.SIGTERM)
            assert await asyncio.wait_for(leaving.ended(), 5) == 0
        finally:
            frozen.signal(signal.SIGCONT)
    said = leaving.log.read_text().splitlines()
    assert [line for line in said if "not everything could be handed over" in line]
    assert it.complaints() == []
