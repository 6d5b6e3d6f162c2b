"""What verdicts come to as a picture: bars in an SVG file, or in an HTML page with the numbers as a table. Neither asks for anything."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from kb.judge.stats import Stats, in_order

ROW, LABEL, BAR, NUMBER, EDGE, HEAD = 22, 300, 400, 90, 16, 34
_WIDTH = EDGE * 2 + LABEL + BAR + NUMBER
_LONGEST = 44
SHOWN = 12
Bars = list[tuple[str, int, str]]
"""Rows of a chart: what is counted, how often, and the colour by its name in the style."""

# The colours are told apart without their hue too: each bar has its name and number beside it.
STYLE = """
svg,body{background:#fff;color:#1b1b1b;font:14px system-ui,sans-serif}
text{fill:#1b1b1b}.h{font-weight:600;font-size:16px}.good{fill:#1a7f4b}.bad{fill:#b3261e}.plain{fill:#2d5fa8}.none{fill:#6b6b6b}
.rail{fill:#e9e9ec}table{border-collapse:collapse;margin:1em}td,th{padding:.2em .8em;text-align:left}td:last-child{text-align:right}
@media (prefers-color-scheme:dark){svg,body{background:#16181d;color:#ececf0}text{fill:#ececf0}.good{fill:#5ec98f}.bad{fill:#ff8a80}
.plain{fill:#8ab4f8}.none{fill:#a5a5ad}.rail{fill:#2c2f37}}
""".strip()


def charts(stats: Stats) -> list[tuple[str, Bars]]:
    """What is drawn: the verdicts, what is found most, and what is broken where rules are compared."""
    sums = stats.sums
    shown: list[tuple[str, Bars]] = [
        (f"{sums['decks']:,} decks", [("legal", sums["legal"], "good"), ("not legal", sums["illegal"], "bad"),
                                      ("not readable", sums["unreadable"], "none")])
    ]  # fmt: skip
    if stats.compared:
        title = f"{stats.broken:,} of {stats.before:,} legal decks are broken, by these cards"
        shown.append((title, [(card, number, "bad") for card, number in in_order(stats.culprits, SHOWN)]))
    errors = [(code, number) for (severity, code), number in in_order(stats.findings) if severity == "error"]
    shown.append(("Rules that are broken, by decks", [(code, number, "plain") for code, number in errors[:SHOWN]]))
    return [(title, bars) for title, bars in shown if bars]


def svg(stats: Stats) -> str:
    """The picture by itself, readable on light and dark screens."""
    parts: list[str] = []
    top = EDGE
    for title, bars in charts(stats):
        parts.append(f'<text class="h" x="{EDGE}" y="{top + 18}">{escape(title)}</text>')
        top += HEAD
        highest = max((number for _, number, _ in bars), default=0) or 1
        for label, number, tone in bars:
            parts += _bar(label, number, tone, number / highest, top)
            top += ROW
        top += EDGE
    said = "; ".join(
        f"{title}: {', '.join(f'{label} {number:,}' for label, number, _ in bars)}" for title, bars in charts(stats)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top}" width="{_WIDTH}" height="{top}" role="img" '
        f'aria-label="{escape(said)}"><title>Decks and their verdicts</title><style>{STYLE}</style>{"".join(parts)}</svg>\n'
    )


def _bar(label: str, number: int, tone: str, share: float, top: int) -> Iterable[str]:
    short = label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
    left = EDGE + LABEL
    yield f'<text x="{EDGE}" y="{top + 14}">{escape(short)}</text>'
    yield f'<rect class="rail" x="{left}" y="{top + 2}" width="{BAR}" height="14" rx="3"/>'
    if number:
        yield f'<rect class="{tone}" x="{left}" y="{top + 2}" width="{max(2, round(BAR * share))}" height="14" rx="3"/>'
    yield f'<text x="{left + BAR + 8}" y="{top + 14}">{number:,}</text>'


def page(stats: Stats) -> str:
    """The picture in a page, with the same numbers as tables below it."""
    tables = "".join(
        f"<table><caption>{escape(title)}</caption>"
        + "".join(f"<tr><th scope=row>{escape(label)}</th><td>{number:,}</td></tr>" for label, number, _ in bars)
        + "</table>"
        for title, bars in charts(stats)
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark"><title>Decks and their verdicts</title>'
        f"<style>{STYLE} svg{{max-width:100%;height:auto}}</style>{svg(stats)}{tables}</html>\n"
    )
