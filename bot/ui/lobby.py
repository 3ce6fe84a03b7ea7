"""The table message in the lobby: the game, the players, what is missing to start, the options; one row of buttons."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord
from discord import ButtonStyle

from bot.i18n import N_, Words
from bot.tables.errors import Refusal, Why
from bot.tables.names import CHARACTERS
from bot.tables.options import BEAT_MS, TURN_SECONDS, USUAL_TURN_SECONDS, Pace
from bot.tables.scene import AnyScene, PublicPlayer
from bot.ui.components import Sheet, action_row, bold_name, button, container, text_display
from bot.ui.custom_ids import NO, YES, Verb, custom_id
from bot.ui.dealing import shuffle_code_line
from bot.ui.hints import COACH_SYMBOL, HINTS_ALONE, HINTS_OFFERED, HINTS_ON
from bot.ui.pictures.symbols import Symbol
from bot.ui.players import computer_character_description, rated_people, rated_people_line
from bot.ui.presenter import AnyPresenter
from bot.ui.profile import NOT_COUNTED
from bot.ui.registry import PRESENTERS
from engine.game import MOST_LEVELS
from engine.registry import GAMES

# The options of a table: a line in the lobby, and the form in which its host chooses them.
#
# Forms can hold lists, radio buttons and check boxes. Source:
# https://discord.com/developers/docs/components/reference#label


LEVELS: Final = "①②③④⑤⑥"
"""The symbols of the levels, as many as a game can have (``MOST_LEVELS``)."""
DEFAULT_VALUE: Final = "usual"
"""The value of an option that nobody has chosen: a turn limit, a level."""
PACES: Final = {
    Pace.SLOW: N_("Slow"),
    Pace.NORMAL: N_("Normal"),
    Pace.FAST: N_("Fast"),
}
SWITCH_OPTIONS: Final = ("late", "breath", "hints")
"""The fields of ``Options`` that are on or off."""
CHOICES: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "pace": {pace.value: {"pace": pace} for pace in Pace},
    "limit": {DEFAULT_VALUE: {"turn_seconds": None}, **{str(n): {"turn_seconds": n} for n in TURN_SECONDS}},
    "level": {DEFAULT_VALUE: {"level": None}, **{str(n): {"level": n} for n in range(1, MOST_LEVELS + 1)}},
    **{name: {YES: {name: True}, NO: {name: False}} for name in SWITCH_OPTIONS},
}
"""For each option of any table, the fields of ``Options`` that each of its values sets."""
GAME_FIELD_PREFIX: Final = "game-"
"""The prefix of the names of the form's fields for a game's own options."""
SWITCHES_FIELD: Final = "switches"
"""The form's field for all options that are on or off."""

Field = discord.ui.Label[Any]
Fields = Mapping[str, Sequence[str]]
"""The values that were sent in a form, by the field's name."""


def turn_limit_text(seconds: int, words: Words) -> str:
    """Return a turn limit of *seconds* in words, as "90 seconds per turn", in minutes from 2 minutes on, in hours from
    2 hours on; 0: no limit."""
    if seconds == 0:
        return words("No time limit")
    if seconds < 120:
        return words.plural("{n} second per turn", "{n} seconds per turn", seconds)
    if seconds < 7200:
        return words.plural("{n} minute per turn", "{n} minutes per turn", seconds // 60)
    return words.plural("{n} hour per turn", "{n} hours per turn", seconds // 3600)


def turn_limit_labels(words: Words) -> dict[str, str]:
    """Return the labels of the turn limits in a select, by value: the seconds as text, or "usual" for the default,
    which comes first (L3)."""
    usual = {DEFAULT_VALUE: words("Per turn: {n} min (alone: no limit)", n=USUAL_TURN_SECONDS // 60)}
    return usual | {str(seconds): turn_limit_text(seconds, words) for seconds in TURN_SECONDS}


def pace_name(pace: Pace, words: Words) -> str:
    """Return the name of *pace* in the reader's language; "No pause" if it is off."""
    return words("No pause") if pace is Pace.OFF else words(PACES[pace])


def table_options_line(scene: AnyScene, words: Words) -> str:
    """Pace, turn limit, the game's options, "no latecomers" and the level of new computer players, in one line."""
    presenter, options = PRESENTERS[scene.game], scene.options
    seconds = options.turn_seconds
    if seconds is None:
        several = sum(person.user is not None for person in scene.people) > 1
        seconds = USUAL_TURN_SECONDS if several else 0
    name = pace_name(options.pace, words)
    parts = [name if options.pace is Pace.OFF else words("Pace: {name}", name=name), turn_limit_text(seconds, words)]
    parts += [words(option.values[scene.game_options[name]]) for name, option in presenter.options.items()]
    if not options.late and not scene.solo:
        parts.append(words("No latecomers"))
    if options.level is not None and scene.levels > 1:
        parts.append(words("New computers: level {level}", level=LEVELS[options.level - 1]))
    return " · ".join(parts)


def _current_option_values(scene: AnyScene) -> dict[str, str]:
    """The current value of each option of the table, by form field; empty text if it is none of the values on offer.

    The order is always the same.
    """
    now = scene.options._asdict().items()
    values = {
        name: next((value for value, made in choices.items() if made.items() <= now), "")
        for name, choices in CHOICES.items()
    }
    return values | {f"{GAME_FIELD_PREFIX}{name}": value for name, value in scene.game_options.items()}


def _possible_option_values(presenter: AnyPresenter) -> dict[str, list[str]]:
    """The values that each option can have, nine at most, by form field: options of any table and the game's own."""
    own = {f"{GAME_FIELD_PREFIX}{name}": list(option.values) for name, option in presenter.options.items()}
    return {name: list(choices) for name, choices in CHOICES.items()} | own


def table_options_form(scene: AnyScene, words: Words, *, host: bool) -> discord.ui.Modal:
    """The form (modal) for a table's options: all for the *host*, only the level of new computer players for others.
    Solo tables have no turn limit, nobody else, and hints.

    The form's custom_id says what it shows, because phones show a form whose custom_id they know as they showed it
    first (https://github.com/discord/discord-api-docs/issues/7554).
    """
    presenter, chosen = PRESENTERS[scene.game], _current_option_values(scene)
    places = "".join(
        str(["", *values].index(chosen[name])) for name, values in _possible_option_values(presenter).items()
    )
    shown = f"{'host' if host else 'player'}.{words.locale}.{places}"
    form = discord.ui.Modal(title=words("Options"), custom_id=custom_id(Verb.OPTIONS, scene.table, arg=shown))
    level = [_level_field(chosen, scene, presenter, words)] if scene.levels > 1 else []
    fields = level
    if host:
        fields = [_pace_field(chosen, presenter, words)]
        fields += [] if scene.solo else [_turn_limit_field(chosen, words)]
        fields += [_game_option_field(chosen, presenter, name, words) for name in presenter.options]
        fields += level if scene.solo else [*level, _switches_field(chosen, presenter, words)]
    for field in fields:
        form.add_item(field)
    return form


def _pace_field(chosen: Mapping[str, str], presenter: AnyPresenter, words: Words) -> Field:
    """The form's field for the pace; below each pace stands how long the beat is."""
    options = [
        discord.RadioGroupOption(
            label=pace_name(pace, words),
            value=pace.value,
            description=None if pace is Pace.OFF else words(presenter.pace_text, seconds=BEAT_MS[pace] // 1000),
            default=pace.value == chosen["pace"],
        )
        for pace in Pace
    ]
    radio: discord.ui.RadioGroup[Any] = discord.ui.RadioGroup(custom_id="pace", options=options)
    return discord.ui.Label(text=words("Pace"), component=radio)


def _turn_limit_field(chosen: Mapping[str, str], words: Words) -> Field:
    """The form's field (a select) for the turn limit."""
    options = [
        discord.SelectOption(label=label, value=value, default=value == chosen["limit"])
        for value, label in turn_limit_labels(words).items()
    ]
    limits: discord.ui.Select[Any] = discord.ui.Select(custom_id="limit", options=options, required=False)
    return discord.ui.Label(text=words("Time per turn"), component=limits)


def _game_option_field(chosen: Mapping[str, str], presenter: AnyPresenter, name: str, words: Words) -> Field:
    """The form's field (radio buttons) for the game's own option *name*."""
    option, field = presenter.options[name], f"{GAME_FIELD_PREFIX}{name}"
    options = [
        discord.RadioGroupOption(label=words(label), value=value, default=value == chosen[field])
        for value, label in option.values.items()
    ]
    radio: discord.ui.RadioGroup[Any] = discord.ui.RadioGroup(custom_id=field, options=options)
    return discord.ui.Label(text=words(option.title), component=radio)


def _level_field(chosen: Mapping[str, str], scene: AnyScene, presenter: AnyPresenter, words: Words) -> Field:
    """The form's field for the level of the next computer player: mixed, or one level, weakest first, with names."""
    options = [
        discord.SelectOption(
            label=words("Mixed, medium first"), value=DEFAULT_VALUE, default=chosen["level"] == DEFAULT_VALUE
        )
    ]
    for level in range(1, scene.levels + 1):
        names = [name for name, it in CHARACTERS.items() if it.level == level]
        options.append(
            discord.SelectOption(
                label=f"{LEVELS[level - 1]} {', '.join(names)}",
                value=str(level),
                description=words(presenter.levels[level - 1]) if presenter.levels else None,
                default=chosen["level"] == str(level),
            )
        )
    levels: discord.ui.Select[Any] = discord.ui.Select(custom_id="level", options=options)
    said = words("{least} is the easiest, {most} the hardest.", least=LEVELS[0], most=LEVELS[scene.levels - 1])
    return discord.ui.Label(text=words("Level of new computer players"), description=said, component=levels)


def _on_off_option_texts(presenter: AnyPresenter) -> dict[str, tuple[str, str]]:
    """(label, explanation) of each on/off option of the game, by its name, in English, to be translated."""
    switches = {"late": (N_("Latecomers"), N_("They may take a computer’s seat while the game runs."))}
    if presenter.call:
        switches["breath"] = (N_("Show first who called"), N_("Else the cards are turned over at once."))
    if GAMES[presenter.game].coach is not None:
        switches["hints"] = (N_("Hints"), N_("For one person alone against computers; then it is not rated."))
    return switches


def _switches_field(chosen: Mapping[str, str], presenter: AnyPresenter, words: Words) -> Field:
    """The form's check boxes for on/off options: latecomers, and if the game has them, who called first, and hints."""
    options = [
        discord.CheckboxGroupOption(
            label=words(label), value=name, description=words(said), default=chosen[name] == YES
        )
        for name, (label, said) in _on_off_option_texts(presenter).items()
    ]
    ticks: discord.ui.CheckboxGroup[Any] = discord.ui.CheckboxGroup(
        custom_id=SWITCHES_FIELD, options=options, required=False, min_values=0, max_values=len(options)
    )
    return discord.ui.Label(text=words("At this table"), component=ticks)


def parse_changed_options(shown: str, sent: Fields, presenter: AnyPresenter) -> tuple[dict[str, Any], dict[str, str]]:
    """Return (fields of ``Options``, the game's options) that somebody changed in the options form; not what they left
    alone. Raise Refusal if the form is old or forged.

    Values that were left alone may have been changed by somebody else since the form was opened. *shown* is the form's
    argument, *sent* what it holds now.

    Raises:
        Refusal: it is a form of an older version of this program, or forged.
    """
    values, places = _possible_option_values(presenter), shown.rpartition(".")[2]
    if not (places.isascii() and places.isdecimal()) or len(places) != len(values):
        raise Refusal(Why.BUTTON_DEAD)
    shown_at = dict(zip(values, map(int, places), strict=True))
    if any(at > len(values[name]) for name, at in shown_at.items()):
        raise Refusal(Why.BUTTON_DEAD)
    before = {name: ["", *values[name]][at] for name, at in shown_at.items()}
    now = {name: "".join(chosen) for name, chosen in sent.items() if chosen and name != SWITCHES_FIELD}
    if SWITCHES_FIELD in sent:
        now |= {name: YES if name in sent[SWITCHES_FIELD] else NO for name in _on_off_option_texts(presenter)}
    if not now.keys() <= before.keys():
        raise Refusal(Why.BUTTON_DEAD)
    changed = {name: value for name, value in now.items() if value != before[name]}
    fields: dict[str, Any] = {}
    for name, value in changed.items():
        if name in CHOICES:
            if value not in CHOICES[name]:
                raise Refusal(Why.BUTTON_DEAD)
            fields |= CHOICES[name][value]
    return fields, {
        name.removeprefix(GAME_FIELD_PREFIX): value for name, value in changed.items() if name not in CHOICES
    }


ADD_COMPUTER_SYMBOL: Final = Symbol("computer", "🤖")


def lobby_sheet(scene: AnyScene, words: Words) -> Sheet:
    """Build the table message in the lobby: players, what is missing to start, a row of buttons, options, shuffle code.
    *scene* must be the public's.

    The players and the buttons stand together, so that a phone shows both at once. The small print comes last.
    """
    presenter = PRESENTERS[scene.game]
    least, most = scene.seats
    seated = sum(not person.invited for person in scene.people)
    people = [player_line(number, person, scene, words) for number, person in enumerate(scene.people, start=1)]
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
    buttons = action_row(
        button(words("Start"), Verb.START, table, style=ButtonStyle.primary, disabled=seated < least),
        button(words("Join"), Verb.JOIN, table, style=join, disabled=seated >= most),
        button(words("Add computer"), Verb.ADD_COMPUTER, table, symbol=ADD_COMPUTER_SYMBOL, disabled=seated >= most),
        button(words("Options"), Verb.OPTIONS, table),
        button(words("Menu"), Verb.MENU, table),
    )
    return Sheet(
        container(
            [
                text_display(f"## {words(presenter.title)}", words(presenter.teaser)),
                text_display(
                    words("**Players** ({n} of {most})", n=seated, most=most),
                    *people,
                    "",
                    state,
                    *_start_refused_lines(scene, words),
                ),
                buttons,
                text_display(*lobby_small_print_lines(scene, words)),
            ]
        )
    )


def player_line(number: int, person: PublicPlayer, scene: AnyScene, words: Words) -> str:
    """The lobby's line for seat *number*: name, a computer's level and description, host, invited, has cut the deck."""
    return (
        f"{number}. {bold_name(person.name)}"
        + (" 🤖" if person.user is None else "")
        + (LEVELS[person.level - 1] if person.level and scene.levels > 1 else "")
        + (f" · {like}" if (like := computer_character_description(person, words)) else "")
        + (" · " + words("host") if person.user == scene.host and not scene.solo else "")
        + (" · " + words("invited: press **Join**") if person.invited else "")
        + (" · ✂️" if person.has_cut else "")
    )


def _start_refused_lines(scene: AnyScene, words: Words) -> list[str]:
    """A line that says why the last press of *Start* failed and what can be done; empty if it did not fail."""
    if not scene.start_failed:
        return []
    if scene.start_refused:
        said = words("⚠️ The game could not start: I may not write here. A moderator sees with /doctor what is missing.")
    else:
        said = words("⚠️ The game could not start: I could not send its message here. You can press **Start** again.")
    return [f"-# {said}"]


def lobby_small_print_lines(scene: AnyScene, words: Words) -> list[str]:
    """Return the lobby's small print as lines that begin with "-# ": the options, whether the coach's hints are on,
    whether the game counts for ratings, the shuffle code."""
    lines = [f"⚙️ {table_options_line(scene, words)}"]
    if PRESENTERS[scene.game].call and not scene.options.breath:
        lines.append(words("After a call the cards are turned over at once."))
    if GAMES[scene.game].coach is not None:
        people = sum(person.user is not None for person in scene.people)
        alone = people == 1 < len(scene.people)
        if scene.solo and scene.options.hints:
            lines.append(f"{COACH_SYMBOL.text} {words(HINTS_ALONE)}")
        elif scene.options.hints or (alone and not scene.solo):
            lines.append(f"{COACH_SYMBOL.text} {words(HINTS_ON if scene.options.hints else HINTS_OFFERED)}")
    if rated_people(scene):
        lines.append(rated_people_line(scene, words))
    elif not scene.counted and any(person.rated for person in scene.people):
        lines.append(words(NOT_COUNTED))
    lines.append(shuffle_code_line(scene, words))
    return [f"-# {line.removeprefix('-# ')}" for line in lines if line]
