"""The controls with which a move is made. A presenter offers *actions*; only this module knows what stands in a
custom_id, and what a click on it means.

A control carries the index of its action in what the view allows (``Game.actions``), and a mark: four characters of a
hash of the action. A click is valid only on the ply that its message showed, so the index means the same action as
then. After an update of the program it may not; then the mark differs, and nothing is played.
"""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from discord import ButtonStyle

from bot.custom_ids import Verb
from bot.pictures.symbols import Symbol
from bot.present.sheet import Item, Option, button, row, select
from bot.tables.errors import Refusal, Why
from bot.tables.scene import Scene
from engine.registry import GAMES

V = TypeVar("V")
A = TypeVar("A")

LIST: Final = 25
"""How many entries a select can hold. https://discord.com/developers/docs/components/reference#string-select"""
MOST: Final = 2 * LIST
"""More choices than this cannot be read as a list: a presenter must split them into groups that mean something."""

_ACTION: Final = re.compile(r"([0-9]{1,4})\.([0-9a-f]{4})(?:\.[0-9]+)?")
_LIST: Final = re.compile(r"list[0-9]+")
_CARDS: Final = re.compile(r"cards\.([0-9a-f]{4})")
_PLACE: Final = re.compile(r"[0-9]{1,3}")


class Choice(NamedTuple, Generic[A]):
    """An entry of a list of actions; ``symbol`` stands before the label."""

    label: str
    symbol: Symbol | None
    action: A


def _short_hash(text: str) -> str:
    """Four hexadecimal characters of a hash of *text*."""
    return hashlib.blake2b(text.encode(), digest_size=2).hexdigest()


@lru_cache(8192, typed=True)  # NamedTuples of two kinds with the same fields are equal
def mark(game: str, action: Any) -> str:
    """Four characters that differ for nearly all different actions of *game*."""
    return _short_hash(json.dumps(GAMES[game].encode_action(action), sort_keys=True))


class Offers(Generic[V, A]):
    """Makes the controls of one hand message. Buttons whose action the view does not allow are disabled."""

    def __init__(self, scene: Scene[V, A, Any]) -> None:
        self._scene = scene
        self._index = {(type(action), action): index for index, action in enumerate(scene.allowed)}
        self._made = 0

    def button(
        self, label: str, action: A, *, style: ButtonStyle = ButtonStyle.primary, symbol: Symbol | None = None
    ) -> Item:
        """A button that does *action*, to be put into a ``row``; several buttons may do the same action."""
        self._made += 1
        index = self._index.get((type(action), action))
        # Disabled ones hold no ply, so that the message stays the same, and needs no edit, while others play.
        arg = f"off{self._made}" if index is None else f"{self._reference(action, index)}.{self._made}"
        ply = 0 if index is None else self._scene.ply
        table = self._scene.table
        return button(label, Verb.MOVE, table, ply, arg, style=style, symbol=symbol, disabled=index is None)

    def choose(self, placeholder: str | Callable[[A, A], str], choices: Sequence[Choice[A]]) -> list[Item]:
        """Rows with one list of *choices*, or with two if there are more than ``LIST``.

        An empty list shows *placeholder*, or what it returns for the first and the last action in the list.

        Raises:
            ValueError: there are more than ``MOST``.
            KeyError: the view does not allow one of them.
        """
        if len(choices) > MOST:
            raise ValueError(f"{len(choices)} choices: group them, at most {MOST} in a list")
        rows: list[Item] = []
        for start in range(0, len(choices), LIST):
            some = choices[start : start + LIST]
            self._made += 1
            said = placeholder if isinstance(placeholder, str) else placeholder(some[0].action, some[-1].action)
            references = [self._reference(it.action, self._index[type(it.action), it.action]) for it in some]
            options = [Option(ref, it.label, False, it.symbol) for ref, it in zip(references, some, strict=True)]
            rows.append(row(select(Verb.MOVE, self._scene.table, said, options, self._scene.ply, f"list{self._made}")))
        return rows

    def groups(self, placeholder: str, groups: Sequence[tuple[str, str]]) -> Item:
        """A row with a list of groups, given as (label, key), to pick one; that is no move.

        The key that was picked is ``scene.picked`` until something happens in the game.
        """
        options = [Option(key, label, key == self._scene.picked) for label, key in groups]
        return row(select(Verb.PICK, self._scene.table, placeholder, options, self._scene.ply))

    def cards(self, placeholder: str, cards: Sequence[tuple[str, Symbol | None]]) -> Item:
        """A row with a list of the viewer's cards, to pick one or more; ``Hand.play_of`` says which play that is.

        *cards* are (label, symbol), in the order of ``view.hand``.
        """
        options = [Option(str(place), label, False, symbol) for place, (label, symbol) in enumerate(cards)]
        arg = f"cards.{_short_hash(repr(_hand(self._scene.view)))}"
        scene = self._scene
        return row(select(Verb.MOVE, scene.table, placeholder, options, scene.ply, arg, most=len(options)))

    def _reference(self, action: A, index: int) -> str:
        """How *action* is written into a custom_id or a value of a select: its *index*, and its mark."""
        return f"{index}.{mark(self._scene.game, action)}"


def action_of(game: str, view: V, arg: str, values: Sequence[str], play_of: Callable[[V, Sequence[Any]], A]) -> A:
    """The action that a clicked control of the hand message stands for.

    *arg* is from its custom_id, *values* are what was chosen if it is a select. *play_of* is the game's
    ``Hand.play_of``: what it returns may be illegal.

    Raises:
        Refusal: it stands for none that *view* allows: the program has changed, or the click is forged.
    """
    picked = _CARDS.fullmatch(arg)
    if picked is not None:
        hand = _hand(view)
        places = {int(value) for value in values if _PLACE.fullmatch(value)}
        if picked[1] != _short_hash(repr(hand)) or not values or len(places) != len(values) or max(places) >= len(hand):
            raise Refusal(Why.HAND_CHANGED)
        return play_of(view, [hand[place] for place in sorted(places)])
    if _LIST.fullmatch(arg) and len(values) == 1:
        arg = values[0]
    elif values:
        raise Refusal(Why.HAND_CHANGED)
    found = _ACTION.fullmatch(arg)
    allowed = GAMES[game].actions(view)
    if found is None or int(found[1]) >= len(allowed) or mark(game, allowed[int(found[1])]) != found[2]:
        raise Refusal(Why.HAND_CHANGED)
    action: A = allowed[int(found[1])]
    return action


def _hand(view: Any) -> Sequence[Any]:
    """The viewer's own cards. Empty if the game's view has no hand: only a forged click asks for one."""
    hand: Sequence[Any] = getattr(view, "hand", ())
    return hand
