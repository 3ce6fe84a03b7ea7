"""Users, their direct messages, the application, and the address of the gateway.

https://discord.com/developers/docs/resources/user and .../resources/application
"""

from typing import Any, Final

from local_discord import errors, serialize
from local_discord.initial import APPLICATION
from local_discord.model import Install
from local_discord.routes.call import Call, Route

DEFAULT_SCOPES: Final = {
    Install.GUILD: ["applications.commands", "bot"],
    Install.USER: ["applications.commands"],
}
"""The scopes of the default install settings, by what the application is installed to. Only a server has a bot."""


async def _gateway_address(call: Call) -> Any:
    """Answer with the address of the gateway."""
    return {"url": call.server.gateway.address}


async def _gateway_for_bots(call: Call) -> Any:
    """Answer with the address of the gateway, the number of shards to use, and the session start limit; or raise
    ApiError (401)."""
    call.sender()
    gateway = call.server.gateway
    return {"url": gateway.address, "shards": gateway.shards, "session_start_limit": gateway.starts.limit()}


async def _get_own_user(call: Call) -> Any:
    """Answer with the user object of the sender; or raise ApiError (401)."""
    person = call.sender()
    more = {"verified": True, "mfa_enabled": False, "flags": 0, "locale": person.locale, "email": None}
    return serialize.user(person) | more


async def _get_user(call: Call) -> Any:
    """Answer with the user object of the person in the path; or raise ApiError (401 or 10013)."""
    call.sender()
    return serialize.user(call.world.get_user(call.path_id("user")))


async def _list_own_dms(call: Call) -> Any:
    """Answer with the direct message channels and group DMs of the sender; or raise ApiError (401)."""
    person = call.sender()
    mine = [channel for channel in call.world.channels.values() if person.id in channel.recipients]
    return [call.world.channel_object(channel, person) for channel in mine]


async def _open_dm(call: Call) -> Any:
    """Answer with the direct message channel of the sender and the recipient, created if needed; ApiError if the person
    refuses or the bot opens too many."""
    person = call.sender()
    other = call.world.get_user(call.form.snowflake("recipient_id", required=True) or 0)
    if person.bot and other.opening_refused:
        raise errors.app_is_blocked(status=400)
    new = person.bot and call.world.find_dm(person, other) is None
    hidden = call.server.hidden_limits
    if new and (hidden.flagged or not call.server.limits.off):
        hidden.count_dm_opening()
    return call.world.channel_object(call.world.dm(person, other), person)


async def _get_application(call: Call) -> Any:
    """Answer with the bot's application object, whose owner is the first person; or raise ApiError (401)."""
    call.sender()
    bot = call.world.bot
    return {
        "id": str(APPLICATION),
        "name": bot.name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "00",
        "flags": serialize.application_flags(call.world.intents),
        "owner": serialize.user(call.world.people[0]),
        "team": None,
        "summary": "",
        "approximate_guild_count": sum(guild.installed for guild in call.world.guilds.values()),
        "approximate_user_install_count": sum(person.installed for person in call.world.people),
        "approximate_user_authorization_count": 0,
        "bot": serialize.user(bot),
        "redirect_uris": [],
        "interactions_endpoint_url": call.world.interactions_endpoint,
        "role_connections_verification_url": None,
        "event_webhooks_url": None,
        "event_webhooks_status": 1,
        "event_webhooks_types": [],
        "integration_types_config": {
            str(int(install)): {"oauth2_install_params": {"scopes": scopes, "permissions": "0"}}
            for install, scopes in DEFAULT_SCOPES.items()
        },
        "type": None,
        "explicit_content_filter": 0,
        "flags_new": str(serialize.application_flags(call.world.intents)),
        "eligible_oauth2_scopes": [],
    }


ROUTES: Final = (
    Route("GET", "/gateway", _gateway_address),
    Route("GET", "/gateway/bot", _gateway_for_bots),
    Route("GET", "/users/@me", _get_own_user),
    Route("GET", "/users/@me/channels", _list_own_dms),
    Route("POST", "/users/@me/channels", _open_dm),
    Route("GET", "/users/{user}", _get_user),
    Route("GET", "/oauth2/applications/@me", _get_application),
    Route("GET", "/applications/@me", _get_application),
)
"""``@me`` comes before ``{user}``, which would match it too."""
