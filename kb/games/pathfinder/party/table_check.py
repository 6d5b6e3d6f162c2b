"""Checks the decks of a party together. Checks a party file with its rebuilt decks and finds each problem's line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kb.decks.names import both, counted_names, did_you_mean, name_key
from kb.decks.problems import At, Check, Finding, Problem, Problems
from kb.decks.remedies import Advice, Remedy, Unlist
from kb.decks.report import Located
from kb.games.pathfinder.decks.deck import PathfinderDeck
from kb.games.pathfinder.decks.facts import SET_TITLES, SETS, Facts, PathfinderCard, names
from kb.games.pathfinder.decks.rulesets import PARTIES, RULESETS, amount
from kb.games.pathfinder.decks.table import GameTable
from kb.games.pathfinder.party.rebuild import lacks, rebuild_party
from kb.games.pathfinder.party.table_file import TableFile
from kb.games.pathfinder.party.to_rebuild import Member, Rebuilt, TableToRebuild
from kb.plural import counted

EARLY = ("feat", "experience", "choice")
"""Families of rules that can be checked before the players have chosen the last cards of a deck."""


def check_party(
    decks: Sequence[PathfinderDeck], facts: Facts, removed: Iterable[PathfinderCard] = ()
) -> tuple[Finding, ...]:
    """Check the decks of a party together, by the rules of the first deck's set, and return the findings.

    Problems of a single deck are not included, because they are in the report on that deck. `decks` must not be empty.
    `removed` are cards removed from the game.
    """
    table = GameTable(decks, facts, removed=tuple(removed))
    if table.alone and not table.removed:
        return ()
    return tuple(each for each in PARTIES[table.set].run(table) if table.alone or not each.problem.who)


def _check(
    name: str, *cites: str, family: str = "campaign", severity: str = "error", summary: str
) -> Check[TableToRebuild]:
    """Return a check for findings that other code makes while it reads or rebuilds a party file. Running the check
    itself finds nothing.
    """

    def nothing(_: TableToRebuild) -> Problems:
        yield from ()

    return Check(name, family, cites, summary, severity, nothing, "pathfinder")  # type: ignore[arg-type]


KNOWN_CARDS = _check(
    "known-cards", "pathfinder/rotr/card-sets", family="pool", summary="Every name is a card of the set."
)
REFUSED_MOVES = _check(
    "refused-moves",
    "pathfinder/rotr/rebuilding-your-deck",
    "pathfinder/rotr/cards-from-the-box",
    summary="A legal rebuild is possible without the trades that members refuse.",
)
KEPT_CARDS = _check(
    "kept-cards-fit",
    "pathfinder/rotr/rebuilding-your-deck",
    "pathfinder/rotr/cards-list",
    summary="A member's deck has room for every card that the member keeps.",
)
BOX_HAS_A_CARD = _check(
    "box-has-a-card", "pathfinder/rotr/cards-from-the-box", summary="Every gap in a deck can be filled."
)


def judge(file: TableFile, rebuilt: Rebuilt | None, facts: Facts) -> tuple[Located, ...]:
    """Check a party file and its rebuilt decks, and return all findings with their lines.

    If the file has unknown names, `rebuilt` is None and only these names are reported. A finding has the line of the
    first card that it names, or else the line of the member that it is about.
    """
    table = file.table
    if rebuilt is None:
        return tuple(Located(stranger(name, table.set, known), node.line) for node, name, known in file.strangers)
    found = [*before(table, facts), *after(table, rebuilt, facts), *price_of_refusals(table, rebuilt, facts)]
    return tuple(
        Located(finding, file.line_of(finding.cards) or file.lines.get(name_key(finding.problem.who), 0))
        for finding in found
    )


def stranger(name: str, set_id: str, known: Sequence[str]) -> Finding:
    """Return the finding that no card in the set is called `name`. `known` are the names to suggest from."""
    hint = did_you_mean(name, known).strip()
    described = "correct the name, or describe the card: {name: …, type: weapon, deck: B, basic: true}"
    problem = Problem(
        f"There is no card {name!r} in {SET_TITLES[set_id]}.{f' {hint}' if hint else ''}",
        cards=(name,),
        cites=(f"pathfinder/{set_id}/card-sets",),
        remedies=(Advice(described),),
    )
    return Finding(KNOWN_CARDS, problem)


def before(table: TableToRebuild, facts: Facts) -> Iterator[Finding]:
    """Yield the findings on a party before the rebuild: cards that are not in the box yet, and rules on the whole
    party.
    """
    now = table.before(facts)
    for check in RULESETS[table.set].checks:
        if check.family == "pool":
            for finding in check.findings(now):
                if finding.severity != "note":
                    yield replace(finding, deck=f"{finding.who[:1].upper()}{finding.who[1:]}")
    yield from PARTIES[table.set].run(now)


def after(table: TableToRebuild, rebuilt: Rebuilt, facts: Facts) -> Iterator[Finding]:
    """Yield the findings on the rebuilt decks. Rules that depend on cards still to be chosen are not checked."""
    decks = {member.name: written(member, table, rebuilt) for member in table.members}
    for member in table.members:
        if decks[member.name].cards:
            families = EARLY if any(rebuilt.members[member.name].box.values()) else (*EARLY, "required")
            alone = GameTable([decks[member.name]], facts, removed=table.removed)
            for check in RULESETS[table.set].checks:
                if check.family in families:
                    for finding in check.findings(alone):
                        if finding.severity != "note":
                            yield replace(finding.altered(who=member.name), deck=member.name)
        yield from not_kept(member, table, rebuilt)
        yield from empty_places(member, table, rebuilt)


def not_kept(member: Member, table: TableToRebuild, rebuilt: Rebuilt) -> Iterator[Finding]:
    """Yield a finding for each type where a member keeps more cards (`keep:`) than the deck has room for."""
    renewed = rebuilt.members[member.name]
    over = Counter(member.keep) - Counter(renewed.cards)
    for kind in dict.fromkeys(card.type for card in over):
        kept = [card for card in member.keep if card.type == kind]
        places = renewed.need.get(kind or "", 0)
        problem = Problem(
            f"{member.name} keeps {counted_names(names(kept))}, but the deck has "
            f"{'no place' if not places else counted(places, 'place')} for them.",
            cards=tuple(dict.fromkeys(names(card for card in over if card.type == kind))),
            who=member.name,
            count=len(kept),
            limit=places,
            cites=tuple(f"pathfinder/{table.set}/{each}" for each in ("rebuilding-your-deck", "cards-list")),
            at=At("keep", member.name),
            remedies=tuple(
                Unlist("keep", (card.name,) * number, who=member.name)
                for card, number in over.items()
                if card.type == kind
            ),
        )
        yield Finding(KEPT_CARDS, problem)


def empty_places(member: Member, table: TableToRebuild, rebuilt: Rebuilt) -> Iterator[Finding]:
    """Yield a finding for each type where the party and the box together do not have enough cards for a member."""
    entries = ["cards-from-the-box", *(["limited-resources"] if SETS[table.set].limited_resources else [])]
    for kind, number in rebuilt.members[member.name].unfilled.items():
        loot = tuple(names(rebuilt.members[member.name].disputed.get(kind, ())))
        remedy = Advice("choose other products, or agree with your group on another card")
        if loot:
            remedy = Advice(f"agree with your group whether loot may fill the gap: {counted_names(loot)}")
        problem = Problem(
            f"{member.name} lacks {amount(number, kind)}, and the box has no card left that {member.name} may take.",
            cards=loot,
            cites=tuple(f"pathfinder/{table.set}/{each}" for each in entries),
            who=member.name,
            count=0,
            limit=number,
            remedies=(remedy,),
        )
        yield Finding(BOX_HAS_A_CARD, problem)


def price_of_refusals(table: TableToRebuild, rebuilt: Rebuilt, facts: Facts) -> Iterator[Finding]:
    """Yield a finding that says what the members' refusals cost, compared with a rebuild without refusals.

    Refusals can cost wishes. They can also make a legal rebuild impossible, because cards may come from the box only if
    the party has no card that fits, and because a member may refuse a card that a character card requires.
    """
    refusing = [member for member in table.members if member.refuses]
    if not refusing:
        return
    willing = tuple(replace(member, refuses=()) for member in table.members)
    fill = any(each.chosen is not None for each in rebuilt.members.values())
    free = rebuild_party(replace(table, members=willing), facts, fill)
    lacking, unfilled = (
        [sum(sum(getattr(each, places).values()) for each in plan.members.values()) for plan in (rebuilt, free)]
        for places in ("lacking", "unfilled")
    )
    gaps = lacking[0] > lacking[1] or unfilled[0] > unfilled[1]
    without = [
        {(member.name, name) for member in table.members for name in lacks(member, plan.members[member.name].cards)}
        for plan in (rebuilt, free)
    ]
    lost = [f"{name}: {card.name}" for name, card in (Counter(rebuilt.missed) - Counter(free.missed)).elements()]
    message = "The refusals cost nothing: no wish is lost, and the box gives no more cards."
    if lost:
        message = f"The refusals cost {counted(len(lost), 'wish')} ({counted_names(lost)})."
    required = sorted(without[0] - without[1])
    broken = gaps or bool(required)
    if broken:
        message = "With these refusals there is no legal plan."
    if gaps:
        message += " The party has cards that fit, but gaps would stay empty or be filled from the box."
    if required:
        message += f" {both(f'{name} must have {card}' for name, card in required)}."
    allow: tuple[Remedy, ...] = tuple(
        Unlist("refuses", tuple(names(each.refuses)), who=each.name) for each in refusing if broken or lost
    )
    problem = Problem(
        message,
        severity="error" if broken else "note",
        cards=tuple(dict.fromkeys(card.name for member in refusing for card in member.refuses)),
        cites=tuple(f"pathfinder/{table.set}/{each}" for each in ("rebuilding-your-deck", "cards-from-the-box")),
        at=At("refuses"),
        remedies=allow,
    )
    yield Finding(REFUSED_MOVES, problem)


def written(member: Member, table: TableToRebuild, rebuilt: Rebuilt) -> PathfinderDeck:
    """Return a member's deck after the rebuild, with the cards that the member had, received, gave and took."""
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
