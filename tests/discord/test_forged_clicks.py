"""What no honest client sends gets a clear no, and plays nothing: custom_ids and values that are made up, or from an
older version of the program.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.delivery.discord_api import is_interaction_answered
from bot.delivery.slots import TABLE, dm_hand_slot, ephemeral_hand_slot
from bot.tables.errors import Why
from bot.tables.model import Phase, Table, TableId
from bot.ui.custom_ids import NO, PREFIX, Verb, custom_id
from bot.ui.hand_message import FOLLOW
from bot.ui.presenter import MoveControls
from bot.ui.registry import PRESENTERS
from bot.ui.replies import REFUSALS
from tests.bot.tables import on_turn
from tests.controls import components, meant, moves, picks_cards
from tests.discord.forged import a_move, forge
from tests.discord.held import held_back, replay
from tests.discord.messages import components_json, expected_components_json, plies, private_text, reply, text_of, verbs
from tests.discord.play import Club
from tests.discord.world import EN, dms
from tests.process.waiting import eventually

DEAD = [
    "hello",
    "17/nonsense/{table}/{ply}/",
    "17/move/../../etc/{ply}/0-up",
    "17/move/{table}/-1/{move}",
    "17/move/{table}/01/{move}",
    "17/move/{table}/99999999/{move}",
    "17/move/{table}/{ply}/{move} ",
    "17/move/{table}/{ply}/" + "0" * 49,
    "17/move/{table}/999999/{move}",
    "17/call/{table}/999999/",
    "17/shout/{table}/999999/",
    "17/pick/{table}/999999/set",
    "17/pick/{table}/{ply}/",
    "17/replace/{table}/0/",
    "17/pace/{table}/0/",
    "17/limit/{table}/0/",
    "17/topic/a/0/",
    "17/learn/a/0/nothing.start",
    "17/option/{table}/0/length",
    *(f"17/learn/a/0/{game}.start" for game, presenter in PRESENTERS.items() if not presenter.lesson),
]
"""Controls that never were, or that belong somewhere else."""
UNKNOWN = ["17/move/zzzzzzzz/0/0-up", "17/move/zzzzzzzz/0/0.abcd.1", "17/call/zzzzzzzz/0/", "17/join/zzzzzzzz/0/"]
"""Controls of a table that there is not."""
OLD_FORM = ["0-up", "0-down", "9-up", "0-sideways", "-1-up", "play0", "cards", "pass", ""]
"""What stood in the controls of moves in earlier versions of the program."""
NEVER_WRITTEN = [
    "{index}.{wrong}.1",
    "{index}.{wrong}",
    "{past}.{mark}.1",
    "999.{mark}.1",
    "9999.{mark}.1",
    "99999.{mark}.1",
    "-1.{mark}.1",
    "{index}.{mark}.",
    "{index}.{mark}.x",
    "{index}.{mark}.1.1",
    "{index}.{mark}0",
    "{index}.",
    "{index}",
    ".{mark}",
    "off1",
    "list1",
    "list",
    "cards.{mark}",
    "cards.",
]
"""What stands in no control of a move: the index or the hash is wrong, or both are in a form that is not ours."""


def parts(table: Table) -> dict[str, Any]:
    """What a forger can know of the first move of whoever is on turn: its custom_id in pieces."""
    ply = table.state.ply
    move = a_move(table).rpartition("/")[2]
    index, mark, _ = move.split(".")
    view = table.rules.views.view(table.state, table.rules.on_turn(table.state))
    wrong = mark[:-1] + ("1" if mark[-1] == "0" else "0")
    past = len(table.rules.actions(view))
    return {"table": table.id, "ply": ply, "move": move, "index": index, "mark": mark, "wrong": wrong, "past": past}


async def at_a_table(club: Club) -> tuple[MemberActor, Table]:
    """(who is on turn, the table), after a move."""
    await club.open(club.anna, club.bruno)
    await club.act(club.on_turn())
    return club.on_turn(), club.table()


def no_bug(caplog: Any) -> bool:
    return not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("where", ["table", "hand"])
async def test_a_forged_custom_id_is_a_dead_button(club: Club, where: str, caplog: Any) -> None:
    player, before = await at_a_table(club)
    for form, why in [*((form, Why.BUTTON_DEAD) for form in DEAD), *((form, Why.NO_SUCH_TABLE) for form in UNKNOWN)]:
        message = club.table_message() if where == "table" else club.hand(player)
        answer = await forge(club, player, form.format(**parts(before)), message)
        assert EN(REFUSALS[why]) in private_text(answer), form
        assert club.unchanged(before), form
    assert no_bug(caplog)


async def refused_at_the_hand(
    club: Club, player: MemberActor, custom_id: str, values: Sequence[str] | None = None
) -> None:
    """The click is answered by the hand as it is now, all of which can be played, with a word above it; and nothing
    is played. Then something happens at the table, which takes the word away."""
    before, why, sent = club.table(), club.refusal(Why.HAND_CHANGED), (custom_id, values)
    assert why not in text_of(club.hand(player)), sent
    answer = await forge(club, player, custom_id, club.hand(player), values)
    assert why in private_text(answer), sent
    assert plies(answer.response) == {club.ply}, sent
    legal = club.rules.legal_actions(before.state, club.seat(player))
    assert {meant(before, club.seat(player), offer) for offer in moves(answer.response)} <= set(legal), sent
    assert club.unchanged(before), sent
    await club.rest(-before.version)


async def test_a_move_of_another_form_or_version_gives_a_fresh_hand(club: Club, caplog: Any) -> None:
    player, table = await at_a_table(club)
    known = parts(table)
    for form in [*OLD_FORM, *NEVER_WRITTEN]:
        await refused_at_the_hand(club, player, f"{PREFIX}move/{table.id}/{known['ply']}/{form.format(**known)}")
    assert no_bug(caplog)
    await club.act(player)
    assert not club.running or club.ply == known["ply"] + 1


async def test_a_move_of_another_form_on_the_table_is_refused_in_private(club: Club, caplog: Any) -> None:
    """There no hand can be shown."""
    player, before = await at_a_table(club)
    for form in (OLD_FORM[0], NEVER_WRITTEN[0]):
        known = parts(before)
        forged = f"{PREFIX}move/{before.id}/{known['ply']}/{form.format(**known)}"
        answer = await forge(club, player, forged, club.table_message())
        assert club.refusal(Why.HAND_CHANGED) in private_text(answer)
        assert club.unchanged(before)
    assert no_bug(caplog)


def no_cards(count: int) -> list[list[str]]:
    """Positions that are none of *count* cards, or not in the form of one, or the same twice."""
    beyond = [[str(count)], ["0", str(count + 1)], ["999"], ["1000"]]
    return [*beyond, ["0", "00"], ["-1"], ["²"], ["١"], ["x"], [""], ["0.0"], ["+1"], [" 1"], ["9" * 90]]


async def test_forged_positions_of_cards_give_a_fresh_hand(club: Club, caplog: Any) -> None:
    """Where cards are picked one by one, and where they are not: anybody can make up a list for it."""
    await club.open(club.anna, club.bruno)
    player = club.on_turn()
    lists = [c for c in components(club.hand(player)) if "options" in c and picks_cards(c)]
    select = MoveControls(club.scene(player)).card_select("?", [("?", None)])["components"][0]["custom_id"]
    assert [it["custom_id"] for it in lists] in ([], [select])
    for values in no_cards(len(lists[0]["options"]) if lists else 0):
        await refused_at_the_hand(club, player, select, values)
    assert no_bug(caplog)


@pytest.mark.parametrize("where", ["the table", "an old table message"])
async def test_no_forged_click_on_a_public_message_brings_a_hand_there(club: Club, where: str, caplog: Any) -> None:
    """Neither a step on the way to a move nor a legal move, which is made all the same."""
    await club.open(club.anna, club.bruno)
    message = club.table_message()
    if where == "an old table message":
        await club.bruno.slash(club.channel, "table show")
    player, before = club.on_turn(), club.table()
    answer = await forge(club, player, custom_id(Verb.PICK, before.id, club.ply, "set"), message)
    assert club.refusal(Why.BUTTON_DEAD) in private_text(answer)
    assert club.unchanged(before)
    answer = await forge(club, player, a_move(before), message)
    assert answer.acknowledged
    assert club.ply == before.state.ply + 1
    assert not [m for m in club.messages() if verbs(m) & {Verb.MOVE, Verb.PICK}]
    assert components_json(club.table_message()) == expected_components_json(
        club.table(), TABLE, club.table_message().id
    )
    assert no_bug(caplog)


async def test_a_hand_is_neither_shown_nor_recorded_where_others_read_it(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    async with held_back(club) as waiting:
        await club.press(club.anna, club.table_message(), Verb.MENU)
    click = discord.Interaction[Any](data=waiting[0], state=club.bot._connection)
    answers, before = club.bot.reconciler.answers, components_json(club.table_message())
    for hand in (dm_hand_slot(club.seat(club.anna)), ephemeral_hand_slot(club.seat(club.anna))):
        with pytest.raises(ValueError, match="must not be shown in a public message"):
            answers.queue_answer(club.table(), hand, click)
        with pytest.raises(ValueError, match="must not be shown in a public message"):
            await answers.adopt_clicked_message(club.table(), hand, click)
    await club.env.settle()
    assert not is_interaction_answered(click)
    assert components_json(club.table_message()) == before
    await club.act(club.on_turn())
    assert club.table_is_right()


async def test_a_rematch_forged_on_a_message_without_that_button_leaves_the_message_alone(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    over, other = club.table_message(), club.deal_message()
    await club.press(club.anna, reply(await club.anna.slash(club.channel, "table end")), Verb.END_FOR_SURE)
    async with held_back(club) as waiting:
        await club.press(club.anna, club.as_it_is(over), Verb.REMATCH)
    waiting[0]["message"] |= {"id": str(other.id), "components": [it.to_dict() for it in other.components]}
    await replay(club, waiting)
    await club.env.settle()
    assert club.table().phase is Phase.LOBBY
    assert components_json(club.as_it_is(other)) == components_json(other)


@pytest.mark.parametrize("verb", [Verb.REPLACE, Verb.REMOVE, Verb.SIT])
@pytest.mark.parametrize("value", ["x", "", "-1", "²", "٣", "9" * 20, "9" * 90])
async def test_what_is_no_number_is_no_seat_and_no_person(club: Club, verb: Verb, value: str, caplog: Any) -> None:
    await club.open(club.anna, club.bruno, club.carla, start=verb is not Verb.REMOVE)
    table = club.table()
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    answer = await forge(club, club.anna, custom_id(verb, table.id, 0), reply(menu), [value])
    assert EN(REFUSALS[Why.BUTTON_DEAD]) in private_text(answer)
    assert club.unchanged(table)
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_message_that_becomes_the_hand_of_another_table_is_no_longer_changed_by_the_first(club: Club) -> None:
    """Both would change it in turn otherwise. The direct message that the first table loses is sent anew."""

    async def goes_on(table: Table) -> None:
        seat = on_turn(table)
        action = table.rules.legal_actions(table.state, seat)[0]
        user = table.players[seat].user
        assert user is not None
        await club.bot.tables.make_move(table.id, user, table.state.ply, lambda *_: action, club.clock.now())
        await club.clock.advance(2_000)

    def by_dm_for(channel: ChannelHandle) -> int:
        return sum(channel.mention in text_of(hand) for hand in dms(club.bruno))

    await club.open(club.anna, club.bruno)
    first = club.channel
    at_table = club.opened(await club.press(club.bruno, club.table_message(), Verb.HAND))
    by_dm = club.hand(club.bruno)
    club.channel = second = club.guild.create_text_channel("second-table")
    await club.open(club.anna, club.bruno)
    for message in (by_dm, at_table):
        await forge(club, club.bruno, custom_id(Verb.HAND, club.table().id, 0, FOLLOW), message)
        shows = text_of(club.as_it_is(message))
        assert second.mention in shows
        await eventually(lambda: by_dm_for(first) == 1, "another message in its place at once", 5)
        await goes_on(club.table(first))
        assert text_of(club.as_it_is(message)) == shows
        await goes_on(club.table())
        assert text_of(club.as_it_is(message)) != shows
    assert by_dm_for(first) == 1
    nonces = [sent.json["nonce"] for sent in club.env.http_requests if sent.method == "POST" and "nonce" in sent.json]
    assert len(set(nonces)) == len(nonces), "with the same nonce Discord would answer with the message that was lost"


# Every verb there is, clicked where no honest client has it: in every phase, on the table message, on a private note
# and on a hand, by who plays and by who does not. It is answered, and nothing breaks.

ARGS = ["", FOLLOW, "stay", "0", NO]
CLICKS = [*product(["table"], ARGS), *product(["note", "hand"], ARGS[:2])]
"""On which message, with what argument: it is read alike on every message."""
LAST = [Verb.JOIN, Verb.QUIT, Verb.START, Verb.REMATCH, Verb.SIT, Verb.COME_BACK, Verb.LEAVE_FOR_SURE]
"""What changes the table for the others comes after the rest."""


async def target(
    club: Club, table: TableId, board: discord.Message, person: MemberActor, where: str
) -> discord.Message | None:
    """The message *board* of *table*, a private note, or what *person* has got as a direct message, if anything."""
    if where == "table":
        return club.as_it_is(board)
    if where == "note":
        return reply(await forge(club, person, custom_id(Verb.RULES, table, 0), club.as_it_is(board)))
    return next(iter(reversed(dms(person))), None)


@pytest.mark.parametrize("phase", Phase)
async def test_any_verb_anywhere_is_answered_and_breaks_nothing(club: Club, phase: Phase, caplog: Any) -> None:
    """By others than the host, who would end the phase."""
    await club.open(club.anna, club.bruno, start=phase is not Phase.LOBBY)
    table, board = club.table(), club.table_message()
    if phase is Phase.OVER:
        await club.finish()
    for verb in [*(it for it in Verb if it not in LAST), *LAST]:
        if verb is LAST[0]:
            assert (await club.bot.tables.get(table.id)).phase is phase
        for person, (where, arg) in product((club.bruno, club.carla), CLICKS):
            message = await target(club, table.id, board, person, where)
            if message is not None:
                answer = await forge(club, person, custom_id(verb, table.id, 0, arg), message)
                assert answer.acknowledged, (verb, arg, where, person)
    assert not [record for record in caplog.records if record.exc_info]
