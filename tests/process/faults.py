"""Tests that meet one fault after the other."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.games import CASES


def every_fault(faults: Sequence[Any]) -> pytest.MarkDecorator:
    """The test takes a ``fault`` and a ``game``. To Discord all games are alike, so the games take turns."""
    games = sorted(CASES)
    pairs = [(fault, games[number % len(games)]) for number, fault in enumerate(faults)]
    return pytest.mark.parametrize(
        ("fault", "game"), [pytest.param(fault, game, id=f"{game}-{_said(fault)}") for fault, game in pairs]
    )


def _said(fault: Any) -> str:
    if isinstance(fault, dict):
        return "-".join(f"{key}={value}" for key, value in fault.items())
    return getattr(fault, "__name__", str(fault))
