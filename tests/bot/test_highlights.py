"""The end of a game as something worth sharing: secret while it runs, then in one picture, or in text in its place."""

from typing import Any

import pytest

from bot.delivery.discord_api import SheetFallback
from bot.delivery.errors import NoEntry
from bot.delivery.plan import render_slot
from bot.delivery.slots import TABLE, dm_hand_slot
from bot.i18n import LOCALES, words
from bot.store.tables import table_from_json, table_to_json
from bot.tables import play
from bot.tables.leaving import end_game_early, take_computer_seat
from bot.tables.model import Ending, Phase, Player, Table
from bot.tables.scene import make_scene
from bot.ui.registry import PRESENTERS
from engine.game import Seat
from engine.games.diciassette.actions import Call
from engine.games.diciassette.highlights import CallHighlight, FiredTrap, Highlights
from local_discord import components
from tests.bot.calling import call, table
from tests.bot.sheets import highlights
from tests.bot.tables import NORMAL, NOW, on_turn, pass_time, running, started
from tests.games import CASES
from tests.games.diciassette import state

TELLING = [game for game in sorted(CASES) if highlights(game, CASES[game].rules.seats[0]) is not None]
every_telling_game = pytest.mark.parametrize("game", TELLING)
NO_FILES = NoEntry(50013)
QUEUE = "0:P? 2:5= 2:5= 1:5= 0:5?"
"""Seat 2 sees 15 and two plain backs: a Trap and a 5."""
LAST = state(["1 2 3", "4 5 1", "2 3 4"], turn=1, last=0, lies=QUEUE, victory=(0, 1, 2))
TOLD = Highlights(
    bravest=CallHighlight(4, Seat(1), 420, 18, ()),
    bluff=CallHighlight(9, Seat(2), 9_999, 16, (Seat(1),)),
    snaps=(FiredTrap(4, Seat(1), Seat(0)),),
)


def finished(game: str) -> Table:
    """A table of *game* whose game has just been finished, with everything that it has to tell."""
    case = CASES[game]
    seats = case.rules.seats[0]
    *_, (_, _, last) = case.steps(seats, 1, case.quick)
    players = [Player(f"player {seat}", 100 + seat) for seat in range(seats)]
    over = running(game, last.state, players)._replace(phase=Phase.OVER, ending=Ending.FINISHED, outcome=last.events)
    return over._replace(highlights=highlights(game, seats))


def all_sheets(t: Table) -> list[Any]:
    """Everything that is sent of *t*: the table message and every hand."""
    sheets = [render_slot(t, slot, 1) for slot in (TABLE, *(dm_hand_slot(Seat(n)) for n in range(len(t.players))))]
    return [(sheet.payload, [(it.name, it.alt, it.instead) for it in sheet.pictures]) for sheet in sheets]


@every_telling_game
def test_nothing_of_the_highlights_is_shown_before_the_game_is_over(game: str) -> None:
    """Not in any message, nor to whoever makes one; also not when the game ends without a winner."""
    t = started(game)
    told = t._replace(highlights=highlights(game, len(t.players)))
    assert all_sheets(told) == all_sheets(t)
    ended = end_game_early(told, 100, "player 0", moderator=False)
    for each in (told, ended):
        for seat in (None, *map(Seat, range(len(t.players)))):
            assert make_scene(each, seat, 1).highlights is None
    assert make_scene(finished(game), None, 1).highlights is not None


@every_telling_game
def test_a_game_that_is_played_collects_them_and_the_store_keeps_them(game: str) -> None:
    t = started(game, NORMAL._replace(game=tuple(CASES[game].quick.items())))
    computers = tuple(Player(f"computer {seat}") for seat in range(len(t.players)))
    t = pass_time(t._replace(players=computers), NOW + 86_000_000)
    assert t.ending is Ending.FINISHED
    assert any(t.highlights)
    assert table_from_json(table_to_json(t)) == t


@every_telling_game
@pytest.mark.parametrize("locale", LOCALES)
def test_the_end_stands_there_once_as_a_picture_or_in_its_place_as_text(game: str, locale: str) -> None:
    t = finished(game)._replace(locale=locale)
    sheet, public = render_slot(t, TABLE, 1), make_scene(t, None, 1)
    (shown,) = sheet.pictures
    (item,) = [c for c in components.walk(sheet.payload) if c["type"] == components.GALLERY]
    assert item["items"][0]["description"] == shown.alt
    said = PRESENTERS[game].board.highlights(public, lambda seat, ply: public.name(seat), words(locale))
    assert said
    with_picture, without = (
        "\n".join(c.get("content", "") for c in components.walk(each.payload))
        for each in (sheet, sheet.replace_files_with_text())
    )
    for highlight in said:
        assert f"{highlight.title}: {highlight.said}." in shown.alt
        assert f"{highlight.symbol} **{highlight.title}:** {highlight.said}" in without.splitlines()
        assert highlight.title not in with_picture
    for standing in public.standings:
        assert f"{standing.place}. {public.name(standing.seat)}" in shown.alt
        assert PRESENTERS[game].score_text(standing) in without
        assert PRESENTERS[game].score_text(standing) not in with_picture


@every_telling_game
def test_where_neither_emojis_nor_files_are_taken_the_end_is_told_in_plain_text(game: str, emojis: None) -> None:
    form = SheetFallback(render_slot(finished(game), TABLE, 1))
    told = form.sheet.pictures[0].instead
    assert "<:" in told
    assert form.switch_to_next_form(NO_FILES)
    said = [c.get("content") for c in components.walk(form.sheet.payload)]
    assert told in said
    assert not form.sheet.pictures
    plain = SheetFallback(render_slot(finished(game), TABLE, 1).copy_with_emojis_as_text())
    assert plain.switch_to_next_form(NO_FILES)
    assert not plain.sheet.has_custom_emojis
    assert not plain.switch_to_next_form(NO_FILES)


@pytest.mark.about("diciassette")
def test_a_call_at_the_table_is_told_at_the_end() -> None:
    over = pass_time(call(table(LAST), 2, at=NOW).table, NOW + 9000)
    assert over.ending is Ending.FINISHED
    assert over.highlights.bravest.caller == 2
    assert [(snap.owner, snap.caller) for snap in over.highlights.snaps] == [(0, 2)]
    said = render_slot(over, TABLE, 1).pictures[0].alt
    assert "player 2 wins!" in said
    assert "Bravest call: player 2, with a chance of" in said
    assert "Traps sprung: player 0: 1." in said


@pytest.mark.about("diciassette")
def test_chances_that_are_nearly_certain_are_never_said_to_be() -> None:
    long_shot = Highlights(bravest=CallHighlight(4, Seat(1), 1, 18, ()), bluff=TOLD.bluff)
    told = make_scene(finished("diciassette")._replace(highlights=long_shot), None, 1)
    lines = PRESENTERS["diciassette"].board.highlights(told, lambda seat, ply: f"player {seat}", words("en"))
    assert [it.said for it in lines] == [
        "player 1, with a chance of 1%",
        "player 1: player 2 called, with a chance of 99%",
    ]


@pytest.mark.about("diciassette")
def test_the_highlights_name_who_sat_there_then_l4() -> None:
    """A computer made the call at ply 4, and somebody sat down at its seat at ply 5."""
    t = table(LAST._replace(ply=5), computers=(1,))
    t = take_computer_seat(t, Player("late", 300), Seat(1), NOW)
    assert t.players[1].name == "late"
    told = make_scene(t, None, 1)
    assert (told.name_at_ply(Seat(1), 4), told.name_at_ply(Seat(1), 5)) == ("computer 1", "late")
    assert told.name_at_ply(Seat(0), 0) == "player 0"
    over = t._replace(
        phase=Phase.OVER, ending=Ending.FINISHED, highlights=TOLD, state=LAST._replace(winners=(Seat(2),))
    )
    said = render_slot(over, TABLE, 1).pictures[0].alt
    assert "Bravest call: computer 1, with" in said
    assert "Best bluff: late: player 2 called, with a chance of 99%." in said
    assert "Traps sprung: computer 1: 1." in said
    assert on_turn(t) == 1


@pytest.mark.about("diciassette")
@pytest.mark.parametrize(("victory", "tied"), [((2, 2, 0), True), ((0, 2, 0), False)])
def test_penalties_that_decided_a_game_are_said_to_have_decided_it_d17(
    victory: tuple[int, int, int], tied: bool
) -> None:
    """The call was right, but a trap of another player, who has three tokens by it too, gave the caller a penalty."""
    before = state(["1 2 3", "4 5 1", "2 3 4"], turn=1, last=2, lies="0:P? 2:5= 2:5= 0:5= 2:5=", victory=victory)
    over = play.apply_action(table(before), Call((Seat(1),)), NOW)
    assert over.ending is Ending.FINISHED
    text = "\n".join(part.get("content", "") for part in components.walk(render_slot(over, TABLE, 1).payload))
    assert ("-# Equal in victory tokens: whoever has fewer penalty tokens wins." in text) is tied
