"""The presenters of all games, by the games' names.

Each is ``PRESENTER`` in ``bot/ui/games/<game>/presenter.py``, or in the module ``presenter`` of an installed game's
package.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from bot.ui import games
from bot.ui.presenter import AnyPresenter, Presenter
from engine.registry import GAMES, PACKAGES, AnyGame

MOST_FIELDS: Final = 5
"""The most fields in the options form: pace, turn limit, on/off options, the level of new computer players if there are
several, and the game's options. https://discord.com/developers/docs/components/using-modal-components"""
MOST_VALUES: Final = 9
"""The most values that an option can have."""


def presenter_problems(rules: AnyGame, presenter: AnyPresenter) -> Iterator[str]:
    """Yield a sentence for each text that *presenter* lacks for its game's *rules*, or has for something unknown."""
    for name, values in rules.options.items():
        text = presenter.options.get(name)
        if text is None:
            yield f"options has no text for {name!r}, which engine/games/{rules.name}/game.py names"
        elif {*text.values} != {*values}:
            yield f"the values of {name!r} in options are {sorted(text.values)}, in game.py {sorted(values)}"
        if len(values) > MOST_VALUES:
            yield f"{name!r} has more values than the form of options takes: {MOST_VALUES}"
    room = MOST_FIELDS - 3 - (rules.computers.LEVELS > 1)
    if len(rules.options) > room:
        yield f"there are {len(rules.options)} options, and the form in the lobby has room for {room}"
    for name in presenter.options:
        if name not in rules.options:
            yield f"options has {name!r}, but engine/games/{rules.name}/game.py has no such option"
    for reason in rules.refused:
        if reason not in presenter.illegal:
            yield f"illegal has no sentence for {reason}"
    if (rules.calls is not None) != bool(presenter.call):
        yield "call must be the label of the button with which anybody calls, and is for games with calls alone"
    if presenter.levels and len(presenter.levels) != rules.computers.LEVELS:
        yield f"levels describes {len(presenter.levels)} computer players, and there are {rules.computers.LEVELS}"


def _import_presenter(game: str) -> AnyPresenter:
    """Import ``PRESENTER`` of *game*, from ``bot.ui.games`` or, for an installed game, its own package; TypeError if it
    is none or another game's, ValueError if its texts do not fit.

    Raises:
        TypeError: its module ``presenter`` holds none, or one whose ``Board`` is in another folder.
        ValueError: ``presenter_problems`` finds problems.
    """
    package = f"{games.__name__}.{game}" if PACKAGES[game].startswith("engine.") else PACKAGES[game]
    module = f"{package.replace('.', '/')}/presenter.py"
    found = import_module(f"{package}.presenter").PRESENTER
    if not isinstance(found, Presenter) or found.game != game:
        raise TypeError(f"{module} must set PRESENTER, with the Board beside it")
    if missing := "; ".join(presenter_problems(GAMES[game], found)):
        raise ValueError(f"{module}: {missing}")
    return found


PRESENTERS: Final[Mapping[str, AnyPresenter]] = MappingProxyType({game: _import_presenter(game) for game in GAMES})
"""The presenters by the game's name, in the order in which games are offered to players."""
LESSON_GAME: Final = next(game for game, presenter in PRESENTERS.items() if presenter.lesson)
"""The game whose lesson /learn gives: the first that has one."""
