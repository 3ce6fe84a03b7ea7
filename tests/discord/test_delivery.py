"""Delivery when Discord does not play along: nothing stays stale, nothing is lost, nothing is left behind."""

from pathlib import Path

from bot.delivery.slots import TABLE, dm_hand_slot
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb
from cogs.table import make_table_moved_sheet_builder
from tests.bot.logs import captured_log
from tests.discord.forged import a_move, click_old, forge
from tests.discord.messages import components_json, expected_components_json, reply, text_of, verbs
from tests.discord.play import Club, every_game, open_club
from tests.discord.world import dms
from tests.process.waiting import eventually

MINUTES = 600_000


async def test_when_discord_does_not_take_the_answer_to_play_the_lobby_comes_by_other_means(club: Club) -> None:
    club.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, message="Unknown interaction")
    await club.anna.slash(club.channel, "play", game=club.case.game)
    assert "anna" in text_of(club.table_message())
    await club.press(club.bruno, club.table_message(), Verb.JOIN)
    assert len(club.table().players) == 2


async def test_a_game_that_ended_unseen_is_told_of_after_the_restart(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    table = club.table_message()
    sure = await club.anna.slash(club.channel, "table end")
    club.env.inject_error("PATCH", "*", status=503, times=None)
    await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)
    assert "ended by" not in text_of(club.as_it_is(table))
    club.env.backend.faults.clear()
    await club.restart()
    assert "ended by **anna**" in text_of(club.as_it_is(table))
    for person in (club.anna, club.bruno):
        assert "ended early" in text_of(club.hand(person))


async def test_a_token_of_the_bot_that_discord_takes_no_longer_costs_no_message(club: Club) -> None:
    """As when somebody resets it while games run. It is not the token of an interaction, which expires."""
    await club.open(club.anna, club.bruno)
    table = club.table_message()
    await club.clock.advance(16 * 60_000)  # no interaction is fresh any more
    club.env.inject_error("PATCH", "/channels/*", status=401, code=0, message="401: Unauthorized", times=2)
    await club.act(club.on_turn())
    await club.clock.advance(MINUTES)
    assert components_json(club.as_it_is(table)) == expected_components_json(club.table(), TABLE, table.id)
    await club.restart()
    now = verbs(club.as_it_is(table))
    assert [it.id for it in club.messages() if verbs(it) == now] == [table.id]


async def replaced(club: Club, *, restart: bool = False) -> list[str]:
    """A moderator deletes the table message, perhaps while the bot is down. Gives the methods of the requests with
    which there is a new one."""
    gone, start = club.table_message(), len(club.env.http_requests)
    club.env.backend.delete_message(gone.channel.id, gone.id)
    if restart:
        await club.restart()
    else:
        await club.act(club.on_turn())
    await club.clock.advance(2_000)
    new, there = club.table_message().id, f"/channels/{club.channel.id}/messages"
    assert new != gone.id
    assert components_json(club.table_message()) == expected_components_json(club.table(), TABLE, new)
    return [r.method for r in club.env.http_requests[start:] if r.path in (there, f"{there}/{new}")]


async def test_a_message_that_may_have_been_sent_already_shows_what_is_true_now(club: Club) -> None:
    """Discord answers with the first one to a nonce that it knows, whatever is to be shown now
    (https://docs.discord.com/developers/resources/message#create-message, ``enforce_nonce``)."""
    await club.open(club.anna, club.bruno, club.carla)
    assert await replaced(club) == ["POST"]
    club.env.inject_error("POST", "/channels/*", status=503, code=0, message="Busy", times=1)
    assert await replaced(club) == ["POST", "POST", "PATCH"], "the response was lost"
    assert await replaced(club, restart=True) == ["POST", "PATCH"], "perhaps it was sent before the restart"
    assert await replaced(club) == ["POST"]


async def test_the_message_in_place_of_a_deleted_one_is_sent_again_as_the_same(club: Club) -> None:
    """Discord may have taken it although the response was lost, or the process was killed before that was recorded."""
    await club.open(club.anna, club.bruno)
    gone, start = club.table_message(), len(club.env.http_requests)
    club.env.backend.delete_message(gone.channel.id, gone.id)
    club.env.inject_error("POST", "/channels/*", status=503, code=0, message="Busy", times=None)
    await club.act(club.on_turn())
    await club.clock.advance(10_000)
    tried = nonces_of_table_messages(club, start)
    await club.restart()
    club.env.backend.faults.clear()
    await club.clock.advance(10_000)
    assert components_json(club.table_message()) == expected_components_json(
        club.table(), TABLE, club.table_message().id
    )
    assert len(tried) > 1
    assert set(nonces_of_table_messages(club, start)) == {tried[0]}


async def test_a_table_that_is_moved_while_a_deleted_message_is_replaced_is_sent_as_the_same(club: Club) -> None:
    """Discord may have taken the one in its place although the response was lost."""
    await club.open(club.anna, club.bruno)
    table, gone, start = club.table(), club.table_message(), len(club.env.http_requests)
    club.env.backend.delete_message(gone.channel.id, gone.id)
    club.env.inject_error("POST", "/channels/*", status=503, code=0, message="Busy", times=1)
    table = await club.bot.tables.update_player(table.id, club.anna.id, name="anna again")
    await club.env.settle()
    await club.bot.reconciler.answers.resend_table_message_at_bottom(table, None, make_table_moved_sheet_builder(table))
    tried = nonces_of_table_messages(club, start)
    assert len(tried) > 1
    assert set(tried) == {tried[0]}


async def test_a_table_that_is_moved_though_discord_did_not_answer_at_first_is_moved_once(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    table, old, start = club.table(), club.table_message(), len(club.env.http_requests)
    club.env.inject_error("POST", "/channels/*", status=503, code=0, message="Busy", times=1)
    await club.bot.reconciler.answers.resend_table_message_at_bottom(table, None, make_table_moved_sheet_builder(table))
    await club.clock.advance(2_000)
    new = club.table_message().id
    assert new != old.id
    assert old.id not in [message.id for message in club.messages()]
    for _ in range(2):
        await club.act(club.on_turn())
        await club.table_catches_up()
        assert club.table_is_right()
    assert club.table_message().id == new
    tried = nonces_of_table_messages(club, start)
    assert tried == [tried[0]] * 2, "Discord may have taken the first one"


def nonces_of_table_messages(club: Club, start: int) -> list[str]:
    """The nonces with which messages were sent to the channel of the table since request number *start*."""
    path = f"/channels/{club.channel.id}/messages"
    return [it.json["nonce"] for it in club.env.http_requests[start:] if (it.method, it.path) == ("POST", path)]


async def test_an_old_hand_goes_as_soon_as_discord_lets_it(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    (second,) = club.others()
    old = club.hand(second)
    await club.clock.advance(20 * 60_000)
    path = f"/channels/{old.channel.id}/messages/{old.id}"
    club.env.inject_error("DELETE", path, status=503, code=0, message="Busy", times=None)
    await club.play_until_on_turn(second)
    assert club.hand(second).id != old.id
    assert [message.id for message in dms(second)] == [old.id, club.hand(second).id]
    club.env.backend.faults.clear()
    await club.clock.advance(2_000)
    assert [message.id for message in dms(second)] == [club.hand(second).id]


async def test_a_click_on_an_old_hand_that_waits_to_be_deleted_is_answered_there(long_club: Club) -> None:
    club = long_club
    await club.open(club.anna, club.bruno)
    (second,) = club.others()
    old = club.hand(second)
    await club.clock.advance(20 * 60_000)
    club.env.inject_error("DELETE", "/*", status=503, code=0, message="Busy", times=None)
    await club.play_until_on_turn(second)
    new, ply = club.hand(second), club.ply
    await forge(club, second, a_move(club.table()), club.as_it_is(old))
    assert club.ply > ply
    table = club.table()
    again = table.seat_of(second.id) == table.rules.on_turn(table.state)  # whoever wins a trick leads
    assert ("It is your turn" in text_of(club.as_it_is(old))) == again
    club.env.backend.faults.clear()
    await club.clock.advance(10_000)
    assert [message.id for message in dms(second)] == [new.id]


@every_game
async def test_the_reminder_mentions_once_more_who_gets_no_direct_messages(tmp_path: Path, game: str) -> None:
    options = Options(pace=Pace.OFF, turn_seconds=300, window_ms=0, hold_ms=0)
    async with open_club(tmp_path, game, options) as club:
        await club.open(club.anna, club.bruno)
        second = await club.back_on_turn()
        pinged = [m.id for m in club.messages() if f"<@{second.id}>" in text_of(m)]
        await club.clock.advance(240_000)
        again = [m.id for m in club.messages() if f"<@{second.id}>" in text_of(m)]
        assert len(pinged) == len(again) == 1
        assert pinged != again


async def test_finished_tables_leave_nothing_behind_in_memory(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish()
    final = club.messages()[-1]
    await club.press(club.anna, final, Verb.REMATCH)
    await club.in_menu(club.anna, Verb.CANCEL)
    await click_old(club, club.bruno, final, Verb.REMATCH)
    await club.in_menu(club.bruno, Verb.CANCEL)
    assert club.bot.reconciler.table_count == 0


async def test_a_lobby_that_was_cancelled_is_not_remembered(club: Club) -> None:
    """Nothing changes its message any more."""
    await club.open(club.anna, start=False)
    await club.in_menu(club.anna, Verb.CANCEL)
    await club.clock.advance(5_000)
    assert club.bot.reconciler.tables_with_messages() == []


async def test_when_discord_answers_again_nothing_stays_stale_for_long(club: Club) -> None:
    """After many failures a message would wait for a minute; the first success says that it is over."""
    await club.open(club.anna, club.bruno)
    await club.clock.advance(20 * 60_000)
    club.env.inject_error("PATCH", "/channels/*", status=503, code=0, message="Busy", times=None)
    await club.act(club.on_turn())
    await club.clock.advance(10 * 60_000)
    club.env.backend.faults.clear()
    other = club.others()[0]
    menu = await club.press(other, club.table_message(), Verb.MENU)
    await club.press(other, reply(menu), Verb.HAND)
    await club.clock.advance(2_000)
    assert club.status() in text_of(club.table_message())
    assert "It is your turn" in text_of(club.hand(club.on_turn()))


async def test_what_discord_did_not_answer_is_not_tried_again_with_every_success_elsewhere(club: Club) -> None:
    """It may be the only thing that Discord does not answer."""
    await club.open(club.anna, club.bruno, club.carla)
    await club.clock.advance(20 * 60_000)
    path = f"/channels/{club.channel.id}/messages/{club.table_message().id}"
    club.env.inject_error("PATCH", path, status=503, code=0, message="Busy", times=None)
    start = len(club.env.http_requests)
    for _ in range(3):
        await club.act(club.on_turn())
    tried = [r for r in club.env.http_requests[start:] if (r.method, r.path) == ("PATCH", path)]
    assert len(tried) <= 3, "once with every change"
    club.env.backend.faults.clear()
    await club.clock.advance(10_000)
    assert components_json(club.table_message()) == expected_components_json(
        club.table(), TABLE, club.table_message().id
    )


async def test_a_hand_that_is_gone_before_it_is_shown_is_sent_again(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    path = f"{club.dm_path(club.bruno)}/*"
    club.env.inject_error("PATCH", path, status=404, code=10008, message="Unknown Message", times=2)
    with captured_log() as log:
        await club.press(club.anna, club.table_message(), Verb.START)
        await club.clock.advance(2_000)
    assert "delivery failed" not in log.getvalue()
    assert len(dms(club.bruno)) == 2, "the first one was lost, as far as the bot knows"
    assert components_json(club.hand(club.bruno)) == expected_components_json(
        club.table(), dm_hand_slot(club.seat(club.bruno)), club.table_message().id
    )


async def test_what_discord_takes_at_one_table_is_tried_at_another_at_once(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    (second,) = club.others()
    path = f"/channels/{club.hand(second).channel.id}/*"
    club.env.inject_error("*", path, status=503, code=0, message="Busy", times=None)
    await club.play_until_on_turn(second)
    await club.clock.advance(20_000)
    assert "It is your turn" not in text_of(club.hand(second))
    club.env.backend.faults.clear()
    await club.carla.slash(club.thread(), "play", game=club.case.game)
    await eventually(lambda: "It is your turn" in text_of(club.hand(second)), "the hand", 5)
