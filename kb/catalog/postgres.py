"""Connects to the PostgreSQL server that `KB_DATABASE_URL` names."""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import unquote

from kb.errors import KbError

NO_DRIVER = "KB_DATABASE_URL is set, but psycopg is not installed: pip install 'cardlore-kb[postgres]'."


UNREADABLE = (
    "KB_DATABASE_URL cannot be read: write postgresql://USER:PASSWORD@HOST:PORT/NAME, and characters such as @ : / ? # % in user and "
    "password as %40 %3A %2F %3F %23 %25."
)
HIDDEN = "…"
PATIENCE = 10
"""Seconds to wait for an answer from the server."""
LONG = 4
"""A word of the password with at least this many letters is hidden inside other words too."""


class DatabaseError(KbError):
    """The database cannot be used; the message says why and what to do."""


class UnreachableError(DatabaseError):
    """The server does not answer, or has closed the connection."""


def without_secrets(text: object) -> str:
    """Return a text, such as an error from the driver, with the secrets in KB_DATABASE_URL hidden. The secrets are
    all words in the user name and the password, as written and decoded, and other parts of the URL that may be
    secret.
    """
    message = str(text)
    _scheme, _mark, rest = os.environ.get("KB_DATABASE_URL", "").strip().partition("://")
    before, at, after = rest.rpartition("@")
    secrets = " ".join((before if at else rest, *re.findall("=([^&]*)", after.partition("?")[2])))
    words = {word.casefold() for form in (secrets, unquote(secrets)) for word in re.findall(r"\w+", form)}
    message = re.sub(r"\w+", lambda match: HIDDEN if match[0].casefold() in words else match[0], message)
    parts = sorted((re.escape(word) for word in words if len(word) >= LONG), key=len, reverse=True)
    return re.sub("|".join(parts), HIDDEN, message, flags=re.IGNORECASE) if parts else message


def driver_url(url: str) -> str:
    """Return a PostgreSQL URL with the driver that kb uses: `postgresql+psycopg://`.

    Raises DatabaseError if `url` is not a PostgreSQL URL.
    """
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.split("+")[0] not in {"postgresql", "postgres"}:
        raise DatabaseError(
            "KB_DATABASE_URL must begin with postgresql:// (if it is not set, kb uses its own SQLite file)."
        )
    return f"postgresql+psycopg://{rest}"


def connect(url: str) -> Any:
    """Return a psycopg connection for reading. Each query is its own transaction, so that a failed one does not affect
    others.

    Raises DatabaseError if psycopg is not installed, UnreachableError if the server does not answer.
    """
    try:
        import psycopg
    except ImportError:
        raise DatabaseError(NO_DRIVER) from None
    try:
        return psycopg.connect(
            url.replace("postgresql+psycopg://", "postgresql://", 1),
            connect_timeout=PATIENCE,
            client_encoding="utf8",
            autocommit=True,
        )
    except (psycopg.ProgrammingError, ValueError):  # the driver's message quotes a part of the URL
        raise DatabaseError(UNREADABLE) from None
    except psycopg.Error as error:
        raise UnreachableError(
            f"The PostgreSQL server of KB_DATABASE_URL cannot be reached: {_in_line(error)}. Start it, or correct the address."
        ) from None


def failure(error: Exception) -> DatabaseError:
    """Return a DatabaseError for the error of a query, with suitable advice."""
    import psycopg
    from psycopg import errors

    advice = "The server's log may say more."
    if isinstance(error, errors.UndefinedTable | errors.UndefinedColumn | errors.InvalidSchemaName):
        advice = "Another program has changed kb's tables on the server. Rebuild the tables with `kb doctor --rebuild`."
    elif isinstance(error, errors.InsufficientPrivilege):
        advice = "Grant the database user in KB_DATABASE_URL read access to kb's tables."
    elif isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return UnreachableError(
            f"The PostgreSQL server of KB_DATABASE_URL has stopped answering: {_in_line(error)}. Try again when it is running."
        )
    return DatabaseError(f"The PostgreSQL server of KB_DATABASE_URL failed: {_in_line(error)}. {advice}")


def _in_line(error: Exception) -> str:
    """Return the driver's message on one line, without secrets."""
    return " ".join(without_secrets(error).split()).rstrip(".")
