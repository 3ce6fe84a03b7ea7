"""Two bots on one database, under clicks: restarted, cut off from each other, frozen, killed. ``soak_cluster`` does
that with four of them at 64 tables, and says how long it took."""

import asyncio
import signal
from pathlib import Path

import pytest

from local_discord.starts import TOTAL
from tests import postgres
from tests.games import CASES
from tests.process.cluster import Cluster, cluster
from tests.process.crowd import check_history, cut_off, freeze, kill, restart, shown, under_clicks
from tests.process.waiting import eventually

TABLES = 4
PATIENCE = 40.0
"""Seconds until the others serve: how fast that goes ``make soak`` measures, where nothing else runs."""
SESSIONS = "FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE"


@pytest.mark.about(*CASES)
async def test_no_click_fails_in_a_restart_and_no_move_is_lost_or_doubled_whatever_happens(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2) as it:
        async with under_clicks(it, TABLES, 0.1) as everybody:
            await restart(it, it.bots[0])
            assert [failed for players in everybody for failed in players.failed] == []
            assert it.told_to_try_again() == 0
            await cut_off(it, everybody, 8, PATIENCE)
            await it.settled(2)
            await freeze(it, everybody, 7, PATIENCE)
            await it.settled(2)
            await kill(it, everybody, PATIENCE)
        await shown(it, everybody, 5)
        assert check_history(it, everybody)
        (left,) = (bot for bot in it.bots if bot.process is not None)
        left.signal(signal.SIGTERM)
        assert await left.ended() == 0
        assert it.complaints("the database does not answer", "a statement took too long") == []


async def _sessions_left(it: Cluster) -> int:
    """How many sessions at the gateway Discord lets the bot begin today."""
    status, answer = await it.world.call("GET", "/gateway/bot", token=f"Bot {it.world.session['bot_token']}")
    assert status == 200
    return int(answer["session_start_limit"]["remaining"])


@pytest.mark.about(*CASES)
async def test_with_one_shard_the_other_process_stands_by_and_answers_what_comes_after_a_kill(tmp_path: Path) -> None:
    """It hears everything already. Every click is answered, and none counts twice."""
    async with cluster(tmp_path, 2, shards=1) as it, under_clicks(it, TABLES, 0.1) as everybody:
        before = [len(players.failed) for players in everybody]
        async with asyncio.timeout(PATIENCE):
            while (left := await _sessions_left(it)) > TOTAL - len(it.bots):  # noqa: ASYNC110 - Discord does not say when
                await asyncio.sleep(0.1)
        tables, _ = await kill(it, everybody, PATIENCE)
        assert tables == TABLES
        assert await _sessions_left(it) == left, "it had its session with Discord already"
        await shown(it, everybody, 5)
        assert check_history(it, everybody)
        failed = [said for players, was in zip(everybody, before, strict=True) for said in players.failed[was:]]
        assert len(failed) <= TABLES, "no more than what was being answered just then"


async def test_a_second_sigterm_ends_it_at_once_and_it_says_so(tmp_path: Path) -> None:
    """It would wait a minute that another one, which seems to be alive, takes over."""
    async with cluster(tmp_path, 2) as it:
        leaving, other = it.bots
        other.signal(signal.SIGKILL)
        await other.ended()
        other.process = None
        await it.settled(1)
        ((name,),) = it.rows(f"SELECT application_name {SESSIONS} 'diciassette:%'")
        async with postgres.alive(it.url, name):
            leaving.signal(signal.SIGTERM)
            asked = f"SELECT 1 {SESSIONS} 'diciassette:%:leaves:%'"
            await eventually(lambda: it.rows(asked), "it to begin to hand over")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(leaving.ended(), 1)
            leaving.signal(signal.SIGTERM)
            assert await asyncio.wait_for(leaving.ended(), 5) == 0
    said = leaving.log.read_text().splitlines()
    assert [line for line in said if "not everything could be handed over" in line]
    assert it.complaints() == []
