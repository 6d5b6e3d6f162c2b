"""Write the data of the site's search: a main file, loaded with the first question, and parts that a page loads when it
needs them.

There are three kinds of parts: `words` (for each index word, the documents and texts that contain it, and its vector),
`names` (the documents with each name) and `texts` (the texts that a search result shows). A part is named by a hash of
its content. Documents are numbered in the order of their ids. Words with the same meaning are in the same part. The
words that occur in the most questions are in the first part, which is in the main file, so that a question loads few
parts.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from operator import sub
from os.path import commonprefix
from pathlib import Path
from typing import Any

from kb.markup import ICON
from kb.registry import games
from kb.retrieval import answer, certainty, index, likeness, manner, question, ranking, suggest
from kb.retrieval.analysis import STOP, index_words, stemmed
from kb.retrieval.document import Document
from kb.retrieval.engine import SearchIndex
from kb.retrieval.record import called, title_cards
from kb.site.addresses import Addresses
from kb.site.folder import site_folder
from kb.site.library import Library
from kb.site.markup import Icons
from kb.site.tables import as_json

DATA, PARTS = "search-data.js", "search"
KINDS = ("title", "alias", "part", "asked", "related", "body", "older")
"""The fields of a document that contain its texts, in the order in which the texts are numbered.

The shape of a document includes the sizes of the texts in the fields before `related`.
"""
MOST_ASKED, MOST_OF_WORDS, MOST_OF_NAMES, MOST_OF_TEXTS = 200_000, 52_000, 40_000, 13_500
"""The length of a full part, after which the next part begins. With these lengths, there are few parts, and none is
too large.

MOST_ASKED is for the first part of words, and MOST_OF_WORDS for the other parts of words.
"""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
Put = Callable[[str], str]
"""A function that stores a part (JSON) and returns the part's name."""


def write_search_data(library: Library, addresses: Addresses, index_folder: Path, folder: Path) -> None:
    """Write `search-data.js` and the parts, `search/*.js`, into `folder`. They are scripts, so that they also load
    without a server.

    The scripts call `kbSearchData(...)` with the result of `search_data`, and `kbSearchPart(name, ...)` with a part.
    """
    (folder / PARTS).mkdir(parents=True)

    def put(part: str) -> str:
        name = name_of(part)
        (folder / PARTS / f"{name}.js").write_text(f'kbSearchPart("{name}",{in_script(part)})\n', encoding="utf-8")
        return name

    data = search_data(library, addresses, index_folder, put)
    (folder / DATA).write_text(f"kbSearchData({in_script(as_json(data))})\n", encoding="utf-8")


def newer_products(library: Library) -> list[list[Any]]:
    """Return the products that came out after kb's card facts. Each is a list of name, code, beginning of its cards'
    codes, a sentence about it, and the id of its game.
    """
    return [
        [product.name, product.code, product.cards, product.says, about.id]
        for about in games().values()
        if about.id in library.games
        for product in about.newer_products
    ]


def search_data(
    library: Library, addresses: Addresses, index_folder: Path, put: Put, vectors: bool = True
) -> dict[str, Any]:
    """Return the content of the main file, and store the parts with `put`. The data covers the documents that the
    command line searches.

    `places` are games and sets. `words` are the known words, used to correct a query, with their weights (`counts`)
    and the part that contains each (`within`). `known` gives the part of each index word that `within` does not
    cover. `synonyms` are groups of phrases, each phrase with its rarest word. `newer` are products that came out
    after the card facts. `icons` are drawings by name. `english` is the name of the part with common English words.
    `documents` are facts about each document. Without `vectors` (see kb.retrieval.likeness), the page ranks only by
    shared words.
    """
    titles = {**library.games, **{volume.id: volume.title for volume in library.volumes.values()}}
    places = list(dict.fromkeys([*library.games, *library.volumes]))
    opened = SearchIndex(index_folder)
    try:
        indexed, words = opened.vocabulary, opened.words
        documents = [
            Document.from_json(text) for name, text in opened.stored() if name.partition("/")[0] in library.games
        ]
    finally:
        opened.close()
    scoped = {scope: names for scope, names in indexed["called"].items() if scope.split("/")[0] in library.games}
    stands, shapes = words_and_shapes(documents)
    synonyms = {
        game: [[(phrase, rarest(phrase, stands)) for phrase in group] for group in groups]
        for game, groups in indexed["synonyms"].items()
        if not game or game in library.games
    }
    together = meaning_the_same(stands, [dict(group).values() for groups in synonyms.values() for group in groups])
    vocabulary, parts = words_in_parts(documents, stands, words, together, likeness.learned() if vectors else {})
    notes = notes_on_twins(documents)
    return {
        "places": [[place, titles[place]] for place in places],
        "rules": rules(),
        "synonyms": synonyms,
        "called": scoped,
        "editions": {
            game: [[edition["within"], edition["title"]] for edition in listed]
            for game, listed in indexed["editions"].items()
        },
        "newer": newer_products(library),
        "icons": drawings(documents),
        **vocabulary,
        "english": put(as_json(shortened(sorted(suggest.english())))),
        "documents": {
            **of_documents(documents),
            "shape": shapes,
            "likeness": [likeness.vector_of(document) for document in documents] if vectors else [],
            "parts": {
                "words": [parts[0], *(put(as_json(part)) for part in parts[1:])],
                "names": in_parts(put, names_of(documents), MOST_OF_NAMES, "{}"),
                "texts": in_parts(
                    put,
                    enumerate(row(document, addresses, notes[document.id]) for document in documents),
                    MOST_OF_TEXTS,
                    "[]",
                ),
            },
        },
    }


def drawings(documents: Iterable[Document]) -> dict[str, str]:
    """Return the HTML of the icons that occur in the titles, sentences and questions of documents, by the icon's name."""
    icons = Icons(site_folder() / "theme" / "icons")
    texts = (text for document in documents for text in (document.title, *document.sentences, *document.asked))
    named = {name for text in texts for name in ICON.findall(text)}
    return {name: icons.html(name) for name in sorted(named & icons.names)}


def names_of(documents: Iterable[Document]) -> list[tuple[str, str]]:
    """Return each name of a document, and a JSON text with that name and the numbers of the documents that have it.

    A document's number is written unchanged if the name is the document's title, and as -1 minus the number otherwise.
    Names are sorted as JavaScript sorts them.
    """
    numbers: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        for place, name in enumerate(called(document)):
            numbers.setdefault(name, []).append(number if place == 0 else -1 - number)
    ordered = sorted(numbers, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return [(name, f"{as_json(name)}:{as_json(numbers[name])}") for name in ordered]


def of_documents(documents: Sequence[Document]) -> dict[str, Any]:
    """Return facts about each document other than its words, as lists in the order of the documents' numbers.

    Two values have another form. `topics` contains the numbers of documents with the same topic. `cards` maps a
    document's number to the numbers of its texts with cards that its title names.
    """
    numbered = {document.id: number for number, document in enumerate(documents) if document.edition}
    topics = defaultdict[tuple[str, str], list[int]](list)
    for number, document in enumerate(documents):
        if document.topic:
            topics[document.game, document.topic].append(number)
    return {
        "folder": numbered_names(document.id.rpartition("/")[0] for document in documents),
        "standing": numbered_names(document.standing for document in documents),
        "edition": numbered_names(document.edition or "" for document in documents),
        "spoiler": numbered_names(document.spoiler or "" for document in documents),
        "scopes": [
            [scope for scope in document.scopes if not f"{document.id}/".startswith(f"{scope}/")]
            for document in documents
        ],
        "counterparts": [
            [numbered[each] for each in document.counterparts if document.edition and each in numbered]
            for document in documents
        ],
        "cards": {number: cards for number, document in enumerate(documents) if (cards := title_cards(document))},
        "topics": [numbers for numbers in topics.values() if len(numbers) > 1],
    }


def numbered_names(names: Iterable[str]) -> dict[str, list[Any]]:
    """Store a list with repeated names compactly: `names` contains each name once, `at` the position in `names` for
    each item.
    """
    numbers: dict[str, int] = {}
    at = [numbers.setdefault(name, len(numbers)) for name in names]
    return {"names": list(numbers), "at": at}


Stands = dict[str, dict[int, list[int]]]
"""For each index word, the documents that contain it: by document number, the numbers of the texts, one for each
occurrence.
"""


def words_and_shapes(documents: Iterable[Document]) -> tuple[Stands, list[str]]:
    """Return the occurrences of all index words, and a text that encodes the shape of each document.

    The shape is a sequence of numbers: the number of texts of each of KINDS, the number of all index words, and the
    number of different words in each text before the `related` texts.
    """
    stands: Stands = {}
    shapes: list[str] = []
    for number, document in enumerate(documents):
        placed = [
            (document.title,),
            document.aliases,
            document.parts,
            document.asked,
            document.related,
            document.sentences,
            document.older,
        ]
        texts = [index_words(text) for listed in placed for text in listed]
        for at, text in enumerate(texts):
            for word in text:
                stands.setdefault(word, {}).setdefault(number, []).append(at)
        counts = [len(listed) for listed in placed]
        sized = [len(set(text)) for text in texts[: sum(counts[: KINDS.index("related")])]]
        shapes.append(in_letters([*counts, sum(map(len, texts)), *sized]))
    return stands, shapes


def told_of(word: str, stands: Mapping[int, list[int]], vectors: Mapping[bytes, bytes]) -> list[str]:
    """Return the data on an index word for a part: two texts of encoded numbers, and the word's vector if it has one.

    The first text has the differences between the numbers of consecutive documents. The second has the differences
    between the numbers of consecutive texts in each document, doubled, plus one if another text of the same document
    follows.
    """
    numbers = list(stands)
    texts = [
        2 * step + (place < len(at))
        for at in stands.values()
        for place, step in enumerate([at[0], *map(sub, at[1:], at)], start=1)
    ]
    parts = [in_letters([numbers[0], *map(sub, numbers[1:], numbers)]), in_letters(texts)]
    if vector := vectors.get(word.encode("utf-8", "surrogatepass")):
        parts.append(vector.decode("ascii"))
    return parts


def in_letters(numbers: Iterable[int]) -> str:
    """Encode numbers as letters of five bits each, most significant first.

    The last letter of each number comes from the second half of the alphabet, so that the numbers need no separator.
    """
    letters = []
    for number in numbers:
        written = LETTERS[32 + number % 32]
        while number := number // 32:
            written = LETTERS[number % 32] + written
        letters.append(written)
    return "".join(letters)


def shortened(words: Sequence[str]) -> list[str]:
    """Compress a sorted list of words to two texts: the length of the prefix that each word shares with the previous
    word (encoded as letters), and the remaining letters of each word.
    """
    same = [len(commonprefix(pair)) for pair in pairwise(["", *words])]  # noqa: RUF071 (letters are meant)
    return [in_letters(same), " ".join(word[at:] for word, at in zip(words, same, strict=True))]


def words_in_parts(
    documents: Iterable[Document],
    stands: Stands,
    words: Mapping[str, int],
    together: Iterable[Sequence[str]],
    vectors: Mapping[bytes, bytes],
) -> tuple[dict[str, Any], list[dict[str, list[str]]]]:
    """Return the data on all words for the main file (see `search_data`), and the data on each index word, divided
    into parts.

    The first parts have the words that occur in the most questions of documents, relative to the size of the words'
    data. Words in the same group of `together` are in the same part. `words` are the words for corrections with their
    weights, and `vectors` are the vectors of words.
    """
    question_counts = Counter(
        word for document in documents for text in document.asked for word in set(index_words(text))
    )
    rows = {word: told_of(word, at, vectors) for word, at in stands.items()}
    size = {word: len("".join([word, *row])) + 8 for word, row in rows.items()}
    parts: list[dict[str, list[str]]] = [{}]
    for group in sorted(
        together,
        key=lambda group: (-sum(question_counts[word] for word in group) / sum(size[word] for word in group), group),
    ):
        if sum(size[word] for word in parts[-1]) >= (MOST_OF_WORDS if parts[1:] else MOST_ASKED):
            parts.append({})
        parts[-1].update((word, rows[word]) for word in group)
    known = {word: number for number, part in enumerate(parts) for word in part}
    within = {word: 0 if word in STOP else known.get(stemmed(word)) for word in sorted(words)}
    typed = [word for word, part in within.items() if part is not None]
    for word in words.keys() - STOP:
        known.pop(stemmed(word), None)
    told = {
        "words": shortened(typed),
        "counts": in_letters(words[word] for word in typed),
        "within": in_letters(within[word] or 0 for word in typed),
        "known": known,
    }
    return told, parts


def rarest(phrase: str, stands: Stands) -> str:
    """Return the word of `phrase` that occurs in the fewest documents."""
    return min(phrase.split(), key=lambda word: len(stands.get(word, ())))


def meaning_the_same(stands: Iterable[str], synonyms: Iterable[Iterable[str]]) -> list[list[str]]:
    """Return all index words, divided into groups with the same meaning. A word without synonyms is alone in its group."""
    together = {word: [word] for word in stands}
    for words in synonyms:
        joined = list(dict.fromkeys(word for each in words for word in together.get(each, ())))
        together.update(dict.fromkeys(joined, joined))
    return [group for word, group in together.items() if group[0] == word]


def notes_on_twins(documents: Sequence[Document]) -> dict[str, dict[int, str]]:
    """Return the notes on how other documents state the same rule differently, in other sets or editions.

    The result maps a document's id to notes by the other document's number.
    """
    numbered = {document.id: number for number, document in enumerate(documents)}
    differing = defaultdict[tuple[str, str | None], list[Document]](list)
    for document in documents:
        if document.topic and document.differs:
            differing[document.game, document.topic].append(document)
    by_document: dict[str, dict[int, str]] = {}
    for document in documents:
        others = {
            other.id: other.differs for other in differing[document.game, document.topic] if other is not document
        }
        notes = {**others, **document.counterparts}
        by_document[document.id] = {
            numbered[other]: note for other, note in notes.items() if note and other in numbered
        }
    return by_document


def row(document: Document, addresses: Addresses, notes: Mapping[int, str]) -> str:
    """Return the data that shows a document in a search result, as a JSON list.

    The items are: last part of the id, address (see `short_address`), title, source, sentences, kind, the `notes` on
    the same rule elsewhere, the number of the sentence that answers each of the document's questions, and these
    questions.
    """
    address = addresses.card(document.id) or "" if document.kind == "card" else addresses.entry(document.id)
    return as_json(
        [
            document.id.rpartition("/")[2],
            short_address(document.id, address),
            document.title,
            document.source,
            document.sentences,
            document.kind,
            notes,
            document.answered_by,
            document.asked,
        ]
    )


def short_address(document: str, address: str) -> int | str:
    """Return an address in a shorter form: 1 for the page with the id of `document`, 2 for its section on the page of
    its list, else `address` itself.

    The address is empty for a document without a page.
    """
    folder, _, name = document.rpartition("/")
    return {f"{document}.html": 1, f"{folder}.html#{name}": 2}.get(address, address)


def in_parts(put: Put, things: Iterable[tuple[object, str]], most: int, around: str) -> list[Any]:
    """Join texts into parts, and store the parts with `put`. A part is complete once it has `most` characters. Return a
    flat list: the first key and the name of each part.

    `things` are pairs of key and text, sorted by key. `around` are the two characters that enclose a part, such as
    `[]`.
    """
    parts: list[list[tuple[object, str]]] = [[]]
    for key, text in things:
        if sum(len(other) for _, other in parts[-1]) >= most:
            parts.append([])
        parts[-1].append((key, text))
    return [
        told
        for part in parts
        if part
        for told in (part[0][0], put(f"{around[0]}{','.join(text for _, text in part)}{around[1]}"))
    ]


def name_of(part: str) -> str:
    """Return the name of a part's file: a hash of the part's text."""
    return hashlib.blake2b(part.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def in_script(text: str) -> str:
    """Escape JSON so that it can be written inside a `<script>` element."""
    return text.replace("</", "<\\/").replace("\u2028", " ").replace("\u2029", " ")


def rules() -> dict[str, Any]:
    """Return the constants that the command line uses to rank, correct and answer, so that the page uses the same ones."""
    return {
        "weights": [index.WEIGHTS[kind] for kind in KINDS],
        "length_share": index.LENGTH_SHARE,
        "usual_length": index.USUAL_LENGTH,
        "stop": sorted(STOP),
        "suggest": suggest.tables(),
        "answer": answer.tables(),
        "meaning": question.tables(),
        "likeness": likeness.tables(),
        "manner": manner.tables(),
        "certainty": certainty.tables(),
        **ranking.tables(),
    }
