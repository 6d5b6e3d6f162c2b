"""Writes the Whoosh index: one field whose words carry weights (BM25F), so that a query looks each word up once."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from whoosh.analysis import Analyzer, Token
from whoosh.fields import ID, KEYWORD, STORED, FieldType, Schema
from whoosh.formats import Frequency
from whoosh.index import create_in, open_dir

from kb.search.analysis import index_words, words
from kb.search.document import Document, Vocabulary

# Weight of a word by where it stands: the simple BM25F of Robertson, Zaragoza and Taylor (2004) adds weighted frequencies.
WEIGHTS = {"title": 1.5, "alias": 1.5, "asked": 0.7, "part": 1.5, "related": 1.0, "body": 1.0, "older": 0.3}
# How much a long document loses (BM25's b), and the length (in index words) that neither gains nor loses.
LENGTH_SHARE, USUAL_LENGTH = 0.4, 110
FORMAT = 12
MANIFEST = "documents.json"
VOCABULARY = "vocabulary.json"
KNOWN_WORDS = "words.json"
GAMES = "games.json"


class WeightedWords(Analyzer):  # type: ignore[misc]
    """Reads `weight<TAB>word word …` lines (made by `weighted`) and yields the words with their weight as boost."""

    def __call__(self, value: str, **_options: Any) -> Iterator[Token]:
        """The index words of `value`, each with its weight as boost."""
        token = Token(positions=False, chars=False, boosts=True)
        for line in value.split("\n"):
            weight, _, listed = line.partition("\t")
            token.boost = float(weight or 0)
            for word in listed.split():
                token.text = word
                yield token


def schema() -> Schema:
    """Fields of the index."""
    text = FieldType(format=Frequency(), analyzer=WeightedWords(), scorable=True)
    names = KEYWORD(commas=True)
    return Schema(id=ID(unique=True), scope=KEYWORD(), kind=ID(), name=names, handle=names, text=text, data=STORED())


def weighted(document: Document) -> str:
    """The document's words with their weights, as `WeightedWords` reads them.

    The weights are divided by the document's length factor here, so that a query need not look lengths up.
    """
    analysed = placed(document)
    length = sum(len(listed) for _weight, listed in analysed)
    factor = 1 - LENGTH_SHARE + LENGTH_SHARE * length / USUAL_LENGTH
    return "\n".join(f"{weight / factor:.4f}\t{' '.join(listed)}" for weight, listed in analysed)


def placed(document: Document) -> list[tuple[float, list[str]]]:
    """The index words of each text of a document, with the weight of the place where it stands."""
    places = [("title", (document.title,)), ("alias", document.aliases), ("asked", document.asked), ("part", document.parts),
              ("related", document.related), ("body", document.sentences), ("older", document.older)]  # fmt: skip
    return [(WEIGHTS[place], index_words(text)) for place, texts in places for text in texts]


def stored(document: Document) -> str:
    """What a hit needs, as two lines of JSON: what ranks it (analysed), and the document itself, which is read only when it is shown."""
    ranked = {
        "id": document.id, "game": document.game, "standing": document.standing, "spoiler": bool(document.spoiler),
        "topic": document.topic, "called": called(document),
        "names": [" ".join(index_words(name)) for name in (document.title, *document.aliases, *document.parts)],
        "asked": [" ".join(index_words(question)) for question in document.asked],
        "related": [" ".join(index_words(name)) for name in document.related],
    }  # fmt: skip
    return "\n".join(
        json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in (ranked, asdict(document))
    )


def called(document: Document) -> list[str]:
    """Title and other names of a document as they are compared with a whole query: folded, no word left out."""
    return list(dict.fromkeys(" ".join(words(name)) for name in (document.title, *document.aliases)))


def handles(document: Document) -> list[str]:
    """What else names a document alone: printed codes, and the last part of its id."""
    last = " ".join(words(document.id.rsplit("/", 1)[-1].replace("-", " ")))
    return list(dict.fromkeys([*(" ".join(words(code)) for code in document.codes), last]))


def update_index(
    folder: Path,
    documents: Iterable[Document],
    vocabulary: Vocabulary,
    previous: Path | None,
    progress: Callable[[float], None],
) -> None:
    """Write the index of `documents` into the new folder `folder`.

    When `previous` holds an index of the same format, it is copied and only what changed is indexed again.
    `progress` is told the share that is done (0 to 1).
    """
    wanted = {document.id: document for document in documents}
    digests = {key: document.digest for key, document in wanted.items()}
    known = read_manifest(previous)
    changed = [key for key, digest in digests.items() if known.get(key) != digest]
    gone = [key for key in known if key not in digests]
    if previous and known and len(changed) + len(gone) < len(wanted) / 4:
        shutil.copytree(previous, folder)
        index = open_dir(str(folder))
    else:
        folder.mkdir()
        index, changed, gone, known = create_in(str(folder), schema()), list(wanted), [], {}
    if changed or gone:
        writer = index.writer(limitmb=256)
        for key in [*gone, *(key for key in changed if key in known)]:
            writer.delete_by_term("id", key)
        for number, key in enumerate(changed):
            document = wanted[key]
            writer.add_document(
                id=key,
                scope=" ".join(document.scopes),
                kind=document.kind,
                name=",".join(called(document)),
                handle=",".join(handles(document)),
                text=weighted(document),
                data=stored(document),
            )
            if number % 200 == 0:
                progress(number / len(changed))
        writer.commit(optimize=len(known) > 0 and index.latest_generation() % 16 == 0)
    (folder / MANIFEST).write_text(json.dumps({"format": FORMAT, "digests": digests}), encoding="utf-8")
    (folder / VOCABULARY).write_text(json.dumps(analysed(vocabulary), ensure_ascii=False), encoding="utf-8")
    (folder / KNOWN_WORDS).write_text(json.dumps(known_words(wanted.values()), ensure_ascii=False), encoding="utf-8")
    (folder / GAMES).write_text(json.dumps(words_by_game(wanted.values()), ensure_ascii=False), encoding="utf-8")
    progress(1.0)


def words_by_game(documents: Iterable[Document]) -> dict[str, dict[str, Any]]:
    """How many entries of each game there are (`sizes`), and how many of them hold each index word (`often`). Cards and the
    user's own rulebooks do not count."""
    sizes: Counter[str] = Counter()
    often: dict[str, Counter[str]] = {}
    for document in documents:
        if document.kind != "card" and not document.own:
            sizes[document.game] += 1
            for word in {word for _weight, listed in placed(document) for word in listed}:
                often.setdefault(word, Counter())[document.game] += 1
    return {"sizes": dict(sorted(sizes.items())), "often": {word: dict(counts) for word, counts in often.items()}}


def read_manifest(previous: Path | None) -> dict[str, str]:
    """Digest by document id of an index written before; empty when it is of another format."""
    try:
        manifest = json.loads(((previous or Path("-")) / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return dict(manifest["digests"]) if manifest.get("format") == FORMAT else {}


def known_words(documents: Iterable[Document]) -> dict[str, int]:
    """The words a query can be corrected to, with how much they count (words of titles most)."""
    counts: Counter[str] = Counter()
    for document in documents:
        if document.own:  # a site's search is given these words, and nothing of a private copy
            continue
        for weight, texts in (
            (1 if document.kind == "card" else 12, (document.title,)),
            (8, document.aliases),
            (1, document.asked),
            (1, document.sentences),
        ):
            for text in texts:
                for word in words(text):
                    if len(word) > 2:
                        counts[word] += weight
    return dict(counts.most_common())


def analysed(vocabulary: Vocabulary) -> dict[str, Any]:
    """The vocabulary as index words."""
    return {
        "synonyms": {
            game: [[" ".join(index_words(phrase)) for phrase in group] for group in groups]
            for game, groups in vocabulary.synonyms.items()
        },
        "called": {scope: [" ".join(words(name)) for name in names] for scope, names in vocabulary.called.items()},
    }
