"""The memorable moments of a game of 17 for its end: the bravest call, the best bluff, the traps."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from engine.game import Seat, Step
from engine.games.diciassette.cards import TARGET, Card, Face
from engine.games.diciassette.events import (
    Because,
    Called,
    CardTrashed,
    Event,
    PileShuffled,
    Revealed,
    Token,
    TokenGiven,
    TokenWithheld,
)
from engine.games.diciassette.odds import estimate_17_and_traps_in_queue
from engine.games.diciassette.state import State
from engine.games.diciassette.view import View, view

CERTAIN: Final = 10_000
"""A chance of 1: chances are in ten-thousandths."""
MAX_BLUFF_NUMBER: Final = 1
"""A hidden card counts as a bluff up to this number. On average a card with a plain back counts 1.3."""
MAX_BRAVE_CHANCE: Final = 5_000
"""A call at this chance of 17 or a greater one is not brave."""
MIN_BLUFF_CHANCE: Final = 2_000
"""A wrong call at this chance of 17 or a smaller one was a bad call rather than the best bluff."""


class CallHighlight(NamedTuple):
    """A call, right or wrong, with the chance of 17 as the caller saw it."""

    ply: int
    caller: Seat
    chance: int
    """The chance of 17 or more as the caller had to see it, if they remember the discard pile, in ten-thousandths."""
    total: int
    hid: tuple[Seat, ...]
    """The players who bluffed, if the call was wrong: as ``hidden_low_card_owners``."""


class FiredTrap(NamedTuple):
    """A trap that fired (D14)."""

    ply: int
    owner: Seat
    caller: Seat


class Highlights(NamedTuple):
    """The highlights of a game so far."""

    bravest: CallHighlight | None = None
    """The right call with the lowest chance; of equal ones the first. ``None``: there was none with a chance below
    ``MAX_BRAVE_CHANCE``."""
    bluff: CallHighlight | None = None
    """The wrong call with the highest chance at which others hid something; of equal ones the first. ``None``: there
    was none with a chance above ``MIN_BLUFF_CHANCE``."""
    snaps: tuple[FiredTrap, ...] = ()
    """The traps in the order in which they fired."""
    trashed: tuple[tuple[Seat, Card], ...] = ()
    """The owners and the cards that were trashed face down since the last shuffle. Only its owner knows such a card."""


NOTHING: Final = Highlights()


def add_highlights(so_far: Highlights, before: State, step: Step[Any, Event]) -> Highlights:
    """Add to *so_far* the bravest call, the best bluff and the traps in *step*, taken in the state *before*, and return
    it.

    Only calls are highlights; of other steps it keeps the cards that were trashed face down.

    A call that somebody had to make (D10) is neither brave nor bluffed.
    """
    told = _add_call_highlights(so_far, before, step)
    trashed = _update_hidden_trashed_cards(so_far.trashed, step.events)
    return told if trashed == told.trashed else told._replace(trashed=trashed)


def _update_hidden_trashed_cards(
    so_far: tuple[tuple[Seat, Card], ...], events: Sequence[Event]
) -> tuple[tuple[Seat, Card], ...]:
    """Update the cards trashed face down since the last shuffle (``Highlights.trashed``) by *events* of one step, and
    return them."""
    for event in events:
        match event:
            case CardTrashed(owner, card, Face.DOWN) if card is not None and not card.open_back:
                so_far = (*so_far, (owner, card))
            case PileShuffled():
                so_far = ()
    return so_far


def _add_call_highlights(so_far: Highlights, before: State, step: Step[Any, Event]) -> Highlights:
    """Add to *so_far* the bravest call, the best bluff and the traps of the call in *step*; unchanged if it was no
    call.

    *step* is the result of an action in the state *before*.
    """
    called = next((event for event in step.events if isinstance(event, Called)), None)
    if called is None:
        return so_far
    caller = called.caller
    (shown,) = [event for event in step.events if isinstance(event, Revealed)]
    total = shown.total
    bravest, bluff, seen = so_far.bravest, so_far.bluff, view(before, caller)
    if not _had_to_call(seen, caller):
        chance = _chance_of_17(seen, _known_discards(before, so_far.trashed, caller))
        claim = CallHighlight(before.ply, caller, chance, total, hidden_low_card_owners(shown, caller))
        if total >= TARGET and claim.chance < (bravest.chance if bravest else MAX_BRAVE_CHANCE):
            bravest = claim
        if total < TARGET and claim.hid and claim.chance > (bluff.chance if bluff else MIN_BLUFF_CHANCE):
            bluff = claim
    snaps = [
        FiredTrap(before.ply, owner, caller) for owner in map(_owner_of_fired_trap, step.events) if owner is not None
    ]
    return so_far._replace(bravest=bravest, bluff=bluff, snaps=(*so_far.snaps, *snaps))


def _known_discards(before: State, trashed: Iterable[tuple[Seat, Card]], seat: Seat) -> Sequence[Card]:
    """The cards of the discard pile that *seat* knows: all but those of others that were *trashed* face down."""
    gone = list(before.discard)
    for owner, card in trashed:
        if owner != seat:
            gone.remove(card)
    return gone


def hidden_low_card_owners(shown: Revealed, caller: Seat) -> tuple[Seat, ...]:
    """The players, without *caller*, who had hidden low cards (``MAX_BLUFF_NUMBER`` at most) in the queue, as *shown*
    in the reveal; sorted.

    They bluffed if the call was wrong.
    """
    hidden = [it for it in shown.queue if it.was_hidden and it.seat != caller]
    return tuple(sorted({it.seat for it in hidden if it.card.number <= MAX_BLUFF_NUMBER}))


def successful_bluffers(before: State, step: Step[Any, Event]) -> tuple[Seat, ...]:
    """Who bluffed with success in *step*, a call in the state *before*; empty if the call was right, forced or plainly
    hopeless.

    Forced is a call that somebody had to make (D10), hopeless one where 17 was impossible as the caller saw it.
    """
    called = next(event for event in step.events if isinstance(event, Called))
    (shown,) = [event for event in step.events if isinstance(event, Revealed)]
    seen = view(before, called.caller)
    if shown.total >= TARGET or _had_to_call(seen, called.caller) or not _chance_of_17(seen):
        return ()
    return hidden_low_card_owners(shown, called.caller)


def _had_to_call(view: View, caller: Seat) -> bool:
    """Whether *caller*, who sees *view*, had to call: on turn without a card (D10)."""
    return view.must_call and caller == view.turn


def _chance_of_17(view: View, gone: Sequence[Card] = ()) -> int:
    """The chance (in ten-thousandths) that the queue holds 17 or more, for the viewer of *view*.

    *gone* are the cards that they know in the discard pile.
    """
    return round(estimate_17_and_traps_in_queue(view, gone).seventeen * CERTAIN)


def _owner_of_fired_trap(event: Event) -> Seat | None:
    """The owner of the trap that fired in *event*; ``None`` if none did. The owner's victory token comes first, given
    or not (D14, D15)."""
    match event:
        case TokenGiven(seat, Token.VICTORY, Because.TRAP) | TokenWithheld(seat, Because.TRAP):
            return seat
        case _:
            return None
