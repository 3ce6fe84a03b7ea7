"""Somebody's client on the local Discord: everything they were sent, and what they do."""

import asyncio
import itertools
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import aiohttp

from bot.ui.custom_ids import Press, Verb, parse_custom_id
from tests.controls import BUTTON, Offer, components, controls, filled, moves, picks, submission
from tests.process.waiting import eventually

if TYPE_CHECKING:
    from tests.process.world import World

EPHEMERAL = 64
BEAT_SECONDS = 20.0


class Seen:
    """A message as a person's client has it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.id = int(data["id"])
        self.channel = int(data["channel_id"])
        self.components = data["components"]
        self.private = bool(data["flags"] & EPHEMERAL)

    @property
    def text(self) -> str:
        """What it says, labels of buttons too."""
        return "\n".join(str(c[k]) for c in components(self) for k in ("content", "label") if c.get(k))

    def about(self, table: str) -> bool:
        """Whether the message has a control of *table*, be it one that is greyed out."""
        return table in self._tables

    @cached_property
    def _tables(self) -> set[str]:
        """The tables that its controls name."""
        presses = (parse_custom_id(str(c.get("custom_id", ""))) for c in components(self))
        return {press.table for press in presses if press is not None and press.table is not None}

    def direct(self, world: "World") -> bool:
        """Whether it is a direct message."""
        return self.channel not in world.channels

    def press(self, verb: Verb) -> tuple[str, Press] | None:
        """(custom_id, what it carries) of an enabled control for *verb*."""
        return next(((custom_id, press) for custom_id, press in self._presses if press.verb is verb), None)

    @cached_property
    def _presses(self) -> list[tuple[str, Press]]:
        """(custom_id, what it carries) of each enabled control."""
        return [(c["custom_id"], press) for c, press in controls(self)]

    @cached_property
    def ply(self) -> int | None:
        """The ply from which a move can be made in it; ``None``: none can."""
        return next((press.ply for _, press in self._presses if press.verb in (Verb.MOVE, Verb.PICK)), None)


class Person:
    """Somebody's client."""

    def __init__(self, world: "World", data: dict[str, Any]) -> None:
        self.world = world
        self.id = int(data["id"])
        self.name = data["name"]
        self.token = data["token"]
        self.messages: dict[int, Seen] = {}
        self.received: list[dict[str, Any]] = []
        self.outcomes: dict[str, str] = {}
        """How their interactions ended, by nonce."""
        self._forms: list[dict[str, Any]] = []
        """Those that they have open."""
        self._nonces = itertools.count()
        self._session = ""

    async def listen(self) -> None:
        """Keep a gateway session open, until it is closed or this is cancelled."""
        try:
            await self._listen()
        finally:
            self._session = ""

    async def _listen(self) -> None:
        address = self.world.gateway + "?v=10&encoding=json"
        async with self.world.http.ws_connect(address, max_msg_size=0) as socket, asyncio.TaskGroup() as tasks:
            beating = tasks.create_task(_beat(socket))
            async for frame in socket:
                data = json.loads(frame.data)
                if data["op"] == 10:
                    await socket.send_json({"op": 2, "d": {"token": self.token, "properties": {}}})
                elif data["op"] == 0:
                    self._event(data["t"], data["d"])
            beating.cancel()

    def _event(self, name: str, data: dict[str, Any]) -> None:
        self.received.append({"t": name, "d": data})
        if name == "READY":
            self._session = data["session_id"]
        elif name in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            self.messages[int(data["id"])] = Seen(data)
        elif name == "MESSAGE_DELETE":
            self.messages.pop(int(data["id"]), None)
        elif name == "INTERACTION_MODAL_CREATE":
            self._forms.append(data)
        elif name in ("INTERACTION_SUCCESS", "INTERACTION_FAILURE"):
            self.outcomes[data["nonce"]] = name

    @property
    def ready(self) -> bool:
        """Whether they are connected."""
        return bool(self._session)

    # What they see

    def newest(self, verb: Verb, channel: int | None = None) -> Seen | None:
        """The newest message with an enabled control for *verb*."""
        found = [m for m in self.messages.values() if channel in (None, m.channel) and m.press(verb)]
        return max(found, key=lambda message: message.id, default=None)

    def newest_text(self, wanted: str) -> Seen | None:
        """The newest message that says *wanted*."""
        found = [message for message in self.messages.values() if wanted in message.text]
        return max(found, key=lambda message: message.id, default=None)

    def hand(self) -> Seen | None:
        """The newest hand from which they can move, or pick something on the way to a move."""
        found = [message for message in self.messages.values() if message.ply is not None]
        return max(found, key=lambda message: message.id, default=None)

    def table(self) -> Seen | None:
        """The table message of a running game."""
        return self.newest(Verb.MENU)

    def form(self, verb: Verb, channel: int | None = None) -> dict[str, Any] | None:
        """The newest form for *verb* that was shown to them, in *channel* if one is given, and that they have not sent;
        ``None``: there is none."""
        here = (it for it in reversed(self._forms) if channel in (None, int(it["channel_id"])))
        return next((it for it in here if _is_for(it, verb)), None)

    # What they do

    async def interact(self, body: dict[str, Any], *, wait: bool = True) -> str:
        """Use a command or a control; the nonce. With *wait* it must succeed."""
        nonce, status, answer = await self.send(body)
        assert status == 204, answer
        if wait:
            await self.success(nonce)
        return nonce

    async def try_to(self, body: dict[str, Any]) -> None:
        """Use a command or a control without waiting for an answer; a control that has changed meanwhile is refused
        by Discord itself."""
        await self.send(body)

    async def send(self, body: dict[str, Any]) -> tuple[str, int, Any]:
        """(nonce, status, Discord's answer)."""
        nonce = f"{self.name}-{next(self._nonces)}"
        body = {"application_id": self.world.application, "session_id": self._session, "nonce": nonce, **body}
        return nonce, *await self.world.call("POST", "/interactions", body, self.token)

    async def success(self, nonce: str) -> None:
        """The interaction is answered."""
        outcome = await eventually(lambda: self.outcomes.get(nonce), f"an answer to {nonce}")
        assert outcome == "INTERACTION_SUCCESS", outcome

    async def slash(self, channel: int, name: str, **options: str) -> None:
        """Use the command *name* ("table end": its subcommand), which must succeed."""
        await self.interact(self.command(channel, name, **options))

    def command(self, channel: int, name: str, **options: str) -> dict[str, Any]:
        """The use of a command."""
        given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        data: dict[str, Any] = {"name": name, "type": 1, "options": given}
        root, _, sub = name.partition(" ")
        if sub:
            data = {"name": root, "type": 1, "options": [{"name": sub, "type": 1, "options": given}]}
        here = {"guild_id": self.world.guild_of(channel)} if channel in self.world.channels else {}
        return {"type": 2, "channel_id": str(channel), **here, "data": data}

    async def open_direct_messages(self) -> int:
        """Open their direct messages with the bot; the channel."""
        body = {"recipient_id": self.world.application}
        status, answer = await self.world.call("POST", "/users/@me/channels", body, self.token)
        assert status == 200, answer
        return int(answer["id"])

    async def click(self, message: Seen, verb: Verb, *, wait: bool = True) -> str:
        """Press the button for *verb* on *message*; the nonce."""
        found = message.press(verb)
        assert found, f"no {verb} on {message.text}"
        return await self.use(message, Offer(found[0], BUTTON, None), wait=wait)

    def sent(self, form: dict[str, Any], **chosen: str) -> dict[str, Any]:
        """The interaction with which they send *form*, with what they have *chosen*."""
        self._forms.remove(form)
        written = submission(form, filled(form, **chosen))
        data = {"id": form["id"], "custom_id": form["custom_id"], "components": written}
        return {"type": 5, "channel_id": form["channel_id"], "data": data}

    async def set_options(self, lobby: Seen, **chosen: str) -> None:
        """Choose options in the form that *lobby* opens."""
        await self.click(lobby, Verb.OPTIONS)
        form = await eventually(lambda: self.form(Verb.OPTIONS), "the form of options")
        await self.interact(self.sent(form, **chosen))

    async def use(self, message: Seen, offer: Offer, *, wait: bool = True) -> str:
        """Click *offer* on *message*; the nonce."""
        return await self.interact(clicked(message, offer), wait=wait)

    async def offer(self, message: Seen, at: int = 0) -> Offer:
        """Move number *at* (modulo their number) in the hand *message*; where the moves are in groups, the first
        group is picked for it."""
        if not moves(message):
            await self.use(message, picks(message)[0])
            await eventually(lambda: moves(self.messages[message.id]), "moves after the pick")
        offers = moves(self.messages[message.id])
        return offers[at % len(offers)]

    async def move(self, at: int = 0, *, wait: bool = True) -> str:
        """Make move number *at* of those that the newest hand offers, once there is one; the nonce."""
        hand: Seen = await eventually(self.hand, f"a hand of {self.name}")
        return await self.use(hand, await self.offer(hand, at), wait=wait)


def _is_for(form: dict[str, Any], verb: Verb) -> bool:
    """Whether *form* is one for *verb*."""
    press = parse_custom_id(form["custom_id"])
    return press is not None and press.verb is verb


async def _beat(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Send heartbeats, as Discord disconnects a client without them."""
    while True:
        await asyncio.sleep(BEAT_SECONDS)
        await socket.send_json({"op": 1, "d": None})


def clicked(message: Seen, offer: Offer) -> dict[str, Any]:
    """A click on *offer* of *message*."""
    data: dict[str, Any] = {"component_type": offer.kind, "custom_id": offer.custom_id}
    if offer.values is not None:
        data["values"] = offer.values
    return {"type": 3, "channel_id": str(message.channel), "message_id": str(message.id), "data": data}
