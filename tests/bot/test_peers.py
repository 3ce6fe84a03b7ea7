"""What somebody in the network can do who sees all that processes send each other, and sends what they like."""

import asyncio
import json
import logging
from typing import Any

import pytest

from bot.cluster.leases import Member
from bot.cluster.peers import MOST_BYTES, Peers, Sent
from tests.bot.forwarding import HERE, THERE, TOKEN, Process, interaction
from tests.process.waiting import eventually


class Wire:
    """Stands where *process* is expected: it keeps what it is sent, and answers each time with *answer*."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.real = process.directory.members[process.name].address
        self.seen: list[bytes] = []
        self.answer = b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        self.server: asyncio.Server

    async def start(self) -> Member:
        """Begin; return *process* as the others know it now."""
        self.server = await asyncio.start_server(self._listen, "127.0.0.1", 0)
        port = self.server.sockets[0].getsockname()[1]
        return Member(self.process.name, f"127.0.0.1:{port}", leaving=False, cut_off=False)

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(it.partition(b":")[2]) for it in head.split(b"\r\n") if it.lower().startswith(b"content-le"))
        self.seen.append(head + await reader.readexactly(length))
        writer.write(self.answer)
        writer.close()


async def send(address: str, request: bytes) -> int:
    """The status of the answer to *request*, byte by byte; 0: the connection is closed without one."""
    reader, writer = await asyncio.open_connection(*address.rsplit(":", 1))
    writer.write(request)
    line = await asyncio.wait_for(reader.readline(), 5)
    writer.close()
    return int(line.split()[1]) if line else 0


def with_body(request: bytes, body: bytes) -> bytes:
    """The *request* with another body, and the length of that."""
    head, _, old = request.partition(b"\r\n\r\n")
    return head.replace(b"Length: %d" % len(old), b"Length: %d" % len(body)) + b"\r\n\r\n" + body


async def captured(one: Process, other: Process, data: Any, home: int = THERE) -> bytes:
    """What *one* sends *other* to bring *data* home; *other* does not get it."""
    wire = Wire(other)
    member = await wire.start()
    async with wire.server:
        await one.peers.send(member, {"home": home, "place": (True,), "data": data})
    (request,) = wire.seen
    return request


async def test_a_captured_click_counts_once_and_nothing_in_it_can_be_changed(two: list[Process]) -> None:
    one, other = two
    found = interaction(1, THERE)
    request = await captured(one, other, found)
    address = other.directory.members["other"].address
    body = request.partition(b"\r\n\r\n")[2]
    forged = json.dumps({"home": THERE, "place": [True], "data": interaction(2, THERE)}).encode()
    for changed in (
        with_body(request, forged),
        with_body(request, body[:-1]),
        with_body(request, body[:-1] + b" "),
        with_body(request, body + b" "),
        with_body(request, b""),
        request.replace(b"/interaction", b"/nudge"),
        request.replace(b"HMAC-SHA256 ", b""),
    ):
        assert changed != request
        assert await send(address, changed) == 401
    assert other.served == []
    for _ in range(3):
        assert await send(address, request) == 202
    assert other.served == [int(found["id"])]
    other.directory.give(THERE, "one")  # the other one serves the channel now
    assert await send(one.directory.members["one"].address, request) == 401
    assert one.served == []


async def test_a_captured_click_is_worth_nothing_after_a_restart_or_when_it_is_old(two: list[Process]) -> None:
    one, other = two
    request = await captured(one, other, interaction(1, THERE))
    again = Process("other, started again", other.directory)
    again.directory.members[again.name] = Member(
        again.name, await again.peers.start("127.0.0.1", 0), leaving=False, cut_off=False
    )
    again.directory.give(THERE, again.name)
    assert await send(again.directory.members[again.name].address, request) == 401
    await again.peers.stop()
    other.directory.give(THERE, "other")
    old = await captured(one, other, interaction(2, THERE, age_ms=11_000))
    assert await send(other.directory.members["other"].address, old) == 409
    assert (again.served, other.served) == ([], [])


async def test_a_nudge_arrives_and_a_captured_one_does_nothing(two: list[Process]) -> None:
    one, other = two
    wire = Wire(other)
    member = await wire.start()
    async with wire.server:
        await one.peers.nudge(member)
    (request,) = wire.seen
    address = other.directory.members["other"].address
    for _ in range(3):
        assert await send(address, request) == 202
    assert other.nudges == 1
    await one.peers.nudge(other.directory.members["other"])
    assert other.nudges == 2


async def test_only_who_knows_the_token_can_say_that_a_click_was_accepted(two: list[Process]) -> None:
    one, other = two
    envelope = {"home": THERE, "place": (True,), "data": interaction(1, THERE)}
    assert await one.peers.send(other.directory.members["other"], envelope) is Sent.ACCEPTED
    wire = Wire(other)
    member = await wire.start()
    async with wire.server:
        for proof in (b"", b"HMAC-SHA256 " + b"0" * 64, b"\xff\xfe", b"x" * 5000):
            wire.answer = (
                b"HTTP/1.1 202 Accepted\r\nAuthentication-Info: " + proof + b"\r\nContent-Length: 0\r\n"
                b"Set-Cookie: a=b\r\nConnection: close\r\n\r\n"
            )
            assert await one.peers.send(member, envelope) is Sent.UNKNOWN


async def test_processes_of_another_bot_are_not_listened_to(two: list[Process]) -> None:
    one, _ = two
    stranger = Peers(TOKEN[:-1] + "x", "stranger", lambda it: True, lambda: None)
    await stranger.start("127.0.0.1", 0)
    await stranger.nudge(one.directory.members["one"])
    envelope = {"home": HERE, "place": (True,), "data": interaction(1, HERE)}
    assert await stranger.send(one.directory.members["one"], envelope) is Sent.UNKNOWN
    await stranger.stop()
    assert (one.nudges, one.served) == (0, [])


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b'{"data":1}', b'{"home":"x","data":{"id":"1"},"place":[]}', b"[" * 9999]
)
async def test_what_is_not_understood_is_refused(two: list[Process], body: bytes) -> None:
    one, other = two
    for path in ("/interaction", "/nudge"):
        status = await one.peers._post(other.directory.members["other"], path, body)
        assert status == 400
    assert (other.served, other.nudges) == ([], 0)


async def test_junk_is_refused_and_fills_no_log(two: list[Process], caplog: pytest.LogCaptureFixture) -> None:
    one, other = two
    caplog.set_level(logging.INFO)
    address = other.directory.members["other"].address
    asked = b"POST /interaction HTTP/1.1\r\nHost: x\r\n"
    for junk in (
        asked + b"Authorization: \xff\xfe\r\n\r\n",
        asked + b"Authorization: HMAC-SHA256 \xc3\xa4\r\n\r\n",
        asked + b"Content-Length: -5\r\n\r\n",
        asked + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        asked + b"Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde",
        asked + b"Transfer-Encoding: chunked\r\n\r\nzzz\r\n",
        asked + b"X: " + b"y" * 20_000 + b"\r\n\r\n",
        asked + b"Content-Length: %d\r\n\r\n" % (MOST_BYTES + 1) + b"x" * (MOST_BYTES + 1),
        b"POST http://[::1/interaction HTTP/1.1\r\nHost: [\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01" + bytes(200) + b"\r\n\r\n",
    ):
        assert 400 <= await send(address, junk) < 500, junk[:60]
    before = len(asyncio.all_tasks())
    request = await captured(one, other, interaction(1, THERE))
    for sent in (request[:-1], request[: request.index(b"\r\n\r\n") + 4], request[:30]):
        reader, writer = await asyncio.open_connection(*address.rsplit(":", 1))
        writer.write(sent.replace(b"Host", b"Expect: 100-continue\r\nHost"))
        if len(sent) > 30:
            assert b"100" in await asyncio.wait_for(reader.readline(), 5)
        writer.transport.abort()
    await eventually(lambda: len(asyncio.all_tasks()) <= before, "the connections to be closed")
    assert caplog.records == []
    await one.peers.nudge(other.directory.members["other"])
    assert other.nudges == 1


async def test_what_follows_on_a_connection_that_is_turned_away_is_not_read(two: list[Process]) -> None:
    _, other = two
    reader, writer = await asyncio.open_connection(*other.directory.members["other"].address.rsplit(":", 1))
    writer.write(b"POST /nudge HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n" * 100)
    assert (await asyncio.wait_for(reader.read(), 5)).count(b"HTTP/1.1 401") == 1
    writer.close()


async def test_a_body_that_does_not_come_is_not_waited_for(two: list[Process]) -> None:
    one, other = two
    address = other.directory.members["other"].address
    request = await captured(one, other, interaction(1, THERE))
    statuses = asyncio.gather(*(send(address, request[:-1]) for _ in range(3)))
    assert await asyncio.wait_for(statuses, 4) == [408] * 3


async def test_no_body_of_a_stranger_is_read(two: list[Process]) -> None:
    one, other = two
    address = other.directory.members["other"].address
    request = await captured(one, other, interaction(1, THERE))
    head, _, body = request.partition(b"\r\n\r\n")
    asked = b"POST /interaction HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
    chunked = head.replace(b"Content-Length: %d" % len(body), b"Transfer-Encoding: chunked") + b"\r\n\r\n"
    for unfinished in (asked, with_body(request, bytes(len(body) + 1000))[:-1000], chunked + b"5\r\nabcde\r\n"):
        assert await asyncio.wait_for(send(address, unfinished), 0.5) == 401


async def test_whoever_keeps_connections_keeps_nobody_out(two: list[Process]) -> None:
    one, other = two
    host, port = other.directory.members["other"].address.rsplit(":")
    kept = [await asyncio.open_connection(host, port) for _ in range(300)]
    for _, writer in kept[::2]:
        writer.write(b"POST /interaction HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    one.routing.heard(found := interaction(1, THERE))
    await eventually(lambda: other.served == [int(found["id"])], "the interaction")
    await eventually(lambda: sum(not reader.at_eof() for reader, _ in kept) <= 128, "the oldest to be closed")
    for _, writer in kept:
        writer.close()
