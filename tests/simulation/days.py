"""The deal of the day in a run: who plays alone has one attempt, whose result is stored once; what others read of it
follows from results alone, and no server has a second board."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import sqlalchemy as sa

from bot.clock import snowflake_time
from bot.daily.days import utc_day
from bot.daily.results import day_result
from bot.i18n import LOCALES, words
from bot.store.daily import Attempt, read_day_attempt
from bot.store.records import DAY_MS
from bot.tables.model import Table
from bot.ui.custom_ids import Verb
from bot.ui.daily import BoardGame, OwnDay, server_day_leaderboard_sheet, shared_day_result_sheet
from engine.registry import GAMES
from tests.process.person import Person, Seen
from tests.process.world import World
from tests.simulation.reading import bare, text_of_payload
from tests.simulation.wrong import Attempted, Leaked

_BOARDS: Final = "SELECT guild_id, day, channel_id, message_id FROM daily_boards"


class _Board(NamedTuple):
    """What the store knows of a board."""

    guild: int
    day: str
    channel: int
    message: int


class Days:
    """Looks at the deals of days in the *store* of a run, which *soloist* has played; *received* is what everybody
    received."""

    def __init__(self, world: World, store: Path, soloist: Person, received: Sequence[tuple[Person, Seen]]) -> None:
        self._soloist = soloist
        self._received = [message for _, message in received if _is_public(message, world)]
        engine = sa.create_engine(f"sqlite:///{store}")
        with engine.connect() as connection:
            rows = connection.exec_driver_sql("SELECT day, game, user_id FROM daily_attempts").all()
            self._attempts = [found for row in rows if (found := read_day_attempt(connection, *row)) is not None]
            self._boards = [_Board(*row) for row in connection.exec_driver_sql(_BOARDS)]
            self._stored = connection.exec_driver_sql("SELECT table_id FROM results").scalars().all()
        engine.dispose()

    def check(self, versions: Mapping[str, Sequence[Table]]) -> None:
        """Everything that must hold; *versions* has every version of every table, oldest first.

        Raises:
            Wrong: something does not.
        """
        played = [steps[-1] for steps in versions.values() if steps[-1].day and steps[-1].state is not None]
        self._check_attempts(played)
        self._check_deals(played)
        self._check_public()
        self._check_boards()

    def _check_attempts(self, played: Sequence[Table]) -> None:
        """Each person has one attempt a day and game; its result is that of its table, and is stored once."""
        counting = [table for table in played if not table.practice]
        known = {attempt.table: attempt for attempt in self._attempts}
        for table in counting:
            key = table.day, table.game, table.host
            others = [it.id for it in counting if (it.day, it.game, it.host) == key]
            if len(others) > 1:
                raise Attempted(f"{others} are attempts of one person at the deal of {table.day}")
            attempt = known.get(table.id)
            if attempt is None:
                raise Attempted(f"{table.id} is nobody's attempt")
            expected = None if table.live else day_result(table)
            if attempt.result != expected or self._stored.count(table.id) != (0 if table.live else 1):
                times = self._stored.count(table.id)
                raise Attempted(f"{table.id}: its result is {attempt.result}, not {expected}; stored {times} times")
        done = {(attempt.day, attempt.game, attempt.user) for attempt in self._attempts if attempt.result is not None}
        for table in played:
            if table.practice and (table.day, table.game, table.host) not in done:
                raise Attempted(f"{table.id} is practice before the attempt is over")

    @staticmethod
    def _check_deals(played: Sequence[Table]) -> None:
        """Everybody gets the same cards, in practice too."""
        deals = {(table.day, table.game, str(table.deal)) for table in played}
        if len(deals) != len({deal[:2] for deal in deals}):
            raise Attempted(f"the cards of a day are dealt in more than one way: {deals}")

    def _check_public(self) -> None:
        """What everybody may read is made of results alone."""
        may = {*self._shared(), *self._board_days()}
        for message in self._received:
            if bare(message) not in may:
                raise Leaked(f"everybody received what does not follow from a result: {message.text}")

    def _shared(self) -> Iterator[str]:
        """What somebody can share."""
        for attempt in self._attempts:
            if attempt.result is None:
                continue
            for rounds in ((), attempt.rounds or ()):
                own = OwnDay(
                    game=attempt.game,
                    day=attempt.day,
                    result=attempt.result,
                    rounds=rounds,
                    percentile=None,
                    people=1,
                    in_a_row=1,
                    here=(),
                )
                for locale in LOCALES:
                    yield text_of_payload(shared_day_result_sheet(own, self._soloist.name, words(locale)).payload)

    def _board_days(self) -> dict[str, str]:
        """What a board can show -> its day: nobody of them has agreed to be named."""
        games = [game for game, rules in GAMES.items() if rules.daily is not None]
        sent = {snowflake_time(message.id) - before for message in self._received for before in (0, DAY_MS)}
        found = {}
        for day in sorted({utc_day(at) for at in sent}):
            for counts in _counts(games, [it for it in self._attempts if it.day == day and it.result is not None]):
                for locale in LOCALES:
                    shown = [BoardGame(game, [], counts[game]) for game in games]
                    found[text_of_payload(server_day_leaderboard_sheet(day, shown, words(locale)).payload)] = day
        return found

    def _check_boards(self) -> None:
        """No server has a second board in a day, and the one that it has is known."""
        days = self._board_days()
        sent = {message.id: message for message in self._received if bare(message) in days}
        places: dict[tuple[int, str], set[int]] = {}
        for message in sent.values():
            places.setdefault((message.channel, days[bare(message)]), set()).add(message.id)
        known = {(board.channel, board.day): board.message for board in self._boards}
        for place, messages in places.items():
            if messages != {known.get(place)}:
                raise Attempted(f"{len(messages)} boards of a day in {place}: {messages}, known: {known.get(place)}")


def _is_public(message: Seen, world: World) -> bool:
    """Whether *message* is a board or a shared result."""
    return is_about_days(message) and not message.private and not message.direct(world)


def is_about_days(message: Seen) -> bool:
    """Whether one can play a deal of the day from *message*."""
    return message.press(Verb.DAY) is not None


def _counts(games: Collection[str], done: Sequence[Attempt]) -> Iterator[dict[str, int]]:
    """How many may have finished each of *games*, at any moment: *done* are the attempts that are over in the end."""
    found: list[dict[str, int]] = [{}]
    for game in games:
        most = sum(attempt.game == game for attempt in done)
        found = [{**one, game: count} for one in found for count in range(most + 1)]
    yield from found
