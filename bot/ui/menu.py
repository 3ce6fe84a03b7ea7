"""What the menu button opens, only for the person who pressed it."""

from typing import Final

from discord import ButtonStyle

from bot.i18n import Words
from bot.tables.history import PastAction, TableHistory
from bot.tables.model import Handover, Phase
from bot.tables.scene import AnyScene
from bot.ui.components import NO_TABLE, Item, Option, Sheet, box, button, plain, row, select, text
from bot.ui.custom_ids import Verb
from bot.ui.hints import HINTED
from bot.ui.pictures.symbols import Symbol
from bot.ui.players import handover_line, rated_line, rated_people
from bot.ui.presenter import FAIR, AnyPresenter
from bot.ui.registry import PRESENTERS
from engine.game import Seat

CUT: Final = Symbol("cut", "✂️")
BACK: Final = "back"
"""The argument of a click that goes back to the menu, where that is shown already."""
STAY: Final = "stay"
"""The argument of a click of somebody who was asked whether they are sure, and is not."""


def menu_sheet(scene: AnyScene, words: Words, *, host: bool, moderator: bool) -> Sheet:
    """The menu: in the lobby what needs no button of its own at the table, in the game what has happened, where the
    hand is shown, leave, come back, sit down; what one chooses for oneself; for the *host* or a *moderator* also what
    only they may do."""
    if scene.phase is Phase.LOBBY:
        return _lobby_menu(scene, words, host=host, moderator=moderator)
    table = scene.table
    items: list[Item] = [text(words("### Menu"))]
    if PRESENTERS[scene.game].past:
        items.append(row(button(words("What happened?"), Verb.HAPPENED, table)))
    if own := _own_buttons(scene, words):
        items.append(row(*own))
    items.append(row(*_everybodys_buttons(scene, words)))
    items += free_seats(scene, words)
    rated = [rated_line(scene, words)] if rated_people(scene) else []
    hinted = ["-# " + words(HINTED)] if scene.hinted else []
    items += [text(*rated, *hinted)] if rated or hinted else []
    if host or moderator:
        others = [
            Option(str(seat), words("{name}: a computer takes over", name=plain(person.name)))
            for seat, person in enumerate(scene.people)
            if not person.automatic and seat != scene.seat
        ]
        if others:
            items.append(row(select(Verb.REPLACE, table, words("Replace a player"), others)))
        items.append(row(button(words("End the game"), Verb.END, table, style=ButtonStyle.danger)))
    return Sheet(box(items))


def _lobby_menu(scene: AnyScene, words: Words, *, host: bool, moderator: bool) -> Sheet:
    """The menu in the lobby: rules; for who sits there leave, cut, remove a computer; for the *host* remove a person,
    for them or a *moderator* close the table."""
    table = scene.table
    own: list[Item] = []
    if scene.seat is not None:
        own = [button(words("Leave"), Verb.QUIT, table)]
    if scene.seat is not None and not scene.people[scene.seat].invited:
        own.append(button(words("Cut the deck"), Verb.CUT, table, symbol=CUT))
        if any(person.user is None for person in scene.people):
            own.append(button(words("Remove computer"), Verb.REMOVE_COMPUTER, table))
    items: list[Item] = [
        text(words("### Menu")),
        row(button(words("Rules"), Verb.RULES, table), *own),
        row(*_everybodys_buttons(scene, words)),
    ]
    others = [
        Option(str(person.user), plain(person.name))
        for person in scene.people
        if person.user is not None and person.user != scene.host
    ]
    if host and others:
        items.append(row(select(Verb.REMOVE, table, words("Remove a person"), others)))
    if host or moderator:
        items.append(row(button(words("Close table"), Verb.CANCEL, table, style=ButtonStyle.danger)))
    return Sheet(box(items))


def _everybodys_buttons(scene: AnyScene, words: Words) -> list[Item]:
    """What anybody may do at a table: see how the deal is fixed, bring it down, choose something for themselves."""
    return [
        button(words(FAIR.title), Verb.RULES, scene.table, arg=FAIR.key),
        button(words("Move table to the bottom"), Verb.DOWN_HERE, scene.table),
        button(words("My preferences"), Verb.ME, NO_TABLE),
    ]


def free_seats(scene: AnyScene, words: Words) -> list[Item]:
    """A row with the seats that somebody who does not play may take while the game runs (L4); none if there are
    none."""
    free = [
        Option(str(seat), plain(person.name))
        for seat, person in enumerate(scene.people)
        if person.user is None and not person.former
    ]
    if scene.phase is not Phase.PLAYING or scene.seat is not None or not free or not scene.options.late:
        return []
    return [row(select(Verb.SIT, scene.table, words("Take a computer’s seat"), free))]


def _own_buttons(scene: AnyScene, words: Words) -> list[Item]:
    """What somebody who plays may do about their own seat while the game runs; nothing for others."""
    table = scene.table
    if scene.seat is None:
        return []
    person = scene.people[scene.seat]
    if person.automatic:
        return [button(words("Take my seat back"), Verb.COME_BACK, table, style=ButtonStyle.success)]
    if person.by_dm:
        where = button(words("My hand here instead of by DM"), Verb.HAND, table, arg="stay")
    else:
        where = button(words("My hand by DM"), Verb.HAND_BY_DM, table)
    return [where, button(words("Leave the game"), Verb.LEAVE, table)]


def leave_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The question whether somebody really wants to leave the game, with a button that confirms it."""
    others = any(not person.automatic for seat, person in enumerate(scene.people) if seat != scene.seat)
    line = (
        words(
            "A computer player takes over your cards and what you have won. "
            "You can take the seat back while the game runs."
        )
        if others
        else words("Nobody else is at the table now, so the game waits until one of you comes back.")
        if any(person.timed_out for person in scene.people)
        else words("You are the only person at this table: the game ends, and nobody wins.")
    )
    sure = button(words("Yes, leave"), Verb.LEAVE_FOR_SURE, scene.table, style=ButtonStyle.danger)
    rated = costs_rating(scene, words)
    return Sheet(box([text(words("### Leave the game?"), line, *rated), row(sure, _stay(words("Stay"), scene))]))


def costs_rating(scene: AnyScene, words: Words) -> list[str]:
    """That the viewer comes last in this game if they leave it now, where it counts for their rating (L6)."""
    mine = scene.seat is not None and scene.people[scene.seat] in rated_people(scene)
    return [words("It counts for your rating: leaving means coming last.")] if mine else []


def _stay(label: str, scene: AnyScene) -> Item:
    """The button with which somebody changes their mind."""
    return button(label, Verb.MENU, scene.table, arg=STAY)


def left_sheet(scene: AnyScene, words: Words) -> Sheet:
    """What somebody reads who has left the game, with a button to come back while it runs."""
    if scene.phase is Phase.OVER:
        return Sheet(box([text(words("You have left the game, and it is over: nobody else was there."))]))
    back = button(words("Take my seat back"), Verb.COME_BACK, scene.table, style=ButtonStyle.success)
    line = words("You have left the game. You can take your seat back while it runs.")
    return Sheet(box([text(line), row(back)]))


def end_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The question whether a host or moderator really wants to end the game for everybody, with a button that confirms
    it."""
    line = words("The game ends now, for everyone, and nobody wins.")
    sure = button(words("Yes, end it"), Verb.END_FOR_SURE, scene.table, style=ButtonStyle.danger)
    host = scene.seat is not None and scene.people[scene.seat].user == scene.host
    rated = costs_rating(scene, words) if host else []
    return Sheet(box([text(words("### End the game?"), line, *rated), row(sure, _stay(words("Play on"), scene))]))


# What has happened in the round or trick that is being played, for one person to read.


MOST_LINES: Final = 12
"""So many of the newest lines are shown: that is one screen of a phone."""


def history_sheet(scene: AnyScene, past: TableHistory, words: Words) -> Sheet:
    """What has happened in *scene*, which must be the public's: the newest last, the oldest summed up.

    It does not follow the game: a button shows it anew.
    """
    presenter = PRESENTERS[scene.game]
    lines = [line for it in past.happened if (line := _line(it, scene, presenter, words))]
    older, shown = lines[:-MOST_LINES], lines[-MOST_LINES:]
    head = [f"### {words(presenter.past)}"]
    if not past.whole:
        head.append("-# " + words("What happened before that is not known any more."))
    if older:
        head.append("-# " + words.plural("Before that: {n} more move", "Before that: {n} more moves", len(older)))
    if not lines:
        shown = [words("Nothing has happened yet."), *filter(None, [presenter.board.last_round(scene, words)])]
    again = button(words("Look again"), Verb.HAPPENED, scene.table)
    menu = button(words("Menu"), Verb.MENU, scene.table, arg=BACK)
    return Sheet(box([text(*head, *shown), row(again, menu)], presenter.accent))


def _line(it: PastAction | Handover, scene: AnyScene, presenter: AnyPresenter, words: Words) -> str:
    """What *it* was, in one line; empty: nothing that is told."""
    if isinstance(it, Handover):
        return "🔁 " + handover_line(it, words)
    line = presenter.board.retold(it.told, _then(scene, it.ply), words)
    return f"⏰ {line}" if line and it.by_clock else line


def _then(scene: AnyScene, ply: int) -> AnyScene:
    """*scene* with the people called as those who sat there when the action number *ply* was made."""
    names = [scene.name_then(Seat(seat), ply) for seat in range(len(scene.people))]
    people = [person._replace(name=name) for person, name in zip(scene.people, names, strict=True)]
    return scene._replace(people=tuple(people))
