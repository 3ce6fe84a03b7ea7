"""What tests change from outside: people, channels, threads, servers, the application, and how old a message is."""

from collections.abc import Container
from typing import Any, Final

from local_discord import errors, serialize
from local_discord.forms import MOST, Form, snowflake, unique
from local_discord.initial import APPLICATION
from local_discord.model import (
    MODERATION,
    PERMISSIONS,
    ROLES,
    VOICES,
    Channel,
    ChannelType,
    Guild,
    Intent,
    permission_set,
)
from local_discord.world import World

_PERSON: Final = {
    "dms_open": bool,
    "blocks_app": bool,
    "opening_refused": bool,
    "reopens_threads": bool,
    "installed": bool,
    "locale": str,
    "name": str,
    "moderator": bool,
}

MOST_NAME: Final = 100
MOST_IN_GROUP: Final = 10
"""How many people a group DM holds. https://support.discord.com/hc/articles/223657667"""


class Changes:
    """Changes that a test makes to *world* from outside: people, channels, servers, messages, the application. An
    invalid change is refused as a whole."""

    def __init__(self, world: World) -> None:
        self._world = world

    def apply(self, kind: str, number: int, changes: dict[str, Any]) -> None:
        """Make *changes* to the object of this *kind* with the id *number*; or raise ApiError. *kind* is one of

        - ``users``: ``{"locale": "de", "name": "...", "moderator": true}``, and
          ``{"permissions": ["manage_guild", ...]}``, what this person may do on servers besides what everybody may.
          ``{"dms_open": false}``: they take no direct messages from members of their servers (403/50278 when the bot
          sends one); ``{"blocks_app": true}``: they have blocked the bot (403/50007); ``{"opening_refused": true}``:
          Discord refuses already when the bot opens the conversation (400/50007,
          https://github.com/discord/discord-api-docs/issues/1905). ``{"reopens_threads": true}``: their interactions
          come from a phone or the web: such a client reopens an archived thread first, and sends nothing if that is
          refused (https://github.com/discord/discord-api-docs/issues/8474); one on a desktop, as at first, sends it
          at once. ``{"installed": true}``: they have installed the application to their account
        - ``channels``: ``{"bot_permissions": ["view_channel", ...]}``, all that the bot may do there, and
          ``{"people_denied": ["send_messages_in_threads"]}``, what people may not. For threads also ``{"archived":
          true, "locked": true, "archive_seconds": 0.5}``, the last: after so long without a message it archives
        - ``guilds``: ``{"locale": "de", "features": ["COMMUNITY"], "bot": false, "installed": false, "unavailable":
          true}``. Only a Community server has a locale of its own. Without the bot it has the commands alone; if the
          application is not *installed* to it, it has neither. *unavailable* begins or ends an outage, of which the
          bot's sessions are told
        - ``messages``: ``{"age_seconds": 4000}``: it counts as at least so old when it is edited, whatever its id and
          its timestamp say
        - ``application``: ``{"intents": ["message_content", "guild_members"]}``, the privileged intents that are
          switched on, as in Discord's Developer Portal. At first there are none; the one for presences is not here.
          ``{"interactions_endpoint_url": "https://..."}`` is what the portal calls *Interactions Endpoint URL*: with
          one no interaction comes by the gateway

        Raises:
            ApiError: there is no such thing, or a change makes no sense (50035).
        """
        world = self._world
        match kind:
            case "users":
                self._change_user(number, changes)
            case "channels":
                channel = world.channels.get(number)
                if channel is None or channel.guild is None:
                    raise errors.unknown_channel()
                self._change_channel(channel, changes)
            case "guilds":
                guild = world.guilds.get(number)
                if guild is None:
                    raise errors.unknown_guild()
                self._change_guild(guild, changes)
            case "application":
                self._change_endpoint_or_intents(changes)
            case _:
                self._set_message_age(number, changes)

    def make_channel(self, body: dict[str, Any]) -> int:
        """Create the text, voice or stage channel, or the group DM, that *body* describes, announce it, and return its
        id; or raise ApiError (10004, 10013 or 50035).

        Raises:
            ApiError: there is no such server (10004) or person (10013), or something is missing or cannot be (50035).
        """
        form, world = Form(body), self._world
        if "recipients" in body:
            return self._make_group_dm(form)
        guild = world.guilds.get(form.snowflake("guild", required=True) or 0)
        if guild is None:
            raise errors.unknown_guild()
        _require_valid_change(set(body) == {"guild", "name", "type"}, "")
        kind = ChannelType(form.choice("type", (ChannelType.TEXT, *VOICES)))
        name = form.text("name", 1, MOST_NAME, required=True) or ""
        channel = Channel(world.snowflakes.next(), kind, name, guild.id)
        world.channels[channel.id] = channel
        guild.channels.append(channel.id)
        world.announce("CHANNEL_CREATE", serialize.channel(channel), world.readers(channel))
        return channel.id

    def _make_group_dm(self, form: Form) -> int:
        """Create the group DM that *form* describes, announce it to the people in it, and return its id; or raise
        ApiError.

        *form* is ``{"type": 3, "recipients": [...], "name": "..."}``, with the ids of the people in it, its owner
        first.
        """
        world = self._world
        _require_valid_change(set(form.data) <= {"recipients", "name", "type"}, "")
        form.choice("type", (ChannelType.GROUP_DM,))
        given = form.list_field("recipients", least=1, most=MOST_IN_GROUP, required=True) or []
        numbers = [snowflake(it, form.path_of("recipients")) for it in given]
        people = [world.get_user(number) for number in numbers]
        _require_valid_change(unique(numbers) and not any(person.bot for person in people), "recipients")
        name = form.text("name", 1, MOST_NAME) or ""
        channel = Channel(world.snowflakes.next(), ChannelType.GROUP_DM, name, recipients=tuple(numbers))
        world.channels[channel.id] = channel
        for person in people:
            world.announce("CHANNEL_CREATE", world.channel_object(channel, person), [person.id])
        return channel.id

    def _change_user(self, number: int, changes: dict[str, Any]) -> None:
        """Change the person with the id *number*: settings, name, moderator or permissions; or raise ApiError."""
        person = self._world.users.get(number)
        if person is None:
            raise errors.unknown_user()
        for key, value in changes.items():
            fits = _are_known_names(value, ROLES) if key == "permissions" else isinstance(value, _PERSON.get(key, ()))
            _require_valid_change(fits, key)
        for key, value in changes.items():
            match key:
                case "permissions":
                    person.granted = permission_set(value)
                case "moderator":
                    person.granted = (person.granted & ~MODERATION) | (MODERATION if value else 0)
                case _:
                    setattr(person, key, value)

    def _change_channel(self, channel: Channel, changes: dict[str, Any]) -> None:
        """Change who may do what in *channel*, or the state of a thread, and announce that; or raise ApiError."""
        permissions: dict[str, Any] = {
            key: changes[key] for key in ("bot_permissions", "people_denied") if key in changes
        }
        _require_valid_change(bool(changes), "")
        for key, names in permissions.items():
            _require_valid_change(_are_known_names(names, PERMISSIONS), key)
        of_thread = {key: value for key, value in changes.items() if key not in permissions}
        for key, value in of_thread.items():
            seconds = key == "archive_seconds" and (Form(changes).number(key, 0, MOST) or 0) > 0
            flag = key in ("archived", "locked") and isinstance(value, bool)
            _require_valid_change(channel.thread is not None and (seconds or flag), key)
        for key, names in permissions.items():
            setattr(channel, key, permission_set(names))
        if permissions:
            event = "CHANNEL_UPDATE" if channel.thread is None else "THREAD_UPDATE"
            self._world.announce(event, serialize.channel(channel), [APPLICATION, *self._world.readers(channel)])
        if of_thread:
            self._world.threads.change_thread(channel, of_thread)

    def _change_guild(self, guild: Guild, changes: dict[str, Any]) -> None:
        """Change language, features, outage, the installation or the bot's membership of *guild*, and send the bot the
        matching events; or raise ApiError.

        https://discord.com/developers/docs/events/gateway-events#guilds
        """
        _require_valid_change(bool(changes), "")
        for key, value in changes.items():
            kind = {"locale": str, "features": list, "bot": bool, "installed": bool, "unavailable": bool}.get(key)
            _require_valid_change(kind is not None and isinstance(value, kind), key)
        installed = changes.get("installed", guild.installed or changes.get("bot", False))
        member = changes.get("bot", installed and APPLICATION in guild.members)
        _require_valid_change(installed or not member, "bot")
        features = changes.get("features", guild.features)
        _require_valid_change(all(isinstance(feature, str) for feature in features), "features")
        guild.locale = changes.get("locale", guild.locale)
        guild.features = features
        if "locale" in changes or "features" in changes:
            whole = self._world.guild_object(guild, self._world.bot)
            update = {key: value for key, value in whole.items() if key not in serialize.GUILD_CREATE_ONLY}
            self._world.announce("GUILD_UPDATE", update, {APPLICATION} & set(guild.members))
        if "unavailable" in changes:
            self._change_guild_outage(guild, changes["unavailable"])
        guild.installed = installed
        self._change_bot_membership(guild, member)

    def _change_guild_outage(self, guild: Guild, unavailable: bool) -> None:
        """Begin or end an outage of *guild*, and tell the bot; do nothing if that is so already."""
        if unavailable == guild.unavailable:
            return
        guild.unavailable = unavailable
        if APPLICATION in guild.members:
            self._send_guild_to_bot(guild, "GUILD_DELETE" if unavailable else "GUILD_CREATE")

    def _change_bot_membership(self, guild: Guild, member: bool) -> None:
        """Add the bot to *guild* or remove it (*member*), and send it GUILD_CREATE or GUILD_DELETE; do nothing if that
        is so already."""
        if member == (APPLICATION in guild.members):
            return
        if member:
            guild.members.insert(0, APPLICATION)
            self._send_guild_to_bot(guild, "GUILD_CREATE")
        else:
            guild.members.remove(APPLICATION)
            # Without "unavailable", which would be an outage.
            self._world.announce("GUILD_DELETE", {"id": str(guild.id)}, [APPLICATION])

    def _send_guild_to_bot(self, guild: Guild, event: str) -> None:
        """Send the bot *event* with the whole *guild*, or only its id while it has an outage."""
        away = {"id": str(guild.id), "unavailable": True}
        whole = self._world.guild_object(guild, self._world.bot)
        self._world.announce(event, away if guild.unavailable else whole, [APPLICATION])

    def _change_endpoint_or_intents(self, changes: dict[str, Any]) -> None:
        """Change one setting of the application, the only key of *changes*: ``interactions_endpoint_url`` or
        ``intents`` (the privileged ones); or raise ApiError."""
        if set(changes) == {"interactions_endpoint_url"}:
            url = changes["interactions_endpoint_url"]
            _require_valid_change(url is None or isinstance(url, str), "interactions_endpoint_url")
            self._world.interactions_endpoint = url
            return
        here = {"message_content": Intent.MESSAGE_CONTENT, "guild_members": Intent.GUILD_MEMBERS}
        names = changes.get("intents")
        _require_valid_change(_are_known_names(names, here) and len(changes) == 1, "intents")
        self._world.intents = Intent(sum(here[name].value for name in set(names or ())))

    def _set_message_age(self, number: int, changes: dict[str, Any]) -> None:
        """Let the message with the id *number* count as older when it is edited, by ``age_seconds``; or raise ApiError
        (10008 or 50035)."""
        age_seconds = Form(changes).number("age_seconds", 0, MOST, required=True) or 0
        _require_valid_change(set(changes) == {"age_seconds"}, "age_seconds")
        found = [channel.messages[number] for channel in self._world.channels.values() if number in channel.messages]
        if not found:
            raise errors.unknown_message()
        found[0].aged_ms = int(age_seconds * 1000)


def _are_known_names(given: Any, known: Container[str]) -> bool:
    """Whether *given* is a list that holds only *known* names."""
    return isinstance(given, list) and all(isinstance(name, str) and name in known for name in given)


def _require_valid_change(holds: bool, key: str) -> None:
    """Raise ApiError (50035 at *key*) unless *holds*."""
    if not holds:
        raise errors.invalid_form(key, "UNKNOWN_FIELD", "This cannot be changed, or not to that.")
