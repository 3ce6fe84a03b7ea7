"""A guided first round of 17: a face-down card, a wrong call, a right call, a trap."""

from collections.abc import Callable, Mapping
from typing import Final

from discord import ButtonStyle

from bot.i18n import N_, Words
from bot.ui.games.diciassette.pictures import QueueCard, queue_before_call_picture, revealed_queue_picture
from bot.ui.pictures.drawings import Picture
from bot.ui.presenter import FIRST_STEP, LessonStep, RulesButton, StepButton
from engine.games.diciassette.cards import Card, Face

_UP: Final = Face.UP
_DOWN: Final = Face.DOWN
_FOUR, _FIVE, _THREE, _TWO, _ONE = Card.FOUR_OPEN, Card.FIVE, Card.THREE, Card.TWO_OPEN, Card.ONE
_FIRST_QUEUE: Final = ((_FOUR, _UP), (_FIVE, _DOWN), (_THREE, _UP))
_FULL_QUEUE: Final = (*_FIRST_QUEUE, (_THREE, _UP), (_TWO, _UP))
_TRAP_QUEUE: Final = ((Card.TRAP, _DOWN), (_FIVE, _UP), (_FOUR, _UP), (_TWO, _UP), (_ONE, _UP))


def _queue_before_call_picture_maker(*queue: QueueCard) -> Callable[[Words], Picture]:
    """Return a function that makes the picture of *queue* as it lies on the table, face-down cards from the back; for
    ``LessonStep.picture``."""
    return lambda words: queue_before_call_picture(queue, words)


def _revealed_queue_picture_maker(*queue: QueueCard) -> Callable[[Words], Picture]:
    """Return a function that makes the picture of *queue* with every card turned over and the sum; for
    ``LessonStep.picture``."""
    total = sum(card.number for card, _ in queue)
    return lambda words: revealed_queue_picture(queue, total, words)


LESSON: Final[Mapping[str, LessonStep]] = {
    FIRST_STEP: LessonStep(
        N_("Learn 17: your first card"),
        N_(
            "Three victory tokens win the game. You get one when you call **17!** and the queue really holds "
            "17 or more.\n"
            "You play against Ada. She has played a **4** face up. You hold a **5** with a plain back.\n"
            "Play it **face down**: Ada sees only a back. You alone know that the queue now holds 9."
        ),
        (StepButton(N_("Play the 5 face down"), "hidden", ButtonStyle.primary),),
        _queue_before_call_picture_maker((_FOUR, _UP)),
    ),
    "hidden": LessonStep(
        N_("Learn 17: call, or wait?"),
        N_(
            "Ada plays a **3** face up. She sees 7 and one hidden card; you know the total: 4 + 5 + 3 = 12.\n"
            "Between turns anyone may call **17!** – except whoever played the last card. Do you call now?"
        ),
        (StepButton(N_("Call 17!"), "wrong", ButtonStyle.danger), StepButton(N_("Play a 3 face up"), "more")),
        _queue_before_call_picture_maker(*_FIRST_QUEUE),
    ),
    "wrong": LessonStep(
        N_("Learn 17: a wrong call"),
        N_(
            "All cards are turned over: **12**, less than 17. Your call was wrong: you get a penalty, and Ada, who "
            "played the last card, gets a victory token and starts the next round.\n"
            "A second penalty would cost you a victory token. Go back and wait for more."
        ),
        (StepButton(N_("Go back: play a 3 face up"), "more", ButtonStyle.primary),),
        _revealed_queue_picture_maker(*_FIRST_QUEUE),
    ),
    "more": LessonStep(
        N_("Learn 17: now?"),
        N_(
            "You have played a **3**, and Ada a **2** face up. Everyone sees 12 and one hidden card. "
            "You know the hidden one, so for you it is 4 + 5 + 3 + 3 + 2 = … "
            "Be quick, at a real table the others call too!"
        ),
        (StepButton(N_("Call 17!"), "right", ButtonStyle.danger),),
        _queue_before_call_picture_maker(*_FULL_QUEUE),
    ),
    "right": LessonStep(
        N_("Learn 17: a right call"),
        N_(
            "**17**, so the call was right: you get a victory token, and Ada, who played the last card, gets a "
            "penalty. You start the next round. Three victory tokens win the game.\n"
            "Now for something sneakier: among your new cards is a **Trap**."
        ),
        (StepButton(N_("Play the Trap face down"), "trap", ButtonStyle.primary),),
        _revealed_queue_picture_maker(*_FULL_QUEUE),
    ),
    "trap": LessonStep(
        N_("Learn 17: the trap is set"),
        N_(
            "Ada plays a **5**, you a **4**, Ada a **2**, you a **1**, all face up. She sees 12 and one hidden card. "
            "If that is a 5, it makes 17 – so she might call. A Trap is worth nothing, but face down it bites whoever "
            "calls."
        ),
        (StepButton(N_("See what Ada does"), "snap", ButtonStyle.primary),),
        _queue_before_call_picture_maker(*_TRAP_QUEUE),
    ),
    "snap": LessonStep(
        N_("Learn 17: the trap is sprung"),
        N_(
            "Ada calls 17! Traps come first: you get a victory token and Ada a penalty – her second, so she hands both "
            "back (and a victory token, if she had one). Then the sum: **12**, so her call was wrong as well: a new "
            "penalty for Ada. (You played the last card, but nobody gets more than one victory token in a round.)\n"
            "There are three more special cards, and numbers that can be read on the back too: the rules show "
            "them. Open a table with **/play**, and add computer players if nobody else is around."
        ),
        (RulesButton(N_("All the cards"), "cards"), StepButton(N_("Once more from the start"), FIRST_STEP)),
        _revealed_queue_picture_maker(*_TRAP_QUEUE),
    ),
}
"""The steps of the lesson, by key."""
