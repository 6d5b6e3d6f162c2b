"""Writes what the site's search reads: figures on every document, which come with the first question, and parts that questions need.

There are three kinds of parts: `words` (for each index word the documents and the texts that it stands in, and its vector), `names` (what
documents are called) and `texts` (what a result shows). A part is named by what is in it. Documents are numbered in the order of their ids.
Words that stand for each other are in one part, and those that are asked for most in the first, which comes with the figures: so a
question reads few parts.
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

from kb.retrieval import answer, certainty, index, likeness, manner, question, ranking, suggest
from kb.retrieval.analysis import STOP, index_words, stemmed
from kb.retrieval.document import Document
from kb.retrieval.engine import SearchIndex
from kb.retrieval.record import called, title_cards
from kb.site.addresses import Addresses
from kb.site.library import Library
from kb.site.tables import as_json

DATA, PARTS = "search-data.js", "search"
KINDS = ("title", "alias", "part", "asked", "related", "body", "older")
"""The places of a document's texts, in the order in which texts are numbered; those before `related` have their sizes in the shape."""
MOST_ASKED, MOST_OF_WORDS, MOST_OF_NAMES, MOST_OF_TEXTS = 260_000, 35_000, 40_000, 13_500
"""How many letters a part has before the next one begins (the first two: of words): few parts, and none that weighs much."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
Put = Callable[[str], str]
"""Takes a part (JSON) and gives its name."""


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
    (folder / DATA).write_text(f"kbSearchData({in_script(as_json(data))})\n", encoding="utf-8")


def search_data(
    library: Library, addresses: Addresses, index_folder: Path, put: Put, vectors: bool = True
) -> dict[str, Any]:
    """What the first question needs; `put` is given the parts, of the very documents that the command line searches.

    `places` are games and sets, `words` those a query can be corrected to with how much each `counts` and the part that tells of each
    (`within`), `known` the part of each index word that none of them makes, `synonyms` groups of phrases, each with its rarest word,
    `english` the part with common words of English, `documents` what is told of each. Without `vectors` (kb.retrieval.likeness) the page
    ranks by shared words alone.
    """
    titles = {**library.games, **{shelf.id: shelf.title for shelf in library.shelves.values()}}
    places = list(dict.fromkeys([*library.games, *library.shelves]))
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


def names_of(documents: Iterable[Document]) -> list[tuple[str, str]]:
    """Each name, in the order in which a page compares them, and in JSON the documents that are called so: those of another name than their
    title as -1 less their number."""
    numbers: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        for place, name in enumerate(called(document)):
            numbers.setdefault(name, []).append(number if place == 0 else -1 - number)
    ordered = sorted(numbers, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return [(name, f"{as_json(name)}:{as_json(numbers[name])}") for name in ordered]


def of_documents(documents: Sequence[Document]) -> dict[str, Any]:
    """What is told of each document beside its words, in lists by their numbers; `topics` are the numbers of documents that share one, `cards`
    the texts with the names of cards that titles name, by the numbers of the documents."""
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
    """Names of which many are the same: each once, and for each place the number of its name."""
    numbers: dict[str, int] = {}
    at = [numbers.setdefault(name, len(numbers)) for name in names]
    return {"names": list(numbers), "at": at}


Stands = dict[str, dict[int, list[int]]]
"""For each index word the documents that it stands in, with the texts of each, as often as it does."""


def words_and_shapes(documents: Iterable[Document]) -> tuple[Stands, list[str]]:
    """The places of all words; and the shape of each document in letters: for each of KINDS how many texts, the number of all index
    words, and how many different ones each text before those of `related` has."""
    stands: Stands = {}
    shapes: list[str] = []
    for number, document in enumerate(documents):
        placed = [
            (document.title,), document.aliases, document.parts, document.asked, document.related, document.sentences, document.older,
        ]  # fmt: skip
        texts = [index_words(text) for listed in placed for text in listed]
        for at, text in enumerate(texts):
            for word in text:
                stands.setdefault(word, {}).setdefault(number, []).append(at)
        counts = [len(listed) for listed in placed]
        sized = [len(set(text)) for text in texts[: sum(counts[: KINDS.index("related")])]]
        shapes.append(in_letters([*counts, sum(map(len, texts)), *sized]))
    return stands, shapes


def told_of(word: str, stands: Mapping[int, list[int]], vectors: Mapping[bytes, bytes]) -> list[str]:
    """What a part says of a word: the steps between the numbers of its documents, those between the texts of each (doubled, and one more
    while others follow), and its vector if it has one."""
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
    """Numbers as letters of five bits each, the highest first; the last letter of each is from the second half of the alphabet."""
    letters = []
    for number in numbers:
        written = LETTERS[32 + number % 32]
        while number := number // 32:
            written = LETTERS[number % 32] + written
        letters.append(written)
    return "".join(letters)


def shortened(words: Sequence[str]) -> list[str]:
    """Words in their order: in letters how many letters each begins with as the one before does, and the rest of each."""
    same = [len(commonprefix(pair)) for pair in pairwise(["", *words])]  # noqa: RUF071 (letters are meant)
    return [in_letters(same), " ".join(word[at:] for word, at in zip(words, same, strict=True))]


def words_in_parts(
    documents: Iterable[Document],
    stands: Stands,
    words: Mapping[str, int],
    together: Iterable[Sequence[str]],
    vectors: Mapping[bytes, bytes],
) -> tuple[dict[str, Any], list[dict[str, list[str]]]]:
    """What is told of all words (see `search_data`); and what is told of each index word, in parts: first the words that the most questions of
    documents ask for, for what they weigh. Words that are `together` are in one part."""
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
    """The word of a phrase that stands in the fewest documents."""
    return min(phrase.split(), key=lambda word: len(stands.get(word, ())))


def meaning_the_same(stands: Iterable[str], synonyms: Iterable[Iterable[str]]) -> list[list[str]]:
    """All index words, together those that a question brings in for each other."""
    together = {word: [word] for word in stands}
    for words in synonyms:
        joined = list(dict.fromkeys(word for each in words for word in together.get(each, ())))
        together.update(dict.fromkeys(joined, joined))
    return [group for word, group in together.items() if group[0] == word]


def notes_on_twins(documents: Sequence[Document]) -> dict[str, dict[int, str]]:
    """For each document the notes on how others differ that state its rule in another set or edition, by their numbers."""
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
    """What shows a document (JSON): last part of the id, address (see `short_address`), title, source, sentences, kind, the `notes` on its
    twins, the number of the sentence that answers each of its questions, and these questions."""
    address = addresses.card(document.id) or "" if document.kind == "card" else addresses.entry(document.id)
    return as_json(
        [
            document.id.rpartition("/")[2], short_address(document.id, address), document.title, document.source, document.sentences,
            document.kind, notes, document.answered_by, document.asked,
        ]
    )  # fmt: skip


def short_address(document: str, address: str) -> int | str:
    """An address, empty for what has no page; 1 stands for the id's own page, 2 for its place on the page of the list it is in."""
    folder, _, name = document.rpartition("/")
    return {f"{document}.html": 1, f"{folder}.html#{name}": 2}.get(address, address)


def in_parts(put: Put, things: Iterable[tuple[object, str]], most: int, around: str) -> list[Any]:
    """Write things, whose keys come in order, as parts. Returns the first key and the name of each part."""
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
    """The name for the file of a part: a hash of its text."""
    return hashlib.blake2b(part.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def in_script(text: str) -> str:
    """Escape JSON so that it may stand inside a `<script>`."""
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
        "meaning": question.tables(),
        "likeness": likeness.tables(),
        "manner": manner.tables(),
        "certainty": certainty.tables(),
        **ranking.tables(),
    }
