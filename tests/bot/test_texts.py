"""The catalogues are complete, and every message keeps Discord's limits in every language."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import LOCALES, words
from bot.pictures import symbols
from bot.pictures.canvas import png
from bot.pictures.picture import COLOURS
from bot.pictures.symbols import Emoji
from bot.present import answers, menu
from bot.present.hand_message import hand_sheet
from bot.present.lessons import lesson_sheet
from bot.present.registry import PRESENTERS
from bot.present.rules import rules_sheet
from bot.present.sheet import Sheet
from bot.present.table_message import table_sheet
from bot.refusals import Why
from bot.tables import play
from bot.tables.model import Ending, Held, Phase, Player, Table
from bot.tables.scene import scene
from engine.errors import General
from engine.fair import Fair
from engine.game import Seat
from engine.games.twelve_days.actions import Play
from local_discord import checks, commands
from local_discord.model import MessageFlag
from tests import texts
from tests.bot.test_play import FOUR, NOW, call, lay, pass_time, table
from tests.discord.play import open_club
from tests.games import twelve_days
from tests.games.diciassette import state

PLACEHOLDER = re.compile(r"\{(\w*)\}")
FAIR = Fair(bytes(32))
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


@pytest.mark.parametrize("locale", texts.languages())
def test_texts_name_commands_as_people_of_that_language_see_them(locale: str) -> None:
    """Discord shows the translated names: a text that says another one sends people looking in vain."""
    t = words(locale)
    names = {text: t(text) for text in SOURCE if isinstance(text, str) and re.fullmatch(r"/\w+", text)}
    for message in texts.load(locale):
        if message.id and message.id not in names:
            mentioned = [word for form in forms(message.id) for word in re.findall(r"(?<!\w)/\w+", form)]
            for form in forms(message.string):
                assert re.findall(r"(?<!\w)/\w+", form) == [names[word] for word in mentioned], form


def test_four_languages() -> None:
    assert set(LOCALES) >= {"en", "de", "it", "nl"}


@pytest.mark.parametrize("locale", LOCALES)
def test_every_reason_has_its_sentence_in_every_language(locale: str) -> None:
    facts = {
        "permissions": "x", "most": 6, "least": 2, "now": 1, "name": "Anna", "names": ["Anna", "Bruno"],
    }  # fmt: skip
    for it in (table(FOUR), DAYS, DAYS_LED):
        view = scene(it, Seat(0), 1)
        for_why = {answers.refusal(why, facts, view, words(locale)) for why in Why}
        for_reason = {answers.illegal(reason, view, words(locale)) for reason in it.rules.reasons}
        general = {answers.illegal(reason, view, words(locale)) for reason in General}
        assert len(for_why) == len(Why)
        assert len(for_reason) == len(it.rules.reasons)
        assert len(general) == len(General)
        assert not any("{" in sentence for sentence in for_why | for_reason | general)


def days(before: Any) -> Table:
    """A running table of 12 Days of Christmas, with the longest names."""
    players = tuple(Player("W" * 40, 100 + seat, by_dm=seat % 2 == 0) for seat in range(len(before.hands)))
    return table(FOUR)._replace(game="twelve_days", state=before, players=players)


DAYS = days(twelve_days.state(["2 3 4 5 6 7 8 9 10 11 12 12", *["12"] * 7]))
DAYS_LED = days(twelve_days.state(["2 2 3 3 4 4 5 5 6 6 7 7", "9 9"], lies="1:8 8"))


def days_sheets(locale: str) -> list[Sheet]:
    """Every kind of message of 12 Days of Christmas."""
    t = words(locale)
    last = "1 2 3 4 5 6 7 8 9 10 11 12"
    tables = [DAYS, DAYS_LED]
    led = DAYS.rules.apply(DAYS.state, Play(Seat(0), DAYS.state.hands[0][:11]), FAIR)
    tables.append(DAYS._replace(state=led.state, recent=led.events))
    for gifts in ((3,) * 8, (0,) * 8):
        # Seven go out and take back, the last one wins the hand: as much as can happen in one move.
        lies = ", ".join(f"{seat}:12" for seat in range(7))
        end = days(twelve_days.state([*[""] * 7, "11"], lies=lies, gifts=gifts, hand=3, hands_total=3))
        step = end.rules.apply(end.state, Play(Seat(7), (11,)), FAIR)
        over = end._replace(state=step.state, recent=step.events, outcome=step.events)
        tables += [over._replace(phase=Phase.OVER, ending=Ending.FINISHED), over._replace(state=DAYS.state)]
    tables.append(DAYS._replace(held=Held(Seat(0), {"seat": 0, "play": [*map(int, last.split())]}, NOW, NOW)))
    lobby = DAYS._replace(phase=Phase.LOBBY, state=None, seed="")
    found = [table_sheet(scene(it, None, 1), t) for it in (*tables, lobby)]
    for picked in ("", "set", "straight", "singleton"):
        found += [hand_sheet(scene(it, Seat(0), 1, picked), t, "notice " * 20) for it in tables]
    return found


def sheets(locale: str) -> list[Sheet]:
    """Every kind of message, with names and queues at their longest."""
    return [*days_sheets(locale), *queue_sheets(locale)]


def queue_sheets(locale: str) -> list[Sheet]:
    """Every kind of message of 17, and those that games share."""
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
    found += [lesson_sheet(it, step, t) for it in PRESENTERS.values() for step in it.lesson]
    found += [rules_sheet(game, topic.key, t) for game, presenter in PRESENTERS.items() for topic in presenter.topics]
    return found


@pytest.fixture
def emojis() -> Iterator[None]:
    """Discord has every drawing."""
    keys = [key for presenter in PRESENTERS.values() for key in presenter.drawings]
    symbols.use({key: Emoji(f"{key}__a1b2", 2**62) for key in keys})
    yield
    symbols.use({})


@pytest.mark.parametrize("locale", LOCALES)
def test_every_message_keeps_discords_limits_in_every_language(locale: str) -> None:
    for sheet in sheets(locale):
        checks.check_message({"components": sheet.payload}, MessageFlag.COMPONENTS_V2)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_message_keeps_discords_limits_with_drawings_too(locale: str, emojis: None) -> None:
    """Markup is longer than a text symbol; a queue of thirty cards is all drawings."""
    for sheet in sheets(locale):
        checks.check_message({"components": sheet.payload}, MessageFlag.COMPONENTS_V2)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_picture_is_small_and_says_what_it_shows(locale: str) -> None:
    found = {it.name: it for sheet in sheets(locale) for it in sheet.pictures}
    assert len(found) > 12
    for it in found.values():
        assert len(png(it.draw(), COLOURS)) < 100_000, it.name
        assert len(it.alt) <= 1024
        assert it.alt.strip()


@pytest.mark.parametrize("locale", LOCALES)
def test_a_message_without_its_pictures_is_complete(locale: str) -> None:
    for sheet in sheets(locale):
        kept = [c for c in checks.walk(sheet.without_pictures().payload) if c["type"] != checks.CONTAINER]
        assert kept == [c for c in checks.walk(sheet.payload) if c["type"] not in (checks.CONTAINER, checks.GALLERY)]


@pytest.mark.parametrize("locale", LOCALES)
def test_labels_are_short_enough_for_a_phone(locale: str) -> None:
    for sheet in sheets(locale):
        for component in checks.walk(sheet.payload):
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
    assert set(by_name) == {"play", "table", "rules", "help", "language", "learn"}
    assert by_name["play"]["name_localizations"] == {"de": "spielen", "it": "gioca", "nl": "spelen"}
    names = set()
    for command in registered:
        for item in (command, *command.get("options", [])):
            names.add("/" + item["name"])
            assert set(item["description_localizations"]) == {"de", "it", "nl"}
    assert names == {text for text in SOURCE if isinstance(text, str) and re.fullmatch(r"/\w+", text)}
