"""Who sits down later, who is removed, who is late for the rematch: on Discord (L4, L5)."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import discord
import pytest
from simcord.actors import MemberActor

from bot import privacy
from bot.delivery.plan import LAST_EDIT_MS
from bot.tables import lobby
from bot.tables.errors import Why
from bot.tables.limits import MEMBER_CHECK_PAUSE_MS
from bot.tables.live import RETRY_MS
from bot.tables.model import Phase, Table
from bot.tables.play import apply_action
from bot.tables.scene import make_scene
from bot.tables.timers import IDLE_MS
from bot.ui.custom_ids import Verb
from bot.ui.replies import REFUSALS
from engine.game import Seat
from engine.registry import GAMES
from tests.bot.damage import DAMAGE, damage
from tests.discord.forged import click_old
from tests.discord.messages import private_text, reply, text_of, verbs
from tests.discord.play import QUICK, Club, open_club
from tests.discord.starting import Channel, waits
from tests.discord.world import EN
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here


async def test_what_the_computer_did_before_is_told_of_the_computer_l4(long_club: Club) -> None:
    """The end of a round stands while a late comer takes the seat of somebody whom it names, and is not about them."""
    club = long_club
    computers = max(1, club.rules.seats[0] - 1)
    await club.open(club.anna, computers=computers)

    def result_of(table: Table) -> tuple[Seat, str]:
        """A computer's seat to which the last round meant something, and what; the first seat if there is none."""
        for seat in range(1, 1 + computers):
            if said := club.presenter.hand.viewer_result_line(make_scene(table, Seat(seat), 1, live=True), EN):
                return Seat(seat), said
        return Seat(1), ""

    def to_the_end_of_a_round(table: Table) -> Table:
        rng, rules = Random("a late comer"), table.rules
        while table.live and not (rules.ends_round(table.recent) and result_of(table)[1]):
            seat = rules.on_turn(table.state)
            callers = rules.calls.may_call(table.state) if rules.calls is not None else ()
            if rules.calls is not None and callers and rng.random() < 0.2:
                action = rules.calls.call((rng.choice(callers),))
            else:
                action = rng.choice(rules.actions(rules.views.view(table.state, seat)))
            table = apply_action(table, action, club.clock.now())
        assert table.live
        return table

    table = await club.bot.tables.change(club.table().id, "test", None, to_the_end_of_a_round)
    await club.env.settle()
    told = "\n".join(club.presenter.board.round_end_lines(make_scene(table, None, 1), EN))
    assert told in text_of(club.table_message())
    seat, own = result_of(table)
    menu = await club.press(club.carla, club.table_message(), Verb.MENU)
    await club.choose(club.carla, reply(menu), Verb.SIT, str(seat))
    assert told in text_of(club.table_message())
    hand = text_of(club.hand(club.carla))
    assert own not in hand
    assert "carla" not in hand.split("-#")[0]


async def test_a_late_comer_sits_down_and_plays_l4(club: Club) -> None:
    await club.open(club.anna, computers=max(1, club.rules.seats[0] - 1))
    menu = await club.press(club.carla, club.table_message(), Verb.MENU)
    seat = next(seat for seat, player in enumerate(club.table().players) if player.user is None)
    await club.choose(club.carla, reply(menu), Verb.SIT, str(seat))
    assert club.seat(club.carla) == seat
    assert "**carla** takes **" in text_of(club.table_message())
    await club.play_until_on_turn(club.carla)
    ply = club.ply
    await club.act(club.carla)
    assert club.ply > ply


async def test_a_stranger_who_wants_a_hand_is_offered_a_computers_seat_l4(club: Club) -> None:
    await club.open(club.anna, computers=max(1, club.rules.seats[0] - 1))
    refused = await club.press(club.carla, club.table_message(), Verb.HAND)
    assert "a computer’s seat" in private_text(refused)
    seat = next(seat for seat, player in enumerate(club.table().players) if player.user is None)
    await club.choose(club.carla, club.opened(refused), Verb.SIT, str(seat))
    assert club.seat(club.carla) == seat
    assert "You have taken the seat" in text_of(club.opened(refused))


async def test_the_host_removes_a_person_from_the_lobby(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    menu = await club.press(club.bruno, club.table_message(), Verb.MENU)
    assert Verb.REMOVE not in verbs(menu.response)
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    await club.choose(club.anna, reply(menu), Verb.REMOVE, str(club.bruno.id))
    assert club.table().seat_of(club.bruno.id) is None
    assert club.refusal(Why.REMOVED) in private_text(await club.press(club.bruno, club.table_message(), Verb.JOIN))


async def test_who_loses_the_race_for_the_rematch_is_led_to_their_seat(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish()
    over = club.messages()[-1]
    await club.press(club.anna, over, Verb.REMATCH)
    answer = await click_old(club, club.bruno, over, Verb.REMATCH)
    assert club.refusal(Why.REMATCH_OPEN) in private_text(answer)
    await club.press(club.bruno, reply(answer), Verb.JOIN)
    assert not club.table().players[club.seat(club.bruno)].invited


async def test_who_has_left_and_wants_to_leave_by_an_old_menu_is_offered_their_seat(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    menu = reply(await club.press(club.bruno, club.table_message(), Verb.MENU))
    question = reply(await club.bruno.slash(club.channel, "table leave"))
    await club.press(club.bruno, question, Verb.LEAVE_FOR_SURE)
    answer = reply(await club.press(club.bruno, menu, Verb.LEAVE))
    assert "You have left the game." in text_of(answer)
    await club.press(club.bruno, answer, Verb.COME_BACK)
    assert not club.table().players[club.seat(club.bruno)].away


async def test_who_takes_their_seat_back_from_the_hand_gets_the_cards_there(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    sure = reply(await club.in_menu(club.bruno, Verb.LEAVE))
    await club.press(club.bruno, sure, Verb.LEAVE_FOR_SURE)
    hand = club.hand(club.bruno)
    back = await club.press(club.bruno, hand, Verb.COME_BACK)
    assert back.response.message.id == hand.id
    assert Verb.COME_BACK not in verbs(club.hand(club.bruno))


async def test_final_hands_gain_the_seat_of_the_rematch_l5(club: Club) -> None:
    """As far as they can be edited for free."""
    await club.open(club.anna, club.bruno)
    await club.finish(soon=False)  # so that both have made a move, and their hands can be edited
    edits = len(club.env.http_requests)
    await club.press(club.anna, club.messages()[-1], Verb.REMATCH)
    hand = club.hand(club.bruno)
    assert Verb.JOIN in verbs(hand)
    direct = [f"/channels/{club.hand(person).channel.id}/" for person in (club.anna, club.bruno)]
    assert not [r for r in club.env.http_requests[edits:] if r.method == "PATCH" and r.path.startswith(tuple(direct))]
    await club.press(club.bruno, hand, Verb.JOIN)
    assert not club.table().players[club.seat(club.bruno)].invited


async def test_a_rematch_can_be_opened_from_the_final_hand(club: Club) -> None:
    """The lobby opens in the table's channel, also when the hand is a direct message."""
    await club.open(club.anna, club.bruno)
    over = club.table().id
    await club.finish(soon=False)
    answer = await club.press(club.bruno, club.hand(club.bruno), Verb.REMATCH)
    lobby = club.table()
    assert (lobby.phase, lobby.host) == (Phase.LOBBY, club.bruno.id)
    assert lobby.id != over
    assert Verb.JOIN in verbs(club.table_message())
    assert answer.acknowledged
    assert not answer.followups, "it stands in the hand"
    assert "The rematch is open, and you have a seat." in text_of(club.hand(club.bruno))
    assert Verb.JOIN in verbs(club.hand(club.anna)), "the others are invited"
    again = await club.press(club.anna, club.hand(club.anna), Verb.JOIN)
    assert again.acknowledged
    await club.press(club.bruno, club.table_message(), Verb.START)
    assert club.table().phase is Phase.PLAYING


async def test_who_opens_a_rematch_in_direct_messages_has_the_name_that_they_have_on_the_server(club: Club) -> None:
    bea = club.guild.add_member(club.env.create_user("bea"), nick="Beatrice")
    await club.open(bea, club.bruno)
    await club.press(bea, reply(await bea.slash(club.channel, "table end")), Verb.END_FOR_SURE)
    await club.press(bea, club.hand(bea), Verb.REMATCH)
    assert club.table().players[0].name == "Beatrice"


async def test_who_is_late_for_the_rematch_is_offered_a_seat_and_the_hand_says_that_it_has_begun_l5(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish(soon=False)
    await club.press(club.anna, club.messages()[-1], Verb.REMATCH)
    invitation = club.hand(club.bruno)
    for _ in range(max(1, club.rules.seats[0] - 1)):
        await club.press(club.anna, club.table_message(), Verb.ADD_COMPUTER)
    await club.press(club.anna, club.table_message(), Verb.START)
    final = club.hand(club.bruno)
    assert "with a seat for you" not in text_of(final)
    assert "The rematch has begun without you." in text_of(final)
    mine = [text_of(message) for message in club.anna.user.dm_channel.history()]
    assert any("The rematch has begun." in said_there for said_there in mine)
    assert "a computer’s seat is free" in private_text(await click_old(club, club.bruno, invitation, Verb.JOIN))
    late = await club.press(club.bruno, final, Verb.JOIN)
    assert "a computer’s seat is free" in private_text(late)
    seat = next(seat for seat, player in enumerate(club.table().players) if player.user is None)
    await club.choose(club.bruno, club.opened(late), Verb.SIT, str(seat))
    assert club.seat(club.bruno) == seat


async def test_the_old_table_message_offers_another_rematch_if_one_was_closed_in_the_lobby_l5(club: Club) -> None:
    """As long as the token of the click can edit it; also if it is pressed long after the end."""
    await club.open(club.anna, club.bruno)
    await club.finish()
    old = club.messages()[-1]
    for _ in range(2):
        await club.clock.advance(LAST_EDIT_MS)
        await club.press(club.anna, club.as_it_is(old), Verb.REMATCH)
        assert Verb.REMATCH not in verbs(club.as_it_is(old))
        await club.in_menu(club.anna, Verb.CANCEL)
        assert Verb.REMATCH in verbs(club.as_it_is(old))


# A finished table knows what has become of its rematch in the lobby (L5), whatever comes between.


class Opened:
    """A finished game whose rematch is in the lobby; Anna is its host."""

    def __init__(self, club: Club, message: discord.Message) -> None:
        self.club = club
        self.table = club.table().id
        """The finished one."""
        self._message = message

    @property
    def verbs(self) -> set[Verb]:
        """What its message offers now."""
        return verbs(self.club.as_it_is(self._message))


@pytest.fixture
async def opened(club: Club) -> AsyncIterator[Opened]:
    await club.open(club.anna, club.bruno)
    it = Opened(club, club.table_message())
    await club.finish()
    it._message = club.messages()[-1]
    await club.press(club.anna, it._message, Verb.REMATCH)
    assert Verb.JOIN in it.verbs
    assert Verb.REMATCH not in it.verbs
    yield it


async def test_a_restart_before_it_is_closed(opened: Opened) -> None:
    club = opened.club
    for _ in range(2):
        await club.restart()
    await club.in_menu(club.anna, Verb.CANCEL)
    assert Verb.REMATCH in opened.verbs
    assert not await club.bot.store.load_handles(opened.table), "it is taken up again with every start"


@pytest.mark.one_in(6)
async def test_nobody_does_anything_for_a_day(opened: Opened) -> None:
    await opened.club.clock.advance(IDLE_MS)
    assert Verb.REMATCH in opened.verbs


async def test_it_was_closed_while_the_bot_did_not_run(opened: Opened) -> None:
    """Its host is erased; as if the process had died between the two changes."""
    club = opened.club
    said: list[str] = []
    assert await asyncio.to_thread(privacy.run_erase_command, club.url, club.anna.id, said.append, sure=True) == 0, said
    await club.restart()
    assert not club.running
    assert Verb.REMATCH in opened.verbs


async def test_it_was_set_aside(opened: Opened, tmp_path: Path) -> None:
    club = opened.club
    damage(tmp_path / "tables.sqlite3", club.table().id, DAMAGE["unknown game"])
    await club.restart()
    assert Verb.REMATCH in opened.verbs


@pytest.mark.parametrize("verb", [Verb.CANCEL, Verb.START])
async def test_the_database_takes_the_one_change_and_not_the_other(opened: Opened, verb: Verb) -> None:
    club = opened.club
    refuses = f"BEFORE UPDATE ON tables WHEN NEW.id = '{opened.table}' BEGIN SELECT RAISE(ABORT, 'no'); END"
    await club.bot.store._database.write(lambda it: it.exec_driver_sql(f"CREATE TRIGGER refuses {refuses}"))
    while verb is Verb.START and lobby.missing_player_count(club.table()):
        await club.press(club.anna, club.table_message(), Verb.ADD_COMPUTER)
    if verb is Verb.START:
        await club.press(club.anna, club.table_message(), verb)
    else:
        await club.in_menu(club.anna, verb)
    assert Verb.JOIN in opened.verbs
    await club.bot.store._database.write(lambda it: it.exec_driver_sql("DROP TRIGGER refuses"))
    await club.clock.advance(RETRY_MS)
    assert (Verb.REMATCH in opened.verbs) is (verb is Verb.CANCEL)
    assert Verb.JOIN not in opened.verbs, "there is no seat to take any more"
    old = await club.bot.tables.get(opened.table)
    assert old.rematch_people == ((club.anna.id,) if verb is Verb.START else None)


# Whoever has left the server, or was made to, still has buttons in their direct messages: they open no table there,
# and sit down at none.

NO = REFUSALS[Why.NOT_A_MEMBER]


async def kick(club: Club, person: MemberActor) -> None:
    guild = club.bot.get_guild(club.channel.guild.id)
    assert guild is not None
    await (await guild.fetch_member(person.id)).kick()


async def test_they_open_no_rematch(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish(soon=False)
    await kick(club, club.bruno)
    assert NO in private_text(await club.press(club.bruno, club.hand(club.bruno), Verb.REMATCH))
    assert not club.running
    await club.press(club.anna, club.hand(club.anna), Verb.REMATCH)
    assert club.running


async def test_they_take_no_seat_at_the_rematch(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish(soon=False)
    await club.press(club.anna, club.messages()[-1], Verb.REMATCH)
    await kick(club, club.bruno)
    before = club.table()
    assert NO in private_text(await club.press(club.bruno, club.hand(club.bruno), Verb.JOIN))
    assert club.table() == before


async def test_they_do_not_come_back_to_their_game(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    menu = await club.press(club.bruno, club.table_message(), Verb.MENU)
    sure = await club.press(club.bruno, reply(menu), Verb.LEAVE)
    await club.press(club.bruno, reply(sure), Verb.LEAVE_FOR_SURE)
    hand = club.hand(club.bruno)
    await kick(club, club.bruno)
    assert NO in private_text(await club.press(club.bruno, hand, Verb.COME_BACK))
    assert club.table().players[club.seat(club.bruno)].automatic


async def test_a_lobby_that_only_somebody_who_has_left_holds_blocks_nobody(club: Club) -> None:
    await club.open(club.anna, start=False)
    before = club.table()
    refused = await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert "already" in private_text(refused)
    assert club.table() == before, "she is still there"
    await club.clock.advance(MEMBER_CHECK_PAUSE_MS)
    await kick(club, club.anna)
    await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert club.table().id != before.id
    assert club.table().host == club.bruno.id


@pytest.mark.parametrize("people", [1, 2])
async def test_so_it_is_in_a_lobby_whose_game_will_have_a_turn_limit(tmp_path: Path, people: int) -> None:
    async with open_club(tmp_path, sorted(GAMES)[0], QUICK._replace(turn_seconds=60)) as club:
        await club.open(*club.people[:people], start=False)
        before = club.table()
        for person in club.people[:people]:
            await kick(club, person)
        await club.carla.slash(club.channel, "play", game=club.case.game)
        assert club.table().id != before.id
        assert club.table().host == club.carla.id


async def test_a_game_without_a_clock_that_only_somebody_who_has_left_plays_blocks_nobody(club: Club) -> None:
    await club.open(club.anna, computers=club.rules.seats[0] - 1)
    before = club.table()
    await kick(club, club.anna)
    await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert club.table().id != before.id


async def test_where_a_clock_will_find_out_nobody_is_looked_for(tmp_path: Path) -> None:
    async with open_club(tmp_path, sorted(GAMES)[0], QUICK._replace(turn_seconds=60)) as club:
        await club.open(club.anna, club.bruno)
        await kick(club, club.anna)
        before, start = club.table(), len(club.env.http_requests)
        assert "already" in private_text(await club.carla.slash(club.channel, "play", game=club.case.game))
        assert not [r for r in club.env.http_requests[start:] if "/members/" in r.path]
        assert club.table().players == before.players


async def test_nobody_is_looked_for_while_the_cards_are_dealt(club: Club, channel: Channel) -> None:
    await club.open(club.anna, club.bruno, start=False)
    channel.takes = 0
    await club.press(club.anna, club.table_message(), Verb.START)
    assert waits(club)
    await kick(club, club.bruno)
    start = len(club.env.http_requests)
    assert "already" in private_text(await club.carla.slash(club.channel, "play", game=club.case.game))
    assert not [r for r in club.env.http_requests[start:] if "/members/" in r.path]


async def test_whoever_is_still_there_keeps_the_lobby(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    await kick(club, club.anna)
    await club.carla.slash(club.channel, "play", game=club.case.game)
    assert club.table().host == club.bruno.id
    assert club.table().seat_of(club.anna.id) is None


async def test_no_rematch_is_opened_where_the_channel_is_deleted(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.finish(soon=False)
    hand = club.hand(club.anna)
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    answer = await club.press(club.anna, hand, Verb.REMATCH)
    assert REFUSALS[Why.CHANNEL_GONE] in private_text(answer)
    assert not club.bot.tables.live_tables_in_memory()
