"""`--fetch`: download a deck from the public API of its site. Nothing else in kb goes online."""

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
"""Time limit, in seconds, for a site's complete answer."""
NO_DECK = "{host} has no public deck at {url}. The number may be wrong, or its owner does not share it."


def decks_at(page: str, url: str) -> list[DeckFile]:
    """Download the decks of a page from `url`, their address in the site's API. Raises DeckFileError if the site
    returns no deck.
    """
    host = urlsplit(url).netloc
    answers: list[tuple[bytes, str] | Exception] = []
    asking = Thread(
        target=lambda: answers.append(_ask(url)), daemon=True
    )  # a thread that hangs does not delay the end of the program
    asking.start()
    asking.join(SECONDS)
    answer = answers[0] if answers else TimeoutError()
    if isinstance(answer, Exception):
        raise refusal(page, _reason(answer, url, host))
    raw, kind = answer
    if len(raw) > LARGEST_FILE:
        raise too_large(page)
    if not raw or kind != "application/json":  # a login page, or an empty answer
        raise refusal(page, NO_DECK.format(host=host, url=url))
    try:
        decks = list(decks_in(decode_deck(page, raw), page))
    except DeckFileError:
        decks = []
    if not decks or any(deck.loaded is None for deck in decks):
        raise refusal(page, f"For {url}, {host} returned something that is not a deck.")
    return decks


def _ask(url: str) -> tuple[bytes, str] | Exception:
    """Request a URL. Return the bytes and the media type of the answer, or the error that prevented it."""
    from kb import __version__

    request = Request(url, headers={"Accept": "application/json", "User-Agent": f"kb/{__version__}"})
    try:
        with build_opener(_NoRedirect).open(request, timeout=SECONDS) as answer:
            return answer.read(LARGEST_FILE + 1), answer.headers.get_content_type()
    except (OSError, HTTPException, ValueError) as error:
        return error


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirect, so that only the named host is asked."""

    def redirect_request(self, *_given: Any) -> None:
        return None


def _reason(error: Exception, url: str, host: str) -> str:
    """Return a sentence that says why a site gave no answer."""
    cause: Any = getattr(error, "reason", error)
    if isinstance(error, HTTPError):
        if error.code in (401, 403, 404, 410):
            return NO_DECK.format(host=host, url=url)
        again = " Try again later." if error.code == 429 or error.code >= 500 else ""
        return f"{host} returned status {error.code} for {url}.{again}"
    if isinstance(cause, TimeoutError):
        return f"{host} did not answer within {SECONDS} seconds."
    return f"Cannot reach {host}: {getattr(cause, 'strerror', None) or cause}."
