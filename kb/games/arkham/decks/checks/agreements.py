"""Checks of the group's agreements and of the card pool.

The checks are about the start of a campaign, standalone mode, ultimatums, environments, products and sealed pools.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Advice, Boxes, Exchange, Fill, Remedy, Remove, Set, Steps
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.card_pool import (
    DISCRETION,
    copies_owned,
    expanded,
    expansions,
    fitting_expansions,
    groups,
    latest_expansions,
    not_known,
    outside,
)
from kb.games.arkham.decks.checks.other_piles import SPIRIT_DECK
from kb.games.arkham.decks.checks.required import draw_weaknesses
from kb.games.arkham.decks.deck_counts import ARKHAM, CardCopies, DeckCounts, Row, each_label, excess, leaving_first
from kb.games.arkham.decks.edition import GRIMOIRE, edition
from kb.games.arkham.decks.profile import DENIED, Kind
from kb.plural import counted

_MOST_STANDALONE = 49
_PER_WEAKNESS = 10
_ANCIENTS = 5


def starting_experience(counts: DeckCounts) -> int:
    """Return the experience available at the start of a campaign.

    It is given by the investigator, cards in the deck, the Boon of the Ancients, and the deck file.
    """
    experience = bonus_experience(counts) + (counts.deck.experience or 0)
    return experience + (_ANCIENTS if "ancients" in counts.agreement.boons else 0)


def bonus_experience(counts: DeckCounts) -> int:
    """Return the experience that the investigator's back and cards in the deck give when the deck is built."""
    from_cards = sum(card.special.experience * copies for card, copies in counts.special)
    return counts.profile.starting_experience + from_cards


@ARKHAM.check(
    "arkham/glossary/deckbuilding", "arkham/glossary/experience", "arkham/variants/boons/ancients", family="experience"
)
def level_0_at_the_start(counts: DeckCounts) -> Problems:
    """A new deck contains only level 0 cards, unless the investigator starts the campaign with experience."""
    if counts.agreement.standalone:
        return
    if not counts.agreement.start and (counts.deck.previous or counts.deck.experience is not None):
        return
    available = starting_experience(counts)
    if counts.spent <= max(0, available):
        return
    if counts.agreement.start:
        yield Problem(
            f"The deck needs {counts.spent} experience; the investigator starts the campaign with {available}.",
            count=counts.spent,
            limit=available,
            remedies=(cheaper(counts, max(0, available)),),
        )
    elif never := _earn_nothing(counts):
        yield Problem(
            f"The deck needs {counts.spent} experience. With {never}, the investigator never has more than {available}.",
            count=counts.spent,
            limit=available,
            remedies=(cheaper(counts, max(0, available)),),
        )
    else:
        yield Problem(
            f"The deck needs {counts.spent} experience: legal once it is earned, not at the start of a campaign.",
            severity="note",
            count=counts.spent,
            limit=available,
        )


def _earn_nothing(counts: DeckCounts) -> str:
    """Return the label of a card in the deck that prevents earning experience; empty if there is none."""
    return next((card.label for card, _ in counts.special if card.special.buying.earns_nothing), "")


def cheaper(counts: DeckCounts, most: int) -> Remedy:
    """Return the remedy that lowers the deck's experience to `most`.

    The remedy clears boxes on upgrade sheets, then exchanges the most expensive cards for level 0 cards.
    """
    steps: list[Remedy] = []
    left = counts.spent - most
    for card in {card.root: card for card, _ in counts.cards() if card.spent}.values():
        if left > 0:
            steps.append(Boxes(card.label, min(card.spent, left), checked=False, key=f"upgrades.{card.code}"))
            left -= min(card.spent, left)
    for each, pile in ((counts, ""), (counts.extra, SPIRIT_DECK)):
        rows = [row for row in each.rows if row[0].cost > 0] if each else []
        leaving: list[Row] = []
        for status, copies in sorted(rows, key=lambda row: -row[0].cost):
            if left > 0:
                myriad = status.card is not None and "myriad" in status.card.keywords
                number = copies if myriad else min(copies, -(-left // status.cost))
                leaving.append((status, number))
                left -= status.cost * (1 if myriad else number)
        counting = sum(copies for status, copies in leaving if status.counts)
        names, number = each_label(leaving), sum(copies for _, copies in leaving)
        if number and counting == number:
            steps.append(Exchange(number, names, what="level 0 cards", pile=pile))
        elif number:
            steps += [Remove(number, names, pile), *([Fill(counting, "level 0 card", pile=pile)] if counting else ())]
    return steps[0] if len(steps) == 1 else Steps(tuple(steps))


@ARKHAM.check("arkham/glossary/standalone-experience", "arkham/rulings/1-20", family="experience")
def standalone_experience(counts: DeckCounts) -> Problems:
    """A standalone deck has less than 50 experience."""
    if counts.agreement.standalone and counts.spent > _MOST_STANDALONE:
        yield Problem(
            f"The deck has {counts.spent} experience; a standalone deck cannot have 50 or more.",
            count=counts.spent,
            limit=_MOST_STANDALONE,
            remedies=(cheaper(counts, _MOST_STANDALONE),),
        )


@ARKHAM.check(
    "arkham/glossary/standalone-experience",
    "arkham/rulings/edge-of-the-earth/in-the-thick-of-it-standalone",
    family="required",
)
def standalone_weaknesses(counts: DeckCounts) -> Problems:
    """A standalone deck has an additional random basic weakness for each full 10 experience, not counting bonus
    experience.
    """
    build = counts.profile.build
    if not counts.agreement.standalone or build is None:
        return
    bonus = min(counts.spent, bonus_experience(counts))
    more = (min(counts.spent, _MOST_STANDALONE) - bonus) // _PER_WEAKNESS
    wanted = build.random_weaknesses + more + ("disaster" in counts.agreement.ultimatums)
    there = sum(copies for _, copies in counts.basics)
    apart = f" ({bonus} of it bonus experience, which does not count)" if bonus else ""
    if there < wanted and more:
        yield Problem(
            f"Spending {counts.spent} experience{apart} requires {counted(more, 'additional random basic weakness')}: "
            f"{wanted} in total, but the deck has {there}.",
            count=there,
            limit=wanted,
            remedies=draw_weaknesses(counts, wanted - there),
        )


@ARKHAM.check("arkham/glossary/standalone-experience", "arkham/variants/ultimatums/exile", family="pool")
def campaign_mode_only(counts: DeckCounts) -> Problems:
    """A standalone deck has no "Campaign Mode only" card. With the Ultimatum of Exile, it also has no card with exile."""
    if not counts.agreement.standalone:
        return
    exile = "exile" in counts.agreement.ultimatums
    for card, copies in counts.cards():
        if "campaign_only" in card.keywords or (exile and "exile" in card.keywords):
            why = (
                "says Campaign Mode only"
                if "campaign_only" in card.keywords
                else "has exile, which counts as Campaign Mode only"
            )
            yield Problem(f"{card.label} {why}.", cards=(card.label,), remedies=(counts.removal([(card, copies)]),))


@ARKHAM.check("arkham/variants/ultimatums/highlander", family="copies")
def highlander(counts: DeckCounts) -> Problems:
    """Ultimatum of the Highlander: a deck has one copy of each title, except weaknesses and required copies."""
    if "highlander" not in counts.agreement.ultimatums:
        return
    by_name: dict[str, list[Row]] = {}
    for status, copies in counts.rows:
        if status.card is not None and not status.card.subtype and status.kind is not Kind.SIGNATURE:
            by_name.setdefault(status.card.name, []).append((status, copies))
    for name, rows in by_name.items():
        copies = sum(number for _, number in rows)
        if copies > 1:
            yield Problem(
                f"{counted(copies, 'copy')} of {name}; only 1 of each title.",
                cards=(name,),
                count=copies,
                limit=1,
                remedies=(counts.removal(leaving_first(rows, copies - 1), of=rows),),
            )


@ARKHAM.check("arkham/variants/ultimatums/induction", family="experience")
def induction(counts: DeckCounts) -> Problems:
    """Ultimatum of Induction: a deck has only level 0 cards and no experience."""
    if "induction" not in counts.agreement.ultimatums:
        return
    names = tuple(dict.fromkeys(card.label for card, _ in counts.cards() if card.level or card.spent))
    if names:
        yield Problem(
            f"These cards are above level 0: {', '.join(names)}.", cards=names, remedies=(cheaper(counts, 0),)
        )


@ARKHAM.check("arkham/variants/ultimatums/orthodoxy", "arkham/taboo", family="choice")
def orthodoxy(counts: DeckCounts) -> Problems:
    """Ultimatum of Orthodoxy: the deck uses a taboo list."""
    if "orthodoxy" in counts.agreement.ultimatums and counts.profile.taboo is None:
        newest = str(max(counts.facts.taboos, default=0))
        yield Problem("The deck does not name a taboo list.", at=At("taboo"), remedies=(Set("taboo", newest),))


@ARKHAM.check("arkham/variants/ultimatums/chaos", family="choice", severity="note")
def chaos(counts: DeckCounts) -> Problems:
    """Ultimatum of Chaos: the starting deck is chosen at random, which a deck file cannot show."""
    if "chaos" in counts.agreement.ultimatums:
        yield Problem("The file does not show whether the starting deck was chosen at random.")


_DISCRETION_ENTRY = "arkham/environments/parallels-promos-story-assets"
_FROM_COLLECTION = (Kind.PLAYER, Kind.BASIC, *DENIED)


def _pooled(counts: DeckCounts) -> list[tuple[ArkhamCard, int]]:
    """Return the cards that come from the players' collection, with their copies.

    Signature cards, scenario cards and placeholders do not come from it.
    """
    return [
        (status.card, copies)
        for status, copies in counts.rows
        if status.card is not None
        and status.kind in _FROM_COLLECTION
        and not status.card.story
        and not status.card.hidden
    ]


def _report(rows: list[CardCopies], where: str, into: tuple[str, ...] = ()) -> Problem:
    """Return a problem for the cards in `rows`, which are not in `where`. `into` lists versions of these cards that
    are in `where`.
    """
    names = tuple(dict.fromkeys(card.label for card, _ in rows))
    exchange = Exchange(
        sum(copies for _, copies in rows), each_label(rows), into, "" if into else "cards that are in the environment"
    )
    return Problem(f"Not in {where}: {', '.join(names)}.", cards=names, remedies=(exchange,))


@ARKHAM.check("arkham/environments/current", "arkham/environments/limited", family="pool")
def environment(counts: DeckCounts) -> Problems:
    """The cards and the investigator come from the products of the chosen environment."""
    agreement, facts, by = counts.agreement, counts.facts, edition(counts.deck.rules)
    called = agreement.environment
    if called == "legacy":
        return
    rows = [row for row in _pooled(counts) if not not_known(row[0], facts, by)]
    free = [card for card, _ in rows if groups(card, facts) <= DISCRETION]
    restricted = [row for row in rows if row[0] not in free]
    if called == "current":
        chosen = latest_expansions(facts, by)
    elif agreement.expansions:
        chosen = agreement.expansions
        there = expansions(facts, by)
        if unknown := [code for code in chosen if code not in there]:
            yield Problem(
                f"No investigator expansion is called {', '.join(unknown)}.",
                at=At("expansion"),
                remedies=(Set("expansion", choices=tuple(there)),),
            )
        if len(chosen) > by.at_once:
            yield Problem(
                f"{len(chosen)} expansions are chosen; at most {by.at_once} are allowed.",
                count=len(chosen),
                limit=by.at_once,
                at=At("expansion"),
                remedies=(Remove(len(chosen) - by.at_once, chosen, "expansion"),),
            )
    else:
        chosen = fitting_expansions((card for card, _ in restricted), facts, by)
    products = ", ".join(facts.cycles[code].name for code in (*by.base, *chosen) if code in facts.cycles)
    cites = (f"arkham/environments/{called}",)
    if left := [row for row in restricted if outside([row[0]], chosen, facts, by)]:
        others = [
            each.label
            for card, _ in left
            for each in facts.printings(card.root)
            if each.version != card.version and not outside([each], chosen, facts, by)
        ]
        where = f"the {called} environment in {by.short} ({products})"
        yield replace(_report(left, where, tuple(dict.fromkeys(others))), cites=cites)
    yield from _investigator_outside(counts, chosen, products)
    if labels := tuple(dict.fromkeys(card.label for card in free)):
        message = f"Your group decides whether to use {', '.join(labels)}."
        yield Problem(message, cards=labels, severity="note", cites=(_DISCRETION_ENTRY,))


def _investigator_outside(counts: DeckCounts, chosen: Iterable[str], products: str) -> Problems:
    """Yield a problem if the investigator is outside the environment.

    `chosen` are the expansions in the environment, and `products` lists its cycles for the message.
    """
    facts, by, called = counts.facts, edition(counts.deck.rules), counts.agreement.environment
    cites = (f"arkham/environments/{called}",)
    who = counts.profile.back
    if who and outside([who], chosen, facts, by) and not not_known(who, facts, by):
        if groups(who, facts) <= DISCRETION or called == "limited":
            message = f"{who.label} is outside the environment: your group decides whether to use it."
            yield Problem(message, cards=(who.label,), severity="note", cites=(_DISCRETION_ENTRY, *cites))
        else:
            yield Problem(
                f"{who.label} is outside the {called} environment in {by.short}.",
                cards=(who.label,),
                cites=cites,
                at=At("investigator"),
                remedies=(
                    Advice(f"choose an investigator from the environment's products ({products})"),
                    Set("environment", "legacy"),
                ),
                names_owner=True,
            )


_MODIFIED_REPRINTS = "arkham/grimoire/reprints/modified-reprints"


@ARKHAM.check(_MODIFIED_REPRINTS, family="copies", when=lambda counts: counts.deck.rules == GRIMOIRE)
def one_version_of_a_reprint(counts: DeckCounts) -> Problems:
    """If a card has a modified reprint, the deck contains copies of the original or of the reprint, not of both."""
    by_root: dict[str, dict[bool, list[CardCopies]]] = {}
    for row in counts.cards():
        by_root.setdefault(row[0].root, {}).setdefault(row[0].modified, []).append(row)
    for versions in by_root.values():
        if len(versions) > 1:
            original, modified = each_label(versions[False]), each_label(versions[True])
            yield Problem(
                f"{original[0]} and {modified[0]} are two versions of one card with different rules; "
                "a deck may contain copies of only one of them.",
                cards=tuple(each_label(rows)[0] for rows in versions.values()),
                remedies=(
                    Exchange(len(original), original, modified[:1]),
                    Exchange(len(modified), modified, original[:1]),
                ),
            )


@ARKHAM.check("arkham/grimoire/campaign/reward-cards", family="access", severity="note")
def reward_cards_unlocked(counts: DeckCounts) -> Problems:
    """A deck may contain reward cards that a campaign has unlocked, but at most one permanent reward card."""
    rewards = [(card, copies) for card, copies in counts.cards() if "reward" in card.keywords]
    if not rewards:
        return
    labels = tuple(dict.fromkeys(card.label for card, _ in rewards))
    yield Problem(
        f"Reward cards, allowed once the outcome of a campaign has unlocked them: {', '.join(labels)}.",
        cards=labels,
        remedies=(Advice("compare with what your collection has unlocked"),),
    )
    permanent = [(card, copies) for card, copies in rewards if "permanent" in card.keywords]
    lasting = sum(copies for _, copies in permanent)
    if lasting > 1:
        yield Problem(
            f"{lasting} permanent reward cards; a deck may have 1.",
            cards=labels,
            severity="error",
            count=lasting,
            limit=1,
            remedies=(counts.removal(leaving_first(permanent, lasting - 1), of=permanent),),
        )


@ARKHAM.check(
    "arkham/glossary/deckbuilding", _MODIFIED_REPRINTS, family="pool", when=lambda counts: counts.agreement.products
)
def owned_products(counts: DeckCounts) -> Problems:
    """A deck has no more copies of a card than the owned products contain."""
    facts = counts.facts
    owned = Counter(counts.agreement.products)
    copies, first = Counter[tuple[str, bool]](), dict[tuple[str, bool], ArkhamCard]()
    for card, number in _pooled(counts):
        if not card.subtype:
            copies[card.version] += number
            first.setdefault(card.version, card)
    there = {version: copies_owned(owned, card, facts) for version, card in first.items()}
    short = [(card, copies[version]) for version, card in first.items() if copies[version] > there[version]]
    if not short:
        return
    over = [(card, number - there[card.version]) for card, number in short]
    other = {
        card.version: each.label
        for card, _ in over
        for each in facts.printings(card.root)
        if each.version != card.version and copies_owned(owned, each, facts)
    }
    versions = [Exchange(n, (card.label,) * n, (other[card.version],) * n) for card, n in over if card.version in other]
    rest = [(card, number) for card, number in over if card.version not in other]
    exchange = (Steps((*versions, *([counts.removal(rest)] if rest else ()))),) if versions else ()
    remedies = (*exchange, counts.removal(over), Advice("name the other products that you own"))
    cites = ("arkham/glossary/deckbuilding", *([_MODIFIED_REPRINTS] if versions else ()))
    if len(short) == 1:
        ((card, number),) = short
        problem = excess(card, number, there[card.version], "the products owned contain", remedies)
        yield replace(problem, cites=cites)
        return
    listed = ", ".join(f"{number} of {card.label} ({there[card.version]} owned)" for card, number in short)
    yield Problem(
        f"The deck contains more copies of {len(short)} cards than you own: {listed}.",
        cards=tuple(card.label for card, _ in short),
        count=sum(number for _, number in short),
        limit=sum(there[card.version] for card, _ in short),
        remedies=remedies,
        cites=cites,
    )


@ARKHAM.check("arkham/glossary/deckbuilding", family="pool", when=lambda counts: counts.deck.pool)
def named_pool(counts: DeckCounts) -> Problems:
    """All cards come from the packs that the deck is limited to."""
    facts = counts.facts
    packs = expanded(counts.deck.pool, facts)
    left = [
        (card, copies)
        for card, copies in _pooled(counts)
        if not any(printing.pack in packs for printing in facts.printings(card.root))
        and f"card:{card.root}" not in packs
    ]
    if left:
        yield _report(left, "the packs that the deck is limited to")


@ARKHAM.check("arkham/glossary/deckbuilding", family="pool", when=lambda counts: counts.deck.sealed)
def sealed_pool(counts: DeckCounts) -> Problems:
    """All cards come from the sealed pool, and the deck has no more copies than the pool."""
    facts = counts.facts
    pool: Counter[str] = Counter()
    for code, number in counts.deck.sealed.items():
        pool[facts.root(code)] += number
    for card, number in _pooled(counts):
        if number > pool[card.root] and not card.subtype:
            yield excess(card, number, pool[card.root], "the sealed pool contains")
