"""The way of an interaction between processes: over real HTTP, with a table of who serves what."""

import asyncio
import statistics
import time

from bot.cluster.partitions import partition_of
from bot.cluster.routing import ACCEPTED_MS, Place
from bot.custom_ids import Verb, custom_id
from bot.tables.model import TableId
from tests.bot.forwarding import HERE, TABLE, THERE, Process, interaction
from tests.process.waiting import eventually


async def test_what_is_at_home_is_served_at_once(two: list[Process]) -> None:
    one, other = two
    one.routing.heard(found := interaction(1, HERE))
    assert one.served == [int(found["id"])]
    assert other.served == []


async def test_a_command_goes_to_the_home_of_its_channel(two: list[Process]) -> None:
    one, other = two
    one.routing.heard(found := interaction(1, THERE))
    await eventually(lambda: other.served == [int(found["id"])], "the interaction")
    assert one.served == []


async def test_a_click_goes_to_the_home_of_its_table_wherever_it_was_made_and_the_store_is_asked_once(
    two: list[Process],
) -> None:
    one, other = two
    for number in range(3):
        one.routing.heard(interaction(number, HERE, custom_id(Verb.MOVE, TABLE, 1, "0-up")))
        await eventually(lambda n=number: len(other.served) == n + 1, "the click")
    assert (one.served, one.asked) == ([], 1)
    one.routing.heard(interaction(4, HERE, custom_id(Verb.MOVE, TableId("gone"), 1, "0-up")))
    await eventually(lambda: len(one.served) == 1, "a click on a table that there is not, where it was made")


async def test_what_two_sessions_bring_is_served_once(two: list[Process]) -> None:
    one, other = two
    found = interaction(1, THERE)
    for process in (one, other, one):
        process.routing.heard(found)
    await eventually(lambda: not one.tasks, "all to be brought")
    assert other.served == [int(found["id"])]


async def test_what_the_shards_know_of_a_place_comes_along(two: list[Process]) -> None:
    one, other = two
    one.routing.heard(interaction(1, THERE))
    await eventually(lambda: other.served, "the interaction")
    (entered,) = other.routing._entered.values()
    assert entered.place == Place(True, locale="de")


async def test_while_a_channel_changes_hands_its_clicks_wait(two: list[Process]) -> None:
    one, other = two
    del one.directory.owners[partition_of(THERE)]
    one.routing.heard(found := interaction(1, THERE))
    await asyncio.sleep(0.1)
    assert (one.served, other.served) == ([], [])
    one.directory.give(THERE, "one")
    await eventually(lambda: one.served == [int(found["id"])], "its home to be found")
    assert not one.given_up


async def test_whoever_has_lost_a_table_while_serving_a_click_sends_it_on(two: list[Process]) -> None:
    one, other = two
    other.routing.heard(found := interaction(1, THERE))
    one.directory.give(THERE, "one")

    class Interaction:
        id = int(found["id"])

    assert other.routing.again(Interaction())  # type: ignore[arg-type]
    await eventually(lambda: one.served == [int(found["id"])], "the new home")
    assert not other.routing.again(Interaction())  # type: ignore[arg-type]


async def test_when_it_is_almost_too_late_to_answer_the_person_is_told(two: list[Process]) -> None:
    one, _ = two
    one.directory.owners.clear()
    one.routing.heard(found := interaction(1, THERE, age_ms=2100))
    await eventually(lambda: one.given_up == [int(found["id"])], "a word")
    assert one.served == []


async def test_what_is_on_its_way_is_brought_home_before_the_program_ends(two: list[Process]) -> None:
    one, other = two
    del one.directory.owners[partition_of(THERE)]
    one.routing.heard(found := interaction(1, THERE))
    ending = asyncio.ensure_future(one.routing.finish())
    await asyncio.sleep(0.1)
    assert not ending.done()
    one.directory.give(THERE, "other")
    await asyncio.wait_for(ending, 2)
    assert other.served == [int(found["id"])]


async def test_what_arrives_too_late_to_be_answered_is_not_served(two: list[Process]) -> None:
    """Its sender has told the person to try again meanwhile: two answers would contradict each other."""
    _, there = two
    late, timely = interaction(1, THERE, age_ms=ACCEPTED_MS + 100), interaction(2, THERE)
    for data, served in ((late, False), (timely, True)):
        assert there.routing.take({"home": THERE, "place": Place(True), "data": data}) is served
    assert there.served == [int(timely["id"])]


async def test_one_that_does_not_answer_costs_no_click(two: list[Process]) -> None:
    one, other = two
    await other.peers.stop()
    one.routing.heard(found := interaction(1, THERE))
    await asyncio.sleep(0.1)
    one.directory.give(THERE, "one")  # somebody has taken over
    await eventually(lambda: one.served == [int(found["id"])], "its new home")


async def test_a_click_that_is_forwarded_takes_little_longer(two: list[Process]) -> None:
    """Two milliseconds at the median where nothing else runs; here others do."""
    one, other = two
    took = []
    for number in range(60):
        other.serving.clear()
        began = time.perf_counter()
        one.routing.heard(interaction(number, THERE) | {"message": {"content": "x" * 5000}})
        await other.serving.wait()
        took.append(time.perf_counter() - began)
    assert statistics.median(took) < 0.02
