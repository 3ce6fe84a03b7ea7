"""The controls of what people choose for themselves: their message, and each choice in it."""

from bot.custom_ids import Press
from bot.present.preferences import chosen_change, preferences_sheet
from cogs.visit import Visit


async def me(visit: Visit, press: Press) -> None:
    """Show the person what they have chosen for themselves, in place of the menu."""
    await visit.turn_into(preferences_sheet(visit.bot.people.preferences(visit.user), await visit.words_here()))


async def prefer(visit: Visit, press: Press) -> None:
    """Record what the person has chosen, have it hold at every table where they sit, and show it."""
    change = chosen_change(press.arg, visit.chosen)
    chosen = await visit.bot.people.change(visit.user, lambda it: it._replace(**change))
    now = {field: value for field, value in chosen.player(visit.discord_locale).items() if field in change}
    if "by_dm" in now:
        now["refuses_dms"] = False
        if now["by_dm"]:
            await visit.bot.reconciler.direct.wanted_again(visit.user)
    await visit.bot.changes.preferences(visit.user, **now)
    await visit.turn_into(preferences_sheet(chosen, await visit.words_here()))
