"""``requirements.lock``: whole, pinned by hashes, without an address; the licence of every part is named."""

import re
from importlib.metadata import PackageNotFoundError, distribution

import pytest
from packaging.utils import canonicalize_name

from tests.packaging.locked import LOCK, Pin, licences, pins, project, wanted

TEXT = LOCK.read_text("utf-8")
PINS = {pin.name: pin for pin in pins(TEXT)}

every_pin = pytest.mark.parametrize("pin", PINS.values(), ids=lambda pin: pin.name)


def test_it_holds_no_address() -> None:
    """It is the same wherever it was made, and says nothing about that place."""
    assert re.findall(r"://|^-|@|file:|index|www\.|/home|/tmp", TEXT, re.M) == []


def test_what_is_asked_for_is_in_it_in_a_version_that_is_allowed() -> None:
    """If this fails: ``make lock``."""
    for name, requirement in wanted().items():
        assert name in PINS, name
        assert PINS[name].marker == requirement.marker
        assert requirement.specifier.contains(PINS[name].version), f"{requirement} is not {PINS[name].version}"


@every_pin
def test_every_part_is_pinned_by_hashes(pin: Pin) -> None:
    assert pin.hashes
    for digest in pin.hashes:
        assert re.fullmatch("sha256:[0-9a-f]{64}", digest)


@every_pin
def test_what_a_part_needs_is_in_it(pin: Pin) -> None:
    """As far as it is installed here."""
    try:
        needed = distribution(pin.name).requires or []
    except PackageNotFoundError:
        assert pin.marker is not None, f"{pin.name} is not installed"
        return
    for line in needed:
        name = canonicalize_name(re.split(r"[\s;<>=!~\[(]", line, maxsplit=1)[0])
        if ";" not in line:
            assert name in PINS, f"{pin.name} needs {line}"


def test_every_part_has_its_licence_and_nothing_else_is_listed() -> None:
    table = licences()
    assert set(table) == {*PINS, "roboto"}
    assert all(all(columns) for columns in table.values())


@pytest.mark.parametrize("name", wanted())
def test_the_list_of_licences_names_the_versions_that_are_allowed(name: str) -> None:
    allowed = ",".join(sorted(str(it) for it in wanted()[name].specifier))
    assert licences()[name][0] == f"`{allowed}`"


def test_what_is_promised_for_one_major_version_has_an_upper_bound() -> None:
    unbounded = {name for name, it in wanted().items() if not any("<" in str(each) for each in it.specifier)}
    assert unbounded == {"pillow"}, "pyproject.toml says why"


def test_every_python_that_is_promised_is_named() -> None:
    said = re.findall(r"Python :: (3\.\d+)", " ".join(project()["classifiers"]))
    assert said == ["3.11", "3.12", "3.13"]
    assert project()["requires-python"] == ">=3.11"
