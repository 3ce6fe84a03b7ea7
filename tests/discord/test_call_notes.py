"""The private note that a call is in: it goes once everybody has seen who was first (D9)."""

from pathlib import Path

import pytest
from simcord.actors import MemberActor

from bot.custom_ids import Verb
from bot.delivery.notes import STAYS_MS
from bot.tables.timers import LATE_ARRIVAL_MS
from tests.discord.forged import click_old
from tests.discord.messages import text_of
from tests.discord.play import Club, every_game_with_calls, open_club
from tests.discord.test_calls import WINDOW, something_to_call
from tests.discord.world import EN


def notes(club: Club, *people: MemberActor) -> list[str]:
    """The private notes in the channel that say to one of *people* that their call is in."""
    said = EN(club.presenter.called)
    return [p.name for p in people for m in club.channel.history(viewer=p) if m.flags.ephemeral and said in text_of(m)]


def deleted(club: Club) -> list[str]:
    """The paths of what was deleted, without the lobby."""
    paths = [r.path for r in club.env.http_requests if r.method == "DELETE"]
    return [path for path in paths if not path.endswith(f"/{club.lobby}")]


@every_game_with_calls
async def test_the_notes_that_a_call_is_in_go_together_some_seconds_after_the_reveal_d9(
    tmp_path: Path, game: str
) -> None:
    """Also that of somebody whose call came too late to count. They are deleted by their tokens, which does not
    count."""
    async with open_club(tmp_path, game, WINDOW) as club:
        await club.open(club.anna, club.bruno, club.carla)
        await something_to_call(club)
        await club.clock.advance(300)
        ply, (first, second) = club.ply, club.callers()[:2]
        await club.call(first)
        await club.clock.advance(WINDOW.window_ms + 50)
        await club.call(second)
        assert notes(club, first, second) == [first.name, second.name]
        await club.clock.advance(LATE_ARRIVAL_MS + WINDOW.breath_ms)
        assert club.ply > ply
        await club.clock.advance(STAYS_MS - 200)
        assert notes(club, first, second) == [first.name, second.name]
        assert not deleted(club)
        await club.clock.advance(400)
        assert not notes(club, first, second)
        assert len(deleted(club)) == 2
        assert all(path.startswith("/webhooks/") for path in deleted(club))


@every_game_with_calls
async def test_a_note_of_a_call_stays_if_discord_does_not_delete_it_or_the_bot_starts_anew(
    tmp_path: Path, game: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_club(tmp_path, game, WINDOW) as club:
        await club.open(club.anna, club.bruno, club.carla)
        for fails in (True, False):
            await something_to_call(club)
            await club.clock.advance(300)
            ply, caller = club.ply, club.callers()[0]
            answer = await club.call(caller)
            club.env.inject_error("DELETE", "/webhooks/*", status=503, code=0, message="Busy", times=None)
            if not fails:
                await club.restart()
            await club.clock.advance(2_000 + STAYS_MS)
            assert club.ply > ply
            assert EN(club.presenter.called) in text_of(club.opened(answer))
            assert bool(deleted(club)) is fails
            club.env.http_requests.clear()
            club.env.backend.faults.clear()
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@every_game_with_calls
async def test_a_note_whose_call_was_decided_before_it_came_goes_too(tmp_path: Path, game: str) -> None:
    """Discord may be slow, and the round over before the note is there."""
    async with open_club(tmp_path, game, WINDOW._replace(window_ms=0)) as club:
        await club.open(club.anna, club.bruno, club.carla)
        await something_to_call(club)
        old = club.table_message()
        await club.carla.slash(club.channel, "table show")
        caller = club.callers()[0]
        await click_old(club, caller, old, Verb.CALL)
        assert notes(club, caller)
        await club.clock.advance(STAYS_MS)
        assert not notes(club, caller)
