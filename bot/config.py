"""The settings of the operator: environment variables, or a ``.env`` file beside the program."""

import os
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import sqlalchemy as sa
from dotenv import dotenv_values
from dotenv.parser import parse_stream
from sqlalchemy.exc import ArgumentError

from bot.i18n import LOCALES
from bot.log import FORMATS, LEVELS
from bot.store.database import url_with_password, with_asyncpg_driver
from bot.tables.limits import Limits

DISCORD_API: Final = "https://discord.com/api/v10"
DEFAULT_STORE: Final = "sqlite+aiosqlite:///tables.sqlite3"
LOCAL_STORE: Final = "sqlite+aiosqlite:///local.sqlite3"

LIMITS: Final = [(name.upper(), default) for name, default in Limits()._asdict().items()]
"""The settings for ``Limits``, and their defaults."""
LIMIT_REMEDY: Final = "use a number from 0 (no limit) to 9999"
DAYS_REMEDY: Final = "use a number of days from 0 (for ever) to 9999"
MAX_SHOWN: Final = 80
"""How many characters of an invalid value are shown."""

LONGEST_HOST: Final = 253
"""The maximum length of a host name. https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4"""

_TOKEN = re.compile(r"[\w-]{10,}\.[\w-]{4,}\.[\w-]{10,}")


class BadSetting(Exception):
    """A setting is invalid: ``str()`` is one line with its name, its value (never a secret) and what to do."""

    def __init__(self, name: str, value: str | None, remedy: str) -> None:
        shown = ""
        if value is not None:
            shown = f" is {value!r}" if len(value) <= MAX_SHOWN else f" is {value[:MAX_SHOWN]!r}..."
        super().__init__(f"{name}{shown}: {remedy}")


class Settings(NamedTuple):
    """Checked settings. ``token`` is ``None`` when the embedded local Discord is to be used."""

    token: str | None
    api_url: str
    gateway_url: str | None
    store_url: str
    log_level: str
    default_locale: str
    local_port: int
    limits: Limits
    records_days: int
    """How long the records of games are kept; 0: for ever."""
    log_format: str
    metrics_port: int | None
    """Where metrics and health are served; ``None``: nowhere."""
    metrics_host: str
    backup_folder: Path | None
    """The folder for backups of the running bot; ``None``: it makes none."""
    backup_hours: int
    """The number of hours between two backups."""
    backup_keep: int
    """How many backups are kept."""
    shards: int
    """The number of shards into which the servers are divided; 0: as many as Discord recommends."""


SIMILARITY: Final = 0.85
"""Two names at least this similar (difflib's ratio) count as one name and its misspelling."""


def read_settings(environment: Mapping[str, str] | None = None, file: Path = Path(".env")) -> Settings:
    """Read the settings of the host, each from *environment* (``None``: ``os.environ``), else from *file*, else its
    default; or raise BadSetting for the first invalid one.

    Raises:
        BadSetting: one of them is invalid, or *file* cannot be read; only the first is reported.
    """
    given = os.environ if environment is None else environment
    if file.is_fifo():  # reading it could wait for ever
        raise BadSetting(str(file), None, "this must be a file, not a named pipe")
    if file.is_dir():
        raise BadSetting(str(file), None, "this must be a file, not a folder")
    try:
        if file.is_file() and (line := _first_unreadable_line_number(file)) is not None:
            raise BadSetting(str(file), None, f"line {line} cannot be read; write NAME=value, or # before a comment")
        written = dotenv_values(file, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = "it is no UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise BadSetting(str(file), None, f"this file cannot be read ({why})") from None

    names = set()

    def get(name: str, default: str) -> str:
        names.add(name)
        return given.get(name, "").strip() or (written.get(name) or "").strip() or default

    token = get("DISCORD_TOKEN", "") or None
    if token is not None and not _TOKEN.fullmatch(token):
        raise BadSetting(
            "DISCORD_TOKEN",
            None,
            "this is not a bot token; copy it again from the Bot page of your application",
        )
    found = Settings(
        token=token,
        api_url=_checked_url("DISCORD_API_URL", get("DISCORD_API_URL", DISCORD_API), ("http", "https")),
        gateway_url=_checked_url("DISCORD_GATEWAY_URL", get("DISCORD_GATEWAY_URL", ""), ("ws", "wss")) or None,
        store_url=_checked_database_url(get("STORE_URL", LOCAL_STORE if token is None else DEFAULT_STORE)),
        log_level=_checked_choice("LOG_LEVEL", _uppercase_if_ascii(get("LOG_LEVEL", "INFO")), LEVELS),
        default_locale=_checked_choice("DEFAULT_LOCALE", get("DEFAULT_LOCALE", "en"), LOCALES),
        local_port=_checked_port("LOCAL_DISCORD_PORT", get("LOCAL_DISCORD_PORT", "8017")),
        limits=Limits(
            **{name.lower(): _checked_number(name, get(name, str(default)), LIMIT_REMEDY) for name, default in LIMITS}
        ),
        records_days=_checked_number("RECORDS_DAYS", get("RECORDS_DAYS", "0"), DAYS_REMEDY),
        log_format=_checked_choice("LOG_FORMAT", get("LOG_FORMAT", "text").lower(), FORMATS),
        metrics_port=_checked_port("METRICS_PORT", port) if (port := get("METRICS_PORT", "")) else None,
        metrics_host=_checked_host("METRICS_HOST", get("METRICS_HOST", "127.0.0.1")),
        backup_folder=_checked_folder("BACKUP_FOLDER", get("BACKUP_FOLDER", "")),
        backup_hours=_checked_positive_number("BACKUP_HOURS", get("BACKUP_HOURS", "24")),
        backup_keep=_checked_positive_number("BACKUP_KEEP", get("BACKUP_KEEP", "7")),
        shards=_checked_number("SHARDS", get("SHARDS", "0"), "use a number up to 9999; 0: as many as Discord says"),
    )
    _reject_misspelled_names(written, names, file)
    if token is None and found.metrics_port == found.local_port:
        raise BadSetting("METRICS_PORT", str(found.metrics_port), "this is LOCAL_DISCORD_PORT too; use another one")
    if token is None and found.api_url != DISCORD_API:
        raise BadSetting("DISCORD_TOKEN", None, "it is not set, but DISCORD_API_URL is; set both, or neither")
    return found


def _reject_misspelled_names(written: Iterable[str], names: set[str], file: Path) -> None:
    """Raise BadSetting if a name in *written*, from *file*, is none of the settings' *names* but looks like a
    misspelling of one; all other unknown names are ignored.

    Longer names are ignored too: they may be settings put aside, such as DISCORD_TOKEN_OLD.
    """
    for name in written:
        others = () if name in names or any(name.startswith(f"{it}_") for it in names) else names
        if meant := get_close_matches(name.upper(), others, n=1, cutoff=SIMILARITY):
            raise BadSetting(name, None, f"there is no such setting; {meant[0]} is meant, it seems ({file})")


def _first_unreadable_line_number(file: Path) -> int | None:
    """Return the number (from 1) of the first line of *file* that is neither NAME=value nor a comment; ``None`` if
    there is none.
    """
    with file.open(encoding="utf-8") as lines:
        return next((it.original.line for it in parse_stream(lines) if it.error), None)


def _uppercase_if_ascii(value: str) -> str:
    """Return *value* in capital letters if it is ASCII, else unchanged: other letters have unusual capitals."""
    return value.upper() if value.isascii() else value


def _checked_choice(name: str, value: str, allowed: tuple[str, ...]) -> str:
    """Return *value*, that of the setting *name*, if it is one of *allowed*; otherwise raise BadSetting."""
    if value not in allowed:
        raise BadSetting(name, value, f"use one of {', '.join(allowed)}")
    return value


def _checked_url(name: str, value: str, schemes: tuple[str, ...]) -> str:
    """Return *value* without slashes at its end if it is an address with one of *schemes*, a valid host and no user or
    password; empty stays empty; otherwise raise BadSetting.
    """
    if not value:
        return value
    shown = value if "@" not in value else None  # what stands before it may be a password
    try:
        parts = urlsplit(value)
        host, port = parts.hostname, parts.port
    except ValueError:
        remedy = "host or port cannot be read; use an address such as https://host:443/path"
        raise BadSetting(name, shown, remedy) from None
    if parts.scheme not in schemes or not host or port == 0:
        raise BadSetting(name, shown, f"use an address that begins with {' or '.join(s + '://' for s in schemes)}")
    if parts.username is not None:
        raise BadSetting(name, None, "leave out the user and the password")
    if not _is_ip_or_host_name(host):
        raise BadSetting(name, shown, "there can be no such host; use an address such as https://host:443/path")
    return value.rstrip("/")


def _is_ip_or_host_name(host: str) -> bool:
    """Whether *host* is an IP address or has the form of a host name; it is not looked up.
    https://www.rfc-editor.org/rfc/rfc1123#section-2.1
    """
    labels = host.removesuffix(".").split(".")
    try:
        if ":" in host or labels[-1].isdigit():
            ip_address(host)
        else:
            return all(labels) and len(host.encode("idna")) <= LONGEST_HOST and not re.search(r"\s", host)
    except ValueError:
        return False
    return True


def _checked_host(name: str, value: str) -> str:
    """Return *value*, that of the setting *name*, if it is an IP address or has the form of a host name; otherwise
    raise BadSetting.
    """
    if re.search(r"\s", value) or not _is_ip_or_host_name(value):
        raise BadSetting(name, value, "use an address of this machine such as 127.0.0.1, or 0.0.0.0 for all of them")
    return value


def _checked_database_url(value: str) -> str:
    """Return the database address *value*, with its driver added, if it names SQLite, or PostgreSQL whose driver is
    installed; otherwise raise BadSetting.

    Everything in it may be secret, so only the driver is ever shown.
    """
    try:
        url = with_asyncpg_driver(sa.make_url(value))
    except (ArgumentError, ValueError):
        remedy = f"this is no database address; the default is {DEFAULT_STORE}"
        if value.count("@") > 1:
            remedy = "this is no database address; in user and password write %40 for an @, %2F for a /, %3A for a :"
        raise BadSetting("STORE_URL", None, remedy) from None
    if url.drivername not in ("sqlite+aiosqlite", "postgresql+asyncpg"):
        raise BadSetting("STORE_URL", url.drivername, "begin it with sqlite+aiosqlite:/// or postgresql://")
    if url.drivername == "postgresql+asyncpg" and find_spec("asyncpg") is None:
        remedy = (
            "its driver is missing; pipx inject diciassette-bot asyncpg, or without pipx, in the bot's own "
            "environment, pip install asyncpg or what requirements.lock lists"
        )
        raise BadSetting("STORE_URL", value.partition("://")[0], remedy)
    if url.drivername == "postgresql+asyncpg" and not url.database:
        raise BadSetting("STORE_URL", url.drivername, "name the database at its end: postgresql://user@host/database")
    if url.drivername == "sqlite+aiosqlite":
        if url.host or url.username or url.password or url.port:
            raise BadSetting("STORE_URL", None, "a SQLite address takes three slashes, or four before an absolute path")
        if url.query or "\0" in (url.database or ""):
            raise BadSetting("STORE_URL", None, "a SQLite address is a path alone; leave out what follows the ?")
    return url_with_password(url)


def _checked_positive_number(name: str, value: str) -> int:
    """Return *value*, that of the setting *name*, as a number from 1 to 9,999; raise BadSetting if it is not one."""
    remedy = "use a number from 1 to 9999"
    if _checked_number(name, value, remedy) == 0:
        raise BadSetting(name, value, remedy)
    return int(value)


def _checked_folder(name: str, value: str) -> Path | None:
    """Return *value* as the path of a folder (it need not exist), with ``~`` replaced; ``None`` if it is empty; raise
    BadSetting if there can be no such path.
    """
    try:
        found = Path(value).expanduser() if value else None
    except RuntimeError:
        raise BadSetting(name, value, "there is no such home folder") from None
    if "\0" in value:
        raise BadSetting(name, None, "there can be no such path")
    return found


def _checked_number(name: str, value: str, remedy: str) -> int:
    """Return *value*, that of the setting *name*, as a number from 0 to 9,999; raise BadSetting with *remedy* if it is
    not one.
    """
    if not value.isascii() or not value.isdigit() or len(value) > 4:
        raise BadSetting(name, value, remedy)
    return int(value)


def _checked_port(name: str, value: str) -> int:
    """Return *value*, that of the setting *name*, as a port from 1 to 65535; raise BadSetting if it is not one."""
    if not value.isascii() or not value.isdigit() or len(value) > 5 or not 0 < int(value) < 65536:
        raise BadSetting(name, value, "use a port number from 1 to 65535")
    return int(value)
