"""Runs the command `kb` for `python -m kb`."""

from kb.cli import run

if __name__ == "__main__":
    run()
