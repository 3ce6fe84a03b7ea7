"""Being told, the clock, and how few requests it takes."""

from pathlib import Path

from bot.custom_ids import Verb
from bot.tables.model import Options, Pace
from tests.discord.play import Club, dms, open_club, presses, text_of

CLOCK = Options(pace=Pace.OFF, turn_seconds=300, window_ms=0, hold_ms=0)
NO_CLOCK = CLOCK._replace(turn_seconds=0)


async def test_who_is_active_just_sees_the_hand_light_up(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.lay(club.on_turn())
    second = club.on_turn()
    assert len(dms(second)) == 1
    assert "It is your turn" in text_of(club.hand(second))


async def test_who_was_away_for_two_minutes_gets_the_hand_as_a_new_message_and_the_old_one_goes(
    tmp_path: Path,
) -> None:
    async with open_club(tmp_path, NO_CLOCK) as club:
        await club.open(club.anna, club.bruno)
        first = club.on_turn()
        second = next(p for p in (club.anna, club.bruno) if p is not first)
        old = club.hand(second).id
        await club.clock.advance(150_000)
        await club.lay(first)
        assert [message.id for message in dms(second)] != [old]
        assert len(dms(second)) == 1
        assert "It is your turn" in text_of(club.hand(second))
        again = club.hand(second).id
        await club.lay(second)
        await club.lay(first)
        assert club.hand(second).id == again


async def test_who_takes_no_direct_messages_is_mentioned_once_and_the_mention_goes(tmp_path: Path) -> None:
    async with open_club(tmp_path, NO_CLOCK) as club:
        await club.open(club.anna, club.bruno)
        first = club.on_turn()
        second = next(p for p in (club.anna, club.bruno) if p is not first)
        menu = await club.press(second, club.table_message(), Verb.MENU)
        await club.press(second, menu.response.message, Verb.HAND)
        await club.clock.advance(150_000)
        await club.lay(first)
        pings = [m for m in club.messages() if f"<@{second.id}>" in text_of(m)]
        assert len(pings) == 1
        assert [user.id for user in pings[0].mentions] == [second.id]
        shown = await club.press(second, club.table_message(), Verb.HAND)
        await club.press(second, shown.response.message, Verb.MOVE, "0-up")
        assert not [m for m in club.messages() if f"<@{second.id}>" in text_of(m)]


async def test_the_clock_warns_then_acts_then_takes_over_l1(tmp_path: Path) -> None:
    async with open_club(tmp_path, CLOCK) as club:
        await club.open(club.anna, club.bruno, club.carla)
        sleeper = club.on_turn()
        seat = club.seat(sleeper)
        first = club.hand(sleeper).id
        await club.clock.advance(225_000)
        assert club.hand(sleeper).id != first
        assert len(dms(sleeper)) == 1
        await club.clock.advance(75_000)
        assert club.table().players[seat].timeouts == 1
        assert not club.table().players[seat].away
        for _ in range(2):
            await club.lay(club.on_turn())
        assert club.on_turn() is sleeper
        await club.clock.advance(300_000)
        assert club.table().players[seat].away
        assert "computer player has your seat" in text_of(club.hand(sleeper))
        await club.press(sleeper, club.hand(sleeper), Verb.COME_BACK)
        assert not club.table().players[seat].away


async def test_when_the_last_human_leaves_the_game_is_abandoned_l2(club: Club) -> None:
    await club.open(club.anna, computers=1)
    sure = await club.anna.slash(club.channel, "table leave")
    await club.press(club.anna, sure.response.message, Verb.LEAVE_FOR_SURE)
    assert "abandoned" in text_of(club.messages()[-1])
    assert club.bot.tables.live_in(club.channel.id) is None


async def test_at_most_three_requests_a_move_edits_over_fresh_tokens(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla, club.people[3])
    for _ in range(4):
        await club.lay(club.on_turn())
    start = len(club.env.http_requests)
    moves = 24
    for _ in range(moves):
        await club.lay(club.on_turn(), face="down")
    sent = club.env.http_requests[start:]
    assert len(sent) <= 3 * moves
    hands = [r for r in sent if r.method == "PATCH" and r.path.endswith("@original")]
    assert len(hands) >= moves


async def test_nothing_is_sent_when_nothing_looks_different(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    before = len(club.env.http_requests)
    await club.bot.tables.update_player(club.table().id, club.anna.id, timeouts=1)
    await club.env.settle()
    assert len(club.env.http_requests) == before


async def test_a_click_is_answered_with_the_actors_new_hand_in_one_call(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    player = club.on_turn()
    before = len(club.env.http_requests)
    await club.lay(player)
    callbacks = [r for r in club.env.http_requests[before:] if r.path.endswith("/callback")]
    assert [r.json["type"] for r in callbacks] == [7]
    assert "not your turn" in text_of(club.hand(player))


async def test_a_click_in_the_beat_is_answered_at_once_and_edited_when_it_lands(tmp_path: Path) -> None:
    async with open_club(tmp_path, Options(pace=Pace.NORMAL, turn_seconds=0)) as club:
        await club.open(club.anna, club.bruno)
        await club.lay(club.on_turn())
        await club.clock.advance(300)
        second = club.on_turn()
        answer = await club.lay(second)
        assert answer.acknowledged
        assert "in a moment" in text_of(club.hand(second))
        assert club.table().state.ply == 1
        await club.clock.advance(2300)
        assert club.table().state.ply == 2
        assert "not your turn" in text_of(club.hand(second))


async def test_a_click_that_lands_soon_is_answered_once_when_it_has(tmp_path: Path) -> None:
    async with open_club(tmp_path, Options(pace=Pace.OFF, turn_seconds=0, hold_ms=250)) as club:
        await club.open(club.anna, club.bruno)
        await club.lay(club.on_turn())
        await club.clock.advance(300)
        second = club.on_turn()
        before = len(club.env.http_requests)
        answer = await club.lay(second)
        assert not answer.acknowledged
        await club.clock.advance(250)
        assert answer.acknowledged
        callbacks = [r for r in club.env.http_requests[before:] if r.path.endswith("/callback")]
        assert len(callbacks) == 1
        assert club.table().state.ply == 2


async def test_the_caller_reads_in_the_hand_that_they_called_and_how_it_ended(tmp_path: Path) -> None:
    async with open_club(tmp_path, Options(pace=Pace.OFF, turn_seconds=0)) as club:
        await club.open(club.anna, club.bruno, club.carla)
        await club.lay(club.on_turn())
        await club.clock.advance(300)
        caller = club.on_turn()
        await club.press(caller, club.hand(caller), Verb.CALL)
        assert "You called 17!" in text_of(club.hand(caller))
        await club.clock.advance(1500)
        assert f"Last round: **{caller.name}** called at" in text_of(club.hand(caller))
        assert "wrongly" in text_of(club.hand(caller))


async def test_how_the_last_round_ended_stays_on_the_table_in_a_line(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.lay(club.on_turn())
    await club.call(club.on_turn())
    assert "### 📣" in text_of(club.table_message())
    await club.lay(club.on_turn())
    assert "### 📣" not in text_of(club.table_message())
    assert "Last round:" in text_of(club.table_message())


async def test_leaving_as_the_only_human_says_that_the_game_ends(club: Club) -> None:
    await club.open(club.anna, computers=1)
    sure = await club.anna.slash(club.channel, "table leave")
    assert "the game ends" in text_of(sure.response)
    left = await club.press(club.anna, sure.response.message, Verb.LEAVE_FOR_SURE)
    assert "the game is over" in text_of(left.response)


async def test_a_refusal_offers_17_only_where_17_was_refused(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    while club.on_turn() is not club.bruno or club.table().state.last is None:
        await club.lay(club.on_turn())
    refused = await club.bruno.slash(club.channel, "table end")
    assert Verb.CALL not in {press.verb for _, press in presses(refused.response)}
