"""The lobby: how a table is opened, who sits down, what is chosen, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.tables.errors import Why
from bot.tables.options import Pace
from bot.ui.custom_ids import PREFIX, Verb, custom_id
from bot.ui.registry import MOST_FIELDS
from tests.controls import components, filled
from tests.discord.forged import forge
from tests.discord.held import held_back, replay
from tests.discord.messages import private_text, text_of, verbs
from tests.discord.play import Club, open_club
from tests.discord.test_me import prefer
from tests.discord.world import EN
from tests.games import CASES

WITH_OPTIONS = [(game, name) for game, case in sorted(CASES.items()) for name in case.rules.options]


async def test_play_opens_a_lobby_that_says_what_is_missing(club: Club) -> None:
    await club.open(club.anna, start=False)
    assert "anna" in text_of(club.table_message())
    assert EN(club.presenter.title) in text_of(club.table_message())
    least = club.rules.seats[0]
    for count, person in enumerate(club.people[1:least], start=1):
        missing = least - count
        assert f"{missing} more player" in text_of(club.table_message())
        assert Verb.START not in verbs(club.table_message())
        await club.press(person, club.table_message(), Verb.JOIN)
    assert "Ready" in text_of(club.table_message())
    assert Verb.START in verbs(club.table_message())


async def test_play_where_a_table_is_open_links_to_it(club: Club) -> None:
    await club.open(club.anna, start=False)
    answer = await club.bruno.slash(club.channel, "play", game=club.case.game)
    assert club.refusal(Why.TABLE_OPEN_HERE) in private_text(answer)
    assert "anna" in private_text(answer)
    urls = [component.get("url") for component in components(answer.response)]
    assert f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{club.table_message().id}" in urls


async def test_play_without_a_permission_names_it(club: Club) -> None:
    locked = club.guild.create_text_channel(
        "locked", overwrites={club.guild.default_role: discord.PermissionOverwrite(send_messages=False)}
    )
    answer = await club.anna.slash(locked, "play", game=club.case.game)
    assert "Send Messages" in private_text(answer)
    assert club.bot.tables.taken_over_table_in_channel(locked.id) is None


async def test_a_table_fills_up_and_takes_nobody_twice(club: Club) -> None:
    await club.open(club.anna, start=False)
    assert club.refusal(Why.ALREADY_JOINED) in private_text(
        await club.press(club.anna, club.table_message(), Verb.JOIN)
    )
    most = club.rules.seats[-1]
    guests: list[MemberActor] = [
        club.guild.add_member(club.env.create_user(f"guest{number}")) for number in range(most)
    ]
    for person in guests[: most - 1]:
        await club.press(person, club.table_message(), Verb.JOIN)
    full = club.table_message()
    assert not {Verb.JOIN, Verb.ADD_COMPUTER} & verbs(full)
    assert len(club.table().players) == most
    forged = await forge(club, guests[-1], f"{PREFIX}join/{club.table().id}/0/", full)
    assert club.refusal(Why.TABLE_FULL, most=most) in private_text(forged)
    assert len(club.table().players) == most


async def test_leaving_the_lobby_and_the_host_passing_on(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    await club.in_menu(club.anna, Verb.QUIT)
    assert club.table().host == club.bruno.id
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    assert Verb.QUIT not in verbs(menu.response)
    forged = await forge(club, club.anna, custom_id(Verb.QUIT, club.table().id), club.table_message())
    assert club.refusal(Why.NOT_JOINED) in private_text(forged)
    await club.in_menu(club.bruno, Verb.QUIT)
    assert not club.running
    assert "table is closed" in text_of(club.messages()[-1])


async def test_computer_players_come_and_go(club: Club) -> None:
    await club.open(club.anna, computers=2, start=False)
    assert "🤖" in text_of(club.table_message())
    for left in (2, 1):
        menu = await club.in_menu(club.anna, Verb.REMOVE_COMPUTER)
        assert len(club.table().players) == left
    assert Verb.REMOVE_COMPUTER not in verbs(menu.response)
    await club.press(club.anna, club.table_message(), Verb.ADD_COMPUTER)
    refused = await club.press(club.carla, club.table_message(), Verb.ADD_COMPUTER)
    assert club.refusal(Why.PLAYERS_ONLY) in private_text(refused)
    assert len(club.table().players) == 2


async def test_the_host_chooses_all_in_one_form(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    before, start = club.table().options, len(club.env.http_requests)
    await club.set_options(club.anna, pace="slow", limit="300", switches=[])
    assert club.table().options == before._replace(
        pace=Pace.SLOW,
        turn_seconds=300,
        late=False,
        breath=before.breath and club.rules.calls is None,
        hints=before.hints and club.rules.coach is None,
        game=tuple(club.rules.check_options(dict(before.game)).items()) if before.game else (),
    )
    assert [r.json["type"] for r in club.env.http_requests[start:]] == [9, 7], "the answer shows the table after it"
    for said_ in (EN("Pace: {name}", name="Slow"), "5 minutes per turn", EN("No latecomers")):
        assert said_ in text_of(club.table_message())
    await club.restart()
    assert (club.table().options.pace, club.table().options.turn_seconds) == (Pace.SLOW, 300)


async def test_two_who_choose_at_once_lose_nothing(club: Club) -> None:
    """What somebody has left alone does not undo what another has chosen since their form was opened."""
    await club.open(club.anna, club.bruno, start=False)
    if club.rules.computers.LEVELS == 1:
        return
    forms = [await club.press(person, club.table_message(), Verb.OPTIONS) for person in (club.anna, club.bruno)]
    late = await club.press(club.anna, club.table_message(), Verb.OPTIONS)
    await club.bruno.submit_modal(forms[1], filled(forms[1].modal, level="2"))
    await club.anna.submit_modal(forms[0], filled(forms[0].modal, pace="fast"))
    await club.anna.submit_modal(late, filled(late.modal, limit="60"))
    options = club.table().options
    assert (options.level, options.pace, options.turn_seconds) == (2, Pace.FAST, 60)


async def test_of_the_options_others_than_the_host_choose_the_level_if_there_are_several(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    anna, bruno = [await club.press(it, club.table_message(), Verb.OPTIONS) for it in (club.anna, club.bruno)]
    assert len(anna.modal["components"]) > 1
    if club.rules.computers.LEVELS == 1:
        assert club.refusal(Why.HOST_ONLY) in private_text(bruno)
    else:
        assert len(bruno.modal["components"]) == 1
    carla = await club.press(club.carla, club.table_message(), Verb.OPTIONS)
    assert club.refusal(Why.PLAYERS_ONLY) in private_text(carla)


async def test_a_form_says_in_its_custom_id_what_it_shows_and_in_which_language(club: Club) -> None:
    """Phones show a form whose custom_id they know as they showed it first."""
    await club.open(club.anna, club.bruno, start=False)

    async def form(person: MemberActor) -> Any:
        return (await club.press(person, club.table_message(), Verb.OPTIONS)).modal

    first = await form(club.anna)
    assert len(first["components"]) <= MOST_FIELDS
    found = [first["custom_id"]]
    await club.set_options(club.anna, pace="fast")
    found.append((await form(club.anna))["custom_id"])
    await prefer(club, club.anna, locale="it")
    found.append((await form(club.anna))["custom_id"])
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(("game", "name"), WITH_OPTIONS)
async def test_a_games_own_options_are_the_hosts(tmp_path: Path, game: str, name: str) -> None:
    async with open_club(tmp_path, game) as club:
        await club.open(club.anna, club.bruno, start=False)
        first, *_, last = club.rules.options[name]
        for value in (first, last, first):
            await club.set_options(club.anna, **{f"game_{name}": value})
            assert club.rules.check_options(dict(club.table().options.game))[name] == value
        await club.press(club.anna, club.table_message(), Verb.START)
        assert club.rules.check_options(dict(club.table().options.game))[name] == first


FORGED: dict[str, dict[str, Any]] = {
    "no such pace": {"pace": {"type": 21, "value": "warp"}},
    "no such limit": {"limit": {"type": 3, "values": ["1"]}},
    "two limits": {"limit": {"type": 3, "values": ["60", "300"]}},
    "no such level": {"level": {"type": 3, "values": ["7"]}},
    "no level at all": {"level": {"type": 3, "values": ["x"]}},
    "no such option": {"game-nonsense": {"type": 21, "value": "full"}},
    "no such field": {"window_ms": {"type": 4, "value": "9"}},
    "a number": {"pace": {"type": 21, "value": 17}},
    "no list": {"switches": {"type": 22, "values": "late"}},
    "many": {"switches": {"type": 22, "values": ["late"] * 26}},
}


@pytest.mark.parametrize("what", FORGED)
async def test_a_forged_form_of_options_changes_nothing(club: Club, what: str) -> None:
    await club.open(club.anna, club.bruno, start=False)
    before = club.table()
    components = [{"type": 18, "component": {"custom_id": k, **v}} for k, v in FORGED[what].items()]
    answer = await submitted(club, club.anna, lambda data: data.update(components=components))
    assert club.refusal(Why.BUTTON_DEAD) in private_text(answer)
    assert club.table() == before


async def test_what_is_the_hosts_is_refused_to_others_who_forge_it(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    before = club.table()
    components = [{"type": 18, "component": {"custom_id": "pace", "type": 21, "value": "fast"}}]
    answer = await submitted(club, club.anna, lambda data: data.update(components=components), by=club.bruno)
    assert club.refusal(Why.HOST_ONLY) in private_text(answer)
    assert "**anna**" in private_text(answer)
    assert club.table() == before


ODD_ARGS = [
    "",
    "host",
    "host.en",
    "host.en.22",
    "host.en.999999",
    "host.en.9999999",
    "host.en.a11111",
    "host.en.a111111",
]


@pytest.mark.parametrize("arg", ODD_ARGS)
async def test_a_form_of_another_version_of_this_program_is_refused(club: Club, arg: str) -> None:
    await club.open(club.anna, club.bruno, start=False)
    before = club.table()
    named = custom_id(Verb.OPTIONS, before.id, 0, arg)
    answer = await submitted(club, club.anna, lambda data: data.update(custom_id=named))
    assert club.refusal(Why.BUTTON_DEAD) in private_text(answer)
    assert club.table() == before


async def submitted(
    club: Club, person: MemberActor, change: Callable[[Any], None], by: MemberActor | None = None
) -> InteractionResult:
    """*person* opens the form of options and submits it, of which a forged client makes what *change* does to it; the
    form is sent *by* somebody else."""
    asked = await club.press(person, club.table_message(), Verb.OPTIONS)
    async with held_back(club) as waiting:
        answer = await person.submit_modal(asked, filled(asked.modal))
    change(waiting[0]["data"])
    if by is not None:
        waiting[0]["member"]["user"] |= {"id": str(by.id), "username": by.name, "global_name": by.name}
    await replay(club, waiting)
    await club.env.settle()
    return answer


async def test_options_from_before_the_lobby_moved_leave_one_lobby(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    asked = await club.press(club.anna, club.table_message(), Verb.OPTIONS)
    await club.bruno.slash(club.channel, "table show")
    old, new = club.messages()
    answer = await club.anna.submit_modal(asked, filled(asked.modal, pace="fast"))
    assert "Your options are set." in private_text(answer)
    assert Verb.START not in verbs(club.as_it_is(old))
    assert EN("Pace: {name}", name="Fast") in text_of(club.as_it_is(new))


async def test_cancel_is_the_hosts(club: Club) -> None:
    await club.open(club.anna, club.bruno, start=False)
    menu = await club.press(club.bruno, club.table_message(), Verb.MENU)
    assert Verb.CANCEL not in verbs(menu.response)
    forged = await forge(club, club.bruno, custom_id(Verb.CANCEL, club.table().id), club.table_message())
    assert club.refusal(Why.HOST_ONLY) in private_text(forged)
    assert "is closed" in private_text(await club.in_menu(club.anna, Verb.CANCEL))
    assert not club.running
    assert "closed by **anna**" in text_of(club.messages()[-1])
    await club.anna.slash(club.channel, "play", game=club.case.game)
    assert club.running
