"""The level of computer players: chosen, by character, in the record."""

import re
from pathlib import Path

import pytest

from bot.i18n import words
from bot.present.table_message import table_sheet
from bot.present.table_options import LEVELS
from bot.refusals import Refusal
from bot.tables import leaving, lobby
from bot.tables.characters import CHARACTERS, MIDDLE_LEVEL, level
from bot.tables.model import Player
from bot.tables.scene import scene
from engine.game import Seat
from tests.bot.tables import NOW, dealt, opened
from tests.games import CASES

MEASURED = min(game for game in CASES if CASES[game].rules.ladder)
"""A game that says how strong its computer players are."""

every_game = pytest.mark.parametrize("game", sorted(CASES))


@every_game
def test_whoever_adds_a_computer_can_choose_its_level(game: str) -> None:
    rules = CASES[game].rules
    for chosen in range(1, rules.levels + 1):
        table = opened(game)
        while len(table.players) < rules.seats[-1]:
            table = lobby.add_computer(lobby.set_options(table, 100, level=chosen), 100, NOW)
        assert {level(player, rules) for player in table.players[1:]} == {chosen}
        assert len({player.name for player in table.players}) == len(table.players)
    for impossible in (0, -1, rules.levels + 1):
        with pytest.raises(Refusal):
            lobby.set_options(opened(game), 100, level=impossible)


def test_who_chooses_none_gets_the_middle_level_first_and_then_its_neighbours() -> None:
    table = opened("twelve_days")
    while len(table.players) < table.rules.seats[-1]:
        table = lobby.add_computer(table, 100, NOW)
    assert [level(player, table.rules) for player in table.players[1:]] == [3, 3, 4, 4, 2, 2, 5]


@every_game
def test_a_computer_in_a_persons_seat_plays_at_the_middle_level_l4(game: str) -> None:
    """Whatever that person is called."""
    rules = CASES[game].rules
    assert level(Player("Ada", 100, away=True), rules) == min(MIDDLE_LEVEL, rules.levels)
    assert level(Player("", former=True), rules) == min(MIDDLE_LEVEL, rules.levels)
    assert level(Player("Ada"), rules) == rules.levels
    assert level(Player("Ada 2"), rules) == rules.levels


def test_every_level_has_two_characters_and_the_guide_names_them() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "computer-players.md").read_text("utf-8")
    said = {
        LEVELS.index(sign) + 1: set(names.split(", "))
        for sign, names in re.findall(r"^\| (.) \| ([A-Za-z, ]+) \|", guide, re.MULTILINE)
    }
    assert said == {number: {name for name, it in CHARACTERS.items() if it.level == number} for number in range(1, 7)}
    assert {len(names) for names in said.values()} == {2}


def test_a_computer_that_gets_another_name_keeps_its_level() -> None:
    for name, character_ in CHARACTERS.items():
        table = lobby.join(
            opened("diciassette")._replace(players=(Player("player 0", 100), Player(name))), Player(name, 200), NOW
        )
        (other,) = (player for player in table.players if player.user is None)
        assert other.name != name
        assert level(other, table.rules) == character_.level


def test_the_record_says_at_which_level_each_computer_plays() -> None:
    table = opened("diciassette")._replace(players=(Player("player 0", 100), Player("Ada"), Player("Fibo")))
    begun = dealt(table)
    assert [sheet.get("level") for sheet in begun.deal["seats"]] == [None, "6", "1"]
    (entry,) = leaving.leave(begun.with_player(Seat(1), user=5, name="somebody"), 100).entries
    assert entry == {"seat": 0, "sits": "computer", "level": "3"}


def test_the_lobby_says_when_a_game_against_computers_counts() -> None:
    table = opened(MEASURED)._replace(players=(Player("anna", 100, rated=True), Player("Ada")))
    line = words("en")("Counts for {name}’s rating, against the computer players.", name="**anna**")
    assert line in str(table_sheet(scene(table, None, None), words("en")).payload)
    joined = lobby.join(table, Player("bruno", 101), NOW)
    assert "ounts for" not in str(table_sheet(scene(joined, None, None), words("en")).payload)
    both = words("en")("Counts for the ratings of {names}.", names=words("en").all_of(["**anna**", "**bruno**"]))
    rated = lobby.with_rating(joined, 101, True)
    assert both in str(table_sheet(scene(rated, None, None), words("en")).payload)
