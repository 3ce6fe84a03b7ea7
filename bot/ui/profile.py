"""What somebody has done in their games, counted, and their rating, if they want one: one message, which only they
see."""

from collections.abc import Mapping
from typing import Final

from discord import ButtonStyle

from bot.i18n import N_, Words
from bot.stats.profiles import Leaderboard, Profile, Ranked
from bot.stats.ratings import Rating, points, provisional
from bot.ui.components import (
    NO_TABLE,
    Component,
    SelectOption,
    Sheet,
    action_row,
    bold_name,
    button,
    container,
    media_gallery,
    string_select,
    text_display,
)
from bot.ui.custom_ids import NO, YES, Verb
from bot.ui.pictures import ratings
from bot.ui.pictures.drawings import Picture, make_picture
from bot.ui.registry import PRESENTERS
from engine.registry import GAMES
from engine.tallies import PLAYED, WON

ASK: Final = "ask"
STOP: Final = "stop"
STOP_FOR_SURE: Final = "stop.sure"
"""The arguments of the controls for a rating: read what it means, answer that, and stop, which is asked twice."""

NOT_COUNTED: Final = N_("Statistics are off on this server: games played here count for nobody.")
RATING_EXPLANATION: Final = (
    N_(
        "A game counts if two or more at the table want a rating, or if you play alone against computers, "
        "without hints. Whoever leaves it comes last."
    ),
    N_(
        "Others see at the table that you have a rating, and your points in the leaderboards of servers that want them."
    ),
    N_("You can stop at any time, here. Your rating is then deleted."),
)
"""What wanting a rating means."""


def game_to_show(profiles: Mapping[str, Profile], wanted: str | None) -> str | None:
    """The game whose profile is shown: the one *wanted* if there is one of it, else the most played; ``None``: none has
    been played."""
    played = [game for game in GAMES if game in profiles]
    if wanted in played:
        return wanted
    return max(played, key=lambda game: profiles[game].totals.get(PLAYED, 0), default=None)


def profile_sheet(
    profiles: Mapping[str, Profile],
    wanted: str | None,
    rated: bool | None,
    t: Words,
    *,
    asks: bool = False,
    counted: bool = True,
) -> Sheet:
    """The *profiles* of a person by game, one of which is shown: that of the game *wanted*, if there is one. *rated* is
    whether they want a rating; ``None``: they were not asked yet, so they are; with *asks* they are asked again.
    Games on this server are *counted*, or not."""
    game = game_to_show(profiles, wanted)
    items: list[Component] = [text_display(t("### My profile"), *([] if counted else [f"-# {t(NOT_COUNTED)}"]))]
    pictures: list[Picture] = []
    if game is None:
        none = [t("You have not finished a game yet. Open a table with /play; games are counted here.")]
        items.append(
            text_display(*none, *(["📈 " + t("Your rating begins with your first game that counts.")] if rated else []))
        )
    else:
        profile = profiles[game]
        items.append(text_display(*_count_lines(game, profile, t), *_rating_lines(profile, rated, t)))
        if rated and len(profile.ratings) >= ratings.FEWEST_RATINGS:
            pictures.append(_ratings_picture(profile, t))
            items.append(media_gallery(pictures[-1]))
    others = [it for it in GAMES if it in profiles]
    if len(others) > 1:
        options = [SelectOption(it, t(PRESENTERS[it].title), it == game) for it in others]
        items.append(action_row(string_select(Verb.PROFILE, NO_TABLE, t("Which game"), options)))
    items += _rating_controls(rated, t, asks=asks)
    return Sheet(container(items), pictures=pictures)


def confirm_rating_deletion_sheet(t: Words) -> Sheet:
    """What somebody is asked who wants no rating any more."""
    return Sheet(
        container(
            [
                text_display(
                    t("### Give up your rating?"),
                    t("Your ratings in all games are deleted for good. If you want one again, it starts from scratch."),
                ),
                action_row(
                    button(t("Delete my ratings"), Verb.RATE, NO_TABLE, arg=STOP_FOR_SURE, style=ButtonStyle.danger),
                    button(t("Keep them"), Verb.PROFILE, NO_TABLE),
                ),
            ]
        )
    )


def _count_lines(game: str, profile: Profile, t: Words) -> list[str]:
    """What was counted, two things on a line, and the favourite partners."""
    known = profile.totals
    games = t.plural("{n} game", "{n} games", known.get(PLAYED, 0))
    won = t.plural("{n} won", "{n} won", known.get(WON, 0))
    labels, tallies = PRESENTERS[game].counts, GAMES[game].tallies
    counts = [f"{t(labels[what])}: **{known.get(what, 0)}**" for what in (tallies.COUNTS if tallies else ())]
    lines = [f"**{t(PRESENTERS[game].title)}**", f"{games} · {won}"]
    lines += [" · ".join(counts[at : at + 2]) for at in range(0, len(counts), 2)]
    partners = [f"{bold_name(it.name)} ({it.games})" for it in profile.partners if it.name]
    return [*lines, t("Most games with {names}", names=t.all_of(partners))] if partners else lines


def _rating_lines(profile: Profile, rated: bool | None, t: Words) -> list[str]:
    """The rating in words; nothing for those who want none."""
    if not rated:
        return []
    now = profile.rating
    if now is None:
        return ["📈 " + t("No rating yet: none of your games has counted so far.")]
    if provisional(now):
        return [
            "📈 "
            + t.plural(
                "Rating: about **{points}** points, still uncertain after {n} game.",
                "Rating: about **{points}** points, still uncertain after {n} games.",
                now.games,
                points=points(now),
            )
        ]
    return [
        "📈 "
        + t.plural(
            "Rating: **{points}** points after {n} game.",
            "Rating: **{points}** points after {n} games.",
            now.games,
            points=points(now),
        )
    ]


def _ratings_picture(profile: Profile, t: Words) -> Picture:
    """The picture of how the rating has changed, with the same in words."""
    values = [points(it) for it in profile.ratings]
    said = t(
        "Your rating over your last {n} games: from {first} to {last} points, lowest {low}, highest {high}.",
        n=len(values),
        first=values[0],
        last=values[-1],
        low=min(values),
        high=max(values),
    )
    return make_picture("ratings", values, lambda: ratings.draw_ratings(values), said, said)


def _rating_controls(rated: bool | None, t: Words, *, asks: bool) -> list[Component]:
    """The question whether a person wants a rating, if they are to be asked; else the way to the other answer."""
    if rated is None or asks:
        yes = button(t("Yes, I want a rating"), Verb.RATE, NO_TABLE, arg=YES, style=ButtonStyle.success)
        no = button(t("No rating"), Verb.RATE, NO_TABLE, arg=NO)
        return [
            text_display(t("**Do you want a rating?**"), *(f"-# {t(line)}" for line in RATING_EXPLANATION)),
            action_row(yes, no),
        ]
    label, arg = (t("Give up my rating"), STOP) if rated else (t("I want a rating"), ASK)
    return [action_row(button(label, Verb.RATE, NO_TABLE, arg=arg))]


def rating_text(rating: Rating, t: Words) -> str:
    """A rating that is certain in a few words, for a leaderboard."""
    games = t.plural("{n} game", "{n} games", rating.games)
    return f"**{points(rating)}** · {games}"


# The leaderboard of a game in a server, for everybody there; and the switch for those who manage the server.


MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def leaderboard_sheet(game: str, board: Leaderboard, t: Words) -> Sheet:
    """The *board* of *game*: the best, and the place of the person who asked, if that is further down."""
    lines = [_leaderboard_line(it, t) for it in board.top]
    if board.own is not None and all(it.user != board.own.user for it in board.top):
        lines += ["…", _leaderboard_line(board.own, t)]
    if not lines:
        lines.append(t("Nobody is on it yet."))
    return Sheet(
        container(
            [
                text_display(f"### 🏆 {t(PRESENTERS[game].title)}", *lines),
                text_display("-# " + t("Only ratings that are certain are shown here. For your own, see /profile.")),
            ],
            PRESENTERS[game].accent,
        )
    )


def _leaderboard_line(it: Ranked, t: Words) -> str:
    """A line of the leaderboard."""
    return (
        f"{MEDALS.get(it.place, f'{it.place}.')} {bold_name(it.name) if it.name else '?'} · {rating_text(it.rating, t)}"
    )


def leaderboard_switch_sheet(on: bool, t: Words, *, manager: bool) -> Sheet:
    """Whether leaderboards are *on* in a server; a *manager* can switch that."""
    if on:
        said = "-# " + t("This server has leaderboards: /leaderboard shows them to everyone.")
        control = button(t("Switch them off"), Verb.BOARDS, NO_TABLE, arg=NO)
    else:
        said = t("Leaderboards are off on this server.")
        control = button(t("Switch them on"), Verb.BOARDS, NO_TABLE, arg=YES, style=ButtonStyle.success)
    if not manager:
        return Sheet(
            container(
                [text_display(said, "-# " + t("Someone with the Manage Server permission can switch them on here."))]
            )
        )
    why = [] if on else ["-# " + t("They show everyone the points of those who want a rating.")]
    return Sheet(container([text_display(said, *why), action_row(control)]))
