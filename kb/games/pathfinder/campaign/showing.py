"""Shows a Pathfinder campaign: the changes that each game makes, the current decks, facts and charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kb.campaigns.campaign import (
    CampaignChart,
    CardLine,
    ChartRow,
    ChartShare,
    DeckNow,
    MemberDice,
    NextSetUp,
    SkillRoll,
    StateChange,
    TableDice,
)
from kb.campaigns.game_campaign import recorded_changes
from kb.decks.names import both, counted_names
from kb.files.text import slug
from kb.games.pathfinder.campaign.game_step import GameStep, PartyMember, PartyState, PathfinderSetup, Visit, left_over
from kb.games.pathfinder.decks.facts import ADVENTURES, FEAT_KINDS, SET_TITLES, SETS, Adventure, Facts, PathfinderCard
from kb.games.pathfinder.party.to_rebuild import in_order
from kb.games.pathfinder.scenarios.dice import dice_of

TONES = {"skill": "combat", "power": "loot", "card": "tainted-grail"}


def changes(step: GameStep) -> Iterator[StateChange]:
    """Yield the changes that a game makes, each with the rules entry that is its reason."""
    played, before, after = step.played, step.before, step.after

    def entry(name: str) -> str:
        return f"pathfinder/{step.set}/{name}"

    yield from recorded_changes(
        played, dict.fromkeys((*(each.name for each in before.people), *played.joined)), in_words, entry
    )
    for trader in played.gives.traders if played.won else ():
        yield StateChange("", f"trader checked off: {trader}", entry("bazaar" if SETS[step.set].traders else "rewards"))
    if step.completed and played.won and (played.adventure.deck, 0) not in before.won:
        yield StateChange("", f"{played.adventure.name} is complete", entry("completing-an-adventure"))
    hands, _ = step.hands()
    for person in after.people:
        cards, rebuild = Counter(person.cards), "rebuilding-your-deck"
        had = hands.get(person.name, Counter())
        boxed = (cards - had) & Counter(file.from_box) if (file := played.decks.get(person.name)) else Counter()
        for words, moved, cite in (
            ("takes", cards - had - boxed, rebuild),
            ("from the box:", boxed, "cards-from-the-box"),
            ("gives up", had - cards, rebuild),
        ):
            if moved and file and person.name in before.names and person.name not in played.died:
                yield StateChange(person.name, f"{words} {in_words(moved.elements())}", entry(cite))
        if person.name in played.died and person.new:
            begins = f"begins with {in_words(cards.elements())}"
            yield StateChange(called(person, after), begins, entry("starting-after-dying"))
        if missed := Counter(played.wishes.get(person.name, ())) - cards:
            yield StateChange(person.name, f"did not get {in_words(missed.elements())}", entry(rebuild))
    if over := in_words(left_over(step)) if step.known else "":
        fate = "back into the box"
        if played.died and SETS[step.set].dead_cards == "banished":
            fate = "the cards of dead characters are banished; the rest goes back into the box"
        yield StateChange("", f"left over: {over} ({fate})", entry("dying" if played.died else "cards-from-the-box"))


def in_words(value: Any) -> str:
    """Return `value` as text. Cards are listed with their numbers of copies, and feats one by one."""
    if isinstance(value, str | Visit):
        return str(value)
    return counted_names(each.name if isinstance(each, PathfinderCard) else str(each) for each in value)


def called(person: PartyMember, party: PartyState) -> str:
    """Return the name of a character. If a character with the same name died before, `new character` is added."""
    deaths = sum(each.name == person.name for each in party.out)
    return f"{person.name}, new character{f' no. {deaths + 1}' if deaths > 1 else ''}" if deaths else person.name


def players(party: PartyState) -> str:
    """Return the names of the party's characters, separated by commas."""
    names = [called(person, party) for person in party.people]
    return ("; " if any("," in name for name in names) else ", ").join(names)


def decks_now(party: PartyState, facts: Facts) -> Iterator[DeckNow]:
    """Yield each character's deck, with its cards listed by type."""
    for person in party.people:
        feats = Counter(f"{feat.kind} {feat.what}" for feat in person.feats)
        feat_list = ", ".join(f"{what}{f' x{number}' if number > 1 else ''}" for what, number in feats.items())
        heading = f"{called(person, party)}{f', {person.role}' if person.role else ''}{f' ({feat_list})' if feat_list else ''}"
        piles: dict[str, list[CardLine]] = {}
        for card, copies in sorted(Counter(person.cards).items(), key=lambda each: in_order(each[0])):
            piles.setdefault(card.type or "type unknown", []).append(CardLine(card.name, copies, card.deck or ""))
        yield DeckNow(person.name, heading, piles)


def facts_of(setup: PathfinderSetup, party: PartyState, facts: Facts) -> Iterable[tuple[str, str]]:
    """Return pairs of label and value to show below the campaign's name, such as `Set` and `Mummy's Mask`."""
    main, every = path(setup, facts), facts.adventures.get(setup.set, ())
    won = f"{sum(won_of(each, party) for each in main)} of {sum(len(each.scenarios) for each in main)}"
    beside = [f"{number} of {each.name}" for each in every if each not in main and (number := won_of(each, party))]
    return (
        ("Set", SET_TITLES[setup.set]),
        ("Players", players(party) or "none"),
        ("Scenarios won", f"{won} of the adventure path, {both(beside)}" if beside else won),
        ("Dead", ", ".join(person.name for person in party.out)),
        ("Traders", ", ".join(sorted(party.traders))),
        ("Removed from the game", in_words(party.removed)),
    )


def next_set_up(setup: PathfinderSetup, party: PartyState, facts: Facts) -> NextSetUp | None:
    """Return the next scenario to play, with the address of its page and the section of that page for the number of
    players.

    The result is None if all scenarios are won or nobody plays.
    """
    deck, name = coming(setup, party, facts)
    if deck is None or not party.people:
        return None
    return NextSetUp(name, f"pathfinder/{setup.set}/scenarios/{slug(name)}", f"players-{len(party.people)}")


def coming(setup: PathfinderSetup, party: PartyState, facts: Facts) -> tuple[str | None, str]:
    """Return the adventure deck and the name of the next scenario: the first on the path that the party has not won.

    Scenarios before the first recorded adventure do not count. If all scenarios are won, the deck is None.
    """
    follow = [each for each in path(setup, facts) if ADVENTURES.index(each.deck) >= ADVENTURES.index(setup.starts)]
    scenarios = [(each.deck, number, gives.name) for each in follow for number, gives in enumerate(each.scenarios, 1)]
    return next(((deck, name) for deck, number, name in scenarios if (deck, number) not in party.won), (None, ""))


def table_dice(setup: PathfinderSetup, party: PartyState, facts: Facts) -> TableDice | None:
    """Return the dice that each character rolls for each skill; None if nobody plays.

    The result includes the adventure deck number of the next scenario, or of the last adventure if all are won.
    """
    if not party.people:
        return None
    deck, _ = coming(setup, party, facts)
    members = tuple(MemberDice(each.name, rolls_of(each)) for each in party.people)
    return TableDice(f"pathfinder/{setup.set}", int((deck or ADVENTURES[-1]).replace("B", "0")), members)


def rolls_of(person: PartyMember) -> dict[str, SkillRoll]:
    """Return the die and the bonus that a character rolls for each skill. Skill feats are included."""
    feats = Counter(feat.what for feat in person.feats if feat.kind == "skill")
    return {skill: SkillRoll(roll.dice[0], roll.added) for skill, roll in dice_of(person.character, feats).items()}


def path(setup: PathfinderSetup, facts: Facts) -> list[Adventure]:
    """Return the adventures of the set's Adventure Path, in order."""
    return [each for each in facts.adventures.get(setup.set, ()) if each.path]


def won_of(adventure: Adventure, party: PartyState) -> int:
    """Return the number of scenarios of `adventure` that the party has won."""
    return sum((adventure.deck, number) in party.won for number in range(1, len(adventure.scenarios) + 1))


def charts(setup: PathfinderSetup, parties: Sequence[PartyState], facts: Facts) -> tuple[CampaignChart, ...]:
    """Return two charts: the scenarios won in each adventure, and the feats of each character.

    `parties` are the states of the party from the start of the campaign to now.
    """
    party = parties[-1]
    won = [
        ChartRow(f"Adventure {each.deck}", (ChartShare(won_of(each, party), "pathfinder", "won"),))
        for each in facts.adventures.get(setup.set, ())
        if each.path or won_of(each, party)
    ]
    feats = [
        ChartRow(
            person.name, tuple(ChartShare(person.count(kind), TONES[kind], f"{kind} feats") for kind in FEAT_KINDS)
        )
        for person in party.people
    ]
    return CampaignChart("Scenarios", tuple(won)), CampaignChart("Feats", tuple(feats))
