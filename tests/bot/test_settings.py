"""Settings: defaults, ``.env``, and one clear line for each that cannot be."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot import config as settings
from bot.cli.embedded import local_discord_state_path
from bot.config import BadSetting
from tests.program import ROOT, bot

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz0123456789ab"


def test_without_anything_the_bot_plays_on_the_local_discord(tmp_path: Path) -> None:
    config = settings.read_settings({}, tmp_path / ".env")
    assert config.token is None
    assert config.api_url == "https://discord.com/api/v10"
    assert config.gateway_url is None
    assert config.store_url == settings.LOCAL_STORE
    assert (config.log_level, config.default_locale, config.local_port) == ("INFO", "en", 8017)


def test_a_token_means_discord_and_its_own_store(tmp_path: Path) -> None:
    config = settings.read_settings({"DISCORD_TOKEN": TOKEN}, tmp_path / ".env")
    assert (config.token, config.store_url) == (TOKEN, settings.DEFAULT_STORE)


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("LOG_LEVEL=debug\nDEFAULT_LOCALE=nl\n")
    config = settings.read_settings({"DEFAULT_LOCALE": "it"}, file)
    assert (config.log_level, config.default_locale) == ("DEBUG", "it")


def test_what_is_set_but_empty_counts_as_not_set(tmp_path: Path) -> None:
    """As where a container passes on every variable, set or not."""
    file = tmp_path / ".env"
    file.write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_LEVEL=debug\nDEFAULT_LOCALE=\n")
    config = settings.read_settings({"DISCORD_TOKEN": "", "LOG_LEVEL": "  ", "DEFAULT_LOCALE": ""}, file)
    assert (config.token, config.log_level, config.default_locale) == (TOKEN, "DEBUG", "en")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("DISCORD_TOKN=x", "DISCORD_TOKEN"),
        ("DISCORD_TOKEN1=x", "DISCORD_TOKEN"),
        ("backup_foldr=b", "BACKUP_FOLDER"),
        ("BACKUP_FOLDERS=b", "BACKUP_FOLDER"),
        ("METRICS_PORTS=1", "METRICS_PORT"),
    ],
)
def test_a_misspelt_setting_in_the_file_is_said(tmp_path: Path, line: str, meant: str) -> None:
    """Else a bot would seem to run that plays by itself, or makes no backups."""
    file = tmp_path / ".env"
    file.write_text(f"{line}\n")
    with pytest.raises(BadSetting, match=meant):
        settings.read_settings({}, file)


def test_what_is_no_setting_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(f"DISCORD_TOKEN_OLD={TOKEN}\nPOSTGRES_PASSWORD=secret\nTZ=Europe/Rome\n")
    assert settings.read_settings({}, file).token is None


def test_another_discord_needs_a_token(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="DISCORD_TOKEN"):
        settings.read_settings({"DISCORD_API_URL": "http://127.0.0.1:9100/api/v10"}, tmp_path / ".env")


def test_a_file_that_is_no_text_is_said(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"LOG_LEVEL=\xff")
    with pytest.raises(BadSetting, match="cannot be read"):
        settings.read_settings({}, file)


@pytest.mark.parametrize(
    ("text", "line"), [("=secret\n", 1), ("# all\n\nLOG_LEVEL=debug\n'secret=1\nSHARDS=1\n", 4), ('A="secret\n', 1)]
)
def test_a_line_that_cannot_be_read_is_named(
    tmp_path: Path, text: str, line: int, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / ".env"
    file.write_text(text)
    with pytest.raises(BadSetting) as bad:
        settings.read_settings({}, file)
    assert str(bad.value).startswith(f"{file}: line {line} cannot be read; ")
    assert "secret" not in str(bad.value)
    assert not caplog.records


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_without_its_driver_the_address_is_shown_as_it_was_begun(
    tmp_path: Path, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "find_spec", lambda name: None)
    with pytest.raises(BadSetting, match="pipx inject diciassette-bot asyncpg") as bad:
        settings.read_settings({"STORE_URL": f"{scheme}://u:secret@h/d"}, tmp_path / ".env")
    assert str(bad.value).startswith(f"STORE_URL is {scheme!r}: ")
    assert "secret" not in str(bad.value)


def test_the_example_lists_every_setting_with_its_default() -> None:
    example = (ROOT / ".env.example").read_text("utf-8")
    config = settings.read_settings({}, ROOT / ".env.example")
    assert config == settings.read_settings({}, ROOT / "no such file")
    for name in (
        "DISCORD_TOKEN", "DISCORD_API_URL", "DISCORD_GATEWAY_URL", "STORE_URL", "LOG_LEVEL", "DEFAULT_LOCALE",
        "LOCAL_DISCORD_PORT", "RECORDS_DAYS", "LOG_FORMAT", "METRICS_PORT", "METRICS_HOST",
        "LOCAL_DISCORD_PORT", "RECORDS_DAYS", "BACKUP_FOLDER", "BACKUP_HOURS", "BACKUP_KEEP",
        "SHARDS",
    ):  # fmt: skip
        assert f"\n{name}=" in example


BAD = [
    ({"DISCORD_TOKEN": "hello"}, "DISCORD_TOKEN", "copy it again"),
    ({"LOG_LEVEL": "loud"}, "LOG_LEVEL is 'LOUD'", "DEBUG, INFO, WARNING, ERROR"),
    ({"DEFAULT_LOCALE": "fr"}, "DEFAULT_LOCALE is 'fr'", "en, de, it, nl"),
    ({"STORE_URL": "not a url"}, "STORE_URL", "default is"),
    ({"STORE_URL": "postgresql://u:secret@s:secret@h/d"}, "STORE_URL", "%40"),
    ({"STORE_URL": "mysql://u:secret@h/d"}, "STORE_URL is 'mysql'", "sqlite+aiosqlite"),
    ({"DISCORD_API_URL": "discord.com"}, "DISCORD_API_URL is 'discord.com'", "https://"),
    ({"DISCORD_GATEWAY_URL": "https://x"}, "DISCORD_GATEWAY_URL", "wss://"),
    ({"LOCAL_DISCORD_PORT": "99999"}, "LOCAL_DISCORD_PORT is '99999'", "1 to 65535"),
    ({"LOCAL_DISCORD_PORT": "9" * 5000}, "LOCAL_DISCORD_PORT is '99999", "1 to 65535"),
    ({"LOCAL_DISCORD_PORT": "²"}, "LOCAL_DISCORD_PORT is '²'", "1 to 65535"),
    ({"DISCORD_API_URL": "http://[::1"}, "DISCORD_API_URL is 'http://[::1'", "host or port"),
    ({"DISCORD_API_URL": "http://host:notaport"}, "DISCORD_API_URL is 'http://host:notaport'", "host or port"),
    ({"DISCORD_API_URL": "http://host:" + "9" * 5000}, "DISCORD_API_URL is 'http://host:99", "host or port"),
    ({"DISCORD_API_URL": "http://:80"}, "DISCORD_API_URL is 'http://:80'", "https://"),
    ({"DISCORD_API_URL": "ftp://me:secret@host"}, "DISCORD_API_URL", "https://"),
    ({"DISCORD_GATEWAY_URL": "ws://[::1"}, "DISCORD_GATEWAY_URL is 'ws://[::1'", "host or port"),
    ({"STORE_URL": "postgresql+asyncpg://u:secret@h:notaport/d"}, "STORE_URL", "default is"),
    ({"STORE_URL": "postgresql+asyncpg://u:secret@h:" + "9" * 5000 + "/d"}, "STORE_URL", "default is"),
    *(
        ({"STORE_URL": "postgresql+asyncpg://u:secret@h/d"}, "STORE_URL is 'postgresql+asyncpg'", "pipx inject")
        for _ in range(find_spec("asyncpg") is None)
    ),
    ({"STORE_URL": "sqlite+aiosqlite:///t.sqlite3?timeout=soon"}, "STORE_URL", "what follows the ?"),
    ({"STORE_URL": "sqlite+aiosqlite:///t.sqlite3?cache=shared"}, "STORE_URL", "what follows the ?"),
    ({"STORE_URL": "sqlite+aiosqlite://t.sqlite3"}, "STORE_URL", "three slashes"),
    ({"STORE_URL": "postgres://u:secret@h"}, "STORE_URL is 'postgresql+asyncpg'", "name the database"),
    ({"DISCORD_API_URL": "http://me:secret@host/x"}, "DISCORD_API_URL", "leave out"),
    *(
        ({name: f"{scheme}://{host}/"}, f"{name} is '{scheme}://{host[:60]}", "no such host")
        for name, scheme in (("DISCORD_API_URL", "http"), ("DISCORD_GATEWAY_URL", "ws"))
        for host in (".", "..x", "a..b", "a" * 64, ".".join(["a" * 60] * 5), "999.999.999.999", "127.1")
    ),
    ({"LOG_FORMAT": "xml"}, "LOG_FORMAT is 'xml'", "text, json"),
    ({"METRICS_PORT": "0"}, "METRICS_PORT is '0'", "1 to 65535"),
    ({"METRICS_PORT": "http"}, "METRICS_PORT is 'http'", "1 to 65535"),
    ({"METRICS_PORT": "8017"}, "METRICS_PORT is '8017'", "LOCAL_DISCORD_PORT"),
    ({"METRICS_HOST": "a b"}, "METRICS_HOST is 'a b'", "127.0.0.1"),
    ({"METRICS_HOST": "127.0.0.1:9017"}, "METRICS_HOST", "127.0.0.1"),
    ({"BACKUP_HOURS": "0"}, "BACKUP_HOURS is '0'", "1 to 9999"),
    ({"SHARDS": "many"}, "SHARDS is 'many'", "up to 9999"),
    ({"BACKUP_KEEP": "-1"}, "BACKUP_KEEP is '-1'", "1 to 9999"),
    ({"LOG_LEVEL": "\u0131nfo"}, "LOG_LEVEL is '\u0131nfo'", "DEBUG, INFO, WARNING, ERROR"),
]
"""(environment, what the line must name, what it must advise)."""


@pytest.mark.parametrize(("environment", "named", "remedy"), BAD, ids=lambda it: str(it)[:60])
def test_a_bad_setting_names_itself_its_value_and_the_remedy(
    environment: dict[str, str], named: str, remedy: str, tmp_path: Path
) -> None:
    with pytest.raises(BadSetting) as bad:
        settings.read_settings(environment, tmp_path / ".env")
    assert named in str(bad.value)
    assert remedy in str(bad.value)
    assert "secret" not in str(bad.value)
    assert len(str(bad.value)) < 250


@pytest.mark.parametrize(
    "host", ["127.0.0.1:1", "[::1]:8080", "localhost", "discord.example.", "\u00e9.example", "a-1.b"]
)
def test_hosts_that_can_be_are_taken(host: str, tmp_path: Path) -> None:
    given = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": f"http://{host}/x"}
    assert settings.read_settings(given, tmp_path / ".env").api_url == f"http://{host}/x"


def test_a_folder_in_place_of_the_file_is_said(tmp_path: Path) -> None:
    """Docker makes one where a file that is to be mounted is missing."""
    (tmp_path / ".env").mkdir()
    with pytest.raises(BadSetting, match="not a folder"):
        settings.read_settings({}, tmp_path / ".env")


@pytest.mark.skipif(os.name != "posix", reason="named pipes are those of POSIX")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    os.mkfifo(file)
    with pytest.raises(BadSetting, match="named pipe"):
        settings.read_settings({}, file)


def test_a_path_that_cannot_be_is_said(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("STORE_URL=sqlite+aiosqlite:///a\0b\n")
    with pytest.raises(BadSetting, match="STORE_URL"):
        settings.read_settings({}, file)


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        *((environment, named) for environment, named, _ in BAD[::6]),  # a process for each: some of them will do
        ({"STORE_URL": "sqlite+aiosqlite:////no/such/folder/x.sqlite3"}, "STORE_URL"),
        ({"STORE_URL": "sqlite+aiosqlite:////dev/null/x.sqlite3"}, "STORE_URL"),
        ({"STORE_URL": "sqlite+aiosqlite:///."}, "STORE_URL"),
        ({"STORE_URL": "sqlite+aiosqlite:///" + "a" * 300}, "STORE_URL"),
        ({"STORE_URL": "sqlite+aiosqlite:////tmp/" + "a" * 5000}, "STORE_URL"),
    ],
    ids=lambda it: str(it)[:60],
)
def test_the_program_says_it_in_one_line_and_exits_with_2(
    environment: dict[str, str], named: str, tmp_path: Path
) -> None:
    code, _, err = bot(folder=tmp_path, **{"DISCORD_TOKEN": TOKEN, **environment})
    assert code == 2
    lines = [line for line in err.splitlines() if "alembic" not in line]
    assert len(lines) == 1, err
    assert named in lines[0]
    assert TOKEN not in err
    assert "secret" not in err


@pytest.mark.skipif(os.name != "posix", reason="whose home folder is named is said in another way")
def test_a_folder_for_backups_may_begin_with_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert settings.read_settings({"BACKUP_FOLDER": "~/b"}, tmp_path / ".env").backup_folder == tmp_path / "b"
    with pytest.raises(BadSetting, match="there is no such home folder"):
        settings.read_settings({"BACKUP_FOLDER": "~nobody-of-that-name/backups"}, tmp_path / ".env")


def test_records_are_kept_for_ever_unless_a_number_of_days_is_given(tmp_path: Path) -> None:
    assert settings.read_settings({}, tmp_path / ".env").records_days == 0
    assert settings.read_settings({"RECORDS_DAYS": "30"}, tmp_path / ".env").records_days == 30
    for wrong in ("-1", "1.5", "ever", "10000"):
        with pytest.raises(BadSetting, match=r"^RECORDS_DAYS is .*number of days"):
            settings.read_settings({"RECORDS_DAYS": wrong}, tmp_path / ".env")


# Where the local Discord keeps its state.


@pytest.mark.parametrize(
    ("store", "state"),
    [
        ("sqlite+aiosqlite:///local.sqlite3", Path("local-discord.sqlite3").absolute()),
        ("sqlite+aiosqlite:////games/tables.db", Path("/games/tables-discord.db")),
        ("sqlite+aiosqlite:///:memory:", None),
        ("postgresql+asyncpg://me:secret@db.example/cards", Path("local-discord.sqlite3").absolute()),
    ],
)
def test_it_is_kept_if_the_tables_are(store: str, state: Path | None) -> None:
    assert local_discord_state_path(store) == state
