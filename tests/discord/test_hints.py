"""*Hint* on Discord: for one person alone against computers, if the host has left that open (L6)."""

from pathlib import Path
from random import Random

import discord
import pytest

from bot.custom_ids import Verb, custom_id
from bot.present.hints import MOST, percent
from bot.present.menu import NO, YES
from bot.refusals import Why
from bot.tables import hints
from bot.tables.options import Options, Pace
from engine.game import Seat
from engine.registry import GAMES
from tests.controls import components
from tests.discord.forged import click_old, forge
from tests.discord.messages import reply, said, text_of, verbs
from tests.discord.play import QUICK, WITH_CALLS, Club, open_club
from tests.discord.test_notes import private
from tests.discord.world import EN
from tests.games import CASES

HINTS = QUICK._replace(hints=True)
COACHED = sorted(game for game in CASES if GAMES[game].has_coach)

every_game_with_coach = pytest.mark.parametrize("game", COACHED)


def lines(club: Club) -> list[str]:
    """What a hint for anna should say of her choices, without its marks."""
    table, seat = club.table(), club.seat(club.anna)
    found = hints.hint(table, seat).options
    return [f"{club.presenter.board.done(it.action, EN)}: {percent(it.chance)}%" for it in found]


def plain(message: discord.Message) -> list[str]:
    """The lines of *message*, without their marks."""
    return [line.replace("**", "").removeprefix("🎓 ").removesuffix(" to win") for line in text_of(message).splitlines()]


def hint_id(club: Club) -> str:
    """What a button for a hint carries now."""
    return custom_id(Verb.HINT, club.table().id, club.ply)


async def refused(club: Club, person: int = 0) -> str:
    """What person number *person* reads who gets a click on *Hint* through all the same; the game is as it was."""
    before = club.table()
    answer = await forge(club, club.people[person], hint_id(club), club.hand(club.people[person]))
    assert club.unchanged(before)
    return said(answer)


async def alone(club: Club, computers: int = 2) -> None:
    """Anna plays against computers, and is on turn."""
    await club.open(club.anna, computers=computers)
    await club.play_until_on_turn(club.anna)


@every_game_with_coach
async def test_on_ones_turn_a_hint_names_the_best_choices_to_that_person_alone(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, HINTS) as club:
        await alone(club)
        for _ in range(4):
            public = [text_of(message) for message in club.messages()]
            before, hand = club.table(), text_of(club.hand(club.anna))
            note = club.opened(await club.press(club.anna, club.hand(club.anna), Verb.HINT))
            assert note.flags.ephemeral
            assert plain(note)[: len(lines(club)[:MOST])] == lines(club)[:MOST]
            assert club.table() == before
            assert text_of(next(m for m in reversed(club.anna.user.dm_channel.history()) if not m.flags.ephemeral)) == hand
            assert [text_of(message) for message in club.messages()] == public
            await club.go_on()
            await club.play_until_on_turn(club.anna)
