"""One interaction: the person, the place, the time, the language, and the answers it can get."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import discord

from bot.client import Bot
from bot.clock import snowflake_time
from bot.delivery.errors import Answered
from bot.i18n import Words, supported_locale, words
from bot.interactions import MESSAGE_COMPONENTS
from bot.tables.errors import Refusal, Why
from bot.tables.model import LARGEST_ID, NO_SERVER, Player, Table, TableId
from bot.tables.names import with_updated_person
from bot.tables.preferences import LONGEST_REASON, MOST_PLACES
from bot.tables.scene import AnyScene, make_scene
from bot.tables.service import TableChange
from bot.ui.components import Sheet, replace_erased_names
from bot.ui.dealing import LONGEST_CUT

LONGEST_FIELD: Final = max(LONGEST_CUT, LONGEST_REASON)
"""The most characters that fit into a field of any form."""
MAX_FORM_VALUES: Final = 25
"""How many choices can be sent in one field of a form.
https://discord.com/developers/docs/components/reference#string-select-string-select-structure"""


def _custom_ids(components: Any) -> Iterator[Any]:
    """Yield the custom_ids in *components*, a list as in Discord's JSON, and those of the components in them."""
    for component in components if isinstance(components, list) else ():
        if isinstance(component, dict):
            yield component.get("custom_id")
            yield from _custom_ids(component.get("components"))


def check_text(text: str) -> str:
    """Return *text*, which a person has written, unchanged; or raise Refusal if it holds half a surrogate pair, which
    cannot be stored or sent.

    Some clients cut an emoji in half, and send half a surrogate pair.

    Raises:
        Refusal: it holds one.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refusal(Why.BROKEN_TEXT) from None
    return text


class Visit:
    """One interaction (command, click or form): who made it, where and when, in which language, and the answers it can
    get.

    ``table`` is the table it is about, set as soon as that is known: answers to errors are better then.
    """

    def __init__(self, bot: Bot, interaction: discord.Interaction[Any]) -> None:
        self.bot = bot
        self.interaction = interaction
        self.table: Table | None = None
        self.note: int | None = None
        """The id of the private note that has answered it."""

    @property
    def user(self) -> int:
        """The Discord id of the person who made the interaction."""
        return self.interaction.user.id

    @property
    def name(self) -> str:
        """The person's display name on this server, unescaped; presenters escape it.

        A name may be cut off within an emoji, and then hold half a surrogate pair. That is replaced, as no text with it
        can be stored or sent.
        """
        return self.interaction.user.display_name.encode("utf-8", "replace").decode()

    @property
    def username(self) -> str:
        """The person's unique Discord user name; half an emoji in it is replaced."""
        return self.interaction.user.name.encode("utf-8", "replace").decode()

    @property
    def made_at(self) -> int:
        """When the person made the interaction, by Discord's clock, ms since 1970."""
        return snowflake_time(self.interaction.id)

    @property
    def words(self) -> Words:
        """The texts in the language that the person has chosen, else in the one that Discord reports for them; labels
        of public messages are in the table's language.

        Command names are as Discord shows them to the person: in English if there are no names in their Discord's
        language.
        """
        mine = words(self.bot.people.preferences(self.user).locale or self.discord_locale)
        mine = mine.with_client_commands(words(self.interaction.locale.value))
        return mine if self.table is None else mine.with_public_labels(words(self.table.locale))

    @property
    def discord_locale(self) -> str:
        """The language that Discord reports for the person; the bot's default if there are no texts in it."""
        return supported_locale(self.interaction.locale.value, self.bot.default_locale)

    async def words_with_public_labels_here(self) -> Words:
        """Return the texts in the person's language, with labels of public controls in the language of this server's
        tables."""
        return self.words.with_public_labels(words(await self.public_locale()))

    async def public_locale(self) -> str:
        """Return the language of public messages here: the server's setting, else the server's own language, else the
        person's."""
        guild = self.interaction.guild_id
        chosen = (await self.bot.servers.settings(guild)).locale if guild is not None else None
        if chosen is not None:
            return chosen
        own = self.bot.place_of_interaction(self.interaction).locale
        return supported_locale(own, self.bot.default_locale) if own else self.words.locale

    @property
    def is_moderator(self) -> bool:
        """Whether the person may manage messages on this server, and the table, if any, is on this server. They may end
        its games."""
        guild = self.interaction.guild_id
        here = guild is not None and (self.table is None or self.table.guild == guild)
        return here and self.interaction.permissions.manage_messages

    @property
    def is_manager(self) -> bool:
        """Whether the person may manage this server; false in direct messages."""
        return self.interaction.guild_id is not None and self.interaction.permissions.manage_guild

    def require_managed_guild(self) -> int:
        """Return the id of this server; or raise Refusal if this is no server, or the person may not manage it.

        Raises:
            Refusal: this is not a server, or they may not manage it.
        """
        guild = self.interaction.guild_id
        if guild is None:
            raise Refusal(Why.NOT_A_SERVER)
        # Discord asks for the same, but a server's settings can give any command to anybody.
        if not self.is_manager:
            raise Refusal(Why.MANAGERS_ONLY)
        return guild

    def require_moderated_guild(self) -> int:
        """Return the id of this server; or raise Refusal if this is no server, or the person may not manage messages in
        it.

        Raises:
            Refusal: this is not a server, or they may not end games.
        """
        guild = self.interaction.guild_id
        if guild is None:
            raise Refusal(Why.NOT_A_SERVER)
        if not self.interaction.permissions.manage_messages:
            raise Refusal(Why.MODERATORS_ONLY)
        return guild

    async def check_may_sit_down(self, guild: int) -> None:
        """Raise Refusal if the person may not take a seat at tables of the server *guild* (``NO_SERVER``: at a solo
        table): the host of the bot has banned them, or a moderator has, or they have left the server.

        Whoever has left the server still has their hand in a direct message. So Discord is asked about clicks in direct
        messages.

        Raises:
            Refusal: they are banned from its tables, or not on the server any more.
        """
        for place in {NO_SERVER, guild}:
            await self.bot.servers.check_not_banned(place, self.user, self.bot.clock.now())
        if guild == NO_SERVER:
            return
        if self.interaction.guild_id is None and not await self.bot.api.is_member(guild, self.user):
            raise Refusal(Why.NOT_A_MEMBER)

    @property
    def _guild(self) -> int:
        """The id of this server; ``NO_SERVER`` (0) in direct messages."""
        return self.interaction.guild_id or NO_SERVER

    @property
    def channel(self) -> int:
        """The id of the channel or thread of the interaction."""
        channel = self.interaction.channel_id
        assert channel is not None
        return channel

    def build_player(self) -> Player:
        """Return the person as a ``Player`` for a table: name, language, preferences, active now. In direct messages
        the name is the one they have at ``table``.

        In direct messages Discord does not say what they are called on the server.
        """
        chosen = self.bot.people.preferences(self.user)
        seat = self.table.seat_of(self.user) if self.table is not None else None
        name = self.name
        if self.table is not None and seat is not None and self._guild != self.table.guild:
            name = self.table.players[seat].display or self.table.players[seat].name
        here = Player(name, self.user, display=name, username=self.username, active_at=self.bot.clock.now())
        return here._replace(**chosen.player_fields(self.discord_locale))

    async def load_table_here(self) -> Table:
        """Return the live table in this channel, and set ``table`` to it; or raise Refusal, which may name where the
        person plays.

        Raises:
            Refusal: there is none, then it says where in this server the person plays, or this is no channel of a
                server.
        """
        if self.interaction.guild_id is None:
            raise Refusal(Why.NOT_A_SERVER)
        try:
            self.table = await self.bot.tables.require_in_channel(self.channel)
        except Refusal:
            here = self.bot.tables.live_tables_in_memory(self.interaction.guild_id)
            elsewhere = [table.channel for table in here if table.seat_of(self.user) is not None]
            if elsewhere:
                raise Refusal(Why.TABLE_ELSEWHERE, channels=elsewhere) from None
            raise
        return self.table

    async def scene(self, table: Table) -> AnyScene:
        """Return *table* as this person may see it: what everybody sees, and their own hand if they have a seat. Names
        of erased people are replaced."""
        known = make_scene(table, table.seat_of(self.user), await self.bot.reconciler.table_message_id(table))
        return replace_erased_names(known, self.words)

    # The click

    @property
    def is_clicked_message_private(self) -> bool:
        """Whether only this person sees the clicked message: it is ephemeral, or in direct messages."""
        message = self.interaction.message
        return self.interaction.guild_id is None or (message is not None and message.flags.ephemeral)

    @property
    def values(self) -> tuple[str, ...]:
        """The values chosen in the clicked select; empty for a button."""
        data: Any = self.interaction.data
        values = data.get("values")
        return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()

    @property
    def chosen_value(self) -> str:
        """The one value chosen in the clicked select; or Refusal if there is not exactly one, as in a forged click.

        Raises:
            Refusal: there is not exactly one, as in a forged click.
        """
        if len(self.values) != 1:
            raise Refusal(Why.BUTTON_DEAD)
        return self.values[0]

    @property
    def chosen_ids(self) -> tuple[int, ...]:
        """The ids chosen in a select of channels, roles or people; or Refusal if one is no id or there are too many, as
        in a forged click.

        Raises:
            Refusal: one of them is not an id, or there are too many, as in a forged click.
        """
        if len(self.values) > MOST_PLACES or not all(it.isascii() and it.isdecimal() for it in self.values):
            raise Refusal(Why.BUTTON_DEAD)
        found = tuple(int(it) for it in self.values if len(it) < 20)
        if len(found) != len(self.values) or not all(0 < it <= LARGEST_ID for it in found):
            raise Refusal(Why.BUTTON_DEAD)
        return found

    @property
    def form_fields(self) -> dict[str, tuple[str, ...]]:
        """The values sent in a form, by field name: the written text, or all choices; or Refusal if it is not as
        Discord sends forms.

        Raises:
            Refusal: it is not a form, or not as Discord sends one.
        """
        data: Any = self.interaction.data
        labels = data.get("components")
        found: dict[str, tuple[str, ...]] = {}
        for label in labels if isinstance(labels, list) else ():
            field = label.get("component") if isinstance(label, dict) else None
            if not isinstance(field, dict):
                raise Refusal(Why.BUTTON_DEAD)
            name, value = field.get("custom_id"), field.get("value")
            values = field.get("values", [] if value is None else [value])
            if not isinstance(name, str) or not isinstance(values, list) or name in found:
                raise Refusal(Why.BUTTON_DEAD)
            if len(values) > MAX_FORM_VALUES or not all(
                isinstance(it, str) and len(it) <= LONGEST_FIELD for it in values
            ):
                raise Refusal(Why.BUTTON_DEAD)
            found[name] = tuple(check_text(it) for it in values)
        return found

    def form_texts(self, *fields: str) -> list[str]:
        """Return what was written in the text fields *fields* of a form, in this order; or raise Refusal if the form
        has other fields.

        Raises:
            Refusal: the form has other fields, as a forged form has.
        """
        sent = self.form_fields
        if sent.keys() != set(fields) or any(len(values) != 1 for values in sent.values()):
            raise Refusal(Why.BUTTON_DEAD)
        return [sent[name][0] for name in fields]

    @property
    def control_is_on_message(self) -> bool:
        """Whether the clicked message really holds the clicked control; else (a forged click) it must not be edited."""
        data: Any = self.interaction.data
        message = self.interaction.message
        return message is not None and data.get("custom_id") in _custom_ids(data.get(MESSAGE_COMPONENTS))

    # Actions and answers

    async def load_table(self, table: TableId) -> Table:
        """Return the newest version of *table*, set ``table`` to it, and update the person's name there; or raise
        Refusal if there is none or it is somebody else's solo table.

        Raises:
            Refusal: there is no such table, or it is somebody else's solo table.
        """
        self.table = await self.bot.tables.get(table)
        if self.table.solo and self.user != self.table.host:  # a forged click
            raise Refusal(Why.BUTTON_DEAD)
        await self._update_player_name_and_locale()
        return self.table

    async def _update_player_name_and_locale(self) -> None:
        """Update the person's name, user name and language at ``table``, if they have a seat and one of these has
        changed."""
        table = self.table
        seat = table.seat_of(self.user) if table is not None and table.live and not table.starting else None
        if table is None or seat is None:
            return
        player, now = table.players[seat], self.build_player()
        if (player.display, player.username, player.locale) != (now.display, now.username, now.locale):
            self.table = await self.bot.tables.change(
                table.id, "player", self.user, partial(with_updated_person, person=now)
            )

    async def change_table(self, table: TableId, what: str, change: TableChange) -> Table:
        """Apply *change* (called *what* in the history) to *table* as this person, store it and update its messages;
        return the new version, also set as ``table``. Or raise Refusal or IllegalAction.

        Raises:
            Refusal, IllegalAction: from *change*; or there is no such table.
        """
        self.table = await self.bot.tables.change(table, what, self.user, change, self.interaction.id)
        return self.table

    async def answer_privately(self, sheet: Sheet) -> int:
        """Answer with *sheet* as a new message that only this person sees, and return its id; also possible after a
        first answer."""
        if self.table is not None:
            await self.bot.reconciler.answers.refresh_table_token(self.table, self.interaction)
        return await self.bot.api.reply_privately(self.interaction, sheet)

    async def edit_clicked(self, sheet: Sheet) -> None:
        """Answer a click on a private message by editing that message to *sheet*; with a new private message if it
        cannot be edited."""
        await self.bot.api.edit_clicked_or_reply(self.interaction, sheet)

    async def show_form(self, form: discord.ui.Modal) -> None:
        """Answer with *form* for the person to fill in; or raise Refusal if the interaction was acknowledged before.

        Raises:
            Refusal: it took too long, so the click has been acknowledged.
        """
        try:
            await self.bot.api.show_modal(self.interaction, form)
        except Answered:
            raise Refusal(Why.TRY_AGAIN) from None

    async def answer_with_note(self, sheet: Sheet, ply: int | None = None) -> None:
        """Answer with *sheet* as a private note. The person's next note or click at ``table`` deletes it; with *ply*
        also any progress of the game past that ply."""
        self._track_note_to_delete(await self.answer_privately(sheet), ply)

    async def edit_into_note(self, sheet: Sheet) -> None:
        """Answer a click on a private message by editing that message to *sheet*; it becomes a note, which is deleted
        later."""
        self._track_note_to_delete(await self.bot.api.edit_clicked_or_reply(self.interaction, sheet))

    def _track_note_to_delete(self, message: int, ply: int | None = None) -> None:
        """Keep *message* (an id) as the person's note at ``table``, to delete it later; with *ply* once the game has
        passed that ply."""
        self.note = message
        if self.table is not None:
            self.bot.reconciler.notes.replace_note(self.table.id, self.user, self.interaction.token, message, ply)

    def delete_previous_private_note(self) -> None:
        """Delete the person's earlier note at ``table``, unless it is the clicked message or the new note."""
        if self.table is not None:
            clicked = self.interaction.message.id if self.interaction.message is not None else None
            self.bot.reconciler.notes.delete_note(self.table.id, self.user, but=(clicked, self.note))

    def retry_refused_messages(self) -> None:
        """Send again the edits of messages of ``table`` that Discord has refused and that this person sees; nothing
        without a table."""
        if self.table is not None:
            self.bot.reconciler.retry_refused_after_click(self.table, self.interaction)
