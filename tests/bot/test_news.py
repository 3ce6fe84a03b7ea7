"""What one process hears of the others: each piece of news once, whatever becomes of the others."""

from collections.abc import Sequence

from sqlalchemy.exc import OperationalError

from bot.cluster.news import TRIES, Hearing, News
from tests.bot.logs import written


class Heard:
    """A process that hears of news, and what it could apply of them."""

    def __init__(self) -> None:
        self.applied: list[str] = []
        self.broken: dict[str, Exception] = {}
        self.hearing = Hearing("me", self._hear)

    async def _hear(self, news: Sequence[News]) -> None:
        for it in news:
            if it.kind in self.broken:
                raise self.broken[it.kind]
            self.applied.append(it.kind)

    async def look(self, at: int, *kinds: str) -> None:
        """The news that are there are of these *kinds*, the oldest first."""
        self.hearing.look([News(n + 1, 1000, "other", kind, {}) for n, kind in enumerate(kinds)], at)
        await self.hearing.finish()


async def test_news_that_cannot_be_applied_hold_up_no_others_and_are_given_up() -> None:
    heard = Heard()
    heard.broken["bad"] = TypeError()
    with written() as log:
        for n in range(TRIES):
            assert heard.hearing.until == 0
            await heard.look(1000 + n, "bad", "good")
            assert heard.applied == ["good"]
        await heard.look(2000, "bad", "good")
    assert log.getvalue().count("news not applied") == TRIES
    assert heard.applied == ["good"]
    assert heard.hearing.until == 2000


async def test_while_the_database_does_not_answer_news_are_tried_again() -> None:
    heard = Heard()
    heard.broken["server"] = OperationalError("", {}, Exception())
    with written():
        for n in range(TRIES + 2):
            await heard.look(1000 + n, "server")
    del heard.broken["server"]
    await heard.look(2000, "server")
    await heard.look(2001, "server")
    assert heard.applied == ["server"]
    assert heard.hearing.until == 2001


async def test_that_a_process_has_died_is_heard_like_news() -> None:
    heard = Heard()
    heard.hearing.look([], 1000, {"one", "two"})
    await heard.hearing.finish()
    assert heard.applied == ["died", "died"]


async def test_each_process_that_has_died_is_tried_as_often_as_other_news() -> None:
    heard = Heard()
    heard.broken["died"] = TypeError()
    with written() as log:
        heard.hearing.look([], 1000, {"one", "two"})
        await heard.hearing.finish()
        for n in range(TRIES):
            await heard.look(1001 + n)
    assert log.getvalue().count("news not applied") == 2 * TRIES
