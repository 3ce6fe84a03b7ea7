"""The door for controls: what was offered is the same action when it is clicked, and nothing else is taken."""

from collections import namedtuple
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from bot.i18n import words
from bot.tables.errors import Refusal, Why
from bot.tables.scene import AnyScene, make_scene
from bot.ui.components import MOST_OPTIONS, Component
from bot.ui.custom_ids import Verb, parse_custom_id
from bot.ui.hand_message import hand_sheet
from bot.ui.presenter import MOST_CHOICES, Choice, MoveControls, action_hash, decode_move_click
from engine.game import Seat
from tests.bot.moments import scenes, turns
from tests.controls import components, meant, moves, picks
from tests.games import CASES

LONGEST = 100
"""Characters of a custom_id, and of a value. https://discord.com/developers/docs/components/reference#custom-id"""
EN = words("en")

every_game = pytest.mark.parametrize("game", sorted(CASES))


def unused(view: Any, cards: Sequence[Any]) -> Any:
    """The ``play_from_cards`` of clicks on no cards."""
    raise AssertionError("no cards were picked")


def clicked(it: AnyScene, custom_id: str, *values: str) -> Any:
    """The action that a click means, in the game as *it* is."""
    press = parse_custom_id(custom_id)
    assert press is not None
    return decode_move_click(it.game, it.view, press.arg, values, unused)


def selects(rows: Sequence[Component]) -> list[Component]:
    """The select of each row."""
    return [row["components"][0] for row in rows]


def refused(it: AnyScene, arg: str, *values: str, play_of: Any = unused) -> bool:
    """Whether a click with *arg* and *values* gives a fresh hand."""
    with pytest.raises(Refusal) as caught:
        decode_move_click(it.game, it.view, arg, values, play_of)
    return caught.value.why is Why.HAND_CHANGED


# There and back


@every_game
def test_every_action_comes_back_from_a_button(game: str) -> None:
    for it in scenes(game):
        offers = MoveControls(it)
        for action in it.allowed:
            button = offers.button("x", action)
            assert not button["disabled"]
            assert clicked(it, button["custom_id"]) == action
            press = parse_custom_id(button["custom_id"])
            assert press is not None
            assert (press.verb, press.table, press.ply) == (Verb.MOVE, it.table, it.ply)


@every_game
def test_every_action_comes_back_from_a_list(game: str) -> None:
    for it in scenes(game):
        offers = MoveControls(it)
        for start in range(0, len(it.allowed), MOST_CHOICES):
            some = it.allowed[start : start + MOST_CHOICES]
            lists = selects(offers.select_rows("x", [Choice(str(n), None, action) for n, action in enumerate(some)]))
            found = [clicked(it, item["custom_id"], option["value"]) for item in lists for option in item["options"]]
            assert tuple(found) == some


@every_game
def test_hands_offer_exactly_what_the_rules_allow(game: str) -> None:
    """On some control, after a step on the way where moves are grouped; and no custom_id stands there twice."""
    for table, seat in turns(game):
        hand = SimpleNamespace(components=hand_sheet(make_scene(table, seat, 1), EN).payload)
        offered = []
        for picked in ("", *(group.values[0] for group in picks(hand) if group.values)):
            shown = SimpleNamespace(components=hand_sheet(make_scene(table, seat, 1, picked), EN).payload)
            offered += [meant(table, seat, offer) for offer in moves(shown)]
            check_custom_ids(shown)
        assert set(offered) == set(make_scene(table, seat, 1).allowed)


@every_game
def test_hands_of_the_others_offer_nothing(game: str) -> None:
    for table, on_turn in turns(game):
        for seat in map(Seat, range(len(table.players))):
            shown = SimpleNamespace(components=hand_sheet(make_scene(table, seat, 1), EN).payload)
            check_custom_ids(shown)
            assert bool(moves(shown) or picks(shown)) is (seat == on_turn)


def check_custom_ids(message: Any) -> None:
    """All of them are short, ours, and there once; so are the values of each list."""
    ids = [component["custom_id"] for component in components(message) if "custom_id" in component]
    assert len(set(ids)) == len(ids)
    for component in components(message):
        if "custom_id" in component:
            assert parse_custom_id(component["custom_id"]) is not None
            assert len(component["custom_id"]) <= LONGEST
        values = [option["value"] for option in component.get("options", [])]
        assert len(set(values)) == len(values) <= MOST_OPTIONS
        assert all(0 < len(value) <= LONGEST for value in values)


# Nothing else


@every_game
def test_the_index_and_the_mark_must_fit_together(game: str) -> None:
    for it in scenes(game):
        marks = [action_hash(game, action) for action in it.allowed]
        for index, own in enumerate(marks):
            others = [other for other in marks if other != own]
            wrong = f"{int(own, 16) ^ 1:04x}"
            for text in [f"{index}.{wrong}", f"{len(marks) + index}.{own}", *(f"{index}.{other}" for other in others)]:
                assert refused(it, text)
                assert refused(it, f"{text}.1")
                assert refused(it, "list1", text)


@every_game
def test_a_control_of_another_moment_is_the_same_action_or_none(game: str) -> None:
    """As after an update of the program that lists actions in another order."""
    known = list(scenes(game))
    same = none = 0
    for then, now in zip(known, known[1:] + known[:1], strict=True):
        for action in then.allowed:
            button = MoveControls(then).button("x", action)
            try:
                assert clicked(now, button["custom_id"]) == action
                same += 1
            except Refusal as no:
                assert no.why is Why.HAND_CHANGED
                none += 1
    assert none > 0
    assert same + none > 20


@every_game
def test_what_is_in_no_form_of_ours_is_refused(game: str) -> None:
    it = next(scenes(game))
    own = f"0.{action_hash(game, it.allowed[0])}"
    assert decode_move_click(game, it.view, own, (), unused) == it.allowed[0]
    for arg in ("", "0-up", "pass", "play0", "cards", "off1", "list1", own[2:], "0.", f"-{own}", f"{own}.", f"{own}.x"):
        assert refused(it, arg)
    for arg in (f" {own}", f"{own}\n", f"00000{own}", own.upper() + "G", own.replace("0.", "٠.", 1)):
        assert refused(it, arg)
        assert refused(it, "list1", arg)
    for values in ([own, own], ["x"], [""], [own, "1"]):
        assert refused(it, "list1", *values)
    for arg in (own, f"{own}.1", "list", "listx", "list1.1", "off1", ""):
        assert refused(it, arg, own)


# What controls look like


@every_game
def test_an_action_of_another_kind_with_equal_fields_is_another_action(game: str) -> None:
    """NamedTuples of two kinds with the same fields are equal: a pass must not stand for a draw."""
    it = next(iter(scenes(game)))
    kind = type(it.allowed[0])
    other: Any = namedtuple("other", kind._fields)
    impostor = other(*it.allowed[0])
    assert impostor == it.allowed[0]
    assert MoveControls(it).button("x", impostor)["disabled"]
    assert not MoveControls(it).button("x", it.allowed[0])["disabled"]


@every_game
def test_a_button_for_what_is_not_allowed_is_disabled_and_stays_the_same_while_others_play(game: str) -> None:
    first, *others = scenes(game)
    later = next(it for it in others if it.ply > first.ply and not set(it.allowed) & set(first.allowed))
    buttons = [
        MoveControls(later._replace(ply=ply)).button("x", first.allowed[0]) for ply in (later.ply, later.ply + 1)
    ]
    assert all(button["disabled"] for button in buttons)
    assert buttons[0] == buttons[1]
    offers = MoveControls(later)
    assert len({offers.button("x", action)["custom_id"] for action in first.allowed * 2}) == 2 * len(first.allowed)
    press = parse_custom_id(buttons[0]["custom_id"])
    assert press is not None
    assert refused(later, press.arg), "a forger cannot use it either"


@every_game
def test_there_is_no_list_of_too_much_or_of_what_is_not_allowed(game: str) -> None:
    first, *others = scenes(game)
    with pytest.raises(ValueError, match="group them"):
        MoveControls(first).select_rows("x", [Choice("x", None, first.allowed[0])] * (MOST_CHOICES + 1))
    foreign = next(action for it in others for action in it.allowed if action not in first.allowed)
    with pytest.raises(KeyError):
        MoveControls(first).select_rows("x", [Choice("x", None, foreign)])


# Cards picked one by one


def of_cards(it: AnyScene) -> tuple[str, list[Any]]:
    """(what stands in the custom_id of the list of the viewer's cards, the cards)."""
    hand = list(it.view.hand)
    (select,) = selects([MoveControls(it).card_select("x", [(str(card), None) for card in hand])])
    assert (select["max_values"], [option["value"] for option in select["options"]]) == (
        len(hand),
        [str(place) for place in range(len(hand))],
    )
    press = parse_custom_id(select["custom_id"])
    assert press is not None
    return press.arg, hand


def together(view: Any, cards: Sequence[Any]) -> Any:
    """A ``play_from_cards`` for any game: the cards."""
    return tuple(cards)


@every_game
def test_positions_are_the_cards_that_stood_there(game: str) -> None:
    for it in scenes(game):
        arg, hand = of_cards(it)
        everything = [str(place) for place in range(len(hand))]
        assert decode_move_click(game, it.view, arg, everything[::-1], together) == tuple(hand)
        for place in range(len(hand)):
            assert decode_move_click(game, it.view, arg, [str(place)], together) == (hand[place],)


@every_game
def test_positions_that_are_none_and_those_in_another_hand_are_refused(game: str) -> None:
    first, *others = scenes(game)
    arg, hand = of_cards(first)
    beyond = str(len(hand))
    for values in ([], [beyond], ["0", beyond], ["0", "0"], ["0", "00"], ["-1"], ["²"], ["٠"], ["x"], [""], ["0000"]):
        assert refused(first, arg, *values, play_of=together), values
    different = [it for it in others if list(it.view.hand) != hand]
    assert different
    for it in different:
        assert refused(it, arg, "0", play_of=together)
    for wrong in ("cards", "cards.", f"{arg}0"):
        assert refused(first, wrong, "0", play_of=together)
