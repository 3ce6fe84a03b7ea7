"""What one seat, or the public, may know of a game of 12 Days of Christmas (ruling T11)."""

from typing import NamedTuple

from engine.game import Seat, build_namedtuple
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import Cards
from engine.games.twelve_days.combinations import Lead, playable_combinations
from engine.games.twelve_days.events import DeckShuffled, Event
from engine.games.twelve_days.state import State, lead_of_trick, lowest_play


class View(NamedTuple):
    """What *seat* (``None``: the public) may know of a game of 12 Days of Christmas."""

    seat: Seat | None
    seats: int
    hand_number: int
    """The number of the current hand, from 1."""
    hands_total: int
    leader: Seat
    turn: Seat
    trick: tuple[Action, ...]
    hand: Cards
    """The viewer's own; empty for the public."""
    hand_sizes: tuple[int, ...]
    gone: Cards
    """The cards played in this hand's earlier tricks, sorted: for players that remember, never to be shown (T11)."""
    gifts: tuple[int, ...]
    supply: int
    winners: tuple[Seat, ...]

    @property
    def lead(self) -> Lead | None:
        """The lead that the player on turn must answer; ``None``: they lead."""
        return lead_of_trick(self.trick)

    @property
    def plays(self) -> tuple[Cards, ...]:
        """The combinations that the viewer may play now, without a pass; empty off turn."""
        if self.seat is None or self.seat != self.turn or self.winners:
            return ()
        return playable_combinations(self.hand, self.lead)

    @property
    def lowest(self) -> Play | None:
        """The play that wins the trick so far (T7); ``None``: nothing was played yet."""
        return lowest_play(self.trick)

    @property
    def possible_winners(self) -> tuple[Seat, ...]:
        """The seats that can still win the game by the gifts, alone or with others; empty before the last hand and
        after the end.

        Only the gifts count here. The best result for a player is to win the hand while all others hold equally many
        cards: then everybody who has a gift gives one (T9, T10).
        """
        return tuple(Seat(seat) for seat, ahead in enumerate(self._best_possible_gift_margins()) if ahead >= 0)

    @property
    def possible_sole_winners(self) -> tuple[Seat, ...]:
        """The seats that can still win the game alone, in its last hand. Empty before that hand and after it."""
        return tuple(Seat(seat) for seat, ahead in enumerate(self._best_possible_gift_margins()) if ahead > 0)

    def _best_possible_gift_margins(self) -> list[int]:
        """For each seat, by how many gifts it can at best be ahead of all others at the end; empty before the last hand
        and after the end."""
        if self.winners or self.hand_number < self.hands_total:
            return []
        found = []
        for seat, own in enumerate(self.gifts):
            others = self.gifts[:seat] + self.gifts[seat + 1 :]
            found.append(own + 1 + sum(gifts > 0 for gifts in others) - max(0, max(others) - 1))
        return found


def view(state: State, seat: Seat | None) -> View:
    """Build the view of *state* for *seat*: only what it may see; ``None``: a spectator."""
    # By position, in the order of ``State`` and ``View``: by name it is a half slower. A test checks the order.
    (_ply, hand_number, hands_total, leader, turn, trick, hands, _aside, gone, gifts, supply, _shuffles, winners) = (
        state
    )
    seen: View = build_namedtuple(View, (
        seat, len(hands), hand_number, hands_total, leader, turn, trick, () if seat is None else hands[seat],
        tuple(map(len, hands)), gone, gifts, supply, winners,
    ))  # fmt: skip
    return seen


def actions(view: View, seat: Seat) -> tuple[Action, ...]:
    """All legal plays of *seat*, which is on turn, and last the pass, unless it leads (T6)."""
    played: tuple[Action, ...] = tuple([Play(seat, cards) for cards in view.plays])
    return played if view.lead is None else (*played, Pass(seat))


def witness(event: Event, seat: Seat | None) -> Event:
    """*event* as everybody saw it, whatever *seat* is. Only the order of the deck is hidden (T11)."""
    return DeckShuffled(None) if isinstance(event, DeckShuffled) else event
