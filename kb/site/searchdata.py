"""Writes what the site's search reads: figures, words and what is told of every document, and parts that questions need."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from kb.retrieval import answer, index, likeness, meaning, ranking, suggest
from kb.retrieval.analysis import STOP, stemmed
from kb.retrieval.engine import SearchIndex
from kb.site.addresses import Addresses
from kb.site.library import Library
from kb.site.searchanalysis import KINDS, analyses
from kb.site.searchparts import Put, write_parts

DATA, PARTS = "search-data.js", "search"


def write_search_data(library: Library, addresses: Addresses, index_folder: Path, folder: Path) -> None:
    """Write `search-data.js` and the parts, `search/*.js`, into a folder: scripts, which also work without a server.

    They call `kbSearchData(...)` with what `search_data` gives, and `kbSearchPart(name, ...)`.
    """
    (folder / PARTS).mkdir(parents=True)

    def put(part: str) -> str:
        name = name_of(part)
        (folder / PARTS / f"{name}.js").write_text(f'kbSearchPart("{name}",{in_script(part)})\n', encoding="utf-8")
        return name

    data = search_data(library, addresses, index_folder, put)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    (folder / DATA).write_text(f"kbSearchData({in_script(text)})\n", encoding="utf-8")


def search_data(
    library: Library, addresses: Addresses, index_folder: Path, put: Put, vectors: bool = True
) -> dict[str, Any]:
    """What the first question needs; `put` is given the parts, of the very documents that the command line searches.

    `places` are games and sets, `words` the words a query can be corrected to with how much each counts, `known` the index words that
    none of them makes, `often` in how many documents the words of synonyms stand, `longer` the names of documents in which the name of a
    game or set stands, `english` the part with common words of English, `games` for each game the number of documents, `documents` what is
    told of each (kb.site.searchparts). Without `vectors` (kb.retrieval.likeness) the page ranks by shared words alone.
    """
    places = list(dict.fromkeys([*library.games, *library.shelves]))
    titles = {**library.games, **{shelf.id: shelf.title for shelf in library.shelves.values()}}
    opened = SearchIndex(index_folder)
    try:
        shown = library.games.keys()
        told = opened.vocabulary
        called = {scope: names for scope, names in told["called"].items() if scope.split("/")[0] in shown}
        names = {name for listed in called.values() for name in listed}
        stored = (told for told in opened.stored() if told[0].partition("/")[0] in shown)
        parts = write_parts(analyses(stored, addresses), names, put, vectors)
        words = opened.words
    finally:
        opened.close()
    synonyms = {game: groups for game, groups in told["synonyms"].items() if not game or game in shown}
    phrases = [phrase.split() for groups in synonyms.values() for group in groups for phrase in group]
    wanted = {word for phrase in phrases if len(phrase) > 1 for word in phrase}
    stems = parts.often.keys()
    words = {word: often for word, often in words.items() if word in STOP or stemmed(word) in stems}
    made = {stemmed(word) for word in words if word not in STOP}
    return {
        "places": [[place, titles[place]] for place in places],
        "rules": rules(),
        "synonyms": synonyms,
        "called": called,
        "editions": {
            game: [[edition["within"], edition["title"]] for edition in listed]
            for game, listed in told["editions"].items()
        },
        "words": [part for pair in words.items() for part in pair],
        "known": sorted(stems - made),
        "often": {word: parts.often.get(word, 0) for word in sorted(wanted)},
        "longer": parts.longer,
        "english": put(json.dumps(" ".join(sorted(suggest.english())))),
        "games": parts.games,
        "documents": parts.told,
    }


def name_of(part: str) -> str:
    """A name that changes with what is in a part."""
    return hashlib.blake2b(part.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def in_script(text: str) -> str:
    """JSON that may stand in a script."""
    return text.replace("</", "<\\/").replace("\u2028", " ").replace("\u2029", " ")


def rules() -> dict[str, Any]:
    """The figures by which the command line ranks, corrects and answers: the page does it by the same."""
    return {
        "weights": [index.WEIGHTS[kind] for kind in KINDS],
        "length_share": index.LENGTH_SHARE,
        "usual_length": index.USUAL_LENGTH,
        "stop": sorted(STOP),
        "suggest": suggest.tables(),
        "answer": answer.tables(),
        "meaning": meaning.tables(),
        "likeness": likeness.tables(),
        **ranking.tables(),
    }
