"""What is going to happen in a run: drawn from its seed, and small enough to be read, kept in a file, and shortened.

Only what happens is planned: who plays how, what goes wrong and when. Which of the things that are ready at once comes
first, and how long each packet takes, simloom draws from the same seed.
"""

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Final, NamedTuple

SECONDS: Final = 60.0
"""How long people play while things go wrong."""
BREAK_SECONDS: Final = 960.0
"""How long everybody is away where they take a break: longer than the token of a click is valid."""
STATUSES: Final = ((500, 0), (502, 0), (503, 0), (403, 40333), (403, 0))
"""(status, Discord's error code) of refusals that say nothing but that Discord has trouble."""
PATHS: Final = ("*", "/channels/*", "/webhooks/*", "/interactions/*", "/users/*")
SHARED_EVERY: Final = 5
"""One plan of so many has several processes."""
ALONE_SHARE: Final = 1 / 16
"""In how many plans somebody plays alone, besides the tables of the plan."""
GATEWAY: Final = ("reconnect", "invalid_session", "close")


class Guest(NamedTuple):
    """How somebody plays."""

    think: tuple[float, float] = (0.2, 1.5)
    """How long they think, at least and at most, s."""
    twice: int = 0
    """How many percent of their clicks they make twice."""
    wanders: int = 0
    """How many percent of their clicks are on anything else that can be clicked."""
    forges: int = 0
    """How many percent of their clicks ask for something that is not theirs, or never was."""
    calls: int = 4
    """How many percent of their clicks are calls, where they can call."""
    sleeps: tuple[float, float] = (0.0, 0.0)
    """From when to when they do nothing, s."""
    by_dm: bool = True
    gives_up: int = 0
    """How many percent of their clicks begin to give up a game; only who plays alone does."""


class Trouble(NamedTuple):
    """Something that goes wrong."""

    at: float
    """When, s after the cards were dealt."""
    what: str
    """The name of a method of ``Troubles``."""
    given: dict[str, Any] = {}  # noqa: RUF012 - never changed
    """What the method is given."""


class Plan(NamedTuple):
    """What is going to happen."""

    seed: int
    games: tuple[str, ...]
    """A table of each, in a channel of its own."""
    guests: tuple[Guest, ...]
    computers: int = 0
    """How many computer players sit at each table."""
    pace: str = "fast"
    limit: str = "30"
    """The turn limit, s; "0": none."""
    lag: tuple[float, float] = (0.001, 0.04)
    """How long a packet takes, at least and at most, s."""
    troubles: tuple[Trouble, ...] = ()
    seconds: float = SECONDS
    processes: int = 0
    """How many processes of the bot there are, on one database that they share; 0: one, on SQLite, alone."""
    shards: int = 1
    concurrency: int | None = None
    """How many shards may identify at a time; ``None``: all."""
    soloist: Guest | None = None
    """Who plays alone in direct messages, also the deal of the day of the first game; ``None``: nobody."""
    orderly: bool = False
    """What is ready first runs first, and the network takes no time."""

    def text(self) -> str:
        """As JSON, with a line for every person and for everything that goes wrong."""
        fields = self._asdict() | {"guests": [it._asdict() for it in self.guests]}
        fields["soloist"] = self.soloist._asdict() if self.soloist else None
        fields["troubles"] = [it._asdict() for it in self.troubles]
        return "{\n" + ",\n".join(f" {json.dumps(name)}: {_lines(value)}" for name, value in fields.items()) + "\n}\n"


def _lines(value: Any) -> str:
    """*value* as JSON: a list of objects with a line for each, anything else in one line."""
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"  {json.dumps(it)}" for it in value) + "\n ]"
    return json.dumps(value)


def read(text: str) -> Plan:
    """The plan that ``Plan.text`` wrote."""
    fields = json.loads(text)
    guests = tuple(_read_guest(it) for it in fields["guests"])
    soloist = _read_guest(fields["soloist"]) if fields.get("soloist") else None
    troubles = tuple(Trouble(**it) for it in fields["troubles"])
    given = {**fields, "games": tuple(fields["games"]), "lag": tuple(fields["lag"])}
    return Plan(**{**given, "guests": guests, "soloist": soloist, "troubles": troubles})


def _read_guest(fields: dict[str, Any]) -> Guest:
    """The guest whose *fields* stand in a file."""
    return Guest(**{name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()})


def plan(seed: int, games: tuple[str, ...] = ()) -> Plan:
    """The plan that follows from *seed*; with *games* these are played. One of five has several processes."""
    if seed % SHARED_EVERY == SHARED_EVERY - 1:
        return shared(seed, games)
    from engine.registry import GAMES  # not above: a bug can be planted in a game that is not imported yet

    rng = Random(f"plan {seed}")
    names = sorted(GAMES)
    chosen = tuple(rng.sample(names, 2 if rng.random() < 0.2 and len(names) > 1 else 1))
    seats = min(GAMES[game].seats[-1] for game in games or chosen)
    people = rng.randint(2, min(3, seats))
    found = Plan(
        seed=seed,
        games=games or chosen,
        guests=tuple(_guest(rng) for _ in range(people)),
        computers=rng.choice((0, 0, 1)) if people < seats else 0,
        pace=rng.choice(("fast", "fast", "normal")),
        limit=rng.choice(("30", "30", "60", "120", "0")),
        lag=rng.choice(((0.0, 0.001), (0.001, 0.04), (0.02, 0.3))),
        troubles=tuple(_troubles(rng)),
    )
    rng = Random(f"more {seed}")  # another one, so that all other plans are as they were without these
    if seed % 2:
        found = found._replace(troubles=tuple(_spared(found.troubles)))
    if rng.random() < 0.25:
        found = found._replace(troubles=tuple(sorted([*found.troubles, *_people_do(rng)], key=lambda it: it.at)))
    found = found._replace(soloist=_soloist(seed))
    return _with_break(found, rng.uniform(5, SECONDS / 2)) if rng.random() < 0.06 else found


def _spared(troubles: Iterable[Trouble]) -> Iterator[Trouble]:
    """*troubles*; a process that is killed in a commit is killed in the one after: what is written together, and is
    two commits by mistake, is then torn apart."""
    for trouble in troubles:
        torn = trouble.what == "torn_commit"
        yield trouble._replace(given={**trouble.given, "spared": 1}) if torn else trouble


def _people_do(rng: Random) -> Iterator[Trouble]:
    """What people do that the bot is not told of."""
    for _ in range(rng.randint(1, 3)):
        what = rng.choice(("delete", "delete", "close_dms"))
        yield Trouble(
            round(rng.uniform(0, SECONDS), 2), what, {"guest": rng.randrange(3)} if what == "close_dms" else {}
        )


def _with_break(given: Plan, begins: float) -> Plan:
    """*given*, with a break for everybody that *begins* so long after the deal, s."""
    sleeps = (begins, begins + BREAK_SECONDS)
    return given._replace(
        guests=tuple(guest._replace(sleeps=sleeps) for guest in given.guests),
        soloist=given.soloist._replace(sleeps=sleeps) if given.soloist else None,
        troubles=tuple(it if it.at < begins else it._replace(at=it.at + BREAK_SECONDS) for it in given.troubles),
        seconds=given.seconds + BREAK_SECONDS,
    )


def with_soloist(given: Plan) -> Plan:
    """*given*, with somebody who plays alone besides."""
    soloist = given.soloist or _soloist(given.seed, 1.0)
    if soloist is not None and given.seconds > BREAK_SECONDS:
        soloist = soloist._replace(sleeps=given.guests[0].sleeps)
    return given._replace(soloist=soloist)


def _soloist(seed: int, share: float = ALONE_SHARE) -> Guest | None:
    """Who plays alone: somebody in this *share* of all plans."""
    rng = Random(f"alone {seed}")
    if rng.random() >= share:
        return None
    kinds = (Guest((0.2, 0.6)), Guest(gives_up=6), Guest((0.2, 0.6), twice=30, gives_up=3), Guest((1.0, 4.0)))
    guest = rng.choice(kinds)._replace(calls=rng.choice((2, 10)))
    begins = rng.uniform(5, SECONDS / 2)
    return guest._replace(sleeps=(begins, begins + rng.uniform(5, 20))) if rng.random() < 0.3 else guest


def _guest(rng: Random) -> Guest:
    """One of several kinds: quick, slow, clumsy, curious, hostile, asleep."""
    quick, slow = (0.2, 1.5), (2.0, 6.0)
    kinds = (
        Guest(quick),
        Guest(quick, calls=15),
        Guest(slow),
        Guest(quick, twice=40),
        Guest(quick, wanders=30),
        Guest(quick, forges=40),
    )
    guest = rng.choice(kinds)
    if rng.random() < 0.15:
        begins = rng.uniform(0, SECONDS / 2)
        guest = guest._replace(sleeps=(begins, begins + rng.uniform(10, 60)))
    return guest._replace(by_dm=rng.random() < 0.6)


def _troubles(rng: Random) -> Iterator[Trouble]:
    """What goes wrong, in order. One plan of six has nothing of it."""
    if rng.random() < 1 / 6:
        return
    at, often = 0.0, rng.choice((3.0, 8.0, 20.0))
    while True:
        at += rng.expovariate(1 / often)
        if at >= SECONDS:
            return
        yield Trouble(round(at, 2), *_trouble(rng))


def _trouble(rng: Random) -> tuple[str, dict[str, Any]]:
    """(what goes wrong, what its method is given)."""
    fault = {"method": rng.choice(("*", "*", "POST", "PATCH")), "path": rng.choice(PATHS), "times": rng.randint(1, 4)}
    match rng.randrange(12):
        case 0 | 1:
            return "crash", {"down": round(rng.uniform(0.1, 8), 2)}
        case 2:
            return "torn_commit", {"down": round(rng.uniform(0.1, 8), 2)}
        case 3:
            status, code = rng.choice(STATUSES)
            return "refuse", {**fault, "status": status, "code": code}
        case 4:
            return "slow", {**fault, "seconds": round(rng.uniform(0.2, 6), 2)}
        case 5 | 6:
            return "lose_response", fault
        case 7:
            shared = rng.random() < 0.3
            return "limit", {**fault, "seconds": round(rng.uniform(0.1, 3), 2), "scope": "shared" if shared else "user"}
        case 8:
            return "gateway", {"how": rng.choice(GATEWAY)}
        case 9:
            return "cut", {"seconds": round(rng.uniform(0.5, 20), 2)}
        case 10:
            return "clock", {"steady": rng.choice((0.0, 0.0, 2.5, 20.0)), "wall": round(rng.uniform(-3600, 3600), 1)}
        case _:
            return "locked", {"seconds": round(rng.uniform(0.1, 4), 2)}


# Several processes


def shared(seed: int, games: tuple[str, ...] = ()) -> Plan:
    """The plan with several processes that follows from *seed*; with *games* these are played, at a table each."""
    from engine.registry import GAMES  # not above: a bug can be planted in a game that is not imported yet

    rng = Random(f"shared {seed}")
    chosen = games or tuple(rng.choice(sorted(GAMES)) for _ in range(rng.choice((1, 2, 2, 3))))
    processes = rng.choice((1, 2, 2, 2, 3, 3, 4))
    seats = min(GAMES[game].seats[-1] for game in chosen)
    people = rng.randint(2, min(3, seats))
    return Plan(
        seed=seed,
        games=chosen,
        guests=tuple(_guest(rng) for _ in range(people)),
        computers=rng.choice((0, 0, 1)) if people < seats else 0,
        pace=rng.choice(("fast", "fast", "normal")),
        limit=rng.choice(("30", "30", "60", "120", "0")),
        lag=rng.choice(((0.0, 0.001), (0.001, 0.04), (0.02, 0.2))),
        troubles=tuple(_shared_troubles(rng, processes)),
        processes=processes,
        shards=rng.randint(1, 3),
        concurrency=rng.choice((None, 1, 16)),
        soloist=_soloist(seed),
    )


def _shared_troubles(rng: Random, processes: int) -> Iterator[Trouble]:
    """What goes wrong where there are several *processes*, in order. One plan of eight has nothing of it."""
    if rng.random() < 1 / 8:
        return
    at, often = 0.0, rng.choice((5.0, 10.0, 25.0))
    while True:
        at += rng.expovariate(1 / often)
        if at >= SECONDS:
            return
        yield Trouble(round(at, 2), *_shared_trouble(rng, processes))


def _shared_trouble(rng: Random, processes: int) -> tuple[str, dict[str, Any]]:
    """(what goes wrong where there are several *processes*, what its method is given)."""
    which = {"process": rng.randrange(processes)}
    some = {"seconds": round(rng.uniform(0.5, 10), 2)}
    match rng.randrange(16):
        case 0 | 1:
            return "crash", {**which, "down": round(rng.uniform(0.1, 20), 2)}
        case 2:
            down = round(rng.uniform(0.1, 8), 2)
            return "torn_commit", {**which, "down": down, "spared": rng.randrange(2)}
        case 3 | 4:
            long = rng.random() < 0.4
            seconds = round(rng.uniform(6, 30) if long else rng.uniform(0.5, 6), 2)
            return "freeze", {**which, "seconds": seconds, "writing": rng.random() < 0.5}
        case 5 | 6:
            return "leave", {**which, "down": round(rng.uniform(0.1, 5), 2)}
        case 7:
            return "roll", {"down": round(rng.uniform(0.1, 2), 2)}
        case 8:
            whose = None if rng.random() < 0.6 else which["process"]
            return "away", {"process": whose, "how": rng.choice(("away", "silent")), **some}
        case 9 | 10:
            other = (which["process"] + rng.randint(1, max(1, processes - 1))) % processes
            return "apart", {**which, "other": other, "way": rng.choice(("both", "there", "back")), **some}
        case 11:
            return "cut", {**which, **some}
        case _:
            what, given = _trouble(rng)
            while what in ("crash", "torn_commit", "locked"):
                what, given = _trouble(rng)
            return what, {**given, **which} if what in ("cut", "clock") else given
