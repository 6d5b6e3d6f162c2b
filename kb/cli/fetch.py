"""`--fetch`: the deck at the address of a page, asked of the public API of its site. Nothing else of kb makes a request."""

from __future__ import annotations

from http.client import HTTPException
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from kb.decks.deckfile import LARGEST_FILE, DeckFile, decode_deck, refusal, too_large
from kb.decks.nodes import DeckFileError
from kb.decks.reading import decks_in

SECONDS = 20
"""How long a site may take for all of its answer."""
NO_DECK = "{host} gives no deck for {url}: there is none of this number, or its owner does not share it."


def decks_at(page: str, url: str) -> list[DeckFile]:
    """The deck of a page by what its site's public API gives at an address. Raises DeckFileError."""
    host = urlsplit(url).netloc
    answers: list[tuple[bytes, str] | Exception] = []
    asking = Thread(target=lambda: answers.append(_ask(url)), daemon=True)  # one that hangs on does not hold up the end
    asking.start()
    asking.join(SECONDS)
    answer = answers[0] if answers else TimeoutError()
    if isinstance(answer, Exception):
        raise refusal(page, _reason(answer, url, host))
    raw, kind = answer
    if len(raw) > LARGEST_FILE:
        raise too_large(page)
    if not raw or kind != "application/json":  # a page to log in, or nothing at all
        raise refusal(page, NO_DECK.format(host=host, url=url))
    try:
        decks = list(decks_in(decode_deck(page, raw), page))
    except DeckFileError:
        decks = []
    if not decks or any(deck.loaded is None for deck in decks):
        raise refusal(page, f"{host} answers {url} with what is no deck.")
    return decks


def _ask(url: str) -> tuple[bytes, str] | Exception:
    """Fetch an address: its bytes and their media type, or the error that prevented it."""
    from kb import __version__

    request = Request(url, headers={"Accept": "application/json", "User-Agent": f"kb/{__version__}"})
    try:
        with build_opener(_NoRedirect).open(request, timeout=SECONDS) as answer:
            return answer.read(LARGEST_FILE + 1), answer.headers.get_content_type()
    except (OSError, HTTPException, ValueError) as error:
        return error


class _NoRedirect(HTTPRedirectHandler):
    """Nobody else is asked than who was named: a redirect is an answer."""

    def redirect_request(self, *_given: Any) -> None:
        return None


def _reason(error: Exception, url: str, host: str) -> str:
    """A sentence that says why a site gave no answer."""
    cause: Any = getattr(error, "reason", error)
    if isinstance(error, HTTPError):
        if error.code in (401, 403, 404, 410):
            return NO_DECK.format(host=host, url=url)
        again = " Try it later." if error.code == 429 or error.code >= 500 else ""
        return f"{host} answers {url} with status {error.code}.{again}"
    if isinstance(cause, TimeoutError):
        return f"{host} has not answered within {SECONDS} seconds."
    return f"{host} cannot be asked: {getattr(cause, 'strerror', None) or cause}."
