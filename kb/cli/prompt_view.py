"""What the prompt of `kb search` shows: the hits, and beside or below them what the chosen one says; or what is opened, whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.cli.hits import about, title_of, visible_marks
from kb.cli.layout import closed, width_of, wrapped
from kb.cli.prompt_state import SearchPrompt
from kb.cli.terminal import dim, readable, strong, styled, visible
from kb.cli.whole import fact_lines, lines_of
from kb.markup import plain
from kb.retrieval.answer import unmarked

# From this width on the answer stands beside the list, else below it.
WIDE = 100
LIST_SHARE = 0.42
CHOSEN = ("\x1b[7m", "\x1b[27m")
EMPTY = "Type a question. Tab completes titles, cards and words; /NAME looks in another game; Up brings back earlier questions."
# An item of a list.
LISTED = re.compile(r"\s*(?:[-*•]|\d+\.)\s")
# What keys do, at length and short.
KEYS_LIST = (
    "Enter opens · Tab completes · Up: earlier questions · /NAME: another game · Esc leaves",
    "Enter opens · Tab · Up · /NAME · Esc",
)
KEYS_OPEN = ("Up, Down, Space: read on · Esc: back to the question", "Space: read on · Esc: back")


def screen(state: SearchPrompt, width: int, height: int) -> list[str]:
    """The lines below the question: `height` of them at most, the last of which says what keys do."""
    room = max(2, height - 1)
    if state.opened is not None:
        lines, keys = opened(state, width, room), KEYS_OPEN
    else:
        lines, keys = found(state, width, room), KEYS_LIST
    lines = lines[:room] + [""] * (room - len(lines))
    last = state.said or next((each for each in keys if width_of(each) <= width), keys[-1])
    return [*lines, dim(last if width_of(last) <= width else last[: width - 1] + "…")]


def found(state: SearchPrompt, width: int, room: int) -> list[str]:
    """The list of hits, and what the chosen one says."""
    hit = state.chosen()
    if hit is None:
        nothing = len(state.text.strip()) > 1 and not state.is_command()
        return wrapped(dim("Nothing found. Try fewer or other words." if nothing else EMPTY), width, 0).split("\n")
    if width >= WIDE:
        left = int(width * LIST_SHARE)
        listing, pane = hit_lines(state, left, room), pane_lines(state, width - left - 2, room)
        rows = max(len(listing), len(pane))
        listing += [""] * (rows - len(listing))
        pane += [""] * (rows - len(pane))
        return [
            f"{one}{' ' * (left + 2 - width_of(one))}{other}".rstrip() for one, other in zip(listing, pane, strict=True)
        ]
    listing = hit_lines(state, width, max(3, room * 2 // 5))
    return [*listing, dim("─" * width), *pane_lines(state, width, room - len(listing) - 1)]


def hit_lines(state: SearchPrompt, width: int, room: int) -> list[str]:
    """The titles of hits, in a window around the chosen one."""
    blocks = []
    if state.corrected:
        blocks.append(wrapped(dim(f"Searched for {state.corrected}"), width).split("\n"))
    first = len(blocks)
    for number, hit in enumerate(state.hits):
        title = visible(title_of(hit, state.masked(hit)))
        if number == state.at:
            lines = [f"{CHOSEN[0]}{line}{CHOSEN[1]}" for line in wrapped(f"> {title}", width, 2).split("\n")]
        else:
            lines = closed(wrapped(f"  {strong(title)}  {dim(hit.kind)}", width, 2).split("\n"))
        blocks.append(lines)
    start = 0
    while start < state.at + first and sum(map(len, blocks[start : state.at + first + 1])) > room:
        start += 1
    return [line for block in blocks[start:] for line in block][:room]


def pane_lines(state: SearchPrompt, width: int, room: int) -> list[str]:
    """What the chosen hit says: its answer, then its rule, as much as there is room for."""
    hit = state.chosen()
    if hit is None or room < 1:
        return []
    if state.masked(hit):
        return wrapped(dim(f"It gives away {hit.spoiler}. Enter shows it."), width, 0).split("\n")[:room]
    lines = fit([styled(visible_marks(hit.snippet)), dim(f"{about(hit)} · {hit.id}"), ""], width, 0)
    catalog = state.session.catalog
    entry = catalog.entry(hit.id)
    if entry is not None:
        body = readable(entry.body)
        first, _, rest = body.partition("\n\n")
        said = " ".join(unmarked(hit.snippet).replace("**", "").split())
        for line in visible(rest if rest and " ".join(plain(first).split()) in said else body).split("\n"):
            lines += fit([line], width, 2 if LISTED.match(line) else 0)
    elif (card := catalog.card(hit.id)) is not None:
        lines += fit(fact_lines(card), width, 2)
    return lines[:room] if len(lines) <= room else [*lines[: room - 1], dim("… Enter shows the rest")]


def opened(state: SearchPrompt, width: int, room: int) -> list[str]:
    """What is opened, from the line that stands at the top; `top` is brought within it."""
    assert state.opened is not None
    shown = state.session.get(state.opened)
    lines = fit(lines_of(dict(shown)), width, 2) if shown is not None else [f"{state.opened} is no longer there."]
    state.top = max(0, min(state.top, len(lines) - room))
    return lines[state.top : state.top + room]


def fit(lines: Iterator[str] | list[str], width: int, hang: int) -> list[str]:
    """Lines, some of which hold several, wrapped to a width."""
    return [part for text in lines for line in text.split("\n") for part in wrapped(line, width, hang).split("\n")]
