"""What a game with a coach adds to what is said of decisions: the part of its ``Board`` that hints and reviews ask."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from bot.i18n import Words
from bot.present.sheet import bold
from bot.review.decisions import Judged
from bot.tables.scene import AnyScene, Scene
from engine.decision import Decision
from engine.game import Seat

V = TypeVar("V")
A = TypeVar("A")
E = TypeVar("E")

Named = Callable[[Seat], str]
"""What to call whoever has a seat, marked up for a message."""


def named_in(scene: AnyScene) -> Named:
    """The names of the players of *scene*, in bold."""
    return lambda seat: bold(scene.name(seat))


class Commentary(Generic[V, A, E]):
    """How a game names what somebody did, why that was good or bad, and how it turned out."""

    def done(self, action: A | None, words: Words) -> str:
        """What *action* does, in a few words, for the coach to compare with another; ``None``: not to call. Only a game
        with a coach must override this."""
        return ""

    def insight(
        self, insight: Any, words: Words, *, always: bool = True, own: bool = True, played: bool = False
    ) -> str:
        """What *insight*, of the type in the module ``coach`` of the rules, says, in a sentence; empty, but not
        *always*: nothing that matters. *own*: it is the reader's. *played*: it is older than what the page shows."""
        return ""

    def ignored(self, made: A | None, happened: Sequence[E], scene: Scene[V, A, E], words: Words) -> str:
        """That what was *made* has not counted, by what *happened* then, in a sentence; empty: it has."""
        return ""

    def reason(self, decision: Decision, view: V, named: Named, words: Words, *, name: str = "") -> str:
        """Why something was better than what was made in *decision*, by the player's *view*; empty: unknown. Others are
        called as they are *named*, the player *name*; empty: they are the reader."""
        return ""

    def consequence(self, action: A | None, view: V, words: Words) -> str:
        """What follows from *action* for certain that its player should know before, in a sentence; empty: nothing."""
        return ""

    def aftermath(self, judged: Judged[V, E], scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """What has turned out in *scene* for somebody who acted, one line each: good and bad luck, bluffs."""
        return ()

    def drew(self, judged: Judged[V, E], scene: Scene[V, A, E], words: Words) -> str:
        """Which card that somebody drew after they had acted was luck, in a line; empty: none."""
        return ""

    def taken_in(self, acted: Sequence[Judged[V, E]], scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """Who was taken in by whom in *scene*, one line each, but to a viewer who acted there; *acted* is what those
        decided who did."""
        return ()
