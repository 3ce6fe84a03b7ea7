"""Reviews of the deal of the day: what others chose at the same moments, and who may look before the day is over."""

import json
from pathlib import Path

import discord
import pytest
from simcord.actors import MemberActor

from bot.daily.choices import Choice, NumberedChoice, encode_choices, encode_chosen_action, extract_game_choices
from bot.daily.days import PERSON_SEAT, day_end_ms
from bot.review.replay import replay_packed_record
from bot.tables.errors import Why
from bot.tables.model import TableId
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.replies import REFUSALS
from engine import record
from engine.record import decode_record
from tests.discord.forged import forge
from tests.discord.messages import private_text, reply, text_of
from tests.discord.play import Club
from tests.discord.test_daily import WITH_DAYS, Today
from tests.discord.test_review import agree, step
from tests.discord.world import EN
from tests.rows import query

pytestmark = pytest.mark.about(*WITH_DAYS)

OTHERS = 19


def fix_deal(club: Club, folder: Path, day: str) -> None:
    """The deal of *day* is always the same one: what people may choose at their moments follows from it."""
    query(
        folder / "tables.sqlite3",
        "INSERT INTO daily_days (day, game, secret, drawn_at) VALUES (?, ?, ?, 1)",
        *(day, club.case.game, f"{7:064x}"),
    )


async def played(club: Club, person: MemberActor, turns: int = 3) -> tuple[Today, TableId]:
    """*person* begins today's deal, plays so many turns, and leaves: their attempt is over."""
    today = Today(club, person)
    await today.open()
    return today, await leave_after(today, turns)


async def leave_after(today: Today, turns: int) -> TableId:
    """The person goes on for so many *turns*, and leaves."""
    table = today.table.id
    for _ in range(turns):
        await today.until_on_turn()
        await today.go_on()
    menu = reply(await today.press(Verb.MENU))
    sure = reply(await today.club.press(today.person, menu, Verb.LEAVE))
    await today.club.press(today.person, sure, Verb.LEAVE_FOR_SURE)
    assert not today.tables
    return table


async def chosen_at(club: Club, table: TableId) -> list[NumberedChoice]:
    """What the person at *table* chose."""
    kept = await club.bot.store.load_game_record(table)
    assert kept is not None
    course = replay_packed_record(kept.data)
    return extract_game_choices(course.rules, course.moments)


async def another_action(club: Club, table: TableId, number: int) -> str:
    """An action that the person at *table* might have chosen instead at the moment *number*."""
    kept = await club.bot.store.load_game_record(table)
    assert kept is not None
    course = replay_packed_record(kept.data)
    moment, rules = course.moments[number], course.rules
    legal = rules.legal_actions(moment.before, PERSON_SEAT)
    return encode_chosen_action(
        rules, next(it for it in legal if it != rules.action_of_seat(PERSON_SEAT, moment.action))
    )


def attempts(folder: Path, today: Today, day: str, choices: list[list[Choice]]) -> None:
    """More people have played the deal of *day*, and chosen *choices*."""
    for user, one in enumerate(choices, 1000):
        query(
            folder / "tables.sqlite3",
            "INSERT INTO daily_attempts (day, game, user_id, table_id, guild_id, started_at, ended_at, place, score, "
            "rounds, choices) VALUES (?, ?, ?, ?, 0, 1, 2, 1, ?, '', ?)",
            *(day, today.club.case.game, user, f"z{user}", json.dumps([1]), encode_choices(one)),
        )


async def opened(today: Today) -> discord.Message:
    """The review of the last game, from the button on its message."""
    return reply(await today.press(Verb.REVIEW))


async def turned_to(club: Club, person: MemberActor, message: discord.Message, table: TableId, at: int) -> str:
    """What the review *message* says at step *at*."""
    await forge(club, person, custom_id(Verb.STEP, table, at, "own.next"), club.as_it_is(message))
    return text_of(club.as_it_is(message))


# What others chose


async def test_a_step_says_what_others_chose_once_twenty_have_played(club: Club, tmp_path: Path) -> None:
    fix_deal(club, tmp_path, Today(club, club.anna).day)
    today, table = await played(club, club.anna)
    day, own = today.day, await chosen_at(club, table)
    number = next(it.number for it in own if it.choice.chosen != "-")
    instead = await another_action(club, table, number)
    same = [it.choice for it in own]
    different = [it.choice._replace(chosen=instead) if it.number == number else it.choice for it in own]
    message = await opened(today)
    attempts(tmp_path, today, day, [same] * 4 + [different] * (OTHERS - 5))
    assert "people" not in await turned_to(club, club.anna, message, table, number)
    query(tmp_path / "tables.sqlite3", "DELETE FROM daily_attempts WHERE user_id BETWEEN 1000 AND 2000")
    attempts(tmp_path, today, day, [same] * 5 + [different] * 15)
    said = await turned_to(club, club.anna, message, table, number)
    mine = club.presenter.board.action_text(club.rules.decode_action(json.loads(instead)), EN)
    (line,) = [it for it in said.splitlines() if " people chose the same as you." in it]
    counted = len(await club.bot.store.choices_of_counted_attempts(day, club.case.game))
    assert line.startswith(f"👥 {round(100 * (counted - 15) / counted)}% of {counted} people chose the same as you.")
    assert f"Most often: **{mine}** (" in line
    assert "people" not in await turned_to(club, club.anna, message, table, 0)


async def test_practice_is_compared_with_the_attempts(club: Club, tmp_path: Path) -> None:
    fix_deal(club, tmp_path, Today(club, club.anna).day)
    today, _ = await played(club, club.anna, 1)
    day = today.day
    await today.press(Verb.PRACTISE)
    await today.press(Verb.START_DAY)
    table = await leave_after(today, 1)
    own = await chosen_at(club, table)
    attempts(tmp_path, today, day, [[it.choice for it in own]] * 20)
    number = next(it.number for it in own if it.choice.chosen != "-")
    said = await turned_to(club, club.anna, await opened(today), table, number)
    counted = len(await club.bot.store.choices_of_counted_attempts(day, club.case.game))
    assert f"👥 100% of {counted} people chose the same as you." in said


async def test_the_coach_compares_the_moments_that_mattered(club: Club, tmp_path: Path) -> None:
    today = Today(club, club.anna)
    fix_deal(club, tmp_path, today.day)
    await today.open()
    day, table = today.day, today.table.id
    await today.finish()
    own = [it.choice for it in await chosen_at(club, table)]
    call = '{"call":[0]}' if club.rules.calls is not None else "-"
    attempts(tmp_path, today, day, [own] * 15 + [[it._replace(chosen=call) for it in own]] * 10)
    message = await step(club, club.anna, await opened(today), "coach.coach")
    lines = [it for it in text_of(message).splitlines() if it[:2] in ("1.", "2.", "3.")]
    compared = [it for it in lines if " people chose the same as you." in it or " people called here." in it]
    assert compared
    assert len(lines) >= len(compared)
    assert all(it in compared for it in lines if "Your choice: " in it)
    message = await step(club, club.anna, message, "game.whole")
    assert "people" not in text_of(message)


# Who may look


async def refused(club: Club, person: MemberActor, table: TableId) -> bool:
    """Whether *person* may not open the review of *table*."""
    answer = await person.slash(club.channel, "replay", game=table)
    return REFUSALS[Why.NO_REPLAY] in private_text(answer)


async def test_nobody_else_sees_a_days_deal_before_the_day_is_over(club: Club) -> None:
    today, table = await played(club, club.anna)
    await agree(club, club.anna)
    day = today.day
    assert not await refused(club, club.anna, table)
    assert await refused(club, club.stranger, table)
    lobby = Today(club, club.bruno)
    await lobby.open()
    assert await refused(club, club.bruno, table), "an attempt that goes on is none that is over"
    listed = reply(await club.stranger.slash(club.channel, "replay"))
    for custom in (
        custom_id(Verb.REVIEW, table),
        custom_id(Verb.STEP, table, 0, "all.next"),
        custom_id(Verb.STEP, table, 0, "coach.coach"),
        custom_id(Verb.STEP, table, 0, "game.whole"),
    ):
        no = await forge(club, club.stranger, custom, listed)
        assert REFUSALS[Why.NO_REPLAY] in private_text(no)
    no = await forge(club, club.stranger, custom_id(Verb.CHECK, table), listed)
    assert REFUSALS[Why.BUTTON_DEAD] in private_text(no), "the table is Anna's alone"
    await club.clock.stand_still(day_end_ms(day) - club.clock.now() + 1)
    shown = reply(await club.stranger.slash(club.channel, "replay", game=table))
    assert not [it for it in shown.attachments if it.filename.endswith(".json")], "the record stays with who played"
    assert await refused(club, club.bruno, table), "his attempt goes on, also after midnight"
    await lobby.finish()
    assert not await refused(club, club.bruno, table)


async def test_the_last_moment_of_the_day_counts_by_discords_clock(club: Club) -> None:
    today, table = await played(club, club.anna)
    await agree(club, club.anna)
    await club.clock.stand_still(day_end_ms(today.day) - club.clock.now() - 2_000)
    assert await refused(club, club.stranger, table)
    await club.clock.stand_still(2_000)
    assert not await refused(club, club.stranger, table)


async def test_who_has_played_the_same_deal_sees_it_before(club: Club, tmp_path: Path) -> None:
    today, table = await played(club, club.anna)
    await played(club, club.bruno)
    assert await refused(club, club.bruno, table), "Anna has not agreed"
    await agree(club, club.anna)
    message = reply(await club.bruno.slash(club.channel, "replay", game=table))
    own = [it.choice for it in await chosen_at(club, table)]
    attempts(tmp_path, today, today.day, [own] * 10 + [[it._replace(chosen="-") for it in own]] * 10)
    for mode in ("all.next", "own.next", "coach.coach"):
        for at in range(1, 6):
            await forge(club, club.bruno, custom_id(Verb.STEP, table, at, mode), club.as_it_is(message))
            said = text_of(club.as_it_is(message))
            assert "Coach" in said
            assert " people " not in said, "they are Anna's choices, not his"


async def test_an_attempt_at_another_day_opens_nothing(club: Club) -> None:
    await played(club, club.bruno)
    await club.clock.stand_still(86_400_000)
    _, table = await played(club, club.anna)
    await agree(club, club.anna)
    assert await refused(club, club.bruno, table)


async def test_no_list_of_others_holds_a_days_deal(club: Club) -> None:
    today, table = await played(club, club.anna)
    await agree(club, club.anna)
    for later in (0, day_end_ms(today.day) - club.clock.now() + 1):
        await club.clock.stand_still(later)
        listed = reply(await club.stranger.slash(club.channel, "replay"))
        assert "no finished game" in text_of(listed)
    mine = reply(await club.anna.user.slash("replay"))
    await club.choose(club.anna, mine, Verb.REPLAY, table)
    assert f"`{table}`" in text_of(club.as_it_is(mine))


# Its record


async def test_its_record_tells_the_day_and_says_nothing_of_cuts(club: Club) -> None:
    today, table = await played(club, club.anna)
    answer = reply(await forge(club, club.anna, custom_id(Verb.CHECK, table), today.message))
    (file,) = answer.attachments
    data = await file.read()
    found = decode_record(data)
    verified = {"code": found.commitment, "deal": found.deal.deal_code(found.commitment)}
    for noted in ({}, {**verified, "message": today.day}, {**verified, "message": str(found.deal.message)}):
        text = private_text(await club.stranger.slash(club.channel, "verify", record=("r.json", data), **noted))
        assert ("It matches what you noted" in text) is bool(noted)
        for said in (text, text_of(answer)):
            assert f"Day of the deal: `{today.day}`" in said
            assert "cut the deck" not in said and "table message" not in said and "20260101" not in said
        assert ("⚠️" in text) is not noted
    wrong = await club.stranger.slash(club.channel, "verify", record=("r.json", data), message="2026-02-03")
    assert f"The day of this deal is `{today.day}`. You noted `20260203`." in private_text(wrong)
    assert record.decompress_record((await club.bot.store.load_game_record(table)).data) == found  # type: ignore[union-attr]
