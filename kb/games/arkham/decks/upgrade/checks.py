"""Checks of an upgrade between two scenarios, in the order that reports list findings.

The new deck is checked by the checks of decks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.decks.names import either
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Act, Add, Advice, Boxes, Remove, Set, Unlist
from kb.games.arkham.decks.checks.cards import IN_THE_LOG, RECORD_TRAUMA, trauma
from kb.games.arkham.decks.checks.required import ADVANCED, advanced_instead, earned_later, signatures_replaced
from kb.games.arkham.decks.edition import GRIMOIRE
from kb.games.arkham.decks.profile import Kind
from kb.games.arkham.decks.upgrade.changes import DeckChanges, PileChange
from kb.games.arkham.decks.upgrade.plan import UPGRADE, UpgradeStep
from kb.games.arkham.decks.upgrade.purchases import How
from kb.games.arkham.schema.options import FromCards
from kb.plural import counted

AGREE = Advice("agree on it with your group")


@UPGRADE.check("arkham/glossary/deckbuilding-options", "arkham/glossary/upgrading-cards", family="access")
def one_class_a_step(step: UpgradeStep) -> Problems:
    """If the investigator's back says so, all cards above level 0 purchased in one step come from one class; another
    step may use another class.

    Neutral cards and new level 0 cards are exempt. Marking boxes of an upgrade sheet counts as an upgrade. A
    multi-class card belongs to each of its classes. The class depends on events in play, which no deck file records.
    """
    back = step.changes.now.back
    if back is None or not back.special.buying.one_class:
        return
    bought = {
        bill.card.label: frozenset(bill.card.classes)
        for bill in step.plan.bills
        if (bill.level or bill.upgrades) and "neutral" not in bill.card.classes
    }
    if not bought:
        return
    shared = frozenset.intersection(*bought.values())
    if shared:
        yield Problem(
            f"All cards above level 0 that this step adds are {either(sorted(shared))}. This is legal only if the back of {back.label} names "
            "that class for this step.",
            cards=tuple(bought),
            severity="note",
            remedies=(Advice("check that the back names this class"),),
        )
    else:
        named = ", ".join(f"{label} ({either(sorted(classes))})" for label, classes in bought.items())
        yield Problem(
            f"In each step, the back of {back.label} allows purchases and upgrades above level 0 from one class only; "
            f"no class has all of {named}.",
            cards=tuple(bought),
            remedies=(Advice("in this step, purchase and upgrade cards above level 0 of one class only"),),
        )


@UPGRADE.check("arkham/glossary/deckbuilding", family="campaign", severity="note")
def cards_earned(step: UpgradeStep) -> Problems:
    """If the investigator adds cards for experience earned in total, a note lists them and gives that amount."""
    changes = step.changes
    for demand, total in _more(changes):
        cards = changes.facts.held(changes.new.cards)
        yield earned_later(demand, total, tuple(card.label for card, _ in cards if card.root in demand.codes))


@UPGRADE.check("arkham/glossary/trauma", "arkham/glossary/purchasing-cards", family="campaign", severity="note")
def trauma_of_purchases(step: UpgradeStep) -> Problems:
    """A note names each purchased card that gives or removes trauma."""
    for change in step.changes.purchases():
        card = change.card
        if card.special.buying.trauma:
            yield Problem(trauma(card, change.come), cards=(card.label,), remedies=(RECORD_TRAUMA,))


def earned_codes(changes: DeckChanges) -> frozenset[str]:
    """Return the first printings of cards added for experience earned in total, and of the cards that come with them."""
    demanded = {code for demand, _ in _more(changes) for code in demand.codes}
    along = {need.root for need in changes.now.needs if need.rule and not demanded.isdisjoint(need.rule.as_many_as)}
    return frozenset(demanded | along)


def _more(changes: DeckChanges) -> Iterator[tuple[FromCards, int]]:
    """Yield each list that supplied a card beyond the starting number, with the number of its cards in the new deck."""
    for demand in changes.now.demands:
        rows = [change for change in changes.cards if change.card.root in demand.codes]
        total = sum(change.after for change in rows)
        if demand.per_experience and total > demand.at_start and any(change.come > 0 for change in rows):
            yield demand, total


@UPGRADE.check(
    "arkham/glossary/experience", "arkham/glossary/purchasing-cards", "arkham/rulings/1-37", family="experience"
)
def enough_experience(step: UpgradeStep) -> Problems:
    """In their cheapest order, the purchases cost no more than the experience available."""
    cost, available = step.plan.cost, step.available
    if available is None:
        if cost:
            yield Problem(
                f"The step costs {cost} experience. The deck does not say how much is available.",
                severity="note",
                remedies=(
                    Act("give the experience available", "kb deck upgrade --xp"),
                    Set("experience", why="to the total experience available"),
                ),
            )
    elif cost > available:
        yield Problem(
            f"The step costs at least {cost} experience; only {available} is available.",
            count=cost,
            limit=available,
            remedies=(Advice(f"undo purchases worth {cost - available} experience"),),
        )


@UPGRADE.check(
    "arkham/glossary/purchasing-cards", "arkham/glossary/upgrading-cards", family="experience", severity="note"
)
def other_readings(step: UpgradeStep) -> Problems:
    """If the documents do not settle a price, and another reading changes the cost of the step, a note gives both
    costs.
    """
    terms, bills = step.plan.terms, step.plan.bills
    level_0 = [bill for bill in bills if bill.cost and not bill.level and bill.how is How.NEW]
    more = sum(terms.of_new(bill.card, again=True) + terms.dearer - bill.price for bill in level_0)
    if more:
        yield _readings(
            step,
            f"kb counts a new level 0 card as 0 experience plus {terms.dearer} for {terms.by['dearer']}, not as the "
            f"minimum of 1 plus {terms.dearer}",
            more,
        )
    most = max((discount.less for _, discount in terms.on_upgrades), default=0)
    if both := [bill for bill in bills if bill.place >= 0 and bill.off > most]:
        yield _readings(
            step,
            f"kb counts the discounts from {both[0].by} together for one upgrade, not each discount for a different upgrade",
            sum(bill.off - most for bill in both),
        )
    for change in step.changes.cards:
        discount = change.card.special.buying.discount
        if change.come > 0 and discount and discount.when == "upgrade" and not discount.at_once:
            traits = discount.traits
            upgraded = [
                bill for bill in bills if bill.upgrades and bill.cost and (not traits or traits & bill.card.traits)
            ]
            if saved := sum(discount.less for _ in upgraded[: discount.cards * change.come]):
                yield _readings(
                    step,
                    f"{change.card.name} is bought in this step, so kb does not let this card make other upgrades in the step "
                    "cheaper",
                    -saved,
                )
    off, all_off = terms.off_again
    again = [bill for bill in bills if bill.exiled and bill.how in (How.AGAIN, How.SHEET, How.MARKED)]
    single = min(len(again), all_off)
    if off > 1 and (more := sum(bill.off for bill in again) - single) > 0:
        yield _readings(
            step,
            f"kb counts the discounts from {terms.by['again']} together for one card that is purchased again, not each "
            "for a different card",
            more,
        )
    if swapped := [bill for bill in bills if bill.how is How.SWAP and bill.card.surcharge > 0]:
        names = ", ".join(dict.fromkeys(bill.card.label for bill in swapped))
        yield _readings(
            step,
            f"kb adds no experience of the taboo list for cards that are swapped in without a purchase: {names}",
            sum(bill.card.surcharge for bill in swapped),
            ("arkham/taboo",),
        )


def _readings(step: UpgradeStep, message: str, more: int, cites: tuple[str, ...] | None = None) -> Problem:
    cost = step.plan.cost
    return Problem(
        f"{message}. The documents can be read in two ways: the step costs {cost} under this reading, or "
        f"{f'up to {cost + more}' if more > 0 else cost + more} under the other.",
        cites=cites,
        remedies=(AGREE,),
    )


@UPGRADE.check("arkham/glossary/experience", family="experience", severity="warning")
def unspent_experience(step: UpgradeStep) -> Problems:
    """The experience available includes the experience left from earlier steps."""
    if step.earned is None and step.available is not None and step.available < step.carried:
        yield Problem(
            f"{step.carried} experience was left before this step, but the file says that only {step.available} is "
            "available in total.",
            remedies=(Set("experience", why="to the experience earned plus the experience that was left"),),
        )


@UPGRADE.check("arkham/glossary/experience", family="experience")
def no_more_experience(step: UpgradeStep) -> Problems:
    """An investigator with a card that forbids earning experience earns none."""
    for card, left, _ in step.changes.held():
        if left and card.special.buying.earns_nothing and step.earned:
            yield Problem(
                f"An investigator with {card.label} earns no experience, but {step.earned} is recorded.",
                cards=(card.label,),
                remedies=(Advice("spend only the experience that was left"),),
            )


@UPGRADE.check("arkham/glossary/experience", family="experience", severity="note")
def more_experience(step: UpgradeStep) -> Problems:
    """A note names each card in the deck that adds to the experience earned in a scenario."""
    for card, left, _ in step.changes.held():
        earns = card.special.buying.earns
        if left and earns:
            yield Problem(
                f"{card.label} earns {earns} more experience if the condition on the card is met.",
                cards=(card.label,),
                remedies=(Advice("check that the experience earned includes this"),),
            )


@UPGRADE.check("arkham/glossary/deckbuilding", "arkham/glossary/killed-insane-investigators", family="campaign")
def same_investigator(step: UpgradeStep) -> Problems:
    """Both decks have the same investigator. A different investigator starts with a new deck."""
    was, now = step.changes.was.investigator, step.changes.now.investigator
    if was and now and step.changes.facts.family(was.code) != step.changes.facts.family(now.code):
        yield Problem(
            f"The old deck is for {was.name}, the new deck for {now.name}.",
            cards=(was.label, now.label),
            at=At("investigator"),
            remedies=(Advice("build a new deck for a new investigator"),),
        )


@UPGRADE.check("arkham/glossary/deckbuilding", family="campaign")
def choices_stay(step: UpgradeStep) -> Problems:
    """Front, back and choices of the investigator stay as they were when the deck was built."""
    old, new = step.changes.old, step.changes.new
    for what, before, after in (
        ("front", old.front or old.investigator, new.front or new.investigator),
        ("back", old.back or old.investigator, new.back or new.investigator),
    ):
        facts = step.changes.facts
        if facts.root(before) != facts.root(after) and old.investigator == new.investigator:
            yield Problem(
                f"The {what} in use changes from {before} to {after}.", at=At(what), remedies=(Set(what, before),)
            )
    for option in step.changes.now.build.choices if step.changes.now.build else ():
        value, past = new.choices.get(option.chosen_as, ""), old.choices.get(option.chosen_as, "")
        if past and value != past:
            yield Problem(
                f"The choice made at deck creation changes from {past} to {value or 'nothing'}.",
                at=At("choices", option.chosen_as),
                remedies=(Set(f"choices.{option.chosen_as}", past),),
            )


def _left(change: PileChange, copies: int, why: str) -> Problem:
    return Problem(
        f"{counted(copies, 'copy')} of {change.card.label} left the deck; {why}.",
        cards=(change.card.label,),
        remedies=(
            Add((change.card.label,) * copies),
            Advice("check that the campaign guide or a card removed it"),
        ),
    )


def _kind(changes: DeckChanges, *kinds: Kind) -> Iterator[PileChange]:
    """Yield the changes of cards that have one of the `kinds` in the old deck or the new deck."""
    return (change for change in changes.cards if change.status.kind in kinds or change.was.kind in kinds)


@UPGRADE.check("arkham/glossary/permanent", "arkham/faq/removing-permanent-cards", family="campaign")
def permanents_stay(step: UpgradeStep) -> Problems:
    """No permanent card leaves the deck, unless it is upgraded."""
    for change in step.changes.cards:
        card = change.card
        if "permanent" not in card.keywords or not change.gone or change.status.kind is Kind.SIGNATURE:
            continue
        gone = step.plan.removed(change)
        if card.back and card.back == step.changes.new.transformed:
            continue  # the card was turned over and is now the investigator
        if gone > 0:
            yield _left(change, gone, "a permanent card cannot be removed or swapped out")


@UPGRADE.check(
    "arkham/glossary/purchasing-cards", "arkham/glossary/weakness", "arkham/glossary/basic-weakness", family="campaign"
)
def weaknesses_stay(step: UpgradeStep) -> Problems:
    """No weakness leaves the deck while cards are purchased, unless another weakness replaces it."""
    changes = step.changes
    came = [change for change in _kind(changes, Kind.BASIC, Kind.WEAKNESS) if change.come > 0]
    drawn = sum(change.come for change in came if change.status.kind is Kind.BASIC)
    for change in _kind(changes, Kind.BASIC, Kind.WEAKNESS):
        card = change.card
        if not change.gone or (card.hidden and drawn >= change.gone):
            continue
        later = any(
            card.root != other.card.root
            and other.card.special.stands_for_basic in (card.root, card.special.stands_for_basic or card.root)
            for other in came
        )
        if not later:
            yield _left(change, change.gone, "weaknesses cannot be removed")


@UPGRADE.check("arkham/glossary/purchasing-cards", "arkham/glossary/signature-cards", family="campaign")
def signatures_stay(step: UpgradeStep) -> Problems:
    """No required signature card leaves the deck, unless an advanced set replaces the original set."""
    changes = step.changes
    if signatures_replaced(changes.facts, changes.new):
        return
    replaced = advanced_instead(changes.now, changes.new)
    for change in _kind(changes, Kind.SIGNATURE):
        if change.gone and change.was.kind is Kind.SIGNATURE and change.card.root not in replaced:
            yield _left(change, change.gone, "the investigator's own cards stay")


@UPGRADE.check("arkham/glossary/story-assets", "arkham/glossary/weakness", family="campaign", severity="note")
def given_by_the_campaign(step: UpgradeStep) -> Problems:
    """A note names each story card and weakness added, and each story card removed, to compare with the campaign log."""
    advanced = advanced_instead(step.changes.now, step.changes.new)
    earned = earned_codes(step.changes)
    for change in step.changes.cards:
        card = change.card
        if card.root in earned and change.come > 0:
            continue  # see `cards_earned`
        if card.hidden or (advanced and card.signature_set == ADVANCED):
            continue
        story = change.status.kind is Kind.STORY
        message = ""
        if change.come > 0 and (story or change.status.kind in (Kind.WEAKNESS, Kind.BASIC, Kind.SIGNATURE)):
            message = f"The deck gained {counted(change.come, 'copy')} of {card.label} without a purchase."
        elif story and change.gone:
            message = f"{counted(change.gone, 'copy')} of {card.label} left the deck."
        if message:
            yield Problem(message, cards=(card.label,), remedies=(IN_THE_LOG,))


@UPGRADE.check("arkham/glossary/purchasing-cards", "arkham/glossary/deckbuilding", family="campaign")
def purchased_at_creation(step: UpgradeStep) -> Problems:
    """Cards that can only be purchased when the deck is built are not added later."""
    for change in step.changes.purchases():
        card = change.card
        if card.special.at_creation:
            yield Problem(
                f"{card.label} can only be purchased at deck creation.",
                cards=(card.label,),
                remedies=(Remove(change.come, (card.label,) * change.come),),
            )


@UPGRADE.check("arkham/glossary/researched", "arkham/glossary/upgrading-cards", family="access")
def researched_by_upgrade(step: UpgradeStep) -> Problems:
    """A researched card enters a deck only as an upgrade of its lower level version, once the campaign log records the
    task that unlocks it.
    """
    bought = [bill for bill in step.plan.bills if "researched" in bill.card.keywords]
    for label, upgraded in dict.fromkeys((each.card.label, each.upgrades) for each in bought):
        if upgraded:
            message = f"{label} is allowed only once the task named on its lower level version is recorded."
            yield Problem(message, cards=(label,), severity="note", remedies=(IN_THE_LOG,))
        else:
            message = f"{label} was not upgraded from its lower level version."
            yield Problem(message, cards=(label,), remedies=(Advice("purchase the lower level version first"),))


@UPGRADE.check("arkham/glossary/upgrading-cards", "arkham/glossary/deckbuilding", family="copies")
def lower_versions_kept(step: UpgradeStep) -> Problems:
    """A copy stays in the deck uncounted only if a higher level version of it is purchased at full cost."""
    stays = Counter(bill.source.root for bill in step.plan.bills if bill.source and bill.how is How.BESIDE)
    for change in step.changes.cards:
        card, paid = change.card, stays[change.card.root]
        if paid < change.beside:
            yield Problem(
                f"{counted(change.beside - paid, 'copy')} of {card.label} no longer count toward the deck size, but no "
                "higher version was purchased.",
                cards=(card.label,),
                at=At("uncounted"),
                remedies=(Unlist("uncounted", (card.label,) * (change.beside - paid)),),
            )


@UPGRADE.check("arkham/glossary/exile", family="campaign", severity="warning")
def exiled_from_the_deck(step: UpgradeStep) -> Problems:
    """Every card listed as exiled was in the old deck."""
    for code in step.changes.not_held:
        card = step.changes.facts.card(code)
        name = card.label if card else code
        yield Problem(
            f"{name} is listed as exiled, but the old deck had no more copies of it.",
            cards=(name,),
            at=At("exiled"),
            remedies=(Unlist("exiled", (name,)),),
        )


@UPGRADE.check("arkham/glossary/exile", family="campaign", severity="note")
def exiled_by_something_else(step: UpgradeStep) -> Problems:
    """If an exiled card does not exile itself, another card or a scenario exiled it."""
    for change in step.changes.cards:
        if change.exiled and "exile" not in change.card.keywords:
            yield Problem(
                f"{change.card.label} does not exile itself, so another card or the scenario must have exiled it.",
                cards=(change.card.label,),
                at=At("exiled"),
                remedies=(IN_THE_LOG,),
            )


@UPGRADE.check("arkham/glossary/customizable", family="campaign")
def boxes_stay(step: UpgradeStep) -> Problems:
    """Boxes that were marked stay marked; the experience for them is not refunded."""
    for sheet in step.changes.sheets():
        if sheet.erased_boxes:
            yield Problem(
                f"{counted(sheet.erased_boxes, 'box')} of {sheet.card.label} were marked and no longer are.",
                cards=(sheet.card.label,),
                at=At("upgrades"),
                remedies=(
                    Boxes(sheet.card.label, sheet.erased_boxes, checked=True, key=f"upgrades.{sheet.card.code}"),
                ),
            )


@UPGRADE.check("arkham/glossary/purchasing-cards", "arkham/glossary/customizable", family="experience", severity="note")
def cheaper_by_play(step: UpgradeStep) -> Problems:
    """A note names purchases that a card in the deck may have made cheaper during the scenario, and boxes that it may
    have marked.
    """
    bought = [("upgrade" if bill.upgrades else "new", bill.card) for bill in step.plan.bills if bill.cost]
    bought += [("boxes", sheet.card) for sheet in step.changes.sheets() if sheet.more_boxes and sheet.left]
    for card, left, _ in step.changes.held():
        rows = card.special.buying.in_play if left else ()
        names = [other.label for when, other in bought if any(row.when == when and row.admits(other) for row in rows)]
        if names:
            yield Problem(
                f"During the scenario, {card.label} may have made {', '.join(dict.fromkeys(names))} cheaper. "
                "kb counts the full cost.",
                cards=(card.label, *dict.fromkeys(names)),
                remedies=(Advice("add the experience that the card saved to the experience available"),),
            )


@UPGRADE.check("arkham/taboo", family="campaign", severity="note")
def same_taboo_list(step: UpgradeStep) -> Problems:
    """If the two decks use different taboo lists, a note says that the new deck's list sets the costs."""
    old, new = step.changes.old.taboo, step.changes.new.taboo
    if old != new:
        yield Problem(
            f"The taboo list changes from {old or 'none'} to {new or 'none'}; kb uses the list of the new deck for the costs."
        )


@UPGRADE.check("arkham/glossary/purchasing-cards", family="campaign")
def deck_may_change(step: UpgradeStep) -> Problems:
    """The deck of a transformed investigator does not change if the investigator card forbids changes."""
    card = step.changes.facts.card(step.changes.old.transformed) if step.changes.old.transformed else None
    if card is None or not card.special.buying.frozen:
        return
    names = tuple(change.card.label for change in step.changes.cards if change.come > 0 or change.gone)
    if names or step.plan.bills:
        yield Problem(
            f"While playing as {card.name}, the investigator cannot add, remove or upgrade cards.",
            cards=names,
            remedies=(Advice("leave the deck unchanged"),),
        )


@UPGRADE.check(
    "arkham/grimoire/reprints/modified-reprints",
    "arkham/glossary/purchasing-cards",
    family="experience",
    severity="note",
    when=lambda step: step.changes.new.rules == GRIMOIRE,
)
def other_version_of_a_reprint(step: UpgradeStep) -> Problems:
    """Exchanging a card for its modified reprint, or the reprint for the original, counts as free, because no document
    gives a price.
    """
    facts, piles = step.changes.facts, (step.changes.old.cards, step.changes.new.cards)
    versions = [{card.root: card for card, _ in facts.held(cards)} for cards in piles]
    for root, before in versions[0].items():
        now = versions[1].get(root)
        if now is not None and now.modified != before.modified:
            copies = min(piles[0][before.code], piles[1][now.code])
            yield Problem(
                f"{before.label} becomes {now.label}, its other version. The documents do not say what that costs. "
                "If the group chooses the version again, it costs nothing (as counted here). If it is a purchase, it "
                f"costs {copies}.",
                cards=(before.label, now.label),
                remedies=(AGREE,),
            )


@UPGRADE.check("arkham/glossary/purchasing-cards", "arkham/glossary/deckbuilding", family="choice", severity="note")
def choices_assumed(step: UpgradeStep) -> Problems:
    """If the new deck does not record a choice (branded spell), kb assumes the cheapest one, and a note names it."""
    if step.undecided is None:
        return
    facts = step.changes.facts
    for code, chosen in step.changes.new.attachments.items():
        card = facts.card(code)
        if card is None or code in step.undecided.attachments or card.special.attach is None:
            continue
        labels = tuple(map(facts.label, chosen))
        yield Problem(
            f"The file does not record the {card.special.attach.called} of {card.label}. kb assumes {either(labels)}, "
            "the cheapest choice.",
            cards=(card.label, *labels),
            at=At("attached"),
            remedies=(Add(labels, f"attached.{code}"),),
        )
