"""Files sent with a message, and the components and embeds that show them.

https://discord.com/developers/docs/reference#uploading-files
"""

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from local_discord.components import FILE, GALLERY, THUMBNAIL, Component, components_with_paths
from local_discord.embeds import Embed
from local_discord.errors import invalid_form, too_large
from local_discord.forms import UPLOAD, Form, too_long_error
from local_discord.images import read_picture
from local_discord.model import Attachment
from local_discord.snowflake import Snowflakes

MOST: Final = 10
MOST_BYTES: Final = 10 * 1024 * 1024
MOST_NAME: Final = 1024
MOST_FILES: Final = 500
_SCHEME: Final = f"{UPLOAD}://"


class Files(OrderedDict[int, Attachment]):
    """The newest attachments by id, 500 at most; they stay for a while after their message no longer has them."""

    def keep(self, attachments: Sequence[Attachment]) -> None:
        """Add *attachments*, so that they can be downloaded; drop the oldest ones beyond 500."""
        self.update({it.id: it for it in attachments})
        while len(self) > MOST_FILES:
            self.popitem(last=False)


class Upload(NamedTuple):
    """A file in a request, from its form field ``files[number]``."""

    number: str
    filename: str
    content_type: str
    data: bytes


def merge_attachments(
    known: Sequence[Attachment] | None, data: dict[str, Any], uploads: Sequence[Upload], snowflakes: Snowflakes
) -> list[Attachment]:
    """Return the attachments that a message has after a request with *data* and *uploads*; or raise ApiError (50035).

    *known* are those it had before; ``None``: it is new. In an edit those stay that ``attachments`` names, and those
    files are new that it names. An edit that does not name any keeps the known ones, or replaces them by its files.

    Raises:
        ApiError: there are too many, one is too large, or one that is named is not there (50035).
    """
    form = Form(data)
    described = {_attachment_id(it): it for it in form.forms("attachments", most=MOST)}
    silent = form.value("attachments") is None
    kept = [it for it in known or () if (silent and not uploads) or str(it.id) in described]
    new = [it for it in uploads if known is None or silent or it.number in described]
    there = {*(str(it.id) for it in kept), *(it.number for it in new)}
    for number, it in described.items():
        if number not in there:
            raise invalid_form(it.path, "ATTACHMENT_NOT_FOUND", "Attachment data not found")
    if len(kept) + len(new) > MOST:
        raise too_long_error("attachments", MOST)
    return [
        *(_with_form_description(it, described.get(str(it.id))) for it in kept),
        *(_make_attachment(it, described.get(it.number), snowflakes) for it in new),
    ]


def command_attachments(
    data: dict[str, Any], uploads: Sequence[Upload], snowflakes: Snowflakes
) -> dict[int, Attachment]:
    """Return the files sent with a command, by the number that its *data* gives them; or raise ApiError (50035; 40005
    if one is too large)."""
    if any(len(it.data) > MOST_BYTES for it in uploads):
        raise too_large()
    named = {_attachment_id(it) for it in Form(data).forms("attachments", most=MOST)}
    sent = [it for it in uploads if it.number in named]
    made = merge_attachments(None, {"attachments": data.get("attachments") or []}, sent, snowflakes)
    return {int(it.number): attachment for it, attachment in zip(sent, made, strict=True)}


def _attachment_id(form: Form) -> str:
    """Return the id of the attachment described in *form*, as text, and check the other fields; or raise ApiError
    (50035)."""
    form.text("filename", 1, MOST_NAME)
    form.text("title", 0, MOST_NAME)
    form.text("description", 0, MOST_NAME)
    form.boolean("is_spoiler")
    return str(form.snowflake("id", required=True))


def _with_form_description(known: Attachment, form: Form | None) -> Attachment:
    """Return *known* with the description in *form*, or unchanged if *form* is ``None`` or has none."""
    return known if form is None or "description" not in form.data else replace(known, **_description_argument(form))


def _description_argument(form: Form | None) -> dict[str, Any]:
    """Return the field ``description`` of *form* as a keyword argument for an attachment; its value is ``None`` without
    a form."""
    return {"description": form.text("description") if form else None}


def _make_attachment(upload: Upload, form: Form | None, snowflakes: Snowflakes) -> Attachment:
    """Build a new attachment from *upload*, with name and description as *form* says; or raise ApiError if it is too
    large."""
    if len(upload.data) > MOST_BYTES:
        raise invalid_form(f"files[{upload.number}]", "BINARY_TYPE_MAX_SIZE", "File is too large.")
    given = (form and form.text("filename")) or upload.filename
    name = safe_name(given)
    return Attachment(
        snowflakes.next(),
        name,
        upload.content_type,
        upload.data,
        title=None if name == given else given.rpartition(".")[0] or given,
        picture=read_picture(upload.data),
        **_description_argument(form),
    )


def safe_name(given: str) -> str:
    """Turn *given* into a safe file name as Discord does: ASCII letters, digits, points, hyphens and underscores.

    >>> safe_name("hello (world).png")
    'hello_world.png'
    """
    plain = unicodedata.normalize("NFKD", given).encode("ascii", "ignore").decode()
    stem, dot, ending = plain.replace("/", " ").replace("\\", " ").rpartition(".")
    name, ending = (_clean(stem), _clean(ending)) if dot else (_clean(ending), "")
    name = name.strip("._") or "unknown"
    return f"{name}.{ending}" if ending else name


def _clean(text: str) -> str:
    """Return *text* with underscores for white space, and without what a safe file name may not hold."""
    return re.sub(r"[^\w.-]", "", "_".join(text.split()), flags=re.ASCII)


def attachment_url(base: str, channel: int, attachment: Attachment) -> str:
    """The web address at which *attachment*, sent in *channel*, can be downloaded; *base* is the address of this
    server."""
    return f"{base}/attachments/{channel}/{attachment.id}/{attachment.filename}"


def resolve_attachment_urls(
    components: list[Component],
    embeds: list[Embed],
    attachments: Sequence[Attachment],
    address: Callable[[Attachment], str],
    snowflakes: Snowflakes,
) -> None:
    """Replace each ``attachment://name`` in *components* and *embeds*, in place, by the attachment's address; ApiError
    (50035) if there is none."""
    by_name = {it.filename: it for it in attachments}
    for path, holder, key in _media_places(components):
        media = holder[key]
        if "proxy_url" in media:
            continue
        found = _find_attachment(media["url"], by_name, f"{path}.{key}.url")
        if found is None:
            holder[key] = {"id": str(snowflakes.next()), "url": media["url"], "proxy_url": media["url"]}
            continue
        url = address(found)
        size = {"width": found.picture.width, "height": found.picture.height} if found.picture else {}
        known = {"id": str(found.id), "attachment_id": str(found.id), "content_type": found.content_type}
        holder[key] = {"url": url, "proxy_url": url, **known, **size}
        if holder.get("type") == FILE:
            holder |= {"name": found.filename, "size": len(found.data)}
    for index, embed in enumerate(embeds):
        for part, key in (("image", "url"), ("thumbnail", "url"), ("footer", "icon_url"), ("author", "icon_url")):
            url = embed.get(part, {}).get(key, "")
            found = _find_attachment(url, by_name, f"embeds.{index}.{part}.{key}")
            if found is not None:
                embed[part] |= {key: address(found), f"proxy_{key}": address(found)}


def _media_places(components: list[Component]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield every picture or file in *components*: (path, the object that holds it, the key under which)."""
    for path, component in components_with_paths(components, "components"):
        if component["type"] == GALLERY:
            for index, item in enumerate(component["items"]):
                yield f"{path}.items.{index}", item, "media"
        elif component["type"] == THUMBNAIL:
            yield path, component, "media"
        elif component["type"] == FILE:
            yield path, component, "file"


def _find_attachment(url: str, by_name: dict[str, Attachment], path: str) -> Attachment | None:
    """Return the attachment that *url* names; ``None`` if it is a web address; or raise ApiError if there is no such
    attachment."""
    if not url.startswith(_SCHEME):
        return None
    name = safe_name(url.removeprefix(_SCHEME))
    if name not in by_name:
        message = f'The referenced attachment ("{url}") was not found'
        raise invalid_form(path, "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message)
    return by_name[name]
