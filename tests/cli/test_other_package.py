"""If another package called `kb` was installed over this one, kb says so in an error message."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT


@pytest.mark.parametrize("command", [["-m", "kb"], ["-m", "cardlore_kb"]])
@pytest.mark.parametrize("left", ["cli", "__main__.py"])
def test_a_package_that_was_installed_over_this_one_is_reported(left, command, tmp_path):
    package = tmp_path / "kb"
    package.mkdir()
    (package / "__init__.py").write_text("__version__ = '0.1.7'\n", "utf-8")
    shutil.copy(ROOT / "kb/__main__.py", package)
    if left == "cli":
        shutil.copytree(ROOT / "kb/cli", package / "cli")
    shutil.copy(ROOT / "cardlore_kb.py", tmp_path)
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, *command, "use"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert "Another package called `kb` was installed over this one" in done.stderr
    assert "Traceback" not in done.stderr
