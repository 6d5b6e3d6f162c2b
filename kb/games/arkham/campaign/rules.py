"""The rules of a campaign: experience, trauma, defeat, story cards, and who plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.campaigns.table import members, strangers
from kb.decks.names import both, name_key
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Add, Advice, Clear, ListUnder, Remove, Set, Steps, Unlist
from kb.decks.ruleset import Ruleset
from kb.games.arkham.campaign.state import TRAUMA_BY, ArkhamMoment, Investigator
from kb.games.arkham.decks.deck import ArkhamDeck
from kb.games.arkham.decks.profile import Kind, profile_of
from kb.games.arkham.schema.cards import BASIC_WEAKNESS as BASIC

CAMPAIGN = Ruleset[ArkhamMoment]("arkham", "Arkham Horror: The Card Game, a campaign")


@CAMPAIGN.check("arkham/glossary/advancing-to-next-scenario", severity="warning", family="campaign")
def scenario_of_the_campaign(moment: ArkhamMoment) -> Problems:
    """The scenario is one of the campaign's own, or is recorded as a side story. Names that are unknown are not judged."""
    _, cycle = moment.facts.scenarios.get(name_key(moment.played.scenario), ("", ""))
    own = moment.head.cycle
    if own and cycle and cycle not in (own, "return") and not moment.played.side_story:
        name = moment.facts.cycles[cycle].name if cycle in moment.facts.cycles else cycle
        yield Problem(
            f"{moment.played.scenario} is not a scenario of {moment.facts.cycles[own].name} ({name}).",
            at=At("scenario"),
            remedies=(Steps((Set("side_story", "yes"), Set("cost"))), Set("scenario")),
        )


@CAMPAIGN.check("arkham/glossary/experience", family="experience")
def cost_of_a_side_story(moment: ArkhamMoment) -> Problems:
    """Experience that a side story costs is there to be spent before it is played."""
    played = moment.played
    cost = played.cost or 0
    if cost and not played.side_story:
        yield Problem(
            f"{played.scenario} costs {cost} experience, but is not recorded as a side story.",
            at=At("cost"),
            remedies=(Clear(("cost",)), Set("side_story", "yes", why="if it is one")),
        )
    for person in moment.before.people if moment.known else ():
        if cost > person.unspent:
            yield Problem(
                f"{person.name} has {person.unspent} experience left; {played.scenario} costs {cost}.",
                who=person.name,
                at=At("cost"),
                remedies=(
                    Clear(("cost", "side_story"), why="and play it later"),
                    Advice("correct the experience earned in the games before"),
                ),
            )


@CAMPAIGN.check("arkham/glossary/experience", family="experience")
def only_players_earn(moment: ArkhamMoment) -> Problems:
    """Experience, trauma, cards and the end of a game are for those who played it."""
    keys = ("experience", "trauma", "defeated", "earned", "lost", "exiled", "killed", "insane", "left")
    return strangers(moment.played, keys, moment.before.names) if moment.known else iter(())


@CAMPAIGN.check("arkham/glossary/experience", family="experience")
def some_never_earn(moment: ArkhamMoment) -> Problems:
    """No experience is earned with a card in the deck that forbids it, whether the deck changes after the game or not."""
    for person in moment.before.people:
        earned = moment.played.experience.get(person.name)
        for card, _ in moment.facts.held(person.held.deck.cards):
            if earned and card.special.buying.earns_nothing:
                yield Problem(
                    f"With {card.label} {person.name} can earn no experience, but {earned} is recorded.",
                    who=person.name,
                    cards=(card.label,),
                    at=(At("experience", person.name), At("experience")),
                    remedies=(Unlist("experience", (person.name,)),),
                )


@CAMPAIGN.check("arkham/glossary/killed-insane-investigators", family="campaign")
def end_of_the_defeated(moment: ArkhamMoment) -> Problems:
    """Who is defeated with a card that then kills, or takes the investigator's place, does not go on as before."""
    played = moment.played
    for person in moment.before.people:
        name, deck = person.name, person.held.deck
        if name not in played.defeated or name in (*played.killed, *played.insane):
            continue
        after = moment.after.person(name) or person
        for card, _ in moment.facts.held({**deck.cards, deck.transformed: 1}):
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


@CAMPAIGN.check("arkham/glossary/trauma", severity="warning", family="campaign")
def trauma_of_the_defeated(moment: ArkhamMoment) -> Problems:
    """An investigator defeated by damage suffers 1 physical trauma; one defeated by horror, 1 mental trauma."""
    for name, way in moment.played.defeated.items():
        kind = TRAUMA_BY.get(way)
        suffered = moment.played.trauma.get(name, {})
        if kind and not suffered.get(kind):
            yield Problem(
                f"{name} was defeated by {way}, but its 1 {kind} trauma is not recorded.",
                who=name,
                at=At("defeated", name),
                remedies=(Set(f"trauma.{name}.{kind}", "1", why="unless something prevented it"),),
            )


@CAMPAIGN.check("arkham/glossary/trauma", "arkham/glossary/killed-insane-investigators", family="campaign")
def killed_by_trauma(moment: ArkhamMoment) -> Problems:
    """As much physical trauma as printed health kills, as much mental trauma as printed sanity drives insane."""
    for person in (*moment.after.people, *moment.after.away):
        if person.name not in moment.played.trauma and person.name not in moment.after.steps:
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
def who_is_at_the_table(moment: ArkhamMoment) -> Problems:
    """Nobody who was killed or driven insane is used again, and a new investigator was not used before in the campaign."""
    played = moment.played
    stayed = moment.before.names - {*played.left} if moment.known else ()
    out = [person.name for person in moment.after.out]
    yield from members(played.joined, played.decks if moment.known else (), stayed, moment.after.names, out)


@CAMPAIGN.check(
    "arkham/glossary/story-assets", "arkham/glossary/weakness", "arkham/glossary/basic-weakness", family="campaign"
)
def cards_without_a_purchase(moment: ArkhamMoment) -> Problems:
    """Story cards and weaknesses come into a deck only when the campaign gives them."""
    for person, old, new in decks_before_and_after(moment):
        given = Counter(moment.facts.root(code) for code in (*person.owed, *moment.played.earned.get(person.name, ())))
        came = given_by_the_campaign(moment, new) - given_by_the_campaign(moment, old)
        waiting = hidden(moment, old) - hidden(moment, new)
        for root, copies in (came - given).items():
            card = moment.facts.card(root)
            if card is None or (card.subtype == BASIC and waiting >= copies):
                continue
            yield Problem(
                f"{card.label} came into the deck of {person.name}, but no record says that it was earned.",
                who=person.name,
                cards=(card.label,),
                at=At("decks", person.name),
                remedies=(
                    ListUnder("earned", (card.name,), who=person.name),
                    Remove(copies, (card.label,) * copies),
                ),
            )


@CAMPAIGN.check("arkham/rulings/1-36", "arkham/glossary/story-assets", severity="warning", family="campaign")
def earned_cards_are_there(moment: ArkhamMoment) -> Problems:
    """A card that the campaign adds to a deck is in it, unless it only may be added."""
    for person, _, new in decks_before_and_after(moment):
        there = {moment.facts.root(code) for code, copies in new.cards.items() if copies > 0}
        for code in (*person.owed, *moment.played.earned.get(person.name, ())):
            card = moment.facts.card(code)
            if card is not None and card.root not in there:
                yield Problem(
                    f"{person.name} earned {card.label}, but the deck after the game does not contain it.",
                    who=person.name,
                    cards=(card.label,),
                    at=(At("earned", person.name), At("decks", person.name)),
                    remedies=(
                        Add((card.label,)),
                        Advice("leave it out if the campaign guide lets you choose"),
                    ),
                )


def decks_before_and_after(moment: ArkhamMoment) -> Iterator[tuple[Investigator, ArkhamDeck, ArkhamDeck]]:
    """The investigators whose decks were recorded with the game."""
    for person in moment.before.people:
        held = moment.played.decks.get(person.name)
        if held is not None and moment.after.person(person.name) is not None:
            yield person, person.held.deck, held.deck


def given_by_the_campaign(moment: ArkhamMoment, deck: ArkhamDeck) -> Counter[str]:
    """Copies of story cards and weaknesses of a deck, by first printing."""
    profile = profile_of(moment.facts, deck)
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


def hidden(moment: ArkhamMoment, deck: ArkhamDeck) -> int:
    """Random basic weaknesses that are still to be drawn."""
    return sum(copies for code, copies in deck.cards.items() if (card := moment.facts.card(code)) and card.hidden)


@CAMPAIGN.check("arkham/taboo", severity="warning", family="campaign")
def one_taboo_list(moment: ArkhamMoment) -> Problems:
    """Every deck of the campaign is built with the taboo list that the group agreed on."""
    wanted = moment.head.taboo
    other = [name for name, held in moment.played.decks.items() if wanted is not None and held.deck.taboo != wanted]
    if other:
        yield Problem(
            f"{both(other)} {'has' if len(other) == 1 else 'have'} a deck with another taboo list than the campaign "
            f"({wanted or 'none'}).",
            at=At("decks"),
            remedies=(
                *(Set(f"decks.{name}.taboo", str(wanted or "none")) for name in other),
                Advice("change the taboo list of the campaign"),
            ),
        )
