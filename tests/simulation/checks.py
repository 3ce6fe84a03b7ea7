"""What must hold of a run: what everybody received, what has become of their clicks, what the history says."""

from typing import TYPE_CHECKING, Final

from bot.clock import snowflake_time
from bot.tables.model import Phase, Table
from tests.process.person import Person, Seen
from tests.process.watch import history, stale, tables
from tests.simulation import virtual
from tests.simulation.histories import explain, lost, steps_of
from tests.simulation.reading import Reader
from tests.simulation.wrong import Leaked, Lost, Unanswered

if TYPE_CHECKING:
    from tests.simulation.universe import Universe

DEADLINE_SECONDS: Final = 3.0
"""How long Discord waits for an answer."""

CLOCK_SECONDS: Final = 0.25
"""How wrong the bot's clock may be by itself."""
LOOKED_SECONDS: Final = 0.1
"""How long after the bot has identified itself it gets the first click, not counting the network."""
UNRECORDED_SECONDS: Final = 0.1
"""How long after its sending the place of a message is recorded, not counting the network."""


class Checks:
    """The checks of one run, that of *universe*."""

    def __init__(self, universe: "Universe") -> None:
        self._universe = universe
        self._reader: Reader | None = None
        self._known: dict[str, Table] = {}

    # In the end

    def behind(self) -> str:
        """What does not show the newest state; empty: everything does."""
        universe = self._universe
        now = tables(universe.store)
        if self._reader is None or now != self._known:
            self._known, self._reader = now, Reader(universe.discord, {name: [it] for name, it in now.items()})
            for person in universe.people:
                for message in person.messages.values():
                    self._reader.shows(message)
        for table in now.values():
            if table.phase is Phase.PLAYING:
                by_dm = [p for p in universe.people if self._by_dm(table, p)]
                if found := stale(by_dm or universe.people, table, universe.discord):
                    return found
        for person in universe.people:
            for message in person.messages.values():
                if self._reader.shows(message) is None or self._orphaned(message):
                    continue
                if self._reader.version(person, message) is None:
                    differs = self._reader.nearest(person, message)
                    return f"{person.name} sees something old, message {message.id}:\n{differs}"
        return ""

    def _orphaned(self, message: Seen) -> bool:
        """Whether *message* is a private answer that was sent just when the process was killed, or whose response was
        lost. Then nobody can find it again (docs/simulation.md)."""
        sent = snowflake_time(message.id) / 1000 - virtual.EPOCH
        held_up = [end for begin, end in self._universe.held_up if begin <= sent + self._lag <= end + self._lag]
        until = max([sent, *held_up]) + self._lag + UNRECORDED_SECONDS
        if any(abs(sent - at) <= self._lag + UNRECORDED_SECONDS for at in self._universe.unheard):
            return message.private
        return message.private and any(sent <= killed <= until for killed in self._universe.machine.kills)

    @property
    def _lag(self) -> float:
        """How long a request and its response take at most, s."""
        return 2 * self._universe.plan.lag[1]

    def _by_dm(self, table: Table, person: Person) -> bool:
        seat = table.seat_of(person.id)
        return seat is not None and table.players[seat].by_dm

    # Of the whole run

    def check(self) -> None:
        """Everything that must hold of the whole run.

        Raises:
            Wrong: something does not.
        """
        versions = history(self._universe.store)
        self._check_reading({name: [table for _, table in steps] for name, steps in versions.items()})
        clicks = [click for player in self._universe.players for click in player.clicks]
        for name, steps in versions.items():
            here = [it._replace(made=it.made + virtual.EPOCH) for it in clicks if it.press.table == name]
            explain(steps_of(steps), here, CLOCK_SECONDS + self._universe.machine.steady)
            for click in lost(steps_of(steps), here):
                made = click.made - virtual.EPOCH
                if not self._excused(made):
                    raise Lost(f"{click.person.name}'s move at ply {click.press.ply}, clicked at {made:.2f}")
        self._check_answers()

    def _check_reading(self, versions: dict[str, list[Table]]) -> None:
        """Everybody received only what their view holds."""
        reader = Reader(self._universe.discord, versions)
        received = [
            (person, Seen(event["d"]))
            for person in self._universe.discord.people
            for event in person.received
            if event["t"] in ("MESSAGE_CREATE", "MESSAGE_UPDATE")
        ]
        for _, message in received:
            reader.shows(message)
        for person, message in received:
            if reader.shows(message) is not None and reader.version(person, message) is None:
                differs = reader.nearest(person, message)
                raise Leaked(
                    f"{person.name} received what follows from no view of theirs, message {message.id}:\n{differs}"
                )

    def _check_answers(self) -> None:
        """Every click was answered, or the bot could not."""
        for player in self._universe.players:
            for nonce, (made, message) in player.sent.items():
                outcome = player.person.outcomes.get(nonce)
                if outcome is None and made < virtual.now() - 2 * DEADLINE_SECONDS:
                    raise Unanswered(f"no outcome of {nonce}, clicked at {made:.2f}")
                if outcome != "INTERACTION_FAILURE" or self._excused(made) or self._refused(nonce, made):
                    continue
                if not self._deleted(message, made):
                    raise Unanswered(f"{nonce}, clicked at {made:.2f}, was not answered")

    def _excused(self, made: float) -> bool:
        """Whether the bot was not there, or cut off, when what was clicked at *made* had to be answered."""
        return any(
            begin <= made + DEADLINE_SECONDS and made <= end + 0.1 + self._universe.plan.lag[1]
            for begin, end in self._universe.downs
        )

    def _refused(self, nonce: str, made: float) -> bool:
        """Whether something went wrong with the interaction *nonce*, made at *made*, or with an answer to it."""
        world = self._universe.server.world
        interaction = next(it for it in world.interactions.values() if it.nonce == nonce)
        return any(
            interaction.token in path or (path == "/interactions" and made <= at <= made + self._lag)
            for at, path in self._universe.faulty
        )

    def _deleted(self, message: int, made: float) -> bool:
        """Whether *message* was deleted just when it was clicked: the click was not yet known when that was decided."""
        deleted = (it for it in self._universe.server.requests.after(0) if it["method"] == "DELETE")
        times = [it["time"] / 1000 - virtual.EPOCH for it in deleted if it["path"].endswith(f"/{message}")]
        return any(made - self._lag <= at <= made + 1.5 * self._lag for at in times)
