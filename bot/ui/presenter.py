"""A game on Discord: what a game's folder in ``bot/ui/games`` adds to the messages that all games share.

A ``Presenter`` is data, a ``Board`` and a ``Hand``. Nearly everything has a default: a new game needs
``Board.table_components``, ``Board.score_token_counts``, ``Hand.hand_components`` and
``Hand.move_takes_effect_soon_line``, and the texts.
"""

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from discord import ButtonStyle

from bot.i18n import N_, Words
from bot.review.decisions import JudgedDecision
from bot.review.moments import OpenMoment
from bot.tables.errors import Refusal, Why
from bot.tables.scene import AnyScene, Scene
from bot.ui.components import (
    MOST_OPTIONS,
    NO_BREAK_SPACE,
    NO_TABLE,
    Component,
    SelectOption,
    Sheet,
    action_row,
    bold_name,
    button,
    container,
    escaped_name,
    media_gallery,
    string_select,
    text_display,
)
from bot.ui.custom_ids import Verb
from bot.ui.pictures.drawings import Drawings, Picture
from bot.ui.pictures.standings import Highlight, TokenCounts
from bot.ui.pictures.symbols import Symbol
from engine.decision import Decision
from engine.errors import Reason
from engine.game import Seat, Standing
from engine.registry import GAMES

# The controls with which a move is made. A presenter offers *actions*; only this module writes them into custom_ids,
# and reads them from clicks.
#
# A control carries the index of its action among those that the view allows (``Game.actions``), and four characters
# of a hash of the action. A click is valid only on the ply that its message showed, so the index means the same action
# as then. After an update of the program it may not; then the hash differs, and nothing is played.


V = TypeVar("V")
A = TypeVar("A")

MOST_CHOICES: Final = 2 * MOST_OPTIONS
"""More choices than this are too long to read: a presenter must split them into meaningful groups."""

_ACTION: Final = re.compile(r"([0-9]{1,4})\.([0-9a-f]{4})(?:\.[0-9]+)?")
_LIST: Final = re.compile(r"list[0-9]+")
_CARDS: Final = re.compile(r"cards\.([0-9a-f]{4})")
_PLACE: Final = re.compile(r"[0-9]{1,3}")


class Choice(NamedTuple, Generic[A]):
    """An option in a select of moves: its label, the symbol before it (``None``: none), and the action it makes."""

    label: str
    symbol: Symbol | None
    action: A


def _short_hash(text: str) -> str:
    """Return four hexadecimal characters of a hash of *text*, to notice that a control means something else than it
    did."""
    return hashlib.blake2b(text.encode(), digest_size=2).hexdigest()


@lru_cache(8192, typed=True)  # NamedTuples of two kinds with the same fields are equal
def action_hash(game: str, action: Any) -> str:
    """Four hexadecimal characters of a hash of *action*: nearly always different for different actions of *game*."""
    return _short_hash(json.dumps(GAMES[game].encode_action(action), sort_keys=True))


class MoveControls(Generic[V, A]):
    """Builds the buttons and selects of one hand message that make moves. Buttons for illegal moves are disabled."""

    def __init__(self, scene: Scene[V, A, Any]) -> None:
        self._scene = scene
        self._index = {(type(action), action): index for index, action in enumerate(scene.allowed)}
        self._made = 0

    def button(
        self, label: str, action: A, *, style: ButtonStyle = ButtonStyle.primary, symbol: Symbol | None = None
    ) -> Component:
        """Build a button that makes the move *action*; it is disabled if that is illegal now."""
        self._made += 1
        index = self._index.get((type(action), action))
        # Disabled ones hold no ply, so that the message stays the same, and needs no edit, while others play.
        arg = f"off{self._made}" if index is None else f"{self._encode_action(action, index)}.{self._made}"
        ply = 0 if index is None else self._scene.ply
        table = self._scene.table
        return button(label, Verb.MOVE, table, ply, arg, style=style, symbol=symbol, disabled=index is None)

    def select_rows(self, placeholder: str | Callable[[A, A], str], choices: Sequence[Choice[A]]) -> list[Component]:
        """Build rows with a select of *choices*, or two for more than 25; choosing makes the move. Raise ValueError for
        more than 50, KeyError for one that is illegal.

        An empty select shows *placeholder*, or what *placeholder* returns for the first and the last action in it.

        Raises:
            ValueError: there are more than ``MOST_CHOICES``.
            KeyError: the view does not allow one of them.
        """
        if len(choices) > MOST_CHOICES:
            raise ValueError(f"{len(choices)} choices: group them, at most {MOST_CHOICES} in a list")
        rows: list[Component] = []
        for start in range(0, len(choices), MOST_OPTIONS):
            some = choices[start : start + MOST_OPTIONS]
            self._made += 1
            said = placeholder if isinstance(placeholder, str) else placeholder(some[0].action, some[-1].action)
            references = [self._encode_action(it.action, self._index[type(it.action), it.action]) for it in some]
            options = [SelectOption(ref, it.label, False, it.symbol) for ref, it in zip(references, some, strict=True)]
            rows.append(
                action_row(
                    string_select(Verb.MOVE, self._scene.table, said, options, self._scene.ply, f"list{self._made}")
                )
            )
        return rows

    def group_select(self, placeholder: str, groups: Sequence[tuple[str, str]]) -> Component:
        """Build a row with a select of groups of moves, given as (label, key); choosing one is no move, but sets
        ``scene.picked`` until something happens in the game."""
        options = [SelectOption(key, label, key == self._scene.picked) for label, key in groups]
        return action_row(string_select(Verb.PICK, self._scene.table, placeholder, options, self._scene.ply))

    def card_select(self, placeholder: str, cards: Sequence[tuple[str, Symbol | None]]) -> Component:
        """Build a row with a select of the viewer's cards; those that are chosen together are played at once
        (``Hand.play_from_cards``).

        *cards* are (label, symbol), in the order of ``view.hand``.
        """
        options = [SelectOption(str(place), label, False, symbol) for place, (label, symbol) in enumerate(cards)]
        arg = f"cards.{_short_hash(repr(_viewer_cards(self._scene.view)))}"
        scene = self._scene
        return action_row(
            string_select(Verb.MOVE, scene.table, placeholder, options, scene.ply, arg, most=len(options))
        )

    def _encode_action(self, action: A, index: int) -> str:
        """Return *action* as a custom_id or a select's value holds it: its *index* among the legal ones and its
        hash."""
        return f"{index}.{action_hash(self._scene.game, action)}"


def decode_move_click(
    game: str, view: V, arg: str, values: Sequence[str], play_from_cards: Callable[[V, Sequence[Any]], A]
) -> A:
    """Return the action that a click on a control of a hand message makes; raise Refusal if the control is outdated or
    forged. The action may be illegal.

    *arg* is from its custom_id. *values* are the chosen values if it is a select. *play_from_cards* is the game's
    ``Hand.play_from_cards``: the action that it returns may be illegal.

    Raises:
        Refusal: it stands for none that *view* allows: the program has changed, or the click is forged.
    """
    picked = _CARDS.fullmatch(arg)
    if picked is not None:
        hand = _viewer_cards(view)
        places = {int(value) for value in values if _PLACE.fullmatch(value)}
        if picked[1] != _short_hash(repr(hand)) or not values or len(places) != len(values) or max(places) >= len(hand):
            raise Refusal(Why.HAND_CHANGED)
        return play_from_cards(view, [hand[place] for place in sorted(places)])
    if _LIST.fullmatch(arg) and len(values) == 1:
        arg = values[0]
    elif values:
        raise Refusal(Why.HAND_CHANGED)
    found = _ACTION.fullmatch(arg)
    allowed = GAMES[game].actions(view)
    if found is None or int(found[1]) >= len(allowed) or action_hash(game, allowed[int(found[1])]) != found[2]:
        raise Refusal(Why.HAND_CHANGED)
    action: A = allowed[int(found[1])]
    return action


def _viewer_cards(view: Any) -> Sequence[Any]:
    """Return the viewer's own cards (``view.hand``); empty if the game's view has no hand."""
    hand: Sequence[Any] = getattr(view, "hand", ())
    return hand


# The texts that a game with a coach adds about decisions: the part of its ``Board`` for hints and reviews.


E = TypeVar("E")

SeatName = Callable[[Seat], str]
"""A function that returns the name of the player in a seat, formatted for a message."""


def make_bold_name_function(scene: AnyScene) -> SeatName:
    """A function that returns the name of the player in a seat of *scene*, in bold."""
    return lambda seat: bold_name(scene.name(seat))


class Commentary(Generic[V, A, E]):
    """What a game with a coach says about decisions: the action in words, reasons, luck, bluffs; by default nothing."""

    def action_text(self, action: A | None, words: Words) -> str:
        """*action* in a few words for the coach, such as "calling 17!"; ``None`` means that the player did not call.

        Only a game with a coach or a deal of the day must override this.
        """
        return ""

    def insight_text(
        self, insight: Any, words: Words, *, always: bool = True, own: bool = True, played: bool = False
    ) -> str:
        """A sentence on what a player could infer (*insight*), such as how likely a call was right; it may be empty.

        *insight* has the type in the module ``coach`` of the rules. Without *always* the text is empty where it hardly
        matters. *own*: it is the reader's insight. *played*: a card was played since, and the text says so.
        """
        return ""

    def ignored_action_text(self, made: A | None, happened: Sequence[E], scene: Scene[V, A, E], words: Words) -> str:
        """A sentence that says that action *made* did not count, because of the events *happened*; empty if it did."""
        return ""

    def better_choice_reason(
        self, decision: Decision, view: V, seat_name: SeatName, words: Words, *, name: str = ""
    ) -> str:
        """A sentence on why the best choice was better than the one made, by the player's *view*; empty if unknown.

        *seat_name* gives the names of other players. *name* is the player's; empty: the player is the reader.
        """
        return ""

    def certain_consequence_sentence(self, action: A | None, view: V, words: Words) -> str:
        """A sentence on what certainly follows from *action*, for its player to read before it; empty if nothing."""
        return ""

    def call_luck_lines(self, judged: JudgedDecision[V, E], scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """Lines on how the judged call that ended a round turned out: good or bad luck, bluffs of others; empty for any
        other decision."""
        return ()

    def lucky_draw_line(self, judged: JudgedDecision[V, E], scene: Scene[V, A, E], words: Words) -> str:
        """A line that names the lucky card that a player took from the pile after acting; empty if there was none."""
        return ""

    def bluff_result_lines(
        self, acted: Sequence[JudgedDecision[V, E]], scene: Scene[V, A, E], words: Words
    ) -> Sequence[str]:
        """Lines that say who fooled whom in *scene*, for viewers who did not act there; empty if nobody did.

        *acted* are the decisions of those who acted.
        """
        return ()


# Pages of the rules: their type, and the pages that every game shares.


class RulesPage(NamedTuple):
    """A page of the rules. ``picture`` makes its picture in a language, if it has one."""

    key: str
    title: str
    """In English, to be translated."""
    body: str
    """Markdown in English, to be translated. The names of the game's drawings are placeholders for their symbols:
    ``{victory}``."""
    picture: Callable[[Words], Picture] | None = None


AWAY_PAGE: Final = RulesPage(
    "away",
    N_("If you are away"),
    N_(
        "If your time runs out, a computer player plays that turn; the second time in a row it takes over your seat. "
        "You can take it back as long as the game runs.\n"
        "You can also leave. Then a computer player takes over at once, with your cards and what you have won; this "
        "seat too you can take back.\n"
        "If everyone leaves, the game ends and nobody wins. If everyone is just away, it pauses until someone "
        "presses **{Continue}**."
    ),
)

FAIR_SHUFFLING_PAGE: Final = RulesPage(
    "fair",
    N_("Fair shuffling"),
    N_(
        "Nobody chooses the cards, not even whoever hosts the bot:\n"
        "• The *{Shuffle code}* is at the table before anyone cuts. It fixes a secret number without showing it.\n"
        "• Anyone at the table can press **{Cut the deck}** and add a word or phrase of their own. Where there is no "
        "such button, it is under **{Menu}**.\n"
        "• After **{Start}** a line above the table, the *{Deal code}*, fixes players, options and cuts.\n"
        "• Last of all, Discord picks the ID of the table message. The cards follow from all of this together.\n"
        "If you want to be sure:\n"
        "1. Before you cut, note the shuffle code.\n"
        "2. After the start, note the deal code and the ID of the table message.\n"
        "3. After the game, **{Check the deal}** recomputes everything; compare, and keep the file that it gives you: "
        "any other program can check it too."
    ),
)


# A guided round: a few steps, each with a picture and buttons that lead to other steps.
#
# Nothing is stored: the custom_id of a button holds the step it leads to.


FIRST_STEP: Final = "start"
"""The key of the step with which a lesson begins."""


class StepButton(NamedTuple):
    """A button of a lesson that leads to another step."""

    label: str
    """In English, to be translated."""
    to: str
    """The key of the step it leads to."""
    style: ButtonStyle = ButtonStyle.secondary


class RulesButton(NamedTuple):
    """A button of a lesson that leads to a page of the rules."""

    label: str
    """In English, to be translated."""
    page: str
    """The key of the page."""
    style: ButtonStyle = ButtonStyle.primary


class LessonStep(NamedTuple):
    """A step of a guided round: the text that the learner reads, and the buttons."""

    title: str
    """In English, to be translated."""
    body: str
    """Markdown in English, to be translated."""
    buttons: tuple[StepButton | RulesButton, ...]
    picture: Callable[[Words], Picture] | None = None


def lesson_sheet(game: str, lesson: Mapping[str, LessonStep], key: str, accent: int, words: Words) -> Sheet:
    """Build the message for the step *key* of a guided round (*lesson*): title, text, picture, buttons; for an unknown
    key the first step.

    *accent* is the colour of the frame.
    """
    step = lesson.get(key) or lesson[FIRST_STEP]
    shown = step.picture(words) if step.picture is not None else None
    controls = [
        button(words(it.label), Verb.LEARN, NO_TABLE, arg=f"{game}.{it.to}", style=it.style)
        if isinstance(it, StepButton)
        else button(words(it.label), Verb.TOPIC, NO_TABLE, arg=f"{game}.{it.page}", style=it.style)
        for it in step.buttons
    ]
    return Sheet(
        container(
            [
                text_display(f"## {words(step.title)}", words(step.body)),
                *([media_gallery(shown)] if shown else []),
                *([action_row(*controls)] if controls else []),
            ],
            accent,
        ),
        pictures=[shown] if shown else (),
    )


SeatNameAtPly = Callable[[Seat, int], str]
"""A function that returns the formatted name of whoever sat in a seat at a ply."""


class OptionText(NamedTuple):
    """The texts of a game's option for the lobby, in English, to be translated."""

    title: str
    values: Mapping[str, str]
    """The label of each value."""


class Board(Commentary[V, A, E], ABC):
    """What a game adds to the table message and to reviews: the table, events, the end of a round, highlights.

    The scene is the public's. ``turn_line``, ``event_line``, ``round_end_lines_in_hand_message``, ``last_round_line``,
    ``helpful_rules_page_key`` and ``refusal_placeholders`` also get the scene of a seat, for what only its player
    reads.
    """

    @abstractmethod
    def table_components(self, scene: Scene[V, A, E], words: Words) -> Sequence[Component]:
        """The message components that show the card table: round, players (``players.player_lines``), cards.

        A review shows the table as one seat saw it; then the scene is that seat's.
        """

    @abstractmethod
    def score_token_counts(self, standing: Standing) -> TokenCounts:
        """Return a player's final score as tokens, such as trophies or gifts: (symbol, how many) for each kind."""

    def turn_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """A line that says whose turn it is and what can be done. Called only while the game runs."""
        assert scene.on_turn is not None
        return words("▶️ It is {name}’s turn.", name=bold_name(scene.name(scene.on_turn)))

    def event_line(self, event: E, scene: Scene[V, A, E], words: Words) -> str | None:
        """A line that tells what happened in *event*; ``None`` if it is not worth a line. By default ``None``."""
        return None

    def history_line(self, happened: Sequence[Any], scene: Scene[V, A, E], words: Words) -> str:
        """One line on what one past action did, for a player who asks what has happened; empty by default.

        *happened* is what ``History.readable_events`` lets be told of the action. The view in *scene* is the current
        one; the names are those of that time. Only a game with a module ``history`` must override this.
        """
        return ""

    def event_lines(self, events: Iterable[E], scene: Scene[V, A, E], words: Words) -> list[str]:
        """Return the line of ``event_line`` for each of *events* that has one, in order."""
        return [line for event in events if (line := self.event_line(event, scene, words))]

    def round_end_lines(self, scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """Lines that say how the last round ended: why, and who got what; empty while no round has ended.

        ``scene.outcome`` holds all events of the step that ended it: the last play, the trick, the end, and in a game
        of several deals also the next deal. The default tells each event in a line. A game that wants to say more or
        less picks from them, perhaps with ``event_lines``. The view is already that of the next deal, so what people
        should still see of the last one must be in an event.
        """
        return self.event_lines(scene.outcome, scene, words)

    def last_round_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """One line that says how the last round ended, to show while the next round is played; empty by default.

        It is made from ``scene.outcome`` too, which is empty while no round has ended. For a seat it is also empty once
        its player has made a play in the new round: they have seen it.
        """
        return ""

    def round_end_review_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """One line that says how the round that is just over ended, for a review; by default ``last_round_line``."""
        return self.last_round_line(scene, words)

    def action_review_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """One line on what a player did and what came of it, for a review; empty if other lines say all of it.

        Those are ``round_end_review_line`` and ``event_line``.
        """
        return ""

    def short_action_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """A short sentence on what a player did; empty if ``Presenter.action_review_line`` is short enough."""
        return ""

    def omitted_last_action_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """A line for a review on the last action, if ``event_line`` leaves that action out; empty if it does not."""
        return ""

    def table_at_round_end(self, scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """Lines that show the cards on the table when the last round ended; empty if ``round_end_lines`` shows them."""
        return ()

    def round_start_review_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """A line that says that the next round begins here, for a review; empty: none begins."""
        return ""

    def round_end_lines_in_hand_message(self, scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """Lines for the hand message that say how the round has just ended; may be empty.

        It is shown until the next move, below ``Hand.viewer_result_line``. The default is ``last_round_line``, small.
        """
        line = self.last_round_line(scene, words)
        return (f"-# {line}",) if line else ()

    def highlights(self, scene: Scene[V, A, E], seat_name_at: SeatNameAtPly, words: Words) -> Sequence[Highlight]:
        """The highlights of a finished game (``scene.highlights``), such as its best bluff; empty by default.

        They are few and short, the best first. ``seat_name_at(seat, ply)`` is how to write the name of whoever sat in
        *seat* when action number *ply* was made. This method is called once for the text and once for the picture,
        which has no markdown and no emoji.
        """
        return ()

    def own_cards(self, view: V) -> str:
        """The viewer's cards as symbols, in one line, for a review; empty: no cards, or a game without hands."""
        return ""

    def all_cards_components(self, shown: OpenMoment[V, A, E], words: Words) -> Sequence[Component]:
        """The message components that show the card table with all cards open, for a review of a finished game.

        The default is ``table_components`` and a line with the ``own_cards`` of every player.
        """
        scene = shown.scene
        hands = [
            f"{escaped_name(scene.name(Seat(seat)))}: {self.own_cards(view) or '–'}"
            for seat, view in enumerate(shown.views)
        ]
        return (*self.table_components(scene, words), text_display(*hands))

    def game_course_picture(self, moments: Sequence[OpenMoment[V, A, E]], words: Words) -> Picture | None:
        """A picture of how a finished game went, from all its *moments*, all cards open; ``None`` if there is none."""
        return None

    def helpful_rules_page_key(self, scene: Scene[V, A, E]) -> str | None:
        """Return the key of the rules page that helps the viewer most at this moment of the game; ``None`` for the
        first page."""
        return None

    def refusal_placeholders(self, scene: Scene[V, A, E], words: Words) -> Mapping[str, Any]:
        """Return what this game's ``illegal`` sentences have as placeholders: name -> value; ``{turn}`` need not be
        among them. Empty by default."""
        return {}


class Hand(ABC, Generic[V, A, E]):
    """What a game adds to the hand message, which one player reads: cards, controls, results; the scene is theirs."""

    @abstractmethod
    def hand_components(self, scene: Scene[V, A, E], controls: MoveControls[V, A], words: Words) -> Sequence[Component]:
        """The viewer's cards as message components; on their turn also *controls* for every action they may take."""

    @abstractmethod
    def move_takes_effect_soon_line(self, action: A, words: Words) -> str:
        """A sentence that says that the viewer's move *action* is accepted, and takes effect in a moment."""

    def own_turn_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """Return a line in bold that tells the viewer that it is their turn. Called only then."""
        return words("**It is your turn.**")

    def brief_table_lines(self, scene: Scene[V, A, E], words: Words) -> Sequence[str]:
        """Return the cards on the table in as few lines as possible, for a hand that follows the game; empty by
        default."""
        return ()

    def off_turn_cards_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """The viewer's cards in one line, while others are on turn; empty if ``hand_components`` is used then too."""
        return ""

    def viewer_result_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """Return one line on what the end of the last trick or round means to the viewer; empty if none has ended or
        other lines say enough.

        The other line is ``Board.last_round_line``. This is also called before a round has ended. What happened before
        the viewer sat down is not in the scene.
        """
        return ""

    def play_from_cards(self, view: V, cards: Sequence[Any]) -> A:
        """The action that plays *cards*, picked one by one from ``view.hand``; maybe illegal. Default: raise Refusal.

        Only a game that uses ``MoveControls.card_select`` must override this. In other games only a forged click gets
        here, and is refused.
        """
        raise Refusal(Why.HAND_CHANGED)

    def shows_round_result_off_turn(self, scene: Scene[V, A, E]) -> bool:
        """Whether the hand message keeps the lines on the last round's result while others are on turn; default: no."""
        return False


@dataclass(frozen=True, kw_only=True, eq=False)
class Presenter(Generic[V, A, E]):
    """Everything a game adds to Discord messages: its texts, colour, drawings, rules pages, ``Board`` and ``Hand``.

    Texts are in English, to be translated: mark them with ``N_``.
    """

    board: Board[V, A, E]
    hand: Hand[V, A, E]
    title: str
    """The game's name."""
    teaser: str
    """A description of the game for somebody who has never heard of it; a few lines."""
    accent: int
    """The colour of the frame while the game runs, 0xRRGGBB."""
    rules_pages: Sequence[RulesPage]
    """The pages of the rules."""
    drawings: Drawings
    pace_text: str = N_("{seconds} s between moves")
    """What the pause after a turn (the beat) is for in this game, in a few words, for the lobby."""
    waiting_text: str = N_("It is not your turn yet.")
    """The hand's text while others are on turn and it does not follow the game."""
    follow_label: str = N_("Show the table")
    """The label of the button with which a hand follows the game."""
    call: str = ""
    """The label of the button with which anybody calls, the same in every language; empty in a game without calls."""
    called_text: str = ""
    """The text that a caller reads until the call takes effect."""
    round_labels: tuple[str, str] = (N_("Previous round"), N_("Next round"))
    """The labels of the buttons that lead to the round before and to the next one, in a review."""
    round_word: str = N_("Round")
    """The word for a round, before its number."""
    outcome_legend: str = N_("{won} won · {lost} lost · {other} neither")
    """What the symbols for the rounds of a day's deal stand for."""
    options: Mapping[str, OptionText] = field(default_factory=dict)
    """The texts of the game's options, by name."""
    illegal: Mapping[Reason, str] = field(default_factory=dict)
    """The sentences for moves that only this game's rules forbid, and those that replace a general sentence."""
    refusals: Mapping[Why, str] = field(default_factory=dict)
    """Sentences that replace the general ones for what a table refuses."""
    pages_for: Mapping[Reason | Why, str] = field(default_factory=dict)
    """The key of the page of the rules that explains a refusal."""
    history_title: str = ""
    """The title of the history, such as "What happened in this round"; empty in a game without a history."""
    count_labels: Mapping[str, str] = field(default_factory=dict)
    """The label of each of ``Tallies.COUNTS`` in a profile, by its name."""
    levels: Sequence[str] = ()
    """A description of the computer players of each level, the weakest first. Each is a short sentence of at most 100
    characters in every language. Empty: levels are not described."""
    lesson: Mapping[str, LessonStep] = field(default_factory=dict)
    """The steps of a guided round, by key; empty where there is none."""
    tie_break: str = ""
    """A sentence that says what decides between players with an equal score; empty: nothing does."""
    draft: bool = False
    """Whether the game is still in development: then its texts need not be translated yet."""

    @property
    def game(self) -> str:
        """The game's name in the program: the name of its folder."""
        return type(self.board).__module__.split(".")[-2]

    def event_lines(self, scene: Scene[V, A, E], words: Words) -> list[str]:
        """One line for each event that has just happened; empty if a round has just ended.

        ``Board.round_end_lines`` tells how it ended.
        """
        if scene.just_ended:
            return []
        return self.board.event_lines(scene.recent, scene, words)

    def action_review_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """Return one line for a review on what the last action did, or how it ended the round."""
        ended = self.board.round_end_review_line(scene, words) if scene.just_ended else ""
        return self.board.action_review_line(scene, words) or ended or " ".join(self.event_lines(scene, words))

    def short_action_line(self, scene: Scene[V, A, E], words: Words) -> str:
        """Return a short sentence for the coach on what the last action did: the board's own, else
        ``action_review_line``."""
        return self.board.short_action_line(scene, words) or self.action_review_line(scene, words)

    def score_text(self, standing: Standing) -> str:
        """Return a player's final score in a few characters: each token's symbol and how many."""
        return "  ".join(
            f"{symbol}{NO_BREAK_SPACE}{count}" for symbol, count in self.board.score_token_counts(standing)
        )


AnyBoard = Board[Any, Any, Any]
"""The ``Board`` of any game."""
AnyPresenter = Presenter[Any, Any, Any]
"""The presenter of any game."""
