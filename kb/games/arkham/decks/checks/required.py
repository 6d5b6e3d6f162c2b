"""Checks of required cards: signature cards, weaknesses, and minimum numbers of cards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice

from kb.decks.names import counted_names, either
from kb.decks.problems import Problem, Problems
from kb.decks.remedies import Act, Add, Advice, Exchange, Fill, Remedy, Remove, Steps
from kb.frozen import frozen
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.deck import MOST_CARDS, ArkhamDeck
from kb.games.arkham.decks.deck_counts import ARKHAM, DeckCounts, each_label, excess, kind_of, labels, with_copies
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind, Profile
from kb.games.arkham.schema.options import CLASSES, FromCards
from kb.plural import counted

ORIGINAL, ADVANCED = "original", "advanced"
_EXAMPLES = 3
ANOTHER_WEAKNESS = "another random basic weakness"


@frozen
class _Signature:
    """A required signature card.

    `there` is the number of copies in the deck; `least` and `most` are the numbers required.
    """

    label: str
    there: int
    least: int
    most: int

    @property
    def lacking(self) -> tuple[str, ...]:
        """Return the card's label, repeated for each missing copy."""
        return (self.label,) * min(self.least - self.there, MOST_CARDS)  # a fan-made card may require a billion


def _signatures(counts: DeckCounts) -> dict[str, list[_Signature]]:
    """Return the required signature cards by the name of their set. The set "" contains cards that every deck needs."""
    by_set: dict[str, list[_Signature]] = {}
    for need in counts.profile.needs:
        least, most, rule = need.least, need.most, need.rule
        if rule is not None and rule.as_many_as:
            least = sum(counts.signatures[code] for code in rule.as_many_as)
            asked = [each.least for each in counts.profile.demands if not set(each.codes).isdisjoint(rule.as_many_as)]
            most = max(least, *asked, 0)  # if the other cards are missing, these are not too many
        label, there = counts.profile.status(need.root).label, counts.signatures[need.root]
        by_set.setdefault(need.set, []).append(_Signature(label, there, least, most))
    return by_set


def signatures_replaced(facts: ArkhamFacts, deck: ArkhamDeck) -> bool:
    """Return True if the investigator was transformed and random basic weaknesses replace the signature cards."""
    card = facts.card(deck.transformed) if deck.transformed else None
    return card is not None and card.special.replaces_signatures


def advanced_instead(profile: Profile, deck: ArkhamDeck) -> frozenset[str]:
    """Return the original signature cards (first printings) that an advanced set in the deck replaces; empty if there
    is none.

    A complete advanced set replaces the whole original set, permanently and for no experience, at any point between
    scenarios (inserts of the parallel investigators).
    """
    facts = profile.facts
    roots = {facts.root(code) for code, copies in deck.cards.items() if copies > 0}
    advanced = [need.root for need in profile.needs if need.set == ADVANCED]
    if not advanced or not roots.issuperset(advanced):
        return frozenset()
    return frozenset(need.root for need in profile.needs if need.set == ORIGINAL) - roots


def _held(cards: list[_Signature]) -> list[str]:
    """Return the labels of the `cards` that are in the deck."""
    return [each.label for each in cards if each.there]


def _copies(cards: list[_Signature]) -> tuple[str, ...]:
    """Return the labels of the `cards`, each repeated for every copy in the deck."""
    return tuple(each.label for each in cards for _ in range(each.there))


def _with(first: Remedy, second: Remedy | None) -> Remedy:
    """Return one remedy that combines two changes. If `second` is None, return `first` alone."""
    return Steps((first, second)) if second else first


@ARKHAM.check("arkham/glossary/signature-cards", "arkham/glossary/deckbuilding", family="required")
def signatures_present(counts: DeckCounts) -> Problems:
    """Every required signature card is in the deck, or a complete set that may replace it."""
    if signatures_replaced(counts.facts, counts.deck):
        return
    sets = _signatures(counts)
    for each in sets.pop("", ()):
        if each.lacking:
            yield Problem(
                f"{counted(each.there, 'copy')} of {each.label}; the requirements list {each.least}.",
                cards=(each.label,),
                count=each.there,
                limit=each.least,
                remedies=(Add(each.lacking),),
            )
    lacking = {name: sum((each.lacking for each in cards), ()) for name, cards in sets.items()}
    if not all(lacking.values()):
        return
    begun = [name for name, cards in sets.items() if _held(cards)]
    if lacking and not begun:
        names = tuple(dict.fromkeys(next(iter(lacking.values()))))
        yield Problem(
            f"The signature cards are missing: {', '.join(names)}.",
            cards=names,
            remedies=tuple(map(Add, lacking.values())),
        )
    for name in begun:
        others = tuple(label for other in begun if other != name for label in _copies(sets[other]))
        names = tuple(dict.fromkeys(lacking[name]))
        yield Problem(
            f"The {name} set of signature cards is incomplete without {', '.join(names)}.",
            cards=names,
            remedies=(_with(Add(lacking[name]), Remove(len(others), others) if others else None),),
        )


@ARKHAM.check(
    "arkham/glossary/signature-cards",
    "arkham/faq/transfiguration-signature-cards",
    family="required",
    when=lambda counts: counts.deck.transformed,
)
def signatures_given_up(counts: DeckCounts) -> Problems:
    """If weaknesses replace the signature cards of a transformed investigator, the deck contains none of these cards."""
    rows = counts.rows_of(Kind.SIGNATURE)
    if rows and signatures_replaced(counts.facts, counts.deck):
        yield Problem(
            f"Random basic weaknesses replace the signature cards, but the deck still contains {with_copies(rows)}.",
            cards=labels(rows),
            remedies=(Remove(sum(copies for _, copies in rows), each_label(rows)),),
        )


@ARKHAM.check("arkham/glossary/signature-cards", "arkham/glossary/deckbuilding", family="required")
def signature_sets_whole(counts: DeckCounts) -> Problems:
    """Signature sets are complete and not mixed. An advanced set replaces the original set; a replacement set may
    replace it or be added to it.
    """
    sets = {name: cards for name, cards in _signatures(counts).items() if name}
    broken = {name: lacking for name, cards in sets.items() if (lacking := sum((each.lacking for each in cards), ()))}
    if len(broken) == len(sets) or len(sets) < 2:
        return
    names = _copies(sets[ORIGINAL]) if ORIGINAL in sets else ()
    if ADVANCED in sets and ADVANCED not in broken and names:
        advanced = _copies(sets[ADVANCED])
        yield Problem(
            "The advanced set of signature cards replaces the original set, but the deck also contains "
            f"{counted_names(names)}.",
            cards=tuple(dict.fromkeys(names)),
            remedies=(Remove(len(names), names), Remove(len(advanced), advanced)),
        )
        broken.pop(ORIGINAL, None)
    for name, lacking in broken.items():
        if present := _copies(sets[name]):
            yield Problem(
                f"The deck contains {counted_names(present)} without the rest of the {name} set: {counted_names(lacking)}.",
                cards=tuple(dict.fromkeys(present)),
                remedies=(Add(lacking), Remove(len(present), present)),
            )


@ARKHAM.check("arkham/glossary/signature-cards", "arkham/glossary/deckbuilding", family="required")
def signatures_no_more_than_listed(counts: DeckCounts) -> Problems:
    """The deck has no more copies of a signature card than required, and no signature card that this version of the
    investigator does not list.
    """
    listed = {each.label: each.most for cards in _signatures(counts).values() for each in cards}
    for root, copies in counts.signatures.items():
        card = counts.profile.card(root)
        if card and copies > listed.get(card.label, copies):
            yield excess(card, copies, listed[card.label], "the requirements list")
    own = counts.profile.signatures
    rows = [row for row in counts.rows_of(Kind.SIGNATURE) if row[0].card and row[0].card.root not in own]
    if rows:
        yield Problem(
            f"The sides of the investigator card in use do not require {with_copies(rows)}.",
            cards=labels(rows),
            remedies=(
                Remove(sum(copies for _, copies in rows), each_label(rows)),
                Advice("use the version of the investigator that requires them"),
            ),
        )


def earned_later(demand: FromCards, total: int, names: tuple[str, ...]) -> Problem:
    """Return a note for a deck that has more cards from a list than at the start. The note says how much experience
    this takes.

    `total` is the number of these cards in the deck, and `names` are their labels.
    """
    earned = demand.per_experience * (total - demand.at_start)
    return Problem(
        f"{total} of {', '.join(names)}: {demand.at_start} at deck creation, and 1 more for every "
        f"{demand.per_experience} experience earned, spent or not. At least {earned} must have been earned so far.",
        cards=names,
        severity="note",
        remedies=(Advice("check that this much experience has been earned"),),
    )


@ARKHAM.check("arkham/glossary/deckbuilding", family="required")
def cards_of_the_sides(counts: DeckCounts) -> Problems:
    """The cards that the front or back requires in addition to signature cards are in the deck, all different and in
    the right number.
    """
    for demand in counts.profile.demands:
        cards = [card for code in demand.codes if (card := counts.facts.card(code))]
        present: dict[str, int] = {card.label: counts.signatures[card.code] for card in cards}
        absent = tuple(label for label, copies in present.items() if not copies)
        total = sum(present.values())
        names = tuple(label for label, copies in present.items() if copies)
        paired = {
            counts.profile.status(need.root).label: counts.signatures[need.root] - total
            for need in counts.profile.needs
            if need.rule and not set(need.rule.as_many_as).isdisjoint(demand.codes)
        }
        most = demand.at_start if demand.at_start and counts.agreement.start else demand.most
        wanted = f"{demand.least}" if demand.least == most else f"{demand.least} to {most}"
        if not demand.least <= total <= most:
            yield Problem(
                f"{total} of {either(sorted({card.name for card in cards}))} in the deck; "
                f"the investigator card requires {wanted}.",
                cards=names if total > most else absent,
                count=total,
                limit=most if total > most else demand.least,
                remedies=tuple(
                    _more_of_a_list(demand.least - total, absent, paired)
                    if total < demand.least
                    else [_fewer_of_a_list(total - most, present, paired)]
                ),
            )
        elif demand.per_experience and total > demand.at_start:
            yield earned_later(demand, total, names)
        for label, copies in present.items():
            if copies > demand.each:
                more = copies - demand.each
                fewer = [_fewer_of_a_list(more, {label: copies}, paired)] if total - more >= demand.least else []
                other = [Exchange(more, (label,) * copies, absent)] if len(absent) >= more else []
                yield Problem(
                    f"{label} is in the deck {copies} times; the cards from this list must all be different.",
                    cards=(label,),
                    count=copies,
                    limit=1,
                    remedies=(*other, *fewer),
                )


def _more_of_a_list(number: int, absent: tuple[str, ...], paired: Mapping[str, int]) -> Iterator[Remedy]:
    """Yield the remedies that add `number` cards from a list; `absent` are the listed cards that are not in the deck.

    Each remedy also adds a copy of each card in `paired` for each added card, except for the surplus copies that the
    deck already has: `paired` gives their number.
    """
    lacking = tuple(label for label, surplus in paired.items() for _ in range(number - max(0, surplus)))
    along = Add(lacking) if lacking else None
    if number == 1:
        yield from (_with(Add((label,)), along) for label in absent)
    else:
        yield _with(Fill(number, "card from this list", among=absent), along)


def _fewer_of_a_list(number: int, present: Mapping[str, int], paired: Collection[str]) -> Remedy:
    """Return the remedy that removes `number` cards on a list. `present` has the copies of each listed card in the deck.

    The remedy also removes `number` copies of each card in `paired`.
    """
    of = tuple(label for label, copies in present.items() for _ in range(copies))
    return _with(Remove(number, of), Remove(number * len(paired), tuple(paired) * number) if paired else None)


def draw_weaknesses(counts: DeckCounts, number: int) -> tuple[Remedy, ...]:
    """Return two remedies for missing basic weaknesses: draw them, or add placeholders until they are drawn."""
    placeholder = counts.facts.label(counts.facts.placeholder())
    drawing = Act(f"draw {counted(number, 'random basic weakness')}", "kb deck weakness")
    return (drawing, Add((placeholder,) * number)) if placeholder else (drawing,)


@ARKHAM.check(
    "arkham/glossary/deckbuilding",
    "arkham/glossary/basic-weakness",
    "arkham/faq/dark-pact-weakness-pool",
    family="required",
)
def random_basic_weaknesses(counts: DeckCounts) -> Problems:
    """The deck contains every required random basic weakness, or a weakness that replaced it during the campaign."""
    profile = counts.profile
    build = profile.build
    if build is None:
        return
    disaster = "disaster" in counts.agreement.ultimatums
    wanted = build.random_weaknesses + disaster
    if signatures_replaced(counts.facts, counts.deck):
        wanted += sum(each.least for name in ("", ORIGINAL) for each in _signatures(counts).get(name, ()))
    there = sum(copies for _, copies in counts.basics)
    if there < wanted:
        there += sum(copies for card, copies in counts.special if card.special.stands_for_basic)
    if there < wanted:
        yield Problem(
            f"{counted(there, 'basic weakness')} in the deck; {wanted} required.",
            cites=("arkham/glossary/deckbuilding", "arkham/variants/ultimatums/disaster") if disaster else None,
            count=there,
            limit=wanted,
            remedies=draw_weaknesses(counts, wanted - there),
        )


@ARKHAM.check("arkham/glossary/basic-weakness", "arkham/glossary/deckbuilding", family="required", severity="note")
def weakness_still_to_draw(counts: DeckCounts) -> Problems:
    """A note gives the number of placeholders for random basic weaknesses that are still to be drawn."""
    number = sum(copies for card, copies in counts.basics if card.hidden)
    if number:
        yield Problem(
            f"{counted(number, 'random basic weakness')} still to be drawn.",
            remedies=(Act("draw before the first game", "kb deck weakness"),),
        )


@ARKHAM.check("arkham/faq/searching-collection-basic-weakness", "arkham/glossary/basic-weakness", family="copies")
def weaknesses_within_the_pool(counts: DeckCounts) -> Problems:
    """A deck has no more copies of a basic weakness than one copy of each product contains."""
    owned, facts = counts.agreement.products, counts.facts
    weaknesses: dict[str, tuple[ArkhamCard, int]] = {}
    for card, copies in counts.basics:
        if not card.hidden:
            key = card.root if owned else card.code
            weaknesses[key] = (card, copies + weaknesses.get(key, (card, 0))[1])
    for card, copies in weaknesses.values():
        most = card.quantity
        if owned:
            most = sum(printing.quantity for printing in facts.printings(card.root) if printing.pack in owned)
        if copies > most:
            draw = Exchange(copies - most, (card.label,) * copies, what=ANOTHER_WEAKNESS)
            yield excess(card, copies, most, "one copy of each product contains", (draw,))


@ARKHAM.check("arkham/glossary/weakness", "arkham/glossary/deckbuilding", family="copies")
def other_weaknesses_exist(counts: DeckCounts) -> Problems:
    """A deck has no more copies of a weakness given by a campaign than the weakness's product contains."""
    for card, copies in counts.cards_of(Kind.WEAKNESS):
        most = max(card.quantity, card.limit or 0)
        if copies > most:
            yield excess(card, copies, most, "the product contains")


@ARKHAM.check("arkham/glossary/basic-weakness", "arkham/glossary/deckbuilding", family="access")
def weaknesses_of_the_class(counts: DeckCounts) -> Problems:
    """A basic weakness that is only for investigators of one class is only in decks of such investigators."""
    for card, copies in counts.cards_of(Kind.CLASS):
        yield Problem(
            f"{card.label} is only for {either(sorted(card.only_classes))} investigators.",
            cards=(card.label,),
            remedies=(Exchange(copies, (card.label,) * copies, what=ANOTHER_WEAKNESS),),
        )


@ARKHAM.check("arkham/rulings/1-16", "arkham/glossary/deckbuilding", "arkham/rulings/1-35", family="required")
def cards_of_several_classes(counts: DeckCounts) -> Problems:
    """The deck has the required number of cards in each of the required number of classes. A multi-class card counts
    for each of its classes.
    """
    for demand in counts.profile.at_least:
        if not demand.of_classes:
            continue
        count = dict.fromkeys(CLASSES, 0)
        for card, copies in counts.cards():
            for name in card.classes if not card.subtype else ():
                if name in count:
                    count[name] += copies
        enough = [name for name, copies in count.items() if copies >= demand.number]
        if len(enough) < demand.of_classes:
            nearest = sorted((name for name in count if name not in enough), key=lambda name: -count[name])
            wanted = nearest[: demand.of_classes - len(enough)]
            listed = ", ".join(f"{name} {copies}" for name, copies in count.items())
            yield Problem(
                f"At least {demand.number} cards of {demand.of_classes} classes are required; the deck has {listed}.",
                count=len(enough),
                limit=demand.of_classes,
                remedies=(
                    _together(
                        _more_of_a_kind(counts, demand.number - count[name], partial(_is_of, name), f"{name} cards")
                        for name in wanted
                    ),
                ),
            )


def _is_of(name: str, card: ArkhamCard) -> bool:
    """Return True if the class `name` is one of the card's classes."""
    return name in card.classes


def _more_of_a_kind(counts: DeckCounts, number: int, fits: Callable[[ArkhamCard], bool], what: str) -> Exchange:
    """Return the remedy that exchanges `number` cards of the deck for cards that pass the test `fits`. `what`
    describes these cards in words.

    The remedy's examples are level 0 cards that the deck may contain.
    """
    profile, held = counts.profile, {card.title for card, _ in counts.cards()}
    statuses = (profile.once(code) for code in profile.facts.codes() if profile.facts.root(code) == code)
    fitting = (
        status.card.label
        for status in statuses
        if status.card
        and status.kind is Kind.PLAYER
        and not (status.mask or status.card.level or status.card.story or status.title in held)
        and status.counts
        and fits(status.card)
    )
    return Exchange(number, (), tuple(islice(fitting, max(_EXAMPLES, number))), what)


def _together(remedies: Iterable[Remedy]) -> Remedy:
    """Return one remedy that combines all `remedies`, which must not be empty."""
    steps = tuple(remedies)
    return Steps(steps) if len(steps) > 1 else steps[0]


@ARKHAM.check("arkham/glossary/deckbuilding", "arkham/glossary/joes-hunch-deck", family="required")
def cards_of_a_kind(counts: DeckCounts) -> Problems:
    """The deck has at least as many cards of each kind as the investigator, or a card in the deck, requires."""
    demands = [(demand, "the investigator") for demand in counts.profile.at_least if not demand.of_classes]
    demands += [(demand, card.name) for card, _ in counts.special for demand in card.special.at_least]
    for demand, source in demands:
        there = sum(copies for card, copies in counts.cards() if demand.admits(card))
        if there < demand.number:
            yield Problem(
                f"{there} {kind_of(demand)} in the deck; {source} requires at least {demand.number}.",
                count=there,
                limit=demand.number,
                remedies=(_more_of_a_kind(counts, demand.number - there, demand.admits, kind_of(demand)),),
            )
