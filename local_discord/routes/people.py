"""Users, their direct messages, the application, and the address of the gateway."""

from typing import Any

from local_discord import errors, serialize
from local_discord.gateway import Gateway
from local_discord.hidden_limits import HiddenLimits
from local_discord.initial import APPLICATION
from local_discord.limits import Limits
from local_discord.routes.call import Call, Route
from local_discord.world import World


class PeopleRoutes:
    """The routes about who is on the server.

    https://discord.com/developers/docs/resources/user and .../resources/application
    """

    def __init__(self, world: World, gateway: Gateway, limits: Limits, hidden: HiddenLimits) -> None:
        self._world = world
        self._gateway = gateway
        self._limits = limits
        self._hidden = hidden

    def routes(self) -> tuple[Route, ...]:
        """``@me`` comes before ``{user}``, which would match it too."""
        return (
            Route("GET", "/gateway", self._gateway_address),
            Route("GET", "/gateway/bot", self._gateway_for_bots),
            Route("GET", "/users/@me", self._me),
            Route("GET", "/users/@me/channels", self._my_channels),
            Route("POST", "/users/@me/channels", self._open_dm),
            Route("GET", "/users/{user}", self._user),
            Route("GET", "/oauth2/applications/@me", self._application),
            Route("GET", "/applications/@me", self._application),
        )

    async def _gateway_address(self, call: Call) -> Any:
        return {"url": self._gateway.address}

    async def _gateway_for_bots(self, call: Call) -> Any:
        call.person(self._world)
        limit = self._gateway.starts.limit()
        return {"url": self._gateway.address, "shards": self._gateway.shards, "session_start_limit": limit}

    async def _me(self, call: Call) -> Any:
        person = call.person(self._world)
        more = {"verified": True, "mfa_enabled": False, "flags": 0, "locale": person.locale, "email": None}
        return serialize.user(person) | more

    async def _user(self, call: Call) -> Any:
        call.person(self._world)
        return serialize.user(self._world.user(call.id("user")))

    async def _my_channels(self, call: Call) -> Any:
        person = call.person(self._world)
        mine = [channel for channel in self._world.channels.values() if person.id in channel.recipients]
        return [self._world.channel_object(channel, person) for channel in mine]

    async def _open_dm(self, call: Call) -> Any:
        """The channel of two people. The bot may not open many new ones quickly; those that are open cost nothing."""
        person = call.person(self._world)
        other = self._world.user(call.form.snowflake("recipient_id", required=True) or 0)
        if person.bot and other.opening_refused:
            raise errors.app_is_blocked(400)
        new = person.bot and self._world.known_dm(person, other) is None
        if new and (self._hidden.flagged or not self._limits.off):
            self._hidden.check_opening()
        return self._world.channel_object(self._world.dm(person, other), person)

    async def _application(self, call: Call) -> Any:
        """The bot's application; its owner is the first person."""
        call.person(self._world)
        bot = self._world.bot
        return {
            "id": str(APPLICATION),
            "name": bot.name,
            "icon": None,
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "00",
            "flags": serialize.application_flags(self._world.intents),
            "owner": serialize.user(self._world.people[0]),
            "team": None,
            "summary": "",
            "approximate_guild_count": len(self._world.guilds),
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
            "bot": serialize.user(bot),
            "redirect_uris": [],
            "interactions_endpoint_url": self._world.interactions_endpoint,
            "role_connections_verification_url": None,
            "event_webhooks_url": None,
            "event_webhooks_status": 1,
            "event_webhooks_types": [],
            "integration_types_config": {"0": {}},
            "type": None,
            "explicit_content_filter": 0,
            "flags_new": str(serialize.application_flags(self._world.intents)),
            "eligible_oauth2_scopes": [],
        }
