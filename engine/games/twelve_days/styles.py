"""The styles of the six levels, the weakest first.

How large the errors are was chosen such that with two players each level wins about 64 % of the full games against the
level below it.
"""

from typing import Final

from engine.games.twelve_days.style import Style

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
