"""Other web pages in the same browser, and other machines' names, get nothing.

A server on loopback is reached by every page that the browser shows. So it does what a server without cookies must do:
it knows its own names (DNS rebinding), its own pages (https://fetch.spec.whatwg.org/#origin-header), and wants JSON,
which a form cannot send (https://owasp.org/www-community/attacks/csrf).
"""

import asyncio
import json

import aiohttp
import pytest

from local_discord.server import Server
from tests.local_discord.client import Discord

PNG = b"\x89PNG\r\n\x1a\n"
PAGE = b"<script>alert(1)</script>"


def port(discord: Discord) -> int:
    """Where the server listens."""
    return discord.server.port


async def status(discord: Discord, method: str, path: str, headers: dict[str, str], data: str | None = None) -> int:
    """The status of a request to *path* of the server, with *headers* as a browser would send them."""
    url = f"http://127.0.0.1:{port(discord)}{path}"
    async with discord.http.request(method, url, headers=headers, data=data, allow_redirects=False) as response:
        await response.read()
        return response.status


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1", "127.0.0.1.evil.example:{port}", ""]
)
@pytest.mark.parametrize("path", ["/", "/local/session", "/api/v10/users/@me", "/page/main.js", "/gateway"])
async def test_another_host_is_refused_so_a_name_that_points_here_gets_no_tokens(
    discord: Discord, path: str, host: str
) -> None:
    """DNS rebinding: a foreign name that resolves to 127.0.0.1 makes the attacker's page our origin."""
    named = {"Host": host.format(port=port(discord))}
    assert await status(discord, "GET", path, named) == 403


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
async def test_its_own_names_are_served(discord: Discord, host: str) -> None:
    here = host.format(port=port(discord))
    assert await status(discord, "GET", "/local/session", {"Host": here}) == 200
    assert await status(discord, "GET", "/local/session", {"Host": here, "Origin": f"http://{here}"}) == 200


async def test_a_foreign_address_in_the_request_line_gets_into_no_answer(discord: Discord) -> None:
    """As programs write it to a proxy. https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2"""
    here = f"127.0.0.1:{port(discord)}"
    reader, writer = await asyncio.open_connection("127.0.0.1", port(discord))
    line = f"GET http://evil.example/local/session HTTP/1.1\r\nHost: {here}\r\nConnection: close\r\n\r\n"
    writer.write(line.encode())
    answer = await reader.read()
    writer.close()
    assert f"http://{here}/api/v10".encode() in answer
    assert b"evil" not in answer


async def test_a_page_at_localhost_gets_addresses_of_its_own_origin(discord: Discord) -> None:
    url = f"http://127.0.0.1:{port(discord)}/local/session"
    async with discord.http.get(url, headers={"Host": f"localhost:{port(discord)}"}) as response:
        session = await response.json()
    assert session["api"] == f"http://localhost:{port(discord)}/api/v10"
    assert session["gateway"] == f"ws://localhost:{port(discord)}/gateway"


async def test_the_page_itself_has_one_origin(discord: Discord) -> None:
    url = f"http://127.0.0.1:{port(discord)}/?user=1"
    headers = {"Host": f"localhost:{port(discord)}"}
    async with discord.http.get(url, headers=headers, allow_redirects=False) as response:
        assert (response.status, response.headers["Location"]) == (302, url)


FOREIGN = ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", "http://localhost"]


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_page_changes_nothing_and_reads_nothing(discord: Discord, origin: str) -> None:
    """Cross-site request forgery: a browser says in Origin whose page sends the request."""
    foreign = {"Origin": origin.format(port=port(discord))}
    fault = json.dumps({"match": {"path": "*"}, "status": 503, "times": 9})
    headers = {**foreign, "Content-Type": "application/json"}
    assert await status(discord, "POST", "/local/faults", headers, fault) == 403
    assert await status(discord, "GET", "/local/session", foreign) == 403
    assert await status(discord, "DELETE", "/local/faults", foreign) == 403
    assert await status(discord, "GET", "/api/v10/users/@me", {**foreign, "Authorization": discord.anna}) == 403
    assert (await discord.call("GET", "/users/@me", discord.anna))[0] == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None])
async def test_what_a_form_can_send_is_refused(discord: Discord, kind: str | None) -> None:
    """A form or a simple request of another site cannot have the type application/json without asking first."""
    fault = json.dumps({"match": {"path": "*"}, "status": 503, "times": 9})
    async with aiohttp.ClientSession(skip_auto_headers=["Content-Type"]) as http:
        url = f"http://127.0.0.1:{port(discord)}"
        for path in ("/local/faults", f"/local/users/{discord.anna_id}", f"/local/guilds/{discord.guild}"):
            headers = {"Content-Type": kind} if kind else {}
            async with http.post(url + path, data=fault.encode(), headers=headers) as response:
                assert response.status == 415, path
    assert (await discord.call("GET", "/users/@me", discord.bot))[0] == 200


async def test_json_under_local_must_be_json(discord: Discord) -> None:
    headers = {"Content-Type": "application/json"}
    assert await status(discord, "POST", "/local/faults", headers, "{") == 400
    assert await status(discord, "POST", f"/local/users/{discord.anna_id}", headers, "[]") == 400


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_a_foreign_page_embeds_nothing(discord: Discord, site: str) -> None:
    """Requests without Origin, such as those of scripts and images: https://www.w3.org/TR/fetch-metadata/"""
    embedded = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}
    assert await status(discord, "GET", "/local/session", embedded) == 403
    followed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert await status(discord, "GET", "/", followed) == 200
    framed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    assert await status(discord, "GET", "/", framed) == 403


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_pages_websocket_is_refused(discord: Discord, origin: str) -> None:
    """Browsers let every page open a WebSocket anywhere; only Origin tells: RFC 6455, section 10.2."""
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await discord.http.ws_connect(
            f"{discord.session['gateway']}?v=10&encoding=json", origin=origin.format(port=port(discord))
        )
    assert refused.value.status == 403


async def test_clients_without_origin_and_the_own_page_connect(discord: Discord) -> None:
    for own in (None, f"http://127.0.0.1:{port(discord)}"):
        socket = await discord.http.ws_connect(f"{discord.session['gateway']}?v=10&encoding=json", origin=own)
        assert (await socket.receive_json())["op"] == 10
        await socket.close()


async def test_tokens_are_new_at_every_start(discord: Discord) -> None:
    other = Server()
    here, there = discord.server.world, other.world
    assert here.bot.token != there.bot.token
    mine, theirs = [p.token for p in here.people], [p.token for p in there.people]
    assert not set(mine) & set(theirs)
    assert len(set(mine)) == len(mine)
    assert min(map(len, (*mine, here.bot.token))) >= 32
    for guessed in ("local-user-anna", "Bot OTAwMDAwMDAwMDAwMDAwMDAw.local0.only-for-the-local-discord"):
        assert (await discord.call("GET", "/users/@me", guessed))[0] == 401


async def test_every_answer_keeps_its_type_and_the_page_runs_its_own_scripts_alone(discord: Discord) -> None:
    """https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy"""
    base = f"http://127.0.0.1:{port(discord)}"
    for path in ("/", "/page/main.js", "/local/session", "/api/v10/gateway", "/api/v10/none", "/none"):
        async with discord.http.get(base + path) as response:
            assert response.headers["X-Content-Type-Options"] == "nosniff", path
    async with discord.http.get(base + "/") as response:
        policy = {
            name: set(sources)
            for name, *sources in (part.split() for part in response.headers["Content-Security-Policy"].split(";"))
        }
    assert policy["default-src"] == {"'none'"}
    assert policy["script-src"] == policy["style-src"] == policy["frame-src"] == policy["frame-ancestors"] == {"'self'"}
    assert response.headers["X-Frame-Options"] == "SAMEORIGIN"


async def test_only_pictures_are_shown_other_uploads_are_downloads(discord: Discord) -> None:
    """An uploaded page or an SVG would run its scripts as ours."""
    path = f"/channels/{discord.channel}/messages"
    for kind, name, data, shown in (
        ("image/png", "a.png", PNG, True),
        ("image/svg+xml", "a.svg", PAGE, False),
        ("text/html", "a.html", PAGE, False),
    ):
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", json.dumps({"content": "x"}))
        form.add_field("files[0]", data, filename=name, content_type=kind)
        url = discord.session["api"] + path
        async with discord.http.post(url, data=form, headers={"Authorization": discord.bot}) as response:
            (attachment,) = (await response.json())["attachments"]
        async with discord.http.get(attachment["url"]) as response:
            assert (await response.read(), response.status) == (data, 200)
            assert response.headers.get("Content-Disposition", "").startswith("attachment") is not shown
            assert (response.content_type == kind) is shown
            assert "script-src" not in response.headers["Content-Security-Policy"]
