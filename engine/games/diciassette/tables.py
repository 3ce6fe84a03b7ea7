"""A simulation of many tables of 17 at once, as arrays, for training and search. It has the same rules as ``rules``.

A test plays the same games with both. Three simplifications change no chances: a draw pile is a count of each kind,
with the top card drawn from it beforehand; a finished game is followed by a new deal at once; a two-sided card is
always laid face up (D2: its number is public either way).

*tables* is an array of table numbers, *seats* one of as many seats, or of shape (tables, 6).
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.diciassette import features as f
from engine.games.diciassette.cards import DECK, HAND_SIZE, TARGET, VICTORIES_TO_WIN, Card
from engine.games.diciassette.choices import CALL, CHOICES, PASS, PLAYS
from engine.games.diciassette.open_features import (
    OPEN_EACH,
    OPEN_QUEUE,
    OPEN_SEATS,
    OPEN_SIZE,
    OPEN_TOTALS,
    OPEN_TURN,
)
from engine.network import Floats

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

LONGEST_QUEUE: Final = 70
KINDS: Final = 14
FULL: Final = np.bincount([card.index for card in DECK], minlength=KINDS).astype(np.int16)
KIND_OF: Final = np.array([play.card.index for play in PLAYS])
DOWN: Final = np.array([play.hidden for play in PLAYS])
PLAIN: Final = np.isin(np.arange(KINDS), f.PLAINS)
OPEN: Final = ~PLAIN
VALUE: Final = f.NUMBERS.astype(np.int16)
CONTEXT: Final = np.array(f.CONTEXTS)
TRASH, REVERSE, X2, TRAP = (card.index for card in (Card.TRASH, Card.REVERSE, Card.X2, Card.TRAP))
SIX: Final = np.arange(6)
OPEN_KINDS: Final = np.flatnonzero(OPEN)


class DecisionRows(NamedTuple):
    """Pending decisions at many tables: row i is that of seat ``seats[i]`` at table ``tables[i]``."""

    tables: Ints
    seats: Ints


class EndedGames(NamedTuple):
    """The tables at which a game has just ended, with every seat's share of the win."""

    tables: Ints
    shares: Floats
    """Every seat's share of the win: 1 for a win, shared by joint winners; shape (tables, 6)."""


class SimulatedTables:
    """Many simulated tables of 17 with 2 to 6 seats, as arrays. At each, a new game is dealt when one ends."""

    def __init__(self, sizes: Ints, rng: np.random.Generator) -> None:
        """*sizes* are the numbers of seats of the tables; *rng* deals cards and draws starters."""
        self.reset(sizes, rng)
        self.deal_new_games(np.arange(self.count))

    def reset(self, sizes: Ints, rng: np.random.Generator) -> None:
        """Set up empty tables of *sizes* (numbers of seats), without any cards. *rng* deals cards and draws
        starters."""
        count = len(sizes)
        self.rng = rng
        self.count = count
        self.sizes = sizes.astype(np.int64)
        self.present: Flags = SIX[None, :] < sizes[:, None]
        self.turn = np.zeros(count, np.int64)
        self.direction = np.ones(count, np.int64)
        self.owed = np.ones(count, np.int64)
        self.duty = np.ones(count, np.int64)
        self.doubled = np.zeros(count, bool)
        self.last = np.full(count, -1, np.int64)
        self.victory = np.zeros((count, 6), np.int64)
        self.penalty = np.zeros((count, 6), np.int64)
        self.hands = np.zeros((count, 6, KINDS), np.int16)
        self.draw = np.zeros((count, KINDS), np.int16)
        self.top = np.full(count, -1, np.int64)
        self.discard = np.zeros((count, KINDS), np.int16)
        self.gone = np.zeros((count, KINDS), np.int16)
        """What everybody saw going to the discard pile since the last shuffle."""
        self.own_gone = np.zeros((count, 6, KINDS), np.int16)
        """What only its player knew of it."""
        self.kinds = np.zeros((count, LONGEST_QUEUE), np.int64)
        self.owners = np.zeros((count, LONGEST_QUEUE), np.int64)
        self.hidden = np.zeros((count, LONGEST_QUEUE), bool)
        """Of every card of the queue: whether only its player knows it."""
        self.length = np.zeros(count, np.int64)
        self.seen = np.zeros((count, KINDS), np.int16)
        """The queue's cards that everybody sees."""
        self.secret = np.zeros((count, 6, KINDS), np.int16)
        """Its other cards, by who laid them."""
        self.contexts = np.zeros((count, 6, f.CONTEXT_COUNT), np.int16)
        """In which context (``features.CONTEXTS``) they were laid."""
        self.public = np.zeros(count, np.int64)
        """The sum that everybody sees."""
        self.rounds = np.zeros(count, np.int64)
        self.redeal = True
        """Whether a new game is dealt at a table after the end of a game."""

    # The rules

    def deal_new_games(self, tables: Ints) -> None:
        """Deal a new game at each of *tables*: tokens, piles and hands as at the start, with a random starter (D1,
        D4)."""
        self._clear_round(tables)
        for array in (self.victory, self.penalty, self.hands, self.discard, self.gone, self.own_gone, self.rounds):
            array[tables] = 0
        self.draw[tables] = FULL
        self.top[tables] = -1
        self._reveal_top_card(tables)
        self.turn[tables] = self.rng.integers(0, self.sizes[tables])
        for seat in range(6):
            here = tables[seat < self.sizes[tables]]
            for _ in range(HAND_SIZE):
                self._draw_one_card(here, np.full(len(here), seat))

    def _clear_round(self, tables: Ints) -> None:
        """Clear the queue, the direction and what is owed at *tables*, for a new round (D5, D6)."""
        for array in (self.seen, self.secret, self.contexts, self.public, self.length, self.doubled):
            array[tables] = 0
        self.direction[tables] = self.owed[tables] = self.duty[tables] = 1
        self.last[tables] = -1

    def _reveal_top_card(self, tables: Ints) -> None:
        """Draw at random the card on top of each draw pile of *tables*, and take it out of the count of the pile; -1
        where it is empty."""
        pile = np.cumsum(self.draw[tables], axis=1)
        size = pile[:, -1]
        pick = (self.rng.random(len(tables)) * size).astype(np.int64)
        top = (pile <= pick[:, None]).sum(axis=1)
        some = size > 0
        self.top[tables] = np.where(some, top, -1)
        self.draw[tables[some], top[some]] -= 1

    def _draw_one_card(self, tables: Ints, seats: Ints) -> None:
        """Draw one card for each of *seats* at *tables*; where the draw pile is empty, shuffle the discard pile first
        (D7), or draw nothing if it is empty too."""
        empty = tables[self.top[tables] < 0]
        if len(empty):
            self.draw[empty] = self.discard[empty]
            for pile in (self.discard, self.gone, self.own_gone):
                # If nothing was discarded, nothing changes here: there was no shuffle.
                pile[empty] = 0
            self._reveal_top_card(empty)
            drawing = self.top[tables] >= 0
            tables, seats = tables[drawing], seats[drawing]
        self._take_top_card(tables, seats)
        self._reveal_top_card(tables)

    def _take_top_card(self, tables: Ints, seats: Ints) -> None:
        """Move the top card of the draw pile at each of *tables* to the hand of the seat in *seats*."""
        self.hands[tables, seats, self.top[tables]] += 1

    def copy_tables(self, places: Ints, rng: np.random.Generator) -> "SimulatedTables":
        """Copy the tables at *places* (numbers, which may repeat) and return the copies, which draw from *rng*."""
        copy = SimulatedTables.__new__(SimulatedTables)
        for name, value in vars(self).items():
            is_array = isinstance(value, np.ndarray) and len(value) == self.count
            setattr(copy, name, value[places] if is_array else value)
        copy.count, copy.rng = len(places), rng
        return copy

    def apply_actions(self, plays: Ints, callers: Ints) -> EndedGames:
        """Apply one action at every table, a call or else a play, and return the games that ended, with a new deal at
        their tables.

        The call is that of ``callers[t]`` where it is not -1; the play is ``plays[t]`` (a number of ``choices.PLAYS``)
        of the seat on turn. Nothing is dealt if ``redeal`` is off.
        """
        called = callers >= 0
        played = np.flatnonzero(~called)
        self._play_cards(played, plays[played])
        here = np.flatnonzero(called)
        return self._resolve_calls(here, callers[here])

    def _play_cards(self, tables: Ints, plays: Ints) -> None:
        """Play one card (*plays*: number of the choice) at each of *tables*, with its effect, and end the turn where it
        is over (D6, D11)."""
        kinds, hidden = KIND_OF[plays], DOWN[plays] & PLAIN[KIND_OF[plays]]
        down = DOWN[plays]
        seats = self.turn[tables]
        self.hands[tables, seats, kinds] -= 1
        trash = (kinds == TRASH) & ~down
        self._apply_trashes(tables[trash])
        push, seat, kind, secret = tables[~trash], seats[~trash], kinds[~trash], hidden[~trash]
        at = self.length[push]
        self.kinds[push, at], self.owners[push, at], self.hidden[push, at] = kind, seat, secret
        self.length[push] += 1
        context = CONTEXT[np.minimum(TARGET, self.public[push])]
        covered = push[secret]
        self.secret[covered, seat[secret], kind[secret]] += 1
        self.contexts[covered, seat[secret], context[secret]] += 1
        self.seen[push[~secret], kind[~secret]] += 1
        self.public[push[~secret]] += VALUE[kind[~secret]]
        self.direction[tables[(kinds == REVERSE) & ~down]] *= -1
        self.doubled[tables[(kinds == X2) & ~down]] = True
        self.owed[tables] -= 1
        self.last[tables] = seats
        over = (self.owed[tables] == 0) | (self.hands[tables, seats].sum(axis=1) == 0)
        ended, seats = tables[over], seats[over]
        self._draw_one_card(ended, seats)
        twice = self.duty[ended] == 2
        self._draw_one_card(ended[twice], seats[twice])
        self.turn[ended] = (seats + self.direction[ended]) % self.sizes[ended]
        self.duty[ended] = self.owed[ended] = 1 + self.doubled[ended]
        self.doubled[ended] = False

    def _apply_trashes(self, tables: Ints) -> None:
        """Discard a face-up Trash at each of *tables*, and with it the top card of the queue if there is one (D11)."""
        self.discard[tables, TRASH] += 1
        self.gone[tables, TRASH] += 1
        some = tables[self.length[tables] > 0]
        at = self.length[some] - 1
        kind, owner, secret = self.kinds[some, at], self.owners[some, at], self.hidden[some, at]
        self.length[some] = at
        self.discard[some, kind] += 1
        self.gone[some[~secret], kind[~secret]] += 1
        self.seen[some[~secret], kind[~secret]] -= 1
        self.public[some[~secret]] -= VALUE[kind[~secret]]
        covered, owner, kind = some[secret], owner[secret], kind[secret]
        self.own_gone[covered, owner, kind] += 1
        self.secret[covered, owner, kind] -= 1
        # The sum below a card does not change while it lies there.
        self.contexts[covered, owner, CONTEXT[np.minimum(TARGET, self.public[covered])]] -= 1

    def queue_totals(self, tables: Ints) -> Ints:
        """The queue's total at each table, including hidden cards (D13)."""
        totals: Ints = self.public[tables] + self.secret[tables].sum(axis=1) @ VALUE
        return totals

    def _resolve_calls(self, tables: Ints, callers: Ints) -> EndedGames:
        """Apply a call of *callers* at each of *tables*: give tokens, start the next round or end the game and deal
        anew; return the games that ended.

        The rulings are D13-D18.
        """
        rewarded = np.zeros((len(tables), 6), bool)

        def give_victory(rows: Ints, seats: Ints) -> None:
            due = ~rewarded[rows, seats]
            rewarded[rows, seats] = True
            self.victory[tables[rows], seats] += due

        def give_penalty(rows: Ints, seats: Ints) -> None:
            here = tables[rows]
            self.penalty[here, seats] += 1
            twice = self.penalty[here, seats] == 2
            here, seats = here[twice], seats[twice]
            self.penalty[here, seats] = 0
            self.victory[here, seats] -= self.victory[here, seats] > 0

        traps = self.secret[tables, :, TRAP].sum(axis=1)
        for at in range(int(self.length[tables[traps > 0]].max(initial=0))):
            snaps = (traps > 0) & (at < self.length[tables]) & self.hidden[tables, at]
            rows = np.flatnonzero(snaps & (self.kinds[tables, at] == TRAP))
            if len(rows):
                give_victory(rows, self.owners[tables[rows], at])
                give_penalty(rows, callers[rows])
        right = self.queue_totals(tables) >= TARGET
        last = self.last[tables]
        yes, no = np.flatnonzero(right), np.flatnonzero(~right)
        give_penalty(yes, last[yes])
        give_victory(yes, callers[yes])
        give_victory(no, last[no])
        give_penalty(no, callers[no])

        ahead = self.victory[tables] >= VICTORIES_TO_WIN
        over = ahead.any(axis=1)
        penalties = np.where(ahead, self.penalty[tables], 99)
        winners = ahead & (penalties == penalties.min(axis=1, keepdims=True))
        shares = (winners / np.maximum(1, winners.sum(axis=1, keepdims=True))).astype(np.float32)
        going = ~over
        self._start_next_rounds(tables[going], np.where(right, callers, last)[going])
        if self.redeal:
            self.deal_new_games(tables[over])
        return EndedGames(tables[over], shares[over])

    def _start_next_rounds(self, tables: Ints, starters: Ints) -> None:
        """Start the next round at *tables*: discard the queue, let *starters* lead, and refill short hands (D18,
        D18a)."""
        hidden = self.secret[tables].sum(axis=1)
        self.discard[tables] += self.seen[tables] + hidden
        self.gone[tables] += self.seen[tables] + hidden
        self._clear_round(tables)
        self.rounds[tables] += 1
        self.turn[tables] = starters
        if ((self.hands[tables].sum(axis=2) < HAND_SIZE) & self.present[tables]).any():
            for step in range(int(self.sizes[tables].max())):
                seats = (starters + step) % self.sizes[tables]
                for _ in range(HAND_SIZE):
                    short = (step < self.sizes[tables]) & (self.hands[tables, seats].sum(axis=1) < HAND_SIZE)
                    if short.any():
                        self._draw_one_card(tables[short], seats[short])

    # What seats may do, and know

    def pending_decisions(self) -> DecisionRows:
        """The decisions due now, as (table, seat): first that of the player on turn at every table, then those of all
        others who may call (D8)."""
        everywhere = np.arange(self.count)
        between = (self.last >= 0) & (self.owed == self.duty)
        others = self.present & between[:, None]
        others[everywhere, self.turn] = False
        others[everywhere, self.last] = False
        tables, seats = np.nonzero(others)
        return DecisionRows(np.concatenate([everywhere, tables]), np.concatenate([self.turn, seats]))

    def legal_choices(self, rows: DecisionRows, impossible: Flags) -> Flags:
        """Which choices each decision of *rows* allows, of shape (rows, ``CHOICES``), without hopeless calls.

        A seat that knows 17 to be *impossible* may call only if it must (D10).
        """
        tables, seats = rows
        allowed = np.zeros((len(tables), CHOICES), bool)
        on_turn = self.turn[tables] == seats
        held = self.hands[tables, seats] > 0
        allowed[:, : len(PLAYS)] = held[:, KIND_OF] & on_turn[:, None]
        may_call = ~on_turn | ((self.last[tables] >= 0) & (self.owed[tables] == self.duty[tables]))
        must = on_turn & ~held.any(axis=1)
        allowed[:, CALL] = (may_call & ~impossible) | must
        allowed[:, PASS] = ~on_turn
        return allowed

    def features(self, rows: DecisionRows, remembers: Flags | None = None) -> Floats:
        """What each seat of *rows* knows, as numbers for the networks, of shape (rows, ``features.SIZE``), in the order
        of ``features.features``.

        Seats remember all that they have witnessed, or nothing where *remembers* is false.
        """
        tables, me = rows
        count = len(tables)
        at = np.arange(count)
        x = np.zeros((count, f.SIZE), np.float32)
        sizes, direction, last, turn = self.sizes[tables], self.direction[tables], self.last[tables], self.turn[tables]
        x[at, f.SEATS + sizes - 2] = 1
        x[:, f.HAND : f.HAND + KINDS] = self.hands[tables, me]
        secret = self.secret.sum(axis=2)
        own = self.secret[tables, me]
        public = self.public[tables]
        mine = public + (own @ VALUE).astype(np.int64)
        own_hidden = secret[tables, me].astype(np.int64)
        hidden = secret.sum(axis=1)[tables].astype(np.int64) - own_hidden
        x[at, f.SUM + np.minimum(TARGET, mine)] = 1
        x[at, f.PUBLIC_SUM + np.minimum(TARGET, public)] = 1
        x[at, f.HIDDEN + np.minimum(5, hidden)] = 1
        x[at, f.OWN_HIDDEN + np.minimum(4, own_hidden)] = 1
        x[at, f.OWN_TRAPS + np.minimum(2, own[:, TRAP])] = 1
        contexts = self.contexts[tables, me]
        x[:, f.OWN_CONTEXTS : f.CONTEXTS_OF_OTHERS] = contexts
        x[:, f.CONTEXTS_OF_OTHERS : f.CONTEXTS_OF_LAST] = self.contexts.sum(axis=1)[tables] - contexts
        its = (last >= 0) & (last != me)
        x[its, f.CONTEXTS_OF_LAST : f.TOP] = self.contexts[tables[its], last[its]]
        self._write_top_features(x, tables, me)
        self._write_queue_features(x, tables, me)
        x[:, f.TURN] = turn == me
        x[:, f.TURN + 1] = self.duty[tables] == 2
        x[:, f.TURN + 2] = self.owed[tables] == 2
        x[:, f.TURN + 3] = self.doubled[tables]
        top = self.top[tables]
        x[at, f.DRAW_TOP + np.where(top < 0, 0, np.where(OPEN[top], 1 + VALUE[top], 1))] = 1
        pool = self._unseen_counts(tables, me, remembers)
        size = np.maximum(1, pool.sum(axis=1))
        mean = (pool @ f.PLAIN_NUMBERS) / size
        variance = np.maximum(0, (pool @ f.PLAIN_NUMBERS**2) / size - mean * mean)
        x[:, f.POOL : f.POOL + 9] = pool / f.COPIES
        x[:, f.POOL + 9] = mean / 3
        x[:, f.POOL + 10] = pool[:, 8] / size
        x[:, f.PILES] = direction
        x[:, f.PILES + 1] = self.length[tables] / 16
        x[:, f.PILES + 2] = (self.draw.sum(axis=1) + (self.top >= 0))[tables] / 70
        x[:, f.PILES + 3] = self.discard.sum(axis=1)[tables] / 70
        x[:, f.GUESS] = np.clip((mine + hidden * mean - 16.5) / 10, -1.5, 1.5)
        x[:, f.GUESS + 1] = _chance_that_positive(mine + hidden * mean - 16.5, hidden * variance)
        covered = hidden + own_hidden
        x[:, f.GUESS + 2] = _chance_that_positive(public + covered * mean - 16.5, covered * variance)
        most, left = mine.copy(), hidden.copy()
        for number in range(5, 0, -1):
            taken = np.minimum(left, pool[:, number - 1])
            most += number * taken
            left -= taken
        x[:, f.GUESS + 3] = most < TARGET
        victory, penalty = self.victory, self.penalty
        x[:, f.ME] = victory[tables, me] >= 1
        x[:, f.ME + 1] = victory[tables, me] >= 2
        x[:, f.ME + 2] = penalty[tables, me]
        sizes_of_hands = self.hands.sum(axis=2)
        for step in range(1, int(sizes.max(initial=0))):
            seat = (me + direction * step) % sizes
            there = step < sizes
            first = f.OTHERS + f.EACH_OTHER * (step - 1)
            each = np.empty((count, f.EACH_OTHER), np.float32)
            each[:, 0] = 1
            each[:, 1] = last == seat
            each[:, 2] = turn == seat
            each[:, 3] = victory[tables, seat] >= 1
            each[:, 4] = victory[tables, seat] >= 2
            each[:, 5] = penalty[tables, seat]
            each[:, 6] = secret[tables, seat] / 3
            each[:, 7] = (HAND_SIZE - sizes_of_hands[tables, seat]) / 3
            backs = self.hands[tables, seat][:, OPEN_KINDS]
            each[:, 8] = (backs @ VALUE[OPEN_KINDS]) / 10
            each[:, 9:] = backs
            x[:, first : first + f.EACH_OTHER] = each * there[:, None]
        return x

    def _write_top_features(self, x: Floats, tables: Ints, me: Ints) -> None:
        """Write to the features *x*, in place, what *me*, a seat at each of *tables*, sees of the top card of the
        queue."""
        length = self.length[tables]
        at = np.maximum(0, length - 1)
        kind, owner, secret = self.kinds[tables, at], self.owners[tables, at], self.hidden[tables, at]
        some = length > 0
        x[:, f.TOP] = ~some
        x[:, f.TOP + 1] = some & secret & (owner != me)
        seen = some & ~secret
        x[:, f.TOP + 2] = seen * VALUE[kind] / 5
        x[:, f.TOP + 3] = seen & (VALUE[kind] == 0)
        own = some & secret & (owner == me)
        x[:, f.TOP + 4] = own * VALUE[kind] / 5
        x[:, f.TOP + 5] = own & (kind == TRAP)

    def _write_queue_features(self, x: Floats, tables: Ints, me: Ints) -> None:
        """Write to the features *x*, in place, what *me*, a seat at each of *tables*, sees of the queue's cards near
        the top: owner and kind of each."""
        length = self.length[tables]
        for place in range(min(f.QUEUED, int(length.max(initial=0)))):
            rows = np.flatnonzero(length > place)
            at = length[rows] - 1 - place
            kind, owner, secret = (it[tables[rows], at] for it in (self.kinds, self.owners, self.hidden))
            others = owner != me[rows]
            first = f.QUEUE + f.EACH_QUEUED * place
            x[rows, first + others] = 1
            x[rows, first + 2] = secret
            known = ~(secret & others)
            x[rows[known], first + 3 + kind[known]] = 1

    def _unseen_counts(self, tables: Ints, me: Ints, remembers: Flags | None) -> Ints:
        """For each of the seats *me*, the number of cards of each plain-backed kind that it has not seen, in the order
        of ``features.PLAINS``."""
        known = self.hands[tables, me] + self.secret[tables, me] + self.seen[tables]
        gone = self.own_gone[tables, me] + self.gone[tables]
        known += gone if remembers is None else gone * remembers[:, None]
        pool: Ints = np.maximum(0, FULL - known)[:, PLAIN].astype(np.int64)
        return pool

    def features_with_open_cards(self) -> Floats:
        """Every table with all cards open, as numbers for the critic network, of shape (tables, ``OPEN_SIZE``), in the
        order of ``open_features.open_cards_features``."""
        count = self.count
        at = np.arange(count)
        x = np.zeros((count, OPEN_SIZE), np.float32)
        sums = (self.secret @ VALUE).astype(np.float32)
        counts = self.secret.sum(axis=2)
        for step in range(int(self.sizes.max())):
            seat = (self.turn + self.direction * step) % self.sizes
            each = np.empty((count, OPEN_EACH), np.float32)
            each[:, 0] = 1
            each[:, 1] = self.victory[at, seat] >= 1
            each[:, 2] = self.victory[at, seat] >= 2
            each[:, 3] = self.penalty[at, seat]
            each[:, 4] = self.last == seat
            each[:, 5] = counts[at, seat] / 3
            each[:, 6] = sums[at, seat] / 10
            each[:, 7] = self.secret[at, seat, TRAP]
            each[:, 8:] = self.hands[at, seat]
            first = OPEN_SEATS + OPEN_EACH * step
            x[:, first : first + OPEN_EACH] = each * (step < self.sizes)[:, None]
        total = self.public + sums.sum(axis=1).astype(np.int64)
        x[at, OPEN_TOTALS + np.minimum(TARGET, total)] = 1
        x[at, OPEN_TOTALS + 18 + np.minimum(TARGET, self.public)] = 1
        x[at, OPEN_TURN + self.sizes - 2] = 1
        x[:, OPEN_TURN + 5] = self.duty == 2
        x[:, OPEN_TURN + 6] = self.owed == 2
        x[:, OPEN_TURN + 7] = self.doubled
        x[:, OPEN_TURN + 8] = self.direction
        x[:, OPEN_TURN + 9] = (self.draw.sum(axis=1) + (self.top >= 0)) / 70
        x[:, OPEN_TURN + 10] = self.discard.sum(axis=1) / 70
        some = self.top >= 0
        x[at[some], OPEN_TURN + 11 + self.top[some]] = 1
        some = self.length > 0
        last = np.maximum(0, self.length - 1)
        x[at[some], OPEN_QUEUE + self.kinds[at, last][some]] = 1
        x[:, OPEN_QUEUE + 14] = some & self.hidden[at, last]
        return x


def _chance_that_positive(mean: NDArray[np.float64], variance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Roughly the chance that a quantity with this *mean* and *variance* is above 0 (a logistic curve), for arrays."""
    steep = np.clip(1.7 * mean / np.sqrt(variance + 0.06), -30, 30)
    chances: NDArray[np.float64] = 1 / (1 + np.exp(-steep))
    return chances
