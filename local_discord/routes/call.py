"""One request as the routes see it: its body, its files, the ids in its path, and who sent it."""

import json
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any, Final, NamedTuple

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from multidict import MultiDictProxy

from local_discord import errors
from local_discord.attachments import Upload
from local_discord.errors import ApiError
from local_discord.faults import Fault
from local_discord.forms import Form, parse_json, snowflake
from local_discord.model import Channel, User
from local_discord.services import Services

FORM: Final = "multipart/form-data"
BROKEN: Final = (ValueError, LookupError, AssertionError, HttpProcessingError, web.RequestPayloadError)
"""How aiohttp says that a body is broken."""
NOTHING: Final = object()
"""What a handler returns for the answer 204."""


class BrokenOff(Exception):
    """The client closed its connection before its request was here whole."""


class Call:
    """One REST request to *server*: its path below ``/api/v10``, its body and files, and who sent it. *fault* is the
    one to apply, if any."""

    def __init__(self, server: Services, request: web.Request, fault: Fault | None) -> None:
        self.server = server
        self.world = server.world
        self.method = request.method
        self.path = request.path.removeprefix("/api/v10")
        self.query = request.query
        self.match_info = request.match_info
        self.authorization = request.headers.get("Authorization", "")
        self.fault = fault
        self.uploads: list[Upload] = []
        self._request = request
        self._content_type = request.content_type
        self._raw = b""

    async def read(self) -> None:
        """Read the body and its files, without parsing the JSON; ApiError if it is too large (40005) or broken (50035),
        BrokenOff if the client has left."""
        try:
            if self._content_type == FORM:
                self._split_multipart(await self._request.post())
            else:
                self._raw = await self._request.read()
        except web.HTTPRequestEntityTooLarge:
            raise errors.too_large() from None
        except ConnectionResetError as error:
            raise BrokenOff from error
        except BROKEN:
            raise errors.invalid_form("", "CONTENT_TYPE_INVALID", "The body cannot be read.") from None

    def _split_multipart(self, parts: MultiDictProxy[str | bytes | bytearray | web.FileField]) -> None:
        """Keep the files and the JSON of the multipart form *parts*; without ``payload_json`` its other fields are the
        JSON.

        https://discord.com/developers/docs/reference#uploading-files
        """
        fields: dict[str, Any] = {}
        for name, part in parts.items():
            if isinstance(part, web.FileField):
                number = name.removeprefix("files[").removesuffix("]")
                self.uploads.append(Upload(number, part.filename, part.content_type, part.file.read()))
            else:
                fields[name] = part if isinstance(part, str) else part.decode()
        if "tts" in fields:
            fields["tts"] = {"true": True, "false": False}.get(fields["tts"], fields["tts"])
        self._raw = fields.get("payload_json", json.dumps(fields)).encode()

    @cached_property
    def body(self) -> Any:
        """The JSON body, an empty object if there is none; or raise ApiError: another content type (50035), or not JSON
        (50109)."""
        if not self._raw:
            return {}
        if self._content_type not in ("application/json", FORM):
            message = "Expected \"Content-Type\" header to be one of {'application/json'}."
            raise errors.invalid_form("", "CONTENT_TYPE_INVALID", message)
        return parse_json(self._raw)

    @property
    def form(self) -> Form:
        """The body as a form; or raise ApiError if it is no JSON object."""
        return Form(self.body)

    @property
    def noted_body(self) -> Any:
        """The JSON body for the request list; ``None`` if it is not JSON."""
        try:
            return self.body
        except ApiError:
            return None

    def path_id(self, name: str) -> int:
        """The id in the path in place of ``{name}``; or raise ApiError (50035) if it is no number."""
        return snowflake(self.match_info[name], f"{name}_id")

    def sender(self) -> User:
        """Return the person or bot whose token came with the request; or raise ApiError (401) if nobody has it."""
        token = self.authorization
        person = self.world.user_by_token(token.removeprefix("Bot "))
        if person is None or person.bot != token.startswith("Bot "):
            raise errors.unauthorized()
        return person

    def sender_and_channel(self) -> tuple[User, Channel]:
        """Return who sent the request, and the channel in its path; or raise ApiError: unknown token, no such channel,
        or they may not see it."""
        person = self.sender()
        return person, self.world.get_visible_channel(self.path_id("channel"), person)


Handler = Callable[[Call], Awaitable[Any]]
"""Returns what the response holds as JSON, or ``NOTHING``."""


class Route(NamedTuple):
    """One route: the *handler* for *method* and *path*, a path below ``/api/v10`` with ``{names}`` for its ids."""

    method: str
    path: str
    handler: Handler
    delays_itself: bool = False
    """The handler applies the delay of a fault. Otherwise the whole request waits."""
    success: int = 200
    """The status of an answer with a body."""
