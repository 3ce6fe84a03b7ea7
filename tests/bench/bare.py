"""A discord.py bot with one persistent button that edits its message: what a click costs at the least.

``python -m tests.bench.bare API GATEWAY TOKEN CHANNEL ...``: it puts its button into every channel.
"""

import gc
import sys
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


class Counter(discord.ui.View):
    """One button."""

    def __init__(self, clicks: int = 0) -> None:
        super().__init__(timeout=None)
        self.press.label = f"{clicks} clicks"

    @discord.ui.button(label="0 clicks", custom_id="bare", style=discord.ButtonStyle.primary)
    async def press(self, interaction: discord.Interaction[Any], button: discord.ui.Button[Any]) -> None:
        """Count."""
        assert interaction.message is not None
        shown = discord.ui.View.from_message(interaction.message).children[0]
        clicks = int(str(getattr(shown, "label", "0")).split()[0]) + 1
        await interaction.response.edit_message(view=Counter(clicks))


class Bare(discord.Client):
    """Nothing but that."""

    def __init__(self, channels: list[int]) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.channels = channels

    async def setup_hook(self) -> None:
        self.add_view(Counter())

    async def on_ready(self) -> None:
        for channel in self.channels:
            place = self.get_partial_messageable(channel)
            await place.send("bare", view=Counter())
        gc.collect()
        gc.freeze()


def main() -> None:
    api, gateway, token, *channels = sys.argv[1:]
    Route.BASE = api
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    Bare([int(channel) for channel in channels]).run(token, log_handler=None)


if __name__ == "__main__":
    main()
