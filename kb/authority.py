"""Who gave an answer, in words, and whose answer counts for more: the order in which every window shows them."""

from __future__ import annotations

from typing import Literal, get_args

Authority = Literal["official-document", "official-faq", "designer", "developer", "community-consensus"]
ORDER: tuple[str, ...] = get_args(Authority)
WORDS = {
    "official-document": "official document",
    "official-faq": "official FAQ",
    "designer": "designer",
    "developer": "publisher's staff",
    "community-consensus": "community consensus, not official",
}
# The same where it stands alone, as a label.
LABELS = {
    "official-document": "Official document",
    "official-faq": "Official FAQ",
    "designer": "Designer",
    "developer": "Publisher’s staff",
    "community-consensus": "Community consensus · not official",
}
OFFICIAL = ("official-document", "official-faq")
# Kinds of entries that decide something about a card or rule, beyond the rules themselves.
RULING_KINDS = ("ruling", "faq", "erratum", "taboo")
# Kinds that restate an official answer although their entries name nobody: the FAQ itself.
_ANSWERS = {"faq", "ruling"}


def rank(kind: str, authority: str | None, superseded: bool = False, signed: bool | None = None) -> int:
    """Place in the order of authority; lower counts for more.

    An official document comes before its publisher's FAQ, then designers, then staff (a signed answer before an unsigned
    one), then players. What a later text superseded comes last. An entry without `authority` restates a document.
    """
    if superseded:
        return 2 * len(ORDER)
    named = authority or ("official-faq" if kind in _ANSWERS else "official-document")
    return 2 * ORDER.index(named) + (signed is False)


def in_words(authority: str, date: str | None = None, signed: bool | None = None, confidence: str | None = None) -> str:
    """Who answered and how sure it is, as a citation says it: `publisher's staff, unsigned, 2022-09, confidence: medium`."""
    parts = [WORDS[authority]]
    if signed is False:
        parts.append("unsigned")
    if date:
        parts.append(date)
    if confidence and confidence != "high":
        parts.append(f"confidence: {confidence}")
    return ", ".join(parts)
