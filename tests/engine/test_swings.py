"""What changed the chances in a game for good, and what was undone at once."""

from collections.abc import Sequence

import pytest

from engine.game import Seat
from engine.swings import ActionChange, Swing, decisive_swings, divide_actions_into_swings, had_other_undone_swing


def acts(*levels: float, foregone: Sequence[int] = (), dealt: Sequence[int] = ()) -> list[ActionChange]:
    """The actions of a game of two: how the chance of seat 0 went, in percent; the numbers of those that were bound to
    be made, and of those after which a new hand was dealt."""
    both = [(level / 100, 1 - level / 100) for level in levels]
    numbers = range(1, len(levels))
    return [ActionChange(n, both[n - 1], both[n], n in foregone, n in dealt) for n in numbers]


def told(found: Sequence[Swing]) -> list[tuple[int, int, int]]:
    """The greatest of *found*: from which moment to which, and by how many points; those of one point at most left
    out."""
    sizes = [(it.first, it.last, it.size[0]) for it in found]
    return sorted((it for it in sizes if it[2] > 1), key=lambda it: -it[2])


@pytest.mark.parametrize(
    ("game", "greatest"),
    [
        (acts(14, 0, 52, 0, 0), [(1, 1, 14)]),  # a swing and its undoing
        (acts(100, 50, 50, 100, 50, 50, foregone=[2, 5]), [(4, 4, 50)]),  # the same, and then for good
        (acts(75, 48, 77, 100), [(3, 3, 23), (1, 2, 2)]),
        (acts(11, 45, 4, 4), [(1, 2, 7)]),  # undone, and a little more
        (acts(80, 97, 50, 45), [(1, 2, 30), (3, 3, 5)]),
        (acts(50, 80, 70, 66), [(1, 1, 30), (2, 2, 10), (3, 3, 4)]),  # most of it is left
        (acts(50, 80, 79, 78, 50), [(4, 4, 28), (1, 1, 30)][::-1]),  # it was left for a while
        (acts(50, 80, 50, dealt=[1]), [(1, 1, 30), (2, 2, 30)]),  # the next hand is another story
        (acts(51, 33, 51.2, 15), [(3, 3, 36)]),  # of two that are as great the first is asked first
        (acts(50, 55, 20), [(2, 2, 35), (1, 1, 5)]),  # too small to ask
    ],
)
def test_a_swing_that_is_undone_at_once_counts_with_its_undoing(
    game: Sequence[ActionChange], greatest: Sequence[tuple[int, int, int]]
) -> None:
    assert told(divide_actions_into_swings(game)) == greatest


def test_what_was_bound_to_be_done_belongs_to_the_action_before() -> None:
    """Where that was not so before, the page of the step that decided it is shown: the call of whoever was first."""
    (one,) = divide_actions_into_swings(acts(83, 49, 96, foregone=[2]))
    assert (one.first, one.last, one.number, one.points) == (1, 2, 2, (13, -13))
    (one,) = divide_actions_into_swings(acts(50, 90, 90, 90, foregone=[2, 3]))
    assert (one.first, one.last, one.number) == (1, 1, 1)
    assert divide_actions_into_swings(acts(50, 90, foregone=[1])) == []
    assert [it.first for it in divide_actions_into_swings(acts(50, 90, 10, 20, dealt=[1], foregone=[2]))] == [1, 3]


def test_what_was_undone_is_known() -> None:
    """Who looks at every action sees it, so it is told."""
    (one,) = divide_actions_into_swings(acts(83, 49, 96, foregone=[2]))
    assert (one.detour(Seat(0)), round(one.undone_change, 6)) == (0.49, 0.47)
    (one,) = divide_actions_into_swings(acts(14, 52, 10))
    assert (one.detour(Seat(0)), round(one.undone_change, 6)) == (0.52, 0.42)
    (one,) = divide_actions_into_swings(acts(50, 60, 90, foregone=[2]))
    assert (one.detour(Seat(0)), one.undone_change) == (None, 0)
    (one,) = divide_actions_into_swings(acts(50, 92, 90, foregone=[2]))  # too little to tell
    assert (one.detour(Seat(0)), one.undone_change) == (None, 0)


def test_a_swing_is_as_great_as_people_read_it() -> None:
    """By the whole percents of the seat whose chance has changed most; of equal changes a gain is told."""
    won = Swing(1, 1, 1, ((0.494, 0.506), (0.746, 0.254)))
    assert won.points == (26, -26)
    assert won.most_affected_seat == 0
    assert won._replace(way=won.way[::-1]).most_affected_seat == 1
    spread = Swing(1, 1, 1, ((0.16, 0.16, 0.43, 0.25), (0.12, 0.52, 0.17, 0.19)))
    assert (spread.most_affected_seat, spread.size[0]) == (1, 36)
    assert spread._replace(way=((0.4, 0.2, 0.2, 0.2), (0.1, 0.3, 0.3, 0.3))).most_affected_seat == 0


def test_a_great_mistake_is_told_by_itself() -> None:
    """And not what it undid, which is known to have passed; also if what follows undoes it."""
    game = acts(64, 90, 39, 80)
    game[1] = game[1]._replace(blunder=True)
    found = divide_actions_into_swings(game)
    assert told(found) == [(2, 2, 51), (3, 3, 41)]
    assert found[0].undone_change == pytest.approx(0.26)


def test_what_ends_a_round_is_one_with_what_led_to_it_and_went_the_same_way() -> None:
    """Also if a part of that was undone; but not with the end of another round, nor with a great mistake. A great
    mistake that ends a round is what is told of it."""

    def ending(*levels: float, ends: Sequence[int], blunders: Sequence[int] = ()) -> list[Swing]:
        return divide_actions_into_swings(
            [it._replace(ends=it.number in ends, blunder=it.number in blunders) for it in acts(*levels)]
        )

    assert told(ending(60, 79, 50, 95, ends=[3])) == [(1, 3, 35)]
    assert told(ending(60, 79, 95, ends=[2])) == [(1, 2, 35)]
    assert told(ending(60, 50, 95, ends=[2])) == [(2, 2, 45), (1, 1, 10)]
    assert told(ending(60, 79, 95, ends=[1, 2])) == [(1, 1, 19), (2, 2, 16)]
    assert told(ending(60, 79, 95, ends=[2], blunders=[1])) == [(1, 1, 19), (2, 2, 16)]
    (one,) = ending(51, 79, 86, ends=[2], blunders=[2])
    assert (one.first, one.last, one.number, one.size[0]) == (1, 2, 2, 35)


def swing(number: int, *way: float) -> Swing:
    """A swing at the moment *number* of a game of two: how the chance of seat 0 went, in percent."""
    return Swing(number, number, number, tuple((it / 100, 1 - it / 100) for it in way))


@pytest.mark.parametrize(
    ("levels", "numbers"),
    [
        ((20, 12, 15, 30), [1, 3, 4]),  # the three greatest, in the order of the game
        ((20, 9, 15), [1, 3]),  # what has changed no chance by ten points is left out ...
        ((10, 9), [1]),
        ((9, 3, 8), [1]),  # ... but if nothing has, the greatest is told
        ((0, 0), []),
        ((), []),
    ],
)
def test_the_greatest_changes_have_decided_a_game(levels: Sequence[float], numbers: Sequence[int]) -> None:
    found = [swing(number, 40, 40 + by) for number, by in enumerate(levels, start=1)]
    assert [it.number for it in decisive_swings(found)] == numbers


def test_a_change_that_was_undone_and_as_great_is_known() -> None:
    """It stands in the picture, and not among those that decided the game."""
    greatest = swing(1, 40, 60)
    assert not had_other_undone_swing([greatest, swing(2, 40, 59, 40)], [greatest])
    assert had_other_undone_swing([greatest, swing(2, 40, 61, 40)], [greatest])
    assert had_other_undone_swing([greatest, swing(2, 40, 61, 40), swing(3, 50, 51)], [greatest])
    assert not had_other_undone_swing([greatest, swing(2, 40, 70)], [greatest]), "it was not undone"
    both = swing(1, 40, 70, 40)
    assert not had_other_undone_swing([both], [both]), "it is told"
    assert not had_other_undone_swing([swing(2, 40, 49, 40)], [])
    assert had_other_undone_swing([swing(2, 40, 51, 40)], [])
