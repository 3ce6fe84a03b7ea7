"""Solo tables: /play in direct messages with the bot; one person, computer players, one message."""

import asyncio
from pathlib import Path

from bot.cli import ban
from bot.tables.errors import Why
from bot.tables.model import Ending
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.replies import REFUSALS
from tests.discord.forged import click_old, forge
from tests.discord.held import held_back, replay
from tests.discord.messages import last_row, private_text, reply, text_of, verbs
from tests.discord.play import QUICK, Club, every_game_with_calls, open_club
from tests.discord.solo import Alone, counted_requests
from tests.discord.test_erasing import erase_person
from tests.discord.world import DEAL_NOTE, EN, dms
from tests.games import CASES

GAME = sorted(CASES)[0]


async def test_one_message_is_lobby_then_hand_and_table_then_the_end(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open(start=False)
    lobby = alone.message
    assert {Verb.START, Verb.OPTIONS, Verb.RULES} <= verbs(lobby)
    assert Verb.JOIN not in verbs(lobby)
    await alone.press(Verb.START)
    assert sum(DEAL_NOTE in text_of(message) for message in dms(club.anna)) == 1
    await club.clock.advance(1_000)
    await alone.until_on_turn()
    assert EN("Menu") in text_of(alone.message)
    assert await alone.offered(), "one plays from it"
    if club.presenter.call:
        assert [verb for verb, _ in last_row(alone.message)] == [Verb.CALL]
    table = alone.table.id
    await alone.finish()
    over = await club.bot.tables.get(table)
    assert over.ending is Ending.FINISHED
    ended = {"game": club.case.game, "ending": "finished"}
    assert club.bot.metrics.registry.get_sample_value("diciassette_tables_over_total", ended) == 1
    assert {Verb.REMATCH, Verb.REVIEW} <= verbs(alone.message)
    assert "Your place:" in text_of(alone.message)
    shown = [it for it in dms(club.anna) if not it.flags.ephemeral and DEAL_NOTE not in text_of(it)]
    assert len(shown) == 1, "one message from the start to the end"


async def test_a_move_costs_at_most_one_counted_edit(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open()
    await alone.until_on_turn()
    for _ in range(4):
        if not alone.tables:
            break
        since, ply = len(club.env.http_requests), alone.table.state.ply
        await alone.go_on()
        moved = (alone.table.state.ply if alone.tables else ply + 1) - ply
        assert len(counted_requests(club, club.anna, since)) <= moved


async def test_the_end_offers_a_rematch_against_the_same_computers(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open()
    names = [player.name for player in alone.table.players]
    await alone.finish()
    await alone.press(Verb.REMATCH)
    assert [player.name for player in alone.table.players] == names
    assert not any(player.invited for player in alone.table.players)
    assert Verb.START in verbs(alone.message)
    await alone.press(Verb.START)
    assert alone.table.state is not None


async def test_a_second_click_on_rematch_opens_no_second_table(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open()
    await alone.finish()
    over = alone.message
    await alone.press(Verb.REMATCH)
    (rematch,) = alone.tables
    refused = await click_old(club, club.anna, over, Verb.REMATCH)
    assert REFUSALS[Why.REMATCH_OPEN] in private_text(refused)
    assert [table.id for table in alone.tables] == [rematch.id]


async def test_it_has_no_clock_and_hints_and_nobody_is_notified(tmp_path: Path) -> None:
    async with open_club(tmp_path, GAME, QUICK._replace(turn_seconds=60)) as club:
        alone = Alone(club, club.anna)
        await alone.open()
        assert alone.message.flags.suppress_notifications
        await alone.until_on_turn()
        assert Verb.HINT in verbs(alone.message)
        await club.lobby_goes()
        before, seen = alone.table.state, len(dms(club.anna))
        await club.clock.advance(2 * 3_600_000)
        assert alone.table.state == before
        assert len(dms(club.anna)) == seen


async def test_whoever_asks_for_a_table_is_not_notified_of_its_lobby(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open(start=False)
    assert alone.message.flags.suppress_notifications


async def test_it_survives_a_restart(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open()
    await alone.until_on_turn()
    before = alone.table
    await club.restart()
    assert alone.table.state == before.state
    await alone.finish()
    assert (await club.bot.tables.get(before.id)).ending is Ending.FINISHED


async def test_several_in_one_conversation_and_one_in_the_server(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open()
    await club.clock.advance(10)
    await alone.open()
    await club.open(club.anna, club.bruno)
    assert len(alone.tables) == 2
    await alone.until_on_turn()
    await alone.go_on()


@every_game_with_calls
async def test_that_a_call_is_in_stands_in_the_one_message(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, QUICK._replace(window_ms=1_000)) as club:
        alone = Alone(club, club.anna)
        await alone.open()
        while Verb.CALL not in verbs(alone.message):
            await alone.go_on()
        answer = await alone.press(Verb.CALL)
        assert not answer.followups
        assert EN(club.presenter.called_text) in text_of(alone.message)


async def test_leaving_ends_it(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open()
    table = alone.table.id
    menu = reply(await alone.press(Verb.MENU))
    assert Verb.END not in verbs(menu)
    sure = reply(await club.press(club.anna, menu, Verb.LEAVE))
    await club.press(club.anna, sure, Verb.LEAVE_FOR_SURE)
    assert (await club.bot.tables.get(table)).ending is Ending.ABANDONED
    assert Verb.REMATCH in verbs(alone.message)


async def test_the_lobby_adds_and_removes_computers_and_closes(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open(start=False)
    least = len(alone.table.players)
    await alone.press(Verb.REMOVE_COMPUTER)
    assert len(alone.table.players) == least - 1
    await alone.press(Verb.ADD_COMPUTER)
    assert len(alone.table.players) == least
    options = await alone.press(Verb.OPTIONS)
    fields = {it["component"]["custom_id"] for it in options.modal["components"]}
    assert "pace" in fields and not {"limit", "switches"} & fields
    table, start = alone.table.id, len(club.env.http_requests)
    answer = await alone.press(Verb.CANCEL)
    assert answer.response.message.id == alone.message.id, "the lobby itself says so"
    assert not [r for r in club.env.http_requests[start:] if r.method == "PATCH"]
    assert (await club.bot.tables.get(table)).ending is Ending.CANCELLED
    assert not verbs(alone.message) & {Verb.START, Verb.ADD_COMPUTER}


async def test_nobody_else_can_do_anything_there(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open()
    await alone.until_on_turn()
    await club.open(club.bruno, start=False)
    before = alone.table
    for verb in (Verb.JOIN, Verb.HAND, Verb.MENU, Verb.SIT, Verb.CALL, Verb.HAPPENED, Verb.LEAVE_FOR_SURE):
        answer = await forge(club, club.bruno, custom_id(verb, before.id, before.state.ply), club.table_message())
        assert club.refusal(Why.BUTTON_DEAD) in private_text(answer)
    assert alone.table == before


async def test_a_forged_click_of_ones_own_shows_no_hand_where_others_read(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open()
    await alone.until_on_turn()
    await club.open(club.anna, start=False)
    seen = [text_of(message) for message in club.messages()]
    offer = (await alone.offered())[0]
    with_move = custom_id(Verb.CALL, alone.table.id, alone.table.state.ply)
    for forged in (offer.custom_id, with_move, custom_id(Verb.HAND, alone.table.id)):
        await forge(club, club.anna, forged, club.table_message())
    assert [text_of(message) for message in club.messages()] == seen


async def test_in_a_group_play_says_where_it_can_be_played(club: Club) -> None:
    alone = Alone(club, club.anna)
    async with held_back(club) as waiting:
        await alone.open(start=False)
    (data,) = waiting
    data["context"] = 2
    await replay(club, waiting)
    assert not alone.tables
    said = club.anna.user.dm_channel.history(viewer=club.anna.user)[-1]
    assert "There are no tables here" in text_of(said)


async def test_whoever_the_host_has_banned_plays_nowhere(club: Club) -> None:
    alone = Alone(club, club.anna)
    said: list[str] = []
    assert (
        await asyncio.to_thread(ban.run_ban_command, club.url, club.anna.id, said.append, said.append, lift=False) == 0
    ), said
    answer = await alone.open(start=False)
    assert "Whoever runs this bot has banned you" in private_text(answer)
    answer = await club.anna.slash(club.channel, "play", game=club.case.game)
    assert "Whoever runs this bot has banned you" in private_text(answer)
    assert not alone.tables
    said.clear()
    assert await asyncio.to_thread(ban.run_ban_command, club.url, None, said.append, said.append, lift=False) == 0
    assert said == [f"{club.anna.id}\n"]
    assert (
        await asyncio.to_thread(ban.run_ban_command, club.url, club.anna.id, said.append, said.append, lift=True) == 0
    ), said
    await alone.open()
    assert alone.tables
    assert (
        await asyncio.to_thread(ban.run_ban_command, club.url, club.anna.id, said.append, said.append, lift=True) == 1
    ), said


async def test_erasing_ends_it_and_leaves_no_trace(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open()
    await alone.until_on_turn()
    table = alone.table.id
    await erase_person(club.bot, club.anna.id, "anna", "anna")
    await club.env.settle()
    over = await club.bot.tables.get(table)
    assert not over.live
    assert over.seat_of(club.anna.id) is None


async def test_a_lobby_without_computers_says_what_is_missing(club: Club) -> None:
    alone = Alone(club, club.anna)
    await alone.open(start=False)
    while len(alone.table.players) > 1:
        await alone.press(Verb.REMOVE_COMPUTER)
    assert EN("Add a computer player to start.") in text_of(alone.message)
    await alone.press(Verb.CANCEL)
    assert EN("You have closed this table. Open another one with /play.") in text_of(alone.message)
