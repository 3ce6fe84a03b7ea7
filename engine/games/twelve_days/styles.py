"""The styles of the computer players: what they remember, how sure their judgement is, and what they like.

The stronger levels make few mistakes. The weaker ones make the mistakes of people: they forget what was played, they
misjudge how a hand will go, they keep low cards for too long, or waste them to win every trick.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.games.twelve_days.choices import FULL, LOW, NEEDS, PASS, SIZE
from engine.games.twelve_days.features import Floats, Situations

RANKS: Final = 12
LOW_CARDS: Final = 4
"""The ranks up to this one are low cards."""


class Style(NamedTuple):
    """How a level differs from a player that makes no mistakes: what it forgets, how far it errs, and what it likes.
    Likings are measured in chances to win the hand."""

    recalls: int = RANKS
    """It knows how many cards of the ranks up to this one were played, and nothing about the other ranks."""
    attentive: bool = True
    """Whether it remembers who played and who passed, and which cards were taken back."""
    doubt: float = 0.0
    """The standard deviation of its error in the value of an even chance. Its error is smaller for what is nearly
    sure."""
    thrift: float = 0.0
    """How much it dislikes to play a low card; below 0: how much it likes to."""
    pride: float = 0.0
    """How much it likes to hold the lowest card of the trick."""
    haste: float = 0.0
    """How much it likes to get rid of each card."""


def recalled_situations(now: Situations, style: Style) -> Situations:
    """The situations *now* as a player of *style* remembers them: without the cards and the passes that it forgets."""
    if not style.attentive:
        pool = now.pool + now.known.sum(axis=1, dtype=np.int8)
        nothing = np.zeros_like(now.known)
        now = now._replace(pool=pool, known=nothing, played=nothing, declined=np.zeros_like(now.declined))
    if style.recalls < RANKS:
        pool = now.pool.copy()
        pool[:, style.recalls :] = (FULL - now.hand)[:, style.recalls :]
        now = now._replace(pool=pool)
    return now


def judgement_errors(worth: Floats, drawn: Floats, style: Style) -> Floats:
    """The random errors of a player of *style* in *worth*, its values of choices, to be added to them: (choices).

    *drawn* are as many numbers from the normal distribution. Nobody misjudges what is sure to win or to lose.
    """
    sure = np.clip(worth, 0.0, 1.0)
    found: Floats = style.doubt * 4.0 * sure * (1.0 - sure) * drawn
    return found


def choice_fondness(now: Situations, rows: NDArray[np.intp], numbers: NDArray[np.intp], style: Style) -> Floats:
    """How much a player of *style* likes each choice, apart from its expected outcome, in chances to win the hand:
    (choices).

    The choice plays a combination of *numbers* in a situation of *rows* of *now*.
    """
    lows, lowest = LOW[numbers], now.lowest[rows]
    takes = (numbers != PASS) & ((lowest == 0) | (lows <= lowest))
    spent = NEEDS[numbers][:, :LOW_CARDS].sum(axis=1)
    found: Floats = (style.pride * takes + style.haste * SIZE[numbers] - style.thrift * spent).astype(np.float32)
    return found


SPENDER: Final = Style(recalls=0, attentive=False, doubt=0.206, thrift=-0.08, pride=0.08)
"""Wants every trick, and spends the low cards on them; remembers nothing."""
MISER: Final = Style(recalls=0, attentive=False, doubt=0.184, thrift=0.1)
"""Holds on to low cards for too long; remembers nothing."""
HURRIED: Final = Style(recalls=2, attentive=False, doubt=0.131, haste=0.02)
"""Gets rid of as many cards as can be; of what was played remembers the 1 and the 2s."""
CAUTIOUS: Final = Style(recalls=4, attentive=False, doubt=0.086, thrift=0.04)
"""A little stingy; remembers which low cards were played."""
COUNTER: Final = Style(attentive=False, doubt=0.052)
"""Knows what was played, but not who did it, and misjudges little."""
CLEAR: Final = Style()
"""Knows all that can be known, and chooses what is best."""

STYLES: Final = (SPENDER, MISER, HURRIED, CAUTIOUS, COUNTER, CLEAR)
"""The styles of the six levels, the weakest first. The size of their errors was chosen so that with two players each
level wins about 64 % of the full games against the level below it."""
