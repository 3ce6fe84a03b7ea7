"""What all messages of a table share is written once: the right words for each, and nothing of one seat's in another's
(D2, T11)."""

from collections.abc import Iterator

import pytest

from bot.delivery.plan import render_slot
from bot.delivery.slots import TABLE, dm_hand_slot
from bot.i18n import Words, words
from bot.tables.model import Player, Table
from bot.tables.scene import AnyScene, make_scene
from bot.ui.components import cached_by_public_scene
from bot.ui.pictures import symbols
from bot.ui.pictures.symbols import Emoji
from bot.ui.registry import PRESENTERS
from engine.game import Seat
from tests.bot.tables import running, started
from tests.games import ANY, CASES

SEATS = range(3)
SLOTS = (*(dm_hand_slot(Seat(seat)) for seat in SEATS), TABLE)
PLAYERS = tuple(Player(f"player {seat}", 100 + seat, locale="de" if seat == 1 else "en") for seat in SEATS)


def drawn(table: Table, slot: str) -> object:
    return render_slot(table, slot, 1, live=True).payload


def versions(game: str) -> Iterator[Table]:
    """A random game, as it stands after every action."""
    case, outcome = CASES[game], ()
    for _, _, step in case.steps(len(PLAYERS), 1, case.quick):
        outcome = tuple(step.events) if case.rules.ends_round(step.events) else outcome
        if case.rules.on_turn(step.state) is not None:
            yield running(game, step.state, PLAYERS)._replace(recent=tuple(step.events), outcome=outcome)


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_message_is_the_same_whatever_was_drawn_before_it(game: str) -> None:
    for table in versions(game):
        one_after_the_other = [drawn(table, slot) for slot in SLOTS]
        assert one_after_the_other == [drawn(table._replace(), slot) for slot in SLOTS]


@pytest.mark.parametrize("game", sorted(CASES))
def test_a_table_is_drawn_anew_when_other_symbols_are_shown(game: str) -> None:
    emojis = {it: Emoji("drawing", 7) for it in PRESENTERS[game].drawings}
    for table in list(versions(game))[:20]:
        as_text = [drawn(table, slot) for slot in SLOTS]
        symbols.set_application_emojis(emojis)
        try:
            assert (
                [drawn(table, slot) for slot in SLOTS] == [drawn(table._replace(), slot) for slot in SLOTS] != as_text
            )
        finally:
            symbols.set_application_emojis({})
        assert [drawn(table, slot) for slot in SLOTS] == as_text


@pytest.mark.about(ANY)
def test_what_is_shared_is_written_from_what_everybody_may_know() -> None:
    asked: list[Seat | None] = []

    @cached_by_public_scene
    def said(shown: AnyScene, t: Words) -> str:
        asked.append(shown.seat)
        return t("Rules")

    table = started(ANY, people=3)
    found = [said(make_scene(table, seat, 1), words("en")) for seat in (*map(Seat, SEATS), None)]
    assert found == ["Rules"] * 4
    assert asked == [None]
    assert said(make_scene(table, Seat(0), 1), words("de")) == "Regeln"
