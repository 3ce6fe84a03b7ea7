"""Training a network: backpropagation, and Adam (Kingma and Ba, 2015)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from engine.network import Floats, Layer, Network

BETA_1, BETA_2, TINY = 0.9, 0.999, 1e-8
"""The constants of Adam, as its authors propose them."""
LONGEST: Final = 1.0
"""No gradient is longer than this, all weights together."""


def fresh(sizes: Sequence[int], rng: np.random.Generator, last: float = 1.0) -> Network:
    """Build a network with *sizes* inputs, hidden units and outputs and random weights (He et al., 2015).

    The weights of the last layer are multiplied by *last*.
    """
    layers = []
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        scale = np.sqrt(2 / inputs) * (last if number == len(sizes) - 2 else 1.0)
        weights = rng.standard_normal((inputs, outputs), dtype=np.float32) * np.float32(scale)
        layers.append(Layer(weights, np.zeros(outputs, np.float32)))
    return Network(tuple(layers))


class Trainer:
    """A network that learns: its weights change in place."""

    def __init__(self, network: Network) -> None:
        self.network = Network(tuple(Layer(w.copy(), b.copy()) for w, b in network.layers))
        self._parts = [part for layer in self.network.layers for part in layer]
        self._mean = [np.zeros_like(part) for part in self._parts]
        self._square = [np.zeros_like(part) for part in self._parts]
        self._steps = 0
        self._average = [part.copy() for part in self._parts]

    def forward(self, inputs: Floats) -> list[Floats]:
        """Compute the network for rows of *inputs*, and return the inputs of every layer, and last the outputs."""
        seen = [inputs]
        *hidden, last = self.network.layers
        for weights, bias in hidden:
            outputs = seen[-1] @ weights
            outputs += bias
            np.maximum(outputs, 0, out=outputs)
            seen.append(outputs)
        seen.append(seen[-1] @ last.weights + last.bias)
        return seen

    def step(self, seen: list[Floats], wrong: Floats, rate: float) -> None:
        """Change the weights by one step of Adam at the learning rate *rate*, in place.

        *seen*: what ``forward`` gave; *wrong*: the gradient of the mean loss by the outputs.
        """
        gradients: list[Floats] = []
        for number in range(len(self.network.layers) - 1, -1, -1):
            gradients[:0] = [seen[number].T @ wrong, wrong.sum(axis=0)]
            if number:
                wrong = wrong @ self.network.layers[number].weights.T
                wrong *= seen[number] > 0
        norm = float(np.sqrt(sum(float((part * part).sum()) for part in gradients)))
        shrink = np.float32(min(1.0, LONGEST / (norm + 1e-9)))
        self._steps += 1
        rate = rate * np.sqrt(1 - BETA_2**self._steps) / (1 - BETA_1**self._steps)
        for part, gradient, mean, square in zip(self._parts, gradients, self._mean, self._square, strict=True):
            gradient *= shrink
            mean += (1 - BETA_1) * (gradient - mean)
            square += (1 - BETA_2) * (gradient * gradient - square)
            part -= np.float32(rate) * mean / (np.sqrt(square) + TINY)

    def update_weight_average(self, share: float) -> None:
        """Move the running average of the weights towards the present weights by *share*, 0 to 1."""
        for average, part in zip(self._average, self._parts, strict=True):
            average += np.float32(share) * (part - average)

    @property
    def averaged(self) -> Network:
        """A copy of the network with the running average of its weights: steadier than the network itself."""
        parts = [part.copy() for part in self._average]
        return Network(tuple(Layer(w, b) for w, b in zip(parts[::2], parts[1::2], strict=True)))
