"""The six levels of the computer player, each with a style of its own.

1. *The beginner* goes by instinct alone, shies at every hidden card, keeps little secret and dares not call.
2. *The gambler* goes by instinct too, calls too readily and likes traps.
3. *The bluffer* has learnt a little, and lays too much face down.
4. *The doubter* has learnt more, but fears that hidden cards are high, and calls too soon.
5. *The regular* remembers the discard pile, plays well and thinks ahead a little, but by instinct too often.
6. *The master* plays as well as it has learnt, knows all that can be known, and thinks ahead in many worlds.

Only in games of two does anybody think ahead (``search``).

Whoever sees that 17 lies there calls: cards face down cannot make it less (D13). Only the beginner hesitates now and
then. A master might win 52 games of 100 against this one by waiting where its own trap would snap at it; but two who
wait for each other lay nearly all cards of the deck into one queue.

All but the master have human failings, not lapses: they weigh what the trained network says against *instinct* (simple
habits of people who have just learnt the game), forget what was discarded, are wrong about the sum of cards that they
cannot see, and have habits that others can read.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.diciassette import features as f
from engine.games.diciassette.cards import TARGET, Card
from engine.games.diciassette.choices import CALL, CHOICES, PLACES, PLAYS, Choice
from engine.network import IMPOSSIBLE, Floats, softmax

_IS_FACE_DOWN: Final = np.array([*(play.hidden for play in PLAYS), False, False], np.float32)
"""1 for every choice that lays a card face down."""
FACE_DOWN_CHOICES: Final = np.flatnonzero(_IS_FACE_DOWN)
"""The choices that lay a card face down."""
_TRAP: Final = PLACES[Choice(Card.TRAP, hidden=True)]
_IS_OPEN_SPECIAL: Final = np.array(
    [*(play.card.number == 0 and not play.hidden for play in PLAYS), False, False], np.float32
)
"""1 for every choice that plays a special card face up."""
_ADDED_NUMBER: Final = np.array([*(play.card.number for play in PLAYS), 0, 0], np.float32)
"""The number that every choice adds to the queue."""
MAX_PLAYOUT_ACTIONS: Final = 12
"""The most actions that a search plays through in a world, if a style does not say otherwise."""


class Style(NamedTuple):
    """The habits and weaknesses of a level: what it remembers, how far it trusts instinct, its errors, and what it
    likes. The defaults mean none."""

    remembers: bool = True
    """Whether it remembers the discard pile."""
    instinct: float = 0.0
    """The weight of instinct, from 0 to 1, against the trained network."""
    suspicion: float = 2.0
    """The number that instinct assumes for a hidden card."""
    misjudges: float = 0.0
    """The standard deviation of its error in the queue's sum, for each card that it cannot see."""
    temperature: float = 1.0
    """The temperature of its choices: more is more random."""
    boldness: float = 0.0
    """The addition to the logit of calling: above 0 is too bold, below too careful."""
    secrecy: float = 0.0
    """The addition to the logits of laying a card face down."""
    traps: float = 0.0
    """The addition to the logit of laying a trap face down."""
    certain: float = 20.0
    """The addition to the logit of calling, after all else, where it sees 17 in the queue."""
    worlds: int = 0
    """The number of worlds of its search in a two-player game; 0: no search."""
    most_actions: int = MAX_PLAYOUT_ACTIONS
    """The most actions that its search plays through in a world before the critic judges it."""
    looseness: float = 0.02
    """The gain in the chance to win that makes a choice e times as likely after a search."""
    calling: float = 0.02
    """The same gain for calling or not calling."""
    evenness: float = 1.0
    """How much more evenly than usual it chooses among the cards that it may lay face down, so that nobody can tell one
    from another."""

    def perceived_features(self, seen: Floats, errors: Floats) -> Floats:
        """The features *seen* with the level's random errors about the sum of hidden cards: what it believes that it
        sees.

        *seen* has the shape (rows, ``features.SIZE``), and *errors* a number from the normal distribution for each row.

        It is wrong only about cards that it cannot see, and never so wrong as to take a queue of less for 17.
        """
        if not self.misjudges:
            return seen
        at = np.arange(len(seen))
        hidden = seen[:, f.HIDDEN : f.HIDDEN + 6].argmax(axis=1)
        total = seen[:, f.SUM : f.SUM + TARGET + 1].argmax(axis=1)
        guessed = total + np.rint(errors * np.sqrt(hidden) * self.misjudges).astype(np.int64)
        taken = np.where(total < TARGET, guessed.clip(0, TARGET - 1), total)
        off = (taken - total).astype(np.float32)
        wrong = seen.copy()
        wrong[at, f.SUM + total] = 0
        wrong[at, f.SUM + taken] = 1
        wrong[:, f.GUESS] = (wrong[:, f.GUESS] + off / 10).clip(-1.5, 1.5)
        return wrong

    def adjusted_logits(self, logits: Floats, seen: Floats) -> Floats:
        """Adjust the network's *logits* of all choices, for the features *seen*, to the level's instinct and habits,
        and return them."""
        leanings = self.secrecy * _IS_FACE_DOWN
        leanings[CALL] += self.boldness
        leanings[_TRAP] += self.traps
        judged = logits * (1 - self.instinct) + leanings
        if self.instinct:
            judged += self.instinct * instinct_logits(seen, self.suspicion)
        judged /= self.temperature
        judged[:, CALL] += self.certain * seen[:, f.SUM + TARGET]
        return np.asarray(judged, np.float32)

    def logits_after_search(self, logits: Floats, worth: Floats, allowed: NDArray[np.bool_]) -> Floats:
        """Adjust the *logits* of all choices to *worth*, the chances to win that a search found for the *allowed* ones,
        and return them.

        All have the shape (rows, ``CHOICES``).
        """
        plays = allowed.copy()
        plays[:, CALL] = False
        before = np.where(plays, logits, IMPOSSIBLE)
        after = np.where(plays, logits + worth / self.looseness, IMPOSSIBLE)
        value = (softmax(after) * worth).sum(axis=1)
        # The values of plays must not change the total chance of playing instead of calling.
        after += (_log_sum_exp(before) - _log_sum_exp(after))[:, None]
        after[:, CALL] = logits[:, CALL] + (worth[:, CALL] - value) / self.calling
        return np.asarray(after, np.float32)

    def choice_chances(self, logits: Floats, allowed: NDArray[np.bool_]) -> Floats:
        """How likely the level makes each *allowed* choice, from its *logits*, of shape (rows, ``CHOICES``)."""
        found: Floats = softmax(np.where(allowed, logits, IMPOSSIBLE)) * allowed
        if self.evenness != 1:
            hidden = found[:, FACE_DOWN_CHOICES]
            even = hidden ** (1 / self.evenness)
            total = np.maximum(1e-30, even.sum(axis=1, keepdims=True))
            found[:, FACE_DOWN_CHOICES] = even / total * hidden.sum(axis=1, keepdims=True)
        return found


def _log_sum_exp(logits: Floats) -> Floats:
    """The logarithm of the sum of the exponentials of *logits*, by row."""
    most = logits.max(axis=1)
    total: Floats = most + np.log(np.exp(logits - most[:, None]).sum(axis=1))
    return total


def instinct_logits(seen: Floats, suspicion: float) -> Floats:
    """Logits of every choice, for every row of features *seen*, by the habits of people who have just learnt the game.
    They take every hidden card for *suspicion*.

    Call when it must be 17. Push the queue up, but not over; keep specials until it gets dangerous; lay down secretly
    what would be too much, and a trap.
    """
    hidden = seen[:, f.HIDDEN : f.HIDDEN + 6].argmax(axis=1)
    total = seen[:, f.SUM : f.SUM + TARGET + 1].argmax(axis=1)
    guess = (total + suspicion * hidden).astype(np.float32)[:, None]
    after = guess + _ADDED_NUMBER
    over = after >= TARGET - 0.5
    feeling = np.where(over, -2.0, 0.12 * after)
    feeling = feeling + _IS_FACE_DOWN * np.where(over, 1.5, -1.0)
    feeling += _IS_OPEN_SPECIAL * np.where(guess > 12, 2.0, -1.0)
    feeling[:, _TRAP] += 2.0
    feeling[:, PLACES[Choice(Card.TRAP, hidden=False)]] -= 2.0
    feeling[:, CALL] = 1.2 * (guess[:, 0] - TARGET)
    feeling[:, CALL + 1 :] = 0.0
    assert feeling.shape[1] == CHOICES
    return np.asarray(feeling, np.float32)


MASTER: Final = Style()
STYLES: Final = (
    Style(remembers=False, instinct=1.0, suspicion=3.5, temperature=2.0, boldness=-1.0, secrecy=-1.0, certain=4.0),
    Style(remembers=False, instinct=0.985, suspicion=2.5, temperature=1.5, boldness=1.0, traps=1.0),
    Style(remembers=False, instinct=0.968, misjudges=1.0, secrecy=0.5),
    Style(remembers=False, instinct=0.86, suspicion=3.0, misjudges=0.8, boldness=0.5),
    Style(instinct=0.85, misjudges=0.5, worlds=16, looseness=0.13, calling=0.13),
    Style(worlds=64, looseness=0.01, calling=0.06, evenness=6.0),
)
"""The styles by level - 1, at tables of two."""
_INSTINCTS: Final = (1.0, 0.97, 0.94, 0.74, 0.7, 0.0)
"""The instinct by level - 1 with more players. The networks for these tables differ less between good and bad choices,
so instinct counts for more beside them."""


def style_of(level: int, seats: int) -> Style:
    """The style of the computer player of *level* (from 1) at a table of *seats*.

    With more than two nobody chooses more evenly than the network: that would lose more than it hides.
    """
    found = STYLES[level - 1]
    return found if seats == 2 else found._replace(instinct=_INSTINCTS[level - 1], evenness=1.0)
