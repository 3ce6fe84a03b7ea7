"""How tables are divided among processes: by their channel."""

from typing import Final

PARTITIONS: Final = 251
"""How many parts there are: a prime, so that all bits of a snowflake count. It never changes, as every process on a
database must know the same."""


def partition_of(channel: int) -> int:
    """The partition of the table in *channel*, and of whatever is clicked there.

    >>> partition_of(1234567890123456789)
    189
    """
    return channel % PARTITIONS
