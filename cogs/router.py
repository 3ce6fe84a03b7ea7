"""Routes every interaction to its handler: all commands, buttons, selects and forms.

Handlers of controls are found by custom_id, so old messages work after a restart too.

A raw listener instead of persistent views: it halves the cost of a click, and avoids the pitfalls of ``DynamicItem``
(if two templates match, both fire; stopping one view unregisters the class for the whole bot).
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import discord
from discord import app_commands

from bot.client import Bot, as_bot
from bot.tables.errors import Refusal, Why
from bot.tables.model import Table
from bot.ui.custom_ids import Press, Verb, parse_custom_id
from cogs import (
    daily,
    doctor,
    game,
    me,
    menu,
    moderation,
    play,
    privacy,
    profile,
    review,
    rules,
    settings,
    table,
    verify,
)
from cogs.context import Visit
from cogs.errors import serve_interaction

COMMANDS: Final[tuple[app_commands.Command[Any, ..., Any] | app_commands.Group, ...]] = (
    play.play_command,
    daily.daily_command,
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
    **dict.fromkeys(play.LOBBY_CHANGES, play.serve_lobby_button),
    Verb.START_DAY: daily.start_daily_attempt,
    Verb.OPTIONS: play.show_options_form,
    Verb.QUIT: play.leave_lobby,
    Verb.REMOVE_COMPUTER: play.remove_computer,
    Verb.CANCEL: play.close_lobby,
    Verb.CUT: play.show_cut_phrase_form,
    Verb.MOVE: game.make_move,
    Verb.PICK: game.show_controls_after_pick,
    Verb.CALL: game.make_call,
    Verb.NEXT: game.go_on_without_call,
    Verb.HINT: game.show_hint,
    Verb.HAND: game.show_hand_or_let_it_follow,
    Verb.HAND_BY_DM: game.send_hand_by_dm,
    Verb.RULES: rules.show_rules_page,
    Verb.MENU: menu.open_menu,
    Verb.HAPPENED: menu.show_round_history,
    Verb.REMOVE: menu.remove_person,
    Verb.SIT: menu.take_chosen_computer_seat,
    Verb.LEAVE: menu.ask_to_confirm_leave_game,
    Verb.LEAVE_FOR_SURE: menu.leave_game,
    Verb.COME_BACK: menu.come_back,
    Verb.REPLACE: menu.replace_with_computer,
    Verb.END: menu.ask_to_confirm_end_game,
    Verb.END_FOR_SURE: menu.end_game_early,
    Verb.DOWN_HERE: menu.resend_table_at_channel_bottom,
    Verb.REMATCH: menu.open_rematch,
    Verb.CHECK: verify.show_deal_verification,
    Verb.CLOSE_FOR_SURE: moderation.close_table,
}
"""The handler for each control of a table; it gets the newest version of the table named in the custom_id."""

FORMS: Final[Mapping[Verb, Callable[[Visit, Press, Table], Awaitable[None]]]] = {
    Verb.CUT: play.set_cut_phrase,
    Verb.OPTIONS: play.set_options,
}
"""The handler for each submitted form about a table."""
OTHER_FORMS: Final[Mapping[Verb, Callable[[Visit, Press], Awaitable[None]]]] = {
    Verb.NUMBERS: settings.save_number_settings,
    Verb.BAN_FOR: moderation.ban_person,
}
"""The handler for each other form."""

WITHOUT_A_TABLE: Final[Mapping[Verb, Callable[[Visit, Press], Awaitable[None]]]] = {
    Verb.DAY: daily.serve_todays_deal_button,
    Verb.RESULT: daily.show_daily_result,
    Verb.TELL: daily.share_daily_result,
    Verb.PRACTISE: daily.open_practice_table,
    Verb.TOPIC: rules.show_chosen_rules_page,
    Verb.LEARN: rules.show_lesson_step,
    Verb.REVIEW: review.show_game_summary,
    Verb.STEP: review.show_review_page,
    Verb.REPLAY: review.show_chosen_game,
    Verb.ME: me.show_preferences,
    Verb.PREFER: me.save_chosen_preference,
    Verb.PROFILE: profile.show_chosen_profile,
    Verb.RATE: profile.record_rating_choice,
    Verb.BOARDS: profile.set_leaderboards,
    Verb.PRIVACY: privacy.show_privacy,
    Verb.SHARE: privacy.save_sharing_choice,
    Verb.EXPORT: privacy.export_data,
    Verb.ERASE: privacy.ask_to_confirm_erase_data,
    Verb.ERASE_FOR_SURE: privacy.erase_data,
    Verb.SETTING: settings.save_chosen_setting,
    Verb.NUMBERS: settings.show_number_settings_form,
    Verb.TABLES: moderation.show_tables_page,
    Verb.CLOSE: moderation.ask_to_confirm_close_table,
    Verb.BAN: moderation.ask_ban_length,
    Verb.BAN_FOR: moderation.show_ban_reason_form,
    Verb.BANS: moderation.show_bans_page,
    Verb.LIFT: moderation.lift_ban,
}


async def on_interaction(interaction: discord.Interaction[Any]) -> None:
    """Find the handler for a click, select or submitted form by its custom_id, and call it; refuse an unknown one,
    ignore other interactions. discord.py calls this."""
    submitted = interaction.type is discord.InteractionType.modal_submit
    if not submitted and interaction.type is not discord.InteractionType.component:
        return
    if not await as_bot(interaction.client).reconciler.deadlines.acknowledge_if_late(interaction, private=True):
        return
    data: Any = interaction.data
    press = parse_custom_id(str(data.get("custom_id", "")))
    async with serve_interaction(interaction, press.verb.value if press else "unknown button") as visit:
        if press is None or (submitted and press.verb not in (*FORMS, *OTHER_FORMS)):
            raise Refusal(Why.BUTTON_DEAD)
        if submitted and press.verb in OTHER_FORMS:
            await OTHER_FORMS[press.verb](visit, press)
        elif submitted:
            await FORMS[press.verb](visit, press, await visit.load_table(press.table))
        elif press.verb in WITHOUT_A_TABLE:
            await WITHOUT_A_TABLE[press.verb](visit, press)
        else:
            await AT_A_TABLE[press.verb](visit, press, await visit.load_table(press.table))


async def answer_failed_command(interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
    """Answer a command that failed before our code ran, as an unknown one does, with a refusal; a bug in our own with
    an apology. discord.py calls this.

    Errors in our own commands are answered by ``serve_interaction``; one that still gets here is a bug.
    """
    async with serve_interaction(interaction, "unknown command"):
        if isinstance(error, app_commands.CommandInvokeError):
            raise error
        raise Refusal(Why.NO_SUCH_COMMAND)


async def setup(bot: Bot) -> None:
    """Register all commands and the listener for clicks with *bot*. discord.py calls this when it loads the
    extension."""
    for command in COMMANDS:
        bot.tree.add_command(command)
    bot.tree.error(answer_failed_command)
    bot.add_listener(on_interaction)
