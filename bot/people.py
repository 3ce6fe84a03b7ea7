"""What people have chosen for themselves: in memory, so that a click reads it at once, and in the store."""

import asyncio
from collections.abc import Callable

from bot.store.store import Store
from bot.tables.preferences import DEFAULTS, Preferences


class People:
    """The preferences of everybody who has any. Call ``load`` before the first click is served."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chosen: dict[int, Preferences] = {}
        self._writing = asyncio.Lock()

    async def load(self) -> None:
        """Read what the store has."""
        self._chosen = await self._store.preferences()

    def preferences(self, user: int) -> Preferences:
        """What *user* has chosen."""
        return self._chosen.get(user, DEFAULTS)

    async def change(self, user: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Apply *change* to what *user* has chosen, store the result and return it. Of somebody who is back to the
        defaults nothing stays in the store."""
        async with self._writing:
            chosen = change(self.preferences(user))
            await self._store.put_preferences(user, chosen)
            self._chosen[user] = chosen
        return chosen
