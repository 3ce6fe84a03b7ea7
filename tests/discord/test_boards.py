"""/leaderboard: off until a moderator switches it on; who is in it, and who is not. Clicks that are made up."""

from pathlib import Path

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.i18n import LOCALES, words
from bot.tables.errors import Why
from bot.tables.limits import POST_PAUSE_MS
from bot.ui.components import NO_TABLE
from bot.ui.custom_ids import NO, YES, Verb, custom_id
from bot.ui.replies import REFUSALS
from tests.controls import components
from tests.discord.forged import forge
from tests.discord.messages import private_text, reply, text_of
from tests.discord.play import Club
from tests.discord.test_languages import manager
from tests.discord.test_results import played, profile, rate
from tests.discord.world import EN
from tests.games import ANY
from tests.rows import count, execute

pytestmark = pytest.mark.about(ANY)  # all games are alike here


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The database of the club."""
    return tmp_path / "tables.sqlite3"


async def board(club: Club, person: MemberActor, **options: str) -> InteractionResult:
    """What *person* gets who types /leaderboard, some time after the last one was shown."""
    await club.clock.advance(POST_PAUSE_MS)
    return await person.slash(club.channel, "leaderboard", **{"game": club.case.game, **options})


async def switch_on(club: Club) -> MemberActor:
    """A manager switches the leaderboards on."""
    boss = manager(club)
    answer = await club.press(boss, reply(await board(club, boss)), Verb.BOARDS, YES)
    assert EN("Switch them off") in private_text(answer)
    return boss


def certain(path: Path) -> None:
    """Everybody who has a rating has a certain one."""
    execute(path, "UPDATE ratings SET sigma = 1.5, games = 40")


async def test_they_are_off_until_a_manager_switches_them_on(club: Club) -> None:
    off = EN("Leaderboards are off on this server.")
    no = reply(await board(club, club.anna))
    assert no.flags.ephemeral
    assert off in text_of(no)
    assert not [it for it in components(no) if it.get("custom_id")]
    boss = manager(club)
    asked = reply(await board(club, boss))
    assert asked.flags.ephemeral
    await club.press(boss, asked, Verb.BOARDS, YES)
    await club.restart()
    answer = reply(await board(club, club.anna))
    assert not answer.flags.ephemeral
    assert EN("Nobody is on it yet.") in text_of(answer)
    shown = await board(club, boss)
    assert shown.followups[-1].message.flags.ephemeral
    await club.press(boss, shown.followups[-1].message, Verb.BOARDS, NO)
    assert off in text_of(reply(await board(club, club.anna)))


async def test_a_channel_is_not_flooded_with_leaderboards(club: Club) -> None:
    """Whoever asks again at once reads it alone."""
    await switch_on(club)
    first = reply(await board(club, club.anna))
    assert not first.flags.ephemeral
    again = reply(await club.bruno.slash(club.channel, "leaderboard", game=club.case.game))
    assert again.flags.ephemeral
    assert text_of(again) == text_of(first)
    elsewhere = await club.bruno.slash(club.guild.create_text_channel("other"), "leaderboard", game=club.case.game)
    assert not reply(elsewhere).flags.ephemeral
    assert not reply(await board(club, club.bruno)).flags.ephemeral


async def test_it_shows_who_is_certain_best_first_with_points_and_games(club: Club, path: Path) -> None:
    await switch_on(club)
    await rate(club, club.anna, club.bruno)
    await played(club, club.anna, club.bruno)
    empty = text_of(reply(await board(club, club.anna)))
    assert "anna" not in empty
    assert "bruno" not in empty
    certain(path)
    execute(path, f"UPDATE ratings SET mu = 40 WHERE user_id = {club.bruno.id}")
    for locale in LOCALES:
        await club.bot.servers.change_settings(club.guild.id, locale=locale)
        await club.bot.changes.apply_changed_settings_and_bans(club.guild.id)
        lines = text_of(reply(await board(club, club.carla))).splitlines()
        games = words(locale).plural("{n} game", "{n} games", 40)
        assert lines[1].startswith("🥇 **bruno** · **")
        assert lines[2].startswith("🥈 **anna** · **")
        assert all(line.endswith(f"** · {games}") for line in lines[1:3])
    answer = await board(club, club.carla)
    assert answer.followups == []
    assert reply(answer).mentions == []


async def test_it_shows_the_name_they_go_by_here_and_a_profile_the_one_they_were_met_by(club: Club, path: Path) -> None:
    await switch_on(club)
    await rate(club, club.anna, club.bruno)
    await played(club, club.anna, club.bruno, games=3)
    certain(path)
    newest = "SELECT max(table_id) FROM records"
    execute(path, f"UPDATE records SET guild_id = 5, ended_at = ended_at + 1 WHERE table_id = ({newest})")
    execute(path, f"UPDATE record_people SET name = 'Anna Private' WHERE table_id = ({newest})")
    execute(path, f"DELETE FROM record_people WHERE user_id = {club.bruno.id} AND table_id = ({newest})")
    for text in (text_of(reply(await board(club, club.bruno))), text_of(await profile(club, club.bruno))):
        assert "**anna**" in text
        assert "Anna Private" not in text


async def test_who_is_hidden_wants_none_or_has_played_elsewhere_is_not_in_it(club: Club, path: Path) -> None:
    await switch_on(club)
    await rate(club, club.anna, club.bruno)
    await played(club, club.anna, club.bruno)
    certain(path)

    async def shown() -> list[str]:
        text = text_of(reply(await board(club, club.carla)))
        return [name for name in ("anna", "bruno") if f"**{name}**" in text]

    assert await shown() == ["anna", "bruno"]
    await club.bot.people.change(club.anna.id, lambda it: it._replace(hidden=True))
    assert await shown() == ["bruno"]
    await club.bot.people.change(club.anna.id, lambda it: it._replace(hidden=False))
    execute(path, f"UPDATE rating_steps SET guild_id = 5 WHERE user_id = {club.bruno.id}")
    assert await shown() == ["anna"]
    await club.bot.people.change(club.anna.id, lambda it: it._replace(rated=False))
    assert await shown() == []


async def test_only_the_best_are_listed_and_ones_own_place_further_down(club: Club, path: Path) -> None:
    await switch_on(club)
    await rate(club, club.anna, club.bruno)
    await played(club, club.anna, club.bruno)
    certain(path)
    for user in range(1, 31):
        game = club.case.game
        execute(
            path,
            f"INSERT INTO ratings VALUES ({user}, '{game}', {60 - user}, 1.5, 40)",
            f"INSERT INTO rating_steps VALUES ({user}, 'x', {club.guild.id}, '{game}', 1, 1, 25, 3)",
            "INSERT INTO preferences (user_id, hand, telling, passes, rated) "
            f"VALUES ({user}, 'dm', 'turn', 'no', 'yes')",
        )
    execute(path, f"UPDATE ratings SET mu = 1 WHERE user_id = {club.anna.id}")
    lines = text_of(reply(await board(club, club.anna))).splitlines()
    assert lines[20].startswith("20. ")
    assert lines[21] == "…"
    assert lines[22].startswith("32. **anna** · **")
    assert "anna" not in text_of(reply(await board(club, club.carla)))


# What no honest client does


async def test_made_up_clicks_change_nothing(club: Club, path: Path) -> None:
    await club.open(club.anna, club.bruno)
    public, before = club.table_message(), text_of(club.table_message())
    dead, managers = EN(REFUSALS[Why.BUTTON_DEAD]), EN(REFUSALS[Why.MANAGERS_ONLY])
    for arg in ("", "x", "YES", "on"):
        assert dead in private_text(await forge(club, club.anna, custom_id(Verb.RATE, NO_TABLE, arg=arg), public))
        boss = manager(club)
        assert dead in private_text(await forge(club, boss, custom_id(Verb.BOARDS, NO_TABLE, arg=arg), public))
    for values in (["xx"], ["a", "b"], [""]):
        answer = await forge(club, club.anna, custom_id(Verb.PROFILE, NO_TABLE), public, values)
        assert dead in private_text(answer) or EN("### My profile") in private_text(answer)
    for arg in (YES, NO):
        assert managers in private_text(await forge(club, club.anna, custom_id(Verb.BOARDS, NO_TABLE, arg=arg), public))
    hand = club.hand(club.anna)
    assert EN(REFUSALS[Why.NOT_A_SERVER]) in private_text(
        await forge(club, club.anna, custom_id(Verb.BOARDS, NO_TABLE, arg=YES), hand)
    )
    assert count(path, "guilds") == count(path, "preferences") == 0
    assert text_of(club.table_message()) == before
