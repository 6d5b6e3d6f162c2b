"""Learns the word vectors in kb/retrieval/likeness.txt from the questions in our entries.

The vector of a question or an entry is the sum of the vectors of its words. The goal of learning is that each question
is nearer to its entry than to all other entries of the game. The question itself is removed from the entry first. The
initial vectors are the main directions of the entries (LSA). Adam then follows the gradient of a softmax over the
cosines. The script needs numpy, which kb does not need, and takes about 2 minutes.

    python -m tests.benchmarks.learn_likeness
        Writes the file. Run this after larger changes of the content, then change SCHEMA in kb/catalog/store.py.
    python -m tests.benchmarks.learn_likeness --hold-out
        Prints how much the vectors improve searches for questions that were left out of learning.
"""

import argparse
import random
import tempfile
from pathlib import Path

import numpy as np

from kb import paths
from kb.retrieval import likeness
from kb.retrieval.analysis import index_words
from kb.retrieval.document import Vocabulary
from kb.retrieval.engine import SearchIndex
from kb.retrieval.index import write_index
from kb.sources.content import load_sources
from tests.benchmarks.documents import documents, without

# ROUNDS: passes over all questions. AT_ONCE: questions per batch. STEP: initial step size.
# SHARP: factor of the cosines in the softmax. LEAST: a word gets a vector only if at least this number of questions and
# entries (counted together) contain it.
ROUNDS, AT_ONCE, STEP, SHARP, LEAST = 4, 1024, 0.01, 12.0, 4


class Examples:
    """Entries and their questions, as counts of words.

    An entry with three or more questions also gets longer variants, each joined from two of its questions, because
    players type longer questions than those in our entries.
    """

    def __init__(self, entries, chance):
        numbers = {}

        def counted(texts):
            return [numbers.setdefault(word, len(numbers)) for text in texts for word in index_words(text)]

        asked = [[counted([question]) for question in entry.asked] for entry in entries]
        named = [counted((entry.title, *entry.aliases, *entry.parts)) for entry in entries]
        said = [counted(entry.sentences) for entry in entries]
        self.words = list(numbers)
        self.often = np.zeros((len(entries), len(numbers)), np.float32)
        for at, (names, questions, body) in enumerate(zip(named, asked, said, strict=True)):
            np.add.at(self.often[at], names, likeness.PLACES["title"])
            np.add.at(self.often[at], [word for question in questions for word in question], likeness.PLACES["asked"])
            np.add.at(self.often[at], body, likeness.PLACES["body"])
        stands = (self.often > 0).sum(0)
        self.rare = (np.log(1 + len(entries) / (stands + 1)) + 0.5).astype(np.float32)
        self.questions = [(at, question) for at, questions in enumerate(asked) for question in questions if question]
        in_questions = np.bincount(
            [word for _at, question in self.questions for word in set(question)], minlength=len(numbers)
        )
        self.known = stands + in_questions >= LEAST
        for at, questions in enumerate(asked):
            if len(questions) >= 3:
                for _question in questions:
                    one, other = chance.choice(len(questions), 2, replace=False)
                    self.questions.append((at, questions[one] + questions[other]))
        self.entry = np.array([at for at, _question in self.questions])
        self.game = np.array([entry.game for entry in entries])

    def of_entries(self, often):
        """Return weights for counted words: the more often a word occurs in an entry, and the rarer it is in all
        entries, the higher its weight. `often` has a row per entry and a column per word.
        """
        return np.log1p(often) * self.rare

    def of_questions(self, which):
        """Return two matrices of word weights, with a row per question in `which` (indexes of questions).

        The first contains the weights of the question's words. The second contains the weights of its entry's words,
        counted without this question.
        """
        counts = np.zeros((len(which), len(self.words)), np.float32)
        for row, at in enumerate(which):
            np.add.at(counts[row], self.questions[at][1], 1)
        rest = np.maximum(self.often[self.entry[which]] - likeness.PLACES["asked"] * counts, 0)
        rest[rest < 1e-5] = 0
        return (counts > 0) * self.rare, self.of_entries(rest)


def learn(entries, seed=0):
    """Learn word vectors from these entries, and return them in the format of likeness.txt. `seed` is the seed of the
    random generator.
    """
    chance = np.random.default_rng(seed)
    examples = Examples([entry for entry in entries if entry.kind != "card"], chance)
    whole = examples.of_entries(examples.often)
    vectors = main_directions(whole)
    mean, square, done = np.zeros_like(vectors), np.zeros_like(vectors), 0
    for turn in range(ROUNDS):
        for among, which in batches(examples, chance):
            asked, rest = examples.of_questions(which)
            place = np.searchsorted(among, examples.entry[which])
            slope = slope_of(vectors, asked, whole[among], rest, place)
            done += 1
            mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
            vectors -= (
                STEP
                * (1 - 0.7 * turn / ROUNDS)
                * (mean / (1 - 0.9**done))
                / (np.sqrt(square / (1 - 0.999**done)) + 1e-8)
            )
    return written(examples, vectors)


def main_directions(whole):
    """Return initial word vectors: the SIZE main directions in which the entries differ (LSA). `whole` contains the
    word weights of all entries.
    """
    lengths = np.sqrt((whole**2).sum(1, keepdims=True))
    normal = (whole / np.maximum(lengths, 1e-9)).astype(np.float64)
    values, sides = np.linalg.eigh(normal @ normal.T)
    vectors = normal.T @ (sides[:, -likeness.SIZE :] / np.sqrt(np.maximum(values[-likeness.SIZE :], 1e-9)))
    return (vectors / np.sqrt((vectors**2).sum(1).mean())).astype(np.float32)


def batches(examples, chance):
    """Yield batches as pairs: the indexes of all entries of a game, and the indexes of at most AT_ONCE of its
    questions. Each question is in exactly one batch.
    """
    found = []
    for game in sorted(set(examples.game)):
        among = np.flatnonzero(examples.game == game)
        which = np.flatnonzero(examples.game[examples.entry] == game)
        chance.shuffle(which)
        found += [(among, which[at : at + AT_ONCE]) for at in range(0, len(which), AT_ONCE)]
    for at in chance.permutation(len(found)):
        yield found[at]


def slope_of(vectors, asked, entries, rest, place):
    """Return the gradient of the loss for `vectors`: the mean negative log-softmax of the right entry for each
    question.

    `asked` contains the word weights of the questions, `entries` those of the entries. `place` is the row of the
    right entry for each question. When that entry is compared with its question, the weights in `rest` are used for
    it (see `Examples.of_questions`).
    """
    (a, a_long), (d, d_long), (o, o_long) = (unit(weights @ vectors) for weights in (asked, entries, rest))
    rows = np.arange(len(asked))
    points = SHARP * a @ d.T
    points[rows, place] = SHARP * (a * o).sum(1)
    chances = np.exp(points - points.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    chances[rows, place] -= 1
    chances *= SHARP / len(asked)
    own = chances[rows, place][:, None].copy()
    chances[rows, place] = 0
    return (
        asked.T @ across(chances @ d + own * o, a, a_long)
        + entries.T @ across(chances.T @ a, d, d_long)
        + rest.T @ across(own * a, o, o_long)
    )


def unit(rows):
    lengths = np.sqrt((rows**2).sum(1, keepdims=True)) + 1e-8
    return rows / lengths, lengths


def across(slope, rows, lengths):
    """Return the gradient for the vectors before normalization. `slope` is the gradient for the normalized vectors
    `rows`; `lengths` are the original lengths.
    """
    return (slope - rows * (rows * slope).sum(1, keepdims=True)) / lengths


def written(examples, vectors):
    """Return the text of likeness.txt: a line for each known word, with its vector as letters. Vectors of rare words are
    longer.
    """
    long = vectors * examples.rare[:, None]
    most = np.quantile(np.abs(long[examples.known]), 0.9995)
    limit = likeness.MOST_OF_WORD
    letters = (np.clip(np.round(long * (limit / most)), -limit, limit) + likeness.ZERO).astype(np.uint8)
    lines = [
        f"{word} {letters[at].tobytes().decode('ascii')}"
        for at, word in enumerate(examples.words)
        if examples.known[at]
    ]
    return "\n" + "\n".join(sorted(lines)) + "\n"


def hold_out(entries, vocabulary, whole):
    """Learn without some questions, then search for these questions with and without the learned vectors. Print how
    often the right entry is first, among the first three, and among the first ten.

    The questions left out are about one in seven or, if `whole` is True, all questions of one entry in ten.
    """
    from tests.benchmarks.bench_certainty import is_right

    chance = random.Random(8)
    kept, held = [], []
    for entry in entries:
        share = 0.0 if len(entry.asked) < 4 else float(chance.random() < 0.1) if whole else 0.15
        out = {at for at in range(len(entry.asked)) if chance.random() < share}
        held += [(entry.asked[at], entry) for at in sorted(out)]
        kept.append(without(entry, out))
    use(learn(kept))
    with tempfile.TemporaryDirectory() as folder:
        write_index(Path(folder) / "index", kept, vocabulary)
        index = SearchIndex(Path(folder) / "index")
        for name, strength in (("without likeness", 0.0), ("with likeness", likeness.LIKE)):
            likeness.LIKE = strength
            right = [[is_right(hit, meant) for hit in index.search(text, meant.game).hits] for text, meant in held]
            shares = [f"{sum(any(hits[:number]) for hits in right) / len(held):.3f}" for number in (1, 3, 10)]
            print(
                f"{'whole entries' if whole else 'single questions'}, {len(held)} held out, {name}: {' '.join(shares)}"
            )
        index.close()


def use(lines):
    """Make the search use the vectors in `lines`, a text in the format of likeness.txt."""
    vectors = dict(line.split(b" ", 1) for line in lines.encode().splitlines() if line)
    likeness.learned = lambda: vectors
    likeness.vector_of_word.cache_clear()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--hold-out", action="store_true")
    asked = parser.parse_args()
    content, facts = load_sources(paths.sources_root())
    listed, vocabulary = list(documents(content, facts)), Vocabulary(content.synonyms, content.called)
    if asked.hold_out:
        for whole in (False, True):
            hold_out(listed, vocabulary, whole)
    else:
        likeness.FILE.write_text(learn(listed), "utf-8")
        print(f"{likeness.FILE}: {likeness.FILE.read_text(encoding='utf-8').count(chr(10)) - 1} words")
