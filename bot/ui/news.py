"""What has just happened at a table, for both the table message and the hand message."""

from collections.abc import Sequence

from bot.i18n import Words
from bot.tables.scene import AnyScene
from bot.ui.components import cached_by_public_scene
from bot.ui.registry import PRESENTERS


def recent_event_lines(scene: AnyScene, words: Words) -> Sequence[str]:
    """What the viewer saw happen just now, a line of small print for each event; empty if a round has just ended."""
    saw_all = scene.public is not None and scene.recent != scene.public.recent
    return _recent_event_small_print_lines(scene, words) if saw_all else _public_event_small_print_lines(scene, words)


def _recent_event_small_print_lines(scene: AnyScene, words: Words) -> Sequence[str]:
    """Return a line of small print for each event that has just happened in *scene*; empty if a round has just
    ended."""
    return tuple(f"-# {line}" for line in PRESENTERS[scene.game].event_lines(scene.with_names_at_recent_events, words))


_public_event_small_print_lines = cached_by_public_scene(_recent_event_small_print_lines)
"""What has just happened, as everybody saw it."""
