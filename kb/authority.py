"""The authority of answers: words for who gave one, and the order in which every interface shows them."""

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
# The same words as labels.
LABELS = {
    "official-document": "Official document",
    "official-faq": "Official FAQ",
    "designer": "Designer",
    "developer": "Publisher’s staff",
    "community-consensus": "Community consensus · not official",
}
OFFICIAL = ("official-document", "official-faq")
# Kinds of entries that settle a question about a card or rule, beyond the rules themselves.
RULING_KINDS = ("ruling", "faq", "erratum", "taboo")
# Kinds of entries that restate an official answer even if they name no author: the FAQ itself.
_ANSWERS = {"faq", "ruling"}


def rank(kind: str, authority: str | None, superseded: bool = False, signed: bool | None = None) -> int:
    """Return the rank of an entry's authority; lower is stronger.

    An official document comes before its publisher's FAQ, then designers, then staff (a signed answer before an
    unsigned one), then players. Superseded entries come last. An entry without `authority` restates a document.
    """
    if superseded:
        return 2 * len(ORDER)
    named = authority or ("official-faq" if kind in _ANSWERS else "official-document")
    return 2 * ORDER.index(named) + (signed is False)


def in_words(authority: str, date: str | None = None, signed: bool | None = None, confidence: str | None = None) -> str:
    """Describe who answered and how certain the answer is, as in citations: `publisher's staff, unsigned, 2022-09,
    confidence: medium`.
    """
    parts = [WORDS[authority]]
    if signed is False:
        parts.append("unsigned")
    if date:
        parts.append(date)
    if confidence and confidence != "high":
        parts.append(f"confidence: {confidence}")
    return ", ".join(parts)
