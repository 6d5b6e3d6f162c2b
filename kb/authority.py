"""The authority of answers: words for the author of an answer, and the order of answers in every interface."""

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
# The same words, as labels that begin with a capital letter.
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
    """Return the rank of an entry's authority as a number; lower is stronger.

    Official documents come first, then the publisher's FAQs, designers, the publisher's staff, and the community. An
    unsigned answer comes directly after signed answers of the same authority. Superseded entries come last. If
    `authority` is None, an entry of the kind `faq` or `ruling` restates an official FAQ, and any other entry a
    document.
    """
    if superseded:
        return 2 * len(ORDER)
    named = authority or ("official-faq" if kind in _ANSWERS else "official-document")
    return 2 * ORDER.index(named) + (signed is False)


def in_words(authority: str, date: str | None = None, signed: bool | None = None, confidence: str | None = None) -> str:
    """Describe who gave an answer and how certain it is, in the words of a citation: `publisher's staff, unsigned,
    2022-09, confidence: medium`.
    """
    parts = [WORDS[authority]]
    if signed is False:
        parts.append("unsigned")
    if date:
        parts.append(date)
    if confidence and confidence != "high":
        parts.append(f"confidence: {confidence}")
    return ", ".join(parts)
