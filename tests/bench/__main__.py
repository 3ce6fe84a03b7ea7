"""``make bench``: everything, as tables. Takes its time; ``python -m tests.bench several`` makes one section alone."""

import asyncio
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from engine.registry import GAMES
from tests import postgres
from tests.bench import counting, engine, load, pictures, processes, store, tables, whole
from tests.bench.commits import measure as measure_commits
from tests.bench.titles import title
from tests.postgres_server import SETTINGS, Server

BUSY = (1, 256)
ROUNDS = 3
"""So often each bot is measured, in turn: what the same bot takes differs by a third from run to run."""
PROCESSES = (1, 2, 4)
GOALS = {"apply": "at least 4", "apply and a view": "at least 2"}
"""Of every game's rules: times RLCard's UNO."""
A_REQUEST = {1: "at most 1.6", 256: "at most 1.15"}
"""By busy tables: how many bare clicks a request may cost."""
LATE = {"12 Days of Christmas": "at most 100", "17": "at most 310"}
"""At the most tables, of the 99th percentile; a card of 17 is held for 250 ms."""
BURST = 300
"""Tables at which everybody clicks at one instant."""
BARE = "bare buttons"
BARE_BUTTON = "bare button"
SECONDS = 15.0
WINDOWS = 5
WINDOW_SECONDS = 5.0
"""So long each number of processes plays at a time: whatever else the machine does slows all of them down alike."""
PLACES = {"direct messages": False, "the channel": True}
"""Where people play: whether that is in the channel."""
FULL = 0.9
"""A process that takes so much of a core is fully loaded."""
AT_ONE = 40.0
"""So long at a single table, where there are few moves."""


def machine() -> str:
    """The machine, in a line."""
    model = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.processor())  # fmt: skip
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, Python {platform.python_version()}"
    )


def say(*cells: object) -> None:
    """A row."""
    sys.stdout.write("| " + " | ".join(str(cell) for cell in cells) + " |\n")
    sys.stdout.flush()


def engines() -> None:
    found = engine.measure()
    base = found[engine.UNO][1]
    say("engine", "games/s", "actions/s", "x RLCard UNO", "goal")
    say("---", "---:", "---:", "---:", "---")
    for name, (games, actions) in found.items():
        say(name, f"{games:.0f}", f"{actions:.0f}", f"{actions / base:.2f}", GOALS.get(name.rpartition(", ")[2], ""))


async def busy() -> None:
    """What a move costs at few and at many busy tables, next to a bot that does nothing else: a bare click is one
    request."""
    say("busy tables", "moves", "CPU ms per move", "requests", "counted", "x bare click for each request", "goal",
        "p50 ms", "p95 ms", "p99 ms", "goal")  # fmt: skip
    say("---", "---:", "---:", "---:", "---:", "---:", "---", "---:", "---:", "---:", "---")
    for count in BUSY:
        seconds = AT_ONE if count == 1 else SECONDS
        rounds = list[dict[str, load.Figures]]()
        for _ in range(ROUNDS):
            rounds.append({BARE_BUTTON: await load.bare(count, seconds)})
            for game in GAMES:
                rounds[-1][title(game)] = await load.busy(game, count, seconds)
        for name in rounds[0]:
            it = load.together([round_[name] for round_ in rounds])
            times = [f"{it.percentile(share):.0f}" for share in (0.5, 0.95, 0.99)]
            requests = f"{it.requests:.2f}", f"{it.counted:.2f}"
            ratios = sorted(round_[name].a_request / round_[BARE_BUTTON].a_request for round_ in rounds)
            ratio = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
            measured = name != BARE_BUTTON
            goal = A_REQUEST[count] if measured else ""
            late = LATE.get(name, "") if count == max(BUSY) else ""
            say(f"{count} x {name}", it.moves, f"{it.cpu_ms:.2f}", *requests, ratio if measured else "1", goal,
                *times, late)  # fmt: skip
    sys.stdout.write("\n")
    say("clicks at one instant", "answered", "p50 ms", "p99 ms", "the last, ms", "goal")
    say("---", "---:", "---:", "---:", "---:", "---")
    bursts = {BARE: await load.bare_burst(BURST)}
    for game in GAMES:
        bursts[f"tables of {title(game)}"] = await load.burst(game, BURST)
    for name, times in bursts.items():
        figures = [f"{times[min(len(times) - 1, int(share * len(times)))]:.0f}" for share in (0.5, 0.99, 1)]
        goal = "" if name == BARE else "all, at most 1,200"
        say(f"{load.SEATS * BURST} on {BURST} {name}", len(times), *figures, goal)


async def whole_games() -> None:
    """What each move of a long game costs, wherever people play."""
    say(f"first {whole.MINUTES} minutes of a game", "moves", "counted", "goal", "of them", "on tokens")
    say("---", "---:", "---:", "---:", "---", "---")
    for name in GAMES:
        for place in whole.Place:
            where, goal = place.value
            it = await whole.measure(name, place)
            counted = f"{it.counted.total() / it.moves:.2f}"
            say(f"{title(name)}, {where}", it.moves, counted, goal, it.each(it.counted), it.each(it.free))


def drawings() -> None:
    count, spent = pictures.symbols()
    say("pictures", "ms", "KB", "x blank PNG", "goal")
    say("---", "---:", "---:", "---:", "---")
    say(f"all {count} symbols, once a process", f"{spent:.0f}", "", "", "")
    for it in pictures.slowest():
        figures = f"{it.milliseconds:.0f}", f"{it.kilobytes:.0f}", f"{it.times_blank:.1f}"
        say(it.name, *figures, f"60 ms, 100 KB, at most {pictures.MOST} x")


async def many() -> None:
    it = await tables.restart()
    say(f"{tables.TABLES:,} live tables", "measured", "goal")
    say("---", "---:", "---")
    say("KiB resident per idle table, after a start with nothing to edit", f"{it.kib_a_table:.1f}", "at most 12")
    say("KiB resident per idle table, just after all messages were edited", f"{it.kib_just_edited:.1f}", "")
    say("seconds from the start to the first answer", f"{it.first_click_seconds:.2f}", "at most 1.5")
    say("seconds until all messages are up to date", f"{it.shown_seconds:.0f}", "")
    say("429s meanwhile", it.refused, "0")


async def stored() -> None:
    """What games take in the database."""
    say(
        "store",
        "moves per game",
        "bytes per move, goal 400",
        "KiB per finished game, goal 6",
        "CPU ms per commit",
    )
    say("---", "---:", "---:", "---:", "---:")
    for name in GAMES:
        sizes, cpu = await store.sizes(name), await store.cpu(name)
        figures = f"{sizes.moves:.0f}", f"{sizes.bytes_a_move:.0f}", f"{sizes.kib_a_game:.1f}"
        say(title(name), *figures, f"{cpu:.2f}")
    sys.stdout.write("\n")
    say(f"{store.FINISHED:,} finished tables", "measured", "goal")
    say("---", "---:", "---")
    say("seconds from the start to the first answer", f"{await store.start():.2f}", "at most 1.5")


async def counted() -> None:
    """What it takes to count a record, and whether moves wait for it."""
    say("counting", "CPU ms per record", "ms per commit alone, p50", "p99", "beside it, p50", "p99")
    say("---", "---:", "---:", "---:", "---:", "---:")
    for name in GAMES:
        it = await counting.measure(name)
        say(title(name), f"{it.record_ms:.1f}", *(f"{ms:.1f}" for ms in (*it.alone_ms, *it.beside_ms)))


def commits() -> None:
    """What a commit takes on either database."""
    say("commits", "a second", "CPU ms each", "ms, p50", "p99")
    say("---", "---:", "---:", "---:", "---:")
    durable = {name: value for name, value in SETTINGS.items() if value != "off"}  # as a host has it
    with tempfile.TemporaryDirectory() as folder, Server.started(settings=durable) as server:
        for count in (1, 8, 64):
            postgres.query(server.url("postgres"), f"CREATE DATABASE t{count}")
            for name, url in (
                ("SQLite", f"sqlite+aiosqlite:///{folder}/t{count}.sqlite3"),
                ("PostgreSQL, same machine", server.url(f"t{count}")),
            ):
                it = asyncio.run(measure_commits(url, count))
                times = f"{it.median_ms:.1f}", f"{it.late_ms:.1f}"
                say(f"{count} tables, {name}", f"{it.a_second:.0f}", f"{it.cpu_ms:.2f}", *times)


async def several() -> None:
    """What a move costs several processes, and how many they make together."""
    durable = {name: value for name, value in SETTINGS.items() if value != "off"}  # as a host has it
    with Server.started(settings=durable) as server:
        await _paced(server)
        sys.stdout.write("\n")
        await _together(server)


async def _paced(server: Server) -> None:
    """What a move costs at the same pace in one process and in several, one after the other in every round."""
    async with AsyncExitStack() as stack:
        clusters = dict[int, processes.Cluster]()
        for count in PROCESSES:
            room = len(PLACES) * len(GAMES) * count * processes.PACED
            clusters[count] = await stack.enter_async_context(processes.cluster(server, count, room))
        say("processes, nobody there", "CPU ms a second of each", "of PostgreSQL")
        say("---", "---:", "---:")
        resting = dict[int, float]()
        for count, it in clusters.items():
            rest = await it.rest(2 * WINDOW_SECONDS)
            resting[count] = statistics.mean(rest.bots) / rest.seconds
            say(count, f"{resting[count] * 1000:.1f}", f"{rest.postgresql * 1000 / rest.seconds:.1f}")
        sys.stdout.write("\n")
        say("at a pace", "moves/s in all", "CPU ms of the bots per move", "of those that only hear of it", "x one",
            "goal", "of them for a click", "goal", "of the load", "of PostgreSQL", "requests", "p50 ms",
            "machine idle")  # fmt: skip
        say("---", *["---:"] * 12)
        for game in GAMES:
            for place, here in PLACES.items():
                for name, rounds in (await _in_turn(clusters, game, here)).items():
                    _say_paced(f"{name} {title(game)}, {place}", rounds, resting)


Rounds = list[tuple[processes.Run, processes.Run, bool]]
"""(what happened, what happened with one process, whether people played at the tables of the first process alone)."""


async def _in_turn(clusters: dict[int, processes.Cluster], game: str, here: bool) -> dict[str, Rounds]:
    """What happened in each round, by the name of a row."""
    tables, pace, most = processes.PACED, processes.PACE, max(clusters)
    for count, it in clusters.items():
        await it.sit(game, tables, here=here, first=count * tables)
        await it.play(0, count * tables, pace, warm=processes.WARM_SECONDS)
    rows: dict[str, Rounds] = {}
    for _ in range(WINDOWS):
        one = await clusters[1].play(WINDOW_SECONDS, tables, pace)
        rows.setdefault("1 x", []).append((one, one, False))
        for count in [it for it in clusters if it > 1]:
            run = await clusters[count].play(WINDOW_SECONDS, count * tables, pace, processes=1)
            rows.setdefault(f"{count} x", []).append((run, one, True))
        one = await clusters[1].play(WINDOW_SECONDS, tables, pace / most)
        rows.setdefault("1 x, with less to do,", []).append((one, one, False))
        run = await clusters[most].play(WINDOW_SECONDS, tables, pace)
        rows.setdefault(f"{most} x, each with as little,", []).append((run, one, False))
    return rows


def _say_paced(name: str, rounds: Rounds, resting: dict[int, float]) -> None:
    """A row: the medians of all *rounds*; *resting* is what each process of so many takes anyway, as a share of a
    core."""

    def median(value: Callable[[processes.Run], float], figures: str = ".2f") -> str:
        return format(statistics.median(value(run) for run, _, _ in rounds), figures)

    def ratio(run: processes.Run, one: processes.Run, alone: bool) -> float:
        cost = one.a_move(sum(one.bots))
        return 1 + run.a_move(sum(run.bots[1:])) / cost if alone else run.a_move(sum(run.bots)) / cost

    run, one, alone = rounds[0]
    heard = median(lambda it: it.a_move(sum(it.bots[1:]))) if alone else ""
    a_click = ""
    if alone:
        a_click = median(
            lambda it: (statistics.mean(it.bots[1:]) - resting[len(it.bots)] * it.seconds) * 1000 / it.clicks
        )
    say(
        name,
        median(lambda it: it.a_second, ".0f"),
        median(lambda it: it.a_move(sum(it.bots))),
        heard,
        f"{statistics.median(ratio(*it) for it in rounds):.2f}",
        "at most 1.1" if run is not one else "",
        a_click,
        "at most 0.3" if alone else "",
        median(lambda it: it.a_move(it.load)),
        median(lambda it: it.a_move(it.postgresql)),
        median(lambda it: it.requests / max(1, it.moves)),
        median(lambda it: it.percentile(0.5), ".0f"),
        median(lambda it: it.idle / it.seconds / (os.cpu_count() or 1), ".0%"),
    )


async def _together(server: Server) -> None:
    """How many moves several processes make together, where the cores suffice; each has as many tables."""
    cores = os.cpu_count() or 1
    say("as fast as they can", "moves/s", "x one", "goal", "cores of the bots", "of the load", "of PostgreSQL", "idle",
        "failed", "limited by")  # fmt: skip
    say("---", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---")
    ones = dict[str, processes.Run]()
    for count in PROCESSES:
        tables = count * processes.MANY
        if count > 1 and (needed := count * max(map(_cores, ones.values()))) > cores:
            say(f"{count} x", f"cannot be shown: needs {needed:.1f} cores, and this machine has {cores}",
                *[""] * 8)  # fmt: skip
            continue
        async with processes.cluster(server, count, len(GAMES) * tables) as it:
            for game in GAMES:
                await it.sit(game, tables, here=False)
                run = await it.play(SECONDS, tables, warm=processes.WARM_SECONDS)
                one = ones.setdefault(game, run)
                spent = (f"{seconds / run.seconds:.2f}" for seconds in (sum(run.bots), run.load, run.postgresql))
                idle = run.idle / run.seconds
                full = min(run.bots) / run.seconds > FULL
                limit = "the bots" if full else "the cores" if idle < 1 - FULL else "neither bots nor cores"
                say(f"{count} x {title(game)}", f"{run.a_second:.0f}", f"{run.a_second / one.a_second:.2f}",
                    f"at least {0.9 * count:.1f}" if count > 1 else "", *spent, f"{idle:.2f}", run.failed,
                    limit)  # fmt: skip


def _cores(run: processes.Run) -> float:
    """How many cores everything took."""
    return (sum(run.bots) + run.load + run.postgresql) / run.seconds


SECTIONS: Final[dict[str, Callable[[], None]]] = {
    "engines": engines,
    "drawings": drawings,
    "busy": lambda: asyncio.run(busy()),
    "whole_games": lambda: asyncio.run(whole_games()),
    "many": lambda: asyncio.run(many()),
    "stored": lambda: asyncio.run(stored()),
    "counted": lambda: asyncio.run(counted()),
    "commits": commits,
    "several": lambda: asyncio.run(several()),
}


def main() -> None:
    """All of it, or the sections that are named."""
    sys.stdout.write(f"{machine()}\n")
    for name in sys.argv[1:] or SECTIONS:
        sys.stdout.write("\n")
        SECTIONS[name]()


if __name__ == "__main__":
    main()
