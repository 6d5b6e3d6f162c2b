"""Lays out results as lines for the terminal: entries, cards, lists of hits and answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from kb.cli.terminal import (
    body_lines,
    columns,
    dim,
    fitted,
    is_terminal,
    laid_out,
    readable,
    rows,
    strong,
    styled,
    table_lines,
)
from kb.plural import counted
from kb.registry import games
from kb.retrieval.answer import plain as plain_answer
from kb.sentences import without

if TYPE_CHECKING:
    from kb.api.searching import Place
    from kb.api.showing import Answer
    from kb.retrieval.engine import Hit, Results


# How a later edition treats a ruling, an answer or a rule.
STANDS = {
    "kept": "{} keeps this.",
    "changed": "{} changes this.",
    "dropped": "{} no longer has this answer.",
}


def lines_of(answer: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of an entry, card, list or passage, given as JSON."""
    if "facts" in answer:
        yield from card_lines(answer)
    elif "entries" in answer:
        yield from list_lines(answer)
    elif "book" in answer:
        yield from passage_lines(answer)
    else:
        yield from entry_lines(answer)


def entry_lines(entry: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of an entry: its text, then its related entries. No entry is listed twice."""
    yield strong(entry["title"])
    yield dim(f"{entry['id']} · {entry['kind']} · {entry['source']}")
    yield ""
    for item in entry["superseded_by"]:
        yield f"Superseded. Use the later official text: {titled(item)}."
        yield ""
    yield from body_lines(entry["body"])
    for item in entry["history"]:
        yield from ("", f"Earlier rule ({item['until']}): {item['text']}")
    if isinstance(entry["stands"], dict):
        yield from ("", STANDS[entry["stands"]["is"]].format(entry["stands"]["edition"]))
        if entry["stands"]["says"] and not entry["counterparts"]:
            yield str(entry["stands"]["says"])
    for item in entry["counterparts"]:
        yield from ("", f"{said_in(item['edition'], item['differs'])}  {dim(item['id'])}")
    if entry["topic_note"] and not entry["counterparts"] and not entry["stands"]:
        yield from ("", entry["topic_note"] if entry["edition"] else f"The other set: {entry['topic_note']}")
    seen: set[str] = set()
    for label, key in (
        ("Also asked as", "asked"),
        ("Rulings", "rulings"),
        ("Affects", "bears_on"),
        ("Same card", "same_card"),
        ("In your rulebooks", "rulebooks"),
        ("See also", "see"),
        ("Deck checks that cite it", "checks"),
    ):
        items = [item for item in entry[key] if isinstance(item, str) or item["id"] not in seen]
        seen |= {item["id"] for item in items if not isinstance(item, str)}  # an entry may belong under several labels
        if items:
            yield from ("", strong(label))
        for item in items:
            if isinstance(item, str):
                yield f"  {item}"
            elif key == "checks":
                yield f"  {item['id']}: {item['summary']}"
            else:
                yield f"  {item['source'] + ': ' if key == 'rulebooks' else ''}{titled(item)}"


def titled(item: dict[str, str]) -> str:
    """Return the title of an entry with its id, on one line."""
    return f"{item['title']} ({item['id']})"


def said_in(edition: str | None, differs: str | None) -> str:
    """Return a sentence that says how another edition or set states the rule; `differs` notes the difference."""
    if not differs:
        return f"Also in {edition}."
    return differs if not edition or edition.partition(" ")[0] in differs else f"Also in {edition}: {differs}"


def card_lines(card: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a card: its facts, tables of more facts, and the entries that name it."""
    tables = card.get("tables", ())
    shown_below = {key for table in tables for key in table.get("instead", ())}
    yield from fact_lines({key: value for key, value in card["facts"].items() if key not in shown_below})
    for table in tables:
        yield from ("", strong(table["title"]))
        yield from table_lines([table["columns"], *table["rows"]], 2)
    if card["entries"]:
        yield from ("", strong("Named in"))
    for item in card["entries"]:
        about = f" (about {item['about']})" if item["about"] else ""
        yield f"  {item['title']}{about}  {dim(item['id'])}"


def fact_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Yield the name of a card, then every known fact."""
    yield strong(str(facts.get("name")))
    for key, value in facts.items():
        # A number that repeats the level, and a set that repeats the product, are not shown.
        repeated = {"number": str(facts.get("level")), "set": facts.get("pack")}
        redundant = key == "name" or value == repeated.get(key, "")
        if not redundant and value not in (None, [], {}, ""):  # 0 and no are facts
            yield f"  {key.replace('_', ' '):<16} {in_words(value)}"


def passage_lines(passage: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a passage in the user's own rulebook."""
    yield strong(passage["title"])
    yield dim(f"{passage['id']} · {passage['source']}")
    yield ""
    yield passage["text"]
    if passage["restated_by"]:
        yield from ("", strong("In our words"))
    for item in passage["restated_by"]:
        yield f"  {item['title']}  {dim(item['id'])}"


def list_lines(listing: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a list of entries."""
    yield strong(listing["title"])
    if listing["intro"]:
        yield listing["intro"].strip()
    for row in listing["entries"]:
        yield f"  {row['title']}  {dim(row['id'])}"


def in_words(value: object, nested: bool = False) -> str:
    """Return a fact in words. Items of a list are separated by commas, or by `or` in a nested list; a key comes before
    its value. Groups of facts in a list have numbers, or are separated by `/` in a nested list.
    """
    if isinstance(value, dict):
        return ("; " if not nested else ", ").join(
            f"{key.replace('_', ' ')} {' to '.join(map(str, item)) if key == 'level' else in_words(item, True)}"
            for key, item in value.items()
        )
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        groups = [in_words(item, True) for item in value]
        return " / ".join(groups) if nested else "; ".join(f"{n}. {group}" for n, group in enumerate(groups, 1))
    if isinstance(value, list):
        inner = " or " if nested and not any(isinstance(item, list) for item in value) else ", "
        return inner.join(in_words(item, True) for item in value)
    return "unknown" if value is None else "yes" if value is True else "no" if value is False else str(value)


INDENT = "    "
# Characters of the answer that a hit after the first shows on a terminal.
GLANCE = 120


def found_lines(results: Results, looked: Place, spoilers: bool | None, limited: bool) -> Iterator[str]:
    """Yield the lines of hits, best first. On a terminal, only the hits that fit on the screen are shown. If the user
    has set a limit (`limited`), all hits are shown.
    """
    hits = results.hits
    above = understood(results, looked)
    yield from above
    if not hits:
        within = f" in {results.scope}" if results.scope else ""
        yield f"Nothing found for {results.query!r}{within}. Try fewer or different words."
        return
    shown = list(fitting(hits, spoilers, None if limited else screenful(len(above))))
    yield from chain.from_iterable(shown)
    if len(shown) < len(hits):
        more = f"--limit {min(200, max(len(hits), len(shown) * 2))}"
        yield dim(
            f"{len(shown)} of {counted(results.total, 'hit')}. Use {more} for more, or kb search alone to search as you type."
        )


def understood(results: Results, looked: Place) -> list[str]:
    """Return lines that say where kb searched, and which words it searched for if they differ from the question."""
    lines = []
    if results.named:
        lines.append(dim(f"Searched only {results.scope}, which the question names. --in all searches everything."))
    elif looked.chosen and results.scope == looked.chosen:
        lines.append(
            dim(f"Searched only {looked.chosen}, which you chose with `kb use`. --in all searches everything.")
        )
    lines += filter(None, (about.newer_than_facts(results.query) for about in games().values()))
    if results.corrected:
        lines.append(f"Searched for {strong(results.corrected)}.")
    return lines


def fitting(hits: Sequence[Hit], spoilers: bool | None, room: int | None) -> Iterator[list[str]]:
    """Yield the lines of each hit, best first. On a terminal, only the hits that fit in `room` lines are shown, but
    always the first one.
    """
    narrow = room is not None and is_terminal()
    used = 0
    for number, hit in enumerate(hits, 1):
        lines = list(hit_lines(number, hit, spoilers, narrow and number > 1))
        used += height(lines)
        if narrow and number > 1 and used > (room or 0):
            return
        yield lines


def hit_lines(number: int, hit: Hit, spoilers: bool | None, short: bool) -> Iterator[str]:
    """Yield the lines of one hit: title, kind, source, id and the answering sentence, then the same rule in other sets.
    With `short`, only the beginning of the sentence is shown.
    """
    masked = hit.spoiler is not None and spoilers is None
    yield f"{number:>2}  {strong(title_of(hit, masked))}  {dim(about(hit))}"
    if masked:
        yield f"{INDENT}{dim('Add --spoilers to see it.')}"
        return
    yield f"{INDENT}{dim(hit.id)}"
    if hit.marked:
        if hit.answers and not short:
            yield INDENT + answered(hit)
        yield INDENT + (shorten(plain_answer(hit.marked), GLANCE, placeholder=" …") if short else styled(hit.marked))
    for twin in hit.twins:
        yield f"{INDENT}{dim(f'also {twin.id}')}" + (
            f": {said_in(twin.edition, twin.differs)}" if twin.differs and not short else ""
        )


def screenful(above: int = 0) -> int:
    """Return the number of lines on the screen that are free for hits. The lines `above` them and two for the prompt
    are not free.
    """
    return max(1, rows() - above - 2)


def title_of(hit: Hit, masked: bool) -> str:
    """Return the title of a hit; for a `masked` spoiler only the campaign that it spoils."""
    return f"Spoiler for {hit.spoiler}" if masked else hit.title


def about(hit: Hit) -> str:
    """Return the kind and the source of a hit, with a note if it is not official."""
    stated = "not official" in hit.source or not hit.standing.startswith("community-consensus")
    unofficial = "" if stated else " · not official"
    return f"{hit.kind} · {hit.source}{unofficial}"


# Lines of an answer on a terminal.
LINES = 20
# The heading above the sentences of a rule that the answer left out.
MORE = "More in this rule:"
# An answer that replies to the question in its entry's title.
ANSWERS_ITS_TITLE = re.compile(r"(?:Yes|No)\b")


def answer_lines(answer: Answer, looked: Place, whole: bool, spoilers: bool | None) -> Iterator[str]:
    """Yield the lines of the answer, or of the closest hits if no answer is certain. With `whole`, the complete entry
    is shown.
    """
    hits = answer.results.hits
    above = understood(answer.results, looked)
    yield from above
    if answer.entry is None:
        probable = answer.degree == "probable" and not (hits[0].spoiler and spoilers is None)
        if probable:
            head = list(probable_lines(hits[0]))
            yield from head
            hits = hits[1:]
            heading = "Other rules that may answer:" if hits else ""
        else:
            head = []
            heading = "No clear answer. Closest entries:" if hits else "No answer found. Try different words."
        if heading:
            yield heading
        room = None if whole else screenful(len(above) + height(head) + 1)
        yield from chain.from_iterable(fitting(hits, spoilers, room))
        return
    best, *others = hits
    if best.spoiler and spoilers is None:
        yield f"The answer spoils {best.spoiler}. Add --spoilers to see it, or use kb show {best.id}."
    elif whole:
        yield from lines_of(answer.entry)
    else:
        yield from short_lines(answer.entry, best, others, len(above), spoilers)
        return
    for twin in best.twins:
        yield f"\nThe same rule: {strong(twin.title)}  {dim(f'{twin.id} · {twin.source}')}"
    if others:
        yield "\nSee also:"
    for hit in others:
        yield neighbour(hit, spoilers)


def answered(hit: Hit) -> str:
    """Return the line above an answer: the question that the entry answers, in the entry's words."""
    return dim(f"Answers: {hit.answers}")


def probable_lines(hit: Hit) -> Iterator[str]:
    """Yield the lines of a probable answer, with the question it answers and its source."""
    yield strong("Probably:")
    yield from answer_and_source(hit, dim(f"{about(hit)} · {hit.id}"))
    yield ""


def answer_and_source(hit: Hit, source: str) -> list[str]:
    """Return the lines of a hit: the question that it answers, the answering sentences, its title and `source`. If
    the title is the question, the title comes before the answer.
    """
    if hit.answers:
        return [answered(hit), styled(hit.marked), "", strong(hit.title), source]
    if ANSWERS_ITS_TITLE.match(plain_answer(hit.marked)):  # a "yes" alone means nothing without the question
        return [strong(hit.title), styled(hit.marked), "", source]
    return [styled(hit.marked), "", strong(hit.title), source]


def short_lines(
    entry: dict[str, Any], best: Hit, others: Sequence[Hit], above: int, spoilers: bool | None
) -> Iterator[str]:
    """Yield the answering sentence, its source, related entries, and as much of the rule as fits. On a terminal, all
    this takes LINES lines, including those `above`.
    """
    below = links(best, others, spoilers)
    if "body" not in entry:
        yield from lines_of(entry)
    else:
        source = dim(f"{entry['kind']} · {entry['source']} · {entry['id']}")
        head = answer_and_source(best, source)
        head += [f"Superseded. Use the later official text: {titled(item)}." for item in entry["superseded_by"]]
        if stands := entry["stands"]:
            head.append(STANDS[stands["is"]].format(stands["edition"]))
        yield from head
        if body := without(entry["body"], set(best.said)):
            more = ["", dim(MORE)]
            if is_terminal():
                room = min(LINES, rows() - 1) - above - height(head) - len(more) - 2
                while below and height(below) >= room:
                    below.pop()
                if lines := list(cut(laid_out(body), room - height(below), entry["id"])):
                    yield from (*more, *lines)
            else:
                yield from (*more, readable(body))
    yield from ("", *below)


def links(best: Hit, others: Sequence[Hit], spoilers: bool | None) -> list[str]:
    """Return lines about the same rule in another set and about related entries."""
    same = [f"Also in  {strong(twin.title)}  {dim(twin.id)}" for twin in best.twins[:1]]
    differs = [said_in(twin.edition, twin.differs) for twin in best.twins[:1] if twin.edition and twin.differs]
    return [*differs, *same, *(neighbour(hit, spoilers) for hit in others[: 2 - len(same)])]


def neighbour(hit: Hit, spoilers: bool | None) -> str:
    """Return the line for a related hit."""
    return f"See also {strong(title_of(hit, hit.spoiler is not None and spoilers is None))}  {dim(hit.id)}"


def cut(lines: list[str], room: int, entry_id: str) -> Iterator[str]:
    """Yield the first lines that fit in `room` rows of the terminal. If lines are left out, a last line says how to see
    them.
    """
    more = f"more lines: add --all, or use kb show {entry_id}"
    left = len(lines) if len(lines) <= room else room - height([f"… {len(lines)} {more}"])
    shown = lines[: max(0, left)]
    while shown and not shown[-1].strip():
        shown.pop()
    if shown:
        yield from shown
    if left < len(lines):
        yield dim(f"… {len(lines) - len(shown)} {more}")


def height(lines: list[str]) -> int:
    """Return the number of rows that these lines take on the terminal, wrapped if necessary."""
    return sum(fitted(line, columns()).count("\n") + 1 for line in lines)
