"""Edits messages of a table with the tokens of interactions. Such edits do not count against the bot's own limit.

Each message is named by its id. "@original" is the answer to an interaction or the clicked message, depending on how it
was answered: a hand must never take the place of the table message.
https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages
"""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from sqlalchemy.exc import SQLAlchemyError

from bot.clock import Clock
from bot.delivery.discord_api import DiscordApi, first_response_state
from bot.delivery.errors import Expired, Fault, Gone
from bot.delivery.slots import TABLE, Click, Slot, TableSlots, is_ephemeral_hand_slot
from bot.log import fields
from bot.store.store import Handle, Store
from bot.tables.model import TableId
from bot.ui.components import Sheet

log = logging.getLogger(__name__)

TOKEN_LIFE_MS: Final = 14 * 60_000
"""How long an interaction token is used: it is valid for 15 minutes, and the last one is left as a margin."""
REFRESH_AFTER_MS: Final = 5 * 60_000
"""A click on the table message gives the message a new token when its own is older than this. Not every click does, as
that takes one more request; but it happens long before the token expires, as nobody need click there again."""
RECORD_AFTER_MS: Final = 4 * 60_000
"""How much newer a token must be than the stored one to replace it in the store."""


class Tokens:
    """Edits and deletes messages with interaction tokens, which do not count against the rate limit, and keeps the
    newest token of each message."""

    def __init__(
        self, store: Store, api: DiscordApi, clock: Clock, spawn: Callable[[Coroutine[Any, Any, Any]], Any]
    ) -> None:
        self._store = store
        self._api = api
        self._clock = clock
        self._spawn = spawn
        self._being_served: set[TableId] = set()
        """Tables with a click on their message that is being acknowledged, so that its token can edit the message."""

    def has_valid_token(self, handle: Handle) -> bool:
        """Whether *handle* has an interaction token that is less than 14 minutes old."""
        return handle.token is not None and self._clock.now() - handle.token_at < TOKEN_LIFE_MS

    async def edit(self, handle: Handle, sheet: Sheet) -> bool:
        """Edit the message at *handle* to *sheet* with its interaction token; return False if no valid token reaches
        it; or raise a ``Fault``.

        Raises:
            Gone: it is an ephemeral message, and deleted. Of others the bot's own token tells.
            NoEntry, TooOld, Busy, Refused: Discord refuses the edit.
        """
        if handle.token is None or not self.has_valid_token(handle):
            return False
        try:
            await self._api.edit_by_token(handle.token, handle.message, sheet)
        except Expired:
            log.debug("token spent", extra=fields(slot=handle.slot))
            return False
        except Gone:
            if is_ephemeral_hand_slot(handle.slot):
                raise
            log.debug("out of the token's reach", extra=fields(slot=handle.slot))
            return False
        return True

    async def fetch_response_message_id(self, handle: Handle) -> int | None:
        """Ask Discord which message answered the interaction of *handle* (or was clicked), and return its id; ``None``
        if there is none or the token expired.

        Raises:
            NoEntry, Busy: Discord does not say.
        """
        if handle.token is None or not self.has_valid_token(handle):
            return None
        try:
            return await self._api.fetch_original_message_id(handle.token)
        except (Expired, Gone):
            return None

    async def delete_message(self, handle: Handle) -> bool:
        """Delete the message at *handle* with its interaction token; return False if no valid token reaches it; or
        raise NoEntry or Busy."""
        if handle.token is None or not self.has_valid_token(handle):
            return False
        try:
            await self._api.delete_by_token(handle.token, handle.message)
        except (Expired, Gone):
            log.debug("out of the token's reach", extra=fields(slot=handle.slot))
            return False
        return True

    def keep_token(self, slots: TableSlots, slot: Slot, click: Click) -> None:
        """Use the token of the answered *click* for later edits of the message of *slot*, if that was clicked; store it
        if the stored one is 4 minutes older.

        So a restart mostly finds one that is valid.
        """
        if slot.handle is None or not is_click_on_slot_message(slot, click):
            return
        now = self._clock.now()
        slot.handle = slot.handle._replace(token=click.token, token_at=now)
        if now - slot.recorded_at >= RECORD_AFTER_MS:
            self._spawn(self._record_token(slots, slot))

    async def _record_token(self, slots: TableSlots, slot: Slot) -> None:
        """Store the token of the message of *slot*; a failure is only logged."""
        handle = slot.handle
        if handle is None:
            return
        slot.recorded_at = handle.token_at
        try:
            await self._store.save_handle(slots.table.id, handle)
        except (SQLAlchemyError, OSError) as error:
            log.warning("token not recorded", extra=fields(table=slots.table.id, fault=type(error).__name__))

    async def refresh_table_token(self, slots: TableSlots, click: Click) -> None:
        """Acknowledge *click* and keep its token for edits, if it was made on the table message and the message's own
        token is older than five minutes.

        A private message is about to answer the click; it then follows up. Nothing is done if the click was made
        elsewhere, if the message has a token that is new enough, or if another click just now gives it one. If Discord
        does not take the acknowledgement, that is only logged.
        """
        slot = slots.slot(TABLE)
        if slot.handle is None or not slots.table.live or not is_click_on_slot_message(slot, click):
            return
        if slot.handle.token is not None and self._clock.now() - slot.handle.token_at < REFRESH_AFTER_MS:
            return
        if slots.table.id in self._being_served:
            return
        self._being_served.add(slots.table.id)
        try:
            await self._api.acknowledge(click)
        except Fault as fault:
            log.info("click not acknowledged", extra=fields(table=slots.table.id, fault=type(fault).__name__))
            return
        finally:
            self._being_served.discard(slots.table.id)
        if first_response_state(click).can_token_edit_clicked_message:
            self.keep_token(slots, slot, click)


def is_click_on_slot_message(slot: Slot, click: Click) -> bool:
    """Whether *click* was made on the message of *slot*."""
    return slot.handle is not None and click.message is not None and slot.handle.message == click.message.id
