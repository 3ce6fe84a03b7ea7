"""Four people, four languages: what everybody reads is in the server's language, what one person reads in theirs."""

import discord
import pytest
from simcord.actors import MemberActor

from bot.custom_ids import Verb
from bot.present.presenter import FIRST_STEP
from bot.present.registry import PRESENTERS
from tests.controls import components
from tests.discord.play import Club, presses, text_of

TEACHER = next(presenter for presenter in PRESENTERS.values() if presenter.lesson)


def manager(club: Club) -> MemberActor:
    """Somebody who manages the server."""
    role = club.guild.create_role("Boss", permissions=discord.Permissions(manage_guild=True))
    return club.guild.add_member(club.env.create_user("boss"), roles=[role])


async def test_tables_speak_what_moderators_chose(club: Club) -> None:
    club = club
    await club.open(club.anna, club.bruno)
    assert "Rules" in text_of(club.table_message())
    boss = manager(club)
    await boss.slash(club.channel, "language", language="de")
    assert "Regeln" in text_of(club.table_message())
    await club.restart()
    assert "Regeln" in text_of(club.table_message())
    await boss.slash(club.channel, "language", language="server")
    assert "Rules" in text_of(club.table_message())


async def test_a_new_table_speaks_it_too_and_hands_stay_in_their_owners_language(club: Club) -> None:
    await manager(club).slash(club.channel, "language", language="it")
    await club.open(club.anna, club.bruno)
    assert "Regole" in text_of(club.table_message())
    assert "It is" in text_of(club.hand(club.anna))


async def test_only_who_manages_the_server_is_offered_the_command(club: Club) -> None:
    (command,) = [c for c in club.bot.tree.get_commands() if c.name == "language"]
    assert command.default_permissions == discord.Permissions(manage_guild=True)
    assert command.guild_only


async def test_the_guided_round_leads_from_step_to_step(club: Club) -> None:
    answer = await club.anna.slash(club.channel, "learn")
    assert answer.ephemeral
    seen = {FIRST_STEP}
    waiting = [FIRST_STEP]
    while waiting:
        step = waiting.pop()
        for choice in TEACHER.lesson[step].choices:
            if choice.to not in seen:
                seen.add(choice.to)
                waiting.append(choice.to)
    assert seen == set(TEACHER.lesson), "every step is reached"
    message = answer.response.message
    for _ in range(len(seen)):
        before = text_of(message)
        custom_id, _ = [press for press in presses(message) if press[1].verb is Verb.LEARN][-1]
        await club.anna.click(message, custom_id=custom_id)
        message = next(m for m in club.channel.history(viewer=club.anna) if m.id == message.id)
        assert text_of(message) != before
        assert len([c for c in components(message) if c["type"] == 12]) == 1


async def test_a_forged_step_of_the_lesson_leaves_the_table_alone(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    before = text_of(club.table_message())
    answer = await club.forge(club.carla, f"17/learn/a/0/{TEACHER.game}.{FIRST_STEP}", club.table_message())
    assert answer.ephemeral
    assert text_of(club.table_message()) == before


async def test_why_not_is_one_click_away(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    first = club.on_turn()
    await club.lay(first)
    answer = await club.press(first, club.table_message(), Verb.CALL)
    assert "cannot call" in text_of(answer.response)
    rules = await club.press(first, answer.response.message, Verb.RULES)
    assert "Calling 17!" in text_of(rules.response)


async def test_the_rules_open_at_the_page_that_matters_now(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    assert "· Your turn" in text_of((await club.press(club.anna, club.table_message(), Verb.RULES)).response)
    await club.lay(club.on_turn(), face="down")
    other = next(person for person in (club.anna, club.bruno) if person is not club.on_turn())
    assert "· Calling 17!" in text_of((await club.press(other, club.table_message(), Verb.RULES)).response)
    await club.call(club.on_turn())
    assert "· The end of a round" in text_of((await club.press(other, club.table_message(), Verb.RULES)).response)


@pytest.mark.parametrize("game", sorted(PRESENTERS))
def test_every_page_that_explains_a_refusal_is_there(game: str) -> None:
    pages = {topic.key for topic in PRESENTERS[game].topics}
    assert set(PRESENTERS[game].pages_for.values()) <= pages
