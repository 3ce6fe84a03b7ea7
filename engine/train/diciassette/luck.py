"""The luck of a game of 17 of two, so that fewer games show who plays better.

The critic, which sees all cards, says how much the deal is worth, and how much more or less a new top of the draw pile
is worth than any other card of the pile would be. On average both are nothing, whoever plays and however well. So what
goes with them in the results can be taken out (a control variate): the mean stays right, its error shrinks.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from engine.game import Seat
from engine.games.diciassette.learnt import networks_for
from engine.games.diciassette.open_features import OPEN_TOP, open_cards_features
from engine.games.diciassette.state import State
from engine.network import Floats, softmax


class Luck:
    """How lucky the player in one seat has been in a game; ``total`` is in chances to win."""

    def __init__(self, state: State, seat: Seat) -> None:
        """*state*: as it was dealt."""
        self._seat = seat
        self._pile = len(state.draw)
        self.total = float(self._seat_win_chances(state, open_cards_features(state)[None])[0]) - 0.5

    def see(self, state: State) -> None:
        """Add to ``total`` the luck of the card that came on top of the draw pile before *state*, which an action has
        led to; the game is not over."""
        if state.draw and len(state.draw) != self._pile:
            kinds = Counter(card.index for card in state.draw)
            rows = np.repeat(open_cards_features(state)[None], 1 + len(kinds), axis=0)
            for row, kind in zip(rows[1:], kinds, strict=True):
                row[OPEN_TOP] = 0
                row[OPEN_TOP.start + kind] = 1
            chances = self._seat_win_chances(state, rows)
            self.total += float(chances[0] - np.average(chances[1:], weights=list(kinds.values())))
        self._pile = len(state.draw)

    def _seat_win_chances(self, state: State, rows: Floats) -> Floats:
        """The seat's chance to win, by the critic, for each row of open features *rows*; the turn is as in *state*."""
        chances = softmax(networks_for(2).critic(rows)[:, :2])
        found: Floats = chances[:, 0 if state.turn == self._seat else 1]
        return found


def set_aside(results: Sequence[float], luck: Sequence[float]) -> list[float]:
    """Return the *results* of some games without what goes with the *luck* in them; unchanged if there is too little to
    tell.

    >>> set_aside([1.0, 0.0, 1.0, 0.0], [0.1, -0.1, 0.1, -0.1])
    [0.5, 0.5, 0.5, 0.5]
    """
    spread = float(np.var(luck))
    if len(results) < 2 or not spread:
        return list(results)
    slope = float(np.mean((np.array(results) - np.mean(results)) * (np.array(luck) - np.mean(luck)))) / spread
    return [float(it) for it in np.round(np.array(results) - slope * np.array(luck), 12)]
