"""Everything that people can ask for: the commands, and every button, select and form. Handlers of the latter are found
by custom_id, so that old messages work after a restart too.

A raw listener instead of persistent views: it halves the cost of a click, and avoids the pitfalls of ``DynamicItem``
(if two templates match, both fire; stopping one view unregisters the class for the whole bot).
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import discord
from discord import app_commands

from bot.client import Bot, bot_of
from bot.tables.errors import Refusal, Why
from bot.tables.model import Table
from bot.ui.custom_ids import Press, Verb, parse_custom_id
from cogs import doctor, game, me, menu, moderation, play, privacy, profile, review, rules, settings, table, verify
from cogs.context import Visit
from cogs.errors import boundary

COMMANDS: Final[tuple[app_commands.Command[Any, ..., Any] | app_commands.Group, ...]] = (
    play.play_command,
    table.table_commands,
    rules.rules_command,
    rules.help_command,
    rules.learn_command,
    settings.language_command,
    me.me_command,
    review.replay_command,
    verify.verify_command,
    profile.profile_command,
    profile.leaderboard_command,
    privacy.privacy_command,
    settings.settings_command,
    doctor.doctor_command,
    moderation.tables_command,
)
"""All slash commands."""

AT_A_TABLE: Final[Mapping[Verb, Callable[[Visit, Press, Table], Awaitable[None]]]] = {
    **dict.fromkeys(play.CHANGES, play.change_lobby),
    Verb.OPTIONS: play.ask_for_options,
    Verb.QUIT: play.leave,
    Verb.REMOVE_COMPUTER: play.remove_computer,
    Verb.CANCEL: play.close,
    Verb.CUT: play.ask_for_cut,
    Verb.MOVE: game.move,
    Verb.PICK: game.pick,
    Verb.CALL: game.call,
    Verb.HINT: game.hint,
    Verb.HAND: game.hand,
    Verb.HAND_BY_DM: game.hand_by_dm,
    Verb.RULES: rules.rules,
    Verb.MENU: menu.open_menu,
    Verb.HAPPENED: menu.what_happened,
    Verb.REMOVE: menu.remove,
    Verb.SIT: menu.sit_down,
    Verb.LEAVE: menu.leave,
    Verb.LEAVE_FOR_SURE: menu.leave_for_sure,
    Verb.COME_BACK: menu.come_back,
    Verb.REPLACE: menu.replace,
    Verb.END: menu.end,
    Verb.END_FOR_SURE: menu.end_for_sure,
    Verb.DOWN_HERE: menu.bring_down,
    Verb.REMATCH: menu.rematch,
    Verb.CHECK: verify.check,
    Verb.CLOSE_FOR_SURE: moderation.close_for_sure,
}
"""The handler for each control of a table; it gets the newest version of the table that the custom_id names."""

FORMS: Final[Mapping[Verb, Callable[[Visit, Press, Table], Awaitable[None]]]] = {
    Verb.CUT: play.cut,
    Verb.OPTIONS: play.set_options,
}
"""The handler for each form that is submitted about a table."""
OTHER_FORMS: Final[Mapping[Verb, Callable[[Visit, Press], Awaitable[None]]]] = {
    Verb.NUMBERS: settings.numbers,
    Verb.BAN_FOR: moderation.ban,
}
"""The handler for each other form."""

WITHOUT_A_TABLE: Final[Mapping[Verb, Callable[[Visit, Press], Awaitable[None]]]] = {
    Verb.TOPIC: rules.topic,
    Verb.LEARN: rules.learn,
    Verb.REVIEW: review.review,
    Verb.STEP: review.step,
    Verb.REPLAY: review.choose,
    Verb.ME: me.me,
    Verb.PREFER: me.prefer,
    Verb.PROFILE: profile.profile,
    Verb.RATE: profile.rate,
    Verb.BOARDS: profile.boards,
    Verb.PRIVACY: privacy.privacy,
    Verb.SHARE: privacy.share,
    Verb.EXPORT: privacy.export,
    Verb.ERASE: privacy.erase,
    Verb.ERASE_FOR_SURE: privacy.erase_for_sure,
    Verb.SETTING: settings.choose,
    Verb.NUMBERS: settings.ask_for_numbers,
    Verb.TABLES: moderation.tables,
    Verb.CLOSE: moderation.close,
    Verb.BAN: moderation.choose_person,
    Verb.BAN_FOR: moderation.ask_why,
    Verb.BANS: moderation.bans,
    Verb.LIFT: moderation.lift,
}


async def on_interaction(interaction: discord.Interaction[Any]) -> None:
    """Serve *interaction* if it is a click on a button or select, or a form that is submitted. discord.py calls
    this for every interaction."""
    submitted = interaction.type is discord.InteractionType.modal_submit
    if not submitted and interaction.type is not discord.InteractionType.component:
        return
    if not await bot_of(interaction.client).reconciler.deadlines.in_time(interaction, private=True):
        return
    data: Any = interaction.data
    press = parse_custom_id(str(data.get("custom_id", "")))
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


async def unknown_command(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
    """Answer a command that failed before any code of ours ran, such as an unknown one. discord.py calls this.

    Errors in our own commands are answered by their ``boundary``; one that still gets here is a bug.
    """
    async with boundary(interaction, "unknown command"):
        if isinstance(error, app_commands.CommandInvokeError):
            raise error
        raise Refusal(Why.NO_SUCH_COMMAND)


async def setup(bot: Bot) -> None:
    """Have *bot* serve all commands and clicks. discord.py calls this when it loads the extension."""
    for command in COMMANDS:
        bot.tree.add_command(command)
    bot.tree.error(unknown_command)
    bot.add_listener(on_interaction)
