"""A game on Discord: what its folder in ``bot/present/games`` gives to the frame that all games share.

A ``Presenter`` is data, a ``Board`` and a ``Hand``. Nearly everything has a default: a game begins with ``Board.show``,
``Board.won``, ``Hand.show`` and ``Hand.landing``, and the texts.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from bot.i18n import N_, Words
from bot.pictures.drawings import Drawings
from bot.pictures.picture import Picture
from bot.pictures.standings import Won
from bot.present.lessons import LessonStep
from bot.present.offers import Offers
from bot.present.sheet import Item, bold
from bot.present.topics import Topic
from bot.refusals import Refusal, Why
from bot.tables.scene import Scene
from engine.errors import Reason
from engine.game import Standing

V = TypeVar("V")
A = TypeVar("A")
E = TypeVar("E")


class OptionText(NamedTuple):
    """An option of a game as the lobby offers it, in English, to be translated."""

    title: str
    values: Mapping[str, str]
    """Value -> label."""


class Board(ABC, Generic[V, A, E]):
    """The game's part of the table message, which everybody reads. The scene is the public's."""

    @abstractmethod
    def show(self, scene: Scene[V, A, E], words: Words) -> Sequence[Item]:
        """What lies on the table: round, players (``players.player_lines``), cards."""

    @abstractmethod
    def won(self, standing: Standing) -> Won:
        """A player's final score in tokens."""

    def status(self, scene: Scene[V, A, E], words: Words) -> str:
        """Whose turn it is and what can be done. The game runs."""
        assert scene.on_turn is not None
        return words("▶️ It is {name}'s turn.", name=bold(scene.name(scene.on_turn)))

    def told(self, event: E, scene: Scene[V, A, E], words: Words) -> str | None:
        """What just happened, in a line; ``None``: it need not be told."""
        return None

    def outcome(self, scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """How the last round ended, a line each: why, and who got what. Empty as long as none has."""
        lines = [self.told(event, scene, words) for event in scene.outcome]
        return [line for line in lines if line]

    def last_round(self, scene: Scene[V, A, E], words: Words) -> str:
        """How the last round ended, in one line, once the next one is under way."""
        return ""

    def picture(self, scene: Scene[V, A, E], words: Words) -> Picture | None:
        """How the last round ended, drawn."""
        return None

    def page_now(self, scene: Scene[V, A, E]) -> str | None:
        """The key of the page of the rules that matters most to the viewer now; ``None``: the first."""
        return None

    def facts(self, scene: Scene[V, A, E], words: Words) -> Mapping[str, Any]:
        """What the placeholders in the game's sentences for refusals stand for; ``{turn}`` is filled in anyway."""
        return {}


class Hand(ABC, Generic[V, A, E]):
    """The game's part of the hand message, which one person reads. The scene is that seat's."""

    @abstractmethod
    def show(self, scene: Scene[V, A, E], offers: Offers[V, A], words: Words) -> Sequence[Item]:
        """The viewer's cards; on their turn also everything they may do, made with *offers*."""

    @abstractmethod
    def landing(self, action: A, words: Words) -> str:
        """That the viewer has made the move *action*, which lands in a moment."""

    def play_of(self, view: V, cards: Sequence[Any]) -> A:
        """The play of *cards* (some of ``view.hand``), legal or not: what somebody has picked one by one.

        Needed only by a game that offers its cards so (``Offers.cards``); in another the click is forged.
        """
        raise Refusal(Why.HAND_CHANGED)

    def concerns(self, scene: Scene[V, A, E]) -> bool:
        """Whether the end of the last round was the viewer's doing, so that their hand should tell of it. (On their
        turn it does anyway.)"""
        return False


@dataclass(frozen=True, kw_only=True, eq=False)
class Presenter(Generic[V, A, E]):
    """A game on Discord. Texts are in English, to be translated: mark them with ``N_``."""

    board: Board[V, A, E]
    hand: Hand[V, A, E]
    title: str
    """The game's name."""
    teaser: str
    """What the game is, for somebody who never heard of it; a few lines."""
    accent: int
    """The colour of the frame while the game runs, 0xRRGGBB."""
    topics: Sequence[Topic]
    """The pages of the rules."""
    drawings: Drawings
    pace: str = N_("{seconds} s between moves")
    """What a beat means here, for the lobby: a few words."""
    waiting: str = N_("It is not your turn yet.")
    """What the hand says while others are on turn."""
    call: str = ""
    """The label of the button with which anybody calls, the same in every language; empty in a game without calls."""
    called: str = ""
    """What whoever has called reads until it takes effect."""
    options: Mapping[str, OptionText] = field(default_factory=dict)
    """The texts of the game's options, by name."""
    illegal: Mapping[Reason, str] = field(default_factory=dict)
    """The sentences for what only this game's rules refuse - or where it says more than the general ones."""
    refusals: Mapping[Why, str] = field(default_factory=dict)
    """Sentences of the table's own refusals where this game says it better."""
    pages_for: Mapping[Reason | Why, str] = field(default_factory=dict)
    """The key of the page of the rules that explains a refusal."""
    lesson: Mapping[str, LessonStep] = field(default_factory=dict)
    """The steps of a guided round, by key; empty where there is none."""
    draft: bool = False
    """A game that is still being made: its texts need not be translated yet."""

    @property
    def game(self) -> str:
        """The game's name: that of its folder."""
        return type(self.board).__module__.split(".")[-2]

    def news(self, scene: Scene[V, A, E], words: Words) -> list[str]:
        """What just happened, a line each; of the end of a round ``Board.outcome`` tells."""
        if scene.just_ended:
            return []
        lines = [self.board.told(event, scene, words) for event in scene.recent]
        return [line for line in lines if line]

    def score(self, standing: Standing) -> str:
        """A player's final score, in a few characters."""
        return "  ".join(f"{symbol} {count}" for symbol, count in self.board.won(standing))


AnyPresenter = Presenter[Any, Any, Any]
"""Of whichever game."""
