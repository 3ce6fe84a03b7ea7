"""The controls of a profile, and the switch of a server's leaderboards."""

from bot.custom_ids import NO, YES, Press
from bot.present import profile as present
from bot.present.leaderboard import switch_sheet
from bot.refusals import Refusal, Why
from cogs.visit import Visit


async def profile(visit: Visit, press: Press) -> None:
    """Show the profile of the chosen game; of the most played one to whoever has thought better of what was asked."""
    await _show(visit, visit.chosen if visit.values else None)


async def rate(visit: Visit, press: Press) -> None:
    """Record whether the person wants a rating, and show their profile; or ask them first. Of who wants none any more
    the rating is deleted in the same transaction."""
    match press.arg:
        case present.ASK:
            await _show(visit, None, asks=True)
        case present.STOP:
            await visit.turn_into(present.stop_sheet(await visit.words_here()))
        case present.YES | present.NO | present.STOP_FOR_SURE:
            await _record(visit, press.arg == present.YES)
            await _show(visit, None)
        case _:
            raise Refusal(Why.BUTTON_DEAD)


async def _record(visit: Visit, rated: bool) -> None:
    """Record whether the person wants a rating, and have it hold at every table where they sit."""
    await visit.bot.people.change(visit.user, lambda it: it._replace(rated=rated))
    await visit.bot.changes.rating(visit.user, rated)


async def _show(visit: Visit, game: str | None, *, asks: bool = False) -> None:
    """Show the profile of *game* in place of what was clicked."""
    found = await visit.bot.store.profiles(visit.user)
    rated = visit.bot.people.preferences(visit.user).rated
    await visit.turn_into(present.profile_sheet(found, game, rated, await visit.words_here(), asks=asks))


async def boards(visit: Visit, press: Press) -> None:
    """Switch the leaderboards of the server on or off, and say so."""
    guild = visit.managed
    if press.arg not in (YES, NO):
        raise Refusal(Why.BUTTON_DEAD)
    on = press.arg == YES
    await visit.bot.servers.choose(guild, boards=on)
    await visit.bot.changes.server(guild)
    await visit.turn_into(switch_sheet(on, await visit.words_here(), manager=True))
