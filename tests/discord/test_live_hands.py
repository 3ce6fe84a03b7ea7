"""One plays from the hand: it follows the game for as long as its person's last click on it lets it be edited for free,
and in games with calls its last row is the call's alone."""

from pathlib import Path

import pytest
from simcord.actors import MemberActor

from bot.delivery.messages import DELETE_DELAY_MS
from bot.delivery.plan import INACTIVE_MS, LAST_EDIT_MS
from bot.delivery.slots import FIRST_RETRY_MS, dm_hand_slot
from bot.tables.options import Options, Pace
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.hand_message import FOLLOW
from engine.game import Seat
from tests.controls import moves
from tests.discord.forged import forge
from tests.discord.messages import (
    components_json,
    ends_with_buttons,
    expected_components_json,
    last_row,
    reply,
    text_of,
    verbs,
)
from tests.discord.play import Club, every_game_with_calls, open_club
from tests.discord.test_calls import something_to_call
from tests.discord.test_first_responses import lost
from tests.discord.test_follow_ups import hand_is_right
from tests.discord.world import EN, dms
from tests.process.waiting import eventually


def follows(club: Club, person: MemberActor) -> bool:
    """Whether the hand of *person* shows the table as it is; else it looks as one that does not follow."""
    hand, slot, message = components_json(club.hand(person)), dm_hand_slot(club.seat(person)), club.table_message().id
    looks = [expected_components_json(club.table(), slot, message, live=live) for live in (False, True)]
    assert hand in looks
    return hand == looks[1]


async def test_a_hand_follows_the_game_once_its_person_has_clicked_on_it(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    waiting = next(person for person in club.seated() if person is not club.on_turn())
    assert not follows(club, waiting)
    await club.press(waiting, club.hand(waiting), Verb.HAND, FOLLOW)
    assert follows(club, waiting)
    for _ in range(4):
        start = len(club.env.http_requests)
        await club.act(club.on_turn())
        assert follows(club, waiting)
        assert not [r for r in club.env.http_requests[start:] if r.method == "PATCH" and "/channels/" in r.path][2:]


async def test_a_hand_follows_though_discords_response_to_the_click_on_it_was_lost(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    waiting = next(person for person in club.seated() if person is not club.on_turn())
    with lost(monkeypatch, times=2):
        await club.press(waiting, club.hand(waiting), Verb.HAND, FOLLOW)
    await club.act(club.on_turn())
    assert follows(club, waiting)


@pytest.mark.parametrize("select", [False, True])
async def test_a_click_that_changes_nothing_is_acknowledged_but_one_in_a_select_has_its_message_drawn_anew(
    club: Club, select: bool
) -> None:
    """Otherwise the select keeps showing what was chosen in it."""
    await club.open(club.anna, club.bruno)
    (waiting,) = club.others()
    await club.press(waiting, club.hand(waiting), Verb.HAND, FOLLOW)
    again, start = custom_id(Verb.HAND, club.table().id, club.ply, FOLLOW), len(club.env.http_requests)
    await forge(club, waiting, again, club.hand(waiting), ["?"] if select else None)
    sent = [r.json["type"] for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert sent == [7 if select else 6]
    assert follows(club, waiting)


async def test_it_stops_following_before_its_token_expires_and_goes_on_with_a_click(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    first = club.on_turn()
    await club.act(first)
    await club.play_until_on_turn(next(person for person in club.seated() if person is not first))
    assert follows(club, first)
    start = len(club.env.http_requests)
    await club.clock.advance(LAST_EDIT_MS + 5)
    assert not follows(club, first)
    edits = [r for r in club.env.http_requests[start:] if r.method == "PATCH"]
    assert edits
    assert all("/webhooks/" in r.path for r in edits), "no edit counts against the bot's own rate limit"
    if club.on_turn() is not first:
        await club.press(first, club.hand(first), Verb.HAND, FOLLOW)
        assert follows(club, first)


async def test_the_last_word_of_a_game_that_is_over_stays_in_the_hands(club: Club) -> None:
    """Nothing changes any more that they would have to follow."""
    await club.open(club.anna, club.bruno)
    (waiting,) = club.others()
    await club.press(waiting, club.hand(waiting), Verb.HAND, FOLLOW)
    await club.press(club.on_turn(), club.table_message(), Verb.HAND)
    await club.press(club.anna, reply(await club.anna.slash(club.channel, "table end")), Verb.END_FOR_SURE)
    await club.clock.advance(DELETE_DELAY_MS)
    start = len(club.env.http_requests)
    await club.clock.advance(LAST_EDIT_MS)
    assert club.env.http_requests[start:] == []


@every_game_with_calls
async def test_whoever_is_not_on_turn_calls_from_the_hand(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, Options(pace=Pace.NORMAL, turn_seconds=0)) as club:
        await club.open(*club.people[:3])
        await something_to_call(club)
        caller = next(person for person in club.callers() if person is not club.on_turn())
        await club.press(caller, club.hand(caller), Verb.HAND, FOLLOW)
        assert last_row(club.hand(caller)) == [(Verb.CALL, True)]
        await club.press(caller, club.hand(caller), Verb.CALL)
        assert EN(club.presenter.called_text) in text_of(club.hand(caller))
        await club.clock.advance(3000)
        assert club.rules.ends_round(club.table().recent)


async def test_the_last_row_of_a_hand_is_the_calls_whatever_happens(calling_club: Club) -> None:
    club = calling_club
    await club.open(club.anna, club.bruno, club.carla)

    def check() -> None:
        for person in club.people[:3]:
            assert [verb for verb, _ in last_row(club.hand(person))] == [Verb.CALL]

    for number in range(8):
        check()
        if number == 6 and club.callers():
            await club.call(club.callers()[0])
        else:
            await club.act(club.on_turn(), number)
    sure = await club.press(club.bruno, club.table_message(), Verb.MENU)
    assert Verb.LEAVE in verbs(sure.response)
    left = await club.bruno.slash(club.channel, "table leave")
    await club.press(club.bruno, reply(left), Verb.LEAVE_FOR_SURE)
    check()
    await club.bruno.slash(club.channel, "table return")
    await club.finish()
    for person in club.people[:3]:
        assert not ends_with_buttons(club.hand(person)), "nothing takes the place of the call"


@pytest.mark.parametrize(("status", "code"), [(400, 50083), (429, 30046)])
async def test_a_hand_that_only_its_person_sees_is_never_sent_to_all_whatever_discord_refuses(
    long_club: Club, status: int, code: int
) -> None:
    """A message in an archived thread, or an old one, is sent anew: a hand must not be."""
    club = long_club
    await club.open(club.anna, club.bruno)
    first = club.on_turn()
    shown = await club.press(first, club.table_message(), Verb.HAND)
    club.env.inject_error("PATCH", "/webhooks/*", status=status, code=code, message="Refused", times=None)
    for _ in range(3):
        await club.act(club.on_turn())
        await club.clock.advance(1_000)
    assert not [message for message in club.messages() if text_of(message).startswith("### [")], (
        "a hand for all to read"
    )
    club.env.backend.faults.clear()
    hand = await club.press(first, club.table_message(), Verb.HAND)
    assert ("It is your turn" in text_of(reply(hand))) is (club.on_turn() is first)
    assert reply(shown).flags.ephemeral


# Somebody has a hand in the channel and one as a direct message: the one from which they do not play rests, since each
# edit of it would count.

RESTS = "You have opened your hand in the channel"
CHOSEN = "Your hand is in the channel now"


def edits(club: Club, person: MemberActor, start: int) -> int:
    """How many requests with the bot's own token went to the direct messages of *person* since *start*."""
    there = f"/channels/{club.hand(person).channel.id}/"
    return sum(r.path.startswith(there) for r in club.env.http_requests[start:])


def is_shown(club: Club, person: MemberActor, *, live: bool = False) -> bool:
    """Whether the direct message of *person* shows their hand."""
    slot = dm_hand_slot(club.seat(person))
    return components_json(club.hand(person)) == expected_components_json(
        club.table(), slot, club.table_message().id, live=live
    )


async def test_who_plays_in_the_channel_has_a_resting_hand_that_costs_nothing(club: Club) -> None:
    await club.open(*club.people[:3])
    player = club.others()[0]
    hand = club.opened(await club.press(player, club.table_message(), Verb.HAND))
    assert RESTS in text_of(club.hand(player))
    start = len(club.env.http_requests)
    for _ in range(7):
        await club.act(club.on_turn(), message=club.as_it_is(hand) if club.on_turn() is player else None)
        assert hand_is_right(club, player, hand)
    assert RESTS in text_of(club.hand(player))
    assert edits(club, player, start) == 0


async def test_it_wakes_while_discord_does_not_take_the_edits_of_the_other_and_rests_again_after(club: Club) -> None:
    await club.open(*club.people[:3])
    player = club.others()[1]
    hand = club.opened(await club.press(player, club.table_message(), Verb.HAND))
    path = f"/webhooks/*/messages/{hand.id}"
    club.env.inject_error("PATCH", path, status=503, code=0, message="Busy", times=1)
    await club.act(club.on_turn())
    assert is_shown(club, player)
    await club.clock.advance(FIRST_RETRY_MS)
    assert hand_is_right(club, player, hand)
    await club.bot.tables.update_player(club.table().id, club.anna.id, name="anna again")
    await eventually(lambda: RESTS in text_of(club.hand(player)), "it rests again")


async def test_who_is_told_of_their_turn_can_play_at_once(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    player = club.on_turn()
    other = club.others()[0]
    await club.press(other, club.table_message(), Verb.HAND)
    resting = club.hand(other)
    await club.clock.advance(INACTIVE_MS + 1_000)
    await club.act(player)
    assert club.on_turn() is other
    await club.clock.advance(DELETE_DELAY_MS)
    (told,) = dms(other)
    assert told.id != resting.id
    assert is_shown(club, other)
    ply = club.ply
    await club.act(other)
    assert club.ply == ply + 1


async def test_who_wants_their_hand_in_the_channel_has_none_by_direct_message(club: Club) -> None:
    await club.open(*club.people[:3])
    player = club.on_turn()
    menu = club.opened(await club.press(player, club.table_message(), Verb.MENU))
    hand = club.opened(await club.press(player, menu, Verb.HAND, "stay"))
    assert CHOSEN in text_of(club.hand(player))
    start = len(club.env.http_requests)
    for _ in range(4):
        await club.act(club.on_turn(), message=club.as_it_is(hand) if club.on_turn() is player else None)
    await club.restart()
    assert edits(club, player, start) == 0
    menu = club.opened(await club.press(player, club.table_message(), Verb.MENU))
    await club.press(player, menu, Verb.HAND_BY_DM)
    assert len(dms(player)) == 2, "they want it again"


async def test_who_chooses_the_channel_has_a_direct_message_that_rests_once_it_is_not_their_turn(club: Club) -> None:
    """Although it was clicked a moment ago, and followed the game; until they click there again."""
    await club.open(*club.people[:3])
    player, other = club.on_turn(), club.others()[0]
    await club.press(other, club.hand(other), Verb.HAND, FOLLOW)
    await club.act(player)
    await club.play_until_on_turn(player)
    hand, _ = await club.offered(player)
    for person in (player, other):
        panel = reply(await person.slash(club.channel, "me"))
        answer = await club.choose(person, panel, Verb.PREFER, "here", "by_dm")
        assert "Hands in messages rest." in text_of(reply(answer))
    assert CHOSEN in text_of(club.hand(other))
    assert moves(club.as_it_is(hand)), "they are in the middle of their turn"
    await club.act(player)
    assert CHOSEN in text_of(club.hand(player))
    await club.press(other, club.hand(other), Verb.HAND, FOLLOW)
    assert is_shown(club, other, live=True)
    await club.act(club.on_turn())
    assert is_shown(club, other, live=True)


@every_game_with_calls
async def test_a_hand_that_does_not_follow_is_left_alone_while_others_play(tmp_path: Path, game: str) -> None:
    """Its 17! cannot be pressed, so it need not know the newest move."""
    async with open_club(tmp_path, game) as club:
        await club.open(*club.people[:4])
        waiting = club.person(Seat((club.seat(club.on_turn()) - 1) % 4))  # it is their turn last
        start, turns = len(club.env.http_requests), 0
        while club.on_turn() is not waiting and turns < 3:
            before = text_of(club.hand(waiting))
            await club.act(club.on_turn())
            if text_of(club.hand(waiting)) != before:
                break
            turns += 1
        assert turns
        assert edits(club, waiting, start) <= 1
