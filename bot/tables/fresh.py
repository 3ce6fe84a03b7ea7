"""What is drawn at random: for a new table, for a new game, and from the seed of a running one."""

import secrets
from base64 import b32encode
from random import Random

from bot.tables.model import Table, TableId
from engine.fair import SEED_BYTES


def fresh_id() -> TableId:
    """A new random id for a table."""
    return TableId(b32encode(secrets.token_bytes(5)).decode().lower())


def fresh_seed() -> bytes:
    """A new random seed, the secret of one game."""
    return secrets.token_bytes(SEED_BYTES)


def drawn(table: Table, what: str, least: float, most: float) -> float:
    """A number between *least* and *most* that is drawn for *what* at this ply. It follows from the seed, so nobody can
    know it, and not from the cards, so it tells nothing of them."""
    return Random(f"{table.seed}/{table.state.ply}/{what}").uniform(least, most)
