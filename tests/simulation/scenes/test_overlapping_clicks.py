"""Clicks that overlap, in virtual time: double clicks, everybody at once; and who sees what of the hands."""

import asyncio
from pathlib import Path

from bot.ui.custom_ids import Verb
from engine.registry import GAMES
from tests.process.person import Person
from tests.process.waiting import eventually
from tests.process.watch import click, next_move, plies, wait_until_shown
from tests.process.world import World
from tests.simulation.scenes.scene import simulated


@simulated
async def test_a_double_click_in_flight_makes_one_move(world: World, people: list[Person], store: Path) -> None:
    its_turn = await next_move(world, store, people)
    nonces = await asyncio.gather(click(*its_turn), click(*its_turn))
    for nonce in nonces:
        await its_turn[0].success(nonce)
    assert plies(store) == 1
    await wait_until_shown(world, store, people)


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
