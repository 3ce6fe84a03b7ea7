"""Every stale, foreign or impossible click gets one short private answer, and changes nothing."""

from pathlib import Path
from typing import Any

import pytest
from discord import InteractionResponseType
from simcord.actors import MemberActor

from bot.tables.errors import Why
from bot.tables.options import Options, Pace
from bot.tables.play import SOON_MS
from bot.ui.custom_ids import Verb
from bot.ui.replies import REFUSALS
from engine.errors import General
from tests.controls import meant, moves
from tests.discord.forged import a_move, act_old, forge
from tests.discord.held import held_back, held_click, replay
from tests.discord.messages import plies, private_text
from tests.discord.play import Club, every_game, open_club
from tests.discord.world import EN
from tests.games import ANY


async def three(club: Club) -> tuple[MemberActor, MemberActor, MemberActor]:
    """Three people at a table; whoever is on turn first."""
    await club.open(club.anna, club.bruno, club.carla)
    first = club.on_turn()
    second, third = club.others()
    return first, second, third


async def test_not_your_turn(club: Club) -> None:
    _, second, _ = await three(club)
    before = club.table()
    hand = club.hand(second)
    assert not moves(hand)
    answer = await forge(club, second, a_move(before), hand)
    assert club.refusal(General.NOT_YOUR_TURN) in private_text(answer)
    assert club.unchanged(before)


async def test_the_hand_has_changed_since(club: Club) -> None:
    """An old hand message, clicked when it is the person's turn again."""
    first, _, _ = await three(club)
    old, _ = await club.offered(first)
    await club.act(first)
    await club.play_until_on_turn(first)
    before = club.table()
    answer = await act_old(club, first, old)
    assert club.refusal(Why.HAND_CHANGED) in private_text(answer)
    assert plies(answer.response) == {club.ply}
    assert club.unchanged(before)


async def test_a_double_click_on_a_card_plays_one_card(club: Club) -> None:
    first, _, _ = await three(club)
    seen, _ = await club.offered(first)
    await club.act(first)
    before = club.table()
    answer = await act_old(club, first, seen)
    still_on_turn = club.on_turn() is first
    assert club.refusal(Why.HAND_CHANGED if still_on_turn else General.NOT_YOUR_TURN) in private_text(answer)
    assert club.unchanged(before)


@every_game
async def test_a_double_click_in_the_beat_holds_one_move_and_its_time(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, Options(pace=Pace.NORMAL, turn_seconds=0)) as club:
        await club.open(club.anna, club.bruno)
        player = club.on_turn()
        _, offers = await club.offered(player)
        await club.rest(1_000)
        await club.use(player, club.hand(player), offers[0])
        held = club.table().held
        assert held is not None
        await club.clock.advance(400)
        await club.rest(5_000)
        await forge(club, player, offers[0].custom_id, club.hand(player), offers[0].values)
        assert club.table().held == held


async def test_a_move_that_lands_in_a_moment_is_answered_once_it_has(tmp_path: Path) -> None:
    async with open_club(tmp_path, ANY, Options(pace=Pace.NORMAL, turn_seconds=0)) as club:
        await club.open(club.anna, club.bruno)
        player, ply = club.on_turn(), club.ply
        hand, offers = await club.offered(player)
        await club.rest(SOON_MS)
        start = len(club.env.http_requests)

        def answers() -> list[int]:
            return [r.json["type"] for r in club.env.http_requests[start:] if r.path.endswith("/callback")]

        await club.use(player, hand, offers[0])
        await club.clock.advance(SOON_MS - 1)
        assert (club.ply, answers()) == (ply, [])
        await club.clock.advance(1)
        assert (club.ply, answers()) == (ply + 1, [InteractionResponseType.message_update.value])


async def test_a_click_can_only_touch_its_own_table(club: Club) -> None:
    """A button names its table; whoever presses it acts there alone, from wherever."""
    await club.open(club.anna, club.bruno)
    other = club.guild.create_text_channel("second-table")
    await club.carla.slash(other, "play", game=club.case.game)
    await club.press(club.carla, club.table_message(other), Verb.ADD_COMPUTER)
    await club.press(club.carla, club.table_message(other), Verb.START)
    before = club.table(), club.table(other)
    answer = await forge(club, club.anna, a_move(club.table(other)), club.table_message())
    assert "You are not playing at this table" in private_text(answer)
    assert (club.table(), club.table(other)) == before


async def test_an_unknown_table_after_its_database_is_gone(club: Club) -> None:
    await club.open(club.anna, start=False)
    answer = await forge(club, club.anna, "17/join/aaaaaaaa/0/", club.table_message())
    assert EN(REFUSALS[Why.NO_SUCH_TABLE]) in private_text(answer)


async def test_a_bug_is_an_apology_with_a_reference_and_a_traceback_in_the_log(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    await club.open(club.anna, club.bruno)

    async def broken(*_: object) -> None:
        raise RuntimeError("out of cheese")

    monkeypatch.setattr(club.bot.tables, "get", broken)
    answer = await club.press(club.anna, club.table_message(), Verb.MENU)
    assert answer.ephemeral
    reference = private_text(answer).split("`")[1]
    assert "out of cheese" not in private_text(answer)
    logged = [record for record in caplog.records if record.exc_info]
    assert len(logged) == 1
    assert logged[0].fields["reference"] == reference


async def test_every_offer_is_a_legal_move_and_lands(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    landed = 0
    for number in range(30):
        if not club.running:
            break
        player, table = club.on_turn(), club.table()
        _, offers = await club.offered(player)
        legal = club.rules.legal_actions(table.state, club.seat(player))
        assert {meant(table, club.seat(player), offer) for offer in offers} <= set(legal)
        await club.act(player, number * 7)
        landed += 1
        if club.running:
            assert club.ply == table.state.ply + 1
    assert landed > 3


async def test_an_interaction_that_arrives_twice_counts_once(club: Club) -> None:
    """As it may after RESUME: a click and a command."""
    await club.open(club.anna, club.bruno, start=False)
    async with held_back(club) as waiting:
        await club.press(club.anna, club.table_message(), Verb.ADD_COMPUTER)
    await replay(club, waiting * 2)
    assert sum(player.user is None for player in club.table().players) == 1
    other = club.guild.create_text_channel("another")
    async with held_back(club) as waiting:
        await club.anna.slash(other, "play", game=club.case.game)
    await replay(club, waiting * 2)
    assert len(club.messages(other)) == 1, "no refusal, and no second table"


@pytest.mark.parametrize("where", ["table", "hand"])
async def test_a_click_whose_answer_was_lost_with_the_process_is_answered_by_the_next_one(
    club: Club, where: str
) -> None:
    """Discord sends it again after RESUME: it counts once, and its message shows what has come of it."""
    await club.open(club.anna, club.bruno, start=where == "hand")
    if where == "hand":
        _, message, waiting = await held_click(club)
    else:
        message = club.table_message()
        async with held_back(club) as waiting:
            await club.press(club.anna, message, Verb.ADD_COMPUTER)
    for method, path in (("POST", "/interactions/*"), ("PATCH", "*")):
        club.env.inject_error(method, path, status=503, code=0, message="Busy", times=None)
    await replay(club, waiting)
    await club.env.settle()
    version = club.table().version
    await club.restart()
    club.env.backend.faults.clear()
    start = len(club.env.http_requests)
    await replay(club, waiting)
    await club.env.settle()
    (answer,) = [r for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert answer.json["type"] == InteractionResponseType.message_update.value
    assert club.table().version == version
