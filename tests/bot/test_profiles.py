"""Profiles and leaderboards at their longest, in every language: they keep Discord's limits and say what they must."""

import pytest

from bot.i18n import LOCALES, words
from bot.pictures import ratings
from bot.pictures.canvas import png
from bot.pictures.picture import COLOURS
from bot.present.leaderboard import leaderboard_sheet, switch_sheet
from bot.present.profile import profile_sheet, stop_sheet
from bot.present.registry import PRESENTERS
from bot.present.sheet import Sheet
from bot.results.profiles import Leaderboard, Partner, Profile, Ranked
from bot.results.ratings import Rating
from engine.registry import GAMES
from engine.tallies import PLAYED, WON
from local_discord import checks
from local_discord.model import MessageFlag
from tests.bot.sheets import NAMES
from tests.games import ANY

CERTAIN = Rating(30.0, 1.0, 98_765)
COURSE = tuple(Rating(20.0 + n % 7 + n / 10, 2.0, 0) for n in range(60))
every_language = pytest.mark.parametrize("locale", LOCALES)
every_name = pytest.mark.parametrize("name", NAMES, ids=["wide", "escaped"])
every_game = pytest.mark.parametrize("game", sorted(GAMES))


def longest(name: str) -> dict[str, Profile]:
    """Of every game as much as there can be."""
    partners = [Partner(name, 12_345)] * 3
    return {
        game: Profile(dict.fromkeys((PLAYED, WON, *rules.counts), 987_654), partners, CERTAIN, COURSE)
        for game, rules in GAMES.items()
    }


def said(sheet: Sheet) -> str:
    return str(sheet.payload)


def check(sheet: Sheet) -> None:
    """It keeps Discord's limits, as it is and without files, and nothing is cut."""
    for each in (sheet, sheet.without_files()):
        checks.check_message({"components": each.payload}, MessageFlag.COMPONENTS_V2)
        assert not each.cut


@every_language
@every_name
@every_game
def test_a_profile_keeps_discords_limits(locale: str, name: str, game: str) -> None:
    t = words(locale)
    for rated in (None, False, True):
        for asks in (False, True):
            check(profile_sheet(longest(name), game, rated, t, asks=asks))
            check(profile_sheet({}, game, rated, t, asks=asks))
    check(stop_sheet(t))


@every_language
@every_name
@every_game
def test_a_leaderboard_keeps_discords_limits(locale: str, name: str, game: str) -> None:
    t = words(locale)
    top = [Ranked(place, place, name, CERTAIN) for place in range(1, 21)]
    check(leaderboard_sheet(game, Leaderboard(top, Ranked(99_999, 99_999, name, CERTAIN)), t))
    for on in (False, True):
        for manager in (False, True):
            check(switch_sheet(on, t, manager=manager))


@every_game
def test_everything_that_is_counted_has_a_label(game: str) -> None:
    assert set(PRESENTERS[game].counts) == set(GAMES[game].counts)


@pytest.mark.about(ANY)
def test_an_uncertain_rating_says_so_and_none_too() -> None:
    t = words("en")
    uncertain = {ANY: Profile({PLAYED: 1}, (), Rating(25.0, 3.0, 1))}
    assert "still uncertain after 1 game." in said(profile_sheet(uncertain, ANY, True, t))
    assert "No rating yet" in said(profile_sheet({ANY: Profile({PLAYED: 1})}, ANY, True, t))


@pytest.mark.parametrize("values", [[5, 5, 5], [1, 2, 3], [900, 0, 2000, 1999], list(range(1000, 1060))])
def test_ratings_can_be_drawn_whatever_they_are(values: list[int]) -> None:
    file = png(ratings.draw(values), COLOURS)
    assert len(file) < 100_000
