"""How long the whole site takes to build. Run: pytest tests/benchmarks/bench_site.py"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

KB = Path(sys.executable).with_name("kb")


def test_site_build(benchmark: Any, real_home: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "KB_HOME": str(real_home)}
    command = [KB, "site", "build", "--out", str(tmp_path / "site")]
    benchmark.pedantic(lambda: subprocess.run(command, check=True, capture_output=True, env=environment), rounds=2)
