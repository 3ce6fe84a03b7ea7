"""The game's part of the hand message: the viewer's cards, and on their turn what they may play."""

from collections.abc import Iterator, Sequence
from typing import Final

from discord import ButtonStyle

from bot.i18n import Words
from bot.tables.model import Phase
from bot.ui import presenter
from bot.ui.components import (
    MOST_OPTIONS,
    PLAIN_NO_BREAK_SPACE,
    WORD_JOINER,
    Component,
    action_row,
    cached_by_public_scene,
    escaped_name,
    text_display,
)
from bot.ui.games.twelve_days import cards
from bot.ui.games.twelve_days.trick import (
    DaysScene,
    hand_end_event_for_viewer,
    trick_lines,
    viewer_hand_result_line,
    viewer_trick_result_line,
)
from bot.ui.pictures.symbols import Symbol
from bot.ui.players import card_count_text
from bot.ui.presenter import Choice, MoveControls
from engine.games.twelve_days.actions import Action, Pass, Play
from engine.games.twelve_days.cards import Card
from engine.games.twelve_days.combinations import Kind, combination_kind
from engine.games.twelve_days.events import Event
from engine.games.twelve_days.view import View

LOWEST_MARK: Final = "⬇️"
"""The mark of a play that would be the lowest so far."""


class Hand(presenter.Hand[View, Action, Event]):
    """What 12 Days adds to the hand message: the viewer's cards, and on their turn all that they may play."""

    def hand_components(
        self, scene: DaysScene, controls: MoveControls[View, Action], words: Words
    ) -> Sequence[Component]:
        """The viewer's cards as components; on their turn also what may be played, and the controls for it."""
        return (
            text_display(self.off_turn_cards_line(scene, words), *_playable_lines(scene, words)),
            *_play_controls(scene, controls, words),
        )

    def brief_table_lines(self, scene: DaysScene, words: Words) -> Sequence[str]:
        """Lines with the trick (who played what, the lowest, who passed), and everybody's gifts and number of cards."""
        trick = () if scene.just_ended else trick_lines(scene, words)
        return (*trick, _gifts_and_cards_line(scene, words))

    def off_turn_cards_line(self, scene: DaysScene, words: Words) -> str:
        """The viewer's cards in one line, or that their last cards lie on the table."""
        hand = scene.view.hand
        if not hand:
            mine = next((play for play in scene.view.trick if isinstance(play, Play) and play.seat == scene.seat), None)
            count = len(mine.cards) if mine is not None else 1
            return words.plural("Your last card lies on the table.", "Your last cards lie on the table.", count)
        return "### " + words("Your cards: {cards}", cards=cards.cards_text(hand))

    def viewer_result_line(self, scene: DaysScene, words: Words) -> str:
        """One line on what the trick or hand that has just ended means to the viewer; empty if told elsewhere.

        It is for a hand that follows the game, and for the end of the game. Else ``Board.last_round_line`` says what
        the last hand meant. So it does not change with another player's move.
        """
        if not (scene.live or scene.on_turn == scene.seat or scene.phase is Phase.OVER):
            return ""
        return viewer_trick_result_line(scene, words) or (
            viewer_hand_result_line(scene, words) if scene.just_ended else ""
        )

    def shows_round_result_off_turn(self, scene: DaysScene) -> bool:
        """Whether the hand still tells how the last hand ended while others are on turn: the viewer won or lost
        something by it and has played no card since.

        When they play one their hand changes anyway, so no request is made only to remove the line.
        """
        return hand_end_event_for_viewer(scene) is not None

    def move_takes_effect_soon_line(self, action: Action, words: Words) -> str:
        """A sentence that says that the viewer passes, or which cards they play, in a moment."""
        if isinstance(action, Pass):
            return words("You pass in a moment.")
        return words(
            "You play {cards} in a moment: first everyone sees who took the trick.",
            cards=cards.cards_text(action.cards),
        )

    def play_from_cards(self, view: View, picked: Sequence[Card]) -> Action:
        """Return the play of the cards *picked* one by one, lowest first; they may be no combination. The viewer must
        be on turn."""
        return Play(view.turn, tuple(sorted(picked)))


@cached_by_public_scene
def _gifts_and_cards_line(scene: DaysScene, words: Words) -> str:
    """One small line with everybody's gifts and how many cards they hold."""
    view = scene.view
    stand = [
        f"{escaped_name(person.name)} {cards.GIFT}{WORD_JOINER}{gifts} "
        f"({card_count_text(held, words).replace(' ', PLAIN_NO_BREAK_SPACE)})"
        for person, gifts, held in zip(scene.people, view.gifts, view.hand_sizes, strict=True)
    ]
    return f"-# {' · '.join(stand)}"


def _playable_lines(scene: DaysScene, words: Words) -> Iterator[str]:
    """Yield lines that say what the viewer may play, or that they must pass; none while their move is about to land.

    The lowest play so far is marked in the trick above.
    """
    view = scene.view
    if scene.own_move is not None:  # it is about to land: what can be played is said again if it does not
        return
    wanted = cards.playable_text(view.lead, words)
    if view.lead is None:
        yield words("You lead. Play {wanted}.", wanted=wanted)
        return
    if view.plays:
        lowest = view.lowest
        yield words("You may play {wanted}, or pass.", wanted=wanted)
        if any(_would_be_lowest(play, lowest) for play in scene.allowed if isinstance(play, Play)):
            yield "-# " + words(
                "In the list below, {mark} marks what would be the lowest. With the others you only get rid of cards.",
                mark=LOWEST_MARK,
            )
    else:
        yield words("Needed: {wanted}. You have none, so you have to pass.", wanted=wanted)


def _play_controls(scene: DaysScene, controls: MoveControls[View, Action], words: Words) -> Iterator[Component]:
    """Yield the controls of a turn: a select of plays (first of their types, if there are too many), a select of single
    cards to pick, and the pass button."""
    view = scene.view
    plays = [action for action in scene.allowed if isinstance(action, Play)]
    offered = plays
    if len(plays) > MOST_OPTIONS:
        groups = list(_group_plays_for_selects(plays, words))
        yield controls.group_select(words("Choose a type first"), [(label, key) for label, key, _ in groups])
        offered = next((list(some) for _, key, some in groups if key == scene.picked), [])
    lowest = view.lowest
    choices = [
        Choice[Action](_play_option_label(play, lowest, words), cards.rank_symbol(play.cards[0]), play)
        for play in offered
    ]
    yield from controls.select_rows(words("Choose, and it is played"), choices)
    if plays and len(view.hand) > 1:
        yield controls.card_select(words("Or pick the cards yourself"), list(_card_options(view)))
    if view.lead is not None:
        yield action_row(controls.button(words("Pass"), Pass(view.turn), style=ButtonStyle.secondary))


def _play_option_label(play: Play, lowest: Play | None, words: Words) -> str:
    """The label of *play* in the select, marked if it would be the lowest so far."""
    label = cards.play_label(play.cards, words)
    return f"{LOWEST_MARK} {label}" if _would_be_lowest(play, lowest) else label


def _would_be_lowest(play: Play, lowest: Play | None) -> bool:
    """Whether *play*, an answer, would win the trick, in which *lowest* wins so far: it is as low or lower (T7); false
    for ``None``."""
    return lowest is not None and min(play.cards) <= min(lowest.cards)


def _group_plays_for_selects(plays: Sequence[Play], words: Words) -> Iterator[tuple[str, str, Sequence[Play]]]:
    """Yield (label, key, plays) for each type of play, in groups of at most 25, which one select can hold.

    There may be sixty straights. They are in the order of their lowest card, so each group is a range of lowest cards.
    """
    for kind in Kind:
        found = [play for play in plays if combination_kind(play.cards) is kind]
        for start in range(0, len(found), MOST_OPTIONS):
            some = found[start : start + MOST_OPTIONS]
            label = cards.combination_type_name(kind, words)
            if len(found) > MOST_OPTIONS:
                low, high = some[0].cards[0], some[-1].cards[0]
                if low == high:
                    label = words("{type}, lowest card {low}", type=label, low=low)
                else:
                    label = words("{type}, lowest card {low}–{high}", type=label, low=low, high=high)
            yield f"{label} ({len(some)})", f"{kind.value}{start or ''}", some


def _card_options(view: View) -> Iterator[tuple[str, Symbol]]:
    """Yield (label, symbol) for each card of the viewer's hand; equal cards are numbered."""
    for index, rank in enumerate(view.hand):
        copy = view.hand[:index].count(rank) + 1
        label = cards.card_label(rank) if view.hand.count(rank) == 1 else f"{cards.card_label(rank)} ({copy})"
        yield label, cards.rank_symbol(rank)
