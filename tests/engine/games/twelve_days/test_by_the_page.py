"""The cards of 12 Days from its record, by docs/fairness.md alone, against the program's own replay."""

import json
from typing import Any

import pytest

from engine.record import encode_record
from engine.replay import replay
from tests.engine import by_the_page as page
from tests.engine.recorded import recorded
from tests.games import CASES

GAME = "twelve_days"
DECK = [rank for rank in range(1, 13) for _ in range(rank)]


class Hands:
    """Who holds what, by the page."""

    def __init__(self, record: dict[str, Any]) -> None:
        """After the first deal."""
        self.draws = page.Draws(page.seed(record))
        self.seats = len(record["seats"])
        self.dealt = 0
        self.left = 12 if record["options"]["length"] == "full" else 3
        self.deal((self.draws.pick("dealer", self.seats) + 1) % self.seats)

    def deal(self, leader: int) -> None:
        size = {7: 11, 8: 9}.get(self.seats, 12)
        deck = self.draws.shuffle(self.dealt, DECK)
        self.hands = [sorted(deck[size * seat : size * (seat + 1)]) for seat in range(self.seats)]
        self.leader, self.trick = leader, list[dict[str, Any]]()
        self.dealt += 1
        self.left -= 1

    def do(self, action: dict[str, Any]) -> None:
        """An action; with the last one of a trick somebody wins it, and perhaps the hand."""
        if "sits" in action:
            return
        seat = action["seat"]
        assert seat == (self.leader + len(self.trick)) % self.seats
        for card in action.get("play", []):
            self.hands[seat].remove(card)
        self.trick.append(action)
        if len(self.trick) < self.seats:
            return
        played = [each for each in self.trick if "play" in each]
        winner = min(reversed(played), key=lambda each: each["play"][0])["seat"]
        for each in played:
            if not self.hands[each["seat"]] and each["seat"] != winner:
                self.hands[each["seat"]] = each["play"]
        self.leader, self.trick = winner, []
        if not self.hands[winner] and self.left:
            self.deal(winner)


@pytest.mark.parametrize("seats", list(CASES[GAME].rules.seats))
def test_every_hand_is_as_the_page_says_t2_t4_t7_t8(seats: int) -> None:
    rules = CASES[GAME].rules
    for number, options in enumerate(CASES[GAME].options):
        record = recorded(GAME, seats, number, options)
        data = json.loads(encode_record(record))
        hands = Hands(data)
        for moment in replay(record):
            if moment.number:
                hands.do(data["actions"][moment.number - 1])
            state = rules.encode_audit_state(moment.after)
            assert state["hands"] == hands.hands
            assert state["leader"] == hands.leader or state["over"]
        assert hands.left == 0
