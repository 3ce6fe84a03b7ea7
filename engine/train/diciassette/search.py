"""An exploiter of the policy of 17 that searches, two players: the strongest opponent that we can build.

It plays against an exact model of its opponent. It keeps many *worlds*, each of which agrees with everything that it
has witnessed and counts as much as the policy is likely to have done there what it did (a particle filter). For every
choice it plays each of these worlds to the end of the round, as the policy would, and asks the critic, which sees all
cards, how the game stands then.

Two things are rough: where a world has not got the card that is shown, the card takes the place of one that could be
any; and at a reveal the worlds take over the queue, but keep the opponent's hand.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from engine.games.diciassette import features as f
from engine.games.diciassette.choices import CALL, PLAYS
from engine.network import IMPOSSIBLE, Floats, Network, softmax
from engine.train.diciassette.learn import Policy, ask, judge
from engine.train.diciassette.tables import KIND_OF, KINDS, OPEN, PLAIN, Ints, Rows, Tables

ME: Final = 0
MODEL: Final = 1
"""The seats of the exploiter and of the policy."""
LOOKAHEAD: Final = 12
"""Actions that are played through at most."""
SECRETLY: Final = np.flatnonzero([play.hidden for play in PLAYS])
"""The choices that lay a card face down."""


class Truth(Tables):
    """The one real table. It notes every card that is drawn and every top card that is turned up."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.script: list[int] = []
        super().__init__(np.array([2]), rng)

    def _turn_up(self, tables: Ints) -> None:
        super()._turn_up(tables)
        if len(tables):
            self.script.append(int(self.top[0]))

    def _give(self, tables: Ints, seats: Ints) -> None:
        super()._give(tables, seats)
        if len(tables):
            self.script.append(int(self.top[0]))


class Worlds(Tables):
    """What the table may be, as seat 0 knows it: every world follows the script of the truth where seat 0 sees it."""

    def __init__(self, truth: Truth, count: int, rng: np.random.Generator) -> None:
        for name, value in vars(truth.taken(np.zeros(count, np.int64), rng)).items():
            setattr(self, name, value)
        self.weights = np.ones(count)
        self.plays = np.zeros(count, np.int64)
        self.script: list[int] = []
        # Whatever only the opponent knows goes back to the draw pile, and is drawn anew.
        everywhere = np.arange(count)
        hidden = [at for at in range(int(truth.length[0])) if truth.hidden[0, at] and truth.owners[0, at] == MODEL]
        held = int(truth.hands[0, MODEL] @ PLAIN)
        gone = truth.own_gone[0, MODEL].copy()
        self.draw += truth.hands[0, MODEL] * PLAIN + truth.secret[0, MODEL] + gone
        self.hands[:, MODEL] *= OPEN
        self.secret[:, MODEL] = 0
        self.own_gone[:, MODEL] = 0
        self.discard -= gone
        if truth.top[0] >= 0 and PLAIN[truth.top[0]]:
            self.draw[:, truth.top[0]] += 1
            self.top[:] = self._any_plain(everywhere)
        for at in hidden:
            self.kinds[:, at] = self._any_plain(everywhere)
            self.secret[everywhere, MODEL, self.kinds[:, at]] += 1
        for _ in range(held):
            self.hands[everywhere, MODEL, self._any_plain(everywhere)] += 1
        for _ in range(int(gone.sum())):
            kinds = self._any_plain(everywhere)
            self.own_gone[everywhere, MODEL, kinds] += 1
            self.discard[everywhere, kinds] += 1

    def _any_plain(self, worlds: Ints) -> Ints:
        """A plain-backed card taken from each draw pile; from a pile without one, whatever it is taken for, -1."""
        pile = np.cumsum(self.draw[worlds] * PLAIN, axis=1)
        size = pile[:, -1]
        pick = (self.rng.random(len(worlds)) * size).astype(np.int64)
        found = np.where(size > 0, (pile <= pick[:, None]).sum(axis=1), -1)
        some = found >= 0
        self.draw[worlds[some], found[some]] -= 1
        self.weights[worlds[~some]] = 0
        return np.where(some, found, 0)

    def _turn_up(self, tables: Ints) -> None:
        if not len(tables):
            return
        kind = self.script.pop(0)
        size = np.maximum(1, self.draw[tables].sum(axis=1))
        if kind < 0:
            self.top[tables] = -1
        elif OPEN[kind]:
            self.weights[tables] *= np.maximum(0, self.draw[tables, kind]) / size
            self.draw[tables, kind] -= 1
            self.top[tables] = kind
        else:
            self.weights[tables] *= (self.draw[tables] * PLAIN).sum(axis=1) / size
            self.top[tables] = self._any_plain(tables)

    def _give(self, tables: Ints, seats: Ints) -> None:
        if not len(tables):
            return
        kind = self.script.pop(0)
        if seats[0] == ME and PLAIN[kind]:
            top = self.top[tables]
            self.draw[tables, top] += 1
            there = self.draw[tables, kind]
            self.weights[tables] *= np.maximum(0, there) / np.maximum(1, (self.draw[tables] * PLAIN).sum(axis=1))
            self.draw[tables, kind] -= 1
            self.top[tables] = kind
        super()._give(tables, seats)

    def resample(self) -> None:
        """As many worlds as before, the likelier ones more often; all count alike."""
        total = self.weights.sum()
        if total <= 0:
            self.weights[:] = 1  # nothing agrees
            total = self.weights.sum()
        bounds = np.cumsum(self.weights / total)
        places = np.searchsorted(bounds, (np.arange(self.count) + self.rng.random()) / self.count).clip(
            0, self.count - 1
        )
        script = self.script
        for name, value in vars(self.taken(places, self.rng)).items():
            setattr(self, name, value)
        self.script = script
        self.weights = np.ones(self.count)

    def follow(self, policy: Policy, chosen: int, mover: int) -> None:
        """Choose in ``plays`` what is done in every world when *mover* does *chosen* in truth, and weigh the worlds by
        how likely the policy is to do it. To be called before the action."""
        everywhere = np.arange(self.count)
        self.plays[:] = chosen
        if mover == ME:
            return
        rows = Rows(everywhere, np.full(self.count, MODEL))
        secret = chosen in SECRETLY
        if not secret and chosen != CALL and PLAIN[KIND_OF[chosen]]:
            self._hold(KIND_OF[chosen])
        x = self.features(rows)
        allowed = self.legal(rows, x[:, f.GUESS + 3] > 0)
        chances = softmax(np.where(allowed, policy(x), IMPOSSIBLE)) * allowed
        if not secret:
            self.weights *= chances[:, chosen]
            return
        hidden = chances[:, SECRETLY]
        self.weights *= hidden.sum(axis=1)
        bounds = np.cumsum(hidden + 1e-9 * allowed[:, SECRETLY], axis=1)
        lots = self.rng.random((self.count, 1)) * bounds[:, -1:]
        self.plays[:] = SECRETLY[(bounds <= lots).sum(axis=1).clip(0, len(SECRETLY) - 1)]

    def _hold(self, kind: int) -> None:
        """See to it that the opponent holds *kind* in every world."""
        hands = self.hands[:, MODEL]
        for world in np.flatnonzero((hands[:, kind] == 0) & (self.draw[:, kind] > 0)):
            held = np.repeat(np.arange(KINDS), np.maximum(0, hands[world]) * PLAIN)
            if len(held):
                instead = int(self.rng.choice(held))
                self._swap_hand(int(world), instead, kind)

    def _swap_hand(self, world: int, instead: int, kind: int) -> None:
        """Give the opponent *kind* from the draw pile for *instead*."""
        self.hands[world, MODEL, instead] -= 1
        self.hands[world, MODEL, kind] += 1
        self.draw[world, kind] -= 1
        self.draw[world, instead] += 1

    def reveal(self, truth: Truth) -> None:
        """Let the opponent's hidden cards in the queue be what they are in *truth*, as a call shows them: each changes
        places with a card that it could have been."""
        length = int(truth.length[0])
        for at in np.flatnonzero(truth.hidden[0, :length] & (truth.owners[0, :length] == MODEL)):
            kind = int(truth.kinds[0, at])
            for world in np.flatnonzero(self.kinds[:, at] != kind):
                was = int(self.kinds[world, at])
                self.kinds[world, at] = kind
                self.secret[world, MODEL, was] -= 1
                self.secret[world, MODEL, kind] += 1
                later = np.flatnonzero(self.hidden[world, :length] & (self.kinds[world, :length] == kind))
                later = later[(later > at) & (self.owners[world, later] == MODEL)]
                if self.draw[world, kind] > 0:
                    self.draw[world, [kind, was]] += [-1, 1]
                elif self.hands[world, MODEL, kind] > 0:
                    self.hands[world, MODEL, [kind, was]] += [-1, 1]
                elif self.own_gone[world, MODEL, kind] > 0:
                    self.own_gone[world, MODEL, [kind, was]] += [-1, 1]
                    self.discard[world, [kind, was]] += [-1, 1]
                elif self.top[world] == kind:
                    self.top[world] = was
                elif len(later):
                    self.kinds[world, later[0]] = was
                    self.secret[world, MODEL, [kind, was]] += [-1, 1]


def values(worlds: Worlds, options: Ints, policy: Policy, critic: Network, count: int) -> Floats:
    """What each of *options* is worth to seat 0, who is on turn: its mean chance to win in *count* of *worlds*, which
    all count alike."""
    rng = worlds.rng
    tables = worlds.taken(np.tile(np.arange(worlds.count)[:count], len(options)), rng)
    plays = np.repeat(options, count)
    worth = np.zeros(tables.count, np.float32)
    where = np.arange(tables.count)
    for step in range(LOOKAHEAD):
        rounds = tables.rounds.copy()
        callers = np.where(plays == CALL, tables.turn, -1)
        ended = tables.act(plays, callers)
        worth[where[ended.tables]] = ended.shares[:, ME]
        going = np.ones(tables.count, bool)
        going[ended.tables] = False
        at_rest = going & ((tables.rounds != rounds) | (step == LOOKAHEAD - 1))
        if at_rest.any():
            worth[where[at_rest]] = judge(critic, tables, tables.open_features())[at_rest, ME]
        going &= ~at_rest
        if not going.any():
            break
        tables, where = tables.taken(np.flatnonzero(going), rng), where[going]
        rows = tables.due()
        x = tables.features(rows)
        plays, _ = ask(policy, x, tables.legal(rows, x[:, f.GUESS + 3] > 0), rng)
    means: Floats = worth.reshape(len(options), count).mean(axis=1)
    return means


def play(
    policy: Policy,
    critic: Network,
    seed: int,
    count: int = 128,
    watch: Callable[[Truth, Worlds], None] | None = None,
) -> float:
    """What the exploiter gets of one game against *policy*, which has seat 1: 1 for a win, 0.5 for a joint one.

    *count*: how many worlds it keeps; *watch* sees them before every decision of its own.
    """
    rng = np.random.default_rng(seed)
    truth = Truth(rng)
    worlds = Worlds(truth, count, rng)
    while True:
        rows = truth.due()
        mover = int(rows.seats[0])
        x = truth.features(rows)
        allowed = truth.legal(rows, x[:, f.GUESS + 3] > 0)
        possible = np.flatnonzero(allowed[0])
        if len(possible) == 1:
            chosen = int(possible[0])
        elif mover == MODEL:
            chosen = int(ask(policy, x, allowed, rng)[0][0])
        else:
            worlds.resample()
            if watch is not None:
                watch(truth, worlds)
            chosen = int(possible[values(worlds, possible, policy, critic, count).argmax()])
        worlds.follow(policy, chosen, mover)
        if not worlds.weights.any():
            worlds = Worlds(truth, count, rng)
            worlds.follow(policy, chosen, mover)
        worlds.resample()
        caller = -1
        if chosen == CALL:
            caller = mover
            worlds.reveal(truth)
        truth.script.clear()
        ended = truth.act(np.array([chosen]), np.array([caller]))
        if len(ended.tables):
            return float(ended.shares[0, ME])
        worlds.script = list(truth.script)
        worlds.act(worlds.plays, np.full(count, caller))
