"""The game's part of the table message: players, the trick, what has just happened, how a hand ended."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from PIL import Image

from bot.i18n import Words
from bot.review.moments import OpenMoment
from bot.ui import presenter
from bot.ui.components import (
    NO_BREAK_SPACE,
    PLAIN_NO_BREAK_SPACE,
    Component,
    bold_name,
    cached_by_public_scene,
    escaped_name,
    join_with_dots,
    plain_name,
    text_display,
)
from bot.ui.games.twelve_days import cards, coach
from bot.ui.games.twelve_days.trick import (
    DaysScene,
    hand_ending_trick_lines,
    trick_lines,
    viewer_hand_result_line,
    viewer_has_played_this_hand,
)
from bot.ui.pictures.canvas import GOLD, GROUND, INK, PAPER, PLATE, QUIET, Canvas
from bot.ui.pictures.drawings import Picture, alt_text, make_lazy_picture
from bot.ui.pictures.standings import Highlight, TokenCounts, numbered_names_legend, unique_drawable_names
from bot.ui.pictures.text import largest_fitting_size, text_width, truncate_to_width
from bot.ui.players import card_count_text, player_lines
from bot.ui.presenter import SeatName
from engine.decision import Decision
from engine.game import Seat, Standing
from engine.games.twelve_days.actions import Action, Play
from engine.games.twelve_days.cards import Cards
from engine.games.twelve_days.events import (
    Event,
    GameEnded,
    GiftClaimed,
    GiftGiven,
    HandDealt,
    HandWon,
    NoGiftToGive,
    Passed,
    Played,
    TakenBack,
    TrickWon,
)
from engine.games.twelve_days.history import CardsPlayed, RetoldEvent
from engine.games.twelve_days.view import View

# A picture of a whole game of 12 Days: everybody's gifts after every hand, and its winner.


OpenDays = OpenMoment[View, Action, Event]

_WIDTH: Final = 600
"""In pixels; a phone shows little more than half of them."""
_NAMES: Final = 156
_TITLE: Final = 42
_HEAD: Final = _TITLE + 36
_ROW: Final = 52
_TEXT: Final = 26

HandResults = Sequence[tuple[Seat, tuple[int, ...]]]
"""For every hand: the winner, and everybody's gifts after it."""


def finished_hand_results(moments: Sequence[OpenDays]) -> HandResults:
    """(winner, everybody's gifts after it) for each finished hand of a game; *moments* are all moments of the game."""
    ended = [(shown, it) for shown in moments for it in shown.scene.recent if isinstance(it, HandWon)]
    return [(won.seat, shown.scene.view.gifts) for shown, won in ended]


def gifts_by_hand_picture(moments: Sequence[OpenDays], words: Words) -> Picture | None:
    """The picture of everybody's gifts after each hand of a game, from all *moments*; ``None`` if no hand has ended."""
    hands = finished_hand_results(moments)
    if not hands:
        return None
    scene = moments[-1].scene
    seats = range(len(scene.people))
    names = [plain_name(scene.name(Seat(seat))) for seat in seats]
    head = words("Everyone’s gifts after every hand. A star marks who won the hand.")
    told = [
        words("Hand {n}: {name} won.", n=number, name=names[seat]) + f" {_most_gifts_sentence(names, gifts, words)}"
        for number, (seat, gifts) in enumerate(hands, start=1)
    ]
    safe = [escaped_name(name) for name in names]
    instead = [
        words("Hand {n}: {name} won.", n=number, name=safe[seat]) + f" {_most_gifts_sentence(safe, gifts, words)}"
        for number, (seat, gifts) in enumerate(hands, start=1)
    ]
    written = unique_drawable_names(names)
    title = words("Gifts after every hand")
    star = words("won the hand")
    return make_lazy_picture(
        "gifts",
        (hands, written, title, star),
        lambda: draw_gifts_chart(hands, written, title, star),
        alt_text([head, *told]),
        "\n".join(instead),
        numbered_names_legend(written, safe),
    )


def _most_gifts_sentence(names: Sequence[str], gifts: Sequence[int], words: Words) -> str:
    """A sentence that says who has the most of *gifts*, and how many."""
    most = max(gifts)
    ahead = words.list_and([name for name, n in zip(names, gifts, strict=True) if n == most])
    return words("Most gifts ({n}): {names}.", n=most, names=ahead)


def draw_gifts_chart(hands: HandResults, names: Sequence[str], title: str, star: str) -> Image.Image:
    """Draw a grid of gifts: a row for each of *names*, a column for each of *hands*, a star for the hand's winner.

    A light field marks whoever had the most. The *title* stands above, with the explanation of the *star*.
    """
    height = _HEAD + _ROW * len(names) + 4
    unit = 100 / height
    canvas = Canvas(_WIDTH * unit, height, 2, GROUND)
    step = (_WIDTH - _NAMES - 8) / len(hands)
    high = largest_fitting_size(f"{title} {star}", range(18, _TEXT + 1), _WIDTH - 60)
    canvas.text(8 * unit, _TITLE / 2 * unit, title, high * unit, PAPER, anchor="lm")
    beside = _WIDTH - 8 - text_width(star, high)
    canvas.star((beside - 16) * unit, _TITLE / 2 * unit, 9 * unit, QUIET)
    canvas.text(beside * unit, _TITLE / 2 * unit, star, high * unit, QUIET, anchor="lm")
    for number in range(1, len(hands) + 1):
        middle = _NAMES + (number - 0.5) * step
        canvas.text(middle * unit, (_TITLE + _HEAD) / 2 * unit, str(number), _TEXT * unit, QUIET)
    for seat, name in enumerate(names):
        y = _HEAD + _ROW * seat
        shown = truncate_to_width(name, _TEXT, _NAMES - 16)
        canvas.text(8 * unit, (y + _ROW / 2) * unit, shown, _TEXT * unit, PAPER, anchor="lm")
        for number, (winner, gifts) in enumerate(hands):
            x = _NAMES + number * step
            leads = gifts[seat] == max(gifts)
            canvas.rectangle(
                (x + 2) * unit, (y + 2) * unit, (step - 4) * unit, (_ROW - 4) * unit, GOLD if leads else PLATE
            )
            ink = INK if leads else PAPER
            right = winner == seat
            if right:
                canvas.star((x + step / 2) * unit, (y + _ROW - 14) * unit, 9 * unit, ink)
            middle = y + (_ROW / 2 - 8 if right else _ROW / 2)
            canvas.text((x + step / 2) * unit, middle * unit, str(gifts[seat]), _TEXT * unit, ink)
    return canvas.finish()


def contenders_line(scene: DaysScene, words: Words) -> str:
    """A line that says who can still win the game by the gifts, alone or shared; empty before the last hand."""
    able = scene.view.possible_winners
    if not able:
        return ""
    names = words.list_and([bold_name(scene.name(seat)) for seat in able])
    only_shared = [seat for seat in able if seat not in scene.view.possible_sole_winners]
    shared = words.list_and([bold_name(scene.name(seat)) for seat in only_shared])
    if len(able) == 1:
        line = words("Last hand: going by the gifts, only {name} can still win.", name=names)
    elif len(able) < scene.view.seats:
        if not only_shared:
            line = words("Last hand. Going by the gifts, these can still win: {names}.", names=names)
        elif len(only_shared) < len(able):
            line = words(
                "Last hand: going by the gifts, only {names} can still win, and {shared} only together with others.",
                names=names,
                shared=shared,
            )
        else:
            line = words("Last hand: going by the gifts, only {names} can still win, and nobody alone.", names=names)
    elif not only_shared:
        line = words("Last hand: going by the gifts, everyone can still win.")
    elif len(only_shared) < len(able):
        line = words(
            "Last hand: going by the gifts, everyone can still win, but {shared} only together with others.",
            shared=shared,
        )
    else:
        line = words("Last hand: going by the gifts, everyone can still win, but nobody alone.")
    return "🔥 " + line


MOST_NAMED: Final = 2
"""The most players that the highlight "caught" names."""


class Board(presenter.Board[View, Action, Event]):
    """What 12 Days adds to the table message and to reviews: players, trick, news, a hand's end, the coach's texts."""

    def table_components(self, scene: DaysScene, words: Words) -> Sequence[Component]:
        """Return the components that show the table: hand number, players, gifts left (in the last hand who can still
        win), the trick, or until a lead the last one."""
        return _table_text_displays(scene, lambda seat: card_count_text(scene.view.hand_sizes[seat], words), words)

    def own_cards(self, view: View) -> str:
        """Return the viewer's cards as symbols in one line, equal ones together; empty if they hold none."""
        return cards.cards_text(view.hand)

    def all_cards_components(self, shown: OpenDays, words: Words) -> Sequence[Component]:
        """The components that show the table with all cards open: hand number, players with their cards, the trick."""
        return _table_text_displays(shown.scene, lambda seat: self.own_cards(shown.views[seat]) or "–", words)

    def action_text(self, action: Action | None, words: Words) -> str:
        """Return *action* in a few words: the cards that are played as symbols, or "passing"."""
        return cards.cards_text(action.cards) if isinstance(action, Play) else words("passing")

    def action_review_line(self, scene: DaysScene, words: Words) -> str:
        """One line on how a trick (and hand) ended, or on the lowest play so far; empty for other actions."""
        said = coach.action_review_line(scene, words)
        if not said or not scene.just_ended:
            return said
        dealt = words("new cards were dealt") if _next_hand_was_dealt(scene) else ""
        return join_with_dots(f"{said} {self.round_end_review_line(scene, words)}", dealt)

    def short_action_line(self, scene: DaysScene, words: Words) -> str:
        """Who played which cards, and who took the trick; empty if it goes on and the play was not the lowest."""
        return coach.action_review_line(scene, words)

    def omitted_last_action_line(self, scene: DaysScene, words: Words) -> str:
        """A line on the play or pass just made, if it ended a trick; empty if it did not, or if it won the hand."""
        return coach.omitted_last_action_line(scene, words)

    def table_at_round_end(self, scene: DaysScene, words: Words) -> Sequence[str]:
        """Return lines with the trick that ended the last hand: who played what, who took it, who passed."""
        return hand_ending_trick_lines(scene, words)

    def round_start_review_line(self, scene: DaysScene, words: Words) -> str:
        """Return a line for a review that says that new cards were dealt; empty if none were."""
        return words("**New cards were dealt:**") if _next_hand_was_dealt(scene) else ""

    def better_choice_reason(
        self, decision: Decision, view: View, seat_name: SeatName, words: Words, *, name: str = ""
    ) -> str:
        """Why the best choice was better: what was certain after it, or which cards it kept; empty if unclear."""
        return coach.better_choice_reason(decision, view, seat_name, words)

    def certain_consequence_sentence(self, action: Action | None, view: View, words: Words) -> str:
        """A sentence that says that *action* certainly wins the trick or hand, or cannot win; empty if unsure."""
        return coach.certain_consequence_sentence(action, view, words)

    def game_course_picture(self, moments: Sequence[OpenDays], words: Words) -> Picture | None:
        """Build the picture of everybody's gifts after every hand of the game; ``None`` if no hand has ended."""
        return gifts_by_hand_picture(moments, words)

    def score_token_counts(self, standing: Standing) -> TokenCounts:
        """Return a player's final number of gifts: one pair (symbol, how many)."""
        return ((cards.GIFT, standing.score[0]),)

    def turn_line(self, scene: DaysScene, words: Words) -> str:
        """A line that says whose turn it is, and whether they lead or answer."""
        view = scene.view
        who = bold_name(scene.name(view.turn))
        if view.lead is None:
            return words("▶️ {name} to lead.", name=who)
        return words("▶️ {name} to answer or pass.", name=who)

    def event_line(self, event: Event, scene: DaysScene, words: Words) -> str | None:
        """Return a line on a play, a pass, a trick taken, cards taken back or the first lead; ``None`` for other events
        and for the play or pass that ended a trick.

        The whole trick is shown then.
        """
        match event:
            case Played(seat, played, leads) if scene.view.trick:
                return _play_line(seat, played, leads, scene, words)
            case Passed(seat) if scene.view.trick:
                return words("{name} passes.", name=bold_name(scene.name(seat)))
            case TrickWon(seat, _):
                return words("{name} takes the trick and leads next.", name=bold_name(scene.name(seat)))
            case TakenBack(seat, back):
                return _last_cards_taken_back_line(seat, back, scene, words)
            case HandDealt(1, _, leader):
                return words("By lot: {name} leads first.", name=bold_name(scene.name(leader)))
            case _:
                return None

    def history_line(self, happened: Sequence[RetoldEvent], scene: DaysScene, words: Words) -> str:
        """One line on a past action in this trick: who led, played (lowest or not) or passed; empty if neither."""
        for it in happened:
            name = bold_name(scene.name(it.seat))
            match it:
                case CardsPlayed(_, played, leads, lowest):
                    shown = cards.cards_text(played)
                    if leads:
                        return words("{name} leads {cards}.", name=name, cards=shown)
                    if lowest:
                        return words("{name} plays {cards}: the lowest so far.", name=name, cards=shown)
                    return words("{name} plays {cards}.", name=name, cards=shown)
                case Passed():
                    return words("{name} passes.", name=name)
        return ""

    def round_end_lines(self, scene: DaysScene, words: Words) -> Sequence[str]:
        """Lines on how the last hand ended: who went out, who claimed or gave gifts; empty while none has ended.

        Who leads next stands below anyway.
        """
        lines: list[str] = []
        unplayed: tuple[int, ...] = ()
        empty: list[Seat] = []
        hand = 0
        for event in scene.outcome:
            match event:
                case TakenBack(seat, back):
                    lines.append(_last_cards_taken_back_line(seat, back, scene, words))
                case HandWon(hand, _, unplayed):
                    lines.insert(0, _hand_winner_line(scene, words))
                case GiftClaimed(seat, _):
                    lines.append(
                        words("🎁 {name} wins hand {n} and claims a gift.", name=bold_name(scene.name(seat)), n=hand)
                    )
                case GiftGiven(seat, to):
                    lines.append(
                        words(
                            "🎁 {name} holds the most cards ({n}) and gives {winner} a gift.",
                            n=unplayed[seat],
                            name=bold_name(scene.name(seat)),
                            winner=bold_name(scene.name(to)),
                        )
                    )
                case NoGiftToGive(seat):
                    empty.append(seat)
                case _:
                    continue
        if empty:
            lines.append(
                words.plural(
                    "🔸 {names} holds the most cards ({cards}), but has no gift to give.",
                    "🔸 {names} hold the most cards ({cards} each), but have no gift to give.",
                    len(empty),
                    names=words.list_and([bold_name(scene.name(seat)) for seat in empty]),
                    cards=unplayed[empty[0]],
                )
            )
        if any(isinstance(event, GameEnded) for event in scene.outcome):
            lines.append(words("That was the last hand."))
        return tuple(lines)

    def last_round_line(self, scene: DaysScene, words: Words) -> str:
        """Return one line on how the last hand ended: what it meant to the viewer, else who won and who gave; empty
        before that, and for a player who has played since."""
        if not scene.outcome or (scene.seat is not None and viewer_has_played_this_hand(scene)):
            return ""
        own = viewer_hand_result_line(scene, words) if scene.seat is not None else ""
        if not own:
            return _last_hand_line(scene, words)
        won = next(event for event in scene.outcome if isinstance(event, HandWon))
        return words("Hand {n} · {what}", n=won.hand_number, what=own)

    def round_end_lines_in_hand_message(self, scene: DaysScene, words: Words) -> Sequence[str]:
        """Return lines for a hand message on the hand that has just ended: who went out with which cards, and who gave
        them a gift."""
        return (_hand_winner_line(scene, words), *(f"-# {line}" for line in _gift_giver_lines(scene, words)))

    def highlights(self, scene: DaysScene, seat_name_at: presenter.SeatNameAtPly, words: Words) -> Sequence[Highlight]:
        """The biggest play, the most gifts won in one hand, and who was caught with the most cards; may be empty."""
        found: list[Highlight] = []
        biggest, harvest, caught = scene.highlights
        if biggest is not None:
            said = f"{seat_name_at(biggest.seat, biggest.ply)}, {cards.combination_in_numbers(biggest.cards)}"
            found.append(Highlight(cards.rank_symbol(biggest.cards[0]), words("Biggest play"), said))
        if harvest is not None:
            said = words.plural(
                "{name}, {n} gift", "{name}, {n} gifts", harvest.gifts, name=seat_name_at(harvest.seat, harvest.ply)
            )
            found.append(Highlight(cards.GIFT, words("Best hand"), said))
        if caught is not None:
            held = [seat_name_at(seat, caught.ply) for seat in caught.others]
            names = words.list_and(held) if len(held) <= MOST_NAMED else words("{n} people", n=len(held))
            many = card_count_text(caught.cards, words)
            if caught.hand_number:  # of all hands, and the last one is what people remember
                many = words("{cards} (hand {n})", cards=many, n=caught.hand_number)
            said = f"{names}, {many}"
            found.append(Highlight(cards.CAUGHT, words("Caught"), said))
        return found

    def helpful_rules_page_key(self, scene: DaysScene) -> str | None:
        """The key of the rules page that helps now: what may be played (on turn), who wins the trick, or ``None``."""
        if scene.on_turn != scene.seat:
            return "winning" if scene.view.trick else None
        return "trick" if scene.view.lead is not None else "combinations"

    def refusal_placeholders(self, scene: DaysScene, words: Words) -> Mapping[str, Any]:
        """Return the text for ``{wanted}`` in refusals: what may be played now."""
        return {"wanted": cards.playable_text(scene.view.lead, words)}


def _table_text_displays(scene: DaysScene, held: Callable[[Seat], str], words: Words) -> Sequence[Component]:
    """The components for hand number, players (*held* returns the text on their cards), gifts left, and trick."""
    view = scene.view
    title = words("## 12 Days · Hand {n} of {total}", n=view.hand_number, total=view.hands_total)
    left = contenders_line(scene, words) or words("{gift} in the supply: {n}", gift=cards.GIFT, n=view.supply)
    players = player_lines(scene, lambda seat: f"{cards.GIFT}{NO_BREAK_SPACE}{view.gifts[seat]} · {held(seat)}")
    return (text_display(title, *players, f"-# {left}"), text_display(*trick_lines(scene, words)))


@cached_by_public_scene
def _last_hand_line(scene: DaysScene, words: Words) -> str:
    """One line on who won the last hand, and who gave them a gift; empty if no hand has ended."""
    won = next((event for event in scene.outcome if isinstance(event, HandWon)), None)
    if won is None:
        return ""
    line = words("Hand {n}: {name} won.", n=won.hand_number, name=bold_name(scene.name(won.seat)))
    return " ".join([line, *_gift_giver_lines(scene, words)])


def _next_hand_was_dealt(scene: DaysScene) -> bool:
    """Whether the end of the last hand was not the end of the game: another hand was dealt after it."""
    return any(isinstance(event, HandDealt) for event in scene.outcome)


def _hand_winner_line(scene: DaysScene, words: Words) -> str:
    """A line that says who won the last hand, with which cards."""
    won = next(event for event in scene.outcome if isinstance(event, TrickWon))
    last = next(cards.cards_text(it.cards) for it in won.trick if isinstance(it, Play) and it.seat == won.seat)
    said = words("### 🎉 {name} is out with {cards}!", name=escaped_name(scene.name(won.seat)), cards=last)
    return said.replace(f" {last}", f"{PLAIN_NO_BREAK_SPACE}{last}")  # no card alone in the last line


def _gift_giver_lines(scene: DaysScene, words: Words) -> Sequence[str]:
    """A line that names who gave the winner of the last hand a gift; empty if nobody did."""
    names = [escaped_name(scene.name(event.seat)) for event in scene.outcome if isinstance(event, GiftGiven)]
    return [words("{gift} from {names}", gift=cards.GIFT, names=words.list_and(names))] if names else []


def _play_line(seat: Seat, played: Cards, leads: bool, scene: DaysScene, words: Words) -> str:
    """A line on the cards that *seat* played: as the lead, as the lowest so far, or as its last cards."""
    name, shown, lowest = bold_name(scene.name(seat)), cards.cards_text(played), scene.view.lowest
    wins = lowest is not None and lowest.seat == seat
    if wins and not scene.view.hand_sizes[seat]:  # ruling T8
        return "❗ " + words.plural(
            "{name} plays {cards}, their last card: if it is beaten, {name} takes it back.",
            "{name} plays {cards}, their last cards: if they are beaten, {name} takes them back.",
            len(played),
            name=name,
            cards=shown,
        )
    if leads:
        return words("{name} leads {cards}.", name=name, cards=shown)
    if wins:
        return words("{name} plays {cards}: the lowest so far.", name=name, cards=shown)
    return words("{name} plays {cards}.", name=name, cards=shown)


def _last_cards_taken_back_line(seat: Seat, back: Cards, scene: DaysScene, words: Words) -> str:
    """Return a line that says that *seat* takes its last cards (*back*) back, as they did not win the trick."""
    return words.plural(
        "{name} takes {cards} back: the last card must win the trick.",
        "{name} takes {cards} back: the last cards must win the trick.",
        len(back),
        name=bold_name(scene.name(seat)),
        cards=cards.cards_text(back),
    )
