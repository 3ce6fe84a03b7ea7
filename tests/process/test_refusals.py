"""What only real sockets show: bans by Cloudflare, answers and frames of the gateway that cannot be read, and too few
sessions left for today."""

import asyncio
import json
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from local_discord.server import Server
from local_discord.sessions import Session
from tests.games import ONE_GAME
from tests.process.person import Person
from tests.process.waiting import eventually, until
from tests.process.watch import click, move, next_move, plies
from tests.process.world import World, local_world
from tests.program import Running, running

EVERYTHING = ("/interactions/*", "/webhooks/*", "/channels/*", "/users/*", "/gateway*")
"""The requests of bots."""


def said(store: Path) -> str:
    """The bot's log."""
    return (store.parent / "bot.log").read_text()


@ONE_GAME
async def test_during_a_ban_a_click_makes_one_request(world: World, people: list[Person], store: Path) -> None:
    """A 429 in plain text, without ``Via``: Cloudflare has turned it away, so it was certainly not taken."""
    its_turn = await next_move(world, store, people)
    after = (await world.requests())[-1]["number"]
    for path in EVERYTHING:
        await world.fault(match={"method": "*", "path": path}, status=429, by="cloudflare", times=1000)
    nonce = await click(*its_turn)
    player = its_turn[0]
    await eventually(lambda: player.outcomes.get(nonce) == "INTERACTION_FAILURE", "the click to fail")
    await eventually(lambda: plies(store) == 1, "the move, which counts all the same")
    await eventually(lambda: "Cloudflare has banned this address" in said(store), "the ban to be noticed")
    made = [it for it in await world.requests(after) if it["status"] == 429]
    # Several messages may be on their way before the first answer tells of the ban; none is tried again. If another
    # one's came first, the click is not answered at all.
    assert made and len({(it["method"], it["path"]) for it in made}) == len(made), made
    assert len([it for it in made if it["path"].startswith("/interactions/")]) <= 1, made
    assert said(store).count("Cloudflare has banned this address") == 1


@ONE_GAME
async def test_answers_that_cannot_be_read_are_asked_for_again(world: World, people: list[Person], store: Path) -> None:
    """Cut JSON, and a 429 that does not say for how long."""
    for fault in ({"cut": True}, {"status": 429}):
        await world.fault(match={"method": "PATCH", "path": "*"}, times=2, **fault)
        await world.fault(match={"method": "POST", "path": "/channels/*/messages"}, times=1, **fault)
        await move(world, store, people)
    await eventually(lambda: plies(store) == 2, "the moves")
    assert "Traceback" not in said(store)


@ONE_GAME
async def test_every_request_says_which_program_makes_it(world: World, people: list[Person], store: Path) -> None:
    """https://discord.com/developers/docs/reference#user-agent"""
    await move(world, store, people)
    agents: dict[str, set[Any]] = {}
    for request in await world.requests():
        agents.setdefault(request["auth"], set()).add(request["agent"])
    assert set(agents) == {"bot", "interaction"}
    assert all(it.startswith("DiscordBot (") for it in set.union(*agents.values()))


async def test_with_few_sessions_left_for_today_the_bot_waits_and_says_so(store: Path) -> None:
    async with local_world() as world:
        await world.call("POST", "/local/faults", {"starts": 20})
        await world.launch_bot(store, "bot", world.environment(store))
        await eventually(lambda: "only 20 sessions at Discord's gateway are left" in said(store), "the line")
        _, session = await world.call("GET", "/local/session")
        assert not session["bot_connected"]
        await world.call("POST", "/local/faults", {"starts": 500})

        async def connected() -> bool:
            return bool((await world.call("GET", "/local/session"))[1]["bot_connected"])

        await until(connected, "the bot does not connect")
        assert json.dumps(said(store)).count("only 20 sessions") == 1, "it is said once"


async def test_the_file_of_verify_is_a_record(world: World) -> None:
    """Discord's clients offer only files of the types that an option names (August 2026)."""

    def registered() -> list[dict[str, Any]]:
        return [it for it in seen if it["method"] == "PUT" and it["path"].endswith("/commands")]

    seen: list[dict[str, Any]] = []

    async def there() -> bool:
        seen[:] = await world.requests()
        return bool(registered())

    await until(there, "the commands are not registered")
    (verify,) = [it for it in registered()[-1]["body"] if it["name"] == "verify"]
    assert [it.get("file_types") for it in verify["options"] if it["type"] == 11] == [[".json"]]


async def test_an_address_to_which_discord_sends_all_interactions_is_said_at_the_start(store: Path) -> None:
    """With an *Interactions Endpoint URL* every command fails, and nothing else tells the host."""
    async with local_world() as world:
        changed = {"interactions_endpoint_url": "https://example.org/interactions"}
        assert (await world.call("POST", "/local/application", changed))[0] == 200
        await world.start_bot(store, LOG_FORMAT="json")
        await eventually(lambda: "Interactions Endpoint URL" in said(store), "the line")


# Frames of the gateway that nobody can read


def bot_on(server: Server, folder: Path, *, named: bool = True) -> AbstractAsyncContextManager[Running]:
    """The bot as a process of its own on *server*, whose gateway is *named* to it or not."""
    base = f"127.0.0.1:{server.port}"
    gateway = {"DISCORD_GATEWAY_URL": f"ws://{base}/gateway"} if named else {}
    return running(folder, DISCORD_TOKEN=server.world.bot.token, DISCORD_API_URL=f"http://{base}/api/v10", **gateway)


def connected(server: Server) -> Session | None:
    """The bot's session, while it has a connection."""
    return next((it for it in server.gateway._sessions.values() if it.person.bot and it.socket is not None), None)


FRAMES = ["null", "{", '{"op":0,"t":"READY","s":9,"d":{}}', '{"op":0,"t":"RESUMED","s":9,"d":[]}', '{"op":10,"d":null}']


async def test_a_frame_that_cannot_be_read_costs_the_session_and_not_the_process(tmp_path: Path) -> None:
    """A bot for each frame, all at the same time, since a new session is waited for."""
    folders = [tmp_path / str(number) for number in range(len(FRAMES))]
    for folder in folders:
        folder.mkdir()
    await asyncio.gather(*map(costs_the_session, folders, FRAMES))


async def costs_the_session(folder: Path, frame: str) -> None:
    """Send *frame* to a bot on a server of its own, which must begin a new session."""
    server = Server()
    await server.start(0)
    async with bot_on(server, folder) as bot:
        await eventually(lambda: connected(server), f"the bot, before {frame}", 40)
        first = connected(server)
        assert first is not None
        assert first.socket is not None
        first.socket.send(frame)
        await eventually(lambda: (now := connected(server)) and now is not first, f"a new session after {frame}", 40)
        assert bot.process.returncode is None, frame
    assert bot.log.count("frame not understood") == 1, frame
    assert "Traceback" not in bot.log, frame
    await server.stop()


async def test_with_the_apis_address_alone_a_new_session_begins_at_the_gateway_that_it_names(tmp_path: Path) -> None:
    server = Server()
    await server.start(0)
    async with bot_on(server, tmp_path, named=False):
        await eventually(lambda: connected(server), "the bot", 20)
        first = connected(server)
        assert first is not None
        assert first.socket is not None
        first.socket.send('{"op":9,"d":false}')
        await eventually(lambda: (now := connected(server)) and now is not first, "a new session", 20)
    await server.stop()
