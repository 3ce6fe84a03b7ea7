"""What must hold of a run: what everybody received, what has become of their clicks, what the history says."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from bot.clock import snowflake_time
from bot.tables.model import Ending, Phase, Table
from bot.tables.record import make_record
from bot.ui.custom_ids import Verb
from engine.errors import BadRecord
from engine.record import decompress_record
from engine.tallies import totals_by_person
from engine.verify import verify
from local_discord.model import Interaction
from tests.kept import history
from tests.process.person import Person, Seen
from tests.process.watch import stale, tables
from tests.simulation import virtual
from tests.simulation.days import Days, is_about_days
from tests.simulation.histories import Step, explain, lost, misdated, steps_of, untimely, within
from tests.simulation.homes import HANDED_SECONDS, SERVED_SECONDS
from tests.simulation.reading import Reader
from tests.simulation.wrong import Failed, Homeless, Leaked, Lost, Miscounted, Unanswered, Unexplained, Unrecorded

if TYPE_CHECKING:
    from tests.simulation.universe import Universe

SOLO_VERBS: Final = (Verb.MENU, Verb.START, Verb.START_DAY)
"""What the message of a live solo table offers: one of them."""
DEADLINE_SECONDS: Final = 3.0
"""How long Discord waits for an answer."""

CLOCK_SECONDS: Final = 0.25
"""How wrong the bot's clock may be by itself."""
CUT_OFF_SECONDS: Final = 10.0
"""How soon after a response was lost the bot has found out what became of its request, if it is not cut off."""
REACHED_SECONDS: Final = 0.25
"""How long the bot may take to see a click, not counting the network."""
UNRECORDED_SECONDS: Final = 0.1
"""How long after its sending the place of a message is recorded, not counting the network."""
KNOWN_SECONDS: Final = 0.1
"""How much longer it takes until the process that serves a table knows of a click, where there are several."""
RECORDED_SECONDS: Final = 0.8
"""How much longer that may take where the database is a server: some transactions, of which any can be slow."""


class Checks:
    """The checks of one run, that of *universe*."""

    def __init__(self, universe: "Universe") -> None:
        self._universe = universe
        self._reader: Reader | None = None
        self._known: dict[str, Table] = {}

    # In the end

    def behind(self, *, lags: bool) -> str:
        """What does not show the newest state; empty: everything does. If they *lag*, table messages of running games
        may be moves behind, but not at the end of a round."""
        universe = self._universe
        now = tables(universe.store)
        if self._reader is None or now != self._known:
            self._known, self._reader = now, Reader(universe.discord, {name: [it] for name, it in now.items()})
            for person in universe.everybody:
                for message in person.messages.values():
                    self._reader.shows(message)
        overtaken, several = set[int](), universe.homes is not None
        if universe.homes is not None:
            overtaken = universe.homes.overtaken | {it for player in universe.players for it in player.forged}
        for table in now.values():
            if table.solo:
                if table.live and not overtaken & self._messages(table) and (found := self._solo_behind(table)):
                    return found
            elif table.phase is Phase.PLAYING and not overtaken & self._messages(table):
                honest = [player.person for player in universe.players if not (several and player.forged)]
                by_dm = [p for p in honest if self._by_dm(table, p)]
                if found := stale(by_dm or honest or universe.people, table, universe.discord, lags=lags):
                    return found
        for person in universe.everybody:
            for message in person.messages.values():
                if self._reader.shows(message) is None or self._orphaned(message) or message.id in overtaken:
                    continue
                if lags and self._may_lag(now, message):
                    continue
                if self._reader.version(person, message) is None:
                    differs = self._reader.nearest(person, message)
                    return f"{person.name} sees something old, message {message.id}:\n{differs}"
        return ""

    def _may_lag(self, now: dict[str, Table], message: Seen) -> bool:
        """Whether *message* is the table message of a running game whose last move has ended no round; *now* are the
        tables."""
        assert self._reader is not None
        found = self._reader.shows(message)
        if found is None or found[1]:
            return False
        table = now[found[0]]
        return table.phase is Phase.PLAYING and not table.rules.ends_round(table.recent)

    def _solo_behind(self, table: Table) -> str:
        """What is wrong with the message of the solo *table*, besides what it says; empty: nothing."""
        (soloist,) = (it for it in self._universe.everybody if it.id == table.host)
        direct = [it for it in soloist.messages.values() if it.direct(self._universe.discord) and not it.private]
        here = [it for it in direct if it.about(table.id) and any(it.press(verb) for verb in SOLO_VERBS)]
        shown = len(here) - min(len(here) - 1, sum(map(self._orphaned, here))) if here else 0
        return "" if shown == 1 or table.starting else f"{shown} messages of the solo table {table.id}"

    def _messages(self, table: Table) -> set[int]:
        """The messages of *table*."""
        everybody = (message for person in self._universe.everybody for message in person.messages.values())
        return {message.id for message in everybody if message.about(table.id)}

    def _orphaned(self, message: Seen) -> bool:
        """Whether *message* is a private answer, or a solo table's message that was sent again, just when the process
        was killed, or whose response was lost. Then nobody can find it again (docs/simulation.md)."""
        assert self._reader is not None
        lonely = message.private or self._reader.is_solo(message)
        sent = snowflake_time(message.id) / 1000 - virtual.EPOCH
        held_up = [end for begin, end in self._universe.noted.held_up if begin <= sent + self._lag <= end + self._lag]
        recorded = UNRECORDED_SECONDS + RECORDED_SECONDS * (self._universe.homes is not None)
        until = max([sent, *held_up]) + self._lag + recorded
        doubtful = [
            at
            for at in self._universe.noted.doubtful.values()
            if any(begin <= at + CUT_OFF_SECONDS and at <= end for begin, end in self._universe.noted.held_up)
        ]
        if any(abs(sent - at) <= self._lag + UNRECORDED_SECONDS for at in (*self._universe.noted.unheard, *doubtful)):
            return lonely
        kills = (killed for machine in self._universe.machines for killed in machine.kills)
        return lonely and any(sent <= killed <= until for killed in kills)

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
            explain(steps_of(steps), here, CLOCK_SECONDS + sum(it.steady for it in self._universe.machines))
            for click in lost(steps_of(steps), here, self._lag + REACHED_SECONDS):
                made = click.made - virtual.EPOCH
                if not self._excused(click.nonce, made) and not self._refused(click.nonce, made):
                    raise Lost(f"{click.person.name}'s move at ply {click.press.ply}, clicked {self._when(made)}")
            if not any(trouble.what == "clock" for trouble in self._universe.plan.troubles):
                self._check_times(steps_of(steps))
        self._check_answers()
        self._check_homes()
        self._check_failures()
        self._check_records()
        self._check_totals()

    def _check_times(self, steps: list[Step]) -> None:
        """Calls count when they were made, and turns last as long as they may."""
        universe = self._universe
        made: dict[int, list[int]] = {}
        for interaction in universe.server.world.interactions.values():
            made.setdefault(interaction.user, []).append(snowflake_time(interaction.id))
        for step in misdated(steps, made):
            raise Unexplained(f"{step.event} counts at {step.after.window}, clicked at {made.get(step.event['by'])}")
        away, unheard = (
            [(begin + virtual.EPOCH, end + virtual.EPOCH) for begin, end in spans]
            for spans in (universe.noted.absent, [*universe.noted.downs, *universe.noted.held_up])
        )
        used = [at / 1000 for times in made.values() for at in times]
        for step, lasted in untimely(steps, away, unheard, used):
            limit = step.before.turn_ms // 1000
            raise Unexplained(f"{step.event} after {lasted:.1f} s of a turn of {limit} s, away {universe.noted.absent}")

    def _check_failures(self) -> None:
        """The program has met no bug, and can go on with every table."""
        if self._universe.failures.found:
            raise Failed(self._universe.failures.found[0])
        with closing(sqlite3.connect(self._universe.store)) as database:
            for table, error in database.execute("SELECT table_id, error FROM set_aside"):
                raise Failed(f"{table} was set aside: {error}")

    def _check_homes(self) -> None:
        """Every table has one home, and soon has one again."""
        homes, shaken = self._universe.homes, self._universe.noted.shaken
        if homes is None:
            return
        forged = {message for player in self._universe.players for message in player.forged}
        for wrong, message in homes.wrong:
            if message not in forged:  # the table that a click names need not be that of its message
                raise Homeless(wrong)
        for begin, end in homes.unserved:
            kills = [(at, at) for machine in self._universe.machines for at in machine.kills]
            may = [(first, last + SERVED_SECONDS) for first, last in (*shaken, *kills)]
            if end - begin - within(may, begin, end) > HANDED_SECONDS:
                raise Homeless(f"a table has no home {self._when(begin)}, for {end - begin:.1f} s")

    def _check_records(self) -> None:
        """What is recorded of every game leads from its deal to where it is, also of those that run still."""
        with closing(sqlite3.connect(self._universe.store)) as database:
            kept = dict(database.execute("SELECT table_id, data FROM records"))
            moves: dict[str, list[Any]] = {}
            for table_id, entries in database.execute("SELECT table_id, entries FROM moves ORDER BY table_id, version"):
                moves.setdefault(table_id, []).extend(json.loads(entries))
        for name, table in tables(self._universe.store).items():
            if table.state is None:
                continue
            ended = table if not table.live else table._replace(phase=Phase.OVER, ending=Ending.ENDED)
            try:
                found = decompress_record(kept[name]) if name in kept else make_record(ended, moves.get(name, []))
                state = verify(found).state
            except BadRecord as error:
                raise Unrecorded(f"{name} at ply {table.state.ply}: {error}") from None
            if state != table.state or (name in kept) == table.live:
                raise Unrecorded(f"{name}: its record ends elsewhere than at ply {table.state.ply}")

    def _check_totals(self) -> None:
        """Every record that is marked as counted is in the totals of its people, once, and no other is. One that counts
        for nothing, as practice does, is marked with 0."""
        expected: Counter[tuple[int, str, str]] = Counter()
        with closing(sqlite3.connect(self._universe.store)) as database:
            for name, game, data in database.execute(
                "SELECT table_id, game, data FROM records WHERE counted_at > 0"
            ).fetchall():
                people = database.execute("SELECT id, user_id FROM record_people WHERE table_id = ?", (name,))
                done = totals_by_person(decompress_record(data))
                for id_, user in people:
                    expected.update({(user, game, what): n for what, n in done.get(id_, {}).items()})
            rows = database.execute("SELECT user_id, game, what, n FROM totals")
            found = {(user, game, what): n for user, game, what, n in rows}
        if found != dict(expected):
            raise Miscounted(f"the totals are {found}, but the records say {dict(expected)}")

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
        if self._universe.soloist is not None:
            store, soloist = self._universe.store, self._universe.soloist.person
            Days(self._universe.discord, store, soloist, received).check(versions)
        for person, message in received:
            if reader.shows(message) is None:
                if not is_about_days(message) and reader.astray(message):
                    raise Leaked(f"everybody received an answer to one person: {message.text}")
            elif reader.version(person, message) is None:
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
                    raise Unanswered(f"no outcome of {nonce}, clicked {self._when(made)}")
                if outcome != "INTERACTION_FAILURE" or self._excused(nonce, made) or self._refused(nonce, made):
                    continue
                if not self._deleted(message, made):
                    raise Unanswered(f"{nonce}, clicked {self._when(made)}, was not answered")

    def _when(self, at: float) -> str:
        """When that was, for people to read: as the plan and the timeline count."""
        return f"at {at - self._universe.dealt:.2f}"

    def _excused(self, nonce: str, made: float) -> bool:
        """Whether the bot was not there, or cut off, when the click *nonce*, made at *made*, had to be answered."""
        taken = snowflake_time(self._interaction(nonce).id) / 1000 - virtual.EPOCH
        due = taken + DEADLINE_SECONDS
        # What waits for the database is acknowledged meanwhile.
        due = max([due, *(end for begin, end in self._universe.noted.held_up if begin <= due and made <= end)])
        return any(
            begin <= due and made <= end + 0.1 + self._universe.plan.lag[1] for begin, end in self._universe.noted.downs
        )

    def _refused(self, nonce: str, made: float) -> bool:
        """Whether something went wrong with the interaction *nonce*, made at *made*, or with an answer to it."""
        token = self._interaction(nonce).token
        return any(
            token in path or (path == "/interactions" and made <= at <= made + self._lag)
            for at, path in self._universe.noted.faulty
        )

    def _interaction(self, nonce: str) -> Interaction:
        """The interaction *nonce*, as Discord knows it."""
        return next(it for it in self._universe.server.world.interactions.values() if it.nonce == nonce)

    def _deleted(self, message: int, made: float) -> bool:
        """Whether *message* was deleted just when it was clicked: the click was not yet known when that was decided."""
        deleted = (it for it in self._universe.server.requests.after(0) if it["method"] == "DELETE")
        times = [it["time"] / 1000 - virtual.EPOCH for it in deleted if it["path"].endswith(f"/{message}")]
        by_hand = (at for at, other in self._universe.noted.deleted if other == message)
        if any(made - self._lag <= at <= made + self._lag + DEADLINE_SECONDS for at in by_hand):
            return True
        known = 1.5 * self._lag + KNOWN_SECONDS * (self._universe.homes is not None)
        return any(made - self._lag <= at <= made + known for at in times)
