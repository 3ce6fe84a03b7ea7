"""The cards of 17 from its record, by docs/fairness.md alone, against the program's own replay."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from engine.record import encode_record
from engine.replay import replay
from tests.engine import by_the_page as page
from tests.engine.recorded import recorded
from tests.games import CASES

GAME = "diciassette"
DECK = [
    *(card for card in ("1", "2", "3", "4", "5") for _ in range(3)),
    *(card for card in ("1=", "2=", "3=", "4=", "5=") for _ in range(7)),
    *(card for card in ("reverse", "trash", "x2", "trap") for _ in range(5)),
]


class Piles:
    """Where every card lies, by the page."""

    def __init__(self, record: dict[str, Any]) -> None:
        """After the deal."""
        self.draws = page.Draws(page.seed(record))
        self.seats = len(record["seats"])
        deck = self.draws.shuffle(0, DECK)
        self.hands = [deck[3 * seat : 3 * seat + 3] for seat in range(self.seats)]
        self.draw = deck[3 * self.seats :]
        self.discard: list[str] = []
        self.shuffles: list[list[str]] = []
        self.turn = self.draws.pick("starter", self.seats)
        self.begin_round()

    def begin_round(self) -> None:
        self.queue: list[str] = []
        self.direction, self.long, self.played, self.doubled = 1, 1, 0, False

    def do(self, action: dict[str, Any]) -> None:
        if "call" in action:
            self.call(action["call"])
        elif "sits" not in action:
            self.play(action["seat"], action["play"], action["face"] == "up")

    def play(self, seat: int, card: str, up: bool) -> None:
        """A card is played; at the end of the turn its player draws."""
        assert seat == self.turn
        self.hands[seat].remove(card)
        self.last = seat
        if up and card == "trash":
            if self.queue:
                self.discard.append(self.queue.pop())
            self.discard.append(card)
        else:
            self.queue.append(card)
        if up and card == "reverse":
            self.direction = -self.direction
        if up and card == "x2":
            self.doubled = True
        self.played += 1
        if self.played == self.long or not self.hands[seat]:
            self.take(seat, self.long)
            self.turn = (seat + self.direction) % self.seats
            self.long, self.played, self.doubled = 2 if self.doubled else 1, 0, False

    def take(self, seat: int, n: int) -> None:
        if len(self.draw) < n:
            n -= len(self.draw)
            self.hands[seat] += self.draw
            self.draw = []
            if self.discard:
                self.draw = self.draws.shuffle(len(self.shuffles) + 1, self.discard)
                self.shuffles.append(self.draw)
                self.discard = []
        self.hands[seat] += self.draw[:n]
        self.draw = self.draw[n:]

    def call(self, callers: list[int]) -> None:
        """The end of a round."""
        first = self.last
        while first not in callers:
            first = (first + self.direction) % self.seats
        total = sum(int(card[0]) for card in self.queue if card[0].isdigit())
        starter = first if total >= 17 else self.last
        self.discard += self.queue
        self.begin_round()
        self.turn = starter
        for offset in range(self.seats):
            seat = (starter + offset) % self.seats
            if len(self.hands[seat]) < 3:
                self.take(seat, 3 - len(self.hands[seat]))


@pytest.mark.parametrize("seats", list(CASES[GAME].rules.seats))
def test_every_card_lies_where_the_page_says_d7_d11_d18(seats: int) -> None:
    reshuffled = 0
    for number in range(12):
        record = recorded(GAME, seats, number)
        data = json.loads(encode_record(record))
        piles = Piles(data)
        rules = CASES[GAME].rules
        seen: list[list[str]] = []
        for moment in replay(record):
            state = rules.encode_audit_state(moment.after)
            if moment.number:
                seen += rules.shuffle_orders(moment.events)
                if not state["over"]:
                    piles.do(data["actions"][moment.number - 1])
            if not state["over"]:
                there = {"draw": piles.draw, "discard": piles.discard, "turn": piles.turn, "direction": piles.direction}
                assert {key: state[key] for key in there} == there
                assert [sorted(hand) for hand in state["hands"]] == [sorted(hand) for hand in piles.hands]
                assert [laid["card"] for laid in state["queue"]] == piles.queue
        assert [json.dumps(order) for order in seen] == [json.dumps(order) for order in piles.shuffles]
        reshuffled += len(seen)
    assert reshuffled >= 12


def said(text: str, name: str, part: int = -1) -> str:
    """What the tables of the page say of *name*; the last time, or the one numbered *part*."""
    rows = [line.split("|") for line in text.splitlines() if line.startswith("|")]
    return [row[2].strip().strip("`") for row in rows if row[1].strip().strip("`") == name][part]


def test_the_example_on_the_page_is_as_computed_from_the_page() -> None:
    text = (Path(__file__).parents[4] / "docs" / "fairness.md").read_text("utf-8")
    (written,) = [line for line in text.splitlines() if line.startswith('{"actions"')]
    record = json.loads(written)
    assert page.canonical(record) == written
    assert record["secret"] == said(text, "secret")
    assert page.sha256(bytes.fromhex(record["secret"])) == record["commitment"] == said(text, "shuffle code")
    assert page.cut("Buon Natale") == record["seats"][0]["cut"] == said(text, "cut")
    assert page.deal_code(record) == said(text, "deal code")
    assert page.seed(record).hex() == said(text, "seed")
    sheet = page.sheet(record)
    assert page.canonical(sheet) in text.splitlines()
    coded = {key: sheet[key] for key in sheet if key != "message"} | {"commitment": record["commitment"]}
    assert page.canonical(coded) in text.splitlines()
    piles = Piles(record)
    for label in ("pick/starter", "shuffle/0"):
        assert bytes(islice(piles.draws.stream(label), 8)).hex(" ", 4) == said(text, label)
    assert str(piles.turn) == said(text, "first player")
    assert [" ".join(hand) for hand in piles.hands] == [said(text, f"hand of seat {seat}", 0) for seat in (0, 1)]
    assert " ".join(piles.draw[:6]) == said(text, "top of the draw pile")
    for action in record["actions"]:
        piles.do(action)
    assert [" ".join(hand) for hand in piles.hands] == [said(text, f"hand of seat {seat}") for seat in (0, 1)]
    assert " ".join(piles.discard) == said(text, "discard pile")
    assert str(piles.turn) == said(text, "next player")
