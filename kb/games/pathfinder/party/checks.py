"""Checks over the decks of one table, and over a table file with its rebuilt decks, whose lines the findings name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kb.decks.names import both, counted_names, either, name_key
from kb.decks.problems import Check, Finding, Problem, Problems
from kb.decks.report import Located
from kb.decks.ruleset import Ruleset
from kb.frozen import frozen
from kb.games.pathfinder.decks.access import (
    loot_is_earned,
    played_twice,
    taken_too_early,
    too_many_decks,
    too_much_loot,
    unearned,
)
from kb.games.pathfinder.decks.counts import amount
from kb.games.pathfinder.decks.model import SET_TITLES, SETS, Card, Deck, Facts, names
from kb.games.pathfinder.decks.ruleset import RULESETS, Subject, rules_of
from kb.games.pathfinder.party.rebuild import rebuild_party
from kb.games.pathfinder.party.table import REWARDS, Member, Rebuilt, Table, TableFile, line_of
from kb.plural import counted


@frozen
class Party:
    """The decks of one table; `beside` are cards outside them that are not in the box either (rewards, removed cards)."""

    decks: tuple[Deck, ...]
    facts: Facts
    beside: tuple[Card, ...] = ()

    @property
    def set(self) -> str:
        """The set whose rulebook applies: that of the first deck."""
        return self.decks[0].set

    def held(self) -> Counter[Card]:
        """All cards that are not in the box."""
        return Counter(card for deck in self.decks for card in deck.cards) + Counter(self.beside)

    def spare(self) -> Counter[Card]:
        """Cards of the table that went into no deck, as the deck files say.

        Every file may list what the whole table left over, so the longest list counts. What a member had and did not keep
        or give away counts as well.
        """
        listed, own = Counter[Card](), Counter[Card]()
        for deck in self.decks:
            listed |= Counter(deck.left_over)
            own += deck.not_kept()
        return listed | own


PARTIES = {
    set_id: Ruleset[Party]("pathfinder", f"Pathfinder, {title}, the decks of one table")
    for set_id, title in SET_TITLES.items()
}
table_rule = rules_of(PARTIES)


def check_party(decks: Sequence[Deck], facts: Facts, outside: Iterable[Card] = ()) -> tuple[Finding, ...]:
    """All findings on the decks of one table together, by the rulebook of the first deck's set. There must be a deck."""
    party = Party(tuple(decks), facts, tuple(outside))
    return tuple(PARTIES[party.set].run(party))


@table_rule("card-sets", "set-indicators", "limited-decks-at-once", family="copies")
def copies_over_all_decks(party: Party) -> Problems:
    """The decks of a table hold no more copies of a card together than its products have, where that number is known."""
    adventure = max((deck.adventure for deck in party.decks), key=lambda each: each.replace("B", "0"))
    owns = None
    if all(deck.owns is not None for deck in party.decks):
        owns = frozenset[str]().union(*(deck.owns or frozenset() for deck in party.decks))
    subject = Subject(replace(party.decks[0], adventure=adventure, owns=owns), party.facts)
    for card, number in party.held().items():
        there = subject.copies(card)
        if there is None or number <= there or there == 0:
            continue
        holders = [deck for deck in party.decks if card in deck.cards]
        number_outside = party.beside.count(card)
        where = [deck.character.name for deck in holders] + (
            [f"{number_outside} beside the decks"] if number_outside else []
        )
        last = Subject(replace(holders[-1], adventure=adventure, owns=owns), party.facts) if holders else None
        options = last.alternatives(card.type or "", number - there, card) if last else ""
        other = f" in the deck of {last.name}, for instance for {options}" if last and options else ""
        yield Problem(
            f"{number} copies of {card.name} are out of the box ({', '.join(where)}); there {'is' if there == 1 else 'are'} {there}."
            if number_outside
            else f"The table holds {number} copies of {card.name} ({', '.join(where)}); there {'is' if there == 1 else 'are'} {there}.",
            f"Exchange {number - there} of them{other}, or correct the lists.",
            (card.name,),
            count=number,
            limit=there,
        )


@table_rule("loot", "loot-reward", "winning-the-scenario")
def loot_over_all_decks(party: Party) -> Problems:
    """A table holds loot no more often than the rewards up to now have given it, whoever has it."""
    decks = [deck for deck in party.decks if deck.stage == "rebuilt"]
    copies = Counter(party.beside)
    for deck in decks:
        copies += Counter(deck.cards) - Counter(deck.from_box or ())
    furthest = max(
        decks, key=lambda deck: (deck.number, 9 if deck.after_scenario is None else deck.after_scenario), default=None
    )
    for card, number, given in unearned(Subject(furthest, party.facts), copies) if furthest else ():
        if all(deck.cards.count(card) <= given for deck in decks):  # else the check of that deck tells it
            yield Problem(
                f"The table holds {counted_names([card.name] * number)}: {too_much_loot(given)}",
                f"Take {number - given} of them out, or correct `adventure:` and `after_scenario:`."
                if number - given > 1
                else f"Take {'one of them' if given else 'it'} out, or correct `adventure:` and `after_scenario:`.",
                (card.name,),
                count=number,
                limit=given,
            )


@table_rule("cards-from-the-box", "rebuilding-your-deck")
def box_only_when_the_table_lacks(party: Party) -> Problems:
    """A card comes from the box only when no player at the table has a card left that could stand in its place."""
    yield from taken_too_early([Subject(deck, party.facts) for deck in party.decks], party.spare())


@table_rule("limited-decks-at-once", "starting-a-new-character")
def size_of_the_party(party: Party) -> Problems:
    """No more than 4 decks are built at once with the base set, 6 with the Character Add-On Deck."""
    owned = [deck.owns for deck in party.decks if deck.owns is not None]
    yield from too_many_decks([deck.character for deck in party.decks], frozenset().union(*owned) if owned else None)


@table_rule("choose-your-character")
def one_player_a_character(party: Party) -> Problems:
    """No two players play the same character card."""
    yield from played_twice([deck.character.name for deck in party.decks])


@table_rule("organizing-the-box", "card-sets", family="pool")
def one_box(party: Party) -> Problems:
    """All decks of a table are of one set, whose box is played."""
    sets = list(dict.fromkeys(deck.set for deck in party.decks))
    if len(sets) > 1:
        yield Problem(
            f"The decks are of {both([SET_TITLES[each] for each in sets])}.",
            "Judge the decks of each box by themselves: cards of two boxes are not one stock.",
        )


@table_rule("rebuilding-your-deck", "put-the-current-adventure-card-faceup", severity="warning")
def one_adventure(party: Party) -> Problems:
    """All decks of a table are at the same adventure."""
    played = list(dict.fromkeys(deck.adventure for deck in party.decks))
    if len(played) > 1:
        yield Problem(
            f"The decks say different adventures: {', '.join(played)}. Copies are counted for the latest.",
            "Correct `adventure:` where it is wrong.",
        )


@table_rule("trading-cards", "rebuilding-your-deck", severity="warning")
def what_is_given_is_received(party: Party) -> Problems:
    """A card that one player gave away, another received, or it is left over."""
    taken = Counter(card for deck in party.decks for card in deck.received) + party.spare()
    for deck in party.decks:
        lost = Counter(deck.gave) - taken
        taken -= Counter(deck.gave)
        if lost:
            yield Problem(
                f"{deck.character.name} gave {counted_names(names(lost.elements()))} away, but nobody at the table received it.",
                "List it under `received` of the member who has it, or under `left_over`.",
                tuple(names(lost)),
            )


REFUSED_MOVES: Check[Table] = Check(
    "refused-moves",
    "campaign",
    ("pathfinder/rotr/rebuilding-your-deck", "pathfinder/rotr/cards-from-the-box"),
    "What members refuse leaves a legal way to rebuild.",
    "error",
    lambda _table: (),
    "pathfinder",
)
BOX_HAS_A_CARD: Check[Table] = Check(
    "box-has-a-card",
    "campaign",
    ("pathfinder/rotr/cards-from-the-box",),
    "Every place of a deck can be filled.",
    "error",
    lambda _table: (),
    "pathfinder",
)

# What can be said of a member's deck before its last cards are chosen.
EARLY = ("feat", "experience", "choice")
CORRECT = (
    "Take it out of the list, or correct what is said of the table (`set:`, `adventure:`, `after_scenario:`, `owns:`)."
)


def judge(file: TableFile, rebuilt: Rebuilt | None, facts: Facts) -> tuple[Located, ...]:
    """All findings on a table: unknown names, copies, size of the party, feats, cards that may not be there, empty places.

    `rebuilt` is None for a table with names that no card has: then only these are told. A finding stands at the line of the
    first card it names, or of the member it is about.
    """
    if rebuilt is None:
        return file.strangers
    table = file.table
    findings = [Located(finding, line_of(finding, file.lines)) for finding in together(table, facts)]
    for member in table.members:
        at = file.lines.get(name_key(member.name), 0)
        for finding in alone(member, table, rebuilt, facts):
            findings.append(Located(finding, line_of(finding, file.lines) or at))
        findings.extend(Located(finding, at) for finding in empty_places(member, table, rebuilt))
    findings.extend(Located(finding) for finding in price_of_refusals(table, rebuilt, facts))
    return tuple(findings)


def price_of_refusals(table: Table, rebuilt: Rebuilt, facts: Facts) -> Iterator[Finding]:
    """What it costs that members refuse moves: wishes; or no legal plan is left, since the box may add only what the table lacks."""
    refusing = [member for member in table.members if member.refuses]
    if not refusing:
        return
    willing = tuple(replace(member, refuses=()) for member in table.members)
    free = rebuild_party(
        replace(table, members=willing), facts, fill=any(each.chosen is not None for each in rebuilt.members.values())
    )
    lacking, unfilled = (
        [sum(sum(getattr(each, places).values()) for each in plan.members.values()) for plan in (rebuilt, free)]
        for places in ("lacking", "unfilled")
    )
    broken = lacking[0] > lacking[1] or unfilled[0] > unfilled[1]
    lost = [f"{name}: {card.name}" for name, card in (Counter(rebuilt.missed) - Counter(free.missed)).elements()]
    message = "The refusals cost nothing: no wish is lost, and the box gives no more cards."
    if lost:
        message = f"The refusals cost {counted(len(lost), 'wish')} ({counted_names(lost)})."
    if broken:
        message = "With what is refused no plan is legal: the table has what fits, and yet the box must give more, or places stay empty."
    problem = Problem(
        message,
        severity="error" if broken else "note",
        cards=tuple(dict.fromkeys(card.name for member in refusing for card in member.refuses)),
        cites=tuple(f"pathfinder/{table.set}/{each}" for each in ("rebuilding-your-deck", "cards-from-the-box")),
        fix=f"Allow some of it again: {'; '.join(f'{each.name}: {counted_names(names(each.refuses))}' for each in refusing)}."
        if broken or lost
        else "",
    )
    yield Finding(REFUSED_MOVES, problem)


def together(table: Table, facts: Facts) -> Iterator[Finding]:
    """Findings on all that the table holds, whoever gets it."""
    decks_of = {member.name: member.deck for member in table.members}
    for holder, cards in table.piles():
        pile = replace(decks_of.get(holder, table.members[0].deck), stage="rebuilt", cards=cards)
        for finding in RULESETS[table.set].run(Subject(pile, facts)):
            too_early = finding.by(loot_is_earned) and holder in decks_of
            if not too_early and (finding.family != "pool" or finding.severity == "note"):
                continue
            if not finding.cards and holder in decks_of:  # about the character, whom only members have
                yield finding
            elif finding.cards:
                message = f"{holder[:1].upper()}{holder[1:]}: {finding.message}"
                yield finding.altered(message=message, fix=CORRECT)
    outside = (*table.rewards, *(card for _, cards in table.dead for card in cards), *table.removed)
    decks = tuple(member.deck for member in table.members)
    for finding in PARTIES[table.set].run(Party(decks, facts, outside)):
        if finding.by(copies_over_all_decks):  # piles are no decks, in which one card would stand for another
            more = (finding.count or 0) - (finding.limit or 0)
            holders = [holder for holder, cards in table.piles() if finding.cards[0] in names(cards)]
            people = [holder.removeprefix("late ") for holder in holders if holder != REWARDS]
            where = [f"the deck that {either(people)} had", "what was gained"] if people else []
            where += ["what the reward gave"] if REWARDS in holders else []
            finding = finding.altered(fix=f"Take {more} of them out of {either(where)}.")
        yield finding


def alone(member: Member, table: Table, rebuilt: Rebuilt, facts: Facts) -> Iterator[Finding]:
    """Findings on the rebuilt deck of a member that do not depend on the cards still to be chosen."""
    deck = written(member, table, rebuilt)
    if not deck.cards:
        return
    families = EARLY if any(rebuilt.members[member.name].box.values()) else (*EARLY, "required")
    for finding in RULESETS[deck.set].run(Subject(deck, facts)):
        if finding.family in families and finding.severity != "note":
            yield replace(finding, deck=member.name)


def written(member: Member, table: Table, rebuilt: Rebuilt) -> Deck:
    """A member's deck as it is after the rebuild, with where its cards came from and went."""
    name = member.name
    return replace(
        member.deck,
        stage="new" if member.newcomer else "rebuilt",
        cards=rebuilt.members[name].cards,
        from_box=None if member.newcomer else rebuilt.members[name].chosen or (),
        had=None if member.newcomer else member.deck.cards,
        received=tuple(move.card for move in rebuilt.moves if move.to == name),
        gave=tuple(move.card for move in rebuilt.moves if move.origin == name),
        left_over=() if member.newcomer else rebuilt.left_over,
        party=tuple(other.name for other in table.members),
    )


def empty_places(member: Member, table: Table, rebuilt: Rebuilt) -> Iterator[Finding]:
    """A finding for each type of which neither table nor box has enough."""
    entries = ["cards-from-the-box", *(["limited-resources"] if SETS[table.set].limited_resources else [])]
    for kind, number in rebuilt.members[member.name].unfilled.items():
        loot = tuple(names(rebuilt.members[member.name].disputed.get(kind, ())))
        fix = "Choose other products, or let the table agree on another card."
        if loot:
            fix = f"Agree at the table whether loot may fill the place: {either(loot)}."
        problem = Problem(
            f"{member.name} lacks {amount(number, kind)}, and no card that may come from the box is left there.",
            cards=loot,
            cites=tuple(f"pathfinder/{table.set}/{each}" for each in entries),
            fix=fix,
            count=0,
            limit=number,
        )
        yield Finding(BOX_HAS_A_CARD, problem)
