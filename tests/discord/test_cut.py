"""Cutting the deck in the lobby: who may, what a form must hold, when it comes too late."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.delivery.messages import ACKNOWLEDGE_AFTER_MS
from bot.tables.errors import Why
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.dealing import LONGEST_CUT
from cogs.router import FORMS, OTHER_FORMS
from engine.errors import BadRecord
from engine.fair import cut_hash
from engine.verify import PlayerNotes, verify
from tests.discord.forged import forge
from tests.discord.held import held_back, replay
from tests.discord.messages import private_text, reply, text_of, verbs
from tests.discord.play import Club, open_club
from tests.discord.test_dealing import lobby, record_of
from tests.games import ANY

pytestmark = pytest.mark.about(ANY)  # all games are alike here

FORGED: dict[str, Any] = {
    "nothing": [],
    "no list": "phrase",
    "no component": [{"type": 18}],
    "no object": ["phrase"],
    "no value": [{"type": 18, "component": {"type": 4, "custom_id": "phrase"}}],
    "a number": [{"type": 18, "component": {"type": 4, "custom_id": "phrase", "value": 17}}],
    "two": [{"type": 18, "component": {"type": 4, "custom_id": "phrase", "value": "a"}}] * 2,
    "too long": [{"type": 18, "component": {"type": 4, "custom_id": "phrase", "value": "a" * (LONGEST_CUT + 1)}}],
    "huge": [{"type": 18, "component": {"type": 4, "custom_id": "phrase", "value": "a" * 1_000_000}}],
}


def cutters(message: Any) -> list[str]:
    """The lines of the lobby *message* about people who have cut."""
    return [line for line in text_of(message).splitlines() if line.endswith("✂️")]


async def asked(club: Club, person: MemberActor) -> InteractionResult:
    """The form in which *person* writes how they cut the deck."""
    return await club.in_menu(person, Verb.CUT)


async def submitted(club: Club, change: Callable[[Any], None]) -> InteractionResult:
    """Anna submits the form, of which a forged client makes what *change* does to it."""
    form = await asked(club, club.anna)
    async with held_back(club) as waiting:
        answer = await club.anna.submit_modal(form, {"phrase": "a"})
    change(waiting[0]["data"])
    await replay(club, waiting)
    await club.env.settle()
    return answer


async def test_everybody_sees_who_has_cut_and_nobody_the_phrase(club: Club) -> None:
    before = await lobby(club)
    form = await asked(club, club.bruno)
    assert form.modal is not None
    assert form.modal["custom_id"] == custom_id(Verb.CUT, club.table().id)
    answer = await club.bruno.submit_modal(form, {"phrase": "my secret"})
    assert answer.acknowledged
    assert "You have cut the deck." in private_text(answer)
    after = club.table_message()
    assert (after.id, len(club.messages())) == (before.id, 1)
    assert cutters(after) == ["2. **bruno** · ✂️"]
    await club.press(club.anna, after, Verb.START)
    assert "The deck was cut by **bruno**" in text_of(await club.fair_page(club.carla))
    assert "my secret" not in club.env.transcript() + repr([r.json for r in club.env.http_requests])


async def test_a_second_cut_takes_the_place_of_the_first(club: Club) -> None:
    await lobby(club)
    table = club.table().id
    await club.cut(club.anna, "first")
    await club.cut(club.anna, "second")
    assert [player.cut for player in club.table().players] == [cut_hash("second"), ""]
    await club.press(club.anna, club.table_message(), Verb.START)
    await club.finish()
    record = await record_of(club, table)
    verify(record, PlayerNotes(cuts=("second",)))
    with pytest.raises(BadRecord):
        verify(record, PlayerNotes(cuts=("first",)))


async def test_only_who_sits_there_cuts(club: Club) -> None:
    await lobby(club)
    before = club.table()
    menu = await club.press(club.carla, club.table_message(), Verb.MENU)
    assert Verb.CUT not in verbs(menu.response)
    answer = await forge(club, club.carla, custom_id(Verb.CUT, before.id), club.table_message())
    assert answer.modal is None
    assert club.refusal(Why.PLAYERS_ONLY) in private_text(answer)
    form = await asked(club, club.bruno)
    await club.in_menu(club.bruno, Verb.QUIT)
    assert club.refusal(Why.PLAYERS_ONLY) in private_text(await club.bruno.submit_modal(form, {"phrase": "late"}))
    assert [player.cut for player in club.table().players] == [player.cut for player in before.players[:1]]


@pytest.mark.parametrize("phrase", [" ", "\t \u3000", "\u2028"])
async def test_an_empty_phrase_is_no_cut(club: Club, phrase: str) -> None:
    await lobby(club)
    before = club.table()
    assert club.refusal(Why.EMPTY_CUT) in private_text(await club.cut(club.anna, phrase))
    assert club.table() == before


@pytest.mark.parametrize("form", FORGED)
async def test_a_forged_form_changes_nothing(club: Club, form: str) -> None:
    await lobby(club)
    before = club.table()
    answer = await submitted(club, lambda data: data.update(components=FORGED[form]))
    assert club.refusal(Why.BUTTON_DEAD) in private_text(answer)
    assert club.table() == before
    await club.cut(club.anna, "again")
    assert club.table().players[0].cut


@pytest.mark.parametrize("verb", sorted(set(Verb) - {*FORMS, *OTHER_FORMS}, key=lambda verb: verb.value))
async def test_no_other_control_is_a_form(tmp_path: Path, verb: Verb) -> None:
    async with open_club(tmp_path, "diciassette") as club:
        await lobby(club)
        before = club.table()
        answer = await submitted(club, lambda data: data.update(custom_id=custom_id(verb, before.id)))
        assert club.refusal(Why.BUTTON_DEAD) in private_text(answer)
        assert club.table() == before


async def test_a_click_that_was_acknowledged_cannot_open_the_form_and_says_so(club: Club) -> None:
    await lobby(club)
    menu = reply(await club.press(club.anna, club.table_message(), Verb.MENU))
    async with held_back(club) as waiting:
        answer = await club.press(club.anna, menu, Verb.CUT)
    await club.clock.advance(ACKNOWLEDGE_AFTER_MS + 1)
    await replay(club, waiting)
    await club.env.settle()
    assert answer.modal is None
    assert club.refusal(Why.TRY_AGAIN) in private_text(answer)
    await club.cut(club.anna, "again")
    assert club.table().players[0].cut


async def test_half_an_emoji_is_refused_with_a_sentence_and_nothing_is_lost(club: Club) -> None:
    """Some clients cut one in two: https://docs.python.org/3/library/codecs.html#error-handlers"""
    await club.open(club.anna, start=False)
    answer = await club.cut(club.anna, "luck \ud83d")
    assert "half an emoji" in text_of(reply(answer))
    assert club.table().players[0].cut == ""


async def test_a_name_that_ends_in_half_an_emoji_can_be_stored_and_shown(club: Club) -> None:
    async with held_back(club) as waiting:
        await club.anna.slash(club.channel, "play", game=club.case.game)
    waiting[0]["member"]["nick"] = "Ann \ud83d"
    await replay(club, waiting)
    assert club.table().players[0].name == "Ann ?"
    assert "Ann ?" in text_of(club.table_message())
