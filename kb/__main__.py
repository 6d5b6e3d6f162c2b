"""Runs the command `kb` for `python -m kb`."""

from cardlore_kb import run  # it reports a package `kb` that was installed over this one

if __name__ == "__main__":
    run()
