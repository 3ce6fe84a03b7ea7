"""Every button, select and form: handlers are found by custom_id, so that old messages work after a restart too.

A raw listener instead of persistent views: it halves the cost of a click, and avoids the pitfalls of ``DynamicItem``
(if two templates match, both fire; stopping one view unregisters the class for the whole bot).
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import discord
from discord.ext import commands

from bot.client import Bot, bot_of
from bot.custom_ids import Press, Verb, parse
from bot.refusals import Refusal, Why
from bot.tables.model import Table
from cogs import (
    game_clicks,
    lobby_clicks,
    me_clicks,
    menu_clicks,
    moderation_clicks,
    privacy_clicks,
    record_clicks,
    result_clicks,
    review_clicks,
    rules_clicks,
    setting_clicks,
)
from cogs.boundary import boundary
from cogs.visit import Visit

AT_A_TABLE: Final[Mapping[Verb, Callable[[Visit, Press, Table], Awaitable[None]]]] = {
    **dict.fromkeys(lobby_clicks.CHANGES, lobby_clicks.change_lobby),
    Verb.OPTIONS: lobby_clicks.ask_for_options,
    Verb.QUIT: lobby_clicks.leave,
    Verb.REMOVE_COMPUTER: lobby_clicks.remove_computer,
    Verb.CANCEL: lobby_clicks.close,
    Verb.CUT: lobby_clicks.ask_for_cut,
    Verb.MOVE: game_clicks.move,
    Verb.PICK: game_clicks.pick,
    Verb.CALL: game_clicks.call,
    Verb.HINT: game_clicks.hint,
    Verb.HAND: game_clicks.hand,
    Verb.HAND_BY_DM: game_clicks.hand_by_dm,
    Verb.RULES: rules_clicks.rules,
    Verb.MENU: menu_clicks.open_menu,
    Verb.HAPPENED: menu_clicks.what_happened,
    Verb.REMOVE: menu_clicks.remove,
    Verb.SIT: menu_clicks.sit_down,
    Verb.LEAVE: menu_clicks.leave,
    Verb.LEAVE_FOR_SURE: menu_clicks.leave_for_sure,
    Verb.COME_BACK: menu_clicks.come_back,
    Verb.REPLACE: menu_clicks.replace,
    Verb.END: menu_clicks.end,
    Verb.END_FOR_SURE: menu_clicks.end_for_sure,
    Verb.DOWN_HERE: menu_clicks.bring_down,
    Verb.REMATCH: menu_clicks.rematch,
    Verb.CHECK: record_clicks.check,
    Verb.CLOSE_FOR_SURE: moderation_clicks.close_for_sure,
}
"""The handler for each control of a table; it gets the newest version of the table that the custom_id names."""

FORMS: Final[Mapping[Verb, Callable[[Visit, Press, Table], Awaitable[None]]]] = {
    Verb.CUT: lobby_clicks.cut,
    Verb.OPTIONS: lobby_clicks.set_options,
}
"""The handler for each form that is submitted about a table."""
OTHER_FORMS: Final[Mapping[Verb, Callable[[Visit, Press], Awaitable[None]]]] = {
    Verb.NUMBERS: setting_clicks.numbers,
    Verb.BAN_FOR: moderation_clicks.ban,
}
"""The handler for each other form."""

WITHOUT_A_TABLE: Final[Mapping[Verb, Callable[[Visit, Press], Awaitable[None]]]] = {
    Verb.TOPIC: rules_clicks.topic,
    Verb.LEARN: rules_clicks.learn,
    Verb.REVIEW: review_clicks.review,
    Verb.STEP: review_clicks.step,
    Verb.REPLAY: review_clicks.choose,
    Verb.ME: me_clicks.me,
    Verb.PREFER: me_clicks.prefer,
    Verb.PROFILE: result_clicks.profile,
    Verb.RATE: result_clicks.rate,
    Verb.BOARDS: result_clicks.boards,
    Verb.PRIVACY: privacy_clicks.privacy,
    Verb.SHARE: privacy_clicks.share,
    Verb.EXPORT: privacy_clicks.export,
    Verb.ERASE: privacy_clicks.erase,
    Verb.ERASE_FOR_SURE: privacy_clicks.erase_for_sure,
    Verb.SETTING: setting_clicks.choose,
    Verb.NUMBERS: setting_clicks.ask_for_numbers,
    Verb.TABLES: moderation_clicks.tables,
    Verb.CLOSE: moderation_clicks.close,
    Verb.BAN: moderation_clicks.choose_person,
    Verb.BAN_FOR: moderation_clicks.ask_why,
    Verb.BANS: moderation_clicks.bans,
    Verb.LIFT: moderation_clicks.lift,
}


class Clicks(commands.Cog):
    """Serves all clicks and forms."""

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Serve *interaction* if it is a click on a button or select, or a form that is submitted. discord.py calls
        this for every interaction."""
        submitted = interaction.type is discord.InteractionType.modal_submit
        if not submitted and interaction.type is not discord.InteractionType.component:
            return
        if not await bot_of(interaction.client).reconciler.deadlines.in_time(interaction, private=True):
            return
        data: Any = interaction.data
        press = parse(str(data.get("custom_id", "")))
        async with boundary(interaction, press.verb.value if press else "unknown button") as visit:
            if press is None or (submitted and press.verb not in (*FORMS, *OTHER_FORMS)):
                raise Refusal(Why.BUTTON_DEAD)
            if submitted and press.verb in OTHER_FORMS:
                await OTHER_FORMS[press.verb](visit, press)
            elif submitted:
                await FORMS[press.verb](visit, press, await visit.look_at(press.table))
            elif press.verb in WITHOUT_A_TABLE:
                await WITHOUT_A_TABLE[press.verb](visit, press)
            else:
                await AT_A_TABLE[press.verb](visit, press, await visit.look_at(press.table))


async def setup(bot: Bot) -> None:
    """Add the cog to *bot*. discord.py calls this when it loads the extension."""
    await bot.add_cog(Clicks())
