"""What there is to read: the rules page by page, why a click came to nothing, the guided round, the help."""

from pathlib import Path

import pytest

from bot.ui.custom_ids import Verb
from bot.ui.presenter import FIRST_STEP, AnyPresenter, RulesButton, RulesPage
from bot.ui.registry import PRESENTERS
from bot.ui.rules import rules_page_text
from engine.errors import General
from tests.discord.forged import a_move, forge
from tests.discord.messages import gallery, presses, private_text, reply, text_of, verbs
from tests.discord.play import Club, every_game, open_club
from tests.discord.world import EN

TEACHERS = [game for game, presenter in PRESENTERS.items() if presenter.lesson]
TEACHER = PRESENTERS[TEACHERS[0]]
"""The game whose lesson ``/learn`` shows."""


def heading(game: str, key: str | None) -> str:
    """What stands above the page *key* (``None``: the first) of *game*'s rules."""
    presenter = PRESENTERS[game]
    page = next((page for page in presenter.rules_pages if page.key == key), presenter.rules_pages[0])
    return f"## {EN(presenter.title)} · {EN(page.title)}"


def body(presenter: AnyPresenter, topic: RulesPage) -> str:
    """What stands on a page, with its symbols."""
    return rules_page_text(presenter, topic, EN)


async def test_the_rules_begin_with_their_first_page_and_turn_pages_in_place(club: Club) -> None:
    page = await club.anna.slash(club.channel, "rules", game=club.case.game)
    assert heading(club.case.game, None) in private_text(page)
    assert body(club.presenter, club.presenter.rules_pages[0]) in private_text(page)
    for topic in reversed(club.presenter.rules_pages):
        turned = await club.choose(club.anna, reply(page), Verb.TOPIC, f"{club.case.game}.{topic.key}")
        assert turned.acknowledged
        assert heading(club.case.game, topic.key) in text_of(page.response)
        assert body(club.presenter, topic) in text_of(page.response)


async def test_the_rules_are_leafed_through_to_the_end_and_back(club: Club) -> None:
    page = await club.anna.slash(club.channel, "rules", game=club.case.game)
    topics = [topic.key for topic in club.presenter.rules_pages]
    for label, order in (("Next page", topics), ("Previous page", topics[::-1])):
        for key in order[1:]:
            assert label in text_of(page.response)
            await club.press(club.anna, reply(page), Verb.TOPIC, f"{club.case.game}.{key}")
            assert heading(club.case.game, key) in text_of(page.response)
        assert label not in text_of(page.response)


async def test_the_rules_open_at_the_page_that_matters_now(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    for _ in range(4):
        for person in (club.anna, club.bruno, club.stranger):
            at_table = club.table().seat_of(person.id) is not None
            scene = club.scene(person if at_table else None)
            opened = await club.press(person, club.table_message(), Verb.RULES)
            assert heading(club.case.game, club.presenter.board.helpful_rules_page_key(scene)) in private_text(opened)
        await club.go_on()


async def test_why_not_is_one_click_away(club: Club) -> None:
    """Where a page of the rules explains a refusal, the refusal has a button for it."""
    await club.open(club.anna, club.bruno)
    answer = await forge(club, club.others()[0], a_move(club.table()), club.table_message())
    assert club.refusal(General.NOT_YOUR_TURN) in private_text(answer)
    page = club.presenter.pages_for.get(General.NOT_YOUR_TURN)
    assert (Verb.RULES in verbs(reply(answer))) is (page is not None)
    if page is not None:
        rules = await club.press(club.others()[0], reply(answer), Verb.RULES)
        assert heading(club.case.game, page) in private_text(rules)


@every_game
def test_every_page_that_explains_a_refusal_is_there(game: str) -> None:
    pages = {topic.key for topic in PRESENTERS[game].rules_pages}
    assert len(pages) == len(PRESENTERS[game].rules_pages) > 0
    assert set(PRESENTERS[game].pages_for.values()) <= pages


async def test_help_tells_the_commands_and_the_games(club: Club) -> None:
    text = private_text(await club.anna.slash(club.channel, "help"))
    assert "/table leave" in text and "/daily" in text and "in direct messages with me" in text
    assert EN(club.presenter.title) in text
    assert EN(club.presenter.teaser) in text


# The guided round


@pytest.mark.about(TEACHER.game)
async def test_the_guided_round_leads_from_step_to_step(tmp_path: Path) -> None:
    async with open_club(tmp_path, TEACHER.game) as club:
        answer = await club.anna.slash(club.channel, "learn")
        assert answer.ephemeral
        message = reply(answer)
        for _ in TEACHER.lesson:
            before = text_of(message)
            custom_id, _ = [press for press in presses(message) if press[1].verb is Verb.LEARN][-1]
            await club.anna.click(message, custom_id=custom_id)
            message = club.as_it_is(message)
            assert text_of(message) != before
            assert len(gallery(message)) == 1


@pytest.mark.parametrize("game", TEACHERS)
def test_every_step_of_the_guided_round_is_reached(game: str) -> None:
    lesson = PRESENTERS[game].lesson
    seen, waiting = {FIRST_STEP}, [FIRST_STEP]
    while waiting:
        for onward in lesson[waiting.pop()].buttons:
            if isinstance(onward, RulesButton):
                assert onward.page in {topic.key for topic in PRESENTERS[game].rules_pages}
            elif onward.to not in seen:
                seen.add(onward.to)
                waiting.append(onward.to)
    assert seen == set(lesson)


@pytest.mark.about(TEACHER.game)
async def test_a_forged_step_of_the_lesson_leaves_the_table_alone(club: Club) -> None:
    await club.open(club.anna, club.bruno)
    before = text_of(club.table_message())
    step = f"17/learn/a/0/{TEACHER.game}.{FIRST_STEP}"
    answer = await forge(club, club.carla, step, club.table_message())
    assert answer.ephemeral
    assert EN(TEACHER.lesson[FIRST_STEP].title) in private_text(answer)
    assert text_of(club.table_message()) == before
