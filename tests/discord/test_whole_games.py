"""Whole games on SimCord, from /play to the rematch."""

import hashlib
import re
from pathlib import Path

from bot.custom_ids import Verb
from bot.tables.model import Options, Pace
from tests.discord.play import Club, dms, open_club, presses, text_of


async def test_three_people_play_a_whole_game_by_direct_message(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    assert [len(dms(person)) for person in club.people[:4]] == [1, 1, 1, 0]
    promised = re.search(r"Seed check: `(\w+)`", text_of(club.table_message()))
    assert promised is not None
    await club.finish()
    final = text_of(club.messages()[-1])
    assert "wins!" in final
    assert "🥇" in final
    seed = re.search(r"Seed of the game: `(\w+)`", final)
    assert seed is not None
    assert hashlib.sha256(bytes.fromhex(seed[1])).hexdigest() == promised[1]
    for person in club.people[:3]:
        assert "The game is over" in text_of(club.hand(person))
        assert not list(presses(club.hand(person)))


async def test_the_rematch_has_the_same_people_and_a_new_deal(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    first = club.table()
    await club.finish()
    await club.press(club.bruno, club.messages()[-1], Verb.REMATCH)
    table = club.table()
    assert {player.user for player in table.players} == {player.user for player in first.players}
    assert table.host == club.bruno.id
    await club.press(club.bruno, club.table_message(), Verb.START)
    await club.finish()
    assert club.bot.tables.live_in(club.channel.id) is None


async def test_one_person_plays_a_whole_game_against_two_computers(tmp_path: Path) -> None:
    normal = Options(pace=Pace.FAST, turn_seconds=0)
    async with open_club(tmp_path, normal) as club:
        await club.open(club.anna, computers=2)
        for _ in range(400):
            table = club.bot.tables.live_in(club.channel.id)
            if table is None:
                break
            hand = club.hand(club.anna)
            moves = [press for _, press in presses(hand) if press.verb is Verb.MOVE]
            if moves and table.rules.on_turn(table.state) == 0 and table.held is None:
                await club.press(club.anna, hand, Verb.MOVE, moves[0].arg)
            await club.clock.advance(1300)
        final = text_of(club.messages()[-1])
        assert "wins" in final or "win together" in final


async def test_people_with_closed_direct_messages_play_behind_my_hand(club: Club) -> None:
    club.env.inject_error(
        "POST", "/channels/*/messages", status=403, code=50007, message="Cannot send messages to this user", times=2
    )
    await club.open(club.anna, club.bruno)
    assert "No direct message to" in text_of(club.table_message())
    for _ in range(6):
        player = club.on_turn()
        shown = await club.press(player, club.table_message(), Verb.HAND)
        assert shown.ephemeral
        assert shown.response is not None
        await club.press(player, shown.response.message, Verb.MOVE, "0-up")
    assert club.table().state.ply == 6


async def test_the_ephemeral_hand_follows_the_game(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    first, second = club.on_turn(), None
    shown = await club.press(first, club.table_message(), Verb.HAND)
    assert shown.response is not None
    assert "It is your turn" in text_of(shown.response)
    await club.lay(first)
    assert "not your turn" in text_of(shown.response)
    second = club.on_turn()
    await club.lay(second)
    assert "It is your turn" in text_of(shown.response)


async def test_six_people_play(club: Club) -> None:
    await club.open(*club.people[:6])
    for _ in range(12):
        await club.lay(club.on_turn(), face="down")
    assert club.table().state.ply == 12


async def test_a_person_at_two_tables_has_a_hand_for_each(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    other = club.guild.create_text_channel("second-table")
    await club.anna.slash(other, "play", game="diciassette")
    await club.press(club.anna, club.table_message(other), Verb.ADD_COMPUTER)
    await club.press(club.anna, club.table_message(other), Verb.START)
    hands = dms(club.anna)
    assert len(hands) == 2
    assert f"<#{club.channel.id}>" in text_of(hands[0])
    assert f"<#{other.id}>" in text_of(hands[1])
    before = club.table(other).state
    if club.on_turn() is club.anna:
        await club.press(club.anna, hands[0], Verb.MOVE, "0-up")
        assert club.table().state.ply == 1
    assert club.table(other).state == before


async def test_a_thread_is_a_channel_of_its_own(club: Club) -> None:
    thread = club.thread()
    await club.open(club.anna, club.bruno)
    await club.anna.slash(thread, "play", game="diciassette")
    assert club.table(thread).id != club.table().id
