"""Files sent with a message, and the components that show them.

https://discord.com/developers/docs/reference#uploading-files
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from local_discord.checks import GALLERY, THUMBNAIL, walk
from local_discord.errors import invalid_form
from local_discord.model import Attachment, Message
from local_discord.snowflake import Snowflakes

MOST: Final = 10
MOST_BYTES: Final = 10 * 1024 * 1024
_SCHEME: Final = "attachment://"


class Upload(NamedTuple):
    """A file in a request, from its form field ``files[number]``."""

    number: str
    filename: str
    content_type: str
    data: bytes


def attachments_after(
    known: Sequence[Attachment], data: dict[str, Any], uploads: Sequence[Upload], snowflakes: Snowflakes
) -> list[Attachment]:
    """The attachments of a message after a request with *data*; *known* are those it had before.

    Those that *data* names stay (all of them if it has no ``attachments``), then the *uploads* follow.

    Raises:
        ApiError: there are too many, or one is too large (50035).
    """
    named = data.get("attachments")
    described = {str(item.get("id")): item.get("description") for item in named or []}
    kept = [it for it in known if named is None or str(it.id) in described]
    if len(kept) + len(uploads) > MOST:
        raise invalid_form("attachments", "BASE_TYPE_MAX_LENGTH", f"Must be {MOST} or fewer in length.")
    for upload in uploads:
        if len(upload.data) > MOST_BYTES:
            raise invalid_form(f"files[{upload.number}]", "BINARY_TYPE_MAX_SIZE", "File is too large.")
    made = [
        Attachment(snowflakes.next(), upload.filename, upload.content_type, upload.data, described.get(upload.number))
        for upload in uploads
    ]
    return [*kept, *made]


def url_of(base: str, message: Message, attachment: Attachment) -> str:
    """The address of *attachment*; *base* is the address of this server."""
    return f"{base}/attachments/{message.channel}/{attachment.id}/{attachment.filename}"


def resolve(components: list[dict[str, Any]], message: Message, base: str) -> None:
    """Replace each ``attachment://name`` in *components* by the address of *message*'s attachment, in place.

    Raises:
        ApiError: there is no such attachment (50035).
    """
    by_name = {it.filename: it for it in message.attachments}
    for component in walk(components):
        items = component["items"] if component["type"] == GALLERY else [component]
        if component["type"] not in (GALLERY, THUMBNAIL):
            continue
        for item in items:
            url = str(item["media"].get("url"))
            if not url.startswith(_SCHEME):
                continue
            attachment = by_name.get(url.removeprefix(_SCHEME))
            if attachment is None:
                raise invalid_form(
                    "components",
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    f"The referenced attachment {url} was not found in the attachments",
                )
            address = url_of(base, message, attachment)
            item["media"] = {"url": address, "proxy_url": address, "content_type": attachment.content_type}
