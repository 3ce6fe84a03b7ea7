"""Clicks that overlap, in virtual time: double clicks, everybody at once; and who sees what of the hands."""

import asyncio
from pathlib import Path

from bot.custom_ids import Verb
from engine.registry import GAMES
from tests.process.person import Person
from tests.process.waiting import eventually
from tests.process.watch import click, plies, shown, turn
from tests.process.world import World
from tests.simulation.scenes.scene import simulated


@simulated
async def test_a_double_click_in_flight_makes_one_move(world: World, people: list[Person], store: Path) -> None:
    its_turn = await turn(world, store, people)
    nonces = await asyncio.gather(click(*its_turn), click(*its_turn))
    for nonce in nonces:
        await its_turn[0].success(nonce)
    assert plies(store) == 1
    await shown(world, store, people)


@simulated
async def test_everybody_joins_at_once(world: World, game: str) -> None:
    most = GAMES[game].seats[-1]
    host, *guests = world.players(game, most)
    await host.slash(world.channel, "play", game=game)
    for guest in guests:
        await eventually(lambda g=guest: g.newest(Verb.JOIN), "the lobby")
    nonces = [(g, await g.click(g.newest(Verb.JOIN), Verb.JOIN, wait=False)) for g in guests]
    for guest, nonce in nonces:
        await guest.success(nonce)
    await eventually(lambda: f"({most} of {most})" in host.newest(Verb.START).text, "a full table")


@simulated
async def test_with_closed_direct_messages_the_game_goes_on_behind_my_hand(
    world: World, store: Path, game: str
) -> None:
    people = world.players(game)
    anna, *others = people
    for other in others:
        await world.call("POST", f"/local/users/{other.id}", {"dms_open": False})
    await world.open_game(game, *people)
    await eventually(lambda: "you get no direct messages here" in anna.table().text, "the word about it")
    for other in others:
        before = {m.id for m in other.messages.values() if m.private}
        await other.click(other.table(), Verb.HAND)
        await eventually(
            lambda o=other, b=before: _new_alone(o, b), "the hand they asked for, in place of the one before"
        )
    assert not any(m.private for m in anna.messages.values())
    for ply in range(4):
        await (await world.on_turn(*people, ply=ply)).move()
    await eventually(lambda: plies(store) == 4, "the last move")


@simulated
async def test_an_ephemeral_hand_reaches_its_owner_alone(world: World, people: list[Person], store: Path) -> None:
    anna, stranger = people[0], world.people[len(people)]
    await shown(world, store, people)
    await anna.click(anna.table(), Verb.HAND)
    mine = await eventually(lambda: next((m for m in anna.messages.values() if m.private), None), "the hand")
    for other in (*people[1:], stranger):
        assert mine.id not in other.messages
        assert str(mine.id) not in str(other.received)
    dms = {m.channel for m in anna.messages.values() if m.direct(world)}
    assert dms
    for channel in dms:
        assert all(event["d"].get("channel_id") != str(channel) for event in stranger.received)
        status, _ = await world.call("GET", f"/channels/{channel}/messages", token=stranger.token)
        assert status == 404


def _new_alone(person: Person, before: set[int]) -> bool:
    """Whether *person* sees one private message, which is none of those *before*."""
    private = {m.id for m in person.messages.values() if m.private}
    return len(private) == 1 and not private & before
