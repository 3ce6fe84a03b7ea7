"""Whether the strongest level of 17 would be stronger with more time, or with another use of its search, at tables of
two: it plays against itself as it is today.

The same deals are played from both seats. Chance decides most of a game, so it is taken out as far as the critic can
tell (a control variate, as in ``luck``). Here chance is also how both players chose, since the chances of their choices
are known. On average all this is nothing, whoever plays and however well.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from engine.fair import SeededChance
from engine.game import Chance, Seat
from engine.games.diciassette import rules
from engine.games.diciassette.actions import Action, Call
from engine.games.diciassette.cards import TARGET
from engine.games.diciassette.computers import LEVELS, choice_chances, choice_to_action
from engine.games.diciassette.game import GAME as RULES
from engine.games.diciassette.learnt import networks_for
from engine.games.diciassette.memory import Memory, remember
from engine.games.diciassette.open_features import open_cards_features
from engine.games.diciassette.search import search_choice_values
from engine.games.diciassette.state import State
from engine.games.diciassette.styles import STYLES, Style
from engine.games.diciassette.view import View, view, witness
from engine.network import softmax
from engine.registry import GAMES
from engine.simulate import SimulatedGame, game_seed
from engine.train.diciassette.luck import set_aside

T = TypeVar("T")

TODAY: Final = STYLES[LEVELS - 1]
"""How the strongest level plays at a table of two."""
TEN_TIMES: Final = 10 * TODAY.worlds
"""The number of worlds for which it would need about ten times the time (measured: 7 times)."""
LOOK_EVERY: Final = 3
"""``gains`` looks at every decision of this number, since looking takes long."""
ORDERS: Final = 8
"""The number of other orders of the draw pile that a draw is compared with."""


def greedy(style: Style) -> Style:
    """The *style*, but it takes what its search finds best, and hardly hides anything by chance."""
    return style._replace(looseness=0.002, calling=0.01, evenness=1.0)


class Thinker:
    """A computer player of any style (``engine.policies.SeatPlayer``). It says how likely its last choice was."""

    def __init__(self, seat: Seat, rng: Random, style: Style) -> None:
        self.seat, self.rng, self.style = seat, rng, style
        self.memory: Memory | None = None
        self.weighed: list[tuple[Action, float]] = []
        """The actions that it has last chosen from, each with its chance; empty if there was no choice."""

    def choose_action(self, state: State) -> Action | None:
        """As ``SeatPlayer.choose_action``. With two players nobody may call off turn."""
        self.weighed = []
        if state.turn != self.seat:
            return None
        found = choice_chances(view(state, self.seat), self.seat, self.rng, self.style, self.memory)
        if found is None:
            return Call((self.seat,))
        actions = [it for place in found[0] if (it := choice_to_action(place, self.seat)) is not None]
        self.weighed = list(zip(actions, found[1], strict=True))
        (chosen,) = self.rng.choices(actions, found[1])
        return chosen

    def observe_events(self, events: Iterable[Any]) -> None:
        """As ``SeatPlayer.observe_events``."""
        self.memory = remember(self.memory, [witness(event, self.seat) for event in events], self.seat)


class PlayedGame(NamedTuple):
    """A game of the player that is measured: what it won, 0 to 1, and its luck, in chances to win."""

    won: float
    luck: float


def play(deal: int, seat: int, measured: Style) -> PlayedGame:
    """Play game number *deal* with a player of the style *measured* in *seat*, and today's strongest level in the
    other."""
    me = Seat(seat)
    sitting: list[Thinker] = []

    def sit(at: Seat, rng: Random) -> Thinker:
        sitting.append(Thinker(at, rng, measured if at == me else TODAY))
        return sitting[-1]

    chance, orders = SeededChance(game_seed("more time", deal)), Random(f"more time/{deal}/{seat}/orders")
    match = SimulatedGame(GAMES[RULES.name], [sit, sit], {}, chance, Random(f"more time/{deal}/{seat}"))
    luck = win_chances([match.state], me)[0] - 0.5
    while not match.over:
        before, action = match.state, match.next_action()
        luck += luck_of_choice(before, sitting[before.turn].weighed, action, me, chance)
        match.apply(action)
        luck += luck_of_draw(before, action, match.state, me, orders)
    return PlayedGame(win_chances([match.state], me)[0], luck)


def won_by_deal(pairs: Sequence[tuple[PlayedGame, PlayedGame]]) -> tuple[list[float], list[float]]:
    """The share that the player wins of each of *pairs*, the two games of a deal: as they ended, and with the luck
    taken out."""
    won = [(one.won + other.won) / 2 for one, other in pairs]
    return won, set_aside(won, [(one.luck + other.luck) / 2 for one, other in pairs])


def win_chances(states: Sequence[State], seat: Seat) -> list[float]:
    """The chance of *seat* to win in each of *states* of two players, by the critic. Where the game is over it is its
    share of the win."""
    found = [(seat in state.winners) / len(state.winners) if state.winners else 0.0 for state in states]
    going = [number for number, state in enumerate(states) if not state.winners]
    if going:
        rows = np.stack([open_cards_features(states[number]) for number in going])
        by_turn = softmax(networks_for(2).critic(rows)[:, :2])
        for number, chances in zip(going, by_turn, strict=True):
            found[number] = float(chances[0 if states[number].turn == seat else 1])
    return found


def luck_of_choice(
    state: State, weighed: Sequence[tuple[Action, float]], chosen: Action, seat: Seat, chance: Chance
) -> float:
    """How much better it is for *seat* that *chosen* was chosen in *state* than the average of *weighed*, the actions
    with their chances. The draw pile has its real order for all of them."""
    possible = [(action, share) for action, share in weighed if share > 0]
    if len(possible) < 2:
        return 0.0
    worth = win_chances([rules.apply(state, action, chance).state for action, _ in possible], seat)
    mean = float(np.average(worth, weights=[share for _, share in possible]))
    return worth[[action for action, _ in possible].index(chosen)] - mean


def luck_of_draw(state: State, action: Action, after: State, seat: Seat, rng: Random) -> float:
    """How much better the state *after* *action* in *state* is for *seat* than with other orders of the draw pile. The
    top card stays: its back is known."""
    if after.winners or after.draw == state.draw:
        return 0.0
    others = []
    for _ in range(ORDERS):
        pile = (*state.draw[:1], *rng.sample(state.draw[1:], len(state.draw[1:])))
        others.append(rules.apply(state._replace(draw=pile), action, _AnyShuffle(rng)).state)
    worth = win_chances([after, *others], seat)
    return worth[0] - float(np.mean(worth[1:]))


class _AnyShuffle:
    """Shuffles and picks by a random generator (``engine.game.Chance``)."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        """Return *items* in a random order, another one each time."""
        return tuple(self._rng.sample(list(items), len(items)))

    def pick(self, name: str, n: int) -> int:
        """A random number below *n*."""
        return self._rng.randrange(n)


class _Compared(Thinker):
    """Plays as today, and notes what its decisions would gain in another style."""

    def __init__(self, seat: Seat, rng: Random, other: Style, gains: list[float]) -> None:
        super().__init__(seat, rng, TODAY)
        self._other, self._gains, self._seen = other, gains, 0

    def choose_action(self, state: State) -> Action | None:
        """As ``Thinker.choose_action``."""
        seen = view(state, self.seat)
        if seen.turn == self.seat and len(seen.hand) > 1 and seen.visible_sum < TARGET:
            self._seen += 1
            if self._seen % LOOK_EVERY == 0:
                self._gains.append(LOOK_EVERY * self._win_chance_gain(seen))
        return super().choose_action(state)

    def _win_chance_gain(self, seen: View) -> float:
        """By how much the other style would raise the chance to win from *seen*, by a third search."""
        memory = self.memory
        today, other = (choice_chances(seen, self.seat, self.rng, it, memory) for it in (TODAY, self._other))
        if today is None or other is None or memory is None:
            return 0.0
        networks = networks_for(2)
        judges = (networks.master_logits, networks.critic)
        worth = search_choice_values(seen, self.seat, memory, today[0], judges, self._other.worlds, self.rng)
        return 0.0 if worth is None else float((np.array(other[1]) - np.array(today[1])) @ worth)


def gains(other: Style, game: int) -> float:
    """By how much the chance to win game number *game* would rise if a player decided by the style *other* instead of
    today's, in its own judgement: the sum over its decisions.

    A third search, in worlds of its own, judges the choices of both styles. It takes both players to go on by the
    network, and the opponent not to notice anything. Far fewer games are needed than by playing.
    """
    found: list[float] = []
    match = SimulatedGame(
        GAMES[RULES.name],
        [lambda seat, rng: _Compared(seat, rng, other, found)] * 2,
        {},
        SeededChance(game_seed("gains", game)),
        Random(f"gains/{game}"),
    )
    while not match.over:
        match.apply(match.next_action())
    return sum(found) / 2
