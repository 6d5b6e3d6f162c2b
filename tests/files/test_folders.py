"""Listing a folder, and temporary folders in which builds write."""

import subprocess
import sys

from kb.files.folders import workshop


def test_remains_of_killed_builds_are_removed_and_other_files_stay(tmp_path):
    out = tmp_path / "si[t]e"
    code = "import os, sys; from pathlib import Path; from kb.files.folders import workshop\n"
    code += "with workshop(Path(sys.argv[1])) as beside: (beside / 'x').write_text('x'); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code, str(out)], check=False).returncode == 9
    left = set(tmp_path.iterdir())
    assert len(left) == 1
    mine = tmp_path / ".si[t]e.kb-build-mine"
    mine.mkdir()
    (mine / "precious.txt").write_text("mine")
    with workshop(out) as beside:
        assert set(tmp_path.iterdir()) == {mine, beside}
        with workshop(out) as second:  # belongs to another build that is still running
            assert set(tmp_path.iterdir()) == {mine, beside, second}
    assert set(tmp_path.iterdir()) == {mine}
