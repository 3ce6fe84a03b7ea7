"""Matches of two players of 17 at many tables at once: thousands of games in seconds.

What the real computer player does with a view, a ``Player`` does with rows; matches over the real rules are played by
``engine.tournament``.
"""

from typing import Final, NamedTuple

import numpy as np

from engine.games.diciassette import features as f
from engine.games.diciassette.search import sample_choices
from engine.games.diciassette.styles import Style
from engine.games.diciassette.tables import SimulatedTables
from engine.network import Floats, Network
from engine.train.diciassette.learn import settle


class Player(NamedTuple):
    """A network, and the style in which it is used."""

    network: Network
    style: Style = Style()

    def logits(self, seen: Floats, rng: np.random.Generator) -> Floats:
        """The logit of every choice for every row of features *seen*, in the player's style, with its random errors."""
        errors = rng.standard_normal(len(seen), dtype=np.float32)
        seen = self.style.perceived_features(seen, errors)
        return self.style.adjusted_logits(self.network(seen), seen)


FREE: Final = Style(certain=0.0)
"""The style of who does just what a network says."""


def share(first: Player, second: Player, games: int, seed: int) -> tuple[float, float]:
    """Play about *games* games of two: (the share that *first* wins in seat 0 against *second*, the standard error).

    Joint wins are shared. The same *seed* plays the same games.
    """
    rng = np.random.default_rng(seed)
    each = 2
    count = max(16, games // each)
    tables = SimulatedTables(np.full(count, 2), rng)
    shares: list[float] = []
    left = np.full(count, each)
    while left.any():
        rows = tables.pending_decisions()
        mine = rows.seats == 0
        x = tables.features(rows, np.where(mine, first.style.remembers, second.style.remembers))
        allowed = tables.legal_choices(rows, x[:, f.GUESS + 3] > 0)
        logits = np.empty((len(x), allowed.shape[1]), np.float32)
        logits[mine] = first.logits(x[mine], rng)
        logits[~mine] = second.logits(x[~mine], rng)
        chosen, _ = sample_choices(logits, allowed, rng)
        plays, callers, _ = settle(tables, rows, chosen)
        ended = tables.apply_actions(plays, callers)
        # The same number of games from every table, or short games would count more.
        counts = left[ended.tables] > 0
        shares += ended.shares[counts, 0].tolist()
        left[ended.tables[counts]] -= 1
    return float(np.mean(shares)), float(np.std(shares) / len(shares) ** 0.5)
