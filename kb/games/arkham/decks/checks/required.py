"""Checks on what a deck must hold (signature cards, weaknesses, numbers of cards of a kind), and on what lies beside it."""

from __future__ import annotations

from collections.abc import Iterator

from kb.decks.names import either
from kb.decks.problems import Problem, Problems
from kb.frozen import frozen
from kb.games.arkham.decks.facts import Facts
from kb.games.arkham.decks.model import MOST_BOXES, MOST_CARDS, Card, Customization, Deck
from kb.games.arkham.decks.profile import Kind, Profile
from kb.games.arkham.decks.tally import ARKHAM, Tally, excess, kind_of, labels, with_copies
from kb.games.arkham.schema.options import CLASSES, Attach, FromCards
from kb.plural import counted

ORIGINAL, ADVANCED = "original", "advanced"


@frozen
class _Signature:
    """A signature card, how many copies are there, and how many must be."""

    label: str
    there: int
    least: int
    most: int

    @property
    def lacking(self) -> tuple[str, ...]:
        """The label of the card, once for each missing copy."""
        return (self.label,) * min(self.least - self.there, MOST_CARDS)  # a fan-made card may ask for a billion


def _signatures(tally: Tally) -> dict[str, list[_Signature]]:
    """The signature cards by set ("": those that every deck holds)."""
    by_set: dict[str, list[_Signature]] = {}
    for need in tally.profile.needs:
        least, most, rule = need.least, need.most, need.rule
        if rule is not None and rule.as_many_as:
            least = most = sum(tally.signatures[code] for code in rule.as_many_as)
        label, there = tally.profile.status(need.root).label, tally.signatures[need.root]
        by_set.setdefault(need.set, []).append(_Signature(label, there, least, most))
    return by_set


def signatures_replaced(facts: Facts, deck: Deck) -> bool:
    """Whether the investigator was transformed into one for whom random basic weaknesses replace the signature cards."""
    card = facts.card(deck.transformed) if deck.transformed else None
    return card is not None and card.special.replaces_signatures


def advanced_instead(profile: Profile, deck: Deck) -> frozenset[str]:
    """The signature cards (first printings) in whose place the deck holds a whole advanced set; empty when it does not.

    An advanced set replaces the original one, whole, for no experience, at any point between scenarios, for good
    (inserts of the parallel investigators).
    """
    facts = profile.facts
    roots = {facts.root(code) for code, copies in deck.cards.items() if copies > 0}
    advanced = [need.root for need in profile.needs if need.set == ADVANCED]
    if not advanced or not roots.issuperset(advanced):
        return frozenset()
    return frozenset(need.root for need in profile.needs if need.set == ORIGINAL) - roots


def _held(cards: list[_Signature]) -> list[str]:
    """The labels of the signature cards that the deck holds."""
    return [each.label for each in cards if each.there]


@ARKHAM.check("arkham/glossary/signature-cards", "arkham/glossary/deckbuilding", family="required")
def signatures_present(tally: Tally) -> Problems:
    """Every required signature card is in the deck, or a whole set that may stand in its place."""
    if signatures_replaced(tally.facts, tally.deck):
        return
    sets = _signatures(tally)
    for each in sets.pop("", ()):
        if each.lacking:
            yield Problem(
                f"{counted(each.there, 'copy')} of {each.label}; the requirements list {each.least}.",
                f"Add {counted(each.least - each.there, 'copy')}.",
                (each.label,),
                count=each.there,
                limit=each.least,
                adds=(each.lacking,),
            )
    lacking = {name: sum((each.lacking for each in cards), ()) for name, cards in sets.items()}
    if not all(lacking.values()):
        return
    begun = [name for name, cards in sets.items() if _held(cards)]
    if lacking and not begun:
        names = tuple(dict.fromkeys(next(iter(lacking.values()))))
        yield Problem(
            f"The signature cards are missing: {', '.join(names)}.",
            f"Add {', '.join(names)}, or another set.",
            names,
            adds=tuple(lacking.values()),
        )
    for name in begun:
        others = [label for other in begun if other != name for label in _held(sets[other])]
        names = tuple(dict.fromkeys(lacking[name]))
        yield Problem(
            f"The {name} set of signature cards is not complete: {', '.join(names)} missing.",
            f"Add {', '.join(names)}" + (f", and take out {', '.join(others)}." if others else "."),
            names,
            adds=() if others else (lacking[name],),
        )


@ARKHAM.check(
    "arkham/glossary/signature-cards",
    "arkham/faq/transfiguration-signature-cards",
    family="required",
    when=lambda tally: tally.deck.transformed,
)
def signatures_given_up(tally: Tally) -> Problems:
    """No signature card stays with an investigator transformed so that weaknesses replace all of them."""
    rows = tally.rows_of(Kind.SIGNATURE)
    if rows and signatures_replaced(tally.facts, tally.deck):
        yield Problem(
            f"Still in the deck: {with_copies(rows)}; random basic weaknesses replace the signature cards.",
            "Replace each of them with a random basic weakness.",
            labels(rows),
        )


@ARKHAM.check("arkham/glossary/signature-cards", "arkham/glossary/deckbuilding", family="required")
def signature_sets_whole(tally: Tally) -> Problems:
    """Sets go in whole, pairs are not mixed: a replacement set instead of the original or besides it, an advanced one
    instead of it."""
    sets = {name: cards for name, cards in _signatures(tally).items() if name}
    broken = {name: lacking for name, cards in sets.items() if (lacking := sum((each.lacking for each in cards), ()))}
    if len(broken) == len(sets) or len(sets) < 2:
        return
    names = tuple(_held(sets[ORIGINAL])) if ORIGINAL in sets else ()
    if ADVANCED in sets and ADVANCED not in broken and names:
        yield Problem(
            f"{', '.join(names)}: the advanced set replaces the original one.",
            "Take out the original set, or the whole advanced set.",
            names,
        )
        broken.pop(ORIGINAL, None)
    for name, lacking in broken.items():
        if present := tuple(_held(sets[name])):
            missing = ", ".join(dict.fromkeys(lacking))
            yield Problem(
                f"{', '.join(present)}: without the rest of the {name} set ({missing}).",
                f"Add {missing}, or take out what is there of this set.",
                present,
                adds=(lacking,),
            )


@ARKHAM.check("arkham/glossary/signature-cards", "arkham/glossary/deckbuilding", family="required")
def signatures_no_more_than_listed(tally: Tally) -> Problems:
    """No signature card more often than the requirements list it, and none that this version does not list."""
    listed = {each.label: each.most for cards in _signatures(tally).values() for each in cards}
    for root, copies in tally.signatures.items():
        card = tally.profile.card(root)
        if card and copies > listed.get(card.label, copies):
            yield excess(card, copies, listed[card.label], "the requirements list")
    own = tally.profile.signatures
    rows = [row for row in tally.rows_of(Kind.SIGNATURE) if row[0].card and row[0].card.root not in own]
    if rows:
        yield Problem(
            f"Not among the requirements of the sides in use: {with_copies(rows)}.",
            "Take these cards out, or use the version of the investigator that lists them.",
            labels(rows),
        )


def earned_later(demand: FromCards, total: int, names: tuple[str, ...]) -> Problem:
    """The note on cards out of a list of which there are more than at the start: how much must have been earned for them."""
    earned = demand.per_experience * (total - demand.at_start)
    return Problem(
        f"{total} of {', '.join(names)}: {demand.at_start} at deck creation, 1 more for every {demand.per_experience} "
        f"experience earned in total, so at least {earned} must have been earned so far, spent or not.",
        "Check that this much has been earned.",
        names,
        "note",
    )


@ARKHAM.check("arkham/glossary/deckbuilding", family="required")
def cards_of_the_sides(tally: Tally) -> Problems:
    """What the front or back tells to add at deck creation is there, in the right number, each different."""
    for demand in tally.profile.demands:
        cards = [card for code in demand.codes if (card := tally.facts.card(code))]
        present = {card.label: tally.signatures[card.code] for card in cards}
        total = sum(present.values())
        names = tuple(label for label, copies in present.items() if copies)
        paired = "".join(
            f", and as many of {tally.profile.status(need.root).label}"
            for need in tally.profile.needs
            if need.rule and not set(need.rule.as_many_as).isdisjoint(demand.codes)
        )
        most = demand.at_start if demand.at_start and tally.frame.start else demand.most
        wanted = f"{demand.least}" if demand.least == most else f"{demand.least} to {most}"
        if not demand.least <= total <= most:
            change = f"Add {demand.least - total}" if total < demand.least else f"Take out {total - most}"
            yield Problem(
                f"{total} of {either(sorted({card.name for card in cards}))} in the deck; "
                f"the investigator card says to add {wanted}.",
                f"{change} of them{paired}.",
                names if total > most else tuple(label for label, copies in present.items() if not copies),
                count=total,
                limit=most if total > most else demand.least,
                adds=tuple((label,) for label, copies in present.items() if not copies and total < demand.least),
            )
        elif demand.per_experience and total > demand.at_start:
            yield earned_later(demand, total, names)
        for label, copies in present.items():
            if copies > demand.each:
                yield Problem(
                    f"{label} is there {copies} times; each must be different.",
                    f"Take out {counted(copies - 1, 'copy')}{paired}, or take others in place of them.",
                    (label,),
                    count=copies,
                    limit=1,
                )


@ARKHAM.check(
    "arkham/glossary/deckbuilding",
    "arkham/glossary/basic-weakness",
    "arkham/faq/dark-pact-weakness-pool",
    family="required",
)
def random_basic_weaknesses(tally: Tally) -> Problems:
    """Every required random basic weakness is in the deck, or a weakness that took its place in the campaign."""
    profile = tally.profile
    build = profile.build
    if build is None:
        return
    disaster = "disaster" in tally.frame.ultimatums
    wanted = build.random_weaknesses + disaster
    if signatures_replaced(tally.facts, tally.deck):
        wanted += sum(each.least for name in ("", ORIGINAL) for each in _signatures(tally).get(name, ()))
    there = sum(copies for _, copies in tally.basics)
    if there < wanted:
        there += sum(copies for card, copies in tally.special if card.special.stands_for_basic)
    if there < wanted:
        random = profile.facts.label(profile.facts.placeholder())
        yield Problem(
            f"{counted(there, 'basic weakness')} in the deck, {wanted} required.",
            f"Draw {wanted - there} at random (`kb deck weakness`).",
            cites=("arkham/glossary/deckbuilding", "arkham/variants/ultimatums/disaster") if disaster else None,
            count=there,
            limit=wanted,
            adds=((random,) * (wanted - there),) if random else (),
        )


@ARKHAM.check("arkham/glossary/basic-weakness", "arkham/glossary/deckbuilding", family="required", severity="note")
def weakness_still_to_draw(tally: Tally) -> Problems:
    """A placeholder stands for a random basic weakness that is still to be drawn."""
    number = sum(copies for card, copies in tally.basics if card.hidden)
    if number:
        yield Problem(f"{counted(number, 'random basic weakness')} still to be drawn.", "Draw before the first game.")


@ARKHAM.check("arkham/faq/searching-collection-basic-weakness", "arkham/glossary/basic-weakness", family="copies")
def weaknesses_within_the_pool(tally: Tally) -> Problems:
    """No more copies of a basic weakness than one copy of each product holds."""
    owned, facts = tally.frame.products, tally.facts
    weaknesses: dict[str, tuple[Card, int]] = {}
    for card, copies in tally.basics:
        if not card.hidden:
            key = card.root if owned else card.code
            weaknesses[key] = (card, copies + weaknesses.get(key, (card, 0))[1])
    for card, copies in weaknesses.values():
        most = card.quantity
        if owned:
            most = sum(printing.quantity for printing in facts.printings(card.root) if printing.pack in owned)
        if copies > most:
            fix = f"Replace {copies - most} with another random basic weakness."
            yield excess(card, copies, most, "one copy of each product holds", fix)


@ARKHAM.check("arkham/glossary/weakness", "arkham/glossary/deckbuilding", family="copies")
def other_weaknesses_exist(tally: Tally) -> Problems:
    """No more copies of a weakness that a campaign gave than its product holds."""
    for card, copies in tally.cards_of(Kind.WEAKNESS):
        most = max(card.quantity, card.limit or 0)
        if copies > most:
            yield excess(card, copies, most, "the product holds")


@ARKHAM.check("arkham/glossary/basic-weakness", "arkham/glossary/deckbuilding", family="access")
def weaknesses_of_the_class(tally: Tally) -> Problems:
    """A basic weakness for investigators of one class is only in decks of that class."""
    for card, _ in tally.cards_of(Kind.CLASS):
        message = f"{card.label} is only for {either(sorted(card.only_classes))} investigators."
        yield Problem(message, "Draw another random basic weakness.", (card.label,))


@ARKHAM.check("arkham/rulings/1-16", "arkham/glossary/deckbuilding", "arkham/rulings/1-35", family="required")
def cards_of_several_classes(tally: Tally) -> Problems:
    """At least so many cards of each of so many classes; a multi-class card counts for each of its classes."""
    for demand in tally.profile.at_least:
        if not demand.of_classes:
            continue
        count = dict.fromkeys(CLASSES, 0)
        for card, copies in tally.cards():
            for name in card.classes if not card.subtype else ():
                if name in count:
                    count[name] += copies
        enough = [name for name, copies in count.items() if copies >= demand.number]
        if len(enough) < demand.of_classes:
            most = sorted((name for name in count if name not in enough), key=lambda name: -count[name])
            lacking = " and ".join(
                f"{demand.number - count[name]} more {name}" for name in most[: demand.of_classes - len(enough)]
            )
            listed = ", ".join(f"{name} {copies}" for name, copies in count.items())
            yield Problem(
                f"At least {demand.number} cards of {demand.of_classes} classes are required; the deck has {listed}.",
                f"Put in {lacking}, in place of cards of other classes.",
                count=len(enough),
                limit=demand.of_classes,
            )


@ARKHAM.check("arkham/glossary/deckbuilding", "arkham/glossary/joes-hunch-deck", family="required")
def cards_of_a_kind(tally: Tally) -> Problems:
    """At least so many cards of a kind where the investigator or a card in the deck says so."""
    demands = [(demand, "the investigator") for demand in tally.profile.at_least if not demand.of_classes]
    demands += [(demand, card.name) for card, _ in tally.special for demand in card.special.at_least]
    for demand, source in demands:
        there = sum(copies for card, copies in tally.cards() if demand.admits(card))
        if there < demand.number:
            yield Problem(
                f"{there} {kind_of(demand)} in the deck; {source} requires at least {demand.number}.",
                f"Put in {demand.number - there} more, in place of other cards.",
                count=there,
                limit=demand.number,
            )


def _sheets(tally: Tally) -> Iterator[tuple[Card, Customization]]:
    """The cards of the deck for which the file marks boxes, each once."""
    for code, marks in tally.deck.customizations.items():
        card = tally.profile.card(code)
        if card is not None and (tally.deck.cards.get(code, 0) > 0 or code in tally.deck.extra):
            yield card, marks


@ARKHAM.check("arkham/glossary/customizable", family="access")
def boxes_on_the_sheet(tally: Tally) -> Problems:
    """No more boxes are marked than an upgrade has, and none that the sheet does not have."""
    for card, marks in _sheets(tally):
        if not card.sheet:
            yield Problem(f"{card.label} has no upgrade sheet.", "Take its marks out.", (card.label,))
            continue
        for mark in marks:
            if not 0 <= mark.index < len(card.sheet):
                message = f"The sheet of {card.label} has no upgrade number {mark.index + 1}, only {len(card.sheet)}."
            elif not 0 <= mark.spent <= card.sheet[mark.index].cost:
                boxes = card.sheet[mark.index].cost
                message = f"Upgrade {mark.index + 1} of {card.label} has {boxes} boxes, {mark.spent} are marked."
            else:
                continue
            yield Problem(message, "Mark only boxes that are on the sheet.", (card.label,))
        if len({mark.index for mark in marks}) < len(marks):
            yield Problem(f"An upgrade of {card.label} is marked twice.", "List each upgrade once.", (card.label,))


@ARKHAM.check("arkham/glossary/customizable", family="access")
def ten_boxes(tally: Tally) -> Problems:
    """At most 10 boxes of a sheet are marked."""
    for card, marks in _sheets(tally):
        boxes = sum(
            min(mark.spent, card.sheet[mark.index].level_boxes)
            for mark in marks
            if 0 <= mark.index < len(card.sheet) and mark.spent > 0
        )
        if boxes > MOST_BOXES:
            yield Problem(
                f"{boxes} boxes of {card.label} are marked, at most {MOST_BOXES} may be.",
                f"Take back {boxes - MOST_BOXES}.",
                (card.label,),
                count=boxes,
                limit=MOST_BOXES,
            )


@ARKHAM.check("arkham/glossary/customizable", family="choice", severity="warning")
def choices_on_the_sheet(tally: Tally) -> Problems:
    """What an upgrade lets choose (trait, skill, card, slot) is chosen once its boxes are marked."""
    for card, marks in _sheets(tally):
        for mark in marks:
            box = card.sheet[mark.index] if 0 <= mark.index < len(card.sheet) else None
            if box is not None and box.chooses and box.cost and mark.spent >= box.cost and not mark.chosen:
                yield Problem(
                    f"Upgrade {mark.index + 1} of {card.label} needs a {box.chooses} to be chosen.",
                    f"Choose a {box.chooses}.",
                    (card.label,),
                )


@ARKHAM.check("arkham/glossary/deckbuilding", family="count")
def extra_deck_size(tally: Tally) -> Problems:
    """An extra deck (spirit deck) has exactly the cards that the investigator's back names."""
    if tally.extra is None or not (missing := tally.extra.profile.size - tally.extra.size):
        return
    own = ", ".join(tally.facts.name(need.root) for need in tally.extra.profile.needs) or "its signature card"
    yield Problem(
        f"The extra deck has {counted(tally.extra.size, 'card')} besides {own}; there must be {tally.extra.profile.size}.",
        f"Add {counted(missing, 'card')} to it." if missing > 0 else f"Take {counted(-missing, 'card')} out of it.",
        count=tally.extra.size,
        limit=tally.extra.profile.size,
    )


@ARKHAM.check("arkham/glossary/deckbuilding", "arkham/glossary/deckbuilding-options", family="access")
def extra_deck_cards(tally: Tally) -> Problems:
    """An extra deck holds only cards from its own options, each of them different."""
    if (extra := tally.extra) is None:
        return
    listed = extra.profile.signatures
    rows = [
        row for row in extra.rows if row[0].kind is not Kind.PLAYER and not (row[0].card and row[0].card.root in listed)
    ]
    if rows:
        yield Problem(f"Not for the extra deck: {with_copies(rows)}.", "Take them out of it.", labels(rows))


@ARKHAM.check("arkham/glossary/deckbuilding", family="copies")
def extra_deck_different(tally: Tally) -> Problems:
    """The cards of an extra deck are all different, by title."""
    if (extra := tally.extra) is None:
        return
    for crowd in extra.over_limit:
        names = tuple(card.label for card, _ in crowd.rows)
        yield Problem(
            f"{counted(crowd.copies, 'copy')} of {names[0]} in the extra deck: each title only once.",
            f"{'Exchange' if extra.size <= extra.profile.size else 'Take out'} {counted(crowd.copies - crowd.limit, 'copy')}.",
            names,
            count=crowd.copies,
            limit=crowd.limit,
        )


@ARKHAM.check("arkham/glossary/signature-cards", "arkham/glossary/deckbuilding", family="required")
def extra_deck_signature(tally: Tally) -> Problems:
    """An extra deck holds its own required cards, exactly as many as listed."""
    if (extra := tally.extra) is None:
        return
    for need in extra.profile.needs:
        copies, name = extra.signatures[need.root], extra.profile.status(need.root).label
        if copies != need.least:
            yield Problem(
                f"{counted(copies, 'copy')} of {name} in the extra deck, {need.least} required.",
                "Add it." if copies < need.least else "Take the others out.",
                (name,),
                count=copies,
                limit=need.least,
            )


@ARKHAM.check("arkham/glossary/deckbuilding", family="required", severity="warning")
def attached_cards(tally: Tally) -> Problems:
    """Cards set beside the deck by a card (market deck, attached events) are of its kind and in the deck."""
    facts, back = tally.facts, tally.profile.back
    for card in (*(card for card, _ in tally.special), *([back] if back else [])):
        attach = card.special.attach
        chosen = tally.deck.attachments.get(card.code, ()) if attach else ()
        if attach is None or not chosen:
            continue
        counts = {code: chosen.count(code) for code in chosen}
        wrong = [code for code in counts if not ((attached := facts.card(code)) and attach.admits(attached))]
        if names := tuple(map(facts.label, wrong)):
            message = f"{', '.join(names)}: cannot be among the {attach.called} of {card.name}."
            yield Problem(message, "Choose other cards.", names)
        for code, number in counts.items():
            copies, name = tally.deck.cards.get(code, 0), facts.label(code)
            if number > copies and code not in wrong:
                message = f"{number} {name} are among the {attach.called} of {card.name}; the deck holds {copies}."
                yield Problem(message, "Choose only cards of the deck.", (name,), count=number, limit=copies)
        yield from _number_attached(attach, card, counts)
        included = facts.card(attach.includes) if attach.includes and attach.includes not in counts else None
        if included:
            name = included.label
            yield Problem(f"{name} is not among the {attach.called} of {card.name}.", f"Choose {name}, too.", (name,))


def _number_attached(attach: Attach, card: Card, counts: dict[str, int]) -> Problems:
    total = sum(counts.values())
    most = attach.exactly or attach.at_most
    if total > most or (attach.exactly and total < attach.exactly):
        rule = f"{attach.exactly}" if attach.exactly else f"at most {attach.at_most}"
        yield Problem(
            f"{total} chosen for the {attach.called} of {card.name}; it takes {rule}.",
            f"Choose {rule}.",
            count=total,
            limit=most,
        )
    if attach.different and len(counts) < total:
        yield Problem(f"The cards chosen for {card.name} must all be different.", "Choose different cards.")


@ARKHAM.check("arkham/glossary/deckbuilding", family="copies")
def only_copy(tally: Tally) -> Problems:
    """The card that is recorded for a card with this rule (branded spell) is in the deck only once."""
    for card, _ in tally.special:
        attach = card.special.attach
        if attach is None or not attach.only_copy:
            continue
        for code in tally.deck.attachments.get(card.code, ()):
            named = tally.facts.card(code)
            copies = sum(number for other, number in tally.cards() if named and other.title == named.title)
            if named and copies > 1:
                yield Problem(
                    f"{counted(copies, 'copy')} of {named.name}, the {attach.called} of {card.name}; only 1 may be there.",
                    f"Take out {counted(copies - 1, 'copy')}.",
                    (named.label,),
                    count=copies,
                    limit=1,
                )


@ARKHAM.check(
    "arkham/glossary/purchasing-cards", "arkham/glossary/deckbuilding-options", family="access", severity="warning"
)
def side_deck(tally: Tally) -> Problems:
    """Candidates kept in the side deck could be added to the deck."""
    statuses = [(tally.profile.status(code), copies) for code, copies in tally.deck.side_deck.items() if copies > 0]
    rows = [row for row in statuses if row[0].denied or row[0].kind is Kind.UNKNOWN]
    if rows and tally.profile.build is not None:
        yield Problem(
            f"In the side deck, but never allowed in the deck: {with_copies(rows)}.",
            "Take these cards out of the side deck.",
            labels(rows),
        )
