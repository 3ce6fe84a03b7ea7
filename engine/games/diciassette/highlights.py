"""What is worth telling of a game of 17 when it is over: the bravest call, the best bluff, the traps."""

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
from engine.games.diciassette.odds import estimate_queue
from engine.games.diciassette.state import State
from engine.games.diciassette.view import View, view

CERTAIN: Final = 10_000
"""A chance of 1: chances are in ten-thousandths."""
MAX_BLUFF_NUMBER: Final = 1
"""A hidden card that counts no more is a bluff: on average a card with a plain back counts 1.3."""
MAX_BRAVE_CHANCE: Final = 5_000
"""Whoever calls at such a chance or a greater one is not brave."""
MIN_BLUFF_CHANCE: Final = 2_000
"""A wrong call that looked no more likely than that was rather a bad call than the best bluff."""


class Claim(NamedTuple):
    """A call, and how good it looked."""

    ply: int
    caller: Seat
    chance: int
    """How likely the caller, who remembers the discard pile, had to think 17 or more, in ten-thousandths."""
    total: int
    hid: tuple[Seat, ...]
    """Whose bluff it was, if it was wrong: as ``bluffers``."""


class Snap(NamedTuple):
    """A trap that fired (D14)."""

    ply: int
    owner: Seat
    caller: Seat


class Highlights(NamedTuple):
    """The highlights of a game so far."""

    bravest: Claim | None = None
    """The right call with the lowest chance; of equal ones the first. ``None``: none had a chance below ``MAX_BRAVE_CHANCE``."""
    bluff: Claim | None = None
    """The wrong call with the highest chance where others hid something; of equal ones the first. ``None``: there was
    none with a chance above ``MIN_BLUFF_CHANCE``."""
    snaps: tuple[Snap, ...] = ()
    """In the order in which they fired."""
    trashed: tuple[tuple[Seat, Card], ...] = ()
    """The cards that were trashed with their plain backs up since the last shuffle, and who had laid each: nobody else
    knows them."""


NOTHING: Final = Highlights()


def highlights(so_far: Highlights, before: State, step: Step[Any, Event]) -> Highlights:
    """*so_far* with what is added by *step*, which an action led to from *before*: by a call; of other steps only what
    went to the discard pile unseen is kept in mind.

    A call that somebody had to make (D10) is neither brave nor bluffed.
    """
    told = _add_call_highlights(so_far, before, step)
    trashed = _update_trashed(so_far.trashed, step.events)
    return told if trashed == told.trashed else told._replace(trashed=trashed)


def _update_trashed(so_far: tuple[tuple[Seat, Card], ...], events: Sequence[Event]) -> tuple[tuple[Seat, Card], ...]:
    """``Highlights.trashed`` after *events*, those of one step."""
    for event in events:
        match event:
            case CardTrashed(owner, card, Face.DOWN) if card is not None and not card.open_back:
                so_far = (*so_far, (owner, card))
            case PileShuffled():
                so_far = ()
    return so_far


def _add_call_highlights(so_far: Highlights, before: State, step: Step[Any, Event]) -> Highlights:
    """*so_far* with what is worth telling of *step*, which an action led to from *before*."""
    called = next((event for event in step.events if isinstance(event, Called)), None)
    if called is None:
        return so_far
    caller = called.caller
    (shown,) = [event for event in step.events if isinstance(event, Revealed)]
    total = shown.total
    bravest, bluff, seen = so_far.bravest, so_far.bluff, view(before, caller)
    if not _had_to_call(seen, caller):
        chance = _chance_of_17(seen, _known_discards(before, so_far.trashed, caller))
        claim = Claim(before.ply, caller, chance, total, bluffers(shown, caller))
        if total >= TARGET and claim.chance < (bravest.chance if bravest else MAX_BRAVE_CHANCE):
            bravest = claim
        if total < TARGET and claim.hid and claim.chance > (bluff.chance if bluff else MIN_BLUFF_CHANCE):
            bluff = claim
    snaps = [Snap(before.ply, owner, caller) for owner in map(_trap_owner, step.events) if owner is not None]
    return so_far._replace(bravest=bravest, bluff=bluff, snaps=(*so_far.snaps, *snaps))


def _known_discards(before: State, trashed: Iterable[tuple[Seat, Card]], seat: Seat) -> Sequence[Card]:
    """The cards of the discard pile that *seat* knows: all but those of others that were *trashed* unseen."""
    gone = list(before.discard)
    for owner, card in trashed:
        if owner != seat:
            gone.remove(card)
    return gone


def bluffers(shown: Revealed, caller: Seat) -> tuple[Seat, ...]:
    """Whose bluff a wrong call is: who but *caller* had laid cards that everybody saw only when all were *shown*, and
    that count ``MAX_BLUFF_NUMBER`` at most."""
    hidden = [it for it in shown.queue if it.was_hidden and it.seat != caller]
    return tuple(sorted({it.seat for it in hidden if it.card.number <= MAX_BLUFF_NUMBER}))


def successful_bluffers(before: State, step: Step[Any, Event]) -> tuple[Seat, ...]:
    """Whose bluff has worked in *step*, which a call led to from *before*: the call was wrong, nobody had to make it
    (D10), and to the caller 17 looked possible."""
    called = next(event for event in step.events if isinstance(event, Called))
    (shown,) = [event for event in step.events if isinstance(event, Revealed)]
    seen = view(before, called.caller)
    if shown.total >= TARGET or _had_to_call(seen, called.caller) or not _chance_of_17(seen):
        return ()
    return bluffers(shown, called.caller)


def _had_to_call(seen: View, caller: Seat) -> bool:
    """Whether *caller*, who has *seen* that, had to call."""
    return seen.must_call and caller == seen.turn


def _chance_of_17(seen: View, gone: Sequence[Card] = ()) -> int:
    """How likely 17 or more is by what somebody has *seen*, and knows to be *gone* to the discard pile, in
    ten-thousandths."""
    return round(estimate_queue(seen, gone).seventeen * CERTAIN)


def _trap_owner(event: Event) -> Seat | None:
    """Whose trap has just fired, if *event* says so: the owner's victory token comes first, given or not (D14, D15)."""
    match event:
        case TokenGiven(seat, Token.VICTORY, Because.TRAP) | TokenWithheld(seat, Because.TRAP):
            return seat
        case _:
            return None
