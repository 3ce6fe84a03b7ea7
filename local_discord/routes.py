"""REST for bots and users, API v10. What is not here is refused with Discord's error shape and a log line."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any, Final

from aiohttp import web

from local_discord import commands, errors, serialize
from local_discord.attachments import Upload
from local_discord.checks import walk
from local_discord.emojis import Emojis
from local_discord.errors import ApiError
from local_discord.faults import Fault, Faults, refusal
from local_discord.gateway import Gateway
from local_discord.interactions import Interactions, usable
from local_discord.limits import Limits, refused
from local_discord.model import Channel, MessageFlag, User
from local_discord.requests import RequestList
from local_discord.world import APPLICATION, World

log = logging.getLogger(__name__)

Handler = Callable[["Call"], Awaitable[Any]]
NOTHING: Final = object()
"""The answer 204."""
MOST_MESSAGES: Final = 100
_FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}


class Call:
    """A request with its body read, and the fault that strikes it."""

    def __init__(self, request: web.Request, raw: bytes, uploads: list[Upload], fault: Fault | None) -> None:
        self.method = request.method
        self.path = request.path.removeprefix("/api/v10")
        self.query = request.query
        self.match_info = request.match_info
        self.authorization = request.headers.get("Authorization", "")
        self.fault = fault
        self.uploads = uploads
        self._request = request
        self._raw = raw

    @cached_property
    def body(self) -> Any:
        """The JSON body; an empty object where there is none.

        Raises:
            ApiError: it is no JSON.
        """
        return _body(self._request, self._raw)

    @property
    def noted_body(self) -> Any:
        """The body for the request list; ``None`` where it is no JSON."""
        try:
            return self.body
        except ApiError:
            return None


class Limited(Exception):
    """The bot asks too much: a 429 with this *body* and these *headers*."""

    def __init__(self, body: dict[str, Any], headers: dict[str, str]) -> None:
        super().__init__(body["message"])
        self.body = body
        self.headers = headers


class Rest:
    """The routes of one world."""

    def __init__(
        self,
        world: World,
        gateway: Gateway,
        interactions: Interactions,
        requests: RequestList,
        faults: Faults,
        limits: Limits,
    ) -> None:
        self._faults = faults
        self._world = world
        self._gateway = gateway
        self._interactions = interactions
        self._requests = requests
        self._limits = limits
        self._emojis = Emojis(world)

    def add_to(self, app: web.Application) -> None:
        """Register every route under ``/api/v10``."""
        for method, path, handler in (
            ("GET", "/gateway", self._gateway_address),
            ("GET", "/gateway/bot", self._gateway_for_bots),
            ("GET", "/users/@me", self._me),
            ("GET", "/users/@me/channels", self._my_channels),
            ("POST", "/users/@me/channels", self._open_dm),
            ("GET", "/users/{user}", self._user),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/applications/{application}/commands", self._get_commands),
            ("PUT", "/applications/{application}/commands", self._put_commands),
            ("GET", "/applications/{application}/emojis", self._list_emojis),
            ("POST", "/applications/{application}/emojis", self._make_emoji),
            ("GET", "/applications/{application}/emojis/{emoji}", self._get_emoji),
            ("PATCH", "/applications/{application}/emojis/{emoji}", self._rename_emoji),
            ("DELETE", "/applications/{application}/emojis/{emoji}", self._remove_emoji),
            ("GET", "/guilds/{guild}/channels", self._guild_channels),
            ("GET", "/channels/{channel}", self._channel),
            ("DELETE", "/channels/{channel}", self._delete_channel),
            ("GET", "/channels/{channel}/messages", self._messages),
            ("POST", "/channels/{channel}/messages", self._send),
            ("GET", "/channels/{channel}/messages/{message}", self._message),
            ("PATCH", "/channels/{channel}/messages/{message}", self._edit),
            ("DELETE", "/channels/{channel}/messages/{message}", self._delete),
            ("GET", "/channels/{channel}/application-commands/search", self._search_commands),
            ("POST", "/interactions", self._interact),
            ("POST", "/interactions/{interaction}/{token}/callback", self._callback),
            ("POST", "/webhooks/{application}/{token}", self._follow_up),
            ("GET", "/webhooks/{application}/{token}/messages/{which}", self._get_reply),
            ("PATCH", "/webhooks/{application}/{token}/messages/{which}", self._edit_reply),
            ("DELETE", "/webhooks/{application}/{token}/messages/{which}", self._delete_reply),
        ):
            app.router.add_route(method, f"/api/v10{path}", self._served(handler, path))
        app.router.add_get("/emojis/{emoji}", self._emoji_picture)
        app.router.add_get("/attachments/{channel:[0-9]+}/{attachment:[0-9]+}/{filename}", self._attachment)
        app.router.add_route("*", "/api/{rest:.*}", self._served(self._unknown, "/"))

    def _served(self, handler: Handler, template: str) -> Callable[[web.Request], Awaitable[web.Response]]:
        """*handler* of the route *template*: rate limits, faults, errors in Discord's shape, the request list."""

        async def serve(request: web.Request) -> web.Response:
            fault = self._faults.take(request.method, request.path.removeprefix("/api/v10"))
            call = Call(request, *await _read(request), fault)
            if fault and handler != self._interact:
                await asyncio.sleep(fault.delay_ms / 1000)
            headers: dict[str, str] = {}
            try:
                headers = self._limit(call, template, fault)
                if fault and fault.status:
                    raise refusal(fault.status)
                answer = await handler(call)
                status, body = (204, None) if answer is NOTHING else (200, answer)
            except Limited as limited:
                status, body, headers = 429, limited.body, limited.headers
            except ApiError as error:
                status, body = error.status, error.body()
            self._requests.add(call.method, call.path, call.authorization, status, call.noted_body)
            if fault and fault.drop and request.transport is not None:
                request.transport.close()
            if body is None:
                return web.Response(status=status, headers=headers)
            # Exactly this content type: discord.py does not parse the body otherwise.
            headers = {**headers, "Content-Type": "application/json"}
            return web.Response(status=status, body=json.dumps(body).encode(), headers=headers)

        return serve

    def _limit(self, call: Call, template: str, fault: Fault | None) -> dict[str, str]:
        """The headers of a request within its limits. People have none here.

        Raises:
            Limited: the bot has to wait.
        """
        if fault and fault.retry_after is not None:
            scope = "global" if fault.everywhere else "user"
            raise Limited(
                refused(fault.retry_after, everywhere=fault.everywhere),
                {
                    "Retry-After": f"{fault.retry_after:.3f}",
                    "Via": "1.1 google",
                    "X-RateLimit-Scope": scope,
                    **({"X-RateLimit-Global": "true"} if fault.everywhere else {}),
                },
            )
        counted = call.authorization.startswith("Bot ") and not template.startswith(("/webhooks/", "/interactions/"))
        if not counted and not template.startswith(("/webhooks/", "/interactions/{")):
            return {}
        verdict = self._limits.take(call.method, template, dict(call.match_info), counted=counted)
        if verdict.retry_after is not None:
            raise Limited(refused(verdict.retry_after, everywhere=verdict.everywhere), verdict.headers)
        return verdict.headers

    async def _unknown(self, call: Call) -> Any:
        log.warning("not implemented: %s %s", call.method, call.path)
        raise errors.unknown_route()

    # Who asks

    def _person(self, call: Call) -> User:
        token = call.authorization
        person = self._world.by_token(token.removeprefix("Bot "))
        if person is None or person.bot != token.startswith("Bot "):
            raise errors.unauthorized()
        return person

    def _in_channel(self, call: Call) -> tuple[User, Channel]:
        person = self._person(call)
        return person, self._world.channel(_id(call, "channel"), person)

    # Gateway and people

    async def _gateway_address(self, call: Call) -> Any:
        return {"url": self._gateway.address}

    async def _gateway_for_bots(self, call: Call) -> Any:
        self._person(call)
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return {"url": self._gateway.address, "shards": self._gateway.shards, "session_start_limit": limit}

    async def _me(self, call: Call) -> Any:
        return serialize.user(self._person(call)) | {"verified": True, "mfa_enabled": False, "flags": 0}

    async def _user(self, call: Call) -> Any:
        self._person(call)
        return serialize.user(self._world.user(_id(call, "user")))

    async def _my_channels(self, call: Call) -> Any:
        person = self._person(call)
        mine = [channel for channel in self._world.channels.values() if person.id in channel.recipients]
        return [self._world.channel_object(channel, person) for channel in mine]

    async def _open_dm(self, call: Call) -> Any:
        person = self._person(call)
        recipient = str(call.body.get("recipient_id", ""))
        if not recipient.isdigit():
            raise errors.invalid_form("recipient_id", "NUMBER_TYPE_COERCE", "Value is not snowflake.")
        other = self._world.user(int(recipient))
        return self._world.channel_object(self._world.dm(person, other), person)

    async def _application(self, call: Call) -> Any:
        self._person(call)
        bot = self._world.bot
        return {
            "id": str(APPLICATION),
            "name": bot.name,
            "icon": None,
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "00",
            "flags": 0,
            "owner": serialize.user(self._world.people[0]),
            "team": None,
            "summary": "",
        }

    # Commands

    async def _get_commands(self, call: Call) -> Any:
        self._person(call)
        return self._world.commands

    async def _put_commands(self, call: Call) -> Any:
        person = self._person(call)
        if not person.bot or _id(call, "application") != APPLICATION:
            raise errors.missing_access()
        given = call.body
        commands.check(given)
        known = {command["name"]: command["id"] for command in self._world.commands}
        self._world.commands = [
            {
                **command,
                "id": known.get(command["name"]) or str(self._world.snowflakes.next()),
                "application_id": str(APPLICATION),
                "version": str(self._world.snowflakes.next()),
                "type": command.get("type", 1),
                "default_member_permissions": command.get("default_member_permissions"),
                "nsfw": bool(command.get("nsfw")),
            }
            for command in given
        ]
        return self._world.commands

    async def _search_commands(self, call: Call) -> Any:
        person, channel = self._in_channel(call)
        offered = [command for command in self._world.commands if usable(command, channel)]
        if not self._world.may(person, channel, "use_application_commands"):
            offered = []
        application = {"id": str(APPLICATION), "name": self._world.bot.name, "bot": serialize.user(self._world.bot)}
        return {"application_commands": offered, "applications": [application], "cursor": {}}

    # Emojis and attachments

    def _of_bot(self, call: Call) -> None:
        if not self._person(call).bot or _id(call, "application") != APPLICATION:
            raise errors.missing_access()

    async def _list_emojis(self, call: Call) -> Any:
        self._of_bot(call)
        return {"items": self._emojis.all()}

    async def _make_emoji(self, call: Call) -> Any:
        self._of_bot(call)
        return self._emojis.item(self._emojis.make(call.body))

    async def _get_emoji(self, call: Call) -> Any:
        self._of_bot(call)
        return self._emojis.item(self._emojis.one(_id(call, "emoji")))

    async def _rename_emoji(self, call: Call) -> Any:
        self._of_bot(call)
        return self._emojis.item(self._emojis.rename(self._emojis.one(_id(call, "emoji")), call.body))

    async def _remove_emoji(self, call: Call) -> Any:
        self._of_bot(call)
        self._emojis.remove(self._emojis.one(_id(call, "emoji")))
        return NOTHING

    async def _emoji_picture(self, request: web.Request) -> web.Response:
        """As from Discord's content servers: for everybody who has the address."""
        number = request.match_info["emoji"].partition(".")[0]
        try:
            emoji = self._emojis.one(int(number) if number.isdigit() else 0)
        except ApiError:
            raise web.HTTPNotFound from None
        return web.Response(body=emoji.data, content_type=emoji.content_type, headers=_FOR_EVER)

    async def _attachment(self, request: web.Request) -> web.Response:
        attachment = self._world.files.get(int(request.match_info["attachment"]))
        if attachment is None:
            raise web.HTTPNotFound
        return web.Response(body=attachment.data, content_type=attachment.content_type, headers=_FOR_EVER)

    # Channels and messages

    async def _guild_channels(self, call: Call) -> Any:
        self._person(call)
        guild = self._world.guilds.get(_id(call, "guild"))
        if guild is None:
            raise errors.unknown_guild()
        return self._world.guild_object(guild)["channels"]

    async def _channel(self, call: Call) -> Any:
        person, channel = self._in_channel(call)
        return self._world.channel_object(channel, person)

    async def _delete_channel(self, call: Call) -> Any:
        person, channel = self._in_channel(call)
        if not person.moderator or channel.guild is None:
            raise errors.missing_permissions()
        self._world.delete_channel(channel)
        return serialize.channel(channel)

    async def _messages(self, call: Call) -> Any:
        """Newest first. Ephemeral messages are no part of the history: they vanish when a client reloads."""
        person, channel = self._in_channel(call)
        if not self._world.may(person, channel, "read_message_history"):
            return []
        limit = call.query.get("limit", "50")
        if not limit.isdigit() or not 1 <= int(limit) <= MOST_MESSAGES:
            raise errors.invalid_form("limit", "NUMBER_TYPE_MAX", f"int value should be 1 to {MOST_MESSAGES}.")
        visible = [message for message in reversed(channel.messages.values()) if message.reader is None]
        return [self._world.message_object(message) for message in visible[: int(limit)]]

    async def _send(self, call: Call) -> Any:
        person, channel = self._in_channel(call)
        body = call.body
        flags = int(body.get("flags") or 0) & MessageFlag.COMPONENTS_V2 if person.bot else 0
        if not person.bot and list(walk(body.get("components") or [])):
            raise errors.invalid_form("components", "BASE_TYPE_BAD_LENGTH", "People's messages have no components.")
        message = self._world.send(channel, person, body, flags=flags, uploads=call.uploads)
        return self._world.message_object(message)

    async def _message(self, call: Call) -> Any:
        person, channel = self._in_channel(call)
        return self._world.message_object(self._world.message(channel, _id(call, "message"), person))

    async def _edit(self, call: Call) -> Any:
        person, channel = self._in_channel(call)
        message = self._world.message(channel, _id(call, "message"), person)
        if message.reader is not None:
            raise errors.unknown_message()
        if message.author != person.id:
            raise errors.not_the_author()
        if call.uploads and channel.guild and not self._world.may(person, channel, "attach_files"):
            raise errors.missing_permissions()
        self._world.edit(channel, message, call.body, call.uploads)
        return self._world.message_object(message)

    async def _delete(self, call: Call) -> Any:
        person, channel = self._in_channel(call)
        message = self._world.message(channel, _id(call, "message"), person)
        if message.author != person.id and not self._world.may(person, channel, "manage_messages"):
            raise errors.missing_permissions()
        self._world.delete(channel, message)
        return NOTHING

    # Interactions

    async def _interact(self, call: Call) -> Any:
        person = self._person(call)
        if person.bot:
            raise errors.missing_access()
        # A delay here is the way from Discord to the bot: the click is stamped before it.
        self._interactions.begin(person, call.body, call.fault.delay_ms if call.fault else 0)
        return NOTHING

    async def _callback(self, call: Call) -> Any:
        answer = self._interactions.answer(_id(call, "interaction"), call.match_info["token"], call.body, call.uploads)
        return answer if call.query.get("with_response") in ("1", "true", "True") else NOTHING

    async def _follow_up(self, call: Call) -> Any:
        interaction = self._interactions.of_token(_id(call, "application"), call.match_info["token"])
        message = self._interactions.follow_up(interaction, call.body, call.uploads)
        return self._world.message_object(message)

    async def _get_reply(self, call: Call) -> Any:
        interaction = self._interactions.of_token(_id(call, "application"), call.match_info["token"])
        _, message = self._interactions.message_of(interaction, call.match_info["which"])
        return self._world.message_object(message)

    async def _edit_reply(self, call: Call) -> Any:
        interaction = self._interactions.of_token(_id(call, "application"), call.match_info["token"])
        message = self._interactions.edit(interaction, call.match_info["which"], call.body, call.uploads)
        return self._world.message_object(message)

    async def _delete_reply(self, call: Call) -> Any:
        interaction = self._interactions.of_token(_id(call, "application"), call.match_info["token"])
        channel, message = self._interactions.message_of(interaction, call.match_info["which"])
        self._world.delete(channel, message)
        return NOTHING


def _id(call: Call, name: str) -> int:
    value = call.match_info[name]
    if not value.isdigit():
        raise errors.invalid_form(f"{name}_id", "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
    return int(value)


def _body(request: web.Request, raw: bytes) -> Any:
    if not raw:
        return {}
    if request.content_type not in ("application/json", "multipart/form-data"):
        log.warning("not implemented: a body of type %s", request.content_type)
        raise errors.not_json()
    try:
        return json.loads(raw)
    except ValueError:
        raise errors.not_json() from None


async def _read(request: web.Request) -> tuple[bytes, list[Upload]]:
    """The JSON of *request*, and the files beside it. https://discord.com/developers/docs/reference#uploading-files"""
    if request.content_type != "multipart/form-data":
        return await request.read(), []
    form = await request.post()
    uploads = [
        Upload(name.removeprefix("files[").removesuffix("]"), it.filename, it.content_type, it.file.read())
        for name, it in form.items()
        if isinstance(it, web.FileField)
    ]
    return str(form.get("payload_json", "{}")).encode(), uploads
