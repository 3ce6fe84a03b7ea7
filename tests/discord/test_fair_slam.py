"""Nobody learns of a call before the call window has closed: not from the table, a hand, an answer, a held card, a
clock, or the requests that are made (D9)."""

from pathlib import Path
from typing import Any

import pytest

from bot.custom_ids import Verb
from bot.refusals import Why
from bot.tables.options import Options, Pace
from bot.tables.timers import LATE_ARRIVAL_MS
from tests.controls import moves
from tests.discord.forged import act_old, click_old
from tests.discord.messages import said, shown, text_of, verbs
from tests.discord.play import Club, every_game_with_calls, open_club
from tests.discord.test_calls import something_to_call
from tests.discord.world import EN

every_pace = pytest.mark.parametrize("pace", Pace)
WINDOW_MS = Options().window_ms


def public(club: Club) -> Any:
    """What everybody sees."""
    return shown(club.table_message())


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
        table, hands = public(club), {person: shown(club.hand(person)) for person in club.seated()}
        requests = len(club.env.http_requests)
        answers = [said(await club.call(first))]
        await club.clock.advance(50)
        answers += [said(await club.call(second)), said(await club.call(first))]
        await club.act(on_turn)
        await club.clock.advance(100)
        answers.append(said(await club.call(on_turn)))
        await club.clock.advance(WINDOW_MS)
        assert set(answers) == {EN(club.presenter.called)}
        held = club.table().held
        assert held is not None
        # Without a beat the answer to a card waits for a moment, as always, for the card to land.
        landing = club.presenter.hand.landing(club.rules.decode_action(held.action), EN)
        assert (landing in text_of(club.hand(on_turn))) is (pace is not Pace.OFF)
        assert public(club) == table
        assert {person: shown(club.hand(person)) for person in hands if person is not on_turn} == {
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
            assert club.no(Why.CALLED_TOO_LATE, name=first.name) in said(
                await click_old(club, second, table, Verb.CALL)
            )
            await act_old(club, on_turn, hand)
            assert club.no(Why.CALL_STANDS, names=[first.name]) in text_of(club.hand(on_turn))
            assert Verb.CALL not in verbs(club.table_message())
            assert not moves(club.hand(on_turn)), "nothing can be played now"
            await club.clock.advance(Options(pace=pace).breath_ms)
        assert club.rules.concludes(club.table().recent)
        for line in club.outcome():
            assert line in text_of(club.table_message())
