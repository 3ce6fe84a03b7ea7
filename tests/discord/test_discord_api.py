"""One module talks to Discord: what is sent, and what is tried next when Discord says no, is decided there."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
COURIER = ROOT / "bot" / "delivery" / "discord_api.py"
REQUESTS = {
    "send_message", "edit_message", "defer", "followup", "send_modal", "original_response",
    "edit_original_response", "delete_original_response", "create_dm", "fetch_message", "fetch_channel", "fetch_user",
    "create_application_emoji", "fetch_application_emojis", "fetch_application_emoji",
}  # fmt: skip
"""What discord.py's objects offer that becomes a request."""


def used(path: Path) -> Iterator[tuple[str, int]]:
    """(attribute, line) of everything in *path* that becomes a request."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute):
            if node.attr in REQUESTS:
                yield node.attr, node.lineno
            elif node.attr == "request" and isinstance(node.value, ast.Attribute) and node.value.attr == "http":
                yield "http.request", node.lineno


def test_only_the_courier_talks_to_discord() -> None:
    others = [path for top in ("bot", "cogs") for path in sorted((ROOT / top).rglob("*.py")) if path != COURIER]
    assert len(others) > 50
    assert not [f"{path.relative_to(ROOT)}:{line} {name}" for path in others for name, line in used(path)]


def test_the_courier_does() -> None:
    """Else the names above would be out of date."""
    assert {name for name, _ in used(COURIER)} >= {
        "send_modal", "create_application_emoji", "fetch_application_emojis",
        "http.request",
    }  # fmt: skip
