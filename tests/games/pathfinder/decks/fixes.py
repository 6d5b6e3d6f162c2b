"""Follows the fixes of findings to the letter, as a player would who changes the deck file by what they say."""

import copy
import re

import yaml

from kb.decks.deckfile import parse_deck
from kb.decks.names import name_key
from kb.games.pathfinder.decks.adapter import check_deck
from kb.games.pathfinder.decks.deckfile import read_deck
from kb.games.pathfinder.decks.model import PLURALS
from kb.games.pathfinder.records import CARD_TYPES

from .conftest import FACTS

SINGULAR = {**{plural: kind for kind, plural in PLURALS.items()}, **{kind: kind for kind in CARD_TYPES}}
PILES = ("cards", "from_box", "left_over", "had", "received", "gave")
LIST = r"((?:[^.]|\.(?=\w))+?)"  # names, up to the end of the sentence


def draft(text):
    """A deck file with every pile as a list of names, one a copy (a described card stays a mapping)."""
    loaded = yaml.safe_load(text)
    for pile in PILES:
        if pile in loaded:
            found = loaded[pile] if isinstance(loaded[pile], list) else [loaded[pile]]
            loaded[pile] = [each for item in found for each in spread(item)]
    for key in ("party", "owns"):
        if isinstance(loaded.get(key), str):
            loaded[key] = [loaded[key]]
    return loaded


def spread(item):
    if isinstance(item, dict):
        return [item]
    found = re.fullmatch(r"(\d+)x (.+)", item)
    return [found[2]] * int(found[1]) if found else [item]


class NoAliases(yaml.SafeDumper):
    """Writes a card twice rather than pointing back to it."""

    def ignore_aliases(self, data):
        return True


def check(deck):
    text = yaml.dump(deck, Dumper=NoAliases, sort_keys=False)
    return check_deck(read_deck(parse_deck(text, "deck.yaml"), FACTS), FACTS, "deck")


def names(text):
    """`2x Cure, Dagger or Dart` as names, one a copy; a name may hold a comma or an `or`."""
    known = {key for _, key in FACTS.cards}
    found = []
    for part in re.split(r", | or ", text):
        if found and any(name_key(f"{found[-1]}{between}{part}") in known for between in (", ", " or ")):
            found[-1] = f"{found[-1]}, {part}"
        else:
            found.extend(spread(part))
    return found


def place(pile, name):
    keys = [name_key(item["name"] if isinstance(item, dict) else item) for item in pile]
    return keys.index(name_key(name)) if name_key(name) in keys else None


def drop(deck, pile, name):
    found = place(deck.get(pile, []), name)
    if found is not None:
        del deck[pile][found]
    return found is not None


def leave(deck, name):
    """Take one copy of a card out of the deck, and out of what the file says of its coming."""
    assert drop(deck, "cards", name), f"{name} is not in the deck"
    if deck.get("stage") != "rebuilt" and place(deck["cards"], name) is not None:
        return  # what was received stays
    if not drop(deck, "from_box", name) and not drop(deck, "received", name):
        drop(deck, "had", name)


def enter(deck, name):
    """Put a card into the deck: of what the party has left, or else from the box."""
    deck["cards"].append(name)
    if not drop(deck, "left_over", name) and deck.get("stage") == "rebuilt" and "from_box" in deck:
        had = sum(name_key(each) == name_key(name) for each in deck.get("had", []) if isinstance(each, str))
        if sum(name_key(each) == name_key(name) for each in deck["cards"] if isinstance(each, str)) > had:
            deck["from_box"].append(name)


def options(finding):
    """The cards that an exchange names."""
    found = re.search(rf"Exchange .*?for instance for {LIST}(?: \(\d from the box\))?\.(?: |$)", finding.fix)
    return names(found[1]) if found else []


def exchanged(deck, finding, first=0):
    """The deck with the card of a finding exchanged for others of what its fix names, beginning with the `first`."""
    new = copy.deepcopy(deck)
    found = re.search(r"Exchange (?:it|these (\d+)|(\d+) of them)", finding.fix)
    assert found, f"nobody could follow this fix: {finding}"
    number = int(found[1] or found[2] or 1)
    party = re.search(
        rf" for (?:\d+ of what the party still has: )?{LIST}(?:, which the party still has|\.(?: |$))", finding.fix
    )
    of_party = [] if party is None or "instance" in party[1] else names(party[1])[:number]
    chosen = options(finding)
    chosen = of_party + chosen[first:] + chosen[:first]
    assert len(chosen) >= number, finding.fix
    for name in chosen[:number]:
        leave(new, finding.cards[0])
        enter(new, name)
    return new


def follow(deck, finding):
    """The deck after the fix of a finding (the first way that it names)."""
    new = copy.deepcopy(deck)
    fix = finding.fix
    if found := re.match(rf"Add {LIST}\.$", fix) if finding.check == "cards-that-must-be-held" else None:
        enter(new, found[1])
        return new
    if found := re.match(rf"Exchange one (\w+) for {LIST}\.$", fix):
        sets = ("rotr", "mm")  # an ally of another set is exchanged as well
        held = [each for each in new["cards"] if isinstance(each, str)]
        kinds = {each: {card.type for set_id in sets if (card := FACTS.card(set_id, each))} for each in held}
        of_type = [each for each in held if found[1] in kinds[each]]
        leave(new, next((each for each in of_type if each in new.get("from_box", ())), of_type[0]))
        enter(new, found[2])
        return new
    if "Exchange " in fix:
        return exchanged(deck, finding)
    if found := re.match(rf"Remove (?:all|(\d+) of the \d+) (\w+): {LIST}\.$", fix):
        listed = names(found[3])
        for name in listed[len(listed) - int(found[1] or len(listed)) :]:
            leave(new, name)
    elif found := re.match(rf"Remove (\d+) of: {LIST}\.(?: Or .*)?$", fix):
        for name in names(found[2])[: int(found[1])]:
            leave(new, name)
    elif found := re.match(
        rf"Add (\d+) \w+(?:; the party still has|: first|.*?, for instance) {LIST}[,.]?(?: which .*)?$", fix
    ):
        number, listed = int(found[1]), names(found[2].split(", which")[0])
        more = re.search(rf"for instance {LIST}\.", fix)
        for name in (listed + (names(more[1]) if more else []))[:number]:
            enter(new, name)
    elif found := re.match(rf"Put (?:(\d+) of )?{LIST} back into the box and keep (?:(\d+) of )?{LIST} instead\.", fix):
        back, keep = names(found[2]), names(found[4])
        for name in back[: int(found[1] or len(back))]:
            drop(new, "cards", name)
            drop(new, "from_box", name)
        for name in keep[: int(found[3] or len(keep))]:
            new["cards"].append(name)
            drop(new, "left_over", name)
    else:
        facts_of_the_file(new, finding)
    return new


def facts_of_the_file(new, finding):
    """Fixes that correct what the file says besides its cards."""
    fix = finding.fix
    if found := re.match(r"Uncheck (\d+) for (\w+)", fix):
        uncheck(new, "card_feats", SINGULAR[found[2]], int(found[1]))
    elif found := re.match(r"Uncheck (\d+) (?:of them|(card|skill|power) feats?)", fix):
        for _ in range(int(found[1])):
            uncheck_any(new, f"{found[2] or finding.check.split('-')[0]}_feats")
    elif found := re.match(r"Check at most \+(\d+) for (\w+)\.", fix):
        new["skill_feats"][found[2]] = int(found[1])
    elif found := re.match(r"Uncheck (\w+)\.", fix):
        del new["skill_feats"][found[1]]
    elif found := re.match(r"Check \+?(\d+) first", fix):
        for feats in (new.get("card_feats", {}), new.get("skill_feats", {})):
            for boxes in feats.values():
                if isinstance(boxes, list) and len(boxes) == 1:
                    boxes[:] = [found[1]]
                elif isinstance(boxes, list):
                    boxes[-1] = found[1]
    elif fix.startswith("Choose another character, or add the product"):
        new["owns"] = [*new["owns"], "add-on"]
    elif found := re.match(r"Choose ([^.]+) or ([^.]+)\.$", fix):
        new["role"] = found[1]
    elif fix.startswith("Leave ") or fix.startswith("Name the role, or leave "):
        for key in re.findall(r"`(\w+):?`", fix.split("; or")[0].split(", or correct")[0]):
            new.pop(key, None)
    elif found := re.match("Take it out of `(from_box|received)`", fix):
        drop(new, found[1], finding.cards[0])
    elif fix.startswith("Add it to `received`"):
        number = re.match(r"(\d+)x ", finding.message)
        new.setdefault("received", []).extend([finding.cards[0]] * int(number[1] if number else 1))
    elif fix.startswith(("Correct `gave` or `had`", "Correct `gave:`")):
        drop(new, "gave", finding.cards[0])
    elif fix.startswith("List under `received` and `gave`"):
        new["received"] = new["gave"] = []
    elif fix.startswith("Remove it, or play a character whose"):
        drop(new, "cards", finding.cards[0])
        new["cohorts"] = [name for name in new.get("cohorts", []) if name not in finding.cards]
    elif found := re.match(r"Write down the cards of (\d+) of the decks", fix):
        new["party"] = [name for name in new["party"] if name != new["character"]][: -int(found[1])]
    elif fix.startswith("Let each player"):
        new["party"] = list({name_key(name): name for name in new["party"]}.values())
    elif found := re.search(r"write `set: (\w+)`", fix) or re.search(r"(?<=add )(\w+) to `owns:`", fix):
        if "write `set" in fix:
            new["set"] = found[1]
        else:
            new["owns"] = [*new.get("owns", ["base", "add-on"]), found[1]]
    elif fix.startswith(("Write only the name of", "Describe ")):
        described = set() if fix.startswith("Describe ") else set(finding.cards)
        for pile in PILES:
            for number, item in enumerate(new.get(pile, [])):
                if isinstance(item, dict) and item["name"] in finding.cards:
                    new[pile][number] = item["name"] if item["name"] in described else item
                    described.add(item["name"])
    else:
        raise AssertionError(f"nobody could follow this fix: {finding}")


def uncheck(new, key, line, number):
    boxes = new[key][line]
    new[key][line] = boxes[: len(boxes) - number] if isinstance(boxes, list) else boxes - number


def uncheck_any(new, key):
    if isinstance(new[key], int):
        new[key] -= 1
        return
    line = next(line for line, boxes in new[key].items() if boxes)
    uncheck(new, key, line, 1)


def mended(deck, most=40):
    """The deck after following the first error's fix until it is legal. Fails when that does not end."""
    for _ in range(most):
        errors = [finding for finding in check(deck).findings if finding.severity == "error"]
        if not errors:
            return deck
        deck = follow(deck, errors[0])
    raise AssertionError(f"still not legal after {most} fixes: {errors[0]}\n{deck}")
