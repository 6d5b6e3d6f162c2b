"""The search on the site (JavaScript) and on the command line (Python): both use one index and the same constants, and
find the same results.
"""

import json
import random
import shutil
import subprocess
from itertools import pairwise

import pytest

from kb.api.searching import played_rules
from kb.api.session import Session
from kb.catalog.store import open_catalog
from kb.retrieval.answer import plain
from kb.retrieval.engine import SearchIndex
from kb.retrieval.suggest import distance
from kb.site.addresses import Addresses
from kb.site.library import Library
from kb.site.places import all_pages
from kb.site.searchdata import write_search_data
from tests.conftest import ROOT, at_home
from tests.retrieval.test_names_in_questions import asked_with_names
from tests.retrieval.test_suggest import CORRECTIONS, DISTANCES, FOREIGN, MISSPELLED

ASSETS = ROOT / "site" / "theme" / "assets" / "kb"
HARNESS = """
const vm = require("vm"), fs = require("fs"), zlib = require("zlib"), weights = new Map(), [folder, ...scripts] = process.argv.slice(1);
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
globalThis.window = globalThis;
for (const script of scripts) vm.runInThisContext(fs.readFileSync(script, "utf8"), script);
let data = null, part = null, files = [];
globalThis.kbSearchPart = (name, data) => { part = data; };
function read(name) {
  const script = fs.readFileSync(folder + "/" + name, "utf8");
  if (!weights.has(name)) weights.set(name, zlib.gzipSync(script).length);
  files.push(name);
  vm.runInThisContext(script, name);
  return part;
}
globalThis.kbSearchData = (given) => { data = given; };
read("search-data.js");
function open() {
  const parts = new Map();
  files = ["search-data.js"];
  return kbRank.open(data, (name) => parts.get(name) || parts.set(name, read("search/" + name + ".js")).get(name));
}
let index = open();
(async () => {
  const search = [];
  for (const [text, within, typing] of asked.search) {
    if (asked.anew) index = open();
    const found = await kbRank.ask(index, text, { within, typing, rules: asked.rules, limit: 5, ...asked.anew });
    search.push({ files: files.length, weight: files.reduce((sum, name) => sum + weights.get(name), 0),
      ids: found.hits.map((hit) => hit.doc.id), corrected: found.query.corrected, total: found.total, degree: found.degree,
      said: found.hits.map((hit) => kbRank.said(index, hit, found.query)) });
  }
  process.stdout.write(JSON.stringify({ search,
    correct: asked.correct.map(([word, known]) => kbAsked.correct({ rules: index.rules, vocabulary: new Map(Object.entries(known)) }, word)),
    distance: asked.distance.map((row) => kbAsked.distance(...row)),
  }));
})();
"""


@pytest.fixture(scope="module")
def windows(real_home, tmp_path_factory):
    """Return (index, ask): the command line's index, and a function that runs the page's scripts in Node and returns
    their answers.
    """
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    data = tmp_path_factory.mktemp("page")
    with at_home(real_home), open_catalog() as catalog:
        library = Library(catalog)
        write_search_data(library, Addresses(library, all_pages()), catalog.index_folder, data)
        index = SearchIndex(catalog.index_folder)

    def ask(**questions):
        given = {"search": [], "correct": [], "distance": [], "rules": {}, "anew": None, **questions}
        files = [str(data), *(str(ASSETS / f"{name}.js") for name in ("asked", "rank"))]
        done = subprocess.run(
            [node, "-e", HARNESS, *files], input=json.dumps(given), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return dict(json.loads(done.stdout))

    yield index, ask
    index.close()


def own_questions(index, number):
    """Return test queries as tuples (text, game or empty, typing): about `number` questions of our entries, and titles,
    card names, misspelled words and beginnings of words. `typing` is True for a beginning.
    """
    chance = random.Random(8)
    documents = list(index.documents())
    asked = [(question, item.game) for item in documents for question in item.asked]
    titles = [(item.title, item.game) for item in documents]
    found = [(text, chance.choice([game, ""]), False) for text, game in chance.sample(asked, number)]
    found += [(text, chance.choice([game, ""]), False) for text, game in chance.sample(titles, number // 3)]
    for text, _game in chance.sample(titles, number // 4):
        at = chance.randrange(max(1, len(text) - 1))
        found.append((text[:at] + text[at + 1 :], "", False))
        found.append((text[: max(3, len(text) // 2)], "", True))
    frames = ("what is {}", "What's a {}?", "how does {} work", "{} meaning")
    found += [(chance.choice(frames).format(text), game, False) for text, game in chance.sample(titles, number // 8)]
    return found


def compare(index, ask, questions, rules=None, **how):
    """Check that the page and the command line have the same first three results for at least 99% of the questions.
    Return pairs (question, page's answer). `rules` is the edition in use; `how` are further options for the page.
    """
    on_page = ask(search=questions, rules={"arkham": f"arkham/{rules}"} if rules else {}, **how)["search"]
    different = []
    for (text, within, typing), page in zip(questions, on_page, strict=True):
        here = index.search(text, within or None, limit=5, typing=typing, rules=played_rules(index, rules))
        if [hit.id for hit in here.hits[:3]] != page["ids"][:3]:
            different.append(f"{text!r} in {within or 'all'}: {[hit.id for hit in here.hits[:3]]} / {page['ids'][:3]}")
    assert len(different) <= 0.01 * len(questions), "\n".join(different)
    return list(zip(questions, on_page, strict=True))


def test_page_and_terminal_find_the_same_first_three(windows):
    index, ask = windows
    compare(index, ask, own_questions(index, 120))


@pytest.mark.extended
def test_page_and_terminal_agree_on_an_earlier_edition(windows):
    index, ask = windows
    questions = [each for each in own_questions(index, 240) if each[1] != "pathfinder"]
    compare(index, ask, questions, "faq")
    hits = ask(search=[("may I fight an aloof enemy", "arkham", False)], rules={"arkham": "arkham/faq"})["search"][0]
    assert not [each for each in hits["ids"] if each.startswith("arkham/grimoire/")]


@pytest.mark.extended
def test_page_and_terminal_agree_on_questions_that_name_a_card(windows):
    questions = [
        (item.question, place, typing)
        for item in asked_with_names()
        for place, typing in ((item.game, False), (item.game, True), ("", False))
    ]
    compare(*windows, questions)


def test_page_and_terminal_show_the_same_sentences(windows):
    index, ask = windows
    questions = own_questions(index, 60)
    different = []
    for (text, within, typing), page in zip(questions, ask(search=questions)["search"], strict=True):
        here = index.search(text, within or None, limit=5, typing=typing, rules=played_rules(index, None))
        said = {hit.id: {"text": plain(hit.marked), "answers": hit.answers} for hit in here.hits}
        shown = dict(zip(page["ids"], page["said"], strict=True))
        different += [(text, said[key], shown[key]) for key in said.keys() & shown.keys() if said[key] != shown[key]]
        assert here.corrected == page["corrected"]
    assert len(different) <= 3, different[:5]


@pytest.mark.extended
def test_page_and_terminal_are_equally_certain(windows, real_home):
    index, ask = windows
    questions = [each for each in own_questions(index, 150) if not each[2]]
    questions += [
        (text, "", False)
        for text in ("can a ghoul cook dinner", "where can I buy the revised core set", "2", "is it fun")
    ]
    different = []
    with at_home(real_home), Session() as session:
        for (text, within, _typing), page in zip(questions, ask(search=questions)["search"], strict=True):
            here = session.ask(text, within=within or None)
            if here.degree != page["degree"]:
                different.append(
                    f"{text!r} in {within or 'all'}: {here.degree}, {here.results.sure:.3f} / {page['degree']}"
                )
    assert len(different) <= 0.01 * len(questions), "\n".join(different)


@pytest.mark.extended
def test_a_question_loads_few_files_and_finds_the_same_results(windows):
    """Asks each question as the first one on a page. Also asks the longest questions, joined from two."""
    index, ask = windows
    named = [(item.question, "" if number % 2 else item.game, True) for number, item in enumerate(asked_with_names())]
    questions = [*named, *((text, within, True) for text, within, _typing in own_questions(index, 24))]
    answered = compare(index, ask, questions, anew=True)
    longest = sorted({text for item in index.documents() for text in item.asked}, key=len)[-20:]
    pairs = [(" ".join(pair), "", True) for pair in pairwise(longest)]
    answered += zip(pairs, ask(search=pairs, anew=True)["search"], strict=True)
    for (text, *_), page in answered:
        assert page["files"] <= 12, text
        assert page["weight"] <= 500_000, text


def test_neither_page_nor_terminal_corrects_other_languages(windows):
    index, ask = windows
    on_page = ask(search=[(text, "", False) for text in (*FOREIGN, *MISSPELLED)])["search"]
    for text, page in zip((*FOREIGN, *MISSPELLED), on_page, strict=True):
        here = index.search(text).corrected
        assert (here is None, page["corrected"]) == (text in FOREIGN, here), text


def test_page_and_terminal_correct_words_alike(windows):
    _index, ask = windows
    cases = [(word, known) for word, known, _meant in CORRECTIONS]
    rows = [(left, right, limit) for left, right, limit, _edits in DISTANCES]
    found = ask(correct=cases, distance=rows)
    assert found["correct"] == [meant for _word, _known, meant in CORRECTIONS]
    assert found["distance"] == [edits for *_row, edits in DISTANCES]
    assert [distance(*row) for row in rows] == found["distance"]
