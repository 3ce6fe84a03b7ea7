"""Possible hidden cards of a two-player table as one seat knows it, by a particle filter. Each possibility is a *world*
that agrees with everything that the seat has witnessed in this round. Its weight is the chance that a good player does
there what the opponent has done. The seat is seat 0 in all worlds.

If a world lacks the card that is shown, the card replaces one that could be any.
"""

from collections.abc import Sequence

import numpy as np

from engine.game import Seat
from engine.games.diciassette import features as f
from engine.games.diciassette.choices import CALL
from engine.games.diciassette.memory import Memory
from engine.games.diciassette.remembered import ME, OTHER, RoundStart, reconstruct_round
from engine.games.diciassette.styles import FACE_DOWN_CHOICES
from engine.games.diciassette.tables import (
    FULL,
    KIND_OF,
    KINDS,
    OPEN,
    PLAIN,
    DecisionRows,
    Flags,
    Ints,
    SimulatedTables,
)
from engine.games.diciassette.view import View
from engine.network import IMPOSSIBLE, Floats, Policy, softmax


class Worlds(SimulatedTables):
    """Many possible states (worlds) of a two-player table as seat 0 knows it, each with a weight. In every world the
    cards that seat 0 sees are the real ones."""

    TRUST = 0.6
    """How strongly the opponent's actions change the weights: 1 as much as the policy says, 0 not at all. The opponent
    may decide otherwise, and some worlds should be left. (In 300 games, 0.6 won 54.8 ± 2.8 % against 1.)"""

    def __init__(self, begun: RoundStart, count: int, rng: np.random.Generator) -> None:
        """Make *count* worlds of a round that started as *begun*. Cards that seat 0 does not know are dealt by
        *rng*."""
        self.reset(np.full(count, 2), rng)
        self.weights = np.ones(count)
        self.plays = np.zeros(count, np.int64)
        self.drawn: list[int | Ints] = []
        self.tops: list[int] = []
        """The next drawn cards and the next top cards, as in ``apply_choices``."""
        backs = np.array(begun.open_backs)
        self.hands[:, ME], self.hands[:, OTHER] = begun.hand, backs
        self.gone[:], self.own_gone[:, ME] = begun.seen, begun.own
        self.discard[:] = begun.seen + begun.own
        self.draw[:] = FULL - begun.hand - backs - begun.seen - begun.own
        self.victory[:, :2], self.penalty[:, :2] = begun.victory, begun.penalty
        self.turn[:] = begun.starter
        everywhere = np.arange(count)
        if begun.top >= 0 and OPEN[begun.top]:
            self.top[:] = begun.top
            self.draw[:, begun.top] -= 1
        for _ in range(begun.plain_backs):
            self.hands[everywhere, OTHER, self._draw_plain_cards(everywhere)] += 1
        for _ in range(begun.lost):
            kinds = self._draw_plain_cards(everywhere)
            self.own_gone[everywhere, OTHER, kinds] += 1
            self.discard[everywhere, kinds] += 1
        if begun.top >= 0 and PLAIN[begun.top]:
            self.top[:] = self._draw_plain_cards(everywhere)

    def _draw_plain_cards(self, worlds: Ints) -> Ints:
        """Draw a random plain-backed card from the draw pile in each of *worlds* and return its kind. A world without
        such a card gets weight 0."""
        pile = np.cumsum(self.draw[worlds] * PLAIN, axis=1)
        size = pile[:, -1]
        pick = (self.rng.random(len(worlds)) * size).astype(np.int64)
        found = np.where(size > 0, (pile <= pick[:, None]).sum(axis=1), -1)
        some = found >= 0
        self.draw[worlds[some], found[some]] -= 1
        self.weights[worlds[~some]] = 0
        return np.where(some, found, 0)

    def _reveal_top_card(self, tables: Ints) -> None:
        """Put the next top card that seat 0 really saw on the draw pile in all worlds, and multiply their weights by
        its chance there.

        Behind a plain back the card is random.
        """
        if not len(tables):
            return
        kind = self.tops.pop(0)
        size = np.maximum(1, self.draw[tables].sum(axis=1))
        if kind < 0:
            self.top[tables] = -1
        elif OPEN[kind]:
            self.weights[tables] *= np.maximum(0, self.draw[tables, kind]) / size
            self.draw[tables, kind] -= 1
            self.top[tables] = kind
        else:
            self.weights[tables] *= (self.draw[tables] * PLAIN).sum(axis=1) / size
            self.top[tables] = self._draw_plain_cards(tables)

    def _take_top_card(self, tables: Ints, seats: Ints) -> None:
        """Give *seats* the card that was really drawn, in all worlds; multiply their weights by its chance, if seat 0
        drew it."""
        if not len(tables):
            return
        kind = self.drawn.pop(0)
        if seats[0] == ME and PLAIN[kind].all():
            top = self.top[tables]
            self.draw[tables, top] += 1
            there = self.draw[tables, kind]
            self.weights[tables] *= np.maximum(0, there) / np.maximum(1, (self.draw[tables] * PLAIN).sum(axis=1))
            self.draw[tables, kind] -= 1
            self.top[tables] = kind
        super()._take_top_card(tables, seats)

    def sample_world_numbers(self) -> Ints:
        """Draw as many numbers of worlds as there are worlds, the likelier worlds more often; if no world agrees, all
        are equally likely."""
        total = self.weights.sum()
        if total <= 0:
            self.weights[:] = 1  # no world agrees
            total = self.weights.sum()
        bounds = np.cumsum(self.weights / total)
        points = (np.arange(self.count) + self.rng.random()) / self.count
        return np.searchsorted(bounds, points).clip(0, self.count - 1)

    def replace_all_worlds(self, places: Ints) -> None:
        """Replace all worlds with those at *places*, with equal weights."""
        for name, value in vars(self.copy_tables(places, self.rng)).items():
            setattr(self, name, value)
        self.weights = np.ones(self.count)

    def resample_and_check_agreement(self) -> bool:
        """Replace the worlds with a random sample, the likelier more often, all of equal weight; return whether any
        world agreed with what was seen."""
        agreed = bool(self.weights.any())
        self.replace_all_worlds(self.sample_world_numbers())
        return agreed

    def opponent_features(self) -> tuple[Floats, Flags]:
        """For each world, what the opponent on turn knows, as numbers for the networks, and which choices are
        allowed."""
        rows = DecisionRows(np.arange(self.count), np.full(self.count, OTHER))
        x = self.features(rows)
        return x, self.legal_choices(rows, x[:, f.GUESS + 3] > 0)

    def opponent_choice_chances(self, policy: Policy) -> Floats:
        """For each world, how likely *policy* makes each choice in the opponent's place. The opponent is on turn, and
        the shape is (worlds, ``CHOICES``)."""
        x, allowed = self.opponent_features()
        found: Floats = softmax(np.where(allowed, policy(x), IMPOSSIBLE)) * allowed
        return found

    def weigh_and_set_choice(self, policy: Policy, chosen: int, mover: int) -> None:
        """Multiply the weight of each world by how likely the opponent's choice *chosen* is there (ours: no change);
        set ``plays`` to it, or for a hidden card to a likely one in each world.

        The opponent chooses by *policy*. If *mover* is seat 0, it is our choice. Call it before the action.
        """
        self.plays[:] = chosen
        if mover == ME:
            return
        secret = chosen in FACE_DOWN_CHOICES
        if not secret and chosen != CALL and PLAIN[KIND_OF[chosen]]:
            self._ensure_opponent_holds(KIND_OF[chosen])
        chances = self.opponent_choice_chances(policy)
        if not secret:
            self.weights *= chances[:, chosen] ** self.TRUST
            return
        hidden = chances[:, FACE_DOWN_CHOICES]
        self.weights *= hidden.sum(axis=1) ** self.TRUST
        held = self.hands[:, OTHER][:, KIND_OF[FACE_DOWN_CHOICES]] > 0
        bounds = np.cumsum(hidden + 1e-9 * held, axis=1)
        lots = self.rng.random((self.count, 1)) * bounds[:, -1:]
        self.plays[:] = FACE_DOWN_CHOICES[(bounds <= lots).sum(axis=1).clip(0, len(FACE_DOWN_CHOICES) - 1)]

    def apply_choices(self, drawn: Sequence[int | Ints], tops: Sequence[int]) -> None:
        """Apply the choices in ``plays`` in every world; *drawn* are the cards drawn after them, *tops* the new top
        cards of the draw pile. Both are as in ``RememberedPlay``, but *drawn* may differ between worlds."""
        self.drawn, self.tops = list(drawn), list(tops)
        self.apply_actions(self.plays, np.full(self.count, -1))

    def _ensure_opponent_holds(self, kind: int) -> None:
        """Give the opponent a card of *kind* from the draw pile, for a random plain one, in every world where they hold
        none."""
        hands = self.hands[:, OTHER]
        for world in np.flatnonzero((hands[:, kind] == 0) & (self.draw[:, kind] > 0)):
            held = np.repeat(np.arange(KINDS), np.maximum(0, hands[world]) * PLAIN)
            if len(held):
                self.swap_opponent_card(int(world), int(self.rng.choice(held)), kind)

    def swap_opponent_card(self, world: int, instead: int, kind: int) -> None:
        """Exchange a card of the opponent in *world*: they get *kind* from the draw pile for *instead*."""
        self.hands[world, OTHER, instead] -= 1
        self.hands[world, OTHER, kind] += 1
        self.draw[world, kind] -= 1
        self.draw[world, instead] += 1


def sample_consistent_worlds(
    view: View, seat: Seat, memory: Memory, policy: Policy, count: int, rng: np.random.Generator
) -> Worlds | None:
    """Make *count* worlds of equal weight that agree with what *seat* remembers of this round; ``None`` if it knows too
    little, or none agrees.

    The opponent is taken to play by *policy*.
    """
    known = reconstruct_round(view, seat, memory)
    if known is None:
        return None
    begun, steps = known
    worlds = Worlds(begun, count, rng)
    for step in steps:
        worlds.weigh_and_set_choice(policy, step.choice, step.mover)
        if not worlds.resample_and_check_agreement():
            return None
        worlds.apply_choices(step.drawn, step.tops)
    return worlds if worlds.resample_and_check_agreement() else None
