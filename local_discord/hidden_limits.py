"""Limits that no header announces: edits of old messages, and direct messages with new people.

- A message older than an hour takes only so many edits; more are answered with 429 and 30046. Three in six seconds and
  channel: https://docs.discord.food/resources/message#edit-message
- Who opens direct messages with many people quickly is refused with 40003. Discord publishes no figure
  (https://discord.com/developers/docs/resources/user#create-dm); 25 to 40 people were reported
  (https://github.com/discord-php/DiscordPHP/issues/467). Here: 25 new people in ten minutes, chosen.
- A bot that opens them faster still is flagged as spam: it is refused with 20026 until a person at Discord lifts that
  (https://github.com/discord/discord-api-docs/issues/5987). Bots that wait three to nine seconds after each one were
  flagged after 20 to 40 (https://github.com/17teen/Discord-Mass-DM-Tool/issues/14), others that open several at once
  after seconds (https://github.com/SanjaySunil/BetterDiscordPanel/issues/38). Here: by the 21st in a minute, chosen, so
  that a bot may open ten at once and then one every ten seconds.
"""

import time
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any, Final

from local_discord.errors import MESSAGES, flagged, invalid_form, opening_too_fast
from local_discord.forms import MOST, Form
from local_discord.limits import Limited, rate_limit_body, retry_after_header

USUAL: Final[dict[str, dict[str, float]]] = {
    "old_edits": {"limit": 3, "seconds": 6, "age_seconds": 3600},
    "dm_openings": {"limit": 25, "seconds": 600},
    "flagging": {"limit": 20, "seconds": 60},
}
"""The limits, by name, with their usual figures."""


class HiddenLimits:
    """Limits of a bot that no header announces: edits of old messages, opening of direct messages, and flagging as
    spam."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rules: dict[str, dict[str, float] | None] = {**USUAL}
        """The figures of every limit; ``None``: it is off."""
        self._counted: dict[str, defaultdict[int, deque[float]]] = {key: defaultdict(deque) for key in USUAL}
        """When something happened that counts: for every limit, and for old edits by channel."""
        self.flagged = False
        """Whether the bot is flagged as spam."""

    def set(self, body: dict[str, Any]) -> None:
        """Change the limits named in *body*, and forget what was counted for them; or raise ApiError (50035).

        *body* is ``{"old_edits": {"limit", "seconds", "age_seconds"}, "dm_openings": {"limit", "seconds"}, "flagging":
        {"limit", "seconds"}}``. ``false`` switches one off, ``true`` gives it the usual figures, which also stand for
        what is left out.

        ``{"flagged": true}``: the bot is flagged from now on; ``false``: Discord has lifted it.

        Raises:
            ApiError: a figure is unknown or no number (50035).
        """
        flag = body.get("flagged", self.flagged)
        if not isinstance(flag, bool):
            raise invalid_form("flagged", "BASE_TYPE_CHOICES", "true or false")
        made = {key: _parse_limit_figures(key, value) for key, value in body.items() if key != "flagged"}
        self.flagged = flag
        self._rules |= made
        for key in made:
            self._counted[key].clear()

    def reset(self) -> None:
        """Set all limits to the usual figures, and end the flagging."""
        self.set({**dict.fromkeys(USUAL, True), "flagged": False})

    def count_old_edit(self, channel: int, age_seconds: float) -> None:
        """Count an edit in *channel* of a message that is *age_seconds* old, if that is old; raise Limited (429 with
        30046) if there were too many."""
        rule = self._rules["old_edits"]
        if rule is None or age_seconds < rule["age_seconds"]:
            return
        wait = self._count_use("old_edits", channel)
        if wait is not None:
            body = rate_limit_body(wait, everywhere=False) | {"message": MESSAGES[30046], "code": 30046}
            raise Limited(body, {"X-RateLimit-Scope": "user", **retry_after_header(wait)})

    def count_dm_opening(self) -> None:
        """Count that the bot opens direct messages with somebody new; raise ApiError if it is flagged as spam, perhaps
        by this (20026), or opens too many (40003)."""
        if self._count_use("flagging") is not None:
            self.flagged = True
        if self.flagged:
            raise flagged()
        if self._count_use("dm_openings") is not None:
            raise opening_too_fast()

    def _count_use(self, key: str, channel: int = 0) -> float | None:
        """Count one use of the limit *key* (by *channel* for old edits). If there is no room, return the seconds to
        wait; otherwise ``None``."""
        rule, times, now = self._rules[key], self._counted[key][channel], self._clock()
        if rule is None:
            return None
        while times and times[0] <= now - rule["seconds"]:
            times.popleft()
        if len(times) >= rule["limit"]:
            return times[0] + rule["seconds"] - now if times else rule["seconds"]
        times.append(now)
        return None


def _parse_limit_figures(key: str, value: Any) -> dict[str, float] | None:
    """Return the figures that *value* sets for the limit *key*; ``None`` if it switches the limit off; or raise
    ApiError (50035)."""
    usual = USUAL[key]
    if isinstance(value, bool):
        return usual if value else None
    if not isinstance(value, dict) or not set(value) <= set(usual):
        raise invalid_form(key, "BASE_TYPE_CHOICES", f"true, false, or some of {sorted(usual)}")
    form = Form(value, key)
    for name in value:
        form.number(name, 0, MOST, required=True)
    return {**usual, **value}
