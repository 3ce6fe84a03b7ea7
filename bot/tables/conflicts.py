"""What a store answers when somebody else was first."""


class Conflict(Exception):
    """Somebody else changed the table first."""


class ChannelTaken(Exception):
    """There is a live table in the channel already."""
