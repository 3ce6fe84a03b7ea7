"""What is drawn at random for a new table and a new game."""

import secrets
from base64 import b32encode

from bot.tables.model import TableId
from engine.fair import SEED_BYTES


def fresh_id() -> TableId:
    """A new random id for a table."""
    return TableId(b32encode(secrets.token_bytes(5)).decode().lower())


def fresh_seed() -> bytes:
    """A new random seed, the secret of one game."""
    return secrets.token_bytes(SEED_BYTES)
