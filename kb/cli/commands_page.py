"""The page "Commands" of the manual, from the commands themselves: `python -m kb.cli.commands_page > site/using/commands.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from kb.cli import app, register_commands
from kb.cli.help import AS_WRITTEN, rows_of

HEAD = """# Commands

This page lists every command with its options, as `kb COMMAND -h` prints them. It is generated (`python -m kb.cli.commands_page`).

## Exit codes

| code | meaning |
| --- | --- |
| 0 | Found, legal or done. |
| 1 | Nothing found, or no certain answer; a rule is broken, cards or wishes are missing; `kb doctor` reports a problem. |
| 2 | The input cannot be read, an option is wrong, or the output cannot be written. |
| 130 | Interrupted (Ctrl-C). |

Warnings and notes do not change the exit code. If one of several files cannot be read, the others are still processed. Commands that write
a page (`kb deck page`, `kb campaign page`) return 0 whatever the verdict.
"""


def page() -> str:
    """Return the page "Commands" as Markdown."""
    register_commands()
    command = typer.main.get_command(app)
    sections: dict[str, tuple[str, ...]] = command.sections  # type: ignore[attr-defined]
    order = [name for names in sections.values() for name in names]
    return HEAD + "".join(
        text
        for name, each in sorted(commands_of(command), key=lambda pair: place(order, pair[0]))
        for text in section(name, each)
    )


def place(order: list[str], name: str) -> int:
    """Return the position of the first word of a command in `order`, which is the order of the help."""
    first = name.partition(" ")[0]
    return order.index(first) if first in order else len(order)


def commands_of(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all visible commands of a group, each with its full name, such as `deck check`. `before` is the beginning
    of the name.
    """
    for name, each in group.commands.items():
        if hasattr(each, "commands"):
            yield from commands_of(each, f"{before}{name} ")
        elif not each.hidden:
            yield f"{before}{name}", each


def section(name: str, command: Any) -> Iterator[str]:
    """Yield the parts of a command's section: its description, its arguments and options, and its examples."""
    said, _, examples = (command.help or "").replace(AS_WRITTEN, "").partition("Examples:\n")
    yield f"\n## kb {name}\n\n{paragraphs(said)}\n"
    context = typer.Context(command)
    rows = [row for each in command.params if "--help" not in each.opts for row in rows_of(each, context)]
    if rows:
        yield "\n| argument or option | meaning |\n| --- | --- |\n"
    for names, meaning in rows:
        yield f"| `{names}` | {meaning.replace('[', '(').replace(']', ')').replace('|', ', ')} |\n"
    yield "\n```sh\n" + re.sub(r"^ +", "", examples, flags=re.M).rstrip() + "\n```\n"


def paragraphs(text: str) -> str:
    """Return the paragraphs of a help text, each on one line, so that Markdown shows options such as `--in` as code."""
    joined = (" ".join(part.split()) for part in text.strip().split("\n\n"))
    return "\n\n".join(marked(part) for part in joined)


def marked(text: str) -> str:
    """Return `text` with its options, file keys and placeholders formatted as code."""
    return re.sub(
        r"(?<![`\w-])(--[a-z][\w-]*|kb [a-z]+(?: [a-z]+)? (?=--)|[A-Z]+:[\w]+|[A-Z]+=[A-Z]+)(?![`\w])", r"`\1`", text
    )


if __name__ == "__main__":
    print(page(), end="")
