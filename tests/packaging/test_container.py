"""``Dockerfile``, the compose files and the workflows say what is true of the program."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot import config as settings
from bot.cli.main import make_parser
from bot.cluster.shards import LEAVING_SECONDS
from tests.packaging.installed import PACKAGES, ROOT
from tests.packaging.locked import project

UID = "10017"
LONGEST_STOP = LEAVING_SECONDS + 10
COMPOSE = ("compose.yaml", "compose.postgresql.yaml")


def instructions() -> list[tuple[str, str]]:
    """What ``Dockerfile`` says: (instruction, the rest), continued lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.M)
    lines = re.sub(r"\\\n", " ", text).splitlines()
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines if line.strip())]


def of(instruction: str) -> list[str]:
    """The rest of every line of ``Dockerfile`` with *instruction*."""
    return [rest for word, rest in instructions() if word == instruction]


def compose(name: str) -> dict[str, Any]:
    """A compose file."""
    found: dict[str, Any] = yaml.safe_load((ROOT / name).read_text("utf-8"))
    return found


def bots(name: str) -> dict[str, Any]:
    """The services of a compose file that are bots."""
    return {key: it for key, it in compose(name)["services"].items() if key.startswith("bot")}


def seconds(written: str) -> int:
    """How long *written* is, such as ``75s``."""
    assert written.endswith("s")
    return int(written[:-1])


def known() -> set[str]:
    """Every setting."""
    return set(re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text("utf-8"), re.M))


# Dockerfile


def test_every_package_of_the_wheel_is_copied_and_sent_to_the_builder() -> None:
    copied = {it.split()[0] for it in of("COPY") if not it.startswith("--from")}
    assert copied == {*PACKAGES, "requirements.lock", "LICENSE"}
    sent = set(re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text("utf-8"), re.M))
    assert sent == copied


def test_both_stages_are_the_same_python_which_is_supported() -> None:
    first, second = (it.split()[0] for it in of("FROM"))
    assert first == second
    version = re.fullmatch(r"python:(3\.\d+)-slim-\w+", first)
    assert version is not None
    assert any(it.endswith(f":: {version[1]}") for it in project()["classifiers"])


def test_nothing_is_installed_without_a_hash() -> None:
    installs = [it for it in of("RUN") if "install -" in it and "pip" in it]
    assert len(installs) == 1
    assert "--require-hashes" in installs[0]


def test_it_runs_as_a_user_of_its_own_in_its_volume() -> None:
    assert of("USER") == [f"{UID}:{UID}"]
    assert of("WORKDIR") == of("VOLUME") == ["/data"]
    (made,) = (it for it in of("RUN") if "useradd" in it)
    assert f"--uid {UID} --gid {UID}" in made
    assert f"--owner={UID} --group={UID} --mode=0700 /data" in made


def test_its_commands_are_commands_of_the_program_without_a_shell() -> None:
    (entry,), (command,), (health,) = of("ENTRYPOINT"), of("CMD"), of("HEALTHCHECK")
    assert project()["scripts"] == {yaml.safe_load(entry)[0]: "bot.cli.main:main"}
    assert make_parser().parse_args(yaml.safe_load(command)).command == "run"
    asked = yaml.safe_load(health.partition("CMD ")[2])
    assert make_parser().parse_args(asked[1:]).command == "health"


def test_what_it_sets_are_settings() -> None:
    given = dict(it.split("=", 1) for line in of("ENV") for it in shlex.split(line))
    ours = {key: value for key, value in given.items() if key != "PATH" and not key.startswith("PYTHON")}
    assert set(ours) <= known()
    config = settings.read_settings(ours, Path("no such file"))
    assert (config.metrics_port, config.store_url) == (9017, "sqlite+aiosqlite:////data/tables.sqlite3")


# Compose


@pytest.mark.parametrize("name", COMPOSE)
def test_what_compose_sets_are_settings(name: str) -> None:
    for service in bots(name).values():
        given = {
            key: value.replace("${POSTGRES_PASSWORD:?put it into .env}", "x")
            for key, value in service["environment"].items()
        }
        assert set(given) <= known()
        assert service["env_file"] == ".env"
        settings.read_settings(given, Path("no such file"))


@pytest.mark.parametrize("name", COMPOSE)
def test_the_health_check_finds_a_bot_whose_env_file_is_the_example_as_it_is(name: str) -> None:
    """What stands in ``env_file``, empty values too, goes before what the image sets."""
    example = dict(re.findall(r"^([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text("utf-8"), re.M))
    image = dict(it.split("=", 1) for line in of("ENV") for it in shlex.split(line))
    for service in bots(name).values():
        given = {**image, **example, **service["environment"], "STORE_URL": image["STORE_URL"]}
        assert settings.read_settings(given, Path("no such file")).metrics_port == 9017


@pytest.mark.parametrize("name", COMPOSE)
def test_bots_write_to_their_volume_alone_and_have_time_to_stop(name: str) -> None:
    assert bots(name)
    for service in bots(name).values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert seconds(service["stop_grace_period"]) >= LONGEST_STOP
        assert service["volumes"] == ["data:/data"]
        assert service["tmpfs"] == "/tmp"
        assert service["environment"]["BACKUP_FOLDER"].startswith("/data/")


def test_two_bots_share_one_database() -> None:
    services = bots("compose.postgresql.yaml")
    assert len(services) == 2
    assert len({service["hostname"] for service in services.values()}) == 2, "so that the doctor can tell them apart"
    assert len({service["environment"]["STORE_URL"] for service in services.values()}) == 1


def test_bots_wait_for_their_database_which_ends_last() -> None:
    services = compose("compose.postgresql.yaml")["services"]
    assert services["database"]["healthcheck"]["test"][:2] == ["CMD", "pg_isready"]
    for service in bots("compose.postgresql.yaml").values():
        assert service["depends_on"] == {"database": {"condition": "service_healthy"}}
        assert seconds(services["database"]["stop_grace_period"]) > seconds(service["stop_grace_period"])


# Workflows


def test_the_workflow_tests_every_python_that_is_promised() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    tested = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert tested == re.findall(r"Python :: (3\.\d+)", " ".join(project()["classifiers"]))


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_workflows_use_pinned_actions_targets_that_exist_and_few_rights(path: Path) -> None:
    text = path.read_text("utf-8")
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= targets
    for used in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w-]+/[\w/-]+@v\d+(\.\d+)*", used), used
    assert "permissions" in yaml.safe_load(text)
