"""The card query language: `type:weapon set:mm deck<=2 -trait:basic (owner:estra or is:loot) name:"flame staff"`."""

from __future__ import annotations

import difflib
import operator
import re
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from kb.errors import KbError
from kb.frozen import frozen
from kb.retrieval.language import has, language

Card = Mapping[str, Any]
Predicate = Callable[[Card], bool]

TOKEN = re.compile(
    r"\s*(?:(?P<bracket>[()])|(?P<minus>-(?=\S))|(?P<or>or\b(?!\s*[:<>=]))|"
    r"(?:(?P<field>[A-Za-z_]+)(?P<op>:|!=|<=|>=|<|>|=))?(?P<value>\"[^\"]*\"|'[^']*'(?=\s|\)|$)|[^\s()]+))",
    re.I,
)

# Signs that only queries contain, and not names or descriptions.
ASKS = re.compile(r"""[:<>=()"]|(?:^|\s)-\S""")


class CardQueryError(KbError, ValueError):
    """A query cannot be read. The message says what is wrong and, where useful, which fields are known."""


@frozen
class Token:
    """A piece of a query. Its `kind` is a bracket, `-`, `or`, or `term`. A term has a field, an operator and a value."""

    kind: str
    field: str
    op: str
    value: str


# A check in a query: `Wisdom`, `Wisdom<=8`, `<=8`.
CHECK = re.compile(r"(?P<skill>[^\W\d_]*)(?:(?P<op><=|>=|!=|<|>|=|:)(?P<number>\d{1,4}))?")
MOST_WORDS = 500
MOST_NESTED = 200
# `traits:unknown`: cards for which no source gives the fact. Unknown does not mean no: `-trait:magic` lists these cards too.
UNKNOWN = "unknown"


class MayHaveTest(Protocol):
    """Tests whether a character may have a card, by the rules of a game (see kb.decks.games)."""

    def may_have(self, record: Card) -> bool | None:
        """Return True if the card may be added to the deck, and False if not. Return None if no source says whether
        it may.
        """

    def better(self, record: Card) -> bool:
        """Return True if the card is an upgrade of a card in the deck."""


FOR, UPGRADE = "for", "upgrade"
OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    ":": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def asked_for(text: str, terms: Collection[str]) -> tuple[str | None, dict[str, str]]:
    """Return the character that a query names (`for:NAME`, or None), and the values of the `terms` that describe the
    character (`adventure:3`).

    Raises CardQueryError if the query names two characters, repeats a term, or has a term without naming a character.
    """
    who: str | None = None
    situation: dict[str, str] = {}
    before = ""
    for token in tokenise(text):
        if token.field == FOR or says_where(token, terms):
            if token.op not in {":", "="} or not token.value or (before == "-" and token.field != FOR):
                raise CardQueryError(f"{token.field} takes a value after a colon, and no minus: {token.field}:VALUE.")
            if (token.field == FOR and who is not None) or token.field in situation:
                raise CardQueryError(f"{token.field} appears twice; a query can name one character.")
            if token.field == FOR:
                who = token.value
            else:
                situation[token.field] = token.value.casefold()
        before = token.kind
    if situation and who is None:
        raise CardQueryError(_needs_character(*next(iter(situation.items()))))
    return who, situation


def _needs_character(term: str, value: str) -> str:
    """Return the sentence that `term:value` describes a character that the query does not name. If `term` is also a field
    with a closed list of values, the sentence names them.
    """
    if values := sorted(language().closed.get(term, ())):
        *others, last = (f"{term}:{each}" for each in values)
        return f"{term}:{value} needs for:NAME. Without it, use {', '.join(others)} or {last}."
    return f"{term} describes a character's progress, so it needs for:NAME."


def parse_query(text: str, may_have: MayHaveTest | None = None, terms: Collection[str] = ()) -> Predicate:
    """Return a function that tests whether a card matches the query `text`. A card is a record with `id`, `game`, `set`
    and `number`.

    `may_have` decides the term `for:NAME` (see `asked_for`). The `terms` describe the character and do not filter the
    cards. Raises CardQueryError for an unknown field, an operator that a field does not support, or an unclosed
    bracket.
    """
    tokens = deque(token for token in tokenise(text) if may_have is None or not says_where(token, terms))

    def ends(*kinds: str) -> bool:
        return not tokens or tokens[0].kind in kinds

    def choice() -> Predicate:
        choices = [group()]
        while tokens and tokens[0].kind == "or":
            tokens.popleft()
            choices.append(group())
        return lambda card: any(fits(card) for fits in choices)

    def group() -> Predicate:
        needed = []
        while not ends("or", ")"):
            needed.append(condition())
        if not needed:
            raise CardQueryError("Something is missing next to `or` or between the brackets.")
        return lambda card: all(fits(card) for fits in needed)

    def condition() -> Predicate:
        token = tokens.popleft()
        if token.kind == "-":
            if ends("or", ")"):
                raise CardQueryError("A minus needs a term after it.")
            excluded = condition()
            return lambda card: not excluded(card)
        if token.kind == "term":
            return compare(token, may_have)
        inside = choice()
        if not tokens:
            raise CardQueryError("A bracket is not closed.")
        tokens.popleft()
        return inside

    if not tokens:
        raise CardQueryError(f"The query is empty. {known()}")
    predicate = choice()
    if tokens:
        raise CardQueryError("There is a closing bracket without an opening one.")
    return predicate


def says_where(token: Token, terms: Collection[str]) -> bool:
    """Return True if a token describes the character (`taboo:8`) instead of a fact of a card (`taboo:up`)."""
    return token.field in terms and token.value.casefold() not in language().closed.get(token.field, ())


def known() -> str:
    """Return the end of an error message: a list of the known fields, flags and operators."""
    grammar = language()
    fields = ", ".join(sorted({*grammar.fields, *grammar.flags, FOR}))
    return f"Known fields: {fields}; is:{', is:'.join(grammar.flags)}. Operators: : = != < <= > >=."


def tokenise(text: str) -> list[Token]:
    """Split a query into tokens. Raises CardQueryError if it is too long, or if a part of it cannot be read."""
    tokens: list[Token] = []
    text, at = text.rstrip(), 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match or match.end() == at:
            raise CardQueryError(f"Cannot read the query from {text[at:].strip()!r} on. {known()}")
        at = match.end()
        kind = (match["bracket"] or match["minus"] or match["or"] or "term").casefold()
        field, op, value = (match[name] or "" for name in ("field", "op", "value"))
        if op and re.match(r"[A-Za-z_]+[<>=]", value) and language().full(field.casefold()) not in language().checks:
            raise CardQueryError(f"{match[0].strip()} compares twice: write {value}.")
        tokens.append(Token(kind, field.casefold(), op, value.strip("\"'")))
        if len(tokens) > MOST_WORDS or sum(token.kind in "-(" for token in tokens) > MOST_NESTED:
            raise CardQueryError(
                f"A query may have at most {MOST_WORDS} words, and at most {MOST_NESTED} brackets and minus signs in all."
            )
    return tokens


def compare(token: Token, may_have: MayHaveTest | None) -> Predicate:
    """Return a function that tests a card by one term of a query (`field op value`). Raises CardQueryError."""
    value, op, grammar = token.value.casefold(), token.op, language()
    field = grammar.full(token.field)
    if not field and value == "-":
        raise CardQueryError("A minus needs a term after it.")
    if not value or (not field and value[-1] in ":=<>"):
        raise CardQueryError(f"{field}{op}{token.value} needs a value after it.")
    if not field:
        return lambda card: value in str(card.get("name", "")).casefold()
    if field == FOR or (field == "is" and value == UPGRADE):
        if may_have is None:
            named = "is:upgrade needs for:NAME or for:DECKFILE."
            raise CardQueryError(named if field == "is" else f"kb cannot tell here which cards {token.value} may have.")
        return may_have.better if field == "is" else lambda card: may_have.may_have(card) is not False
    if field == "is":
        if value not in grammar.flags:
            raise CardQueryError(f"is:{value} is unknown. Use is:{', is:'.join(grammar.flags)}.")
        return lambda card: has(card, value)
    keys = grammar.fields.get(field, (field,))
    if field not in {*grammar.fields, *grammar.flags}:
        close = difflib.get_close_matches(field, [*grammar.fields, *grammar.flags], 1, 0.6)
        raise CardQueryError(
            f"There is no field {token.field!r}{f'; did you mean {close[0]!r}?' if close else '.'} {known()}"
        )
    if value == UNKNOWN and op in {":", "="}:
        return lambda card: is_unknown(card, keys)
    if field in grammar.checks:
        return asks_for_check(field, op, token.value, keys)
    if field in grammar.flags and value not in grammar.closed.get(field, ()):
        if value not in {"true", "false", "yes", "no", "1", "0"} or op not in {":", "="}:
            raise CardQueryError(f"{field} takes {field}:yes, {field}:no or {field}:unknown.")
        return lambda card: has(card, field) == (value in {"true", "yes", "1"})
    if field in grammar.numbers:
        if (wanted := number(value)) is None:
            raise CardQueryError(f"{field}{op}{value}: {value!r} is not a number.")
        if op in {"<", "<=", ">", ">="} or value[0].isdigit() or value[0] == "-":
            test = OPERATORS[op]
            return lambda card: any(
                test(amount, wanted) for amount in map(number, values(card, keys)) if amount is not None
            )
    elif op in {"<", "<=", ">", ">="}:
        names = ", ".join(sorted(grammar.numbers))
        raise CardQueryError(f"{field} is not a numeric field, so it takes :, = or !=. Numeric fields are {names}.")
    # A letter instead of a number (`deck:B`) must match exactly.
    exact = op != ":" or field in {"set", "game", *grammar.numbers}

    def fits(card: Card) -> bool:
        texts = [str(item).casefold() for item in values(card, keys)]
        return any(value == item if exact else value in item for item in texts)

    return (lambda card: not fits(card)) if op == "!=" else fits


def asks_for_check(field: str, op: str, value: str, keys: Sequence[str]) -> Predicate:
    """Return a function that tests the checks on a card: by skill (`check:Diplomacy`), by difficulty (`check<=8`) or by
    both (`closes:Wisdom<=8`).

    Raises CardQueryError if `value` is none of these.
    """
    match = CHECK.fullmatch(value if op in {":", "="} else f"{op}{value}")
    if op == "!=" or match is None or not value:
        raise CardQueryError(
            f"{field} takes a skill, a difficulty or both: {field}:Wisdom, {field}<=8, {field}:Wisdom<=8."
        )
    skill, number_test = match["skill"].casefold(), OPERATORS[match["op"] or ":"]
    wanted = float(match["number"]) if match["number"] else None

    def fits(card: Card) -> bool:
        return any(
            (not skill or any(skill == str(each).casefold() for each in check["skills"]))
            and (wanted is None or number_test(check["difficulty"], wanted))
            for check in values(card, keys)
        )

    return fits


_NAMING = frozenset({"name", "id", "code", "text", "game"})


def strange_values(text: str, cards: Sequence[Card]) -> list[str]:
    """Return a sentence for each value in a query that no card has. The sentence suggests a similar value if there is
    one.

    Raises CardQueryError as `parse_query` does.
    """
    grammar = language()
    found = []
    for token in tokenise(text):
        field, value = grammar.full(token.field), token.value.casefold()
        texts = field in grammar.fields and field not in {*grammar.numbers, *grammar.checks, *_NAMING}
        if not texts or token.op not in {":", "="} or value == UNKNOWN or field in grammar.flags:
            continue
        there = {str(item).casefold() for card in cards for item in values(card, grammar.fields[field])}
        if not any(value == each if token.op == "=" else value in each for each in there):
            close = difflib.get_close_matches(value, sorted(there), 1, 0.6)
            found.append(f"No card has the {field} {token.value!r}{f'; did you mean {close[0]!r}?' if close else '.'}")
    return found


def is_unknown(card: Card, keys: Sequence[str]) -> bool:
    """Return True if a fact is unknown: the card has at least one of the `keys`, and their values are all None."""
    present = [key for key in keys if key in card]
    return bool(present) and all(card[key] is None for key in present)


def unknown_among(text: str, cards: Sequence[Card]) -> dict[str, int]:
    """Return the number of cards whose value is unknown, for each field in the query `text`. Fields without such cards
    are left out.

    `cards` are the cards that match the query. Cards with an unknown value match only because an exclusion
    (`-trait:magic`) does not rule them out. Raises CardQueryError as `parse_query` does.
    """
    grammar = language()
    terms = {
        (token.value.casefold() if token.field == "is" else grammar.full(token.field), token.value)
        for token in tokenise(text)
    }
    fields = dict.fromkeys(
        field
        for field, value in sorted(terms)
        if field in {*grammar.fields, *grammar.flags} and value.casefold() != UNKNOWN
    )
    counts = {field: sum(is_unknown(card, grammar.fields.get(field, (field,))) for card in cards) for field in fields}
    return {field: count for field, count in counts.items() if count}


def values(card: Card, keys: Sequence[str]) -> list[Any]:
    """Return the values of a card for the first of `keys` that it has. Empty if it has none of them."""
    for key in keys:
        outer, _, inner = key.partition(".")
        value = card.get(outer)
        if inner:
            value = value.get(inner) if isinstance(value, Mapping) else None
        if value not in (None, [], {}, ""):
            return list(value) if isinstance(value, list | tuple | dict) else [value]
    return []


def number(value: Any) -> float | None:
    """Convert a value to a number. Letters of adventure decks (B, C, P) count as 0, as in the rulebooks. None for other
    texts.
    """
    text = str(value).casefold()
    if text in {"b", "c", "p"}:
        return 0.0
    try:
        return float(text)
    except ValueError:
        return None
