"""What a phone's notification would say: an edit notifies nobody, and a message made of components has no words."""

from typing import Any

from bot.custom_ids import Verb
from tests.discord.messages import reply, text_of
from tests.discord.play import Club
from tests.discord.world import EN, dms


def created(club: Club, start: int = 0) -> list[dict[str, Any]]:
    """The bodies of new messages that may notify somebody, since the request number *start*."""
    sent = [r for r in club.env.http_requests[start:] if r.method == "POST" and r.path.endswith("/messages")]
    return [r.json for r in sent if not r.json.get("flags", 0) & 1 << 12]


async def test_a_hand_comes_with_words_and_becomes_a_hand_r4(club: Club) -> None:
    """https://github.com/discord/discord-api-docs/issues/7854"""
    await club.open(club.anna, club.bruno)
    title = EN(club.presenter.title)
    assert len(created(club)) == 2
    for body in created(club):
        assert body["content"].startswith(f"{title}: ")
        assert not body["components"]
    for person in club.seated():
        hand = dms(person)[-1]
        assert hand.content == ""
        assert hand.flags.components_v2
    await club.clock.advance(150_000)
    start = len(club.env.http_requests)
    (second,) = club.others()
    await club.play_until_on_turn(second)
    (body,) = created(club, start)
    assert body["content"] == f"{title}: it is your turn."
    assert "It is your turn" in text_of(club.hand(second))


async def test_when_the_edit_fails_the_words_stay_and_the_hand_comes_later_r4(club: Club) -> None:
    club.env.inject_error("PATCH", "/channels/*", status=503, code=0, message="Busy", times=2)
    await club.open(club.anna, club.bruno)
    assert [club.got(person) for person in club.seated()] == [1, 1]
    await club.clock.advance(5_000)
    assert "It is your turn" in text_of(club.hand(club.on_turn()))
    assert [club.got(person) for person in club.seated()] == [1, 1]


async def test_a_mention_is_plain_has_a_link_and_says_when_it_is_done_s5(club: Club) -> None:
    """A mention that is deleted would leave a notification of nothing."""
    await club.open(club.anna, club.bruno)
    second = await club.back_on_turn()
    (ping,) = [m for m in club.messages() if f"<@{second.id}>" in m.content]
    assert not ping.flags.components_v2
    assert "To the table" in text_of(ping)
    shown = await club.press(second, club.table_message(), Verb.HAND)
    while club.on_turn() is second:
        await club.act(second, message=reply(shown))
    done = club.as_it_is(ping)
    assert "Done" in done.content
    assert not [m for m in club.messages() if f"<@{second.id}>" in m.content]
    await club.clock.advance(150_000)
    await club.play_until_on_turn(second)
    assert ping.id not in [m.id for m in club.messages()], "at most one of them for each person"


async def test_new_table_messages_notify_nobody(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    await club.anna.slash(club.channel, "table show")
    start = len(club.env.http_requests)
    club.env.backend.delete_message(club.channel.id, club.table_message().id)
    await club.act(club.on_turn())
    assert club.table_message()
    assert not created(club, start)


async def test_a_hand_whose_response_was_lost_comes_once_though_the_turn_has_changed(club: Club) -> None:
    """When it is sent again it is for something else, but it is the same message."""
    for person in (club.anna, club.bruno):
        club.env.inject_error("POST", club.dm_path(person), status=503, code=0, message="Lost", times=1)
    await club.open(club.anna, club.bruno)
    first = nonces(club)
    opened = await club.press(club.on_turn(), club.table_message(), Verb.HAND)
    await club.act(club.on_turn(), message=reply(opened))
    await club.clock.advance(5_000)
    assert len(nonces(club)) > len(first), "it was sent again"
    assert set(nonces(club)) == set(first)


def nonces(club: Club) -> list[str]:
    """The nonces of all new messages so far."""
    return [r.json["nonce"] for r in club.env.http_requests if r.method == "POST" and r.path.endswith("/messages")]
