"""Figures with the goals that they should reach, and how a table says them."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from engine.tournament import mean_and_error


class Figure(NamedTuple):
    """Something that was measured."""

    what: str
    value: float
    error: float | None = None
    """The standard error; ``None``: there is none, or it is not known."""
    unit: str = "%"
    least: float | None = None
    """The goal: *value* should be no less; ``None``: there is no such goal."""
    most: float | None = None
    """The goal: *value* should be no more."""

    @property
    def met(self) -> bool:
        """Whether the value reaches its goal, the error left aside; also true if there is no goal."""
        return self._margin_to_goal >= 0

    @property
    def missed(self) -> bool:
        """Whether the value misses its goal by more than its error: more games would hardly find otherwise."""
        return self._margin_to_goal < -(self.error or 0.0)

    @property
    def verdict(self) -> str:
        """Whether the goal is reached, in words: "met" or "NOT MET", and whether by less than the error."""
        close = abs(self._margin_to_goal) < (self.error or 0.0)
        return ("met" if self.met else "NOT MET") + (", but by less than the error" if close else "")

    @property
    def _margin_to_goal(self) -> float:
        """The distance of the value from the nearer goal: above 0 within it, below 0 beyond it, infinite without a
        goal."""
        low = math.inf if self.least is None else self.value - self.least
        return min(low, math.inf if self.most is None else self.most - self.value)


def percent(what: str, shares: Sequence[float], *, most: float | None = None) -> Figure:
    """Make the figure *what* of the mean of *shares* (0 to 1; two or more) and its standard error, in percent; *most*
    is its goal.

    >>> percent("won", [1.0, 0.0, 1.0, 0.0], most=60)
    Figure(what='won', value=50.0, error=28.867513459481287, unit='%', least=None, most=60)
    """
    mean, error = mean_and_error(shares)
    return Figure(what, 100 * mean, 100 * error, most=most)


def line(it: Figure) -> str:
    """Write the figure *it* as a line of a table: what, value, error, unit, and the goal with the verdict.

    >>> print(line(Figure("games won", 61.04, 1.24, most=60))[80:])
           61.0 ± 1.2 %   goal: at most 60: NOT MET, but by less than the error
    >>> print(line(Figure("median", 0.123, unit="ms"))[80:])
           0.12 ms
    """
    error = "" if it.error is None else f" ± {it.error:.1f}"
    value = f"{it.value:.2f}" if it.unit == "ms" else f"{it.value:.0f}" if not it.unit else f"{it.value:.1f}"
    bounds = [f"at least {it.least:g}"] if it.least is not None else []
    bounds += [f"at most {it.most:g}"] if it.most is not None else []
    goal = f"goal: {' and '.join(bounds)}: {it.verdict}" if bounds else ""
    return f"{it.what:<86} {f'{value}{error} {it.unit}':<14} {goal}".rstrip()
