"""12 Days of Christmas on Discord: people for whom the table passes when they cannot play."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from simcord.actors import MemberActor

from bot.tables.options import Options, Pace
from bot.tables.passing import automatic_pass_time
from bot.ui.custom_ids import Verb
from bot.ui.hand_message import FOLLOW
from engine.games.twelve_days.actions import Pass, Play
from tests.controls import moves
from tests.discord.messages import text_of
from tests.discord.play import Club, open_club
from tests.discord.test_leaks import Witness
from tests.discord.test_me import prefer
from tests.discord.world import dms
from tests.games.dealing import dealt
from tests.games.twelve_days import cards

GAME = "twelve_days"
NORMAL = Options(pace=Pace.NORMAL, turn_seconds=0)
LEAD = "2 11 11 11 11 11 11 12 12 12 12 12"
NOTHING = "3 4 4 5 5 6 6 7 7 8 8 9"
"""A hand of which nothing may be played on a 2."""
SOMETHING = "2 4 4 5 5 6 6 7 7 8 8 9"


async def hold(club: Club, leader: MemberActor, other: MemberActor, hand: str) -> None:
    """*leader* holds LEAD, and *other* this *hand*."""
    state = club.table().state
    held = {club.seat(leader): cards(LEAD), club.seat(other): cards(hand)}
    hands, aside = dealt(state.hands, state.aside, held)
    await club.replace_state(state._replace(hands=hands, aside=aside))


@asynccontextmanager
async def answering(
    folder: Path, hand: str, *, away: bool = False, **choices: str
) -> AsyncIterator[tuple[Club, MemberActor, MemberActor]]:
    """(club, leader, the other), who has made these *choices*, holds *hand* and is on turn after a 2 was led; *away*:
    long after they have clicked."""
    async with open_club(folder, GAME, NORMAL) as club:
        await club.open(club.anna, club.bruno)
        await club.lobby_goes()
        leader, (other,) = club.on_turn(), club.others()
        if choices:
            await prefer(club, other, **choices)
        await hold(club, leader, other, hand)
        if away:
            await club.clock.advance(150_000)
        await club.play(leader, Play(club.seat(leader), cards("2")))
        assert club.on_turn() is other
        yield club, leader, other


def to(club: Club, person: MemberActor, start: int) -> list[str]:
    """The requests since number *start* that concern the direct messages of *person*."""
    channel = f"/channels/{dms(person)[0].channel.id}/"
    return [f"{r.method} {r.path}" for r in club.env.http_requests[start:] if channel in r.path]


def left(club: Club) -> int:
    """How long it is until a pass lands, ms."""
    return automatic_pass_time(club.table()) - club.clock.now()


async def test_the_table_passes_without_a_request_for_a_hand_that_is_not_live(tmp_path: Path) -> None:
    async with answering(tmp_path, NOTHING, passes="yes") as (club, leader, other):
        start = len(club.env.http_requests)
        assert 2_000 <= left(club) <= 6_000
        await club.clock.advance(left(club) - 1)
        assert club.on_turn() is other
        assert to(club, other, start) == []
        await club.clock.advance(1)
        assert club.on_turn() is leader
        assert to(club, other, start) == []
        assert "It is your turn" in text_of(club.hand(leader))


async def test_a_live_hand_says_what_will_happen_and_offers_nothing(tmp_path: Path) -> None:
    async with open_club(tmp_path, GAME, NORMAL) as club:
        await club.open(club.anna, club.bruno)
        leader, (other,) = club.on_turn(), club.others()
        await prefer(club, other, passes="yes")
        await hold(club, leader, other, NOTHING)
        await club.press(other, club.hand(other), Verb.HAND, FOLLOW)
        await club.play(leader, Play(club.seat(leader), cards("2")))
        assert "You cannot play, so you pass in a moment." in text_of(club.hand(other))
        assert not moves(club.hand(other))
        await club.clock.advance(left(club))
        assert "You cannot play" not in text_of(club.hand(other))
        assert club.on_turn() is leader


async def test_who_chooses_it_on_their_turn_need_not_wait_for_the_next_one(tmp_path: Path) -> None:
    async with answering(tmp_path, NOTHING) as (club, leader, other):
        await club.clock.advance(60_000)
        assert club.on_turn() is other
        await prefer(club, other, passes="yes")
        await club.clock.advance(0)
        assert club.on_turn() is leader


async def test_a_pass_by_hand_waits_and_the_hand_says_so(tmp_path: Path) -> None:
    async with answering(tmp_path, SOMETHING, passes="yes") as (club, leader, other):
        await club.clock.advance(700)
        await club.play(other, Pass(club.seat(other)))
        assert "You pass in a moment." in text_of(club.hand(other))
        assert club.on_turn() is other
        await club.clock.advance(left(club) - 1)
        assert club.on_turn() is other
        await club.clock.advance(1)
        assert club.on_turn() is leader
        assert "You pass" not in text_of(club.hand(other))


async def test_nobody_else_sees_whether_somebody_had_a_choice_t11(tmp_path: Path) -> None:
    """The table passes, or somebody passes by hand though they could play: the leader sees the same at every moment."""
    seen = []
    for number, (hand, clicks) in enumerate(((NOTHING, False), (SOMETHING, True))):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with answering(folder, hand, passes="yes") as (club, leader, other):
            witness = Witness(club, leader)
            for step in range(28):
                if step == 4 and clicks:
                    await club.play(other, Pass(club.seat(other)))
                await club.clock.advance(250)
                witness.look()
            seen.append(witness.seen)
    assert seen[0] == seen[1]
    assert len(set(seen[0])) == 2, "the pass was seen"


@pytest.mark.parametrize("passes", ["yes", "no"])
@pytest.mark.parametrize("hand", [NOTHING, SOMETHING])
async def test_nobody_is_mentioned_before_a_pass_would_have_landed(tmp_path: Path, hand: str, passes: str) -> None:
    """Whatever they hold, and whoever passes for them: nobody is mentioned for a turn that passes by itself, and
    nobody else learns of it."""
    async with answering(tmp_path, hand, away=True, by_dm="here", passes=passes) as (club, _, other):

        def mentioned() -> bool:
            return any(f"<@{other.id}>" in text_of(message) for message in club.messages())

        await club.clock.advance(left(club) - 1)
        assert not mentioned()
        await club.clock.advance(1)
        assert mentioned() is (club.on_turn() is other) is (hand == SOMETHING or passes == "no")
