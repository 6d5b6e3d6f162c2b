"""Connects to the PostgreSQL server that `KB_DATABASE_URL` names."""

from __future__ import annotations

from typing import Any

from kb.errors import KbError

NO_DRIVER = "KB_DATABASE_URL is set, but psycopg is not installed: pip install 'cardlore-kb[postgres]'."


class DatabaseError(KbError):
    """The database cannot be used; the message says why and what to do."""


def driver_url(url: str) -> str:
    """The URL with the driver that kb uses (`postgresql+psycopg://`).

    Raises DatabaseError when it is no PostgreSQL URL.
    """
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.split("+")[0] not in {"postgresql", "postgres"}:
        raise DatabaseError(
            "KB_DATABASE_URL must begin with postgresql:// (without it kb uses a SQLite file of its own)."
        )
    return f"postgresql+psycopg://{rest}"


def connect(url: str) -> Any:
    """A psycopg connection for `url`.

    Raises DatabaseError when psycopg is not installed or the server does not answer.
    """
    try:
        import psycopg
    except ImportError:
        raise DatabaseError(NO_DRIVER) from None
    try:
        return psycopg.connect(
            url.replace("postgresql+psycopg://", "postgresql://", 1), connect_timeout=10, client_encoding="utf8"
        )
    except (psycopg.Error, ValueError) as error:
        raise DatabaseError(f"The PostgreSQL server of KB_DATABASE_URL cannot be reached: {error}") from None
