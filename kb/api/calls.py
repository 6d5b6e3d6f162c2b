"""The functions of `import kb`: each opens what it needs, answers and closes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from kb.api.session import Path, Session

if TYPE_CHECKING:
    from kb.api.card_lists import CardsJson
    from kb.api.searching import Answer
    from kb.api.showing import Shown
    from kb.campaigns.model import Replay
    from kb.catalog.reader import Catalog
    from kb.decks.nodes import DeckFileError
    from kb.decks.party import PartyReport, Rebuilding
    from kb.decks.pull import Pull
    from kb.decks.report import Report
    from kb.decks.upgrades import PurchasePlan, Upgrade
    from kb.retrieval.engine import Results


def search(
    question: str,
    *,
    within: str | None = None,
    kind: str | None = None,
    limit: int = 10,
    spoilers: bool = True,
    rules: str | None = None,
) -> Results:
    """The entries and cards that answer a question, best first.

    `within` is a game, set or folder by any of its names (else the question may name one), `kind` a kind of entry or `card`;
    `spoilers=False` leaves out what gives away a campaign; `rules` is the edition of a game's rules to answer by (`"faq"`), None the
    chosen one, else the newest. Raises NoSuchPlace for names that nothing has, and NoSuchEdition.

    >>> results = search("does an exhausted enemy attack me when I move", within="arkham")
    >>> results.hits[0].title
    'Attack of opportunity'
    >>> 0 <= results.sure <= 1
    True
    """
    with Session() as session:
        return session.search(question, within=within, kind=kind, limit=limit, spoilers=spoilers, rules=rules)


def ask(
    question: str,
    *,
    within: str | None = None,
    kind: str | None = None,
    spoilers: bool = True,
    rules: str | None = None,
) -> Answer:
    """The entry that answers a question for certain, whole, and the nearest three; the arguments are those of `search`.

    >>> answer = ask("how many copies of a myriad card can I have")
    >>> answer.certain, answer.entry["title"], answer.results.hits[0].kind
    (True, 'Myriad', 'term')
    """
    with Session() as session:
        return session.ask(question, within=within, kind=kind, spoilers=spoilers, rules=rules)


def show(name: str, *, within: str | None = None, rules: str | None = None) -> Shown:
    """An entry, a card or a list of entries whole, by its id, title, name or printed code; of several editions the one of `rules`.

    Raises NotFound when nothing is called so, and Ambiguous (its `candidates` are ids and titles) when several are.

    >>> show("mulligan")["id"]
    'arkham/glossary/mulligan'
    >>> show("01020")["facts"]["name"]
    'Machete'
    """
    with Session() as session:
        return session.show(name, within=within, rules=rules)


def cards(query: str, *, limit: int | None = None) -> CardsJson:
    """Cards by their facts, in the language of `kb cards`; `limit` cuts the list, not the total. Raises CardQueryError.

    >>> found = cards("type:weapon set:mm deck<=2 trait:magic", limit=3)
    >>> found["total"] > 3, len(found["cards"])
    (True, 3)
    """
    with Session() as session:
        return session.cards(query, limit=limit)


def check_deck(file: Path | None = None, *, text: str | None = None, **frame: Any) -> Report:
    """The report on the deck in a file, or in a text; `frame` are the options of `kb deck check` (`taboo="latest"`).

    Raises DeckFileError when it cannot be read.

    >>> report = check_deck(text="{game: pathfinder, set: rotr, character: Kyra, cards: [2x Mace, Quarterstaff]}")
    >>> report.legal
    False
    >>> report.findings[0].message
    'The deck holds 3 weapons; the Cards List of Kyra asks for 2 weapons.'
    """
    with Session() as session:
        return session.check_deck(file, text=text, **frame)


def check_decks(files: Iterable[Path], *, jobs: int = 1, **frame: Any) -> Iterator[Report | DeckFileError]:
    """The report on each deck in files and folders, in order, as it is ready; for one that cannot be read the DeckFileError.

    `jobs` is a number of processes to share them among.

    >>> for report in check_decks(["kyra.yaml", "missing.yaml"]):
    ...     print(getattr(report, "legal", report))
    False
    missing.yaml: cannot be read: No such file or directory.
    """
    with Session() as session:
        yield from session.check_decks(files, jobs=jobs, **frame)


def check_party(files: Iterable[Path], *, owned: Iterable[str] = (), out: Iterable[str] = ()) -> PartyReport:
    """Judge the decks of one table together, and each by itself.

    `owned` are products that the table owns, `out` those who are out of the campaign for good (where the game asks for it).
    Raises PartyError (a KbError) when the decks cannot be judged together.

    >>> check_party(["kyra.yaml"]).together
    True
    """
    with Session() as session:
        return session.check_party(files, owned=owned, out=out)


def pull(files: Iterable[Path], *, owned: Iterable[str] = ()) -> Pull:
    """Which cards to take from which product for several decks of one collection, and which there are too few of.

    `owned` are products by code or name; without them it is what the decks say, else one of every product. Raises PartyError (a
    KbError) when the decks are of several games, or of one whose products nobody knows.

    >>> pulled = pull(["kyra.yaml"], owned=["base"])
    >>> {product: pulled.products[product][0].card.name for product in pulled.products}
    {'Rise of the Runelords: the base set': 'Mace'}
    >>> pulled.missing
    ()
    """
    with Session() as session:
        return session.pull(files, owned=owned)


def rebuild_party(file: Path | None = None, *, text: str | None = None, fill: bool = False) -> Rebuilding:
    """The decks of a table after a scenario: who gives what to whom, what the box adds (`fill` chooses it), what goes back.

    >>> rebuilt = rebuild_party("table.yaml", fill=True)
    >>> rebuilt.steps[0].title, rebuilt.steps[0].lines
    ('Trade', ('Ezren to Kyra: Force Missile',))
    >>> sorted(rebuilt.decks)
    ['Ezren', 'Kyra']
    """
    with Session() as session:
        return session.rebuild_party(file, text=text, fill=fill)


def upgrade(files: Iterable[Path], *, earned: Iterable[int] = (), **frame: Any) -> Upgrade:
    """What the step from each deck to the next costs at least, line by line, and whether it is legal (Arkham Horror).

    `earned` is the experience earned before the first steps, one number a step; without it the deck after says what there is.
    `frame` are options of `kb deck check` (`rules`, `taboo`, `environment` …).
    Raises a KbError when a deck cannot be read, the decks are no chain, or their game has no such steps.

    >>> step = upgrade(["roland.yaml", "after.yaml"], earned=[7]).steps[0]
    >>> step.legal, step.cost, step.unspent
    (True, 6, 1)
    >>> step.lines[0].text
    'Upgrade Beat Cop (2) [01028] from Beat Cop [01018]: 2 experience (difference 2).'
    """
    with Session() as session:
        return session.upgrade(files, earned=earned, **frame)


def plan(
    file: Path | None = None,
    *,
    text: str | None = None,
    want: Iterable[str] = (),
    experience: int = 0,
    each: int = 0,
    out: Iterable[str] = (),
    **frame: Any,
) -> PurchasePlan:
    """What to buy after which scenario so that wishes come true soonest (Arkham Horror).

    `want` are cards (`2x Shrivelling (3)`), or the file of a deck to get to; without any it is the side deck. `experience` is
    what there is now, `each` what a scenario brings, `out` are cards that may leave first, `frame` options of `kb deck check`.
    Raises a KbError when a deck cannot be read, or the wishes cannot be planned.

    >>> planned = plan("roland.yaml", want=["Beat Cop (2)"], experience=1, each=2)
    >>> [(bought.scenario, bought.wishes) for bought in planned.purchases]
    [(0, ()), (1, ('Beat Cop (2) [01028]',))]
    >>> planned.cost, planned.missed
    (2, ())
    """
    with Session() as session:
        return session.plan(file, text=text, want=want, experience=experience, each=each, out=out, **frame)


def check_campaign(folder: Path) -> Replay:
    """A campaign in a folder, replayed by the rules of its game: its `steps` with what each game changed, and what does not follow.

    Raises CampaignError (a KbError) when there is no campaign in the folder, DeckFileError when its `campaign.yaml` cannot be read.

    >>> replay = check_campaign("runelords")
    >>> replay.title, replay.legal, [step.title for step in replay.games]
    ('Rise of the Runelords', True, [])
    >>> replay.decks[0].who
    'Lini'
    """
    with Session() as session:
        return session.check_campaign(folder)


def as_json(found: Any) -> Any:
    """What one of the functions gave, as the object that the command of its name prints with `--json`.

    >>> as_json(search("mulligan", within="arkham", limit=1))["hits"][0]["id"]
    'arkham/glossary/mulligan'
    """
    with Session() as session:
        return session.as_json(found)


def open_catalog() -> Catalog:
    """The catalog itself, with what you have imported, to read in your own way; built first when the sources have changed.

    Use it as a context manager.

    >>> with open_catalog() as catalog:
    ...     catalog.entry("arkham/glossary/mulligan").title
    'Mulligan'
    """
    from kb.catalog.store import open_catalog as opened

    return opened(own=True)
