"""Checks of a game in a campaign: experience, trauma, defeat, story cards, and the members of the group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.campaigns.table import members, strangers
from kb.decks.names import both, name_key
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Add, Advice, Clear, ListUnder, Remove, Set, Steps, Unlist
from kb.decks.ruleset import Ruleset
from kb.games.arkham.campaign.state import TRAUMA_BY, ArkhamStep, Investigator, gained
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.party import story_copies
from kb.games.arkham.decks.profile import Kind, profile_of
from kb.games.arkham.schema.cards import BASIC_WEAKNESS as BASIC
from kb.plural import counted

CAMPAIGN = Ruleset[ArkhamStep]("arkham", "Arkham Horror: The Card Game, a campaign")


@CAMPAIGN.check("arkham/glossary/advancing-to-next-scenario", severity="warning", family="campaign")
def scenario_of_the_campaign(step: ArkhamStep) -> Problems:
    """The scenario belongs to the campaign, or is recorded as a side story. Scenarios with unknown names are not
    checked.
    """
    _, cycle = step.facts.scenarios.get(name_key(step.played.scenario), ("", ""))
    own = step.setup.cycle
    if own and cycle and cycle not in (own, "return") and not step.played.side_story:
        name = step.facts.cycles[cycle].name if cycle in step.facts.cycles else cycle
        yield Problem(
            f"{step.played.scenario} is not a scenario of {step.facts.cycles[own].name}; it belongs to {name}.",
            at=At("scenario"),
            remedies=(Steps((Set("side_story", "yes"), Set("cost"))), Set("scenario")),
        )


@CAMPAIGN.check("arkham/glossary/experience", family="experience")
def cost_of_a_side_story(step: ArkhamStep) -> Problems:
    """Before investigators play a side story, they have the experience that it costs."""
    played = step.played
    cost = played.cost or 0
    if cost and not played.side_story:
        yield Problem(
            f"{played.scenario} costs {cost} experience, but is not recorded as a side story.",
            at=At("cost"),
            remedies=(Clear(("cost",)), Set("side_story", "yes", why="if it is a side story")),
        )
    for person in step.before.people if step.known else ():
        if cost > person.unspent:
            yield Problem(
                f"{person.name} has {person.unspent} experience left; {played.scenario} costs {cost}.",
                who=person.name,
                at=At("cost"),
                remedies=(
                    Clear(("cost", "side_story"), why="and play the side story later"),
                    Advice("correct the experience earned in earlier games"),
                ),
            )


@CAMPAIGN.check("arkham/glossary/experience", family="experience")
def only_players_earn(step: ArkhamStep) -> Problems:
    """Only investigators who played a game can gain experience, trauma or cards in it, or leave the campaign after it."""
    keys = ("experience", "trauma", "defeated", "earned", "lost", "exiled", "killed", "insane", "left")
    return strangers(step.played, keys, step.before.names) if step.known else iter(())


@CAMPAIGN.check("arkham/glossary/experience", family="experience")
def some_never_earn(step: ArkhamStep) -> Problems:
    """An investigator with a card that forbids earning experience earns none, even if the deck does not change after
    the game.
    """
    for person in step.before.people:
        earned = step.played.experience.get(person.name)
        for card, _ in step.facts.held(person.held.deck.cards):
            if earned and card.special.buying.earns_nothing:
                yield Problem(
                    f"{person.name} has {card.label} and cannot earn experience, but {earned} is recorded.",
                    who=person.name,
                    cards=(card.label,),
                    at=(At("experience", person.name), At("experience")),
                    remedies=(Unlist("experience", (person.name,)),),
                )


@CAMPAIGN.check("arkham/glossary/killed-insane-investigators", family="campaign")
def end_of_the_defeated(step: ArkhamStep) -> Problems:
    """If a card kills or replaces a defeated investigator, this investigator does not continue unchanged."""
    played = step.played
    for person in step.before.people:
        name, deck = person.name, person.held.deck
        if name not in played.defeated or name in (*played.killed, *played.insane):
            continue
        after = step.after.person(name) or person
        for card, _ in step.facts.held({**deck.cards, deck.transformed: 1}):
            ends, at = card.special.defeated, At("defeated", name)
            if ends == "killed":
                certain = played.experience.get(name) or not card.special.buying.earns
                why = "" if certain else "unless the resolution gave no experience"
                yield Problem(
                    f"{name} was defeated with {card.label}, which kills the investigator.",
                    who=name,
                    cards=(card.label,),
                    severity="error" if certain else "warning",
                    at=at,
                    remedies=(ListUnder("killed", (name,), why=why),),
                )
            elif ends == "replaced" and after.held.deck.transformed != card.back:
                yield Problem(
                    f"{name} was defeated with {card.label}: its other side takes the investigator's place for the rest of the campaign.",
                    who=name,
                    cards=(card.label,),
                    severity="warning",
                    at=at,
                    remedies=(Set(f"decks.{name}.transformed", card.back, why="in the deck after the game"),),
                )


@CAMPAIGN.check("arkham/variants/ultimatums/finality", family="campaign")
def defeat_is_final(step: ArkhamStep) -> Problems:
    """With the Ultimatum of Finality, an investigator defeated by damage is killed, and one defeated by horror is
    driven insane.
    """
    played = step.played
    for name, way in played.defeated.items() if step.setup.kills else ():
        key, end = ("insane", "driven insane") if way == "horror" else ("killed", "killed")
        if name not in (*played.killed, *played.insane):
            if way in TRAUMA_BY:
                message = f"{name} was defeated by {way}: with the Ultimatum of Finality, the investigator is {end}."
                remedies = [ListUnder(key, (name,))]
            else:
                message = (
                    f"{name} was defeated: with the Ultimatum of Finality, damage kills an investigator and horror "
                    "drives one insane."
                )
                remedies = [
                    ListUnder(each, (name,), why=f"if the defeat was by {by}")
                    for each, by in (("killed", "damage"), ("insane", "horror"))
                ]
            yield Problem(
                message,
                who=name,
                severity="error" if way in TRAUMA_BY else "warning",
                at=At("defeated", name),
                remedies=tuple(remedies),
            )


@CAMPAIGN.check("arkham/variants/ultimatums/spiral", severity="warning", family="campaign")
def weakness_of_the_defeated(step: ArkhamStep) -> Problems:
    """With the Ultimatum of the Spiral, the deck of a defeated investigator gains a random basic weakness."""
    placeholder = step.facts.placeholder()
    for person, _, _ in decks_before_and_after(step):
        now = step.after.person(person.name)
        missing = now.owed.count(placeholder) if now else 0
        if missing:
            yield Problem(
                f"{person.name} was defeated; with the Ultimatum of the Spiral the deck gains "
                f"{counted(missing, 'random basic weakness')}.",
                who=person.name,
                at=(At("decks", person.name), At("defeated", person.name)),
                remedies=(Add((step.facts.label(placeholder),) * missing),),
            )


@CAMPAIGN.check("arkham/glossary/trauma", severity="warning", family="campaign")
def trauma_of_the_defeated(step: ArkhamStep) -> Problems:
    """An investigator defeated by damage suffers 1 physical trauma, and one defeated by horror suffers 1 mental trauma."""
    for name, way in step.played.defeated.items():
        kind = TRAUMA_BY.get(way)
        suffered = step.played.trauma.get(name, {})
        if kind and not suffered.get(kind) and not step.setup.kills:
            yield Problem(
                f"{name} was defeated by {way}, but the 1 {kind} trauma for this is not recorded.",
                who=name,
                at=At("defeated", name),
                remedies=(Set(f"trauma.{name}.{kind}", "1", why="unless something prevented it"),),
            )


@CAMPAIGN.check("arkham/glossary/trauma", "arkham/glossary/killed-insane-investigators", family="campaign")
def killed_by_trauma(step: ArkhamStep) -> Problems:
    """An investigator whose physical trauma equals the printed health is killed. An investigator whose mental trauma
    equals the printed sanity is driven insane.
    """
    for person in (*step.after.people, *step.after.away):
        if person.name not in step.played.trauma and person.name not in step.after.steps:
            continue
        for kind, suffered, printed, key in (
            ("physical", person.trauma["physical"], person.card.health, "killed"),
            ("mental", person.trauma["mental"], person.card.sanity, "insane"),
        ):
            if printed and suffered >= printed:
                yield Problem(
                    f"{person.name} has {suffered} {kind} trauma and {printed} printed "
                    f"{'health' if kind == 'physical' else 'sanity'}: the investigator is "
                    f"{'killed' if kind == 'physical' else 'driven insane'}.",
                    who=person.name,
                    at=(At("trauma", person.name), At("decks", person.name)),
                    remedies=(ListUnder(key, (person.name,)),),
                )


@CAMPAIGN.check(
    "arkham/glossary/killed-insane-investigators", "arkham/glossary/joining-or-leaving-a-campaign", family="campaign"
)
def who_is_at_the_table(step: ArkhamStep) -> Problems:
    """An investigator who was killed or driven insane is not used again. A new investigator was not used before in the
    campaign.
    """
    played = step.played
    stayed = step.before.names - {*played.left} if step.known else ()
    out = [person.name for person in step.after.out]
    yield from members(played.joined, played.decks if step.known else (), stayed, step.after.names, out)


@CAMPAIGN.check(
    "arkham/glossary/story-assets", "arkham/glossary/weakness", "arkham/glossary/basic-weakness", family="campaign"
)
def cards_without_a_purchase(step: ArkhamStep) -> Problems:
    """Story cards and weaknesses enter a deck only if the campaign gives them."""
    for person, old, new in decks_before_and_after(step):
        owed = (*person.owed, *gained(person.name, step.played, step.setup, step.facts))
        given = Counter(map(step.facts.root, owed))
        came = given_by_the_campaign(step, new) - given_by_the_campaign(step, old)
        waiting = hidden(step, old) - hidden(step, new) + given[step.facts.placeholder()]
        for root, copies in (came - given).items():
            card = step.facts.card(root)
            if card is None or (card.subtype == BASIC and waiting >= copies):
                continue
            yield Problem(
                f"{card.label} was added to the deck of {person.name}, but no record says that it was earned.",
                who=person.name,
                cards=(card.label,),
                at=At("decks", person.name),
                remedies=(
                    ListUnder("earned", (card.name,), who=person.name),
                    Remove(copies, (card.label,) * copies),
                ),
            )


@CAMPAIGN.check("arkham/rulings/1-36", "arkham/glossary/story-assets", severity="warning", family="campaign")
def earned_cards_are_there(step: ArkhamStep) -> Problems:
    """If the campaign adds a card to a deck, the deck contains it, unless adding the card is optional."""
    for person, _, new in decks_before_and_after(step):
        there = {step.facts.root(code) for code, copies in new.cards.items() if copies > 0}
        for code in (*person.owed, *step.played.earned.get(person.name, ())):
            card = step.facts.card(code)
            if card is not None and not card.hidden and card.root not in there:
                yield Problem(
                    f"{person.name} earned {card.label}, but the deck after the game does not contain it.",
                    who=person.name,
                    cards=(card.label,),
                    at=(At("earned", person.name), At("decks", person.name)),
                    remedies=(
                        Add((card.label,)),
                        Advice("leave the card out if the campaign guide lets you choose"),
                    ),
                )


@CAMPAIGN.check("arkham/glossary/bearer", "arkham/glossary/story-assets", family="campaign")
def earned_by_one_bearer(step: ArkhamStep) -> Problems:
    """If an investigator earns a story card, nobody else has it, unless the campaign has more copies of the card."""
    facts = step.facts
    bearers: dict[str, list[str]] = {}
    for person in (*step.after.people, *step.after.away):
        held = {facts.root(code) for code, copies in person.held.deck.cards.items() if copies > 0}
        for root in dict.fromkeys((*held, *map(facts.root, person.owed))):
            bearers.setdefault(root, []).append(person.name)
    new = {facts.root(code): name for name, codes in step.played.earned.items() for code in codes}
    in_decks = step.played.decks.keys()
    for root, name in new.items():
        there, who = story_copies(facts, root), bearers.get(root, [])
        if 0 < there < len(who) and not in_decks >= {*who} and (card := facts.card(root)):
            yield Problem(
                f"{both(who)} have {card.label}; the campaign has {there}.",
                who=name,
                cards=(card.label,),
                count=len(who),
                limit=there,
                at=At("earned", name),
                remedies=(
                    Unlist("earned", (card.name,), who=name),
                    *(ListUnder("lost", (card.name,), who=other) for other in who if other not in step.played.earned),
                ),
            )


def decks_before_and_after(step: ArkhamStep) -> Iterator[tuple[Investigator, ArkhamDeck, ArkhamDeck]]:
    """Yield each investigator whose deck was recorded with the game, with the deck before the game and the deck after
    it.
    """
    for person in step.before.people:
        held = step.played.decks.get(person.name)
        if held is not None and step.after.person(person.name) is not None:
            yield person, person.held.deck, held.deck


def given_by_the_campaign(step: ArkhamStep, deck: ArkhamDeck) -> Counter[str]:
    """Return the copies of each story card and weakness in `deck`, by the code of the first printing."""
    profile = profile_of(step.facts, deck)
    copies_of: Counter[str] = Counter()
    for code, copies in deck.cards.items():
        entry = profile.status(code)
        if (
            copies > 0
            and entry.card
            and not entry.card.hidden
            and entry.kind in (Kind.STORY, Kind.WEAKNESS, Kind.BASIC)
        ):
            copies_of[entry.card.root] += copies
    return copies_of


def hidden(step: ArkhamStep, deck: ArkhamDeck) -> int:
    """Return the number of placeholders in `deck`: random basic weaknesses still to be drawn."""
    return sum(copies for code, copies in deck.cards.items() if (card := step.facts.card(code)) and card.hidden)


@CAMPAIGN.check("arkham/taboo", severity="warning", family="campaign")
def one_taboo_list(step: ArkhamStep) -> Problems:
    """Every deck of the campaign uses the taboo list that the group agreed on."""
    wanted = step.setup.taboo
    other = [name for name, held in step.played.decks.items() if wanted is not None and held.deck.taboo != wanted]
    if other:
        yield Problem(
            f"{both(other)} {'has' if len(other) == 1 else 'have'} a deck with a different taboo list from the "
            f"campaign's ({wanted or 'none'}).",
            at=At("decks"),
            remedies=(
                *(Set(f"decks.{name}.taboo", str(wanted or "none")) for name in other),
                Advice("change the taboo list of the campaign"),
            ),
        )
