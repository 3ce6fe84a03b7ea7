"""Looking things up: the rules at a table, their pages, a guided round."""

from bot.custom_ids import Press
from bot.present.lessons import lesson_sheet
from bot.present.registry import PRESENTERS
from bot.present.rules import rules_sheet
from bot.refusals import Refusal, Why
from bot.tables.model import Phase, Table
from cogs.visit import Visit


async def rules(visit: Visit, press: Press, table: Table) -> None:
    """Show the page that matters now, or the one that the button names."""
    scene = await visit.scene(table)
    now = PRESENTERS[scene.game].board.page_now(scene) if scene.phase is Phase.PLAYING else None
    await visit.tell(rules_sheet(scene.game, press.arg or now, visit.words))


async def topic(visit: Visit, press: Press) -> None:
    """Turn the page."""
    game, _, key = visit.chosen.partition(".")
    if game not in PRESENTERS:
        raise Refusal(Why.BUTTON_DEAD)
    await visit.turn_into(rules_sheet(game, key, visit.words))


async def learn(visit: Visit, press: Press) -> None:
    """Go on to the next step of the lesson."""
    game, _, step = press.arg.partition(".")
    if game not in PRESENTERS or not PRESENTERS[game].lesson:
        raise Refusal(Why.BUTTON_DEAD)
    presenter = PRESENTERS[game]
    await visit.turn_into(lesson_sheet(game, presenter.lesson, step, presenter.accent, visit.words))
