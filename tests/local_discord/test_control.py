"""What tests use to look at the server and to change it from outside: ``/local``, without its faults."""

from local_discord.requests import RequestList
from tests.local_discord.client import Discord


async def test_the_request_list_has_the_bots_requests_alone(discord: Discord) -> None:
    await discord.call("GET", "/users/@me", discord.anna)
    await discord.call("POST", f"/channels/{discord.channel}/messages", discord.bot, {"content": "x"})
    _, listed = await discord.call("GET", "/local/requests?after=0")
    assert [(r["method"], r["auth"], r["status"], r["body"]) for r in listed] == [
        ("POST", "bot", 200, {"content": "x"})
    ]
    assert (await discord.call("GET", f"/local/requests?after={listed[-1]['number']}"))[1] == []


async def test_people_and_channels_change_from_outside(discord: Discord) -> None:
    assert (await discord.call("POST", f"/local/users/{discord.anna_id}", body={"locale": "de"}))[0] == 200
    assert (await discord.call("POST", f"/local/users/{discord.anna_id}", body={"wings": 2}))[0] == 400
    assert (await discord.call("POST", "/local/users/1", body={}))[0] == 404
    socket = await discord.connect(discord.bruno)
    await socket.event("READY")
    assert (await discord.call("DELETE", f"/channels/{discord.channel}", discord.bruno))[0] == 403
    assert (await discord.call("DELETE", f"/channels/{discord.channel}", discord.anna))[0] == 200
    assert (await socket.event("CHANNEL_DELETE"))["id"] == discord.channel


async def test_invalid_requests_are_counted_as_discord_counts_them(discord: Discord) -> None:
    """401, 403 and 429 but those with the scope ``shared``; 10,000 in ten minutes ban the address.

    https://discord.com/developers/docs/topics/rate-limits#invalid-request-limit
    """

    async def count() -> int:
        invalid: int = (await discord.call("GET", "/local/session"))[1]["invalid_requests"]
        return invalid

    path = f"/channels/{discord.channel}/messages"
    await discord.call("POST", path, discord.bot, {"content": "x"})
    await discord.call("GET", "/channels/1", discord.bot)
    await discord.call("GET", "/users/@me", "nobody")
    assert await count() == 0
    await discord.call("GET", "/users/@me", "Bot nobody")
    assert await count() == 1
    await discord.call("POST", f"/local/channels/{discord.channel}", body={"bot_permissions": []})
    await discord.call("POST", path, discord.bot, {"content": "x"})
    assert await count() == 2
    limited = {"match": {"path": "/users/@me"}, "status": 429, "retry_after": 0.1}
    for scope, expected in (("shared", 2), ("user", 3)):
        fault = {**limited, "scope": scope}
        assert (await discord.call("POST", "/local/faults", body=fault))[0] == 204
        assert (await discord.response("GET", "/users/@me")).headers["X-RateLimit-Scope"] == scope
        assert await count() == expected


async def test_what_cannot_be_read_is_refused_and_never_a_bug(discord: Discord) -> None:
    base = f"http://127.0.0.1:{discord.server.port}"
    packed = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    part = b'--B\r\nContent-Disposition: form-data; name="content"\r\nContent-Type: %s\r\n\r\nx\r\n--B--\r\n'
    form = {"Content-Type": "multipart/form-data; boundary=B", "Authorization": discord.bot}
    path = f"/api/v10/channels/{discord.channel}/messages"
    for url, headers, data in (
        ("/local/faults", packed, b"no gzip"),
        (path, {**packed, "Authorization": discord.bot}, b"no gzip"),
        (path, form, part % b"text/plain; charset=nope"),
        (path, form, part % b"image/png\0text/html"),
        (path, form, part.replace(b'"content"', b'"files[0]"; filename="a"') % b"image/png\0text/html"),
    ):
        async with discord.http.post(base + url, data=data, headers=headers) as response:
            assert response.status == 400, (url, data)
            assert (await response.json())["code"] in (50035, 50109)
    for name in ("a" * 300, "a" * 5000, "%00"):
        async with discord.http.get(f"{base}/page/{name}") as response:
            assert response.status in (400, 403, 404)


def test_only_the_last_ten_minutes_count() -> None:
    now = [0.0]
    requests = RequestList(lambda: now[0])
    for second in (0.0, 300.0, 599.0):
        now[0] = second
        requests.add("GET", "/users/@me", "Bot x", 401, None)
    assert requests.invalid == 3
    now[0] = 600.0
    assert requests.invalid == 2
