"""Whether what the networks of 17 say comes true: on games of self-play that nobody has learnt from."""

from typing import Final, NamedTuple

import numpy as np

from engine.games.diciassette import features as f
from engine.games.diciassette.cards import TARGET
from engine.games.diciassette.choices import CALL
from engine.games.diciassette.learnt import Networks
from engine.games.diciassette.search import choose_by_policy, critic_chances
from engine.games.diciassette.tables import Flags, Ints, SimulatedTables
from engine.network import Floats, sigmoid
from engine.train.diciassette.learn import settle

BINS: Final = 10


class Row(NamedTuple):
    """All that was said to happen with chances in one tenth of the scale."""

    said: float
    """The mean of what was said."""
    happened: float
    """How often it happened."""
    times: int


class Calibration(NamedTuple):
    """What was said of some games, and what happened; the rows from low chances to high, empty ones left out."""

    chances: tuple[Row, ...]
    """Of every seat's chance to win, all cards open, at every tick."""
    options: tuple[Row, ...]
    """Of the chance that the choice which was made would leave."""
    beliefs: tuple[Row, ...]
    """Of the belief that the queue holds 17, between turns, where it is not certain."""
    calls: tuple[Row, ...]
    """The same of those who called without having to."""


def rows(said: Floats, happened: Floats) -> tuple[Row, ...]:
    """Compare the chances *said* with what *happened* (0 to 1, the same length): a row for each tenth of the scale that
    is not empty."""
    place = (said * BINS).astype(int).clip(0, BINS - 1)
    found = [place == tenth for tenth in range(BINS)]
    return tuple(Row(float(said[it].mean()), float(happened[it].mean()), int(it.sum())) for it in found if it.any())


def error(calibration: tuple[Row, ...]) -> float:
    """The mean difference (0 to 1) between what was said and what happened, over all that was said."""
    total = sum(row.times for row in calibration)
    return sum(abs(row.said - row.happened) * row.times for row in calibration) / total


def calibration(networks: Networks, seats: int, games: int, seed: int) -> Calibration:
    """Play *games* games of *seats* by *networks*, and compare the chances that they say with what happens.

    The same *seed* plays the same games.
    """
    rng = np.random.default_rng(seed)
    policy = networks.master_logits
    tables = SimulatedTables(np.full(games, seats), rng)
    live = np.ones(games, bool)
    result = np.zeros((games, 6), np.float32)
    everywhere = np.arange(games)
    chances: list[tuple[Ints, Ints, Floats]] = []
    options: list[tuple[Ints, Ints, Floats]] = []
    beliefs: list[tuple[Floats, Flags]] = []
    calls: list[tuple[Floats, Flags]] = []
    while live.any():
        said = critic_chances(networks.critic, tables, tables.features_with_open_cards())[:, :seats]
        chances.append((np.repeat(everywhere[live], seats), np.tile(np.arange(seats), live.sum()), said[live].ravel()))
        due = tables.pending_decisions()
        x = tables.features(due)
        allowed = tables.legal_choices(due, x[:, f.GUESS + 3] > 0)
        chosen, _ = choose_by_policy(policy, x, allowed, rng)
        plays, callers, counted = settle(tables, due, chosen)
        counted &= live[due.tables] & (allowed.sum(axis=1) > 1)
        here = np.flatnonzero(counted)
        advice = sigmoid(networks.advisor(x[here]))
        options.append((due.tables[here], due.seats[here], advice[np.arange(len(here)), chosen[here]]))
        unsure = allowed[here, CALL] & (x[here, f.SUM + TARGET] == 0)
        full = (tables.queue_totals(everywhere) >= TARGET)[due.tables[here]]
        beliefs.append((advice[unsure, -1], full[unsure]))
        called = unsure & (chosen[here] == CALL)
        calls.append((advice[called, -1], full[called]))
        ended = tables.apply_actions(plays, callers)
        fresh = live[ended.tables]
        result[ended.tables[fresh]] = ended.shares[fresh]
        live[ended.tables] = False

    def outcome(parts: list[tuple[Ints, Ints, Floats]]) -> tuple[Row, ...]:
        where, who, what = zip(*parts, strict=True)
        return rows(np.concatenate(what), result[np.concatenate(where), np.concatenate(who)])

    def truth(parts: list[tuple[Floats, Flags]]) -> tuple[Row, ...]:
        what, so = zip(*parts, strict=True)
        return rows(np.concatenate(what), np.concatenate(so).astype(np.float32))

    return Calibration(outcome(chances), outcome(options), truth(beliefs), truth(calls))
