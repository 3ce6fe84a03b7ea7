"""Somebody is erased: from everywhere, and whatever they are doing at the moment."""

import asyncio
from pathlib import Path
from typing import Any

from simcord.actors import MemberActor

from bot.delivery.limits import Throttle
from bot.privacy import erase_person as erase_person
from bot.store import people
from bot.store.schema import metadata
from bot.tables.errors import Why
from bot.tables.model import Ending, Phase
from bot.tables.preferences import DEFAULTS
from bot.ui.custom_ids import Verb
from bot.ui.replies import REFUSALS
from engine import record
from engine.verify import verify
from tests.bot.logs import captured_log
from tests.bot.traces import traces
from tests.discord.held import held_back, replay
from tests.discord.messages import private_text, reply, text_of
from tests.discord.play import QUICK, Club, every_game_with_calls, open_club
from tests.discord.somebody import NAME, Left, erase, everywhere, export, privacy, with_zach
from tests.discord.test_at_once import let_one_go
from tests.discord.test_calls import WINDOW, something_to_call
from tests.discord.world import EN
from tests.games import CASES
from tests.process.waiting import eventually

GAME = sorted(CASES)[0]


async def fits(club: Club, table: str) -> record.Record:
    """The record of the game of *table*, which fits."""
    kept = await club.bot.store.load_game_record(table)  # type: ignore[arg-type]
    assert kept is not None
    found = record.decompress_record(kept.data)
    verify(found)
    return found


# Everywhere


def test_every_table_about_people_is_erased() -> None:
    """Whoever adds one adds it to ``personal.BY_PERSON``, or to those whose rows stay without a name."""
    known = {*people.BY_PERSON, *people.STAYS_WITHOUT_NAME}
    assert {table for table in metadata.tables.values() if "user_id" in table.c} == known


EVERYWHERE = [
    "bans.by_id",
    "bans.reason",
    "bans.user_id",
    "daily_attempts.user_id",
    "messages.channel_id",
    "people.dm_channel_id",
    "people.user_id",
    "preferences.user_id",
    "rating_steps.user_id",
    "ratings.user_id",
    "record_people.name",
    "record_people.user_id",
    "record_people.username",
    "tables.last",
    "tables.opened_by",
    "tables.snapshot",
    "totals.user_id",
]


async def test_whoever_is_everywhere_is_nowhere_once_erased(
    club: Club, zach: MemberActor, left: Left, tmp_path: Path
) -> None:
    with captured_log() as log:
        kept = await everywhere(club, zach, tmp_path)
        assert left() == EVERYWHERE
        assert "Your data is erased" in await erase(club, zach)
    assert (str(zach.id) in log.getvalue(), NAME in log.getvalue()) == (False, False)
    assert left() == []
    assert club.bot.people.preferences(zach.id) == DEFAULTS
    assert NAME not in repr(club.bot.tables.live_tables_in_memory()) + repr(club.bot.reconciler.tables_with_messages())
    await fits(club, kept)
    await club.finish()
    assert left() == []
    await club.restart()
    assert left() == []


# While something goes on


async def test_a_hand_that_they_have_opened_in_the_channel_is_deleted_too(
    club: Club, zach: MemberActor, left: Left
) -> None:
    await club.open(zach, club.bruno, club.carla)
    menu = await club.press(zach, club.table_message(), Verb.MENU)
    hand = reply(await club.press(zach, reply(menu), Verb.HAND))
    assert hand.flags.ephemeral
    await erase(club, zach)
    deleted = [r.path for r in club.env.http_requests if r.method == "DELETE" and r.path.endswith(f"/{hand.id}")]
    assert [path.split("/")[1] for path in deleted] == ["webhooks"], "by a token: no other way reaches it"
    assert left() == []


async def test_the_mention_of_their_turn_is_deleted(tmp_path: Path) -> None:
    async with open_club(tmp_path, GAME, QUICK._replace(turn_seconds=300)) as club:
        zach = with_zach(club)
        club.close_dms(zach)
        await club.open(zach, club.bruno, club.carla)
        await club.play_until_on_turn(zach)
        await club.clock.advance(240_000)
        mention = f"<@{zach.id}>"
        assert any(mention in message.content for message in club.messages())
        await erase(club, zach)
        assert not any(mention in message.content for message in club.messages())


async def test_a_hand_that_reaches_them_while_they_are_erased_is_deleted_again(
    club: Club, zach: MemberActor, left: Left
) -> None:
    await club.open(zach, club.bruno, club.carla)
    reply, hands = club.bot.api.reply, list[int]()

    async def slow(*args: Any, **how: Any) -> int:
        club.bot.api.reply = reply  # type: ignore[method-assign]
        hands.append(await reply(*args, **how))
        await erase_person(club.bot, zach.id, NAME)
        return hands[0]

    club.bot.api.reply = slow  # type: ignore[method-assign]
    answer = await club.press(zach, club.table_message(), Verb.HAND)
    assert EN(REFUSALS[Why.NOT_AT_TABLE]) in text_of(answer.followups[-1].message)
    assert [r.path for r in club.env.http_requests if r.method == "DELETE" and r.path.endswith(f"/{hands[0]}")]
    assert left() == []


async def test_a_conversation_that_is_being_opened_with_them_is_waited_for_so_that_it_is_not_noted_afterwards(
    club: Club, zach: MemberActor, left: Left
) -> None:
    await club.open(zach, club.bruno, club.carla, start=False)
    await club.lobby_goes()
    slow = club.bot.api._throttle = Throttle(0.01, 1)
    await slow.wait_to_start()
    starting = asyncio.create_task(club.press(zach, club.table_message(), Verb.START))
    while club.table().phase is not Phase.PLAYING:
        await eventually(lambda: slow.waiting or club.table().phase is Phase.PLAYING, "a request to wait", 5)
        await let_one_go(slow)
    await eventually(lambda: slow.waiting, "the conversation to wait for its turn", 5)
    erasing = asyncio.create_task(erase_person(club.bot, zach.id, NAME))
    await eventually(lambda: club.table().seat_of(zach.id) is None, "the table to know", 5)
    await asyncio.wait({erasing}, timeout=0.3)
    waits = not erasing.done()
    while not (erasing.done() and starting.done()):
        await let_one_go(slow)
    asked = [r.json["recipient_id"] for r in club.env.http_requests if r.path == "/users/@me/channels"]
    assert asked[0] == str(zach.id), "it was opened all the same"
    assert waits
    assert left() == []


@every_game_with_calls
async def test_while_a_call_window_is_open(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, WINDOW) as club:
        zach = with_zach(club)
        await club.open(zach, club.bruno, club.carla)
        await something_to_call(club)
        while zach not in club.callers():
            await club.act(club.on_turn())
        await club.call(zach)
        assert club.table().window is not None
        table = club.table().id
        await erase(club, zach)
        await club.clock.advance(5_000)
        assert club.running
        assert club.table().window is None
        assert traces(tmp_path / "tables.sqlite3", zach.id, NAME) == []
        assert club.table().host == club.bruno.id
        await club.press(club.bruno, reply(await club.bruno.slash(club.channel, "table end")), Verb.END_FOR_SURE)
        await fits(club, table)


async def test_two_at_the_same_table_at_the_same_time(club: Club, zach: MemberActor, left: Left) -> None:
    await club.open(zach, club.bruno, club.carla)
    table = club.table().id
    people = (zach, club.bruno)
    await asyncio.gather(*(erase_person(club.bot, person.id, person.name) for person in people))
    await club.env.settle()
    players = club.table().players
    assert [player.user for player in players if player.user] == [club.carla.id]
    assert left() == []
    await erase_person(club.bot, club.carla.id, club.carla.name)
    assert not club.running
    assert (await fits(club, table)).ending == Ending.ABANDONED.value


async def test_twice_and_once_more_by_somebody_new(club: Club, zach: MemberActor, left: Left) -> None:
    await club.open(zach, club.bruno)
    await club.finish()
    await erase(club, zach)
    assert "Your data is erased" in await erase(club, zach)
    nothing = reply(await club.press(zach, await privacy(club, zach), Verb.EXPORT))
    assert EN("I keep nothing about you.") in text_of(nothing)
    await club.open(zach, club.bruno)
    await club.finish()
    assert len((await export(club, zach))["records"]) == 1


async def test_one_thing_at_a_time(club: Club, zach: MemberActor) -> None:
    shown = await privacy(club, zach)
    with club.bot.people.refusing_parallel_tasks(zach.id):
        answer = await club.press(zach, shown, Verb.EXPORT)
        assert EN(REFUSALS[Why.AT_WORK]) in private_text(answer)
        asked = reply(await club.press(zach, shown, Verb.ERASE))
        assert EN(REFUSALS[Why.AT_WORK]) in private_text(await club.press(zach, asked, Verb.ERASE_FOR_SURE))


async def test_while_they_choose_something_what_they_had_chosen_does_not_come_back(
    club: Club, zach: MemberActor
) -> None:
    await club.bot.people.change(zach.id, lambda it: it._replace(rated=True, locale="de"))
    erasing = asyncio.create_task(erase_person(club.bot, zach.id, NAME))
    while not erasing.done():
        await club.bot.people.change(zach.id, lambda it: it._replace(replays=True))
        await asyncio.sleep(0)
    known = await club.bot.store.load_all_preferences()
    assert known.get(zach.id, DEFAULTS) == club.bot.people.preferences(zach.id)
    assert known.get(zach.id, DEFAULTS)._replace(replays=False) == DEFAULTS


async def test_what_takes_long_is_acknowledged_first(club: Club, zach: MemberActor, left: Left) -> None:
    """Discord waits for three seconds; a file is prepared, or a person erased, for longer if there is much."""
    await club.open(zach, club.bruno)
    page = await privacy(club, zach)
    asked = reply(await club.press(zach, await privacy(club, zach), Verb.ERASE))
    for message, verb in ((page, Verb.EXPORT), (asked, Verb.ERASE_FOR_SURE)):
        async with held_back(club) as waiting:
            await club.press(zach, message, verb)
        await club.clock.advance(2_400)
        start = len(club.env.http_requests)
        await replay(club, waiting)
        requests = [r for r in club.env.http_requests[start:] if r.path.startswith(("/interactions", "/webhooks"))]
        assert [r.json["type"] for r in requests if r.path.endswith("/callback")] == [6]
        assert [r.method for r in requests if r.path.startswith("/webhooks")][-1] in ("POST", "PATCH")
    assert EN("### Your data is erased") in text_of(club.as_it_is(asked))
    assert left() == []
