"""The leaderboard of a game in a server, for everybody there; and the switch for those who manage the server."""

from typing import Final

from discord import ButtonStyle

from bot.custom_ids import NO, YES, Verb
from bot.i18n import Words
from bot.present.profile import rating_text
from bot.present.registry import PRESENTERS
from bot.present.sheet import NO_TABLE, Sheet, bold, box, button, row, text
from bot.stats.profiles import Leaderboard, Ranked

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def leaderboard_sheet(game: str, board: Leaderboard, t: Words) -> Sheet:
    """The *board* of *game*: the best, and the place of the person who asked, if that is further down."""
    lines = [_line(it, t) for it in board.top]
    if board.own is not None and all(it.user != board.own.user for it in board.top):
        lines += ["…", _line(board.own, t)]
    if not lines:
        lines.append(t("Nobody is on it yet."))
    return Sheet(
        box(
            [
                text(f"### 🏆 {t(PRESENTERS[game].title)}", *lines),
                text("-# " + t("Only ratings that are certain are shown here. For your own, see /profile.")),
            ],
            PRESENTERS[game].accent,
        )
    )


def _line(it: Ranked, t: Words) -> str:
    """A line of the leaderboard."""
    return f"{MEDALS.get(it.place, f'{it.place}.')} {bold(it.name) if it.name else '?'} · {rating_text(it.rating, t)}"


def switch_sheet(on: bool, t: Words, *, manager: bool) -> Sheet:
    """Whether leaderboards are *on* in a server; a *manager* can switch that."""
    if on:
        said = "-# " + t("This server has leaderboards: /leaderboard shows them to everyone.")
        control = button(t("Switch them off"), Verb.BOARDS, NO_TABLE, arg=NO)
    else:
        said = t("Leaderboards are off on this server.")
        control = button(t("Switch them on"), Verb.BOARDS, NO_TABLE, arg=YES, style=ButtonStyle.success)
    if not manager:
        return Sheet(box([text(said, "-# " + t("Someone with the Manage Server permission can switch them on here."))]))
    why = [] if on else ["-# " + t("They show everyone the points of those who want a rating.")]
    return Sheet(box([text(said, *why), row(control)]))
