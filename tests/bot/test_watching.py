"""What is counted, and that dashboard, alerts and their page speak of nothing else."""

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client import generate_latest

from bot.delivery.limits import COUNTED, UNCOUNTED, classify_http_request
from bot.metrics import Metrics
from bot.monitoring.server import MAX_CONNECTIONS, serve_metrics
from bot.monitoring.state import ALWAYS, GAUGES, BotState
from tests.process.waiting import eventually
from tests.program import free_port

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
NAME = re.compile(r"\b(?:diciassette|process|python)_[a-z_]+")


def names() -> set[str]:
    """Every series that the program has."""
    metrics = Metrics()
    metrics.add_process_metrics()
    found = {"process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"}  # Linux has them
    for family in metrics.registry.collect():
        suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}.get(family.type, [""])
        found |= {family.name + suffix for suffix in suffixes}
    return found | {f"diciassette_{name}" for name in (*ALWAYS, *(gauge.name for gauge in GAUGES))}


def queries() -> list[str]:
    """Every query of the dashboard."""
    board = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]


def alerts() -> dict[str, str]:
    """Every alert, and its expression."""
    text = (DEPLOY / "alerts.yml").read_text("utf-8")
    return dict(re.findall(r"- alert: (\w+)\n\s+expr: (.+)", text))


def test_dashboard_and_alerts_name_only_what_the_program_counts() -> None:
    asked = {name for query in [*queries(), *alerts().values()] for name in NAME.findall(query)}
    assert asked
    assert asked - names() == set()


def test_the_dashboard_shows_everything_of_the_program() -> None:
    shown = {re.sub("_(bucket|count|sum|total)$", "", name) for query in queries() for name in NAME.findall(query)}
    ours = {re.sub("_(bucket|count|sum|total)$", "", name) for name in names() if name.startswith("diciassette")}
    assert ours - shown == set()


def test_the_dashboard_is_one_that_grafana_takes() -> None:
    """https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/"""
    board = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
    assert {"uid", "title", "panels", "templating", "time", "schemaVersion"} <= board.keys()
    assert {it["name"] for it in board["templating"]["list"]} == {"datasource", "instance"}
    ids = [panel["id"] for panel in board["panels"]]
    assert len(ids) == len(set(ids))
    taken: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
        if panel["type"] != "row":
            assert panel["title"]
            assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
            assert panel["targets"]
            assert all(it["expr"].count("{") == it["expr"].count("}") for it in panel["targets"])


def test_the_page_says_what_to_do_about_every_alert_and_what_every_metric_is() -> None:
    page = (ROOT / "docs" / "watching.md").read_text("utf-8")
    assert set(re.findall(r"^\| `([A-Z]\w+)` \|", page, re.M)) == set(alerts())
    ours = {re.sub("_(bucket|count|sum)$", "", name) for name in names() if name.startswith("diciassette")}
    assert set(re.findall(r"^\| `(diciassette_\w+)` \|", page, re.M)) == ours


def test_two_programs_in_one_process_count_for_themselves() -> None:
    one, other = Metrics(), Metrics()
    one.count_change("game", "move", [{"play": 3}, {"sits": "computer"}])
    assert b'diciassette_moves_total{game="game"} 1.0' in generate_latest(one.registry)
    assert b'diciassette_moves_total{game="game"}' not in generate_latest(other.registry)


def test_every_kind_of_request_counts_or_does_not() -> None:
    paths = {
        "answer": ("POST", "/api/v10/interactions/1/t/callback"),
        "follow_up": ("POST", "/api/v10/webhooks/1/t"),
        "token_look": ("GET", "/api/v10/webhooks/1/t/messages/@original"),
        "token_edit": ("PATCH", "/api/v10/webhooks/1/t/messages/2"),
        "token_delete": ("DELETE", "/api/v10/webhooks/1/t/messages/2"),
        "gateway": ("GET", "/"),
        "send": ("POST", "/api/v10/channels/1/messages"),
        "edit": ("PATCH", "/api/v10/channels/1/messages/2"),
        "delete": ("DELETE", "/api/v10/channels/1/messages/2"),
        "look": ("GET", "/api/v10/channels/1/messages/2"),
        "open_dm": ("POST", "/api/v10/users/@me/channels"),
        "emojis": ("GET", "/api/v10/applications/1/emojis"),
        "commands": ("PUT", "/api/v10/applications/1/commands"),
        "other": ("GET", "/api/v10/users/@me"),
    }
    assert {kind: classify_http_request(*asked) for kind, asked in paths.items()} == {kind: kind for kind in paths}
    assert paths.keys() == COUNTED | UNCOUNTED
    assert not COUNTED & UNCOUNTED


def test_before_the_bot_runs_it_is_not_ready_and_says_why() -> None:
    state = BotState()
    assert "starting" in state.unready_reason()
    state.waits = "the database cannot be reached"
    assert state.unready_reason() == "the database cannot be reached"
    assert {family.name: family.samples[0].value for family in state.collect()}["diciassette_ready"] == 0


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is Prometheus's own; a machine may not have it")
@pytest.mark.parametrize("what", [["check", "rules", "deploy/alerts.yml"], ["test", "rules", "tests/bot/alerts.yml"]])
def test_prometheus_takes_the_rules(what: list[str]) -> None:
    done: Any = subprocess.run(["promtool", *what], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


async def test_whoever_keeps_connections_or_sends_junk_does_not_keep_prometheus_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    port = free_port()
    async with serve_metrics("127.0.0.1", port, Metrics(), BotState()):
        kept = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2 * MAX_CONNECTIONS)]
        for number, (_, writer) in enumerate(kept):
            writer.write((b"GET /metrics HTTP/1.1\r\nX-Slow: ", b"GET / HTTP/9.9\r\n\r\n", b"")[number % 3])
        async with aiohttp.ClientSession() as http, http.get(f"http://127.0.0.1:{port}/metrics") as response:
            assert response.status == 200
            assert "diciassette_ready 0.0" in await response.text()
        await eventually(lambda: sum(not it.at_eof() for it, _ in kept) <= MAX_CONNECTIONS, "the oldest to be closed")
        for _, writer in kept:
            writer.close()
    assert caplog.records == []
