"""One request as the routes see it: its body, its files, the ids in its path, and who sent it."""

import json
import logging
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any, Final, NamedTuple

from aiohttp import web

from local_discord import errors
from local_discord.attachments import Upload
from local_discord.errors import ApiError
from local_discord.faults import Fault
from local_discord.model import Channel, User
from local_discord.world import World

log = logging.getLogger(__name__)

NOTHING: Final = object()
"""What a handler returns for the answer 204."""


class Call:
    """A request with its body read. ``path`` is below ``/api/v10``; *fault* is the one to apply to it, if any."""

    def __init__(self, request: web.Request, raw: bytes, uploads: list[Upload], fault: Fault | None) -> None:
        self.method = request.method
        self.path = request.path.removeprefix("/api/v10")
        self.query = request.query
        self.match_info = request.match_info
        self.authorization = request.headers.get("Authorization", "")
        self.fault = fault
        self.uploads = uploads
        self._content_type = request.content_type
        self._raw = raw

    @cached_property
    def body(self) -> Any:
        """The JSON body; an empty object if there is no body.

        Raises:
            ApiError: the body is not JSON (50109).
        """
        if not self._raw:
            return {}
        if self._content_type not in ("application/json", "multipart/form-data"):
            log.warning("not implemented: a body of type %s", self._content_type)
            raise errors.not_json()
        try:
            return json.loads(self._raw)
        except ValueError:
            raise errors.not_json() from None

    @property
    def noted_body(self) -> Any:
        """The body for the request list; ``None`` if it is not JSON."""
        try:
            return self.body
        except ApiError:
            return None

    def id(self, name: str) -> int:
        """The id that the path holds in place of ``{name}``.

        Raises:
            ApiError: it is not a number (50035).
        """
        value = self.match_info[name]
        if not value.isdigit():
            raise errors.invalid_form(f"{name}_id", "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
        return int(value)

    def person(self, world: World) -> User:
        """The person or bot whose token came with the request. Only a bot's token has the prefix "Bot ".

        Raises:
            ApiError: nobody has this token (401).
        """
        token = self.authorization
        person = world.by_token(token.removeprefix("Bot "))
        if person is None or person.bot != token.startswith("Bot "):
            raise errors.unauthorized()
        return person

    def person_in_channel(self, world: World) -> tuple[User, Channel]:
        """Who sent the request, and the channel in its path.

        Raises:
            ApiError: nobody has this token, or its owner may not see the channel.
        """
        person = self.person(world)
        return person, world.channel(self.id("channel"), person)


Handler = Callable[[Call], Awaitable[Any]]
"""Returns what the response holds as JSON, or ``NOTHING``."""


class Route(NamedTuple):
    """A handler for *method* and *path*, a path below ``/api/v10`` with ``{names}`` for its ids."""

    method: str
    path: str
    handler: Handler
    delays_itself: bool = False
    """The handler applies the delay of a fault. Otherwise the whole request waits."""
    success: int = 200
    """The status of an answer with a body."""


async def read(request: web.Request) -> tuple[bytes, list[Upload]]:
    """The JSON of *request*, not yet parsed, and the files beside it.

    https://discord.com/developers/docs/reference#uploading-files
    """
    if request.content_type != "multipart/form-data":
        return await request.read(), []
    form = await request.post()
    uploads = [
        Upload(name.removeprefix("files[").removesuffix("]"), it.filename, it.content_type, it.file.read())
        for name, it in form.items()
        if isinstance(it, web.FileField)
    ]
    return str(form.get("payload_json", "{}")).encode(), uploads
