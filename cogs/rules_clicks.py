"""The controls for reading: the rules at a table, their pages, a guided round."""

from bot.custom_ids import Press
from bot.present.dealing import deal_lines
from bot.present.lessons import lesson_sheet
from bot.present.registry import PRESENTERS
from bot.present.rules import rules_sheet
from bot.refusals import Refusal, Why
from bot.tables.model import Phase, Table
from cogs.visit import Visit


async def rules(visit: Visit, press: Press, table: Table) -> None:
    """Show the page of the rules that the button names, or the one that matters most now."""
    scene = await visit.scene(table)
    now = PRESENTERS[scene.game].board.page_now(scene) if scene.phase is Phase.PLAYING else None
    await visit.tell(rules_sheet(scene.game, press.arg or now, visit.words, deal_lines(scene, visit.words)))


async def topic(visit: Visit, press: Press) -> None:
    """Show the chosen page of the rules, or the one that the button names, in place of what the message shows."""
    game, _, key = (press.arg or visit.chosen).partition(".")
    if game not in PRESENTERS:
        raise Refusal(Why.BUTTON_DEAD)
    await visit.turn_into(rules_sheet(game, key, await visit.words_here()))


async def learn(visit: Visit, press: Press) -> None:
    """Show the step of the lesson to which the button leads, in place of the present one."""
    game, _, step = press.arg.partition(".")
    if game not in PRESENTERS or not PRESENTERS[game].lesson:
        raise Refusal(Why.BUTTON_DEAD)
    presenter = PRESENTERS[game]
    await visit.turn_into(lesson_sheet(game, presenter.lesson, step, presenter.accent, visit.words))
