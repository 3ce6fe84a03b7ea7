"""Self-play: the policy of 17, and its critic, which sees all cards.

Every table is played by the policy in all its seats. After some ticks (an action at every table) the policy moves
towards choices that turned out better than the critic had thought: proximal policy optimisation (Schulman et al.,
2017) with generalised advantages. A bonus for entropy, which shrinks, keeps it from becoming predictable too early;
what is kept at the end is the average of the newest networks, which is steadier than the last.

The critic gives every seat's chance to win from the open state; it learns from its own later opinion and the results,
and is afterwards the coach's.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from engine.games.diciassette import features as f
from engine.games.diciassette.cards import TARGET
from engine.games.diciassette.choices import CALL, CHOICES
from engine.games.diciassette.open_features import OPEN_SIZE
from engine.games.diciassette.search import choose_by_policy, critic_chances, seats_in_play_order
from engine.games.diciassette.tables import DecisionRows, Flags, Ints, SimulatedTables
from engine.network import IMPOSSIBLE, Floats, Network, softmax
from engine.train.network import Trainer, fresh

POLICY_SIZES: Final = (f.SIZE, 320, 128, CHOICES)
CRITIC_SIZES: Final = (OPEN_SIZE, 192, 96, 6)
"""Inputs, hidden units, outputs."""
TICKS: Final = 32
"""Actions at every table between two improvements."""
TRACE: Final = 0.95
"""The lambda of generalised advantages: how far a result reaches back beyond the critic's opinion."""
CLIP: Final = 0.2
BATCH: Final = 4096
PASSES: Final = 2
"""How often the policy learns from everything that was lived."""


TWO: Final = (1.0,)
MANY: Final = (0.0, 0.34, 0.33, 0.17, 0.16)
"""Which part of the tables have 2, 3, 4 ... seats: tables of two have networks of their own."""
EARLY_RATE: Final = 1.5e-3
LATE_RATE: Final = 3e-5
"""The learning rate at the beginning and at the end."""
EARLY_ENTROPY: Final = 0.044
LATE_ENTROPY: Final = 0.012
"""The bonus for entropy at the beginning and at the end. (With 0.004 a policy of two that had learnt for 4,000 steps
hardly mixed any more: an exploiter that searches won 70.8 ± 2.3 % of 300 games against it.)"""
STEADY_SHARE: Final = 0.01
"""While a policy is steadied, how much of the newest network goes into the average."""
STEADY_RATE: Final = 3e-4
"""The learning rate at the beginning of steadying; it ends near ``LATE_RATE``."""
PULL: Final = 0.1
"""While it is steadied, how strongly the policy is held near its own running average. Policies that learn against each
other go round in circles; this brings them to rest where they can be exploited less (Perolat et al., 2021, "From
Poincaré recurrence to convergence in imperfect information games")."""


class Experience(NamedTuple):
    """What happened at all tables in ``TICKS`` ticks: a row for every decision that counted."""

    features: Floats
    allowed: Flags
    chosen: Ints
    chance: Floats
    """The logarithm of the chance with which it was chosen."""
    advantage: Floats
    tables: Ints
    after: Floats
    """The seat's chance to win after it, as the critic says, or the result."""
    full: Flags
    """Whether the queue held 17 or more before it."""
    open: Floats
    """Open features, a row for every table and tick."""
    shares: Floats
    """What the critic should have said of them."""
    present: Flags


def sizes(count: int, shares: Sequence[float]) -> Ints:
    """Choose how many seats each of *count* tables has, in the given *shares* (as ``TWO``)."""
    bounds = (np.cumsum(shares) * count).round().astype(int)
    return 2 + np.searchsorted(bounds, np.arange(count), side="right").clip(0, len(shares) - 1)


def settle(tables: SimulatedTables, rows: DecisionRows, chosen: Ints) -> tuple[Ints, Ints, Flags]:
    """Which of the choices *chosen* for *rows* take effect at each table: (plays, callers with -1 for none, which rows
    counted).

    Calls off turn go before the decision of the player on turn, and of several calls the nearest counts (D9).
    """
    count = tables.count
    plays = chosen[:count].copy()
    callers = np.where(plays == CALL, tables.turn, -1)
    off = np.flatnonzero(chosen[count:] == CALL) + count
    counted = np.ones(len(chosen), bool)
    if len(off):
        here, seats = rows.tables[off], rows.seats[off]
        distance = (seats - tables.last[here]) * tables.direction[here] % tables.sizes[here]
        order = np.argsort(-distance, kind="stable")  # the nearest is written last
        callers[here[order]] = seats[order]
        counted[here] = False
        counted[off] = callers[here] == seats
    return plays, callers, counted


Chooser = Callable[[SimulatedTables, DecisionRows, Floats, Flags], tuple[Ints, Floats, Flags]]
"""Chooses for every row: (choices, logarithms of their chances, which rows to learn from)."""


def collect_experience(tables: SimulatedTables, choose: Chooser, critic: Network) -> Experience:
    """Play ``TICKS`` ticks at *tables* by *choose*, and return every decision that counted, with how it turned out by
    *critic*."""
    count = tables.count
    all_rows: list[tuple[int, DecisionRows, Floats, Flags, Ints, Floats, Flags]] = []
    everywhere = np.arange(count)
    opens, orders = [], []
    values = np.empty((TICKS + 1, count, 6), np.float32)
    over = np.zeros((TICKS, count), bool)
    results = np.zeros((TICKS, count, 6), np.float32)
    for tick in range(TICKS):
        seen = tables.features_with_open_cards()
        opens.append(seen)
        orders.append(seats_in_play_order(tables))
        values[tick] = critic_chances(critic, tables, seen)
        rows = tables.pending_decisions()
        x = tables.features(rows)
        allowed = tables.legal_choices(rows, x[:, f.GUESS + 3] > 0)
        chosen, chance, learns = choose(tables, rows, x, allowed)
        plays, callers, counted = settle(tables, rows, chosen)
        full = tables.queue_totals(everywhere)[rows.tables] >= TARGET
        # Nothing is learnt where there was no choice.
        counted &= learns & (allowed.sum(axis=1) > 1)
        all_rows.append((tick, DecisionRows(rows.tables[counted], rows.seats[counted]), x[counted], allowed[counted],
                         chosen[counted], chance[counted], full[counted]))  # fmt: skip
        ended = tables.apply_actions(plays, callers)
        over[tick, ended.tables] = True
        results[tick, ended.tables] = ended.shares
    values[TICKS] = critic_chances(critic, tables, tables.features_with_open_cards())
    advantages = np.empty((TICKS, count, 6), np.float32)
    later = np.empty((TICKS, count, 6), np.float32)
    ahead = np.zeros((count, 6), np.float32)
    for tick in reversed(range(TICKS)):
        later[tick] = np.where(over[tick][:, None], results[tick], values[tick + 1])
        ahead = np.where(over[tick][:, None], 0, ahead)
        ahead = (later[tick] - values[tick]) + np.float32(TRACE) * ahead
        advantages[tick] = ahead
    shares = [
        np.take_along_axis(values[tick] + advantages[tick], orders[tick], axis=1).clip(0, 1) for tick in range(TICKS)
    ]
    return Experience(
        np.concatenate([row[2] for row in all_rows]),
        np.concatenate([row[3] for row in all_rows]),
        np.concatenate([row[4] for row in all_rows]),
        np.concatenate([row[5] for row in all_rows]),
        np.concatenate([advantages[row[0]][row[1].tables, row[1].seats] for row in all_rows]),
        np.concatenate([row[1].tables for row in all_rows]),
        np.concatenate([later[row[0]][row[1].tables, row[1].seats] for row in all_rows]),
        np.concatenate([row[6] for row in all_rows]),
        np.concatenate(opens),
        np.concatenate(shares),
        np.concatenate([tables.present] * TICKS),
    )


def improve_policy(
    trainer: Trainer, lived: Experience, rate: float, entropy: float, rng: np.random.Generator, pull: float = 0.0
) -> float:
    """Change the policy's weights towards choices that turned out well in *lived*, and return its mean entropy (in
    nats).

    *pull*: how strongly it is held near its running average (times their divergence).
    """
    usual = np.zeros(0, np.float32)
    if pull:
        logits = trainer.averaged(lived.features)
        usual = np.log(softmax(np.where(lived.allowed, logits, IMPOSSIBLE)) + 1e-9)
    scale = lived.advantage.std() + 1e-6
    mean_entropy = 0.0
    batches = 0
    for _ in range(PASSES):
        order = rng.permutation(len(lived.chosen))
        for start in range(0, len(order) - BATCH // 2, BATCH):
            here = order[start : start + BATCH]
            seen = trainer.forward(lived.features[here])
            allowed, chosen = lived.allowed[here], lived.chosen[here]
            chances = softmax(np.where(allowed, seen[-1], IMPOSSIBLE))
            at = np.arange(len(here))
            log = np.log(chances + 1e-9)
            ratio = np.exp(log[at, chosen] - lived.chance[here])
            advantage = lived.advantage[here] / scale
            inside = np.where(advantage > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            push = (advantage * ratio * inside).astype(np.float32)
            wrong = chances * push[:, None]
            wrong[at, chosen] -= push
            row_entropy = -(chances * log).sum(axis=1, keepdims=True)
            wrong += np.float32(entropy) * chances * (log + row_entropy)
            if pull:
                away = log - usual[here]
                wrong += np.float32(pull) * chances * (away - (chances * away).sum(axis=1, keepdims=True))
            trainer.step(seen, wrong / np.float32(len(here)), rate)
            mean_entropy += float(row_entropy.mean())
            batches += 1
    return mean_entropy / max(1, batches)


def improve_critic(trainer: Trainer, lived: Experience, rate: float, rng: np.random.Generator) -> float:
    """Change the critic's weights towards what *lived* showed, at the learning rate *rate*, and return its mean loss
    (cross-entropy, in nats)."""
    loss = 0.0
    order = rng.permutation(len(lived.open))
    batches = 0
    for start in range(0, len(order) - BATCH // 4 + 1, BATCH // 2):
        here = order[start : start + BATCH // 2]
        seen = trainer.forward(lived.open[here])
        chances = softmax(np.where(lived.present[here], seen[-1], IMPOSSIBLE))
        loss -= float((lived.shares[here] * np.log(chances + 1e-9)).sum(axis=1).mean())
        trainer.step(seen, (chances - lived.shares[here]) / np.float32(len(here)), rate)
        batches += 1
    return loss / max(1, batches)


class Learner:
    """A policy and its critic that learn by playing against themselves, and perhaps against somebody else."""

    def __init__(
        self,
        seed: int,
        count: int = 1024,
        start: tuple[Network, Network] | None = None,
        other: Network | None = None,
        shares: Sequence[float] = MANY,
    ) -> None:
        """*count*: tables at once; *start*: the policy and the critic to begin with, instead of fresh ones; *other*:
        who has all seats but the first at every fourth table; *shares*: as ``sizes``."""
        self.rng = np.random.default_rng(seed)
        self.tables = SimulatedTables(sizes(count, shares), self.rng)
        policy, critic = start or [fresh(it, self.rng, last=0.1) for it in (POLICY_SIZES, CRITIC_SIZES)]
        self.policy, self.critic = Trainer(policy), Trainer(critic)
        self._other = other
        self._least_share = 0.003 if start is None else 0.02

    def choose(
        self, tables: SimulatedTables, rows: DecisionRows, x: Floats, allowed: Flags
    ) -> tuple[Ints, Floats, Flags]:
        """Choose for every row by the policy as it is now, or the other player at its seats; learn from the policy's
        rows alone (``Chooser``)."""
        if self._other is None:
            chosen, chance = choose_by_policy(self.policy.network, x, allowed, self.rng)
            return chosen, chance, np.ones(len(chosen), bool)
        mine = (rows.tables % 4 != 1) | (rows.seats == 0)
        chosen, chance = np.empty(len(x), np.int64), np.empty(len(x), np.float32)
        for here, network in ((mine, self.policy.network), (~mine, self._other)):
            chosen[here], chance[here] = choose_by_policy(network, x[here], allowed[here], self.rng)
        return chosen, chance, mine

    def improve(self, done: float) -> tuple[float, float]:
        """Play ``TICKS`` ticks and improve policy and critic: (entropy, the critic's loss). *done* (0 to 1): the part
        of the training that is over."""
        left = 1 - done
        rate = LATE_RATE + (EARLY_RATE - LATE_RATE) * left
        bonus = LATE_ENTROPY + (EARLY_ENTROPY - LATE_ENTROPY) * left**2
        return self._improve(rate, bonus, max(self._least_share, 0.1 * left**2), 0.0)

    def steady(self, done: float) -> tuple[float, float]:
        """Play and improve as in ``improve``, late in a training, with the policy held near its running average:
        (entropy, the critic's loss)."""
        return self._improve(STEADY_RATE * (1 - done) + LATE_RATE, LATE_ENTROPY, STEADY_SHARE, PULL)

    def _improve(self, rate: float, bonus: float, share: float, pull: float) -> tuple[float, float]:
        """Play and improve at the learning rate *rate*, with a *bonus* for entropy: (entropy, the critic's loss).

        *share* of the newest networks goes into the averages, *pull* is as in ``improve_policy``.
        """
        lived = collect_experience(self.tables, self.choose, self.critic.network)
        entropy = improve_policy(self.policy, lived, rate, bonus, self.rng, pull)
        loss = improve_critic(self.critic, lived, rate, self.rng)
        self.policy.update_weight_average(share)
        self.critic.update_weight_average(share)
        return entropy, loss


def steady(learner: Learner, steps: int, report: Callable[[str], None]) -> None:
    """Improve *learner* in *steps* steps with its policy held near its running average, and *report* a line every 20
    steps."""
    for step in range(steps):
        entropy, loss = learner.steady(step / steps)
        if step % 20 == 19:
            report(f"{step + 1} of {steps} steadying steps: entropy {entropy:.3f}, critic's loss {loss:.4f}")


def learn(learner: Learner, steps: int, report: Callable[[str], None], begin: float = 0.0) -> None:
    """Improve *learner* in *steps* steps, and *report* a line every 20 steps; *begin* (0 to 1): the part of its
    training that is over already."""
    for step in range(steps):
        entropy, loss = learner.improve(begin + (1 - begin) * step / steps)
        if step % 20 == 19:
            report(f"{step + 1} of {steps} improvements: entropy {entropy:.3f}, critic's loss {loss:.4f}")
