"""Applies the remedies of findings to a character sheet or a save sheet, as a player who follows the report would."""

import copy
import re

import yaml

from kb.decks.remedies import Clear, Exchange, Fill, ListUnder, Move, Remove, Set, Steps, Unlist


def spread(cards):
    """Return a list with an item per copy. Ranges (`1-3`) and numbers of copies (`2x A`) are expanded."""
    found = []
    for card in map(str, cards if isinstance(cards, list) else [cards]):
        if several := re.fullmatch(r"(\d+)x (.+)", card):
            found += [several[2]] * int(several[1])
        elif span := re.fullmatch(r"(\d+)-(\d+)", card):
            found += [str(number) for number in range(int(span[1]), int(span[2]) + 1)]
        else:
            found.append(card)
    return found


def name_of(entry):
    """Return the name of a card or item. `entry` may have any form that a sheet accepts."""
    text = str(entry.get("name", entry.get("number"))) if isinstance(entry, dict) else str(entry)
    return text.removesuffix("/25").partition(" (")[0].removeprefix("secret ")


def parent_of(sheet, key):
    """Return the mapping that contains `key`, a path such as `combat.deck`, and the last part of the path. Missing
    mappings are created.
    """
    *way, last = key.split(".")
    for part in way:
        if not isinstance(sheet.get(part), dict):
            sheet[part] = {"deck": spread(sheet[part])} if part in ("combat", "diplomacy") and sheet.get(part) else {}
        sheet = sheet[part]
    return sheet, last


def lists_of(value):
    """Return the lists of cards in the value of a key: a single list, or a list for each grade or attribute."""
    return list(value.values()) if isinstance(value, dict) else [value]


def without(held, of, copies):
    """Return `held`, the value of a key, without `copies` of the cards in `of`. Those that come last in `held` are
    removed first.
    """
    if isinstance(held, dict):
        new = {}
        for name in reversed(held):
            left = without(held[name], of, copies)
            copies -= len(spread(held[name])) - len(left)
            new[name] = left
        return {name: new[name] for name in held}
    cards, wanted = (
        (held if any(isinstance(each, dict) for each in held) else spread(held))
        if isinstance(held, list)
        else spread(held),
        {name_of(each) for each in of},
    )
    for at in reversed(range(len(cards))):
        if copies and name_of(cards[at]) in wanted:
            del cards[at]
            copies -= 1
    return cards


def applied(sheet, remedy):
    """Return a copy of the sheet after `remedy`, or None if only a person can follow it."""
    new = copy.deepcopy(sheet)
    match remedy:
        case Set(key=key, value=value, choices=choices) if value or choices:
            held, last = parent_of(new, key)
            held[last] = yaml.safe_load(value or choices[0])
        case Clear(clears=keys):
            for key in keys:
                held, last = parent_of(new, key)
                held.pop(last, None)
        case ListUnder(key=key, cards=cards, instead_of=wrong):
            held, last = parent_of(new, key)
            there = held.get(last) or []
            held[last] = (
                {**there, "basic": [*spread(there.get("basic", [])), *cards]}
                if isinstance(there, dict)
                else [*there, *cards]
            )
            if wrong:
                held, last = parent_of(new, wrong)
                held[last] = without(held[last], cards, len(cards))
        case Unlist(key=key, cards=cards):
            held, last = parent_of(new, key)
            held[last] = (
                {name: each for name, each in held[last].items() if name not in cards}
                if isinstance(held[last], dict) and set(cards) & set(held[last])
                else without(held[last], cards, len(cards))
            )
        case Remove(copies=copies, of=of, pile=pile, why=""):
            held, last = parent_of(new, pile)
            held[last] = without(held[last], of, copies)
        case Fill(copies=copies, among=among, pile=pile):
            held, last = parent_of(new, pile)
            if (
                isinstance(held, dict) and last == "deck" and "deck" not in held
            ):  # the deck consists of all cards that are not in `out`
                held["out"] = without(held.get("out", []), among, copies)
            else:
                held[last] = [
                    *spread(held.get(last) or []),
                    *(among or [30 + number for number in range(copies)])[:copies],
                ]
        case Exchange(copies=copies, out=out, into=into, pile=pile):
            held, last = parent_of(new, pile)
            held[last] = [*without(held[last], out, copies), *into[:copies]]
        case Move(cards=cards):
            new["secrets"] = without(new["secrets"], cards, len(cards))
        case Steps(steps=steps):
            for step in steps:
                new = new and applied(new, step)
        case _:
            return None
    return new and {key: value for key, value in new.items() if value not in ([], None, {})}


def first_applied(sheet, finding):
    """Return a copy of the sheet after the first remedy of `finding` that a program can apply, or None if there is
    none.
    """
    return next((new for each in finding.remedies if (new := applied(sheet, each)) is not None), None)
