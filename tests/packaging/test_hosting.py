"""``docs/hosting.md`` names every setting with its default, and every command; links of all pages lead somewhere."""

import re
from pathlib import Path

import pytest

from bot.cli.main import make_parser
from bot.version import VERSION
from tests.packaging.installed import ROOT

TEXT = (ROOT / "docs" / "hosting.md").read_text("utf-8")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def test_every_setting_is_there_with_its_default() -> None:
    example = dict(re.findall(r"^([A-Z_]+)=(.*)$", (ROOT / ".env.example").read_text("utf-8"), re.M))
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.*?) \|", TEXT, re.M))
    assert set(rows) == set(example)
    for name, default in example.items():
        assert f"`{default}`" in rows[name] if default else True, name


def test_every_command_is_there() -> None:
    (commands,) = (it for it in make_parser()._subparsers._group_actions if it.choices)  # type: ignore[union-attr]
    (table,) = re.findall(r"### The commands\n(.*?)\n#", TEXT, re.S)
    for name in commands.choices or ():
        assert re.search(rf"`(diciassette )?{name}\b", table), name


def test_commands_name_this_version() -> None:
    found = set(re.findall(r"diciassette_bot-(\d[\d.]*\d)-py3", TEXT))
    assert found == {VERSION}


def anchors(text: str) -> set[str]:
    """The anchors of the headings of *text*, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```|`[^`\n]+`", "", page.read_text("utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        file = (page.parent / path) if path else page
        assert file.is_file(), link
        assert not anchor or anchor in anchors(file.read_text("utf-8")), link
