"""Every request of the bot against Discord's own OpenAPI description, where that is at hand.

The description is data of Discord's, kept beside the checkout as ``shared/discord-openapi.json`` and not in it;
``DISCORD_OPENAPI`` names another place.
"""

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

DESCRIPTION = Path(os.environ.get("DISCORD_OPENAPI", Path(__file__).parents[2] / "shared" / "discord-openapi.json"))


def available() -> bool:
    """Whether the description is there."""
    return DESCRIPTION.is_file()


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(DESCRIPTION.read_text("utf-8"))
    return document


@cache
def _operations() -> list[tuple[re.Pattern[str], str, dict[str, Any]]]:
    found = []
    for path, methods in _document()["paths"].items():
        pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + r"\Z")
        # Fixed words before placeholders: "/users/@me" before "/users/{user_id}".
        for method, operation in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                found.append((path.count("{"), pattern, method.upper(), operation))
    return [(pattern, method, operation) for _, pattern, method, operation in sorted(found, key=lambda item: item[0])]


@cache
def _validator(index: int) -> Draft202012Validator | None:
    body = _operations()[index][2].get("requestBody", {}).get("content", {}).get("application/json")
    if body is None:
        return None
    # References are resolved against the whole document, so the schema travels with its components.
    return Draft202012Validator({**body["schema"], "components": _document()["components"]})


def _as_described(body: Any) -> Any:
    """*body* with the numbers of uploads as text: discord.py writes them as numbers, which Discord takes, while its
    description knows text alone."""
    if not isinstance(body, dict):
        return body
    found = dict(body)
    if isinstance(found.get("data"), dict):
        found["data"] = _as_described(found["data"])
    if isinstance(found.get("attachments"), list):
        found["attachments"] = [{**item, "id": str(item["id"])} for item in found["attachments"]]
    return found


def problems(method: str, path: str, body: Any) -> list[str]:
    """What is wrong with a request, by Discord's description; *path* without the API's base and query."""
    for index, (pattern, verb, _) in enumerate(_operations()):
        if verb == method and pattern.match(path):
            validator = _validator(index)
            if validator is None or body is None:
                return []
            return [
                f"{method} {path}: {'/'.join(map(str, error.instance_path))}: {error.message[:300]}"
                for error in validator.iter_errors(_as_described(body))
            ]
    return [f"{method} {path}: no such operation"]


def misshapen(schema: str, answer: Any) -> list[str]:
    """What is wrong with *answer*, by the schema of that name in Discord's description."""
    document = _document()
    validator = Draft202012Validator(
        {**document["components"]["schemas"][schema], "components": document["components"]}
    )
    return [
        f"{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in validator.iter_errors(answer)
    ]
