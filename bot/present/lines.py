"""Lines of a message that are put together from parts."""


def dotted(*parts: str) -> str:
    """*parts* in one line with dots between them, the empty ones left out; no full stop stands before a dot.

    >>> dotted("Ada passes.", "", "Bob won.")
    'Ada passes · Bob won.'
    """
    said = [part for part in parts if part]
    return " · ".join([*(part.removesuffix(".") for part in said[:-1]), *said[-1:]])
