"""What people read in a hint: the choices with their chances, alike ones together, and what follows from them."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from bot.i18n import words
from bot.present.hints import ALIKE, MOST, hint_sheet
from bot.present.registry import PRESENTERS
from bot.present.sheet import capital
from bot.tables import hints
from engine.game import Option, Seat
from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import Face
from engine.registry import GAMES
from tests.bot.tables import on_turn, started
from tests.bot.test_hints import HINTS, PERSON, after_one_action, every_game_with_coach
from tests.games.diciassette import state


def told(game: str, options: Sequence[Option[Any]], locale: str = "en") -> list[str]:
    """The lines of a hint."""
    hint = situation(game)._replace(options=options, insight=None)
    (component,) = hint_sheet(game, hint, words(locale)).payload[0]["components"]
    return [str(line) for line in component["content"].splitlines() if not line.startswith("-# After ")]


@cache
def situation(game: str) -> hints.Hint:
    """A hint for somebody on turn who may do many things, of several kinds."""
    rng, t = Random(5), started(game, HINTS, people=1, computers=2)
    while True:
        t = after_one_action(t, rng)
        if on_turn(t) == PERSON:
            found = hints.hint(t, PERSON)
            if len(named(game, found)) >= MOST + 2 and len({type(it.action) for it in found.options}) >= 2:
                return found


def named(game: str, hint: hints.Hint) -> dict[str, Any]:
    """What somebody may do, by how it is named."""
    return {PRESENTERS[game].board.done(it.action, words("en")): it.action for it in hint.options}


def choices(game: str) -> dict[str, Any]:
    """What somebody on turn may do, of several kinds, by how it is named."""
    return named(game, situation(game))


@every_game_with_coach
def test_a_hint_names_the_best_of_every_kind_of_action(game: str) -> None:
    """Calling or passing stands beside plays even if it is the worst, or one of many that are alike."""
    named = choices(game)
    (usual, _), *_ = Counter(map(type, named.values())).most_common(1)
    plays = [Option(action, 0.9 - n / 100) for n, action in enumerate(named.values()) if type(action) is usual]
    (name, other), *_ = [(name, action) for name, action in named.items() if type(action) is not usual]
    lines = told(game, [*plays, Option(other, 0.1)])
    assert lines[MOST] == capital(f"{name}: 10%")
    assert len(lines) == MOST + 2
    *equal, worse = plays
    others = len(equal) - ALIKE
    alike = told(game, [*(it._replace(chance=0.5) for it in equal), Option(other, 0.5), worse._replace(chance=0.4)])
    assert alike[0].endswith(f", {name} or {others} other{'s' * (others > 1)}**: 50% to win the game")
    first = told(game, [Option(other, 0.95), *plays])
    assert len(first) == MOST + 1, "the best play is among the best three"


@every_game_with_coach
def test_a_hint_says_if_there_is_no_choice_or_no_hope(game: str) -> None:
    (name, action), *_ = choices(game).items()
    assert told(game, [Option(action, 0.4)]) == [f"🎓 Your only option: **{name}**"]
    assert told(game, [Option(action, 0.4), Option(action, 0.4)]) == [f"🎓 Your only option: **{name}**"]
    lost = "You can no longer win this game."
    assert told(game, [Option(it, 0.0) for it in choices(game).values()]) == [f"🎓 {lost}"]
    rare = "Whatever you choose, your chance to win the game is less than 1%."
    assert told(game, [Option(it, 0.001) for it in choices(game).values()]) == [f"🎓 {rare}"]
    assert told(game, [Option(action, 0.001)]) == [f"🎓 Your only option: **{name}**"]
    assert told(game, [Option(action, 0.0)]) == [f"🎓 Your only option: **{name}**", lost]


@every_game_with_coach
def test_a_hint_says_that_there_are_others_that_leave_the_same_chance(game: str) -> None:
    """Whoever does not find their choice in the list would take it for worse."""
    actions = list(choices(game).values())
    assert len(actions) >= MOST + 2
    many = told(game, [*(Option(it, 0.5) for it in actions[1:]), Option(actions[0], 0.1)])[0]
    assert re.search(r" or \d+ others?\*\*: 50% to win the game$", many)
    for few in ([0.5, 0.5, 0.5], [0.9, 0.9, 0.5]):
        options = [Option(it, chance) for it, chance in zip(actions[:3], few, strict=True)]
        assert "others" not in "".join(told(game, options)), "all are named"


@every_game_with_coach
def test_where_all_choices_leave_the_same_a_hint_says_so_and_names_the_best(game: str) -> None:
    (name, action), *others = choices(game).items()
    options = [Option(action, 0.504), *(Option(it, 0.5) for _, it in others)]
    said = f"🎓 Every choice leaves about 50% to win the game; a little better: **{name}**."
    assert told(game, options)[0] == said


@pytest.mark.about("diciassette")
def test_a_hint_warns_of_a_card_after_which_everybody_sees_17() -> None:
    before = state(["5 2 R", "2 3 4"], turn=0, last=1, lies="0:5 1:5 0:4")
    view = GAMES["diciassette"].view(before, Seat(0))
    options = [Option(Play(Seat(0), card, face), 0.3) for card in view.hand for face in Face]
    hint = hints.Hint(view, options[:3], None)
    (component,) = hint_sheet("diciassette", hint, words("en")).payload[0]["components"]
    warned = [line for line in component["content"].splitlines() if line.startswith("-# After ")]
    assert len(warned) == 1
    assert warned[0].endswith("face up, everybody sees 17: the next call is right.")


@pytest.mark.parametrize(
    ("locale", "joined"), [("en", "1 or 2"), ("de", "1 oder 2"), ("it", "1 o 2"), ("nl", "1 of 2")]
)
def test_what_may_be_chosen_is_joined_as_the_language_does(locale: str, joined: str) -> None:
    assert words(locale).one_of(["1", "2"]) == joined
