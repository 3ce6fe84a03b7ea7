"""Hosts that stand still: nothing of theirs runs for a while, but time passes, and what is sent to them waits.

So it is with a process that the system has stopped, or whose machine sleeps. This is the second of the two modules that
know simloom.
"""

import asyncio
import heapq
from typing import Any

from simloom import SimLoop
from simloom._context import current_host


class Loop(SimLoop):
    """simloom's loop, which lets hosts stand still."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._still: dict[int, list[asyncio.Handle]] = {}
        """What a host that stands still would do, by its id."""

    def stand_still(self, host: Any) -> None:
        """Nothing of *host* runs from now on."""
        still = self._still.setdefault(id(host), [])
        still += [it for it in self._ready if _host_of(it) is host]
        self._ready = [it for it in self._ready if _host_of(it) is not host]
        still += [timer for _, _, timer in sorted(self._scheduled) if _host_of(timer) is host]
        self._scheduled = [it for it in self._scheduled if _host_of(it[2]) is not host]
        heapq.heapify(self._scheduled)

    def go_on(self, host: Any) -> None:
        """*host* goes on: all that is due meanwhile happens now."""
        for handle in self._still.pop(id(host), []):
            if handle.cancelled():
                continue
            if isinstance(handle, asyncio.TimerHandle):
                self._timer_seq += 1
                heapq.heappush(self._scheduled, (handle.when(), self._timer_seq, handle))
            else:
                self._ready.append(handle)

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> asyncio.Handle:
        """As simloom's."""
        handle = super().call_soon(callback, *args, context=context)
        if self._still and (host := _host_of(handle)) is not None and id(host) in self._still:
            self._still[id(host)].append(self._ready.pop())
        return handle

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        """As simloom's."""
        handle = super().call_at(when, callback, *args, context=context)
        if self._still and (host := _host_of(handle)) is not None and id(host) in self._still:
            self._scheduled = [it for it in self._scheduled if it[2] is not handle]
            heapq.heapify(self._scheduled)
            self._still[id(host)].append(handle)
        return handle


def _host_of(handle: asyncio.Handle) -> Any:
    """The host whose code *handle* runs; ``None``: none's."""
    context = getattr(handle, "_context", None)
    return None if context is None else context.get(current_host)
