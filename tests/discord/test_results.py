"""/profile: what is counted of whom, and who is rated."""

from pathlib import Path

import discord
import pytest
from simcord.actors import MemberActor

from bot.ui import profile as present
from bot.ui.components import NO_TABLE
from bot.ui.custom_ids import NO, YES, Verb, custom_id
from bot.ui.registry import PRESENTERS
from tests.controls import components
from tests.discord.forged import forge
from tests.discord.messages import gallery, reply, text_of
from tests.discord.play import Club
from tests.discord.world import EN
from tests.rows import count, execute


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The database of the club."""
    return tmp_path / "tables.sqlite3"


async def counted(club: Club) -> None:
    """Every game that is over has been counted."""
    await club.bot._counting.finish()


async def profile(club: Club, person: MemberActor) -> discord.Message:
    """What *person* gets who types /profile."""
    return reply(await person.slash(club.channel, "profile"))


async def rate(club: Club, *people: MemberActor, answer: str = YES) -> discord.Message:
    """Each of *people* answers whether they want a rating; the last one's profile."""
    for person in people:
        message = reply(await club.press(person, await profile(club, person), Verb.RATE, answer))
    return message


async def played(club: Club, *people: MemberActor, games: int = 1) -> None:
    """So many whole games of *people*, counted."""
    for _ in range(games):
        await club.open(*people)
        await club.finish()
    await counted(club)


# The profile


async def test_what_one_has_done_stands_there_and_nothing_of_others(club: Club) -> None:
    await played(club, club.anna, club.bruno)
    found = [text_of(await profile(club, person)) for person in (club.anna, club.bruno)]
    for text in found:
        assert EN.plural("{n} game", "{n} games", 1) in text
        assert [label for label in club.presenter.count_labels.values() if EN(label) not in text] == []
    assert sum(EN.plural("{n} won", "{n} won", 1) in text for text in found) >= 1
    assert "/play" in text_of(await profile(club, club.carla))


async def test_the_game_of_the_table_here_is_shown_and_others_can_be_chosen(club: Club, path: Path) -> None:
    """As if somebody had played every game there is."""
    await played(club, club.anna, club.bruno)
    others = [game for game in PRESENTERS if game != club.case.game]
    if not others:
        pytest.skip("there is no other game")
    for number, game in enumerate(others, start=7):
        execute(path, f"INSERT INTO totals VALUES ({club.anna.id}, '{game}', 'games', {number})")
    message = await profile(club, club.anna)
    assert EN.plural("{n} game", "{n} games", 6 + len(others)) in text_of(message)
    answer = await club.choose(club.anna, message, Verb.PROFILE, club.case.game)
    assert reply(answer).id == message.id
    assert EN.plural("{n} game", "{n} games", 1) in text_of(reply(answer))
    await club.open(club.anna, start=False)
    assert EN.plural("{n} game", "{n} games", 1) in text_of(await profile(club, club.anna))


# A rating, by consent


async def test_it_is_asked_once_and_says_what_it_means(club: Club) -> None:
    text = text_of(await profile(club, club.anna))
    assert [line for line in present.RATING_EXPLANATION if EN(line) not in text] == []
    for answer, other in ((NO, present.ASK), (YES, present.STOP)):
        shown = reply(
            await forge(club, club.anna, custom_id(Verb.RATE, NO_TABLE, arg=answer), await profile(club, club.anna))
        )
        assert EN("**Do you want a rating?**") not in text_of(shown)
        again = await profile(club, club.anna)
        assert EN("**Do you want a rating?**") not in text_of(again)
        assert [it for it in components(again) if str(it.get("custom_id", "")).endswith(f"/{other}")]


async def test_who_said_no_can_ask_what_it_means_and_say_yes(club: Club) -> None:
    message = await rate(club, club.anna, answer=NO)
    asked = reply(await club.press(club.anna, message, Verb.RATE, present.ASK))
    assert EN(present.RATING_EXPLANATION[0]) in text_of(asked)
    assert club.bot.people.preferences(club.anna.id).rated is False
    await club.press(club.anna, asked, Verb.RATE, YES)
    assert club.bot.people.preferences(club.anna.id).rated is True
    await club.restart()
    assert club.bot.people.preferences(club.anna.id).rated is True


async def test_a_game_is_rated_between_those_who_said_yes_before_start(club: Club, path: Path) -> None:
    await rate(club, club.anna, club.bruno)
    await club.open(club.anna, club.bruno, start=False)
    line = EN("Counts for the ratings of {names}.", names=EN.list_and(["**anna**", "**bruno**"]))
    assert line in text_of(club.table_message())
    await club.press(club.anna, club.table_message(), Verb.START)
    assert line not in text_of(club.table_message())
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    assert line in text_of(reply(menu))
    warned = EN("It counts for your rating: leaving means coming last.")
    assert warned in text_of(reply(await club.press(club.anna, reply(menu), Verb.LEAVE)))
    menu = await club.press(club.anna, club.table_message(), Verb.MENU)
    assert warned in text_of(reply(await club.press(club.anna, reply(menu), Verb.END)))
    await club.finish()
    await counted(club)
    assert count(path, "ratings") == 2
    assert "after 1 game." in text_of(await profile(club, club.anna))


async def test_who_wants_none_any_more_is_asked_and_then_nothing_is_left_of_it(club: Club, path: Path) -> None:
    await rate(club, club.anna, club.bruno)
    await played(club, club.anna, club.bruno, games=2)
    await club.open(club.anna, club.bruno)
    message = await profile(club, club.anna)
    asked = reply(await club.press(club.anna, message, Verb.RATE, present.STOP))
    assert count(path, "ratings") == 2
    kept = reply(await club.press(club.anna, asked, Verb.PROFILE))
    assert "after 2 games." in text_of(kept)
    asked = reply(await club.press(club.anna, kept, Verb.RATE, present.STOP))
    gone = reply(await club.press(club.anna, asked, Verb.RATE, present.STOP_FOR_SURE))
    assert EN("I want a rating") in text_of(gone)
    assert count(path, f"rating_steps WHERE user_id = {club.anna.id}") == 0
    await club.finish()  # the game that ran meanwhile
    await counted(club)
    assert count(path, "ratings") == 1
    assert count(path, "rating_steps WHERE user_id > 0") == 2


async def test_the_course_of_a_rating_is_drawn_and_said(club: Club) -> None:
    await rate(club, club.anna, club.bruno)
    await played(club, club.anna, club.bruno, games=2)
    assert gallery(await profile(club, club.anna)) == []
    await played(club, club.anna, club.bruno)
    message = await profile(club, club.anna)
    (picture,) = gallery(message)
    assert "over your last 3 games" in picture["description"]
    assert message.attachments
