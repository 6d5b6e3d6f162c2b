"""Checks of the investigator, of choices made when the deck was built, and of the cards.

The cards must be known and allowed, and the deck must have enough of them and not too many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kb.decks.names import CardLabel, did_you_mean, either
from kb.decks.problems import At, Problem, Problems
from kb.decks.remedies import Act, Advice, Boxes, Clear, Fill, Remove, Set, Unlist
from kb.games.arkham.decks.card import ArkhamCard
from kb.games.arkham.decks.card_pool import DISCRETION, groups
from kb.games.arkham.decks.deck_counts import (
    ARKHAM,
    DeckCounts,
    TitleGroup,
    each_label,
    excess,
    free_slots,
    labels,
    leaving_first,
    seat_in_limited_slots,
    with_copies,
)
from kb.games.arkham.decks.facts import ArkhamFacts
from kb.games.arkham.decks.profile import Kind
from kb.games.arkham.schema.options import Build
from kb.plural import counted
from kb.registry import games


@ARKHAM.check("arkham/glossary/deckbuilding", family="choice")
def one_investigator(counts: DeckCounts) -> Problems:
    """A deck has exactly one investigator, who can build decks."""
    profile, deck = counts.profile, counts.deck
    if profile.investigator is None:
        named = f"The deck's investigator, {deck.investigator}," if deck.investigator else "The deck's investigator"
        yield Problem(f"{named} is unknown.", at=At("investigator"), remedies=(Set("investigator"),))
    elif profile.investigator.type != "investigator":
        label = profile.investigator.label
        yield Problem(f"{label} is not an investigator.", at=At("investigator"), remedies=(Set("investigator"),))
    elif profile.build is None and profile.front and profile.back and not profile.facts.own(profile.back.code):
        yield Problem(
            f"{profile.back.label} has no deckbuilding requirements, so no deck can be built for it.",
            at=At("investigator"),
            remedies=(Advice("choose an investigator whose back lists a deck size"),),
        )


@ARKHAM.check("arkham/glossary/deckbuilding", family="choice")
def sides_of_one_investigator(counts: DeckCounts) -> Problems:
    """Front and back belong to the same investigator, in the original, a parallel or a promotional version."""
    facts, deck = counts.facts, counts.deck
    for side, code in (("front", deck.front), ("back", deck.back)):
        if not code or code == deck.investigator:
            continue
        card = facts.card(code)
        remedies = (Clear((side,)), Set(side, choices=tuple(_sides(facts, deck.investigator))))
        if card is None or card.type != "investigator":
            yield Problem(f"The {side} in use, {code}, is not an investigator.", at=At(side), remedies=remedies)
        elif not _sides_of_one(facts, code, deck.investigator):
            yield Problem(
                f"The {side} in use belongs to {card.label}, not to the deck's investigator card.",
                cards=(card.label,),
                at=At(side),
                remedies=remedies,
            )


def _sides_of_one(facts: ArkhamFacts, code: str, other: str) -> bool:
    """Return True if the front of one investigator card and the back of the other may be used together.

    The sides may be combined if the cards are printings of one card, or if one is a parallel or promotional version of
    the other. Two cards of one investigator in the same product, such as Agatha Crane's, may not. `code` and `other`
    are their codes.
    """
    if facts.family(code) != facts.family(other):
        return False
    cards = filter(None, map(facts.card, (code, other)))
    return facts.root(code) == facts.root(other) or any(
        facts.own(card.code) or groups(card, facts) & DISCRETION for card in cards
    )


def _sides(facts: ArkhamFacts, investigator: str) -> Iterator[str]:
    """Yield the codes of the investigator cards whose sides may be combined with the sides of `investigator`."""
    for code in facts.codes():
        card = facts.card(code) if _sides_of_one(facts, code, investigator) else None
        if card is not None and card.type == "investigator" and card.root == code:
            yield code


@ARKHAM.check("arkham/glossary/deckbuilding", family="choice")
def choices_made(counts: DeckCounts) -> Problems:
    """For every choice that the investigator offers, the deck names one of the offered values."""
    taken = set(counts.deck.choices.values())
    for option, value in counts.profile.unsettled:
        what, in_list = "option", "Option"
        if option.choose_class:
            what, in_list = "class", "Class Choice"
        elif option.choose_size:
            what, in_list = "deck size", "Deck size"
        if not value:
            message = f"No {what} is chosen."
        elif value in option.values:
            message = f"The {what} {value} is chosen twice."
        else:
            message = f"The {what} {value} cannot be chosen.{did_you_mean(value, option.values)}"
        key = f"choices.{option.chosen_as}"
        offered = tuple(each for each in option.values if each not in taken) if option.choose_class else option.values
        yield Problem(
            message, at=At("choices", option.chosen_as), remedies=(Set(key, choices=tuple(offered), in_list=in_list),)
        )


@ARKHAM.check("arkham/taboo", family="choice")
def taboo_list_known(counts: DeckCounts) -> Problems:
    """The taboo list that the deck names exists."""
    deck = counts.deck
    if deck.taboo and counts.profile.taboo is None:
        known = (*map(str, counts.facts.taboos), "none")
        yield Problem(f"Taboo list {deck.taboo} is unknown.", at=At("taboo"), remedies=(Set("taboo", choices=known),))


@ARKHAM.check(
    "arkham/faq/transfiguration-signature-cards",
    "arkham/glossary/deckbuilding",
    family="choice",
    severity="note",
    when=lambda counts: counts.deck.transformed,
)
def transformed(counts: DeckCounts) -> Problems:
    """An investigator who was transformed during the campaign keeps the deck. The original back still applies to the
    deck.
    """
    deck, facts = counts.deck, counts.facts
    card = facts.card(deck.transformed)
    if card is None or card.type != "investigator":
        yield Problem(
            f"The deck's investigator became {deck.transformed}, which is not an investigator.",
            severity="error",
            at=At("transformed"),
            remedies=(Clear(("transformed",)),),
        )
    else:
        yield Problem(f"The investigator became {card.label}: kb checks the deck by the back it was built with.")


@ARKHAM.check("arkham/glossary/deckbuilding", family="copies")
def numbers_make_sense(counts: DeckCounts) -> Problems:
    """Each number of copies is a whole number and not negative."""
    for oddity in counts.deck.oddities:
        yield Problem(oddity, remedies=(Advice("correct the file"), Advice("export the deck again")))
    for code in counts.strange:
        name = counts.profile.status(code).label
        yield Problem(
            f"{counts.deck.cards[code]} copies of {name} are not possible.",
            cards=(name,),
            count=counts.deck.cards[code],
            at=At("cards"),
            remedies=(Set(f"cards.{code}", "0"),),
        )


@ARKHAM.check("arkham/glossary/signature-cards", family="copies", severity="note")
def subtitle_not_given(counts: DeckCounts) -> Problems:
    """If the file names one of several signature cards without its subtitle, a note says which card kb counts."""
    for code, others in counts.deck.guessed.items():
        label = counts.profile.status(code).label
        yield Problem(
            f"{counts.facts.name(code)} may be {either((label, *others))}; kb counts {label}.",
            cards=(label, *others),
            remedies=(Advice("add the subtitle or the code to the name"),),
        )


@ARKHAM.check("arkham/glossary/deckbuilding", family="access")
def cards_known(counts: DeckCounts) -> Problems:
    """Every card in the deck is a known card."""
    unknown = counts.rows_of(Kind.UNKNOWN)
    if not unknown:
        return
    made = {each.code: each.name for each in counts.deck.brought}
    own = tuple(CardLabel(made[status.code], status.code) for status, _ in unknown if status.code in made)
    if own:
        yield Problem(
            f"kb has no facts about these fan-made cards: {', '.join(own)}.",
            cards=own,
            severity="warning",
            remedies=(Advice("check that your group plays with them, and that the deck may contain them"),),
        )
    rows = [row for row in unknown if row[0].code not in made]
    if rows:
        newer = dict.fromkeys(filter(None, (games()["arkham"].newer_than_facts(status.code) for status, _ in rows)))
        yield Problem(
            " ".join((f"No card has the code or name {', '.join(labels(rows))}.", *newer)),
            cards=labels(rows),
            remedies=(
                Advice("correct the code"),
                Remove(sum(copies for _, copies in rows), each_label(rows)),
                Act("import newer card data", "kb import arkhamdb"),
            ),
        )


@ARKHAM.check("arkham/glossary/investigator-deck", "arkham/glossary/cardtypes", family="access")
def cards_of_decks(counts: DeckCounts) -> Problems:
    """An investigator deck contains only assets, events, skills and weaknesses."""
    rows = [row for row in counts.rows_of(Kind.OF_NO_DECK) if row[0].code != counts.deck.transformed]
    if rows:
        names = labels(rows)
        yield Problem(
            f"An investigator deck cannot contain {', '.join(names)}.",
            cards=names,
            remedies=(Remove(sum(copies for _, copies in rows), each_label(rows)),),
        )


@ARKHAM.check("arkham/glossary/bonded", family="access")
def bonded_stay_out(counts: DeckCounts) -> Problems:
    """Bonded cards are not part of the deck; they are set aside at the start of each game."""
    for card, copies in counts.cards_of(Kind.BONDED):
        message = f"{card.label} is bonded to {card.bonded_to} and is not part of the deck."
        yield Problem(message, cards=(card.label,), remedies=(Remove(copies, (card.label,) * copies),))


@ARKHAM.check("arkham/glossary/trauma", "arkham/glossary/purchasing-cards", family="campaign", severity="note")
def trauma_of_cards(counts: DeckCounts) -> Problems:
    """A note names each card that gives trauma when it is purchased, at deck creation or later."""
    for card, copies in counts.special:
        if any(points > 0 for points in card.special.buying.trauma.values()):
            yield Problem(trauma(card, copies), cards=(card.label,), remedies=(RECORD_TRAUMA,))


RECORD_TRAUMA = Advice("record the trauma in the campaign log")


def trauma(card: ArkhamCard, copies: int) -> str:
    """Return a sentence about the trauma that purchasing `copies` of a card gives or removes.

    For example: `1 mental trauma is suffered when … is purchased.`
    """
    (kind, points), *_ = card.special.buying.trauma.items()
    which = "physical or mental" if kind == "either" else kind
    done = "suffered" if points > 0 else "removed"
    bought = "is purchased" if copies == 1 else f"is purchased {copies} times"
    return f"{abs(points) * copies} {which} trauma is {done} when {card.label} {bought}."


@ARKHAM.check("arkham/glossary/deckbuilding", "arkham/glossary/permanent", "arkham/rulings/1-18", family="count")
def deck_size(counts: DeckCounts) -> Problems:
    """The number of cards equals the deck size, not counting weaknesses, signatures, story cards and permanents."""
    profile = counts.profile
    missing = profile.size - counts.size
    if not missing or profile.build is None:
        return
    if any(profile.base_size - missing in option.choose_size for option, _ in profile.unsettled):
        return  # the deck has another size, which is not chosen yet
    if missing > 0:  # unknown cards may be the missing ones
        made = {each.code for each in counts.deck.brought}
        if missing <= sum(copies for status, copies in counts.rows_of(Kind.UNKNOWN) if status.code in made):
            return
    changed = (
        f"{profile.base_size} {profile.size - profile.base_size:+d}; " if profile.size != profile.base_size else ""
    )
    printed = counts.facts.card(profile.back.code) if profile.back else None
    if printed and printed.build and _sizes(printed.build) != _sizes(profile.build):
        changed += f"taboo list {counts.deck.taboo} changes the deck size of {printed.name} to {profile.base_size}; "
    yield Problem(
        f"{counts.size} of {counted(profile.size, 'card')} ({changed}weaknesses and signatures don't count).",
        count=counts.size,
        limit=profile.size,
        remedies=(Fill(missing, "card") if missing > 0 else Remove(-missing, ()),),
    )


def _sizes(build: Build) -> tuple[int, ...]:
    """Return the deck sizes that a player may choose, or the only one."""
    return next((option.choose_size for option in build.choices if option.choose_size), (build.size,))


@ARKHAM.check(
    "arkham/glossary/deckbuilding-options", "arkham/rulings/1-16", "arkham/glossary/deckbuilding", family="access"
)
def within_options(counts: DeckCounts) -> Problems:
    """At least one of the investigator's deckbuilding options allows each standard card."""
    rows = [row for row in counts.rows_of(Kind.OPTIONS) if not (row[0].card and counts.profile.may_let_in(row[0].card))]
    plain = [row for row in rows if not (row[0].card and row[0].card.spent)]
    if plain:
        back = counts.profile.back
        yield Problem(
            f"None of the deckbuilding options{f' of {back.label}' if back else ''} allows {with_copies(plain)}.",
            cards=labels(plain),
            count=sum(copies for _, copies in plain),
            remedies=(counts.replacement(plain, "cards that the options allow"),),
        )
    for status, copies in rows:
        card = status.card
        if card and card.spent:
            boxes = _boxes_over(counts, card, copies)
            fewer = (Boxes(card.label, boxes, checked=False, key=f"upgrades.{status.code}"),) if boxes else ()
            yield Problem(
                f"{card.name} [{card.code}] is a level {card.level} card because of its marked boxes, "
                "and none of the deckbuilding options allows it.",
                cards=(card.label,),
                remedies=(*fewer, counts.removal([(card, copies)])),
                cites=(
                    "arkham/glossary/customizable",
                    "arkham/faq/the-raven-quill-deckbuilding-access",
                    "arkham/glossary/deckbuilding-options",
                ),
            )


def _boxes_over(counts: DeckCounts, card: ArkhamCard, copies: int) -> int:
    """Return the number of marked boxes to clear so that the deckbuilding options allow `copies` of the card at its new
    level, and limited slots are free for them if they need any.

    The result is 0 if there is no such level.
    """
    for level in range((card.level or 0) - 1, -1, -1):
        status = counts.profile.classified(card.code, replace(card, level=level))
        if status.kind is Kind.PLAYER and free_slots(counts, status.mask, copies):
            return card.spent - 2 * level
    return 0


@ARKHAM.check("arkham/glossary/deckbuilding-options", "arkham/glossary/deckbuilding", family="access")
def restrictions_kept(counts: DeckCounts) -> Problems:
    """A deck contains no card that a deckbuilding restriction excludes, unless an earlier option allows it."""
    if rows := counts.rows_of(Kind.FORBIDDEN):
        yield Problem(
            f"A deckbuilding restriction excludes {with_copies(rows)}.",
            cards=labels(rows),
            remedies=(counts.removal(rows),),
        )


@ARKHAM.check("arkham/glossary/deckbuilding", family="access")
def traits_of_the_investigator(counts: DeckCounts) -> Problems:
    """If a card is only for investigators with certain traits, the front of the investigator has one of these traits."""
    for card, copies in counts.cards_of(Kind.TRAIT):
        traits = either(trait.title() for trait in sorted(card.only_traits))
        yield Problem(
            f"{card.label} is only for investigators with the trait {traits}.",
            cards=(card.label,),
            remedies=(counts.removal([(card, copies)]),),
        )


@ARKHAM.check("arkham/glossary/signature-cards", family="access")
def signatures_of_others(counts: DeckCounts) -> Problems:
    """A deck contains no signature card or signature weakness of another investigator."""
    for card, copies in counts.cards_of(Kind.OF_OTHERS):
        known = map(counts.facts.card, card.only_investigators)
        owners = either(sorted({owner.name for owner in known if owner}) or ["another investigator"])
        yield Problem(
            f"{card.label} is a signature card of {owners}.",
            cards=(card.label,),
            remedies=(Remove(copies, (card.label,) * copies),),
        )


@ARKHAM.check("arkham/taboo", family="access")
def taboo_forbidden(counts: DeckCounts) -> Problems:
    """A deck contains no card that the taboo list in force forbids."""
    if rows := counts.rows_of(Kind.TABOO):
        yield Problem(
            f"Taboo list {counts.deck.taboo} forbids {with_copies(rows)}.",
            cards=labels(rows),
            remedies=(counts.removal(rows), Set("taboo", "none")),
        )


IN_THE_LOG = Advice("compare with the campaign log")


@ARKHAM.check("arkham/glossary/story-assets", "arkham/rulings/1-36", family="access", severity="note")
def story_cards_granted(counts: DeckCounts) -> Problems:
    """A deck contains a story card only if a scenario granted it, as the campaign log shows."""
    if rows := counts.granted:
        message = f"Allowed only if the campaign granted them: {with_copies(rows)}."
        yield Problem(message, cards=labels(rows), remedies=(IN_THE_LOG,))


@ARKHAM.check("arkham/glossary/researched", family="access", severity="note")
def researched_cards_earned(counts: DeckCounts) -> Problems:
    """Researched cards are added only as upgrades, once the campaign log records the task that unlocks them. A new deck
    contains none.
    """
    rows = [row for row in counts.rows_of(Kind.PLAYER) if row[0].card and "researched" in row[0].card.keywords]
    if rows and counts.agreement.start:
        yield Problem(
            f"Researched cards enter a deck only as upgrades, so a new deck cannot contain {with_copies(rows)}.",
            cards=labels(rows),
            severity="error",
            remedies=(counts.replacement(rows, "the versions without Researched"),),
        )
    elif rows:
        message = f"Allowed only as upgrades after their task is recorded: {with_copies(rows)}."
        yield Problem(message, cards=labels(rows), remedies=(IN_THE_LOG,))


@ARKHAM.check("arkham/glossary/deckbuilding-options", "arkham/rulings/1-15", "arkham/rulings/1-16", family="access")
def limited_slots(counts: DeckCounts) -> Problems:
    """If cards need limited deckbuilding slots, there is a slot for each of them."""
    slots, left = seat_in_limited_slots(counts)
    if not left:
        return
    over = sum(copies for _, copies in left)
    names = ", ".join(f"{copies} {card.label}" for card, copies in left)
    yield Problem(
        f"{counted(over, 'card')} too many for the limited slots. Best fit: {'; '.join(each['text'] for each in slots)}; "
        f"without a slot: {names}.",
        cards=tuple(card.label for card, _ in left),
        count=over,
        limit=0,
        remedies=(counts.removal(left), Advice("remove other cards that use these slots instead")),
    )


_STANDARD = 2


def _groups(counts: DeckCounts, kind: str) -> Iterator[TitleGroup]:
    """Yield the titles with too many copies whose limit is of one `kind`: `single`, `exceptional`, `myriad` or
    `standard`.
    """
    for group in counts.over_limit:
        if counts.profile.single_copies:
            limit_kind = "single"
        elif any("exceptional" in card.keywords for card, _ in group.rows):
            limit_kind = "exceptional"
        else:
            limit_kind = "myriad" if any("myriad" in card.keywords for card, _ in group.rows) else "standard"
        if limit_kind == kind:
            yield group


def _too_many(counts: DeckCounts, group: TitleGroup, rule: str) -> Problem:
    """Return a problem for a title with too many copies in the deck. `rule` states the limit."""
    over = group.copies - group.limit
    return Problem(
        f"{counted(group.copies, 'copy')} of {group.rows[0][0].name}; {rule}.",
        cards=tuple(card.label for card, _ in group.rows),
        count=group.copies,
        limit=group.limit,
        remedies=(counts.removal(leaving_first(group.rows, over), of=group.rows),),
    )


@ARKHAM.check(
    "arkham/glossary/deckbuilding",
    "arkham/glossary/limits-and-maximums",
    "arkham/glossary/customizable",
    family="copies",
)
def copies_by_title(counts: DeckCounts) -> Problems:
    """A deck has at most 2 copies of a title, over all printings and levels, or as many as the card itself allows."""
    for group in _groups(counts, "standard"):
        standard = group.limit == _STANDARD
        yield _too_many(
            counts, group, f"at most {group.limit} by title" if standard else f"the limit is {group.limit} per deck"
        )


@ARKHAM.check("arkham/glossary/exceptional", "arkham/taboo", family="copies")
def exceptional_once(counts: DeckCounts) -> Problems:
    """A deck has at most 1 copy by title of an exceptional card, including cards that a taboo list makes exceptional."""
    for group in _groups(counts, "exceptional"):
        yield _too_many(counts, group, "at most 1 copy by title of an exceptional card")


@ARKHAM.check("arkham/glossary/myriad", family="copies")
def myriad_three(counts: DeckCounts) -> Problems:
    """A deck has at most 3 copies by title of a myriad card."""
    for group in _groups(counts, "myriad"):
        yield _too_many(counts, group, f"at most {group.limit} copies by title of a myriad card")


@ARKHAM.check("arkham/glossary/limits-and-maximums", "arkham/glossary/deckbuilding", family="copies")
def copies_by_subtitle(counts: DeckCounts) -> Problems:
    """If a card is limited by its subtitle, the deck has no more copies with this subtitle than the card allows."""
    same: dict[str, tuple[ArkhamCard, int]] = {}
    for card, copies in counts.special:
        if card.special.subtitle_limit:
            same[card.root] = (card, copies + same.get(card.root, (card, 0))[1])
    for card, copies in same.values():
        limit = card.special.subtitle_limit
        if copies > limit:
            yield Problem(
                f"{counted(copies, 'copy')} of {card.label}; the limit for cards with this subtitle is {limit}.",
                cards=(card.label,),
                count=copies,
                limit=limit,
                remedies=(counts.removal([(card, copies - limit)]),),
            )


@ARKHAM.check("arkham/glossary/deckbuilding", family="copies")
def single_copies(counts: DeckCounts) -> Problems:
    """If a card in the deck says so, the deck has only one copy of each title, except weaknesses and signature cards."""
    for group in _groups(counts, "single"):
        source = next(card.name for card, _ in counts.special if card.special.single_copies)
        yield _too_many(counts, group, f"with {source} in the deck, only 1 copy of each title")


@ARKHAM.check("arkham/glossary/deckbuilding", "arkham/glossary/limits-and-maximums", family="access")
def cards_limited_by_trait(counts: DeckCounts) -> Problems:
    """If a card limits the number of cards with a trait, the deck keeps to this limit (such as one Covenant)."""
    limits = {(limit.trait, limit.max) for card, _ in counts.special if (limit := card.special.trait_limit)}
    for trait, most in sorted(limits):
        rows = [row for row in counts.rows if row[0].card is not None and trait in row[0].card.traits]
        copies = sum(number for _, number in rows)
        if copies > most:
            yield Problem(
                f"{copies} {trait.title()} cards ({with_copies(rows)}); a deck may have {most}.",
                cards=labels(rows),
                count=copies,
                limit=most,
                remedies=(counts.removal(leaving_first(rows, copies - most), of=rows),),
            )


@ARKHAM.check("arkham/glossary/story-assets", family="copies")
def story_card_copies(counts: DeckCounts) -> Problems:
    """A deck has no more copies of a story card than its product contains."""
    for status, copies in counts.granted:
        if status.card is not None and status.kind is Kind.STORY and copies > status.limit:
            yield excess(status.card, copies, status.limit, "there is only")


@ARKHAM.check("arkham/glossary/deckbuilding", family="copies")
def uncounted_copies(counts: DeckCounts) -> Problems:
    """All copies count toward the deck size and limits, unless the investigator or a campaign allows an exception."""
    for code, copies in counts.ignored.items():
        card = counts.profile.card(code)
        if card is None:
            continue
        keeps = card.traits & counts.profile.keeps_lower and _higher(card, counts.facts.named(card.name))
        if not keeps and copies > card.special.beyond_size:
            yield Problem(
                f"{counted(copies, 'copy')} of {card.label} must count toward the deck size and limits.",
                cards=(card.label,),
                count=copies,
                at=At("uncounted"),
                remedies=(Unlist("uncounted", (card.label,) * copies),),
            )
        elif keeps and not _higher(card, (other for other, _ in counts.cards())):
            yield Problem(
                f"{card.label} is left out of the deck size, but the deck contains no higher level of it.",
                cards=(card.label,),
                severity="warning",
                at=At("uncounted"),
                remedies=(Unlist("uncounted", (card.label,) * copies),),
            )


def _higher(card: ArkhamCard, others: Iterable[ArkhamCard]) -> bool:
    """Return True if `others` contains a higher level version of `card`."""
    return any(other.title == card.title and (other.level or 0) > (card.level or 0) for other in others)
