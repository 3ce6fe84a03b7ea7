"""Calls between turns, in every game that has them: who was first, who comes too late, what others read of it."""

from pathlib import Path
from typing import Any

import pytest
from simcord.actors import MemberActor

from bot.delivery.messages import DELETE_DELAY_MS
from bot.delivery.slots import TABLE, superseded_table_slot
from bot.store.store import Handle
from bot.tables.errors import Why
from bot.tables.options import Options, Pace
from bot.tables.timers import LATE_ARRIVAL_MS
from bot.ui.custom_ids import Verb
from engine.errors import General
from tests.controls import moves
from tests.discord.forged import act_old, click_disabled, click_old
from tests.discord.messages import (
    components_json,
    expected_components_json,
    presses,
    private_text,
    reply,
    text_of,
    verbs,
)
from tests.discord.play import Club, every_game_with_calls, open_club
from tests.discord.world import EN

SLOW = Options(pace=Pace.NORMAL, turn_seconds=120)
WINDOW = Options(pace=Pace.OFF, turn_seconds=0)


async def something_to_call(club: Club) -> None:
    """People play until somebody may call."""
    while not club.callers():
        await club.act(club.on_turn())


async def seen_by(club: Club, caller: MemberActor) -> None:
    """Something to call, seen by *caller*, who may still call after the next move."""
    await something_to_call(club)
    while caller not in club.callers() or caller is club.on_turn():
        await club.act(club.on_turn())


async def test_nothing_to_call_before_anything_has_happened(calling_club: Club) -> None:
    club = calling_club
    await club.open(club.anna, club.bruno, club.carla)
    assert not club.callers()
    assert Verb.CALL not in verbs(club.table_message())
    before = club.table()
    answer = await click_disabled(club, club.others()[0], club.table_message(), Verb.CALL)
    assert club.refusal(General.NOTHING_TO_CALL) in private_text(answer)
    assert club.unchanged(before)


async def test_something_happened_since_and_the_answer_has_a_fresh_button(calling_club: Club) -> None:
    club = calling_club
    await club.open(club.anna, club.bruno, club.carla)
    await seen_by(club, club.carla)
    old = club.table_message()
    await club.act(club.on_turn())
    before = club.table()
    answer = await click_old(club, club.carla, old, Verb.CALL)
    assert club.refusal(Why.MOVED_ON) in private_text(answer)
    assert club.unchanged(before)
    await club.press(club.carla, reply(answer), Verb.CALL)
    assert club.rules.ends_round(club.table().recent)


async def test_a_refusal_that_becomes_the_hand_takes_the_place_of_the_hand_before(calling_club: Club) -> None:
    """That one would stay as it was for ever."""
    club = calling_club
    await club.open(club.anna, club.bruno, club.carla)
    await seen_by(club, club.carla)
    hand = club.opened(await club.press(club.carla, club.table_message(), Verb.HAND))
    old = club.table_message()
    await club.act(club.on_turn())
    note = club.opened(await click_old(club, club.carla, old, Verb.CALL))
    await club.press(club.carla, note, Verb.CALL)
    await club.clock.advance(DELETE_DELAY_MS)
    mine = [m.id for m in club.channel.history(viewer=club.carla) if m.flags.ephemeral]
    assert note.id in mine
    assert hand.id not in mine


async def test_a_refusal_offers_a_call_only_where_a_call_was_refused(calling_club: Club) -> None:
    club = calling_club
    await club.open(club.anna, club.bruno)
    await something_to_call(club)
    while club.bruno not in club.callers():
        await club.act(club.on_turn())
    refused = await club.bruno.slash(club.channel, "table end")
    assert club.refusal(Why.HOST_ONLY) in private_text(refused)
    assert Verb.CALL not in verbs(refused.response)


@pytest.mark.parametrize("who", ["on turn", "not on turn"])
async def test_a_call_from_an_old_table_message_never_brings_a_hand_into_the_channel(
    calling_club: Club, who: str
) -> None:
    club = calling_club
    await club.open(club.anna, club.bruno, club.carla)
    await something_to_call(club)
    old = club.table_message()
    await club.carla.slash(club.channel, "table show")
    caller = club.on_turn() if who == "on turn" else club.others()[0]
    allowed = caller in club.callers()
    held = club.presenter.hand.off_turn_cards_line(club.scene(caller), EN)
    hand_lines = [line for line in text_of(club.hand(caller)).splitlines() if "** · " in line or line == held]
    answer = await click_old(club, caller, old, Verb.CALL)
    assert answer.ephemeral
    assert club.rules.ends_round(club.table().recent) is allowed
    await club.restart()
    await club.act(club.on_turn())
    public = "\n".join(text_of(message) for message in club.messages())
    assert hand_lines
    assert not [line for line in hand_lines if line in public.splitlines()]
    assert not [press for message in club.messages() for _, press in presses(message) if press.verb is Verb.MOVE]


async def test_a_call_on_a_table_message_that_waits_to_be_deleted(calling_club: Club) -> None:
    club = calling_club
    await club.open(club.anna, club.bruno, club.carla)
    await something_to_call(club)
    old = club.table_message()
    await club.carla.slash(club.channel, "table show")
    club.env.inject_error("DELETE", f"/channels/{old.channel.id}/*", status=503, code=0, message="Busy", times=None)
    await club.bot.store.save_handle(club.table().id, Handle(superseded_table_slot(old.id), old.channel.id, old.id))
    await club.restart()
    answer = await click_old(club, club.callers()[0], old, Verb.CALL)
    assert club.rules.ends_round(club.table().recent)
    assert EN(club.presenter.called_text) in private_text(answer)


# The window after the first call


@every_game_with_calls
async def test_an_open_call_window_is_resolved_after_a_restart_d9(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, SLOW) as club:
        await club.open(club.anna, club.bruno, club.carla)
        await something_to_call(club)
        await club.clock.advance(300)
        await club.call(club.callers()[0])
        window = club.table().window
        assert window is not None
        await club.restart()
        assert club.table().window == window
        await club.clock.advance(2500)
        assert club.table().window is None
        assert club.rules.ends_round(club.table().recent)
        assert components_json(club.table_message()) == expected_components_json(
            club.table(), TABLE, club.table_message().id
        )
        for line in club.outcome():
            assert line in text_of(club.table_message())


@every_game_with_calls
async def test_who_calls_from_the_hand_reads_there_that_they_called(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, WINDOW) as club:
        await club.open(club.anna, club.bruno, club.carla)
        await something_to_call(club)
        while club.on_turn() not in club.callers():
            await club.act(club.on_turn())
        await club.clock.advance(300)
        caller = club.on_turn()
        await club.press(caller, club.hand(caller), Verb.CALL)
        assert EN(club.presenter.called_text) in text_of(club.hand(caller))
        await club.clock.advance(1500)
        assert EN(club.presenter.called_text) not in text_of(club.hand(caller))


@every_game_with_calls
async def test_the_host_may_have_the_cards_turned_over_at_once(tmp_path: Path, game: str) -> None:
    """The lobby says so, and who called is still named."""
    async with open_club(tmp_path, game, SLOW) as club:
        await club.open(*club.people[:3], start=False)
        lobby = text_of(club.table_message())
        await club.set_options(club.people[0], switches=["late"])
        (line,) = set(text_of(club.table_message()).splitlines()) - set(lobby.splitlines())
        assert line == "-# After a call the cards are turned over at once."
        await club.press(club.people[0], club.table_message(), Verb.START)
        await something_to_call(club)
        caller = club.callers()[-1]
        await club.call(caller)
        await club.clock.advance(club.table().options.window_ms + LATE_ARRIVAL_MS)
        assert club.rules.ends_round(club.table().recent)
        assert caller.name in text_of(club.table_message()).splitlines()[0]


# Nobody learns of a call before the call window has closed: not from the table, a hand, an answer, a held card, a
# clock, or the requests that are made (D9).

every_pace = pytest.mark.parametrize("pace", Pace)
WINDOW_MS = Options().window_ms


def public(club: Club) -> Any:
    """What everybody sees."""
    return components_json(club.table_message())


def changed(club: Club, since: int) -> list[str]:
    """The requests from number *since* on that change a message, or send one, without answering a click."""
    return [
        f"{request.method} {request.path}"
        for request in club.env.http_requests[since:]
        if request.method != "GET" and "/interactions/" not in request.path and "/webhooks/" not in request.path
    ]


@every_game_with_calls
@every_pace
async def test_until_the_window_has_closed_nobody_learns_of_a_call_d9(tmp_path: Path, game: str, pace: Pace) -> None:
    async with open_club(tmp_path, game, Options(pace=pace, turn_seconds=120)) as club:
        await club.open(*club.people[:4])
        await something_to_call(club)
        on_turn = club.on_turn()
        first, second = [person for person in club.callers() if person is not on_turn]
        table, hands = public(club), {person: components_json(club.hand(person)) for person in club.seated()}
        requests = len(club.env.http_requests)
        answers = [private_text(await club.call(first))]
        await club.clock.advance(50)
        answers += [private_text(await club.call(second)), private_text(await club.call(first))]
        await club.act(on_turn)
        await club.clock.advance(100)
        answers.append(private_text(await club.call(on_turn)))
        await club.clock.advance(WINDOW_MS)
        assert set(answers) == {EN(club.presenter.called_text)}
        held = club.table().held
        assert held is not None
        # Without a beat the answer to a card waits for a moment, as always, for the card to land.
        landing = club.presenter.hand.move_takes_effect_soon_line(club.rules.decode_action(held.action), EN)
        assert (landing in text_of(club.hand(on_turn))) is (pace is not Pace.OFF)
        assert public(club) == table
        assert {person: components_json(club.hand(person)) for person in hands if person is not on_turn} == {
            person: hand for person, hand in hands.items() if person is not on_turn
        }
        assert not changed(club, requests)


@every_game_with_calls
@every_pace
async def test_then_who_called_is_seen_and_a_breath_later_how_it_ended(tmp_path: Path, game: str, pace: Pace) -> None:
    async with open_club(tmp_path, game, Options(pace=pace, turn_seconds=120)) as club:
        await club.open(*club.people[:4])
        await something_to_call(club)
        first, second = [person for person in club.callers() if person is not club.on_turn()]
        before, on_turn = club.ply, club.on_turn()
        await club.call(first)
        table, hand = club.table_message(), club.hand(on_turn)
        await club.clock.advance(WINDOW_MS + LATE_ARRIVAL_MS)
        if pace is not Pace.OFF:
            assert club.ply == before
            assert f"**{first.name}**: **{club.presenter.call}**" in text_of(club.table_message())
            assert club.refusal(Why.CALLED_TOO_LATE, name=first.name) in private_text(
                await click_old(club, second, table, Verb.CALL)
            )
            await act_old(club, on_turn, hand)
            assert club.refusal(Why.CALL_STANDS, names=[first.name]) in text_of(club.hand(on_turn))
            assert Verb.CALL not in verbs(club.table_message())
            assert not moves(club.hand(on_turn)), "nothing can be played now"
            await club.clock.advance(Options(pace=pace).reveal_delay_ms)
        assert club.rules.ends_round(club.table().recent)
        for line in club.outcome():
            assert line in text_of(club.table_message())
