"""The table message in the lobby: the game, the players, what is missing to start, how it is played; one row of
buttons."""

from typing import Final

from discord import ButtonStyle

from bot.custom_ids import Verb
from bot.i18n import Words
from bot.pictures.symbols import Symbol
from bot.present.dealing import shuffle_line
from bot.present.hints import COACH, HINTS_OFFERED, HINTS_ON
from bot.present.players import manner, rated_line, rated_people
from bot.present.profile import NOT_COUNTED
from bot.present.registry import PRESENTERS
from bot.present.sheet import Sheet, bold, box, button, row, text
from bot.present.table_options import LEVELS, options_line
from bot.tables.scene import AnyScene, Person
from engine.registry import GAMES

COMPUTER: Final = Symbol("computer", "🤖")


def lobby_sheet(scene: AnyScene, words: Words) -> Sheet:
    """The table message of *scene*, which must be the public's, in the lobby. The players and the buttons stand
    together, so that a phone shows both at once; the small print comes last."""
    presenter = PRESENTERS[scene.game]
    least, most = scene.seats
    seated = sum(not person.invited for person in scene.people)
    people = [_player_line(number, person, scene, words) for number, person in enumerate(scene.people, start=1)]
    if seated < least:
        state = words.plural(
            "⏳ {n} more player is needed. Invite a friend or add a computer player.",
            "⏳ {n} more players are needed. Invite friends or add computer players.",
            least - seated,
        )
    else:
        state = words("✅ Ready: when everyone is here, any player can press **Start**.")
    table = scene.table
    join = ButtonStyle.success if seated < least else ButtonStyle.secondary
    buttons = row(
        button(words("Start"), Verb.START, table, style=ButtonStyle.primary, disabled=seated < least),
        button(words("Join"), Verb.JOIN, table, style=join, disabled=seated >= most),
        button(words("Add computer"), Verb.ADD_COMPUTER, table, symbol=COMPUTER, disabled=seated >= most),
        button(words("Options"), Verb.OPTIONS, table),
        button(words("Menu"), Verb.MENU, table),
    )
    return Sheet(
        box(
            [
                text(f"## {words(presenter.title)}", words(presenter.teaser)),
                text(
                    words("**Players** ({n} of {most})", n=seated, most=most),
                    *people,
                    "",
                    state,
                    *_start_failed(scene, words),
                ),
                buttons,
                text(*_small_print(scene, words)),
            ]
        )
    )


def _player_line(number: int, person: Person, scene: AnyScene, words: Words) -> str:
    """Who sits in a seat, by *number*: a computer's level and manner; whether they are host, invited, have cut."""
    return (
        f"{number}. {bold(person.name)}"
        + (" 🤖" if person.user is None else "")
        + (LEVELS[person.level - 1] if person.level and scene.levels > 1 else "")
        + (f" · {like}" if (like := manner(person, words)) else "")
        + (" · " + words("host") if person.user == scene.host else "")
        + (" · " + words("invited: press **Join**") if person.invited else "")
        + (" · ✂️" if person.has_cut else "")
    )


def _start_failed(scene: AnyScene, words: Words) -> list[str]:
    """That *Start* was pressed in vain, if it was, and what can be done about it."""
    if not scene.start_failed:
        return []
    if scene.start_refused:
        said = words("⚠️ The game could not start: I may not write here. A moderator sees with /doctor what is missing.")
    else:
        said = words("⚠️ The game could not start: I could not send its message here. You can press **Start** again.")
    return [f"-# {said}"]


def _small_print(scene: AnyScene, words: Words) -> list[str]:
    """How it is played, with calls and hints, whether it counts, and the code that fixes the shuffle."""
    lines = [f"⚙️ {options_line(scene, words)}"]
    if PRESENTERS[scene.game].call and not scene.options.breath:
        lines.append(words("After a call the cards are turned over at once."))
    if GAMES[scene.game].coach is not None:
        people = sum(person.user is not None for person in scene.people)
        alone = people == 1 < len(scene.people)
        if scene.options.hints or alone:
            lines.append(f"{COACH.text} {words(HINTS_ON if scene.options.hints else HINTS_OFFERED)}")
    if rated_people(scene):
        lines.append(rated_line(scene, words))
    elif not scene.counted and any(person.rated for person in scene.people):
        lines.append(words(NOT_COUNTED))
    lines.append(shuffle_line(scene, words))
    return [f"-# {line.removeprefix('-# ')}" for line in lines if line]
