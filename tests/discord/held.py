"""Interactions that reach the bot later than Discord sent them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
from simcord.actors import MemberActor

from tests.discord.play import Club


@asynccontextmanager
async def held_back(club: Club) -> AsyncIterator[list[Any]]:
    """In the block interactions do not reach the bot: as Discord sent them, they wait in the list."""
    waiting: list[Any] = []
    parsers = club.bot._connection.parsers
    parse = parsers["INTERACTION_CREATE"]
    parsers["INTERACTION_CREATE"] = waiting.append
    try:
        yield waiting
    finally:
        parsers["INTERACTION_CREATE"] = parse


async def replay(club: Club, waiting: list[Any]) -> None:
    """The interactions reach the bot now, and it does with them what it does."""
    before = asyncio.all_tasks()
    for data in waiting:
        club.bot._connection.parsers["INTERACTION_CREATE"](data)
    handling = asyncio.all_tasks() - before
    assert handling
    await asyncio.wait(handling)


async def held_click(club: Club) -> tuple[MemberActor, discord.Message, list[Any]]:
    """Who is on turn, their hand, and what waits: a click of theirs on the first move that it offers."""
    player = club.on_turn()
    hand, offers = await club.offered(player)
    async with held_back(club) as waiting:
        await club.use(player, hand, offers[0])
    return player, hand, waiting
