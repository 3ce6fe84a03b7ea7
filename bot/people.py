"""What people have chosen for themselves: in memory, so that a click reads it at once, and in the store."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from bot.store.store import Store
from bot.tables.errors import Refusal, Why
from bot.tables.preferences import DEFAULTS, Preferences


class People:
    """The preferences of everybody who has any. Call ``load`` before the first click is served."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chosen: dict[int, Preferences] = {}
        self._writing = asyncio.Lock()
        self._busy: set[int] = set()

    async def load(self) -> dict[int, Preferences]:
        """Read what the store has; return what those had chosen before of whom that says something else."""
        async with self._writing:
            before, self._chosen = self._chosen, await self._store.preferences()
        people = before.keys() | self._chosen.keys()
        return {it: before.get(it, DEFAULTS) for it in people if before.get(it, DEFAULTS) != self.preferences(it)}

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

    async def reload(self, user: int) -> None:
        """Read again what *user* has chosen: another process may have recorded it."""
        async with self._writing:
            found = await self._store.preferences_of(user)
            self._chosen[user] = DEFAULTS if found is None else found

    def forget(self, user: int) -> None:
        """Forget what *user* has chosen: they were erased."""
        self._chosen.pop(user, None)

    @asynccontextmanager
    async def erasing(self, user: int) -> AsyncIterator[None]:
        """In the block, *user* is erased from the store; after it nothing is known of them here either. Nothing is
        changed meanwhile: a change that had begun before would store again what they had chosen."""
        async with self._writing:
            yield
            self._chosen.pop(user, None)

    @contextmanager
    def alone(self, user: int) -> Iterator[None]:
        """In the block, *user* is in no other such block: what takes long is done once at a time for each person.

        Raises:
            Refusal: they are in one already.
        """
        if user in self._busy:
            raise Refusal(Why.AT_WORK)
        self._busy.add(user)
        try:
            yield
        finally:
            self._busy.discard(user)
