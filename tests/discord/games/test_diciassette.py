"""17 on Discord: calls, double turns, the beat after every card, how a round ends."""

from pathlib import Path

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.tables.model import Player
from bot.tables.options import Options, Pace
from bot.tables.scene import make_scene
from bot.ui.components import WORD_JOINER
from bot.ui.custom_ids import Verb
from bot.ui.games.diciassette import cards
from bot.ui.registry import PRESENTERS
from engine.games.diciassette.actions import Play
from engine.games.diciassette.cards import Card, Face
from tests.bot.tables import running
from tests.discord.messages import private_text, reply, text_of
from tests.discord.play import Club, open_club
from tests.discord.world import EN
from tests.games.diciassette import state

GAME = "diciassette"
pytestmark = pytest.mark.about(GAME)
SLOW = Options(pace=Pace.NORMAL, turn_seconds=120)
WINDOW = Options(pace=Pace.OFF, turn_seconds=0)


async def lay(club: Club, person: MemberActor, slot: int = 0, face: Face = Face.UP) -> InteractionResult:
    """*person* lays the card in *slot* of their hand."""
    seat = club.seat(person)
    return await club.play(person, Play(seat, club.table().state.hands[seat][slot], face))


async def three(club: Club) -> tuple[MemberActor, MemberActor, MemberActor]:
    """Three people at a table, in the order of their turns."""
    await club.open(club.anna, club.bruno, club.carla)
    first = club.people.index(club.on_turn())
    return club.people[first], club.people[(first + 1) % 3], club.people[(first + 2) % 3]


# Who may call


async def test_you_just_played_so_you_cannot_call_d8(club: Club) -> None:
    first, _, _ = await three(club)
    await lay(club, first)
    before = club.table()
    answer = await club.call(first)
    assert "You have just played a card, so you cannot call" in private_text(answer)
    assert club.unchanged(before)
    rules = await club.press(first, reply(answer), Verb.RULES)
    assert "Calling 17!" in private_text(rules)


@pytest.mark.parametrize(
    ("hand", "owed", "said"),
    [("1 2 3", 2, "to play 2 cards."), ("1 2", 1, "to play 1 more card."), ("1", 2, "to play a card.")],
)
def test_the_table_says_how_many_cards_can_be_played_in_a_double_turn_d7(hand: str, owed: int, said: str) -> None:
    table = running(
        GAME, state([hand, "3 4 5"], last=1, lies="1:X", owed=owed, duty=2), (Player("Anna", 1), Player("Bruno", 2))
    )
    assert PRESENTERS[GAME].board.turn_line(make_scene(table, None, 1), EN).startswith(f"▶️ **Anna** {said}")


# How a round ends


async def test_the_reveal_turns_every_card_and_snaps_for_every_trap_d13_d14(club: Club) -> None:
    """A card that lay face down is one symbol, which no line can break."""
    await club.open(club.anna, club.bruno)
    first, (second,) = club.on_turn(), club.others()
    await club.deal(first, "P")
    await club.deal(second, "4= 5=")
    await lay(club, first, face=Face.DOWN)
    await lay(club, second, face=Face.DOWN)
    await club.call(first)
    lines = text_of(club.table_message()).splitlines()
    trap, four = cards.known_card_symbol(Card.TRAP, Face.DOWN), cards.known_card_symbol(Card.FOUR_OPEN, Face.DOWN)
    assert lines[:3] == [
        f"### 📣 {first.name} called 17! on {second.name}",
        f"## Queue: {trap} {four}",
        "⛔ Sum **4**: the call was wrong.",
    ]
    tokens = f"{cards.VICTORY}{WORD_JOINER}{cards.PENALTY}"
    own = f"{trap} **Snap!** {first.name} walks into their own Trap and gets {tokens}."
    assert lines[3] == own
    assert lines[4] == f"📣 **{second.name}** gets {cards.VICTORY}, **{first.name}** gets {cards.PENALTY}."
    assert (
        lines[5]
        == f"-# {first.name} gives back {cards.PENALTY}{WORD_JOINER}{cards.PENALTY}{WORD_JOINER}{cards.VICTORY}"
    )


async def test_whose_trap_snaps_and_who_is_caught_stands_in_one_line_d14_d15(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    first, (second,) = club.on_turn(), club.others()
    await club.deal(first, "P P")
    await club.deal(second, "1")
    await lay(club, first, face=Face.DOWN)
    await lay(club, second)
    await lay(club, first, face=Face.DOWN)
    await club.call(second)
    trap = cards.known_card_symbol(Card.TRAP, Face.DOWN)
    snaps = [line for line in text_of(club.table_message()).splitlines() if "Snap!" in line]
    caught = f"{trap} **Snap!** {first.name} traps {second.name} ({WORD_JOINER}{cards.PENALTY}{WORD_JOINER})"
    assert snaps == [f"{caught} and gets {cards.VICTORY}.", f"{caught}."]
    assert text_of(club.table_message()).count(f"{first.name}: only one victory token per round") == 1


async def test_the_caller_reads_in_the_hand_that_they_called_and_how_it_ended(tmp_path: Path) -> None:
    async with open_club(tmp_path, GAME, WINDOW) as club:
        await club.open(club.anna, club.bruno, club.carla)
        await lay(club, club.on_turn())
        await club.clock.advance(300)
        caller = club.on_turn()
        await club.press(caller, club.hand(caller), Verb.CALL)
        assert "Your 17! is in" in text_of(club.hand(caller))
        await club.clock.advance(1500)
        said = text_of(club.hand(caller))
        assert "**Too early: only" in said
        assert "Queue:" in said, "the cards, turned over"
        assert "the call was wrong" in said
        await lay(club, club.on_turn())
        assert "Too early" not in text_of(club.hand(caller)), "a hand that follows the game has shown it"
        assert "plays" in text_of(club.hand(caller))


# The beat after every card


async def test_a_card_in_the_beat_lands_when_others_have_had_time_to_call(tmp_path: Path) -> None:
    async with open_club(tmp_path, GAME, SLOW) as club:
        await club.open(club.anna, club.bruno, club.carla)
        await lay(club, club.on_turn())
        await club.clock.advance(300)
        second = club.on_turn()
        await lay(club, second)
        held = club.table().held
        assert held is not None
        assert "in a moment. Until then the others may still call" in text_of(club.hand(second))
        await club.restart()
        assert club.table().held == held
        await club.clock.advance(2_500)
        assert club.ply == 2
        assert club.table().held is None
        assert "in a moment" not in text_of(club.hand(second))
