"""Uploads the drawings of all games as emojis of the application, once, and finds them again by their names.

Emojis of earlier looks stay, since old messages show them; an application can have 2,000.

The name is all that an emoji can carry, and screen readers read it aloud. So it contains no hash: which look a drawing
has is a number in the code, and a test notices a drawing that has changed without a new one (``tests/drawings.py``).

https://discord.com/developers/docs/resources/emoji#application-owned
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Final, NamedTuple

from bot.clock import Alarm, Clock
from bot.delivery.discord_api import DiscordApi
from bot.delivery.errors import Fault
from bot.log import fields
from bot.ui.pictures import symbols
from bot.ui.pictures.canvas import png_bytes
from bot.ui.pictures.drawings import Draw
from bot.ui.pictures.symbols import Emoji
from bot.ui.registry import PRESENTERS

log = logging.getLogger(__name__)

UPLOAD_RETRY_MS: Final = 600_000
RECHECK_MS: Final = 60_000
LOG_INTERVAL_SECONDS: Final = 60.0
"""How often the progress of uploads is logged: Discord may make the bot wait a long time between them."""
UPLOAD_ERRORS: Final = (Fault, OSError)


class EmojiDrawing(NamedTuple):
    """A drawing to upload as an emoji, with the emoji's name."""

    name: str
    """As ``Drawings.emoji_name`` says. Games that use the same name share the emoji: they must draw the same."""
    draw: Draw

    @property
    def file(self) -> bytes:
        """The drawing as a PNG; drawn when first asked for, which is slow."""
        return _draw_png(self.draw)


@cache
def _draw_png(draw: Draw) -> bytes:
    """Return the drawing of *draw* as a PNG; cached, because drawing is slow."""
    return png_bytes(draw())


@cache
def emoji_drawings() -> Mapping[str, EmojiDrawing]:
    """Return every drawing of every game with the name of its emoji, by the key of the symbol that it shows."""
    found: dict[str, EmojiDrawing] = {}
    for presenter in PRESENTERS.values():
        for key, draw in presenter.drawings.items():
            found[key] = EmojiDrawing(presenter.drawings.emoji_name(key), draw)
    return found


def _emojis_by_symbol(emojis: Mapping[str, Emoji], drawings: Mapping[str, EmojiDrawing]) -> dict[str, Emoji]:
    """Return the *emojis* (by name) that show one of *drawings*, by the key of its symbol."""
    return {key: emojis[drawing.name] for key, drawing in drawings.items() if drawing.name in emojis}


async def fetch_existing_emojis(api: DiscordApi) -> dict[str, Emoji]:
    """Ask Discord for the uploaded emojis that show our drawings, by the key of their symbol; empty if it does not
    answer."""
    drawings = emoji_drawings()
    try:
        there = await api.list_emojis()
    except UPLOAD_ERRORS as fault:
        log.warning("emojis unknown: cards are shown as text", extra=fields(fault=type(fault).__name__))
        return {}
    return _emojis_by_symbol({emoji.name: emoji for emoji in there}, drawings)


class UploadResult(NamedTuple):
    """The emojis that exist after an upload, and whether all drawings were uploaded."""

    emojis: dict[str, Emoji]
    """By the key of their symbols."""
    complete: bool
    """Whether every drawing has been uploaded; the others are shown as text, or as they were."""


async def upload_missing_emojis(api: DiscordApi) -> UploadResult | None:
    """Upload the drawings that have no emoji yet, until Discord refuses one, and return all emojis; ``None`` if Discord
    does not list the emojis."""
    drawings = emoji_drawings()
    try:
        there = {emoji.name: emoji for emoji in await api.list_emojis()}
    except UPLOAD_ERRORS as fault:
        log.warning("emojis unknown: nothing is uploaded", extra=fields(fault=type(fault).__name__))
        return None
    missing = [drawing for drawing in drawings.values() if drawing.name not in there]
    loop = asyncio.get_running_loop()
    said = loop.time()
    for number, (name, draw) in enumerate(missing, start=1):
        if name not in there:  # two games may share a drawing
            try:
                there[name] = await api.upload_emoji(name, await asyncio.to_thread(_draw_png, draw))
                log.debug("emoji uploaded", extra=fields(emoji=name, number=number, of=len(missing)))
            except UPLOAD_ERRORS as fault:
                log.warning("emoji not taken: cards are shown as text", extra=fields(emoji=name, fault=fault))
                return UploadResult(_emojis_by_symbol(there, drawings), complete=False)
        if loop.time() - said >= LOG_INTERVAL_SECONDS:
            said = loop.time()
            log.info(
                "emojis being uploaded: until then cards are shown as text",
                extra=fields(number=number, of=len(missing)),
            )
    return UploadResult(_emojis_by_symbol(there, drawings), complete=True)


class EmojiUploader:
    """Uploads missing emojis of the application in the background, and calls *changed* when messages may look
    different."""

    def __init__(self, api: DiscordApi, clock: Clock, changed: Callable[[], Awaitable[object]]) -> None:
        self._api = api
        self._clock = clock
        self._changed = changed
        self._retry: Alarm | None = None
        self._looked_at = 0
        """When it was last started because Discord had refused an emoji, ms since 1970."""
        self.task: asyncio.Task[None] | None = None
        """The upload that runs, or ran last."""

    def start(self) -> None:
        """Start a task that uploads the drawings that have no emoji yet, and retries every ten minutes until all are
        there."""
        self.task = asyncio.get_running_loop().create_task(self._upload_and_report())

    def recheck(self) -> None:
        """Look again for missing emojis and upload them, because Discord has refused one that may be deleted; not while
        a task runs, at most once a minute."""
        running = self.task is not None and not self.task.done()
        if not running and self._clock.now() - self._looked_at > RECHECK_MS:
            self._looked_at = self._clock.now()
            self.start()

    def stop(self) -> None:
        """Stop uploading and retrying."""
        if self.task is not None:
            self.task.cancel()
        if self._retry is not None:
            self._retry.cancel()

    async def _upload_and_report(self) -> None:
        """Upload missing emojis, use them, and call ``changed`` if any emoji has changed; if some are still missing,
        try again in ten minutes."""
        published = None
        try:
            published = await upload_missing_emojis(self._api)
        except Exception:  # the boundary of this task: a bug must not stop the uploads for ever
            log.exception("emojis not published")
        if published is not None and symbols.set_application_emojis(published.emojis):
            await self._changed()
        if published is None or not published.complete:
            self._retry = self._clock.call_at(self._clock.now() + UPLOAD_RETRY_MS, self.start)
