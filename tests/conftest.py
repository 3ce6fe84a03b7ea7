"""What a test is about: ``-k GAME`` selects every test that depends on the game, also where its id names none."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Let ``-k`` find a test by the games that it is marked to be ``about``."""
    for marker in item.iter_markers("about"):
        item.extra_keyword_matches.update(marker.args)
