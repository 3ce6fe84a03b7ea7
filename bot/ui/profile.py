"""A person's profile: their games in numbers, and their rating, if they want one. Only they see it."""

from collections.abc import Mapping
from typing import Final

from discord import ButtonStyle

from bot.i18n import N_, Words
from bot.stats.profiles import Leaderboard, LeaderboardEntry, Profile
from bot.stats.ratings import Rating, displayed_points, is_provisional
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
from bot.ui.daily import MEDALS
from bot.ui.pictures import ratings
from bot.ui.pictures.drawings import Picture, make_lazy_picture
from bot.ui.registry import PRESENTERS
from engine.registry import GAMES
from engine.tallies import PLAYED, WON

ASK: Final = "ask"
STOP: Final = "stop"
STOP_FOR_SURE: Final = "stop.sure"
"""The arguments of the rating controls: ask for a rating, give it up, and confirm that."""

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
"""The explanation of ratings for a person who is asked whether they want one."""


def choose_profile_game(profiles: Mapping[str, Profile], wanted_game: str | None) -> str | None:
    """The game that a profile shows: *wanted_game* if it was played, else the most played; ``None`` if none was."""
    played = [game for game in GAMES if game in profiles]
    if wanted_game in played:
        return wanted_game
    return max(played, key=lambda game: profiles[game].totals.get(PLAYED, 0), default=None)


def profile_sheet(
    profiles: Mapping[str, Profile],
    wanted_game: str | None,
    rated: bool | None,
    words: Words,
    *,
    asks: bool = False,
    counted: bool = True,
) -> Sheet:
    """Build a person's profile: numbers and rating in one game (*wanted_game*, else the most played), a select of their
    games, and the rating's buttons or question.

    *rated*: whether they want a rating; ``None``: they have not been asked yet, so they are asked now. With *asks* they
    are asked again. *counted*: whether games on this server count.
    """
    game = choose_profile_game(profiles, wanted_game)
    items: list[Component] = [text_display(words("### My profile"), *([] if counted else [f"-# {words(NOT_COUNTED)}"]))]
    pictures: list[Picture] = []
    if game is None:
        none = [words("You have not finished a game yet. Open a table with /play; games are counted here.")]
        items.append(
            text_display(
                *none, *(["📈 " + words("Your rating begins with your first game that counts.")] if rated else [])
            )
        )
    else:
        profile = profiles[game]
        items.append(text_display(*_profile_number_lines(game, profile, words), *_rating_lines(profile, rated, words)))
        if rated and len(profile.ratings) >= ratings.FEWEST_RATINGS:
            pictures.append(_ratings_picture(profile, words))
            items.append(media_gallery(pictures[-1]))
    others = [it for it in GAMES if it in profiles]
    if len(others) > 1:
        options = [SelectOption(it, words(PRESENTERS[it].title), it == game) for it in others]
        items.append(action_row(string_select(Verb.PROFILE, NO_TABLE, words("Which game"), options)))
    items += _rating_controls(rated, words, asks=asks)
    return Sheet(container(items), pictures=pictures)


def confirm_rating_deletion_sheet(words: Words) -> Sheet:
    """Build the question whether a person really wants their ratings in all games deleted, with a button for each
    answer."""
    return Sheet(
        container(
            [
                text_display(
                    words("### Give up your rating?"),
                    words(
                        "Your ratings in all games are deleted for good. If you want one again, it starts from scratch."
                    ),
                ),
                action_row(
                    button(
                        words("Delete my ratings"), Verb.RATE, NO_TABLE, arg=STOP_FOR_SURE, style=ButtonStyle.danger
                    ),
                    button(words("Keep them"), Verb.PROFILE, NO_TABLE),
                ),
            ]
        )
    )


def _profile_number_lines(game: str, profile: Profile, words: Words) -> list[str]:
    """The numbers in a profile of *game*: games, wins, the game's own counts two a line, and favourite partners."""
    known = profile.totals
    games = words.plural("{n} game", "{n} games", known.get(PLAYED, 0))
    won = words.plural("{n} won", "{n} won", known.get(WON, 0))
    labels, tallies = PRESENTERS[game].count_labels, GAMES[game].tallies
    counts = [f"{words(labels[what])}: **{known.get(what, 0)}**" for what in (tallies.COUNTS if tallies else ())]
    lines = [f"**{words(PRESENTERS[game].title)}**", f"{games} · {won}"]
    lines += [" · ".join(counts[at : at + 2]) for at in range(0, len(counts), 2)]
    partners = [f"{bold_name(it.name)} ({it.games})" for it in profile.partners if it.name]
    return [*lines, words("Most games with {names}", names=words.list_and(partners))] if partners else lines


def _rating_lines(profile: Profile, rated: bool | None, words: Words) -> list[str]:
    """The line with a person's rating in points, or that there is none yet; empty if they want no rating."""
    if not rated:
        return []
    now = profile.rating
    if now is None:
        return ["📈 " + words("No rating yet: none of your games has counted so far.")]
    if is_provisional(now):
        return [
            "📈 "
            + words.plural(
                "Rating: about **{points}** points, still uncertain after {n} game.",
                "Rating: about **{points}** points, still uncertain after {n} games.",
                now.games,
                points=displayed_points(now),
            )
        ]
    return [
        "📈 "
        + words.plural(
            "Rating: **{points}** points after {n} game.",
            "Rating: **{points}** points after {n} games.",
            now.games,
            points=displayed_points(now),
        )
    ]


def _ratings_picture(profile: Profile, words: Words) -> Picture:
    """The picture of how a person's rating changed over their last games, with the same as alt text."""
    values = [displayed_points(it) for it in profile.ratings]
    said = words(
        "Your rating over your last {n} games: from {first} to {last} points, lowest {low}, highest {high}.",
        n=len(values),
        first=values[0],
        last=values[-1],
        low=min(values),
        high=max(values),
    )
    return make_lazy_picture("ratings", values, lambda: ratings.draw_ratings_chart(values), said, said)


def _rating_controls(rated: bool | None, words: Words, *, asks: bool) -> list[Component]:
    """The question whether a person wants a rating, if unanswered or *asks*; else a button to change the answer."""
    if rated is None or asks:
        yes = button(words("Yes, I want a rating"), Verb.RATE, NO_TABLE, arg=YES, style=ButtonStyle.success)
        no = button(words("No rating"), Verb.RATE, NO_TABLE, arg=NO)
        return [
            text_display(words("**Do you want a rating?**"), *(f"-# {words(line)}" for line in RATING_EXPLANATION)),
            action_row(yes, no),
        ]
    label, arg = (words("Give up my rating"), STOP) if rated else (words("I want a rating"), ASK)
    return [action_row(button(label, Verb.RATE, NO_TABLE, arg=arg))]


def rating_text(rating: Rating, words: Words) -> str:
    """Return a rating for a leaderboard: the points in bold, and after how many games."""
    games = words.plural("{n} game", "{n} games", rating.games)
    return f"**{displayed_points(rating)}** · {games}"


# The leaderboard of a game in a server, for everybody there; and the switch for those who manage the server.


def leaderboard_sheet(game: str, board: Leaderboard, words: Words) -> Sheet:
    """The message with the leaderboard of *game*: the best, and the rank of whoever asked, if they are further down."""
    lines = [_leaderboard_line(it, words) for it in board.top]
    if board.own is not None and all(it.user != board.own.user for it in board.top):
        lines += ["…", _leaderboard_line(board.own, words)]
    if not lines:
        lines.append(words("Nobody is on it yet."))
    return Sheet(
        container(
            [
                text_display(f"### 🏆 {words(PRESENTERS[game].title)}", *lines),
                text_display(
                    "-# " + words("Only ratings that are certain are shown here. For your own, see /profile.")
                ),
            ],
            PRESENTERS[game].accent,
        )
    )


def _leaderboard_line(entry: LeaderboardEntry, words: Words) -> str:
    """Return a line of the leaderboard: medal or place, name ("?" if there is none), rating and number of games."""
    name = bold_name(entry.name) if entry.name else "?"
    return f"{MEDALS.get(entry.place, f'{entry.place}.')} {name} · {rating_text(entry.rating, words)}"


def leaderboard_switch_sheet(on: bool, words: Words, *, manager: bool) -> Sheet:
    """The message that says whether a server has leaderboards (*on*); a *manager* gets a button to switch them."""
    if on:
        said = "-# " + words("This server has leaderboards: /leaderboard shows them to everyone.")
        control = button(words("Switch them off"), Verb.BOARDS, NO_TABLE, arg=NO)
    else:
        said = words("Leaderboards are off on this server.")
        control = button(words("Switch them on"), Verb.BOARDS, NO_TABLE, arg=YES, style=ButtonStyle.success)
    if not manager:
        return Sheet(
            container(
                [
                    text_display(
                        said,
                        "-# " + words("Someone with the Manage Server permission can switch them on with /settings."),
                    )
                ]
            )
        )
    why = [] if on else ["-# " + words("They show everyone the points of those who want a rating.")]
    return Sheet(container([text_display(said, *why), action_row(control)]))
