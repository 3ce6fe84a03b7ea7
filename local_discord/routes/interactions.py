"""What people click, and how the bot answers: the callback and the webhook of an interaction's token."""

from typing import Any

from local_discord import errors
from local_discord.interactions import Interactions
from local_discord.model import Interaction
from local_discord.routes.call import NOTHING, Call, Route
from local_discord.world import World


class InteractionRoutes:
    """The routes about interactions. https://discord.com/developers/docs/interactions/receiving-and-responding

    Those below ``/interactions/{interaction}`` and ``/webhooks`` need no bot token: the token in the path is enough.
    """

    def __init__(self, world: World, interactions: Interactions) -> None:
        self._world = world
        self._interactions = interactions
        self._webhook = interactions.webhook

    def routes(self) -> tuple[Route, ...]:
        """The first one is for people, as Discord's own clients use it; the bot uses the others."""
        reply = "/webhooks/{application}/{token}/messages/{which}"
        return (
            Route("POST", "/interactions", self._interact, delays_itself=True),
            Route("POST", "/interactions/{interaction}/{token}/callback", self._callback),
            Route("POST", "/webhooks/{application}/{token}", self._follow_up),
            Route("GET", reply, self._get_reply),
            Route("PATCH", reply, self._edit_reply),
            Route("DELETE", reply, self._delete_reply),
        )

    async def _interact(self, call: Call) -> Any:
        person = call.person(self._world)
        if person.bot:
            raise errors.missing_access()
        # A delay here is the way from Discord to the bot: the click gets its time before the delay.
        self._interactions.begin(person, call.body, call.fault.delay_ms if call.fault else 0, call.uploads)
        return NOTHING

    async def _callback(self, call: Call) -> Any:
        answer = self._interactions.answer(call.id("interaction"), call.match_info["token"], call.body, call.uploads)
        return answer if call.query.get("with_response") in ("1", "true", "True") else NOTHING

    async def _follow_up(self, call: Call) -> Any:
        message = self._webhook.follow_up(self._interaction(call), call.body, call.uploads)
        return self._world.message_object(message)

    async def _get_reply(self, call: Call) -> Any:
        _, message = self._webhook.message_of(self._interaction(call), call.match_info["which"])
        return self._world.message_object(message)

    async def _edit_reply(self, call: Call) -> Any:
        interaction = self._interaction(call)
        message = self._webhook.edit(interaction, call.match_info["which"], call.body, call.uploads)
        return self._world.message_object(message)

    async def _delete_reply(self, call: Call) -> Any:
        channel, message = self._webhook.message_of(self._interaction(call), call.match_info["which"])
        self._world.delete(channel, message)
        return NOTHING

    def _interaction(self, call: Call) -> Interaction:
        """The interaction whose webhook *call* uses."""
        return self._webhook.of_token(call.id("application"), call.match_info["token"])
