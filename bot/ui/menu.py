"""The messages that the menu button opens, only for the person who pressed it."""

from typing import Final

from discord import ButtonStyle

from bot.i18n import Words
from bot.tables.history import PastAction, TableHistory
from bot.tables.model import Handover, Phase
from bot.tables.scene import AnyScene
from bot.ui.components import (
    NO_TABLE,
    Component,
    SelectOption,
    Sheet,
    action_row,
    button,
    container,
    plain_name,
    string_select,
    text_display,
)
from bot.ui.custom_ids import Verb
from bot.ui.hints import GAME_HAS_HINTS
from bot.ui.pictures.symbols import Symbol
from bot.ui.players import rated_people, rated_people_line, seat_handover_line
from bot.ui.presenter import FAIR_SHUFFLING_PAGE, AnyPresenter
from bot.ui.registry import PRESENTERS

CUT_SYMBOL: Final = Symbol("cut", "✂️")
BACK: Final = "back"
"""The argument of a click that goes back to the menu in the same message."""
STAY: Final = "stay"
"""The argument of a click that cancels a confirmation question."""


def menu_sheet(scene: AnyScene, words: Words, *, host: bool, moderator: bool) -> Sheet:
    """Build the menu of the lobby or of the running game, for the viewer of *scene*; the *host* and a *moderator* get
    more controls, to end the game or replace players.

    In the lobby it has what needs no button of its own at the table. In the game it has: what has happened, where the
    hand is shown, leave, come back, sit down, and the person's preferences.
    """
    if scene.phase is Phase.LOBBY:
        return _lobby_menu_sheet(scene, words, host=host, moderator=moderator)
    table = scene.table
    items: list[Component] = [text_display(words("### Menu"))]
    if PRESENTERS[scene.game].history_title:
        items.append(action_row(button(words("What happened?"), Verb.HAPPENED, table)))
    if own := _own_seat_buttons(scene, words):
        items.append(action_row(*own))
    items.append(action_row(*_buttons_for_everybody(scene, words)))
    items += takeable_computer_seat_select(scene, words)
    rated = [rated_people_line(scene, words)] if rated_people(scene) else []
    hinted = ["-# " + words(GAME_HAS_HINTS)] if scene.has_hints else []
    items += [text_display(*rated, *hinted)] if rated or hinted else []
    if (host or moderator) and not scene.solo:  # who plays alone ends the game by leaving
        others = [
            SelectOption(str(seat), words("{name}: a computer takes over", name=plain_name(person.name)))
            for seat, person in enumerate(scene.people)
            if not person.automatic and seat != scene.seat
        ]
        if others:
            items.append(action_row(string_select(Verb.REPLACE, table, words("Replace a player"), others)))
        items.append(action_row(button(words("End the game"), Verb.END, table, style=ButtonStyle.danger)))
    return Sheet(container(items))


def _lobby_menu_sheet(scene: AnyScene, words: Words, *, host: bool, moderator: bool) -> Sheet:
    """Build the menu in the lobby: rules; for players leave, cut, remove a computer; for the *host* remove a person;
    for the host or a *moderator* close the table."""
    table = scene.table
    own: list[Component] = []
    if scene.seat is not None:
        own = [button(words("Leave"), Verb.QUIT, table)]
    if scene.seat is not None and not scene.people[scene.seat].invited:
        own.append(button(words("Cut the deck"), Verb.CUT, table, symbol=CUT_SYMBOL))
        if any(person.user is None for person in scene.people):
            own.append(button(words("Remove computer"), Verb.REMOVE_COMPUTER, table))
    items: list[Component] = [
        text_display(words("### Menu")),
        action_row(button(words("Rules"), Verb.RULES, table), *own),
        action_row(*_buttons_for_everybody(scene, words)),
    ]
    others = [
        SelectOption(str(person.user), plain_name(person.name))
        for person in scene.people
        if person.user is not None and person.user != scene.host
    ]
    if host and others:
        items.append(action_row(string_select(Verb.REMOVE, table, words("Remove a person"), others)))
    if host or moderator:
        items.append(action_row(button(words("Close table"), Verb.CANCEL, table, style=ButtonStyle.danger)))
    return Sheet(container(items))


def _buttons_for_everybody(scene: AnyScene, words: Words) -> list[Component]:
    """The menu buttons that everybody gets: fair shuffling, move the table to the bottom, my preferences."""
    return [
        button(words(FAIR_SHUFFLING_PAGE.title), Verb.RULES, scene.table, arg=FAIR_SHUFFLING_PAGE.key),
        button(words("Move table to the bottom"), Verb.DOWN_HERE, scene.table),
        button(words("My preferences"), Verb.ME, NO_TABLE),
    ]


def takeable_computer_seat_select(scene: AnyScene, words: Words) -> list[Component]:
    """A row with a select of computers' seats that the viewer may take while the game runs (L4); empty if none."""
    free = [
        SelectOption(str(seat), plain_name(person.name))
        for seat, person in enumerate(scene.people)
        if person.user is None and not person.former
    ]
    if scene.phase is not Phase.PLAYING or scene.seat is not None or not free or not scene.options.late:
        return []
    return [action_row(string_select(Verb.SIT, scene.table, words("Take a computer’s seat"), free))]


def _own_seat_buttons(scene: AnyScene, words: Words) -> list[Component]:
    """The menu's buttons for the viewer's seat in a game: hand here or by DM, leave, return; empty without a seat."""
    table = scene.table
    if scene.seat is None:
        return []
    person = scene.people[scene.seat]
    if person.automatic:
        return [button(words("Take my seat back"), Verb.COME_BACK, table, style=ButtonStyle.success)]
    leave = button(words("Leave the game"), Verb.LEAVE, table)
    if scene.solo:
        return [leave]
    if person.by_dm:
        where = button(words("My hand here instead of by DM"), Verb.HAND, table, arg="stay")
    else:
        where = button(words("My hand by DM"), Verb.HAND_BY_DM, table)
    return [where, leave]


def confirm_leave_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The question whether the viewer really wants to leave the game, what happens then, and a button to confirm it."""
    others = any(not person.automatic for seat, person in enumerate(scene.people) if seat != scene.seat)
    line = (
        words(
            "A computer player takes over your cards and what you have won. "
            "You can take the seat back while the game runs."
        )
        if others
        else words("Nobody else is at the table now, so the game waits until one of you comes back.")
        if any(person.timed_out for person in scene.people)
        else _last_person_leaves_line(scene, words)
    )
    sure = button(words("Yes, leave"), Verb.LEAVE_FOR_SURE, scene.table, style=ButtonStyle.danger)
    rated = rating_loss_warning(scene, words)
    return Sheet(
        container(
            [
                text_display(words("### Leave the game?"), line, *rated),
                action_row(sure, _cancel_button(words("Stay"), scene)),
            ]
        )
    )


def _last_person_leaves_line(scene: AnyScene, words: Words) -> str:
    """A sentence on what happens if the only person of the game leaves: it ends; a day's deal counts as left."""
    if scene.day and not scene.practice:
        return words(
            "Your one attempt then counts as left before the end. You can also go on later: the game waits for you."
        )
    if scene.solo:
        return words("The game then ends. You can also go on later: the game waits for you.")
    return words("You are the only person at this table: the game ends, and nobody wins.")


def rating_loss_warning(scene: AnyScene, words: Words) -> list[str]:
    """A line that warns the viewer that leaving means coming last for their rating (L6); empty if it does not count."""
    mine = scene.seat is not None and scene.people[scene.seat] in rated_people(scene)
    return [words("It counts for your rating: leaving means coming last.")] if mine else []


def _cancel_button(label: str, scene: AnyScene) -> Component:
    """Build the button, with *label*, that cancels a confirmation question: nothing changes."""
    return button(label, Verb.MENU, scene.table, arg=STAY)


def left_game_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The message for a person who has left the game, with a button to come back while it runs."""
    if scene.phase is Phase.OVER:
        line = words("You have left the game, and it is over: nobody else was there.")
        return Sheet(container([text_display(words("You have left the game.") if scene.solo else line)]))
    back = button(words("Take my seat back"), Verb.COME_BACK, scene.table, style=ButtonStyle.success)
    line = words("You have left the game. You can take your seat back while it runs.")
    return Sheet(container([text_display(line), action_row(back)]))


def confirm_end_game_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The question whether a host or moderator really wants to end the game for all, with a button to confirm it."""
    line = words("The game ends now, for everyone, and nobody wins.")
    sure = button(words("Yes, end it"), Verb.END_FOR_SURE, scene.table, style=ButtonStyle.danger)
    host = scene.seat is not None and scene.people[scene.seat].user == scene.host
    rated = rating_loss_warning(scene, words) if host else []
    return Sheet(
        container(
            [
                text_display(words("### End the game?"), line, *rated),
                action_row(sure, _cancel_button(words("Play on"), scene)),
            ]
        )
    )


# The history of the current round or trick, for one person to read.


MOST_LINES: Final = 12
"""The most lines of the history that are shown, the newest ones: one screen of a phone."""


def history_sheet(scene: AnyScene, past: TableHistory, words: Words) -> Sheet:
    """The message on what has happened in this round or trick: the newest last, with a count of the older moves.

    *scene* must be the public's. The message does not follow the game: a button shows it anew.
    """
    presenter = PRESENTERS[scene.game]
    lines = [line for it in past.happened if (line := _history_entry_line(it, scene, presenter, words))]
    older, shown = lines[:-MOST_LINES], lines[-MOST_LINES:]
    head = [f"### {words(presenter.history_title)}"]
    if not past.whole:
        head.append("-# " + words("What happened before that is not known any more."))
    if older:
        head.append("-# " + words.plural("Before that: {n} more move", "Before that: {n} more moves", len(older)))
    if not lines:
        shown = [
            words("Nothing has happened yet."),
            *filter(None, [presenter.board.last_round_line(scene.with_names_at_outcome, words)]),
        ]
    again = button(words("Refresh"), Verb.HAPPENED, scene.table)
    menu = button(words("Menu"), Verb.MENU, scene.table, arg=BACK)
    return Sheet(container([text_display(*head, *shown), action_row(again, menu)], presenter.accent))


def _history_entry_line(entry: PastAction | Handover, scene: AnyScene, presenter: AnyPresenter, words: Words) -> str:
    """One line on a past action or a change of a seat (*entry*); empty if it is not to be told."""
    if isinstance(entry, Handover):
        return "🔁 " + seat_handover_line(entry, words)
    line = presenter.board.history_line(entry.told, scene.with_names_at(entry.ply), words)
    return f"⏰ {line}" if line and entry.by_clock else line
