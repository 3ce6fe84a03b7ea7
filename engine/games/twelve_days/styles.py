"""How a player thinks: what it keeps in mind, how sure it is of its judgement, and what it is fond of.

The stronger levels think clearly. The weaker ones make the mistakes that people make: they forget what was played, they
misjudge how a hand will go, they are stingy with low cards, or throw them away to win every trick.
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
    """How a player differs from one who thinks clearly. What it is fond of is counted in chances to win the hand."""

    recalls: int = RANKS
    """Of the ranks up to this one it knows how many were played; of the others it does not."""
    attentive: bool = True
    """Whether it keeps in mind who played and who passed, and which cards were taken back."""
    doubt: float = 0.0
    """The spread of its error in what an even chance is worth; about what is nearly sure it errs less."""
    thrift: float = 0.0
    """How much it dislikes to spend a low card; below 0: how gladly it does."""
    pride: float = 0.0
    """How much it likes to hold the lowest card of the trick."""
    haste: float = 0.0
    """How much it likes each card to be gone."""


def recalled_situations(now: Situations, style: Style) -> Situations:
    """*now* as a player of this *style* has it in mind."""
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
    """(choices): how wrong a player of this *style* is about what choices are *worth*; *drawn* are as many numbers from
    the normal distribution. What is sure to win, or to lose, nobody misjudges."""
    sure = np.clip(worth, 0.0, 1.0)
    found: Floats = style.doubt * 4.0 * sure * (1.0 - sure) * drawn
    return found


def choice_fondness(now: Situations, rows: NDArray[np.intp], numbers: NDArray[np.intp], style: Style) -> Floats:
    """(choices): how much a player of this *style* likes playing the combinations *numbers* in the situations *rows* of
    *now*, besides what it expects of it."""
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
"""Those of the six levels, the weakest first. How large the errors are was chosen such that with two players each level
wins about 64 % of the full games against the level below it."""
