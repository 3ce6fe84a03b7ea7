"""What the computer player of 12 Days is measured by, beside its strength: ``engine.train.tournament``."""

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from typing import Final

from engine.train.figures import Figure, percent
from engine.train.twelve_days.exploit import game_win_chance, play_deal_pairs

REFERENCE_GOALS: Final[Mapping[int, float]] = {2: 74.0, 4: 40.0}
MOST_EXPLOITED: Final = 63.0
"""What an exploiter of the strongest level should win at most, in percent of the games of two."""
PAIRS: Final = 2000
"""Deals that it plays, each from both seats."""
AT_A_TIME: Final = 20


def evidence(pool: Executor, seed: int, part: float) -> Iterator[Figure]:
    """Yield how often an exploiter wins hands, and games, against the strongest level
    (``engine.train.tournament.Evidence``)."""
    deals = max(2, round(PAIRS * part))
    firsts = range(0, deals, AT_A_TIME)
    work = [pool.submit(play_deal_pairs, [seed, first], min(AT_A_TIME, deals - first)) for first in firsts]
    shares = [share for it in work for share in it.result()]
    who = "twelve_days: a player that searches, with an exact model of the strongest level"
    hands = percent(f"{who} ({2 * len(shares)} hands)", shares)
    yield hands
    share, wrong = hands.value / 100, (hands.error or 0.0) / 100
    # From the error of the hands: how much the chance of a game changes with that of a hand.
    spread = game_win_chance(share + wrong) - game_win_chance(share - wrong)
    yield Figure("... and of games of 12 such hands", 100 * game_win_chance(share), 50 * spread, most=MOST_EXPLOITED)
