"""The entry point of the commands `kb` and `cardlore-kb`.

Another package on the index is called `kb` and installs a package of that name. If it was installed over this one, say so.
"""

from __future__ import annotations

import sys

OVERWRITTEN = (
    "Another package called `kb` was installed over this one, so `import kb` finds the wrong code.\n"
    "Use an environment of its own: pipx install cardlore-kb. Or repair this one:\n"
    "  pip uninstall kb && pip install --force-reinstall --no-deps cardlore-kb"
)


def run() -> None:
    """Run the command `kb`; exit with code 2 and a sentence if another package `kb` hides ours."""
    try:
        import kb

        if "open_catalog" not in getattr(kb, "__all__", ()):
            sys.exit(complain())
        from kb.cli import run as run_kb
    except ImportError as error:
        if not (error.name or "").startswith("kb"):
            raise
        sys.exit(complain())
    run_kb()


def complain() -> int:
    """Print what is wrong to standard error; return the exit code."""
    print(OVERWRITTEN, file=sys.stderr)
    return 2


if __name__ == "__main__":
    run()
