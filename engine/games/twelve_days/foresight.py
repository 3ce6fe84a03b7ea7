"""What a seat can be certain of, whatever the hidden cards are: who wins a trick, how the hand ends, and the chance to
win after it.

The seat knows how many cards everybody holds (T11), every card that was played, and whole hands that were taken back
(T8). Any other hand may be any of the cards that are left. A pass proves nothing: nobody has to play.
"""

from collections import Counter
from itertools import combinations
from typing import NamedTuple

from engine.game import Seat
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import DECK, Card, Cards, without_cards
from engine.games.twelve_days.certain import NO_CARD, LowestCards, can_keep_lead, lowest_cards
from engine.games.twelve_days.combinations import (
    Lead,
    combination_kind,
    lead_of_combination,
    playable_combinations,
)
from engine.games.twelve_days.forced import wins_hand_by_force
from engine.games.twelve_days.memory import NOTHING, Memory
from engine.games.twelve_days.view import View


class PossibleHand(NamedTuple):
    """What a seat knows about the cards that a player holds: how many, and which they may be."""

    cards: Cards
    """All cards that may be in the hand. If there are *size* of them, they are the hand."""
    size: int

    def possible_answers(self, lead: Lead | None) -> list[Cards]:
        """The combinations that the hand might play on *lead*, or lead (``None``), as far as its cards are known."""
        return [cards for cards in playable_combinations(self.cards, lead) if len(cards) <= self.size]


class CertainEnd(NamedTuple):
    """The certain end of a hand: who wins it, and the range of the number of cards that each seat still holds."""

    winner: Seat
    least: tuple[int, ...]
    """By seat, the least number of cards that it holds then, including cards taken back (T8)."""
    most: tuple[int, ...]
    """By seat, the greatest number of cards that it holds then. What the others still play in the trick is open."""

    def is_giver(self, seat: Seat) -> bool | None:
        """Whether *seat* holds the most cards at the end and so gives a gift (T9); ``None`` if that is open.

        Its own number of cards is certain.
        """
        own = self.most[seat]
        others = [other for other in range(len(self.most)) if other not in (seat, self.winner)]
        if seat != self.winner and all(own >= self.most[other] for other in others):
            return True
        return False if seat == self.winner or any(own < self.least[other] for other in others) else None

    def givers(self) -> tuple[Seat, ...] | None:
        """All seats that hold the most cards and so give a gift (T9); ``None`` if that is open."""
        if self.least != self.most:
            return None
        return tuple(Seat(seat) for seat, cards in enumerate(self.most) if cards == max(self.most))

    def possible_givers(self) -> list[Seat]:
        """The seats, without the winner, that might hold the most cards at the end and so give a gift."""
        enough = max(self.least)
        return [Seat(seat) for seat, cards in enumerate(self.most) if seat != self.winner and cards >= enough]


class Foresight:
    """What *me*, who is on turn, can know for certain: who wins the trick and how the hand ends. It sees *view*.
    *memory* is what it has witnessed of the hand; ``None``: only what it sees."""

    def __init__(self, view: View, me: Seat, memory: Memory | None = None) -> None:
        self._view = view
        self._me = me
        self._lying = {it.seat: it.cards for it in view.trick if isinstance(it, Play)}
        self._held = self._possible_hands(NOTHING if memory is None else memory)
        acted = {it.seat for it in view.trick}
        self._later = [Seat(seat) for seat in range(view.seats) if seat != me and seat not in acted]
        self._lows = [_lowest_possible_cards(held) for held in self._held]

    def surely_wins_trick(self, action: Action) -> bool:
        """Whether *action* wins the trick whatever the others hold and do (T7)."""
        return isinstance(action, Play) and self._certain_trick_winner(action) == self._me

    def is_unbeatable(self, card: Card) -> bool:
        """Whether nobody else can hold a card as low as *card*, so that no card beats it (T7)."""
        return all(not held.size or held.cards[0] > card for seat, held in enumerate(self._held) if seat != self._me)

    def certain_hand_end(self, action: Action) -> CertainEnd | None:
        """How the hand surely ends after *action*: its winner, and the range of the cards that each seat still holds;
        ``None`` if the winner is open."""
        winner, cards = self._certain_trick_winner(action), _played_cards(action)
        rest = without_cards(self._view.hand, cards)
        if winner == self._me:
            if not can_keep_lead(rest, self._lowest_possible_cards_of_others(), len(rest)):
                winner = None
        elif winner is not None and self._view.hand_sizes[winner]:
            winner = None
        if winner is not None:
            return self._build_certain_hand_end(winner, action)
        if self._wins_by_force(action):
            return self._build_certain_hand_end(self._me, action)._replace(least=(0,) * self._view.seats)
        return None

    def _possible_hands(self, memory: Memory) -> list[PossibleHand]:
        """What *me* knows about the cards of every seat, with last cards in the trick that may go back to it (T8)."""
        view = self._view
        known: dict[int, Cards] = {}
        for seat, size in enumerate(view.hand_sizes):
            if seat == self._me:
                known[seat] = view.hand
            elif not size:
                known[seat] = self._lying.get(Seat(seat), ())
            elif len(memory.known[seat]) == size:
                known[seat] = memory.known[seat]
        seen = [*view.gone, *(card for cards in known.values() for card in cards)]
        seen += [card for seat, cards in self._lying.items() if view.hand_sizes[seat] for card in cards]
        pool = tuple((Counter(DECK) - Counter(seen)).elements())
        return [
            PossibleHand(known[seat], len(known[seat])) if seat in known else PossibleHand(pool, size)
            for seat, size in enumerate(view.hand_sizes)
        ]

    def _certain_trick_winner(self, action: Action) -> Seat | None:
        """The seat that surely wins the trick after *action*, whatever the others hold; ``None`` if that is open."""
        lowest, cards = self._view.lowest, _played_cards(action)
        if cards and (lowest is None or cards[0] <= lowest.cards[0]):
            lowest = Play(self._me, cards)
        assert lowest is not None  # who leads cannot pass
        kind = combination_kind(lowest.cards)
        assert kind is not None
        if any(self._lows[seat].of_kind(kind) <= lowest.cards[0] for seat in self._later):
            return None
        return lowest.seat

    def _lowest_possible_cards_of_others(self) -> LowestCards:
        """For each kind of combination, the lowest card that others than *me* might play after this trick."""
        others = [lows for seat, lows in enumerate(self._lows) if seat != self._me]
        return LowestCards(*map(min, zip(*others, strict=True)))

    def _wins_by_force(self, action: Action) -> bool:
        """Whether *me* surely wins the hand after *action*, by search; False if it does not know all hands, or there is
        too much to search."""
        view, cards = self._view, _played_cards(action)
        if any(len(held.cards) != held.size for held in self._held):
            return False
        hands = [held.cards if view.hand_sizes[seat] else () for seat, held in enumerate(self._held)]
        hands[self._me] = without_cards(view.hand, cards)
        turn = Seat((self._me + 1) % view.seats)
        return wins_hand_by_force(self._me, tuple(hands), (*view.trick, action), turn) is True

    def _build_certain_hand_end(self, winner: Seat, action: Action) -> CertainEnd:
        """Build the end of a hand that *winner* surely wins after *action*, with the range of each seat's number of
        cards.

        Nobody else could play in a later trick.
        """
        cards = _played_cards(action)
        lead = self._view.lead or lead_of_combination(cards)
        most = [held.size for held in self._held]
        most[self._me] = len(without_cards(self._view.hand, cards)) or len(cards)
        most[winner] = 0
        least = list(most)
        for seat in self._later:
            after = [most[seat] - len(it) for it in self._held[seat].possible_answers(lead)]
            least[seat] = min([most[seat], *(left for left in after if left)])
        return CertainEnd(winner, tuple(least), tuple(most))


def _lowest_possible_cards(hand: PossibleHand) -> LowestCards:
    """For each kind of combination, the lowest card that a player with *hand* might play."""
    lows = lowest_cards([hand.cards])
    return lows if hand.size > 1 else lows._replace(set=NO_CARD, straight=NO_CARD)


def _played_cards(action: Action) -> Cards:
    """The cards that *action* plays; empty for a pass."""
    return action.cards if isinstance(action, Play) else ()


def settles_game(view: View, me: Seat, end: CertainEnd) -> bool:
    """Whether it is certain that *me* wins, or does not win, the game of *view* once the current hand has ended with
    *end*.

    Either that ends the last hand with the same result whoever gives gifts; or it ends the hand before, and by the
    gifts only *me* can win then, or *me* cannot.
    """
    from engine.games.twelve_days.prospects import chances_after_hand, gifts_after_hand

    givers, gives = end.givers(), end.is_giver(me)
    if view.hand_number < view.hands_total:
        if view.hand_number < view.hands_total - 1 or givers is None:
            return False
        last = view._replace(hand_number=view.hands_total, gifts=gifts_after_hand(view.gifts, end.winner, givers))
        return me not in last.possible_winners or last.possible_winners == (me,)
    possible = end.possible_givers()
    ways = [way for many in range(1, len(possible) + 1) for way in combinations(possible, many)]
    if givers is not None:
        ways = [givers]
    elif gives is not None:
        ways = [way for way in ways if (me in way) == gives]
    return len({chances_after_hand(view.gifts, end.winner, way, 0)[me] for way in ways}) == 1


def win_chance_after_hand_end(view: View, me: Seat, end: CertainEnd, gives: float) -> float:
    """The chance of *me* to win the game if the current hand ends with *end*; exact if the givers are certain and no
    hand follows.

    Where the givers are open, all who might hold the most cards are equally likely to give; *me* gives with the chance
    *gives*.
    """
    from engine.games.twelve_days.prospects import chance_with_open_givers, chances_after_hand

    to_go, givers = view.hands_total - view.hand_number, end.givers()
    if givers is not None:
        return chances_after_hand(view.gifts, end.winner, givers, to_go)[me]
    sure = end.is_giver(me)
    others = [giver for giver in end.possible_givers() if giver != me]
    return chance_with_open_givers(view.gifts, end.winner, others, to_go, me, gives if sure is None else float(sure))
