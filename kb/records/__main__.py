"""`python -m kb.records README.md …`: writes the tables of keys in these files anew, from the types of records."""

from __future__ import annotations

import sys
from pathlib import Path

from kb.records.tables import filled

for name in sys.argv[1:]:
    path = Path(name)
    path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
