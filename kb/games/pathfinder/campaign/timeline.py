"""What a Pathfinder campaign's timeline tells: changes with their reasons, decks, numbers to draw, what the next game is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from kb.campaigns.model import Change, DeckNow, Line, Row, Step, Tally
from kb.decks.names import name_key, tally
from kb.games.pathfinder.campaign.advance import left_over
from kb.games.pathfinder.campaign.model import Head, Moment, Party, Person
from kb.games.pathfinder.decks.facts import Facts
from kb.games.pathfinder.decks.model import ADVENTURES, CARD_TYPES, FEAT_KINDS, SET_TITLES, SETS, Adventure, Card
from kb.plural import counted

NOT_CHECKED = (
    "whether the cards gained were met and won in the scenario, and whether a trader had drawn the card that was taken",
    "cards that a reward lets you draw by type: no source can tell which ones they were",
    "power feats against the boxes of the character, which the card facts do not hold",
)
TONES = {"skill": "combat", "power": "loot", "card": "tainted-grail"}


def begins(party: Party) -> Iterator[Change]:
    """Who begins."""
    for person in party.people:
        yield Change(person.name, f"begins with {counted(len(person.cards), 'card')}")


def changes(moment: Moment) -> Iterator[Change]:
    """What a game changed and why."""
    rule = f"pathfinder/{moment.set}/"
    played = moment.played
    for name in played.died:
        yield Change(name, "dies", f"{rule}dying")
    for person in moment.before.people:
        yield from gains(moment, person, rule)
    for card, number in Counter(played.rewards).items():
        yield Change("", f"the reward gives {tally([card.name] * number)}", f"{rule}rewards")
    for trader in played.gives.traders if played.won else ():
        yield Change(
            "", f"trader checked off: {trader}", f"{rule}bazaar" if SETS[moment.set].traders else f"{rule}rewards"
        )
    if moment.completed and moment.played.won and (played.adventure.deck, 0) not in moment.before.won:
        yield Change("", f"{played.adventure.name} is complete", f"{rule}completing-an-adventure")
    for name in played.left:
        yield Change(name, "leaves", f"{rule}starting-a-new-character")
    for name in played.joined:
        yield Change(name, "joins", f"{rule}{'starting-after-dying' if played.died else 'starting-a-new-character'}")
    for person in moment.after.people:
        yield from deck_changes(moment, person, rule)
    over = tally(card.name for card in left_over(moment)) if moment.known and played.decks else ""
    if over:
        fate = "back into the box"
        if played.died and SETS[moment.set].dead_cards == "banished":
            fate = "what the dead held is banished; the rest goes back into the box"
        yield Change("", f"left over: {over} ({fate})", f"{rule}{'dying' if played.died else 'cards-from-the-box'}")


def gains(moment: Moment, person: Person, rule: str) -> Iterator[Change]:
    """What a character gained or lost in the game."""
    played, name = moment.played, person.name
    if cards := played.gained.get(name):
        yield Change(name, f"gains {names(cards)}")
    for key, piles in (("banishes", played.banished), ("removes from the game", played.removed)):
        if cards := piles.get(name):
            yield Change(name, f"{key} {names(cards)}", f"{rule}banish")
    for feat in played.feats.get(name, ()):
        yield Change(name, f"{feat.kind} feat: {feat.what}", f"{rule}feat-reward")
    if role := played.roles.get(name):
        yield Change(name, f"becomes {role}", f"{rule}role-cards")
    if visit := played.visits.get(name):
        traded = f", pays {names(visit.paid)} for {visit.took.name}" if visit.took else ""
        yield Change(name, f"visits {visit.trader}{traded}", f"{rule}traders")


def deck_changes(moment: Moment, person: Person, rule: str) -> Iterator[Change]:
    """What came into a deck, and from where; what left it."""
    old = moment.before.person(person.name)
    if old is None or person.name not in moment.played.decks:
        return
    played = moment.played
    visit = played.visits.get(person.name)
    had = Counter(old.cards) - Counter(visit.paid if visit else ())
    for piles in (played.banished, played.removed):
        had -= Counter(piles.get(person.name, ()))
    came, went = Counter(person.cards) - had, had - Counter(person.cards)
    boxed = came & Counter(played.decks[person.name].from_box)
    if plain := came - boxed:
        yield Change(person.name, f"takes {names(plain.elements())}", f"{rule}rebuilding-your-deck")
    if boxed:
        yield Change(person.name, f"from the box: {names(boxed.elements())}", f"{rule}cards-from-the-box")
    if went:
        yield Change(person.name, f"gives up {names(went.elements())}", f"{rule}rebuilding-your-deck")


def names(cards: Sequence[Card] | Iterator[Card]) -> str:
    """Cards with their number of copies."""
    return tally(card.name for card in cards)


def decks_now(party: Party, facts: Facts) -> Iterator[DeckNow]:
    """The decks of a party, by type."""
    for person in party.people:
        feats = Counter(f"{feat.kind} {feat.what}" for feat in person.feats)
        told = ", ".join(f"{what}{f' x{number}' if number > 1 else ''}" for what, number in feats.items())
        heading = f"{person.name}{f', {person.role}' if person.role else ''}{f' ({told})' if told else ''}"
        piles = []
        for kind in (*CARD_TYPES, None):
            cards = Counter(card for card in person.cards if card.type == kind)
            if cards:
                lines = tuple(Line(card.name, number, card.deck or "") for card, number in sorted(
                    cards.items(), key=lambda each: each[0].name))  # fmt: skip
                piles.append((kind or "type unknown", lines))
        yield DeckNow(person.name, heading, tuple(piles))


def facts_of(head: Head, party: Party, facts: Facts) -> Iterator[tuple[str, str]]:
    """Labels and values below the campaign's name."""
    every = {(each.deck, number) for each in path(head, facts) for number in range(1, len(each.scenarios) + 1)}
    for label, value in (
        ("Set", SET_TITLES[head.set]),
        ("Players", ", ".join(person.name for person in party.people) or "none"),
        ("Scenarios won", f"{len(every & party.won)} of {len(every)}"),
        ("Dead", ", ".join(party.dead)),
        ("Traders", ", ".join(sorted(party.traders))),
        ("Removed from the game", names(party.removed)),
    ):
        if value:
            yield label, value


def path(head: Head, facts: Facts) -> list[Adventure]:
    """The adventures of the path, in order."""
    return [each for each in facts.adventures.get(head.set, ()) if each.path]


def next_game(head: Head, party: Party, facts: Facts) -> dict[str, str]:
    """What is known of the next game: the first scenario of the path that is not won."""
    for adventure in path(head, facts):
        if ADVENTURES.index(adventure.deck) < ADVENTURES.index(head.starts):
            continue
        for number, gives in enumerate(adventure.scenarios, 1):
            if (adventure.deck, number) not in party.won:
                return {"scenario": f'"{gives.name}"'}
    return {}


def tallies(head: Head, parties: Sequence[Party], steps: Sequence[Step], facts: Facts) -> tuple[Tally, ...]:
    """Scenarios won by adventure, feats by character, and how far the cards of the decks have come."""
    party = parties[-1]
    lost = Counter[str]()
    deck_of = {
        name_key(gives.name): each.deck for each in facts.adventures.get(head.set, ()) for gives in each.scenarios
    }
    for step in steps:
        if step.outcome == "lost":
            lost[deck_of.get(name_key(step.title), "")] += 1
    won = [
        Row(
            f"Adventure {each.deck}",
            (
                (
                    sum((each.deck, number) in party.won for number in range(1, len(each.scenarios) + 1)),
                    "pathfinder",
                    "won",
                ),
                (lost[each.deck], "off", "lost games"),
            ),
        )
        for each in path(head, facts)
    ]
    feats = [
        Row(
            person.name,
            tuple((person.count(kind), TONES[kind], f"{kind} feats") for kind in FEAT_KINDS),
        )
        for person in party.people
    ]
    decks = Counter(card.deck or "?" for person in party.people for card in person.cards)
    order = [each for each in ("B", "C", "P", *ADVENTURES[1:], "?") if decks[each]]
    return (
        Tally("Scenarios", tuple(won)),
        Tally("Feats", tuple(feats)),
        Tally("Cards by set indicator", tuple(Row(each, ((decks[each], "pathfinder", ""),)) for each in order),
              "All decks as they are now."),
    )  # fmt: skip
