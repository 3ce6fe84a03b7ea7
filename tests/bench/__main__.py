"""``make bench``: everything, as tables. Takes its time; ``python -m tests.bench several`` makes one section alone."""

import asyncio
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
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
WINDOWS = 6
WINDOW_SECONDS = 6.0
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
    tables, pace = processes.PACED, processes.PACE
    async with AsyncExitStack() as stack:
        room = len(PLACES) * len(GAMES) * tables
        clusters = {
            count: await stack.enter_async_context(processes.cluster(server, count, room)) for count in PROCESSES
        }
        say(f"{pace:.0f} moves/s in all", "CPU ms of the bots per move", "x one", "goal", "of the load",
            "of PostgreSQL", "p50 ms", "p99 ms", "machine idle")  # fmt: skip
        say("---", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---:")
        clicks = list[tuple[object, ...]]()
        for game in GAMES:
            for place, here in PLACES.items():
                runs: dict[int, list[processes.Run]] = {count: [] for count in PROCESSES}
                for it in clusters.values():
                    await it.sit(game, tables, here=here)
                    await it.play(0, tables, pace, warm=processes.WARM_SECONDS)
                for _ in range(WINDOWS):
                    for count, it in clusters.items():
                        runs[count].append(await it.play(WINDOW_SECONDS, tables, pace))
                for count, windows in runs.items():
                    _say_paced(f"{count} x {title(game)}, {place}", windows, runs[1])
                if not here:
                    clicks.append((title(game), *await _overheard(clusters[max(PROCESSES)], tables)))
        sys.stdout.write("\n")
        say(f"a click in direct messages, CPU ms of {max(PROCESSES)} processes", "where it is answered",
            "in each other", "goal", "in all", "x where it is answered")  # fmt: skip
        say("---", "---:", "---:", "---:", "---:", "---:")
        for row in clicks:
            say(*row)
        sys.stdout.write("\n")
        say("processes, nobody there", "CPU ms a second of each")
        say("---", "---:")
        for count, it in clusters.items():
            rest = await it.rest(2 * WINDOW_SECONDS)
            say(count, f"{statistics.mean(rest.bots) * 1000 / rest.seconds:.1f}")


def _say_paced(name: str, windows: Sequence[processes.Run], one: Sequence[processes.Run]) -> None:
    """A row: the medians of *windows*, beside those of *one* process."""

    def median(value: Callable[[processes.Run], float]) -> float:
        return statistics.median(value(it) for it in windows)

    cost = median(lambda it: it.a_move(sum(it.bots)))
    ratio = statistics.median(
        it.a_move(sum(it.bots)) / base.a_move(sum(base.bots)) for it, base in zip(windows, one, strict=True)
    )
    others = f"{median(lambda it: it.a_move(it.load)):.2f}", f"{median(lambda it: it.a_move(it.postgresql)):.2f}"
    late = f"{median(lambda it: it.percentile(0.5)):.0f}", f"{median(lambda it: it.percentile(0.99)):.0f}"
    idle = median(lambda it: it.idle / it.seconds / (os.cpu_count() or 1))
    goal = "" if windows is one else "at most 1.1"
    say(name, f"{cost:.2f}", f"{ratio:.2f}", goal, *others, *late, f"{idle:.0%}")


async def _overheard(it: processes.Cluster, tables: int) -> tuple[str, ...]:
    """Cells: what a click in direct messages costs the process that answers it, each other one, and all together,
    without what they do anyway."""
    own, other = list[float](), list[float]()
    for window in range(WINDOWS):
        playing = window % len(it.bots)
        rest, run = await it.rest(WINDOW_SECONDS), await it.play(WINDOW_SECONDS, tables, processes.PACE, only=playing)
        spent = [
            (after / run.seconds - before / rest.seconds) * run.seconds * 1000 / run.clicks
            for before, after in zip(rest.bots, run.bots, strict=True)
        ]
        own.append(spent.pop(playing))
        other.append(statistics.mean(spent))
    answered, heard = statistics.median(own), statistics.median(other)
    everywhere = answered + (len(it.bots) - 1) * heard
    return f"{answered:.2f}", f"{heard:.2f}", "at most 0.3", f"{everywhere:.2f}", f"{everywhere / answered:.2f}"


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
