"""The rules of a Tainted Grail campaign. They compare each save sheet with the state of the campaign before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from kb.campaigns.table import members
from kb.decks.names import both, name_key
from kb.decks.problems import At, Check, Problem, Problems, Rule
from kb.decks.remedies import Advice, Clear, Exchange, ListUnder, Move, Remedy, Remove, Set, Unlist
from kb.decks.ruleset import Ruleset
from kb.games.tainted_grail.campaign.game_file import (
    GODDESS,
    GODDESS_STATUS,
    SheetStep,
    held_before,
)
from kb.games.tainted_grail.decks.character_sheet import ATTRIBUTES, Sheet, entry
from kb.games.tainted_grail.decks.growth import Prices, least_cost, pairs_of, prices_now
from kb.plural import counted

MOST_CHARACTERS = 4
MOST_ON_A_FIRST_DIAL = 9
"""The number on the first menhir's dial at setup is this number minus the number of players."""
GAME = "tainted-grail"
CAMPAIGN = Ruleset[SheetStep](GAME, "Tainted Grail: The Fall of Avalon, a campaign")


def rule(*cites: str, **how: Any) -> Callable[[Rule[SheetStep]], Check[SheetStep]]:
    """Register the decorated function as a rule of the campaign.

    `cites` lists the entries that state the rule, each by the last part of its id. `how` contains further arguments
    of `Ruleset.check`.
    """
    return CAMPAIGN.check(*map(entry, cites), **{"family": "campaign", **how})


@rule("saving-the-game", "order-of-the-day", "allmothers-mercy")
def time_goes_on(step: SheetStep) -> Problems:
    """Neither the chapter nor the day goes back. Only the Allmother can return the party to the beginning of the
    chapter.
    """
    before, saved = step.before, step.played
    for key, then, now in (("chapter", before.chapter, saved.chapter), ("day", before.day, saved.day)):
        if then is not None and now is not None and now < then and not (step.mercy and key == "day"):
            mercy = (ListUnder("statuses", (GODDESS_STATUS,)),) if key == "day" else ()
            yield Problem(
                f"The {key} was {then} on the last save sheet and is {now} now.",
                count=now,
                limit=then,
                at=At(key),
                remedies=(Set(key), *mercy),
            )


@rule("saving-the-game", severity="note")
def saved_after_a_chapter(step: SheetStep) -> Problems:
    """The game is saved only after a chapter, or in an emergency."""
    before, saved = step.before, step.played
    if before.saves and saved.chapter is not None and saved.chapter == before.chapter and not saved.emergency:
        yield Problem(
            f"The game was saved within chapter {saved.chapter}. Save within a chapter only in an emergency.",
            at=At("chapter"),
            remedies=(Set("emergency", "yes", why="if this was an emergency"),),
        )


@rule("game-modes")
def mode_between_chapters(step: SheetStep) -> Problems:
    """The mode changes only between chapters."""
    before, saved = step.before, step.played
    if step.known and saved.mode and saved.mode != before.mode and before.saves and saved.chapter == before.chapter:
        yield Problem(
            f"The mode changes from {before.mode} to {saved.mode} within a chapter.",
            at=At("mode"),
            remedies=(Clear(("mode",), why="and change the mode when the next chapter begins"),),
        )


@rule("activating-menhirs", "menhirs")
def menhirs_are_lit(step: SheetStep) -> Problems:
    """Each menhir on the map was there at the last save sheet, or was activated since then."""
    if not step.known or step.before.menhirs is None:
        return
    for place in step.played.menhirs or {}:
        if place not in step.before.menhirs and place not in step.played.activated:
            yield Problem(
                f"The menhir in {place} is new, but it was not activated.",
                at=At("menhirs", place),
                remedies=(ListUnder("activated", (place,)),),
            )


@rule("reduce-menhir-dials", "remove-expired-menhirs", "extending-a-menhir")
def dials_run_down(step: SheetStep) -> Problems:
    """Each day reduces every dial by 1. A menhir without a dial is removed on the next day, unless it is activated
    again.
    """
    before, now, days = step.before.menhirs, step.played.menhirs, step.days
    if not step.known or before is None or now is None or days is None or days < 0 or step.mercy:
        return
    for place, then in before.items():
        if place in step.played.activated:
            continue
        left, shows = then - days, now.get(place)
        again = ListUnder("activated", (place,), why="if it was activated again")
        wrong: tuple[str, Remedy] | None = None
        if shows is None and left >= 0:
            wrong = "is no longer on the map", Advice("ignore this if the story put it out")
        elif shows is not None and shows > max(left, 0):
            wrong = f"shows {shows}, but at most {max(left, 0)} is possible", again
        elif shows is not None and left < 0:
            wrong = "has gone out since", again
        elif shows is not None and shows < left:
            wrong = f"shows {shows}, not {left}", Advice("ignore this if the story reduced it")
        if wrong:
            yield Problem(
                f"The menhir in {place} had {then} on its dial {counted(days, 'day')} ago and {wrong[0]}.",
                severity=None if wrong[1] is again else "warning",
                count=shows,
                limit=max(left, 0),
                at=At("menhirs", place),
                remedies=(wrong[1],),
            )


@rule("starting-menhir", "reduce-menhir-dials", "activating-menhirs")
def first_dial(step: SheetStep) -> Problems:
    """On the first save sheet, every menhir except the one from setup has been activated. The dial of the menhir from
    setup began at 9 minus the number of players.
    """
    day, menhirs = step.played.day, step.played.menhirs or {}
    begins, fresh = step.setup.begins, not any(each.experience_spent for each in step.setup.begins.sheets.values())
    if step.before.saves or step.setup.free_play or not fresh or not begins.sheets or step.mercy:
        return
    given = [place for place in menhirs if place not in step.played.activated]
    if len(given) > 1:
        yield Problem(
            f"The menhirs in {both(given)} were not activated; only one is on the map when the campaign begins.",
            count=len(given),
            limit=1,
            at=At("menhirs"),
            remedies=(ListUnder("activated", tuple(given[1:])),),
        )
    players = len(begins.sheets)
    began = MOST_ON_A_FIRST_DIAL - players
    left = began - (max(day, 1) - 1 if day is not None else 0)
    if len(given) == 1 and menhirs[given[0]] > max(left, 0):
        when = f"on day {day}" if day is not None else "later"
        yield Problem(
            f"With {counted(players, 'player')} the first menhir begins with {began} on its dial and can show no more than {max(left, 0)} "
            f"{when}; the one in {given[0]} shows {menhirs[given[0]]}.",
            count=menhirs[given[0]],
            limit=max(left, 0),
            at=At("menhirs", given[0]),
            remedies=(ListUnder("activated", (given[0],), why="if it was extended or activated"),),
        )


@rule("statuses", severity="warning")
def statuses_stay(step: SheetStep) -> Problems:
    """A status that is marked on the save sheet stays marked."""
    if (gone := missing(step.before.statuses, step.after.statuses)) and step.known:
        yield Problem(
            f"No longer marked: {', '.join(gone)}. A status changes the world permanently.",
            at=At("statuses"),
            remedies=(ListUnder("statuses", tuple(gone), why="unless the story erased them"),),
        )


@rule("removing-cards-from-the-game", severity="warning")
def removed_for_good(step: SheetStep) -> Problems:
    """Cards that were removed from the game stay out of the campaign."""
    if (back := missing(step.before.removed, step.after.removed)) and step.known:
        yield Problem(
            f"No longer removed from the game: {', '.join(back)}.",
            cards=tuple(back),
            at=At("removed"),
            remedies=(ListUnder("removed", tuple(back), why="unless the story brought them back"),),
        )


def missing(some: Iterable[str], there: Iterable[str]) -> list[str]:
    """Return the names in `some` that are missing from `there`, ignoring capitals, accents and punctuation."""
    keys = set(map(name_key, there))
    return [name for name in some if name_key(name) not in keys]


@rule("secrets", "adding-or-removing-players", "character-death")
def secrets_stay(step: SheetStep) -> Problems:
    """No secret leaves the campaign without a reason. The secrets of characters who die or leave go to the others."""
    if not step.known:
        return
    held = step.after.secrets()
    for number, (name, item) in step.before.secrets().items():
        if number in held or number in step.played.lost:
            continue
        personal = "PERSONAL" in item.keywords
        if personal and name in step.played.died:
            continue
        unsure = personal and name in step.played.left  # the rules do not cover these
        yield Problem(
            f"{name} had secret {number}, but now no one has it.",
            who=name,
            severity="warning" if unsure else None,
            at=At("decks", name),
            remedies=(
                ListUnder("lost", (str(number),), why="if the story took it"),
                Advice(f"list secret {number} on the sheet of the character who has it"),
            ),
        )


@rule("secrets", "trading-secrets")
def secrets_have_one_owner(step: SheetStep) -> Problems:
    """Each numbered secret is a single card, so it is on only one sheet."""
    owners: dict[int, list[str]] = {}
    for name, sheet in step.after.sheets.items():
        for number in dict.fromkeys(item.number for item in sheet.secrets if item.number is not None):
            owners.setdefault(number, []).append(name)
    for number, names in owners.items():
        recorded = [name for name in names if name in step.played.sheets]
        if len(names) > 1 and recorded:
            yield Problem(
                f"{both(names)} have secret {number}, but there is only one card of each number.",
                who=recorded[-1],
                count=len(names),
                limit=1,
                at=At("decks", recorded[-1]),
                remedies=tuple(
                    Remove(1, of=(f"secret {number}",), pile="secrets", who=name) for name in recorded[::-1]
                ),
            )


@rule("skills", "advancing-attributes", family="feat")
def skills_stay(step: SheetStep) -> Problems:
    """A character keeps each skill card with its chosen side. The other side of the card is lost."""
    for name, old, new, at in sheets(step):
        for attribute in ATTRIBUTES:
            then, now = old.skills.get(attribute, ()), new.skills.get(attribute, ())
            kept = {name_key(skill) for skill in now}
            gone = [skill for skill in then if name_key(skill) not in kept]
            fewer = max(0, (old.attributes or {}).get(attribute, 0) - (new.attributes or {}).get(attribute, 0))
            if len(gone) <= fewer:
                continue
            had = {name_key(skill) for skill in then}
            came = tuple(skill for skill in now if name_key(skill) not in had)
            instead = f" and lists {both(came)} instead" if came else ""
            pile = f"skills.{attribute}"
            put_back = Exchange(len(gone), came, tuple(gone), pile=pile, who=name) if len(came) >= len(gone) else None
            yield Problem(
                f"{name} had the skills {both(gone)} for {attribute.capitalize()}; the new sheet no longer lists "
                f"them{instead}. The side of a skill card that was not chosen is lost.",
                who=name,
                cards=tuple(gone),
                at=at,
                remedies=(put_back or ListUnder(pile, tuple(gone), who=name),),
            )


@rule("trading-secrets")
def personal_secrets_stay(step: SheetStep) -> Problems:
    """A PERSONAL secret is never given to another character."""
    held = step.after.secrets()
    for number, (name, item) in step.before.secrets().items():
        if number in held and "PERSONAL" in item.keywords and held[number][0] != name and step.known:
            holder = held[number][0]
            yield Problem(
                f"Secret {number} is PERSONAL and belongs to {name}, but {holder} has it now.",
                who=holder,
                at=At("decks", holder),
                remedies=(Move((f"secret {number}",), from_=holder, to=name),),
            )


@rule("adding-or-removing-players", "character-death")
def who_is_at_the_table(step: SheetStep) -> Problems:
    """1 to 4 characters play, and a character who joins brings a fresh sheet. Only active characters can die or leave."""
    saved, before = step.played, step.before
    if len(step.after.sheets) > MOST_CHARACTERS:
        yield Problem(
            f"{len(step.after.sheets)} characters play; at most {MOST_CHARACTERS} are allowed.",
            count=len(step.after.sheets),
            limit=MOST_CHARACTERS,
            at=(At("joined"), At("decks")),
            remedies=(Unlist("joined", tuple(saved.joined)),) if saved.joined else (Set("decks"),),
        )
    out = () if step.mercy else step.after.dead
    stayed = {*before.sheets} - {*saved.died, *saved.left}
    yield from members(saved.joined, saved.sheets, stayed, step.after.sheets, out)
    for name in saved.joined:
        if (sheet := saved.sheets.get(name)) and sheet.experience_spent:
            yield Problem(
                f"{name} joins with {sheet.experience_spent} EXP spent. A character who joins begins with the standard resources and decks.",
                who=name,
                count=sheet.experience_spent,
                limit=0,
                at=At("decks", name),
                remedies=(Advice(f"begin a new sheet for {name}"),),
            )


@rule("character-death", "challenge-mode-death", "allmothers-mercy")
def the_game_has_not_ended(step: SheetStep) -> Problems:
    """The campaign ends when the only character dies, when no character is left to replace a dead one, or when a
    character dies in challenge mode. The game does not end if the Allmother saves the party.
    """
    saved = step.played
    challenge = step.before.mode == "challenge"
    if challenge and step.mercy:
        yield Problem(
            "In challenge mode the Allmother does not save characters.",
            at=At("statuses"),
            remedies=(Unlist("statuses", (GODDESS_STATUS,)),),
        )
    if step.after.ended:
        yield Problem(
            f"{both(list(saved.died))} died, and no character is left to play or to be claimed. The game has ended.",
            severity=None if saved.joined else "warning",
            at=At("died"),
            remedies=(Advice("begin a new campaign, or call on the Allmother"),),
        )
    elif saved.died and challenge:
        yield Problem(
            "In challenge mode the campaign ends in failure when you die. The rules do not say whether one death is enough.",
            severity="warning",
            at=At("died"),
            remedies=(Advice("agree on it with your group"),),
        )
    if step.before.ended and step.known and GODDESS not in map(name_key, step.after.statuses):
        yield Problem(
            "After the last save sheet no character was left to play or to be claimed. The game had ended.",
            at=(At("chapter"), At("day")),
            remedies=(Advice("begin a new campaign"),),
        )


def sheets(step: SheetStep) -> Iterator[tuple[str, Sheet, Sheet, At]]:
    """Yield a tuple for each character with a new sheet: the name, the old sheet, the new sheet, and the new sheet's
    key in the file.

    Nothing is yielded if the party was saved by Allmother's Mercy, or if the state before the save sheet is unknown.
    """
    for name, sheet in step.played.sheets.items():
        old = step.before.sheets.get(name)
        if old is not None and name in step.after.sheets and step.known and not step.mercy:
            yield name, old, sheet, At("decks", name)


@rule("advance-your-character", "advancing-attributes", "advancing-decks", family="experience")
def what_was_gained_is_kept(step: SheetStep) -> Problems:
    """The EXP spent never decreases. Raised attributes and gained cards are kept."""
    for name, old, new, at in sheets(step):
        if (
            old.experience_spent is not None
            and new.experience_spent is not None
            and new.experience_spent < old.experience_spent
        ):
            yield Problem(
                f"{name} had spent {old.experience_spent} EXP, and the new sheet says {new.experience_spent}.",
                who=name,
                count=new.experience_spent,
                limit=old.experience_spent,
                at=at,
                remedies=(Set("experience_spent", who=name),),
            )
        if old.starting and new.starting and old.starting != new.starting:
            yield Problem(
                f"The starting attributes of {name} differ from those on the last sheet.",
                who=name,
                at=at,
                remedies=(Set("starting_attributes", who=name, why="to the numbers on the tile"),),
            )
        for each in ATTRIBUTES if old.attributes and new.attributes else ():
            then, now = (old.attributes or {})[each], (new.attributes or {})[each]
            if now < then:
                yield Problem(
                    f"{each.capitalize()} of {name} was {then} and is {now}.",
                    who=name,
                    severity="warning",
                    count=now,
                    limit=then,
                    at=at,
                    remedies=(Set(f"attributes.{each}", str(then), who=name, why="unless the story took points"),),
                )
        for before, later in zip(old.decks, new.decks, strict=True):
            held = {card.key for card in later.gained}
            gone = [card.name for card in before.gained if card.key not in held]
            if gone:
                yield Problem(
                    f"{name} had gained {both(gone)} for {before.name}; the sheet no longer lists {'it' if len(gone) == 1 else 'them'}.",
                    who=name,
                    cards=tuple(gone),
                    severity="warning",
                    at=at,
                    remedies=(
                        ListUnder(
                            f"{before.name}.gained", tuple(gone), who=name, why="even if they are not in the deck"
                        ),
                    ),
                )


@rule("advance-your-character", "advancing-attributes", "advancing-decks", family="experience")
def advancement_is_paid(step: SheetStep) -> Problems:
    """The advancement since the last save sheet costs no more than the EXP spent since then."""
    for name, old, new, at in sheets(step):
        cost, prices = step_cost(old, new)
        if old.experience_spent is None or new.experience_spent is None or not cost:
            continue
        spent = new.experience_spent - old.experience_spent
        if spent < cost:
            cites = tuple(dict.fromkeys((prices.attribute_cite, prices.card_cite)))
            yield Problem(
                f"Since the last save sheet {name} raised attributes and gained cards for at least {cost} EXP, but spent {max(spent, 0)}.",
                who=name,
                cites=cites,
                count=cost,
                limit=spent,
                at=at,
                remedies=(
                    Set("experience_spent", str(old.experience_spent + cost), who=name, why="if the sheet is right"),
                    Set("granted", who=name, why="to the points and cards that the story gave without EXP"),
                    Advice(f"take back attribute points or cards worth {cost - spent} EXP"),
                ),
            )


def step_cost(old: Sheet, new: Sheet) -> tuple[int, Prices]:
    """Return the least EXP that the advancement from the sheet `old` to the sheet `new` can have cost, and the price
    list that applies.

    If the mode has changed between the sheets, the cheaper of the two price lists applies.
    """
    prices = min(prices_now(old), prices_now(new), key=lambda each: each.card)
    granted = Counter(new.granted) - Counter(old.granted) + Counter({deck.name: len(deck.gained) for deck in old.decks})
    step = replace(new, starting=old.attributes, granted=granted)
    return least_cost(step, prices, pairs_of(new)), prices


@rule("experience", "advance-your-character", family="experience")
def experience_is_accounted_for(step: SheetStep) -> Problems:
    """The EXP on a sheet is the earlier EXP, plus the EXP gained, minus the EXP spent. If a sheet does not give the EXP
    spent, kb uses the cost of the advancement.
    """
    for name, old, new, at in sheets(step):
        had, held, gained = held_before(old), new.resources.get("experience"), step.played.experience.get(name)
        if had is None:
            continue
        before, now = old.experience_spent, new.experience_spent
        spent_is_said = before is not None and now is not None
        spent = (now or 0) - (before or 0) if spent_is_said else step_cost(old, new)[0]
        there = had + (gained or 0)
        left = there - spent
        # more may be left if the EXP gained is unknown, and less if the EXP spent is unknown
        shown = left if held is None else held
        if (gained is None or 0 <= shown <= left) and (not spent_is_said or shown >= left):
            continue
        unspent, missing = there - (held or 0), spent + (held or 0) - had
        ways = (
            (left, Set("resources.experience", str(left), who=name)),
            (unspent if spent_is_said else -1, Set("experience_spent", str((before or 0) + unspent), who=name)),
            (missing, Set("experience", str(missing), who=name)),
        )
        yield Problem(
            f"{name} had {had} EXP, gained {gained or 0} and spent {'' if spent_is_said else 'at least '}{spent}: "
            + (f"{left} should be left, not {held}." if left >= 0 else f"only {there} could be spent."),
            who=name,
            count=shown,
            limit=left,
            at=(At("experience", name), at),
            remedies=tuple(way for number, way in ways if number >= 0),
        )
