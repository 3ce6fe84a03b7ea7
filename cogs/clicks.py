"""Every button and select: one dispatcher by custom_id, so that old messages work after a restart too.

A raw listener instead of persistent views: half the cost of a click, and none of the traps of ``DynamicItem``
(two matching templates both fire; a stopped view unregisters the class for the whole bot).
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord
from discord.ext import commands

from bot.client import Bot
from bot.custom_ids import Press, Verb, parse
from bot.delivery.slots import TABLE, hand_slot, here_slot
from bot.present import answers, menu
from bot.present.lesson import lesson_sheet
from bot.present.registry import PRESENTERS
from bot.present.rules import rules_sheet
from bot.refusals import Refusal, Why
from bot.tables.model import TURN_SECONDS, Pace, Phase, Table
from bot.tables.play import Clicked, Outcome
from cogs.boundary import boundary, sentence
from cogs.hands import show_hand
from cogs.table import moved
from cogs.visit import Visit
from engine.errors import IllegalAction
from engine.game import Seat

SOON_MS: Final = 700
"""A click whose effect is this near waits for it, and is answered once."""
PATIENCE_MS: Final = 950
"""No click waits longer for its answer."""

Handler = Callable[[Visit, Press], Awaitable[None]]


class Clicks(commands.Cog):
    """Serves clicks."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._handlers: dict[Verb, Handler] = {
            Verb.JOIN: self._join,
            Verb.QUIT: self._quit,
            Verb.ADD_COMPUTER: self._add_computer,
            Verb.REMOVE_COMPUTER: self._remove_computer,
            Verb.START: self._start,
            Verb.CANCEL: self._cancel,
            Verb.PACE: self._pace,
            Verb.TURN_LIMIT: self._turn_limit,
            Verb.OPTION: self._option,
            Verb.MOVE: self._move,
            Verb.PICK: self._pick,
            Verb.SHOUT: self._shout,
            Verb.HAND: self._hand,
            Verb.RULES: self._rules,
            Verb.TOPIC: self._topic,
            Verb.LEARN: self._learn,
            Verb.MENU: self._menu,
            Verb.LEAVE: self._leave,
            Verb.LEAVE_FOR_SURE: self._leave_for_sure,
            Verb.COME_BACK: self._come_back,
            Verb.REPLACE: self._replace,
            Verb.END: self._end,
            Verb.END_FOR_SURE: self._end_for_sure,
            Verb.HAND_BY_DM: self._hand_by_dm,
            Verb.DOWN_HERE: self._down_here,
            Verb.REMATCH: self._rematch,
        }

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Serve *interaction* if it is a click."""
        if interaction.type is not discord.InteractionType.component:
            return
        data: Any = interaction.data
        press = parse(str(data.get("custom_id", "")))
        async with boundary(interaction, press.verb.value if press else "unknown button") as visit:
            if press is None:
                raise Refusal(Why.BUTTON_DEAD)
            if press.verb not in (Verb.TOPIC, Verb.LEARN):
                visit.table = await self._bot.tables.get(press.table)
            await self._handlers[press.verb](visit, press)

    # The lobby

    async def _join(self, visit: Visit, press: Press) -> None:
        self._lobby(visit, await self._bot.tables.join(press.table, visit.player()))

    async def _quit(self, visit: Visit, press: Press) -> None:
        self._lobby(visit, await self._bot.tables.quit(press.table, visit.user))

    async def _add_computer(self, visit: Visit, press: Press) -> None:
        self._lobby(visit, await self._bot.tables.add_computer(press.table, visit.user))

    async def _remove_computer(self, visit: Visit, press: Press) -> None:
        self._lobby(visit, await self._bot.tables.remove_computer(press.table, visit.user))

    async def _start(self, visit: Visit, press: Press) -> None:
        self._lobby(visit, await self._bot.tables.start(press.table, visit.user))

    async def _cancel(self, visit: Visit, press: Press) -> None:
        tables = self._bot.tables
        self._lobby(visit, await tables.cancel(press.table, visit.user, visit.name, visit.moderator))

    async def _pace(self, visit: Visit, press: Press) -> None:
        value = _chosen(visit)
        if value not in {pace.value for pace in Pace}:
            raise Refusal(Why.BUTTON_DEAD)
        self._lobby(visit, await self._bot.tables.set_pace(press.table, visit.user, Pace(value)))

    async def _turn_limit(self, visit: Visit, press: Press) -> None:
        value = _chosen(visit)
        if value not in {str(seconds) for seconds in TURN_SECONDS}:
            raise Refusal(Why.BUTTON_DEAD)
        self._lobby(visit, await self._bot.tables.set_turn_limit(press.table, visit.user, int(value)))

    async def _option(self, visit: Visit, press: Press) -> None:
        self._lobby(visit, await self._bot.tables.set_game_option(press.table, visit.user, press.arg, _chosen(visit)))

    def _lobby(self, visit: Visit, table: Table) -> None:
        visit.table = table
        self._bot.reconciler.answer(table, TABLE, visit.interaction)

    # The game

    async def _move(self, visit: Visit, press: Press) -> None:
        assert visit.table is not None
        values = _values(visit)

        def choose(table: Table, seat: Seat) -> Any:
            return PRESENTERS[table.game].move(table.rules.view(table.state, seat), press.arg, values)

        try:
            clicked = await self._bot.tables.move(press.table, visit.user, press.ply, choose, visit.at)
        except (Refusal, IllegalAction) as no:
            await self._refuse_at_hand(visit, no)
            return
        visit.table = clicked.table
        if _private(visit):
            await self._answer_move(visit, clicked)
        else:  # no hand stands there: a forged click that was a legal move all the same
            await visit.interaction.response.defer()

    async def _answer_move(self, visit: Visit, clicked: Clicked) -> None:
        table = clicked.table
        slot = await self._hand_clicked(visit, table)
        held = table.held
        now = self._bot.clock.now()
        if clicked.outcome in (Outcome.HELD, Outcome.REPEATED) and held is not None and held.due - now <= SOON_MS:
            self._bot.reconciler.answer_after(table, slot, visit.interaction, now + PATIENCE_MS)
        else:
            self._bot.reconciler.answer(table, slot, visit.interaction)

    async def _pick(self, visit: Visit, press: Press) -> None:
        if not _private(visit):
            raise Refusal(Why.BUTTON_DEAD)
        try:
            visit.table = table = await self._bot.tables.pick(press.table, visit.user, press.ply)
        except (Refusal, IllegalAction) as no:
            await self._refuse_at_hand(visit, no)
            return
        slot = await self._hand_clicked(visit, table)
        self._bot.reconciler.answer_with_pick(table, slot, visit.interaction, press.arg or _chosen(visit))

    async def _shout(self, visit: Visit, press: Press) -> None:
        assert visit.table is not None
        try:
            clicked = await self._bot.tables.shout(press.table, visit.user, press.ply, visit.at)
        except (Refusal, IllegalAction) as no:
            await self._refuse_at_hand(visit, no)
            return
        visit.table = table = clicked.table
        slot = await self._bot.reconciler.slot_of(table, visit.interaction)
        if slot is None and not _private(visit):
            # An old table message, or the controls of an answer: the table itself shows the call.
            await visit.tell(answers.note(visit.words("Your call is in: the table shows it.")))
            return
        slot = slot or await self._hand_clicked(visit, table)
        if slot == TABLE or clicked.outcome is Outcome.LANDED:
            self._bot.reconciler.answer(table, slot, visit.interaction)
        else:
            said = visit.words(PRESENTERS[table.game].shouted)
            await self._bot.reconciler.answer_with_notice(table, slot, visit.interaction, said)

    async def _hand_clicked(self, visit: Visit, table: Table) -> str:
        """The slot of the hand message that was clicked; an older one of the person's becomes the current one."""
        reconciler, message = self._bot.reconciler, visit.interaction.message
        seat = table.seat_of(visit.user)
        assert seat is not None and message is not None
        name = await reconciler.slot_of(table, visit.interaction)
        if name is None:
            name = here_slot(seat) if message.flags.ephemeral else hand_slot(seat)
            await reconciler.adopt(table, name, visit.interaction)
        return name

    async def _refuse_at_hand(self, visit: Visit, no: Refusal | IllegalAction) -> None:
        """Say no inside the hand message that was clicked, which also gets fresh buttons; anywhere else by a
        private answer."""
        assert visit.table is not None
        visit.table = table = await self._bot.tables.get(visit.table.id)
        if table.seat_of(visit.user) is None or table.phase is Phase.LOBBY or not _private(visit):
            raise no
        slot = await self._hand_clicked(visit, table)
        await self._bot.reconciler.answer_with_notice(table, slot, visit.interaction, await sentence(visit, no))

    async def _hand(self, visit: Visit, press: Press) -> None:
        table = await self._bot.tables.get(press.table)
        if press.arg == "stay":
            table = await self._bot.tables.update_player(press.table, visit.user, by_dm=False)
        await show_hand(visit, table)

    async def _hand_by_dm(self, visit: Visit, press: Press) -> None:
        await self._bot.tables.update_player(press.table, visit.user, by_dm=True)
        await visit.turn_into(answers.note(visit.words("Your hand comes by direct message again.")))

    # Looking things up

    async def _rules(self, visit: Visit, press: Press) -> None:
        assert visit.table is not None
        scene = await visit.scene(visit.table)
        page = press.arg or (PRESENTERS[scene.game].page_now(scene) if scene.phase is Phase.PLAYING else None)
        await visit.tell(rules_sheet(scene.game, page, visit.words))

    async def _topic(self, visit: Visit, press: Press) -> None:
        game, _, topic = _chosen(visit).partition(".")
        if game not in PRESENTERS:
            raise Refusal(Why.BUTTON_DEAD)
        await visit.turn_into(rules_sheet(game, topic, visit.words))

    async def _learn(self, visit: Visit, press: Press) -> None:
        game, _, step = press.arg.partition(".")
        if game not in PRESENTERS or not PRESENTERS[game].lesson:
            raise Refusal(Why.BUTTON_DEAD)
        await visit.turn_into(lesson_sheet(PRESENTERS[game], step, visit.words))

    # The menu

    async def _menu(self, visit: Visit, press: Press) -> None:
        table = visit.table
        assert table is not None
        if table.phase is Phase.OVER:
            raise Refusal(Why.GAME_FINISHED)
        sheet = menu.menu_sheet(
            await visit.scene(table), visit.words, host=visit.user == table.host, moderator=visit.moderator
        )
        await visit.tell(sheet)

    async def _leave(self, visit: Visit, press: Press) -> None:
        assert visit.table is not None
        await visit.turn_into(menu.leave_sheet(await visit.scene(visit.table), visit.words))

    async def _leave_for_sure(self, visit: Visit, press: Press) -> None:
        visit.table = await self._bot.tables.leave(press.table, visit.user)
        await visit.turn_into(menu.left_sheet(await visit.scene(visit.table), visit.words))

    async def _come_back(self, visit: Visit, press: Press) -> None:
        visit.table = await self._bot.tables.come_back(press.table, visit.user)
        slot = await self._bot.reconciler.slot_of(visit.table, visit.interaction)
        if slot is not None and slot != TABLE:
            self._bot.reconciler.answer(visit.table, slot, visit.interaction)
        else:
            await visit.turn_into(answers.note(visit.words("Welcome back! You have your seat again.")))

    async def _replace(self, visit: Visit, press: Press) -> None:
        value = _chosen(visit)
        if not value.isdigit():
            raise Refusal(Why.BUTTON_DEAD)
        seat = Seat(int(value))
        visit.table = await self._bot.tables.replace(press.table, visit.user, seat, visit.moderator)
        await visit.turn_into(answers.note(visit.words("Done: a computer player has taken over.")))

    async def _end(self, visit: Visit, press: Press) -> None:
        assert visit.table is not None
        await visit.turn_into(menu.end_sheet(await visit.scene(visit.table), visit.words))

    async def _end_for_sure(self, visit: Visit, press: Press) -> None:
        tables = self._bot.tables
        visit.table = await tables.end(press.table, visit.user, visit.name, visit.moderator)
        await visit.turn_into(answers.note(visit.words("The game is ended.")))

    async def _down_here(self, visit: Visit, press: Press) -> None:
        table = await self._bot.tables.get(press.table)
        if not table.live:
            raise Refusal(Why.GAME_FINISHED)
        await visit.turn_into(answers.note(visit.words("The table is at the bottom now.")))
        await self._bot.reconciler.move_table_message(table, None, moved(table))

    async def _rematch(self, visit: Visit, press: Press) -> None:
        visit.table = await self._bot.tables.rematch(press.table, visit.player())
        await self._bot.reconciler.reply_with_slot(visit.table, TABLE, visit.interaction, private=False)
        if _stands_there(visit):
            await self._bot.reconciler.retire(await self._bot.tables.get(press.table), visit.interaction)


def _private(visit: Visit) -> bool:
    """Whether the message that was clicked is for this person alone."""
    message = visit.interaction.message
    return visit.interaction.guild_id is None or (message is not None and message.flags.ephemeral)


def _stands_there(visit: Visit) -> bool:
    """Whether the control that was used is on the message, as it always is but for a forged click."""
    data: Any = visit.interaction.data
    message = visit.interaction.message
    rows = message.components if message is not None else []
    children = [child for row in rows for child in getattr(row, "children", ())]
    return any(getattr(child, "custom_id", None) == data.get("custom_id") for child in children)


def _chosen(visit: Visit) -> str:
    """The value chosen in a select.

    Raises:
        Refusal: there is none, as in a forged click.
    """
    values = _values(visit)
    if len(values) != 1:
        raise Refusal(Why.BUTTON_DEAD)
    return values[0]


def _values(visit: Visit) -> tuple[str, ...]:
    """The values chosen in a select; none for a button."""
    data: Any = visit.interaction.data
    values = data.get("values")
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()


async def setup(bot: Bot) -> None:
    """Called by discord.py."""
    await bot.add_cog(Clicks(bot))
