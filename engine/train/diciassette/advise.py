"""The advisor: what a seat may expect of every choice, and whether the queue holds 17, learnt from finished self-play.

The policy does not change any more. At half of the tables somebody now and then chooses at random, so that choices are
tried which the policy would not make; what they are worth is what the critic, which sees all cards, says right after.
The belief about the queue is learnt at the other tables, where everybody lays down what the policy lays down.
"""

from typing import Final

import numpy as np

from engine.games.diciassette import features as f
from engine.games.diciassette.choices import CHOICES
from engine.games.diciassette.search import choose_by_policy, sample_choices
from engine.games.diciassette.tables import DecisionRows, Flags, Ints, SimulatedTables
from engine.network import Floats, Network, sigmoid
from engine.train.diciassette.learn import BATCH, Experience, collect_experience, improve_critic
from engine.train.network import Trainer, fresh

ADVISOR_SIZES: Final = (f.SIZE, 160, 80, CHOICES + 1)
TRIED: Final = 0.1
"""How many choices a table makes at random in a tick, on average, where some are."""


class Adviser:
    """Trains the advisor, and the critic to judge the policy as it is now."""

    def __init__(
        self,
        policy: Network,
        critic: Trainer,
        tables: SimulatedTables,
        rng: np.random.Generator,
        start: Network | None = None,
    ) -> None:
        """*policy* plays at *tables*; *start*: the advisor to begin with, instead of a fresh one."""
        self.advisor = Trainer(start or fresh(ADVISOR_SIZES, rng, last=0.1))
        self.critic = critic
        self._policy = policy
        self._tables = tables
        self._rng = rng
        self._steps = 0

    def choose(
        self, tables: SimulatedTables, rows: DecisionRows, x: Floats, allowed: Flags
    ) -> tuple[Ints, Floats, Flags]:
        """Choose for every row by the policy, and at tables with odd numbers now and then at random
        (``learn.Chooser``)."""
        chosen, chance = choose_by_policy(self._policy, x, allowed, self._rng)
        anything = tables.legal_choices(rows, np.zeros(len(x), bool))
        at_random, _ = sample_choices(np.zeros_like(x[:, :CHOICES]), anything, self._rng)
        tries = self._rng.random(len(x)) < (rows.tables % 2) * TRIED / (tables.sizes[rows.tables] - 1)
        return np.where(tries, at_random, chosen), chance, np.ones(len(x), bool)

    def improve(self, rate: float) -> float:
        """Play ``TICKS`` ticks, improve critic and advisor at the learning rate *rate*, and return the advisor's mean
        loss (cross-entropy, in nats)."""
        lived = collect_experience(self._tables, self.choose, self.critic.network)
        improve_critic(self.critic, lived, rate, self._rng)
        loss = improve_advisor(self.advisor, lived, rate, self._rng)
        self._steps += 1
        # The first networks know nothing: the average forgets them soon.
        self.advisor.update_weight_average(max(0.05, 2 / (1 + self._steps)))
        self.critic.update_weight_average(0.05)
        return loss


def improve_advisor(trainer: Trainer, lived: Experience, rate: float, rng: np.random.Generator) -> float:
    """Change the advisor's weights towards what *lived* showed, at the learning rate *rate*, and return its mean loss
    (cross-entropy, in nats)."""
    loss = 0.0
    order = rng.permutation(len(lived.chosen))
    batches = 0
    for start in range(0, len(order) - BATCH // 4 + 1, BATCH // 2):
        here = order[start : start + BATCH // 2]
        seen = trainer.forward(lived.features[here])
        at = np.arange(len(here))
        wrong = np.zeros_like(seen[-1])
        chosen = lived.chosen[here]
        said = sigmoid(seen[-1][at, chosen])
        wrong[at, chosen] = said - lived.after[here]
        pure = lived.tables[here] % 2 == 0
        wrong[:, -1] = (sigmoid(seen[-1][:, -1]) - lived.full[here]) * pure
        after = lived.after[here]
        loss -= float((after * np.log(said + 1e-9) + (1 - after) * np.log(1 - said + 1e-9)).mean())
        trainer.step(seen, wrong / np.float32(len(here)), rate)
        batches += 1
    return loss / max(1, batches)
