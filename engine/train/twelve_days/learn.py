"""Learning from single hands of self-play: every decision is told how its hand ended (Deep Monte Carlo)."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.choices import COMBINATIONS
from engine.games.twelve_days.features import CHOICE, Floats, feature_count
from engine.games.twelve_days.knowledge import SeatGroup
from engine.games.twelve_days.network import OUTCOMES, Network
from engine.network import softmax
from engine.train.twelve_days.hands import Hands, dealt
from engine.train.twelve_days.play import Noted, Player, play

NO_STAKE: Final = 0.35
"""In this share of the hands a seat has no gift to lose."""


class Lesson(NamedTuple):
    """Decisions with what became of them, one in each row."""

    situations: Floats
    numbers: NDArray[np.intp]
    choices: Floats
    outcomes: NDArray[np.intp]

    def part(self, rows: NDArray[np.intp]) -> "Lesson":
        """The lesson of the decisions *rows* alone."""
        return Lesson(self.situations[rows], self.numbers[rows], self.choices[rows], self.outcomes[rows])


def random_network(told: int, choice: int, units: tuple[int, int], rng: np.random.Generator) -> Network:
    """Build a network with random weights: *told* numbers describe a situation, *choice* a choice, *units* are in the
    hidden layers."""

    def weights(into: int, out: int, spread: float) -> Floats:
        return rng.normal(0.0, spread, (into, out)).astype(np.float32)

    h, k = units
    return Network(
        situation=weights(told, h, 0.1),
        combination=weights(len(COMBINATIONS), h, 0.1),
        choice=weights(choice, h, 0.15),
        first=np.zeros(h, np.float32),
        second=weights(h, k, (2 / h) ** 0.5),
        offset=np.zeros(k, np.float32),
        last=weights(k, OUTCOMES, (1 / k) ** 0.5),
        end=np.zeros(OUTCOMES, np.float32),
    )


def fresh(room: SeatGroup, units: tuple[int, int], rng: np.random.Generator) -> Network:
    """Build a network with random weights for a player at tables of *room*, with *units* in its hidden layers."""
    return random_network(feature_count(room.opponents, room.tables), CHOICE, units, rng)


class Pupil:
    """A network that is being taught, with what Adam keeps in mind for each weight."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self._mean = [np.zeros_like(it) for it in network]
        self._square = [np.zeros_like(it) for it in network]
        self._steps = 0

    def learn(self, lesson: Lesson, rate: float) -> float:
        """Change the weights by one step of Adam, at the rate *rate*, towards the outcomes in *lesson*; return the mean
        loss before it, in nats."""
        w = self.network
        before = lesson.situations @ w.situation + w.first + w.combination[lesson.numbers] + lesson.choices @ w.choice
        one = np.maximum(before, 0)
        two = np.maximum(one @ w.second + w.offset, 0)
        chances = softmax(two @ w.last + w.end)
        n = len(chances)
        rows = np.arange(n)
        surprise = -float(np.log(np.maximum(chances[rows, lesson.outcomes], 1e-9)).mean())
        wrong = chances.copy()
        wrong[rows, lesson.outcomes] -= 1
        wrong /= n
        at_two = (wrong @ w.last.T) * (two > 0)
        at_one = (at_two @ w.second.T) * (before > 0)
        combination = np.zeros_like(w.combination)
        order = lesson.numbers.argsort(kind="stable")
        there, starts = np.unique(lesson.numbers[order], return_index=True)
        combination[there] = np.add.reduceat(at_one[order], starts, axis=0)
        slopes = Network(
            situation=lesson.situations.T @ at_one,
            combination=combination,
            choice=lesson.choices.T @ at_one,
            first=at_one.sum(axis=0),
            second=one.T @ at_two,
            offset=at_two.sum(axis=0),
            last=two.T @ wrong,
            end=wrong.sum(axis=0),
        )
        self._steps += 1
        rate *= (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
        for weights, slope, mean, square in zip(w, slopes, self._mean, self._square, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weights -= rate * mean / (np.sqrt(square) + 1e-8)
        return surprise


def make_lesson(noted: list[Noted], hands: Hands) -> Lesson:
    """Make a lesson of the decisions *noted* in *hands*, which are over: each with the outcome of its hand for the
    player."""
    which = np.concatenate([it.hands for it in noted])
    seats = np.concatenate([it.seats for it in noted])
    lost = np.where(hands.most()[which, seats], 1, 2)
    return Lesson(
        np.concatenate([it.situations for it in noted]),
        np.concatenate([it.numbers for it in noted]),
        np.concatenate([it.choices for it in noted]),
        np.where(hands.winner[which] == seats, 0, lost),
    )


def random_stakes(hands: int, seats: int, rng: np.random.Generator) -> Floats:
    """Draw for each seat what giving a gift costs it, compared to what winning the hand brings: (hands, seats).

    It is 0 if the seat has none, and with two players, where the loser always gives.
    """
    if seats == 2:
        return np.zeros((hands, seats), np.float32)
    stakes = np.where(rng.random((hands, seats)) < NO_STAKE, 0.0, rng.uniform(0.1, 1.0, (hands, seats)))
    return stakes.astype(np.float32)


def teach_by_self_play(
    pupil: Pupil, room: SeatGroup, decisions: int, rate: float, rng: np.random.Generator, *, doubt: float
) -> float:
    """Let *pupil* play about *decisions* decisions against itself and learn from them at the rate *rate*; return its
    mean loss, in nats."""
    seats = int(rng.integers(room.fewest, room.most + 1))
    n = max(8, decisions // (8 * seats))
    hands = Hands(dealt(n, seats, rng), rng.integers(0, seats, n))
    stakes = random_stakes(n, seats, rng)
    players = np.zeros((n, seats), np.intp)
    noted = play(
        hands, [Player(pupil.network)], players, stakes, room, rng, doubt=doubt, stray=0.01, forgetful=0.04, note=True
    )
    lesson = make_lesson(noted, hands)
    order = rng.permutation(len(lesson.outcomes))
    parts = np.array_split(order, max(1, len(order) // 1024))
    return float(np.mean([pupil.learn(lesson.part(rows), rate) for rows in parts]))
