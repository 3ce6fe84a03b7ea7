"""The deal of the day: its lobby, one's result, what is shared with others, and the board of a server."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from discord import ButtonStyle

from bot.daily.days import PERSON_SEAT, day_end_ms, day_start_ms
from bot.daily.results import MIN_PEOPLE, DayResult, Percentile
from bot.i18n import Words
from bot.tables.scene import AnyScene
from bot.ui.components import (
    NO_TABLE,
    PLAIN_NO_BREAK_SPACE,
    Component,
    Sheet,
    action_row,
    bold_name,
    button,
    container,
    link_button,
    text_display,
)
from bot.ui.custom_ids import Verb
from bot.ui.dealing import short_code, shuffle_code_line
from bot.ui.registry import PRESENTERS
from engine.game import RoundOutcome, Standing
from engine.registry import GAMES

ROUND_SYMBOLS: Final[Mapping[RoundOutcome, str]] = {
    RoundOutcome.WON: "🟩",
    RoundOutcome.LOST: "🟥",
    RoundOutcome.OTHER: "⬜",
}
MOST_NAMED: Final = 15
"""The most people of a server whose results are listed."""
MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
NO_MEDAL: Final = "🎴"
"""The symbol before any other place."""


class NamedResult(NamedTuple):
    """Somebody's result at a day's deal, for others of the same server to read."""

    name: str
    result: DayResult


class OwnDay(NamedTuple):
    """How somebody's attempt at a day's deal went, for that person."""

    game: str
    day: str
    result: DayResult
    rounds: Sequence[RoundOutcome]
    """How each round ended for them; empty: it is not known yet."""
    percentile: Percentile | None
    """``None``: too few have played."""
    people: int
    """How many have played it so far."""
    in_a_row: int
    """On how many days in a row they have played."""
    here: Sequence[NamedResult]
    """Others who have played it in this server and may be named; empty in direct messages."""


def daily_deal_custom_id_argument(day: str, game: str) -> str:
    """Return the argument (``arg``) of a control that is about the deal of *game* on *day*: both, with a dot between
    them.

    >>> daily_deal_custom_id_argument("2026-11-28", "diciassette")
    '2026-11-28.diciassette'
    """
    return f"{day}.{game}"


def is_iso_date(text: str) -> bool:
    """Whether *text* is a day in ISO 8601 that exists: "2026-11-28".

    >>> is_iso_date("2026-11-28"), is_iso_date("2026-02-30"), is_iso_date("20261128")
    (True, False, False)
    """
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def daily_deal_title(game: str, day: str, words: Words) -> str:
    """Return the title of the deal of *game* on *day*, translated: "17 · Deal of the day Nov 28, 2026" for example."""
    return words("{game} · Deal of the day {day}", game=words(PRESENTERS[game].title), day=_localized_day(day, words))


def _localized_day(day: str, words: Words) -> str:
    """Return *day* ("2026-11-28") as the language of *words* writes dates, on one line."""
    return words.format_date(day_start_ms(day)).replace(" ", PLAIN_NO_BREAK_SPACE)


def running_daily_game_line(scene: AnyScene, words: Words) -> str:
    """Return the line above a running game that names the day whose deal it is, and says if it is practice."""
    title = daily_deal_title(scene.game, scene.day, words)
    practice = words("practice")
    return f"{title} · {practice}" if scene.practice else title


def daily_deal_lobby_sheet(scene: AnyScene, words: Words) -> Sheet:
    """Build the message of a day's deal before it is started: what it is, what counts, the codes, and *Start*. *scene*
    must be the public's."""
    daily = GAMES[scene.game].daily
    assert daily is not None
    others = words.plural(
        "You play against {n} computer player (level {level} of {most}).",
        "You play against {n} computer players (level {level} of {most}).",
        daily.SEATS - 1,
        level=daily.LEVEL,
        most=scene.levels,
    )
    same = words("Everyone gets the same cards, the same opponents and the same luck.")
    if scene.practice:
        counts = words("You have made your attempt, so this is practice: it counts for nothing, and there are hints.")
    else:
        counts = words("One attempt counts, and it begins when you press **Start**. No hurry: the game waits for you.")
    codes = [f"-# {shuffle_code_line(scene, words)}"]
    if scene.unannounced and not scene.practice:
        codes.append("-# " + words("It was not published yesterday: nobody asked for this game’s deal then."))
    if scene.next_code and not scene.practice:
        codes.append("-# " + words("Shuffle code of tomorrow’s deal: {code}", code=short_code(scene.next_code)))
    buttons = action_row(
        button(words("Start"), Verb.START_DAY, scene.table, style=ButtonStyle.primary),
        button(words("Rules"), Verb.RULES, scene.table),
        button(words("Not now"), Verb.CANCEL, scene.table),
    )
    title = f"## {daily_deal_title(scene.game, scene.day, words)}"
    return Sheet(container([text_display(title, f"{same} {others}", counts), buttons, text_display(*codes)]))


def finished_daily_game_buttons(scene: AnyScene, words: Words) -> list[Component]:
    """Build the buttons of a day's deal that is over, in place of a rematch: *My result* and *Practise it*; after
    practice only the latter."""
    argument = daily_deal_custom_id_argument(scene.day, scene.game)
    again = button(words("Practise it"), Verb.PRACTISE, NO_TABLE, arg=argument)
    if scene.practice:
        return [again]
    return [button(words("My result"), Verb.RESULT, NO_TABLE, arg=argument, style=ButtonStyle.success), again]


def daily_game_dm_link_sheet(game: str, day: str, url: str, words: Words, *, started: bool) -> Sheet:
    """Build the private note that leads from a server to a day's deal in the direct messages by a link; *started*: it
    goes on there, else it waits for its start."""
    line = (
        words("You have started this deal; it goes on in our direct messages.")
        if started
        else words("It waits for you in our direct messages.")
    )
    return Sheet(
        container(
            [
                text_display(f"### {daily_deal_title(game, day, words)}", line),
                action_row(link_button(words("Go there"), url)),
            ]
        )
    )


def own_day_result_sheet(own: OwnDay, words: Words, *, share: bool) -> Sheet:
    """Build the private message with one's own result at a day's deal, in comparison with all others; *share*: its
    button posts the result in this channel."""
    argument = daily_deal_custom_id_argument(own.day, own.game)
    lines = [f"### {daily_deal_title(own.game, own.day, words)}", *_day_result_lines(own, words)]
    if score := _score_text(own.result, own.game):
        lines[1] += f" · {score}"
    if own.rounds:
        symbols = {outcome.value: symbol for outcome, symbol in ROUND_SYMBOLS.items()}
        lines.append("-# " + words(PRESENTERS[own.game].outcome_legend, **symbols))
    if own.percentile is not None:
        said = words(
            "Better than **{percent}%** of the {people} who have played it so far.",
            percent=own.percentile.percent,
            people=own.percentile.people,
        )
        lines.append(said)
    else:
        said = words.plural(
            "{n} person has played it so far. From {least} on you see how many did worse.",
            "{n} people have played it so far. From {least} on you see how many did worse.",
            own.people,
            least=MIN_PEOPLE,
        )
        lines.append(f"-# {said}")
    lines += _days_in_a_row_lines(own.in_a_row, words)
    lines.append("-# " + words("The next deal comes {when}.", when=f"<t:{day_end_ms(own.day) // 1000}:R>"))
    items: list[Component] = [text_display(*lines)]
    if own.here:
        items.append(
            text_display(words("**Played in this server**"), *server_day_result_lines(own.here, own.game, words))
        )
    buttons = [button(words("Practise it"), Verb.PRACTISE, NO_TABLE, arg=argument)]
    label = words("Share it here") if share else words("Share")
    buttons.insert(0, button(label, Verb.TELL, NO_TABLE, arg=argument, style=ButtonStyle.primary))
    return Sheet(container([*items, action_row(*buttons)]))


def _day_result_lines(own: OwnDay, words: Words) -> list[str]:
    """Return lines with the place in the game, or that it was left early, and, if known, a symbol for each round."""
    lines = [_final_place_line(own.result, own.game, words)]
    return [*lines, round_result_symbols(own.rounds)] if own.rounds else lines


def _final_place_line(result: DayResult, game: str, words: Words) -> str:
    """Return a line with a medal and the place in the game, or that it was left before its end."""
    daily = GAMES[game].daily
    assert daily is not None
    if result.place is None:
        return words("Left before the end")
    place = words("Place {place} of {n}", place=result.place, n=daily.SEATS)
    return f"{MEDALS.get(result.place, NO_MEDAL)} {place}"


def _score_text(result: DayResult, game: str) -> str:
    """Return the score of *result* in a few characters, as at the end of *game*; empty if the game was not played to
    its end."""
    if result.place is None or len(result.score) != 2:
        return ""
    main, tie_break = result.score
    return PRESENTERS[game].score_text(Standing(PERSON_SEAT, result.place, (main, tie_break)))


def _days_in_a_row_lines(days: int, words: Words) -> list[str]:
    """Return a line that says on how many *days* in a row somebody has played; none before there are two."""
    return ["🔥 " + words.plural("{n} day in a row", "{n} days in a row", days)] if days > 1 else []


def round_result_symbols(rounds: Sequence[RoundOutcome]) -> str:
    """One symbol for each of *rounds*: won, lost, neither. It tells no card."""
    return "".join(ROUND_SYMBOLS[it] for it in rounds)


def shared_day_result_lines(own: OwnDay, name: str, words: Words) -> list[str]:
    """The lines that somebody called *name* (empty: they are not named) shares: the deal, place, rounds, days in a row.
    Nothing in them tells a card.
    """
    title = daily_deal_title(own.game, own.day, words)
    lines = [f"**{title}**" if name else title, *([bold_name(name)] if name else [])]
    return [*lines, *_day_result_lines(own, words), *_days_in_a_row_lines(own.in_a_row, words)]


def shared_day_result_sheet(own: OwnDay, name: str, words: Words) -> Sheet:
    """Build the public message with which somebody called *name* shares their result, without any card; its button
    opens today's deal for whoever clicks."""
    play = button(words("Play today’s deal"), Verb.DAY, NO_TABLE, arg=own.game, style=ButtonStyle.primary)
    return Sheet(container([text_display(*shared_day_result_lines(own, name, words)), action_row(play)]))


def copyable_day_result_sheet(own: OwnDay, words: Words) -> Sheet:
    """Build the private note with one's own result as lines to copy, for direct messages, where there is no channel to
    post to."""
    text = "\n".join(shared_day_result_lines(own, "", words))
    line = words(
        "Copy these lines to wherever you like. In a channel of a server, /daily has a button that posts them."
    )
    return Sheet(text_display(line, f"```\n{text}\n```"))


def server_day_result_lines(results: Collection[NamedResult], game: str, words: Words) -> list[str]:
    """Return a line for each of *results* at a day's deal of *game* in a server, best first: place and name; 15 at
    most, then how many more there are."""
    ordered = sorted(
        results, key=lambda it: (it.result.place is None, it.result.place or 0, [-n for n in it.result.score])
    )
    shown = [f"{_final_place_line(it.result, game, words)} · {bold_name(it.name)}" for it in ordered[:MOST_NAMED]]
    if left := len(ordered) - len(shown):
        shown.append("-# " + words.plural("and {n} more", "and {n} more", left))
    return shown


class BoardGame(NamedTuple):
    """What the board of a server shows of one game."""

    game: str
    results: Sequence[NamedResult]
    """Of people who may be named."""
    others: int
    """How many more have finished it here, who are not named."""


def server_day_leaderboard_sheet(day: str, games: Sequence[BoardGame], words: Words) -> Sheet:
    """Build the public board of the deal of *day* in a server: for each of *games* who has played it, and a button to
    play."""
    head = words("## Deal of the day · {day}", day=_localized_day(day, words))
    items: list[Component] = [
        text_display(head, words("The same cards for everyone, one attempt each, until midnight UTC."))
    ]
    for it in games:
        lines = [f"**{words(PRESENTERS[it.game].title)}**", *server_day_result_lines(it.results, it.game, words)]
        if it.others:
            lines.append("-# " + words("{n} more, not named: only people with a rating are (/me)", n=it.others))
        if not it.results and not it.others:
            lines.append("-# " + words("Nobody has finished it here yet."))
        items.append(text_display(*lines))
    buttons = [
        button(words(PRESENTERS[it.game].title), Verb.DAY, NO_TABLE, arg=it.game, style=ButtonStyle.primary)
        for it in games
    ]
    items.append(action_row(*buttons))
    return Sheet(container(items))
