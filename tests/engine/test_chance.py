"""What a game asks of its chance: no shuffle and no draw twice."""

from collections.abc import Sequence
from typing import TypeVar

import pytest

from engine.fair import SeededChance
from tests.games import CASES

T = TypeVar("T")


class Dice:
    """The chance of a whole game, which notes what the game has asked of it."""

    def __init__(self, fair: SeededChance) -> None:
        self._fair = fair
        self.pending_interaction: list[int | str] = []

    def shuffle(self, index: int, items: Sequence[T]) -> tuple[T, ...]:
        self.pending_interaction.append(index)
        return self._fair.shuffle(index, items)

    def pick(self, name: str, n: int) -> int:
        self.pending_interaction.append(name)
        return self._fair.pick(name, n)


@pytest.mark.parametrize("game", sorted(CASES))
@pytest.mark.parametrize("seed", range(3))
def test_no_shuffle_and_no_draw_is_asked_for_twice_in_a_game(game: str, seed: int) -> None:
    """The same number gives the same order, and the same name the same draw: everybody would know what comes."""
    case, dice = CASES[game], Dice(SeededChance(bytes([seed]) * 32))
    for _ in case.steps(case.rules.seats[-1], seed, case.options[0], dice):
        pass
    assert len(set(dice.pending_interaction)) == len(dice.pending_interaction), (
        f"a number or a name stands there twice: {dice.pending_interaction}"
    )
    numbers = [it for it in dice.pending_interaction if isinstance(it, int)]
    assert numbers == list(range(len(numbers)))
