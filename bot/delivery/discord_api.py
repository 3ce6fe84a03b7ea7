"""Single requests to Discord. Nothing else in the program sends messages, edits or deletes them (a test checks it).

If Discord refuses a request, a ``Fault`` is raised. A message that it refuses is sent again at once in the next simpler
form (``SheetFallback``).
"""

import asyncio
import io
import json
import math
import mimetypes
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import aiohttp
import discord
from discord.http import Route
from discord.webhook.async_ import async_context

from bot.clock import Clock, snowflake_time
from bot.delivery import limits
from bot.delivery.errors import (
    Answered,
    AnsweredBefore,
    Archived,
    Banned,
    Busy,
    Fault,
    Gone,
    NoChannel,
    NoEntry,
    NotAMember,
    Refused,
    TakesNoDms,
    converting_errors_to_faults,
)
from bot.delivery.limits import Throttle, Traffic
from bot.metrics import Metrics
from bot.tables.shards import AllShards, Shards
from bot.ui.components import Component, Sheet
from bot.ui.pictures.drawings import render_picture_files
from bot.ui.pictures.symbols import Emoji

TOO_LARGE: Final = 40005
"""The error code of a request with files that are too large."""


class SheetFallback:
    """Holds a sheet in the form to try next: as it is, once more the same, with text symbols for emojis, then without
    files."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.lost_emojis = False
        """Whether text symbols stand in for its emojis."""
        self._tried_again = False

    def switch_to_next_form(self, no: Refused | NoEntry) -> bool:
        """Change ``sheet`` to the next form to try after the refusal *no* (the same once more, text for emojis, no
        files); return False if none is left."""
        about_files = isinstance(no, NoEntry) or no.code == TOO_LARGE
        if not about_files and self.sheet.has_custom_emojis:
            if self._tried_again:
                self.sheet, self.lost_emojis = self.sheet.copy_with_emojis_as_text(), True
            self._tried_again = True
            return True
        if self.sheet.has_files:
            self.sheet = self.sheet.replace_files_with_text()
            return True
        return False


T = TypeVar("T")

ORIGINAL: Final = "/messages/@original"
COMPONENTS_V2: Final = discord.MessageFlags(components_v2=True).value
EPHEMERAL: Final = discord.MessageFlags(ephemeral=True).value
SILENT: Final = discord.MessageFlags(suppress_notifications=True).value
DMS_PER_SECOND: Final = 0.5
DMS_AT_ONCE: Final = 10
"""How many conversations with people the bot has never written to are opened at once, and then in a second: Discord
refuses bots that open many (https://discord.com/developers/docs/resources/user#create-dm)."""


class FirstResponse:
    """Tracks the first response to one interaction: whether it was sent, taken or lost. Discord takes only one."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        """Held while a first response is sent."""
        self.taken = False
        """Whether Discord has taken one."""
        self.sent: list[discord.InteractionResponseType] = []
        """The kinds that were sent, including those with a lost response."""
        self.lost = False
        """Whether Discord's response to one of them was lost: it may have had its effect."""
        self.waiting = False
        """Whether a message says that the bot is thinking. The answer takes its place."""
        self.private = True
        """Whether only the person sees that message."""

    @property
    def can_token_edit_clicked_message(self) -> bool:
        """Whether the interaction's token can edit the clicked message: not if a first response was, or may have been,
        a new message."""
        return all(kind in _ON_CLICKED for kind in self.sent)


def first_response_state(interaction: discord.Interaction[Any]) -> FirstResponse:
    """Return the state of the first response to *interaction*, kept with it; add an empty one if there is none yet."""
    found: FirstResponse | None = interaction.extras.get("first")
    if found is None:
        found = interaction.extras["first"] = FirstResponse()
    return found


def is_interaction_answered(interaction: discord.Interaction[Any]) -> bool:
    """Whether Discord has taken a first response to *interaction* from this process, an answer or an
    acknowledgement."""
    return first_response_state(interaction).taken


_ON_CLICKED: Final = (
    discord.InteractionResponseType.deferred_message_update,
    discord.InteractionResponseType.message_update,
)


class DiscordApi:
    """Makes the bot's HTTP requests to Discord, one per method: answers, messages, threads, members, emojis.

    Every method raises the ``Fault`` that fits if Discord refuses the request. It raises ``Busy`` or ``ShardLost`` if
    the request is about a table with a shard that this process does not hold, as *shards* says.

    ``simplified`` is called when a message was taken only without its emojis.
    """

    def __init__(
        self,
        client: discord.Client,
        throttle: Throttle,
        clock: Clock,
        traffic: Traffic,
        metrics: Metrics,
        shards: Shards = AllShards(),  # noqa: B008 - it has no state
    ) -> None:
        self._shards = shards
        self._availability = traffic.availability
        self._availability.probe = self.probe
        self._client = client
        self._session: aiohttp.ClientSession | None = None
        """discord.py's own HTTP session, used for all requests."""
        self._throttle = throttle
        self.opening = Throttle(DMS_PER_SECOND, DMS_AT_ONCE)
        """Limits how fast the bot opens conversations with people whom it has never written to."""
        self._clock = clock
        self._traffic = traffic
        self._metrics = metrics
        self._in_line: set[asyncio.Task[Any] | None] = set()
        """Tasks that wait for the turn of their next request."""
        self.simplified: Callable[[], None] = lambda: None

    async def _request_with_fallbacks(self, sheet: Sheet, request: Callable[[Sheet], Awaitable[T]]) -> T:
        """Call *request* with *sheet* and return its result; if Discord refuses, call it again with simpler forms of
        the sheet, and at last raise the refusal."""
        form = SheetFallback(sheet)
        while True:
            try:
                result = await request(form.sheet)
            except (NoChannel, Archived):
                raise
            except (Refused, NoEntry) as no:
                if not form.switch_to_next_form(no):
                    raise
            else:
                if form.lost_emojis:
                    self.simplified()
                return result

    # Answers: they do not count against the bot's global rate limit.

    async def _send_first_response_with_retry(
        self,
        interaction: discord.Interaction[Any],
        kind: discord.InteractionResponseType,
        request: Callable[[], Awaitable[T]],
    ) -> T:
        """Call *request*, which sends the first response to *interaction*, and return its result; twice if the outcome
        is unknown. Raises Answered if there was one.

        *kind* is what is sent.

        Raises:
            Answered: there has been a first response.
            AnsweredBefore: another process has made it.
        """
        known = first_response_state(interaction)
        async with known.lock:
            for last in (False, True):
                if known.taken:
                    raise Answered
                limits.check_shard_held(self._shards)
                known.sent.append(kind)
                try:
                    taken = await request()
                except Answered as no:
                    if not known.lost:
                        raise AnsweredBefore from no
                    raise
                except Busy as no:
                    if no.wait_ms:  # it was certainly not taken
                        known.sent.pop()
                        raise
                    known.lost = True
                    if last:
                        raise
                else:
                    known.taken = True
                    self._metrics.observe_response_time(kind.name, self._clock.now() - snowflake_time(interaction.id))
                    return taken
        raise AssertionError

    async def edit_clicked_message(self, interaction: discord.Interaction[Any], sheet: Sheet) -> None:
        """Answer a click by editing the clicked message to *sheet* (callback type 7), by the click's token if it was
        answered already; or raise a ``Fault``."""

        async def request(sheet: Sheet) -> None:
            await self._send_first_response_with_retry(
                interaction,
                kind,
                lambda: self._post_interaction_callback(interaction, kind, _message_payload(sheet), sheet),
            )

        kind = discord.InteractionResponseType.message_update

        try:
            await self._request_with_fallbacks(sheet, request)
        except Answered:
            assert interaction.message is not None
            await self.edit_by_token(interaction.token, interaction.message.id, sheet)
        except Archived:
            # Messages in an archived thread cannot be changed, but the click must not fail.
            await self.acknowledge(interaction)
            raise

    async def _post_interaction_callback(
        self,
        interaction: discord.Interaction[Any],
        kind: discord.InteractionResponseType,
        payload: dict[str, Any] | None = None,
        sheet: Sheet | None = None,
        *,
        with_message: bool = False,
    ) -> Any:
        """Send a callback of this *kind* for *interaction*, with *payload*, which shows *sheet*; return the response's
        JSON.

        With *with_message* that has the id of the new message. discord.py would ask for the message each time, and make
        an object of it: for every click, and nobody needs it.

        https://discord.com/developers/docs/interactions/receiving-and-responding#create-interaction-response
        """
        route = Route(
            "POST",
            "/interactions/{webhook_id}/{webhook_token}/callback",
            webhook_id=interaction.id,
            webhook_token=interaction.token,
        )
        response = {"type": kind.value} | ({} if payload is None else {"data": payload})
        return await self._request_token_route(
            route, response, sheet, {"with_response": "true"} if with_message else None
        )

    async def acknowledge(self, interaction: discord.Interaction[Any], *, private: bool = True) -> None:
        """Acknowledge *interaction*, unless it has a first response: a clicked message stays; after a command the
        person sees that the bot is thinking.

        To a click it is type 6. To a command it is type 5, which says that the bot is thinking: only to the person, if
        *private*.
        """
        if interaction.message is not None:
            kind = discord.InteractionResponseType.deferred_message_update
        else:
            kind = discord.InteractionResponseType.deferred_channel_message
        thinks = kind is discord.InteractionResponseType.deferred_channel_message
        data = {"flags": EPHEMERAL} if private and thinks else None
        try:
            await self._send_first_response_with_retry(
                interaction, kind, lambda: self._post_interaction_callback(interaction, kind, data)
            )
        except Answered:
            return
        known = first_response_state(interaction)
        known.waiting = thinks
        known.private = private

    async def show_modal(self, interaction: discord.Interaction[Any], modal: discord.ui.Modal) -> None:
        """Answer a click or command with the form *modal* (callback type 9); or raise Answered if it has a first
        response already.

        A submitted form is an interaction of its own.

        Raises:
            Answered: there has been a first response; a modal can be no other.
        """
        modal.stop()  # or discord.py would keep it; what is submitted is found by its custom_id, also after a restart

        async def show() -> None:
            async with self._tracking_availability():
                await interaction.response.send_modal(modal)

        await self._send_first_response_with_retry(interaction, discord.InteractionResponseType.modal, show)

    async def reply(self, interaction: discord.Interaction[Any], sheet: Sheet, *, private: bool) -> int:
        """Answer *interaction* with *sheet* as a new message, also after a first response, and return its id;
        *private*: only the person sees it."""
        kind = discord.InteractionResponseType.channel_message
        flags = _ephemeral_flag_fields(private)
        if not private and interaction.context.dm_channel:  # whoever has just clicked there need not be notified
            flags = {"flags": COMPONENTS_V2 | SILENT}

        async def request(sheet: Sheet) -> int:
            data = _message_payload(sheet) | flags
            response = await self._send_first_response_with_retry(
                interaction,
                kind,
                lambda: self._post_interaction_callback(interaction, kind, data, sheet, with_message=True),
            )
            return int(response["interaction"]["response_message_id"])

        known = first_response_state(interaction)
        try:
            return await self._request_with_fallbacks(sheet, request)
        except Answered:
            lost = known.lost and not known.taken and set(known.sent) == {kind}
        if known.waiting and private is not known.private:
            # What concerns one person must not take the place of a message for everybody, nor the other way round: a
            # table message that only one person sees is gone in 15 minutes, also in direct messages.
            known.waiting = False
            await self._request_webhook("DELETE", interaction.token, ORIGINAL)
        elif lost or known.waiting:
            # The message is there: its response was lost, or it says that the bot is thinking. Its id is not known.
            known.waiting = False
            return await self._edit_webhook_message(interaction.token, ORIGINAL, sheet)
        return await self.follow_up(interaction.token, sheet, private=private)

    async def reply_privately(self, interaction: discord.Interaction[Any], sheet: Sheet) -> int:
        """Answer *interaction* with *sheet* as a new message that only its person sees, also after a first response,
        and return its id."""
        return await self.reply(interaction, sheet, private=True)

    async def edit_clicked_or_reply(self, interaction: discord.Interaction[Any], sheet: Sheet) -> int:
        """Answer a click on a private message by editing that message to *sheet*, else by a new private message; return
        the id of the one that shows it.

        A new private message is sent instead if the clicked one has been deleted, or may not be edited. That is so
        after a forged click: everybody can see the message, or it is a mention.
        """
        message = interaction.message
        if interaction.guild_id is not None and (message is None or not message.flags.ephemeral):
            return await self.reply_privately(interaction, sheet)
        assert message is not None
        if not message.flags.components_v2:
            return await self.reply_privately(interaction, sheet)
        try:
            await self.edit_clicked_message(interaction, sheet)
        except Gone:
            return await self.reply_privately(interaction, sheet)
        return message.id

    # With an interaction token: these do not count either. discord.py reaches these messages only through the
    # interaction object, which does not survive a restart, so the routes are named here. They use the adapter that
    # discord.py has for webhooks: its ordinary client searches all tokens it has seen, for every request.

    async def edit_by_token(self, token: str, message: int, sheet: Sheet) -> None:
        """Edit *message* (an id), which was clicked or answers that interaction, to *sheet* with the interaction's
        *token*; or raise a ``Fault``.

        It is named by its id: "@original" is the answer or the clicked message, depending on how the interaction was
        answered, and a hand must never take the place of the table message.
        """
        await self._edit_webhook_message(token, f"/messages/{message}", sheet)

    async def fetch_original_message_id(self, token: str) -> int:
        """Ask Discord for the id of the first answer to the interaction of *token*; if a click was answered by an edit,
        it is the clicked message."""
        return int((await self._request_webhook("GET", token, ORIGINAL))["id"])

    async def delete_by_token(self, token: str, message: int) -> None:
        """Delete *message* (an id) with the interaction's *token*, which must have been clicked or answer that
        interaction."""
        await self._request_webhook("DELETE", token, f"/messages/{message}")

    async def _edit_webhook_message(self, token: str, path: str, sheet: Sheet) -> int:
        """Edit the message at *path*, the part of the address after *token*, to *sheet*, and return its id; simpler
        forms if Discord refuses it."""

        async def request(sheet: Sheet) -> int:
            return int((await self._request_webhook("PATCH", token, path, _message_payload(sheet), sheet))["id"])

        return await self._request_with_fallbacks(sheet, request)

    async def follow_up(self, token: str, sheet: Sheet, *, private: bool) -> int:
        """Send *sheet* as one more answer to the interaction of *token*, in its channel, and return the message's id;
        *private*: only its person sees it."""
        flags = _ephemeral_flag_fields(private)

        async def request(sheet: Sheet) -> int:
            payload = {**_message_payload(sheet), **flags}
            return int((await self._request_webhook("POST", token, "", payload, sheet, {"wait": "true"}))["id"])

        return await self._request_with_fallbacks(sheet, request)

    async def _request_webhook(
        self,
        method: str,
        token: str,
        path: str,
        payload: dict[str, Any] | None = None,
        sheet: Sheet | None = None,
        params: dict[str, str] | None = None,
    ) -> Any:
        """Make a webhook request with an interaction's *token*, with the files of *sheet*; return the response's JSON
        or raise a ``Fault``.

        *path* is the part of the address after the token.
        """
        route = Route(
            method,
            "/webhooks/{webhook_id}/{webhook_token}" + path,
            webhook_id=self._client.application_id,
            webhook_token=token,
        )
        return await self._request_token_route(route, payload, sheet, params)

    async def _request_token_route(
        self,
        route: Route,
        payload: dict[str, Any] | None,
        sheet: Sheet | None = None,
        params: dict[str, str] | None = None,
    ) -> Any:
        """Make a request on *route*, whose address contains an interaction's token, with the files of *sheet*; return
        the JSON or raise a ``Fault``."""
        http = self._client.http
        files = await _make_attachment_files(sheet) if sheet is not None and sheet.has_files else []
        multipart = _multipart_form(payload, files) if payload is not None and files else None
        limits.check_shard_held(self._shards)
        if self._session is None or self._session.closed:
            self._session = discord.Webhook.partial(0, "token", client=self._client).session
            if self._session is not None:  # a client without sockets has none
                # discord.py's adapter for webhooks names no program, which Discord may block.
                # https://discord.com/developers/docs/reference#user-agent
                self._session.headers["User-Agent"] = http.user_agent
        async with self._tracking_availability():
            return await async_context.get().request(
                route,
                self._session,
                payload=payload if multipart is None else None,
                multipart=multipart,
                files=files,
                params=params,
                proxy=http.proxy,
                proxy_auth=http.proxy_auth,
            )

    @asynccontextmanager
    async def _tracking_availability(self) -> AsyncIterator[None]:
        """Context manager for a request: turn its errors into a ``Fault``, and record whether Discord takes requests;
        raise Busy before it during a ban."""
        self._availability.check_not_blocked()
        sent_at = self._clock.now()
        try:
            with converting_errors_to_faults():
                yield
        except Busy as no:
            if no.wait_ms and not isinstance(no, Banned):
                self._availability.record_success()  # it is only this kind of request that Discord does not take now
            else:
                self._availability.record_failure(sent_at, no)
            raise
        except Fault:
            self._availability.record_success()
            raise
        self._availability.record_success()

    # With the bot's token: these count.

    async def _wait_for_rate_limit(self, wanted: Callable[[], bool] = lambda: True) -> None:
        """Wait until the rate limit lets the next request with the bot's token start; or raise Dropped if not
        ``wanted()`` by then, or Busy.

        Raises:
            Dropped: it is not *wanted* any more.
            Busy: too many requests were invalid lately; more of them could get the bot banned.
        """
        began, task = time.perf_counter(), asyncio.current_task()
        self._in_line.add(task)
        try:
            await self._throttle.wait_to_start(wanted)
        finally:
            self._in_line.discard(task)
        self._metrics.observe_rate_limit_wait(time.perf_counter() - began)
        if self._traffic.invalid_limit_reached:
            raise Busy

    async def probe(self) -> None:
        """Ask Discord for the bot's own user, only to find out whether it takes requests again; raise a ``Fault`` if
        not."""
        await self._wait_for_rate_limit()
        await self._request(Route("GET", "/users/@me"))

    def is_waiting_for_rate_limit(self, task: asyncio.Task[Any]) -> bool:
        """Whether *task* waits for the rate limit before its next request, so that none of its requests is under
        way."""
        return task in self._in_line

    async def edit(self, channel: int, message: int, sheet: Sheet) -> None:
        """Edit one of the bot's messages to *sheet* with the bot's token, also a message of plain words; or raise a
        ``Fault``."""

        async def request(sheet: Sheet) -> None:
            await self._wait_for_rate_limit()
            payload = {**_message_payload(sheet), "content": None}
            await self._request(self._message_route("PATCH", channel, message), payload, sheet)

        await self._request_with_fallbacks(sheet, request)

    async def check_message_exists(self, channel: int, message: int) -> None:
        """Ask Discord for a message; raise Gone if it does not exist, or another ``Fault`` if Discord does not say."""
        await self._wait_for_rate_limit()
        await self._request(self._message_route("GET", channel, message))

    async def check_channel_exists(self, channel: int) -> None:
        """Ask Discord for a channel; raise NoChannel if Discord does not know it, or another ``Fault`` if it does not
        say."""
        await self._wait_for_rate_limit()
        await self._request(Route("GET", "/channels/{channel_id}", channel_id=channel))

    async def delete(self, channel: int, message: int) -> None:
        """Delete one of the bot's messages, with the bot's token."""
        await self._wait_for_rate_limit()
        await self._request(self._message_route("DELETE", channel, message))

    async def send(self, channel: int, sheet: Sheet, nonce: str, wanted: Callable[[], bool] = lambda: True) -> int:
        """Send *sheet* as a new silent message to *channel*, and return its id; or raise Dropped if ``wanted()`` is
        false when its turn comes.

        If the same *nonce* was sent in the last minutes, Discord makes no second message and returns the first one's
        id.
        """

        async def request(sheet: Sheet) -> int:
            payload = {**_message_payload(sheet), "flags": COMPONENTS_V2 | SILENT}
            return await self._create_message(channel, payload, nonce, wanted, sheet)

        return await self._request_with_fallbacks(sheet, request)

    async def send_plain_text(
        self,
        channel: int,
        words: str,
        nonce: str,
        *,
        mention: int | None = None,
        buttons: Sequence[Component] = (),
        wanted: Callable[[], bool] = lambda: True,
    ) -> int:
        """Send plain *words* and rows of *buttons* as a new message that notifies, and return its id; it may mention
        one person, the id *mention*.

        ``edit`` turns it into a sheet: a message made of components would notify without words
        (https://github.com/discord/discord-api-docs/issues/7854). As for *nonce*, *wanted* and the result see ``send``.
        """
        allowed: dict[str, Any] = {"parse": []} if mention is None else {"users": [str(mention)]}
        payload = {"content": words, "allowed_mentions": allowed, "components": list(buttons)}
        return await self._create_message(channel, payload, nonce, wanted)

    async def edit_plain_text(self, channel: int, message: int, words: str) -> None:
        """Edit a message of the bot to other plain *words*, without buttons, with the bot's token; it mentions
        nobody."""
        await self._wait_for_rate_limit()
        payload = {"content": words, "allowed_mentions": {"parse": []}, "components": []}
        await self._request(self._message_route("PATCH", channel, message), payload)

    async def _create_message(
        self,
        channel: int,
        payload: dict[str, Any],
        nonce: str,
        wanted: Callable[[], bool],
        sheet: Sheet | None = None,
    ) -> int:
        """Send a new message with the bot's token and *nonce*, return its id, and correct the program's clock by the
        time in that id."""
        await self._wait_for_rate_limit(wanted)
        sent = self._clock.uncorrected_now()
        route = Route("POST", "/channels/{channel_id}/messages", channel_id=channel)
        made = int((await self._request(route, {**payload, "nonce": nonce, "enforce_nonce": True}, sheet))["id"])
        at = snowflake_time(made)
        # With a nonce that was sent before, the message may be older than this request.
        self._clock.observe_discord_time(at, math.inf, sent, self._clock.uncorrected_now())
        return made

    async def unarchive(self, thread: int) -> None:
        """Reopen the archived *thread* with the bot's token; Discord refuses that if it is locked."""
        await self._wait_for_rate_limit()
        await self._request(Route("PATCH", "/channels/{channel_id}", channel_id=thread), {"archived": False})

    async def start_thread(self, channel: int, message: int, name: str, minutes: int) -> int:
        """Start a public thread called *name* below *message* in *channel*, and return its id. Discord archives it
        after *minutes* without a message.

        https://discord.com/developers/docs/resources/channel#start-thread-from-message
        """
        await self._wait_for_rate_limit()
        route = Route(
            "POST", "/channels/{channel_id}/messages/{message_id}/threads", channel_id=channel, message_id=message
        )
        return int((await self._request(route, {"name": name, "auto_archive_duration": minutes}))["id"])

    async def archive(self, thread: int) -> None:
        """Archive *thread*, which the bot has started, with the bot's token."""
        await self._wait_for_rate_limit()
        await self._request(Route("PATCH", "/channels/{channel_id}", channel_id=thread), {"archived": True})

    async def fetch_member_role_ids(self, guild: int, user: int) -> list[int]:
        """Ask Discord for the ids of the roles of *user* in *guild*, without that of everybody; raise NotAMember if
        they are not there."""
        await self._wait_for_rate_limit()
        route = Route("GET", "/guilds/{guild_id}/members/{user_id}", guild_id=guild, user_id=user)
        return [int(role) for role in (await self._request(route))["roles"]]

    async def is_member(self, guild: int, user: int) -> bool:
        """Ask Discord whether *user* is a member of the server *guild* now; False also if the account is gone."""
        try:
            await self.fetch_member_role_ids(guild, user)
        except (NotAMember, TakesNoDms):  # the second: there is no such account any more
            return False
        return True

    async def open_dm_channel(self, user: int, wanted: Callable[[], bool] = lambda: True) -> int:
        """Open the channel for direct messages with *user*, and return its id; or raise Dropped if ``wanted()`` is
        false when the request is due.

        Wait before until ``opening`` allows one more conversation.
        """
        route = Route("POST", "/users/@me/channels")
        await self._wait_for_rate_limit(wanted)
        return int((await self._request(route, {"recipient_id": str(user)}))["id"])

    # The application's own emojis: https://discord.com/developers/docs/resources/emoji#application-owned

    async def list_emojis(self) -> list[Emoji]:
        """Ask Discord for all emojis of the application: ours, and those of the operator."""
        with converting_errors_to_faults():
            return [Emoji(emoji.name, emoji.id) for emoji in await self._client.fetch_application_emojis()]

    async def upload_emoji(self, name: str, file: bytes) -> Emoji:
        """Add an emoji with the image *file* (PNG) to the application, and return it."""
        await self._wait_for_rate_limit()
        with converting_errors_to_faults():
            made = await self._client.create_application_emoji(name=name, image=file)
        return Emoji(made.name, made.id)

    @staticmethod
    def _message_route(method: str, channel: int, message: int) -> Route:
        """Return the route, for discord.py, of a *method* on one message."""
        return Route(method, "/channels/{channel_id}/messages/{message_id}", channel_id=channel, message_id=message)

    async def _request(self, route: Route, payload: dict[str, Any] | None = None, sheet: Sheet | None = None) -> Any:
        """Make a request with the bot's token through discord.py, which waits out rate limits; send the files of
        *sheet*; return the response's JSON or raise a ``Fault``."""
        options: dict[str, Any] = {}
        files = await _make_attachment_files(sheet) if sheet is not None else []
        if payload is not None and files:
            options = {"form": _multipart_form(payload, files), "files": files}
        elif payload is not None:
            options = {"json": payload}
        limits.check_shard_held(self._shards)
        async with self._tracking_availability():
            return await self._client.http.request(route, **options)


def _message_payload(sheet: Sheet) -> dict[str, Any]:
    """Return the JSON for a message that shows *sheet*, new or edited: components, attachments, no mentions."""
    # The list of attachments is complete: Discord removes those that an earlier version had.
    attachments = [{"id": str(n), "filename": it.name, "description": it.alt} for n, it in enumerate(sheet.pictures)]
    first = len(attachments)
    attachments += [{"id": str(n), "filename": it.name} for n, it in enumerate(sheet.documents, start=first)]
    return {
        "flags": COMPONENTS_V2,
        "components": sheet.payload,
        "allowed_mentions": {"parse": []},
        "attachments": attachments,
    }


def _ephemeral_flag_fields(private: bool) -> dict[str, Any]:
    """Return the JSON fields that make a message visible to one person only; none if it is not *private*."""
    return {"flags": COMPONENTS_V2 | EPHEMERAL} if private else {}


async def _make_attachment_files(sheet: Sheet) -> list[discord.File]:
    """Return the pictures and documents of *sheet* as files for one request, drawing pictures that are not drawn
    yet."""
    pictures = [
        discord.File(io.BytesIO(file), filename=it.name, description=it.alt)
        for it, file in await render_picture_files(sheet.pictures)
    ]
    return pictures + [discord.File(io.BytesIO(it.data), filename=it.name) for it in sheet.documents]


def _multipart_form(payload: dict[str, Any], attachments: Sequence[discord.File]) -> list[dict[str, Any]]:
    """Return the multipart form of a request: the JSON *payload* and the files *attachments*.

    https://discord.com/developers/docs/reference#uploading-files
    """
    parts: list[dict[str, Any]] = [{"name": "payload_json", "value": json.dumps(payload)}]
    for number, file in enumerate(attachments):
        parts.append(
            {
                "name": f"files[{number}]",
                "value": file.fp,
                "filename": file.filename,
                "content_type": mimetypes.guess_type(file.filename)[0] or "application/octet-stream",
            }
        )
    return parts
