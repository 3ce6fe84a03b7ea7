"""A network learns, and is saved."""

from pathlib import Path

import numpy as np

from engine.network import Network, from_arrays, save, sigmoid, softmax
from engine.train.network import Trainer, fresh


def test_a_network_learns_what_no_single_layer_can() -> None:
    """Exclusive or."""
    inputs = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
    wanted = np.array([[0], [1], [1], [0]], np.float32)
    trainer = Trainer(fresh((2, 16, 8, 1), np.random.default_rng(1)))
    for _ in range(400):
        seen = trainer.forward(inputs)
        trainer.step(seen, (sigmoid(seen[-1]) - wanted) / 4, 0.01)
    assert np.abs(sigmoid(trainer.network(inputs)) - wanted).max() < 0.05


def test_small_steps_lower_the_loss() -> None:
    rng = np.random.default_rng(2)
    inputs = rng.standard_normal((8, 5), dtype=np.float32)
    wanted = np.eye(3, dtype=np.float32)[rng.integers(0, 3, 8)]

    def loss(network: Network) -> float:
        return float(-(wanted * np.log(softmax(network(inputs)))).sum(axis=1).mean())

    for seed in range(5):
        trainer = Trainer(fresh((5, 7, 6, 3), np.random.default_rng(seed)))
        before = loss(trainer.network)
        for _ in range(20):
            seen = trainer.forward(inputs)
            trainer.step(seen, (softmax(seen[-1]) - wanted) / 8, 1e-3)
        assert loss(trainer.network) < before


def test_the_average_follows_the_weights() -> None:
    trainer = Trainer(fresh((2, 4, 1), np.random.default_rng(3)))
    start = trainer.averaged
    inputs = np.ones((1, 2), np.float32)
    seen = trainer.forward(inputs)
    trainer.step(seen, np.ones((1, 1), np.float32), 0.1)
    assert trainer.averaged(inputs) == start(inputs)
    trainer.remember_average(1.0)
    assert trainer.averaged(inputs) == trainer.network(inputs) != start(inputs)


def test_a_network_is_read_as_it_was_saved_at_half_precision(tmp_path: Path) -> None:
    network = fresh((3, 4, 2), np.random.default_rng(4))
    save(tmp_path / "networks.npz", {"one": network})
    with np.load(tmp_path / "networks.npz") as arrays:
        again = from_arrays({key: arrays[key] for key in arrays.files})["one"]
    for (weights, bias), (weights_again, bias_again) in zip(network.layers, again.layers, strict=True):
        np.testing.assert_allclose(weights_again, weights, rtol=1e-3)
        assert np.array_equal(bias_again, bias)
