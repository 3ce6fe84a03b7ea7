"""A network learns, and is saved."""

from pathlib import Path

import numpy as np
import pytest

from engine.network import from_arrays, save_networks, sigmoid
from engine.train.network import Trainer, fresh

pytestmark = pytest.mark.one_in(4)


def test_a_network_learns_what_no_single_layer_can() -> None:
    """Exclusive or."""
    inputs = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
    wanted = np.array([[0], [1], [1], [0]], np.float32)
    trainer = Trainer(fresh((2, 16, 8, 1), np.random.default_rng(1)))
    for _ in range(400):
        seen = trainer.forward(inputs)
        trainer.step(seen, (sigmoid(seen[-1]) - wanted) / 4, 0.01)
    assert np.abs(sigmoid(trainer.network(inputs)) - wanted).max() < 0.05


def test_a_network_is_read_as_it_was_saved_at_half_precision(tmp_path: Path) -> None:
    network = fresh((3, 4, 2), np.random.default_rng(4))
    save_networks(tmp_path / "networks.npz", {"one": network})
    with np.load(tmp_path / "networks.npz") as arrays:
        again = from_arrays({key: arrays[key] for key in arrays.files})["one"]
    for (weights, bias), (weights_again, bias_again) in zip(network.layers, again.layers, strict=True):
        np.testing.assert_allclose(weights_again, weights, rtol=1e-3)
        assert np.array_equal(bias_again, bias)
