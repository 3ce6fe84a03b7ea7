"""Every reason for a no has its sentence, in every game and every language."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.i18n import LOCALES, words
from bot.tables.errors import Why
from bot.tables.model import Phase
from bot.tables.scene import AnyScene, make_scene
from bot.ui import replies
from bot.ui.presenter import OptionText
from bot.ui.registry import PRESENTERS, presenter_problems
from engine.errors import General
from engine.registry import GAMES
from tests.bot.sheets import tables
from tests.bot.tables import on_turn
from tests.games import CASES

FACTS = {"permissions": "x", "most": 6, "least": 2, "now": 1, "name": "Anna", "names": ["Anna", "Bruno"]}
FACTS |= {"n": 3, "when": "<t:1700000000:R>", "until": 1_700_000_000_000, "channels": [5], "roles": [6], "said": "x"}
FACTS |= {"places": ((1, 5), (0, 7))}

every_game = pytest.mark.parametrize("game", sorted(CASES))


@every_game
def test_what_a_presenter_leaves_out_is_named(game: str) -> None:
    """A game with gaps is refused when the program starts, so a contributor reads of them once, not in every test."""
    rules, presenter = GAMES[game], PRESENTERS[game]
    assert list(presenter_problems(rules, presenter)) == []
    for reason in rules.refused:
        left = {other: said for other, said in presenter.illegal.items() if other is not reason}
        assert list(presenter_problems(rules, replace(presenter, illegal=left))) == [
            f"illegal has no sentence for {reason}"
        ]
    for name, option in presenter.options.items():
        (found, other) = presenter_problems(rules, replace(presenter, options=renamed(presenter.options, name)))
        assert f"no text for {name!r}" in found
        assert f"options has '{name}s', but" in other
        less = {**presenter.options, name: option._replace(values=dict(list(option.values.items())[1:]))}
        (found,) = presenter_problems(rules, replace(presenter, options=less))
        assert found.startswith(f"the values of {name!r} in options are ")
    (found,) = presenter_problems(rules, replace(presenter, call="" if rules.calls is not None else "Snap!"))
    assert found.startswith("call must be")
    (found,) = presenter_problems(rules, replace(presenter, levels=["strong"] * (rules.computers.LEVELS + 1)))
    assert (
        found
        == f"levels describes {rules.computers.LEVELS + 1} computer players, and there are {rules.computers.LEVELS}"
    )


def renamed(options: Mapping[str, OptionText], name: str) -> dict[str, OptionText]:
    """*options* with an s behind *name*."""
    return {f"{it}s" if it == name else it: text for it, text in options.items()}


def test_every_general_reason_and_every_refusal_has_a_sentence() -> None:
    assert set(General) == set(replies.ILLEGAL)
    assert set(Why) == set(replies.REFUSALS)


@every_game
def test_sentences_are_for_reasons_that_there_are(game: str) -> None:
    presenter, reasons = PRESENTERS[game], {*General, *GAMES[game].refused}
    assert set(presenter.illegal) <= reasons
    assert set(presenter.pages_for) <= {*reasons, *Why}
    assert set(presenter.pages_for.values()) <= {topic.key for topic in presenter.rules_pages}


def scenes(game: str) -> list[AnyScene]:
    """What whoever is on turn sees in the longest situations of *game*."""
    running = [table for table in tables(game, "Anna") if table.phase is Phase.PLAYING]
    return [make_scene(table, on_turn(table), 1) for table in running]


@every_game
@pytest.mark.parametrize("locale", LOCALES)
def test_every_sentence_is_filled_and_says_something_of_its_own(game: str, locale: str) -> None:
    t = words(locale)

    def different(said: Mapping[Any, str]) -> None:
        assert len(set(said.values())) == len(said), said
        assert not [sentence for sentence in said.values() if "{" in sentence or not sentence.strip()]

    for seen in scenes(game):
        different({why: replies.refusal_text(why, FACTS, seen, t) for why in Why})
        different({reason: replies.illegal_move_text(reason, seen, t) for reason in GAMES[game].refused})
        different({reason: replies.illegal_move_text(reason, seen, t) for reason in General})
    different({why: replies.refusal_text(why, FACTS, None, t) for why in Why})


def test_the_host_is_named_once_and_in_a_sentence_without_a_host_too() -> None:
    t = words("en")
    seen = scenes(min(CASES))[0]
    named = replies.refusal_text(Why.HOST_ONLY, FACTS, seen._replace(host=seen.people[0].user), t)
    assert named == f"Only **{seen.people[0].name}** (host) or a moderator can do that."
    assert replies.refusal_text(Why.HOST_ONLY, FACTS, None, t) == "Only the host or a moderator can do that."
