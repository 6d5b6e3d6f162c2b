"""Random small steps of decks that hold what makes purchases cheaper, each legal in size."""

from dataclasses import replace

from kb.games.arkham.decks.model import Deck, Mark
from kb.games.arkham.decks.profile import Kind, profile_of
from tests.games.arkham.decks.conftest import AGNES, FACTS, deck, named, plain
from tests.games.arkham.decks.upgrade.steps import (
    ADAPTABLE,
    ARCANE_RESEARCH,
    DEJA_VU,
    RABBIT_HOLE,
    SHREWD,
    VERSATILE,
    WENDY,
)

HELP = (ADAPTABLE, ARCANE_RESEARCH, DEJA_VU, RABBIT_HOLE, SHREWD, VERSATILE)
SHEETS = {
    AGNES: named("Power Word"),
    WENDY: named("Grizzled"),
    named('"Skids" O\'Toole'): named("Honed Instinct"),
    named("Roland Banks"): named("Runic Axe"),
    named("Daisy Walker"): named("The Raven Quill"),
}


def families(investigator):
    """Titles that the investigator may have in several versions."""
    profile = profile_of(FACTS, Deck(investigator, {}))
    found = {}
    for code in FACTS._cards:
        status = profile.status(code)
        card = status.card
        if status.kind is not Kind.PLAYER or card is None or card.root != code or card.sheet or status.mask:
            continue
        if code not in HELP and not card.special.at_creation and not card.special.attach:
            found.setdefault(card.title, []).append(code)
    return [codes for _, codes in sorted(found.items()) if len(codes) > 1]


FAMILIES = {investigator: families(investigator) for investigator in SHEETS}


def small_step(random):
    """A deck before, a deck after, and the customizable card between them (empty: none)."""
    investigator = random.choice(list(SHEETS))
    taboo = random.choice([0, 0, 8, 10])
    statuses = {code: profile_of(FACTS, Deck(investigator, {})).status(code) for code in HELP}
    open_to = [code for code, status in statuses.items() if status.kind is Kind.PLAYER and not status.mask]
    helping = {code: random.randint(1, 2) for code in open_to if random.random() < 0.55}
    for once in (RABBIT_HOLE, SHREWD):
        if once in helping:
            helping[once] = 1
    chosen = random.sample(FAMILIES[investigator], random.randint(1, 3))
    before = {code: 0 for codes in chosen for code in codes}
    after = dict(before)
    for codes in chosen:
        for target in (before, after):
            for _ in range(random.randint(0, 2)):
                target[random.choice(codes)] += 1
    bought = {code for code in helping if code != RABBIT_HOLE and random.random() < 0.25}
    sheet = SHEETS[investigator] if random.random() < 0.25 else ""
    marks = {}
    for target, key in ((before, "old"), (after, "new")):
        if sheet:
            target[sheet] = random.randint(0, 2)
            marks[key] = random.randint(0, 2) if target[sheet] else 0
    if sheet and before[sheet] and after[sheet]:
        marks["new"] = max(marks["old"], marks["new"])
    old = deck(investigator, {**before, **{c: 0 if c in bought else n for c, n in helping.items()}}, taboo=taboo)
    old = _marked(old, sheet, marks.get("old", 0))
    exiled = tuple(
        code for code, copies in before.items() for _ in range(copies) if random.random() < 0.3 and code != sheet
    )
    if sheet and before[sheet] and random.random() < 0.4:
        exiled += (sheet,)
        if before[sheet] == 1 and after[sheet]:
            marks["new"] = random.randint(0, 2)
    cards = {**old.cards, **after, **helping}
    new = replace(old, cards={code: n for code, n in cards.items() if n}, exiled=exiled)
    return old, _marked(_sized(new, random), sheet, marks.get("new", 0)), sheet


def _marked(one, sheet, boxes):
    """Boxes on the first upgrades of the sheet, one each."""
    card = FACTS.card(sheet) if sheet else None
    if card is None:
        return one
    marks, index = [], 0
    while boxes:
        take = min(boxes, card.sheet[index].cost)
        if take:
            marks.append(Mark(index, take))
        boxes -= take
        index += 1
    return replace(one, customizations={sheet: tuple(marks)} if marks else {})


def _sized(new, random):
    """The deck with level 0 cards taken out or put in until it has its size."""
    profile = profile_of(FACTS, new)
    cards = dict(new.cards)

    def size():
        return sum(n for code, n in cards.items() if profile.status(code).counts)

    spare = [code for code in cards if plain(profile.status(code)) and profile.status(code).counts]
    spare = [c for c in spare if FACTS.card(c).level == 0 and c not in HELP]
    random.shuffle(spare)
    for code in spare:
        while size() > profile.size and cards[code]:
            cards[code] -= 1
    titles = {FACTS.card(code).title for code in cards if FACTS.card(code)}
    for code in sorted(FACTS._cards, reverse=True):
        status = profile.status(code)
        card = status.card
        if size() >= profile.size:
            break
        easy = plain(status) and status.counts and card is not None and card.level == 0
        if easy and card and card.root == code and card.title not in titles and len(FACTS.named(card.name)) == 1:
            cards[code] = min(status.limit, profile.size - size())
    return replace(new, cards={code: n for code, n in cards.items() if n})
