"""A game on Discord: what its folder in ``bot/present/games`` adds to the messages that all games share.

A ``Presenter`` is data, a ``Board`` and a ``Hand``. Nearly everything has a default: a new game needs ``Board.show``,
``Board.won``, ``Hand.show`` and ``Hand.landing``, and the texts.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from bot.i18n import N_, Words
from bot.pictures.drawings import Drawings
from bot.pictures.picture import Picture
from bot.pictures.standings import Highlight, Won
from bot.present.commentary import Commentary
from bot.present.lessons import LessonStep
from bot.present.offers import Offers
from bot.present.sheet import BESIDE, Item, bold, escaped, text
from bot.present.topics import Topic
from bot.review.moments import Open
from bot.tables.errors import Refusal, Why
from bot.tables.scene import Scene
from engine.errors import Reason
from engine.game import Seat, Standing

V = TypeVar("V")
A = TypeVar("A")
E = TypeVar("E")


Name = Callable[[Seat, int], str]
"""How to write whoever sat in a seat at a ply."""


class OptionText(NamedTuple):
    """The texts of a game's option for the lobby, in English, to be translated."""

    title: str
    values: Mapping[str, str]
    """Value -> label."""


class Board(Commentary[V, A, E], ABC):
    """The game's part of the table message, which everybody reads. The scene is the public's; ``status``, ``told``,
    ``reveal``, ``last_round``, ``page_now`` and ``facts`` also get that of a seat, for what only its player reads."""

    @abstractmethod
    def show(self, scene: Scene[V, A, E], words: Words) -> Sequence[Item]:
        """What is on the table, as components: round, players (``players.player_lines``), cards. A review shows it as
        one seat saw it; then the scene is that seat's."""

    @abstractmethod
    def won(self, standing: Standing) -> Won:
        """A player's final score as tokens, such as trophies or gifts."""

    def status(self, scene: Scene[V, A, E], words: Words) -> str:
        """A line that says whose turn it is and what can be done. Called only while the game runs."""
        assert scene.on_turn is not None
        return words("▶️ It is {name}’s turn.", name=bold(scene.name(scene.on_turn)))

    def told(self, event: E, scene: Scene[V, A, E], words: Words) -> str | None:
        """A line that says what has happened; ``None``: *event* is not worth a line."""
        return None

    def retold(self, told: Sequence[Any], scene: Scene[V, A, E], words: Words) -> str:
        """What one action has done, in one line, for somebody who asks what has happened; empty: no line.

        *told* is what ``History.retold`` lets be told of it; the view in *scene* is that of now, the names are those of
        then. Only a game with a past must override this.
        """
        return ""

    def lines(self, events: Iterable[E], scene: Scene[V, A, E], words: Words) -> list[str]:
        """The lines that ``told`` gives for *events*."""
        return [line for event in events if (line := self.told(event, scene, words))]

    def outcome(self, scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """How the last round ended, one line each: why, and who got what. Empty while no round has ended.

        ``scene.outcome`` holds all events of the step that ended it: the last play, the trick, the end, and in a game
        of several deals also the next one. The default tells each in a line; a game that wants to say more or less
        picks from them, perhaps with ``lines``. The view is by then that of the next deal, so what people should still
        see of the last one must be in an event.
        """
        return self.lines(scene.outcome, scene, words)

    def last_round(self, scene: Scene[V, A, E], words: Words) -> str:
        """How the last round ended, in one line, for the time when the next one is under way; empty: no line. It is
        made from ``scene.outcome`` too, which is empty while no round has ended. For a seat it is empty too once its
        player has made a play in the new round: they have seen it."""
        return ""

    def concluded(self, scene: Scene[V, A, E], words: Words) -> str:
        """How the round that has just ended did so, in one line, for a review. The default is ``last_round``."""
        return self.last_round(scene, words)

    def deed(self, scene: Scene[V, A, E], words: Words) -> str:
        """What somebody did, and what came of it, in one line; empty: ``concluded`` and ``told`` say all of it."""
        return ""

    def in_short(self, scene: Scene[V, A, E], words: Words) -> str:
        """What somebody did, without all that came of it, in a short sentence; empty: ``Presenter.deed`` is short."""
        return ""

    def untold(self, scene: Scene[V, A, E], words: Words) -> str:
        """What somebody did at the last step, in one line, for a review; empty: ``told`` does not leave it out."""
        return ""

    def table_at_end(self, scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """What lay on the table when the round that has just ended did so, in lines; none if ``outcome`` shows that."""
        return ()

    def begun(self, scene: Scene[V, A, E], words: Words) -> str:
        """A line that says that what follows is no more the round that has ended, for a review; empty: nothing does."""
        return ""

    def reveal(self, scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """How the round that has just ended did so, for a hand that one plays from; it is shown until the next move,
        below ``Hand.result``. The default is ``last_round``, small."""
        line = self.last_round(scene, words)
        return (f"-# {line}",) if line else ()

    def highlights(self, scene: Scene[V, A, E], name: Name, words: Words) -> Sequence[Highlight]:
        """What is worth telling of a finished game, made from ``scene.highlights``; the best first, few and short.

        ``name(seat, ply)`` is how to write whoever sat in *seat* when the action number *ply* was made. It is asked
        once for the text and once for the picture, where there is no markdown and no emoji.
        """
        return ()

    def cards(self, view: V) -> str:
        """The viewer's cards as symbols, in one line, for a review; empty: they have none, or the game has no hands."""
        return ""

    def open(self, shown: Open[V, A, E], words: Words) -> Sequence[Item]:
        """What is on the table with all cards open, for a review of a game that is over. The default is ``show`` and a
        line with the ``cards`` of every player."""
        scene = shown.scene
        hands = [
            f"{escaped(scene.name(Seat(seat)))}: {self.cards(view) or '–'}" for seat, view in enumerate(shown.views)
        ]
        return (*self.show(scene, words), text(*hands))

    def course(self, moments: Sequence[Open[V, A, E]], words: Words) -> Picture | None:
        """A picture of the course of a game that is over, with what it shows in words; *moments* are all of it, with
        all cards open. ``None``: there is none."""
        return None

    def page_now(self, scene: Scene[V, A, E]) -> str | None:
        """The key of the page of the rules that matters most to the viewer now; ``None``: the first page."""
        return None

    def facts(self, scene: Scene[V, A, E], words: Words) -> Mapping[str, Any]:
        """What stands for the placeholders in this game's ``illegal`` sentences; ``{turn}`` need not be among them."""
        return {}


class Hand(ABC, Generic[V, A, E]):
    """The game's part of the hand message, which one person reads. The scene is that seat's."""

    @abstractmethod
    def show(self, scene: Scene[V, A, E], offers: Offers[V, A], words: Words) -> Sequence[Item]:
        """The viewer's cards, as components; on their turn also controls for all they may do, made with *offers*."""

    @abstractmethod
    def landing(self, action: A, words: Words) -> str:
        """A sentence that says that the viewer has made the move *action*, which takes effect in a moment."""

    def turn(self, scene: Scene[V, A, E], words: Words) -> str:
        """That it is the viewer's turn, in bold."""
        return words("**It is your turn.**")

    def brief(self, scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """What lies on the table, in as few lines as possible, for a hand that one plays from."""
        return ()

    def held(self, scene: Scene[V, A, E], words: Words) -> str:
        """The viewer's cards in one line, for while others are on turn; empty: ``show`` is asked then too."""
        return ""

    def result(self, scene: Scene[V, A, E], words: Words) -> str:
        """What the end of a trick or of the last round means to the viewer, in one line; empty: ``Board.last_round``
        is enough. Also asked before a round has ended."""
        return ""

    def play_of(self, view: V, cards: Sequence[Any]) -> A:
        """The play of *cards* (some of ``view.hand``), legal or not, that somebody has picked one by one.

        Only a game that offers its cards so (``Offers.cards``) must override this; in others only a forged click gets
        here, and is refused.
        """
        raise Refusal(Why.HAND_CHANGED)

    def shows_last_round(self, scene: Scene[V, A, E]) -> bool:
        """Whether the viewer had a part in how the last round ended, so that their hand should say how, even off
        turn."""
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
    """What a beat is for in this game, in a few words, for the lobby."""
    waiting: str = N_("It is not your turn yet.")
    """What the hand says while others are on turn and it does not follow the game."""
    follow: str = N_("Show the table")
    """The label of the button with which a hand follows the game."""
    call: str = ""
    """The label of the button with which anybody calls, the same in every language; empty in a game without calls."""
    called: str = ""
    """What somebody who has called reads until the call takes effect."""
    rounds: tuple[str, str] = (N_("Previous round"), N_("Next round"))
    """The labels of the buttons that lead to the round before and to the next one, in a review."""
    part: str = N_("Round")
    """What a round is called, before its number."""
    options: Mapping[str, OptionText] = field(default_factory=dict)
    """The texts of the game's options, by name."""
    illegal: Mapping[Reason, str] = field(default_factory=dict)
    """The sentences for what only this game's rules refuse, and those that replace a general one."""
    refusals: Mapping[Why, str] = field(default_factory=dict)
    """Sentences that replace the general ones for what a table refuses."""
    pages_for: Mapping[Reason | Why, str] = field(default_factory=dict)
    """The key of the page of the rules that explains a refusal."""
    past: str = ""
    """The title above what has happened, as in "What happened in this round"; empty in a game without a past."""
    counts: Mapping[str, str] = field(default_factory=dict)
    """What people read before the number of each of ``Tallies.COUNTS`` in their profile, by its name."""
    levels: Sequence[str] = ()
    """What computer players of each level are like, the weakest first: a short sentence each, at most 100 characters in
    every language; empty: that is not said."""
    lesson: Mapping[str, LessonStep] = field(default_factory=dict)
    """The steps of a guided round, by key; empty where there is none."""
    tie_break: str = ""
    """What decides between players who are equal in what counts, in a sentence; empty: nothing does."""
    draft: bool = False
    """Whether the game is still being made: then its texts need not be translated yet."""

    @property
    def game(self) -> str:
        """The game's name, which is that of its folder."""
        return type(self.board).__module__.split(".")[-2]

    def news(self, scene: Scene[V, A, E], words: Words) -> list[str]:
        """What has just happened, one line each; empty if a round has just ended: ``Board.outcome`` tells that."""
        if scene.just_ended:
            return []
        return self.board.lines(scene.recent, scene, words)

    def deed(self, scene: Scene[V, A, E], words: Words) -> str:
        """What an action has done, in one line, for a review."""
        ended = self.board.concluded(scene, words) if scene.just_ended else ""
        return self.board.deed(scene, words) or ended or " ".join(self.news(scene, words))

    def in_short(self, scene: Scene[V, A, E], words: Words) -> str:
        """What an action has done, in a short sentence, for the coach."""
        return self.board.in_short(scene, words) or self.deed(scene, words)

    def score(self, standing: Standing) -> str:
        """A player's final score in a few characters."""
        return "  ".join(f"{symbol}{BESIDE}{count}" for symbol, count in self.board.won(standing))


AnyBoard = Board[Any, Any, Any]
"""What any game adds to the messages that everybody reads."""
AnyPresenter = Presenter[Any, Any, Any]
"""The presenter of any game."""
