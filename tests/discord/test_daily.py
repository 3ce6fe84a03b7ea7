"""The deal of the day on Discord: the same for everybody, one attempt, results, sharing, practice."""

from pathlib import Path

import discord
import pytest

from bot.daily.days import day_end_ms, utc_day
from bot.delivery.messages import ACKNOWLEDGE_AFTER_MS
from bot.tables import lobby
from bot.tables.contest import determine_rated_contest
from bot.tables.errors import Refusal, Why
from bot.ui.components import NO_TABLE
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.daily import daily_deal_custom_id_argument
from bot.ui.replies import REFUSALS
from engine import record
from engine.fair import commitment
from engine.registry import GAMES
from engine.verify import verify
from tests.discord.forged import click_old, forge
from tests.discord.held import held_back, replay
from tests.discord.messages import private_text, reply, text_of, verbs
from tests.discord.play import Club
from tests.discord.solo import Alone
from tests.discord.test_erasing import erase_person
from tests.discord.test_results import rate
from tests.discord.world import EN, dms
from tests.rows import execute

WITH_DAYS = sorted(game for game, rules in GAMES.items() if rules.daily is not None)

pytestmark = pytest.mark.about(*WITH_DAYS)


class Today(Alone):
    """*person* plays the deal of the day."""

    async def open(self, *, start: bool = True) -> None:
        """They use /daily in direct messages, and *start* their attempt."""
        await self.person.user.slash("daily", game=self.club.case.game)
        if start:
            await self.press(Verb.START_DAY)

    @property
    def day(self) -> str:
        """Today."""
        return utc_day(self.club.clock.now())

    async def result(self) -> str:
        """What they read of how it went."""
        answer = await self.person.user.slash("daily", game=self.club.case.game)
        return private_text(answer)


async def evening(club: Club) -> None:
    """It is ten o'clock in the evening, UTC."""
    await club.clock.stand_still(22 * 3_600_000)


async def test_everybody_gets_the_same_cards_and_the_same_opponents(club: Club) -> None:
    played = []
    for person in (club.anna, club.bruno):
        today = Today(club, person)
        await today.open()
        await club.clock.advance(17 if person is club.bruno else 0)
        table = today.table.id
        await today.finish()
        kept = await club.bot.store.load_game_record(table)
        assert kept is not None
        found = record.decompress_record(kept.data)
        verify(found)
        played.append(found)
    first, second = played
    assert first.deal == second.deal
    assert [entry.action for entry in first.entries] == [entry.action for entry in second.entries]
    assert first.standings == second.standings


async def test_the_lobby_shows_todays_code_and_tomorrows(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open(start=False)
    lobby, tomorrow = text_of(today.message), today.table.next_code
    assert commitment(bytes.fromhex(today.table.secret))[:8] in lobby
    assert tomorrow[:8] in lobby
    assert "It was not published yesterday" in lobby
    assert not {Verb.ADD_COMPUTER, Verb.OPTIONS, Verb.CUT} & verbs(today.message)
    await club.clock.stand_still(day_end_ms(today.day) - club.clock.now() + 1)
    later = Today(club, club.bruno)
    await later.open(start=False)
    assert commitment(bytes.fromhex(later.table.secret)) == tomorrow
    assert "It was not published yesterday" not in text_of(later.message)


async def test_an_attempt_counts_once_and_practice_follows(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open()
    assert not today.table.has_hints
    attempt = today.table.id
    await today.finish()
    assert {Verb.RESULT, Verb.REVIEW, Verb.PRACTISE} <= verbs(today.message)
    assert Verb.REMATCH not in verbs(today.message)
    result = await today.result()
    assert "in a row" not in result
    assert club.presenter.outcome_legend.format(won="🟩", lost="🟥", other="⬜") in result
    over = await club.bot.tables.get(attempt)
    (mine,) = (it for it in over.rules.standings(over.state) if it.seat == over.seat_of(club.anna.id))
    assert f"Place {mine.place} of {len(over.players)} · {club.presenter.score_text(mine)}" in result
    assert not today.tables
    before = await club.bot.store.load_day_attempt(today.day, club.case.game, club.anna.id)
    await today.press(Verb.PRACTISE)
    assert today.table.practice
    assert "practice" in text_of(today.message)
    await today.press(Verb.START_DAY)
    dealt = await club.bot.tables.get(attempt)
    assert today.table.deal == dealt.deal
    await today.finish()
    assert await club.bot.store.load_day_attempt(today.day, club.case.game, club.anna.id) == before
    assert Verb.RESULT not in verbs(today.message)


async def test_two_starts_in_two_places_are_one_attempt(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open(start=False)
    first = today.message
    await club.clock.advance(5)
    await today.open(start=False)
    assert today.message.id != first.id
    assert len(today.tables) == 1, "it is the same table, further down"
    seen = today.message
    await today.press(Verb.START_DAY)
    state = today.table.state
    answer = await click_old(club, club.anna, seen, Verb.START_DAY)
    assert EN(REFUSALS[Why.ALREADY_STARTED]) in private_text(answer)
    assert today.table.state is state


async def test_a_start_that_comes_after_the_deal_has_moved_down_shows_one_table(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open(start=False)
    first = today.message
    await today.open(start=False)
    await click_old(club, club.anna, first, Verb.START_DAY)
    assert today.table.state is not None
    assert [it.id for it in dms(club.anna) if Verb.MENU in verbs(it)] == [today.message.id] != [first.id]


async def test_who_is_disconnected_goes_on_the_whole_day_and_a_restart_loses_nothing(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open()
    await club.restart()
    answer = await club.anna.slash(club.channel, "daily", game=club.case.game)
    assert "goes on in our direct messages" in private_text(answer)
    await club.clock.stand_still(20 * 3_600_000)
    await today.finish()
    assert "Place" in await today.result() or today.day


async def test_a_game_begun_before_midnight_counts_for_its_day(club: Club) -> None:
    await evening(club)
    today = Today(club, club.anna)
    await today.open()
    day = today.day
    await club.clock.stand_still(day_end_ms(day) - club.clock.now() + 60_000)
    await today.finish()
    attempt = await club.bot.store.load_day_attempt(day, club.case.game, club.anna.id)
    assert attempt is not None and attempt.result is not None and attempt.result.finished
    await today.open()
    assert today.table.day != day


async def test_a_second_start_after_midnight_says_that_the_game_has_started_not_that_its_day_is_over(
    club: Club,
) -> None:
    await evening(club)
    today = Today(club, club.anna)
    await today.open(start=False)
    lobby = today.message
    await today.press(Verb.START_DAY)
    await club.clock.stand_still(day_end_ms(today.day) - club.clock.now() + 60_000)
    assert EN(REFUSALS[Why.ALREADY_STARTED]) in private_text(await click_old(club, club.anna, lobby, Verb.START_DAY))


async def test_a_lobby_of_yesterday_starts_no_attempt(club: Club) -> None:
    await evening(club)
    today = Today(club, club.anna)
    await today.open(start=False)
    await club.clock.stand_still(day_end_ms(today.day) - club.clock.now() + 1)
    answer = await today.press(Verb.START_DAY)
    assert "The day of this deal is over" in private_text(answer)
    assert today.table.state is None


async def test_leaving_is_an_attempt_too(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open()
    menu = reply(await today.press(Verb.MENU))
    sure = reply(await club.press(club.anna, menu, Verb.LEAVE))
    assert "Your one attempt then counts as left before the end" in text_of(sure)
    await club.press(club.anna, sure, Verb.LEAVE_FOR_SURE)
    assert not today.tables
    result = reply(await club.anna.user.slash("daily", game=club.case.game))
    assert "Left before the end" in text_of(result)
    lines = await club.press(club.anna, result, Verb.TELL)
    assert not lines.followups, "nothing is posted"
    assert "```" in private_text(lines)


async def test_a_result_is_shared_where_one_is_and_tells_no_card(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open()
    await today.finish()
    mine = reply(await club.anna.slash(club.channel, "daily", game=club.case.game))
    assert "Share it here" in text_of(mine)
    await club.press(club.anna, mine, Verb.TELL)
    shared = club.messages()[-1]
    assert "anna" in text_of(shared) and "in a row" not in text_of(shared)
    assert verbs(shared) == {Verb.DAY}
    again = await club.press(club.anna, mine, Verb.TELL)
    assert "Somebody has just shared a result here" in private_text(again)
    led = await club.press(club.bruno, shared, Verb.DAY)
    assert "waits for you in our direct messages" in private_text(led)
    assert Verb.START_DAY in verbs(Today(club, club.bruno).message)


async def test_in_direct_messages_the_lines_are_there_to_copy(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open()
    await today.finish()
    result = reply(await club.anna.user.slash("daily", game=club.case.game))
    lines = reply(await club.press(club.anna, result, Verb.TELL))
    assert "```" in text_of(lines) and "Place " in text_of(lines)
    assert not club.messages()


async def test_who_takes_no_direct_messages_is_told_what_to_do(club: Club) -> None:
    club.env.inject_error(
        "POST", "/users/@me/channels", status=403, code=50007, message="Cannot send messages to this user", times=1
    )
    answer = await club.anna.slash(club.channel, "daily", game=club.case.game)
    assert "Discord does not let me write to you" in private_text(answer)


async def test_nothing_can_be_chosen_and_no_result_is_forged(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open(start=False)
    table = today.table.id
    for verb in (Verb.START, Verb.ADD_COMPUTER, Verb.OPTIONS, Verb.CUT):
        answer = await forge(club, club.anna, custom_id(verb, table), today.message)
        assert EN(REFUSALS[Why.BUTTON_DEAD]) in private_text(answer)
    assert len(today.table.players) == 1 and today.table.deal is None
    argument = daily_deal_custom_id_argument(today.day, club.case.game)
    for verb in (Verb.RESULT, Verb.TELL, Verb.PRACTISE):
        answer = await forge(club, club.anna, custom_id(verb, NO_TABLE, arg=argument), today.message)
        assert "You have not finished this deal" in private_text(answer)
    await today.press(Verb.START_DAY)
    answer = await forge(club, club.anna, custom_id(Verb.PRACTISE, NO_TABLE, arg=argument), today.message)
    assert "You have not finished this deal" in private_text(answer)
    assert len(today.tables) == 1
    game = club.case.game
    for arg in ("", f"2026-13-01.{game}", f"20261128.{game}", f".{game}", "x.y", f"{today.day}.chess", today.day):
        for verb in (Verb.RESULT, Verb.TELL, Verb.PRACTISE):
            answer = await forge(club, club.anna, custom_id(verb, NO_TABLE, arg=arg), today.message)
            assert EN(REFUSALS[Why.BUTTON_DEAD]) in private_text(answer)


@pytest.mark.parametrize("boards", [True, False])
async def test_ones_own_result_comes_with_those_of_others_where_leaderboards_are_on(club: Club, boards: bool) -> None:
    await club.bot.servers.change_settings(club.guild.id, boards=boards)
    await rate(club, club.bruno)
    for person in (club.bruno, club.anna):
        await person.slash(club.channel, "daily", game=club.case.game)
        today = Today(club, person)
        await today.press(Verb.START_DAY)
        sure = await club.press(person, reply(await today.press(Verb.MENU)), Verb.LEAVE)
        await club.press(person, reply(sure), Verb.LEAVE_FOR_SURE)
    result = private_text(await club.anna.slash(club.channel, "daily", game=club.case.game))
    assert ("bruno" in result) is boards
    assert "bruno" not in await today.result(), "that is of the server"


async def test_who_is_erased_takes_their_result_with_them(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open()
    await today.finish()
    day = today.day
    await erase_person(club.bot, club.anna.id, "anna", "anna")
    assert await club.bot.store.load_day_attempt(day, club.case.game, club.anna.id) is None
    assert await club.bot.store.day_results(day, club.case.game) == []


async def test_an_update_of_the_computers_closes_the_day(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    today = Today(club, club.anna)
    await today.open(start=False)
    monkeypatch.setattr("cogs.daily.computers_fingerprint", lambda game: "f" * 64)
    answer = await today.press(Verb.START_DAY)
    assert "An update has changed the computer players" in private_text(answer)
    answer = await club.bruno.slash(club.channel, "daily", game=club.case.game)
    assert "An update has changed the computer players" in private_text(answer)
    await club.clock.stand_still(day_end_ms(today.day) - club.clock.now() + 1)
    await Today(club, club.bruno).open()


async def test_the_day_is_discords_not_the_machines(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open(start=False)
    assert today.table.day == utc_day(discord.utils.snowflake_time(today.message.id).timestamp() * 1000)


async def test_start_on_a_closed_lobby_is_no_attempt(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open(start=False)
    seen, day = today.message, today.day
    await today.press(Verb.CANCEL)
    await click_old(club, club.anna, seen, Verb.START_DAY)
    assert await club.bot.store.load_day_attempt(day, club.case.game, club.anna.id) is None
    await today.open()
    assert today.table.state is not None


async def test_a_lobby_that_is_closed_while_it_starts_holds_no_attempt(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open(start=False)
    table, day, game, user = today.table.id, today.day, club.case.game, club.anna.id
    await today.press(Verb.CANCEL)
    assert await club.bot.store.claim_day_attempt(day, game, user, table, 0, club.clock.now()) is None
    assert await club.bot.store.load_day_attempt(day, game, user) is None


async def test_who_starts_a_lobby_that_is_closed_meanwhile_reads_that_it_is_over(club: Club, tmp_path: Path) -> None:
    """Closed in the store, that is: this process has yet to hear of it."""
    today = Today(club, club.anna)
    await today.open(start=False)
    execute(tmp_path / "tables.sqlite3", "UPDATE tables SET due_at = NULL")
    answer = await today.press(Verb.START_DAY)
    assert EN(REFUSALS[Why.GAME_FINISHED]) in private_text(answer)
    assert today.table.state is None
    assert await club.bot.store.load_day_attempt(today.day, club.case.game, club.anna.id) is None


async def test_nothing_forged_makes_a_game_alone_a_rated_one(club: Club) -> None:
    await rate(club, club.anna)
    today = Today(club, club.anna)
    await today.open()
    over = today.table.id
    await today.finish()
    answer = await forge(club, club.anna, custom_id(Verb.REMATCH, over), today.message)
    assert EN(REFUSALS[Why.BUTTON_DEAD]) in private_text(answer)
    assert not today.tables
    alone = Alone(club, club.anna)
    await alone.open(start=False)
    for fields in ({"hints": False}, {"late": True}, {"turn_seconds": 30}):
        with pytest.raises(Refusal):
            lobby.set_options(alone.table, club.anna.id, **fields)
    unhinted = alone.table._replace(options=alone.table.options._replace(hints=False))
    assert determine_rated_contest(unhinted).people == ()


async def test_asking_again_in_a_server_sends_nothing_and_counts_there(club: Club) -> None:
    await rate(club, club.anna)
    today = Today(club, club.anna)
    await today.open(start=False)
    before = len(dms(club.anna))
    for _ in range(3):
        answer = await club.anna.slash(club.channel, "daily", game=club.case.game)
        assert "It waits for you" in private_text(answer)
    assert len(dms(club.anna)) == before
    day = today.day
    await today.press(Verb.START_DAY)
    await today.finish()
    (mine,) = await club.bot.store.day_results_in_server(club.guild.id, day, club.case.game)
    assert mine.user == club.anna.id


async def test_what_nobody_was_shown_was_not_published(club: Club) -> None:
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007, message="Cannot send", times=1)
    await club.anna.slash(club.channel, "daily", game=club.case.game)
    await club.clock.stand_still(24 * 3_600_000)
    later = Today(club, club.bruno)
    await later.open(start=False)
    assert later.table.unannounced


async def test_start_forged_where_others_read_starts_nothing(club: Club) -> None:
    today = Today(club, club.anna)
    await today.open(start=False)
    await club.open(club.bruno, start=False)
    answer = await forge(club, club.anna, custom_id(Verb.START_DAY, today.table.id), club.table_message())
    assert club.refusal(Why.BUTTON_DEAD) in private_text(answer)
    assert today.table.state is None


async def test_a_command_that_comes_late_opens_a_table_that_stays(club: Club) -> None:
    """Discord is told at once that there will be an answer, and does not know yet that it is the table."""
    today = Today(club, club.anna)
    async with held_back(club) as waiting:
        await today.open(start=False)
    await club.clock.advance(ACKNOWLEDGE_AFTER_MS + 200)
    await replay(club, waiting)
    await club.env.settle()
    assert Verb.START_DAY in verbs(today.message)
    assert not today.message.flags.ephemeral
