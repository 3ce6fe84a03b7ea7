"""A small neural network as computer players use it: forward only, numpy only.

A network is a multilayer perceptron: every layer but the last is followed by max(0, x). Trained networks are data in
a game's folder (``*.npz``); ``engine.train`` makes them.
"""

import io
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
"""Any array of numbers that a network takes or gives."""

IMPOSSIBLE: Final = np.float32(-1e9)
"""The logit of a choice that is not allowed."""


class Layer(NamedTuple):
    """One layer: ``inputs @ weights + bias``."""

    weights: Floats
    """Shape (inputs, outputs)."""
    bias: Floats
    """Shape (outputs,)."""


class Network(NamedTuple):
    """A multilayer perceptron."""

    layers: tuple[Layer, ...]

    def __call__(self, inputs: Floats) -> Floats:
        """Compute the outputs (logits) of the network for *inputs*, of shape (inputs,) or (rows, inputs)."""
        *hidden, last = self.layers
        for weights, bias in hidden:
            inputs = np.maximum(inputs @ weights + bias, 0)
        outputs: Floats = inputs @ last.weights + last.bias
        return outputs


class Policy(Protocol):
    """Gives a logit for every choice, as a network does."""

    def __call__(self, seen: Floats, /) -> Floats:
        """The logits for the features *seen*, row by row."""


def softmax(logits: Floats) -> Floats:
    """Convert *logits* to chances that add up to 1 along the last axis, in the same shape.

    >>> softmax(np.zeros(4, np.float32)).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chances: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return chances


def sigmoid(logits: Floats) -> Floats:
    """Convert *logits* to chances from 0 to 1, each independently, in the same shape.

    >>> float(sigmoid(np.float32(0)))
    0.5
    """
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32)


def to_arrays(networks: Mapping[str, Network]) -> dict[str, NDArray[np.float16]]:
    """Convert *networks* to arrays at half precision for a file, named "name/0/weights" and so on."""
    return {
        f"{name}/{number}/{part}": np.asarray(array, np.float16)
        for name, network in networks.items()
        for number, layer in enumerate(network.layers)
        for part, array in layer._asdict().items()
    }


def from_arrays(arrays: Mapping[str, NDArray[np.float16]]) -> dict[str, Network]:
    """Build the networks, by name, from *arrays* as ``to_arrays`` made them."""
    depth: dict[str, int] = {}
    for key in arrays:
        name, number, _ = key.split("/")
        depth[name] = max(depth.get(name, 0), int(number) + 1)
    return {
        name: Network(tuple(_layer_from_arrays(arrays, f"{name}/{n}") for n in range(depth[name]))) for name in depth
    }


def _layer_from_arrays(arrays: Mapping[str, NDArray[np.float16]], key: str) -> Layer:
    """Read the layer stored under *key*."""
    return Layer(arrays[f"{key}/weights"].astype(np.float32), arrays[f"{key}/bias"].astype(np.float32))


def save_networks(path: Path, networks: Mapping[str, Network]) -> None:
    """Write *networks* to the file *path* (``.npz``), at half precision and compressed; replace an older file."""
    arrays: dict[str, Any] = {**to_arrays(networks)}
    np.savez_compressed(path, **arrays)


def load_networks(package: str, name: str) -> dict[str, Network]:
    """Load the networks, by name, from the file *name* in the folder of *package*."""
    return read_networks(files(package).joinpath(name).read_bytes())


def read_networks(data: bytes) -> dict[str, Network]:
    """Read the networks, by name, from *data*, the bytes of a file of networks."""
    with np.load(io.BytesIO(data)) as arrays:
        return from_arrays({key: arrays[key] for key in arrays.files})
