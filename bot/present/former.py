"""What stands where the name of somebody stood who was erased: the same words for everybody who was."""

from bot.i18n import Words
from bot.tables.model import Ending
from bot.tables.scene import AnyScene


def former_player(words: Words) -> str:
    """What somebody is called who was erased."""
    return words("Former player")


def named(scene: AnyScene, words: Words) -> AnyScene:
    """*scene* with words in place of every name that was erased; the same scene if none was."""
    ender = scene.ending is Ending.ENDED and not scene.ended_by
    if not ender and not any(person.former for person in scene.people) and all(it.name for it in scene.handovers):
        return scene
    former = former_player(words)
    return scene._replace(
        people=tuple(person._replace(name=former) if person.former else person for person in scene.people),
        handovers=tuple(it if it.name else it._replace(name=former) for it in scene.handovers),
        ended_by=former if ender else scene.ended_by,
        public=None if scene.public is None else named(scene.public, words),
    )
