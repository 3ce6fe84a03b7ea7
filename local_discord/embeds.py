"""What Discord refuses in a message's embeds. https://discord.com/developers/docs/resources/message#embed-object"""

from datetime import datetime
from typing import Any, Final

from local_discord.errors import invalid_form
from local_discord.forms import UPLOAD, WEB, Form, checked_list

MOST_EMBEDS: Final = 10
MOST_FIELDS: Final = 25
MOST_CHARACTERS: Final = 6000
"""In all embeds of a message together."""
MOST_URL: Final = 2048
Embed = dict[str, Any]


def parse_embeds(given: Any) -> list[Embed]:
    """Return the embeds of a message from those in a request (*given*), checked; or raise ApiError (50035) if they
    break a limit."""
    found = [
        _parse_embed(Form(item, f"embeds.{i}"))
        for i, item in enumerate(checked_list(given, "embeds", most=MOST_EMBEDS))
    ]
    if sum(map(_count_embed_characters, found)) > MOST_CHARACTERS:
        message = f"Embed size exceeds maximum size of {MOST_CHARACTERS}"
        raise invalid_form("embeds", "MAX_EMBED_SIZE_EXCEEDED", message)
    return found


def _parse_embed(form: Form) -> Embed:
    """Return the embed in *form*, checked; or raise ApiError if a part is invalid or it shows nothing."""
    form.text("title", 0, 256)
    form.text("description", 0, 4096)
    form.whole("color", 0, 0xFFFFFF)
    _check_timestamp(form)
    if form.value("url") is not None:
        form.url("url", MOST_URL, WEB)
    parts = {
        "footer": _parse_footer_or_author(form.form("footer"), "text", 2048, "icon_url"),
        "author": _parse_footer_or_author(form.form("author"), "name", 256, "icon_url", "url"),
        "image": _parse_embed_image(form.form("image")),
        "thumbnail": _parse_embed_image(form.form("thumbnail")),
        "fields": [_parse_embed_field(field) for field in form.forms("fields", most=MOST_FIELDS)],
    }
    found = form.only("title", "description", "url", "color", "timestamp") | {k: v for k, v in parts.items() if v}
    if not {"title", "description", *parts} & {key for key, value in found.items() if value}:
        raise form.error_for("description", "BASE_TYPE_REQUIRED", "This field is required")
    return {"type": "rich", **found}


def _check_timestamp(form: Form) -> None:
    """Raise ApiError if the ``timestamp`` of an embed is no ISO 8601 time."""
    try:
        datetime.fromisoformat(form.text("timestamp") or "2015-01-01")
    except ValueError:
        message = "Could not parse the timestamp. Should be ISO8601."
        raise form.error_for("timestamp", "DATE_TIME_TYPE_PARSE", message) from None


def _parse_footer_or_author(form: Form | None, key: str, most: int, icon: str, link: str = "") -> Embed | None:
    """Return the footer or author in *form*, checked; ``None`` if there is none; or raise ApiError (50035).

    It has a text *key* of at most *most* characters, an *icon* and a *link* address.
    """
    if form is None:
        return None
    form.text(key, 1, most, required=True)
    if form.value(icon) is not None:
        form.url(icon, MOST_URL, (*WEB, UPLOAD))
    if link and form.value(link) is not None:
        form.url(link, MOST_URL, WEB)
    return form.only(key, icon, link)


def _parse_embed_image(form: Form | None) -> Embed | None:
    """Return the image in *form* with its address, checked; ``None`` if there is none; or raise ApiError (50035)."""
    return None if form is None else {"url": form.url("url", MOST_URL, (*WEB, UPLOAD))}


def _parse_embed_field(form: Form) -> Embed:
    """Return one field of an embed (name, value, inline), checked; or raise ApiError (50035)."""
    form.text("name", 1, 256, required=True)
    form.text("value", 1, 1024, required=True)
    return {**form.only("name", "value"), "inline": bool(form.boolean("inline"))}


def _count_embed_characters(embed: Embed) -> int:
    """Count the characters of *embed* that count towards the limit for all embeds of a message."""
    size = sum(len(field["name"]) + len(field["value"]) for field in embed.get("fields", []))
    size += len(embed.get("title", "")) + len(embed.get("description", ""))
    return size + len(embed.get("footer", {}).get("text", "")) + len(embed.get("author", {}).get("name", ""))
