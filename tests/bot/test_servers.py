"""What the store keeps of servers: settings, bans; and reading them through one door."""

import json
from typing import Any

import pytest

from bot.choices import Servers
from bot.store.messages import invalid_row_lines
from bot.store.store import Store
from bot.tables.errors import Refusal, Why
from bot.tables.options import Options, Pace
from bot.tables.preferences import BAN_SECONDS, MOST_PLACES, MOST_TABLES, Ban, GuildSettings
from tests.bot.processes import Process
from tests.bot.test_retention import DAY, finished, there
from tests.bot.upkeep import look_after
from tests.rows import query

GUILD, USER, MODERATOR, NOW = 5, 6, 7, 1_800_000_000_000


async def chosen(store: Store) -> GuildSettings:
    return (await store.load_guild_settings_and_bans(GUILD)).settings


async def test_a_server_that_has_chosen_nothing_has_what_the_host_allows(process: Process) -> None:
    """As docs/server-owners.md says."""
    settings = await chosen(process.store)
    assert (settings.tables, settings.records_days) == (0, 0), "no limits but those of the host"
    assert (settings.channels, settings.roles) == ((), ()), "everybody, everywhere"
    assert (settings.locale, settings.pace, settings.turn_seconds) == (None, None, None), "the usual ones"
    assert (settings.late, settings.counted) == (True, True)
    assert (settings.threads, settings.boards, settings.hints) == (False, False, False)


@pytest.mark.parametrize(
    "usual",
    [Options(), Options(Pace.SLOW, 60, late=False, hints=True), Options(Pace.OFF, 0, window_ms=0, breath=False)],
)
def test_new_tables_are_as_usual_but_for_what_the_server_has_chosen(usual: Options) -> None:
    assert GuildSettings().make_new_table_options(usual) == usual
    chosen = GuildSettings(pace=Pace.FAST, turn_seconds=120, late=False, hints=True).make_new_table_options(usual)
    assert chosen == usual._replace(pace=Pace.FAST, turn_seconds=120, late=False, hints=True)
    assert GuildSettings(turn_seconds=0).make_new_table_options(usual).turn_seconds == 0, "no limit is a choice too"


@pytest.mark.parametrize(
    "bad",
    [
        {"channels": 5},
        {"channels": ["1"]},
        {"roles": list(range(1, MOST_PLACES + 2))},
        {"roles": [0]},
        {"pace": "quick"},
        {"turn_seconds": 7},
        {"turn_seconds": True},
        {"late": 1},
        {"hints": 1},
        {"tables": -1},
        {"tables": MOST_TABLES + 1},
        {"records_days": 1.5},
        {"counted": None},
        {"another": 1},
    ],
)
async def test_a_value_that_cannot_be_is_left_out_alone(process: Process, store_url: str, bad: dict[str, Any]) -> None:
    await process.store.save_guild_settings(GUILD, threads=True)
    said = json.dumps({"threads": True, **bad})
    query(store_url, f"UPDATE guilds SET settings = '{said}'")
    assert await chosen(process.store) == GuildSettings(threads=True)
    assert await process.store._database.write(invalid_row_lines) == [
        "guilds: 1 rows that cannot be; the bot leaves them out"
    ]


async def test_every_choice_is_stored_and_read_again(process: Process) -> None:
    everything = GuildSettings("it", (7,), (8,), Pace.FAST, 60, False, 3, True, False, True, 30, 9, True)
    assert all(value != getattr(GuildSettings(), name) for name, value in everything._asdict().items())
    await process.store.save_guild_settings(GUILD, **everything._asdict())
    assert await chosen(process.store) == everything


async def test_a_ban_that_cannot_be_is_none(process: Process, store_url: str) -> None:
    store = process.store
    await store.save_ban(GUILD, Ban("a", USER, "", NOW, MODERATOR, "x"))
    await store.save_ban(GUILD, Ban("b", USER + 1, "", NOW + 1, MODERATOR, ""))
    query(store_url, "UPDATE bans SET user_id = -1 WHERE id = 'a'")
    assert [it.id for it in (await store.load_guild_settings_and_bans(GUILD)).bans] == ["b"]
    query(store_url, "UPDATE bans SET user_id = NULL WHERE id = 'a'")
    assert [it.id for it in (await store.load_guild_settings_and_bans(GUILD)).bans] == ["b"], "nobody, and no mark"


async def test_what_is_known_is_read_once_until_it_has_changed(process: Process, store_url: str) -> None:
    servers = Servers(process.store)
    assert await servers.settings(GUILD) == GuildSettings()
    await servers.change_settings(GUILD, late=False)
    assert (await servers.settings(GUILD)).late, "nobody has told of it"
    servers.drop_cached(GUILD)
    assert not (await servers.settings(GUILD)).late
    await servers.ban(GUILD, USER, NOW + BAN_SECONDS[0] * 1000, MODERATOR, "why")
    servers.drop_cached()
    with pytest.raises(Refusal) as no:
        await servers.check_not_banned(GUILD, USER, NOW)
    assert (no.value.why, no.value.facts["reason"]) == (Why.BANNED, "why")
    await servers.check_not_banned(GUILD, USER, NOW + BAN_SECONDS[0] * 1000)
    await servers.check_not_banned(GUILD + 1, USER, NOW)


async def test_records_go_when_their_server_wants_that_and_no_later_than_the_operator(
    process: Process, store_url: str
) -> None:
    table = await finished(process)
    await process.store.save_guild_settings(table.guild, records_days=10)
    process.clock.turn(10 * DAY)
    await look_after(process.store, process.clock)
    assert there(store_url, table)[0] == 1
    process.clock.turn(1000)
    await look_after(process.store, process.clock)
    assert there(store_url, table)[0] == 0
    table = await finished(process)
    await process.store.save_guild_settings(table.guild, records_days=90)
    process.clock.turn(11 * DAY)
    await look_after(process.store, process.clock, days=10)
    assert there(store_url, table)[0] == 0


async def test_live_tables_of_a_server_are_found_wherever_they_are_served(process: Process) -> None:
    table = await process.open()
    assert [it.id for it in await process.store.live_tables_of_guild(table.guild)] == [table.id]
    assert await process.store.live_tables_of_guild(table.guild + 1) == []
