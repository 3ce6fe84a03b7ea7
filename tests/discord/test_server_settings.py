"""/settings: what is chosen for a server, by whom, and that everything takes effect."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.i18n import LOCALES, words
from bot.permissions import NEEDS
from bot.store.records import DAY_MS
from bot.tables.errors import Refusal, Why
from bot.tables.limits import Limits
from bot.tables.options import TURN_SECONDS, Pace
from bot.tables.preferences import MOST_DAYS, MOST_PLACES, MOST_TABLES, GuildSettings
from bot.ui.components import NO_TABLE
from bot.ui.custom_ids import Verb, custom_id
from bot.ui.profile import NOT_COUNTED
from bot.ui.replies import REFUSALS
from bot.ui.server_settings import CHANGES, changed_settings_from_form, server_settings_sheet
from local_discord.components import walk
from tests.discord.forged import forge, on_screen
from tests.discord.held import held_back, replay
from tests.discord.messages import presses, private_text, reply, text_of
from tests.discord.play import Club
from tests.discord.test_languages import manager
from tests.discord.test_me import marked
from tests.discord.test_results import played, profile, rate
from tests.discord.world import EN
from tests.games import ANY
from tests.rows import count, execute

pytestmark = pytest.mark.about(ANY)  # all games are alike here


async def settings(club: Club, boss: MemberActor) -> discord.Message:
    """The message that *boss* gets who types /settings."""
    return reply(await boss.slash(club.channel, "settings"))


async def choose(club: Club, boss: MemberActor, **choices: Any) -> InteractionResult:
    """*boss* chooses all of *choices*, one after the other: a value of a list, or channels or roles."""
    message = await settings(club, boss)
    for name, value in choices.items():
        chosen = [value] if isinstance(value, str) else value
        answer = await boss.select(message, chosen, custom_id=custom_id(Verb.SETTING, NO_TABLE, 0, name))
    return answer


async def numbers(club: Club, boss: MemberActor, tables: str, days: str) -> InteractionResult:
    """*boss* writes these into the form for numbers."""
    asked = await club.press(boss, await settings(club, boss), Verb.NUMBERS)
    return await boss.submit_modal(asked, {"tables": tables, "days": days})


async def now(club: Club) -> GuildSettings:
    """What is stored."""
    return (await club.bot.store.load_guild_settings_and_bans(club.guild.id)).settings


def defaults(club: Club, message: discord.Message, name: str) -> Sequence[str]:
    """The ids that are marked in the list *name* of channels or roles."""
    stored = club.env.backend.get_message(message.channel.id, message.id)
    (found,) = [c for c in walk(stored.components) if str(c.get("custom_id", "")).endswith(f"/{name}")]
    return [it["id"] for it in found["default_values"]]


def first_values() -> dict[str, str]:
    """What the lists show where nothing is chosen."""
    return {
        "locale": "server",
        "pace": "normal",
        "limit": "usual",
        "late": "yes",
        "hints": "no",
        "threads": "no",
        "statistics": "counted",
    }


# The message


async def test_every_choice_is_shown_and_holds_after_a_restart(club: Club) -> None:
    boss = manager(club)
    for name, values in CHANGES.items():
        for value in reversed(list(values)):
            answer = await choose(club, boss, **{name: value})
            assert marked(reply(answer))[name] == value
    role = club.guild.create_role("Players")
    chosen = {name: list(values)[-1] for name, values in CHANGES.items()}
    await choose(club, boss, **chosen, channels=[club.channel], roles=[role])
    await numbers(club, boss, "7", "30")
    await club.restart()
    message = await settings(club, boss)
    assert marked(message) == chosen
    assert defaults(club, message, "channels") == [str(club.channel.id)]
    assert defaults(club, message, "roles") == [str(role.id)]
    assert EN("**Tables at a time**: {n}", n=7) in text_of(message)
    await choose(club, boss, **first_values(), channels=[], roles=[])
    await numbers(club, boss, "0", "")
    assert await now(club) == GuildSettings(pace=Pace.NORMAL)


@pytest.mark.parametrize("locale", LOCALES)
def test_it_keeps_discords_limits_in_every_language(locale: str) -> None:
    ids = tuple(range(1 << 59, (1 << 59) + MOST_PLACES))
    full = GuildSettings("de", ids, ids, Pace.OFF, TURN_SECONDS[-1], False, MOST_TABLES, True, True, True, MOST_DAYS)
    for chosen in (GuildSettings(), full):
        sheet = server_settings_sheet(chosen, MOST_TABLES, MOST_DAYS, words(locale))
        assert not sheet.cut
        for component in walk(sheet.payload):
            assert len(component.get("placeholder", "")) <= 150
            assert all(len(option["label"]) <= 60 for option in component.get("options", []))


# Who may


async def test_only_who_manages_the_server_may(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = [c for c in club.bot.tree.get_commands() if c.name == "settings"]
    assert command.default_permissions == discord.Permissions(manage_guild=True)
    assert command.allowed_contexts is not None and command.allowed_contexts.to_array() == [0]
    message = await settings(club, manager(club))
    refused = EN(REFUSALS[Why.MANAGERS_ONLY])
    for control in [id_ for id_, _ in presses(message)]:
        for values in (None, ["de"]):
            await club.open(club.anna, start=False)
            public = club.table_message()
            assert refused in private_text(await forge(club, club.anna, control, public, values))
            await club.in_menu(club.anna, Verb.CANCEL)
            await club.clock.advance(600_000)
    monkeypatch.setattr(command, "default_permissions", None)  # every bot of this process has the same commands
    await club.bot.tree.sync()
    assert refused in private_text(await club.anna.slash(club.channel, "settings"))
    assert await now(club) == GuildSettings()


@pytest.mark.parametrize(
    ("arg", "values"),
    [
        ("locale", ["xx"]),
        ("locale", ["de", "it"]),
        ("pace", ["quick"]),
        ("limit", ["1"]),
        ("nonsense", ["yes"]),
        ("", ["yes"]),
        ("channels", ["5"]),
        ("channels", ["x"]),
        ("roles", ["9" * 40]),
        ("roles", [str(n) for n in range(1, 26)]),
    ],
)
async def test_a_choice_that_no_list_has_changes_nothing(club: Club, arg: str, values: list[str]) -> None:
    boss = manager(club)
    message = await settings(club, boss)
    answer = await forge(club, boss, custom_id(Verb.SETTING, NO_TABLE, 0, arg), message, values)
    assert EN(REFUSALS[Why.BUTTON_DEAD]) in private_text(answer)
    assert await now(club) == GuildSettings()


@pytest.mark.parametrize(
    ("tables", "days", "wrong", "most"),
    [
        ("51", "0", "51", Limits().tables_per_server),
        ("-1", "0", "-1", Limits().tables_per_server),
        ("1.5", "0", "1.5", Limits().tables_per_server),
        ("five", "0", "five", Limits().tables_per_server),
        ("٣", "0", "٣", Limits().tables_per_server),
        ("5", "99999", "99999", MOST_DAYS),
    ],
)
async def test_a_number_that_does_not_fit_is_said_and_nothing_is_lost(
    club: Club, tables: str, days: str, wrong: str, most: int
) -> None:
    boss = manager(club)
    await numbers(club, boss, "9", "90")
    answer = await numbers(club, boss, tables, days)
    sentence = text_of(reply(answer))
    assert wrong in sentence.replace("\\", "")
    assert str(most) in sentence
    assert ((await now(club)).tables, (await now(club)).records_days) == (9, 90)


async def test_a_form_that_a_phone_remembers_writes_no_old_numbers_over_new_ones(club: Club) -> None:
    """Phones show a form with a known custom_id as they showed it first:
    https://github.com/discord/discord-api-docs/issues/7554"""
    boss = manager(club)
    first = await club.press(boss, await settings(club, boss), Verb.NUMBERS)
    await numbers(club, boss, "9", "90")
    second = await club.press(boss, await settings(club, boss), Verb.NUMBERS)
    assert first.modal is not None
    assert second.modal is not None
    assert first.modal["custom_id"] != second.modal["custom_id"], "so it is another form"
    await boss.submit_modal(second, {"tables": "7", "days": "90"})
    assert ((await now(club)).tables, (await now(club)).records_days) == (7, 90)
    await boss.submit_modal(first, {"tables": "0", "days": "30"})
    assert ((await now(club)).tables, (await now(club)).records_days) == (7, 30), "what was not changed is not written"


def test_a_number_above_what_the_host_allows_since_need_not_be_touched() -> None:
    assert changed_settings_from_form("500.0.en", ["500", "30"], 50, 0) == {"records_days": 30}
    assert changed_settings_from_form("500.0.en", [" 50 ", ""], 50, 0) == {"tables": 50}
    with pytest.raises(Refusal):
        changed_settings_from_form("500.0.en", ["400", "0"], 50, 0)


# What follows


async def test_it_agrees_with_language(club: Club) -> None:
    boss = manager(club)
    await club.open(club.anna, club.bruno)
    await choose(club, boss, locale="it")
    assert words("it")("Rules") in text_of(club.table_message())
    await boss.slash(club.channel, "language", language="de")
    assert marked(await settings(club, boss))["locale"] == "de"
    assert words("de")("Rules") in text_of(club.table_message())
    await choose(club, boss, locale="server")
    assert EN("Rules") in text_of(club.table_message())


async def test_new_tables_have_its_pace_and_clock_and_the_host_can_change_them(club: Club) -> None:
    boss = manager(club)
    await choose(club, boss, pace="slow", limit="60", late="no", hints="yes")
    await club.open(club.anna, start=False)
    options = club.table().options
    assert (options.pace, options.turn_seconds, options.late, options.hints) == (Pace.SLOW, 60, False, True)
    await club.set_options(club.anna, pace="fast", switches=["late"])
    options = club.table().options
    assert (options.pace, options.turn_seconds, options.late) == (Pace.FAST, 60, True)


async def test_tables_are_opened_only_where_that_is_allowed(club: Club) -> None:
    boss, other = manager(club), club.guild.create_text_channel("games")
    await choose(club, boss, channels=[other])
    no = private_text(await club.anna.slash(club.channel, "play", game=club.case.game))
    assert f"<#{other.id}>" in no
    assert EN(REFUSALS[Why.OTHER_CHANNELS], channels=f"<#{other.id}>") in no
    assert not club.running
    await club.anna.slash(other, "play", game=club.case.game)
    assert club.table(other).host == club.anna.id


async def test_a_channel_stands_for_its_threads_and_a_category_for_its_channels(club: Club) -> None:
    boss = manager(club)
    await choose(club, boss, channels=[club.channel])
    thread = club.thread()
    await club.anna.slash(thread, "play", game=club.case.game)
    assert club.table(thread).live
    category = club.guild.create_category("Games")
    inside = club.guild.create_text_channel("inside", category=category)
    await choose(club, boss, channels=[category])
    await club.bruno.slash(inside, "play", game=club.case.game)
    assert club.table(inside).live
    assert f"<#{category.id}>" in private_text(await club.carla.slash(club.channel, "play", game=club.case.game))


async def test_tables_are_opened_only_by_those_who_may(club: Club) -> None:
    boss, role = manager(club), club.guild.create_role("Players")
    dora = club.guild.add_member(club.env.create_user("dora"), roles=[role])
    await choose(club, boss, roles=[role])
    no = private_text(await club.anna.slash(club.channel, "play", game=club.case.game))
    assert EN(REFUSALS[Why.OTHER_ROLES], roles=f"<@&{role.id}>") in no
    await dora.slash(club.channel, "play", game=club.case.game)
    assert club.running
    await club.press(club.anna, club.table_message(), Verb.JOIN)
    assert club.table().seat_of(club.anna.id) is not None, "everybody may join"


async def test_a_rematch_is_opening_a_table_as_well(club: Club) -> None:
    """Also from the hand, in a direct message, where Discord says nothing of roles."""
    boss, other, role = manager(club), club.guild.create_text_channel("games"), club.guild.create_role("Players")
    dora = club.guild.add_member(club.env.create_user("dora"), roles=[role])
    club.people.append(dora)
    await club.open(club.anna, dora)
    await club.finish()
    await choose(club, boss, channels=[other])
    for message in (club.table_message(), club.hand(club.anna)):
        assert f"<#{other.id}>" in private_text(await club.press(club.anna, message, Verb.REMATCH))
    await choose(club, boss, channels=[], roles=[role])
    for message in (club.table_message(), club.hand(club.anna)):
        assert f"<@&{role.id}>" in private_text(await club.press(club.anna, message, Verb.REMATCH))
    assert not club.running
    await club.press(dora, club.hand(dora), Verb.REMATCH)
    assert club.table().host == dora.id


@pytest.mark.parametrize("unavailable", [True, False])
async def test_what_is_not_known_of_a_server_is_not_taken_for_deleted(club: Club, unavailable: bool) -> None:
    """As while Discord has an outage, and where a server has the commands without the bot."""
    boss = manager(club)
    await choose(club, boss, channels=[club.channel])
    async with held_back(club) as waiting:
        await boss.slash(club.channel, "settings")
    (data,) = waiting
    data["guild"] = {"id": str(club.guild.id), "locale": "en-US", "features": []}
    connection = club.bot._connection
    known = connection._guilds.pop(club.guild.id)
    if unavailable:
        connection._add_guild_from_data({"id": str(club.guild.id), "unavailable": True})  # type: ignore[typeddict-item]
    start = len(club.env.http_requests)
    await replay(club, waiting)
    connection._guilds[club.guild.id] = known
    (answer,) = [r for r in club.env.http_requests[start:] if r.path.endswith("/callback")]
    assert str(club.channel.id) in str(answer.json["data"]["components"])


async def test_there_is_one_board_of_the_day(club: Club) -> None:
    boss, other = manager(club), club.guild.create_text_channel("results")
    message = await settings(club, boss)
    forged = {"type": 8, "custom_id": custom_id(Verb.SETTING, NO_TABLE, 0, "daily"), "max_values": 2}
    with on_screen(club, message, [{"type": 1, "components": [forged]}]):
        answer = await boss.select(message, [club.channel, other], custom_id=forged["custom_id"])
    assert EN(REFUSALS[Why.BUTTON_DEAD]) in private_text(answer)
    assert (await now(club)).daily == 0


async def test_a_board_of_the_day_is_refused_where_the_bot_may_not_write(club: Club) -> None:
    boss = manager(club)
    denied = discord.PermissionOverwrite(send_messages=False)
    closed = club.guild.create_text_channel("closed", overwrites={club.guild.default_role: denied})
    assert f"**{NEEDS['send_messages'].name}**" in private_text(await choose(club, boss, daily=[closed]))
    assert (await now(club)).daily == 0
    await choose(club, boss, daily=[club.channel])
    assert (await now(club)).daily == club.channel.id


@pytest.mark.parametrize("server_too", [True, False])
async def test_a_board_of_the_day_may_be_where_the_bot_knows_nothing(club: Club, server_too: bool) -> None:
    """As long as Discord has not told it of the channel, or has an outage."""
    boss, other = manager(club), club.guild.create_text_channel("results")
    message = await settings(club, boss)
    async with held_back(club) as waiting:
        await boss.select(message, [other], custom_id=custom_id(Verb.SETTING, NO_TABLE, 0, "daily"))
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    del guild._channels[other.id]
    if server_too:
        del club.bot._connection._guilds[club.guild.id]
    await replay(club, waiting)
    club.bot._connection._guilds[club.guild.id] = guild
    assert (await now(club)).daily == other.id


async def test_with_statistics_off_nothing_is_counted_and_people_read_that(club: Club, tmp_path: Path) -> None:
    path, boss = tmp_path / "tables.sqlite3", manager(club)
    await rate(club, club.anna, club.bruno)
    await choose(club, boss, statistics="none")
    await club.open(club.anna, club.bruno, start=False)
    assert EN(NOT_COUNTED) in text_of(club.table_message())
    assert "Counts for the ratings" not in text_of(club.table_message())
    await club.in_menu(club.anna, Verb.CANCEL)
    await played(club, club.anna, club.bruno, games=2)
    assert count(path, "totals") == count(path, "rating_steps") == count(path, "ratings") == 0
    assert count(path, "records") == 2
    shown = text_of(await profile(club, club.anna))
    assert EN(NOT_COUNTED) in shown
    assert "bruno" not in shown
    assert EN(NOT_COUNTED) in private_text(await club.anna.slash(club.channel, "leaderboard"))
    await choose(club, boss, statistics="boards")
    await played(club, club.anna, club.bruno)
    shown = text_of(await profile(club, club.anna))
    assert EN(NOT_COUNTED) not in shown
    assert "bruno" not in shown, "they have played one game together that counts"
    assert count(path, "rating_steps") == 2


async def test_what_holds_for_a_game_is_settled_when_its_table_is_opened(club: Club, tmp_path: Path) -> None:
    """So nobody can have a game not count that they are about to lose."""
    boss = manager(club)
    await rate(club, club.anna, club.bruno)
    await club.open(club.anna, club.bruno)
    await choose(club, boss, statistics="none")
    await club.finish()
    await club.bot._counting.finish()
    assert count(tmp_path / "tables.sqlite3", "rating_steps") == 2


async def test_records_are_kept_as_long_as_the_server_wants(club: Club, tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    await played(club, club.anna, club.bruno, games=2)
    oldest = "SELECT min(table_id) FROM records"
    execute(path, f"UPDATE records SET ended_at = ended_at - {40 * DAY_MS}")
    execute(path, f"UPDATE records SET guild_id = 5 WHERE table_id = ({oldest})")
    await numbers(club, manager(club), "0", "30")
    await club.restart()
    await club.bot._upkeep._task
    assert count(path, "records") == 1, "that of another server"


async def test_what_is_damaged_counts_as_the_default_with_a_word_in_the_log(
    club: Club, tmp_path: Path, caplog: Any
) -> None:
    await choose(club, manager(club), late="no", pace="slow")
    for bad in ('{"late": 5, "pace": "slow", "tables": -1, "x": 1}', "[1]", "{", "5", "x" * 9):
        execute(tmp_path / "tables.sqlite3", f"UPDATE guilds SET settings = '{bad}'")
        caplog.clear()
        club.bot.servers.drop_cached(club.guild.id)
        found = await club.bot.servers.settings(club.guild.id)
        assert found == (GuildSettings(pace=Pace.SLOW) if bad.startswith('{"') else GuildSettings())
        assert "settings of a server are damaged" in caplog.text
