"""Games between people who play like computers of several levels, and what the coach says of them."""

import re
from collections.abc import Iterable
from functools import cache
from random import Random

from bot.review.replay import GameCourse, judge_packed_record, replay_packed_record
from bot.ui.components import WORD_JOINER
from engine import record
from engine.coaching import Coaching
from engine.fair import Deal, DealtSeat, PlayerKind, SeededChance
from engine.game import Seat
from engine.policies import find_policy
from engine.record import FINISHED, ActionEntry, Entry, SeatChangeEntry
from engine.registry import GAMES
from engine.simulate import SimulatedGame
from tests.bot.reviews import BEGAN, SECRET, person_id

MIXED = ("computer:1", "computer:3", "computer:6")
COACHED = sorted(name for name, game in GAMES.items() if game.coach is not None)


@cache
def played(game: str, seed: int, taken_at: int = 0) -> bytes:
    """A game between people who play like computers of several levels, as its record, packed; with *taken_at* seat 0
    was a computer player's until so many actions had been made."""
    rules, policies = GAMES[game], MIXED
    kinds: list[PlayerKind] = ["computer" if taken_at else "person", "person", "person"]
    sheets = tuple(DealtSeat(person_id(seat), kind) for seat, kind in enumerate(kinds))
    options = {name: values[-1] for name, values in rules.options.items()}
    deal = Deal(game, rules.rules_version, options, sheets, (seed + 1) << 50)
    chance = SeededChance(deal.seed(SECRET))
    match = SimulatedGame(rules, [find_policy(rules, name) for name in policies], options, chance, Random(seed))
    entries: list[Entry] = []
    while not match.over:
        if taken_at and len(entries) == taken_at:
            entries.append(SeatChangeEntry(BEGAN + 1000 * len(entries), Seat(0), "person", person_id(9)))
        action = match.next_action()
        entries.append(ActionEntry(BEGAN + 1000 * len(entries), rules.encode_action(action), by_clock=False))
        match.apply(action)
    return record.compress_record(record.make_record(deal, SECRET, entries, FINISHED, rules.standings(match.state)))


@cache
def judged(game: str, seed: int) -> tuple[GameCourse, Coaching]:
    """A game, and what the coach says of it."""
    said = judge_packed_record(played(game, seed))
    assert said is not None
    return replay_packed_record(played(game, seed)), said


def signed(said: str) -> list[int]:
    """The numbers with a sign in *said*."""
    found = re.findall(r"[+−±]\d+", said.replace(WORD_JOINER, ""))
    return [int(number.replace("−", "-").replace("±", "")) for number in found]


def balances(paragraphs: Iterable[str]) -> list[list[int]]:
    """Of every player that *paragraphs* take apart: what their own mistakes cost and those of the others gave, their
    skill, luck and result."""
    lines = "\n".join(paragraphs).splitlines()
    players = [at for at, line in enumerate(lines) if line.startswith("- **") and lines[at + 1].startswith("  - ")]
    return [[*signed(lines[at + 1]), *signed(lines[at])] for at in players]
