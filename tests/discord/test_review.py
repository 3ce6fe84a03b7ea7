"""The review of a game that is over: who may look at it, its steps, what stands there."""

import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import discord
import pytest
from simcord.actors import MemberActor

from bot.tables.errors import Why
from bot.tables.model import TableId
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.replies import REFUSALS
from engine.record import decode_record
from tests.bot.logs import captured_log
from tests.controls import components, controls
from tests.discord.forged import forge
from tests.discord.messages import gallery, presses, private_text, reply, text_of
from tests.discord.play import Club
from tests.games import ANY

OF_VERSION_0 = zlib.compress(b'{"v":0}').hex()
"""What is left of a record of version 0.1.0, packed."""


async def finished(club: Club) -> TableId:
    """A game of anna and bruno that is over."""
    await club.open(club.anna, club.bruno)
    table = club.table().id
    await club.finish()
    return table


async def review(club: Club, person: MemberActor) -> discord.Message:
    """The review of the last game, as *person* opens it from the table message."""
    return reply(await club.press(person, club.messages()[-1], Verb.REVIEW))


async def step(club: Club, person: MemberActor, message: discord.Message, arg: str) -> discord.Message:
    """The review *message* after *person* has pressed the button with the argument *arg*."""
    answer = await club.press(person, club.as_it_is(message), Verb.STEP, arg)
    assert not answer.followups
    return club.as_it_is(message)


def args(message: discord.Message) -> set[str]:
    """What the enabled buttons of a review lead to."""
    return {press.arg for _, press in presses(message) if press.verb is Verb.STEP}


async def agree(club: Club, *people: MemberActor) -> None:
    """*people* let everybody see the games that they have played."""
    for person in people:
        await club.bot.people.change(person.user.id, lambda it: it._replace(replays=True))


def database(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "tables.sqlite3")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


async def test_who_played_goes_through_the_game_step_by_step(club: Club) -> None:
    await finished(club)
    message = await review(club, club.anna)
    assert message.flags.ephemeral
    (file,) = [it for it in message.attachments if it.filename.endswith(".json")]
    found = decode_record(await file.read())
    message = await step(club, club.anna, message, "own.start")
    assert not message.attachments
    steps = 1
    while "own.next" in args(message):
        message = await step(club, club.anna, message, "own.next")
        assert f"Step {steps} of {len(found.entries)} · as you saw it" in text_of(message)
        steps += 1
    assert steps - 1 == len(found.entries)
    assert "🎉" in text_of(message)
    message = await step(club, club.anna, message, "own.back")
    assert f"Step {steps - 2} of" in text_of(message)


async def test_rounds_all_cards_and_back_to_the_whole_game(club: Club) -> None:
    await finished(club)
    message = await review(club, club.anna)
    first = text_of(message)
    message = await step(club, club.anna, message, "own.start")
    message = await step(club, club.anna, message, "all.look")
    assert "all cards open" in text_of(message)
    message = await step(club, club.anna, message, "all.last")
    ended = text_of(message)
    message = await step(club, club.anna, message, "all.first")
    assert "Step 0 of" in text_of(message)
    assert text_of(message) != ended
    message = await step(club, club.anna, message, "own.look")
    assert "as you saw it" in text_of(message)
    message = await step(club, club.anna, message, "game.whole")
    assert text_of(message) == first
    assert message.attachments


# Who may


async def test_others_may_only_if_everyone_who_played_has_agreed(club: Club) -> None:
    await finished(club)
    for willing in ((), (club.anna,)):
        await agree(club, *willing)
        no = await club.press(club.stranger, club.messages()[-1], Verb.REVIEW)
        assert REFUSALS[Why.NO_REPLAY] in private_text(no)
    await agree(club, club.bruno)
    message = await review(club, club.stranger)
    assert not [it for it in message.attachments if it.filename.endswith(".json")]
    message = await step(club, club.stranger, message, "own.start")
    assert "all cards open" in text_of(message)
    assert not {arg for arg in args(message) if arg.endswith(".look")}
    await club.bot.people.change(club.bruno.user.id, lambda it: it._replace(replays=False))
    answer = await club.press(club.stranger, club.as_it_is(message), Verb.STEP, "all.next")
    assert REFUSALS[Why.NO_REPLAY] in private_text(answer)


async def test_of_somebody_erased_nothing_is_public_but_who_played_has_it(club: Club, tmp_path: Path) -> None:
    await finished(club)
    await agree(club, club.anna, club.bruno)
    database(tmp_path, f"DELETE FROM record_people WHERE user_id = {club.bruno.user.id}")
    no = await club.press(club.stranger, club.messages()[-1], Verb.REVIEW)
    assert REFUSALS[Why.NO_REPLAY] in private_text(no)
    listed = await club.stranger.slash(club.channel, "replay")
    assert "no finished game" in text_of(reply(listed))
    text = text_of(await review(club, club.anna))
    assert "Former player" in text
    assert club.bruno.user.name not in text


# /replay


async def test_replay_lists_games_and_opens_one_in_the_same_message(club: Club) -> None:
    nothing = await club.anna.slash(club.channel, "replay")
    assert "no finished game" in text_of(reply(nothing))
    table = await finished(club)
    message = reply(await club.anna.slash(club.channel, "replay"))
    assert message.flags.ephemeral
    assert "bruno" in text_of(message)
    await club.choose(club.anna, message, Verb.REPLAY, table)
    assert f"`{table}`" in text_of(club.as_it_is(message))


async def test_replay_lists_public_games_after_ones_own(club: Club) -> None:
    first = await finished(club)
    assert "no finished game" in text_of(reply(await club.carla.slash(club.channel, "replay")))
    await agree(club, club.anna, club.bruno)
    message = reply(await club.carla.slash(club.channel, "replay"))
    await club.choose(club.carla, message, Verb.REPLAY, first)
    assert f"`{first}`" in text_of(club.as_it_is(message))


async def test_no_more_games_are_listed_than_a_select_holds(club: Club, tmp_path: Path) -> None:
    await finished(club)
    count = "WITH RECURSIVE n(i) AS (SELECT 97 UNION ALL SELECT i + 1 FROM n WHERE i < 122)"
    columns = ("guild_id, game, ended_at, data, counted_at", "id, user_id, name, place, username")
    for table, kept in zip(("records", "record_people"), columns, strict=True):
        database(tmp_path, f"INSERT INTO {table} (table_id, {kept}) {count} SELECT char(i), {kept} FROM {table}, n")
    message = reply(await club.anna.slash(club.channel, "replay"))
    (games,) = [it["options"] for it in components(message) if "options" in it]
    assert len(games) == 25, "https://docs.discord.com/developers/components/reference#string-select"


async def test_an_id_tells_nothing(club: Club) -> None:
    """Not public, still running, or none at all: the same words for all who do not play there."""
    await club.open(club.anna, club.bruno)
    table = club.table().id
    running = private_text(await club.stranger.slash(club.channel, "replay", game=table))
    await club.finish()
    words = {
        private_text(await club.stranger.slash(club.channel, "replay", game=name))
        for name in (table, "zzzzzzzz", "'; --", "é\x00", " ")
    }
    assert words == {running}
    assert REFUSALS[Why.NO_REPLAY] in running


@pytest.mark.parametrize("left", [False, True])
async def test_who_plays_in_a_game_is_told_that_it_is_still_running(club: Club, left: bool) -> None:
    """Also who has left it: their seat is kept. Before the deal there is no game."""
    await club.open(club.anna, club.bruno, club.carla, start=False)
    table = club.table().id
    assert REFUSALS[Why.NO_REPLAY] in private_text(await club.anna.slash(club.channel, "replay", game=table))
    await club.press(club.anna, club.table_message(), Verb.START)
    if left:
        await club.carla.slash(club.channel, "table leave")
    for name in (table, f" {table.upper()}"):
        answer = private_text(await club.carla.slash(club.channel, "replay", game=name))
        assert REFUSALS[Why.REPLAY_LATER] in answer
        assert REFUSALS[Why.NO_REPLAY] not in answer
    stranger = await club.stranger.slash(club.channel, "replay", game=table)
    assert REFUSALS[Why.NO_REPLAY] in private_text(stranger)


# What cannot be


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE records SET data = substr(data, 1, 50)", Why.BAD_RECORD),
        ("UPDATE records SET data = x'00'", Why.BAD_RECORD),
        (f"UPDATE records SET data = x'{OF_VERSION_0}'", Why.OLD_RECORD),
        ("DELETE FROM records", Why.NO_REPLAY),
    ],
)
@pytest.mark.about(ANY)
async def test_a_damaged_or_missing_record_is_said_kindly(club: Club, tmp_path: Path, damage: str, why: Why) -> None:
    await finished(club)
    message = await step(club, club.anna, await review(club, club.anna), "own.start")
    people = ["DELETE FROM record_people"] if why is Why.NO_REPLAY else []
    database(tmp_path, *people, damage)
    with captured_log() as log:
        answer = await club.press(club.anna, message, Verb.STEP, "own.next")
    assert REFUSALS[why] in private_text(answer)
    assert ("a record does not fit: " in log.getvalue()) is (why is Why.BAD_RECORD)
    listed = text_of(reply(await club.anna.slash(club.channel, "replay")))
    assert "no finished game" in listed


async def test_forged_steps_lead_to_the_nearest_or_nowhere(club: Club) -> None:
    table = await finished(club)
    message = await step(club, club.anna, await review(club, club.anna), "own.start")
    await forge(club, club.anna, custom_id(Verb.STEP, table, 9_999_999, "own.next"), message)
    assert "🎉" in text_of(club.as_it_is(message))
    await forge(club, club.anna, custom_id(Verb.STEP, table, 0, "sideways"), message)
    assert "all cards open" in text_of(club.as_it_is(message))
    for values in (["zzzzzzzz"], None, [table, "zzzzzzzz"], ["x" * 100]):
        no = await forge(club, club.anna, custom_id(Verb.REPLAY, table), message, values)
        assert no.acknowledged
        assert "Step 0 of" in text_of(club.as_it_is(message))


async def test_a_step_forged_on_the_table_message_is_answered_privately(club: Club) -> None:
    table = await finished(club)
    board = club.messages()[-1]
    before = text_of(board)
    answer = await forge(club, club.anna, custom_id(Verb.STEP, table, 1, "own.next"), board)
    assert reply(answer).flags.ephemeral
    assert text_of(club.as_it_is(board)) == before


def linked(message: discord.Message) -> list[tuple[str, str]]:
    """The label of every enabled button of a review, and what it leads to."""
    return [(str(it["label"]), press.arg) for it, press in controls(message) if press.verb is Verb.STEP]


async def test_the_coach_says_in_two_lines_how_one_played_and_leads_to_the_moments_that_mattered(club: Club) -> None:
    """No figure that takes explaining stands there; every moment has its line and its button."""
    await finished(club)
    message = await review(club, club.anna)
    if club.case.rules.coach is None:
        assert "coach.coach" not in args(message)
        return
    message = await step(club, club.anna, message, "coach.coach")
    said = text_of(message)
    assert message.attachments
    assert len(gallery(message)[0]["description"]) > 50
    assert re.search(
        r"^(In this game you played about as well as|How well you played cannot be said).*lucky", said, re.M
    )
    for figure in ("skill", "luck ", "result", "at stake", "points"):
        assert figure not in said
    moments = re.findall(r"^(\d)\. \*\*(.+?)\*\*: ", said, re.M)
    assert [number for number, _ in moments] == ["1", "2", "3"][: len(moments)]
    ways = linked(message)
    assert [label for label, _ in ways] == [*(label for _, label in moments), "Figures and details", "Whole game"]
    for label, arg in ways[: len(moments)]:
        shown = await step(club, club.anna, message, arg)
        steps = [int(step) for step in re.findall(r"\d+", label)]
        (at,) = re.findall(r"^Step (\d+) of", text_of(shown).replace("-# ", ""), re.M)
        assert steps[0] <= int(at) <= steps[-1]
        message = await step(club, club.anna, shown, "coach.coach")
    message = await step(club, club.anna, message, "game.whole")
    assert "coach.coach" in args(message)


async def test_the_figures_of_the_coach_are_a_page_of_their_own(club: Club) -> None:
    await finished(club)
    message = await review(club, club.anna)
    if club.case.rules.coach is None:
        return
    short = await step(club, club.anna, message, "coach.coach")
    told = text_of(short)
    message = await step(club, club.anna, short, "figures.figures")
    said = text_of(message)
    for title in ("How you played", "Luck and skill", "What decided the game", "**Skill**: ", "**Luck**: "):
        assert title in said
    for name in ("anna", "bruno"):
        assert f"**{name}**: skill " in said
    message = await step(club, club.anna, message, "all.decided0")
    assert "Chances to win, all cards open: " in text_of(message)
    message = await step(club, club.anna, await step(club, club.anna, message, "coach.coach"), "figures.figures")
    message = await step(club, club.anna, message, "coach.coach")
    assert text_of(message) == told


async def test_who_did_not_play_is_not_told_how_they_played(club: Club) -> None:
    await agree(club, club.anna, club.bruno)
    table = await finished(club)
    if club.case.rules.coach is None:
        return
    message = reply(await club.carla.slash(club.channel, "replay", game=table))
    message = await step(club, club.carla, message, "coach.coach")
    assert "you" not in text_of(message).casefold()
    assert re.search(r"^\*\*(anna|bruno)\*\*.* wins?", text_of(message), re.M)
    assert "What decided the game" in text_of(message)
    message = await step(club, club.carla, message, "figures.figures")
    assert "How you played" not in text_of(message)
    assert "Luck and skill" in text_of(message)


async def test_the_coach_is_silent_while_the_game_runs(club: Club) -> None:
    """A forged click gets what a command gets."""
    await finished(club)
    message = await review(club, club.anna)
    await club.open(club.anna, club.bruno)
    for arg in ("coach.coach", "figures.figures"):
        answer = await forge(club, club.anna, custom_id(Verb.STEP, club.table().id, 0, arg), message)
        assert REFUSALS[Why.REPLAY_LATER] in private_text(answer)
