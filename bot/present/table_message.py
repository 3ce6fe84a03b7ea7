"""The table message, for everybody: the lobby, the running game, its end."""

from typing import Final

from discord import ButtonStyle

from bot.custom_ids import Verb
from bot.i18n import N_, Words
from bot.pictures.symbols import Symbol
from bot.present.dealing import codes, starting_sheet
from bot.present.ending import over_sheet
from bot.present.hints import COACH, HINTS_OFFERED, HINTS_ON
from bot.present.news import news_lines
from bot.present.players import handover_lines, manner, rated_line, rated_people
from bot.present.presenter import AnyPresenter, OptionText
from bot.present.profile import NOT_COUNTED
from bot.present.registry import PRESENTERS
from bot.present.sheet import (
    Item,
    Option,
    Sheet,
    bold,
    box,
    button,
    link,
    row,
    select,
    text,
)
from bot.present.table_controls import last_row
from bot.tables.characters import CHARACTERS
from bot.tables.model import Phase
from bot.tables.options import BEAT_MS, TURN_SECONDS, USUAL_TURN_SECONDS, Pace
from bot.tables.scene import AnyScene
from engine.game import Seat
from engine.registry import GAMES

COMPUTER: Final = Symbol("computer", "🤖")
CUT: Final = Symbol("cut", "✂️")
LEVELS: Final = "①②③④⑤⑥"
"""How levels are written, as many as a game can have (``MOST_LEVELS``)."""
USUAL: Final = "usual"
"""The value of the usual turn limit in the lobby's list."""
PACES: Final = {
    Pace.SLOW: N_("Slow"),
    Pace.NORMAL: N_("Normal"),
    Pace.FAST: N_("Fast"),
}


def table_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The table message for *scene*, which must be the public's."""
    presenter = PRESENTERS[scene.game]
    match scene.phase:
        case Phase.LOBBY:
            return starting_sheet(scene, words) if scene.starting else _lobby_sheet(scene, presenter, words)
        case Phase.PLAYING:
            return _playing_sheet(scene, presenter, words)
        case Phase.OVER:
            return over_sheet(scene, presenter, words)


def moved_sheet(scene: AnyScene, words: Words) -> Sheet:
    """What an old table message shows once a new one was sent at the bottom of the channel: a link to it."""
    title = words(PRESENTERS[scene.game].title)
    return Sheet(
        text(words("The {game} table has moved to the bottom.", game=title)),
        row(link(words("To the table"), scene.place.url)),
    )


def duration(seconds: int, words: Words) -> str:
    """A turn limit of *seconds* in words; 0: no limit."""
    if seconds == 0:
        return words("No time limit")
    if seconds < 120:
        return words.plural("{n} second per turn", "{n} seconds per turn", seconds)
    if seconds < 7200:
        return words.plural("{n} minute per turn", "{n} minutes per turn", seconds // 60)
    return words.plural("{n} hour per turn", "{n} hours per turn", seconds // 3600)


def _lobby_sheet(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Sheet:
    """The table message in the lobby: the game, the players, what is missing to start, the options, the buttons."""
    least, most = scene.seats
    seated = sum(not person.invited for person in scene.people)
    computers = sum(person.user is None for person in scene.people)
    people = [
        f"{number}. {bold(person.name)}"
        + (" 🤖" if person.user is None else "")
        + (LEVELS[person.level - 1] if person.level and scene.levels > 1 else "")
        + (f" · {like}" if (like := manner(person, words)) else "")
        + (" · " + words("host") if person.user == scene.host else "")
        + (" · " + words("invited: press **Join**") if person.invited else "")
        + (" · ✂️" if person.has_cut else "")
        for number, person in enumerate(scene.people, start=1)
    ]
    if seated < least:
        state = words.plural(
            "⏳ {n} more player is needed. Invite a friend or add a computer player.",
            "⏳ {n} more players are needed. Invite friends or add computer players.",
            least - seated,
        )
    else:
        state = words("✅ Ready: when everyone is here, any player can press **Start**.")
    options = scene.options
    paces = [Option(pace.value, _pace_label(pace, presenter, words), pace is options.pace) for pace in Pace]
    usual = words("Per turn: {n} min (alone: no limit)", n=USUAL_TURN_SECONDS // 60)
    limits = [Option(USUAL, usual, options.turn_seconds is None)]
    limits += [Option(str(s), duration(s, words), s == options.turn_seconds) for s in TURN_SECONDS]
    table = scene.table
    join = ButtonStyle.success if seated < least else ButtonStyle.secondary
    at_once = (
        ["-# " + words("After a call the cards are turned over at once.")]
        if presenter.call and not options.breath
        else []
    )
    failed = []
    if scene.start_failed and scene.start_refused:
        said = words("⚠️ The game could not start: I may not write here. A moderator sees with /doctor what is missing.")
        failed = ["-# " + said]
    elif scene.start_failed:
        said = words("⚠️ The game could not start: I could not send its message here. You can press **Start** again.")
        failed = ["-# " + said]
    if GAMES[scene.game].has_coach:
        alone = computers and sum(person.user is not None for person in scene.people) == 1
        if scene.options.hints or alone:
            at_once.append(f"-# {COACH.text} {words(HINTS_ON if scene.options.hints else HINTS_OFFERED)}")
    if rated_people(scene):
        at_once.append(rated_line(scene, words))
    elif not scene.counted and any(person.rated for person in scene.people):
        at_once.append(f"-# {words(NOT_COUNTED)}")
    inner: list[Item] = [
        text(f"## {words(presenter.title)}", words(presenter.teaser)),
        text(words("**Players** ({n} of {most})", n=seated, most=most), *people, "", state, *failed, *at_once),
        text(
            "-# 🔒 " + words("With this code anyone can check the deal later: see **{Rules}**."), *codes(scene, words)
        ),
        row(
            button(words("Join"), Verb.JOIN, table, style=join, disabled=seated >= most),
            button(words("Leave"), Verb.QUIT, table),
            button(words("Rules"), Verb.RULES, table),
            button(words("Menu"), Verb.MENU, table),
        ),
        row(
            button(words("Add computer"), Verb.ADD_COMPUTER, table, symbol=COMPUTER, disabled=seated >= most),
            button(words("Remove computer"), Verb.REMOVE_COMPUTER, table, disabled=not computers),
        ),
        *([row(_level_select(scene, presenter, words))] if scene.levels > 1 and seated < most else []),
        *(row(_option_select(scene, name, presenter.options[name], words)) for name in presenter.options),
        row(select(Verb.PACE, table, words("Pace"), paces)),
        row(select(Verb.TURN_LIMIT, table, words("Time per turn"), limits)),
        row(
            button(words("Start"), Verb.START, table, style=ButtonStyle.primary, disabled=seated < least),
            button(words("Cut the deck"), Verb.CUT, table, symbol=CUT),
            button(words("Close table"), Verb.CANCEL, table, style=ButtonStyle.danger),
        ),
    ]
    return Sheet(box(inner))


def _level_select(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Item:
    """The list of computer players that can be added, the weakest first: their level, who has it, what they are
    like."""
    options = []
    for level in range(1, scene.levels + 1):
        names = [name for name, it in CHARACTERS.items() if it.level == level]
        like = words(presenter.levels[level - 1]) if presenter.levels else ""
        options.append(Option(str(level), f"{LEVELS[level - 1]} {', '.join(names)}", description=like))
    strongest = LEVELS[scene.levels - 1]
    placeholder = words("Add level {least} (easy) – {most} (hard)", least=LEVELS[0], most=strongest)
    return select(Verb.LEVEL, scene.table, placeholder, options)


def _pace_label(pace: Pace, presenter: AnyPresenter, words: Words) -> str:
    """The entry for *pace* in the lobby's list: its name, and how long the beat is."""
    if pace is Pace.OFF:
        return words("No pause")
    return f"{words(PACES[pace])}: {words(presenter.pace, seconds=BEAT_MS[pace] // 1000)}"


def _option_select(scene: AnyScene, name: str, option: OptionText, words: Words) -> Item:
    """The list for one of the game's options, in the lobby."""
    chosen = scene.game_options[name]
    values = [Option(value, words(label), value == chosen) for value, label in option.values.items()]
    return select(Verb.OPTION, scene.table, words(option.title), values, arg=name)


def _playing_sheet(scene: AnyScene, presenter: AnyPresenter, words: Words) -> Sheet:
    """The table message while the game runs: the board, what has just happened, whose turn it is, the buttons.

    The end of the last round stands above until the next one is under way.
    """
    board, lines = presenter.board, list(news_lines(scene, words))
    inner: list[Item] = list(board.show(scene, words))
    if lines and (ended := board.last_round(scene, words)):
        lines.insert(0, f"-# {ended}")
    elif not lines and (outcome := board.outcome(scene, words)):
        # How the last round ended stays in sight until the new one is under way.
        inner.insert(0, text(*outcome))
    closed = [bold(person.name) for person in scene.people if person.user and person.refuses_dms]
    if scene.overdue is not None:
        lines.append("⏰ " + _overdue_line(scene, scene.overdue, words))
    lines += handover_lines(scene, words)
    lines.append(_paused_line(words) if scene.paused else board.status(scene, words))
    if scene.turn_ends is not None:
        lines.append("-# ⏱️ " + words("Turn ends {when}.", when=f"<t:{scene.turn_ends // 1000}:R>"))
    if closed:
        lines.append(
            "-# "
            + words(
                "{names}: you get no direct messages here – press **My hand** to see your cards.",
                names=words.all_of(closed),
            )
        )
    inner.append(text(*lines))
    back = button(words("Continue"), Verb.COME_BACK, scene.table, style=ButtonStyle.success)
    waiting = [row(back)] if scene.paused else []
    return Sheet(box(inner, presenter.accent), *waiting, last_row(scene, presenter, words))


def _overdue_line(scene: AnyScene, seat: Seat, words: Words) -> str:
    """What has become of the turn of *seat*, whose time was up (L3)."""
    name = bold(scene.name(seat))
    if scene.people[seat].automatic:
        return words("{name}’s time ran out again: a computer has the seat until {name} takes it back.", name=name)
    return words(
        "{name}’s time ran out, so a computer played this turn. Once more in a row, and it takes over the seat.",
        name=name,
    )


def _paused_line(words: Words) -> str:
    """What a table says that waits for its people (L2)."""
    return words(
        "⏸️ **The game is paused**, because nobody is here. "
        "It goes on as soon as someone who was playing presses **Continue**."
    )
