"""The table message at the end: who won, or why nobody did, what is worth telling of the game, and the rematch."""

from collections.abc import Callable, Sequence
from typing import Final

from discord import ButtonStyle

from bot.i18n import Words
from bot.tables.model import Ending, SeatChange
from bot.tables.scene import AnyScene
from bot.ui.components import (
    COLOUR_INACTIVE,
    Component,
    Sheet,
    action_row,
    bold_name,
    button,
    container,
    escaped_name,
    plain_name,
    text_and_picture,
    text_display,
)
from bot.ui.custom_ids import ELSEWHERE, Verb
from bot.ui.daily import MEDALS, NO_MEDAL, finished_daily_game_buttons
from bot.ui.pictures import standings
from bot.ui.pictures.drawings import Picture, make_lazy_picture
from bot.ui.pictures.standings import Highlight, Line
from bot.ui.pictures.symbols import Symbol
from bot.ui.presenter import AnyPresenter, SeatNameAtPly
from engine.game import Seat

REMATCH_SYMBOL: Final = Symbol("again", "🔁")


def game_over_sheet(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Sheet:
    """The table message after the game: who won and the standings, or why it ended early; rematch and review buttons.

    Chat is anchored at the bottom, where the call button was until now. So the buttons stand above the picture or the
    table: a click on the call that comes too late hits nothing else.
    """
    buttons: list[Component] = finished_daily_game_buttons(scene, words) if scene.day and scene.view is not None else []
    in_lobby = scene.rematch_people is None  # once the rematch has begun, its own message leads to it
    if scene.rematch is not None and in_lobby and not scene.solo:
        take = button(words("Take your seat"), Verb.JOIN, scene.rematch, arg=ELSEWHERE, style=ButtonStyle.success)
        buttons = [take]
    elif scene.view is not None and scene.rematch is None and not scene.day:
        buttons = [rematch_button(scene, words)]
    if scene.view is not None:
        buttons.append(button(words("Review"), Verb.REVIEW, scene.table))
        buttons.append(button(words("Check the deal"), Verb.CHECK, scene.table))
    below = [action_row(*buttons)] if buttons else []
    if scene.ending is Ending.FINISHED:
        outcome = presenter.board.round_end_lines(scene.with_names_at_outcome, words)
        won = [f"## 🎉 {winner_line(scene, bold_name, words)}", tie_break_line(scene, presenter, words)]
        won.append(_solo_player_place_line(scene, words))
        shown = _standings_picture(scene, presenter, words)
        said, drawn = text_and_picture(shown, *outcome, *filter(None, won))
        inner = [said, *below, drawn]
        return Sheet(container(inner, presenter.accent), pictures=[shown])
    inner = [text_display(f"## {words(presenter.title)}", early_end_line(scene, words)), *below]
    if scene.view is not None:  # where it stood
        inner += presenter.board.table_components(scene, words)
    return Sheet(container(inner, COLOUR_INACTIVE))


def rematch_button(scene: AnyScene, words: Words) -> Component:
    """Build the button that opens a rematch of the finished game: a new lobby for the same people."""
    return button(words("Rematch"), Verb.REMATCH, scene.table, style=ButtonStyle.success, symbol=REMATCH_SYMBOL)


def early_end_line(scene: AnyScene, words: Words) -> str:
    """A line that says why the table ended early, and who ended it: the lobby was closed, or the game broken off."""
    if scene.view is None:
        return _lobby_closed_line(scene, words)
    said = words("The game has ended early.")
    return f"**{said}** {_running_game_ended_line(scene, words)}"


def _lobby_closed_line(scene: AnyScene, words: Words) -> str:
    """A sentence that says why the table was closed in the lobby: idle, no access, by somebody, or everyone left."""
    match scene.ending:
        case Ending.IDLE:
            return _idle_end_line(words)
        case Ending.REMOVED:
            return words("I lost access to this channel, so the table is closed.")
        case _ if scene.ended_by and scene.day:
            return words("You have not started this deal. With /daily it comes back.")
        case _ if scene.ended_by and scene.solo:
            return words("You have closed this table. Open another one with /play.")
        case _ if scene.ended_by:
            return words("The table was closed by {name}.", name=bold_name(scene.ended_by))
        case _:
            return words("Nobody is left, so the table is closed.")


def _running_game_ended_line(scene: AnyScene, words: Words) -> str:
    """A sentence that says why a running game ended early: somebody ended it, it was idle, or nobody was left.

    It also stands in the hand, which may be a direct message: so it never says "here".
    """
    match scene.ending:
        case Ending.ENDED:
            return words("It was ended by {name}. Nobody wins.", name=bold_name(scene.ended_by))
        case Ending.IDLE:
            return _idle_end_line(words)
        case Ending.REMOVED:
            return words("I lost access to its channel. Nobody wins.")
        case Ending.UNATTENDED:
            return words("It was paused for an hour and nobody came back, so it gave way to a new table.")
        case _ if scene.solo:
            return words("You have left it.")
        case _ if gone := _last_person_to_leave(scene):
            return words("{name} has left, and no human is at the table any more. Nobody wins.", name=bold_name(gone))
        case _:
            return words("No human is left at the table. Nobody wins.")


def _idle_end_line(words: Words) -> str:
    """A line that says that the table was closed as nothing had happened for a day: a lobby or a game."""
    return words("Nothing has happened at the table for a day, so it is closed. Open another one with /play.")


def _last_person_to_leave(scene: AnyScene) -> str:
    """Return the name of the person who left last; empty if it is unknown, or the last seat change was another one: a
    computer was put in somebody's place."""
    last = scene.handovers[-1] if scene.handovers else None
    return last.name if last is not None and last.change is SeatChange.LEFT else ""


def _standings_picture(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Picture:
    """The picture of the final standings and highlights of a finished game, with the same as alt text and as text."""
    seats = range(len(scene.people))
    names = [plain_name(scene.name(Seat(seat))) for seat in seats]
    written = standings.unique_drawable_names(names)

    def highlights(name: SeatNameAtPly) -> Sequence[Highlight]:
        return presenter.board.highlights(scene, name, words) if scene.highlights is not None else ()

    lines = [Line(it.place, written[it.seat], presenter.board.score_token_counts(it)) for it in scene.standings]

    def drawn_name(seat: Seat, ply: int) -> str:
        then = scene.name_at_ply(seat, ply)
        return written[seat] if then == scene.name(seat) else standings.drawable_name(plain_name(then), seat + 1)

    drawn = highlights(drawn_name)
    said = [
        f"{it.place}. {names[it.seat]}: "
        + " ".join(f"{symbol.text} {n}" for symbol, n in presenter.board.score_token_counts(it))
        for it in scene.standings
    ]
    alt = [winner_line(scene, plain_name, words), words("Final standings: {list}.", list="; ".join(said))]
    alt += [f"{it.title}: {it.said}." for it in highlights(lambda seat, ply: plain_name(scene.name_at_ply(seat, ply)))]
    instead = [*standings_lines(scene, presenter)]
    told = highlights(lambda seat, ply: escaped_name(scene.name_at_ply(seat, ply)))
    instead += [f"{it.symbol} **{it.title}:** {it.said}" for it in told]
    return make_lazy_picture(
        "standings",
        (scene.game, lines, drawn),
        lambda: standings.draw_standings_image(lines, presenter.drawings, drawn),
        " ".join(alt),
        "\n".join(instead),
        standings.numbered_names_legend(written, [escaped_name(scene.name(Seat(seat))) for seat in seats]),
    )


def winner_line(scene: AnyScene, format_name: Callable[[str], str], words: Words) -> str:
    """A sentence that names the winners of a finished game; *format_name* makes a name bold, plain or the like."""
    winners = [format_name(scene.name(standing.seat)) for standing in scene.standings if standing.place == 1]
    return words.plural("{names} wins!", "{names} win together!", len(winners), names=words.list_and(winners))


def _solo_player_place_line(scene: AnyScene, words: Words) -> str:
    """A line with the place of the one person of a finished solo table; empty at any other table."""
    if not scene.solo:
        return ""
    own = next((it for it in scene.standings if scene.people[it.seat].user is not None), None)
    if own is None:
        return ""
    place = words("Your place: {place} of {n}", place=own.place, n=len(scene.people))
    return f"{MEDALS.get(own.place, NO_MEDAL)} {place}"


def tie_break_line(scene: AnyScene, presenter: AnyPresenter, words: Words) -> str:
    """A line of small print that says what decided between players with the same score; empty if no one else had it."""
    if not presenter.tie_break or not scene.standings:
        return ""
    first = scene.standings[0].score[0]
    tied = any(it.place > 1 and it.score[0] == first for it in scene.standings)
    return f"-# {words(presenter.tie_break)}" if tied else ""


def standings_lines(scene: AnyScene, presenter: AnyPresenter) -> Sequence[str]:
    """The final standings as text, one line per player, winners first; empty if the game ended early."""
    return [
        f"{MEDALS.get(it.place, f'{it.place}.')} {escaped_name(scene.name(it.seat))}  {presenter.score_text(it)}"
        for it in scene.standings
    ]
