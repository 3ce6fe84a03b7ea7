"""A table that cannot go on, mostly after a restart: its channel is told, its buttons say why, all else goes on."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest
from simcord.http import router

from bot.i18n import words
from bot.tables.errors import UnusableTable, Why
from bot.tables.model import Player
from bot.ui import replies
from bot.ui.custom_ids import Verb
from tests.bot.damage import DAMAGE, IMPOSSIBLE, damage, edited
from tests.discord.forged import click_old
from tests.discord.messages import reply, text_of
from tests.discord.play import Club, open_club
from tests.process.waiting import eventually

DAY = 24 * 3_600_000
TOLD = (
    "The game in this channel is damaged and cannot go on, so it was set aside. "
    "The operator of this bot can see why. Open a new table with /play."
)
SAID = replies.refusal_text(Why.SET_ASIDE, {}, None, words("en"))


def told(club: Club, locale: str = "en") -> int:
    """How often the channel was told, in the language *locale*."""
    return sum(words(locale)(TOLD) in text_of(message) for message in club.messages())


async def lose_table(club: Club, tmp_path: Path, how: str = "unknown game") -> None:
    """Damage what is stored of the table in the channel, and restart the bot."""
    damage(tmp_path / "tables.sqlite3", club.table().id, DAMAGE[how])
    await club.restart()


@pytest.mark.parametrize("started", [False, True])
async def test_the_channel_is_told_once_and_is_free(club: Club, tmp_path: Path, started: bool) -> None:
    await club.open(club.anna, club.bruno, start=started)
    lost = club.table()
    old = club.table_message()
    await lose_table(club, tmp_path)
    assert not club.running
    assert told(club) == 1
    for _ in range(2):
        await club.restart()
    assert told(club) == 1
    verb = Verb.MENU if started else Verb.JOIN
    answer = await club.press(club.carla, old, verb)
    assert SAID in text_of(reply(answer))
    await club.open(club.bruno, club.anna)
    assert club.table().id != lost.id
    await club.act(club.on_turn())
    assert club.ply == 1


async def test_other_tables_go_on(club: Club, tmp_path: Path) -> None:
    await club.open(club.anna, club.bruno)
    thread = club.thread()
    await club.carla.slash(thread, "play", game=club.case.game)
    lost = club.table(thread)
    damage(tmp_path / "tables.sqlite3", lost.id, DAMAGE["cut off"])
    await club.restart()
    assert club.bot.tables.taken_over_table_in_channel(thread.id) is None
    await club.act(club.on_turn())
    assert club.ply == 1
    assert (told(club), TOLD in "".join(map(text_of, club.messages(thread)))) == (0, True)


@pytest.mark.parametrize("how", ["cut off", "no text", "no bytes"])
async def test_it_is_told_in_the_servers_language_if_the_tables_cannot_be_read(
    club: Club, tmp_path: Path, how: str
) -> None:
    await club.open(club.anna, club.bruno)
    await club.bot.servers.change_settings(club.guild.id, locale="it")
    await lose_table(club, tmp_path, how)
    assert told(club, "it") == 1


async def test_what_discord_has_no_time_for_is_told_after_the_next_start(club: Club, tmp_path: Path) -> None:
    await club.open(club.anna, club.bruno)
    channel = f"/channels/{club.channel.id}/messages"
    club.env.inject_error("POST", channel, status=503, code=0, message="Busy", times=None)
    await lose_table(club, tmp_path)
    assert told(club) == 0
    club.env.backend.faults.clear()
    await club.restart()
    assert told(club) == 1


@pytest.mark.parametrize(("later_ms", "times"), [(DAY // 2, 1), (DAY, 0)])
async def test_a_channel_that_refuses_is_tried_with_every_start_for_a_day(
    club: Club, tmp_path: Path, later_ms: int, times: int
) -> None:
    await club.open(club.anna, club.bruno)
    channel = f"/channels/{club.channel.id}/messages"
    club.env.inject_error("POST", channel, status=403, code=50001, message="Missing Access", times=None)
    await lose_table(club, tmp_path)
    club.clock.forget()
    await club.clock.advance(later_ms)
    await club.restart()
    club.env.backend.faults.clear()
    await club.restart()
    assert told(club) == times


async def test_where_the_lobby_of_a_rematch_cannot_be_read_another_is_opened(club: Club, tmp_path: Path) -> None:
    """Two people want the next game; when the second one clicks, its lobby cannot be read any more."""
    await club.open(club.anna, club.bruno)
    await club.finish()
    over = club.messages()[-1]
    await club.press(club.anna, over, Verb.REMATCH)
    await lose_table(club, tmp_path)
    await click_old(club, club.bruno, over, Verb.REMATCH)
    assert club.table().host == club.bruno.id
    assert told(club) == 1


async def test_a_table_that_cannot_be_shown_is_set_aside_while_it_runs(club: Club) -> None:
    """The game is given a minute to move on, since its other messages may still work."""
    await club.open(club.anna, club.bruno)
    ghost = Player("nobody", 999, by_dm=False)
    await club.change(players=(*club.table().players, ghost))
    assert told(club) == 0
    await club.clock.advance(61_000)
    await eventually(lambda: told(club) == 1, "the channel is told")
    assert not club.running
    await club.restart()
    await club.clock.advance(61_000)
    assert told(club) == 1
    await club.open(club.bruno, club.anna)
    await club.act(club.on_turn())
    assert club.ply == 1


async def test_what_discord_did_not_answer_before_it_was_set_aside_is_not_tried_again(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    lost = club.table_message()
    path = f"/channels/{club.channel.id}/messages/{lost.id}"
    club.env.inject_error("PATCH", path, status=503, code=0, message="Busy", times=None)
    await club.act(club.on_turn())
    await club.clock.advance(61_000)
    with club.as_bot():
        await club.bot.tables.quarantine(UnusableTable.from_error(club.table().id, ValueError()))
    await eventually(lambda: told(club) == 1, "the channel is told")
    club.env.backend.faults.clear()

    def edits() -> int:
        return sum((it.method, it.path) == ("PATCH", path) for it in club.env.http_requests)

    before = edits()
    assert before > 1
    await club.open(club.bruno, club.anna)
    await club.act(club.on_turn())
    await club.clock.advance(61_000)
    assert edits() == before


async def test_who_made_a_move_after_which_the_hand_cannot_be_shown_gets_an_apology(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    person, broken = club.on_turn(), cast(Any, None)
    hand, offers = await club.offered(person)
    table = club.table()
    await club.change(players=table.with_changed_player(club.seat(person), name=broken).players)
    answer = await club.use(person, hand, offers[0])
    assert "Sorry, something went wrong" in text_of(reply(answer))
    assert club.ply == 1


@pytest.mark.parametrize("game", IMPOSSIBLE)
async def test_a_row_that_can_be_read_but_not_shown_is_set_aside(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game) as club:
        await club.open(club.anna, club.bruno)
        damage(tmp_path / "tables.sqlite3", club.table().id, edited(IMPOSSIBLE[game]))
        await club.restart()
        await club.clock.advance(61_000)
        assert told(club) == 1
        await club.restart()
        await club.clock.advance(61_000)
        assert told(club) == 1


async def test_a_hand_that_is_recorded_in_the_tables_channel_is_sent_anew(club: Club, tmp_path: Path) -> None:
    """A wrong row must not show it to others."""
    await club.open(club.anna, club.bruno)
    board = club.table_message()
    with closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as database, database:
        database.execute(
            "UPDATE messages SET channel_id = ?, message_id = ? WHERE slot LIKE 'hand:%'", (board.channel.id, board.id)
        )
    await club.restart()
    await club.act(club.on_turn())
    assert not [message for message in club.messages() if text_of(message).startswith("### [")], "others read it"
    assert text_of(club.hand(club.anna)).startswith("### [")


async def test_a_table_that_is_damaged_while_somebody_opens_another_in_its_place_is_said_to_be_set_aside(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process serves it, and Discord is just being asked whether its host is still there."""
    await club.open(club.anna, start=False)
    lost, dispatch = club.table().id, router.dispatch
    await club.bot.tables.release_shards({0}, 1)
    await club.bot.reconciler.hand_over_to_other_process(lambda it: True)

    def slow(backend: Any, method: str, path: str, **how: Any) -> Any:
        if "/members/" in path:
            damage(tmp_path / "tables.sqlite3", lost, DAMAGE["cut off"])
        return dispatch(backend, method, path, **how)

    monkeypatch.setattr(router, "dispatch", slow)
    answer = reply(await club.carla.slash(club.channel, "play", game=club.case.game))
    assert (answer.flags.ephemeral, text_of(answer)) == (True, SAID)
