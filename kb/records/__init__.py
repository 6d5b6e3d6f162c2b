"""Typed records: a frozen dataclass says which keys a record has, what may stand in them, and what they mean.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Product:
        code: str = key("Short name of the product.")
        year: int | None = key("Year in which it was first sold.", default=None, least=1900)

    read(Product, {"code": "core"})

One description serves the reader, the check and the tables in the documentation. Nothing but the standard library is needed:
the rules of decks, which run in a browser as well, read the same records.
"""

from kb.records.fields import NOTHING, RecordError, Wrong, inline, key
from kb.records.read import read
from kb.records.tables import Key, keys_of

__all__ = ["NOTHING", "Key", "RecordError", "Wrong", "inline", "key", "keys_of", "read"]
