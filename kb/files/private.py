"""Folders that only their user may look into."""

from __future__ import annotations

import contextlib
from pathlib import Path


def keep_private(folder: Path) -> None:
    """Let nobody but the user read a folder and what is in it: folders get the mode 0700, files 0600; it is made where there is none.

    What the system does not let us change stays. Raises OSError when the folder cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
        for path in folder.rglob("*"):
            with contextlib.suppress(OSError):
                if not path.is_symlink():
                    path.chmod(0o700 if path.is_dir() else 0o600)
