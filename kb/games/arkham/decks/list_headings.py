"""Recognizes the headings in a text list: those that begin a section, and those without effect."""

from __future__ import annotations

import re
from enum import Enum

from kb.decks.names import name_key
from kb.frozen import frozen
from kb.games.arkham.decks.facts import ArkhamFacts

_SPOKEN = """
accessory adjustment ally and arcane asset available basic body bonded campaign card class core cost customizable date deck enemy event
exceptional experience extra free guardian hand head health id in investigator level list location main mental multiclass myriad mystic
neutral no number of or other permanent physical player product random required rogue sanity seeker set side signature size skill slot
special spent spirit starting story survivor tarot the total trauma treachery two unique unspent upgrade version weakness without xp
year
"""
_WORDS = frozenset(_SPOKEN.split())
_ENDS = (("ies", "y"), ("sses", "ss"), ("s", ""))  # plural endings
_ONLY_CODE = re.compile(r"#?\d{5}[a-z]?")
_RULED = re.compile(r"^[-=_~*\[<]+\s*([^\W\d_][^<>\[\]]*?)\s*[-=_~*\]>]+$")
"""A heading between rows of symbols, such as `== Side deck ==` or `[Side deck]`."""
_BEFORE = re.compile(r"^[\W_]*((?:my|your|our|the|current)\s+)?(?=\w)", re.IGNORECASE)
_ONLY_COUNT = re.compile(r"(?:[(\[]\d[^()\[\]]*[)\]]|[x×]?\d+(?:\s?[+/]\s?\d+)*\s*(?:cards?)?)?", re.IGNORECASE)
"""The text behind a heading that contains at most the number of its cards."""
_COUNT_FIRST = re.compile(r"^\s*[(\[]\d+[^()\[\]]*[)\]]")
BEGINS_WITH_COUNT = re.compile(r"^[(\[]?\s?(?:[xX×]\s?\d|\d{1,3}\s?[xX×*]?[)\]]?\s*[^\W\d]|\d{1,3}\s?[xX×]\s?\d)")
"""A line that begins with copies of a card, so that it is never a heading."""


class Section(Enum):
    """A section of a text list."""

    DECK = "the deck"
    WEAKNESSES = "weaknesses of the deck"
    SIDE = "the side deck"
    SPIRIT = "the spirit deck"
    BONDED = "bonded cards"
    OTHER = "cards that may be in no deck"


@frozen
class SectionHeading:
    """The heading of a section.

    - `section`: the section that begins.
    - `name`: the heading as written, without its determiner (`whose`: my, the).
    - `rest`: the text behind the heading, without the number of its cards.
    """

    section: Section
    name: str
    rest: str = ""
    whose: str = ""


_WEAKNESSES = "(?:basic )?weakness(?:es)?|treacher(?:y|ies)|signatures?"
_LATER = "later|future|planned|possible|potential|next"
_HEADINGS = {
    section: re.compile(rf"(?:{words})(?![\w'’])", re.IGNORECASE)
    for section, words in {
        Section.SIDE: r"(?:cards (?:in|of) (?:the |your |my )?)?side(?:[-_ ]?(?:decks?|boards?|slots?|cards?|piles?))?",
        Section.SPIRIT: r"(?:spirit|extra)[-_ ]?(?:decks?|cards?)|spirits",
        Section.DECK: r"(?:main|investigator)[-_ ]?deck|main[- ]?board|main|deck(?:[- ]?list)?",
        Section.WEAKNESSES: rf"(?:{_WEAKNESSES})(?: ?(?:/|and|&) ?(?:{_WEAKNESSES}))?",
        Section.BONDED: r"bonded(?:[- ]?(?:cards?|decks?|piles?))?",
        Section.OTHER: r"(?:maybe|considering)(?:[- ]?(?:boards?|decks?|cards?|piles?))?|maybes|wish[- ]?list|upgrades?"
        rf"|(?:{_LATER}) (?:cards?|upgrades?|purchases?|additions?)|(?:removed|exiled|cut|replaced)(?: cards?)?|cuts",
    }.items()
}


def heading_of(line: str) -> SectionHeading | None:
    """Return the heading of a section that begins with `line`; None for any other line.

    Cards may follow a side deck's or a spirit deck's heading in its line, and any heading with a colon.
    """
    line = _RULED.sub(r"\1", line)
    before = _BEFORE.match(line)
    bare, whose = (line[before.end() :], before[1] or "") if before else (line, "")
    for section, pattern in _HEADINGS.items():
        if not (found := pattern.match(bare)):
            continue
        behind = bare[found.end() :]
        if _ONLY_COUNT.fullmatch(behind.strip(" \t:,–—-")):
            return SectionHeading(section, found[0], whose=whose)
        rest = _COUNT_FIRST.sub("", behind)
        any_text = section in (Section.SIDE, Section.SPIRIT) and found[0].casefold() not in ("side", "spirits")
        if rest.lstrip().startswith(":") or any_text:
            return SectionHeading(section, found[0], rest.strip(" :-–—"), whose)
    return None


def is_heading(line: str, facts: ArkhamFacts) -> bool:
    """Return True if a line cannot be a card.

    Such a line contains only the name of a product or cycle, or only words for sections, numbers and symbols.
    """
    if _ONLY_CODE.fullmatch(line) or BEGINS_WITH_COUNT.match(line.strip(" \t-*•=_~#:.")):
        return False
    bare = re.sub(r"[(\[]?[xX×]?\d+[xX×]?[)\]]?", " ", line).strip(" \t-*•=_~#:.")
    if name_key(bare) in facts.pack_names or name_key(bare) in facts.cycle_names:
        return True
    return all(map(_of_sections, re.findall(r"[^\W\d_]+", bare)))


def _of_sections(word: str) -> bool:
    small = word.casefold()
    singular = next((small.removesuffix(end) + instead for end, instead in _ENDS if small.endswith(end)), small)
    return small in _WORDS or singular in _WORDS
