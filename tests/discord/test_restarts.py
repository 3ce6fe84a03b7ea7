"""A restart in every phase of the game: everything goes on from the last commit, every old button works, and only
messages are edited that look different."""

import asyncio
from pathlib import Path

import pytest
from simcord.actors import MemberActor
from sqlalchemy.exc import IntegrityError, OperationalError

from bot.delivery.slots import TABLE, dm_hand_slot, ephemeral_hand_slot
from bot.tables.errors import Why
from bot.tables.model import Table, TableId
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.hand_message import FOLLOW
from engine.game import Seat
from tests.bot.logs import captured_log
from tests.discord.forged import forge
from tests.discord.messages import components_json, expected_components_json, private_text
from tests.discord.play import Club, every_game, open_club

SLOW = Options(pace=Pace.NORMAL, turn_seconds=120)


def same(before: Table, after: Table) -> bool:
    """Whether nothing has happened at the table."""
    return before._replace(version=0) == after._replace(version=0)


async def test_after_every_move_everybody_sees_the_same_as_before(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    clicked: set[int] = set()
    for number in range(9):
        clicked.add(club.on_turn().id)
        await club.act(club.on_turn(), number)
        if not club.running:
            break
        before, right = club.table(), expected_components_json(club.table(), TABLE, club.table_message().id)
        assert hands(club) == [drawn_hand(club, person, live=person.id in clicked) for person in club.people[:3]]
        await club.restart()
        assert same(before, club.table())
        assert components_json(club.table_message()) == right, "also if it was some moves behind"
        assert hands(club) == [drawn_hand(club, person, live=person.id in clicked) for person in club.people[:3]]
    messages = len(club.messages())
    await club.finish()
    assert len(club.messages()) == messages
    assert [club.dm_count(person) for person in club.people[:3]] == [1, 1, 1]


def hands(club: Club) -> list[str]:
    """The hands of three people."""
    return [components_json(club.hand(person)) for person in club.people[:3]]


def drawn_hand(club: Club, person: MemberActor, *, live: bool = False) -> str:
    """What the hand of *person* should show."""
    return expected_components_json(club.table(), dm_hand_slot(club.seat(person)), club.table_message().id, live=live)


@every_game
async def test_with_a_held_move_it_lands_after_the_restart(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, SLOW) as club:
        await club.open(club.anna, club.bruno)
        await club.rest(2_000)
        player = club.on_turn()
        await club.act(player)
        held = club.table().held
        assert held is not None
        await club.restart()
        assert club.table().held == held
        assert club.ply == 0
        await club.clock.advance(2_500)
        assert club.ply == 1
        assert components_json(club.hand(player)) == drawn_hand(club, player, live=True)


@every_game
async def test_nobody_is_timed_out_by_our_outage_l1(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, SLOW) as club:
        await club.open(club.anna, club.bruno)
        sleeper = club.seat(club.on_turn())
        await club.clock.advance(60_000)
        for _ in range(2):  # two outages in one turn, the second after a minute of it is left
            club.clock.forget()
            await club.clock.advance(500_000)
            await club.restart()
            await club.clock.advance(20_000)
            assert club.table().players[sleeper].timeouts == 0
            assert club.ply == 0
        await club.clock.advance(21_000)
        assert club.table().players[sleeper].timeouts == 1
        assert club.ply == 1


# After a restart only messages are edited that look different: the store knows what each one shows.

DAMAGE = "UPDATE tables SET shown = ? WHERE live_channel_id IS NOT NULL"


REFUSE = (
    "CREATE TRIGGER keep_shown BEFORE UPDATE OF shown ON tables WHEN NEW.shown IS NULL AND NEW.version = OLD.version "
    "BEGIN SELECT RAISE(ABORT, 'no'); END"
)


def edits(club: Club, start: int) -> list[str]:
    """The edits since request number *start*."""
    return [r.path for r in club.env.http_requests[start:] if r.method == "PATCH" and "/messages/" in r.path]


async def test_a_restart_edits_nothing_where_nothing_has_changed(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.play_until_on_turn(club.bruno)
    await club.press(club.anna, club.table_message(), Verb.HAND)
    await club.clock.advance(5_000)
    start = len(club.env.http_requests)
    await club.restart()
    await club.clock.advance(2_000)
    assert edits(club, start) == []
    before = len(club.env.http_requests)
    await club.act(club.on_turn())
    assert edits(club, before), "the game goes on"


async def test_a_table_message_that_was_deleted_while_the_bot_was_away_is_replaced(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(5_000)
    gone = club.table_message()
    club.env.backend.delete_message(gone.channel.id, gone.id)
    await club.restart()
    await club.clock.advance(2_000)
    assert club.table_message().id != gone.id


async def test_what_has_changed_just_before_a_crash_is_edited(club: Club) -> None:
    """What messages show is recorded a moment after a change."""
    await club.open(club.anna, club.bruno)
    await club.clock.advance(5_000)
    await club.act(club.on_turn())
    start = len(club.env.http_requests)
    await club.restart()
    await club.clock.advance(2_000)
    assert edits(club, start)


@pytest.mark.parametrize("fails", [False, True])
async def test_a_hand_with_a_notice_loses_it_with_a_restart(club: Club, fails: bool) -> None:
    """The notice was shown without a change of the table: what was recorded before is not true any more."""
    await club.open(club.anna, club.bruno)
    other = next(person for person in (club.anna, club.bruno) if person is not club.on_turn())
    await forge(club, other, custom_id(Verb.HAND, club.table().id, 0, FOLLOW), club.hand(other))
    await club.clock.advance(5_000)
    if fails:  # the first time the database refuses to forget
        await club.bot.store._database.write(lambda it: it.exec_driver_sql(REFUSE))
        with captured_log():
            await forge(club, other, f"17/move/{club.table().id}/{club.ply}/0", club.hand(other))
        await club.bot.store._database.write(lambda it: it.exec_driver_sql("DROP TRIGGER keep_shown"))
    await forge(club, other, f"17/move/{club.table().id}/{club.ply}/0", club.hand(other))

    def is_right() -> bool:
        right = expected_components_json(
            club.table(), dm_hand_slot(club.seat(other)), club.table_message().id, live=True
        )
        return components_json(club.hand(other)) == right

    assert not is_right(), "there is a notice"
    await club.restart()
    await club.clock.advance(2_000)
    assert is_right()


async def test_no_message_changes_before_the_store_has_forgotten_what_all_of_them_show(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(5_000)
    registry = club.bot.reconciler._registry
    slots = registry.find(club.table().id)
    assert slots is not None and slots.remembered
    await club.bot.store._database.write(lambda it: it.exec_driver_sql(REFUSE))
    errors = await asyncio.gather(
        *(registry.fingerprints.forget_in_store_before_edit(slots) for _ in range(3)), return_exceptions=True
    )
    assert [isinstance(it, IntegrityError) for it in errors] == [True] * 3
    assert len({id(it) for it in errors}) == 1, "they wait for the same attempt, and not one after the other"
    await club.bot.store._database.write(lambda it: it.exec_driver_sql("DROP TRIGGER keep_shown"))
    await registry.fingerprints.forget_in_store_before_edit(slots)
    assert await club.bot.store.load_shown_content(slots.table.id) == {}


async def test_nothing_is_recorded_while_a_message_changes_or_the_store_forgets(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(5_000)
    registry = club.bot.reconciler._registry
    slots = registry.find(club.table().id)
    assert slots is not None
    await registry.fingerprints.forget_in_store_before_edit(slots)
    with slots.slot(TABLE).changing_message():
        await registry.fingerprints.record()
        assert await club.bot.store.load_shown_content(slots.table.id) == {}
    await registry.fingerprints.record()
    assert await club.bot.store.load_shown_content(slots.table.id) != {}
    store, forget = club.bot.store, club.bot.store.forget_shown_content
    forgotten, go_on = asyncio.Event(), asyncio.Event()

    async def slow(table: TableId) -> None:
        await forget(table)
        forgotten.set()
        await go_on.wait()

    store.forget_shown_content = slow  # type: ignore[method-assign]
    registry.fingerprints.schedule_recording_after_save(slots, changed=False)
    forgetting = asyncio.ensure_future(registry.fingerprints.forget_in_store_before_edit(slots))
    await forgotten.wait()
    await registry.fingerprints.record()
    go_on.set()
    await forgetting
    assert await club.bot.store.load_shown_content(slots.table.id) == {}
    lost = slots.slot(ephemeral_hand_slot(Seat(0)))
    lost.shown = b"a hand that was sent, but whose place is not known"
    await registry.fingerprints.record()
    shown = await club.bot.store.load_shown_content(slots.table.id)
    assert TABLE in shown and lost.name not in shown


async def test_a_click_that_the_store_has_no_room_for_is_asked_for_again(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.clock.advance(5_000)
    forget = club.bot.store.forget_shown_content

    async def full(table: TableId) -> None:
        raise OperationalError("", {}, Exception("database or disk is full"))

    club.bot.store.forget_shown_content = full  # type: ignore[method-assign]
    follow = custom_id(Verb.HAND, club.table().id, 0, FOLLOW)
    with captured_log() as log:
        answer = await forge(club, club.anna, follow, club.hand(club.anna))
    assert club.refusal(Why.TRY_AGAIN) in private_text(answer)
    assert "ERROR" not in log.getvalue()
    club.bot.store.forget_shown_content = forget  # type: ignore[method-assign]
    await forge(club, club.anna, follow, club.hand(club.anna))
    assert components_json(club.hand(club.anna)) == expected_components_json(
        club.table(), dm_hand_slot(club.seat(club.anna)), club.table_message().id, live=True
    )


async def test_what_was_recorded_wrongly_is_not_believed(club: Club) -> None:
    """Damage, and what was said of another message."""
    for wrong in ("[]", "{", '{"table": 5}', '{"table": [1, "00"]}', '{"table": ["x", "zz"]}'):
        await club.open(club.anna, club.bruno)
        await club.clock.advance(5_000)
        await club.bot.store._database.write(lambda it, wrong=wrong: it.exec_driver_sql(DAMAGE, (wrong,)))
        start = len(club.env.http_requests)
        await club.restart()
        await club.clock.advance(2_000)
        assert edits(club, start)
        await club.finish()


async def test_what_is_drawn_anew_without_a_change_is_not_believed_after_the_next_edit(club: Club) -> None:
    """What is recorded is of the same version of the table, but a message shows a notice now."""
    await club.open(club.anna, club.bruno)
    (other,) = club.others()
    await forge(club, other, custom_id(Verb.HAND, club.table().id, 0, FOLLOW), club.hand(other))
    await club.clock.advance(5_000)
    club.bot.reconciler.redraw([club.table()])
    await club.env.settle()
    await forge(club, other, f"17/move/{club.table().id}/{club.ply}/0", club.hand(other))
    start = len(club.env.http_requests)
    await club.restart()
    await club.clock.advance(2_000)
    assert edits(club, start)
