"""What errors of a PostgreSQL server, or of its driver, are for us."""

import ssl
from typing import Any, Final

from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.store.database import Locked, Refused, Unavailable

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_AGAIN: Final = {
    "40001": "another transaction was first",
    "40P01": "two transactions waited for each other",
    "55P03": "another program has locked what is needed",
    "57014": "a statement took too long",
}
_AWAY: Final = {
    "08": "the connection ended",
    "53": "the server has no room for more",
    "57P": "the server is being stopped or started",
    "25006": "the server takes no changes just now",
    "25P03": "the transaction took too long",
    "25P04": "the transaction took too long",
    "58": "the server has trouble with its machine",
}
_REFUSED: Final = {
    "08P01": "what answers there refuses our settings; give the address of the server itself, not of a pooler",
    "28": "user or password are wrong; check them, and the server's pg_hba.conf",
    "3D000": "there is no such database; create it first",
    "42501": "this user may not do that; GRANT it CREATE and USAGE on the schema",
    "42704": "the server does not know one of its settings in this address",
    "22023": "the server does not know one of its settings in this address",
}


def known_as(error: Exception) -> Unavailable | Refused | None:
    """What *error*, of SQLAlchemy or of the driver, is for us; ``None``: nothing that passes by itself."""
    if isinstance(error, (Unavailable, Refused)):
        return error
    if isinstance(error, PoolTimeout):
        return Locked("all connections are in use")
    cause: Any = error
    if isinstance(error, DBAPIError):
        cause = error.orig.__cause__ or error.orig if error.orig is not None else error
    state = str(getattr(cause, "sqlstate", None) or "")
    if state:
        return _by_state(state)
    if isinstance(cause, ssl.SSLError):
        return Refused("it cannot be spoken to by TLS; check sslmode and its certificate")
    if isinstance(cause, ConnectionError) and cause.errno is None:  # of the driver
        return Refused("what answers there is no PostgreSQL, or has no TLS; check host, port and sslmode")
    if isinstance(cause, TimeoutError):
        return Unavailable("it does not answer in time")
    if isinstance(cause, OSError):
        return Unavailable(_of_system(cause))
    if isinstance(error, InterfaceError) and "closed" in str(cause):
        return Unavailable("the connection ended")
    if isinstance(error, InternalError) and "another operation" in str(cause):  # the driver's, as it ends
        return Unavailable("the connection ended")
    return None


def _by_state(state: str) -> Unavailable | Refused | None:
    """What the server's error *state* is for us; ``None``: nothing that passes by itself."""
    if state in _AGAIN:
        return Locked(_AGAIN[state])
    for known, text in _REFUSED.items():
        if state.startswith(known):
            return Refused(text)
    for known, text in _AWAY.items():
        if state.startswith(known):
            return Unavailable(text)
    return None


def _of_system(error: OSError) -> str:
    """What the operating system says in *error*, without an address."""
    if isinstance(error, ConnectionRefusedError):
        return "nobody listens there"
    return error.strerror.lower() if error.strerror and "(" not in error.strerror else "it cannot be reached"
