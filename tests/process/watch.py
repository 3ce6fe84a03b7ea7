"""What a real bot's store holds, what people see of it, and whether the one shows the other. For every game."""

import asyncio
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Final

import pytest

from bot.delivery.plan import SHORTEST_LAG_MS
from bot.store.tables import unpack_table
from bot.tables.model import Phase, Table
from bot.ui.custom_ids import Verb
from tests.controls import Offer, controls, moves, picks
from tests.process.person import Person, Seen, clicked
from tests.process.waiting import PATIENCE_SECONDS, eventually
from tests.process.world import World

# What the store holds


def tables(store: Path) -> dict[str, Table]:
    """The newest version of every table in the file, by id."""
    with closing(sqlite3.connect(store)) as database:
        found = [_unpacked(row[0]) for row in database.execute("SELECT snapshot FROM tables")]
    return {table.id: table for table in found}


@lru_cache(maxsize=64)
def _unpacked(snapshot: bytes) -> Table:
    """The table; whoever waits for something reads the same ones again and again."""
    return unpack_table(snapshot)


def plies(store: Path) -> int:
    """How many actions the file holds, of all games."""
    return sum(t.state.ply for t in tables(store).values() if t.state is not None)


def newest_table(store: Path) -> Table:
    """The table that was opened last."""
    return max(tables(store).values(), key=lambda table: table.created_at)


# What people see


LAG_SECONDS: Final = SHORTEST_LAG_MS / 1000
"""How long a table message on which somebody has clicked not long ago may be behind the moves of a round."""


def stale(people: Iterable[Person], table: Table, world: World, *, lags: bool = False) -> str:
    """What does not show the newest state of *table* to *people*, or shows it twice; empty when all is well. Of a
    table that is over somebody is offered the next game.

    If it *lags*, the table message may be moves behind, but not at the end of a round: for ``LAG_SECONDS`` it may."""
    people = list(people)
    if table.phase is Phase.OVER:
        ended = any(m.press(Verb.REMATCH) and m.about(table.id) for m in people[0].messages.values())
        return "" if ended else f"the end of {table.game}"
    ply, on_turn = table.state.ply, table.rules.on_turn(table.state)
    public = [m for m in people[0].messages.values() if not m.private and not m.direct(world)]
    boards = [m for m in public if m.press(Verb.MENU) and m.about(table.id)]
    if len(boards) != 1:
        return f"{len(boards)} table messages of {table.game}: {sorted(message.id for message in boards)}"
    call = boards[0].press(Verb.CALL)
    behind = lags and not table.rules.ends_round(table.recent)
    if call is not None and call[1].ply != ply and not (behind and call[1].ply < ply):
        return f"the table message of {table.game} is at {call[1].ply}, not {ply}"
    for person in people:
        mine = [m for m in person.messages.values() if m.direct(world) and m.about(table.id)]
        found = [(press.verb, press.ply) for m in mine for _, press in controls(m) if press.verb in ON_TURN]
        on = table.seat_of(person.id) == on_turn and not table.players[on_turn].automatic
        if not on and table.seat_of(person.id) in table.rules.callers(table.state):
            found = [it for it in found if it != (Verb.CALL, ply)]  # a live hand offers the call to whoever may call
        offered = {at for _, at in found}
        here = [m for m in person.messages.values() if m.private and m.about(table.id) and m.ply == ply]
        if on and not offered and here:
            continue  # the hand in the direct messages rests while another one is open in the channel
        if offered != ({ply} if on else set()):
            return f"the hand of {person.name} in {table.game} offers {offered} at {ply}, on turn: {on}"
    return ""


ON_TURN = (Verb.MOVE, Verb.PICK, Verb.CALL)
"""What a hand offers on its owner's turn."""


async def wait_until_shown(world: World, store: Path, people: Iterable[Person], *, lags: bool = False) -> None:
    """Everybody sees the newest state of the newest table, once; if it *lags*, only the table message may be behind."""
    people = list(people)

    def behind() -> str:
        return stale(people, newest_table(store), world, lags=lags)

    patience = PATIENCE_SECONDS if lags else PATIENCE_SECONDS + LAG_SECONDS
    await eventually(lambda: not behind(), lambda: f"to be shown: {behind()}", patience)


# Moves at the newest table


async def next_move(world: World, store: Path, people: Iterable[Person]) -> tuple[Person, Seen, Offer]:
    """Whoever is on turn, their hand, and a move on offer there, once everybody sees the newest state in their hands.
    Where the game is over they play it again."""
    people = list(people)
    await wait_until_shown(world, store, people, lags=True)
    if newest_table(store).phase is Phase.OVER:
        await play_again(*people)
        await eventually(lambda: newest_table(store).phase is Phase.PLAYING, "the next game")
        await wait_until_shown(world, store, people, lags=True)
    table = newest_table(store)  # the hand of a game before may still be waiting for its last edit
    ply = table.state.ply
    hands = [(p, m) for p in people for m in p.messages.values() if m.direct(world) or m.private]
    player, hand = next((p, m) for p, m in hands if m.about(table.id) and m.ply == ply)
    offer = await player.offer(hand)
    return player, player.messages[hand.id], offer


async def play_again(host: Person, *others: Person) -> None:
    """*host* opens the next table, the *others*, who are invited, take their seats, and the game starts."""
    before = host.newest(Verb.JOIN)
    await host.click(host.newest(Verb.REMATCH), Verb.REMATCH)
    for person in others:
        lobby = await eventually(lambda p=person: (m := p.newest(Verb.OPTIONS)) is not before and m, "the lobby")
        await person.click(lobby, Verb.JOIN)
    await host.click(await eventually(lambda: host.newest(Verb.START), "the lobby"), Verb.START)


async def click(player: Person, hand: Seen, offer: Offer) -> str:
    """Make that move; the nonce. Nobody waits for an answer."""
    return await player.use(hand, offer, wait=False)


async def click_a_move(player: Person, ply: int) -> str:
    """*player* clicks a move, or what leads to one, in a hand that shows *ply*; the nonce. If another hand takes its
    place just then, they click there."""

    def shows() -> Seen | None:
        return next((message for message in player.messages.values() if message.ply == ply), None)

    while True:
        hand: Seen = await eventually(shows, f"a hand of {player.name} at {ply}")
        nonce, status, _ = await player.send(clicked(hand, (moves(hand) or picks(hand))[0]))
        if status == 204:
            return nonce
        await asyncio.sleep(0.02)


async def move(world: World, store: Path, people: Iterable[Person]) -> None:
    """One move, from the click to everybody's hands. If another hand takes the place of the clicked one just then,
    the click is made there."""
    before, status = plies(store), 0
    while status != 204:
        player, hand, offer = await next_move(world, store, people)
        _, status, _ = await player.send(clicked(hand, offer))
    await eventually(lambda: plies(store) == before + 1, "the move to be committed")
    await wait_until_shown(world, store, people, lags=True)


async def move_again_and_again(world: World, store: Path, people: list[Person]) -> None:
    """A move while the gateway may be lost: what is clicked while nobody listens may fail; Discord says so, and the
    same button works afterwards."""
    before = plies(store)
    player, hand, offer = await next_move(world, store, people)
    deadline = asyncio.get_running_loop().time() + 120
    while plies(store) == before:
        assert asyncio.get_running_loop().time() < deadline, "the bot is deaf"
        nonce = await click(player, hand, offer)
        await eventually(lambda n=nonce: player.outcomes.get(n), "an outcome")
    assert plies(store) == before + 1
    await wait_until_shown(world, store, people, lags=True)


async def held_move(world: World, store: Path, people: Iterable[Person]) -> tuple[Person, str]:
    """Moves until one is held, because the game rests: its player, and the nonce of the click."""
    for _ in range(MOVES_UNTIL_HELD):
        before = plies(store)
        player, hand, offer = await next_move(world, store, people)
        nonce = await click(player, hand, offer)
        await eventually(lambda ply=before: newest_table(store).held or plies(store) > ply, "the move")
        if newest_table(store).held is not None:
            return player, nonce
    pytest.skip("this game never rests, so no move is held")


MOVES_UNTIL_HELD = 40
