"""The exact distribution of the hidden cards in the queue for a viewer (hypergeometric, no sampling)."""

from collections.abc import Iterable
from functools import lru_cache
from math import comb
from typing import NamedTuple

from engine.games.diciassette.cards import PLAIN_BACKED, TARGET, Card, Face, copies_in_deck
from engine.games.diciassette.view import View


class Pool(NamedTuple):
    """The plain-backed cards that a viewer has not seen. Any of them may be a plain-backed card in the queue."""

    numbers: tuple[int, ...]
    """The counts of the 1s, 2s, 3s, 4s, 5s."""
    traps: int
    blanks: int
    """Reverse, Trash and x2, which count 0 and do nothing face down (D12)."""

    @property
    def size(self) -> int:
        """The number of cards in the pool."""
        return sum(self.numbers) + self.traps + self.blanks


class Odds(NamedTuple):
    """The distribution of some hidden cards: the chance of each sum, and the expected traps."""

    reaches: tuple[float, ...]
    """reaches[s]: the chance that they add up to s or more; index 0 .. TARGET, reaches[0] == 1."""
    traps: float
    """The expected number of traps among them."""


def count_unseen_plain_backed_cards(view: View, gone: Iterable[Card] = ()) -> Pool:
    """Count the plain-backed cards that the viewer has not seen in hand or in the queue, nor in *gone*.

    *gone* are cards of the discard pile that the viewer remembers.
    """
    counts = {card: copies_in_deck(card) for card in PLAIN_BACKED}
    for card in gone:
        if not card.open_back:
            counts[card] -= 1
    for card in view.hand:
        if not card.open_back:
            counts[card] -= 1
    for seen in view.queue:
        if seen.card is not None and not seen.card.open_back:
            counts[seen.card] -= 1
    numbers = tuple(counts[card] for card in (Card.ONE, Card.TWO, Card.THREE, Card.FOUR, Card.FIVE))
    return Pool(numbers, counts[Card.TRAP], counts[Card.REVERSE] + counts[Card.TRASH] + counts[Card.X2])


@lru_cache(maxsize=4096)
def hidden_sum_and_trap_odds(pool: Pool, hidden: int) -> Odds:
    """How likely each sum of *hidden* cards (a number) drawn from *pool* is, and how many traps to expect among them.
    Cached.

    >>> round(hidden_sum_and_trap_odds(Pool((3, 3, 3, 3, 3), 5, 15), 1).reaches[1], 4)
    0.4286
    """
    # ways[drawn][sum]: in how many ways the numbers considered so far give that many cards and that sum;
    # all sums of TARGET or more count as TARGET.
    ways = [[0] * (TARGET + 1) for _ in range(hidden + 1)]
    ways[0][0] = 1
    for number, available in enumerate(pool.numbers, start=1):
        after = [row[:] for row in ways]
        for taken in range(1, min(available, hidden) + 1):
            choices = comb(available, taken)
            for drawn in range(hidden - taken + 1):
                for value, count in enumerate(ways[drawn]):
                    if count:
                        after[drawn + taken][min(TARGET, value + number * taken)] += count * choices
        ways = after
    zeros = pool.traps + pool.blanks
    by_sum = [0] * (TARGET + 1)
    for drawn, row in enumerate(ways):
        rest = comb(zeros, hidden - drawn)
        for value, count in enumerate(row):
            by_sum[value] += count * rest
    everything = sum(by_sum)
    reaches: list[float] = []
    above = everything
    for count in by_sum:
        reaches.append(above / everything)
        above -= count
    return Odds(tuple(reaches), hidden * pool.traps / pool.size if hidden else 0.0)


class Estimate(NamedTuple):
    """What a viewer expects of the queue: the chance of 17, the traps of others, and own traps."""

    seventeen: float
    """The chance that the total is 17 or more."""
    traps: float
    """The expected number of face-down traps of others."""
    own_traps: int
    """The number of the viewer's own face-down traps."""


def estimate_17_and_traps_in_queue(view: View, gone: Iterable[Card] = ()) -> Estimate:
    """What the viewer should expect of the queue: the chance of 17, the number of others' traps, and own traps.

    *gone* is as in ``count_unseen_plain_backed_cards``.
    """
    hidden = hidden_sum_and_trap_odds(count_unseen_plain_backed_cards(view, gone), view.hidden_count)
    own = sum(seen.card is Card.TRAP and seen.face is Face.DOWN for seen in view.queue)
    return Estimate(hidden.reaches[max(0, TARGET - view.visible_sum)], hidden.traps, own)
