"""Private notes: a person has at most one at a table, and it goes with their next click there. Those of calls also go
by themselves once everybody has seen who was first (D9)."""

from pathlib import Path

import pytest
from simcord.actors import MemberActor

from bot.delivery.answers import CALL_NOTE_MS
from bot.delivery.tokens import TOKEN_LIFE_MS
from bot.tables.errors import Why
from bot.tables.model import TableId
from bot.tables.timers import LATE_ARRIVAL_MS
from bot.ui.custom_ids import Verb
from tests.discord.forged import click_old
from tests.discord.messages import text_of, verbs
from tests.discord.play import Club, every_game_with_calls, open_club
from tests.discord.somebody import erase
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
        assert club.refusal(Why.NOT_AWAY) in said
    assert len(deleted(club)) == 2
    assert all(path.startswith("/webhooks/") for path in deleted(club)), "it does not count"


async def test_the_next_click_that_is_answered_deletes_it_wherever_it_was_made(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.play_until_on_turn(club.bruno)
    await seated_again(club)
    await club.act(club.bruno)
    assert not private(club, club.bruno)


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
    assert not [record for record in caplog.records if record.name == "bot.delivery.answers" and record.levelno > 10]


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
        assert [EN(club.presenter.called_text) in said for said in private(club, second)] == [True]
        await club.call(second)
        assert len(deleted(club)) == 2
        await club.clock.advance(WINDOW.window_ms - 200)
        assert len(deleted(club)) == 2
        await club.clock.advance(LATE_ARRIVAL_MS + WINDOW.reveal_delay_ms)


async def test_the_note_of_somebody_who_is_erased_is_deleted(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    await seated_again(club)
    (note,) = private(club, club.bruno)
    await erase(club, club.bruno)
    assert note not in private(club, club.bruno)


async def test_the_notes_of_a_table_that_another_process_has_had_meanwhile_stay(club: Club) -> None:
    """That process has sent newer ones, and deletes only those."""
    await club.open(club.anna, club.bruno)
    await seated_again(club)
    await club.bot.tables.release_shards({0}, 1)
    await club.bot.reconciler.hand_over_to_other_process(lambda it: True)
    await club.bot.tables.take_over_shards({0}, 1)
    await club.bot.tables.wait_until_taken_over()
    await seated_again(club)
    assert not deleted(club)
    assert len(private(club, club.bruno)) == 2


GONE = TableId("gone")
"""A table that is over, and shown so everywhere."""


def noted(club: Club, message: int, ply: int | None = None) -> None:
    """*message* is a note that anna has at the table."""
    club.bot.reconciler.notes.replace_note(GONE, club.anna.id, "token", message, ply)


async def parted(club: Club, ms: int = 0) -> list[int]:
    """The notes that have been deleted *ms* from now."""
    club.env.inject_error("DELETE", "/webhooks/*", status=404, code=10008, message="Unknown Message", times=None)
    await club.clock.advance(ms)
    await club.bot.reconciler._registry.wait_for_tasks()
    return [int(path.rpartition("/")[2]) for path in deleted(club)]


async def test_the_next_note_is_not_taken_for_the_one_that_goes(club: Club) -> None:
    noted(club, 5, ply=3)
    noted(club, 6)
    assert await parted(club) == [5]
    assert await parted(club, CALL_NOTE_MS) == [5]


def notes(club: Club, *people: MemberActor) -> list[str]:
    """The private notes in the channel that say to one of *people* that their call is in."""
    said = EN(club.presenter.called_text)
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
        await club.clock.advance(LATE_ARRIVAL_MS + WINDOW.reveal_delay_ms)
        assert club.ply > ply
        await club.clock.advance(CALL_NOTE_MS - 200)
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
            await club.clock.advance(2_000 + CALL_NOTE_MS)
            assert club.ply > ply
            assert EN(club.presenter.called_text) in text_of(club.opened(answer))
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
        await club.clock.advance(CALL_NOTE_MS)
        assert not notes(club, caller)
