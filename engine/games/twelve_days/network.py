"""The network of the computer player. It predicts the outcome of every choice.

It has two hidden layers. The first is the sum of three parts: the situation, the number of the combination, and what
the choice leaves. So the part that is the same for all choices is computed once.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.network import softmax

Floats = NDArray[np.float32]

OUTCOMES: Final = 3
"""The number of outcomes: winning the hand; losing it with the most cards, which costs a gift; losing it otherwise
(T9)."""


class Network(NamedTuple):
    """The network that predicts the outcome of every choice: its weights. h and k are the numbers of units in the
    hidden layers."""

    situation: Floats
    """(features of a situation, h)."""
    combination: Floats
    """(combinations, h)."""
    choice: Floats
    """(features of a choice, h)."""
    first: Floats
    """(h)."""
    second: Floats
    """(h, k)."""
    offset: Floats
    """(k)."""
    last: Floats
    """(k, ``OUTCOMES``)."""
    end: Floats
    """(``OUTCOMES``)."""

    def outcomes(
        self, situations: Floats, rows: NDArray[np.intp], numbers: NDArray[np.intp], choices: Floats
    ) -> Floats:
        """How likely each outcome of the hand is after each choice: to win it, to give a gift, neither. The shape is
        (choices, ``OUTCOMES``).

        Choice i is combination ``numbers[i]`` in situation ``rows[i]``; *situations* and *choices* are as
        ``features`` describes them.
        """
        hidden: Floats = (situations @ self.situation + self.first)[rows]
        hidden += self.combination[numbers]
        hidden += choices @ self.choice
        np.maximum(hidden, 0, out=hidden)
        hidden = hidden @ self.second
        hidden += self.offset
        np.maximum(hidden, 0, out=hidden)
        return softmax(hidden @ self.last + self.end)


def to_named_arrays(network: Network, prefix: str) -> dict[str, NDArray[np.float16]]:
    """Convert *network* to named arrays at half precision for a file; all names begin with *prefix*."""
    return {prefix + name: weights.astype(np.float16) for name, weights in network._asdict().items()}


def from_named_arrays(arrays: Mapping[str, NDArray[np.generic]], prefix: str) -> Network:
    """Read the network from the arrays of a file with names that begin with *prefix*."""
    return Network(*[np.ascontiguousarray(arrays[prefix + name], np.float32) for name in Network._fields])
