"""A seat's memory of a hand: who passed on which lead, what each seat has played, and which hands are known (T8)."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from engine.game import Seat
from engine.games.twelve_days.cards import Cards
from engine.games.twelve_days.combinations import Kind, combination_kind
from engine.games.twelve_days.events import Event, HandDealt, Passed, Played, TakenBack, TrickWon

SEATS: Final = 8
"""The most seats there can be; a memory has room for all of them."""
KINDS: Final = (Kind.SINGLETON, Kind.SET, Kind.STRAIGHT)
"""The order in which a memory lists the kinds."""

T = TypeVar("T")
Declined = tuple[int, int, int]
"""By kind, in the order of ``KINDS``: the highest lead that a seat has passed on; 0: none."""


class Memory(NamedTuple):
    """What a seat has witnessed of the current hand: passes on leads, cards played, and hands taken back. All fields
    except ``lead`` are by seat."""

    lead: Cards
    """The cards that led the trick; empty before that, or if the lead was not witnessed."""
    declined: tuple[Declined, ...]
    played: tuple[Cards, ...]
    """The cards that each seat has played, sorted; cards that were taken back are not included."""
    known: tuple[Cards, ...]
    """The whole hand of each seat that has taken it back (T8), without what it has played since; empty: not known."""


NOTHING: Final = Memory((), ((0, 0, 0),) * SEATS, ((),) * SEATS, ((),) * SEATS)
"""The memory of a seat that has just been dealt a hand."""


def remember(memory: Memory | None, events: Sequence[Event], seat: Seat) -> Memory:
    """Add to *memory* (``None``: empty) the plays, passes and taken-back cards of *events*, one step, and return it; a
    new hand empties it.

    Everybody sees the same in this game, so nothing depends on *seat* (T11).
    """
    now = NOTHING if memory is None else memory
    for event in events:
        match event:
            case HandDealt():
                now = NOTHING
            case Played(player, cards, leads):
                now = now._replace(
                    lead=cards if leads else now.lead,
                    played=_replace_at(now.played, player, tuple(sorted((*now.played[player], *cards)))),
                    known=_replace_at(now.known, player, _remove_cards_if_present(now.known[player], cards)),
                )
            case Passed(player):
                now = now._replace(
                    declined=_replace_at(now.declined, player, _add_declined_lead(now.declined[player], now.lead))
                )
            case TakenBack(player, cards):
                now = now._replace(
                    played=_replace_at(now.played, player, _remove_cards_if_present(now.played[player], cards)),
                    known=_replace_at(now.known, player, cards),
                )
            case TrickWon():
                now = now._replace(lead=())
            case _:
                continue
    return now


def _replace_at(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return *values* (one for each seat) with *value* in the place of that of *seat*."""
    return (*values[:seat], value, *values[seat + 1 :])


def _add_declined_lead(declined: Declined, lead: Cards) -> Declined:
    """Return *declined* with a pass on *lead*: for each kind of combination, the highest lead (easiest to answer) that
    a seat has passed on."""
    kind = combination_kind(lead)
    singleton, pairs, straight = (
        max(had, lead[0]) if it is kind else had for it, had in zip(KINDS, declined, strict=True)
    )
    return (singleton, pairs, straight)


def _remove_cards_if_present(had: Cards, cards: Cards) -> Cards:
    """Return *had* without *cards*, as far as they are there: a seat may not have witnessed some."""
    left = list(had)
    for card in cards:
        if card in left:
            left.remove(card)
    return tuple(left)
