"""Reads the questions of a request: each parameter by its type, none unknown, none twice, none beyond its limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kb.errors import KbError
from kb.registry import games
from kb.web.settings import LONGEST_QUESTION

YES_NO = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class WrongQuestion(KbError, ValueError):
    """A parameter is missing, unknown or makes no sense."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an address: its name, what it is, and `default` (None: it may be left out); `most` bounds a number."""

    name: str
    help: str
    kind: type = str
    needed: bool = False
    default: str | int | bool | None = None
    most: int = 0
    many: bool = False

    def read(self, values: Sequence[str]) -> str | int | bool | list[str] | None:
        """The value. Raises WrongQuestion."""
        if self.many:
            return [self._text(value) for value in values]
        if not values:
            if self.needed:
                raise WrongQuestion(f"Give `{self.name}`: {self.help[0].lower()}{self.help[1:]}")
            return self.default
        if len(values) > 1:
            raise WrongQuestion(f"`{self.name}` is given {len(values)} times; give it once.")
        text = self._text(values[0])
        if self.kind is bool:
            if text.casefold() not in YES_NO:
                raise WrongQuestion(f"`{self.name}` is true or false.")
            return YES_NO[text.casefold()]
        if self.kind is int:
            if not (text.isascii() and text.isdigit() and len(text) <= 6 and 1 <= int(text) <= self.most):
                raise WrongQuestion(f"`{self.name}` is a whole number from 1 to {self.most}.")
            return int(text)
        if self.needed and not text.strip():
            raise WrongQuestion(f"`{self.name}` is empty.")
        return text

    def _text(self, text: object) -> str:
        if not isinstance(text, str):
            raise WrongQuestion(f"`{self.name}` is a text.")
        if len(text) > LONGEST_QUESTION:
            raise WrongQuestion(f"`{self.name}` takes {LONGEST_QUESTION} characters at the most.")
        if any(ord(sign) < 32 or 0xD800 <= ord(sign) < 0xE000 for sign in text):
            raise WrongQuestion(f"`{self.name}` holds control characters.")
        return text


Q = Parameter("q", "What you want to know, in your own words.", needed=True)
IN = Parameter("in", "Only in this game, set or folder, by any of its names; all: everywhere.")
RULES = Parameter("rules", "By this edition of a game's rules, by any of its names; else by the newest.")
KIND = Parameter("kind", "Only entries of this kind (rule, term, ruling, faq, card …).")
SPOILERS = Parameter("spoilers", "Whether entries that give away a campaign are found.", bool, default=True)
SEARCH = (Q, IN, RULES, KIND, Parameter("limit", "How many results at the most.", int, default=10, most=50), SPOILERS)
ASK = (Q, IN, RULES, KIND, SPOILERS)
SHOW = (Parameter("name", "A title, name, code or id.", needed=True), IN, RULES)
CARDS = (
    Parameter("q", "A query such as `type:weapon set:mm deck<=2`.", needed=True),
    Parameter("limit", "How many cards at the most.", int, default=50, most=1000),
)
REBUILD = (Parameter("fill", "Choose the cards from the box too.", bool, default=False),)


def frame() -> tuple[Parameter, ...]:
    """The options of a deck check, of all games."""
    found: dict[str, Parameter] = {}
    for about in games().values():
        for option in about.frame:
            kind = str if option.metavar else bool
            words = f"{about.short}: {option.help}"
            found.setdefault(option.name, Parameter(option.name, words, kind, many=option.many))
    return tuple(found.values())


def read(parameters: Sequence[Parameter], given: Mapping[str, list[str]]) -> dict[str, object]:
    """The values of a request's parameters by name, those left out as None. Raises WrongQuestion."""
    known = {parameter.name: parameter for parameter in parameters}
    if unknown := [name for name in given if name not in known]:
        said = ", ".join(f"`{name[:40]}`" for name in unknown[:3])
        raise WrongQuestion(f"There is no parameter {said}; known are {', '.join(known) or 'none'}.")
    return {name: parameter.read(given.get(name, ())) for name, parameter in known.items()}


def options(given: Mapping[str, object]) -> dict[str, Any]:
    """The options of a deck check that an assistant gives: those there are, each of its kind. Raises WrongQuestion."""
    known = {parameter.name: parameter for parameter in frame()}
    found: dict[str, Any] = {}
    for name, value in given.items():
        option = known.get(name)
        if option is None:
            raise WrongQuestion(f"There is no option {name[:40]!r}; known are {', '.join(known)}.")
        if option.many and isinstance(value, str):
            value = [value]
        if not isinstance(value, list if option.many else option.kind):
            kind = "a list of texts" if option.many else "true or false" if option.kind is bool else "a text"
            raise WrongQuestion(f"The option {name!r} takes {kind}.")
        texts = value if isinstance(value, list) else [value] if isinstance(value, str) else []
        for text in texts:
            option.read([text])  # raises for one that is too long or no text
        if value:
            found[name] = value
    return found
