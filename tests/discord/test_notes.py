"""Private notes: a person has at most one at a table, and it goes with their next click there. Those of calls also go
by themselves (``test_call_notes``)."""

from pathlib import Path

import pytest
from simcord.actors import MemberActor

from bot.custom_ids import Verb
from bot.delivery.tokens import TOKEN_LIFE_MS
from bot.refusals import Why
from bot.tables.timers import LATE_ARRIVAL_MS
from tests.discord.forged import click_old
from tests.discord.messages import text_of, verbs
from tests.discord.play import Club, every_game_with_calls, open_club
from tests.discord.test_call_notes import deleted
from tests.discord.test_calls import WINDOW, something_to_call
from tests.discord.world import EN


def private(club: Club, person: MemberActor) -> list[str]:
    """What stands in the channel for *person* alone, oldest first."""
    return [text_of(message) for message in club.channel.history(viewer=person) if message.flags.ephemeral]


async def seated_again(club: Club) -> None:
    """Bruno, who has his seat, asks for it."""
    await club.bruno.slash(club.channel, "table return")


async def test_the_next_note_takes_the_place_of_the_one_before(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    for _ in range(3):
        await seated_again(club)
        (said,) = private(club, club.bruno)
        assert club.no(Why.NOT_AWAY) in said
    assert len(deleted(club)) == 2
    assert all(path.startswith("/webhooks/") for path in deleted(club)), "it does not count"


async def test_the_next_click_that_is_answered_deletes_it_wherever_it_was_made(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.play_until_on_turn(club.bruno)
    await seated_again(club)
    await club.act(club.bruno)
    assert not private(club, club.bruno)


async def test_other_people_s_clicks_and_other_tables_delete_nothing(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.play_until_on_turn(club.anna)
    await seated_again(club)
    await club.act(club.anna)
    elsewhere = club.guild.create_text_channel("second-table")
    await club.bruno.slash(elsewhere, "play", game=club.case.game)
    assert len(private(club, club.bruno)) == 1


@every_game_with_calls
async def test_a_note_that_has_become_a_hand_stays(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, WINDOW._replace(window_ms=0)) as club:
        await club.open(club.anna, club.bruno, club.carla)
        await something_to_call(club)
        old, caller = club.table_message(), next(person for person in club.callers() if person is not club.on_turn())
        await club.act(club.on_turn())
        await club.clock.advance(2_000)
        note = club.opened(await click_old(club, caller, old, Verb.CALL))
        assert Verb.CALL in verbs(note)
        await club.press(caller, note, Verb.CALL)
        await club.press(caller, club.table_message(), Verb.RULES)
        assert any(text_of(club.as_it_is(note)) == said for said in private(club, caller))


async def test_a_note_stays_if_discord_does_not_delete_it_or_its_token_is_spent(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    await club.open(club.anna, club.bruno)
    await seated_again(club)
    await club.clock.advance(TOKEN_LIFE_MS)
    await seated_again(club)
    assert not deleted(club)
    club.env.inject_error("DELETE", "/webhooks/*", status=503, code=0, message="Busy", times=None)
    await seated_again(club)
    assert deleted(club)
    assert len(private(club, club.bruno)) == 3
    club.env.backend.faults.clear()
    assert not [record for record in caplog.records if record.name == "bot.delivery.notes" and record.levelno > 10]


@every_game_with_calls
@pytest.mark.parametrize("somebody_called", [True, False])
async def test_a_note_goes_at_the_same_time_whether_or_not_somebody_has_called_d9(
    tmp_path: Path, game: str, somebody_called: bool
) -> None:
    """With the click, and not with what becomes of it."""
    async with open_club(tmp_path, game, WINDOW) as club:
        await club.open(*club.people[:4])
        await something_to_call(club)
        await club.clock.advance(300)
        on_turn = club.on_turn()
        first, second = [person for person in club.callers() if person is not on_turn][:2]
        await second.slash(club.channel, "table return")
        if somebody_called:
            await club.call(first)
        await club.clock.advance(100)
        assert not deleted(club)
        await club.call(second)
        assert len(deleted(club)) == 1
        assert [EN(club.presenter.called) in said for said in private(club, second)] == [True]
        await club.call(second)
        assert len(deleted(club)) == 2
        await club.clock.advance(WINDOW.window_ms - 200)
        assert len(deleted(club)) == 2
        await club.clock.advance(LATE_ARRIVAL_MS + WINDOW.breath_ms)
