"""What people chose in the deal of a day, and how many chose the same at the same moment. Pure.

Everybody gets the same cards and computer players. So all that has been done since the deal fixes the whole situation:
two people with the same actions behind them are at the same moment, see the same, and may choose.
"""

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

from bot.daily.days import PERSON_SEAT
from bot.daily.results import MIN_PEOPLE, round_outcomes
from engine.fair import canonical_json
from engine.game import RoundOutcome
from engine.record import ActionEntry, Record
from engine.registry import GAMES, AnyGame
from engine.replay import Moment, replay

MIN_AT_MOMENT: Final = 5
"""How many people must have come to the same moment before a choice there is compared: percents of fewer would say
little, and might tell what a certain person did."""
_KEY_BYTES: Final = 6
_MAX_BYTES: Final = 1 << 20
"""The most bytes that the choices of one attempt may have, decompressed. Real ones have some thousand."""
_NOTHING: Final = "-"
"""The choice of whoever might have called, and did not."""


class Choice(NamedTuple):
    """What somebody chose at a moment of a day's deal."""

    moment: str
    """A hash of all that had been done before."""
    chosen: str
    """What they chose, as ``encode_chosen_action`` writes it."""


class NumberedChoice(NamedTuple):
    """A choice, with the number of the moment of the replay that shows what came of it."""

    number: int
    """``engine.replay.Moment.number``."""
    choice: Choice


class ReplayedAttempt(NamedTuple):
    """What the replay of its record shows of an attempt at a day's deal."""

    rounds: tuple[RoundOutcome, ...]
    """How each of its rounds ended for the person."""
    choices: tuple[Choice, ...]
    """All that the person chose."""


class ChoiceShares(NamedTuple):
    """What people chose at one moment of a day's deal."""

    people: int
    """How many came to this moment."""
    shares: dict[str, float]
    """What they chose -> the share of them, from 0 to 1; together 1."""


class ComparedChoice(NamedTuple):
    """A choice of the reader, and what people chose at the same moment."""

    made: Any
    """The game's action; ``None``: the reader might have called, and did not."""
    people: int
    """How many came to this moment."""
    same: float
    """The share of them, from 0 to 1, who chose the same."""
    favourite: Any
    """The action that most of them chose; ``None``: not to call. It is *made* if no other was chosen more often."""
    favourite_share: float
    """The share of them who chose that."""

    @property
    def called_share(self) -> float:
        """Where the reader did not call: the share of people at the same moment, from 0 to 1, who called."""
        return 1 - self.same


def encode_chosen_action(game: AnyGame, action: Any) -> str:
    """Return the person's *action* of *game* as canonical JSON text, to be stored and compared; "-" for ``None``: they
    could have called, and did not."""
    return _NOTHING if action is None else canonical_json(game.encode_action(action)).decode()


def extract_game_choices(game: AnyGame, moments: Iterable[Moment]) -> list[NumberedChoice]:
    """Return each choice that the person made in a replayed day's deal of *game*, in order, with the number of its
    moment; not what a computer chose or what was forced.

    *moments* are all of the replay. Not to call where they might have is a choice too, unless somebody else acted on
    their turn.
    """
    found: list[NumberedChoice] = []
    key = b""
    for moment in moments:
        if not isinstance(moment.entry, ActionEntry):
            continue
        before = moment.before
        own = game.action_of_seat(PERSON_SEAT, moment.action)
        on_turn = game.on_turn(before) == PERSON_SEAT
        if on_turn:
            had_choice = own is not None and len(game.legal_actions(before, PERSON_SEAT)) > 1
            by_computer = moment.entry.by_clock
        else:
            had_choice, by_computer = PERSON_SEAT in game.callers(before), False
        if had_choice and not by_computer and moment.seats[PERSON_SEAT].kind == "person":
            found.append(NumberedChoice(moment.number, Choice(key.hex(), encode_chosen_action(game, own))))
        key = hashlib.sha256(key + canonical_json(moment.entry.action)).digest()[:_KEY_BYTES]
    return found


def replay_daily_attempt(record: Record) -> ReplayedAttempt:
    """Replay the *record* of an attempt at a day's deal; return how its rounds ended for the person and what they
    chose; or raise BadRecord if it cannot be replayed.

    Raises:
        BadRecord: it cannot be replayed.
    """
    game, moments = GAMES[record.deal.game], list(replay(record))
    choices = tuple(it.choice for it in extract_game_choices(game, moments))
    return ReplayedAttempt(round_outcomes(game, moments), choices)


def choice_frequencies_at_moment(attempts: Collection[Sequence[Choice]], moment: str) -> ChoiceShares | None:
    """Return how many people came to *moment* (``Choice.moment``) and what share of them chose what; ``None`` if there
    are fewer than 20 *attempts* or nobody came there.

    *attempts* are the choices of all attempts at the day's deal.
    """
    if len(attempts) < MIN_PEOPLE:
        return None
    counts = Counter(it.chosen for attempt in attempts for it in attempt if it.moment == moment)
    people = counts.total()
    return ChoiceShares(people, {chosen: n / people for chosen, n in counts.most_common()}) if people else None


def compare_choices(
    game: AnyGame, moments: Iterable[Moment], attempts: Collection[Sequence[Choice]]
) -> dict[int, ComparedChoice]:
    """Compare the person's choices in a day's deal with those in all *attempts*: number of the moment -> comparison;
    empty below 20 attempts, without moments that fewer than 5 people reached.

    *moments* are all of the replay of the person's game of *game*; it may be practice. With 1000 attempts it takes
    10 ms, and to read these takes 15 ms: not for the event loop.
    """
    found = {}
    for number, own in extract_game_choices(game, moments):
        said = choice_frequencies_at_moment(attempts, own.moment)
        if said is None or said.people < MIN_AT_MOMENT:
            continue
        same = said.shares.get(own.chosen, 0.0)
        favourite = max(said.shares, key=lambda it: (said.shares[it], it == own.chosen, it))
        try:
            made, most = (_decode_chosen_action(game, it) for it in (own.chosen, favourite))
        except ValueError:  # a damaged row
            continue
        found[number] = ComparedChoice(made, said.people, same, most, said.shares[favourite])
    return found


def _decode_chosen_action(game: AnyGame, chosen: str) -> Any:
    """Read the action of *game* that ``encode_chosen_action`` wrote as *chosen*, ``None`` for not calling; or raise
    ValueError if it is anything else.

    Raises:
        ValueError: *chosen* is anything else.
    """
    try:
        return None if chosen == _NOTHING else game.decode_action(json.loads(chosen))
    except RecursionError:
        raise ValueError("no choice") from None


def encode_choices(choices: Iterable[Choice]) -> bytes:
    """Write *choices* as JSON compressed with zlib, for the store; ``decode_choices`` reads it."""
    return zlib.compress(json.dumps(list(choices), separators=(",", ":")).encode(), 9)


def decode_choices(packed: bytes) -> tuple[Choice, ...]:
    """Read the choices that ``encode_choices`` wrote as *packed*; or raise ValueError if it is anything else or has
    more than 1 MiB.

    Raises:
        ValueError: *packed* is anything else.
    """
    stream = zlib.decompressobj()
    try:
        data = json.loads(stream.decompress(packed, _MAX_BYTES))
        choices = tuple(Choice(moment, chosen) for moment, chosen in data)
    except (zlib.error, TypeError, ValueError, RecursionError) as error:
        raise ValueError("no choices") from error
    if not stream.eof or not all(isinstance(part, str) for it in choices for part in it):
        raise ValueError("no choices")
    return choices
