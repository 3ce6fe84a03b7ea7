"""An exploiter of the strongest level of 17, two players: the strongest opponent that we can build.

It plays against an exact model of its opponent, by the real rules. It keeps many worlds, each of which agrees with
everything that it has witnessed (``worlds``). In each of them it knows what the opponent knows: so it lets the opponent
think there, as the strongest level does, and the world counts as much as the opponent is likely to have done there what
it did. Then it plays each of its own choices through in all of these worlds, and does what is best.

Only where it plays on both go by the network alone.
"""

from collections.abc import Iterable
from random import Random
from typing import Any, Final

import numpy as np

from engine import policies
from engine.fair import SeededChance
from engine.game import Seat
from engine.games.diciassette import features as f
from engine.games.diciassette.actions import Action
from engine.games.diciassette.cards import TARGET
from engine.games.diciassette.choices import PLAYS
from engine.games.diciassette.computers import choice_to_action, choose_action, considered_choices
from engine.games.diciassette.events import RoundStarted
from engine.games.diciassette.features import features
from engine.games.diciassette.game import GAME as RULES
from engine.games.diciassette.learnt import networks_for
from engine.games.diciassette.memory import Memory, remember
from engine.games.diciassette.remembered import ME, OTHER, SOME_PLAIN, RememberedPlay, RoundStart, reconstruct_round
from engine.games.diciassette.search import playout_chances, playout_choice_values
from engine.games.diciassette.state import State
from engine.games.diciassette.styles import FACE_DOWN_CHOICES, MASTER, Style
from engine.games.diciassette.tables import OPEN, PLAIN, Flags, Ints
from engine.games.diciassette.view import view, witness
from engine.games.diciassette.worlds import Worlds
from engine.network import Floats, Policy
from engine.registry import GAMES
from engine.simulate import SimulatedGame, game_seed
from engine.train.diciassette.luck import Luck
from engine.train.diciassette.more_time import TODAY, Thinker

WORLDS: Final = 48
"""What the exploiter keeps, if nothing else is said."""


class Minds(Worlds):
    """What the opponent thinks that the table may be, in each of many worlds of the exploiter: *each* worlds for each
    of them, one group after the other. The opponent is seat 0 here."""

    def __init__(self, begun: RoundStart, groups: int, each: int, rng: np.random.Generator) -> None:
        """*begun*: the round as the opponent knew it in each of the exploiter's worlds; its arrays are of shape
        (groups, 14)."""
        self.each = each
        hand, seen, own = (np.repeat(it, each, axis=0) for it in (begun.hand, begun.seen, begun.own))
        by_world = begun._replace(hand=hand, seen=seen, own=own)
        super().__init__(by_world, groups * each, rng)
        self.agree = np.ones(groups * each, bool)
        """Whether any world of its group agrees with what the opponent has witnessed."""

    def sample_world_numbers(self) -> Ints:
        """Draw as many numbers of worlds as there are in each group, the likelier ones more often; note groups without
        any that agrees."""
        weights = self.weights.reshape(-1, self.each)
        none = weights.sum(axis=1) <= 0
        self.agree[np.repeat(none, self.each)] = False
        weights[none] = 1
        bounds = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
        points = (np.arange(self.each) + self.rng.random((len(weights), 1))) / self.each
        found = (bounds[:, :, None] <= points[:, None, :]).sum(axis=1).clip(0, self.each - 1)
        places: Ints = (found + self.each * np.arange(len(weights))[:, None]).ravel()
        return places

    def keep_groups(self, groups: Ints) -> None:
        """Replace all worlds with those of the *groups* (numbers, which may repeat), in that order."""
        self.replace_all_worlds((self.each * groups[:, None] + np.arange(self.each)).ravel())

    def swap_card_in_group(self, group: int, instead: int, kind: int) -> None:
        """Exchange a card of the opponent in all worlds of *group*: it holds *kind* instead of *instead*."""
        here = slice(self.each * group, self.each * (group + 1))
        self.hands[here, ME, instead] -= 1
        self.hands[here, ME, kind] += 1
        piled = self.draw[here, kind] > 0
        held = ~piled & (self.hands[here, OTHER, kind] > 0)
        for where, pile in ((piled, self.draw[here]), (held, self.hands[here, OTHER])):
            pile[where, kind] -= 1
            pile[where, instead] += 1
        self.weights[here][~piled & ~held] = 0

    def worth(self, options: Flags, most_actions: int) -> Floats:
        """What each of *options* is worth to the opponent: of shape (groups, ``CHOICES``), 0 but for *options*. It
        plays *most_actions* through."""
        groups, chosen = np.nonzero(options)
        places = (self.each * groups[:, None] + np.arange(self.each)).ravel()
        networks, plays = networks_for(2), np.repeat(chosen, self.each)
        worth = playout_chances(self, places, plays, networks.master_logits, networks.critic, most_actions)
        found = np.zeros(options.shape, np.float32)
        found[groups, chosen] = worth.reshape(-1, self.each).mean(axis=1)
        return found


class Reader(Worlds):
    """The exploiter's worlds, with what the opponent, who plays in *style*, thinks in each of them."""

    TRUST = 1.0

    def __init__(self, begun: RoundStart, count: int, style: Style, rng: np.random.Generator) -> None:
        """*count* worlds of a round that has *begun*."""
        super().__init__(begun, count, rng)
        self.style = style
        self.given: list[int | Ints] = []
        theirs = RoundStart(
            self.hands[:, OTHER].astype(np.int64),
            (begun.hand * OPEN).tolist(),
            int(begun.hand @ PLAIN),
            self.gone.astype(np.int64),
            self.own_gone[:, OTHER].astype(np.int64),
            int(begun.own.sum()),
            begun.top,
            (begun.victory[1], begun.victory[0]),
            (begun.penalty[1], begun.penalty[0]),
            OTHER if begun.starter == ME else ME,
        )
        self.minds = Minds(theirs, count, style.worlds, rng)

    def replace_all_worlds(self, places: Ints) -> None:
        """Replace all worlds with those at *places*, with equal weights, and with what the opponent thinks in them."""
        super().replace_all_worlds(places)
        self.minds.keep_groups(places)

    def swap_opponent_card(self, world: int, instead: int, kind: int) -> None:
        """Exchange a card of the opponent in *world*, also in what the opponent knows: it gets *kind* for *instead*."""
        super().swap_opponent_card(world, instead, kind)
        self.minds.swap_card_in_group(world, instead, kind)

    def _take_top_card(self, tables: Ints, seats: Ints) -> None:
        """Give *seats* the cards that were really drawn, in all worlds, and note those of the opponent."""
        if len(tables) and seats[0] == OTHER:
            self.given.append(self.top.copy())
        super()._take_top_card(tables, seats)

    def opponent_choice_chances(self, policy: Policy) -> Floats:
        """For each world, how likely each choice of the opponent is, who searches as its style does: (worlds,
        ``CHOICES``)."""
        x, allowed = self.opponent_features()
        uncertain = (allowed.sum(axis=1) > 1) & (x[:, f.SUM + TARGET] == 0)
        self.minds.resample_and_check_agreement()
        uncertain &= self.minds.agree[:: self.minds.each]  # else it goes by the network
        logits = policy(x)
        worth = self.minds.worth(allowed & uncertain[:, None], self.style.most_actions)
        thought = self.style.logits_after_search(logits, worth, allowed)
        return self.style.choice_chances(np.where(uncertain[:, None], thought, logits), allowed)

    def step(self, it: RememberedPlay, policy: Policy) -> None:
        """Update the worlds, and what the opponent thinks in them, with the play *it*, which the exploiter has
        witnessed.

        Both play by *policy*, as the opponent thinks.
        """
        each = self.minds.each
        self.weigh_and_set_choice(policy, it.choice, it.mover)
        self.resample_and_check_agreement()
        if it.mover == ME:
            shown = int(FACE_DOWN_CHOICES[0]) if it.choice < len(PLAYS) and PLAYS[it.choice].hidden else it.choice
            self.minds.weigh_and_set_choice(policy, shown, OTHER)
            self.minds.resample_and_check_agreement()
        else:
            self.minds.plays[:] = np.repeat(self.plays, each)
        self.given.clear()
        self.apply_choices(it.drawn, it.tops)
        drawn: list[int | Ints]
        if it.mover == ME:
            drawn = [SOME_PLAIN if PLAIN[kind] else kind for kind in it.drawn]
        else:
            drawn = [np.repeat(kinds, each) for kinds in self.given]
        self.minds.apply_choices(drawn, it.tops)


class Exploiter:
    """Sits at a table of two against the strongest level, or somebody of another *style*
    (``engine.policies.SeatPlayer``)."""

    def __init__(self, seat: Seat, rng: Random, count: int = WORLDS, style: Style = TODAY) -> None:
        self._seat, self._rng, self._count, self._style = seat, rng, count, style
        self._memory: Memory | None = None
        self._known: tuple[RoundStart, list[RememberedPlay]] | None = None
        self.reader: Reader | None = None
        """Its worlds, as it has last chosen by them; ``None``: it could not tell what the table may be."""

    def choose_action(self, state: State) -> Action | None:
        """Choose the action that wins most often in the exploiter's worlds, or the network's if it knows too little;
        ``None`` off turn."""
        seen, seat = view(state, self._seat), self._seat
        if state.turn != seat:
            return None
        x = features(seen, self._memory)
        places = considered_choices(seen, seat, impossible=bool(x[f.GUESS + 3] > 0))
        known = reconstruct_round(seen, seat, self._memory) if self._memory is not None and seen.hand else None
        if known is None:
            self.reader = None
            return choose_action(seen, seat, self._rng, MASTER, self._memory)
        self._update_worlds(*known)
        assert self.reader is not None
        self.reader.resample_and_check_agreement()
        worth = playout_choice_values(
            self.reader, np.array(places), networks_for(2).master_logits, networks_for(2).critic
        )
        return choice_to_action(places[int(worth.argmax())], seat)

    def _update_worlds(self, begun: RoundStart, steps: list[RememberedPlay]) -> None:
        """Bring the exploiter's worlds up to date with this round: how it has *begun*, and its *steps*."""
        done: list[RememberedPlay] = []
        if self._known is None or self._known[1] != steps[: len(self._known[1])] or self.reader is None:
            rng = np.random.default_rng(self._rng.getrandbits(64))
            self.reader = Reader(begun, self._count, self._style, rng)
        else:
            done = self._known[1]
        for it in steps[len(done) :]:
            self.reader.step(it, networks_for(2).master_logits)
        self._known = begun, steps

    def observe_events(self, events: Iterable[Any]) -> None:
        """As ``Sitter.witness``."""
        seen = [witness(event, self._seat) for event in events]
        if any(isinstance(event, RoundStarted) for event in seen):
            self._known = None
        self._memory = remember(self._memory, seen, self._seat)


def play(number: int, count: int = WORLDS, style: Style = TODAY) -> tuple[float, float]:
    """What the exploiter with *count* worlds gets of game *number* against the strongest level, or a player of another
    *style* (1 for a win, 0.5 for a joint one), and its luck."""
    me = number % 2
    sitting: list[policies.Policy] = [lambda seat, rng: Thinker(seat, rng, style)] * 2
    sitting[me] = lambda seat, rng: Exploiter(seat, rng, count, style)
    chance = SeededChance(game_seed("exploiter", number // 2))
    match = SimulatedGame(GAMES[RULES.name], sitting, {}, chance, Random(number))
    luck = Luck(match.state, Seat(me))
    while not match.over:
        match.apply(match.next_action())
        if not match.over:
            luck.see(match.state)
    winners = match.state.winners
    return (me in winners) / len(winners), luck.total
