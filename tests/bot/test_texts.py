"""The catalogues are complete, and every message keeps Discord's limits in every language."""

import re
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import LOCALES, words
from bot.present import answers, menu
from bot.present.hand import hand_sheet
from bot.present.registry import PRESENTERS
from bot.present.rules import rules_sheet
from bot.present.sheet import Sheet
from bot.present.table import table_sheet
from bot.refusals import Why
from bot.tables import play
from bot.tables.model import Ending, Phase, Player
from bot.tables.scene import scene
from engine.errors import General
from engine.game import Seat
from local_discord import checks, commands
from local_discord.model import MessageFlag
from tests import texts
from tests.bot.test_play import FOUR, NOW, call, lay, pass_time, table
from tests.discord.play import open_club
from tests.games.diciassette import state

PLACEHOLDER = re.compile(r"\{(\w*)\}")
SOURCE = [message.id for message in texts.source() if message.id]


def forms(text: Any) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (str(text),)


@pytest.mark.parametrize("locale", texts.languages())
def test_a_catalogue_has_every_text_and_no_other(locale: str) -> None:
    catalog = texts.load(locale)
    ids = {forms(message.id) for message in catalog if message.id}
    assert ids == {forms(text) for text in SOURCE}, "run make texts"
    for message in catalog:
        if message.id:
            assert not message.fuzzy, message.id
            assert all(forms(message.string)), f"{locale}: no translation of {message.id!r}"


@pytest.mark.parametrize("locale", texts.languages())
def test_placeholders_are_the_same_in_every_language(locale: str) -> None:
    for message in texts.load(locale):
        if message.id:
            wanted = {name for form in forms(message.id) for name in PLACEHOLDER.findall(form)}
            for form in forms(message.string):
                assert set(PLACEHOLDER.findall(form)) == wanted, form


def test_four_languages() -> None:
    assert set(LOCALES) == {"en", "de", "it", "nl"}


@pytest.mark.parametrize("locale", LOCALES)
def test_every_reason_has_its_sentence_in_every_language(locale: str) -> None:
    facts = {
        "permissions": "x", "most": 6, "least": 2, "now": 1, "name": "Anna", "names": ["Anna", "Bruno"],
    }  # fmt: skip
    view = scene(table(FOUR), Seat(0), 1)
    view_game = table(FOUR).rules
    seen = set()
    for why in Why:
        seen.add(answers.refusal(why, facts, view, words(locale)))
    for reason in (*General, *view_game.reasons):
        seen.add(answers.illegal(reason, view, words(locale)))
    assert len(seen) >= len(Why)
    assert not any("{" in sentence for sentence in seen)


def sheets(locale: str) -> list[Sheet]:
    """Every kind of message, with names and queues at their longest."""
    t = words(locale)
    long = "W" * 40
    queue = " ".join(f"{i % 6}:{'P?' if i < 5 else 'T?' if i % 3 else '5='}" for i in range(30))
    six = table(state(["P R T"] * 6, turn=1, last=0, lies=queue))
    six = six._replace(players=tuple(Player(long, 100 + seat, by_dm=seat % 2 == 0) for seat in range(6)))
    running = [
        six,
        lay(table(FOUR), 1, at=NOW).table,
        call(table(FOUR), 2, at=NOW).table,
        pass_time(call(six, 2, at=NOW).table, NOW + 9000),
        table(state(["1", "R T X", "P"], turn=1, last=0, lies="0:X", owed=2)),
        table(state(["1", "", "P"], turn=1, last=0, lies="0:X", draw="")),
    ]
    won = pass_time(call(table(FOUR._replace(victory=(2, 2, 2, 2))), 2, at=NOW).table, NOW + 9000)
    over = [won, *(play.end(six, 100, long, moderator=True)._replace(ending=ending) for ending in Ending)]
    lobby = six._replace(phase=Phase.LOBBY, state=None, seed="")
    cancelled = lobby._replace(phase=Phase.OVER, ending=Ending.CANCELLED, ended_by=long)
    away = play.leave(six, 102)
    found = [table_sheet(scene(it, None, 1), t) for it in (*running, *over, lobby, cancelled, away)]
    found += [
        hand_sheet(scene(it, Seat(seat), 1), t, "notice " * 20)
        for it in (*running, *over, away)
        for seat in range(len(it.players))
        if it.ending is not Ending.CANCELLED
    ]
    mine = scene(six, Seat(0), 1)
    found += [menu.menu_sheet(mine, t, host=True, moderator=True), menu.leave_sheet(mine, t), menu.end_sheet(mine, t)]
    found += [answers.help_sheet(t), answers.apology("12345678", t)]
    found += [rules_sheet(game, topic.key, t) for game, presenter in PRESENTERS.items() for topic in presenter.topics]
    return found


@pytest.mark.parametrize("locale", LOCALES)
def test_every_message_keeps_discords_limits_in_every_language(locale: str) -> None:
    for sheet in sheets(locale):
        checks.check_message({"components": sheet.payload()}, MessageFlag.COMPONENTS_V2)


@pytest.mark.parametrize("locale", LOCALES)
def test_labels_are_short_enough_for_a_phone(locale: str) -> None:
    for sheet in sheets(locale):
        for component in checks.walk(sheet.payload()):
            if component["type"] == checks.BUTTON:
                assert len(component["label"]) <= 34, component["label"]
            if component["type"] == checks.ACTION_ROW:
                labels = [c.get("label", "") for c in component["components"] if c["type"] == checks.BUTTON]
                assert len(labels) < 5, labels


async def test_the_commands_are_registered_in_every_language(tmp_path: Path) -> None:
    async with open_club(tmp_path) as club:
        registered = next(r.json for r in club.env.http_requests if r.method == "PUT" and r.path.endswith("/commands"))
    commands.check(registered)
    by_name = {command["name"]: command for command in registered}
    assert set(by_name) == {"play", "table", "rules", "help"}
    assert by_name["play"]["name_localizations"] == {"de": "spielen", "it": "gioca", "nl": "spelen"}
    names = set()
    for command in registered:
        for item in (command, *command.get("options", [])):
            names.add("/" + item["name"])
            assert set(item["description_localizations"]) == {"de", "it", "nl"}
    assert names == {text for text in SOURCE if isinstance(text, str) and re.fullmatch(r"/\w+", text)}
