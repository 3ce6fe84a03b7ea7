"""HTTP between the processes of one cluster: interactions on their way home, and nudges.

Every request is signed with a key that follows from the bot's token: where it goes, to which run of which process, and
its body. So whoever sees it can neither change it nor send it elsewhere, nor say that it was accepted; and it has no
effect a second time: an interaction has an id, a nudge a number. The signature is of length and digest of the body, so
that nothing is read that a stranger sends.

It can be read, though, and holds tokens of interactions and what is shown to one player alone, so the way between two
machines must be a private network. TLS with a key that both know (PSK) is in Python's ``ssl`` from 3.13 on.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import time
from collections.abc import Callable
from enum import Enum
from itertools import count
from typing import Any, Final

import aiohttp
from aiohttp import web

from bot.cluster.leases import Member
from bot.listening import Listening
from bot.log import fields
from bot.settings import is_loopback

log = logging.getLogger(__name__)

LOOPBACK: Final = "127.0.0.1"
INTERACTION: Final = "/interaction"
NUDGE: Final = "/nudge"
DIGEST: Final = "Content-Digest"
"""The header that has a digest of the body. https://www.rfc-editor.org/rfc/rfc9530"""
CONFIRMATION: Final = "Authentication-Info"
"""The header of an answer that says so. https://www.rfc-editor.org/rfc/rfc9110#name-authentication-info"""
MOST_BYTES: Final = 1 << 20
"""Of what another process may send."""
TIMEOUT: Final = aiohttp.ClientTimeout(total=0.8, sock_connect=0.4)
"""How long another process may take to accept something. It does no more than that before it answers."""
MOST_AT_ONCE: Final = 32
"""Requests to one other process; more wait for these."""
IDLE_SECONDS: Final = 60.0
"""How long a connection is kept that nobody uses; the other side closes it later than we do."""


class Sent(Enum):
    """What became of an interaction that was sent to another process."""

    ACCEPTED = "accepted"
    NOT_THERE = "not there"
    """It does not serve that channel."""
    UNKNOWN = "unknown"
    """It did not answer, or strangely. It may have accepted it."""


class Peers:
    """What this process says to the others, and they to it.

    *token* is the bot's; *me* is the id of this process, which no other run of it has. *take* is called with what
    another process sends, and returns whether this one accepts it; *nudged* is called when another process asks to look
    at the leases again now.
    """

    def __init__(self, token: str, me: str, take: Callable[[Any], bool], nudged: Callable[[], None]) -> None:
        self._key = hmac.new(token.encode(), b"between the processes of one bot", hashlib.sha256).digest()
        self._me = me
        self._take = take
        self._nudged = nudged
        self.sent: Callable[[str, float], None] = lambda outcome, seconds: None
        """Told of every interaction that was sent to another process: what became of it, and how long that took."""
        self._listening: Listening | None = None
        self._http: aiohttp.ClientSession | None = None
        self._nudges = count(1)
        self._last_nudges: dict[str, int] = {}
        """Process -> the number of the last nudge from it."""

    async def start(self, host: str, port: int) -> str:
        """Listen; return HOST:PORT at which the others reach this process. *host* is the name they know it by; unless
        that is a loopback address, every address of the machine is listened to. Port 0 is any free one.

        Raises:
            OSError: that port is taken.
        """
        app = web.Application(client_max_size=MOST_BYTES)
        app.router.add_post(INTERACTION, self._interaction)
        app.router.add_post(NUDGE, self._nudge)
        self._listening = Listening(app, keep_seconds=2 * IDLE_SECONDS)
        bound = await self._listening.start(host if is_loopback(host) else None, port)
        self._http = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(keepalive_timeout=IDLE_SECONDS, limit=0, limit_per_host=MOST_AT_ONCE),
            timeout=TIMEOUT,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
        )
        shown = f"[{host}]" if ":" in host else host
        return f"{shown}:{bound}"

    async def stop(self) -> None:
        """Listen no longer, and close all connections."""
        if self._http is not None:
            await self._http.close()
        if self._listening is not None:
            await self._listening.stop()

    # What the others are told

    async def send(self, member: Member, envelope: dict[str, Any]) -> Sent:
        """Send an interaction to *member*."""
        began = time.perf_counter()
        status = await self._post(member, INTERACTION, json.dumps(envelope, separators=(",", ":")).encode())
        outcome = _SENT.get(status, Sent.UNKNOWN)
        self.sent(outcome.value, time.perf_counter() - began)
        return outcome

    async def nudge(self, member: Member) -> None:
        """Have *member* look at the leases now, not only with its next beat. If it is not reached, nothing is lost."""
        said = {"from": self._me, "number": next(self._nudges)}
        await self._post(member, NUDGE, json.dumps(said).encode())

    async def _post(self, member: Member, path: str, body: bytes) -> int:
        """The status of the answer; 0: there is none, or somebody else's."""
        if self._http is None or self._http.closed:
            return 0
        digest = _digest(body)
        signature = self._signature(path, member.id, len(body), digest)
        headers = {"Authorization": signature, DIGEST: digest, "Content-Type": "application/json"}
        url = f"http://{member.address}{path}"
        try:
            async with self._http.post(url, data=body, headers=headers, allow_redirects=False) as response:
                confirmed = _same(response.headers.get(CONFIRMATION, ""), self._confirmation(signature))
                return response.status if confirmed or response.status != 202 else 0
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            log.debug("process not reached", extra=fields(process=member.id, error=type(error).__name__))
            return 0

    # What the others say

    async def _interaction(self, request: web.Request) -> web.Response:
        """Accept an interaction (202), or say that it must go elsewhere (409)."""
        return await self._answer(request, self._take)

    async def _nudge(self, request: web.Request) -> web.Response:
        """Look at the leases now."""
        return await self._answer(request, self._heard_nudge)

    def _heard_nudge(self, said: Any) -> bool:
        """Look at the leases now, unless a later nudge of that process has come already."""
        sender, number = str(said["from"]), int(said["number"])
        if number > self._last_nudges.get(sender, 0):
            self._last_nudges[sender] = number
            self._nudged()
        return True

    async def _answer(self, request: web.Request, accept: Callable[[Any], bool]) -> web.Response:
        """Have *accept* take what *request* says, if it comes from somebody who knows the bot's token."""
        digest = request.headers.get(DIGEST, "")
        signature = self._signature(request.path, self._me, request.content_length, digest)
        if not _same(request.headers.get("Authorization", ""), signature):
            return _turned_away(401)
        try:
            async with asyncio.timeout(TIMEOUT.total):
                body = await request.read()
        except (OSError, RuntimeError):  # what aiohttp raises if the connection is lost, besides that it takes too long
            return _turned_away(408)
        if _digest(body) != digest:
            return _turned_away(401)
        try:
            accepted = accept(json.loads(body))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            log.warning("not understood from another process", extra=fields(error=type(error).__name__))
            return web.Response(status=400)
        headers = {CONFIRMATION: self._confirmation(signature)}
        return web.Response(status=202, headers=headers) if accepted else web.Response(status=409)

    def _signature(self, path: str, to: str, length: int | None, digest: str) -> str:
        """What proves that a process of this bot sends the process *to* a body of this *length* and *digest*."""
        return self._signed(f"{path}\n{to}\n{length}\n{digest}")

    def _confirmation(self, signature: str) -> str:
        """What proves that a process of this bot has accepted the request with that *signature*."""
        return self._signed(f"accepted\n{signature}")

    def _signed(self, message: str) -> str:
        """The signature of *message*."""
        return f"HMAC-SHA256 {hmac.new(self._key, message.encode(errors='replace'), hashlib.sha256).hexdigest()}"


_SENT: Final = {202: Sent.ACCEPTED, 409: Sent.NOT_THERE}


def _digest(body: bytes) -> str:
    """The digest of *body*, as its header has it."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


def _turned_away(status: int) -> web.Response:
    """The answer to somebody who is no process of this bot; with it the connection ends, and whatever else is in it."""
    response = web.Response(status=status)
    response.force_close()
    return response


def _same(given: str, right: str) -> bool:
    """Whether *given*, which may be anything, is *right*; how long that takes tells nothing."""
    return hmac.compare_digest(given.encode(errors="replace"), right.encode())
