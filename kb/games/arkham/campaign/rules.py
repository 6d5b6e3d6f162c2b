"""The rules between two games of an Arkham Horror campaign: scenarios, experience, trauma, who is out, cards earned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.campaigns.model import Spot
from kb.decks.names import both, name_key
from kb.decks.ruleset import Ruleset
from kb.games.arkham.campaign.model import Moment, Person
from kb.games.arkham.decks.model import Deck
from kb.games.arkham.decks.profile import profile_of
from kb.games.arkham.decks.ruleset import BASIC_WEAKNESS, EXPERIENCE, STORY_ASSETS, TABOO, TRAUMA, WEAKNESS
from kb.games.arkham.decks.status import Kind
from kb.games.arkham.schema.cards import BASIC_WEAKNESS as BASIC

NEXT = "arkham/glossary/advancing-to-next-scenario"
REPLAY = "arkham/faq/the-forgotten-age/replaying-a-scenario-effects"
SIDE_STORIES = "arkham/faq/the-innsmouth-conspiracy/innsmouth-side-stories"
KILLED = "arkham/glossary/killed-insane-investigators"
JOINING = "arkham/glossary/joining-or-leaving-a-campaign"
MUST_ADD = "arkham/rulings/1-36"
NO_SIDE_STORY_WINDOW = "tic"  # the cycle in which experience is spent only when the guide says so (its FAQ)
CAMPAIGN = Ruleset[Moment]("arkham", "Arkham Horror: The Card Game, a campaign")


def cycle_of(moment: Moment) -> str | None:
    """The cycle that the scenario is of; None when no scenario has the name."""
    found = moment.facts.scenarios.get(name_key(moment.played.scenario))
    return found[1] if found else None


@CAMPAIGN.check(NEXT, severity="warning", family="campaign")
def scenario_of_the_campaign(moment: Moment) -> Iterator[Spot]:
    """The scenario is one of the campaign's own, or is recorded as a side story. Names that are unknown are not judged."""
    cycle, own = cycle_of(moment), moment.agreed.cycle
    if own and cycle and cycle not in (own, "return") and not moment.played.side_story:
        name = moment.facts.cycles[cycle].name if cycle in moment.facts.cycles else cycle
        yield Spot(
            f"{moment.played.scenario} is not a scenario of {moment.facts.cycles[own].name} ({name}).",
            "Write `side_story: yes` with its `cost:`, or correct the name.",
            at="scenario",
        )


@CAMPAIGN.check(NEXT, severity="note", family="campaign")
def order_of_the_guide(moment: Moment) -> Iterator[Spot]:
    """Scenarios follow each other as they are listed, unless a resolution sends the group elsewhere (which no source here tells)."""
    cycle = cycle_of(moment)
    if not moment.known or not cycle or cycle != moment.agreed.cycle:
        return
    order = [key for key, (_, each) in moment.facts.scenarios.items() if each == cycle]
    here = order.index(name_key(moment.played.scenario))
    earlier = [name for name in moment.before.played if name_key(name) in order and order.index(name_key(name)) > here]
    if earlier:
        yield Spot(
            f"{moment.played.scenario} is listed before {earlier[0]}, which was played earlier.",
            "This is right if the campaign guide sent you there.",
            at="scenario",
        )


@CAMPAIGN.check(REPLAY, NEXT, severity="note", family="campaign")
def played_again(moment: Moment) -> Iterator[Spot]:
    """A scenario is played again only when the campaign guide says so."""
    if name_key(moment.played.scenario) in map(name_key, moment.before.played):
        yield Spot(f"{moment.played.scenario} was played before.", "This is right if the campaign guide makes you replay it.",
                   at="scenario")  # fmt: skip


@CAMPAIGN.check(EXPERIENCE, family="experience")
def cost_of_a_side_story(moment: Moment) -> Iterator[Spot]:
    """Experience that a side story costs is there to be spent before it is played."""
    played = moment.played
    cost = played.cost or 0
    if cost and not played.side_story:
        yield Spot(f"{played.scenario} costs {cost} experience, but is not recorded as a side story.",
                   "Take `cost` out, or write `side_story: yes` if it is one.", at="cost")  # fmt: skip
    for person in moment.before.people if moment.known else ():
        if cost > person.unspent:
            yield Spot(
                f"{person.name} has {person.unspent} experience left; {played.scenario} costs {cost}.",
                "Play it later, or correct `experience:` of the games before.",
                at="cost",
            )


@CAMPAIGN.check(SIDE_STORIES, EXPERIENCE, family="experience", severity="warning")
def side_story_in_innsmouth(moment: Moment) -> Iterator[Spot]:
    """In The Innsmouth Conspiracy experience, also that for a side story, is spent only when the guide says that it may be."""
    if moment.played.cost and moment.agreed.cycle == NO_SIDE_STORY_WINDOW:
        yield Spot("In this campaign experience is spent only when you are told that you may, on side stories as well.",
                   "Check that the guide said so.", at="cost")  # fmt: skip


@CAMPAIGN.check(EXPERIENCE, family="experience")
def only_players_earn(moment: Moment) -> Iterator[Spot]:
    """Experience, trauma and cards of a game are for those who played it."""
    played = moment.played
    playing = {person.name for person in moment.before.people}
    for key, names in (("experience", played.experience), ("trauma", played.trauma), ("defeated", played.defeated),
                       ("earned", played.earned), ("lost", played.lost), ("exiled", played.exiled)):  # fmt: skip
        for name in names:
            if name not in playing and moment.known:
                yield Spot(f"{name} did not play {played.scenario}.", f"Take {name} out of `{key}`.",
                           at=(f"{key} {name}", key))  # fmt: skip


@CAMPAIGN.check(TRAUMA, severity="warning", family="campaign")
def trauma_of_the_defeated(moment: Moment) -> Iterator[Spot]:
    """Who is defeated by damage suffers 1 physical trauma, by horror 1 mental trauma."""
    for name, way in moment.played.defeated.items():
        kind = {"damage": "physical", "horror": "mental"}.get(way)
        suffered = moment.played.trauma.get(name, {})
        if kind and not suffered.get(kind):
            yield Spot(
                f"{name} was defeated by {way}; the {kind} trauma of it is not recorded.",
                f"Write `trauma: {{{name}: {{{kind}: 1}}}}`, unless something prevented it.",
                at=f"defeated {name}",
            )


@CAMPAIGN.check(TRAUMA, KILLED, family="campaign")
def killed_by_trauma(moment: Moment) -> Iterator[Spot]:
    """As much physical trauma as printed health kills, as much mental trauma as printed sanity drives insane."""
    for person in (*moment.after.people, *moment.after.away):
        if person.name not in moment.played.trauma:
            continue
        health, sanity = moment.facts.stamina(person.card.code)
        for kind, suffered, printed, key in (
            ("physical", person.physical, health, "killed"),
            ("mental", person.mental, sanity, "insane"),
        ):
            if printed and suffered >= printed:
                yield Spot(
                    f"{person.name} has {suffered} {kind} trauma and {printed} printed "
                    f"{'health' if kind == 'physical' else 'sanity'}: that is the end of the investigator.",
                    f"Write `{key}: [{person.name}]`.",
                    at=f"trauma {person.name}",
                )


@CAMPAIGN.check(KILLED, JOINING, family="campaign")
def who_is_at_the_table(moment: Moment) -> Iterator[Spot]:
    """Nobody who was killed or driven insane is used again, and a new investigator was not used before in the campaign."""
    played, before = moment.played, moment.before
    playing = [person.name for person in before.people]
    for key, names in (("killed", played.killed), ("insane", played.insane), ("left", played.left)):
        for name in names:
            if name not in playing and moment.known:
                yield Spot(
                    f"{name} is named under `{key}`, but did not play.",
                    f"Take {name} out of `{key}`.",
                    at=key,
                )
    for name in played.joined:
        if any(person.goes_by(name) for person in (*before.out, *(p for p in moment.after.out))):
            yield Spot(f"{name} was killed or driven insane and can no longer be used in this campaign.",
                       f"Take {name} out of `joined`, and choose another investigator.", at="joined")  # fmt: skip
        elif name in playing and name not in played.left and moment.known:
            yield Spot(
                f"{name} joins, but is playing already.",
                f"Take {name} out of `joined`.",
                at="joined",
            )
        elif moment.after.person(name) is None:
            yield Spot(
                f"{name} joins; the deck is not recorded.",
                f"Write `decks: {{{name}: …}}`, or take {name} out of `joined`.",
                at="joined",
            )
    gone = {person.name for person in (*before.out, *moment.after.out)}
    for name in played.decks:
        at = f"decks {name}"
        if name in gone:
            yield Spot(
                f"{name} is out of the campaign and no longer has a deck.", f"Take {name} out of `decks`.", at=at
            )
        elif moment.after.person(name) is None and moment.known:
            yield Spot(
                f"{name} has a deck, but does not play.",
                f"List {name} under `joined`, or take {name} out of `decks`.",
                at=at,
            )


@CAMPAIGN.check(STORY_ASSETS, WEAKNESS, BASIC_WEAKNESS, family="campaign")
def cards_without_a_purchase(moment: Moment) -> Iterator[Spot]:
    """Story cards and weaknesses come into a deck only when the campaign gives them."""
    for person, old, new in decks_before_and_after(moment):
        given = Counter(moment.facts.root(code) for code in (*person.owed, *moment.played.earned.get(person.name, ())))
        came = given_by_the_campaign(moment, new) - given_by_the_campaign(moment, old)
        waiting = hidden(moment, old) - hidden(moment, new)
        for root, copies in (came - given).items():
            card = moment.facts.card(root)
            if card is None or (card.subtype == BASIC and waiting >= copies):
                continue
            yield Spot(
                f"{card.label} came into the deck of {person.name}; nothing says that it was earned.",
                f"Write `earned: {{{person.name}: [{card.name}]}}`, or take it out.",
                (card.label,),
                at=f"decks {person.name}",
            )


@CAMPAIGN.check(MUST_ADD, STORY_ASSETS, severity="warning", family="campaign")
def earned_cards_are_there(moment: Moment) -> Iterator[Spot]:
    """A card that the campaign adds to a deck is in it, unless it only may be added."""
    for person, _, new in decks_before_and_after(moment):
        there = {moment.facts.root(code) for code, copies in new.cards.items() if copies > 0}
        for code in (*person.owed, *moment.played.earned.get(person.name, ())):
            card = moment.facts.card(code)
            if card is not None and card.root not in there:
                yield Spot(
                    f"{person.name} earned {card.label}; the deck after the game does not hold it.",
                    "Add it, unless the guide says that you may.",
                    (card.label,),
                    at=(f"earned {person.name}", f"decks {person.name}"),
                )


def decks_before_and_after(moment: Moment) -> Iterator[tuple[Person, Deck, Deck]]:
    """The investigators whose decks were recorded with the game."""
    for person in moment.before.people:
        held = moment.played.decks.get(person.name)
        if held is not None and moment.after.person(person.name) is not None:
            yield person, person.held.deck, held.deck


def given_by_the_campaign(moment: Moment, deck: Deck) -> Counter[str]:
    """Copies of story cards and weaknesses of a deck, by first printing."""
    profile = profile_of(moment.facts, deck)
    found: Counter[str] = Counter()
    for code, copies in deck.cards.items():
        entry = profile.status(code)
        if (
            copies > 0
            and entry.card
            and not entry.card.hidden
            and entry.kind in (Kind.STORY, Kind.WEAKNESS, Kind.BASIC)
        ):
            found[entry.card.root] += copies
    return found


def hidden(moment: Moment, deck: Deck) -> int:
    """Random basic weaknesses that are still to be drawn."""
    return sum(copies for code, copies in deck.cards.items() if (card := moment.facts.card(code)) and card.hidden)


@CAMPAIGN.check(TABOO, severity="warning", family="campaign")
def one_taboo_list(moment: Moment) -> Iterator[Spot]:
    """Every deck of the campaign is built with the taboo list that the group agreed on."""
    wanted = moment.agreed.taboo
    other = [name for name, held in moment.played.decks.items() if wanted is not None and held.deck.taboo != wanted]
    if other:
        yield Spot(f"{both(other)}: built with a taboo list other than {wanted or 'none'}.",
                   "Build the deck with the list of the campaign, or change `taboo:`.", at="decks")  # fmt: skip
