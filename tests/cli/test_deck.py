"""`kb deck`: its JSON output, its exit codes, and that it never overwrites or loses a file."""

import os
import subprocess
import sys

from tests.conftest import ROOT
from tests.walks import walks

test_decks = walks("decks", "real")


def test_a_check_imports_nothing_heavy(real, tmp_path):
    # Typer 0.29 and later load Pydantic themselves, for options that are numbers.
    # kb itself uses Pydantic in kb.sources.validation.
    code = (
        "import sys\nfrom kb.cli.deck import app\nsys.argv = ['deck', 'check', '-']\n"
        "try:\n    app()\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('sqlmodel', 'sqlalchemy', 'kb.sources.validation', 'whoosh', 'rich', 'jinja2') if name in sys.modules])"
    )
    text = "character: Lini\n2x Cure\n"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=text,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    assert done.stdout.endswith("\n[]\n"), done.stdout
