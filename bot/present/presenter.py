"""What a game's own presenter answers. One class a game; the frame around it is shared."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from discord import ButtonStyle
from PIL.Image import Image

from bot.i18n import Words
from bot.pictures.picture import Picture
from bot.pictures.standings import Won
from bot.present.sheet import Item
from bot.refusals import Why
from bot.tables.scene import Scene
from engine.errors import Reason
from engine.game import Standing


class Topic(NamedTuple):
    """A page of the rules, perhaps with a picture."""

    key: str
    title: str
    """In English, to be translated."""
    body: str
    """Markdown in English, to be translated."""
    picture: Callable[[Words], Picture] | None = None


FIRST_STEP: Final = "start"
"""The key of the step with which a lesson begins."""


class Choice(NamedTuple):
    """A button of a step."""

    label: str
    """In English, to be translated."""
    to: str
    """The key of the step it leads to."""
    style: ButtonStyle = ButtonStyle.secondary


class Step(NamedTuple):
    """What somebody who learns reads, and what they can do then."""

    title: str
    """In English, to be translated."""
    body: str
    """Markdown in English, to be translated."""
    choices: tuple[Choice, ...]
    picture: Callable[[Words], Picture] | None = None


class OptionText(NamedTuple):
    """An option of a game as the lobby offers it, in English, to be translated."""

    title: str
    values: Mapping[str, str]
    """Value -> label."""


class Presenter(ABC):
    """A game on Discord. Texts come out in the language of the ``words`` given."""

    game: str
    english_title: str
    """The game's name in English, to be translated."""
    accent: int
    """The colour of the frame while the game runs."""
    shout: str | None = None
    """The label of the button with which anybody interrupts; the same in every language."""
    shouted: str = ""
    """What whoever has interrupted reads until it takes effect, in English, to be translated."""
    topics: Sequence[Topic]
    options: Mapping[str, OptionText] = MappingProxyType({})
    """The texts of the game's options, by name."""
    illegal: Mapping[Reason, str]
    """The sentences for what only this game's rules refuse - or where it says more than the general ones - in
    English, to be translated."""
    refusals: Mapping[Why, str] = MappingProxyType({})
    """Sentences of the table's own refusals where this game says it better, in English, to be translated."""
    drawings: Mapping[str, Callable[[], Image]]
    """How each of the game's cards and tokens is drawn, by the key of its symbol."""
    lesson: Mapping[str, Step] = MappingProxyType({})
    """The steps of a guided round, by key; empty where there is none."""
    pages_for: Mapping[Reason | Why, str] = MappingProxyType({})
    """The page of the rules that explains a refusal, by its key."""
    waiting: str
    """What the hand says while others are on turn, in English, to be translated."""

    def title(self, words: Words) -> str:
        """The game's name."""
        return words(self.english_title)

    @abstractmethod
    def teaser(self, words: Words) -> str:
        """What the game is, for somebody who never heard of it; a few lines."""

    @abstractmethod
    def pace(self, seconds: int, words: Words) -> str:
        """What a beat of *seconds* means here, for the lobby: a few words."""

    @abstractmethod
    def board(self, scene: Scene, words: Words) -> Sequence[Item]:
        """What lies on the table, for everybody."""

    @abstractmethod
    def news(self, scene: Scene, words: Words) -> Sequence[str]:
        """What just happened, for everybody: a line each."""

    @abstractmethod
    def status(self, scene: Scene, words: Words) -> str:
        """Whose turn it is and what can be done, for everybody."""

    @abstractmethod
    def hand(self, scene: Scene, words: Words) -> Sequence[Item]:
        """The viewer's own cards with their buttons."""

    @abstractmethod
    def own_move(self, scene: Scene, words: Words) -> str:
        """What the viewer has played and has not landed yet."""

    @abstractmethod
    def score(self, standing: Standing, words: Words) -> str:
        """A player's final score."""

    @abstractmethod
    def outcome(self, scene: Scene, words: Words) -> Sequence[str]:
        """How the last round ended, for everybody: a line each."""

    def page_now(self, scene: Scene) -> str | None:
        """The page of the rules that matters most to the viewer now, by its key; ``None``: the first."""
        return None

    @abstractmethod
    def outcome_picture(self, scene: Scene, words: Words) -> Picture | None:
        """How the last round ended, drawn, for everybody."""

    @abstractmethod
    def won(self, standing: Standing) -> Won:
        """A player's final score in tokens."""

    @abstractmethod
    def last_round(self, scene: Scene, words: Words) -> str:
        """How the last round ended, in one line; empty when none has."""

    @abstractmethod
    def concerns(self, scene: Scene) -> bool:
        """Whether the end of the last round was the viewer's doing, so that their hand should tell of it."""

    @abstractmethod
    def move(self, view: Any, arg: str, values: Sequence[str]) -> Any:
        """The action that a control of the hand message stands for: *arg* of its custom_id, and the *values* chosen
        if it is a select.

        Raises:
            Refusal: the button belongs to nothing.
        """

    @abstractmethod
    def facts(self, scene: Scene, words: Words) -> Mapping[str, Any]:
        """The facts that the game's refusal sentences need."""
