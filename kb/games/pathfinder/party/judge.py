"""What is impossible or against the rules about a table and its rebuilt decks, with the lines of the table file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from kb.decks.names import either, name_key
from kb.decks.report import Finding, Located
from kb.games.pathfinder.decks.counts import amount
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import SETS, Deck
from kb.games.pathfinder.decks.ruleset import RULESETS, Subject
from kb.games.pathfinder.party.checks import PARTIES, Party
from kb.games.pathfinder.party.model import Member, Rebuilt, Table
from kb.games.pathfinder.party.table import TableFile, line_of

# What can be said of a member's deck before its last cards are chosen.
EARLY = ("feat", "experience", "choice")
CORRECT = "Take it out of the list, or correct what the file says of the table (`set:`, `adventure:`, `after_scenario:`, `owns:`)."


def judge(file: TableFile, rebuilt: Rebuilt | None, facts: Facts) -> tuple[Located, ...]:
    """All findings on a table: unknown names, copies, size of the party, feats, cards that may not be there, empty places.

    `rebuilt` is None for a table with names that no card has: then only these are told. A finding stands at the line of the
    first card it names, or of the member it is about.
    """
    if rebuilt is None:
        return file.strangers
    table = file.table
    found = [Located(finding, line_of(finding, file.lines)) for finding in together(table, facts)]
    for member in table.members:
        at = file.lines.get(name_key(member.name), 0)
        for finding in alone(member, table, rebuilt, facts):
            found.append(Located(finding, line_of(finding, file.lines) or at))
        found.extend(Located(finding, at) for finding in empty_places(member, table, rebuilt))
    return tuple(found)


def together(table: Table, facts: Facts) -> Iterator[Finding]:
    """Findings on all that the table holds, whoever gets it."""
    decks_of = {member.name: member.deck for member in table.members}
    for holder, cards in table.piles():
        pile = replace(decks_of.get(holder, table.members[0].deck), stage="rebuilt", cards=cards)
        for finding in RULESETS[table.set].run(Subject(pile, facts)):
            too_early = finding.check == "loot-is-earned" and holder in decks_of
            if not too_early and (finding.family != "pool" or finding.severity == "note"):
                continue
            if not finding.cards and holder in decks_of:  # about the character, whom only members have
                yield finding
            elif finding.cards:
                said = f"{holder[:1].upper()}{holder[1:]}: {finding.message}"
                yield replace(finding, message=said, fix=CORRECT)
    beside = (*table.rewards, *(card for _, cards in table.dead for card in cards), *table.removed)
    decks = tuple(member.deck for member in table.members)
    for finding in PARTIES[table.set].run(Party(decks, facts, beside)):
        copies = (
            finding.check == "copies-over-all-decks"
        )  # piles are no decks, in which one card would stand for another
        yield (
            replace(finding, fix=f"Take {(finding.count or 0) - (finding.limit or 0)} of them out of the lists.")
            if copies
            else finding
        )


def alone(member: Member, table: Table, rebuilt: Rebuilt, facts: Facts) -> Iterator[Finding]:
    """Findings on the rebuilt deck of a member that do not depend on the cards still to be chosen."""
    deck = written(member, table, rebuilt)
    if not deck.cards:
        return
    families = EARLY if any(rebuilt.box[member.name].values()) else (*EARLY, "required")
    for finding in RULESETS[deck.set].run(Subject(deck, facts)):
        if finding.family in families and finding.severity != "note":
            yield replace(finding, message=f"{member.name}: {finding.message}")


def written(member: Member, table: Table, rebuilt: Rebuilt) -> Deck:
    """A member's deck as it is after the rebuild, with where its cards came from and went."""
    name = member.name
    return replace(
        member.deck,
        stage="new" if member.newcomer else "rebuilt",
        cards=rebuilt.cards(name),
        from_box=None if member.newcomer else rebuilt.chosen.get(name, ()),
        had=None if member.newcomer else member.deck.cards,
        received=tuple(move.card for move in rebuilt.moves if move.to == name),
        gave=tuple(move.card for move in rebuilt.moves if move.origin == name),
        left_over=rebuilt.left_over,
        party=tuple(other.name for other in table.members),
    )


def empty_places(member: Member, table: Table, rebuilt: Rebuilt) -> Iterator[Finding]:
    """A finding for each type of which neither table nor box has enough."""
    for kind, number in (rebuilt.unfilled.get(member.name) or {}).items():
        loot = Counter(card.name for card in rebuilt.disputed.get(member.name, {}).get(kind, ()))
        fix = "Choose other products, or let the table agree on another card."
        if loot:
            fix = f"Agree at the table whether loot may fill the place: {either(loot)}."
        yield Finding(
            check="box-has-a-card",
            game="pathfinder",
            count=0,
            limit=number,
            family="campaign",
            severity="error",
            message=f"{member.name} lacks {amount(number, kind)}, and no card that may come from the box is left there.",
            cards=tuple(loot),
            cites=(f"pathfinder/{table.set}/cards-from-the-box", f"pathfinder/{table.set}/limited-resources")
            if SETS[table.set].limited_resources
            else (f"pathfinder/{table.set}/cards-from-the-box",),
            fix=fix,
        )
