"""One plays from the hand: it follows the game for as long as its person's last click on it lets it be edited for free,
and in games with calls its last row is the call's alone."""

from pathlib import Path

import pytest
from simcord.actors import MemberActor

from bot.custom_ids import Verb
from bot.delivery.decision import LAST_WORD_MS
from bot.delivery.slots import hand_slot
from bot.present.hand_message import FOLLOW
from bot.tables.options import Options, Pace
from tests.discord.messages import drawn, ends_with_buttons, last_row, reply, shown, text_of, verbs
from tests.discord.play import Club, every_game_with_calls, open_club
from tests.discord.test_calls import something_to_call
from tests.discord.world import EN


def follows(club: Club, person: MemberActor) -> bool:
    """Whether the hand of *person* shows the table as it is; else it looks as one that does not follow."""
    hand, slot, message = shown(club.hand(person)), hand_slot(club.seat(person)), club.table_message().id
    looks = [drawn(club.table(), slot, message, live=live) for live in (False, True)]
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


async def test_it_stops_following_before_its_token_expires_and_goes_on_with_a_click(club: Club) -> None:
    await club.open(club.anna, club.bruno, club.carla)
    first = club.on_turn()
    await club.act(first)
    await club.play_until_on_turn(next(person for person in club.seated() if person is not first))
    assert follows(club, first)
    start = len(club.env.http_requests)
    await club.clock.advance(LAST_WORD_MS + 5)
    assert not follows(club, first)
    edits = [r for r in club.env.http_requests[start:] if r.method == "PATCH"]
    assert edits
    assert all("/webhooks/" in r.path for r in edits), "no edit counts against the bot's own rate limit"
    if club.on_turn() is not first:
        await club.press(first, club.hand(first), Verb.HAND, FOLLOW)
        assert follows(club, first)


@every_game_with_calls
async def test_whoever_is_not_on_turn_calls_from_the_hand(tmp_path: Path, game: str) -> None:
    async with open_club(tmp_path, game, Options(pace=Pace.NORMAL, turn_seconds=0)) as club:
        await club.open(*club.people[:3])
        await something_to_call(club)
        caller = next(person for person in club.callers() if person is not club.on_turn())
        await club.press(caller, club.hand(caller), Verb.HAND, FOLLOW)
        assert last_row(club.hand(caller)) == [(Verb.CALL, True)]
        await club.press(caller, club.hand(caller), Verb.CALL)
        assert EN(club.presenter.called) in text_of(club.hand(caller))
        await club.clock.advance(3000)
        assert club.rules.concludes(club.table().recent)


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
