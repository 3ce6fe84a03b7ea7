"""/me: what people choose for themselves, on all servers, and what follows from it at every table."""

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.delivery.slots import dm_hand_slot
from bot.i18n import words
from bot.tables.errors import Why
from bot.tables.model import TurnNotice
from bot.tables.options import Options, Pace
from bot.tables.preferences import DEFAULTS, Preferences
from bot.ui.components import NO_TABLE
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.preferences import CHANGES
from bot.ui.replies import REFUSALS
from tests.controls import components
from tests.discord.forged import forge
from tests.discord.messages import components_json, expected_components_json, private_text, reply, text_of
from tests.discord.play import Club, every_game, open_club
from tests.discord.starting import Channel
from tests.discord.world import EN, dms
from tests.process.waiting import eventually

CLOCK = Options(pace=Pace.OFF, turn_seconds=300, window_ms=0, hold_ms=0)
DE = words("de")
CLOSED = "you get no direct messages here"


async def me(club: Club, person: MemberActor) -> discord.Message:
    """The message that *person* gets who types /me."""
    return reply(await person.slash(club.channel, "me"))


async def prefer(club: Club, person: MemberActor, **choices: str) -> InteractionResult:
    """*person* chooses all of *choices*, one after the other."""
    message = await me(club, person)
    for field, value in choices.items():
        answer = await club.choose(person, message, Verb.PREFER, value, field)
    return answer


def marked(message: Any) -> dict[str, str]:
    """What is marked as chosen in the lists of *message*, by the custom_id's last part."""
    lists = [c for c in components(message) if c.get("options")]
    return {
        c["custom_id"].rpartition("/")[2]: next(it["value"] for it in c["options"] if it.get("default")) for c in lists
    }


async def test_every_choice_changes_the_message_itself_and_holds_after_a_restart(club: Club) -> None:
    message = await me(club, club.anna)
    for field, values in CHANGES.items():
        for value in values:
            answer = await club.choose(club.anna, message, Verb.PREFER, value, field)
            assert (answer.response.message.id, answer.followups) == (message.id, [])
            assert marked(reply(answer))[field] == value
    await club.restart()
    assert marked(await me(club, club.anna)) == {"locale": "nl", "by_dm": "here", "telling": "never", "passes": "yes"}
    assert marked(await me(club, club.bruno))["locale"] == "discord"


async def test_made_up_choices_are_refused_and_nobody_elses_message_changes(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    public, before = club.table_message(), text_of(club.table_message())
    for field, values in (("locale", ["xx"]), ("hand", ["dm"]), ("passes", [""]), ("telling", ["turn", "late"])):
        answer = await forge(club, club.anna, custom_id(Verb.PREFER, NO_TABLE, arg=field), public, values)
        assert EN(REFUSALS[Why.BUTTON_DEAD]) in private_text(answer)
    assert club.bot.people.preferences(club.anna.id) == DEFAULTS
    answer = await forge(club, club.anna, custom_id(Verb.PREFER, NO_TABLE, arg="locale"), public, ["de"])
    assert DE("### My preferences") in private_text(answer)
    assert text_of(club.table_message()) == before


# The language


async def test_the_language_holds_for_all_that_only_they_read(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    hands = {person: club.hand(person).id for person in club.seated()}
    other = club.others()[0]
    answer = await prefer(club, club.on_turn(), locale="de")
    assert DE("### My preferences") in text_of(answer.response)
    assert club.hand(club.on_turn()).id == hands[club.on_turn()]
    assert DE("**It is your turn.**") in text_of(club.hand(club.on_turn()))
    assert club.waiting in text_of(club.hand(other))
    assert club.status() in text_of(club.table_message())
    rules = private_text(await club.on_turn().slash(club.channel, "help"))
    assert DE.with_client_commands(EN)("**/rules** explains the game, page by page.") in rules
    await club.restart()
    menu = await club.press(club.on_turn(), club.table_message(), Verb.MENU)
    assert DE("Leave the game") in private_text(menu)
    await prefer(club, club.on_turn(), locale="discord")
    assert EN("**It is your turn.**") in text_of(club.hand(club.on_turn()))


async def test_refusals_and_notifications_are_in_it_too(club: Club) -> None:
    await prefer(club, club.anna, locale="it")
    answer = await club.anna.slash(club.channel, "table show")
    assert words("it").with_client_commands(EN)(REFUSALS[Why.NO_TABLE_HERE]) in private_text(answer)
    start = len(club.env.http_requests)
    await club.open(club.bruno, club.anna)
    t = words("it")
    announced = {
        t(text, game=t(club.presenter.title))
        for text in ("{game}: the cards are dealt. Here is your hand.", "{game}: it is your turn.")
    }
    sent = [r.json for r in club.env.http_requests[start:] if r.method == "POST" and r.path.endswith("/messages")]
    assert sum(body.get("content") in announced for body in sent) == 1


# The hand


async def test_a_hand_that_is_wanted_in_the_channel_comes_behind_my_hand(club: Club) -> None:
    await prefer(club, club.anna, by_dm="here")
    await club.open(club.anna, club.bruno)
    assert (dms(club.anna) == [], len(dms(club.bruno))) == (True, 1)
    assert CLOSED not in text_of(club.table_message())
    hand = await club.press(club.anna, club.table_message(), Verb.HAND)
    assert f"<#{club.channel.id}>" in private_text(hand)
    await prefer(club, club.anna, by_dm="dm")
    assert len(dms(club.anna)) == 1


async def test_a_choice_holds_at_every_table_and_leaves_the_others_as_they_are(club: Club) -> None:
    other = club.guild.create_text_channel("another")
    await club.open(club.anna, club.bruno)
    await club.anna.slash(other, "play", game=club.case.game)
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    await club.press(club.anna, reply(menu), Verb.HAND)
    await prefer(club, club.anna, telling="late", passes="yes")
    for channel in (club.channel, other):
        mine = club.table(channel).players[club.table(channel).seat_of(club.anna.id) or 0]
        assert (mine.telling, mine.passes, mine.by_dm) == (TurnNotice.LATE, True, channel is other)
    bruno = club.table().players[club.seat(club.bruno)]
    assert (bruno.telling, bruno.passes, bruno.by_dm) == (TurnNotice.EVERY_TURN, False, True)


async def test_who_sits_down_brings_it_along_late_and_to_the_rematch(club: Club) -> None:
    for person in (club.anna, club.bruno, club.carla):
        await prefer(club, person, locale="nl", telling="late", passes="yes")
    await club.open(club.anna, club.bruno, computers=max(1, club.rules.seats[0] - 2))
    menu = await club.press(club.carla, club.table_message(), Verb.MENU)
    seat = next(seat for seat, player in enumerate(club.table().players) if player.user is None)
    await club.choose(club.carla, reply(menu), Verb.SIT, str(seat))
    chosen = Preferences("nl", telling=TurnNotice.LATE, passes=True).player_fields("en")

    def brought() -> list[bool]:
        people = [player for player in club.table().players if player.user is not None]
        return [player._asdict().items() >= chosen.items() for player in people]

    assert brought() == [True] * 3
    sure = await club.anna.slash(club.channel, "table end")
    await club.press(club.anna, reply(sure), Verb.END_FOR_SURE)
    await club.press(club.anna, club.messages()[-1], Verb.REMATCH)
    assert brought() == [True] * 3
    await club.press(club.bruno, club.table_message(), Verb.JOIN)
    assert brought() == [True] * 3


# Being told


async def new_message(club: Club, person: MemberActor) -> bool:
    """Whether *person* gets a new message when their turn begins, long after they last clicked."""
    await club.clock.advance(150_000)
    before = {message.id for message in (*dms(person), *club.messages())}
    await club.play_until_on_turn(person)
    return bool({message.id for message in (*dms(person), *club.messages())} - before)


@pytest.mark.parametrize("where", ["dm", "here"])
@pytest.mark.parametrize(("telling", "told"), [("turn", True), ("late", False), ("never", False)])
async def test_whoever_is_away_is_told_as_they_want(club: Club, where: str, telling: str, told: bool) -> None:
    await club.open(club.anna, club.bruno)
    (second,) = club.others()
    await prefer(club, second, by_dm=where, telling=telling)
    assert await new_message(club, second) is told


@every_game
@pytest.mark.parametrize("where", ["dm", "here"])
@pytest.mark.parametrize(("telling", "told"), [("turn", 1), ("late", 1), ("never", 0)])
async def test_when_time_runs_out_whoever_wants_no_message_gets_none(
    tmp_path: Path, game: str, where: str, telling: str, told: int
) -> None:
    async with open_club(tmp_path, game, CLOCK) as club:
        await club.open(club.anna, club.bruno)
        (second,) = club.others()
        await prefer(club, second, by_dm=where, telling=telling)
        await club.play_until_on_turn(second)
        before = {message.id for message in (*dms(second), *club.messages())}
        await club.clock.advance(226_000)
        after = [message for message in (*dms(second), *club.messages()) if message.id not in before]
        assert len(after) == told


async def test_a_hand_comes_without_a_notification_to_whoever_wants_none(club: Club) -> None:
    await prefer(club, club.anna, telling="never")
    start = len(club.env.http_requests)
    await club.open(club.anna, club.bruno)
    to_anna = [
        r.json
        for r in club.env.http_requests[start:]
        if r.method == "POST" and r.path.endswith(f"/{dms(club.anna)[0].channel.id}/messages")
    ]
    assert len(to_anna) == len(dms(club.anna)) == 1
    assert to_anna[0]["flags"] & 1 << 12, "SUPPRESS_NOTIFICATIONS"
    assert dms(club.anna)[0].flags.components_v2


@pytest.mark.parametrize(("telling", "requests"), [("never", ["POST"]), ("turn", ["POST", "PATCH"])])
async def test_a_silent_hand_is_shown_with_one_request_and_every_hand_comes_again_if_it_is_deleted(
    club: Club, channel: Channel, telling: str, requests: list[str]
) -> None:
    """Discord takes no second message for the same nonce, so that of another hand must be another one."""
    for person in (club.anna, club.bruno):
        await prefer(club, person, telling=telling)
    await club.open(club.anna, club.bruno)
    (second,) = club.others()
    gone = club.hand(second)
    await club.clock.advance(5_000)
    await club.restart()
    await club.clock.advance(2_000)
    there = f"/channels/{gone.channel.id}/"
    assert [r.method for r in club.env.http_requests if r.path.startswith(there)] == requests
    club.env.backend.delete_message(gone.channel.id, gone.id)
    await prefer(club, second, locale="de")
    await eventually(lambda: dms(second), "a new hand", 5)
    slot = dm_hand_slot(club.seat(second))
    assert components_json(club.hand(second)) == expected_components_json(club.table(), slot, club.table_message().id)
